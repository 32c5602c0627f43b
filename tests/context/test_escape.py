"""Foreign text on one visible line."""

from __future__ import annotations

import pytest

from lsp_server.context.escape import code_span, fence_for, markdown_text, one_line, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("src/a.py", "src/a.py"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\u202eyp.a", "\\u202eyp.a"),
        ("\u2066\u200b\ufeff\u2028", "\\u2066\\u200b\\ufeff\\u2028"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800\uffff", "\\ud800\\uffff"),
        ("日本 é 👩", "日本 é 👩"),
    ],
)
def test_hidden_characters_are_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_message_is_put_on_one_line_and_cut_with_an_ellipsis() -> None:
    assert one_line("  a\n   b\r\n\r\nc ", 99) == "a ⏎ b ⏎ c"
    assert one_line("abcdef", 4) == "abc…"


@pytest.mark.parametrize(
    ("text", "span"), [("a", "`a`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("``", "``` `` ```"), ("", "`  `")]
)
def test_a_code_span_is_not_ended_by_its_own_backticks(text: str, span: str) -> None:
    assert code_span(text) == span


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("definition of `a[b]<c>`, called", "definition of `a[b]<c>`, called"),
        ("see [x](y) & <b>", "see \\[x\\](y) \\& \\<b\\>"),
        ("odd ` tick", "odd \\` tick"),
        ("``two``", "\\`\\`two\\`\\`"),
        ("a\nb", "a b"),
    ],
)
def test_prose_keeps_its_code_and_loses_its_markup(text: str, shown: str) -> None:
    assert markdown_text(text) == shown


@pytest.mark.parametrize(
    ("content", "fence"), [("x", "```"), ("``", "```"), ("```", "````"), ("a ````` b ``` c", "``````")]
)
def test_a_fence_is_longer_than_any_run_inside(content: str, fence: str) -> None:
    assert fence_for(content) == fence
