"""A definition's signature on one line: never its body, never a value."""

from __future__ import annotations

import re

from ..model.facts import Symbol, SymbolKind
from ..model.source import SourceText

MAX_LENGTH = 160
"""Characters of a signature; a longer one ends with `…`."""

MAX_LINES = 12

_PADDING = re.compile(r"([(\[]) | ?,? ([)\]])")
"""Blanks that folding leaves inside brackets."""

_OPENING, _CLOSING = "([", ")]"
_QUOTES = "\"'`"
_COLON_ENDS = frozenset({"python"})
"""Languages whose bodies begin after a colon."""

_ARROW_FUNCTION = re.compile(r"\s*(?:async\b\s*)?(?:\(|function\b|[\w$]+\s*=>)")
"""What follows the `=` of a function that is written as a value: its parameters belong to the signature."""

_VALUES = frozenset(
    {
        SymbolKind.CONSTANT,
        SymbolKind.VARIABLE,
        SymbolKind.FIELD,
        SymbolKind.PROPERTY,
        SymbolKind.ENUM_MEMBER,
        SymbolKind.TYPE,
    }
)


def signature(text: SourceText, symbol: Symbol, language: str) -> str:
    """The signature from the line of the name on, white space folded; "" when the text has changed meanwhile."""
    first = max(symbol.range.start, min(symbol.name_line, symbol.range.end))
    last = min(symbol.range.end, first + MAX_LINES - 1)
    lines = [line.strip() for line in text.lines[first - 1 : last]]
    if not lines or symbol.name not in lines[0]:
        return ""
    if symbol.kind is SymbolKind.MACRO and lines[0].startswith("#"):
        return _macro(lines[0], symbol.name)
    joined = "\n".join(lines)
    header = len("\n".join(lines[: max(1, symbol.body - first)]))
    named = re.search(rf"(?<![\w$]){re.escape(symbol.name)}(?![\w$])", joined)
    start = _after_generics(joined, named.end() if named else joined.find(symbol.name) + len(symbol.name))
    whole = joined[: _end(joined, start, header, language, symbol.kind in _VALUES)]
    shown = _visible(_PADDING.sub(r"\1\2", " ".join(whole.split())).rstrip(" ;,:"))
    return shown if len(shown) <= MAX_LENGTH else shown[: MAX_LENGTH - 1] + "…"


def _after_generics(text: str, at: int) -> int:
    """The place after `<T = X>` when that follows the name, else `at`."""
    if text[at : at + 1] != "<":
        return at
    depth = 0
    for place in range(at, len(text)):
        if text[place] == "<":
            depth += 1
        elif text[place] == ">" and text[place - 1] not in "-=":
            depth -= 1
            if not depth:
                return place + 1
    return at


def _end(text: str, start: int, header: int, language: str, is_value: bool) -> int:
    """Where the body or value begins, brackets and strings skipped; at the latest where the lines of the
    signature end (offset `header`) and no bracket is open."""
    depth = 0
    quote = ""
    for at in range(start, len(text)):
        char = text[at]
        if quote:
            quote = "" if char in (quote, "\n") and text[at - 1] != "\\" else quote
        elif char in _QUOTES and not (char == "'" and language == "rust"):
            quote = char
        elif char in _OPENING:
            depth += 1
        elif char in _CLOSING:
            depth = max(0, depth - 1)
        elif depth and at >= header:
            header = text.find("\n", at + 1) % (len(text) + 1)  # a bracket is still open: this line belongs to it
        elif not depth and (at >= header or _begins_body(text, at, language, is_value)):
            return at
    return len(text)


def _begins_body(line: str, at: int, language: str, is_value: bool) -> bool:
    char = line[at]
    if char == "{" or char == ";":
        return True
    if char == ":" and language in _COLON_ENDS:
        return not is_value
    if char != "=":
        return False
    before, after = line[at - 1 : at], line[at + 1 : at + 2]
    if before in ("=", "!", "<", ">") or after == "=":
        return False
    return is_value or not _ARROW_FUNCTION.match(line, at + 1)


def _macro(line: str, name: str) -> str:
    """`#define NAME(args)` without what it stands for."""
    at = line.find(name) + len(name)
    if line[at : at + 1] == "(":
        at = line.find(")", at) + 1 or len(line)
    return _visible(" ".join(line[:at].split()))


def _visible(text: str) -> str:
    return text if text.isprintable() else "".join(char if char.isprintable() else "\ufffd" for char in text)
