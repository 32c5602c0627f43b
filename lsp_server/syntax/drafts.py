"""Drafts: all facts of a file but those that cost less for several files at once, uses and search terms."""

from __future__ import annotations

from collections.abc import Sequence

from lsp_server.model.facts import FileFacts
from lsp_server.model.values import Value, replace

from .byte_lines import ByteLines
from .chunks import Span, chunk_terms
from .languages import Language
from .references import Tree, reference_columns


class Draft(Value):
    """`facts` lack chunks and terms: those of `spans`, lines of `shown`. With a `tree`, that `language` was read
    by, they lack names and references, too."""

    facts: FileFacts
    spans: Sequence[Span]
    shown: ByteLines
    language: Language | None = None
    tree: Tree | None = None


def finished(drafts: Sequence[Draft]) -> list[FileFacts]:
    """The facts of all drafts, in their order. They do not depend on what is finished together."""
    facts = [draft.facts for draft in drafts]
    by_language: dict[Language, list[tuple[int, Tree]]] = {}
    for at, draft in enumerate(drafts):
        if draft.tree is not None and draft.language is not None:
            by_language.setdefault(draft.language, []).append((at, draft.tree))
    for language, read in by_language.items():
        columns = reference_columns(language, [tree for _, tree in read])
        for (at, tree), references in zip(read, columns, strict=True):
            facts[at] = replace(facts[at], names=tree.names.texts(), references=references)
    terms = chunk_terms([(draft.spans, draft.shown) for draft in drafts])
    return [
        replace(each, chunks=found.chunks, terms=found.words, term=found.term, term_count=found.count)
        for each, found in zip(facts, terms, strict=True)
    ]
