"""Bytes → text: byte order mark, UTF-8, UTF-16/32, then a declared or guessed legacy encoding.

A text is kept as it is: no line end is changed, U+0000 in an otherwise clean text stays. What cannot be
text raises SourceRefused with the reason `binary`.
"""

from __future__ import annotations

import codecs
import re

from ..model.values import Value
from .skip import SkipReason, SourceRefused

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# Signatures of common formats whose first bytes could pass for text, from the file(1) magic database.
_SIGNATURES = (
    b"%PDF-", b"PK\x03\x04", b"\x7fELF", b"\x89PNG", b"GIF8", b"\x1f\x8b", b"\xca\xfe\xba\xbe", b"\0asm",
    b"SQLite format 3\0", b"RIFF", b"OggS", b"wOFF", b"wOF2", b"7z\xbc\xaf", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd",
    b"\xff\xd8\xff", b"!<arch>\n", b"\xfe\xed\xfa", b"\xcf\xfa\xed\xfe", b"BZh9", b"ID3\x03",
)  # fmt: skip

_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\v\f\r\b\x1b") + b"\x7f"
MAX_CONTROL_SHARE = 0.003
"""Control characters (U+0000 too) among the first bytes: real sources have a stray one, binaries many."""

_SAMPLE = 64 * 1024
_GUESS_SAMPLE = 16 * 1024

# PEP 263, XML declaration, HTML meta, CSS @charset, Emacs and Vim modelines.
_DECLARED = re.compile(rb"(?:coding[:=]|encoding=|charset=|@charset )[ \t]*[\"']?([A-Za-z0-9][A-Za-z0-9._-]{1,30})")

_GUESSES = [
    "cp1252", "shift_jis", "cp932", "euc_jp", "gb18030", "big5", "euc_kr", "cp949", "koi8_r", "cp1251", "cp1250",
    "cp1253", "cp1254", "cp1255", "cp1256", "iso8859_2", "iso2022_jp",
]  # fmt: skip


class Decoded(Value):
    """A text with what is needed to write it back. `lossy`: some bytes could not be read and show as U+FFFD."""

    text: str
    encoding: str
    bom: bytes = b""
    lossy: bool = False

    def encode(self, text: str) -> bytes:
        """`text` in this file's encoding, with its byte order mark.

        Raises UnicodeEncodeError when the encoding has no such character.
        """
        return self.bom + text.encode(self.encoding)


def decode(data: bytes, path: str = "") -> Decoded:
    """The text of `data`; raises SourceRefused (`binary`, naming `path`) when it is not text."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _decode_marked(data[len(bom) :], encoding, bom)
    if data.startswith(_SIGNATURES):
        raise SourceRefused(path, SkipReason.BINARY)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_legacy(data, path)
    if _many_controls(data):
        wide = _wide_encoding(data)
        if wide is None:
            raise SourceRefused(path, SkipReason.BINARY)
        return Decoded(data.decode(wide), wide)
    return Decoded(text, "utf-8")


def is_binary(data: bytes) -> bool:
    """True when `decode` would refuse `data` (whole, or a first part that ends anywhere)."""
    try:
        decode(data)
    except SourceRefused:
        return True
    return False


def _decode_marked(data: bytes, encoding: str, bom: bytes) -> Decoded:
    try:
        return Decoded(data.decode(encoding), encoding, bom)
    except UnicodeDecodeError:
        return Decoded(data.decode(encoding, "replace"), encoding, bom, lossy=True)


def _many_controls(data: bytes) -> bool:
    sample = data[:_SAMPLE]
    controls = len(sample) - len(sample.translate(None, _CONTROL))
    return controls > 0 and controls > max(1, len(sample) * MAX_CONTROL_SHARE)


def _wide_encoding(data: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark: every second (or three in four) bytes of mostly Latin text are zero."""
    sample = data[:4096]
    for encoding, step, zero, text in (
        ("utf-32-le", 4, 3, 0),
        ("utf-32-be", 4, 0, 3),
        ("utf-16-le", 2, 1, 0),
        ("utf-16-be", 2, 0, 1),
    ):
        units = len(sample) // step
        if len(data) % step or units < 2:
            continue
        zeros = sample[zero::step][:units].count(0)
        text_zeros = sample[text::step][:units].count(0)
        if zeros < units * 0.6 or text_zeros > units * 0.05:
            continue
        try:
            decoded = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if sum(char < " " and char not in "\t\n\r\f\v" for char in decoded[:2048]) <= len(decoded[:2048]) * 0.01:
            return encoding
    return None


def _decode_legacy(data: bytes, path: str) -> Decoded:
    wide = _wide_encoding(data) if b"\0" in data[:_SAMPLE] else None
    if wide is not None:
        return Decoded(data.decode(wide), wide)
    if b"\0" in data or _many_controls(data):
        raise SourceRefused(path, SkipReason.BINARY)
    repaired = _mostly_utf8(data)
    if repaired is not None:
        return Decoded(repaired, "utf-8", lossy=True)
    for encoding in _candidates(data):
        try:
            return Decoded(data.decode(encoding), encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return Decoded(data.decode("latin-1"), "latin-1")


def _mostly_utf8(data: bytes) -> str | None:
    """UTF-8 with a few broken bytes: far more good multi-byte characters than bad ones."""
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    good = sum(char > "\x7f" for char in text) - bad
    return text if good >= 8 * bad else None


def _candidates(data: bytes) -> list[str]:
    """Encodings to try: as declared in the first lines, as guessed, then the most common one."""
    found: list[str] = []
    declared = _DECLARED.search(data[:1024])
    if declared:
        name = declared.group(1).decode("ascii")
        try:
            codec = codecs.lookup(name)
        except LookupError:
            codec = None
        # `utf-8` just failed; codecs that are no text encodings (rot13, zlib) must not run.
        if codec is not None and codec._is_text_encoding and not codec.name.startswith(("utf", "idna", "punycode", "raw", "unicode", "undefined")):  # noqa: E501  # fmt: skip  # pyright: ignore[reportAttributeAccessIssue, reportPrivateUsage, reportUnknownMemberType]
            found.append(codec.name)
    guess = _guess(data)
    if guess:
        found.append(guess)
    return [*found, "cp1252"]


def _guess(data: bytes) -> str | None:
    """What charset-normalizer makes of a sample around the first non-ASCII bytes.

    Imported when first needed: few workspaces hold such a file.
    """
    from charset_normalizer import from_bytes

    first = re.search(rb"[\x80-\xff]", data)
    start = max(0, (first.start() if first else 0) - 1024)
    start = data.rfind(b"\n", 0, start) + 1 if start else 0
    sample = data[start : start + _GUESS_SAMPLE]
    if len(data) > start + _GUESS_SAMPLE:
        sample = sample[: sample.rfind(b"\n") + 1] or sample
    if len(re.findall(rb"[\x80-\xff]", sample)) < 8:
        return None
    best = from_bytes(sample, cp_isolation=_GUESSES).best()
    return best.encoding if best is not None else None
