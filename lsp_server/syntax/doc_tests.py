"""Examples in documentation that are run as tests: like other tests they repeat the words of what they test."""

from __future__ import annotations

import re
from functools import cache

from .byte_lines import ByteLines
from .languages import Language

_SAME_LENGTH = bytes(code if code in b"\r\n" else 0x20 for code in range(256))


def without_doc_tests(language: Language | None, lines: ByteLines) -> ByteLines:
    """`lines` with spaces in the place of examples, so that their words are no search terms of what they document."""
    if language is None or not language.doc_tests:
        return lines
    source, count = _pattern(language.doc_tests).subn(_blank, lines.source)
    return ByteLines(source, lines.rows, lines.starts) if count else lines


def _blank(match: re.Match[bytes]) -> bytes:
    return match[0].translate(_SAME_LENGTH)


@cache
def _pattern(written: bytes) -> re.Pattern[bytes]:
    return re.compile(written)
