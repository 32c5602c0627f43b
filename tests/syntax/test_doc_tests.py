"""Examples in documentation are tests: their words are no search terms of what they document."""

from __future__ import annotations

import pytest

from lsp_server.syntax.extract import extract
from lsp_server.syntax.languages import BY_ID

RUST = """\
/// Counts the apples.
///
/// # Examples
///
/// ```rust
/// let oranges = shop::count(3);
/// ```
///
/// Never the pears.
fn count(n: usize) -> usize {
    // ```
    let plums = n;
    // ```
    plums
}
"""


def terms_of(text: str) -> frozenset[str]:
    return frozenset(extract(BY_ID["rust"], text).terms)


def test_words_of_an_example_are_no_terms() -> None:
    assert "oranges" not in terms_of(RUST)


def test_words_around_an_example_and_in_the_code_are() -> None:
    assert {"apples", "pears", "examples", "plums", "count"} <= terms_of(RUST)


@pytest.mark.parametrize(
    "text",
    [
        "/// ```\n/// oranges();\nfn never_closed() {}\n",
        "/// ```\nfn between() { oranges(); }\n/// ```\nfn other() {}\n",
    ],
)
def test_a_fence_that_its_comment_does_not_close_hides_nothing(text: str) -> None:
    assert "oranges" in terms_of(text)


def test_chunks_are_as_long_as_they_were() -> None:
    chunk = next(extract(BY_ID["rust"], RUST).iter_chunks())
    assert chunk.bytes == len(RUST)
