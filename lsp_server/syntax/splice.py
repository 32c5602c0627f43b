"""Facts after an edit: what lies outside the edited region is kept, what follows it is moved.

Extracting a text of thousands of lines again takes longer than an editor waits between two keys. So the
captures of one region only are read (see `regions`), together with the heads of the types that enclose it,
and its rows are put in the place of the old ones. Whatever could reach beyond the region (imports, the
package, syntax errors, the first or last test of a class) leads to None: the caller extracts the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from lsp_server.model.facts import FileFacts
from lsp_server.model.values import Value, replace

from .byte_lines import ByteLines
from .drafts import Draft, finished
from .extract import HEADER_BYTES, LONG_LINE_BYTES
from .import_spans import is_own_export
from .local_names import bind_in_types
from .names import Names
from .parse import ByteEdit, Parsed
from .region_rows import Edited, rows_of
from .regions import Region, region_of
from .spliced_columns import spliced_facts

Span = tuple[int, int]

MAX_STALE = 1.25
"""Names and terms that no row uses any more stay; with so many times as many as there were, all is done anew."""

_PACKAGE_WORDS = (b"package", b"namespace", b"module")


class Known(Value):
    """The facts of a parsed text, and what it takes to bring them up to date. `names` and `terms` number what
    `facts` holds and grow with every splice; `fresh` is how many there were at first. `names` is None for a text
    that was not read as code."""

    parsed: Parsed
    facts: FileFacts
    lines: ByteLines
    names: Names | None
    terms: dict[str, int]
    fresh: int
    types_bind: bool = False
    """Some type's body binds local names itself: what is inside types cannot be read by itself."""


def known_of(parsed: Parsed, draft: Draft) -> Known:
    """`draft`, of the whole text of `parsed`, finished."""
    facts = finished([draft])[0]
    names = None if draft.tree is None else draft.tree.names
    terms = {term: number for number, term in enumerate(facts.terms)}
    types_bind = draft.tree is not None and bind_in_types(draft.tree.captures, draft.tree.found)
    return Known(parsed, facts, draft.shown, names, terms, len(facts.names) + len(terms), types_bind)


def spliced(known: Known, parsed: Parsed, edit: ByteEdit, changed: Sequence[Span]) -> Known | None:
    """The facts of `parsed`, that `edit` made of the text of `known`; None when the whole must be extracted.

    `changed` are the byte ranges of the new text in which the tree is another one. The content hash
    is left as it was.
    """
    facts, before, names = known.facts, known.lines, known.names
    if names is None or facts.problems or len(names) + len(known.terms) > MAX_STALE * known.fresh + 1_000:
        return None
    source = parsed.source
    if parsed.tree.root_node.has_error or b"\r" in source or b"\0" in source:
        return None
    delta = edit.new_end - edit.old_end
    start = min([edit.start, *(begin for begin, _ in changed)])
    end = max([edit.old_end, *(stop - delta for _, stop in changed)])
    region = region_of(facts, before.number(max(0, start - 1)), before.number(min(len(before.source), end + 1)))
    if region is None or (region.enclosing and known.types_bind) or _holds_globals(facts, before, region):
        return None
    edited = _edited(parsed, before, region, delta)
    if any(len(row) > LONG_LINE_BYTES for row in edited.inside.rows):
        return None
    rows = rows_of(edited, facts, names)
    if rows is None:
        return None
    terms = known.terms
    numbers = [terms.setdefault(word, len(terms)) for word in rows.terms.words]
    added = tuple([name.decode("utf-8", "replace") for name in islice(names, len(facts.names), None)])
    after = replace(
        spliced_facts(facts, edited, rows, numbers),
        names=facts.names + added,
        terms=facts.terms + tuple(islice(terms, len(facts.terms), None)),
    )
    return replace(known, parsed=parsed, facts=after, lines=edited.lines)


def _holds_globals(facts: FileFacts, lines: ByteLines, region: Region) -> bool:
    """True when the region held what counts for the whole file."""
    begin, end = lines.starts[region.first - 1], lines.starts[region.last]
    if begin < HEADER_BYTES:
        return True
    if any(region.first <= each.line <= region.last and is_own_export(each) for each in facts.imports):
        return True
    text = lines.source[begin:end]
    return bool(facts.package) and any(word in text for word in _PACKAGE_WORDS)


def _edited(parsed: Parsed, before: ByteLines, region: Region, delta: int) -> Edited:
    """The new text, and the lines in it that took the region's place."""
    begin, old_end = before.starts[region.first - 1], before.starts[region.last]
    inside = ByteLines.of(parsed.source[begin : old_end + delta])
    starts = before.starts[: region.first - 1]
    starts += [begin + start for start in inside.starts[:-1]]
    starts += [start + delta for start in before.starts[region.last :]]
    rows = [*before.rows[: region.first - 1], *inside.rows, *before.rows[region.last :]]
    return Edited(parsed, ByteLines(parsed.source, rows, starts), inside, region)
