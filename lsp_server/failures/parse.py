"""The entry: outputs and diagnostics → one ordered `FailureReport`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from enum import Enum, auto
from functools import cache
from typing import Any

from lsp_server.model.failure import Failure, FailureReport
from lsp_server.model.request import DiagnosticInput, FailureOutput, Place
from lsp_server.model.source import Checkpoint, SourceReader, no_checkpoint
from lsp_server.model.values import Value, replace

from .bulk import select_diagnostics
from .decode import clean, pieces, without_cut_number
from .dedupe import merge_repeats
from .detect import Shape, read_json, read_json_lines, read_xml_report, shape_of
from .drafts import Draft
from .drift import LineShift
from .grammars import GRAMMARS
from .grammars.fallback import BARE
from .grammars.pytest import read_body
from .locate import Locator
from .matchers import UserMatchers
from .order import order_failures
from .resolve import Resolver
from .stream import Demultiplexer, Triggers
from .summary import attach_tests
from .view import WorkspaceView

SAMPLE = 32_768
"""Characters of each end of an output that decide about a line prefix."""
MAX_FAILURES = 400
"""Failures in a report; more are counted in `left_out`."""


class FailureOptions(Value):
    """What beside the texts matters.

    `matchers` are user patterns; `canonical` maps an absolute path of this machine to its canonical path;
    `changes` are the hunks since the commit of an output that names one, by path; `cursor` and
    `recent_edits` raise diagnostics there.
    """

    matchers: UserMatchers | None = None
    canonical: Callable[[str], str | None] | None = None
    changes: Mapping[str, Sequence[LineShift]] = field(default_factory=dict[str, Sequence[LineShift]])
    cursor: Place | None = None
    recent_edits: tuple[Place, ...] = ()


DEFAULTS = FailureOptions()


def parse_failures(
    outputs: Sequence[FailureOutput],
    diagnostics: Sequence[DiagnosticInput],
    view: WorkspaceView[Any],
    reader: SourceReader,
    options: FailureOptions = DEFAULTS,
    checkpoint: Checkpoint = no_checkpoint,
) -> FailureReport:
    """All failures that `outputs` and `diagnostics` speak of, in order of suspicion.

    Nothing found is an empty report, never an error; raises only what `checkpoint` raises.
    """
    failures: list[Failure] = []
    left_out: dict[str, int] = {}
    ambiguous: list[str] = []
    for output in outputs:
        resolver = Resolver(view, output.cwd or "", options.canonical)
        locator = Locator(view, resolver, reader, options.changes if output.commit else {})
        drafts, missing = read_output(output, options.matchers, checkpoint)
        found = _located(drafts, locator)
        if not any(failure.locations for failure in found):
            again, _ = read_output(output, options.matchers, checkpoint, end=End.KEEP)
            if len(again) >= len(drafts):
                found = _located(again, locator)
        failures.extend(failure for failure in found if failure.locations or failure.message or failure.test)
        if missing:
            left_out["output-limit"] = left_out.get("output-limit", 0) + missing
        ambiguous.extend(locator.ambiguous)
        checkpoint()
    failures = order_failures(merge_repeats(failures))
    chosen, cut = select_diagnostics(diagnostics, failures, view, reader, options.cursor, options.recent_edits)
    left_out.update(cut)
    failures = order_failures([*failures, *chosen])
    if len(failures) > MAX_FAILURES:
        left_out["limit"] = len(failures) - MAX_FAILURES
        failures = failures[:MAX_FAILURES]
    return FailureReport(
        tuple(replace(failure, id=f"f{number}") for number, failure in enumerate(failures, start=1)),
        tuple(sorted(left_out.items())),
        tuple(dict.fromkeys(ambiguous)),
    )


def _located(drafts: Sequence[Draft], locator: Locator) -> list[Failure]:
    """Failures of `drafts`; what only the fallback saw counts when no grammar told of the same place."""
    pairs = [(draft, locator.failure(draft)) for draft in drafts]
    told = {(place.path, place.line) for draft, failure in pairs if not draft.weak for place in failure.locations}
    result: list[Failure] = []
    for draft, failure in pairs:
        if draft.weak:
            places = {(place.path, place.line) for place in failure.locations}
            if places <= told or (told and draft.tool == BARE):
                continue
            failure = replace(failure, tool="")
        result.append(failure)
    return result


class End(Enum):
    """What to do with digits at the very end of an output, which a cut may have halved."""

    DROP_NUMBER = auto()
    KEEP = auto()


def read_output(
    output: FailureOutput,
    matchers: UserMatchers | None = None,
    checkpoint: Checkpoint = no_checkpoint,
    end: End = End.DROP_NUMBER,
) -> tuple[list[Draft], int]:
    """Drafts of one output before any path is looked up, and how many were over the limit."""
    shape = _SHAPES.get(output.format) or shape_of(output.data)
    if shape is Shape.XML:
        report = read_xml_report(output.data, read_text)
        if report is not None:
            return report, 0
    if shape is Shape.JSON:
        found = read_json(output.data, read_text)
        if found is not None:
            more, left_out = _read_stream(found[1], matchers, checkpoint, end)
            return [*found[0], *more], left_out
    if shape is Shape.JSON_LINES:
        drafts, rest = read_json_lines(pieces(output.data), read_text)
        more, left_out = _read_stream(rest, matchers, checkpoint, end)
        return [*drafts, *more], left_out
    return _read_stream(output.data, matchers, checkpoint, end)


_SHAPES = {
    "text": Shape.TEXT,
    "xml": Shape.XML,
    "junit": Shape.XML,
    "json": Shape.JSON,
    "sarif": Shape.JSON,
    "lsp": Shape.JSON,
    "jsonl": Shape.JSON_LINES,
}


def read_text(text: str) -> list[Draft]:
    """Drafts of a short text that a structured format carries."""
    body = read_body(text)
    return [body] if body is not None else _read_stream(text, None, no_checkpoint, End.KEEP)[0]


@cache
def _triggers() -> Triggers:
    return Triggers(GRAMMARS)


def _read_stream(
    data: bytes | str, matchers: UserMatchers | None, checkpoint: Checkpoint, end: End
) -> tuple[list[Draft], int]:
    sample = _sample(data)
    reading = Demultiplexer(sample, _triggers(), matchers.session() if matchers is not None else None)
    held: str | None = None
    for piece in pieces(data):
        checkpoint()
        if held is not None:
            reading.feed(held)
        held = piece
    if held is not None:
        cut = not held.endswith("\n") and end is End.DROP_NUMBER
        reading.feed(without_cut_number(clean(held)) if cut else held)
    drafts, left_out, failed = reading.finish()
    return attach_tests(drafts, failed), left_out


def _sample(data: bytes | str) -> str:
    if len(data) <= 2 * SAMPLE:
        return "".join(pieces(data))
    head, tail = next(pieces(data[:SAMPLE]), ""), next(pieces(data[-SAMPLE:]), "")
    return head.rpartition("\n")[0] + "\n" + tail.partition("\n")[2]
