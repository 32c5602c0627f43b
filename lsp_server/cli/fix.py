"""`fix`: run a test command, give a model command the code that matters, apply its edits, test again."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from ..loop.arms import Arm
from ..loop.commands import words_of
from ..loop.fix import FixOptions, fix, quiet
from ..loop.safety import Safety, commit, restore_point, worktree
from ..loop.trace import Trace, trace_to_dict
from ..loop.trace_page import trace_page
from ..model.errors import PathError, RequestError
from ..session.session import Session
from .main import DONE, NOTHING
from .workspace import add_workspace_arguments, note, print_json, roots_of, whole_number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `fix`."""
    parser.add_argument("--test", required=True, metavar="CMD", help="the command that fails, e.g. 'pytest -q'")
    parser.add_argument(
        "--model", required=True, metavar="CMD", help="reads a prompt on stdin, writes SEARCH/REPLACE blocks to stdout"
    )
    parser.add_argument(
        "--goal", default="", metavar="TEXT", help="what you want, in your words; the model gets it verbatim"
    )
    parser.add_argument("--rounds", type=whole_number, default=5, metavar="N", help="rounds at most (default 5)")
    parser.add_argument("--budget", type=whole_number, metavar="TOKENS", help="code per round (default 8000)")
    parser.add_argument(
        "--in",
        dest="safety",
        choices=[str(one) for one in Safety],
        default=str(Safety.PLACE),
        help="place (default): here, put back unless it ends green; worktree: apart, print a patch",
    )
    parser.add_argument("--commit", action="store_true", help="commit the files of a fix that ended green")
    parser.add_argument("--timeout", type=float, default=600.0, metavar="SECONDS", help="for one test or model run")
    parser.add_argument("--trace", metavar="FILE", help="write the trace there: .html for a page, else JSON")
    parser.add_argument(
        "--arm", choices=[str(one) for one in Arm], default=str(Arm.FULL), help="what retrieval may use"
    )
    add_workspace_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Fix; exit code 0 when the command succeeds in the end, 1 when not."""
    roots = roots_of(options)
    if len(roots) != 1:
        raise PathError("--root", "give one folder")
    wanted = FixOptions(
        test=words_of(options.test),
        model=words_of(options.model),
        rounds=options.rounds,
        budget=8_000 if options.budget is None else options.budget,
        goal=options.goal,
        test_seconds=options.timeout,
        model_seconds=options.timeout,
        arm=Arm(options.arm),
    )
    if options.safety == Safety.WORKTREE:
        if options.commit:
            raise RequestError("--commit", "works with --in place only; apply the patch yourself")
        with worktree(roots[0]) as apart:
            trace = _fixed(apart, wanted, options, "Done in a worktree; the workspace is as it was.")
    else:
        trace = _fixed(roots[0], wanted, options, restore_point(roots[0]))
        if options.commit and trace.solved and trace.rounds:
            trace = _committed(roots[0], trace)
    _report(trace, options)
    return DONE if trace.solved else NOTHING


def _fixed(folder: Path, wanted: FixOptions, options: argparse.Namespace, safety: str) -> Trace:
    with Session.open([folder], options.set) as session:
        session.wait_fresh()
        return fix(session, folder, wanted, safety, quiet if options.quiet else note)


def _committed(folder: Path, trace: Trace) -> Trace:
    from dataclasses import replace

    paths = dict.fromkeys(path for one in trace.rounds for path in one.edited)
    made = commit(folder, paths, f"Fix: {' '.join(trace.test_command)} succeeds")
    if made is None:
        note("git commit failed; the fix is in the working tree")
    return replace(trace, commit=made)


def _report(trace: Trace, options: argparse.Namespace) -> None:
    if options.trace is not None:
        text = trace_page(trace) if options.trace.endswith((".html", ".htm")) else _json(trace)
        try:
            Path(options.trace).write_text(text, encoding="utf-8")
        except OSError as error:
            raise RequestError("--trace", f"cannot write {options.trace}: {error.strerror or error}") from None
    if options.json:
        print_json({**trace_to_dict(trace), "patch": trace.patch if trace.solved else ""})
        return
    if trace.solved:
        sys.stdout.write(trace.patch)
    for one in trace.rounds:
        if one.refused and not options.quiet:
            note(f"round {one.number}: {one.refused}")
    if not options.quiet:
        note(f"{trace.outcome} after {len(trace.rounds)} round{'' if len(trace.rounds) == 1 else 's'}")
        if trace.restored:
            note(f"put back as they were: {', '.join(trace.restored)}")


def _json(trace: Trace) -> str:
    return json.dumps(trace_to_dict(trace), ensure_ascii=False, indent=2) + "\n"
