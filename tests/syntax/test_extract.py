"""Extraction is total, and what it says lies inside the file."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsp_server.model.facts import ChunkKind, FactFlag, FileFacts, ReferenceKind, SymbolFlag, SymbolKind
from lsp_server.syntax.code_facts import MAX_DEPTH
from lsp_server.syntax.extract import MAX_PARSED_BYTES, extract
from lsp_server.syntax.languages import BY_ID, Content, language_for
from lsp_server.text.line_table import count_lines, split_lines
from lsp_server.text.words import terms

FIXTURES = Path(__file__).parent / "fixtures"
FILES = sorted(path for path in FIXTURES.glob("*/*") if path.suffix != ".facts")
TEXTS = [(path, path.read_text(encoding="utf-8")) for path in FILES]


def python(text: str) -> FileFacts:
    return extract(BY_ID["python"], text)


def names(facts: FileFacts) -> list[str]:
    return [each.qualified_name for each in facts.iter_symbols()]


def uses(facts: FileFacts) -> list[str]:
    return [f"{each.receiver}.{each.name}" if each.receiver else each.name for each in facts.iter_references()]


def assert_sound(facts: FileFacts, text: str) -> None:
    assert facts.lines == count_lines(text)
    lines = split_lines(text)[0]
    for symbol in facts.iter_symbols():
        assert 1 <= symbol.doc <= symbol.range.start <= symbol.range.end <= facts.lines
        assert symbol.range.start <= symbol.body <= symbol.range.end
        assert symbol.range.start <= symbol.name_line <= symbol.range.end
        assert symbol.parent < symbol.index
    for use in facts.iter_references():
        assert 1 <= use.line <= facts.lines
        assert 0 <= use.column <= len(lines[use.line - 1].encode("utf-8", "replace"))
        assert use.symbol < len(facts.symbols)
    assert len(facts.chunks.first) == len(facts.chunks) + 1
    assert facts.chunks.first[-1] == len(facts.term) == len(facts.term_count)


def assert_covered(facts: FileFacts, text: str) -> None:
    lines = split_lines(text)[0]
    covered: set[int] = set()
    last = 0
    for chunk in facts.iter_chunks():
        assert last < chunk.range.start <= chunk.range.end <= facts.lines
        last = chunk.range.end
        covered.update(range(chunk.range.start, chunk.range.end + 1))
    blank = " \t\n\r\f\v"
    missed = [number for number, line in enumerate(lines, 1) if line.strip(blank) and number not in covered]
    assert missed == []


@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_any_cut_of_any_fixture_gives_sound_facts(data: st.DataObject) -> None:
    path, text = data.draw(st.sampled_from(TEXTS))
    start, end = sorted(data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    junk = data.draw(st.sampled_from(["", "\r", "\x00", "((((", "\ufeff", "é\u2028", "\ud800", "```", '"""', "\f\n"]))
    broken = text[:start] + junk + text[end:]
    language = language_for(path.name)
    facts = extract(language, broken)
    if language is not None and language.content is not Content.NOTEBOOK:
        assert_covered(facts, broken)
    assert_sound(facts, broken)


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=400), id=st.sampled_from(sorted(BY_ID)))
def test_any_text_gives_sound_facts_in_any_language(text: str, id: str) -> None:
    assert_sound(extract(BY_ID[id], text), text)


@settings(max_examples=40, deadline=None)
@given(text=st.text(alphabet=st.sampled_from("a \n\r\fb#-`"), max_size=300))
def test_windows_cover_every_line_of_a_text_without_grammar(text: str) -> None:
    assert_covered(extract(None, text), text)
    assert_covered(extract(BY_ID["markdown"], text), text)


