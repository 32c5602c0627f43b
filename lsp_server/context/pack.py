"""Selection: from candidates to the chosen items, with a cause for everything that was not chosen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, MutableMapping, Sequence
from types import MappingProxyType

from ..model.candidate import Candidate, Cause, Rejected
from ..model.failure import Failure
from ..model.pack import Listing, Selection
from ..model.request import Budget, RenderOptions
from ..model.source import TokenCounter
from ..model.values import Value, replace
from .evidence import Evidence, evidence_of
from .ledger import Refusal
from .listing import ListingPlan, preamble_cost, preamble_pieces
from .order import Priced, Unit, rank
from .outcome import Task, items_of, outcome
from .passes import Packed, pack
from .policies import TIERED, Policy
from .privacy import everything_allowed, withhold
from .template import CostKey, Pricer, Template, template_for
from .validate import DEFAULT_LIMITS, KNOWN_SOURCES, Limits, validate

DEFAULT_RENDER = RenderOptions()

NOTHING_CUT: Mapping[str, int] = MappingProxyType({})


class SelectionOptions(Value):
    """How to select, apart from what.

    `allowed` is the privacy policy's last word on a path; `sources` the registered retrievers;
    `costs` a cache of body costs that may outlive the call (by content hash and counter id); `template`
    what to cost by instead of the render format's own.
    """

    render: RenderOptions = DEFAULT_RENDER
    policy: Policy = TIERED
    allowed: Callable[[str], bool] = everything_allowed
    sources: Collection[str] = KNOWN_SOURCES
    limits: Limits = DEFAULT_LIMITS
    costs: MutableMapping[CostKey, int] | None = None
    template: Template | None = None


DEFAULT_OPTIONS = SelectionOptions()


def select(
    candidates: Sequence[Candidate],
    budget: Budget,
    counter: TokenCounter,
    *,
    failures: Sequence[Failure] = (),
    evidence: Evidence | None = None,
    rejected: Sequence[Rejected] = (),
    cut: Mapping[str, int] = NOTHING_CUT,
    options: SelectionOptions = DEFAULT_OPTIONS,
) -> Selection:
    """Validate, rank and pack `candidates`. Pure: inputs are not changed, equal inputs give equal results.

    `failures` are listed in the preamble and give the `evidence` unless that is handed in; `rejected`
    were turned away before (missing, stale, denied); `cut` has an entry for every source that ran, with
    how many candidates it found but did not offer. Raises the RequestError of the first wrong input.
    """
    known = evidence_of(failures) if evidence is None else evidence
    valid = validate(candidates, known, sources=options.sources, limits=options.limits)
    allowed, denied = withhold(valid.candidates, options.allowed)
    turned_away = (*rejected, *denied)
    cache: MutableMapping[CostKey, int] = {} if options.costs is None else options.costs
    pricer = Pricer(options.template or template_for(options.render), counter, cache)
    units = rank([Priced(one, pricer.snippet(one)) for one in allowed], valid.evidence, options.policy)
    plan = ListingPlan(pricer, failures, allowed)
    packed = pack(
        units,
        budget,
        valid.evidence,
        options.policy,
        overhead=lambda limit: plan.fit(limit)[1],
        broken_groups=_broken_groups(turned_away),
    )
    listing = plan.fit(packed.overhead_limit)[0] if budget.available else Listing()
    packed = _within_true_cost(packed, pricer, failures, listing, budget)
    overhead = preamble_cost(pricer, failures, items_of(packed.units), listing)
    task = Task(budget, valid.evidence, options.policy.id, counter.id, cut)
    return outcome(units, packed, turned_away, task, listing, overhead)


def _broken_groups(rejected: Sequence[Rejected]) -> Mapping[str, str]:
    broken: dict[str, str] = {}
    for one in sorted(rejected, key=lambda one: one.id):
        if one.group is not None:
            broken.setdefault(one.group, one.id)
    return broken


def _within_true_cost(
    packed: Packed, pricer: Pricer, failures: Sequence[Failure], listing: Listing, budget: Budget
) -> Packed:
    """Count the whole rendered text once; while it is over, the lowest-ranked unit leaves, whole.

    Only a counter that counts a text higher than its parts can make this happen.
    """
    limit = max(budget.available, packed.used)
    units, refusals = packed.units, dict(packed.refusals)
    while units:
        true_cost = pricer.counter.count(_rendered(units, pricer, failures, listing))
        if true_cost <= limit:
            break
        last, units = units[-1], units[:-1]
        leaves = Refusal(Cause.BUDGET, needs=true_cost - limit, detail="over the budget as rendered")
        refusals.update((member.candidate.id, leaves) for member in last.members)
    return replace(packed, units=units, refusals=refusals)


def _rendered(units: Sequence[Unit], pricer: Pricer, failures: Sequence[Failure], listing: Listing) -> str:
    template = pricer.template
    items = items_of(units)
    pieces = preamble_pieces(template, failures, items, listing)
    for item in items:
        pieces += (template.heading(item), template.body(item))
    if listing.notice:
        pieces.append(template.closing())
    return "".join(pieces)
