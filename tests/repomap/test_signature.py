"""Signatures show how to call a thing and nothing of what it does."""

from __future__ import annotations

import pytest

from lsp_server.model.source import SourceText
from lsp_server.repomap.signature import MAX_LENGTH, signature
from lsp_server.syntax.extract import extract
from lsp_server.syntax.languages import language_for
from lsp_server.text.line_table import split_lines

CASES = [
    (
        "a.py",
        "def f(a: int, b={'x': 1}) -> dict[str, int]:\n    return BODY\n",
        "def f(a: int, b={'x': 1}) -> dict[str, int]",
    ),
    ("a.py", "def f(): return BODY\n", "def f()"),
    ("a.py", "@deco(1)\nasync def f(\n    a,\n    b,\n):\n    BODY\n", "async def f(a, b)"),
    ("a.py", "class A(Base, metaclass=M):\n    BODY = 1\n", "class A(Base, metaclass=M)"),
    ("a.py", "LIMIT: int = BODY\n", "LIMIT: int"),
    (
        "a.ts",
        "export function f(a: {x: number}, b = 'q)'): string { return BODY }\n",
        "export function f(a: {x: number}, b = 'q)'): string",
    ),
    ("a.ts", "export const f = (a: number): number => BODY;\n", "export const f = (a: number): number"),
    ("a.ts", "export type A<T = string> = BODY;\n", "export type A<T = string>"),
    (
        "a.ts",
        "function f<T = any>(\n  a: T,\n  b: number,\n): T {\n  return BODY;\n}\n",
        "function f<T = any>(a: T, b: number): T",
    ),
    (
        "a.go",
        "package a\n\nfunc (s *Set) Add(key string) (bool, error) {\n\treturn BODY\n}\n",
        "func (s *Set) Add(key string) (bool, error)",
    ),
    ("a.rs", "pub fn f<'a>(x: &'a str) -> &'a str { BODY }\n", "pub fn f<'a>(x: &'a str) -> &'a str"),
    ("a.c", "#define TWICE(x) BODY\n", "#define TWICE(x)"),
    ("a.java", "class A {\n  public int get(int[] a) throws E { return BODY; }\n}\n", "class A"),
    ("a.kt", "fun f(a: Int = 1): Int = BODY\n", "fun f(a: Int = 1): Int"),
    ("a.rb", "def f(a, b = 1)\n  BODY\nend\n", "def f(a, b = 1)"),
]


def source(path: str, text: str) -> SourceText:
    lines, ends = split_lines(text)
    return SourceText(path, text, lines, ends, "")


@pytest.mark.parametrize(("path", "text", "expected"), CASES)
def test_the_signature_ends_before_the_body(path: str, text: str, expected: str) -> None:
    language = language_for(path)
    assert language is not None
    facts = extract(language, text)
    assert signature(source(path, text), facts.symbol(0), language.id) == expected


@pytest.mark.parametrize(("path", "text", "_expected"), CASES)
def test_no_signature_of_a_file_shows_a_body(path: str, text: str, _expected: str) -> None:
    language = language_for(path)
    assert language is not None
    facts = extract(language, text)
    assert all(
        "BODY" not in signature(source(path, text), s, language.id) for s in facts.iter_symbols() if s.name != "BODY"
    )


def test_a_text_that_changed_meanwhile_has_no_signature() -> None:
    facts = extract(language_for("a.py"), "def f():\n    pass\n")
    assert signature(source("a.py", "x = 1\n"), facts.symbol(0), "python") == ""
    assert signature(source("a.py", ""), facts.symbol(0), "python") == ""


def test_long_signatures_and_control_characters_are_tamed() -> None:
    text = "def f(" + ", ".join(f"argument_{n}" for n in range(60)) + "):\n    pass\n"
    facts = extract(language_for("a.py"), text)
    shown = signature(source("a.py", text), facts.symbol(0), "python")
    assert len(shown) == MAX_LENGTH
    assert shown.endswith("…")
    text = "def f(a='\u202e'):\n    pass\n"
    facts = extract(language_for("a.py"), text)
    assert "\u202e" not in signature(source("a.py", text), facts.symbol(0), "python")
