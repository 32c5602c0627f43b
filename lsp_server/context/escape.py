"""Making foreign text safe to show: paths, messages and reasons cannot pose as structure.

Repository text, file names and tool messages are data that anybody may have written.
"""

from __future__ import annotations

import re
import unicodedata

from ..text.late_pattern import late_pattern

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories of characters that steer a display instead of being shown (controls, bidi, zero-width)."""

_BREAK = re.compile(r"\s*[\r\n\u2028\u2029]\s*")
_BACKTICKS = re.compile(r"`+")
_ACTIVE = re.compile(r"[\\<>\[\]*&]")
_XML_ILLEGAL = late_pattern("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CONTROL_PICTURES = 0x2400


def visible(text: str) -> str:
    """`text` with control, format, bidi and line-separating characters as escapes such as `\\n` or `\\u202e`."""
    if text.isprintable():
        return text
    return "".join(_escape(char) if _is_hidden(char) else char for char in text)


def one_line(text: str, max_length: int) -> str:
    """`text` on one visible line of at most `max_length` code points; a cut ends with `…`."""
    flat = visible(_BREAK.sub(" ⏎ ", text.strip()))
    return flat if len(flat) <= max_length else flat[: max(0, max_length - 1)] + "…"


def code_span(text: str) -> str:
    """`text` as Markdown inline code that its own backticks cannot end."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") or not text.strip() else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def markdown_text(text: str) -> str:
    """One line of prose whose `code` spans stay and whose other Markdown is taken literally."""
    shown = visible(_BREAK.sub(" ", text.strip()))
    runs = _BACKTICKS.findall(shown)
    if len(runs) % 2 or any(len(run) > 1 for run in runs):
        return _ACTIVE.sub(r"\\\g<0>", shown).replace("`", "\\`")
    parts = shown.split("`")
    return "`".join(part if index % 2 else _ACTIVE.sub(r"\\\g<0>", part) for index, part in enumerate(parts))


def fence_for(content: str) -> str:
    """A run of at least three backticks, longer than any inside `content`."""
    if "```" not in content:
        return "```"
    return "`" * (max(len(run) for run in _BACKTICKS.findall(content)) + 1)


def xml_attribute(text: str) -> str:
    """`text` on one line as a quoted XML attribute value."""
    return _quoted(visible(text))


def cdata(content: str) -> str:
    """`content` for the inside of a CDATA section; characters that XML forbids become control pictures."""
    return _XML_ILLEGAL.sub(_picture, content).replace("]]>", "]]]]><![CDATA[>")


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) in _HIDDEN or (ord(char) & 0xFFFE) == 0xFFFE


def _escape(char: str) -> str:
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(char)
    if short:
        return short
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    return chr(_CONTROL_PICTURES + code) if code < 0x20 else "\ufffd"


def _quoted(text: str) -> str:
    """As `xml.sax.saxutils.quoteattr`, whose module brings half a web client with it."""
    text = text.replace("&", "&amp;").replace(">", "&gt;").replace("<", "&lt;")
    text = text.replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;")
    if '"' not in text:
        return f'"{text}"'
    return f"'{text}'" if "'" not in text else '"' + text.replace('"', "&quot;") + '"'
