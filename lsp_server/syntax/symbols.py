"""Definitions into symbol columns: kinds by context, flags, documentation lines."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache

from lsp_server.model.facts import CALLABLE_KINDS, NOWHERE, TYPE_KINDS, SymbolColumns, SymbolFlag, SymbolKind
from lsp_server.model.values import Value

from .byte_lines import ByteLines
from .definitions import Definition
from .languages import Language
from .names import Names

MAX_DOC_LINES = 200
"""A longer comment block above a definition is cut off there."""

_METHOD_OWNERS = TYPE_KINDS | {SymbolKind.IMPL}
# Looking a member up in its class takes 0.3 microseconds.
_FUNCTION, _METHOD, _CONSTRUCTOR = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR
_VARIABLE, _FIELD, _IMPL = SymbolKind.VARIABLE, SymbolKind.FIELD, SymbolKind.IMPL
_SPACES = frozenset({SymbolKind.MODULE, SymbolKind.NAMESPACE})
_STATIC = re.compile(rb"\bstatic(?:method)?\b")
_ELLIPSIS = b"..."


class _Rules(Value):
    exported: re.Pattern[bytes] | None
    hidden: re.Pattern[bytes] | None
    test_function: re.Pattern[bytes] | None
    test_class: re.Pattern[bytes] | None


@cache
def _rules(language: Language) -> _Rules:
    def compiled(pattern: bytes) -> re.Pattern[bytes] | None:
        return re.compile(pattern) if pattern else None

    return _Rules(
        compiled(language.exported),
        compiled(language.hidden),
        compiled(language.test_function),
        compiled(language.test_class),
    )


def symbol_columns(
    found: Sequence[Definition],
    language: Language,
    lines: ByteLines,
    names: Names,
    exported_names: frozenset[bytes],
) -> SymbolColumns:
    """The columns of `found`; sets the final kind and test mark on each definition as well."""
    if not found:
        return SymbolColumns()
    source, marks = lines.source, language.name_marks
    first, last, name_lines, body_lines = _lines_of(found, lines)
    words = [source[each.name_start : each.name_end] for each in found]
    starts: list[int] = [each.name_start for each in found]
    if marks:
        starts = [each.name_end - len(word.lstrip(marks)) for each, word in zip(found, words, strict=True)]
        words = [word.strip(marks) for word in words]
    _set_kinds(found, words, language, source)
    _mark_tests(found, words, language)
    rows = [_with_attributes(line, language, lines) for line in first] if language.attributes else first
    flags = _flag_column(found, words, rows, language, lines, exported_names)
    numbers = _name_numbers(found, words, source, names)
    named = list(zip(found, name_lines, first, starts, strict=True))
    line_starts = lines.starts
    return SymbolColumns(
        name=array("i", numbers[::2]),
        kind=array("i", [each.kind for each in found]),
        flags=array("i", flags),
        parent=array("i", [each.parent for each in found]),
        owner=array("i", numbers[1::2]),
        start=array("i", rows),
        end=array("i", map(max, last, rows)),
        doc=array("i", _doc_lines(rows, language, lines)),
        body=array(
            "i", [line if each.has_body else row for each, line, row in zip(found, body_lines, rows, strict=True)]
        ),
        name_line=array("i", [line if each.named else row for each, line, row, _ in named]),
        name_column=array("i", [start - line_starts[line - 1] if each.named else 0 for each, line, _, start in named]),
    )


def _name_numbers(found: Sequence[Definition], words: Sequence[bytes], source: bytes, names: Names) -> list[int]:
    """The numbers of each definition's name and owner, one after the other."""
    numbers: list[int] = []
    for each, word in zip(found, words, strict=True):
        numbers.append(names[word])
        numbers.append(names[source[each.owner_start : each.owner_end]] if each.owner_start >= 0 else 0)
    return numbers


def _flag_column(
    found: Sequence[Definition],
    words: Sequence[bytes],
    rows: Sequence[int],
    language: Language,
    lines: ByteLines,
    exported_names: frozenset[bytes],
) -> list[int]:
    source, starts, rules = lines.source, lines.starts, _rules(language)
    column: list[int] = []
    for index, each in enumerate(found):
        flags = _flags(each, language, source)
        if not each.local:
            head = source[starts[rows[index] - 1] : each.name_end if each.named else each.start]
            flags |= _exported(each, words[index], head, found, column, rules, language, exported_names)
        column.append(flags)
    return column


def _lines_of(found: Sequence[Definition], lines: ByteLines) -> tuple[list[int], list[int], list[int], list[int]]:
    source = lines.source
    ends: list[int] = []
    for each in found:
        end = each.end
        while end > each.start + 1 and source[end - 1] in b" \t\r\n\f":
            end -= 1
        ends.append(max(end - 1, each.start))
    starts, most = lines.starts, max(1, lines.count)  # as ByteLines.number
    return (
        [bisect_right(starts, each.start, 1, most) for each in found],
        [bisect_right(starts, end, 1, most) for end in ends],
        [bisect_right(starts, max(each.name_start, 0), 1, most) for each in found],
        [bisect_right(starts, max(each.body_start, 0), 1, most) for each in found],
    )


