"""The queue of files that wait: nothing is lost or given twice, and a worker keeps to a language."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lsp_server.session.orders import Order
from lsp_server.session.pending import PendingFiles


def orders(language: str, count: int) -> list[Order]:
    return [Order(f"{language}{number}", "x", language) for number in range(count)]


def take_all(pending: PendingFiles, before: Order | None = None) -> list[Order]:
    found: list[Order] = []
    while (order := pending.take(before)) is not None:
        found.append(order)
        before = order
    return found


def test_a_worker_is_given_files_of_one_language_while_there_are_any() -> None:
    pending = PendingFiles()
    mixed = [order for pair in zip(orders("a", 5), orders("b", 5), strict=True) for order in pair]
    pending.put(mixed)
    assert [order.language for order in take_all(pending, Order("b9", "x", "b"))] == ["b"] * 5 + ["a"] * 5


def test_two_workers_begin_with_two_languages_the_most_frequent_first() -> None:
    pending = PendingFiles()
    pending.put([*orders("rare", 3), *orders("frequent", 9)])
    first, second = pending.take(), pending.take()
    assert first is not None
    assert second is not None
    assert (first.language, second.language) == ("frequent", "rare")


def test_what_is_urgent_comes_first_whatever_its_language() -> None:
    pending = PendingFiles()
    pending.put([*orders("a", 3), *orders("b", 3)])
    pending.hurry(["b2"])
    assert pending.take(Order("a9", "x", "a")) == Order("b2", "x", "b")


def test_a_file_that_is_of_another_language_now_is_given_once() -> None:
    pending = PendingFiles()
    pending.put([Order("f", "x", "a")])
    pending.put([Order("f", "x", "b")])
    assert take_all(pending, Order("a9", "x", "a")) == [Order("f", "x", "b")]


@given(st.lists(st.tuples(st.sampled_from("pthdgcl"), st.integers(0, 5), st.sampled_from("ab")), max_size=40))
def test_every_file_that_waits_is_given_exactly_once(steps: list[tuple[str, int, str]]) -> None:
    pending = PendingFiles()
    waits: set[str] = set()
    taken: set[str] = set()
    again: set[str] = set()
    before: Order | None = None
    for step, number, language in steps:
        path = f"f{number}"
        if step == "p":
            pending.put([Order(path, "x", language)])
            (again if path in taken else waits).add(path)
        elif step == "t":
            before = pending.take(before)
            assert (before is None) == (not waits)
            if before is not None:
                waits.remove(before.path)
                taken.add(before.path)
        elif step == "h":
            assert pending.hurry([path]) == ({path} & (waits | taken))
        elif step == "d":
            pending.done([path])
            if path in taken:
                taken.remove(path)
                waits |= {path} & again
            again.discard(path)
        elif step == "g" and path in taken:
            pending.give_back(Order(path, "x", language))
            taken.remove(path)
            again.discard(path)
            waits.add(path)
        elif step == "c":
            pending.clear()
            waits.clear()
            again.clear()
        elif step == "l":
            pending.leave_to_workers([path])
        assert len(pending) == len(waits) + len(taken)
    assert {order.path for order in take_all(pending, before)} == waits
