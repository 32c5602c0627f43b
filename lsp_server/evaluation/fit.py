"""`python -m lsp_server.evaluation.fit CASES.jsonl --clones DIR --scratch DIR`: refits the fused policy's weights.

Prints the figures of the weights in use, of each repository under weights fitted without it, and the
fitted table, to be copied into `retrieval/fuse.py`.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..context.build import max_unit_bytes, scene_of
from ..context.evidence import evidence_of
from ..failures import parse_failures
from ..model.request import Budget, Stop
from ..model.source import no_checkpoint
from ..model.values import replace
from ..retrieval.fuse import FUSION, Fusion
from ..retrieval.gather import gather
from ..retrieval.odds import clues_of
from .arms import DEFAULT_ARM
from .cases import Case, read_cases
from .fitting import cross_validated, fitted, fitted_names, means, neutral, replayed, scores
from .indexing import FactsByContent, Indexed
from .runner import means_of, request_of
from .tables import Table, table_of
from .workspaces import workspace_of

WHOLE = 1 << 40
"""More bytes than any unit has: leads are gathered whole and sliced for each budget."""


def tables_of(case: Case, indexed: Indexed, budgets: Sequence[int], names: Sequence[str]) -> list[Table]:
    """One table a budget; the sources run once."""
    request = request_of(case, DEFAULT_ARM, budgets[0], Stop.FILL)
    means = means_of(DEFAULT_ARM, indexed)
    report = parse_failures(request.failure_output, request.diagnostics, indexed.snapshot, indexed.reader)
    report = replace(report, failures=(*request.failures, *report.failures))
    scene = replace(scene_of(indexed.snapshot, request, report, means), max_unit_bytes=WHOLE)
    leads = gather(scene, no_checkpoint).leads
    evidence, clues = evidence_of(report.failures), clues_of(scene)
    return [
        table_of(case, leads, evidence, indexed.reader, budget, max_unit_bytes(Budget(limit=budget)), names, clues)
        for budget in budgets
    ]


def main(argv: Sequence[str] | None = None) -> None:
    """Fit, cross-validate, print."""
    parser = argparse.ArgumentParser(prog="python -m lsp_server.evaluation.fit", description=__doc__)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--clones", type=Path)
    parser.add_argument("--scratch", type=Path, default=Path("eval-work"))
    parser.add_argument("--budgets", default="4000,8000")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--no-cross-validation", action="store_true")
    options = parser.parse_args(argv)
    budgets = [int(part) for part in options.budgets.split(",")]
    names = fitted_names()
    facts = FactsByContent()
    tables: list[Table] = []
    for case in read_cases(options.cases.read_text(encoding="utf-8")).cases:
        folder = workspace_of(case, options.cases.resolve().parent, options.clones, options.scratch)
        tables += tables_of(case, facts.index(folder), budgets, names)
    _print("weights in use", tables, FUSION, names)
    if not options.no_cross_validation:
        folds = cross_validated(tables, neutral(FUSION), names, options.rounds)
        for fold in folds:
            print(f"  left out {fold.repository:30} {_text(means(fold.figures))}")
        for place, budget in enumerate(budgets):
            everything = [figures for fold in folds for figures in fold.figures[place :: len(budgets)]]
            print(f"cross-validated over repositories at {budget}: {_text(means(everything))}")
    fusion = fitted(tables, FUSION, names, options.rounds)
    _print("fitted", tables, fusion, names)
    for name in names:
        part = fusion.part(name)
        print(f'            "{name}": PartWeight({part.weight:.3g}, {part.power:g}),')
    for kind, share in fusion.kinds.items():
        print(f"            ChunkKind.{kind.name}: {share:.3g},")
    print(f"    test_share={fusion.test_share:.3g},\n    size_penalty={fusion.size_penalty:.3g},")


def _print(title: str, tables: Sequence[Table], fusion: Fusion, names: Sequence[str]) -> None:
    for budget in dict.fromkeys(table.budget for table in tables):
        own = [table for table in tables if table.budget == budget]
        figures = [replayed(table, scores(table, fusion, names)) for table in own]
        print(f"{title} at {budget}: {_text(means(figures))}")


def _text(figures: Mapping[str, float]) -> str:
    return " ".join(f"{name} {value:.3f}" for name, value in figures.items())


if __name__ == "__main__":
    main()
