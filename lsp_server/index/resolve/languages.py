"""The rules of each language, by registry id."""

from __future__ import annotations

from .bash import BashRules
from .c import CRules
from .csharp import CsharpRules
from .ecmascript import EcmascriptRules
from .go import GoRules
from .jvm import JavaRules, JvmRules
from .php import PhpRules
from .python import PythonRules
from .ruby import RubyRules
from .rules import Rules
from .rust import RustRules
from .swift import SwiftRules

_ECMASCRIPT = EcmascriptRules()
_JVM = JvmRules()
_C = CRules()
_PYTHON = PythonRules()

RULES: dict[str, Rules] = {
    "python": _PYTHON,
    "notebook": _PYTHON,
    "javascript": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
    "tsx": _ECMASCRIPT,
    "vue": _ECMASCRIPT,
    "svelte": _ECMASCRIPT,
    "go": GoRules(),
    "java": JavaRules(),
    "kotlin": _JVM,
    "scala": _JVM,
    "rust": RustRules(),
    "c": _C,
    "cpp": _C,
    "csharp": CsharpRules(),
    "ruby": RubyRules(),
    "php": PhpRules(),
    "swift": SwiftRules(),
    "bash": BashRules(),
}


def rules_for(language: str) -> Rules:
    """The rules of a language; a language without rules resolves only inside its own file."""
    found = RULES.get(language)
    return Rules(language) if found is None else found
