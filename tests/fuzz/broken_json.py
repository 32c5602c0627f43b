"""Random JSON values, and valid ones broken in one or more places."""

from __future__ import annotations

import copy
import random
from typing import Any

ODD_STRINGS = (
    "", " ", "\x00", "\ud800", "é😀\u202e", "a" * 5_000, "../../etc/passwd", "/etc/passwd", "file:///%00", "file:///a%2",
    "untitled:Untitled-1", "git:/a.py?x", "vscode-remote://ssh/a.py", "file://host/share/a.py", "file:///C%3A/a.py",
    "(a+)+$", "[", "NaN", "null", "<|endoftext|>", "-----BEGIN RSA PRIVATE KEY-----",
    "\n\r\u2028", "%", "{}", "*" * 300,
)  # fmt: skip
ODD_NUMBERS = (0, -1, 1, 2**31, 2**31 - 1, -(2**31), 2**53, 2**64, 10**40, 0.5, -0.0, 1e308, 3.0)
EXTRA_KEYS = (
    "",
    "__class__",
    "path",
    "uri",
    "lines",
    "token",
    "constructor",
    "workDoneToken",
    "partialResultToken",
    "id",
    "\ud800",
)


def any_value(choose: random.Random, depth: int = 3) -> Any:
    """Any JSON value."""
    kind = choose.randrange(8 if depth else 5)
    if kind == 0:
        return None
    if kind == 1:
        return choose.random() < 0.5
    if kind == 2:
        return choose.choice(ODD_NUMBERS)
    if kind in (3, 4):
        return choose.choice(ODD_STRINGS)
    if kind == 5:
        return [any_value(choose, depth - 1) for _ in range(choose.randrange(4))]
    if kind == 6:
        return {choose.choice(EXTRA_KEYS): any_value(choose, depth - 1) for _ in range(choose.randrange(4))}
    return nested(choose.choice((10, 200, 900)), choose.random() < 0.5)


def nested(depth: int, lists: bool) -> Any:
    """A value nested so deeply."""
    value: Any = 1
    for _ in range(depth):
        value = [value] if lists else {"a": value}
    return value


def broken(choose: random.Random, valid: Any) -> Any:
    """`valid` with nought to three places changed."""
    value = copy.deepcopy(valid)
    for _ in range(choose.choice((0, 1, 1, 1, 2, 3))):
        value = _changed(choose, value)
    return value


def _changed(choose: random.Random, value: Any) -> Any:
    """The value with one place, picked on the way down, replaced, removed, doubled or added to."""
    if isinstance(value, dict) and value and choose.random() < 0.85:
        key = choose.choice(sorted(value))
        action = choose.randrange(10)
        if action == 0:
            del value[key]
        elif action == 1:
            value[choose.choice(EXTRA_KEYS)] = any_value(choose)
        else:
            value[key] = _changed(choose, value[key])
        return value
    if isinstance(value, list) and value and choose.random() < 0.85:
        at = choose.randrange(len(value))
        if choose.random() < 0.2:
            value.insert(at, any_value(choose))
        else:
            value[at] = _changed(choose, value[at])
        return value
    return any_value(choose)
