"""Sources `mention`, `open` and `rule`: what the user named, has open, or wrote down for agents."""

from __future__ import annotations

from posixpath import basename

from ..model.candidate import Reason
from ..model.lines import LineRange
from ..model.request import Mention
from .lead import Lead, SourceResult, best_first, keep_best
from .scene import Scene
from .units import Unit, unit_at, unit_of_chunk, units_of_symbol

RULE_FILES = frozenset({"AGENTS.md", "CLAUDE.md", "GEMINI.md", ".cursorrules", "copilot-instructions.md"})
RULE_FOLDERS = (".cursor/rules/", ".github/instructions/")
MAX_UNITS_OF_FILE = 40
LIMIT = 60


def mentions(scene: Scene) -> list[SourceResult]:
    """One result for `mention`: required leads for each file, range or symbol the user named."""
    found: dict[str, Lead] = {}
    for mention in scene.request.mentions:
        for unit in _mentioned(scene, mention):
            named = mention.symbol or mention.path or ""
            lead = Lead(
                path=unit.path,
                range=unit.range,
                reason=Reason.MENTION,
                source="mention",
                score=1.0,
                why=f"you named `{named}`",
                symbol=unit.symbol,
                name=unit.name,
                required=True,
                is_test=unit.is_test,
            )
            keep_best(found, lead)
    return [best_first("mention", found, LIMIT)]


def _mentioned(scene: Scene, mention: Mention) -> list[Unit]:
    snapshot = scene.snapshot
    if mention.symbol:
        name = mention.symbol.replace("::", ".").rsplit(".", 1)[-1]
        targets = [
            target
            for target in snapshot.definitions(name)
            if snapshot.symbol(target).qualified_name.endswith(mention.symbol.replace("::", "."))
            and (mention.path is None or target.path == mention.path)
        ]
        return [unit for target in targets[:4] for unit in units_of_symbol(snapshot, target)]
    view = snapshot.file(mention.path) if mention.path else None
    if view is None:
        return []
    if mention.range:
        units = [unit_at(snapshot, view.path, line) for line in (mention.range.start, mention.range.end)]
        return [unit for unit in units if unit is not None]
    return [unit_of_chunk(view, chunk) for chunk in list(view.facts.iter_chunks())[:MAX_UNITS_OF_FILE]]


def open_documents(scene: Scene) -> list[SourceResult]:
    """One result for `open`: units at the cursor and at recent edits, then the heads of open documents."""
    found: dict[str, Lead] = {}
    request = scene.request
    places = [(place, 0.7, "you edited this a moment ago") for place in request.recent_edits]
    if request.cursor:
        places.append((request.cursor, 1.0, "the cursor is here"))
    for place, score, why in places:
        unit = unit_at(scene.snapshot, place.path, place.range.start)
        if unit:
            keep_best(found, _open_lead(unit, score, why))
    for path in request.open_documents[:20]:
        unit = unit_at(scene.snapshot, path, 1)
        if unit:
            keep_best(found, _open_lead(unit, 0.2, "open in the editor"))
    return [best_first("open", found, LIMIT)]


def _open_lead(unit: Unit, score: float, why: str) -> Lead:
    return Lead(
        path=unit.path,
        range=unit.range,
        reason=Reason.OPEN,
        source="open",
        score=score,
        why=why,
        symbol=unit.symbol,
        name=unit.name,
        is_test=unit.is_test,
    )


def rules(scene: Scene) -> list[SourceResult]:
    """One result for `rule`: project rule files, only when the request asks for them."""
    if not scene.request.include_rules:
        return [SourceResult("rule")]
    found: dict[str, Lead] = {}
    for path in scene.snapshot.paths():
        if basename(path) in RULE_FILES or any(part in "/" + path for part in RULE_FOLDERS):
            view = scene.snapshot.file(path)
            if view is None or not view.facts.lines:
                continue
            lead = Lead(
                path=path,
                range=LineRange(1, view.facts.lines),
                reason=Reason.RULE,
                source="rule",
                score=1.0 / (1 + path.count("/")),
                why="the project's rules for agents",
            )
            keep_best(found, lead)
    return [best_first("rule", found, LIMIT)]
