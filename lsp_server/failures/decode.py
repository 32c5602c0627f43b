"""Step 1: bytes of any encoding → clean text, in pieces, with constant memory."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from lsp_server.text.late_pattern import late_pattern

CHUNK = 1 << 18
"""Bytes or characters handled at a time."""
MAX_LINE = 4_000
"""Longer lines are cut: no tool prints a place so far to the right, and no pattern should look."""

_ESCAPES = late_pattern(
    "\x1b(?:"
    r"\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor, erase
    r"|\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)"  # OSC: hyperlinks, titles
    r"|_[^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)"  # APC: Buildkite's timestamps
    r"|[()#][0-9A-Za-z]|[@-Z\\^a-z=>78]"
    ")"
)
_OVERWRITTEN = late_pattern(r"^[^\n]*\r(?=[^\n\r])", re.MULTILINE)
_BUILDKIT = late_pattern(r"^#\d{1,4} \d{1,6}\.\d{1,4} ", re.MULTILINE)
_CUT_NUMBER = late_pattern(r"\d{1,9}\Z")
_LONG = late_pattern(rf"^([^\n]{{{MAX_LINE}}})[^\n]+", re.MULTILINE)


def encoding_of(head: bytes) -> str:
    """The encoding that a byte order mark or the pattern of zero bytes gives away; else UTF-8."""
    for mark, name in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if head.startswith(mark):
            return name
    sample = head[:400]
    if len(sample) >= 8 and sample[1::2].count(0) * 3 > len(sample):
        return "utf-16-le"
    if len(sample) >= 8 and sample[0::2].count(0) * 3 > len(sample):
        return "utf-16-be"
    return "utf-8"


def whole_text(data: bytes | str) -> str:
    """All of `data` as text: for structured formats only, which must be read at once anyway."""
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    return data.decode(encoding_of(data[:400]), "replace").removeprefix("\ufeff")


def pieces(data: bytes | str) -> Iterator[str]:
    """`data` as decoded pieces of about CHUNK, each ending at a line end except the last."""
    rest = ""
    for piece in _raw_pieces(data):
        text = rest + piece if rest else piece
        cut = text.rfind("\n") + 1
        if not cut and len(text) < 16 * CHUNK:
            rest = text
            continue
        cut = cut or len(text)
        rest = text[cut:]
        yield text[:cut]
    if rest:
        yield rest


def _raw_pieces(data: bytes | str) -> Iterator[str]:
    if isinstance(data, str):
        for start in range(0, len(data), CHUNK):
            yield data[start : start + CHUNK].removeprefix("\ufeff") if not start else data[start : start + CHUNK]
        return
    decoder = codecs.getincrementaldecoder(encoding_of(data[:400]))("replace")
    view = memoryview(data)
    for start in range(0, len(view), CHUNK):
        yield decoder.decode(view[start : start + CHUNK])
    yield decoder.decode(b"", final=True)


def clean(text: str) -> str:
    """`text` without escapes, overwritten progress and over-long tails; line ends become `\\n`."""
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        if "\r" in text:
            text = _OVERWRITTEN.sub("", text).replace("\r", "")
    if "\n#" in text or text.startswith("#"):
        text = _BUILDKIT.sub("", text)
    if len(text) > MAX_LINE:
        text = _LONG.sub(r"\1", text)
    return text


def without_cut_number(text: str) -> str:
    """`text` without the digits at its very end: of truncated output they may be half a number."""
    return _CUT_NUMBER.sub("", text)
