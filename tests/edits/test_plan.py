"""Plans: all blocks or none, in order, with the least that has to change."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.edits.errors import (
    Ambiguous,
    BlockError,
    ChangedSince,
    DeniedFile,
    EmptySearch,
    GitFolder,
    MissingFile,
    NoBlocks,
    NoMatch,
    OutsideWorkspace,
    UnreadableFile,
)
from lsp_server.edits.parse import EditBlock, parse_blocks
from lsp_server.edits.plan import EditPlan, Expected, FileEdit, changed_lines, plan_edits
from lsp_server.model.errors import EditError
from lsp_server.model.lines import LineRange
from lsp_server.text.line_table import LineTable
from lsp_server.workspace.reader import DiskReader
from lsp_server.workspace.roots import Roots
from lsp_server.workspace.writer import FileWrite, write_files

from .workspace_reader import MemoryReader

ROOTS = Roots.of(["/no/such/workspace"])
SECRET = "AKIA" + "QWERTYUIOPASDFGH"


def plan(texts: dict[str, str], *blocks: tuple[str, str, str], **options: object) -> EditPlan:
    reader = MemoryReader(texts, frozenset({".env"}))
    return plan_edits([EditBlock(*block) for block in blocks], reader, ROOTS, **options)  # type: ignore[arg-type]


def applied(edit: FileEdit) -> str:
    """The original with `edits` applied from the last to the first, as an editor does."""
    text = "" if edit.original is None else edit.original.text
    table = LineTable.of(text)
    for one in reversed(edit.edits):
        start = table.starts[one.start_line - 1] + one.start_column
        end = table.starts[one.end_line - 1] + one.end_column
        text = text[:start] + one.new_text + text[end:]
    return text


def test_a_block_written_with_lf_keeps_a_files_crlf() -> None:
    (edit,) = plan({"a.py": "one\r\ntwo\r\nthree\r\n"}, ("a.py", "two\n", "2\nand\n")).files
    assert edit.new_text == "one\r\n2\r\nand\r\nthree\r\n"
    assert applied(edit) == edit.new_text


@pytest.mark.parametrize(
    ("text", "search", "replace", "expected"),
    [
        ("a\rb\rc", "b\n", "x\ny\n", "a\rx\ry\rc"),
        ("a\r\nb\nc\n", "a\nb\nc\n", "a\nB\nc\n", "a\r\nB\nc\n"),
        ("a\nb", "b\n", "c\n", "a\nc"),
        ("a\nb\n", "b\n", "", "a\n"),
        ("a\nb", "b", "c", "a\nc"),
        ("x", "x\n", "y\nz\n", "y\nz"),
        ("f(1)\n", "1", "2", "f(2)\n"),
        ("    return f(1) + g()\n", "f(1)\n", "f(2)\n", "    return f(2) + g()\n"),
        ("a\nb\n", "a\n", "a\n", "a\nb\n"),
        ("a\n", "a\r\n", "b\r\nc\r\n", "b\nc\n"),
        ("a\f1\nb\u20282\n", "b\u20282\n", "c\n", "a\f1\nc\n"),
        ("a\r\n", "a\n", "a\n\nb\n", "a\r\n\r\nb\r\n"),
    ],
)
def test_line_ends_and_the_end_of_the_file_stay(text: str, search: str, replace: str, expected: str) -> None:
    (edit,) = plan({"a.py": text}, ("a.py", search, replace)).files
    assert edit.new_text == expected
    assert applied(edit) == expected


def test_only_changed_lines_are_edited() -> None:
    text = "def f():\n    a = 1\n    b = 2\n    return a\n"
    (edit,) = plan({"a.py": text}, ("a.py", text, text.replace("b = 2", "b = 3"))).files
    (one,) = edit.edits
    assert (one.start_line, one.start_column, one.end_line, one.end_column) == (3, 0, 4, 0)
    assert one.new_text == "    b = 3\n"
    assert changed_lines(edit) == (LineRange(3, 3),)


def test_blocks_for_one_file_apply_in_order_each_to_the_result_of_the_last() -> None:
    (edit,) = plan({"a.py": "one\ntwo\nthree\n"}, ("a.py", "one\n", "1\n"), ("a.py", "1\ntwo\n", "1\n2\n"), ("./a.py", "three\n", "3\n")).files  # noqa: E501  # fmt: skip
    assert edit.new_text == "1\n2\n3\n"
    assert edit.blocks == (1, 2, 3)
    assert applied(edit) == edit.new_text


def test_a_later_failure_leaves_nothing_planned() -> None:
    with pytest.raises(NoMatch) as caught:
        plan({"a.py": "x\n", "b.py": "y\n"}, ("a.py", "x\n", "z\n"), ("b.py", "nope\n", ""))
    assert caught.value.block == 2
    assert isinstance(caught.value, EditError)


def test_no_match_names_the_nearest_text_and_line() -> None:
    with pytest.raises(NoMatch) as caught:
        plan({"a.py": "def f(x):\n    return x + 1\n"}, ("a.py", "    return x + 2\n", ""))
    assert caught.value.nearest is not None
    assert caught.value.nearest.range == LineRange(2, 2)
    assert "return x + 1" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "search", "count", "places"),
    [
        ("aaa", "aa", 2, ("1-1", "1-1")),
        ("x\nx\nx\n", "x\nx\n", 2, ("1-2", "2-3")),
        ("p\nq\np\n", "p\n", 2, ("1-1", "3-3")),
    ],
)
def test_more_than_one_match_is_refused_and_listed(text: str, search: str, count: int, places: tuple[str, ...]) -> None:
    with pytest.raises(Ambiguous) as caught:
        plan({"a.py": text}, ("a.py", search, ""))
    assert caught.value.count == count
    assert tuple(map(str, caught.value.matches)) == places


def test_thousands_of_matches_are_counted_but_not_all_listed() -> None:
    with pytest.raises(Ambiguous, match=r"occurs 5000 times.* and 4980 more"):
        plan({"a.py": "x\n" * 5_000}, ("a.py", "x\n", ""))


@pytest.mark.parametrize(
    ("block", "error"),
    [
        (("a.py", "", "x"), EmptySearch),
        (("a.py", "\n", "x"), EmptySearch),
        (("empty.py", "", "x"), EmptySearch),
        (("gone.py", "x", "y"), MissingFile),
        (("../x.py", "x", "y"), OutsideWorkspace),
        (("/etc/passwd", "x", "y"), OutsideWorkspace),
        (("", "x", "y"), OutsideWorkspace),
        ((".git/config", "x", "y"), GitFolder),
        (("sub/.GIT/hooks/pre-commit", "", "y"), GitFolder),
        ((".env", "x", "y"), DeniedFile),
        ((".env", "", "y"), DeniedFile),
    ],
)
def test_what_is_refused_has_its_own_error(block: tuple[str, str, str], error: type[BlockError]) -> None:
    with pytest.raises(error) as caught:
        plan({"a.py": "x\n", "empty.py": "", ".env": "x"}, block)
    assert type(caught.value) is error
    assert caught.value.block == 1
    assert caught.value.code
    assert caught.value.path == block[0]


def test_no_blocks_at_all_is_an_error() -> None:
    with pytest.raises(NoBlocks):
        plan({})


def test_an_empty_search_creates_a_missing_file_once() -> None:
    (edit,) = plan({}, ("new/a.py", "", "one\ntwo\n"), ("new/a.py", "two\n", "2\n")).files
    assert edit.creates
    assert edit.new_text == "one\n2\n"
    assert applied(edit) == edit.new_text
    assert edit.diff.startswith("--- /dev/null\n+++ b/new/a.py\n")
    with pytest.raises(EmptySearch):
        plan({}, ("new.py", "", "x\n"), ("new.py", "", "y\n"))


def test_a_text_that_is_not_the_expected_one_is_refused() -> None:
    texts = {"a.py": "x\n"}
    right = MemoryReader(texts).read("a.py").content_hash
    assert plan(texts, ("a.py", "x", "y"), expected={"a.py": Expected(right, 3)}).files
    for wrong in (Expected("0" * 64), Expected(right, 4), Expected(None, 2)):
        with pytest.raises(ChangedSince):
            plan(texts, ("a.py", "x", "y"), expected={"a.py": wrong})
    with pytest.raises(ChangedSince):
        plan({}, ("a.py", "", "y"), expected={"a.py": Expected(right)})


def test_open_buffers_are_what_is_edited_and_the_version_is_kept() -> None:
    (edit,) = plan({"a.py": "unsaved\n"}, ("a.py", "unsaved\n", "new\n")).files
    assert edit.original is not None
    assert edit.original.version == 3


def test_secrets_stay_hidden_in_previews_and_errors_yet_are_not_overwritten() -> None:
    text = f"key = '{SECRET}'\nvalue = 1\n"
    shown = f"key = '{'*' * 20}'\n"
    (edit,) = plan({"a.py": text}, ("a.py", shown + "value = 1\n", shown + "value = 2\n")).files
    assert edit.new_text == f"key = '{SECRET}'\nvalue = 2\n"
    assert SECRET not in edit.diff
    with pytest.raises(NoMatch) as caught:
        plan({"a.py": text}, ("a.py", shown, "key = 'other'\n"))
    assert SECRET not in str(caught.value)


def test_the_diff_shows_the_change_and_a_missing_final_line_end() -> None:
    (edit,) = plan({"a.py": "one\ntwo"}, ("a.py", "two", "2")).files
    assert edit.diff == (
        "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n"
        "+2\n\\ No newline at end of file\n"
    )
    assert plan({"a.py": "x\n"}, ("a.py", "x\n", "x\n")).diff == ""


def test_links_binary_files_and_absolute_paths_on_a_real_disk(tmp_path: Path) -> None:
    top = tmp_path / "top"
    (top / "src").mkdir(parents=True)
    (top / "src" / "real.py").write_bytes(b"one\r\n")
    (top / "link.py").symlink_to("src/real.py")
    (top / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "outside.py").write_text("one\n")
    (top / "out.py").symlink_to(tmp_path / "outside.py")
    (top / ".env").write_text("one\n")
    (top / "notes.py").symlink_to(".env")
    roots = Roots.of([top])
    reader = DiskReader(roots)
    blocks = [EditBlock("link.py", "one\n", "two\n"), EditBlock(str(top / "src" / "real.py"), "two\n", "three\n")]
    done = plan_edits(blocks, reader, roots)
    assert [(edit.path, edit.new_text) for edit in done.files] == [("src/real.py", "three\r\n")]
    for path, error in (("binary", UnreadableFile), ("out.py", OutsideWorkspace), ("notes.py", DeniedFile)):
        with pytest.raises(error):
            plan_edits([EditBlock(path, "one\n", "")], reader, roots)


def test_from_a_models_answer_to_the_disk_byte_for_byte(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"\xef\xbb\xbfdef f():\r\n    return '\xc3\xa9'\r\n")
    answer = "a.py\n```python\n<<<<<<< SEARCH\n    return 'é'\n=======\n    x = 1\n    return x\n>>>>>>> REPLACE\n```\n"
    roots = Roots.of([tmp_path])
    reader = DiskReader(roots)
    done = plan_edits(parse_blocks(answer), reader, roots)
    write_files(
        reader,
        [FileWrite(e.path, e.new_text, None if e.original is None else e.original.content_hash) for e in done.files],
    )
    assert (tmp_path / "a.py").read_bytes() == b"\xef\xbb\xbfdef f():\r\n    x = 1\r\n    return x\r\n"


LINES = st.lists(st.tuples(st.text(alphabet="ab ", max_size=3), st.sampled_from(["\n", "\r\n", "\r"])), max_size=8)


@given(LINES, st.booleans(), st.data())
def test_replacing_unique_lines_changes_those_and_nothing_else(
    lines: list[tuple[str, str]], final_end: bool, data: st.DataObject
) -> None:
    unique = [(f"{number}:{text}", end) for number, (text, end) in enumerate(lines)]
    if not unique:
        return
    text = "".join(line + end for line, end in unique)
    if not final_end:
        text = text.removesuffix("\r\n") if text.endswith("\r\n") else text[:-1]
    first = data.draw(st.integers(0, len(unique) - 1))
    last = data.draw(st.integers(first, len(unique) - 1))
    new = data.draw(st.lists(st.text(alphabet="xy", max_size=3), max_size=4))
    search = "".join(line + "\n" for line, _ in unique[first : last + 1])
    (edit,) = plan({"a.py": text}, ("a.py", search, "".join(line + "\n" for line in new))).files
    assert applied(edit) == edit.new_text
    kept_before = "".join(line + end for line, end in unique[:first])
    kept_after = text[len("".join(line + end for line, end in unique[: last + 1])) :]
    assert edit.new_text.startswith(kept_before)
    assert edit.new_text.endswith(kept_after)
    middle = edit.new_text[len(kept_before) : len(edit.new_text) - len(kept_after)]
    found = middle.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert [line for line in found if line] == [line for line in new if line]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=6))
def test_many_blocks_in_a_row_equal_the_edits_sent_to_an_editor(pairs: list[tuple[int, int]]) -> None:
    text = "".join(f"line {number}\r\n" for number in range(10))
    present = text
    blocks = []
    for old, new in pairs:
        if present.count(f"line {old}\r\n") != 1:
            continue
        blocks.append(("a.py", f"line {old}\n", f"line {new}\nextra {new}\n"))
        present = present.replace(f"line {old}\r\n", f"line {new}\r\nextra {new}\r\n")
    if blocks:
        (edit,) = plan({"a.py": text}, *blocks).files
        assert edit.new_text == present
        assert applied(edit) == present
