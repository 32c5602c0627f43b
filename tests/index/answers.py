"""Everything a snapshot can be asked, as plain values: two snapshots are equal when these are."""

from __future__ import annotations

from array import array

from lsp_server.index.snapshot import Snapshot
from lsp_server.model.facts import FileFacts
from lsp_server.model.values import replace

from .facts_builder import NAMES, WORDS

QUERIES = (["alpha"], ["the"], ["parse", "row", "row", "the"], ["数", "key"], ["unknown"], list(WORDS))
PARTIAL = ("p", "pr", "prow", "A", "ss", "alpha", "ö", "größe", "zz")


def answers(snapshot: Snapshot) -> dict[str, object]:
    """Answers to a fixed list of questions; revision apart."""
    paths = list(snapshot.paths())
    views = [snapshot.file(path) for path in paths]
    definitions = {name: list(snapshot.definitions(name)) for name in NAMES}
    return {
        "paths": paths,
        "files": [(v.path, _without_terms(v.facts), v.flags, v.origin, v.version, v.mtime_ns) for v in views if v],
        "terms": [snapshot.chunk_terms(path) for path in paths],
        "named": {name: list(snapshot.paths_named(name)) for name in ("m.py", "n.go", "none")},
        "under": {folder: list(snapshot.paths_under(folder)) for folder in ("", "a", "a/b", "c")},
        "glob": {glob: list(snapshot.files_matching(glob)) for glob in ("*.py", "a/**", "**/b/*.go")},
        "packages": {name: list(snapshot.files_in_package(name)) for name in ("pkg.a", "pkg.b", "")},
        "importing": {word: list(snapshot.files_importing(word)) for word in (".", "mod", "b", "util", "x")},
        "definitions": definitions,
        "symbols": [snapshot.symbol(each) for found in definitions.values() for each in found],
        "folded": {name: list(snapshot.definitions_folded(name)) for name in (*NAMES, "GROESSE", "ALPHA")},
        "fuzzy": {(query, limit): snapshot.fuzzy_symbols(query, limit) for query in PARTIAL for limit in (1, 3, 50)},
        "references": {name: list(snapshot.references(name)) for name in NAMES},
        "counts": {
            name: (snapshot.definition_count(name), snapshot.reference_count(name), snapshot.files_using_count(name))
            for name in NAMES
        },
        "using": {name: list(snapshot.files_using(name)) for name in NAMES},
        "search": [snapshot.search(query, limit) for query in QUERIES for limit in (1, 3, 500)],
        "where": [snapshot.search(query, 2, lambda path: path.endswith(".go")) for query in QUERIES],
        "languages": dict(snapshot.languages()),
        "totals": snapshot.totals,
        "frequencies": {word: snapshot.chunk_frequency(word) for word in (*WORDS, "none")},
        "histogram": sorted(snapshot.frequencies.histogram.items()),
        "pairs": (_pairs(snapshot, snapshot.definition_pairs()), _pairs(snapshot, snapshot.reference_pairs())),
        "head": (snapshot.head, snapshot.pending_files),
    }


def _without_terms(facts: FileFacts) -> FileFacts:
    return replace(facts, terms=(), term=array("i"), term_count=array("i"))


def _pairs(snapshot: Snapshot, pairs: object) -> list[tuple[str, str]]:
    names, files = pairs  # type: ignore[misc]
    table = snapshot.file_table()
    return sorted(
        (snapshot.vocabulary.string(name), table[file])
        for name, file in zip(names.tolist(), files.tolist(), strict=True)
    )
