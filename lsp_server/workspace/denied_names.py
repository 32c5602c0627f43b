"""Names of the deny-list as look-ups. A walk asks them of every file and folder, so most globs, which have one star at
an end, are endings and beginnings of names: as regular expressions they took 60 ms to compile and ten times as long.
"""

from __future__ import annotations

from collections.abc import Iterable

from lsp_server.model.values import Value


class Names(Value):
    """Lower-case names that some globs fit: whole ones, endings, beginnings, and the pieces around other stars, those
    that begin with a star apart."""

    whole: frozenset[str]
    endings: tuple[str, ...]
    beginnings: tuple[str, ...]
    framed: tuple[tuple[str, ...], ...]
    frames: tuple[str, ...]
    open: tuple[tuple[str, ...], ...]

    def hold(self, name: str) -> bool:
        """True when a glob fits lower-case `name`, which has no slash."""
        return (
            name in self.whole
            or name.endswith(self.endings)
            or name.startswith(self.beginnings)
            or (name.startswith(self.frames) and any(_fits(name, pieces) for pieces in self.framed))
            or any(_fits(name, pieces) for pieces in self.open)
        )


def names_of(globs: Iterable[str]) -> Names:
    """The names of `globs` that have no slash, and of all wildcards at most stars."""
    pieces = [tuple(glob.split("*")) for glob in globs]
    pairs = [each for each in pieces if len(each) == 2]
    framed = tuple(each for each in pieces if len(each) > 1 and each[0] and (len(each) > 2 or each[1]))
    return Names(
        whole=frozenset(each[0] for each in pieces if len(each) == 1),
        endings=tuple(end for start, end in pairs if not start),
        beginnings=tuple(start for start, end in pairs if start and not end),
        framed=framed,
        frames=tuple(dict.fromkeys(each[0] for each in framed)),
        open=tuple(each for each in pieces if len(each) > 2 and not each[0]),
    )


def _fits(name: str, pieces: tuple[str, ...]) -> bool:
    """True when `name` consists of `pieces` in this order, with anything where the stars between them stood."""
    first, *middle, last = pieces
    if not name.startswith(first):
        return False
    at = len(first)
    for piece in middle:
        found = name.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return len(name) - len(last) >= at and name.endswith(last)
