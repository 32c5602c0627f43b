"""Code inside files of another kind: `<script>` blocks of Vue and Svelte, code cells of Jupyter notebooks.

The code keeps the line numbers of the file. A script block is read with everything around it blanked out,
so its columns are true as well. Of a notebook each JSON line that holds a line of a code cell becomes that
line of Python; columns are those of the code.
"""

from __future__ import annotations

import json
import re
from typing import cast

from lsp_server.model.facts import FactFlag, Problem
from lsp_server.model.source import Checkpoint
from lsp_server.model.values import Value, replace

from .byte_lines import ByteLines
from .code_facts import draft_code
from .drafts import Draft
from .languages import BY_ID, Content, Language
from .parse import parse
from .windows import draft_text

_SCRIPT = re.compile(rb"<script\b([^>]*)>(.*?)</script\s*>", re.IGNORECASE | re.DOTALL)
_LANG = re.compile(rb"""\blang\s*=\s*["']?(\w+)""", re.IGNORECASE)
_NOT_LINE_END = re.compile(rb"[^\r\n]")
_SCRIPT_LANGUAGES = {b"ts": "typescript", b"typescript": "typescript", b"tsx": "tsx", b"jsx": "javascript"}


def draft_embedded(
    language: Language, lines: ByteLines, flags: FactFlag, content_hash: str, checkpoint: Checkpoint | None = None
) -> Draft:
    """A host file; plain text when there is no code in it. `checkpoint` as in `parse`."""
    if language.content is Content.NOTEBOOK:
        return _draft_notebook(language, lines, flags, content_hash, checkpoint)
    inner, source = _scripts(lines.source)
    if inner is None:
        return draft_text(language, lines, flags, content_hash)
    code = ByteLines.of(source)
    draft = draft_code(parse(inner, source, checkpoint), code, flags, content_hash, lines)
    return replace(draft, facts=replace(draft.facts, language=language.id))


def _scripts(source: bytes) -> tuple[Language | None, bytes]:
    """The language of the script blocks, and `source` with all but them blanked out."""
    kept = bytearray(_NOT_LINE_END.sub(b" ", source))
    inner: Language | None = None
    for match in _SCRIPT.finditer(source):
        lang = _LANG.search(match[1])
        found = BY_ID[_SCRIPT_LANGUAGES.get(lang[1].lower() if lang else b"", "javascript")]
        # TypeScript's grammar reads plain script too: one typed block decides for the file.
        if inner is None or inner.id == "javascript":
            inner = found
        kept[match.start(2) : match.end(2)] = match[2]
    return inner, bytes(kept)


class _Cell(Value):
    """A cell's kind and its source lines, each without its line end."""

    code: bool
    lines: tuple[str, ...]


def _draft_notebook(
    language: Language, lines: ByteLines, flags: FactFlag, content_hash: str, checkpoint: Checkpoint | None
) -> Draft:
    cells = _cells(lines.source)
    if cells is None:
        draft = draft_text(language, lines, flags, content_hash)
        return replace(draft, facts=replace(draft.facts, problems=(Problem(1, "not a notebook"),)))
    placed = _placed(cells, lines)
    if placed is None:
        return draft_text(language, lines, flags, content_hash)
    inner = BY_ID["python"]
    code = ByteLines.of(placed)
    draft = draft_code(parse(inner, placed, checkpoint), code, flags, content_hash, code)
    return replace(draft, facts=replace(draft.facts, language=language.id, size=len(lines.source), lines=lines.count))


def _cells(source: bytes) -> list[_Cell] | None:
    try:
        loaded: object = json.loads(source)
    except (ValueError, RecursionError):
        return None
    listed = cast(dict[str, object], loaded).get("cells") if isinstance(loaded, dict) else None
    if not isinstance(listed, list):
        return None
    cells: list[_Cell] = []
    for each in cast(list[object], listed):
        if not isinstance(each, dict):
            continue
        cell = cast(dict[str, object], each)
        written = cell.get("source")
        parts = [str(part) for part in cast(list[object], written)] if isinstance(written, list) else [str(written)]
        cells.append(_Cell(cell.get("cell_type") == "code", tuple("".join(parts).splitlines())))
    return cells


def _placed(cells: list[_Cell], lines: ByteLines) -> bytes | None:
    """The notebook as Python text in which each cell line stands on its own JSON line; None when the file
    is not written one source line a JSON line (as every notebook program writes it)."""
    result: list[bytes] = [b""] * lines.count
    number = 0
    for cell in cells:
        number = _source_line(number, lines)
        magic = cell.code and cell.lines[:1] != () and cell.lines[0].startswith("%%")
        for text in cell.lines:
            number = _find(text, number, lines)
            if number == 0:
                return None
            shown = text.encode("utf-8", "replace")
            if not cell.code or magic:
                shown = b"# " + shown
            elif shown.lstrip().startswith((b"%", b"!", b"?")):
                shown = b"#" + shown
            result[number - 1] = shown
    return b"\n".join(result) + b"\n"


def _source_line(after: int, lines: ByteLines) -> int:
    """The next JSON line that begins a cell's source, or `after`."""
    for number in range(after + 1, lines.count + 1):
        if lines.rows[number - 1].lstrip().startswith(b'"source"'):
            return number
    return after


def _find(text: str, after: int, lines: ByteLines) -> int:
    """The first JSON line after `after` that is the string `text`, with or without its line end; 0 if none."""
    for number in range(after + 1, lines.count + 1):
        written = lines.rows[number - 1].strip()
        if not written.endswith((b'"', b'",')) or not written.startswith(b'"'):
            continue
        try:
            value: object = json.loads(written.rstrip(b","))
        except ValueError:
            continue
        if isinstance(value, str) and value.rstrip("\r\n") == text:
            return number
    return 0
