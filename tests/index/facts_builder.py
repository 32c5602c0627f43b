"""Small made-up FileFacts for index tests: no parser, every column filled in a consistent way."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from lsp_server.model.facts import (
    NOWHERE,
    BindingColumns,
    ChunkColumns,
    ChunkKind,
    FileFacts,
    Import,
    Problem,
    ReferenceColumns,
    ReferenceKind,
    SymbolColumns,
    SymbolKind,
)


@dataclass
class FactsBuilder:
    """Collects definitions, uses and chunks of one made-up file; each chunk takes ten lines."""

    language: str = "python"
    package: str = ""
    names: list[str] = field(default_factory=lambda: [""])
    symbols: SymbolColumns = field(default_factory=SymbolColumns)
    references: ReferenceColumns = field(default_factory=ReferenceColumns)
    bindings: BindingColumns = field(default_factory=BindingColumns)
    imports: list[Import] = field(default_factory=list)
    chunks: ChunkColumns = field(default_factory=ChunkColumns)
    terms: list[str] = field(default_factory=list)
    term: array[int] = field(default_factory=lambda: array("i"))
    term_count: array[int] = field(default_factory=lambda: array("i"))
    problems: list[Problem] = field(default_factory=list)

    def name(self, name: str) -> int:
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def define(self, name: str, kind: SymbolKind = SymbolKind.FUNCTION, parent: int = NOWHERE) -> int:
        columns = self.symbols
        start = 10 * len(columns) + 1
        row = (self.name(name), kind, 0, parent, 0, start, start + 9, start, start + 1, start, 4)
        for column, value in zip(
            ("name", "kind", "flags", "parent", "owner", "start", "end", "doc", "body", "name_line", "name_column"),
            row,
            strict=True,
        ):
            getattr(columns, column).append(int(value))
        return len(columns) - 1

    def use(
        self, name: str, kind: ReferenceKind = ReferenceKind.CALL, symbol: int = NOWHERE, receiver: int = 0
    ) -> None:
        columns = self.references
        columns.name.append(self.name(name))
        columns.kind.append(int(kind))
        columns.line.append(len(columns.line) + 1)
        columns.column.append(300)
        columns.symbol.append(symbol)
        columns.receiver.append(receiver)

    def chunk(self, words: Sequence[str], symbol: int = NOWHERE) -> None:
        columns = self.chunks
        start = 10 * len(columns) + 1
        columns.start.append(start)
        columns.end.append(start + 9)
        columns.kind.append(int(ChunkKind.FUNCTION))
        columns.symbol.append(symbol)
        columns.length.append(len(words))
        columns.bytes.append(sum(map(len, words)))
        for word, count in Counter(words).items():
            if word not in self.terms:
                self.terms.append(word)
            self.term.append(self.terms.index(word))
            self.term_count.append(count)
        columns.first.append(len(self.term))

    def facts(self) -> FileFacts:
        """The facts; the content hash is of all columns."""
        parts = (self.names, self.symbols, self.references, self.chunks, self.terms, self.term, self.term_count)
        seen = repr((self.language, self.package, self.imports, self.problems, *parts))
        return FileFacts(
            language=self.language,
            content_hash=sha256(seen.encode("utf-8", "surrogatepass")).hexdigest(),
            size=len(seen),
            lines=10 * max(1, len(self.chunks)),
            names=tuple(self.names),
            symbols=self.symbols,
            references=self.references,
            bindings=self.bindings,
            imports=tuple(self.imports),
            chunks=self.chunks,
            terms=tuple(self.terms),
            term=self.term,
            term_count=self.term_count,
            package=self.package,
            problems=tuple(self.problems),
        )


NAMES = ("alpha", "Alpha", "beta", "parse_row", "parseRow", "ParseRows", "größe", "GRÖSSE", "get", "x", "Ångström")
WORDS = ("alpha", "beta", "parse", "row", "the", "größe", "self", "key", "value", "数")
LANGUAGES = ("python", "go", "typescript", "")


def random_facts(random: random.Random, chunks: int = 4) -> FileFacts:
    """Facts of a made-up file; a few words are so frequent that their idf is negative."""
    builder = FactsBuilder(language=random.choice(LANGUAGES), package=random.choice(("", "", "pkg.a", "pkg.b")))
    for _ in range(random.randrange(4)):
        builder.define(random.choice(NAMES), random.choice(tuple(SymbolKind)))
    if random.random() < 0.3:
        builder.define("", SymbolKind.IMPL)
    for _ in range(random.randrange(6)):
        builder.use(random.choice(NAMES), random.choice(tuple(ReferenceKind)))
    for _ in range(random.randrange(chunks + 1)):
        words = random.choices(WORDS, k=random.randrange(1, 9))
        if random.random() < 0.8:
            words += ["the"] * random.randrange(1, 3)
        if random.random() < 0.02:
            words += ["key"] * 300
        builder.chunk(words, random.randrange(-1, len(builder.symbols)))
    for _ in range(random.randrange(3)):
        builder.imports.append(
            Import(random.choice((".", "..pkg.mod", "./b.js", "a/b", '"util.h"')), random.choice(("", "*", "x")), "", 1)
        )
    if random.random() < 0.2:
        builder.problems.append(Problem(3, "missing )"))
    return builder.facts()
