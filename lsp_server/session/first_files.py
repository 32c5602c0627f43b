"""Which files a request needs first while most are not indexed yet: those it names, and those they import.

By names alone, as nothing is indexed that could tell: a few files too many cost little.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from posixpath import dirname, normpath
from typing import TYPE_CHECKING

from ..model.values import Value
from ..syntax.languages import code_language

if TYPE_CHECKING:
    from ..index.snapshot import Snapshot
    from ..model.facts import Import
    from ..model.request import BuildRequest

MAX_NAMED = 200
"""Files that one request may move to the front because it names them."""

MAX_NAMESAKES = 24
"""Of a file name without its folder so many files may be meant."""

MAX_IMPORTED = 32
"""Files that are moved to the front because the named ones import them."""

_FILE_PATH = re.compile(r"[\w.+\-@/]+\.\w{1,12}")
_SCANNED_TEXT = 2_000_000
_WORD = re.compile(r"\w+")
_INDEX_NAMES = ("__init__", "index", "mod", "lib")
"""Files that stand for their folder."""


class Said(Value):
    """What a request says of files: paths that it gives as such, and what looks like one in a command's output."""

    exact: frozenset[str]
    written: tuple[str, ...]


def said_in(request: BuildRequest) -> Said:
    """What `request` says of files."""
    return Said(_said_exactly(request), _written(request))


def languages_said(said: Said) -> list[str]:
    """Languages of the files that a request speaks of, the one that most are written in first."""
    found = Counter(language for path in (*sorted(said.exact), *said.written) if (language := code_language(path)))
    return [language for language, _ in found.most_common()]


def files_named(said: Said, pending: Sequence[str]) -> list[str]:
    """Those of the `pending` files that a request speaks of, the surest first."""
    by_name: dict[str, list[str]] = {}
    for path in pending:
        by_name.setdefault(path.rpartition("/")[2], []).append(path)
    found: dict[str, None] = dict.fromkeys(path for path in pending if path in said.exact)
    loose: dict[str, None] = {}
    for name in said.written:
        same = by_name.get(name.rpartition("/")[2], ())
        sure = [path for path in same if path == name] or [path for path in same if _ends_alike(path, name)]
        # Many files may share a name: where the folders agree with one, the others are not meant.
        found.update(dict.fromkeys(sure[:MAX_NAMESAKES]))
        if not sure:
            loose.update(dict.fromkeys(same[:MAX_NAMESAKES]))
    return list(found | loose)[:MAX_NAMED]


def files_known(said: Said, snapshot: Snapshot) -> list[str]:
    """Indexed files that a request speaks of, as those are that are open: what they import may still be pending."""
    found = dict.fromkeys(path for path in sorted(said.exact) if snapshot.has(path))
    for name in said.written:
        same = snapshot.paths_named(name.rpartition("/")[2])[:MAX_NAMESAKES]
        found.update(dict.fromkeys(path for path in same if path == name or _ends_alike(path, name)))
    return list(found)[:MAX_NAMED]


def _said_exactly(request: BuildRequest) -> frozenset[str]:
    """Paths that the request gives as such."""
    exact = {diagnostic.path for diagnostic in request.diagnostics}
    exact |= {mention.path for mention in request.mentions if mention.path} | set(request.open_documents)
    return frozenset(exact) | {
        place.path for place in (*request.recent_edits, *([request.cursor] if request.cursor else []))
    }


def _written(request: BuildRequest) -> tuple[str, ...]:
    """What looks like a path in the output of a failing command."""
    written: dict[str, None] = {}
    for output in request.failure_output:
        text = output.data if isinstance(output.data, str) else output.data.decode("utf-8", "replace")
        written.update(dict.fromkeys(_FILE_PATH.findall(text[-_SCANNED_TEXT:])))
    return tuple(written)


def _ends_alike(path: str, written: str) -> bool:
    """`written` may begin above the workspace, or below its top; a bare name tells no folder."""
    if written.endswith("/" + path):
        return True
    return "/" in written and path.endswith("/" + written.lstrip("./"))


def files_imported(snapshot: Snapshot, named: Iterable[str], pending: Sequence[str]) -> list[str]:
    """Pending files that look like what the `named` files import, by the path that the module's name spells."""
    places = _Places(pending)
    found: dict[str, None] = {}
    for path in named:
        for entry in _imports(snapshot, path):
            found.update(dict.fromkeys(places.of(path, entry)))
    return list(found)[:MAX_IMPORTED]


