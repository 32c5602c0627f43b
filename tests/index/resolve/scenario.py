"""A small workspace in one text, and the table of what each use in it resolves to.

Files start with a line `=== path`. The table has one line a use: place, kind, the name with its receiver,
then the definitions it means, the rule that found them and how sure it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from lsp_server.index.resolve import Resolver
from lsp_server.index.snapshot import Snapshot, SymbolId
from lsp_server.index.writer import IndexWriter, Put
from lsp_server.model.facts import NOWHERE, Reference
from lsp_server.syntax.extract import extract
from lsp_server.syntax.languages import language_for
from lsp_server.workspace.classify import classify

MARK = "=== "


def files_of(scenario: str) -> dict[str, str]:
    """The files of a scenario by path."""
    files: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in scenario.splitlines(keepends=True):
        if line.startswith(MARK):
            lines = files.setdefault(line.removeprefix(MARK).strip(), [])
        else:
            lines.append(line)
    return {path: "".join(text) for path, text in files.items()}


def snapshot_of(files: dict[str, str]) -> Snapshot:
    """The index of the files."""
    puts: list[Put] = []
    for path, text in files.items():
        facts = extract(language_for(path, text.split("\n", 1)[0]), text)
        puts.append(Put(path, facts, classify(path)))
    return IndexWriter().apply(puts)


def table_of(snapshot: Snapshot) -> str:
    """What each use in the workspace resolves to, file by file."""
    return "\n".join(_lines(snapshot)) + "\n"


def _lines(snapshot: Snapshot) -> Iterator[str]:
    resolver = Resolver(snapshot)
    for path in snapshot.paths():
        view = snapshot.file(path)
        assert view is not None
        imports = [(entry, resolver.import_files(view, entry)) for entry in view.facts.imports]
        uses = list(view.facts.iter_references())
        if not uses and not any(files for _, files in imports):
            continue
        yield f"{MARK}{path}"
        for entry, files in imports:
            if files:
                yield f"{entry.line:4}  import {entry.module} | {entry.name or '-'}  ->  {'  '.join(files)}"
        for use in uses:
            called = view.facts.references.called(use.index)
            on = "" if called == NOWHERE else view.facts.names[view.facts.references.name[called]] + "()"
            yield _line(snapshot, resolver, path, use, on)
        yield ""


def _line(snapshot: Snapshot, resolver: Resolver, path: str, use: Reference, on: str) -> str:
    found = resolver.resolve(path, use)
    receiver = "" if use.receiver is None else f"{use.receiver or on or '…'}."
    head = f"{use.line:4}  {use.kind.name.lower()} {receiver}{use.name}"
    if found.confident:
        places = "  ".join(_place(snapshot, each) for each in found.targets)
        return f"{head}  ->  {places}  ({found.via} {found.confidence:.2f})"
    if found.targets:
        return f"{head}  ?  {len(found.targets)} by name"
    return f"{head}  -"


def _place(snapshot: Snapshot, target: SymbolId) -> str:
    symbol = snapshot.symbol(target)
    return f"{target.path}:{symbol.name_line}:{symbol.qualified_name}"
