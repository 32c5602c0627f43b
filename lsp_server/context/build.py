"""The pipeline, top to bottom: failures → leads → privacy and text → rank and pack → layout → rendering.

Pure over a snapshot: no disk, no clock, no randomness of its own. What must be read comes through the
`SourceReader`, time through a clock that the caller hands in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from dataclasses import field
from types import MappingProxyType

from ..failures import FailureOptions, parse_failures
from ..failures.shown import shown_diagnostic, shown_output, shown_report
from ..index.resolve import Resolver
from ..index.snapshot import Snapshot
from ..model.candidate import NO_PARTS
from ..model.failure import FailureReport
from ..model.pack import ContextPack, Freshness
from ..model.request import Budget, BuildRequest, RenderFormat, Stop, Unit
from ..model.source import Checkpoint, SourceReader, TokenCounter, no_checkpoint
from ..model.values import Value, replace
from ..retrieval.gather import FOLLOWERS, SOURCES, Follower, Source, gather
from ..retrieval.lead import Lead
from ..retrieval.links import Links
from ..retrieval.odds import clues_of, with_odds
from ..retrieval.scene import Scene, failing_units, unresolved_near
from ..retrieval.searches import Searches
from ..workspace.privacy import PrivacyPolicy
from ..workspace.touched import Touched
from .evidence import evidence_of
from .json import PLAIN_EDGE, Edge, pack_to_dict
from .layout import layout, link_items
from .pack import SelectionOptions, select
from .policies import policy_named
from .privacy import denied_names
from .read import Masker, read_leads
from .render import render
from .scope import in_scope
from .template import CostKey, Template

UNIT_SHARE = 0.7
"""A unit larger than this share of the budget is shown as its head and the lines that matter."""

MIN_UNIT_BYTES = 2_400


def no_clock() -> float:
    """The clock of callers who want no timings."""
    return 0.0


class Means(Value):
    """What the pipeline works with, apart from the snapshot and the request.

    `changes` are lines touched by the uncommitted diff and the last commits; `exact` leads that the
    editor's own language servers gave; `clock` returns seconds. `sources`, `followers` and `without` are changed
    only to compare arms in an evaluation; `costs`, `links` (of the same snapshot) and `masker` may outlive the call.
    """

    reader: SourceReader
    privacy: PrivacyPolicy
    counter: TokenCounter
    changes: tuple[Touched, ...] = ()
    exact: Iterable[Lead] = ()
    freshness: Freshness = field(default_factory=Freshness)
    failure_options: FailureOptions = field(default_factory=FailureOptions)
    clock: Callable[[], float] = no_clock
    sources: tuple[Source, ...] = SOURCES
    followers: tuple[Follower, ...] = FOLLOWERS
    without: frozenset[str] = frozenset()
    costs: MutableMapping[CostKey, int] | None = None
    links: Links | None = None
    masker: Masker | None = None
    edge: Edge = PLAIN_EDGE
    template: Template | None = None


def build_context(
    snapshot: Snapshot, request: BuildRequest, means: Means, checkpoint: Checkpoint = no_checkpoint
) -> ContextPack:
    """The context pack for `request` over `snapshot`.

    `checkpoint` is called between the steps and raises Cancelled to end the work. Raises the
    RequestError of a request that selection refuses, and nothing else on purpose.
    """
    policy = policy_named(request.policy)
    steps = Steps(means.clock)
    request = _shown_request(request, means.privacy)
    report = parse_failures(
        request.failure_output, request.diagnostics, snapshot, means.reader, options=means.failure_options
    )
    report = shown_report(replace(report, failures=(*request.failures, *report.failures)), means.privacy)
    steps.done("failures")
    checkpoint()
    scene = scene_of(snapshot, _asked(request, report), report, means)
    gathered = gather(scene, checkpoint, means.sources, means.followers, means.without)
    steps.done("candidates")
    checkpoint()
    offer = policy.offered(policy.scored(in_scope(gathered.leads, request)), budget_bytes(request.budget))
    leads = offer.leads
    if request.budget.stop is Stop.AUTO and policy.stop is not None:
        leads = with_odds(leads, clues_of(scene), policy.stop.odds)
    if not request.explain:
        leads = tuple(replace(lead, parts=NO_PARTS, trail=()) for lead in leads)
    read = read_leads(leads, means.reader, means.privacy, means.masker)
    rejected = (*read.rejected, *denied_names(request, means.privacy.denied, read.rejected))
    steps.done("read")
    checkpoint()
    evidence = evidence_of(report.failures)
    selection = select(
        read.candidates,
        request.budget,
        means.counter,
        failures=report.failures,
        evidence=evidence,
        rejected=rejected,
        cut={**gathered.cut, **{name: gathered.cut.get(name, 0) + count for name, count in offer.cut.items()}},
        options=SelectionOptions(render=request.render, policy=policy, costs=means.costs, template=means.template),
    )
    steps.done("select")
    checkpoint()
    pack = ContextPack(
        selection=selection,
        layout=layout(selection.items, evidence),
        failures=report.failures,
        failure_items=link_items(report.failures, selection.items),
        failures_left_out=report.left_out,
        unresolved=unresolved_near(scene),
        freshness=means.freshness,
    )
    plain = pack_to_dict(pack, means.edge) if request.render.format is RenderFormat.JSON else {}
    pack = replace(pack, rendered=render(pack, request.render, plain))
    steps.done("render")
    return replace(pack, timings=steps.milliseconds())


def _shown_request(request: BuildRequest, privacy: PrivacyPolicy) -> BuildRequest:
    """The request without what its own texts may not carry into the pack."""
    return replace(
        request,
        diagnostics=tuple(shown_diagnostic(diagnostic, privacy) for diagnostic in request.diagnostics),
        failure_output=tuple(shown_output(output, privacy) for output in request.failure_output),
        task=privacy.mask(request.task).text,
    )


UNREAD_TAIL = 4_000
"""Characters from the end of an output that no grammar understood: tools say last what went wrong."""


def _asked(request: BuildRequest, report: FailureReport) -> BuildRequest:
    """The request; when its outputs gave no failure at all, their last words are searched for."""
    if report.failures or not request.failure_output:
        return request
    tails = (
        output.data[-UNREAD_TAIL:]
        if isinstance(output.data, str)
        else output.data[-UNREAD_TAIL:].decode("utf-8", "replace")
        for output in request.failure_output
    )
    return replace(request, task="\n".join((request.task, *tails)).strip())


def scene_of(snapshot: Snapshot, request: BuildRequest, report: FailureReport, means: Means) -> Scene:
    """What the sources may look at."""
    links = means.links or Links(Resolver(snapshot))
    return Scene(
        snapshot=snapshot,
        resolver=links.resolver,
        links=links,
        searches=Searches(snapshot),
        request=request,
        report=report,
        reader=means.reader,
        failing=failing_units(snapshot, report),
        max_unit_bytes=max_unit_bytes(request.budget),
        changes=means.changes,
        exact=means.exact,
    )


def max_unit_bytes(budget: Budget) -> int:
    """The size up to which a unit is shown whole under this budget."""
    return max(MIN_UNIT_BYTES, int(UNIT_SHARE * budget_bytes(budget)))


def budget_bytes(budget: Budget) -> int:
    """About how many bytes of text a budget holds: four a token, one a character."""
    return budget.available * (4 if budget.unit is Unit.TOKENS else 1)


class Steps:
    """Stopwatch of one build: milliseconds a step."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last = clock()
        self._spent: dict[str, float] = {}

    def done(self, step: str) -> None:
        """What went by since the last step was spent on `step`."""
        now = self._clock()
        self._spent[step] = (now - self._last) * 1_000
        self._last = now

    def milliseconds(self) -> Mapping[str, float]:
        """All steps so far, in order."""
        return MappingProxyType(dict(self._spent))
