"""From diagnostics and the output of tools to ordered `Failure` values; `parse_failures` is the entry."""

from .parse import FailureOptions, parse_failures
from .view import WorkspaceView

__all__ = ["FailureOptions", "WorkspaceView", "parse_failures"]