def _set_kinds(found: Sequence[Definition], words: Sequence[bytes], language: Language, source: bytes) -> None:
    constructors = {name.encode() for name in language.constructors}
    for index, each in enumerate(found):
        parent = found[each.parent] if each.parent != NOWHERE else None
        in_type = parent is not None and parent.kind in _METHOD_OWNERS
        if each.kind is _FUNCTION or each.kind is _METHOD:
            if not in_type and each.owner_start < 0:
                continue
            each.kind = _METHOD
            type_name = source[each.owner_start : each.owner_end] if each.owner_start >= 0 else words[each.parent]
            if words[index] in constructors or (language.constructor_named_as_type and words[index] == type_name):
                each.kind = _CONSTRUCTOR
        elif each.kind is _VARIABLE and (in_type or each.owner_start >= 0):
            each.kind = _FIELD


def _mark_tests(found: Sequence[Definition], words: Sequence[bytes], language: Language) -> None:
    rules = _rules(language)
    if rules.test_function is None:
        return
    for index, each in enumerate(found):
        if each.kind in CALLABLE_KINDS and not each.local and rules.test_function.match(words[index]):
            each.test = True
            if rules.test_class and each.parent != NOWHERE and rules.test_class.match(words[each.parent]):
                found[each.parent].test = True
    for each in found:
        if each.parent != NOWHERE and found[each.parent].test:
            each.test = True


# IntFlag arithmetic makes an object each time; plain numbers do not.
_TEST, _EXPORTED, _DECLARATION = int(SymbolFlag.TEST), int(SymbolFlag.EXPORTED), int(SymbolFlag.DECLARATION)
_STATIC_FLAG, _EXTENSION, _LOCAL = int(SymbolFlag.STATIC), int(SymbolFlag.EXTENSION), int(SymbolFlag.LOCAL)
_BODIED = CALLABLE_KINDS - {SymbolKind.MACRO}


def _flags(each: Definition, language: Language, source: bytes) -> int:
    """All flags but EXPORTED."""
    flags = _TEST if each.test else 0
    if each.local:
        flags |= _LOCAL
    if each.kind in _BODIED and (not each.has_body or source[each.body_start : each.body_end] == _ELLIPSIS):
        flags |= _DECLARATION
    if language.owner_extends and each.owner_start >= 0 and each.kind is not _IMPL:
        flags |= _EXTENSION
    own = source[each.start : each.name_start] if each.named else b""
    if b"static" in own and _STATIC.search(own):
        flags |= _STATIC_FLAG
    return flags


def _exported(
    each: Definition,
    word: bytes,
    head: bytes,
    found: Sequence[Definition],
    flags: Sequence[int],
    rules: _Rules,
    language: Language,
    exported: frozenset[bytes],
) -> int:
    """The EXPORTED flag or 0; `flags` are those of what was found before."""
    if rules.hidden is not None and rules.hidden.search(head):
        return 0
    if each.parent == NOWHERE and word in exported:
        return _EXPORTED
    if language.members_inherit and each.parent != NOWHERE and found[each.parent].kind not in _SPACES:
        return flags[each.parent] & _EXPORTED
    return _EXPORTED if rules.exported is None or rules.exported.search(head) is not None else 0


def _with_attributes(line: int, language: Language, lines: ByteLines) -> int:
    """The first line of the attributes directly above `line`, or `line`."""
    if not language.attributes:
        return line
    found = line
    tail = False
    for above in range(line - 1, max(0, line - MAX_DOC_LINES), -1):
        text = lines.rows[above - 1].strip()
        if text.startswith(language.attributes):
            found, tail = above, False
        elif tail or text.endswith((b")", b"]")):
            tail = True  # may end an attribute of several lines
            if not text or text.endswith((b"}", b";")):
                break
        elif not text.startswith(language.comments):
            break
    return found


def _doc_lines(rows: Sequence[int], language: Language, lines: ByteLines) -> list[int]:
    """The first line of the comment block directly above each of `rows`, or that line itself."""
    comments, texts = language.comments, lines.rows
    column: list[int] = []
    for line in rows:
        above = texts[line - 2].strip() if line > 1 else b""
        is_comment = above.startswith(comments) or above.endswith(b"*/")
        column.append(_doc_line(line, language, lines) if is_comment else line)
    return column


def _doc_line(line: int, language: Language, lines: ByteLines) -> int:
    """The first line of the comment block directly above `line`, or `line`."""
    comments = language.comments
    found = line
    in_block = False
    while found > 1 and line - found < MAX_DOC_LINES:
        text = lines.rows[found - 2].strip()
        if in_block:
            in_block = not text.startswith(b"/*")
        elif text.endswith(b"*/") and b"/*" in comments:
            in_block = not text.startswith(b"/*")
            if in_block and b"/*" in text:
                break  # a comment behind code
        elif not text.startswith(comments) or text.startswith((b"#!", *language.attributes)):
            break
        found -= 1
    return found if not in_block else line
