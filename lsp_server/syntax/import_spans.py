"""The import statements of a file with their places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lsp_server.model.facts import Import

from .captures import Nodes
from .imports import import_reader
from .languages import Language

ImportSpan = tuple[int, int, Sequence[Import]]
"""Start and end of an import statement, and what it imports."""


def exported_names(spans: Iterable[ImportSpan]) -> frozenset[bytes]:
    """Names of the file's own definitions that an export statement lists."""
    return frozenset(each.name.encode() for _, _, imported in spans for each in imported if is_own_export(each))


def is_own_export(each: Import) -> bool:
    """True for what is said of a definition of the file itself (`export { a }`)."""
    return each.reexport and not each.module


def read_imports(nodes: Mapping[str, Nodes], language: Language, source: bytes) -> list[ImportSpan]:
    """What all captured import statements bring in, in order; one inside another is part of that."""
    if not language.imports:
        return []
    read = import_reader(language.imports)
    result: list[ImportSpan] = []
    found = [(node.start_byte, node.end_byte, read(node, source)) for node in nodes.get("import", ())]
    # What stands in an export is used there as anywhere: an empty span keeps its references.
    found += [(node.start_byte, node.start_byte, read(node, source)) for node in nodes.get("export", ())]
    found.sort(key=lambda each: (each[0], -each[1]))
    outer = 0
    for start, end, imported in found:
        if end > outer or start == end:
            result.append((start, end, imported))
            outer = max(outer, end)
    return result
