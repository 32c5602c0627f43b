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


def test_each_name_of_a_chain_is_used_on_the_call_before() -> None:
    found = dict(called_in("Command::new(1).arg(Arg::make(2).long(3)).run();"))
    assert found == {"Command": "", "new": "", "arg": "new", "Arg": "", "make": "", "long": "make", "run": "arg"}


def test_what_is_used_on_a_local_function_s_result_is_on_nothing_known() -> None:
    assert dict(called_in("let made = |x| x; made(1).used();"))["used"] == ""
