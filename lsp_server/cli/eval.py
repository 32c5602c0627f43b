"""`eval`: measure retrieval on a file of cases."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..evaluation.arms import DEFAULT_ARM, arms_named, leave_one_out_arms, standard_arms
from ..evaluation.cases import Case, CaseFile, read_cases
from ..evaluation.misses import fates, missed_cases, scenario
from ..evaluation.report import report_html
from ..evaluation.runner import Result
from ..evaluation.runner import run as run_cases
from ..evaluation.summary import ALL, row_to_dict, summarised, table_text
from ..evaluation.workspaces import Workspace, workspace_of
from ..model.errors import RequestError
from ..model.request import Stop
from .main import DONE

if TYPE_CHECKING:
    from .task_success import Attempt

CLONES = "EVAL_MIRRORS"
SCRATCH = "EVAL_ROOT"
DEFAULT_BUDGETS = "4000,8000"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `eval`."""
    parser.add_argument("cases", type=Path, metavar="CASES.jsonl", help="the cases, one JSON object a line")
    parser.add_argument("--clones", type=Path, help=f"folder with local clones of the repositories (${CLONES})")
    parser.add_argument("--scratch", type=Path, help=f"folder in which workspaces are laid out (${SCRATCH})")
    parser.add_argument("--budgets", default=DEFAULT_BUDGETS, help=f"tokens, comma-separated ({DEFAULT_BUDGETS})")
    parser.add_argument("--arms", default="", help="arms, comma-separated (default: all but those left out in turn)")
    parser.add_argument("--leave-one-out", action="store_true", help="also leave out each source in turn")
    parser.add_argument(
        "--stop", choices=[str(stop) for stop in Stop], default=str(Stop.FILL), help="when packing ends"
    )
    parser.add_argument("--predictions", type=Path, metavar="OUT.jsonl", help="write what the first arm showed")
    parser.add_argument("--html", type=Path, metavar="REPORT.html", help="write the report")
    parser.add_argument("--json", type=Path, metavar="OUT.json", dest="json_out", help="write all rows and misses")
    parser.add_argument("--misses", type=Path, metavar="OUT.jsonl", help="write missed cases as regression scenarios")
    parser.add_argument(
        "--model", metavar="CMD", help="also run the fix loop with this model command, as in `fix`, and count successes"
    )
    parser.add_argument("--test", metavar="CMD", help="with --model: the test command, run in each case's workspace")
    parser.add_argument("--rounds", type=int, default=3, help="with --model: rounds of the loop at most (3)")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")


def run(options: argparse.Namespace) -> int:
    """Measure; a file without a case is an input error."""
    if (options.model is None) != (options.test is None):
        raise RequestError("--model", "goes with --test")
    case_file = _read(options.cases)
    budgets = _budgets(options.budgets)
    arms = arms_named(options.arms) if options.arms else standard_arms()
    if options.leave_one_out:
        arms = (*arms, *(arm for arm in leave_one_out_arms() if arm not in arms))
    clones = options.clones or _from_environment(CLONES)
    scratch = options.scratch or _from_environment(SCRATCH) or Path("eval-work")
    base = options.cases.resolve().parent
    results: list[Result] = []
    done = 0

    def locate(case: Case) -> Workspace:
        return workspace_of(case, base, clones, scratch)

    for result in run_cases(case_file.cases, arms, budgets, locate, Stop(options.stop)):
        results.append(result)
        if not options.quiet and len(results) % (len(arms) * len(budgets)) == 0:
            done += 1
            print(f"\r{done} of {len(case_file.cases)} cases", end="", file=sys.stderr, flush=True)
    if not options.quiet:
        print(file=sys.stderr)
    tried = _attempts(options, case_file, locate) if options.model else []
    _report(options, case_file, results, arms[0].name if arms else DEFAULT_ARM.name, tried)
    return DONE


def _attempts(options: argparse.Namespace, case_file: CaseFile, locate: Callable[[Case], Workspace]) -> list[Attempt]:
    from ..loop.commands import words_of
    from .task_success import attempts

    found: list[Attempt] = []
    words = words_of(options.test), words_of(options.model)
    for one in attempts(case_file.cases, locate, *words, options.rounds):
        found.append(one)
        if not options.quiet:
            print(f"{one.case} {one.arm}: {'solved' if one.solved else 'not solved'}", file=sys.stderr)
    return found


def _read(path: Path) -> CaseFile:
    try:
        return read_cases(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RequestError("CASES", f"cannot be read: {error.strerror}") from None


def _budgets(text: str) -> tuple[int, ...]:
    try:
        budgets = tuple(int(part) for part in text.split(",") if part.strip())
    except ValueError:
        budgets = ()
    if not budgets or min(budgets) < 0:
        raise RequestError("--budgets", f"give whole numbers, comma-separated, got {text!r}")
    return budgets


def _from_environment(name: str) -> Path | None:
    value = os.environ.get(name)
    return Path(value) if value else None


def _report(
    options: argparse.Namespace,
    case_file: CaseFile,
    results: Sequence[Result],
    first: str,
    tried: Sequence[Attempt],
) -> None:
    rows = summarised(results)
    missed = missed_cases(result for result in results if result.arm == first)
    print(table_text([row for row in rows if row.group == ALL or row.arm == first]))
    for budget in dict.fromkeys(result.budget for result in results):
        counts = fates(result for result in results if result.arm == first and result.budget == budget)
        print(f"\nright places of {first} at {budget}: " + ", ".join(f"{n} {fate}" for fate, n in counts.most_common()))
    if tried:
        from .task_success import success_text

        print(success_text(tried))
    if case_file.without_expectation:
        print(f"\nwithout any expectation, not measured: {', '.join(case_file.without_expectation)}")
    if options.predictions:
        _write_lines(options.predictions, _predictions(results, first))
    if options.misses:
        _write_lines(options.misses, (scenario(one) for one in missed))
    if options.json_out:
        content = {
            "cases": len(case_file.cases),
            "withoutExpectation": list(case_file.without_expectation),
            "stop": options.stop,
            "rows": [row_to_dict(row) for row in rows],
            "missed": [scenario(one) for one in missed],
            "attempts": [{"id": one.case, "arm": one.arm, "success": one.solved} for one in tried],
        }
        options.json_out.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    if options.html:
        note = f"{len(case_file.cases)} cases of {options.cases.name}, stop: {options.stop}. Means with 95 % intervals."
        options.html.write_text(report_html(rows, results, missed, note), encoding="utf-8")


def _predictions(results: Iterable[Result], arm: str) -> Iterable[dict[str, object]]:
    for result in results:
        if result.arm == arm:
            yield {
                "id": result.case.id,
                "budget": result.budget,
                "pred": [
                    {"path": span.path, "start": span.range.start, "end": span.range.end}
                    for span in result.answer.spans
                    if span.range is not None
                ],
                "file_rank": list(result.answer.file_rank),
            }


def _write_lines(path: Path, values: Iterable[object]) -> None:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
