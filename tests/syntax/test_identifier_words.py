"""Identifiers found by words are those that the grammar finds."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.model.facts import FactFlag
from lsp_server.syntax import code_facts
from lsp_server.syntax.byte_lines import ByteLines
from lsp_server.syntax.captures import places_of
from lsp_server.syntax.code_facts import draft_code
from lsp_server.syntax.columns import bases_of
from lsp_server.syntax.identifier_words import identifier_places
from lsp_server.syntax.languages import BY_ID
from lsp_server.syntax.parse import Parsed, identifier_query, parse

PYTHON = BY_ID["python"]
PROJECT = Path(__file__).parents[2]
FILES = sorted((PROJECT / "lsp_server").rglob("*.py"))[::3]

PIECES = (
    "x = f'{a!r:>{width}} {{b}} {c=}' + rb'd' + '''e\nf'''\n",
    "def f(a, *b, c: d = 1, **e) -> g: ...  # h i\n",
    "print(exec, match, type, case, _)\n",
    "match x:\n    case Foo(a=1) | [_, *b]:\n        c\n    case _: pass\n",
    "type X[T] = list[T]\n",
    "async def f():\n    await g\n    async with a as b: pass\n",
    "from __future__ import annotations\nfrom . import (a as b, c)\nfrom .d import *\n",
    "a = 1.5e3 + 0xff + 1_000 + 1j + .5 + 1if b else 2\n",
    "a = 1.0.real + 1.e5\n",
    "größe = 'é' + 名前.x(y=b)  # ü\n",
    "@a.b(c)\nclass D(E, metaclass=F):\n    g: 'H' = lambda i: i\n",
    "x = a if not b is None else c and (yield)\n",
    "global a; nonlocal b; del c; assert d, e; raise F from g\n",
)


def captured(parsed: Parsed) -> list[tuple[int, int]]:
    nodes = code_facts._captures(identifier_query(PYTHON), parsed.tree.root_node)
    pairs = places_of(nodes)["ref.read"].pairs() if nodes else []
    source = parsed.source
    return sorted((start, end) for start, end in pairs if source[start:end] not in PYTHON.reserved)


def by_words(texts: list[bytes]) -> list[list[tuple[int, int]]] | None:
    """Of each text; None when one of them is not read by words."""
    files = []
    for text in texts:
        lines = ByteLines.of(text)
        tree = draft_code(parse(PYTHON, text), lines, FactFlag.NONE, "", lines).tree
        if tree is None or tree.lexical is None:
            return None
        files.append(tree.lexical)
    bases = bases_of(texts)
    joined = b"\0".join(texts)
    starts, ends = identifier_places(joined, bases, files)
    found: list[list[tuple[int, int]]] = [[] for _ in texts]
    for start, end in sorted(zip(starts.tolist(), ends.tolist(), strict=True)):
        file = sum(base <= start for base in bases.tolist()) - 1
        if joined[start:end] not in PYTHON.reserved:
            found[file].append((start - int(bases[file]), end - int(bases[file])))
    return found


@pytest.mark.parametrize("text", PIECES)
def test_every_kind_of_word_is_told(text: str) -> None:
    source = text.encode()
    found = by_words([source])
    assert found is not None, "the piece has errors"
    assert found[0] == captured(parse(PYTHON, source))


def test_files_are_read_as_the_grammar_reads_them() -> None:
    texts = [path.read_bytes() for path in FILES]
    assert len(texts) > 50
    found = by_words(texts)
    assert found == [captured(parse(PYTHON, text)) for text in texts]


@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=4).map("".join), min_size=1, max_size=4))
def test_files_read_together_are_read_as_each_alone(texts: list[str]) -> None:
    sources = [text.encode() for text in texts]
    found = by_words(sources)
    assert found is None or found == [captured(parse(PYTHON, source)) for source in sources]


def test_what_lies_too_deep_for_a_query_is_asked_of_the_grammar() -> None:
    source = ("x = 'b c'" + " + a" * 1_200 + "\n").encode()
    found = by_words([source, b"y = 'z'\n"])
    assert found is not None
    assert found[0] == captured(parse(PYTHON, source))
    assert found[1] == [(0, 1)]


def test_texts_with_errors_or_hidden_spaces_are_not_read_by_words() -> None:
    assert by_words([b"x = (\n"]) is None
    for space in "\u200b\u2060\ufeff":
        assert by_words([f"x = a{space}b\n".encode()]) is None
        assert by_words([f"x = a{space}+ b\n".encode()]) is None


@given(st.text(st.characters(min_codepoint=0x80, exclude_categories=["Cs"]), min_size=1, max_size=3))
def test_letters_of_all_scripts_make_names(letters: str) -> None:
    source = f"x = a{letters}b + '{letters}' + {letters}  # {letters}\n".encode()
    found = by_words([source])
    assert found is None or found[0] == captured(parse(PYTHON, source))
