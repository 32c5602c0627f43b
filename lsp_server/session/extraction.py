"""One file's bytes or text to its facts, within limits. Runs in worker processes and, for open buffers
and a handful of changed files, in the indexer's thread."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..model.errors import SourceUnreadable
from ..model.facts import FileFacts
from ..model.values import Value, replace
from ..syntax.drafts import Draft, finished
from ..syntax.extract import draft
from ..syntax.languages import Content, Language, language_for, language_for_lsp_id
from ..syntax.parse import ByteEdit, encode, parse, reparse_changes
from ..syntax.splice import Known, known_of, spliced
from ..text.hashing import content_hash
from ..workspace.decode import decode
from ..workspace.secrets import Masked, mask_again, mask_secrets
from ..workspace.shape import is_minified
from ..workspace.skip import SkipReason
from .documents import Document
from .parse_guard import BUFFER_SECONDS, LeftToWorker, ParseGuard, nesting_of

MAX_NESTING = 2_000
"""Open brackets inside one another that are still parsed; real code stays below 100. Deeper input makes
grammars recurse or branch without bound, so such a file is searched by lines only."""

SPLICED_BYTES = 20_000
"""From this size on an edited document's facts are spliced; a smaller one is extracted whole as quickly."""

PASTED_BYTES = 1_000
"""So much at once was not typed, so it is looked at as a file that is opened is."""

_PARSED = (Content.CODE, Content.SCRIPT, Content.NOTEBOOK)

EDITS_TO_RETRY = 50
"""A document that took too long is parsed again after so many edits, or when it is opened anew."""


class Refused(Value):
    """A file that has no facts, with the reason."""

    reason: str


def facts_of_bytes(path: str, data: bytes, guard: ParseGuard | None = None) -> FileFacts | Refused:
    """Facts of a file on disk. Broken code gives what parses. With a guard it may raise LeftToWorker."""
    text = text_of_bytes(path, data)
    if isinstance(text, Refused):
        return text
    return finished([draft_of_text(path, text, mask_secrets(text), guard)])[0]


def text_of_bytes(path: str, data: bytes) -> str | Refused:
    """The text that a file on disk is indexed by; the first step of `facts_of_bytes`."""
    try:
        text = decode(data, path).text
    except SourceUnreadable as error:
        return Refused(error.problem)
    return Refused(SkipReason.MINIFIED) if is_minified(text) else text


def draft_of_text(path: str, text: str, masked: Masked, guard: ParseGuard | None = None) -> Draft:
    """The third step of `facts_of_bytes`, with the same limits; the second is to mask the secrets of `text`, the
    last `syntax.drafts.finished`. Both cost less for several files at once."""
    return _draft(language_of(path, text), text, masked, guard)


def facts_of_text(path: str, text: str, language_id: str = "") -> FileFacts:
    """Facts of a text that is named `path`; `language_id` is the editor's word when the path says nothing."""
    return _facts(language_of(path, text, language_id), text)


def _facts(language: Language | None, text: str, guard: ParseGuard | None = None) -> FileFacts:
    return finished([_draft(language, text, mask_secrets(text), guard)])[0]


def _draft(language: Language | None, text: str, masked: Masked, guard: ParseGuard | None = None) -> Draft:
    """The text with its secrets masked: none of their words gets into the index or the cache.

    The content hash stays that of the text itself, by which changes are noticed.
    """
    if guard is None or language is None or language.content not in _PARSED:
        drafted = draft(language, masked.text)
    else:
        guard.admit(encode(masked.text))
        drafted = draft(language, masked.text, None, guard.checkpoint)
    if not masked.count:
        return drafted
    return replace(drafted, facts=replace(drafted.facts, content_hash=content_hash(text)))


def facts_without_grammar(path: str, data: bytes) -> FileFacts | None:
    """Search windows only, for a file whose parse went wrong; None when it is no text."""
    try:
        return _facts(None, decode(data, path).text)
    except SourceUnreadable:
        return None


def language_of(path: str, text: str, language_id: str = "") -> Language | None:
    """The language a text is read as; None for lines only."""
    end = text.find("\n", 0, 200)
    language = language_for(path, text[: end if end >= 0 else 200])
    if language is None and language_id:
        language = language_for_lsp_id(language_id)
    return None if language is None or too_deep(text) else language


def too_deep(text: str) -> bool:
    """True when brackets are nested deeper than MAX_NESTING, counted without regard to strings."""
    if text.count("(") + text.count("[") + text.count("{") <= MAX_NESTING:
        return False
    return nesting_of(encode(text)) > MAX_NESTING


class _Read(Value):
    """An open document as it was last read."""

    text: str
    masked: Masked
    known: Known


