"""`status` and what it prints for people."""

from __future__ import annotations

import argparse

from ..session.status import Status, status_json
from .main import DONE
from .workspace import add_workspace_arguments, opened, print_json

SHOWN = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `status`."""
    add_workspace_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Index the workspace and tell what came out."""
    with opened(options) as session:
        status = session.status()
    if options.json:
        print_json(status_json(status))
    else:
        print_status(status)
    return DONE


def print_status(status: Status) -> None:
    """A page for a person."""
    for name, path in status.roots:
        print(f"root        {path}" + (f" ({name})" if len(status.roots) > 1 else ""))
    print(
        f"phase       {status.phase}, revision {status.revision}"
        + (f", HEAD {status.head[:12]}" if status.head else "")
    )
    print(f"files       {status.files} indexed, {status.pending_files} pending, {len(status.skipped)} skipped")
    languages = sorted(status.languages.items(), key=lambda pair: (-pair[1], pair[0]))
    print("languages   " + ", ".join(f"{name or 'text'} {count}" for name, count in languages))
    print(f"symbols     {status.symbols} definitions, {status.references} references, {status.chunks} chunks")
    print(f"size        {status.source_bytes / 1e6:.1f} MB of source, {status.memory_bytes / 1e6:.0f} MB resident")
    _list("skipped", status.skipped)
    _list("quarantined", status.quarantined)
    for sentence in (*status.degraded, *status.problems):
        print(f"attention   {sentence}")


def _list(title: str, entries: tuple[tuple[str, str], ...]) -> None:
    for path, reason in entries[:SHOWN]:
        print(f"{title:11} {path}: {reason}")
    if len(entries) > SHOWN:
        print(f"{title:11} and {len(entries) - SHOWN} more")
