"""A file is taken from the store only when size and time leave no doubt."""

from __future__ import annotations

from lsp_server.index.freshness import RACY_NS, compare
from lsp_server.index.store import ManifestRow
from lsp_server.workspace.discovery import FoundFile

LONG_AGO = 10 * RACY_NS


def row(path: str, size: int = 1, mtime_ns: int = 0, noted_ns: int = LONG_AGO) -> ManifestRow:
    return ManifestRow(path, size, mtime_ns, "hash", "python", noted_ns)


def test_same_size_and_time_is_unchanged() -> None:
    result = compare([FoundFile("a", 1, 0)], {"a": row("a")})
    assert [each.path for each in result.unchanged] == ["a"]
    assert result.changed == result.removed == ()


def test_other_size_or_time_or_new_is_changed_and_missing_is_removed() -> None:
    found = [FoundFile("a", 2, 0), FoundFile("b", 1, 1), FoundFile("new", 1, 0)]
    result = compare(found, {path: row(path) for path in ("a", "b", "gone")})
    assert result.unchanged == ()
    assert result.changed == ("a", "b", "new")
    assert result.removed == ("gone",)


def test_file_modified_just_before_it_was_read_is_read_again() -> None:
    known = {"a": row("a", mtime_ns=LONG_AGO - RACY_NS + 1), "b": row("b", mtime_ns=LONG_AGO - RACY_NS)}
    result = compare([FoundFile(each.path, each.size, each.mtime_ns) for each in known.values()], known)
    assert result.changed == ("a",)
    assert [each.path for each in result.unchanged] == ["b"]


def test_unknown_time_of_reading_means_reading_again() -> None:
    assert compare([FoundFile("a", 1, 5)], {"a": row("a", mtime_ns=5, noted_ns=0)}).changed == ("a",)
