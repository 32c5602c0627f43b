"""Exact definitions from the language servers that the editor already runs.

The names on the failing lines are asked about while retrieval runs; what comes back within the deadline
becomes evidence with the source `lsp:<name>`. Late or no answers change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from typing import TypeAlias

from ..context.navigation import NameSite, reference_site, references_on
from ..index.snapshot import Snapshot
from ..model.candidate import Reason
from ..model.failure import FailureReport
from ..model.values import Value
from ..retrieval.lead import Lead
from ..retrieval.units import unit_at

MAX_ASKED = 24
"""Names asked about in one request."""

MAX_FAILURES, MAX_LOCATIONS = 4, 3
"""Failures, and locations of each, whose lines are asked about."""

EXACT_SCORE = 0.98
"""A definition that a type checker resolved, used on a failing line."""


class AskedName(Value):
    """A name on a failing line."""

    site: NameSite
    name: str


class Definition(Value):
    """What a language server answered for one name: its own name, and (canonical path, 1-based line) places."""

    provider: str
    places: tuple[tuple[str, int], ...]


DefinitionAsker: TypeAlias = Callable[[Sequence[AskedName], float], "Future[Sequence[Definition]]"]
"""Asks the editor about names; answers in the same order, at the latest after so many seconds."""


def names_to_ask(snapshot: Snapshot, report: FailureReport) -> list[AskedName]:
    """The distinct names on the lines of the first failures, most suspicious first."""
    found: dict[NameSite, AskedName] = {}
    for failure in report.failures[:MAX_FAILURES]:
        for location in failure.locations[:MAX_LOCATIONS]:
            view = snapshot.file(location.path)
            for reference in references_on(view, location.line) if view is not None else ():
                site = reference_site(location.path, reference)
                found.setdefault(site, AskedName(site, reference.name))
    return list(found.values())[:MAX_ASKED]


class AwaitedLeads:
    """Leads that are still on their way: the wait happens when they are first looked at."""

    def __init__(self, snapshot: Snapshot, asked: Sequence[AskedName], answers: Future[Sequence[Definition]],
                 deadline: Callable[[], float]) -> None:  # fmt: skip
        self._snapshot = snapshot
        self._asked = asked
        self._answers = answers
        self._deadline = deadline
        self._leads: tuple[Lead, ...] | None = None

    def __iter__(self) -> Iterator[Lead]:
        if self._leads is None:
            self._leads = self._collect()
        return iter(self._leads)

    def _collect(self) -> tuple[Lead, ...]:
        try:
            answers = self._answers.result(max(0.0, self._deadline()))
        except (TimeoutError, CancelledError):
            self._answers.cancel()
            return ()
        except Exception:  # the editor or its server failed: as good as no answer
            return ()
        leads: dict[str, Lead] = {}
        for asked, answer in zip(self._asked, answers, strict=False):
            for lead in _leads(self._snapshot, asked, answer):
                leads.setdefault(lead.id, lead)
        return tuple(leads.values())


def _leads(snapshot: Snapshot, asked: AskedName, answer: Definition) -> Iterator[Lead]:
    for path, line in answer.places:
        unit = unit_at(snapshot, path, line)
        if unit is None or (path == asked.site.path and unit.range.contains(asked.site.line)):
            continue
        provider = answer.provider or "editor"
        yield Lead(
            path=unit.path,
            range=unit.range,
            reason=Reason.REFERENCE,
            source=f"lsp:{provider}",
            score=EXACT_SCORE,
            why=f"definition of `{asked.name}`, used on failing line {asked.site.line}, as {provider} resolves it",
            symbol=unit.symbol,
            name=unit.name,
            is_test=unit.is_test,
            trail=(f"{asked.site.path}:{asked.site.line}", f"resolves to {path}:{line}"),
        )
