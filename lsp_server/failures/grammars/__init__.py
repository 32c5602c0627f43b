"""All registered text grammars, in the order in which they may claim a line: special before general."""

from __future__ import annotations

from ..grammar import Grammar
from . import (
    build,
    colon,
    fallback,
    functional,
    go,
    javascript,
    jvm,
    listing,
    native,
    numbered,
    pytest,
    python,
    rust,
    scripting,
)

GRAMMARS: tuple[Grammar, ...] = (
    *build.GRAMMARS,
    *pytest.GRAMMARS,
    *python.GRAMMARS,
    *rust.GRAMMARS,
    *go.GRAMMARS,
    *jvm.GRAMMARS,
    *native.GRAMMARS,
    *javascript.GRAMMARS,
    *numbered.GRAMMARS,
    *functional.GRAMMARS,
    *listing.GRAMMARS,
    *colon.GRAMMARS,
    *scripting.GRAMMARS,
    *colon.PLAIN,
    *build.LAST,
    *fallback.GRAMMARS,
)
