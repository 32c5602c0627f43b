"""Hashes that name a pack and a question to selection. No time, no full text in them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence

from ..model.candidate import Candidate
from ..model.pack import PackItem
from ..model.request import Budget
from .evidence import Evidence


def budget_id(budget: Budget) -> str:
    """A stable name of everything in a budget that can change what is selected."""
    quotas = {name: [quota.max_items, quota.max_cost] for name, quota in budget.per_source.items()}
    return _canonical(
        {
            "limit": budget.limit,
            "unit": budget.unit,
            "ceiling": budget.ceiling,
            "reserve": budget.reserve,
            "maxItems": budget.max_items,
            "perFile": budget.per_file,
            "perSource": quotas,
            "floors": {name: float(share) for name, share in budget.floors.items()},
            "stop": budget.stop,
        }
    )


def fingerprint(items: Sequence[PackItem], policy: str, budget: Budget, counter: str) -> str:
    """Names what was selected, in order, and by which policy, budget and counter."""
    chosen = [[item.path, item.range.start, item.range.end, item.content_hash, item.reason] for item in items]
    return _digest([chosen, policy, budget_id(budget), counter])


def cache_key(candidates: Iterable[Candidate], evidence: Evidence, budget: Budget, policy: str, counter: str) -> str:
    """Names a question to selection: the set of candidates, failing files and lines, budget, policy, counter."""
    offered = sorted(_canonical(_identity(candidate)) for candidate in candidates)
    lines = {path: [[lines.start, lines.end] for lines in ranges] for path, ranges in evidence.lines.items()}
    return _digest([offered, list(evidence.files), lines, budget_id(budget), policy, counter])


def _identity(one: Candidate) -> list[object]:
    place = [one.path, one.range.start, one.range.end]
    return [one.id, *place, one.content_hash, one.reason, one.source, one.score, one.required, one.group, one.version]


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _digest(value: object) -> str:
    return hashlib.sha256(_canonical(value).encode()).hexdigest()
