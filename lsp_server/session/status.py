"""What a session says of itself, and its JSON form (the same on LSP, MCP and the command line)."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from ..model.pack import SCHEMA_VERSION
from ..model.values import Value

MAX_LISTED = 200
"""Skipped and quarantined files that are listed by name; the counts are always whole."""


class Status(Value):
    """`phase` is starting, scanning, indexing or ready; paths are canonical; memory in bytes."""

    roots: tuple[tuple[str, str], ...]
    phase: str
    files: int
    pending_files: int
    languages: Mapping[str, int]
    symbols: int
    references: int
    chunks: int
    source_bytes: int
    revision: int
    head: str | None
    open_documents: int
    memory_bytes: int
    waiting_requests: int
    running_requests: int
    workers: int
    quarantined: tuple[tuple[str, str], ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    capped: bool = False
    degraded: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    last_error: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict[str, str])


def memory_bytes() -> int:
    """Resident memory of this process, 0 where that cannot be had."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        pass
    if sys.platform == "win32":
        return 0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def status_json(status: Status) -> dict[str, Any]:
    """The plain form."""
    reasons: dict[str, int] = {}
    for _, reason in status.skipped:
        reasons[reason] = reasons.get(reason, 0) + 1
    return {
        "schema": SCHEMA_VERSION,
        "roots": [{"name": name, "path": path} for name, path in status.roots],
        "phase": status.phase,
        "files": status.files,
        "pendingFiles": status.pending_files,
        "languages": dict(status.languages),
        "symbols": status.symbols,
        "references": status.references,
        "chunks": status.chunks,
        "sourceBytes": status.source_bytes,
        "revision": status.revision,
        "head": status.head,
        "openDocuments": status.open_documents,
        "memoryBytes": status.memory_bytes,
        "queue": {"waiting": status.waiting_requests, "running": status.running_requests},
        "workers": status.workers,
        "quarantined": [{"path": path, "reason": reason} for path, reason in status.quarantined[:MAX_LISTED]],
        "quarantinedCount": len(status.quarantined),
        "skipped": [{"path": path, "reason": reason} for path, reason in status.skipped[:MAX_LISTED]],
        "skippedCounts": reasons,
        "capped": status.capped,
        "degraded": list(status.degraded),
        "problems": list(status.problems),
        "lastError": status.last_error,
        "settings": dict(status.settings),
    }
