"""What failure parsing is given beside the output: the user's matchers, and what changed since a commit."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..failures import FailureOptions
from ..failures.drift import LineShift
from ..failures.matchers import Matcher, UserMatchers, load_matchers
from ..failures.shipped_matchers import SHIPPED
from ..model.errors import SettingError, SourceError
from ..model.request import FailureOutput, Place
from ..model.source import SourceReader
from ..workspace.git import working_tree_diff
from ..workspace.roots import Roots

if TYPE_CHECKING:
    from .settings import Settings


def failure_options(
    roots: Roots,
    settings: Settings,
    reader: SourceReader,
    outputs: Iterable[FailureOutput],
    cursor: Place | None = None,
    recent_edits: tuple[Place, ...] = (),
) -> FailureOptions:
    """Options for `parse_failures`. Raises SettingError for a matcher file that is wrong."""
    commit = next((output.commit for output in outputs if output.commit), None)
    return FailureOptions(
        matchers=user_matchers(settings.failures_matchers, reader),
        canonical=roots.canonical,
        changes=line_shifts(roots, commit) if commit else {},
        cursor=cursor,
        recent_edits=recent_edits,
    )


def user_matchers(paths: tuple[str, ...], reader: SourceReader) -> UserMatchers | None:
    """The matchers of the named workspace files, in order; None without any. Raises SettingError."""
    found: list[Matcher] = []
    for path in paths:
        where = f"failures.matchers[{path}]"
        try:
            raw = json.loads(reader.read(path).text)
        except SourceError as error:
            raise SettingError(where, error.problem) from None
        except json.JSONDecodeError as error:
            raise SettingError(where, f"not JSON: {error.msg} (line {error.lineno})") from None
        found.extend(load_matchers(raw, SHIPPED, where).matchers)
    return UserMatchers(tuple(found)) if found else None


def line_shifts(roots: Roots, commit: str) -> Mapping[str, tuple[LineShift, ...]]:
    """How lines moved from `commit` to the text on disk, by canonical path; empty when Git cannot tell."""
    found: dict[str, tuple[LineShift, ...]] = {}
    for root in roots.roots:
        for inside, file in (working_tree_diff(root.path, commit) or {}).items():
            shifts = tuple(LineShift(hunk.first, hunk.removed, hunk.added) for hunk in file.hunks)
            found[roots.join(root, inside)] = shifts
    return found
