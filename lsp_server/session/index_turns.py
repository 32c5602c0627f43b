"""What the indexer's thread does in a turn. Owned and called by that thread alone.

Disk files are known by `FoundFile` (size and time); a file whose size and time are those it was indexed
with is not read again. A file changed in the moment of being read keeps no time, so that it is read again.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ..index.freshness import RACY_NS
from ..index.store import ManifestRow
from ..index.writer import Change, IndexWriter, Put, Remove
from ..model.candidate import Origin
from ..model.errors import PathError
from ..syntax.languages import code_language
from ..workspace.at_least import holds_at_least
from ..workspace.classify import PathFlag, classify
from ..workspace.discovery import DiscoveryOptions, FoundFile, discover
from ..workspace.explain_skip import skip_reasons
from ..workspace.git import head_commit
from ..workspace.skip import Skipped, SkipReason
from .background import Background
from .index_images import IndexImages, Saved
from .known_facts import REFUSED, KnownFacts
from .memory_release import Unwatched, give_memory_back
from .new_workspace import MANY_FILES
from .orders import Order, Outcome, outcome_of
from .parse_guard import FILE_SECONDS, LeftToWorker, ParseGuard
from .privacy import policy_of
from .uris import SEARCHED_SCHEMES, scheme_of
from .worker import read_limited, work

if TYPE_CHECKING:
    from ..index.compaction import Merged
    from ..index.snapshot import Snapshot
    from ..model.facts import FileFacts
    from ..workspace.roots import Roots
    from .documents import Document, OpenDocuments
    from .extraction import BufferExtractor
    from .indexer import IndexReport, Todo
    from .pending import PendingFiles
    from .pool import Pool
    from .settings import Settings

FEW_FILES, FEW_BYTES = 24, 400_000
"""So little is extracted in this thread when no worker is at work, unless it is odd (see `parse_guard`): starting
workers takes longer."""

STORM = 300
"""With more touched paths than this the whole workspace is looked at instead."""

PUBLISH_FILES = 1_500
"""Files taken from the store that are published at once."""

_LATE = PathFlag.GENERATED | PathFlag.VENDORED | PathFlag.LOCK
_ORDER_KEYS = ("file", "path", "max_bytes", "seconds")


class TurnsOwner(Protocol):
    """What turns ask of whoever takes them."""

    def holding(self) -> bool:
        """True while bulk work is to be put off."""
        ...

    def wake(self) -> None:
        """A result of background work is there; called from its thread."""
        ...


class IndexTurns:
    """The mutable books of the index on the session's side: what the disk holds and what was made of it."""

    def __init__(
        self,
        settings: Settings,
        documents: OpenDocuments,
        pending: PendingFiles,
        pool: Pool,
        owner: TurnsOwner,
    ) -> None:
        self.scanned = False
        self.held = False
        self.in_buffers = False
        self.phase = "starting"
        self._owner = owner
        self._settings = settings
        self._documents = documents
        self._pending = pending
        self._writer = IndexWriter()
        self._extractor: BufferExtractor | None = None
        self._known = KnownFacts(settings)
        self._images = IndexImages(settings)
        self._unwatched = Unwatched()
        self._background: Background[Merged | Saved | None] = Background(owner.wake)
        self._roots: Roots | None = None
        self.policy = policy_of(settings)
        self._on_disk: dict[str, FoundFile] = {}
        self._indexed: dict[str, FoundFile] = {}
        self._refused: dict[str, tuple[str, FoundFile | None]] = {}
        self._failed: dict[str, str] = {}
        self._flags: dict[str, PathFlag] = {}  # of files that wait, so that each is classified once
        self._skipped: tuple[Skipped, ...] = ()
        self._capped = False
        self._head: str | None = None
        self._pool = pool
        self._limits = pool.limits

    @property
    def snapshot(self) -> Snapshot:
        """The last published snapshot."""
        return self._writer.snapshot

    def turn(self, todo: Todo) -> None:
        """One turn; see the module of the indexer for the order."""
        self._take_background()
        if todo.roots is not None:
            self._change_roots(todo.roots)
        if todo.buffers:
            self._take_buffers(todo.buffers)
            self.in_buffers = False
        if todo.outcomes:
            self._take_outcomes(todo.outcomes)
        if len(todo.touched) > STORM:
            todo.scan = True
        elif todo.touched:
            self._take_touched(todo.touched)
        if todo.scan:
            self._scan()
        self._work_off()
        self._writer.mark(self._head, len(self._pending))
        if not len(self._pending):
            self.phase = "ready"
            if not todo.buffers and not self._background.busy:
                self._tidy()

    def _take_background(self) -> None:
        done = self._background.take()
        if isinstance(done, Saved):
            if done.snapshot is self._writer.snapshot:
                self._writer.exchange(done.image)
            del done  # it holds the snapshot that the image has just taken the place of
            give_memory_back()
            self._unwatched.begin(len(self._writer.snapshot.entries))
        elif done is not None:
            self._writer.install(done)
            give_memory_back()  # the segments that were merged

    def _tidy(self) -> None:
        """Begin the next useful piece of long work: writing the index down, or merging segments."""
        snapshot = self._writer.snapshot
        if self._images.worth_saving(snapshot):
            refused = {path: why for path, why in self._refused.items() if path not in self._failed}
            self._background.start(self._images.saver(snapshot, dict(self._indexed), refused))
        elif (plan := self._writer.plan_compaction()) is not None:
            self._background.start(plan.run)
        else:
            self._writer.forget_unused_strings()

    @property
    def tidying(self) -> bool:
        """True while the index is written down or merged."""
        return self._background.busy

    def give_up(self, todo: Todo) -> None:
        """A turn failed: nothing of it may stay pending for ever."""
        self._pending.done(outcome.path for outcome in todo.outcomes)
        self.scanned = True

    # Buffers

    @property
    def _buffers(self) -> BufferExtractor:
        """Made, with all that parsing needs, when the first document is opened."""
        if self._extractor is None:
            from .extraction import BufferExtractor

            self._extractor = BufferExtractor()
        return self._extractor

    def _take_buffers(self, keys: Iterable[str]) -> None:
        changes: list[Change] = []
        for key in sorted(keys):
            document = self._documents.by_key(key)
            if document is None:
                self._buffers.forget(key)
                self._indexed.pop(key, None)
                changes += self._from_disk_again(key)
            elif self._may_hold(document):
                facts = self._buffer_facts(document)
                changes.append(Put(key, facts, classify(key), Origin.BUFFER, document.version))
                self._refused.pop(key, None)
            else:
                self._buffers.forget(key)
                changes.append(Remove(key))
        self._apply(changes)

    def _buffer_facts(self, document: Document) -> FileFacts:
        """A text that broke its worker is never parsed in this process; one that a worker read well always is."""
        if document.key in self._failed:
            return self._buffers.lines_only(document)
        entry = self._writer.snapshot.entries.get(document.key)
        proven = "" if entry is None or entry.origin is not Origin.DISK else entry.content_hash
        return self._buffers.facts(document, self._limits.max_bytes, proven)

    def _may_hold(self, document: Document) -> bool:
        if scheme_of(document.uri) not in SEARCHED_SCHEMES or self.policy.denied(document.key):
            return False
        return self._wanted(document.key)

    def _wanted(self, key: str) -> bool:
        """Files of the workspace that the ignore rules leave out stay out while open, too."""
        if key in self._on_disk or self._roots is None or ":" in key.split("/", 1)[0]:
            return True
        return skip_reasons(self._roots, [key], self._options()).get(key) in (None, SkipReason.MISSING)

    def _from_disk_again(self, key: str) -> list[Change]:
        """A document was closed: what the disk holds counts again."""
        found = self._look([key]).get(key)
        if found is None:
            return [Remove(key)]
        self._on_disk[key] = found
        self._queue([found])
        return []

    # Disk

    def _change_roots(self, roots: Roots) -> None:
        old, self._roots = self._roots, roots
        self._known.open_workspace(roots)
        self._pending.clear()
        self._flags.clear()
        self.scanned = False
        if old is not None:
            gone: list[Change] = [Remove(path) for path in self._writer.snapshot.paths()]
            self._writer.apply(gone)
            self._on_disk.clear()
            self._indexed.clear()
            self._refused.clear()
            self._failed.clear()
            self._take_buffers(self._documents.keys())
        adopted = self._images.adopt(roots, self._writer)
        self._indexed |= adopted.indexed
        self._refused |= adopted.refused

    def _take_touched(self, paths: set[str]) -> None:
        changes: list[Change] = []
        found: list[FoundFile] = []
        looked = self._look(sorted(paths))
        for path in sorted(paths):
            file = looked.get(path)
            if file is None:
                changes += self._gone(path)
            elif self._indexed.get(path) != file:
                self._on_disk[path] = file
                found.append(file)
        self._writer.apply(changes)
        self._queue(found)

    def _gone(self, path: str) -> list[Change]:
        """A file or a whole folder is gone, or is not to be indexed."""
        below = [path, *self._writer.snapshot.paths_under(path)]
        gone = [each for each in below if self._documents.by_key(each) is None]
        for each in gone:
            self._forget(each)
        return [Remove(each) for each in gone]

    def _forget(self, path: str) -> None:
        for held in (self._on_disk, self._indexed, self._refused, self._failed, self._flags):
            held.pop(path, None)
        self._pending.drop([path])

    def _look(self, paths: Iterable[str]) -> dict[str, FoundFile]:
        """Those of `paths` that are to be indexed, as they are on disk now."""
        roots, wanted = self._roots, list(paths)
        if roots is None:
            return {}
        reasons = skip_reasons(roots, wanted, self._options())
        found: dict[str, FoundFile] = {}
        for path in wanted:
            if path in reasons:
                continue
            try:
                status = os.stat(roots.absolute(path))
            except (OSError, ValueError, PathError):
                continue
            if stat.S_ISREG(status.st_mode):
                found[path] = FoundFile(path, status.st_size, status.st_mtime_ns)
        return found

    def _options(self) -> DiscoveryOptions:
        settings = self._settings
        return DiscoveryOptions(
            include=settings.index_include,
            exclude=settings.index_exclude,
            max_files=settings.index_max_files,
            max_file_bytes=settings.index_max_file_bytes,
            privacy=self.policy,
        )

    def _scan(self) -> None:
        roots = self._roots
        if roots is None:
            return
        self.phase = "scanning"
        begun_ns = time.time_ns()
        self._head = self._read_head()
        if not self.scanned and not self._indexed and self._is_new_and_large(roots):
            self._pool.prepare()  # they load while the files are listed
        discovery = discover(roots, self._options())
        self._skipped, self._capped = discovery.skipped, discovery.capped
        self.policy = policy_of(self._settings).denying(discovery.denied_targets)
        self._on_disk = {file.path: self._as_indexed(file) for file in discovery.files}
        self._writer.apply(self._vanished())
        self._take_buffers(self._open_otherwise())
        changed = [file for file in discovery.files if self._needs_look(file)]
        left = self._from_store(roots, changed, begun_ns)
        self.phase = "indexing"
        self._queue(left)
        if not self.scanned:
            self._unwatched.begin(len(self._on_disk))
        self.scanned = True

    def _is_new_and_large(self, roots: Roots) -> bool:
        if self._owner.holding() or not self._known.is_empty:
            return False
        return self._pool.is_ready or holds_at_least(roots, MANY_FILES)  # one is there where that was seen before

    def _vanished(self) -> list[Change]:
        snapshot = self._writer.snapshot
        gone = [
            path
            for path in snapshot.paths()
            if path not in self._on_disk and self._documents.by_key(path) is None
        ]  # fmt: skip
        for path in gone:
            self._forget(path)
        self._pending.drop(path for path in self._pending.names_of_waiting() if path not in self._on_disk)
        return [Remove(path) for path in gone]

    def _open_otherwise(self) -> list[str]:
        """Open documents that the rules now let in, or no longer do."""
        entries = self._writer.snapshot.entries
        found: list[str] = []
        for document in self._documents.all():
            entry = entries.get(document.key)
            if self._may_hold(document) != (entry is not None and entry.origin is Origin.BUFFER):
                found.append(document.key)
        return found

    def _as_indexed(self, file: FoundFile) -> FoundFile:
        """The object that stands in the books already, so that a large workspace has its files there once."""
        known = self._indexed.get(file.path)
        return known if known is not None and known == file else file

    def _needs_look(self, file: FoundFile) -> bool:
        if self._indexed.get(file.path) == file or self._documents.by_key(file.path) is not None:
            return False
        reason = self._refused.get(file.path)
        return reason is None or reason[1] != file

    def _from_store(self, roots: Roots, files: list[FoundFile], begun_ns: int) -> list[FoundFile]:
        """Publish what the store has facts of; returns the rest. `begun_ns`: not later than they were read."""
        left: list[FoundFile] = []
        refused = self._known.refusals(files)
        self._refused |= {file.path: (refused[file.path], file) for file in files if file.path in refused}
        files = [file for file in files if file.path not in refused]
        for start in range(0, len(files), PUBLISH_FILES):
            block = files[start : start + PUBLISH_FILES]
            known = self._known.facts_of(roots, block)
            found = [file for file in block if file.path in known]
            self._apply(
                [Put(file.path, known[file.path], classify(file.path), mtime_ns=file.mtime_ns) for file in found]
            )
            self._images.changed(len(found))
            for file in block:
                if file.path in known:
                    if file.mtime_ns + RACY_NS <= begun_ns:
                        self._indexed[file.path] = file
                else:
                    left.append(file)
        return left

    def _queue(self, files: Iterable[FoundFile]) -> None:
        roots = self._roots
        if roots is None:
            return
        files = list(files)
        self._flags |= {file.path: classify(file.path) for file in files}
        ordered = sorted(files, key=lambda file: (bool(self._flags[file.path] & _LATE), file.path))
        self._pending.put(Order(file.path, roots.file_of(file.path), code_language(file.path)) for file in ordered)
        self._pending.leave_to_workers(file.path for file in ordered if file.path in self._failed)

    # Extraction

    def _work_off(self) -> None:
        """Little is done here and now; more goes to the workers."""
        count = self._pending.waiting()
        if not count:
            self.held = False
            self._pool.dismiss()
            return
        if count <= FEW_FILES and not self._pool.is_serving and self._waiting_bytes() <= FEW_BYTES:
            self._extract_here(self._pending.take_here)
            if not self._pending.waiting():
                self.held = False
                self._pool.dismiss()
                return
        # What a request waits for does not wait for workers to start, nor for the processors that they take.
        if (self.held or not self._pool.is_serving) and self._pool.is_ready and self._owner.holding():
            self.held = True
            if self._pending.has_urgent():
                self._pool.wake_one()  # it has loaded meanwhile, and this process has not
            return
        self._extract_here(self._pending.take_urgent)
        self.held = self._owner.holding()
        if not self.held:
            self._pool.wake()

    @property
    def hands_out(self) -> bool:
        """True while a worker is given urgent files, and only those."""
        return self.held and self._pool.is_serving

    def _waiting_bytes(self) -> int:
        """The sizes of a few files that wait."""
        paths = self._pending.names_of_waiting()[: FEW_FILES + 1]
        return sum(self._on_disk[path].size for path in paths if path in self._on_disk)

    def _extract_here(self, take: Callable[[], Order | None]) -> None:
        """At most a few files, in this thread; what is odd or slow is left to the workers."""
        outcomes: list[Outcome] = []
        left_over = False
        for _ in range(FEW_FILES):
            if (order := take()) is None:
                break
            values = (order.file, order.path, self._limits.max_bytes, self._limits.seconds)
            asked: dict[str, Any] = dict(zip(_ORDER_KEYS, values, strict=True))
            try:
                outcomes.append(outcome_of(order.path, *work(asked, ParseGuard(FILE_SECONDS))))
            except LeftToWorker:
                self._pending.give_back(order)
                left_over = True
        if left_over:
            self._pool.wake()
        if outcomes:
            self._take_outcomes(outcomes)

    def _take_outcomes(self, outcomes: list[Outcome]) -> None:
        changes: list[Change] = []
        stamps: dict[str, FoundFile] = {}
        noted: dict[str, int] = {}
        refusals: list[ManifestRow] = []
        readable_again: list[str] = []
        for outcome in outcomes:
            path = outcome.path
            if self._documents.by_key(path) is not None and path in self._writer.snapshot.entries:
                # Open text wins; but whether its parser is to be trusted, the worker has found out.
                if outcome.failed:
                    self._failed[path] = outcome.failed
                elif self._failed.pop(path, None) is not None:
                    readable_again.append(path)
                continue
            if path not in self._on_disk:
                continue  # gone, or no longer wanted, while the worker was at it
            stamp = FoundFile(path, outcome.size, outcome.mtime_ns)
            if outcome.failed:
                changes += self._set_aside(path, outcome.failed)
            elif outcome.refused:
                self._failed.pop(path, None)
                self._refused[path] = (outcome.refused, self._on_disk.get(path))
                self._indexed.pop(path, None)
                changes.append(Remove(path))
                if outcome.noted_ns:
                    row = ManifestRow(path, outcome.size, outcome.mtime_ns, REFUSED, outcome.refused, outcome.noted_ns)
                    refusals.append(row)
            else:
                self._failed.pop(path, None)
                self._refused.pop(path, None)
                if outcome.mtime_ns + RACY_NS <= outcome.noted_ns:
                    self._indexed[path] = stamp
                stamps[path], noted[path] = stamp, outcome.noted_ns
                flags = self._flags.pop(path, None)
                flags = classify(path) if flags is None else flags
                changes.append(Put(path, outcome.facts, flags, mtime_ns=outcome.mtime_ns))
        self._apply(changes)
        self._images.changed(len(changes))
        self._known.keep(changes, self._writer.snapshot, stamps, noted)
        self._known.note(refusals, (), self._writer.snapshot.head)
        self._pending.done(outcome.path for outcome in outcomes)
        self._take_buffers(readable_again)

    def _apply(self, changes: list[Change]) -> None:
        """Publish; one bad change must not cost the others."""
        try:
            self._writer.apply(changes)
        except Exception:
            for change in changes:
                try:
                    self._writer.apply([change])
                except Exception as error:
                    self._failed[change.path] = f"could not be indexed ({type(error).__name__})"

    def _set_aside(self, path: str, why: str) -> list[Change]:
        """A file that broke its parser is searched by lines, and tried again when it changes."""
        self._failed[path] = why
        self._refused[path] = (why, self._on_disk.get(path))
        self._indexed.pop(path, None)
        if self._roots is None:
            return []
        try:
            data, _, mtime_ns = read_limited(str(self._roots.absolute(path)), self._limits.max_bytes)
        except OSError:
            return [Remove(path)]
        from .extraction import facts_without_grammar

        facts = facts_without_grammar(path, data)
        return [Remove(path)] if facts is None else [Put(path, facts, classify(path), mtime_ns=mtime_ns)]

    # State

    def head_moved(self) -> bool:
        """True when another commit is checked out than at the last look."""
        return self._roots is not None and self.scanned and self._read_head() != self._head

    def _read_head(self) -> str | None:
        if self._roots is None:
            return None
        heads = [head_commit(Path(root.path)) for root in self._roots.roots]
        known = [head for head in heads if head]
        return ",".join(known) or None

    def counts(self) -> tuple[int, int]:
        """(files done, files in all)."""
        total = max(len(self._on_disk), len(self._pending))
        return max(0, total - len(self._pending)), total

    @property
    def degraded(self) -> tuple[str, ...]:
        """What does not work as it should."""
        return self._known.degraded

    def report(self, phase: str, failure: str | None) -> IndexReport:
        """For `context/status`."""
        from .indexer import IndexReport

        done, total = self.counts()
        skipped = [(skipped.path, str(skipped.reason)) for skipped in self._skipped]
        set_aside = {} if self._extractor is None else self._extractor.set_aside
        skipped += [(path, reason) for path, (reason, _) in list(self._refused.items()) if path not in self._failed]
        return IndexReport(
            phase=phase,
            done=done,
            total=total,
            quarantined=tuple(sorted((set_aside | self._failed).items())),
            skipped=tuple(sorted(skipped)),
            capped=bool(self._capped),
            degraded=self.degraded,
            workers=self._pool.process_ids(),
            last_error=failure,
        )

    def close_pool(self, seconds: float) -> None:
        """End the workers, waiting at most `seconds`; any thread."""
        self._background.stop()
        self._pool.close(seconds)

    def close(self) -> None:
        """End everything; the indexer's thread."""
        self._background.stop()
        self._pool.close()
        self._known.close()
        self._unwatched.end()
