"""Many changes at once give what they give one by one."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from lsp_server.text import changes as module
from lsp_server.text.changes import apply_changes
from lsp_server.text.line_table import LineTable
from lsp_server.text.positions import PositionEncoding, WirePosition, WireRange, apply_change

ENCODINGS = st.sampled_from(PositionEncoding)
TEXT = st.text(alphabet="aé😀\n\r", max_size=30)
POSITION = st.builds(WirePosition, st.integers(0, 6), st.integers(0, 9))
SPAN = st.builds(WireRange, POSITION, POSITION)
CHANGE = st.tuples(st.one_of(st.none(), SPAN, SPAN, SPAN), st.text(alphabet="aé😀\n\r", max_size=4))

Changes = list[tuple[WireRange | None, str]]


def one_by_one(table: LineTable, changes: Changes, encoding: PositionEncoding) -> LineTable:
    for span, text in changes:
        table = LineTable.of(text) if span is None else apply_change(table, span, text, encoding)
    return table


def from_the_end(changes: Changes) -> Changes:
    """As editors send them: spans that do not overlap, from the last to the first."""
    spans = sorted((min(s.start, s.end), max(s.start, s.end), text) for s, text in changes if s is not None)
    kept: Changes = []
    end = WirePosition(0, 0)
    for start, stop, text in spans:
        if start >= end:
            kept.append((WireRange(start, stop), text))
            end = stop
    return kept[::-1]


@given(TEXT, st.lists(CHANGE, max_size=8), ENCODINGS)
@example("a\r\n", [(WireRange(WirePosition(1, 0), WirePosition(1, 0)), "\n")], PositionEncoding.UTF16)
def test_changes_in_any_order_equal_one_by_one(text: str, changes: Changes, encoding: PositionEncoding) -> None:
    table = LineTable.of(text)
    assert apply_changes(table, changes, encoding) == one_by_one(table, changes, encoding)


@given(TEXT, st.lists(CHANGE, max_size=8), ENCODINGS)
@example(
    "a\rb",
    [
        (WireRange(WirePosition(1, 0), WirePosition(1, 1)), "\n"),
        (WireRange(WirePosition(0, 1), WirePosition(1, 0)), "x"),
    ],
    PositionEncoding.UTF16,
)
def test_changes_from_the_end_equal_one_by_one(text: str, changes: Changes, encoding: PositionEncoding) -> None:
    table, ordered = LineTable.of(text), from_the_end(changes)
    assert apply_changes(table, ordered, encoding) == one_by_one(table, ordered, encoding)


def test_replacing_all_copies_the_text_once() -> None:
    lines = 3_000
    table = LineTable.of("value = compute(value)\n" * lines)
    changes: Changes = [
        (WireRange(WirePosition(line, column), WirePosition(line, column + 5)), "amount")
        for line in reversed(range(lines))
        for column in (16, 0)
    ]
    made: list[int] = []
    whole = module._applied

    def counted(before: LineTable, run: list[tuple[int, int, str]]) -> LineTable:
        made.append(len(run))
        return whole(before, run)

    module._applied = counted  # type: ignore[assignment]
    try:
        after = apply_changes(table, changes, PositionEncoding.UTF16)
    finally:
        module._applied = whole
    assert after == LineTable.of("amount = compute(amount)\n" * lines)
    assert [size for size in made if size] == [2 * lines]
