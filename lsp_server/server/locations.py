"""Core places as LSP locations: byte columns become the client's characters, with the line's text at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from ..context.navigation import NameSite, symbol_site
from ..model.errors import SourceError
from ..model.lines import LineRange
from ..model.source import SourceText
from ..text.positions import character_of

if TYPE_CHECKING:
    from ..index.snapshot import Snapshot, SymbolId
    from .app import ContextServer


class Locations:
    """Makes locations for one answer; reads each file once."""

    def __init__(self, ls: ContextServer) -> None:
        self._session = ls.session
        self._encoding = ls.position_encoding
        self._reader = ls.session.reader()
        self._texts: dict[str, SourceText | None] = {}

    def allowed(self, path: str) -> bool:
        """False when nothing of `path` may be shown."""
        return self._reader.allowed(path)

    def uri(self, path: str) -> str:
        """The URI of a canonical path."""
        return self._session.uri_of(path)

    def line(self, path: str, number: int) -> str:
        """The text of a 1-based line; "" when it cannot be had."""
        if path not in self._texts:
            try:
                self._texts[path] = self._reader.read(path)
            except SourceError:
                self._texts[path] = None
        text = self._texts[path]
        return text.lines[number - 1] if text is not None and 1 <= number <= len(text.lines) else ""

    def character(self, path: str, line: int, byte_column: int) -> int:
        """The client's character offset of a byte column."""
        text = self.line(path, line)
        if text.isascii():
            return byte_column
        column = len(text.encode("utf-8", "replace")[:byte_column].decode("utf-8", "ignore"))
        return character_of(text, column, self._encoding)

    def name_range(self, site: NameSite) -> types.Range:
        """The range of a name."""
        start = self.character(site.path, site.line, site.column)
        end = self.character(site.path, site.line, site.column + site.length)
        return types.Range(types.Position(site.line - 1, start), types.Position(site.line - 1, end))

    def lines_range(self, path: str, lines: LineRange) -> types.Range:
        """The range of whole lines, to the end of the last one."""
        last = self.line(path, lines.end)
        end = types.Position(lines.end - 1, character_of(last, len(last), self._encoding))
        return types.Range(types.Position(lines.start - 1, 0), end)

    def location(self, site: NameSite) -> types.Location:
        """A name as a location."""
        return types.Location(self.uri(site.path), self.name_range(site))

    def of_symbols(self, snapshot: Snapshot, targets: tuple[SymbolId, ...]) -> list[types.Location]:
        """The names of definitions as locations; what may not be shown is left out."""
        found: list[types.Location] = []
        for target in targets:
            view = snapshot.file(target.path)
            if view is not None and self.allowed(target.path):
                found.append(self.location(symbol_site(view, target.index)))
        return found


def byte_column(line: str, character: int, encoding: object) -> int:
    """Byte column of the client's character offset in a line."""
    from ..text.positions import PositionEncoding, column_of

    column = column_of(line, character, PositionEncoding(str(encoding)))
    return column if line.isascii() else len(line[:column].encode("utf-8", "replace"))