class BufferExtractor:
    """Facts of open documents, parsed again only where an edit changed them. Keeps one tree a document.

    `set_aside` names the documents that are searched by lines only because of their parser, and says why.
    """

    def __init__(self) -> None:
        self.set_aside: dict[str, str] = {}
        self._read: dict[str, _Read] = {}
        self._edits_left: dict[str, int] = {}

    def facts(self, document: Document, max_bytes: int, proven: str = "") -> FileFacts:
        """Facts of a document as it is now. Over `max_bytes` it is searched by lines only.

        `proven` is the hash of a text that a worker has parsed under this name: odd as it may be, it is admitted.
        """
        key, text = document.key, document.text
        language = language_of(key, text, document.language_id)
        if len(text) > max_bytes or is_minified(text) or self._has_to_wait(key):
            language = None
        if language is None:
            self._read.pop(key, None)
            return _facts(None, text)
        guard = ParseGuard(BUFFER_SECONDS)
        try:
            facts = self._parsed_facts(key, language, text, proven, guard)
        except LeftToWorker as refusal:
            why = str(refusal)
            if guard.is_over:
                self._edits_left[key] = EDITS_TO_RETRY
        except Exception as error:  # a fault of ours with this one document
            why = f"extraction failed ({type(error).__name__})"
        else:
            self.set_aside.pop(key, None)
            return facts
        self._read.pop(key, None)
        self.set_aside[key] = why
        return _facts(None, text)

    def _has_to_wait(self, key: str) -> bool:
        left = self._edits_left.pop(key, 0)
        if left > 1:
            self._edits_left[key] = left - 1
        return left > 0

    def _parsed_facts(self, key: str, language: Language, text: str, proven: str, guard: ParseGuard) -> FileFacts:
        if language.content is not Content.CODE:
            self._read.pop(key, None)
            return _facts(language, text, guard)
        held = self._read.get(key)
        if held is None or held.known.parsed.language is not language:
            masked = mask_secrets(text)
            source = encode(masked.text)
            if content_hash(text) != proven:
                guard.admit(source)
            parsed = parse(language, source, guard.checkpoint)
            known = known_of(parsed, draft(language, masked.text, parsed))
        elif held.text == text:
            return held.known.facts
        else:
            masked = _masked_again(held, text)
            known = _known_again(held.known, masked.text, guard)
        known = replace(known, facts=replace(known.facts, content_hash=content_hash(text)))
        self._read[key] = _Read(text, masked, known)
        return known.facts

    def lines_only(self, document: Document) -> FileFacts:
        """Facts of a document whose parser is known to have crashed or hung over it: no grammar reads it."""
        self._read.pop(document.key, None)
        return _facts(None, document.text)

    def forget(self, key: str) -> None:
        """The document was closed."""
        for held in (self._read, self._edits_left, self.set_aside):
            held.pop(key, None)


def _masked_again(held: _Read, text: str) -> Masked:
    width, coding = (1, "ascii") if held.text.isascii() and text.isascii() else (4, "utf-32-le")
    ends = _common_ends(held.text.encode(coding, "surrogatepass"), text.encode(coding, "surrogatepass"))
    start, tail = ends[0] // width, ends[1] // width
    return mask_again(held.masked, text, start, len(text) - tail)


def _known_again(held: Known, masked_text: str, guard: ParseGuard) -> Known:
    """What is known of a document after an edit."""
    source = encode(masked_text)
    edit = single_edit(held.parsed.source, source)
    if edit is None:
        return held
    if edit.new_end - edit.start > PASTED_BYTES:
        guard.admit(source[edit.start : edit.new_end])
    parsed, changed = reparse_changes(held.parsed, source, (edit,), guard.checkpoint)
    if changed is not None and len(source) >= SPLICED_BYTES:
        known = spliced(held, parsed, edit, changed)
        if known is not None:
            return known
    return known_of(parsed, draft(parsed.language, masked_text, parsed))


def single_edit(old: bytes, new: bytes) -> ByteEdit | None:
    """The one replacement that turns `old` into `new`; None when they are equal."""
    if old == new:
        return None
    start, tail = _common_ends(old, new)
    while start and (_inside(old, start) or _inside(new, start)):
        start -= 1
    while tail and (_inside(old, len(old) - tail) or _inside(new, len(new) - tail)):
        tail -= 1
    return ByteEdit(start, len(old) - tail, len(new) - tail)


def _common_ends(old: bytes, new: bytes) -> tuple[int, int]:
    """How many bytes are the same at the start, and how many of the rest at the end. The two differ."""
    size = min(len(old), len(new))
    before, after = np.frombuffer(old, dtype=np.uint8), np.frombuffer(new, dtype=np.uint8)
    start = _equal(before[:size], after[:size])
    rest = size - start
    return start, _equal(before[len(old) - rest :][::-1], after[len(new) - rest :][::-1])


def _equal(first: npt.NDArray[np.uint8], second: npt.NDArray[np.uint8]) -> int:
    """How many of the first entries of two arrays of one length are equal."""
    different = first != second
    at = int(different.argmax()) if len(different) else 0
    return at if len(different) and different[at] else len(different)


def _inside(source: bytes, offset: int) -> bool:
    """True when `offset` is not the start of a UTF-8 character."""
    return offset < len(source) and source[offset] & 0xC0 == 0x80
