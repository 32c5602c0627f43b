"""A text under edit as pieces of the original and new text: keeps exactly what was replaced by what."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.values import Value


class Kept(Value):
    """`start..end` of the original text, half-open."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start


class Replacement(Value):
    """`original[start:end]` became `text`; offsets in code points."""

    start: int
    end: int
    text: str


class Pieces(Value):
    """The present text as a row of pieces of `original` and of new text."""

    original: str
    row: tuple[Kept | str, ...]

    @classmethod
    def of(cls, original: str) -> Pieces:
        """Nothing changed yet."""
        return cls(original, (Kept(0, len(original)),) if original else ())

    @property
    def text(self) -> str:
        """The present text."""
        return "".join(p if isinstance(p, str) else self.original[p.start : p.end] for p in self.row)

    def replace(self, start: int, end: int, text: str) -> Pieces:
        """With `start..end` of the present text replaced."""
        row = [*self._cut(0, start), *([text] if text else []), *self._cut(end, sum(map(len, self.row)))]
        return Pieces(self.original, tuple(row))

    def _cut(self, start: int, end: int) -> Iterator[Kept | str]:
        at = 0
        for piece in self.row:
            low, high = max(start - at, 0), min(end - at, len(piece))
            if low < high:
                yield piece[low:high] if isinstance(piece, str) else Kept(piece.start + low, piece.start + high)
            at += len(piece)

    def replacements(self) -> tuple[Replacement, ...]:
        """What changed against the original, in order, without overlaps."""
        found: list[Replacement] = []
        at = 0
        new: list[str] = []
        for piece in (*self.row, Kept(len(self.original), len(self.original))):
            if isinstance(piece, str):
                new.append(piece)
                continue
            text = "".join(new)
            if piece.start > at or text:
                found.append(Replacement(at, piece.start, text))
            at, new = piece.end, []
        return tuple(one for one in found if self.original[one.start : one.end] != one.text)
