"""Facts: all that one file's text says, in columns. They depend on content and extractor only.

Rows would cost a Python object per reference; columns are `array.array`s of equal length, so that a
file's facts travel between processes and into the store as a few blocks of bytes. Row views
(`Symbol`, `Reference`, `Chunk`) are made when somebody looks.

Strings are kept once in `names` (identifiers as written; `names[0]` is "") and columns hold indices.
All lines are 1-based and closed; all columns are 0-based byte offsets inside the line's UTF-8 bytes.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import IntEnum, IntFlag
from types import MappingProxyType

from .lines import LineRange
from .values import Value

NOWHERE = -1
"""No enclosing symbol, no parent."""

COMPLEX_RECEIVER = -1
"""The receiver is an expression without a name of its own (`f(x).g()`, `a[0].g()`). Every number below it stands for
one whose called function is known: see `ReferenceColumns.called`."""


class SymbolKind(IntEnum):
    """What a definition defines. Values are stored: append only."""

    FUNCTION = 1
    METHOD = 2
    CONSTRUCTOR = 3
    CLASS = 4
    STRUCT = 5
    INTERFACE = 6
    TRAIT = 7
    ENUM = 8
    TYPE = 9
    MODULE = 10
    NAMESPACE = 11
    CONSTANT = 12
    VARIABLE = 13
    FIELD = 14
    PROPERTY = 15
    MACRO = 16
    IMPL = 17
    ENUM_MEMBER = 18


KIND_OF: Mapping[int, SymbolKind] = MappingProxyType({int(kind): kind for kind in SymbolKind})
"""The kind behind a stored value; several times quicker than calling the enumeration."""

CALLABLE_KINDS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.MACRO})
TYPE_KINDS = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.STRUCT,
        SymbolKind.INTERFACE,
        SymbolKind.TRAIT,
        SymbolKind.ENUM,
        SymbolKind.TYPE,
    }
)
CONTAINER_KINDS = TYPE_KINDS | {SymbolKind.MODULE, SymbolKind.NAMESPACE, SymbolKind.IMPL}


class SymbolFlag(IntFlag):
    """What is known of a definition beside its kind. Values are stored: append only."""

    NONE = 0
    TEST = 1
    """A test case, or code inside a test module (`#[cfg(test)]`, a nested fixture)."""
    EXPORTED = 2
    """Visible to importers by the language's own rule."""
    DECLARATION = 4
    """A declaration without a body (header prototype, interface method, overload, stub)."""
    STATIC = 8
    EXTENSION = 16
    """An extension method or property: belongs to `owner`, stands elsewhere."""
    LOCAL = 32
    """Nested in a function: visible only there."""


class ReferenceKind(IntEnum):
    """How a name is used. Values are stored: append only."""

    CALL = 1
    READ = 2
    TYPE = 3
    INHERIT = 4
    ATTRIBUTE = 5
    DECORATOR = 6
    IMPORT = 7


_USE_OF: Mapping[int, ReferenceKind] = MappingProxyType({int(kind): kind for kind in ReferenceKind})


class ChunkKind(IntEnum):
    """What a chunk is. Values are stored: append only."""

    FUNCTION = 1
    """A whole function, method or constructor."""
    HEAD = 2
    """A container (class, impl, module) without the members that are chunks of their own."""
    BLOCK = 3
    """Top-level code between definitions."""
    WINDOW = 4
    """A window of lines of a file without a grammar."""
    TYPE = 5
    """A whole small type (enum, alias, interface, struct without methods)."""


_CHUNK_OF: Mapping[int, ChunkKind] = MappingProxyType({int(kind): kind for kind in ChunkKind})


class FactFlag(IntFlag):
    """What the content says of the whole file. Values are stored: append only."""

    NONE = 0
    GENERATED = 1
    MINIFIED = 2
    TRUNCATED = 4
    """Over a limit: only the first part was parsed or split."""


def _ints() -> array[int]:
    return array("i")


class SymbolColumns(Value):
    """One entry a definition, in order of start position.

    `owner` is the name index of the type a definition belongs to when it is not nested in it (Go
    receiver, `Foo::bar` in C++, Rust `impl Foo`, extension methods), else 0. `start..end` spans the
    whole definition with its decorators or attributes; `doc` is the first line of the comment block
    directly above (== `start` when there is none); `body` is the first line of the body, so the
    signature is `start..max(start, body - 1)` or `start` itself for one-liners.
    """

    name: array[int] = field(default_factory=_ints)
    kind: array[int] = field(default_factory=_ints)
    flags: array[int] = field(default_factory=_ints)
    parent: array[int] = field(default_factory=_ints)
    owner: array[int] = field(default_factory=_ints)
    start: array[int] = field(default_factory=_ints)
    end: array[int] = field(default_factory=_ints)
    doc: array[int] = field(default_factory=_ints)
    body: array[int] = field(default_factory=_ints)
    name_line: array[int] = field(default_factory=_ints)
    name_column: array[int] = field(default_factory=_ints)

    def __len__(self) -> int:
        return len(self.name)


