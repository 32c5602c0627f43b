"""Overriders found from below, from above, or partly: always those among all subtypes, in the subtypes' order."""

from __future__ import annotations

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


def parent(snapshot: Snapshot, target: SymbolId) -> int:
    """The definition around another."""
    return snapshot.symbol(target).parent
