"""Part `name`: how much of a unit's own name and of the names around it the failing code says.

A name is the shortest description of what code does, and in a long body its few words drown. So names
are compared apart from texts, as search engines do with titles.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .bm25 import code_terms, rarity, telling
from .lead import Lead
from .naming import stem, stems
from .scene import Scene

PART = "name"


def names_said(scene: Scene, leads: Iterable[Lead]) -> Mapping[str, float]:
    """For the qualified names of `leads` that the failing code says part of, how much: 1 for the best outside tests."""
    rarities = _rarities(scene)
    if not rarities:
        return {}
    said: dict[str, float] = {}
    top = 0.0
    for lead in leads:
        score = said.get(lead.name)
        if score is None:
            score = said[lead.name] = _said(lead.name, rarities)
        if score > top and not lead.is_test:
            top = score
    return {name: min(1.0, score / top) for name, score in said.items() if score > 0} if top > 0 else {}


def _rarities(scene: Scene) -> Mapping[str, float]:
    """The stems of the failing code's words, by weight times rarity in the workspace."""
    found: dict[str, float] = {}
    for word, weight in telling(scene, code_terms(scene)).items():
        own = stem(word)
        found[own] = max(found.get(own, 0.0), weight * rarity(scene.snapshot, word))
    return found


def _said(name: str, rarities: Mapping[str, float]) -> float:
    """The sum over the words of a qualified name, each once; the last name also counts whole."""
    last = stem(name.rsplit(".", 1)[-1].lower())
    # In the order of the name, not of a set: sums of floats depend on it.
    return sum(rarities.get(word, 0.0) for word in dict.fromkeys((*stems(name), last)))