class ReferenceColumns(Value):
    """One entry a use of a name, in order of position. Locals and parameters are left out.

    `symbol` is the innermost enclosing definition (NOWHERE at top level). `receiver` is the name
    index of what stands before the separator (`x` in `x.get()`, `super`, `self`), 0 when there is
    no receiver, COMPLEX_RECEIVER when it has no name, and `COMPLEX_RECEIVER - n` when it is the result of
    the call in the row n above (`f(x)` in `f(x).g()`).
    """

    name: array[int] = field(default_factory=_ints)
    kind: array[int] = field(default_factory=_ints)
    line: array[int] = field(default_factory=_ints)
    column: array[int] = field(default_factory=_ints)
    symbol: array[int] = field(default_factory=_ints)
    receiver: array[int] = field(default_factory=_ints)

    def __len__(self) -> int:
        return len(self.name)

    def called(self, index: int) -> int:
        """The row of the call whose result the use at `index` is on; NOWHERE when that is not known."""
        receiver = self.receiver[index]
        return NOWHERE if receiver >= COMPLEX_RECEIVER else index + receiver - COMPLEX_RECEIVER


class BindingColumns(Value):
    """What is known of a variable's type: `x: Foo`, `x = Foo()`, `self.x = Foo()`, `Foo x`, `x := NewFoo()`.

    `symbol` is the definition in whose scope the variable lives (the class for fields); `type` is the
    name index of the written type or of the called constructor or factory.
    """

    name: array[int] = field(default_factory=_ints)
    type: array[int] = field(default_factory=_ints)
    symbol: array[int] = field(default_factory=_ints)
    line: array[int] = field(default_factory=_ints)

    def __len__(self) -> int:
        return len(self.name)


class ChunkColumns(Value):
    """One entry a chunk, in order of start line; chunks of one file never overlap and skip only blank lines.

    `symbol` is the definition it shows (NOWHERE for blocks and windows); `length` its number of
    terms with repeats; `bytes` its UTF-8 size. The terms of chunk i are entries
    `first[i]..first[i+1]-1` of `FileFacts.term` / `term_count`, so `first` has one entry more.
    """

    start: array[int] = field(default_factory=_ints)
    end: array[int] = field(default_factory=_ints)
    kind: array[int] = field(default_factory=_ints)
    symbol: array[int] = field(default_factory=_ints)
    length: array[int] = field(default_factory=_ints)
    bytes: array[int] = field(default_factory=_ints)
    first: array[int] = field(default_factory=lambda: array("i", [0]))

    def __len__(self) -> int:
        return len(self.start)


class Import(Value):
    """One imported name, or one whole module.

    `module` is the specifier as written (`..pkg.mod`, `./b.js`, `github.com/x/y`, `crate::a::b`,
    `"util.h"`, `App\\Models`); `name` the imported name (`*` for all, "" for the module itself);
    `alias` what it is called here; `reexport` when importers of this file can see it from here.
    """

    module: str
    name: str
    alias: str
    line: int
    reexport: bool = False


class Problem(Value):
    """A place where the text did not parse. Lines are 1-based."""

    line: int
    message: str


