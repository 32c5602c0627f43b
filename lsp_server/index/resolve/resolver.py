"""Resolves uses of names over one snapshot: scopes, then imports, then packages, then rare names."""

from __future__ import annotations

from collections.abc import Callable

from ...model.facts import NOWHERE, Import, Reference, ReferenceKind, SymbolFlag, SymbolKind
from ...workspace.classify import PathFlag
from ..snapshot import FileView, Snapshot, SymbolId
from . import exports, hierarchy, members, names, receivers
from .changes import changed_grounds
from .languages import rules_for
from .meaning import NOTHING, Meaning
from .memory import Memory
from .paths import folder
from .project import Projects
from .reads import DEFINED, Reads
from .resolution import UNRESOLVED, Resolution
from .rules import Rules
from .tables import FileTable

MAX_DEFINITIONS = 12
"""A name with more definitions than this makes no edge by name alone: it means too many things."""

MAX_CANDIDATES = 4 * MAX_DEFINITIONS
"""Facts of at most so many definitions of one name are looked at."""


MAX_OVERRIDERS = 60
MAX_TABLES = 160
"""Files whose decoded facts outlive a request."""

MAX_REMEMBERED = 50_000
"""Answers that outlive a request: those of some forty failures, at about 500 bytes each."""


class Resolver:
    """Look-ups over one snapshot with a memory of their answers. For one request after the other (see `settle`),
    never for two threads at once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.memory = Memory()
        self.snapshot = Reads(snapshot, self.memory.note)
        self.projects = Projects(snapshot)
        self._whole = snapshot
        self._tables: dict[str, FileTable | None] = {}

    def settle(self) -> bool:
        """A request is over: forget what it found in a circle, so that the next one gets a fresh resolver's answers.

        False when so much is remembered that a new resolver is better.
        """
        self.memory.settle()
        if len(self._tables) > MAX_TABLES:
            self._tables.clear()
        return len(self.memory) < MAX_REMEMBERED

    def follow(self, snapshot: Snapshot) -> bool:
        """Go on with another snapshot and those answers that hold in it as well. Between requests.

        False when none are known to hold: then a new resolver is needed.
        """
        changed = changed_grounds(self._whole, snapshot)
        if changed is None:
            return False
        self.memory.forget(changed)
        for path in self._tables.keys() & changed:
            del self._tables[path]
        self.snapshot = Reads(snapshot, self.memory.note)
        self.projects.follow(snapshot)
        self._whole = snapshot
        return True

    # What requests ask

    def resolve(self, path: str, reference: Reference) -> Resolution:
        """The definitions that `reference`, a use of a name in `path`, may mean."""
        table = self.table(path)
        if table is None:
            return UNRESOLVED
        references = table.facts.references
        index = reference.index
        if not 0 <= index < len(references) or table.facts.names[references.name[index]] != reference.name:
            return UNRESOLVED
        return self.resolve_at(table, index)

    def resolve_at(self, table: FileTable, index: int) -> Resolution:
        """The same for the use at row `index` of a file's references."""
        key = ("use", table.path, index)
        return self.memory.once(key, UNRESOLVED, lambda: receivers.resolution(self, table, index))

    def called_types(self, table: FileTable, index: int) -> tuple[SymbolId, ...]:
        """The types of the result of the call at row `index` of a file's references."""
        return receivers.called_types(self, table, index)

    def resolve_name(self, view: FileView, name: str, symbol: int = NOWHERE) -> Resolution:
        """A bare `name` used inside definition `symbol` (NOWHERE: top level) of `view`."""
        table = self.table(view.path)
        if table is None:
            return UNRESOLVED
        meaning = names.find(self, table, name, symbol, ReferenceKind.READ)
        return Resolution(meaning.definitions, meaning.confidence, meaning.via) if meaning.definitions else UNRESOLVED

    def members(self, target: SymbolId, name: str) -> list[SymbolId]:
        """Definitions of member `name` of a type: its own, then its bases', nearest first."""
        return members.members(self, target, name)

    def bases(self, target: SymbolId) -> list[SymbolId]:
        """The workspace types that a type inherits from or implements, as written, in order."""
        return members.bases(self, target)

    def overriders(self, target: SymbolId, most: int = MAX_OVERRIDERS) -> list[SymbolId]:
        """Members of subtypes outside of tests that take the place of member `target`: where a call may really go."""
        return hierarchy.overriders(self, target, most)

    def implementers(self, target: SymbolId) -> list[SymbolId]:
        """Types outside of tests that inherit from the type `target`, directly or through others, nearest first."""
        return hierarchy.implementers(self, target)

    def import_files(self, view: FileView, entry: Import) -> tuple[str, ...]:
        """Workspace files that `entry` may bring in, best first."""
        table = self.table(view.path)
        return () if table is None else exports.import_files(self, table, entry)

    def importers(self, path: str) -> list[tuple[str, int]]:
        """Files that import `path`, by path, with the line that does."""
        return exports.importers(self, path)

    def exports(self, path: str) -> dict[str, tuple[SymbolId, ...]]:
        """What importers of `path` can get from it, by name: its own definitions and those it passes on."""
        return exports.exports(self, path)

    # What the rules of languages build on

    def in_tests(self, path: str) -> bool:
        """True when the file is a test."""
        known = self.memory.tests.get(path)
        if known is None:
            known = self.memory.tests[path] = PathFlag.TEST in self._whole.flags(path)
        return known

    def table(self, path: str) -> FileTable | None:
        """The tables of a file, None when it is not indexed."""
        self.memory.note(path)
        if path not in self._tables:
            view = self.snapshot.file(path)
            self._tables[path] = (
                None if view is None else FileTable(path, view.language, rules_for(view.language), view.facts)
            )
        return self._tables[path]

    def rules_of(self, path: str) -> Rules:
        """The rules of a file's language, without its facts."""
        return rules_for(self.snapshot.language(path))

    def kind(self, target: SymbolId) -> SymbolKind | None:
        """The kind of a definition."""
        table = self.table(target.path)
        return None if table is None else table.kind(target.index)

    def flagged(self, target: SymbolId, flag: SymbolFlag) -> bool:
        """True when a definition has the flag."""
        table = self.table(target.path)
        return table is not None and table.has_flag(target.index, flag)

    def definitions(self, name: str, family: str) -> list[SymbolId]:
        """All definitions of `name` in the files of a language family, by path. Reads no facts."""
        self.memory.note((DEFINED, name))
        known = self.memory.definitions.get((name, family))
        if known is None:
            families = self.memory.families
            known = list[SymbolId]()
            for target in self.snapshot.definitions(name):
                if target.path not in families:
                    families[target.path] = self.rules_of(target.path).family
                if families[target.path] == family:
                    known.append(target)
            self.memory.definitions[name, family] = known
        return known

    def outer(self, name: str, family: str, where: Callable[[str], bool]) -> list[SymbolId]:
        """Top-level definitions of `name` in files that `where` accepts; none when there are too many to look at."""
        return self._at_top(name, [target for target in self.definitions(name, family) if where(target.path)])

    def outer_in(self, name: str, family: str, place: str, apart_from: str = "") -> list[SymbolId]:
        """The same in the files directly inside folder `place`, one of them left out."""
        self.memory.note((DEFINED, name))
        known = self.memory.by_folder.get((name, family))
        if known is None:
            known = self.memory.by_folder[name, family] = dict[str, list[SymbolId]]()
            for target in self.definitions(name, family):
                known.setdefault(folder(target.path), []).append(target)
        return self._at_top(name, [target for target in known.get(place, ()) if target.path != apart_from])

    def _at_top(self, name: str, near: list[SymbolId]) -> list[SymbolId]:
        if len(near) > MAX_CANDIDATES:
            return []
        found: list[SymbolId] = []
        for target in near:
            table = self.table(target.path)
            if table is not None and target.index in table.top.get(name, ()):
                found.append(target)
        return found

    def exported(self, path: str, name: str, hops: int) -> Meaning:
        """What importers of file `path` get under `name`."""
        return exports.exported(self, path, name, hops)

    def module_member(self, path: str, modules: tuple[str, ...], name: str, hops: int) -> Meaning:
        """What `name` means in the first of `modules` that knows it, by the rules of the file `path`."""
        rules = self.rules_of(path)
        for module in modules:
            found = rules.module_member(self, module, name, hops)
            if found:
                return found
        return NOTHING
