"""`build`: failure output, diagnostics or a task in, a context pack out."""

from __future__ import annotations

import argparse
import sys
from typing import Any, cast

from ..context.json import pack_to_dict, request_from
from ..context.render import render_omissions
from ..model.pack import ContextPack
from ..model.request import BuildRequest, FailureOutput
from .main import DONE, NOTHING
from .workspace import (
    add_workspace_arguments,
    note,
    opened,
    print_json,
    read_input,
    read_json,
    whole_number,
)

SHOWN_OMISSIONS = 15


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `build`."""
    given = parser.add_argument_group("what is failing (at least one)")
    given.add_argument("--failure", metavar="FILE", help="output of a test run, build or log; - for stdin")
    given.add_argument(
        "--diagnostics", metavar="FILE", help="JSON: a list as in context/build, or {path, lines, message}"
    )
    given.add_argument("--task", metavar="TEXT", help="what is to be done, in your words")
    given.add_argument("--mention", action="append", default=[], metavar="PATH|SYMBOL", help="must be in the pack")
    parser.add_argument("--goal", metavar="TEXT", help="the goal of a long task, shown verbatim above the pack")
    parser.add_argument("--state", metavar="FILE", help="notes of the state so far, shown above the pack; - for stdin")
    parser.add_argument("--request", metavar="FILE", help="a whole context/build request as JSON, instead of the above")
    parser.add_argument("--cwd", metavar="FOLDER", help="where the failing command ran, seen from the workspace")
    parser.add_argument("--commit", metavar="COMMIT", help="the commit it ran on, if not the present text (a CI log)")
    parser.add_argument("--budget", type=whole_number, metavar="TOKENS", help="default 8000 (or budget.maxTokens)")
    parser.add_argument("--max-chars", type=whole_number, metavar="N", help="a budget in characters instead")
    parser.add_argument("--stop", choices=("fill", "auto"), help="fill the budget, or stop when little is to be gained")
    parser.add_argument(
        "--format", choices=("markdown", "xml", "json"), help="default markdown; --json is the same as json"
    )
    parser.add_argument("--line-numbers", action="store_true", help="number the lines of code")
    parser.add_argument("--policy", metavar="NAME", help="ranking policy")
    parser.add_argument("--include", action="append", default=[], metavar="GLOB", help="show only matching files")
    parser.add_argument("--exclude", action="append", default=[], metavar="GLOB", help="never show matching files")
    parser.add_argument("--warnings", action="store_true", help="treat warnings as failures too")
    parser.add_argument("--rules", action="store_true", help="offer the project's rule files for agents")
    parser.add_argument("--explain", action="store_true", help="score parts and the path of edges for every item")
    add_workspace_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Build and print one pack."""
    raw, output = read_request(options)
    with opened(options) as session:
        request = make_request(raw, output, session.settings.budget_max_tokens)
        pack = session.build(request)
    _print(pack, options)
    return DONE if pack.selection.items else NOTHING


def read_request(options: argparse.Namespace) -> tuple[dict[str, Any], FailureOutput | None]:
    """What the options and the files they name say. Raises RequestError naming the option."""
    output = None
    raw = _raw_request(options)
    if options.failure is not None:
        output = FailureOutput(read_input(options.failure, "--failure"), cwd=options.cwd, commit=options.commit)
    return raw, output


def _raw_request(options: argparse.Namespace) -> dict[str, Any]:
    """The request as its JSON form, so that every value is checked in one place."""
    if options.request is not None:
        whole: Any = read_json(options.request, "--request")
        return cast(dict[str, Any], whole) if isinstance(whole, dict) else {"task": whole}
    raw = dict[str, Any]()
    if options.diagnostics is not None:
        given: Any = read_json(options.diagnostics, "--diagnostics")
        raw["diagnostics"] = cast(dict[str, Any], given).get("diagnostics", given) if isinstance(given, dict) else given
    if options.task is not None:
        raw["task"] = options.task
    state = None if options.state is None else read_input(options.state, "--state").decode("utf-8", "replace")
    raw["pinned"] = {"goal": options.goal, "state": state} if options.goal or state else None
    raw["mentions"] = [_mention(text) for text in options.mention]
    raw["include"], raw["exclude"] = options.include, options.exclude
    budget = {"maxTokens": options.budget, "maxChars": options.max_chars, "stop": options.stop}
    raw["budget"] = {name: value for name, value in budget.items() if value is not None}
    chosen = "json" if options.json else options.format or "markdown"
    raw["render"] = {"format": "none" if chosen == "json" else chosen, "lineNumbers": options.line_numbers}
    raw["policy"] = options.policy
    raw["includeWarnings"], raw["includeRules"] = options.warnings, options.rules
    raw["explain"] = options.explain
    return {name: value for name, value in raw.items() if value not in (None, [], {})}


def _mention(text: str) -> dict[str, str]:
    return {"path": text} if "/" in text or "." in text.rsplit("::", 1)[-1] else {"symbol": text}


def make_request(raw: dict[str, Any], output: FailureOutput | None, max_tokens: int) -> BuildRequest:
    """The checked request. Raises RequestError naming the culprit."""
    from ..model.values import replace

    budget = raw.setdefault("budget", {})
    if isinstance(budget, dict) and not {"maxTokens", "maxChars"} & budget.keys():
        budget["maxTokens"] = max_tokens
    if output is None:
        return request_from(raw)
    # The output may be bytes in any encoding, which JSON cannot carry: it joins after the checks.
    given = "failureOutput" not in raw
    request = request_from({**raw, "task": raw.get("task") or "-"} if given else raw)
    return replace(request, failure_output=(output, *request.failure_output), task=raw.get("task", ""))


def _print(pack: ContextPack, options: argparse.Namespace) -> None:
    selection = pack.selection
    if options.json or options.format == "json":
        print_json(pack_to_dict(pack))
        return
    sys.stdout.write(pack.rendered or "")
    if selection.omitted:
        print(f"\nNot included ({len(selection.omitted)}):\n")
        sys.stdout.write(render_omissions(selection.omitted, SHOWN_OMISSIONS))
    if options.explain:
        _print_parts(pack)
    if options.quiet:
        return
    note(f"{len(selection.items)} items, {selection.used} of {selection.budget} {selection.counter} used")
    if not pack.failures and options.failure is not None:
        note("no failure was recognised in the output; the pack is from a search for its words")
    if selection.missing_critical:
        note("the failing code itself is not in the pack: raise --budget, or see why above")
    if not selection.items:
        note("nothing found; is this the right --root? `repo-context-lsp status` shows what is indexed")


def _print_parts(pack: ContextPack) -> None:
    print("\nScores:\n")
    for item in pack.selection.items:
        parts = ", ".join(f"{name} {value:.2f}" for name, value in sorted(item.parts.items()))
        trail = " → ".join(item.trail)
        print(f"- {item.rank}. {item.id} {item.score:.3f} ({parts}){f' via {trail}' if trail else ''}")
