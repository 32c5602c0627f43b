"""`python -m lsp_server.evaluation.fit_stop CASES.jsonl --clones DIR --scratch DIR`: refits where `stop: auto` ends.

Prints what each worth of recall costs and wins, in sample and for repositories left out of the fit, and the
fitted weights, to be copied into `retrieval/odds.py` (the odds) and `context/stopping.py` (the worth).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ..context.stopping import STOP_RULE
from ..retrieval.fuse import FUSION
from ..retrieval.odds import ODDS
from .cases import read_cases
from .fit import tables_of
from .fitting import fitted_names
from .indexing import FactsByContent
from .stopping import WEIGHTS, Filled, Stopped, filled, fitted_odds, least_worth, left_out_odds, stop_curve, surprise
from .workspaces import workspace_of


def main(argv: Sequence[str] | None = None) -> None:
    """Fit, cross-validate, print."""
    parser = argparse.ArgumentParser(prog="python -m lsp_server.evaluation.fit_stop", description=__doc__)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--clones", type=Path)
    parser.add_argument("--scratch", type=Path, default=Path("eval-work"))
    parser.add_argument("--budget", type=int, default=8_000)
    options = parser.parse_args(argv)
    names, facts = fitted_names(), FactsByContent()
    cases: list[Filled] = []
    for case in read_cases(options.cases.read_text(encoding="utf-8")).cases:
        folder = workspace_of(case, options.cases.resolve().parent, options.clones, options.scratch)
        cases += [
            filled(table, FUSION, names) for table in tables_of(case, facts.index(folder), [options.budget], names)
        ]
    report(cases)


def report(cases: Sequence[Filled]) -> None:
    """Print both curves and the fitted weights."""
    repositories = dict.fromkeys(case.repository for case in cases)
    odds, left_out = fitted_odds(cases), left_out_odds(cases)
    everywhere = dict.fromkeys(repositories, odds)
    in_use = stop_curve(cases, dict.fromkeys(repositories, ODDS), STOP_RULE)
    inside, outside = stop_curve(cases, everywhere, STOP_RULE), stop_curve(cases, left_out, STOP_RULE)
    print(f"surprise {surprise(cases, everywhere):.3f} nats, left out {surprise(cases, left_out):.3f}")
    for now, own, other in zip(in_use, inside, outside, strict=True):
        name = "filled" if own.worth is None else f"{own.worth:g}"
        print(
            f"{name:>7}  in use {_text(now, in_use[0])}  fitted {_text(own, inside[0])}"
            f"  left out {_text(other, outside[0])}"
        )
    print(f"recall_worth={least_worth(inside, outside)}")
    for title, table in [("all", odds), *left_out.items()]:
        print(f"{title}: {', '.join(f'{name}={getattr(table, name):.2f}' for name in WEIGHTS)}")


def _text(row: Stopped, whole: Stopped) -> str:
    gained = row.f1 / whole.f1 if whole.f1 else 0.0
    return f"line {row.line - whole.line:+.3f} F1 {row.f1:.4f} x{gained:.2f} tokens {row.tokens:5.0f}"


if __name__ == "__main__":
    main()
