"""Answers of the toolbox as text for people and models, from their plain JSON forms, within a token budget.

The JSON form is what travels (from a joined server too), so text is made from it alone. An answer over its
budget loses whole entries from the end, never a part of one, and says how many (`cut`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from ..model.source import TokenCounter
from ..model.values import Value
from .escape import code_span, fence_for, one_line, visible

Plain = dict[str, Any]

MAX_MESSAGE = 300
MAX_SHORT_MESSAGE = 120


class Answer(Value):
    """The plain form with `cut`, and its text. Each alone keeps the budget."""

    plain: Plain
    text: str


def within(plain: Plain, entries: str, text: Callable[[Plain], str], budget: int, counter: TokenCounter) -> Answer:
    """The answer with as many of `plain[entries]`, from the first, as fit `budget` in both forms.

    When not even the answer without entries fits, that is given: it only names counts.
    """
    listed: list[Any] = plain[entries]
    low, high = 0, len(listed)
    while low < high:
        middle = (low + high + 1) // 2
        if _cost(_first(plain, entries, middle), text, counter) <= budget:
            low = middle
        else:
            high = middle - 1
    shown = _first(plain, entries, low)
    return Answer(shown, text(shown))


def _first(plain: Plain, entries: str, count: int) -> Plain:
    listed: list[Any] = plain[entries]
    return {**plain, entries: listed[:count], "cut": len(listed) - count}


def _cost(plain: Plain, text: Callable[[Plain], str], counter: TokenCounter) -> int:
    return max(counter.count(text(plain)), counter.count(json.dumps(plain, ensure_ascii=False)))


def search_text(plain: Mapping[str, Any]) -> str:
    """One block a hit: place, symbol, the lines that match."""
    parts: list[str] = []
    for hit in plain["hits"]:
        symbol = f" {visible(hit['symbol'])}" if hit.get("symbol") else ""
        parts.append(f"{_place(hit)}{symbol} ({hit['score']:.2f})\n")
        parts += [f"  {match['line']}: {visible(match['text'].strip())}\n" for match in hit["matches"]]
    return "".join(parts) + _more(plain, "hits", "raise the limit or narrow the query")


def grep_text(plain: Mapping[str, Any]) -> str:
    """`path:line: text` lines."""
    lines = [
        f"{visible(match['path'])}:{match['line']}: {visible(match['text'].strip())}\n" for match in plain["matches"]
    ]
    ended = {"time": "the search ran out of time; narrow it with include", "limit": "raise the limit or narrow it"}
    return "".join(lines) + _more(plain, "matches", ended.get(str(plain.get("stopped")), "narrow the pattern"))


def related_text(plain: Mapping[str, Any]) -> str:
    """A heading with relation and reason, then the code, for each item."""
    parts = [
        f"### {code_span(_place(item))} · {item['relation']}: {one_line(item['why'], MAX_MESSAGE)}\n"
        + _fenced(item["content"], item["path"])
        for item in plain["items"]
    ]
    return "".join(parts) + _more(plain, "items", "ask for one of the symbols")


def expanded_text(plain: Mapping[str, Any]) -> str:
    """The code with its place."""
    symbol = f" {visible(plain['symbol'])}" if plain.get("symbol") else ""
    unsaved = " (unsaved)" if plain.get("origin") == "buffer" else ""
    return f"### {code_span(_place(plain))}{symbol}{unsaved}\n" + _fenced(plain["content"], plain["path"])


def failures_text(plain: Mapping[str, Any]) -> str:
    """Numbered failures with their places."""
    parts: list[str] = []
    for number, failure in enumerate(plain["failures"], start=1):
        message = one_line(failure["message"], MAX_MESSAGE)
        parts.append(f"{number}. {failure['kind']} ({visible(failure['tool'] or 'unknown tool')}): {message}\n")
        if failure.get("test"):
            parts.append(f"     test     {one_line(failure['test'], MAX_MESSAGE)}\n")
        for place in failure["locations"]:
            symbol = f" in {visible(place['symbol'])}" if place.get("symbol") else ""
            parts.append(f"     {place['role']:8} {visible(place['path'])}:{place['line']}{symbol}\n")
    if not plain["failures"] and not plain.get("cut"):
        parts.append("no failure found\n")
    return "".join(parts) + _more(plain, "failures", "raise the budget")


def verdicts_text(plain: Mapping[str, Any]) -> str:
    """One line a snippet that is not what it was; a line for all when nothing changed."""
    lines: list[str] = []
    for item in plain["items"]:
        if item["state"] != "same":
            now = f", now at lines {item['now']['start']}-{item['now']['end']}" if item.get("now") else ""
            lines.append(f"{visible(item['id'])}: {item['state']}{now}\n")
    return "".join(lines) or f"all {len(plain['items'])} snippets are still what they were\n"


def edits_text(plain: Mapping[str, Any]) -> str:
    """What was (or would be) done, then the diff."""
    done = "applied" if plain["applied"] else "preview, nothing written"
    names = ", ".join(f"{visible(file['path'])}{' (new)' if file['created'] else ''}" for file in plain["files"])
    return f"{done}: {names}\n" + "".join(file["diff"] for file in plain["files"])


def status_text(plain: Mapping[str, Any]) -> str:
    """The state of the index in a few lines."""
    head = f", HEAD {plain['head'][:12]}" if plain.get("head") else ""
    languages = ", ".join(f"{name or 'text'} {count}" for name, count in plain["languages"].items())
    lines = [
        f"{plain['phase']}: {plain['files']} files indexed, {plain['pendingFiles']} pending, revision "
        f"{plain['revision']}{head}",
        f"roots: {', '.join(root['path'] for root in plain['roots'])}",
        f"languages: {languages}",
        f"{plain['symbols']} definitions, {plain['references']} references, {plain['openDocuments']} open documents",
        *(f"skipped: {count} files, {reason}" for reason, count in plain["skippedCounts"].items()),
        *(f"quarantined: {entry['path']}: {entry['reason']}" for entry in plain["quarantined"][:10]),
        *(f"attention: {sentence}" for sentence in [*plain["degraded"], *plain["problems"]]),
    ]
    return "".join(f"{visible(line)}\n" for line in lines)


def lacking(plain: Mapping[str, Any]) -> Plain:
    """Why an answer may lack something: files not indexed yet, what does not work. Empty for a whole one."""
    freshness: Mapping[str, Any] = plain.get("freshness") or plain
    return {name: freshness[name] for name in ("pendingFiles", "degraded") if freshness.get(name)}


def lacking_text(plain: Mapping[str, Any]) -> str:
    """The same in words, a line each."""
    found = lacking(plain)
    pending = found.get("pendingFiles", 0)
    lines = [f"({pending} files are not indexed yet; the answer may lack something)\n"] if pending else []
    return "".join([*lines, *(f"(attention: {visible(sentence)})\n" for sentence in found.get("degraded", ()))])


def _place(entry: Mapping[str, Any]) -> str:
    return f"{visible(entry['path'])}:{entry['lines']['start']}-{entry['lines']['end']}"


def _fenced(content: str, path: str) -> str:
    fence = fence_for(content)
    name, dot, ending = path.rpartition(".")
    info = ending.lower() if dot and name and ending.isalnum() else ""
    text = content if content.endswith(("\n", "\r")) else content + "\n"
    return f"{fence}{info}\n{text}{fence}\n"


def _more(plain: Mapping[str, Any], entries: str, advice: str) -> str:
    cut = plain.get("cut", 0)
    if cut:
        return f"({cut} more {entries} did not fit the budget; {advice})\n"
    if plain.get("truncated"):
        return f"(there are more {entries}; {advice})\n"
    return "" if plain[entries] or entries == "failures" else f"(no {entries})\n"


LISTED = 5
"""Omissions and failures that a short form names one by one."""


def short_pack(plain: Mapping[str, Any]) -> Plain:
    """A pack for a model: the rendered text, which names every item, and what else it may act on."""
    causes = Counter(entry["cause"] for entry in plain["omitted"])
    return {
        "text": plain.get("rendered", "") + lacking_text(plain),
        "failures": [
            {"message": one_line(failure["message"], MAX_SHORT_MESSAGE), "items": failure["items"][:1]}
            for failure in plain["failures"][:LISTED]
        ],
        "failureCount": len(plain["failures"]),
        "itemCount": len(plain["items"]),
        "omitted": [_keys(entry, "id", "cause") for entry in sorted(plain["omitted"], key=_rank_of)[:LISTED]],
        "omittedCauses": dict(causes),
        **_keys(plain, "used", "budget", "truncated", "missingCritical", "missingRequired", "fingerprint"),
        "pendingFiles": plain["freshness"]["pendingFiles"],
        **lacking(plain),
    }


def _rank_of(entry: Plain) -> tuple[bool, int]:
    return entry["rank"] is None, entry["rank"] or 0


def short_cost(short: Plain, counter: TokenCounter) -> int:
    """Cost of a short form as JSON."""
    return counter.count(json.dumps(short, ensure_ascii=False))


def without_lists(short: Plain) -> Plain:
    """A short form whose lists are emptied: its text and counts."""
    return {key: [] if isinstance(value, list) else value for key, value in short.items()}


def short_map(plain: Mapping[str, Any]) -> Plain:
    """A map for a model: its text and the counts."""
    return {
        "text": plain["rendered"] + lacking_text(plain),
        **_keys(plain, "used", "budget", "filesLeftOut", "symbolsLeftOut"),
        "files": len(plain["files"]),
        **lacking(plain),
    }


def short_search(plain: Mapping[str, Any]) -> Plain:
    """Hits without their code: the lines that match say enough to choose by."""
    hits = [_keys(hit, "path", "lines", "symbol", "score", "matches") for hit in plain["hits"]]
    return {"hits": hits, "truncated": plain["truncated"], **lacking(plain)}


def short_grep(plain: Mapping[str, Any]) -> Plain:
    """Matches by line."""
    matches = [_keys(match, "path", "line", "text") for match in plain["matches"]]
    return {"matches": matches, **_keys(plain, "files", "truncated", "stopped"), **lacking(plain)}


def short_related(plain: Mapping[str, Any]) -> Plain:
    """Items with their code."""
    items = [_keys(item, "path", "lines", "relation", "symbol", "why", "content") for item in plain["items"]]
    return {"items": items, "truncated": plain["truncated"], **lacking(plain)}


def short_failures(plain: Mapping[str, Any]) -> Plain:
    """Failures with their places in the workspace."""
    found = [
        {
            **_keys(failure, "id", "kind", "severity", "tool", "test", "code"),
            "message": one_line(failure["message"], MAX_MESSAGE),
            "locations": [_keys(place, "path", "line", "role", "symbol") for place in failure["locations"][:LISTED]],
        }
        for failure in plain["failures"]
    ]
    return {"failures": found, "leftOut": plain["leftOut"], **lacking(plain)}


def short_expanded(plain: Mapping[str, Any]) -> Plain:
    """The code with its place."""
    return {**_keys(plain, "id", "path", "lines", "symbol", "content", "contentHash", "origin"), **lacking(plain)}


def short_status(plain: Mapping[str, Any]) -> Plain:
    """What tells whether answers are whole and fresh."""
    kept = _keys(plain, "phase", "files", "pendingFiles", "symbols", "revision", "head", "openDocuments")
    lists = {
        "roots": [root["path"] for root in plain["roots"]],
        "attention": [*plain["degraded"], *plain["problems"]],
        "quarantined": [f"{entry['path']}: {entry['reason']}" for entry in plain["quarantined"][:LISTED]],
    }
    return {**kept, **lists, **_keys(plain, "languages", "skippedCounts")}


def _keys(plain: Mapping[str, Any], *names: str) -> Plain:
    return {name: plain[name] for name in names if plain.get(name) is not None}


def expanded_within(plain: Plain, budget: int, counter: TokenCounter) -> Answer:
    """As many whole lines, from the first, as fit `budget` in both forms; `linesLeftOut` says how many did not."""
    lines = plain["content"].splitlines(keepends=True)

    def first(count: int) -> Plain:
        return {**plain, "content": "".join(lines[:count]), "linesLeftOut": len(lines) - count}

    low, high = 0, len(lines)
    while low < high:
        middle = (low + high + 1) // 2
        if _cost(first(middle), lambda plain: expanded_text(plain) + lacking_text(plain), counter) <= budget:
            low = middle
        else:
            high = middle - 1
    shown = first(low)
    more = f"({shown['linesLeftOut']} more lines did not fit the budget)\n" if shown["linesLeftOut"] else ""
    return Answer(shown, expanded_text(shown) + more + lacking_text(shown))
