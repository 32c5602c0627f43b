"""Include and instantiation chains, and what linkers say."""

from __future__ import annotations

from lsp_server.model.failure import FailureKind, Role
from lsp_server.text.late_pattern import late_pattern

from ..drafts import RawFrame, diagnostic
from ..grammar import DONE, Block, Context, Grammar, Opened
from .colon import PATH

_INCLUDED = late_pattern(
    r"^(?:In file included from|\s+from|In module imported at|In included file:) (?P<path>[^\n:]{1,600}):"
    r"(?P<line>\d{1,9})(?::\d{1,9})?[,:]?\s*$"
)


_REQUIRED = late_pattern(
    rf"^\s*{PATH}:(?P<line>\d{{1,9}})(?::\d{{1,9}})?:\s+(?:recursively )?"
    rf"(?:required|instantiated|in instantiation|  recursively)(?: (?:from|by)| of)?\b.*$"
)


_LINKER = late_pattern(
    r"^(?:[^\n:]{0,300}?: )?(?P<path>(?:[A-Za-z]:)?[^\s:][^\n:()]{0,600}?)(?::"
    r"(?P<line>\d{1,9})|:\([^)\n]{1,80}\)): (?P<text>(?:undefined reference to|multiple definition of|relocation|w"
    r"arning:|more undefined)[^\n]*)$"
)


def _open_include(line: str, context: Context) -> Block | Opened | None:
    match = _INCLUDED.match(line) or _REQUIRED.match(line)
    if match is None:
        return None
    if line.startswith("In ") and not any(_REQUIRED.match(one) or _INCLUDED.match(one) for one in context.before[:2]):
        context.includes.clear()
    place = RawFrame(match["path"].strip(), int(match["line"]), role=Role.RELATED, bases=context.bases)
    if _REQUIRED.match(line):
        context.includes.insert(0, place)
    else:
        context.includes.append(place)
    return DONE


_REFERENCED = late_pattern(
    r"^>>> (?:referenced by|defined (?:at|in)) [^\n(]{0,300}\((?P<path>[^\n:()]{1,600}):(?P<line>\d{1,9})\)"
)


def _open_linker(line: str, context: Context) -> Block | Opened | None:
    referenced = _REFERENCED.match(line)
    if referenced:
        said = next((one.split("error: ")[-1] for one in context.before if "error: " in one), "undefined symbol")
        place = RawFrame(referenced["path"], int(referenced["line"]), bases=context.bases)
        context.emit(diagnostic(said, place, code="link", tool="lld"))
        return DONE
    match = _LINKER.match(line)
    if match is None or not match["line"]:
        return None
    place = RawFrame(match["path"], int(match["line"]), bases=context.bases)
    context.emit(diagnostic(match["text"], place, code="link", tool="ld", kind=FailureKind.DIAGNOSTIC))
    return DONE


GRAMMARS = (
    Grammar(
        "include-chain",
        "include and instantiation chains",
        ("gcc", "clang"),
        "In file included from x.h:3,",
        (
            "In file included from ",
            "    from ",
            "required from",
            "instantiated from",
            "required by '",
            "in instantiation",
        ),
        _open_include,
    ),
    Grammar(
        "linker",
        "linker messages",
        ("ld", "lld", "gold"),
        "src/x.c:5: undefined reference to `f'",
        ("undefined reference to", "multiple definition of", ">>> "),
        _open_linker,
    ),
)
