"""PHP: errors, uncaught exceptions and their stack traces."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind
from lsp_server.model.request import Severity
from lsp_server.text.late_pattern import late_pattern

from ..drafts import Draft, RawFrame, Trace, is_syntax, kind_of
from ..grammar import DONE, Block, Context, Grammar, Opened

_PHP_ERROR = late_pattern(
    r"^(?:\[[^\]\n]{1,60}\] )?(?:PHP )?(?P<level>Warning|Notice|Deprecated|Fatal error|Parse error|Recoverable fat"
    r"al error|Strict Standards|Catchable fatal error|ERROR|WARNING|NOTICE)"
    r"(?: ?- [\w:. -]{1,60} -->|:)\s+(?P<text>.*?)"
    r" in (?P<path>(?:[A-Za-z]:)?[^\n:]{1,600}?)(?: on line |:)(?P<line>\d{1,9})$"
)


_PHP_FRAME = late_pattern(
    r"^(?:\[[^\]\n]{1,60}\] )?(?:PHP )?\s*#\d{1,4} (?P<path>(?:[A-Za-z]:)?[^\n(:]{1,600})\("
    r"(?P<line>\d{1,9})\): (?P<name>[^\n(]{0,300})"
)


_PHP_AT = late_pattern(
    r"(?:^|\s)(?:in|at) (?P<path>(?:[A-Za-z]:)?[/\\][^\n:(]{1,600}\.php):(?P<line>\d{1,9})(?=\)?$|\s|\))"
)


class _Php:
    def __init__(self, draft: Draft) -> None:
        self._draft = draft

    def feed(self, line: str, _context: Context) -> bool:
        match = _PHP_FRAME.match(line)
        if match:
            self._draft.traces[-1].frames.append(
                RawFrame(match["path"], int(match["line"]), symbol=match["name"].strip())
            )
            return True
        if re.match(r"^(?:PHP )?(?:Next |Caused by:? )", line):
            at = _PHP_AT.search(line)
            self._draft.traces.append(Trace(line, [RawFrame(at["path"], int(at["line"]))] if at else []))
            return True
        return (
            line.startswith(("Stack trace:", "PHP Stack trace:", "[stacktrace]", "  thrown in", "PHP   "))
            or "{main}" in line
        )

    def close(self, context: Context) -> None:
        context.emit(self._draft)


def _open_php(line: str, context: Context) -> Block | Opened | None:
    match = _PHP_ERROR.match(line)
    if match is None:
        frame = _PHP_FRAME.match(line)
        if frame is None:
            return None
        above = next(
            (
                one
                for one in context.before
                if one.strip() and not one.lower().startswith(("stack trace", "[stacktrace", "php stack", "#"))
            ),
            "",
        )
        at = _PHP_AT.search(above)
        frames = [RawFrame(at["path"], int(at["line"]))] if at else []
        block = _Php(Draft(above.strip(), kind_of(above), tool="php", traces=[Trace(above, frames)], test=context.test))
        block.feed(line, context)
        return block
    text, level = match["text"], match["level"]
    uncaught = "Uncaught" in text
    severity = Severity.ERROR if "error" in level.lower() else Severity.WARNING
    kind = (
        FailureKind.SYNTAX
        if is_syntax(text) or level == "Parse error"
        else (FailureKind.EXCEPTION if severity is Severity.ERROR else FailureKind.WARNING)
    )
    draft = Draft(text, kind, severity, tool="php", traces=[Trace(text, [RawFrame(match["path"], int(match["line"]))])])
    if uncaught:
        return _Php(draft)
    context.emit(draft)
    return DONE


GRAMMARS = (
    Grammar(
        "php",
        "errors and stack traces",
        ("PHP", "Laravel", "Symfony"),
        "PHP Fatal error: … in x.php on line 11",
        (" on line ", "PHP ", "Fatal error: ", "#0 "),
        _open_php,
    ),
)
