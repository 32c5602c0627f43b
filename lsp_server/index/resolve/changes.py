"""What lies between two snapshots, as the grounds of those answers that it may change."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.facts import FileFacts, ReferenceKind
from ..segment import import_keys
from ..snapshot import Snapshot
from .reads import DEFINED, IMPORTING, INHERITED, RENAMED, SITES, USED, Ground


def changed_grounds(before: Snapshot, after: Snapshot) -> set[Ground] | None:
    """The grounds that differ; None when files came or went, or their languages, packages or projects differ."""
    changed: set[Ground] = set()
    for path in before.entries.differing(after.entries):
        old, new = before.entries.get(path), after.entries.get(path)
        if old is None or new is None or (old.language, old.flags) != (new.language, new.flags):
            return None
        if old.content_hash != new.content_hash:
            was, now = before.cache.facts(old), after.cache.facts(new)
            if (was.package, was.project) != (now.package, now.project):
                return None
            changed.add(path)
            changed.update(_in_file(was, now))
    return changed


def _in_file(was: FileFacts, now: FileFacts) -> Iterator[Ground]:
    """What differs between two facts of one file by a name."""
    for kind, old, new in ((DEFINED, _defined(was), _defined(now)), (INHERITED, _bases(was), _bases(now))):
        yield from ((kind, name) for name in old.keys() | new.keys() if old.get(name) != new.get(name))
    old, new = _used(was), _used(now)
    yield from ((USED, name) for name in old ^ new)
    yield from ((SITES, name) for name in old | new)
    yield from ((RENAMED, name) for name in _renamed(was) ^ _renamed(now))
    yield from ((IMPORTING, word) for word in _import_words(was) ^ _import_words(now))


def _defined(facts: FileFacts) -> dict[str, list[int]]:
    """Rows of definitions by name."""
    found: dict[str, list[int]] = {}
    for row, name in enumerate(facts.symbols.name):
        found.setdefault(facts.names[name], []).append(row)
    return found


def _bases(facts: FileFacts) -> dict[str, list[int]]:
    """Rows of uses as a base by name."""
    found: dict[str, list[int]] = {}
    references = facts.references
    for row, kind in enumerate(references.kind):
        if kind == ReferenceKind.INHERIT:
            found.setdefault(facts.names[references.name[row]], []).append(row)
    return found


def _used(facts: FileFacts) -> set[str]:
    return {facts.names[name] for name in set(facts.references.name)}


def _renamed(facts: FileFacts) -> set[str]:
    return {entry.name for entry in facts.imports if entry.name and entry.alias not in ("", entry.name)}


def _import_words(facts: FileFacts) -> set[str]:
    return {word for entry in facts.imports for word in import_keys(entry.module, entry.name)}
