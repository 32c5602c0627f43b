from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lsp_server.workspace.denied_names import names_of
from lsp_server.workspace.patterns import patterns_of

PIECES = st.text(alphabet="ab.-_", max_size=3)
GLOBS = st.lists(PIECES, min_size=1, max_size=4).map("*".join).filter(lambda glob: glob and not glob.startswith("#"))


@given(st.lists(GLOBS, max_size=5), st.text(alphabet="ab.-_", min_size=1, max_size=9))
def test_names_are_those_that_the_globs_fit_as_ignore_patterns(globs: list[str], name: str) -> None:
    by_pattern = any(pattern.matches(name.encode(), name.encode(), False) for pattern in patterns_of(globs))
    assert names_of(globs).hold(name) == by_pattern


@given(st.lists(PIECES, min_size=1, max_size=4), st.lists(st.text(alphabet="ab.", max_size=3), min_size=4, max_size=4))
def test_a_glob_holds_every_name_made_from_it(pieces: list[str], between: list[str]) -> None:
    name = "".join(one + filling for one, filling in zip(pieces, [*between[: len(pieces) - 1], ""], strict=True))
    assert names_of(["*".join(pieces)]).hold(name)