@pytest.mark.parametrize(("path", "text"), TEXTS, ids=[f"{path.parent.name}/{path.name}" for path, _ in TEXTS])
def test_terms_of_a_chunk_are_those_of_its_lines(path: Path, text: str) -> None:
    language = language_for(path.name)
    if language is not None and language.content is Content.NOTEBOOK:
        return
    facts = extract(language, text)
    lines, ends = split_lines(text)
    for index, chunk in enumerate(facts.iter_chunks()):
        picked = slice(chunk.range.start - 1, chunk.range.end)
        shown = "".join(line + end for line, end in zip(lines[picked], ends[picked], strict=True))
        first, last = facts.chunks.first[index], facts.chunks.first[index + 1]
        found = {facts.terms[facts.term[at]]: facts.term_count[at] for at in range(first, last)}
        assert found == Counter(terms(shown))
        assert chunk.length == sum(found.values())
        assert chunk.bytes == len(shown.encode())


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_counts(end: str) -> None:
    facts = python(end.join(["import os", "", "def f():", "    return g()", "x = h()", ""]))
    assert [(each.name, each.range.start, each.range.end) for each in facts.iter_symbols()] == [
        ("f", 3, 4),
        ("x", 5, 5),
    ]
    assert [(each.name, each.line, each.column) for each in facts.iter_references() if each.name in "gh"] == [
        ("g", 4, 11),
        ("h", 5, 4),
    ]
    assert facts.lines == 5


def test_form_feed_and_line_separator_do_not_end_a_line() -> None:
    facts = python('a = "\u2028"\n\f\ndef f(): pass\n')
    assert [(each.name, each.range.start) for each in facts.iter_symbols()] == [("a", 1), ("f", 3)]


def test_columns_are_bytes_of_the_line() -> None:
    facts = python('"é🙂"; name()\n')
    assert [(each.name, each.column) for each in facts.iter_references()] == [("name", 10)]


def test_locals_parameters_and_comprehension_variables_are_no_uses() -> None:
    facts = python(
        "def f(a, *b, c=1, **d):\n    e = a + b + c + d + outer\n    for g, (h, i) in e: g(h, i)\n"
        "    if (k := e): return [j for j in e] + [lambda l: l + k]\n"
    )
    assert uses(facts) == ["outer"]


def test_a_name_bound_in_one_function_is_used_in_another() -> None:
    assert uses(python("def f():\n    size = 1\n\ndef g():\n    return size\n")) == ["size"]


def test_a_global_is_used_where_it_is_declared_so() -> None:
    assert uses(python("def f():\n    global size\n    size = size + 1\n")) == ["size"]


def test_an_attribute_is_a_use_even_if_a_local_has_its_name() -> None:
    assert uses(python("def f(size):\n    return size.size\n")) == ["size.size"]


def test_receivers_are_read_over_line_ends() -> None:
    text = "package m\n\nfunc f() {\n\ta.\n\t\tb().\n\t\tc()\n}\n"
    found = [(each.name, each.receiver) for each in extract(BY_ID["go"], text).iter_references()]
    assert found == [("a", None), ("b", "a"), ("c", "")]


def test_a_spread_is_no_receiver() -> None:
    assert uses(extract(BY_ID["javascript"], "f(...args);")) == ["f", "args"]


def test_nested_and_decorated_definitions_are_one_each() -> None:
    facts = python("@a\n@b.c(1)\nclass D:\n    @e\n    def f(self):\n        @g\n        def h(): pass\n")
    assert names(facts) == ["D", "D.f", "D.f.h"]
    assert [each.range.start for each in facts.iter_symbols()] == [1, 4, 6]
    assert [each.kind for each in facts.iter_symbols()] == [SymbolKind.CLASS, SymbolKind.METHOD, SymbolKind.FUNCTION]
    decorators = [each for each in facts.iter_references() if each.kind is ReferenceKind.DECORATOR]
    assert [each.name for each in decorators] == ["a", "c", "e", "g"]


def test_a_class_without_tests_is_no_test_whatever_its_name() -> None:
    facts = python("class TestClient:\n    def get(self): pass\n\nclass TestGet:\n    def test_get(self): pass\n")
    tests = [each.name for each in facts.iter_symbols() if each.flags & SymbolFlag.TEST]
    assert tests == ["TestGet", "test_get"]


def test_a_required_module_is_an_import_and_no_definition() -> None:
    facts = extract(BY_ID["javascript"], "const { a: b } = require('./m');\nb();\n")
    assert names(facts) == []
    assert [(each.module, each.name, each.alias) for each in facts.imports] == [("./m", "a", "b")]
    assert uses(facts)[-1] == "b"


