"""Preprocessor conditionals of C, C++ and C# that a grammar cannot read, blanked out.

A brace that stands in both branches of a conditional, or half a statement in one, is an error to a grammar
that reads all branches one after another, and such an error may swallow the rest of a file.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from itertools import pairwise

_SPACES = bytes(code if code in b"\r\n" else 32 for code in range(256))
"""Turns all but line ends into spaces."""

_UNTIL_LINE_END = rb"(?:[^\n]*\\\r?\n)*+[^\n]*"
_DIRECTIVE = re.compile(
    rb"^[ \t]*+#[ \t]*+(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b" + _UNTIL_LINE_END, re.MULTILINE
)
_ANY_DIRECTIVE = re.compile(rb"^[ \t]*+#" + _UNTIL_LINE_END, re.MULTILINE)
_BEGINS = frozenset({b"if", b"ifdef", b"ifndef"})
_NEVER = re.compile(rb"[ \t]*+#[ \t]*+if[ \t]++0\b")
_UNREADABLE = re.compile(rb"\([ \t]*[<\"]")
"""`#if __has_include(<bit>)`"""

_QUIET = re.compile(
    rb"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.){1,12}'"""
    rb"|^[ \t]*+#[ \t]*+(?!if|el|endif)" + _UNTIL_LINE_END,
    re.DOTALL | re.MULTILINE,
)
_COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)


_MACRO_LINE = re.compile(rb"[A-Z_][A-Z0-9_]*(?:\(.*\))?")
"""A macro with a line to itself, as before a declaration."""


class Conditionals(Enum):
    """Which conditionals are blanked out."""

    BROKEN = auto()
    """Those of which a branch is no whole number of statements."""
    ALL = auto()


def blank(text: bytearray, start: int, end: int) -> None:
    """Blank out `text[start:end]`, line ends excepted."""
    text[start:end] = text[start:end].translate(_SPACES)


def without_conditionals(source: bytes, which: Conditionals) -> bytes:
    """`source` with conditionals blanked out; of the same length."""
    if b"#" not in source or not _DIRECTIVE.search(source):
        return source
    text = bytearray(source)
    blank_conditionals(text, quiet(text), which)
    return bytes(text)


def quiet(text: bytearray) -> bytearray:
    """`text` without comments, strings and directives other than conditionals: brackets in them say nothing.

    Comments in directives are blanked out in `text` as well: a grammar takes them for the end of a macro.
    """

    def spaces(match: re.Match[bytes]) -> bytes:
        if b"/*" in match[0] and match[0].lstrip().startswith(b"#"):
            for comment in _COMMENT.finditer(match[0]):
                blank(text, match.start() + comment.start(), match.start() + comment.end())
        return match[0].translate(_SPACES)

    return bytearray(_QUIET.sub(spaces, bytes(text)))


def blank_conditionals(text: bytearray, code: bytearray, which: Conditionals) -> None:
    """Blank out conditionals in `text` and in its `quiet` form. Of a broken one only the first branch is left,
    and in `code` no directive at all."""
    for group in _groups(code):
        branches = list(pairwise(group))
        if any(not _whole(code, one.end(), other.start()) for one, other in branches):
            kept = 1 if len(group) > 2 and _NEVER.match(group[0][0]) else 0
            spans = [(group[0].start(), group[kept].end()), (group[kept + 1].start(), group[-1].end())]
        elif which is Conditionals.ALL or any(_UNREADABLE.search(text, *one.span()) for one in group):
            spans = [one.span() for one in group]
        else:
            continue
        for start, end in spans:
            blank(text, start, end)
            blank(code, start, end)
    code[:] = _ANY_DIRECTIVE.sub(lambda match: match[0].translate(_SPACES), bytes(code))


def _groups(code: bytearray) -> list[list[re.Match[bytes]]]:
    """The directives of each conditional, inner ones first."""
    stack: list[list[re.Match[bytes]]] = []
    groups: list[list[re.Match[bytes]]] = []
    for match in _DIRECTIVE.finditer(bytes(code)):
        if match[1] in _BEGINS:
            stack.append([match])
        elif stack:
            stack[-1].append(match)
            if match[1] == b"endif":
                groups.append(stack.pop())
    return groups


def _whole(code: bytearray, start: int, end: int) -> bool:
    """True for whole statements, declarations or list items: what closes all it opens and ends like one."""
    part = bytes(code[start:end])
    if part.count(b"{") != part.count(b"}") or part.count(b"(") != part.count(b")"):
        return False
    code_of_part = (_ANY_DIRECTIVE.sub(b"", part) if b"#" in part else part).rstrip()
    return code_of_part[-1:] in b";},:{" or _MACRO_LINE.fullmatch(code_of_part.rpartition(b"\n")[2].strip()) is not None
