"""Measurements that need a process of their own: `python -m benchmarks.children NAME ARGUMENT…` prints JSON."""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .corpora import code_files
from .measuring import Spent, Stopwatch, resident_bytes


def parse(root: str) -> dict[str, Any]:
    """One thread reads and parses every file that a grammar reads, and keeps nothing."""
    from lsp_server.syntax.languages import language_for
    from lsp_server.syntax.parse import grammar
    from lsp_server.syntax.parse import parse as parse_bytes

    folder = Path(root)
    files = [(folder / path, language) for path in code_files(folder) if (language := language_for(path))]
    for language in {language for _, language in files}:
        grammar(language)
    watch = Stopwatch()
    size = 0
    for path, language in files:
        source = path.read_bytes()
        size += len(source)
        parse_bytes(language, source)
    spent = watch.spent()
    return {"wall": spent.wall, "cpu": spent.cpu, "files": len(files), "bytes": size}


def _session(root: str, cache: str, include: str = "") -> Any:
    from lsp_server.session.session import Session

    settings = [f"cache.folder={cache}"]
    if include:
        settings.append(f"index.include={json.dumps(include.split(','))}")
    return Session.open([Path(root)], settings)


def index(root: str, cache: str, include: str = "") -> dict[str, Any]:
    """From the start of a session until its index is fresh, with the memory that takes."""
    import lsp_server.session.building
    import lsp_server.session.extraction  # noqa: F401 - the base is what every session needs, whatever it indexes

    base = resident_bytes()
    watch = Stopwatch()
    session = _session(root, cache, include)
    session.wait_fresh()
    wall = watch.spent().wall
    spent = watch.spent()
    status = session.status()
    session.wait_saved(600)  # what a server holds once it has written the index down
    gc.collect()
    resident = resident_bytes()
    session.close()
    spent = Spent(spent.wall, watch.spent().cpu)  # workers count once they are waited for
    return {
        "wall": wall,
        "cpu": spent.cpu,
        "files": status.files,
        "bytes": status.source_bytes,
        "base": base,
        "resident": resident,
        "degraded": list(status.degraded),
    }


def first(root: str, cache: str, output: str, wanted: str) -> dict[str, Any]:
    """The first answer while the index is being made, then the whole index."""
    from lsp_server.model.request import BuildRequest, FailureOutput

    begin = time.perf_counter()
    session = _session(root, cache)
    pack = session.build(BuildRequest(failure_output=(FailureOutput(output),)))
    answered = time.perf_counter() - begin
    pending = pack.freshness.pending_files
    session.wait_fresh()
    fresh = time.perf_counter() - begin
    whole = session.build(BuildRequest(failure_output=(FailureOutput(output),)))
    session.close()
    early = {item.id for item in pack.selection.items}
    failing = [item for item in pack.selection.items if item.path == wanted]
    return {
        "first": answered,
        "fresh": fresh,
        "pending": pending,
        "failing": bool(failing),
        "items": len(early),
        "shared": len(early & {item.id for item in whole.selection.items}),
        "whole": len(whole.selection.items),
    }


def soak(corpus: str, scratch: str, edits: str, builds: str, storms: str) -> dict[str, Any]:
    """A long run over a small tree; see `soak.soaked`."""
    from .soak import soaked

    return soaked(Path(corpus), Path(scratch), int(edits), int(builds), int(storms))


CHILDREN: dict[str, Callable[..., dict[str, Any]]] = {"parse": parse, "index": index, "first": first, "soak": soak}


if __name__ == "__main__":
    print(json.dumps(CHILDREN[sys.argv[1]](*sys.argv[2:])))
