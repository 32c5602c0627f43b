"""Sources `lsp:*`: definitions that the editor's own language servers resolved, as they were handed in."""

from __future__ import annotations

from .lead import Lead, SourceResult
from .scene import Scene


def candidates(scene: Scene) -> list[SourceResult]:
    """One result for each language server that answered in time."""
    by_source: dict[str, list[Lead]] = {}
    for lead in scene.exact:
        by_source.setdefault(lead.source, []).append(lead)
    return [SourceResult(source, tuple(leads)) for source, leads in sorted(by_source.items())]