def test_a_long_function_gives_its_inner_functions_as_chunks_of_their_own() -> None:
    inner = "    def inner(x):\n        return x\n\n"
    short = python("def outer():\n" + inner + "    return inner\n")
    assert [each.kind for each in short.iter_chunks()] == [ChunkKind.FUNCTION]
    filler = "    x = 1\n" * 130
    long = python("def outer():\n" + inner + filler + "    return inner\n")
    assert [each.kind for each in long.iter_chunks()].count(ChunkKind.FUNCTION) == 1
    assert_covered(long, "def outer():\n" + inner + filler + "    return inner\n")


def test_a_generated_header_is_flagged_and_the_same_words_below_are_not() -> None:
    header = "# Code generated by protoc. DO NOT EDIT.\n"
    assert python(header + "x = 1\n").flags & FactFlag.GENERATED
    assert not python("x = 1\n" * 400 + header).flags & FactFlag.GENERATED


def test_minified_text_is_searchable_but_not_parsed() -> None:
    text = "var a=1;" * 3_000 + "\n"
    facts = extract(BY_ID["javascript"], text)
    assert facts.flags & FactFlag.MINIFIED
    assert len(facts.symbols) == 0
    assert "var" in facts.terms


def test_text_over_the_limit_is_cut_and_flagged() -> None:
    facts = python("x = 1\n" * (MAX_PARSED_BYTES // 6 + 1))
    assert facts.flags & FactFlag.TRUNCATED
    assert len(facts.symbols) == 0
    assert facts.lines == MAX_PARSED_BYTES // 6 + 1


@pytest.mark.parametrize("id", ["python", "javascript", "typescript", "go"])
@pytest.mark.parametrize("piece", ["(", "[", "{", "f(", "a.", "!", "if x:\n ", "() => ", "<", "'", "`${"])
def test_absurd_nesting_is_read_without_a_crash(id: str, piece: str) -> None:
    text = "\n".join([piece * 2_000 for _ in range(3)])
    assert_sound(extract(BY_ID[id], text), text)


def test_a_text_that_is_one_long_error_is_searchable_but_not_looked_into() -> None:
    facts = extract(BY_ID["go"], "needle\n" + "(\n" * 20_000)
    assert facts.flags & FactFlag.TRUNCATED
    assert "needle" in facts.terms


@pytest.mark.parametrize("id", ["ruby", "typescript", "csharp", "kotlin", "rust"])
def test_an_endless_chain_of_calls_is_looked_into_only_so_far(id: str) -> None:
    """Whole, a query over it would run for as long as the square of its length says."""
    text = "x = a" + ".b()" * 2_000 + "\n"
    facts = extract(BY_ID[id], text)
    assert_sound(facts, text)
    assert uses(facts).count("b") + sum(use.endswith(".b") for use in uses(facts)) <= MAX_DEPTH


def test_markup_under_an_extension_of_code_is_text() -> None:
    facts = extract(BY_ID["typescript"], "<?xml version='1.0'?>\n<TS><message>Hello</message></TS>\n")
    assert facts.problems == ()
    assert "hello" in facts.terms


def test_a_name_that_the_grammar_only_supposes_is_no_use() -> None:
    text = "g."  # the method's name, still to be typed, stands behind the last line
    facts = extract(BY_ID["ruby"], text)
    assert_sound(facts, text)
    assert "" not in [each.name for each in facts.iter_references()]


def test_broken_places_are_told_with_their_lines() -> None:
    facts = python("def f(:\n    pass\n\ndef g(): pass\n\nx = = 2\n")
    assert [each.line for each in facts.problems] == [1, 6]
    assert "g" in names(facts)


def test_the_same_text_gives_the_same_facts() -> None:
    shuffled = TEXTS[:]
    random.Random(7).shuffle(shuffled)
    for path, text in shuffled[:6]:
        assert extract(language_for(path.name), text) == extract(language_for(path.name), text)