class FileFacts(Value):
    """All facts of one file.

    `language` is a registry id, "" for a text without a grammar. `size` in UTF-8 bytes, `lines` the
    number of lines. `terms` are the search terms (lower case, split and whole), used through `term`
    (indices into `terms`) and `term_count`, chunk by chunk. `package` is the package, namespace or
    module path that the file itself declares (Go, Java, Kotlin, C#, PHP, Scala), else "".
    `project` are key/value pairs of a project file that name resolution needs: `("module", "github.com/x/y")`
    of a go.mod, `("paths:@/*", "src/*")` of a tsconfig.json, `("name", "@vue/shared")` of a package.json.
    """

    language: str
    content_hash: str
    size: int
    lines: int
    names: tuple[str, ...] = ("",)
    symbols: SymbolColumns = field(default_factory=SymbolColumns)
    references: ReferenceColumns = field(default_factory=ReferenceColumns)
    bindings: BindingColumns = field(default_factory=BindingColumns)
    imports: tuple[Import, ...] = ()
    chunks: ChunkColumns = field(default_factory=ChunkColumns)
    terms: tuple[str, ...] = ()
    term: array[int] = field(default_factory=_ints)
    term_count: array[int] = field(default_factory=_ints)
    package: str = ""
    project: tuple[tuple[str, str], ...] = ()
    problems: tuple[Problem, ...] = ()
    flags: FactFlag = FactFlag.NONE

    def symbol(self, index: int) -> Symbol:
        """The definition at `index` as a row."""
        columns = self.symbols
        name = self.names[columns.name[index]]
        return Symbol(
            index=index,
            name=name,
            qualified_name=self.qualified_name(index),
            kind=KIND_OF[columns.kind[index]],
            flags=SymbolFlag(columns.flags[index]),
            parent=columns.parent[index],
            owner=self.names[columns.owner[index]],
            range=LineRange(columns.start[index], columns.end[index]),
            doc=columns.doc[index],
            body=columns.body[index],
            name_line=columns.name_line[index],
            name_column=columns.name_column[index],
        )

    def qualified_name(self, index: int) -> str:
        """Dotted name inside the file: `Outer.inner`, with the owner in front of a detached method."""
        columns = self.symbols
        parts: list[str] = []
        at = index
        while at != NOWHERE:
            name = self.names[columns.name[at]]
            owner = self.names[columns.owner[at]]
            if columns.kind[at] == SymbolKind.IMPL:
                name, owner = owner or name, ""
            parts.append(f"{owner}.{name}" if owner else name)
            at = columns.parent[at]
        return ".".join(reversed([part for part in parts if part]))

    def iter_symbols(self) -> Iterator[Symbol]:
        """All definitions as rows, in order of start."""
        return (self.symbol(index) for index in range(len(self.symbols)))

    def reference(self, index: int) -> Reference:
        """The use of a name at `index` as a row."""
        columns = self.references
        receiver = columns.receiver[index]
        return Reference(
            index=index,
            name=self.names[columns.name[index]],
            kind=_USE_OF[columns.kind[index]],
            line=columns.line[index],
            column=columns.column[index],
            symbol=columns.symbol[index],
            receiver=None if receiver == 0 else "" if receiver < 0 else self.names[receiver],
        )

    def iter_references(self) -> Iterator[Reference]:
        """All uses as rows, in order of position."""
        return (self.reference(index) for index in range(len(self.references)))

    def chunk(self, index: int) -> Chunk:
        """The chunk at `index` as a row."""
        columns = self.chunks
        return Chunk(  # by place: thousands are made in a request
            index,
            LineRange(columns.start[index], columns.end[index]),
            _CHUNK_OF[columns.kind[index]],
            columns.symbol[index],
            columns.length[index],
            columns.bytes[index],
        )

    def iter_chunks(self) -> Iterator[Chunk]:
        """All chunks as rows, in order of start."""
        return (self.chunk(index) for index in range(len(self.chunks)))

    def enclosing(self, line: int) -> Symbol | None:
        """The innermost definition whose range holds the 1-based `line`."""
        columns = self.symbols
        best = NOWHERE
        for index in range(len(columns)):
            if columns.start[index] > line:
                break
            if columns.end[index] >= line and (best == NOWHERE or columns.start[index] >= columns.start[best]):
                best = index
        return None if best == NOWHERE else self.symbol(best)


class Symbol(Value):
    """A definition. `receiver`-less row view of SymbolColumns; see there for the fields."""

    index: int
    name: str
    qualified_name: str
    kind: SymbolKind
    flags: SymbolFlag
    parent: int
    owner: str
    range: LineRange
    doc: int
    body: int
    name_line: int
    name_column: int

    @property
    def signature(self) -> LineRange:
        """Lines of the signature, decorators included."""
        return LineRange(self.range.start, max(self.range.start, min(self.range.end, self.body - 1)))

    @property
    def is_callable(self) -> bool:
        """True for functions, methods, constructors and macros."""
        return self.kind in CALLABLE_KINDS


class Reference(Value):
    """A use of a name. `receiver` is None without one, "" when it has no name of its own."""

    index: int
    name: str
    kind: ReferenceKind
    line: int
    column: int
    symbol: int
    receiver: str | None


class Chunk(Value):
    """A unit of search and of packing."""

    index: int
    range: LineRange
    kind: ChunkKind
    symbol: int
    length: int
    bytes: int
