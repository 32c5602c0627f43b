"""The page of supported formats, generated from what is registered."""

from __future__ import annotations

from .grammars import GRAMMARS
from .shipped_matchers import SHIPPED
from .structured import STRUCTURES
from .structured.report_xml import XML_READERS

_HEAD = """\
# Failure formats

Which output of tools becomes failures with places. This page is generated from the registered grammars
(`lsp_server.failures.formats.format_table`); do not edit it by hand.

Structured formats are tried first, then CI annotations, then text. A line goes to the first text grammar below that
claims it. A place counts only when its path leads to a file of the workspace.
"""

_ADD = """\
## Adding a format

**A matcher**, when one line (or a few) carries file, line and message: VS Code's problemMatcher JSON, from the settings
or a file in the workspace. GitHub Actions' matcher files work as they are. One key is ours: `"role": "frame"` makes
consecutive matches one stack, innermost first; `"role": "related"` adds the place to the failure before it. `$name`
refers to a shipped matcher ({names}). The first match wins, matchers of more lines are tried first, and a pattern
that takes too long on a line is dropped.

```json
{{
  "owner": "mylint",
  "fileLocation": ["relative", "${{workspaceFolder}}"],
  "pattern": {{ "regexp": "^(.+)@(\\\\d+): (.*)$", "file": 1, "line": 2, "message": 3 }}
}}
```

**A grammar**, when a message and its places stand on several lines: a module in `lsp_server/failures/grammars` with a
`Grammar` (id, title, tools, example, triggers, opener) in its `GRAMMARS`, and a fixture in `tests/failures/fixtures`
with the right answers. Triggers are literals that every first line of the construct contains; only such lines are
looked at.
"""


def format_table() -> str:
    """The whole page as Markdown."""
    lines = [_HEAD, "## Structured formats\n", "| format | what | tools |", "|---|---|---|"]
    lines += [f"| `{one.id}` | {_cell(one.title)} | {_cell(', '.join(one.tools))} |" for one in STRUCTURES]
    lines.append(
        "| `junit` | JUnit XML (no DOCTYPE, no entities) | pytest, Surefire, Gradle, Vitest, PHPUnit, Ruff, any |"
    )
    lines.append("| `go-test-json` | `go test -json`, read as the text it carries | go test |")
    lines.append(
        f"| `xml-report` | XML reports: {', '.join(f'`{tag}`' for tag in sorted(XML_READERS))} | Checkstyle, PMD, "
        f"TRX, NUnit, xUnit |"
    )
    lines += ["", "## Text formats\n", "| format | what | tools | example |", "|---|---|---|---|"]
    lines += [
        f"| `{one.id}` | {_cell(one.title)} | {_cell(', '.join(one.tools))} | `"
        f"{_cell(one.example.replace(chr(10), ' ⏎ '))}` |"
        for one in GRAMMARS
    ]
    names = ", ".join(f"`{name}`" for name in sorted(SHIPPED))
    return "\n".join([*lines, "", _ADD.format(names=names)])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
