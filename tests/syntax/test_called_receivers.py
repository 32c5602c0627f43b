"""On the result of which call a name is used."""

from __future__ import annotations

import pytest

from lsp_server.model.facts import NOWHERE, FileFacts
from lsp_server.syntax.extract import extract
from lsp_server.syntax.languages import BY_ID


def called_in(text: str) -> list[tuple[str, str]]:
    """(name, the call it is used on) of a Rust function's body, "" where there is none."""
    facts = extract(BY_ID["rust"], f"fn f() {{ {text} }}")
    return [(each.name, _called(facts, each.index)) for each in facts.iter_references()]


def _called(facts: FileFacts, index: int) -> str:
    at = facts.references.called(index)
    return "" if at == NOWHERE else facts.names[facts.references.name[at]]


@pytest.mark.parametrize(
    "text",
    [
        "made(x).used(y);",
        "made(inner(x), other()).used();",
        'made("a) b(").used();',
        "made(x)?.used();",
        "made(x).await.used();",
        "made(x).await?.used();",
        "made(x)\n    // why\n    .used();",
        "made::<Vec<u8>>(x).used();",
        "Type::made(x).used();",
        "assert_eq!(1, made(x).used());",
        "assert!(made::<u8>(x).used());",
    ],
)
def test_a_name_behind_a_call_is_used_on_its_result(text: str) -> None:
    assert dict(called_in(text))["used"] == "made"


@pytest.mark.parametrize("text", ["made.used();", "(a + b).used();", "items[made(1)].used();", "made!(x).used();"])
def test_a_name_behind_anything_else_is_not(text: str) -> None:
    assert dict(called_in(text))["used"] == ""


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("java", "class T { void f() { made(x).used(); } }"),
        ("java", "class T { void f() { new Made<>(x)\n.used(); } }"),
        ("csharp", "class T { void F() { Made(x).used(); } }"),
        ("csharp", "class T { void F() { a.Made<int>(x)?.used(); } }"),
        ("csharp", "class T { void F() { new Made(x).used(); } }"),
        ("csharp", "class T { void F() { Made(x)!.used(); } }"),
        ("kotlin", "fun f() {\n    made(x)?.used()\n}\n"),
        ("go", "package p\n\nfunc f() { made(x).used() }\n"),
        ("python", "def f():\n    made(x).used()\n"),
        ("python", "def f():\n    (\n        made(x)\n        .used()\n    )\n"),
        ("typescript", "function f() { made(x).used() }"),
        ("typescript", "function f() { new Made(x).used() }"),
        ("php", "<?php function f() { made($x)->used(); }"),
        ("php", "<?php function f() { $this->made($x)?->used(); }"),
        ("php", "<?php function f() { Maker::made($x)->used; }"),
    ],
)
def test_so_it_is_in_other_languages(language: str, text: str) -> None:
    facts = extract(BY_ID[language], text)
    used = [each for each in facts.iter_references() if each.name == "used"]
    assert [_called(facts, each.index).lower() for each in used] == ["made"]


def test_each_name_of_a_chain_is_used_on_the_call_before() -> None:
    found = dict(called_in("Command::new(1).arg(Arg::make(2).long(3)).run();"))
    assert found == {"Command": "", "new": "", "arg": "new", "Arg": "", "make": "", "long": "make", "run": "arg"}


def test_what_is_used_on_a_local_function_s_result_is_on_nothing_known() -> None:
    assert dict(called_in("let made = |x| x; made(1).used();"))["used"] == ""
