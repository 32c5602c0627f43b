"""`map`: a ranked outline of the workspace in a token budget. For finding one's way, not an answer.

Served from one snapshot; only the files that get into the map are read, for their signatures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from ..model.errors import RequestError
from ..model.pack import SCHEMA_VERSION
from ..model.request import whole_amount
from ..model.source import TokenCounter
from ..model.values import Value
from ..repomap.export import FileGraph, file_graph
from ..repomap.graph import ReferenceGraph, reference_graph
from ..repomap.rank import Focus, rank
from ..repomap.render import Outline, RepoMap, draw
from .json import PLAIN_EDGE, Edge
from .looking import Looking, Scope
from .raw_fields import Fields
from .validate import folded_path

DEFAULT_BUDGET = 1_024
"""Tokens of a map when something is in focus."""

WIDE_BUDGET = 2_048
"""With nothing in focus the map is all there is to go by."""

NARROW_BUDGET, NARROW_FROM = 512, 6
"""With so many files and names in focus a reader has most of it in view already."""

DEFAULT_DEPTH, MAX_DEPTH = 2, 10
MAX_FOCUS = 1_000


class MapRequest(Value):
    """What the map is for. `budget` None: by what is in focus. `folder` shows only what is below it."""

    focus: Focus = field(default_factory=Focus)
    budget: int | None = None
    depth: int = DEFAULT_DEPTH
    folder: str = ""
    scope: Scope = field(default_factory=Scope)

    @property
    def tokens(self) -> int:
        """The budget in force."""
        if self.budget is not None:
            return self.budget
        if not self.focus.size:
            return WIDE_BUDGET
        return NARROW_BUDGET if self.focus.size >= NARROW_FROM else DEFAULT_BUDGET


def map_request(raw: object) -> MapRequest:
    """From `{budget?, focus?: [path], symbols?: [name], mentions?, query?, depth?, folder?, include?, exclude?}`.

    `focus` are canonical paths; a mention is `{path}` or `{symbol}` and counts as either. Raises the
    RequestError of the first wrong field.
    """
    fields = Fields(raw, "")
    mentions = [Fields(entry, at) for entry, at in fields.list("mentions")]
    files = [*fields.list("focus"), *((one.get("path"), one.path("path")) for one in mentions if one.has("path"))]
    names = (*fields.texts("symbols"), *(name for one in mentions if (name := one.text("symbol"))))
    for name, given in (("focus", files), ("symbols", names)):
        if len(given) > MAX_FOCUS:
            raise RequestError(name, f"at most {MAX_FOCUS} entries, got {len(given)}")
    budget = fields.get("budget")
    depth = fields.whole("depth")
    if depth is not None and not 0 <= depth <= MAX_DEPTH:
        raise RequestError("depth", f"must be between 0 and {MAX_DEPTH}, got {depth}")
    folder = fields.text("folder")
    return MapRequest(
        focus=Focus(
            tuple(dict.fromkeys(folded_path(path, at) for path, at in files)), names, fields.text("query") or ""
        ),
        budget=None if budget is None else whole_amount(budget, "budget"),
        depth=DEFAULT_DEPTH if depth is None else depth,
        folder="" if folder in (None, "", ".", "./") else folded_path(folder, "folder"),
        scope=Scope(fields.texts("include"), fields.texts("exclude")),
    )


def map_code(
    looking: Looking, request: MapRequest, counter: TokenCounter, graph: ReferenceGraph | None = None
) -> RepoMap:
    """The map. Files in focus are left out: the reader has them. `graph` is the snapshot's own, if it is at hand."""
    snapshot = looking.snapshot
    ranking = rank(snapshot, graph or reference_graph(snapshot), request.focus)
    looking.checkpoint()
    held = frozenset(request.focus.files)
    shown = _admitted(looking, request)
    outline = Outline(
        snapshot,
        lambda path: path not in held and shown(path),
        looking.shown,
        counter,
        request.depth,
        looking.checkpoint,
    )
    return draw(outline, ranking, request.tokens)


def graph_of(looking: Looking, request: MapRequest, graph: ReferenceGraph, max_nodes: int) -> FileGraph:
    """The reference graph between the best-ranked files, those in focus included."""
    ranking = rank(looking.snapshot, graph, request.focus)
    return file_graph(graph, ranking, looking.snapshot.vocabulary.strings, _admitted(looking, request), max_nodes)


def _admitted(looking: Looking, request: MapRequest) -> Callable[[str], bool]:
    """Whether a path lies in the folder and scope that were asked for and may be shown."""
    inside = request.scope.test()
    below = request.folder.rstrip("/") + "/" if request.folder else ""
    return lambda path: path.startswith(below) and inside(path) and looking.allowed(path)


def map_to_dict(repo_map: RepoMap, edge: Edge = PLAIN_EDGE) -> dict[str, object]:
    """The plain form."""
    return {
        "schema": SCHEMA_VERSION,
        "rendered": repo_map.text,
        "used": repo_map.used,
        "budget": repo_map.budget,
        "counter": repo_map.counter,
        "files": [
            {
                "path": file.path,
                "uri": edge.uri(file.path),
                "score": file.score,
                "symbols": [
                    {
                        "name": symbol.name,
                        "kind": symbol.kind,
                        "line": symbol.line,
                        "signature": symbol.signature,
                        "depth": symbol.depth,
                    }
                    for symbol in file.symbols
                ],
            }
            for file in repo_map.files
        ],
        "filesLeftOut": repo_map.files_left_out,
        "symbolsLeftOut": repo_map.symbols_left_out,
    }