def files_passed_on(
    snapshot: Snapshot, named: Iterable[str], imported: Iterable[str], pending: Sequence[str]
) -> list[str]:
    """Pending files that define what the `imported` ones, now indexed, only pass on to the `named` ones."""
    places = _Places(pending)
    wanted = {entry.name for path in named for entry in _imports(snapshot, path)} - {"", "*"}
    found: dict[str, None] = {}
    for path in imported:
        for entry in _imports(snapshot, path):
            if entry.reexport and (entry.name == "*" or entry.alias in wanted):
                found.update(dict.fromkeys(places.of(path, entry)))
    return list(found)[:MAX_IMPORTED]


def _imports(snapshot: Snapshot, path: str) -> Sequence[Import]:
    view = snapshot.file(path)
    return () if view is None else view.facts.imports


class _Places:
    """Pending files by the path that an import would spell: without ending, or without an index file's name."""

    def __init__(self, pending: Sequence[str]) -> None:
        self._by_last: dict[str, list[tuple[str, str]]] = {}
        self._by_folder: dict[str, list[str]] = {}
        for path in pending:
            stem, _, name = path.rpartition("/")
            bare = name.partition(".")[0]
            spelled = stem if bare in _INDEX_NAMES and stem else f"{stem}/{bare}" if stem else bare
            self._by_last.setdefault(spelled.rpartition("/")[2], []).append((spelled, path))
            self._by_folder.setdefault(stem, []).append(path)
        self._folders: dict[str, list[str]] = {}
        for folder in self._by_folder:
            self._folders.setdefault(folder.rpartition("/")[2], []).append(folder)

    def of(self, path: str, entry: Import) -> list[str]:
        """Files that `entry`, written in `path`, may mean: the name as a module, then the module itself."""
        module = _spelled(path, entry.module)
        if module is None:
            return []
        wanted = [module, f"{module}/{entry.name}"] if entry.name not in ("", "*") else [module]
        found = [found for each in reversed(wanted) for found in self._spelling(each, path)]
        return found or (self._in_folder(module) if "/" in entry.module else [])

    def _in_folder(self, module: str) -> list[str]:
        """Where a package is a folder: the files in the one whose path agrees with most of the module's end."""
        parts = module.strip("/").split("/")
        for size in range(len(parts), 0, -1):
            end = "/".join(parts[-size:])
            same = [each for each in self._folders.get(parts[-1], ()) if each == end or each.endswith("/" + end)]
            if same:
                return [path for each in same for path in self._by_folder[each]][:MAX_NAMESAKES]
        return []

    def _spelling(self, module: str, path: str) -> list[str]:
        anchored = module.startswith("/")
        bare = module.strip("/")
        same = self._by_last.get(bare.rpartition("/")[2], ())
        found = [
            each
            for spelled, each in same
            if spelled == bare or (not anchored and "/" in bare and spelled.endswith("/" + bare))
        ]
        if not found and not anchored and "/" not in bare:
            found = [each for spelled, each in same if dirname(spelled) == dirname(path)]
        return found[:MAX_NAMESAKES]


def _spelled(path: str, module: str) -> str | None:
    """A module's name as a path; one that is relative to `path` starts with a slash and is whole."""
    text = module.strip("\"'<>`")
    folder = dirname(path)
    if text.startswith(("./", "../")):
        return "/" + normpath(f"{folder}/{_without_ending(text)}").lstrip("./")
    dots = len(text) - len(text.lstrip("."))
    if dots and not text.startswith("./"):
        for _ in range(dots - 1):
            folder = dirname(folder)
        return "/" + "/".join([*folder.split("/"), *_WORD.findall(text[dots:])]).strip("/")
    if "/" in text:
        parts = _without_ending(text).split("/")
        return "/".join(parts[-3:])  # `github.com/owner/project/package` lies in `package`
    return "/".join(_WORD.findall(text)) or None


def _without_ending(text: str) -> str:
    head, _, last = text.rpartition("/")
    return f"{head}/{last.partition('.')[0]}" if head else last.partition(".")[0]
