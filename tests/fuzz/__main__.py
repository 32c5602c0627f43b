"""`python -m tests.fuzz --minutes N [--kind K]...`: fuzz and print a table; exit code 1 when there is a fault."""

from __future__ import annotations

import argparse
import sys
import time

from .kinds import KINDS, run_cases, run_for
from .tally import Tally


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, epilog="\n".join(f"{k}: {v}" for k, v in KINDS.items()))
    parser.add_argument("--minutes", type=float, default=1.0, help="for all kinds together")
    parser.add_argument("--cases", type=int, help="instead: so many cases of each kind")
    parser.add_argument("--kind", action="append", choices=tuple(KINDS), help="only these (may be repeated)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="repeats a run")
    options = parser.parse_args()
    kinds = options.kind or list(KINDS)
    heads = f"{'cases':>9} {'crashes':>8} {'hangs':>6} {'unanswered':>11} {'set aside':>10} {'seconds':>8}"
    print(f"seed {options.seed}\n{'kind':<10} {heads}", flush=True)
    tallies: list[Tally] = []
    for kind in kinds:
        begin = time.monotonic()
        if options.cases is not None:
            tally = run_cases(kind, options.cases, options.seed)
        else:
            tally = run_for(kind, options.minutes * 60 / len(kinds), options.seed)
        seconds = time.monotonic() - begin
        counts = f"{tally.cases:>9} {tally.crashes:>8} {tally.hangs:>6} {tally.unanswered:>11} {tally.set_aside:>10}"
        print(f"{kind:<10} {counts} {seconds:>8.1f}", flush=True)
        tallies.append(tally)
    for tally in tallies:
        for note in tally.notes:
            print(note, file=sys.stderr)
    return 1 if any(tally.faults for tally in tallies) else 0


if __name__ == "__main__":
    sys.exit(main())
