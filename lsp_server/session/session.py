"""The session: the one object that owns all mutable state. Servers and the command line hold one.

Cheap to make: nothing heavy is imported before `start` or the first request. Methods that work are
blocking and take a checkpoint; servers run them through `submit`, which never blocks.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..model.source import Checkpoint, SourceText, no_checkpoint
from ..text.positions import PositionEncoding
from ..workspace.roots import Roots
from .contributions import Contributions
from .documents import Document, OpenDocuments, TextChange
from .graph_memory import GraphMemory
from .indexer import Indexer
from .link_memory import LinkMemory
from .load_numpy import load_numpy
from .mask_memory import MaskMemory
from .progress import IndexProgress, ignore_progress
from .reader import SessionReader
from .recent_packs import RecentPacks
from .scheduler import Job, Scheduler
from .settings_check import Resolved
from .settings_load import load_settings
from .status import Status, memory_bytes
from .uris import SEARCHED_SCHEMES, file_path, file_uri, outside_key, scheme_of

if TYPE_CHECKING:
    from ..context.grep import GrepRequest, GrepResult
    from ..context.looking import Looking
    from ..context.map import MapRequest
    from ..context.template import CostKey
    from ..index.snapshot import Snapshot
    from ..model.failure import FailureReport
    from ..model.pack import ContextPack
    from ..model.request import BuildRequest, FailureOutput
    from ..repomap.render import RepoMap
    from ..workspace.privacy import PrivacyPolicy
    from .building import ClientSide
    from .changes import RecentChanges
    from .settings import Settings
    from .sharing import Sharing

T = TypeVar("T")

BUFFER_SECONDS = 5.0
"""A request waits at most so long for the latest keystrokes to be in the index."""

LOOK_SECONDS, LOOK_WAIT_SECONDS = 2.0, 1.0
"""Without events the disk is looked at when a request comes so long after the last look, waiting so long."""

SCAN_SECONDS, SETTLE_SECONDS = 20.0, 2.0
"""While indexing, a search waits at most so long for the list of files, and for the rest of the index."""


class Session:
    """Open documents, index, settings and request queue of one workspace."""

    def __init__(
        self,
        paths: Sequence[Path],
        resolved: Resolved,
        on_progress: Callable[[IndexProgress], None] = ignore_progress,
    ) -> None:
        self.documents = OpenDocuments()
        self.editor_settings: object = None
        self.watched = True
        self._paths = tuple(paths)
        self._roots = Roots.of(paths)
        self._resolved = resolved
        self._on_progress = on_progress
        self._scheduler = Scheduler(resolved.settings.requests_threads, resolved.settings.requests_queue)
        self._indexer = Indexer(self._roots, resolved.settings, self.documents, on_progress)
        self.costs: dict[CostKey, int] = {}
        self.packs = RecentPacks()
        self.masks = MaskMemory()
        self._graphs = GraphMemory()
        self.link_memory = LinkMemory()
        self.contributions = Contributions()
        self._sharing: Sharing | None = None
        self._changes: RecentChanges | None = None
        self._closed = False
        self._closing = threading.Lock()

    @classmethod
    def open(cls, paths: Sequence[Path], assignments: Sequence[str] = (), resolved: Resolved | None = None) -> Session:
        """A started session over `paths`, with the settings found there and `name=value` assignments on top."""
        session = cls(paths, resolved or load_settings(paths, assignments=assignments))
        session.start()
        return session

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Begin indexing."""
        self._indexer.start()

    def close(self) -> None:
        """End requests, threads and workers within a second or so. Closing again waits for the first to be done."""
        with self._closing:
            if self._closed:
                return
            self._closed = True
            if self._sharing is not None:
                self._sharing.close()
            self._scheduler.close()
            self._indexer.close()

    def wait_saved(self, seconds: float) -> bool:
        """Wait for what is being written for the next start; False when the time is over first."""
        return self._indexer.wait_saved(seconds, no_checkpoint)

    def share(self) -> bool:
        """Answer other processes of the user about this workspace, if the setting says so; True when it does."""
        if self._sharing is None and self.settings.share:
            from .sharing import share

            self._sharing = share(self, self._paths)
        return self._sharing is not None

    # Names

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._resolved.settings

    @property
    def setting_problems(self) -> tuple[str, ...]:
        """What was wrong with the settings, one sentence each."""
        return self._resolved.problems

    @property
    def degraded(self) -> tuple[str, ...]:
        """What does not work as it should, one sentence each; answers stay right."""
        return self._indexer.degraded()

    @property
    def policy(self) -> PrivacyPolicy:
        """The privacy rules in force."""
        return self._indexer.policy

    @property
    def changes(self) -> RecentChanges:
        """Lines touched by the uncommitted diff and the last commit."""
        if self._changes is None:
            from .changes import RecentChanges

            self._changes = RecentChanges()
        return self._changes

    @property
    def roots(self) -> Roots:
        """The workspace's folders."""
        return self._roots

    def key_of(self, uri: str) -> str:
        """The canonical path of a document, or its key when it lies in no folder."""
        document = self.documents.get(uri)
        if document is not None:
            return document.key
        path = file_path(uri)
        canonical = None if path is None else self._roots.canonical(path)
        return canonical or outside_key(uri)

    def uri_of(self, key: str) -> str:
        """The URI of a canonical path, as the client spells it when the document is open."""
        document = self.documents.by_key(key)
        if document is not None:
            return document.uri
        if ":" in key.split("/", 1)[0]:
            scheme, _, rest = key.partition(":")
            return f"file:///{rest}" if scheme == "file" else key
        return file_uri(self._roots.absolute(key))

    # The editor's events

    def document_opened(self, uri: str, language_id: str, version: int, text: str) -> Document:
        """The editor shows a document; from now on its text wins over the disk."""
        document = self.documents.open(uri, self.key_of(uri), language_id, version, text)
        self._note_buffer(document, 0.0)
        return document

    def document_changed(
        self, uri: str, version: int | None, changes: Sequence[TextChange], encoding: PositionEncoding
    ) -> Document:
        """Edits of an open document; raises RequestError when it is not open."""
        document = self.documents.change(uri, version, changes, encoding)
        self._note_buffer(document, self.settings.edit_debounce / 1000)
        return document

    def document_saved(self, uri: str, text: str | None = None) -> None:
        """An open document was written; ignore and settings files take effect now."""
        document = self.documents.save(uri, text)
        if document is not None:
            self._note_buffer(document, 0.0)
            self.files_changed([document.key])

    def document_closed(self, uri: str) -> None:
        """The editor no longer shows a document: the disk counts again."""
        document = self.documents.close(uri)
        if document is not None:
            self._note_buffer(document, 0.0)

    def _note_buffer(self, document: Document, delay: float) -> None:
        if scheme_of(document.uri) in SEARCHED_SCHEMES:
            self._indexer.buffer_changed(document.key, delay)

    def files_changed(self, keys: Iterable[str]) -> None:
        """Files were created, changed or deleted on disk. Events may come twice or in any order."""
        keys = tuple(keys)
        names = {key.rsplit("/", 1)[-1] for key in keys}
        if names & {".gitignore", ".repocontextignore", "HEAD"}:
            self._indexer.scan()
        self._indexer.touch(key for key in keys if ":" not in key.split("/", 1)[0])

    def uris_changed(self, uris: Iterable[str]) -> None:
        """The same by URI."""
        self.files_changed(self.key_of(uri) for uri in uris)

    def change_roots(self, added: Iterable[Path], removed: Iterable[Path]) -> None:
        """Workspace folders came and went."""
        gone = {str(path) for path in removed}
        paths = [path for path in self._paths if str(path) not in gone]
        paths += [path for path in added if path not in paths]
        self._paths = tuple(paths)
        self._roots = Roots.of(paths)
        self.documents.rekey({document.uri: self._fresh_key(document.uri) for document in self.documents.all()})
        self._indexer.set_roots(self._roots)
        if self._sharing is not None:
            self._sharing.close()
            self._sharing = None
            self.share()

    def _fresh_key(self, uri: str) -> str:
        path = file_path(uri)
        return (None if path is None else self._roots.canonical(path)) or outside_key(uri)

    def change_settings(self, editor: object) -> tuple[str, ...]:
        """New settings from the editor; returns what is wrong with them. What shapes the index rebuilds it."""
        self.editor_settings = editor
        before = self._resolved
        self._resolved = load_settings(self._paths, editor=editor)
        if _shapes_index(before.settings) != _shapes_index(self._resolved.settings):
            old = self._indexer
            self._indexer = Indexer(self._roots, self._resolved.settings, self.documents, self._on_progress)
            for document in self.documents.all():
                self._note_buffer(document, 0.0)
            self._indexer.start()
            old.close()
        return self._resolved.problems

    # Requests

    def submit(self, work: Callable[[Checkpoint], T], key: str | None = None) -> Job[T]:
        """Run `work` off the caller's thread; a newer job with the same `key` takes its place."""
        return self._scheduler.submit(work, key)

    def wait_fresh(self, seconds: float | None = None, checkpoint: Checkpoint = no_checkpoint) -> bool:
        """Wait until the index holds everything that is known; False when the time is over first."""
        return self._indexer.wait_fresh(seconds, checkpoint)

    def reindex(self) -> None:
        """Compare the whole index with the disk."""
        self._indexer.scan()

    def snapshot(self, checkpoint: Checkpoint = no_checkpoint) -> Snapshot:
        """The index with every keystroke so far in it."""
        self._indexer.wait_buffers(BUFFER_SECONDS, checkpoint)
        return self._indexer.snapshot

    def look_again(self, checkpoint: Checkpoint = no_checkpoint) -> None:
        """Notice what changed on disk when nobody sends events (`watched` is false); a bounded wait."""
        if not self.watched:
            self._indexer.look_again(LOOK_SECONDS, LOOK_WAIT_SECONDS, checkpoint)

    def settled(self, checkpoint: Checkpoint = no_checkpoint, paths: Iterable[str] = ()) -> Snapshot:
        """The index, whole if that takes only a moment; `paths` come first. `pending_files` tells what is missing."""
        self._indexer.wait_scanned(SCAN_SECONDS, checkpoint)
        self.look_again(checkpoint)
        self._indexer.wait_paths(self._indexer.hurry(paths), SETTLE_SECONDS, checkpoint)
        self._indexer.wait_fresh(SETTLE_SECONDS, checkpoint)
        return self.snapshot(checkpoint)

    def reader(self) -> SessionReader:
        """A reader for one request."""
        from ..workspace.reader import DiskReader

        policy = self._indexer.policy
        disk = DiskReader(self._roots, policy)
        return SessionReader(self.documents, disk, policy, self._compare, self._kept_out)

    def _kept_out(self, path: str) -> bool:
        """True for a file that ignore rules or settings leave out of the index, and so out of every answer."""
        from ..workspace.discovery import DiscoveryOptions
        from ..workspace.explain_skip import skip_reason
        from ..workspace.skip import SkipReason

        if self._indexer.snapshot.has(path) or ":" in path.split("/", 1)[0]:
            return False
        rules = DiscoveryOptions(include=self.settings.index_include, exclude=self.settings.index_exclude)
        return skip_reason(self._roots, path, rules) in (SkipReason.IGNORED, SkipReason.EXCLUDED)

    def _compare(self, text: SourceText) -> None:
        """A text read for a request that differs from the indexed one is indexed again."""
        view = self._indexer.snapshot.file(text.path)
        if view is not None and view.content_hash != text.content_hash:
            self._indexer.touch([text.path])

    def build(
        self, request: BuildRequest, checkpoint: Checkpoint = no_checkpoint, client: ClientSide | None = None
    ) -> ContextPack:
        """A context pack for `request`, from open text and disk as they are now."""
        with self._indexer.urgent():  # from here on, so that loading what builds does not give workers a start
            self._indexer.expect(request)
            load_numpy()
            from .building import NO_CLIENT, build

            pack = build(self, self._indexer, request, client or NO_CLIENT, checkpoint)
        self.packs.keep(pack)
        return pack

    def looking(self, checkpoint: Checkpoint = no_checkpoint) -> Looking:
        """What search, grep, related, expand, verify and explain work with, as things are now."""
        from ..context.looking import Looking

        snapshot = self.settled(checkpoint)
        return Looking(snapshot, self.reader(), self._indexer.policy, checkpoint)

    def grep(self, request: GrepRequest, checkpoint: Checkpoint = no_checkpoint) -> GrepResult:
        """Matches within the time that `grep.timeoutSeconds` allows."""
        from ..context.grep import grep_code

        looking = self.looking(checkpoint)  # the wait for the latest keystrokes is not part of the search
        end = time.monotonic() + self.settings.grep_timeout
        return grep_code(looking, request, lambda: end - time.monotonic())

    def map(self, request: MapRequest, checkpoint: Checkpoint = no_checkpoint) -> RepoMap:
        """A ranked outline within its budget."""
        from ..context.map import map_code
        from ..text.tokens import counter_for

        looking = self.looking(checkpoint)
        return map_code(looking, request, counter_for(self.settings.counter), self._graphs.graph(looking.snapshot))

    def graph_text(self, format: str, request: MapRequest, max_nodes: int) -> str:
        """The reference graph between the best-ranked files as `dot`, `graphml` or `html`."""
        from ..context.map import graph_of
        from ..repomap.export import GraphFormat, written

        looking = self.looking()
        graph = graph_of(looking, request, self._graphs.graph(looking.snapshot), max_nodes)
        return written(graph, GraphFormat(format), ", ".join(root.name for root in self._roots.roots))

    def parse_failures(self, output: FailureOutput, checkpoint: Checkpoint = no_checkpoint) -> FailureReport:
        """The failures that an output speaks of."""
        from ..failures import parse_failures
        from ..failures.shown import shown_output, shown_report
        from .failure_means import failure_options

        options = failure_options(self._roots, self.settings, self.reader(), (output,))
        output = shown_output(output, self.policy)
        report = parse_failures((output,), (), self.snapshot(checkpoint), self.reader(), options, checkpoint)
        return shown_report(report, self.policy)

    def status(self) -> Status:
        """State of everything, quickly."""
        report = self._indexer.report()
        snapshot = self._indexer.snapshot
        waiting, running = self._scheduler.counts()
        totals = snapshot.totals
        return Status(
            roots=tuple((root.name, str(root.path)) for root in self._roots.roots),
            phase=report.phase,
            files=len(snapshot.entries),
            pending_files=report.total - report.done,
            languages=snapshot.languages(),
            symbols=totals.symbols,
            references=totals.references,
            chunks=totals.chunks,
            source_bytes=totals.source_bytes,
            revision=snapshot.revision,
            head=snapshot.head,
            open_documents=len(self.documents.all()),
            memory_bytes=memory_bytes(),
            waiting_requests=waiting,
            running_requests=running,
            workers=len(report.workers),
            quarantined=report.quarantined,
            skipped=tuple((self.policy.mask(path).text, reason) for path, reason in report.skipped),
            capped=report.capped,
            degraded=report.degraded,
            problems=self.setting_problems,
            last_error=report.last_error,
            settings=dict(self._resolved.origins),
        )


def _shapes_index(settings: Settings) -> tuple[Any, ...]:
    return (
        settings.index_include,
        settings.index_exclude,
        settings.index_max_files,
        settings.index_max_file_bytes,
        settings.index_file_timeout,
        settings.index_workers,
        settings.cache,
        settings.cache_folder,
        settings.privacy_deny,
        settings.privacy_mask_secrets,
    )
