"""Blocks → the new text of each file, or one typed error and nothing at all.

Blocks apply in order, each to what the ones before it made of the file. Open buffers count: texts come
through the SourceReader. Nothing is written here: `workspace.writer` writes files, a server makes a
versioned WorkspaceEdit of `FileEdit.edits`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from lsp_server.model.errors import PathError, SourceDenied, SourceError, SourceMissing
from lsp_server.model.lines import LineRange
from lsp_server.model.source import SourceReader, SourceText
from lsp_server.model.values import Value
from lsp_server.text.line_table import LineTable
from lsp_server.workspace.paths import fold_path, is_git_internal
from lsp_server.workspace.privacy import PrivacyPolicy
from lsp_server.workspace.roots import Roots

from .diff import unified_diff
from .errors import (
    Ambiguous,
    ChangedSince,
    DeniedFile,
    EmptySearch,
    GitFolder,
    MissingFile,
    NoBlocks,
    NoMatch,
    OutsideWorkspace,
    UnreadableFile,
)
from .match import Match, UnixText, find_matches, unix_ends
from .nearest import find_nearest
from .parse import EditBlock
from .pieces import Pieces, Replacement

MAX_LISTED_MATCHES = 20

_LINE = re.compile(r"[^\n]*\n|[^\n]+")


class Expected(Value):
    """What the caller believes a file to be; None is no claim."""

    content_hash: str | None = None
    version: int | None = None


class TextEdit(Value):
    """Replaces a place of the original text. Lines 1-based, columns 0-based code points, the end exclusive."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int
    new_text: str


class FileEdit(Value):
    """What becomes of one file. `original` is None for a file to create.

    `edits` are in order and do not overlap; applied to the original text together they give `new_text`.
    `blocks` are the 1-based numbers of the blocks that made it. `diff` is a unified diff to show, secrets
    masked, "" when nothing changes.
    """

    path: str
    original: SourceText | None
    new_text: str
    edits: tuple[TextEdit, ...]
    blocks: tuple[int, ...]
    diff: str = ""

    @property
    def creates(self) -> bool:
        """True when the file does not exist yet."""
        return self.original is None


class EditPlan(Value):
    """All files that change, in the order in which blocks first name them."""

    files: tuple[FileEdit, ...]

    @property
    def diff(self) -> str:
        """Unified diff of all files."""
        return "".join(file.diff for file in self.files)


@dataclass(slots=True)
class _Draft:
    """A file while blocks are applied to it."""

    source: SourceText | None
    pieces: Pieces
    blocks: list[int] = field(default_factory=list[int])


def plan_edits(
    blocks: Iterable[EditBlock],
    reader: SourceReader,
    roots: Roots,
    expected: Mapping[str, Expected] | None = None,
    privacy: PrivacyPolicy | None = None,
) -> EditPlan:
    """The plan for all blocks. Raises the first block's BlockError; then nothing is planned.

    `expected` (canonical path → what the caller last saw) raises ChangedSince where the text is another.
    `privacy` masks secrets in previews and in the text an error shows.
    """
    policy = privacy or PrivacyPolicy()
    drafts: dict[str, _Draft] = {}
    number = 0
    for number, block in enumerate(blocks, 1):
        _apply(block, number, drafts, reader, roots, expected or {}, policy)
    if not number:
        raise NoBlocks(0, "", "there is no block to apply")
    return EditPlan(tuple(_file_edit(path, draft, policy) for path, draft in drafts.items()))


def _apply(
    block: EditBlock,
    number: int,
    drafts: dict[str, _Draft],
    reader: SourceReader,
    roots: Roots,
    expected: Mapping[str, Expected],
    privacy: PrivacyPolicy,
) -> None:
    path = _checked_path(block.path, number, reader, roots)
    draft = drafts.get(path)
    search = unix_ends(block.search)
    if draft is None:
        source = _read(path, number, reader)
        if source is not None:
            draft = drafts.get(source.path)
            path = source.path
        _check_expected(path, number, source, expected)
        if draft is None and source is not None:
            draft = _Draft(source, Pieces.of(source.text))
    if draft is None:
        if search.strip():
            raise MissingFile(number, path)
        drafts[path] = _Draft(None, Pieces.of("").replace(0, 0, unix_ends(block.replace)), [number])
        return
    if not search.strip():
        raise EmptySearch(number, path)
    draft.pieces = _replaced(draft, block, search, number, path, privacy)
    draft.blocks.append(number)
    drafts[path] = draft


