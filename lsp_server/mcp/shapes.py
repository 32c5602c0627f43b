"""What the tools return, as Pydantic models: they make the output schemas that agents see."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class Shape(BaseModel):
    """Fields are added within a schema version, never removed; unknown ones pass through."""

    model_config = ConfigDict(extra="allow", alias_generator=to_camel, populate_by_name=True)


class Lines(Shape):
    """1-based, both ends included."""

    start: int
    end: int


class PackFailure(Shape):
    """A failure and the item that shows its code."""

    message: str
    items: list[str]


class PackOmission(Shape):
    """A snippet that was found but left out, and why; its id goes to expand_code."""

    id: str
    cause: str


class Pack(Shape):
    """The answer of build_context."""

    text: str = Field(description="the code, as Markdown, each snippet under its id path:start-end: read this")
    failures: list[PackFailure]
    failure_count: int
    item_count: int
    omitted: list[PackOmission] = Field(description="the best of what was left out")
    omitted_causes: dict[str, int]
    used: int
    budget: int
    truncated: bool
    missing_critical: bool = Field(description="true: the failing code itself is not shown; raise max_tokens")
    missing_required: list[str]
    fingerprint: str
    pending_files: int = Field(description="files not indexed yet; above 0 the answer may lack something")


class Map(Shape):
    """The answer of repo_map."""

    text: str = Field(description="signatures by file: read this")
    used: int
    budget: int
    files: int
    files_left_out: int
    symbols_left_out: int


class MatchLine(Shape):
    """A line that holds words of the query."""

    line: int
    text: str


class SearchHit(Shape):
    """A piece of code; score 1.0 is the best hit."""

    path: str
    lines: Lines
    score: float
    matches: list[MatchLine]


class SearchHits(Shape):
    """The answer of search_code."""

    hits: list[SearchHit]
    truncated: bool
    cut: int = Field(description="hits that did not fit the budget")


class GrepMatch(Shape):
    """A matching line."""

    path: str
    line: int
    text: str


class GrepMatches(Shape):
    """The answer of grep_code."""

    matches: list[GrepMatch]
    files: int = Field(description="files looked at")
    truncated: bool
    cut: int = Field(description="matches that did not fit the budget")


class RelatedItem(Shape):
    """A piece of code and what it is to what was asked for."""

    path: str
    lines: Lines
    relation: str = Field(description="definition, caller, test, callee, type or importer")
    why: str
    content: str


class RelatedItems(Shape):
    """The answer of related_code."""

    items: list[RelatedItem]
    truncated: bool
    cut: int = Field(description="items that did not fit the budget")


class Expanded(Shape):
    """The answer of expand_code."""

    id: str
    path: str
    lines: Lines
    content: str
    content_hash: str
    origin: str = Field(description="buffer: unsaved text of an editor; disk: as saved")
    lines_left_out: int = Field(description="lines at the end that did not fit the budget")


class FailurePlace(Shape):
    """A place a failure names."""

    path: str
    line: int
    role: str


class ParsedFailure(Shape):
    """One failure."""

    id: str
    kind: str
    message: str
    locations: list[FailurePlace]


class Failures(Shape):
    """The answer of parse_failure."""

    failures: list[ParsedFailure]
    cut: int = Field(description="failures that did not fit the budget")


class EditedFile(Shape):
    """A file that the edits change or create."""

    path: str
    created: bool
    diff: str


class Edits(Shape):
    """The answer of apply_edits."""

    applied: bool
    files: list[EditedFile]
    cut: int = Field(description="files whose diff did not fit the answer; they are edited all the same")


class Status(Shape):
    """The answer of index_status."""

    phase: str
    files: int
    pending_files: int
    symbols: int
    revision: int
    roots: list[str]
    attention: list[str]
    engine: Literal["editor", "own"] = Field(description="editor: unsaved buffers of a running editor count")
