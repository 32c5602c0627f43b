"""Step 2: what kind of output is this: XML, JSON, JSON lines, or text?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto

from lsp_server.text.late_pattern import late_pattern

from .decode import encoding_of, whole_text
from .drafts import Draft
from .structured import STRUCTURES
from .structured import junit as junit_format
from .structured.reading import Structure, TextReader
from .structured.report_xml import XML_READERS
from .structured.values import MAX_JSON, Json, documents, mapping, parsed, string
from .structured.xml_tree import Element, Forbidden, read_xml

HEAD = 65_536
"""Bytes looked at to decide."""


class Shape(Enum):
    """The outer form of an output."""

    XML = auto()
    JSON = auto()
    JSON_LINES = auto()
    TEXT = auto()


_XML_START = late_pattern(
    r"^\s*<(?:\?xml|testsuites?\b|checkstyle\b|pmd\b|TestRun\b|test-run\b|assembl)|\n<"
    r"(?:\?xml|testsuites?\b|checkstyle\b)"
)


def shape_of(data: bytes | str) -> Shape:
    """The form of `data`, from its head alone."""
    head = data[:HEAD] if isinstance(data, str) else data[:HEAD].decode(encoding_of(data[:400]), "replace")
    head = head.lstrip("\ufeff \t\r\n")
    if _XML_START.search(head[:4_000]) and len(data) <= MAX_JSON:
        return Shape.XML
    lines = [line for line in head.split("\n")[:-1] or [head] if line.strip()][:200]
    objects = sum(1 for line in lines if line[0] in "{[" and line.rstrip()[-1] in "}]" and len(line) > 4)
    if len(lines) >= 2 and objects * 5 >= len(lines) * 4:
        return Shape.JSON_LINES
    if len(data) <= MAX_JSON and (head[:1] in {"{", "["} or re.search(r"(?m)^[\[{]\s*(?:$|[\"{])", head)):
        return Shape.JSON
    return Shape.TEXT


def read_xml_report(data: bytes | str, read: TextReader) -> list[Draft] | None:
    """Drafts of an XML report; None when it is none (or forbidden), so that it is read as text."""
    text = whole_text(data)
    start = _XML_START.search(text[:HEAD])
    try:
        root = read_xml(text[start.start() if start else 0 :])
    except Forbidden:
        return []
    if root is None:
        return None
    return _xml_drafts(root, read)


def _xml_drafts(root: Element, read: TextReader) -> list[Draft] | None:
    if junit_format.accepts(root):
        return junit_format.read(root, read)
    reader = XML_READERS.get(root.tag)
    return reader(root, read) if reader is not None else None


def structure_for(value: Json, structures: Sequence[Structure] = STRUCTURES) -> Structure | None:
    """The format that claims `value`."""
    return next((structure for structure in structures if structure.accepts(value)), None)


def read_json(data: bytes | str, read: TextReader) -> tuple[list[Draft], str] | None:
    """Drafts of all documents in `data` and the text between them; None when there is no known document."""
    text = whole_text(data)
    drafts: list[Draft] = []
    rest: list[str] = []
    end = 0
    known = False
    for value, begin, stop in documents(text):
        structure = structure_for(value)
        if structure is None:
            continue
        known = True
        drafts.extend(structure.read(value, read))
        rest.append(text[end:begin])
        end = stop
    return (drafts, "".join((*rest, text[end:]))) if known else None


def read_json_lines(pieces: Iterator[str], read: TextReader) -> tuple[list[Draft], str]:
    """Drafts of JSON lines, and the text they carry (`go test -json`) or that stands between them."""
    drafts: list[Draft] = []
    packages: dict[str, list[str]] = {}
    rest: list[str] = []
    chosen: Structure | None = None
    for piece in pieces:
        for line in piece.split("\n"):
            value = parsed(line) if line.startswith(("{", "[")) else None
            if value is None:
                if line.strip():
                    rest.append(line + "\n")
                continue
            event = mapping(value)
            if "Action" in event and ("Package" in event or "ImportPath" in event):
                package = string(event.get("Package") or event.get("ImportPath"))
                if "output" in string(event.get("Action")):
                    packages.setdefault(package, []).append(string(event.get("Output")))
                continue
            if chosen is None or not chosen.accepts(value):
                chosen = structure_for(value)
            if chosen is not None:
                drafts.extend(chosen.read(value, read))
    rest.extend("".join(outputs) + "\n" for outputs in packages.values())
    return drafts, "".join(rest)
