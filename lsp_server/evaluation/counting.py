"""The benchmark's own counting: four bytes a token, and a header `path:start-end` for each item."""

from __future__ import annotations

from ..context.template import Snippet
from ..model.failure import Failure
from ..model.lines import LineRange


class BenchmarkCounter:
    """ceil(UTF-8 bytes / 4)."""

    @property
    def id(self) -> str:
        """`benchmark-1`."""
        return "benchmark-1"

    def count(self, text: str) -> int:
        """Tokens of `text`."""
        return -(-len(text.encode("utf-8", "replace")) // 4)


def counted_text(path: str, lines: LineRange, content: str) -> str:
    """What an item costs: its header and its text."""
    return f"{path}:{lines.start}-{lines.end}\n{content}" + ("" if content.endswith("\n") else "\n")


class BenchmarkTemplate:
    """Only headers and texts: no preamble, no reasons, so that systems are compared by what they choose."""

    numbered = False
    id = "benchmark"

    def notice(self, failures: int) -> str:
        """Nothing."""
        del failures
        return ""

    def failure(self, number: int, failure: Failure, target: str, message_length: int) -> str:
        """Nothing."""
        del number, failure, target, message_length
        return ""

    def not_listed(self, count: int) -> str:
        """Nothing."""
        del count
        return ""

    def heading(self, snippet: Snippet) -> str:
        """Nothing: the header is counted with the body, as one text."""
        del snippet
        return ""

    def body(self, snippet: Snippet) -> str:
        """Header and text."""
        return counted_text(snippet.path, snippet.range, snippet.content)

    def closing(self) -> str:
        """Nothing."""
        return ""
