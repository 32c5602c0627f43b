"""Late patterns answer as compiled ones do, and compile once."""

from __future__ import annotations

import re

import pytest

from lsp_server.text.late_pattern import late_pattern


def test_a_late_pattern_answers_like_the_compiled_one() -> None:
    late, early = late_pattern(r"(?P<word>a+)b", re.IGNORECASE), re.compile(r"(?P<word>a+)b", re.IGNORECASE)
    text = "xAAB ab b"
    assert [each["word"] for each in late.finditer(text)] == [each["word"] for each in early.finditer(text)]
    assert late.match("aab") is not None
    assert late.fullmatch("aabb") is None
    assert late.sub("-", text) == early.sub("-", text)
    assert (late.pattern, late.flags, late.groupindex) == (early.pattern, early.flags, early.groupindex)


def test_it_is_compiled_at_the_first_use_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    real = re.compile

    def noted(source: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(source)
        return real(source, flags)

    monkeypatch.setattr(re, "compile", noted)
    late = late_pattern("once")
    assert compiled == []
    assert late.search("at once") is not None
    assert late.search("once more") is not None
    assert late.match("once") is not None
    assert compiled == ["once"]


def test_every_pattern_of_the_failure_formats_compiles() -> None:
    import importlib
    import pkgutil

    from lsp_server import failures

    seen = 0
    for found in pkgutil.walk_packages(failures.__path__, "lsp_server.failures."):
        for value in vars(importlib.import_module(found.name)).values():
            if hasattr(value, "_late"):
                assert value.search("") is None or value.pattern is not None
                seen += 1
    assert seen > 150
