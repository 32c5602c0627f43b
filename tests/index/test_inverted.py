"""Inverted lists answer as a dict of lists, also after merges with renumbering and losses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.index import inverted
from lsp_server.index.inverted import InvertedLists, Renumbering, invert, merge, narrow

PAIRS = st.lists(st.tuples(st.integers(0, 6), st.integers(1, 70_000)), max_size=40)


def lists_of(pairs: list[tuple[int, int]]) -> InvertedLists:
    """Value i belongs to key `pairs[i][0]` with count `pairs[i][1]`."""
    keys = np.array([key for key, _ in pairs], dtype=np.int32)
    counts = np.array([count for _, count in pairs], dtype=np.int32)
    return invert(keys, np.arange(len(pairs), dtype=np.uint32), counts)


def as_dict(lists: InvertedLists) -> dict[int, list[tuple[int, int]]]:
    found: dict[int, list[tuple[int, int]]] = {}
    for key in lists.keys.tolist():
        start, end = lists.span(key)
        found[key] = list(zip(lists.values[start:end].tolist(), lists.counts[start:end].tolist(), strict=True))
    return found


def expected(rows: list[tuple[int, int, int]]) -> dict[int, list[tuple[int, int]]]:
    found: dict[int, list[tuple[int, int]]] = {}
    for key, value, count in rows:
        found.setdefault(key, []).append((value, count))
    return dict(sorted(found.items()))


@given(PAIRS)
def test_values_stand_under_their_key_in_order(pairs: list[tuple[int, int]]) -> None:
    lists = lists_of(pairs)
    assert as_dict(lists) == expected([(key, value, count) for value, (key, count) in enumerate(pairs)])
    assert lists.get(99).tolist() == []
    assert lists.lengths.tolist() == [len(lists.get(key)) for key in lists.keys.tolist()]


@pytest.mark.parametrize("run_values", [1, 5, 1 << 20])
@given(st.lists(st.tuples(PAIRS, st.data()), min_size=1, max_size=4))
def test_merge_keeps_order_and_drops_what_is_dropped(
    run_values: int, sources: list[tuple[list[tuple[int, int]], st.DataObject]]
) -> None:
    given_sources: list[tuple[InvertedLists, Renumbering]] = []
    rows: list[tuple[int, int, int]] = []
    base = 0
    for pairs, data in sources:
        kept = data.draw(st.none() | st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
        stays = [True] * len(pairs) if kept is None else kept
        target = base + np.cumsum(stays, dtype=np.int64) - 1
        given_sources.append(
            (
                lists_of(pairs),
                Renumbering(target.astype(np.uint32), None if kept is None else np.array(kept, dtype=np.bool_)),
            )
        )
        rows += [(key, int(target[at]), count) for at, (key, count) in enumerate(pairs) if stays[at]]
        base += sum(stays)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inverted, "_RUN_VALUES", run_values)
        merged = merge(given_sources)
    assert as_dict(merged) == expected(rows)


@pytest.mark.parametrize(("top", "itemsize"), [(255, 1), (256, 2), (65_535, 2), (65_536, 4)])
def test_counts_take_as_few_bytes_as_hold_them(top: int, itemsize: int) -> None:
    narrowed = narrow(np.array([1, top], dtype=np.int64))
    assert narrowed.itemsize == itemsize
    assert narrowed.tolist() == [1, top]
