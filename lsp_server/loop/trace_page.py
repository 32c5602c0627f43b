"""The trace as a page for a person: rounds from top to bottom, long texts folded; no script, nothing from outside."""

from __future__ import annotations

from html import escape

from .trace import Outcome, Round, TestRun, Trace

_STYLE = """\
:root { color-scheme: light dark; --line: light-dark(#d5dae2, #3a424e); --good: light-dark(#1a7f4b, #57c98d);
  --bad: light-dark(#b3261e, #f2877f); --soft: light-dark(#f4f6f9, #1b2028); }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.3rem; }
h2 { font-size: 1.1rem; border-top: 1px solid var(--line); padding-top: 1rem; margin-top: 2rem; }
pre { background: var(--soft); padding: .75rem; overflow: auto; font-size: 13px;
  border-radius: 4px; max-height: 32rem; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
td, th { text-align: left; padding: .2rem .6rem .2rem 0;
  border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
td.number { text-align: right; }
td:nth-child(2):not(.number) { white-space: nowrap; }
summary { cursor: pointer; padding: .2rem 0; } code { overflow-wrap: anywhere; }
.good { color: var(--good); } .bad { color: var(--bad); } .add { color: var(--good); } .remove { color: var(--bad); }
"""

_ENDINGS = {
    Outcome.GREEN: "The command succeeds now.",
    Outcome.ALREADY_GREEN: "The command succeeded before anything was done.",
    Outcome.NO_PROGRESS: "Stopped: two rounds in a row brought nothing new.",
    Outcome.ROUNDS: "Stopped: the rounds are used up.",
    Outcome.BLOCKED: "Stopped: the failing code did not fit the pack, so nothing may be written.",
    Outcome.MODEL_FAILED: "Stopped: the model command failed.",
}


def trace_page(trace: Trace) -> str:
    """The whole page."""
    kind = "good" if trace.solved else "bad"
    commit = f"<p>Committed as <code>{escape(trace.commit)}</code>.</p>" if trace.commit else ""
    restored = f"<p>Put back as they were: {escape(', '.join(trace.restored))}.</p>" if trace.restored else ""
    rounds = "".join(_round(one) for one in trace.rounds)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>Fix: {trace.outcome}</title><style>{_STYLE}</style></head><body>"
        f'<h1>Fix: <span class="{kind}">{trace.outcome}</span></h1><p>{_ENDINGS[trace.outcome]}</p>'
        f"<p>Test command <code>{escape(' '.join(trace.test_command))}</code>, model command "
        f"<code>{escape(' '.join(trace.model_command))}</code>, retrieval {escape(trace.arm)}, "
        f"{len(trace.rounds)} round{'' if len(trace.rounds) == 1 else 's'}. {escape(trace.safety)}</p>"
        f"{commit}{restored}<h2>Before</h2>{_test(trace.first)}{rounds}</body></html>\n"
    )


def _round(one: Round) -> str:
    refused = f'<p class="bad">Refused: {escape(one.refused)}</p>' if one.refused else ""
    edited = f"<h3>Edited</h3>{_diff(one.diff)}" if one.diff else ""
    tested = f"<h3>Tests after it</h3>{_test(one.test)}" if one.test is not None else ""
    sources = "".join(
        f'<tr><td>{escape(name)}<td class="number">{count["found"]}<td class="number">{count["admitted"]}'
        f'<td class="number">{count["omitted"]}<td class="number">{count["cut"]}'
        for name, count in one.sources.items()
    )
    shown = "".join(
        f"<tr><td><code>{escape(item.id)}</code><td>{escape(item.reason)}<td>{escape(item.why)}"
        f'<td class="number">{item.cost}'
        for item in one.shown
    )
    left = "".join(
        f'<tr><td><code>{escape(item.id)}</code><td>{escape(item.cause)}<td class="number">{item.cost or ""}'
        for item in one.left_out
    )
    return (
        f"<h2>Round {one.number}</h2>{refused}"
        f"<p>{len(one.shown)} snippets shown, {one.used} of {one.budget} used; {len(one.left_out)} left out.</p>"
        + _folded("Shown to the model", f"<table><tr><th>Place<th>Reason<th>Why<th>Cost{shown}</table>", " open")
        + _folded("Left out", f"<table><tr><th>Place<th>Cause<th>Cost{left}</table>")
        + _folded("Sources", f"<table><tr><th>Source<th>Found<th>Shown<th>Left out<th>Cut{sources}</table>")
        + _folded(f"Prompt ({len(one.prompt)} characters)", f"<pre>{escape(one.prompt)}</pre>")
        + _folded(f"Answer ({one.model_seconds:.1f} s)", f"<pre>{escape(one.answer)}</pre>")
        + edited
        + tested
    )


def _folded(title: str, content: str, state: str = "") -> str:
    return f"<details{state}><summary>{title}</summary>{content}</details>"


def _test(run: TestRun) -> str:
    ok = run.code == 0 and not run.timed_out
    ended = "succeeded" if ok else "took too long" if run.timed_out else f"failed with code {run.code}"
    failures = "".join(f"<li>{escape(one)}" for one in run.failures)
    return (
        f'<p class="{"good" if ok else "bad"}">The command {ended} after {run.seconds:.1f} s.</p>'
        + (f"<ul>{failures}</ul>" if failures else "")
        + f"<details><summary>Output</summary><pre>{escape(run.output)}</pre></details>"
    )


def _diff(diff: str) -> str:
    kinds = {"+": "add", "-": "remove"}
    lines = [
        f'<span class="{kinds[line[0]]}">{escape(line)}</span>' if line[:1] in kinds else escape(line)
        for line in diff.splitlines()
    ]
    return f"<pre>{chr(10).join(lines)}</pre>"
