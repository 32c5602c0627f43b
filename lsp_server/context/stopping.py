"""Where `budget.stop: auto` ends a pack that is ranked already: where more would cost more than it wins.

Every unit of the filled pack gets a chance to hold the fix; all chances sum to one. From them follows what a pack
that ends at a place can be expected to be worth: the F1 over lines (how much of what is shown is the fix, and how
much of the fix is shown) and the recall. The pack ends where F1 plus `recall_worth` times recall is greatest: early
when the first units are likely and short, late or nowhere when nothing stands out.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt

from ..model.values import Value
from ..retrieval.odds import ODDS, OddsTable

LEAST_SHARE = 0.05
"""Scores below this share of the best are all alike, and so are those of fixed pieces above its inverse."""

SMALL = 100
"""Lines: a filled pack of no more is small already, and stays whole."""


class StopRule(Value):
    """What decides where a pack ends.

    A fix is taken to change `changed` times the square root of a unit's lines. A chance `rest` to be missing
    counts as `rest ** tail`: long tails of small chances shall not fill a pack. `recall_worth` is what a share
    of the fix is worth in F1.
    """

    odds: OddsTable
    recall_worth: float
    tail: float
    changed: float


STOP_RULE = StopRule(ODDS, recall_worth=1.085, tail=1.3, changed=1.6)
"""Measured in docs/decisions/knowing-when-to-stop.md; `recall_worth` is fitted there, the others chosen."""


class Piece(Value):
    """A unit of a filled pack, as the rule sees it.

    `fixed` pieces stay whatever the rule says; `silent` ones (failing tests) neither hold the fix nor count as
    lines, for the reader has them already.
    """

    score: float
    log_odds: float
    bytes: int
    lines: int
    fixed: bool = False
    silent: bool = False


class Prospect(Value):
    """What a pack can be expected to be worth that ends after so many pieces that are not fixed."""

    f1: float
    recall: float

    def worth(self, recall_worth: float) -> float:
        """One number to compare ends by."""
        return self.f1 + recall_worth * self.recall


def pieces_kept(pieces: Sequence[Piece], rule: StopRule = STOP_RULE) -> int:
    """How many of the pieces that are not fixed stay; they are in the order of the pack."""
    if is_small(pieces):
        return sum(not piece.fixed for piece in pieces)
    return best_end(prospects(pieces, rule), rule.recall_worth)


def best_end(ends: Sequence[Prospect], recall_worth: float) -> int:
    """The first of the ends that are worth most."""
    return max(range(len(ends)), key=lambda kept: ends[kept].worth(recall_worth))


def is_small(pieces: Sequence[Piece]) -> bool:
    """True for a pack that is not worth ending early."""
    return sum(piece.lines for piece in pieces) <= SMALL


def chances(pieces: Sequence[Piece], odds: OddsTable) -> list[float]:
    """The chance of each piece to hold the fix; they sum to one, unless all are silent."""
    weighed = [
        piece.log_odds + odds.score * share + odds.rank * rank + odds.size * size
        for piece, (share, rank, size) in zip(pieces, traits_in_pack(pieces), strict=True)
    ]
    most = max((one for one, piece in zip(weighed, pieces, strict=True) if not piece.silent), default=0.0)
    raised = [0.0 if piece.silent else exp(one - most) for one, piece in zip(weighed, pieces, strict=True)]
    total = sum(raised)
    return [one / total for one in raised] if total > 0 else raised


def traits_in_pack(pieces: Sequence[Piece]) -> list[tuple[float, float, float]]:
    """What the odds need the whole pack for: logarithms of each piece's share of the best score, place and bytes."""
    top = max((piece.score for piece in pieces if not piece.fixed), default=0.0)
    place, found = 0, list[tuple[float, float, float]]()
    for piece in pieces:
        place += not piece.fixed
        found.append((log(_share(piece.score, top)), log(max(1, place)), log(max(1, piece.bytes))))
    return found


def _share(score: float, top: float) -> float:
    """A score as a share of the best one that is free to go, within bounds; all the same without any."""
    return min(1 / LEAST_SHARE, max(LEAST_SHARE, score / top)) if top > 0 else 1.0


def prospects(pieces: Sequence[Piece], rule: StopRule) -> list[Prospect]:
    """One prospect for each number of pieces kept beside the fixed ones, from none on."""
    by_lines: dict[int, float] = {}
    shown, lines = 0.0, 0
    rows = list(zip(pieces, chances(pieces, rule.odds), strict=True))
    found: list[Prospect] = []
    for piece, chance in [row for row in rows if row[0].fixed] + [row for row in rows if not row[0].fixed]:
        if not piece.fixed:
            found.append(_prospect(by_lines, shown, lines, rule))
        if not piece.silent:
            by_lines[piece.lines] = by_lines.get(piece.lines, 0.0) + chance
            shown, lines = shown + chance, lines + piece.lines
    return [*found, _prospect(by_lines, shown, lines, rule)]


def _prospect(by_lines: dict[int, float], shown: float, lines: int, rule: StopRule) -> Prospect:
    """Expected F1: for each unit that may hold the fix, the F1 if it does, by its chance."""
    f1 = 0.0
    for own, chance in by_lines.items():
        changed = min(rule.changed * sqrt(own), own)
        f1 += chance * 2 * changed / (changed + lines)
    return Prospect(f1, 1.0 - max(0.0, 1.0 - shown) ** rule.tail)
