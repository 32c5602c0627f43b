"""How bad a diagnostic is."""

from __future__ import annotations

from enum import StrEnum


class Severity(StrEnum):
    """A diagnostic's severity; absent counts as error."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"
