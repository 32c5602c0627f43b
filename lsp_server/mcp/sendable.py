"""What the wire of MCP can carry: its JSON is UTF-8, which has no place for half a character.

Names of files that are not UTF-8 hold such halves; one of them in an answer would end the server.
"""

from __future__ import annotations

from typing import Any, TypeVar, cast

T = TypeVar("T")


def sendable(value: T) -> T:
    """The same value, with each half character in its strings and keys shown as an escape (`\\udcff`)."""
    return cast(T, _escaped(value))


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {_escaped(key): _escaped(entry) for key, entry in cast(dict[Any, Any], value).items()}
    if isinstance(value, (list, tuple)):
        return [_escaped(entry) for entry in cast(list[Any], value)]
    return value
