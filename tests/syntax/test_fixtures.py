"""Each language reads its fixture into the facts that its golden text shows.

`pytest tests/syntax/test_fixtures.py --update` rewrites the golden texts; read the difference before you
commit it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsp_server.model.facts import NOWHERE, FileFacts, Reference, Symbol
from lsp_server.syntax.extract import extract
from lsp_server.syntax.languages import BY_ID, Content, language_for

FIXTURES = Path(__file__).parent / "fixtures"
GOLDEN = ".facts"
LANGUAGES = tuple(sorted(each.id for each in BY_ID.values() if each.content is Content.CODE))
OTHERS = ("vue", "svelte", "notebook", "markdown", "text")


def _files(*folders: str) -> list[Path]:
    return sorted(path for each in folders for path in (FIXTURES / each).iterdir() if path.suffix != GOLDEN)


FILES = _files(*LANGUAGES)


def facts_of(path: Path) -> FileFacts:
    text = path.read_text(encoding="utf-8")
    return extract(language_for(path.name, text.split("\n", 1)[0]), text)


def golden_text(facts: FileFacts) -> str:
    return "\n".join(line.rstrip() for line in _golden_lines(facts)) + "\n"


def _golden_lines(facts: FileFacts) -> Iterator[str]:
    yield f"{facts.language}  {facts.lines} lines  package {facts.package or '-'}"
    yield from (f"problem {each.line}: {each.message}" for each in facts.problems)
    yield "\n# imports"
    for each in facts.imports:
        passed_on = "  passed on" if each.reexport else ""
        yield f"{each.line:4}  {each.module} | {each.name or '-'} | {each.alias or '-'}{passed_on}"
    yield "\n# definitions: lines, documentation from, body from"
    symbols = list(facts.iter_symbols())
    yield from (_definition(each, symbols) for each in symbols)
    yield "\n# uses, by definition"
    for symbol, uses in groupby(facts.iter_references(), key=lambda each: each.symbol):
        yield f"{'-' if symbol == NOWHERE else symbols[symbol].qualified_name}"
        for line, of_line in groupby(uses, key=lambda each: each.line):
            yield f"{line:6}  {'  '.join(_use(each) for each in of_line)}"
    yield "\n# types of variables"
    bindings = facts.bindings
    for index in range(len(bindings)):
        symbol = bindings.symbol[index]
        scope = "-" if symbol == NOWHERE else symbols[symbol].qualified_name
        name, kind = facts.names[bindings.name[index]], facts.names[bindings.type[index]]
        yield f"{bindings.line[index]:4}  {name}: {kind}  in {scope}"
    yield "\n# chunks"
    for chunk in facts.iter_chunks():
        shown = "" if chunk.symbol == NOWHERE else symbols[chunk.symbol].qualified_name
        yield f"{chunk.range!s:>9}  {chunk.kind.name.lower()}  {shown}"


def _definition(each: Symbol, symbols: list[Symbol]) -> str:
    depth, parent = 0, each.parent
    while parent != NOWHERE:
        depth, parent = depth + 1, symbols[parent].parent
    owner = f"  of {each.owner}" if each.owner else ""
    places = "" if each.doc == each.range.start else f"  doc {each.doc}"
    places += "" if each.body == each.range.start else f"  body {each.body}"
    flags = (each.flags.name or "").lower().replace("|", " ") if each.flags else ""
    return f"{each.range!s:>9}{'  ' * depth}  {each.kind.name.lower()} {each.name}{owner}{places}  [{flags}]"


def _use(each: Reference) -> str:
    receiver = "" if each.receiver is None else f"{each.receiver or '…'}."
    return f"{each.kind.name.lower()} {receiver}{each.name}"


@pytest.mark.parametrize("path", [*FILES, *_files(*OTHERS)], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_fixture_gives_the_facts_of_its_golden_text(path: Path, update: bool) -> None:
    found = golden_text(facts_of(path))
    golden = path.with_name(path.name + GOLDEN)
    if update:
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_name_stands_where_the_facts_say(path: Path) -> None:
    lines = path.read_bytes().split(b"\n")
    facts = facts_of(path)
    marks = BY_ID[facts.language].name_marks
    for symbol in facts.iter_symbols():
        if symbol.name:
            written = lines[symbol.name_line - 1][symbol.name_column :]
            assert written.startswith(symbol.name.encode())
    for use in facts.iter_references():
        assert lines[use.line - 1][use.column :].lstrip(marks).startswith(use.name.encode())


@pytest.mark.parametrize("id", LANGUAGES)
def test_every_fixture_has_a_marked_test_and_a_use_resolved_by_a_receiver(id: str) -> None:
    facts = [facts_of(path) for path in FILES if path.parent.name == id]
    assert any(symbol.flags.name and "TEST" in symbol.flags.name for each in facts for symbol in each.iter_symbols())
    if id != "bash":
        assert any(use.receiver for each in facts for use in each.iter_references())
        assert any(len(each.bindings) for each in facts)


@pytest.mark.parametrize("id", LANGUAGES)
@settings(max_examples=15, deadline=None)
@given(cuts=st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)))
def test_text_that_is_cut_and_spliced_anywhere_still_gives_facts(id: str, cuts: tuple[float, float, float]) -> None:
    text = next(path for path in FILES if path.parent.name == id).read_text(encoding="utf-8")
    first, second, third = (int(len(text) * cut) for cut in cuts)
    broken = text[:first] + text[min(second, third) : max(second, third)] + text[second:]
    facts = extract(BY_ID[id], broken)
    for symbol in facts.iter_symbols():
        assert 1 <= symbol.doc <= symbol.range.start <= symbol.body <= symbol.range.end <= facts.lines
        assert symbol.parent < symbol.index
    for use in facts.iter_references():
        assert 1 <= use.line <= facts.lines
        assert use.symbol < len(facts.symbols)
