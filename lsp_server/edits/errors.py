"""Why a SEARCH/REPLACE block is refused. Each error names its block, and nothing has been changed.

::

    EditError
    └── BlockError                 `code`, `block` (1-based), `path`, `problem`
        ├── NoBlocks               the text holds no block at all
        ├── MalformedBlock         markers that do not make a block; `line` of the text that was parsed
        ├── MissingPath            a block without a file path before it
        ├── NoMatch                the SEARCH text is not in the file; `nearest` is the most similar place
        ├── Ambiguous              it is there more than once; `matches` lists the places
        ├── EmptySearch            an empty SEARCH on a file that exists
        ├── MissingFile            a SEARCH text for a file that does not exist
        ├── OutsideWorkspace       the path, or where its link leads, is outside
        ├── GitFolder              inside `.git`
        ├── DeniedFile             the privacy policy denies the file
        ├── UnreadableFile         binary, too large, no permission
        └── ChangedSince           the file is not what the caller last saw
"""

from __future__ import annotations

from lsp_server.model.errors import EditError
from lsp_server.model.lines import LineRange
from lsp_server.model.values import Value


class BlockError(EditError):
    """A block is refused. `block` is its 1-based number, 0 when the error is not about one block."""

    code = "refused"

    def __init__(self, block: int, path: str, problem: str) -> None:
        where = f"block {block}" if block else "edit"
        super().__init__(f"{where} ({path}): {problem}" if path else f"{where}: {problem}")
        self.block = block
        self.path = path
        self.problem = problem


class NoBlocks(BlockError):
    """The text holds no SEARCH/REPLACE block."""

    code = "no-blocks"


class MalformedBlock(BlockError):
    """The markers do not make a block. `line` is 1-based in the text that was parsed."""

    code = "malformed"

    def __init__(self, block: int, path: str, problem: str, line: int) -> None:
        super().__init__(block, path, f"line {line}: {problem}")
        self.line = line


class MissingPath(MalformedBlock):
    """No line before the block names a file."""

    code = "missing-path"


class Nearest(Value):
    """The place most similar to a SEARCH text that was not found; `similarity` is between 0 and 1."""

    range: LineRange
    text: str
    similarity: float


class NoMatch(BlockError):
    """The SEARCH text does not occur in the file, as it is after the blocks before this one."""

    code = "no-match"

    def __init__(self, block: int, path: str, nearest: Nearest | None) -> None:
        problem = "the SEARCH text is not in the file"
        if nearest is not None:
            problem += f"; the most similar text is at lines {nearest.range}:\n{nearest.text.rstrip()}"
        super().__init__(block, path, problem)
        self.nearest = nearest


class Ambiguous(BlockError):
    """The SEARCH text occurs more than once; overlapping places count."""

    code = "ambiguous"

    def __init__(self, block: int, path: str, matches: tuple[LineRange, ...], count: int) -> None:
        listed = ", ".join(str(match) for match in matches)
        more = f" and {count - len(matches)} more" if count > len(matches) else ""
        super().__init__(
            block, path, f"the SEARCH text occurs {count} times, at lines {listed}{more}; add lines around it"
        )
        self.matches = matches
        self.count = count


class EmptySearch(BlockError):
    """An empty SEARCH creates a file, and this one exists."""

    code = "empty-search"

    def __init__(self, block: int, path: str) -> None:
        super().__init__(block, path, "an empty SEARCH creates a new file, but this file exists")


class MissingFile(BlockError):
    """The file does not exist; only an empty SEARCH creates one."""

    code = "missing-file"

    def __init__(self, block: int, path: str) -> None:
        super().__init__(block, path, "the file does not exist; use an empty SEARCH to create it")


class OutsideWorkspace(BlockError):
    """The path leaves the workspace."""

    code = "outside-workspace"


class GitFolder(BlockError):
    """Git's own files are never written."""

    code = "git-folder"

    def __init__(self, block: int, path: str) -> None:
        super().__init__(block, path, "Git's own files are never edited")


class DeniedFile(BlockError):
    """The privacy policy denies the file."""

    code = "denied"

    def __init__(self, block: int, path: str) -> None:
        super().__init__(block, path, "the privacy policy denies this file")


class UnreadableFile(BlockError):
    """The file is no text that can be edited."""

    code = "unreadable"


class ChangedSince(BlockError):
    """The file's text is not the one the caller expects."""

    code = "changed-since"

    def __init__(self, block: int, path: str) -> None:
        super().__init__(block, path, "the file has changed since it was read; read it again")
