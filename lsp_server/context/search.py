"""`search`: code chunks ranked by the words of a query, with the lines that match."""

from __future__ import annotations

from ..model.errors import SourceError
from ..model.facts import NOWHERE
from ..model.lines import LineRange
from ..model.source import SourceText
from ..model.values import Value
from ..text.words import terms
from .json import PLAIN_EDGE, Edge, lines_to_dict, lsp_range
from .looking import Looking, Scope

DEFAULT_LIMIT, MAX_LIMIT = 20, 200
MAX_LINES = 6
"""Matching lines shown of one chunk."""


class SearchHit(Value):
    """A chunk. `score` is relative to the best hit (1.0); `matches` are (1-based line, its text)."""

    path: str
    range: LineRange
    score: float
    symbol: str
    content: str
    matches: tuple[tuple[int, str], ...]


class SearchResult(Value):
    """Hits, best first; `truncated` when there are more."""

    hits: tuple[SearchHit, ...]
    truncated: bool


def search_code(looking: Looking, query: str, limit: int = DEFAULT_LIMIT, scope: Scope | None = None) -> SearchResult:
    """The chunks that say most about the words of `query`; identifiers count whole and in parts."""
    words = terms(query)
    inside = (scope or Scope()).test()
    found = looking.snapshot.search(words, limit + 1, lambda path: inside(path) and looking.allowed(path))
    best = found[0].score if found else 0.0
    wanted = frozenset(words)
    hits: list[SearchHit] = []
    for hit in found[:limit]:
        looking.checkpoint()
        view = looking.snapshot.file(hit.path)
        try:
            text = looking.shown(hit.path)
        except SourceError:
            continue
        if view is None or hit.range.start > len(text.lines):
            continue
        lines = LineRange(hit.range.start, min(hit.range.end, len(text.lines)))
        symbol = "" if hit.symbol == NOWHERE else view.facts.qualified_name(hit.symbol)
        score = hit.score / best if best > 0 else 0.0
        hits.append(SearchHit(hit.path, lines, score, symbol, text.slice(lines), _matches(text, lines, wanted)))
    return SearchResult(tuple(hits), len(found) > limit)


def _matches(text: SourceText, lines: LineRange, wanted: frozenset[str]) -> tuple[tuple[int, str], ...]:
    """The lines that hold most of the wanted words, in order of line."""
    counted = [
        (len(wanted & set(terms(text.lines[number - 1]))), number) for number in range(lines.start, lines.end + 1)
    ]
    best = sorted((pair for pair in counted if pair[0]), key=lambda pair: (-pair[0], pair[1]))[:MAX_LINES]
    return tuple((number, text.lines[number - 1]) for number in sorted(number for _, number in best))


def search_to_dict(result: SearchResult, edge: Edge = PLAIN_EDGE) -> dict[str, object]:
    """The plain form."""
    return {
        "hits": [
            {
                "path": hit.path,
                "uri": edge.uri(hit.path),
                "lines": lines_to_dict(hit.range),
                "range": lsp_range(hit.range, hit.content, edge),
                "score": round(hit.score, 6),
                "symbol": hit.symbol or None,
                "content": hit.content,
                "matches": [{"line": line, "text": text} for line, text in hit.matches],
            }
            for hit in result.hits
        ],
        "truncated": result.truncated,
    }
