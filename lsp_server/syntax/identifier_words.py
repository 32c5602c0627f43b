"""Identifiers from the words of texts: what no string or comment holds, no number and no keyword is one.

A tree's identifiers are most of what a query would capture, and each costs an object; the words of a dozen texts
are found in a few numpy calls. So a language may name a query for its strings and comments (`@text`), the code
inside them (`@code`) and the words that are keywords here and names there (`@keyword`). Where words do not tell
surely, the identifiers are captured after all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ..model.values import Value
from .captures import Places

Longs = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_WORD, _QUOTE = 1, 2
_KINDS = bytes(
    _QUOTE if code in b"\"'#" else _WORD if code >= 0x80 or chr(code).isalnum() or code == 0x5F else 0
    for code in range(256)
)
_ZERO, _DOT = b"0."
_HIDDEN_SPACES = tuple(each.encode() for each in "\u200b\u2060\ufeff")
"""Python's grammar takes these for white space; everything else beyond ASCII is in a name, in text, or an error."""


class Lexical(Value):
    """What tells the identifiers of a text without errors and hidden spaces; `captured` asks the grammar for them."""

    text: Places
    code: Places
    keyword: Places
    captured: Callable[[], Places]


def has_hidden_space(source: bytes) -> bool:
    """True when words of `source` may hold what a grammar takes for white space."""
    return not source.isascii() and any(space in source for space in _HIDDEN_SPACES)


def identifier_places(source: bytes, bases: Longs, files: Sequence[Lexical | None]) -> tuple[Longs, Longs]:
    """Starts and ends of the identifiers, reserved words among them, in the joined text `source` of some files;
    none of those files of which nothing is told.

    Words do not tell where a quotation mark stands outside of `text` (what lies very deep is not captured), and
    behind `1.`, which a part of the number or a name may follow.
    """
    runs, kinds, in_text = _runs(source, bases, files)
    which = np.flatnonzero((kinds == _WORD) & ~in_text)
    starts, ends = runs[which], runs[which + 1]
    data = np.frombuffer(source, dtype=np.uint8)
    is_name = data[starts] - _ZERO > 9  # unsigned: what is below "0" is above 9
    behind = np.flatnonzero(is_name[1:] & ~is_name[:-1] & (starts[1:] == ends[:-1] + 1))
    behind = behind[data[ends[behind]] == _DOT]
    told = zip(files, bases.tolist(), strict=True)
    keywords = [start + base for each, base in told if each is not None for start in each.keyword.starts]
    if keywords and len(starts):
        at = np.minimum(starts.searchsorted(keywords), len(starts) - 1)
        is_name[at[starts[at] == keywords]] = False
    unclear = np.concatenate((runs[~in_text & (kinds == _QUOTE)], starts[behind]))
    if len(unclear):
        return _with_captured(starts[is_name], ends[is_name], np.unique(_files_of(unclear, bases)), bases, files)
    return starts[is_name], ends[is_name]


def _runs(source: bytes, bases: Longs, files: Sequence[Lexical | None]) -> tuple[Longs, npt.NDArray[np.uint8], Mask]:
    """Where runs of characters of one kind begin, of which kind, and whether inside text or a file not told of."""
    opened: list[int] = []
    closed: list[int] = []
    for each, base, end in zip(files, bases.tolist(), [*bases[1:].tolist(), len(source)], strict=True):
        if each is None:
            opened.append(base)
            closed.append(end)
        else:
            opened += [at + base for at in each.text.starts]
            opened += [at + base for at in each.code.ends]
            closed += [at + base for at in each.text.ends]
            closed += [at + base for at in each.code.starts]
    marks = np.frombuffer(b"".join((b"\0", source.translate(_KINDS), b"\0")), dtype=np.uint8)
    runs = np.flatnonzero(marks[1:] != marks[:-1])
    first = runs.searchsorted(np.array(opened + closed, dtype=np.int64))  # few bounds among many runs
    steps = np.repeat([1, -1], (len(opened), len(closed)))
    depths = np.bincount(first, weights=steps, minlength=len(runs) + 1)[:-1].cumsum()
    return runs, marks[runs + 1], depths > 0


def _with_captured(
    starts: Longs, ends: Longs, unclear: Longs, bases: Longs, files: Sequence[Lexical | None]
) -> tuple[Longs, Longs]:
    """The words of all files but the `unclear` ones, whose identifiers are captured."""
    clear = ~np.isin(_files_of(starts, bases), unclear)
    all_starts, all_ends = [starts[clear]], [ends[clear]]
    for file in map(int, unclear):
        lexical = files[file]
        if lexical is not None:
            places = lexical.captured()
            all_starts.append(np.array(places.starts, dtype=np.int64) + bases[file])
            all_ends.append(np.array(places.ends, dtype=np.int64) + bases[file])
    return np.concatenate(all_starts), np.concatenate(all_ends)


def _files_of(offsets: Longs, bases: Longs) -> Longs:
    return bases.searchsorted(offsets, side="right") - 1
