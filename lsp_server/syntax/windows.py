"""Windows: chunks of texts that no grammar reads (JSON, YAML, HTML, SQL, prose). Markdown is cut at headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from lsp_server.model.facts import ChunkKind, FactFlag, FileFacts

from .byte_lines import ByteLines
from .chunks import Span, blank_lines, split_at_blanks
from .drafts import Draft
from .languages import Content, Language

WINDOW_LINES = 50

MAX_TEXT_BYTES = 1 << 20
"""Of a text only so many bytes are searchable, of a minified one MAX_MINIFIED_BYTES."""

MAX_MINIFIED_BYTES = 1 << 16

_HEADING = re.compile(rb" {0,3}#{1,6}\s")
_FENCE = re.compile(rb" {0,3}(```|~~~)")


def plan_windows(lines: ByteLines) -> list[Span]:
    """Windows over the whole text, cut at blank lines where there are any."""
    return _windows([1, lines.count + 1], lines)


def plan_sections(lines: ByteLines) -> list[Span]:
    """Windows over a Markdown text: a heading always starts a new one."""
    return _windows([1, *(number for number in headings(lines) if number > 1), lines.count + 1], lines)


def _windows(bounds: list[int], lines: ByteLines) -> list[Span]:
    blank = blank_lines(lines)
    return [
        Span(start, end, ChunkKind.WINDOW)
        for first, after in pairwise(bounds)
        for start, end in _trimmed(first, after - 1, blank)
    ]


def _trimmed(first: int, last: int, blank: bytearray) -> Iterator[tuple[int, int]]:
    for start, end in split_at_blanks(first, last, blank, WINDOW_LINES):
        while end > start and blank[end]:
            end -= 1
        yield start, end


def headings(lines: ByteLines) -> Iterator[int]:
    """Line numbers of Markdown headings outside fences."""
    fence = b""
    for number, text in enumerate(lines.rows, 1):
        if match := _FENCE.match(text):
            if not fence:
                fence = match[1]
            elif match[1] == fence:
                fence = b""
        elif not fence and _HEADING.match(text):
            yield number


def draft_text(language: Language | None, lines: ByteLines, flags: FactFlag, content_hash: str) -> Draft:
    """A text that is not parsed: search windows only."""
    source = lines.source
    shown = lines
    limit = MAX_MINIFIED_BYTES if flags & FactFlag.MINIFIED else MAX_TEXT_BYTES
    if len(source) > limit:
        flags |= FactFlag.TRUNCATED
        shown = ByteLines.of(source[:limit])
    sections = language is not None and language.content is Content.SECTIONS
    facts = FileFacts(
        language="" if language is None else language.id,
        content_hash=content_hash,
        size=len(source),
        lines=lines.count,
        flags=flags,
    )
    return Draft(facts, plan_sections(shown) if sections else plan_windows(shown), shown)
