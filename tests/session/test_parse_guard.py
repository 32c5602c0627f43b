"""What a person may have written is parsed inside the server; the rest is left to workers."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.session.parse_guard import MAX_LINE, MAX_NESTING, LeftToWorker, ParseGuard, is_ordinary, nesting_of

FIXTURES = Path(__file__).parents[1] / "syntax" / "fixtures"


def naive_nesting(source: bytes) -> int:
    depth = deepest = 0
    for byte in source:
        if byte in b"([{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b")]}" and depth:
            depth -= 1
    return deepest


@given(st.lists(st.sampled_from([b"(", b"[", b"{", b")", b"]", b"}", b"x", b"((((", b"))))", b"()"]), max_size=300))
def test_nesting_is_never_too_low_and_hardly_too_high(parts: list[bytes]) -> None:
    source = b"".join(parts)
    naive = naive_nesting(source)
    assert naive <= nesting_of(source) <= naive + 40


@pytest.mark.parametrize("depth", [0, 1, 39, 40, 41, 5_000])
def test_the_depth_of_one_nest_is_exact(depth: int) -> None:
    assert nesting_of(b"f(" * depth + b"x" + b")" * depth) == depth
    assert nesting_of(b"f(" * depth) == depth


def test_every_fixture_is_ordinary() -> None:
    for path in FIXTURES.rglob("*"):
        if path.is_file():
            assert is_ordinary(path.read_bytes()), path


@pytest.mark.parametrize(
    "source",
    [
        b"(" * (MAX_NESTING + 1),
        b"x = 1\n\x00",
        b"\x7fELF",
        b"x = '" + b"a" * MAX_LINE + b"'\n",
        b" " * 500 + b"x = 1\n",
        b"\t" * 100 + b"x = 1\n",
    ],
)
def test_what_no_hand_wrote_is_not_admitted(source: bytes) -> None:
    assert not is_ordinary(source)
    with pytest.raises(LeftToWorker):
        ParseGuard(60.0).admit(source)


def test_the_time_limit_is_of_processor_time() -> None:
    ParseGuard(60.0).checkpoint()
    with pytest.raises(LeftToWorker, match="too long"):
        ParseGuard(-1.0).checkpoint()
