"""Reading fields of parsed JSON: each wrong one is a typed error with its JSON path. Unknown ones are ignored.

`null` counts as absent everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TypeVar, cast

from ..model.errors import RequestError
from ..model.request import whole_amount

_Choice = TypeVar("_Choice", bound=StrEnum)


class Fields:
    """The fields of one JSON object; `at` is its own JSON path ("" for the request itself)."""

    def __init__(self, value: object, at: str) -> None:
        if not isinstance(value, Mapping):
            raise RequestError(at, f"must be an object, got {shown(value)}")
        self._values = cast("Mapping[str, object]", value)
        self.at = at

    def path(self, name: str) -> str:
        """JSON path of the field `name`."""
        return f"{self.at}.{name}" if self.at else name

    def get(self, name: str) -> object | None:
        """The raw value, None when absent."""
        return self._values.get(name)

    def has(self, name: str) -> bool:
        """True when the field is there and not null."""
        return self.get(name) is not None

    def text(self, name: str) -> str | None:
        """A string, or None when absent."""
        value = self.get(name)
        if value is None or isinstance(value, str):
            return value
        raise RequestError(self.path(name), f"must be a string, got {shown(value)}")

    def flag(self, name: str) -> bool:
        """true or false; false when absent."""
        value = self.get(name)
        if value is None:
            return False
        if isinstance(value, bool):
            return value
        raise RequestError(self.path(name), f"must be true or false, got {shown(value)}")

    def amount(self, name: str) -> int | None:
        """A whole number >= 0 of something that a budget counts, or None. Raises BudgetError."""
        value = self.get(name)
        return None if value is None else whole_amount(value, self.path(name))

    def whole(self, name: str) -> int | None:
        """A whole number, or None when absent."""
        value = self.get(name)
        if value is None:
            return None
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        raise RequestError(self.path(name), f"must be a whole number, got {shown(value)}")

    def choice(self, name: str, choices: type[_Choice]) -> _Choice | None:
        """A member of `choices`, or None when absent."""
        value = self.get(name)
        if value is None:
            return None
        if isinstance(value, str):
            try:
                return choices(value)
            except ValueError:
                pass
        raise RequestError(self.path(name), f"must be one of {', '.join(choices)}, got {shown(value)}")

    def object(self, name: str) -> Fields | None:
        """A nested object, or None when absent."""
        value = self.get(name)
        return None if value is None else Fields(value, self.path(name))

    def list(self, name: str) -> list[tuple[object, str]]:
        """The entries of a list with their JSON paths; empty when absent."""
        value = self.get(name)
        if value is None:
            return []
        if not isinstance(value, Sequence) or isinstance(value, str | bytes | bytearray):
            raise RequestError(self.path(name), f"must be a list, got {shown(value)}")
        entries = cast("Sequence[object]", value)
        return [(entry, f"{self.path(name)}[{index}]") for index, entry in enumerate(entries)]

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings; empty when absent."""
        return tuple(string(entry, at) for entry, at in self.list(name))

    def entries(self) -> list[tuple[str, object, str]]:
        """All fields of an object that is used as a table: name, value, JSON path."""
        return [(str(name), value, self.path(str(name))) for name, value in self._values.items()]


def string(value: object, at: str) -> str:
    """A string. Raises RequestError naming `at`."""
    if isinstance(value, str):
        return value
    raise RequestError(at, f"must be a string, got {shown(value)}")


def share(value: object, at: str, error: type[RequestError]) -> float:
    """A finite number. Raises `error` naming `at`."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            if math.isfinite(value):
                return float(value)
        except OverflowError:
            pass
    raise error(at, f"must be a number, got {shown(value)}")


def shown(value: object) -> str:
    """A short form of a wrong value for messages."""
    text = repr(value)
    return text if len(text) <= 80 else text[:79] + "…"
