"""C and C++ before the preprocessor: macros and conditionals that a grammar cannot read are blanked out.

A grammar reads text that no preprocessor has seen. `API void f();`, a macro alone on a line or a brace that
stands in both branches of a conditional is no declaration to it; the error it makes of that may swallow the
rest of the file. What is blanked keeps its length and line ends, so every position stays true.
"""

from __future__ import annotations

import re

from .c_conditionals import Conditionals, blank, blank_conditionals, quiet

_MACRO = rb"\b[A-Z][A-Z0-9]*+_[A-Z0-9_]*+\b"
"""What is taken for a macro: capitals with an underscore."""

_ARGUMENTS = rb"[ \t]*\((?:[^()\n]|\([^()\n]*\)){0,200}+\)"
_TYPE_WORD = (
    rb"(?:void|bool|char|short|int|long|float|double|signed|unsigned|auto|const|static|inline|extern|virtual|explicit"
    rb"|constexpr|consteval|friend|class|struct|enum|union|typedef|template|typename|namespace|using|operator|size_t"
    rb"|[a-z]\w*_t|std::)\b"
)

_ALONE = re.compile(rb"^[ \t]*(" + _MACRO + rb"(?:" + _ARGUMENTS + rb")?)[ \t]*(?://[^\n]*)?\r?$", re.MULTILINE)
"""A macro, perhaps with arguments, that has a line to itself."""

_LABEL = re.compile(rb"^[ \t]*" + _MACRO + rb"[ \t]*:[ \t]*(?=\r?$)", re.MULTILINE)
"""`PRIVATE_UNLESS_TESTED:` among the members of a class."""

_BEFORE = re.compile(
    rb"(?:^|>)[ \t]*+(?:(?:static|extern|inline|virtual|explicit|constexpr|friend)\s++)*+"
    rb"((?:" + _MACRO + rb"(?:" + _ARGUMENTS + rb")?\s+)+)"
    rb"(?="
    + _TYPE_WORD
    + rb"|~|\w+[ \t]*\([^;{}]*\)[^;{}=]{0,40}:[^:]|[A-Za-z_][\w:]*(?:<[^;{}()\n]*>)?[ \t*&]+[\w:~]+[ \t]*[(;={\[])",
    re.MULTILINE,
)
"""Macros before a declaration: `API void f();`, `CONSTEXPR_20 Foo(int x) : x_(x) {}`."""

_BEHIND_TYPE_WORD = re.compile(
    rb"\b(?:static|extern|inline|virtual|explicit|constexpr|friend|template)\s+("
    + _MACRO
    + rb")\s+(?="
    + _TYPE_WORD
    + rb")"
)

_IN_HEAD = re.compile(
    rb"\b(?:class|struct|enum|union|namespace)[ \t]+((?:" + _MACRO + rb"(?:" + _ARGUMENTS + rb")?\s+)+)"
    rb"(?=[A-Za-z_]\w*\s*(?:[:{<]|final\b))"
)
"""`class API Name {`"""

_RESULT = re.compile(
    rb"^((?:(?:static|extern|inline)[ \t]+)*)(" + _MACRO + rb"[ \t]*\()([\w \t*:<>]+)(\))(?=\s*[*A-Za-z_][\w:]*\s*\()",
    re.MULTILINE,
)
"""`PUBLIC(char *) f(int);`, at the start of a line."""

_AFTER = re.compile(
    rb"\)\s*(?:const\s+)?((?:"
    + _MACRO
    + rb"(?:"
    + _ARGUMENTS
    + rb")?\s*)+)(?=\{|->|override\b|final\b|noexcept\b|const\b)"
)
"""`void f() NOEXCEPT_ {`"""

_CONDITION = re.compile(rb"\bif\s+(" + _MACRO + rb")\s*(?=\()")
"""`if CONSTEXPR_IF (x)`"""

MAX_AWAY = 4_000
"""Bytes before and behind a macro with a line to itself in which the next code is looked for."""

_CPP = re.compile(rb"::|\b(?:class|template|namespace)\b")
_TEMPLATE = re.compile(rb"\btemplate\s*<")
_TEMPLATE_PARAMETER = re.compile(rb"(?<=[<,])\s*(" + _MACRO + rb")\s*\(")
_BRACKETS = re.compile(rb"[()<>;{}]")
_TRAILING = re.compile(rb"\w[ \t]+(" + _MACRO + rb")(?=\s*[,)])")
_TYPE_AND_NAME = re.compile(rb"[\w>*&]\s+\w+\Z")
"""`int x MAYBE_UNUSED)`"""

