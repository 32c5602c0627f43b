"""Reading JSON of unknown shape without surprises: every accessor answers with its own type or an empty value."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import cast

Json = object
EMPTY: Mapping[str, Json] = {}
MAX_JSON = 48 << 20
"""Characters of one JSON document; larger ones are read as text."""


def mapping(value: Json) -> Mapping[str, Json]:
    """`value` if it is an object, else an empty one."""
    return cast("Mapping[str, Json]", value) if isinstance(value, dict) else EMPTY


def listing(value: Json) -> list[Json]:
    """`value` if it is an array, else an empty one."""
    return cast("list[Json]", value) if isinstance(value, list) else []


def is_object(value: Json) -> bool:
    """True for a JSON object."""
    return isinstance(value, dict)


def objects(value: Json) -> list[Mapping[str, Json]]:
    """The objects of an array."""
    return [mapping(item) for item in listing(value) if is_object(item)]


def string(value: Json) -> str:
    """`value` if it is a string (or a number, as text), else ""."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def whole(value: Json) -> int:
    """`value` as a whole number, also from a string of digits; 0 when it is none."""
    if isinstance(value, bool):
        return 0
    if isinstance(value, int):
        return value if 0 <= value < 10**9 else 0
    if isinstance(value, float) and value.is_integer() and 0 <= value < 10**9:
        return int(value)
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        return int(value)
    return 0


def at(value: Json, *path: str) -> Json:
    """What stands at `path` inside nested objects, None when a step is missing."""
    for step in path:
        if not isinstance(value, dict):
            return None
        value = cast("Mapping[str, Json]", value).get(step)
    return value


def parsed(text: str) -> Json:
    """`text` as JSON, None when it is not; nesting too deep counts as not JSON."""
    try:
        return cast("Json", json.loads(text))
    except (ValueError, RecursionError):
        return None


def documents(text: str) -> Iterator[tuple[Json, int, int]]:
    """JSON documents that begin at the start of a line, with their span; text between them is skipped."""
    decoder = json.JSONDecoder()
    at_line = 0
    size = len(text)
    failed = 0
    while at_line < size and failed < 50:
        begin = _next_start(text, at_line)
        if begin < 0:
            return
        try:
            value, end = decoder.raw_decode(text, begin)
        except (ValueError, RecursionError):
            failed += 1
            following = text.find("\n", begin)
            if following < 0:
                return
            at_line = following + 1
            continue
        if isinstance(value, dict | list):
            yield cast("Json", value), begin, end
        at_line = end


def _next_start(text: str, start: int) -> int:
    best = -1
    for mark in "{[":
        at_mark = start if text[start : start + 1] == mark else text.find("\n" + mark, start)
        if at_mark < 0:
            continue
        at_mark = at_mark if text[at_mark : at_mark + 1] == mark else at_mark + 1
        best = at_mark if best < 0 else min(best, at_mark)
    return best
