"""Facts do not depend on what is finished together."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from lsp_server.syntax.drafts import finished
from lsp_server.syntax.extract import draft, extract
from lsp_server.syntax.languages import Language, language_for

FIXTURES = Path(__file__).parent / "fixtures"
TEXTS = [
    (language_for(path.name), path.read_text(encoding="utf-8"))
    for path in sorted(FIXTURES.glob("*/*"))
    if path.suffix != ".facts"
]


@settings(max_examples=25, deadline=None)
@given(
    chosen=st.lists(
        st.sampled_from(TEXTS) | st.tuples(st.sampled_from([each for each, _ in TEXTS]), st.text(max_size=60)),
        min_size=1,
        max_size=8,
    ),
    cut=st.integers(0, 2_000),
)
def test_texts_finished_together_have_the_facts_they_have_alone(
    chosen: list[tuple[Language | None, str]], cut: int
) -> None:
    texts = [(language, text[cut:] if place % 2 else text) for place, (language, text) in enumerate(chosen)]
    together = finished([draft(language, text) for language, text in texts])
    assert together == [extract(language, text) for language, text in texts]


def test_nothing_finished_is_nothing() -> None:
    assert finished([]) == []
