"""Overriders found from below, from above, or partly: always those among all subtypes, in the subtypes' order."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsp_server.index.resolve import Resolver
from lsp_server.index.snapshot import Snapshot, SymbolId

from .scenario import snapshot_of

TYPES = 7


@st.composite
def hierarchies(draw: st.DrawFn) -> dict[str, str]:
    """Python files of one class each; a class may inherit from any other and has some of three members."""
    files: dict[str, str] = {}
    for number in range(TYPES):
        bases = draw(st.lists(st.integers(0, TYPES - 1).filter(lambda each, own=number: each != own), max_size=2))
        members = draw(st.sets(st.sampled_from(["run", "stop", "__init__"]), max_size=2))
        imports = "".join(f"from t{base} import T{base}\n" for base in bases)
        head = f"class T{number}({', '.join(f'T{base}' for base in dict.fromkeys(bases))}):\n"
        inner = "    class Inner:\n        def run(self): ...\n" if draw(st.booleans()) else ""
        body = "".join(f"    def {name}(self): ...\n" for name in sorted(members)) + inner
        files[f"t{number}.py"] = imports + head + (body or "    pass\n")
    return files


@settings(max_examples=60, deadline=None)
@given(hierarchies())
def test_overriders_are_the_members_of_all_subtypes_nearest_first(files: dict[str, str]) -> None:
    snapshot = snapshot_of(files)
    together = Resolver(snapshot)
    for name in ("run", "stop", "__init__"):
        for target in snapshot.definitions(name):
            apart = Resolver(snapshot)
            owner = SymbolId(target.path, parent(snapshot, target))
            expected = [
                each
                for subtype in apart.implementers(owner)
                for each in snapshot.definitions(name)
                if each.path == subtype.path and parent(snapshot, each) == subtype.index
            ]
            assert Resolver(snapshot).overriders(target) == expected
            assert together.overriders(target) == expected


def family(paths: list[str]) -> Snapshot:
    """A type `Base` with a member `run`, and a subtype with its own in each of `paths`."""
    subtype = "from base import Base\nclass Sub(Base):\n    def run(self): ...\n"
    return snapshot_of({"base.py": "class Base:\n    def run(self): ...\n", **dict.fromkeys(paths, subtype)})


@pytest.mark.parametrize("others", [1, 20])
def test_subtypes_in_tests_are_left_out(others: int) -> None:
    snapshot = family(["sub.py", *(f"tests/test_{number}.py" for number in range(others))])
    resolver = Resolver(snapshot)
    assert resolver.overriders(SymbolId("base.py", 1)) == [SymbolId("sub.py", 1)]
    assert resolver.implementers(SymbolId("base.py", 0)) == [SymbolId("sub.py", 0)]


@pytest.mark.parametrize("subtypes", [5, 25])
def test_at_most_as_many_overriders_are_found_as_are_asked_for(subtypes: int) -> None:
    snapshot = family([f"s{number:02}.py" for number in range(subtypes)])
    found = Resolver(snapshot).overriders(SymbolId("base.py", 1), 3)
    assert found == [SymbolId(f"s{number:02}.py", 1) for number in range(3)]


def parent(snapshot: Snapshot, target: SymbolId) -> int:
    """The definition around another."""
    return snapshot.symbol(target).parent