def _checked_path(asked: str, number: int, reader: SourceReader, roots: Roots) -> str:
    """The canonical path; refuses what must never be written, links looked through."""
    path = roots.canonical_real(asked) or roots.canonical(asked) or asked  # models like absolute paths
    try:
        path = fold_path(path)
        target = roots.resolve(path)
    except PathError as error:
        raise OutsideWorkspace(number, asked, error.problem) from error
    if is_git_internal(path) or (target is not None and is_git_internal(target)):
        raise GitFolder(number, asked)
    if target is None:
        raise OutsideWorkspace(number, asked, "a link leads out of the workspace")
    if not reader.allowed(path) or not reader.allowed(target):
        raise DeniedFile(number, asked)
    return target


def _read(path: str, number: int, reader: SourceReader) -> SourceText | None:
    try:
        return reader.read(path)
    except SourceMissing:
        return None
    except SourceDenied as error:
        raise DeniedFile(number, path) from error
    except SourceError as error:
        raise UnreadableFile(number, path, error.problem) from error


def _check_expected(path: str, number: int, source: SourceText | None, expected: Mapping[str, Expected]) -> None:
    claim = expected.get(path)
    if claim is None:
        return
    if claim.content_hash is not None and (source is None or source.content_hash != claim.content_hash):
        raise ChangedSince(number, path)
    if claim.version is not None and (source is None or source.version != claim.version):
        raise ChangedSince(number, path)


def _replaced(draft: _Draft, block: EditBlock, search: str, number: int, path: str, privacy: PrivacyPolicy) -> Pieces:
    """The pieces after one block; raises NoMatch or Ambiguous."""
    present = draft.pieces.text
    text = UnixText.of(present)
    matches = find_matches(text, search)
    shown = text
    if not matches:
        # Whoever wrote the block saw secrets masked; masking keeps every offset.
        shown = UnixText.of(privacy.mask(present).text)
        matches = find_matches(shown, search)
    if len(matches) > 1:
        ranges = tuple(text.line_range(match.start, match.end) for match in matches[:MAX_LISTED_MATCHES])
        raise Ambiguous(number, path, ranges, len(matches))
    change = _change(shown, matches[0], unix_ends(block.replace)) if matches else None
    if change is None or shown.text[change.start : change.end] != text.text[change.start : change.end]:
        raise NoMatch(number, path, find_nearest(shown.lines, search))
    new = change.text.replace("\n", text.line_end_near(text.line_at(change.start) - (change.start == change.end)))
    return draft.pieces.replace(text.original_offset(change.start), text.original_offset(change.end), new)


def _change(text: UnixText, match: Match, replace: str) -> Replacement:
    """Only the lines that differ, so that lines which stay keep their own line ends (and masked ones their secrets)."""
    if match.cut:
        replace = replace.removesuffix("\n")
    old, new = _lines(text.text[match.start : match.end]), _lines(replace)
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    start = match.start + sum(map(len, old[:head]))
    end = match.end - sum(map(len, old[len(old) - tail :]))
    return Replacement(start, end, "".join(new[head : len(new) - tail]))


def _lines(text: str) -> list[str]:
    return _LINE.findall(text)


def _file_edit(path: str, draft: _Draft, privacy: PrivacyPolicy) -> FileEdit:
    table = LineTable.of(draft.pieces.original)
    edits: list[TextEdit] = []
    for one in draft.pieces.replacements():
        start, end = table.locate(one.start), table.locate(one.end)
        edits.append(TextEdit(start[0], start[1], end[0], end[1], one.text))
    new_text = draft.pieces.text
    old_shown = None if draft.source is None else privacy.mask(draft.source.text).text
    diff = unified_diff(path, old_shown, privacy.mask(new_text).text)
    return FileEdit(path, draft.source, new_text, tuple(edits), tuple(draft.blocks), diff)


def changed_lines(edit: FileEdit) -> tuple[LineRange, ...]:
    """The lines of the new text that the edits made; where lines only went, the line before them."""
    found: list[LineRange] = []
    shift = 0
    for one in edit.edits:
        start = one.start_line + shift
        added = LineTable.of(one.new_text)
        count = len(added) - (1 if one.new_text.endswith(("\n", "\r")) else 0)
        found.append(LineRange(max(1, start), max(1, start + max(count, 1) - 1)))
        shift += (len(added) - 1) - (one.end_line - one.start_line)
    return tuple(found)
