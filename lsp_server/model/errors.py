"""The one tree of errors.

::

    RepoContextError
    ├── RequestError (ValueError)      the caller's mistake; `path` is the JSON path of the culprit
    │   ├── BudgetError                budget or reserve is not a whole number >= 0
    │   ├── RangeError                 a line range that is not 1 <= start <= end
    │   ├── ScoreError                 a score that is not a finite number
    │   ├── ReasonError                unknown reason or source
    │   ├── PathError                  empty, absolute or escaping path
    │   ├── ContentError               empty or missing content
    │   ├── DuplicateIdError           two candidates with one id
    │   ├── GroupError                 a group whose members overlap
    │   ├── SettingError               unknown or ill-typed setting
    │   └── ResourceLimitError         over a named ceiling (`ceiling`)
    ├── SourceError                    a file's text cannot be had; `cause` says which way
    │   ├── SourceMissing
    │   ├── SourceUnreadable
    │   ├── SourceStale                the text is not the version that was asked for
    │   └── SourceDenied               the privacy policy forbids it
    ├── EditError                      a SEARCH/REPLACE block is refused (see `edits`)
    ├── ModelCommandError              the fix loop's model or test command could not be run
    └── Cancelled                      the caller withdrew the request

Broken source code is never an error: it is data.
"""

from __future__ import annotations


class RepoContextError(Exception):
    """Root of every error this package raises on purpose."""


class RequestError(RepoContextError, ValueError):
    """A request or option is wrong. Nothing was done.

    `path` is the JSON path of the culprit (`candidates[3].range.start`), `problem` one sentence.
    """

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}" if path else problem)
        self.path = path
        self.problem = problem

    def below(self, prefix: str) -> RequestError:
        """The same error seen from one level further out (`range.start` below `candidates[3]`)."""
        joined = f"{prefix}.{self.path}" if self.path and not self.path.startswith("[") else prefix + self.path
        moved = type(self).__new__(type(self))
        moved.__dict__.update(self.__dict__)
        RequestError.__init__(moved, joined, self.problem)
        return moved


class BudgetError(RequestError):
    """A budget, ceiling or reserve is not a whole number >= 0."""


class RangeError(RequestError):
    """A line range is not `1 <= start <= end` in whole numbers."""


class ScoreError(RequestError):
    """A score is not a finite number."""


class ReasonError(RequestError):
    """A reason is not in the enum, or a source is not registered."""


class PathError(RequestError):
    """A path is empty, absolute, or leaves the workspace."""


class ContentError(RequestError):
    """A snippet's content is missing or empty."""


class DuplicateIdError(RequestError):
    """Two candidates carry the same id."""


class GroupError(RequestError):
    """Two members of one group overlap."""


class SettingError(RequestError):
    """A setting is unknown or has the wrong type."""


class ResourceLimitError(RequestError):
    """An input is over a ceiling; `ceiling` names it."""

    def __init__(self, path: str, problem: str, ceiling: str) -> None:
        super().__init__(path, problem)
        self.ceiling = ceiling


class SourceError(RepoContextError):
    """The text of one workspace file cannot be had. `path` is workspace-relative."""

    cause = "unreadable"

    def __init__(self, path: str, problem: str = "") -> None:
        super().__init__(f"{path}: {problem or self.cause}")
        self.path = path
        self.problem = problem or self.cause


class SourceMissing(SourceError):
    """The file does not exist (any more)."""

    cause = "missing"


class SourceUnreadable(SourceError):
    """The file exists but cannot be read as text."""

    cause = "unreadable"


class SourceStale(SourceError):
    """The file's text is not the version that was asked for."""

    cause = "stale"


class SourceDenied(SourceError):
    """The privacy policy forbids reading this file."""

    cause = "policy"


class EditError(RepoContextError):
    """A SEARCH/REPLACE block is refused. Subclasses live in `edits`."""


class ModelCommandError(RepoContextError):
    """The fix loop's test or model command could not be run."""


class Cancelled(RepoContextError):
    """The caller withdrew the request; raised by a checkpoint between two steps."""
