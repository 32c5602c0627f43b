"""A small workspace in memory: files as texts, and the scene of a failure in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lsp_server.context.build import Means, build_context, scene_of
from lsp_server.index.snapshot import Snapshot
from lsp_server.index.writer import IndexWriter, Put
from lsp_server.model.errors import SourceMissing
from lsp_server.model.failure import Failure, FailureKind, FailureReport, Location, Role
from lsp_server.model.pack import ContextPack
from lsp_server.model.request import Budget, BuildRequest
from lsp_server.model.source import SourceText, no_checkpoint
from lsp_server.retrieval.gather import gather
from lsp_server.retrieval.lead import Lead
from lsp_server.retrieval.scene import Scene
from lsp_server.syntax.extract import extract
from lsp_server.syntax.languages import language_for
from lsp_server.text.line_table import split_lines
from lsp_server.text.tokens import EstimateCounter
from lsp_server.workspace.classify import classify
from lsp_server.workspace.privacy import PrivacyPolicy


@dataclass(frozen=True)
class TextReader:
    """Reads from a mapping."""

    files: Mapping[str, str]

    def read(self, path: str) -> SourceText:
        if path not in self.files:
            raise SourceMissing(path)
        text = self.files[path]
        lines, ends = split_lines(text)
        return SourceText(path, text, lines, ends, content_hash=str(hash(text)))

    def allowed(self, path: str) -> bool:
        return path in self.files


@dataclass(frozen=True)
class Workspace:
    """Files with their index."""

    files: Mapping[str, str]
    snapshot: Snapshot = field(init=False)

    def __post_init__(self) -> None:
        puts = [
            Put(path, extract(language_for(path, text.split("\n", 1)[0]), text), classify(path))
            for path, text in self.files.items()
        ]
        object.__setattr__(self, "snapshot", IndexWriter().apply(puts))

    @property
    def means(self) -> Means:
        return Means(reader=TextReader(self.files), privacy=PrivacyPolicy(), counter=EstimateCounter())

    def line(self, path: str, text: str) -> int:
        """The first line of `path` that holds `text`."""
        return next(number for number, line in enumerate(self.files[path].splitlines(), start=1) if text in line)

    def scene(self, *failures: Failure, task: str = "", limit: int = 8_000) -> Scene:
        request = BuildRequest(failures=failures, task=task, budget=Budget(limit=limit))
        return scene_of(self.snapshot, request, FailureReport(failures), self.means)

    def scene_leads(self, *failures: Failure, task: str = "") -> tuple[Lead, ...]:
        """All leads."""
        return gather(self.scene(*failures, task=task), no_checkpoint).leads

    def leads(self, *failures: Failure, task: str = "") -> dict[str, Lead]:
        """All leads by the name of what they show, or by their path."""
        return {lead.name or lead.path: lead for lead in self.scene_leads(*failures, task=task)}

    def pack(self, *failures: Failure, task: str = "", limit: int = 8_000, policy: str = "fused") -> ContextPack:
        request = BuildRequest(failures=failures, task=task, budget=Budget(limit=limit), policy=policy, explain=True)
        return build_context(self.snapshot, request, self.means)


def assertion(*places: tuple[str, int], message: str = "AssertionError", test: str | None = None) -> Failure:
    """A failing assertion with its stack, deepest place first."""
    return _failure(FailureKind.ASSERTION, places, message, test)


def exception(*places: tuple[str, int], message: str = "ValueError", test: str | None = None) -> Failure:
    """An exception with its stack, deepest place first."""
    return _failure(FailureKind.EXCEPTION, places, message, test)


def _failure(kind: FailureKind, places: tuple[tuple[str, int], ...], message: str, test: str | None) -> Failure:
    roles = [Role.PRIMARY, *[Role.FRAME] * (len(places) - 1)]
    locations = tuple(Location(path, line, role=role) for (path, line), role in zip(places, roles, strict=True))
    return Failure(id="F1", message=message, kind=kind, test=test, locations=locations)
