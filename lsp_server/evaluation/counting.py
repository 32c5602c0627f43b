"""The benchmark's own counting: four bytes a token, and a header `path:start-end` for each item."""

from __future__ import annotations

from ..context.template import Snippet
from ..model.failure import Failure


class BenchmarkCounter:
    """ceil(UTF-8 bytes / 4)."""

    @property
    def id(self) -> str:
        """`benchmark-1`."""
        return "benchmark-1"

    def count(self, text: str) -> int:
        """Tokens of `text`."""
        return -(-len(text.encode("utf-8", "replace")) // 4)


class BenchmarkTemplate:
    """Only headers and texts: no preamble, no reasons, so that systems are compared by what they choose."""

    numbered = False
    id = "benchmark"

    def notice(self, failures: int) -> str:
        """Nothing."""
        return ""

    def failure(self, number: int, failure: Failure, target: str, message_length: int) -> str:
        """Nothing."""
        return ""

    def not_listed(self, count: int) -> str:
        """Nothing."""
        return ""

    def heading(self, snippet: Snippet) -> str:
        """Nothing: the header is counted with the body, as one text."""
        return ""

    def body(self, snippet: Snippet) -> str:
        """Header and text."""
        content = snippet.content if snippet.content.endswith("\n") else snippet.content + "\n"
        return f"{snippet.path}:{snippet.range.start}-{snippet.range.end}\n{content}"

    def closing(self) -> str:
        """Nothing."""
        return ""
