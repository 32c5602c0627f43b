"""Edits of open documents of every language: spliced facts against those of a whole extraction."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

from lsp_server.model.facts import FileFacts
from lsp_server.session import extraction
from lsp_server.session.documents import Document
from lsp_server.syntax import regions, splice
from lsp_server.syntax.languages import Content, language_for
from lsp_server.text.line_table import LineTable

from .tally import Tally

FIXTURES = Path(__file__).parents[1] / "syntax" / "fixtures"
INSERTED = ("x", "\n", "  ", "# note\n", "// note\n", "(", ")", "f(b)", "test_a", "\n\n", "{", "}", '"', ";", "é", "T")
EDITS = 12


def texts() -> list[tuple[str, str]]:
    """(name, text) of every fixture that one grammar reads, twice over, so that there is something around an edit."""
    found: list[tuple[str, str]] = []
    for path in sorted(FIXTURES.glob("*/*")):
        language = language_for(path.name)
        if language is not None and language.content is Content.CODE:
            text = path.read_text(encoding="utf-8")
            found += [(path.name, text), (path.name, text + "\n" + text)]
    return found


def edited(text: str, choose: random.Random) -> str:
    """`text` after one edit, mostly one that leaves it readable: another word, a line more, a line less."""
    words = list(re.finditer(r"\w+", text))
    lines = text.splitlines(keepends=True)
    what = choose.randrange(5)
    if what < 2 and words:
        place, other = choose.choice(words), choose.choice(words)
        return text[: place.start()] + choose.choice((other[0], place[0] + "q")) + text[place.end() :]
    at = choose.randrange(len(lines) + 1)
    if what == 2 and lines:
        return "".join((*lines[:at], choose.choice(lines), *lines[at:]))
    if what == 3 and lines:
        return "".join((*lines[:at], *lines[at + choose.choice((1, 1, 3)) :]))
    offset = choose.randrange(len(text) + 1)
    return text[:offset] + choose.choice(INSERTED) + text[offset + choose.choice((0, 0, 1, 5)) :]


def rows(facts: FileFacts) -> tuple[object, ...]:
    """All that facts say. How names and terms are numbered is not part of it."""
    bindings, chunks = facts.bindings, facts.chunks
    bound = [
        (facts.names[name], facts.names[kind], symbol, line)
        for name, kind, symbol, line in zip(bindings.name, bindings.type, bindings.symbol, bindings.line, strict=True)
    ]
    counted = [
        {
            facts.terms[facts.term[at]]: facts.term_count[at]
            for at in range(chunks.first[chunk], chunks.first[chunk + 1])
        }
        for chunk in range(len(chunks))
    ]
    plain = (facts.language, facts.content_hash, facts.size, facts.lines, facts.package, facts.flags, facts.problems)
    views = (list(facts.iter_symbols()), list(facts.iter_references()), list(facts.iter_chunks()))
    return (*plain, *views, bound, counted, facts.imports)


class _Always:
    """Splices whatever can be spliced, be it ever so small."""

    def __init__(self) -> None:
        self._before = (regions.MAX_SHARE, splice.HEADER_BYTES, extraction.SPLICED_BYTES)

    def __enter__(self) -> None:
        regions.MAX_SHARE, splice.HEADER_BYTES, extraction.SPLICED_BYTES = 1.0, 0, 0

    def __exit__(self, *_: object) -> None:
        regions.MAX_SHARE, splice.HEADER_BYTES, extraction.SPLICED_BYTES = self._before


def fuzz(choose: random.Random, stop: Callable[[], bool], tally: Tally) -> None:
    """A case is one document and some edits in a row."""
    given = texts()
    with _Always():
        while not stop():
            name, text = choose.choice(given)
            extractor = extraction.BufferExtractor()
            history = [text]
            for version in range(EDITS):
                document = Document("u", name, "", version, LineTable.of(text))
                try:
                    found = rows(extractor.facts(document, 1_000_000))
                    whole = rows(extraction.facts_of_text(name, text))
                except Exception as error:
                    tally.crash(f"{type(error).__name__}: {error} after edits of {name}: {history[-2:]!r}")
                    break
                if found != whole:
                    parts = [at for at, pair in enumerate(zip(found, whole, strict=True)) if pair[0] != pair[1]]
                    tally.crash(f"parts {parts} differ after an edit of {name}: {history[-2:]!r}")
                    break
                text = edited(text, choose)
                history.append(text)
            tally.cases += 1
