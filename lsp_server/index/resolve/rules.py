"""What differs between languages when a name is looked up: one subclass a language, without state."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from ...model.facts import CONTAINER_KINDS, Import, ReferenceKind, SymbolKind
from ..snapshot import SymbolId
from .meaning import NOTHING, Meaning

if TYPE_CHECKING:
    from .resolver import Resolver
    from .tables import FileTable

GUESS = 0.3
"""A name that is defined once in the workspace but that nothing ties to its use."""

UNIQUE = 0.6
"""The same in a language whose names need no import."""

_TYPE_USES = frozenset({ReferenceKind.TYPE, ReferenceKind.INHERIT})
_TYPE_MEANINGS = CONTAINER_KINDS | {SymbolKind.MACRO}

NO_KINDS: frozenset[SymbolKind] = frozenset()


class Rules:
    """The rules of a language. This one knows scopes inside one file and nothing else.

    - `family` groups languages whose files may use each other's names.
    - `implicit_members`: a bare name may mean a member of the enclosing type; `extension_members`: also inside
      an extension; `class_body_members`: only directly in the type's body.
    - `self_names` mean the enclosing type, `super_names` its bases, `self_types` are written for it as a type.
    - `transparent` containers do not hide their names from the rest of the file.
    - `detached`: members may stand outside their type; `embedded`: a base is a field of its own name, too.
    - `overloads`: many functions may have one name in one place; a variable may have the name of a namespace.
    - `overloaded_extensions`: one extension is often written for many parameter lists.
    - `types_apart`: where a type is written, only types and macros can be meant.
    - `function_types`: a function may be a type whose members are assigned to it.
    - `paired`: declarations and definitions belong together.
    - `fields_and_methods`: a type may have a field and a method of one name; a use without brackets is the field.
    - `private_imports`: what a file imports may be named through it by parts of the same module.
    - `test_runners` are calls whose string argument is a test's title, no name.
    - `library_roots` start receivers that are no code of the workspace.
    - `member_names` are members that stand for another (`new` for `initialize`), `same_names` give what they are
      called on.
    - `error_names` give what the call before them failed with.
    - `converters` are members that make a value of the type that their use asks for (`text.parse::<Type>()`), and the
      member of that type which does it.
    - `modules_apart`: a module and a function or type may have one name in one place.
    - `binds_members`: of `x = y.member()` the member is known to be what `x` comes from, not `y`.
    - `binding_lines`: the type of a variable stands at most so many lines below its name.
    - `static_members`: what members a type has is known before the program runs.
    - `property_calls`: a member without brackets may be a call, so its written result counts.
    - `unique` is the confidence of a name that is defined once, `unique_kinds` limits it to some kinds.
    - `builtin_names` are known everywhere and mean no definition that is not in scope.
    """

    family: str = ""
    implicit_members: bool = False
    extension_members: bool = False
    class_body_members: bool = True
    self_names: frozenset[str] = frozenset({"self", "this"})
    super_names: frozenset[str] = frozenset({"super"})
    self_types: frozenset[str] = frozenset({"Self"})
    transparent: frozenset[SymbolKind] = NO_KINDS
    detached: bool = False
    overloaded_extensions: bool = False
    overloads: bool = False
    embedded: bool = False
    types_apart: bool = False
    function_types: bool = False
    paired: bool = False
    fields_and_methods: bool = False
    private_imports: bool = False
    test_runners: frozenset[str] = frozenset()
    library_roots: frozenset[str] = frozenset()
    member_names: Mapping[str, str] = MappingProxyType({})
    same_names: frozenset[str] = frozenset()
    error_names: frozenset[str] = frozenset()
    converters: Mapping[str, str] = MappingProxyType({})
    modules_apart: bool = False
    binds_members: bool = False
    binding_lines: int = 3
    property_calls: bool = False
    static_members: bool = False
    unique: float = GUESS
    unique_kinds: frozenset[SymbolKind] = NO_KINDS
    builtin_names: frozenset[str] = frozenset()

    def __init__(self, family: str = "") -> None:
        self.family = self.family or family

    def module(self, resolver: Resolver, table: FileTable, entry: Import) -> Meaning:
        """What the module of an import is; nothing for libraries."""
        del resolver, table, entry
        return NOTHING

    def whole_module(self, resolver: Resolver, table: FileTable, entry: Import) -> Meaning:
        """The module that an import names, where its name in the file means only a part (`import a.b`)."""
        return self.module(resolver, table, entry)

    def module_member(self, resolver: Resolver, module: str, name: str, hops: int) -> Meaning:
        """What `name` means inside a module. `hops` re-exports may still be followed."""
        return resolver.exported(module, name, hops)

    def module_files(self, resolver: Resolver, module: str) -> tuple[str, ...]:
        """The files of a module."""
        return (module,) if resolver.snapshot.has(module) else ()

    def root(self, resolver: Resolver, table: FileTable, name: str, symbol: int) -> Meaning:
        """A word that starts a receiver and is no variable and no captured name (`crate`, a namespace)."""
        del resolver, table, name, symbol
        return NOTHING

    def by_path(self, resolver: Resolver, table: FileTable, path: tuple[str, ...], symbol: int) -> Meaning:
        """What a name written with its containers (`A::B::name`) means, where the first of them is no help."""
        del resolver, table, path, symbol
        return NOTHING

    def visible(self, resolver: Resolver, table: FileTable, name: str, symbol: int) -> Meaning:
        """What a bare `name` means without an import: same package, namespace, included files."""
        del resolver, table, name, symbol
        return NOTHING

    def completed(self, resolver: Resolver, meaning: Meaning) -> Meaning:
        """`meaning` of a bare name with what belongs to its definitions: bodies of declarations."""
        del resolver
        return meaning

    def owns(self, resolver: Resolver, target: SymbolId, member_path: str) -> bool:
        """True when a member that stands in `member_path` may belong to the type `target`."""
        del resolver, target, member_path
        return True

    def put_into(self, resolver: Resolver, target: SymbolId) -> list[SymbolId]:
        """Functions that are put into the field `target`: a call of it may run any of them."""
        del resolver, target
        return []

    def other_parts(self, resolver: Resolver, table: FileTable, target: SymbolId) -> list[SymbolId]:
        """Other places where the same type is defined (partial classes, reopened modules)."""
        del resolver, table, target
        return []

    def extends(self, resolver: Resolver, table: FileTable, target: SymbolId) -> bool:
        """True when the extension `target` is known to be in reach of a file, though the receiver's type is not."""
        del resolver, table, target
        return False

    def shared(self, resolver: Resolver, target: SymbolId) -> bool:
        """True when other files may use a definition by its bare name."""
        del resolver, target
        return True

    def fits(self, use: ReferenceKind, kind: SymbolKind) -> bool:
        """True when a use of this kind may mean a definition of that kind."""
        return not self.types_apart or use not in _TYPE_USES or kind in _TYPE_MEANINGS

    def importer_words(self, resolver: Resolver, path: str) -> tuple[str, ...]:
        """Words under which imports of `path` may be listed in the index."""
        del resolver
        *folders, name = path.split("/")
        return (name, name.partition(".")[0], *folders[-1:])
