"""An index changed step by step answers as one built afresh, whatever the steps and merges were."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsp_server.index import writer as writer_module
from lsp_server.index.encoding import FactsCorrupt, encode_facts
from lsp_server.index.snapshot import ReferenceSite, Snapshot, SymbolId
from lsp_server.index.writer import MAX_PARTS, Change, IndexWriter, Put, Remove
from lsp_server.model.candidate import Origin
from lsp_server.workspace.classify import PathFlag

from .answers import answers
from .facts_builder import FactsBuilder, random_facts

PATHS = [f"{folder}{name}" for folder in ("", "a/", "a/b/", "c/") for name in ("m.py", "n.go", "o.ts")]


def random_put(random: random.Random, path: str) -> Put:
    facts = random_facts(random)
    return Put(
        path,
        encode_facts(facts) if random.random() < 0.5 else facts,
        random.choice((PathFlag.NONE, PathFlag.TEST)),
        random.choice(tuple(Origin)),
        random.choice((None, 1, 2)),
        random.randrange(3),
    )


def random_changes(random: random.Random) -> list[Change]:
    return [
        Remove(path) if random.random() < 0.3 else random_put(random, path)
        for path in random.choices(PATHS, k=random.randrange(1, 5))
    ]


def fresh(state: dict[str, Put]) -> Snapshot:
    writer = IndexWriter()
    writer.apply(list(state.values()))
    return writer.snapshot


@pytest.mark.parametrize("wholesale", [0, 20])
@given(st.integers())
@settings(max_examples=12, deadline=None)
def test_changed_index_answers_as_a_fresh_one(wholesale: int, seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writer_module, "_WHOLESALE", wholesale)
        change_and_compare(random.Random(seed))


def change_and_compare(chance: random.Random) -> None:
    writer = IndexWriter(cache_capacity=2)
    state: dict[str, Put] = {}
    for _ in range(12):
        changes = random_changes(chance)
        writer.apply(changes)
        for change in changes:
            if isinstance(change, Put):
                state[change.path] = change
            else:
                state.pop(change.path, None)
        if chance.random() < 0.4:
            while writer.compact():
                pass
        if chance.random() < 0.4:
            assert answers(writer.snapshot) == answers(fresh(state))
    assert answers(writer.snapshot) == answers(fresh(state))


@given(st.integers())
@settings(max_examples=20, deadline=None)
def test_merge_installed_after_further_changes_loses_none(seed: int) -> None:
    chance = random.Random(seed)
    writer = IndexWriter()
    state: dict[str, Put] = {}
    for path in PATHS:
        state[path] = random_put(chance, path)
        writer.apply([state[path]])
    plan = writer.plan_compaction()
    assert plan is not None
    merged = plan.run()
    for change in random_changes(chance):
        writer.apply([change])
        if isinstance(change, Put):
            state[change.path] = change
        else:
            state.pop(change.path, None)
    writer.install(merged)
    assert answers(writer.snapshot) == answers(fresh(state))
    writer.apply([Remove(path) for path in PATHS])
    assert answers(writer.snapshot) == answers(fresh({}))


def test_older_snapshot_keeps_its_answers_while_the_writer_goes_on() -> None:
    chance = random.Random(3)
    writer = IndexWriter()
    old = writer.apply([random_put(chance, path) for path in PATHS])
    before = answers(old)
    for _ in range(30):
        writer.apply(random_changes(chance))
        writer.compact()
    assert answers(old) == before


def test_definitions_and_uses_are_found_by_path_and_position() -> None:
    one, two = FactsBuilder(), FactsBuilder()
    one.define("run")
    one.define("run")
    one.use("stop")
    two.define("stop")
    two.use("run")
    snapshot = IndexWriter().apply([Put("z.py", one.facts()), Put("a.py", two.facts())])
    assert snapshot.definitions("run") == [SymbolId("z.py", 0), SymbolId("z.py", 1)]
    assert snapshot.references("run") == [ReferenceSite("a.py", 0)]
    assert snapshot.files_using("stop") == ["z.py"]
    assert snapshot.symbol(SymbolId("z.py", 1)).name == "run"
    assert snapshot.symbol_count == 3
    assert snapshot.definition_count("run") == 2
    assert snapshot.reference_count("run") == snapshot.files_using_count("run") == 1
    assert snapshot.definition_count("none") == snapshot.files_using_count("none") == 0


def test_revision_rises_with_every_change_and_with_nothing_else() -> None:
    writer = IndexWriter()
    put = Put("a.py", FactsBuilder().facts())
    assert [writer.apply(changes).revision for changes in ([put], [put], [Remove("b")], [Remove("a.py")])] == [
        1,
        1,
        1,
        2,
    ]
    assert writer.mark("abc", 7).revision == 3
    assert (writer.snapshot.head, writer.snapshot.pending_files) == ("abc", 7)
    assert writer.mark("abc", 7).revision == 3


def test_last_change_of_a_path_wins() -> None:
    builder = FactsBuilder()
    builder.define("late")
    late = Put("a.py", builder.facts())
    snapshot = IndexWriter().apply([Put("a.py", FactsBuilder().facts()), Remove("a.py"), late])
    assert snapshot.definitions("late") == [SymbolId("a.py", 0)]


def test_damaged_facts_change_nothing() -> None:
    writer = IndexWriter()
    good = Put("a.py", FactsBuilder().facts())
    writer.apply([good])
    with pytest.raises(FactsCorrupt):
        writer.apply([Remove("a.py"), Put("b.py", b"RCF\x01nonsense")])
    assert list(writer.snapshot.paths()) == ["a.py"]


def test_parts_stay_few_without_compaction() -> None:
    writer = IndexWriter()
    chance = random.Random(1)
    for number in range(3 * MAX_PARTS):
        writer.apply([Put(f"f{number}.py", random_facts(chance))])
        assert len(writer.snapshot.parts) <= MAX_PARTS
    assert len(writer.snapshot.paths()) == 3 * MAX_PARTS


def test_editing_one_file_over_and_over_leaves_no_dead_parts() -> None:
    writer = IndexWriter()
    chance = random.Random(1)
    writer.apply([Put(f"f{number}.py", random_facts(chance)) for number in range(20)])
    for _ in range(100):
        writer.apply([Put("f3.py", random_facts(chance))])
    assert len(writer.snapshot.parts) == 2


def test_names_typed_on_the_way_do_not_stay_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_module, "MIN_VOCABULARY_CHECK", 100)
    chance = random.Random(4)
    writer = IndexWriter()
    state = {path: random_put(chance, path) for path in PATHS}
    writer.apply(list(state.values()))
    old = writer.snapshot
    before = answers(old)
    sizes: list[int] = []
    for number in range(300):
        builder = FactsBuilder()
        builder.define(f"name_{number}")
        builder.chunk([f"word_{number}", "the"])
        state["typed.py"] = Put("typed.py", builder.facts())
        writer.apply([state["typed.py"]])
        while writer.compact():
            pass
        sizes.append(len(writer.snapshot.vocabulary))
    assert max(sizes) < 250
    assert answers(writer.snapshot) == answers(fresh(state))
    assert answers(old) == before


def test_merge_planned_before_a_renumbering_is_not_installed_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(5)
    writer = IndexWriter()
    state = {path: random_put(chance, path) for path in PATHS}
    for put in state.values():
        writer.apply([put])
    plan = writer.plan_compaction()
    assert plan is not None
    merged = plan.run()
    writer.apply([Remove(path) for path in PATHS[:9]])
    monkeypatch.setattr(writer_module, "MIN_VOCABULARY_CHECK", 0)
    writer._vocabulary_check = 0
    writer.forget_unused_strings()
    writer.install(merged)
    assert answers(writer.snapshot) == answers(fresh({path: state[path] for path in PATHS[9:]}))


def test_symbol_of_an_unknown_file_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        IndexWriter().snapshot.symbol(SymbolId("none.py", 0))
