"""Text → search terms; the same function for what is indexed and for what is asked.

An identifier gives itself, lower case, and its camel-case and snake-case parts. Digits stay where they
are (`utf8`, `sha256`, `int32`). Scripts written without spaces (Chinese, Japanese, Korean, Thai, Lao,
Khmer, Burmese) give single characters and bigrams. Other text is folded to NFKC and case-folded, so
that composed and decomposed accents, and full-width letters, meet.

Scanning is one coarse regular expression: every character outside ASCII counts as part of a word there.
What such a word really holds is decided once for each distinct word and remembered.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import chain, groupby, pairwise
from unicodedata import category, normalize

MAX_WORD = 128
"""Longer runs (base64, hashes of hashes) are no words: they would only swell the vocabulary."""

_REMEMBERED_WORDS = 1 << 16
"""About 20 MB when full; the distinct words of a large repository's busiest part."""

_WORD = re.compile(r"[0-9A-Za-z_\x80-\U0010ffff]+")

# Acronym with digits | plural acronym | acronym or single capital before another word | ordinary part.
_PART = re.compile(r"[A-Z]{2,}[0-9]+|[A-Z]{2,}s(?![a-z0-9])|[A-Z]+(?![a-z0-9])|[A-Z]?[a-z0-9]+")

# Unicode blocks of scripts written without spaces between words.
_UNSPACED = (
    r"[\u0e01-\u0edf\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u3005-\u3007\u3021-\u3029\u3031-\u3035"
    r"\u3041-\u30ff\u3105-\u312f\u3131-\u318e\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f"
    r"\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U0001b000-\U0001b16f\U00020000-\U0003ffff]"
)


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(_UNSPACED)  # takes 20 ms, and most texts are ASCII


def terms(text: str) -> list[str]:
    """All search terms of `text`, in order, with repeats."""
    return list(chain.from_iterable(map(split_identifier, words(text))))


def words(text: str) -> list[str]:
    """The words of `text` before they are split: runs of ASCII letters, digits, `_` and all that is not ASCII."""
    return _WORD.findall(text)


@lru_cache(maxsize=_REMEMBERED_WORDS)
def split_identifier(word: str) -> tuple[str, ...]:
    """The terms of one word: itself in lower case, then its parts if it has several.

    `parseHTTPRequest2` → `parsehttprequest2, parse, http, request2`; `__init__` → `__init__, init`;
    `数据库` → `数, 据, 库, 数据, 据库`. Without a letter or digit, or longer than MAX_WORD: nothing.
    """
    if word.islower() and word.isascii() and len(word) <= MAX_WORD:  # most words; no need for an expression
        if word.isalnum():
            return (word,)
        parts = [part for part in word.split("_") if part]
        if "".join(parts).isalnum():
            return (word, *parts)
    if word.isascii():
        return _with_parts(word, _PART.findall(word))
    return tuple(term for piece in _letter_runs(word) for term in _split_piece(piece))


def _with_parts(word: str, parts: list[str]) -> tuple[str, ...]:
    if not parts or len(word) > MAX_WORD:
        return ()
    whole = word.lower()
    if len(parts) == 1 and parts[0] == word:
        return (whole,)
    return (whole, *[part.lower() for part in parts])


def _letter_runs(word: str) -> list[str]:
    """Maximal runs of letters, marks, digits and underscores; invisible format characters drop out."""
    runs: list[str] = []
    current: list[str] = []
    for char in normalize("NFKC", word):
        kind = category(char)
        if kind[0] in "LMN" or char == "_":
            current.append(char)
        elif kind != "Cf" and current:
            runs.append("".join(current))
            current = []
    if current:
        runs.append("".join(current))
    return runs


def _split_piece(piece: str) -> tuple[str, ...]:
    """Terms of a run of letters in any mix of scripts."""
    found: list[str] = []
    mixed = False
    for unspaced, group in groupby(piece, key=lambda char: _unspaced().match(char) is not None):
        run = "".join(group)
        if unspaced:
            found += [char for char in run if category(char)[0] != "M"]
            found += [first + second for first, second in pairwise(run)]
            mixed = True
        else:
            found += [part.casefold() for part in _camel_parts(run)]
    whole = piece.casefold()
    if not found or (len(piece) > MAX_WORD and not mixed):
        return ()
    if found == [whole] or len(piece) > MAX_WORD or not _spaced_letters(piece):
        return tuple(found)
    return (whole, *found)


def _spaced_letters(piece: str) -> bool:
    return _unspaced().sub("", piece).strip("_") != ""


def _camel_parts(run: str) -> list[str]:
    """Snake and camel parts by Unicode case; the rules of the ASCII pattern without its refinements."""
    parts: list[str] = []
    for word in run.split("_"):
        start = 0
        for at in range(1, len(word)):
            if not word[at].isupper():
                continue
            after_lower = not word[at - 1].isupper()
            before_lower = at + 1 < len(word) and word[at + 1].islower()
            if after_lower or before_lower:
                parts.append(word[start:at])
                start = at
        if word:
            parts.append(word[start:])
    return parts
