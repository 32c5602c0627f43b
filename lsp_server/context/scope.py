"""The request's scopes: `include` and `exclude` globs over what may be shown."""

from __future__ import annotations

from collections.abc import Iterable

from ..model.request import BuildRequest
from ..retrieval.lead import Lead
from ..workspace.patterns import path_matches, patterns_of


def in_scope(leads: Iterable[Lead], request: BuildRequest) -> tuple[Lead, ...]:
    """Leads inside the request's scopes. What the user named by hand is always inside.

    Globs are in gitignore syntax; without `include` everything is included.
    """
    included, excluded = patterns_of(request.include), patterns_of(request.exclude)
    return tuple(
        lead
        for lead in leads
        if lead.required
        or ((not request.include or path_matches(included, lead.path)) and not path_matches(excluded, lead.path))
    )
