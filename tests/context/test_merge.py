"""Merging: a union is re-read as a whole, never glued, and never promotes another reason's text."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from lsp_server.context.merge import Shown, merge_ranges
from lsp_server.model.candidate import Candidate, Cause, Origin
from lsp_server.model.errors import SourceMissing
from lsp_server.model.lines import LineRange
from lsp_server.model.source import SourceText
from lsp_server.text.hashing import content_hash

from .selection_cases import candidate

LINES = [f"line {number}" for number in range(1, 41)]


@dataclass
class Reader:
    """One file of 40 lines; counts how often it is read."""

    reads: list[str] = field(default_factory=list)
    lines: tuple[str, ...] = tuple(LINES)

    def read(self, path: str) -> SourceText:
        self.reads.append(path)
        if path != "src/a.py":
            raise SourceMissing(path)
        text = "".join(f"{line}\n" for line in self.lines)
        return SourceText(path, text, self.lines, ("\n",) * len(self.lines), content_hash(text), Origin.BUFFER, 7)

    def allowed(self, path: str) -> bool:
        return path != ".env"


def show(source: SourceText, range: LineRange) -> Shown:
    text = source.slice(range)
    return Shown(text, content_hash(text))


def window(id: str, start: int, end: int, score: float = 1.0, **more: object) -> Candidate:
    text = "".join(f"{line}\n" for line in LINES[start - 1 : end])
    return candidate(id, lines=(start, end), score=score, content=text, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("second", "merges"), [((5, 8), True), ((11, 14), True), ((12, 14), False)])
def test_overlapping_and_adjacent_windows_become_one(second: tuple[int, int], merges: bool) -> None:
    merged = merge_ranges([window("a", 3, 10), window("b", *second, score=2)], Reader(), show, 10_000)
    assert len(merged.candidates) == (1 if merges else 2)


def test_the_union_is_read_once_with_its_own_hash_and_version() -> None:
    reader = Reader()
    merged = merge_ranges([window("a", 3, 6), window("b", 7, 9, 2), window("c", 9, 12)], reader, show, 10_000)
    (union,) = merged.candidates
    assert union.range == LineRange(3, 12)
    assert union.content == "".join(f"line {number}\n" for number in range(3, 13))
    assert union.content_hash == content_hash(union.content)
    assert (union.score, union.version, union.origin) == (2, 7, Origin.BUFFER)
    assert reader.reads == ["src/a.py"]
    assert merged.absorbed == dict.fromkeys(("a", "b", "c"), union.id)


def test_merging_never_crosses_the_item_ceiling() -> None:
    windows = [window("a", 1, 4), window("b", 5, 8), window("c", 9, 12)]
    merged = merge_ranges(windows, Reader(), show, len("line 1\n") * 8)
    assert [str(one.range) for one in merged.candidates] == ["1-8", "9-12"]


def test_other_reasons_required_items_and_groups_are_not_merged() -> None:
    windows = [
        window("search", 1, 4),
        window("failure", 5, 8, reason="failure"),
        window("required", 9, 12, required=True),
        window("grouped", 13, 16, group="g"),
    ]
    assert merge_ranges(windows, Reader(), show, 10_000).candidates == tuple(windows)


def test_a_window_whose_text_changed_is_stale() -> None:
    old = replace(window("b", 5, 8), content="old\n", content_hash=content_hash("old\n"))
    merged = merge_ranges([window("a", 1, 4), old, window("c", 38, 40), window("d", 40, 50)], Reader(), show, 10_000)
    assert [one.id for one in merged.candidates] == ["a", "c"]
    assert [(one.id, one.cause) for one in merged.rejected] == [("b", Cause.STALE), ("d", Cause.STALE)]


def test_windows_of_a_file_that_vanished_are_missing() -> None:
    gone = [replace(window(name, *lines), path="gone.py") for name, lines in (("a", (1, 4)), ("b", (4, 8)))]
    merged = merge_ranges(gone, Reader(), show, 10_000)
    assert merged.candidates == ()
    assert {one.cause for one in merged.rejected} == {Cause.MISSING}


def test_the_input_is_unchanged_and_the_result_independent_of_its_order() -> None:
    windows = [window("c", 9, 12), window("a", 3, 6), window("b", 6, 9)]
    before = list(windows)
    forward = merge_ranges(windows, Reader(), show, 10_000)
    assert windows == before
    assert forward.candidates == merge_ranges(windows[::-1], Reader(), show, 10_000).candidates