_EMPTY_DEFAULT = re.compile(rb"=\s*\{\}(?=\s*[,)])")
_SIZED = re.compile(rb"\b(?:unsigned|signed|long|short)(?=\()")
"""`unsigned(x)`: a cast that the grammar knows of `int` alone."""


def blanked(source: bytes, which: Conditionals) -> bytes:
    """`source` with what a grammar cannot read blanked out; of the same length."""
    text = bytearray(source)
    code = quiet(text)
    blank_conditionals(text, code, which)
    _blank_macros(text, bytes(code))
    return bytes(text)


def _blank_macros(text: bytearray, code: bytes) -> None:
    if b"_" in code:
        for match in _ALONE.finditer(code):
            if _is_statement(code, match.start(1), match.end()):
                blank(text, *match.span(1))
        for match in _RESULT.finditer(code):
            blank(text, *match.span(2))
            blank(text, *match.span(4))
        for pattern in (_BEFORE, _BEHIND_TYPE_WORD, _IN_HEAD, _AFTER):
            for match in pattern.finditer(code):
                blank(text, *match.span(1))
        for match in _TRAILING.finditer(code):
            if _TYPE_AND_NAME.search(code[max(0, match.start() - 80) : match.start() + 1]):
                blank(text, *match.span(1))
    if _CPP.search(code):
        _blank_cpp(text, code)


def _blank_cpp(text: bytearray, code: bytes) -> None:
    """What only C++ has."""
    for match in _CONDITION.finditer(code):
        blank(text, *match.span(1))
    for match in _LABEL.finditer(code):
        if _before(code, match.start()) in b";{}":
            blank(text, *match.span())
    for match in _TEMPLATE.finditer(code):
        _blank_parameters(text, code, match.end())
    for match in _EMPTY_DEFAULT.finditer(code):
        blank(text, *match.span())
    for match in _SIZED.finditer(code):
        text[match.start() : match.end()] = b"int".ljust(len(match[0]))


def _before(code: bytes, start: int) -> bytes:
    """The last character of the code before `start`."""
    return code[max(0, start - MAX_AWAY) : start].rstrip()[-1:]


def _is_statement(code: bytes, start: int, end: int) -> bool:
    """True for a macro alone on its line that neither continues nor heads what stands around it."""
    following = code[end : end + MAX_AWAY].lstrip()[:1]
    before = _before(code, start)
    if following == b"{":
        return code[start:end].rstrip()[-1:] != b")" and before in b";{}"
    if following == b"}":
        return before in b";}"
    if following.isalnum() or following in b"_#~[":
        return before in b";{}:>" or _ends_with_macro(code, start)
    return False


def _ends_with_macro(code: bytes, start: int) -> bool:
    line = code[max(0, start - MAX_AWAY) : start].rstrip().rpartition(b"\n")[2]
    return _ALONE.match(line) is not None


def _blank_parameters(text: bytearray, source: bytes, start: int) -> None:
    """`template <typename T, ENABLE_IF(cond<T>)>`: the macro becomes a parameter without a name."""
    end = _closing(source, start, b"<")
    if end < 0:
        return
    for match in _TEMPLATE_PARAMETER.finditer(source, start - 1, end):
        close = _closing(source, match.end(), b"(")
        if 0 <= close < end and source[close : end + 1].lstrip()[:1] in (b",", b">", b"="):
            blank(text, match.start(1), close)
            text[match.start(1) : match.start(1) + 3] = b"int"


def _closing(source: bytes, start: int, opening: bytes) -> int:
    """The end of the brackets that were opened just before `start`; -1 when they do not close soon."""
    stack = [opening]
    for match in _BRACKETS.finditer(source, start, start + 2_000):
        bracket = match[0]
        if bracket in b"(<":
            stack.append(bracket)
        elif bracket == b")":
            while stack and stack.pop() != b"(":
                pass
        elif bracket == b">":
            if stack[-1] == b"<" and source[match.start() - 1 : match.start()] != b"-":
                stack.pop()
        elif stack[-1] == b"<":
            return -1
        if not stack:
            return match.end()
    return -1
