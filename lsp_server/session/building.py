"""`context/build` on the session's side: make what the request names fresh, then run the pipeline."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from itertools import chain
from typing import TYPE_CHECKING

from ..context.build import Means, build_context
from ..context.json import PLAIN_EDGE, Edge
from ..context.looking import Looking
from ..context.pinned import fit_pinned, with_pinned
from ..failures import FailureOptions, parse_failures
from ..model.pack import ContextPack, Freshness
from ..model.request import BuildRequest
from ..model.source import Checkpoint, SourceReader
from ..model.values import Value, replace
from ..retrieval import diagnostic
from ..retrieval.lead import Lead
from ..text.tokens import counter_for
from .contributions import with_stale
from .cost_memory import forget_oldest
from .exact import AwaitedLeads, DefinitionAsker, names_to_ask
from .failure_means import failure_options
from .first_files import files_imported, files_known, files_named, files_passed_on, said_in

if TYPE_CHECKING:
    from ..index.snapshot import Snapshot
    from ..retrieval.links import Links
    from .indexer import Indexer
    from .session import Session

SCAN_SECONDS, URGENT_SECONDS, BUFFER_SECONDS = 20.0, 8.0, 5.0
"""How long a request waits for the list of files, for the files it names, for the latest keystrokes."""


class ClientSide(Value):
    """What only the protocol edge knows: how documents are named, and how its editor is asked for definitions.

    `on_first` is handed a pack of the failing code alone as soon as that is there, from the request's thread.
    """

    edge: Edge = PLAIN_EDGE
    asker: DefinitionAsker | None = None
    on_first: Callable[[ContextPack], None] | None = None


NO_CLIENT = ClientSide()


def build(
    session: Session, indexer: Indexer, request: BuildRequest, client: ClientSide, checkpoint: Checkpoint
) -> ContextPack:
    """The pack, from the freshest state that can be had without waiting for the whole index.

    The caller has said that it is urgent (see `Indexer.urgent`).
    """
    session.changes.ask(session.roots)
    indexer.wait_scanned(SCAN_SECONDS, checkpoint)
    session.look_again(checkpoint)
    indexer.wait_buffers(BUFFER_SECONDS, checkpoint)
    _make_fresh(indexer, request, checkpoint)
    snapshot = indexer.snapshot
    with session.link_memory.links(snapshot) as links:
        return _build(session, indexer, snapshot, request, client, links, checkpoint)


def _build(
    session: Session,
    indexer: Indexer,
    snapshot: Snapshot,
    request: BuildRequest,
    client: ClientSide,
    links: Links,
    checkpoint: Checkpoint,
) -> ContextPack:
    if not request.open_documents:
        request = replace(request, open_documents=_open_keys(session, snapshot))
    reader, policy = session.reader(), indexer.policy
    options = failure_options(
        session.roots, session.settings, reader, request.failure_output, request.cursor, request.recent_edits
    )
    fitted = fit_pinned(request, counter_for(session.settings.counter), lambda text: policy.mask(text).text)
    inner = replace(request, budget=fitted.reserved(request.budget))
    room = snapshot.totals.source_bytes
    forget_oldest(session.costs, snapshot.totals.chunks)
    offer = session.contributions.offer(Looking(snapshot, reader, policy, checkpoint))
    means = Means(
        reader=reader,
        privacy=policy,
        counter=counter_for(session.settings.counter),
        changes=session.changes.lines(session.roots, snapshot),
        freshness=freshness(session, snapshot, request),
        failure_options=options,
        exact=chain(offer.leads, _exact(session, snapshot, request, client, reader, options)),
        clock=time.perf_counter,
        costs=session.costs,
        edge=client.edge,
        links=links,
        masker=(lambda texts: session.masks.masked(texts, policy.mask_all, room)) if policy.masks else None,
    )
    if client.on_first is not None:
        failing = replace(means, sources=(diagnostic.candidates,), followers=(), exact=())
        client.on_first(build_context(snapshot, inner, failing, checkpoint))
    pack = with_stale(build_context(snapshot, inner, means, checkpoint), offer.stale)
    return with_pinned(pack, fitted, request, client.edge)


def _exact(
    session: Session,
    snapshot: Snapshot,
    request: BuildRequest,
    client: ClientSide,
    reader: SourceReader,
    options: FailureOptions,
) -> Iterable[Lead]:
    """Ask the editor about the names on the failing lines; the answers are waited for when they are needed."""
    seconds = session.settings.resolve_definition_deadline / 1000
    if client.asker is None or seconds <= 0 or not (request.diagnostics or request.failure_output):
        return ()
    report = parse_failures(request.failure_output, request.diagnostics, snapshot, reader, options)
    asked = names_to_ask(snapshot, report)
    if not asked:
        return ()
    end = time.monotonic() + seconds
    return AwaitedLeads(snapshot, asked, client.asker(asked, seconds), lambda: end - time.monotonic())


def freshness(session: Session, snapshot: Snapshot, request: BuildRequest) -> Freshness:
    """How current the answer is; diagnostics of another version than the open text make it stale."""
    stale: dict[str, None] = {}
    for reported in request.diagnostics:
        document = session.documents.by_key(reported.path)
        if document is not None and reported.version not in (None, document.version):
            stale[reported.path] = None
    return Freshness(
        revision=snapshot.revision,
        pending_files=snapshot.pending_files,
        head=snapshot.head,
        stale_documents=tuple(stale),
        degraded=session.degraded,
    )


def _open_keys(session: Session, snapshot: Snapshot) -> tuple[str, ...]:
    return tuple(document.key for document in session.documents.all() if snapshot.has(document.key))


def _make_fresh(indexer: Indexer, request: BuildRequest, checkpoint: Checkpoint) -> None:
    """While files are pending: first those that the request names, then what those import."""
    pending = indexer.waiting_paths()
    if not pending:
        return
    said = said_in(request)
    named = [*files_named(said, pending), *files_known(said, indexer.snapshot)]
    if not named:
        if not (request.diagnostics or request.failure_output):
            indexer.wait_fresh(URGENT_SECONDS, checkpoint)
        return
    indexer.wait_paths(indexer.hurry(named), URGENT_SECONDS, checkpoint)
    imported = files_imported(indexer.snapshot, named, indexer.waiting_paths())
    indexer.wait_paths(indexer.hurry(imported), URGENT_SECONDS, checkpoint)
    behind = files_passed_on(indexer.snapshot, named, imported, indexer.waiting_paths())
    indexer.wait_paths(indexer.hurry(behind), URGENT_SECONDS, checkpoint)
