"""Part `name`: how much of a unit's own name and of the names around it the failing code says.

A name is the shortest description of what code does, and in a long body its few words drown. So names
are compared apart from texts, as search engines do with titles.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import log
from types import MappingProxyType

from .bm25 import code_terms, telling
from .lead import Lead
from .naming import stem, stems
from .scene import Scene

PART = "name"


def with_names(scene: Scene, leads: Iterable[Lead]) -> tuple[Lead, ...]:
    """The leads with their part `name`: 1 for the best outside tests."""
    given = tuple(leads)
    rarities = _rarities(scene)
    said = {name: _said(name, rarities) for name in dict.fromkeys(lead.name for lead in given)} if rarities else {}
    top = max((said[lead.name] for lead in given if not lead.is_test), default=0.0) if said else 0.0
    if top <= 0:
        return given
    return tuple(
        replace(lead, parts=MappingProxyType({**lead.parts, PART: min(1.0, said[lead.name] / top)}))
        if said[lead.name] > 0
        else lead
        for lead in given
    )


def _rarities(scene: Scene) -> Mapping[str, float]:
    """The stems of the failing code's words, by weight times rarity in the workspace."""
    snapshot = scene.snapshot
    chunks = max(1, snapshot.totals.chunks)
    found: dict[str, float] = {}
    for word, weight in telling(scene, code_terms(scene)).items():
        rarity = weight * log((chunks + 1) / snapshot.chunk_frequency(word))
        own = stem(word)
        found[own] = max(found.get(own, 0.0), rarity)
    return found


def _said(name: str, rarities: Mapping[str, float]) -> float:
    """The sum over the words of a qualified name, each once; the last name also counts whole."""
    last = stem(name.rsplit(".", 1)[-1].lower())
    return sum(rarities.get(word, 0.0) for word in {*stems(name), last})
