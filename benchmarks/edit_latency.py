"""Edits of an open document: until the snapshot that holds them is published, against a full parse of that file."""

from __future__ import annotations

import random
from pathlib import Path

from lsp_server.session.documents import TextChange
from lsp_server.session.session import Session
from lsp_server.syntax.languages import Language, language_for
from lsp_server.syntax.parse import parse
from lsp_server.text.hashing import content_hash
from lsp_server.text.line_table import split_lines
from lsp_server.text.positions import PositionEncoding, WirePosition, WireRange

from .corpora import code_files
from .measuring import Spent, median, ratios, timed
from .options import Options
from .report import Row
from .sessions import indexed

FIGURE = "edit latency"
REACH = 0.6
LINES = 5_000
WORDS = ("value", "  ", "x = 1", "", "a.b(c)", "\n", "é", "name")


def measure(options: Options) -> list[Row]:
    """A long file edited here and there; then many edits in a row, none of which may be lost."""
    name, corpus = options.corpora[0]
    lines = LINES if options.scale.corpus_files is None else 600
    path, text = long_file(corpus, lines)
    root = options.scratch / "edited"
    root.mkdir(parents=True)
    (root / path).write_text(text, encoding="utf-8")
    with indexed(root, options.scratch / "edited-cache") as session:
        rows = [_long_file(options, name, session, root / path, text)]
        rows.append(_in_a_row(options, name, session, root / path))
    return rows


def long_file(corpus: Path, lines: int) -> tuple[str, str]:
    """(name, text) of about `lines` lines of real code in one file that parses without an error."""
    parts: list[str] = []
    count, ending = 0, ""
    for path in code_files(corpus):
        suffix = Path(path).suffix
        language = language_for(path)
        if language is None or (ending and suffix != ending):
            continue
        data = (corpus / path).read_bytes()
        if len(data) < 2_000 or parse(language, data).tree.root_node.has_error or b"from __future__" in data:
            continue
        ending = suffix
        text = data.decode("utf-8", "replace")
        parts.append(text if text.endswith("\n") else text + "\n")
        count += parts[-1].count("\n")
        if count >= lines:
            break
    return f"long{ending}", "".join(parts)


def _long_file(options: Options, name: str, session: Session, file: Path, text: str) -> Row:
    uri = file.as_uri()
    document = session.document_opened(uri, "", 1, text)
    session.snapshot()
    language = language_for(file.name)
    assert language is not None
    chooser = random.Random(5)
    edits: list[Spent] = []
    parses: list[Spent] = []
    for version in range(2, options.scale.edits + 2):
        row, column = _name_in(document.text, chooser)
        edits.append(timed(lambda row=row, column=column, version=version: _edit(session, uri, version, row, column)))
        document = session.documents.get(uri) or document
        parses.append(_parse_time(language, document.text))
    view = session.snapshot().file(document.key)
    assert view is not None
    assert view.content_hash == content_hash(document.text)
    session.document_closed(uri)
    wall, cpu = ratios(edits, parses)
    note = (
        f"CPU {cpu:.2f} x; {text.count(chr(10))} lines, {len(text) / 1e3:.0f} kB; edit "
        f"{median([spent.cpu for spent in edits]) * 1e3:.0f} ms, parse "
        f"{median([spent.cpu for spent in parses]) * 1e3:.0f} ms of CPU"
    )
    return Row(FIGURE, name, "published edit / full parse", wall, reach=REACH, note=note, detail={"cpu": cpu})


def _name_in(text: str, chooser: random.Random) -> tuple[int, int]:
    """The line and column after some word of code that is indented, where one more letter makes another name."""
    lines = split_lines(text)[0]
    while True:
        row = chooser.randrange(len(lines))
        line = lines[row]
        at = line.find("self.")
        at = at + 5 if at >= 0 else line.find("return ") + 7
        if at > 11 and line[:4] == "    " and line[at : at + 1].isalpha():
            return row, at + 1


def _edit(session: Session, uri: str, version: int, row: int, column: int) -> None:
    place = WirePosition(row, column)
    session.document_changed(uri, version, [TextChange(WireRange(place, place), "q")], PositionEncoding.UTF16)
    session.snapshot()


def _parse_time(language: Language, text: str) -> Spent:
    source = text.encode()
    return timed(lambda: parse(language, source))


def _in_a_row(options: Options, name: str, session: Session, file: Path) -> Row:
    """Edits at random places, breaking and mending the code, none waited for."""
    uri = file.as_uri()
    text = "def first(value):\n    return value\n\n\nclass Second:\n    def third(self):\n        return first(self)\n"
    session.document_opened(uri, "", 1, text)
    chooser = random.Random(7)
    wanted = text
    for version in range(2, options.scale.edits_in_a_row + 2):
        lines = split_lines(wanted)[0]
        row = chooser.randrange(len(lines))
        column = chooser.randrange(len(lines[row]) + 1)
        if len(wanted) > 4_000:
            change, wanted = TextChange(None, text), text
        else:
            word = chooser.choice(WORDS)
            place = WirePosition(row, column)
            change = TextChange(WireRange(place, place), word)
            at = sum(len(line) + 1 for line in lines[:row]) + column
            wanted = wanted[:at] + word + wanted[at:]
        session.document_changed(uri, version, [change], PositionEncoding.UTF16)
    document = session.documents.get(uri)
    view = None if document is None else session.snapshot().file(document.key)
    lost = int(document is None or document.text != wanted or view is None or view.content_hash != content_hash(wanted))
    session.document_closed(uri)
    note = "text and index equal what was typed"
    return Row(FIGURE, name, f"edits lost of {options.scale.edits_in_a_row} in a row", lost, "", 0, note)
