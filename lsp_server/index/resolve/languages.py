"""The rules of each language, by registry id."""

from __future__ import annotations

from . import ecmascript, go, jvm, python
from .rules import Rules

_ECMASCRIPT = Rules("ecmascript", ecmascript.import_files)
_JVM = Rules("jvm", jvm.import_files, jvm.same_package, implicit_members=True)

RULES: dict[str, Rules] = {
    "python": Rules("python", python.import_files, self_names=frozenset({"self", "cls"})),
    "javascript": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
    "tsx": _ECMASCRIPT,
    "vue": _ECMASCRIPT,
    "svelte": _ECMASCRIPT,
    "go": Rules("go", go.import_files, go.same_package, self_names=frozenset()),
    "java": _JVM,
    "kotlin": _JVM,
    "scala": _JVM,
}

_NO_RULES = Rules("")


def rules_for(language: str) -> Rules:
    """The rules of a language; a language without rules resolves only inside its own file."""
    return RULES.get(language) or (Rules(language) if language else _NO_RULES)
