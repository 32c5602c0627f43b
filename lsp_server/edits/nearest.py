"""The place most similar to a text that was not found, to tell the model what is really there."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher

from lsp_server.model.lines import LineRange

from .errors import Nearest

MIN_SIMILARITY = 0.4
MAX_TRIED = 24
"""Windows compared in full; they are chosen by how many of their lines occur in the SEARCH text."""

MAX_LINES = 50_000
MAX_COMPARED = 6_000
"""Characters of each side that are compared."""

MAX_SHOWN_LINES = 40


def find_nearest(lines: tuple[str, ...], search: str) -> Nearest | None:
    """The window of as many lines as `search` has that resembles it most; None when nothing does."""
    wanted = search.rstrip("\n").split("\n")
    while wanted and not wanted[0].strip():
        wanted.pop(0)
    size = min(len(wanted), len(lines))
    if not size or len(lines) > MAX_LINES:
        return None
    text = "\n".join(wanted)[:MAX_COMPARED]
    best: Nearest | None = None
    # SequenceMatcher caches what it knows of the second sequence.
    matcher = SequenceMatcher(None, b=text, autojunk=False)
    for start in _promising(lines, wanted, size):
        window = "\n".join(lines[start : start + size])
        matcher.set_seq1(window[:MAX_COMPARED])
        floor = best.similarity if best else MIN_SIMILARITY
        if matcher.real_quick_ratio() <= floor or matcher.quick_ratio() <= floor:
            continue
        ratio = matcher.ratio()
        if ratio > floor:
            shown = "\n".join(lines[start : start + min(size, MAX_SHOWN_LINES)])
            best = Nearest(LineRange(start + 1, start + size), shown, round(ratio, 3))
    return best


def _promising(lines: tuple[str, ...], wanted: list[str], size: int) -> list[int]:
    """Starts of windows, best first: by shared lines (indentation apart), then by shared words of the first line."""
    keys = Counter(line.strip() for line in wanted if line.strip())
    words = set(" ".join(wanted).split())
    hits = [1.0 if (bare := line.strip()) and bare in keys else _shared(bare, words) for line in lines]
    starts = range(len(lines) - size + 1)
    total = sum(hits[:size])
    scores = [total]
    for start in starts[1:]:
        total += hits[start + size - 1] - hits[start - 1]
        scores.append(total)
    return sorted(starts, key=lambda start: (-round(scores[start], 6), start))[:MAX_TRIED]


def _shared(line: str, words: set[str]) -> float:
    """Share of the line's words that occur in the wanted text, halved: a shared line counts more."""
    own = line.split()
    return 0.5 * sum(word in words for word in own) / len(own) if own else 0.0
