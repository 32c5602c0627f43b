"""XML without its dangers: a document with a DOCTYPE or an entity is refused, a truncated one gives what it has."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from xml.parsers import expat

MAX_DEPTH = 200


class Forbidden(ValueError):
    """The document declares a DOCTYPE or an entity."""


@dataclass(slots=True)
class Element:
    """One element; `text` is all its own character data."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    children: list[Element] = field(default_factory=list["Element"])
    text: str = ""

    def get(self, name: str) -> str:
        """The attribute `name`, "" without one."""
        return self.attributes.get(name, "")

    def all(self, *tags: str) -> list[Element]:
        """Every element below this one with one of `tags`, in document order."""
        found: list[Element] = []
        for child in self.children:
            if child.tag in tags:
                found.append(child)
            found.extend(child.all(*tags))
        return found

    def first(self, *tags: str) -> Element | None:
        """The first of `all`."""
        found = self.all(*tags)
        return found[0] if found else None


class _Builder:
    def __init__(self) -> None:
        self.root: Element | None = None
        self._open: list[Element] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag.rsplit("}", 1)[-1].rsplit(":", 1)[-1], attributes)
        if self._open:
            self._open[-1].children.append(element)
        elif self.root is None:
            self.root = element
        self._open.append(element)
        if len(self._open) > MAX_DEPTH:
            raise Forbidden("nested too deep")

    def end(self, _tag: str) -> None:
        if self._open:
            self._open.pop()

    def data(self, text: str) -> None:
        if self._open:
            self._open[-1].text += text

    def doctype(self, *_: object) -> None:
        raise Forbidden("a DOCTYPE is not accepted")

    def entity(self, *_: object) -> None:
        raise Forbidden("an entity declaration is not accepted")


def read_xml(text: str) -> Element | None:
    """The root element of `text`; None when it is no XML. Raises Forbidden on a DOCTYPE or an entity."""
    begin = text.find("<")
    if begin < 0:
        return None
    builder = _Builder()
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = builder.doctype
    parser.EntityDeclHandler = builder.entity
    parser.ExternalEntityRefHandler = None
    with suppress(expat.ExpatError):
        parser.Parse(text[begin:].encode("utf-8", "replace"), True)
    return builder.root
