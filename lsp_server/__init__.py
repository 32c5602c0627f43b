"""Repo Context: a language server that packs exactly the code needed to fix what is failing now.

`pack_context` and `RepoContextBuilder` are the plain functions for callers without a server. They are
imported when first used, so that importing the package stays cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .context.plain import BuildResult, PackResult, PlainCandidate, RepoContextBuilder, Snippet, pack_context

__all__ = ["BuildResult", "PackResult", "PlainCandidate", "RepoContextBuilder", "Snippet", "pack_context"]


def __getattr__(name: str) -> object:
    if name in __all__:
        from .context import plain

        return getattr(plain, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
