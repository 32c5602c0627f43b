"""Words in names: what a test's or file's name says, and what may be called after it."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from posixpath import basename

from ..text.words import split_identifier

AFFIXES = frozenset({"test", "tests", "testing", "spec", "should", "it", "when", "case", "suite", "check", "benchmark"})
"""Words that only say that something is a test."""

ENDINGS = (("ing", 4), ("ed", 3), ("es", 3), ("s", 3))
"""Endings, and how many letters must be left: `string` is no verb."""

MAX_LINES = 20
MAX_WORDS = 60
_LETTERS = re.compile(r"[^\W_]+")
_IDENTIFIER = re.compile(r"\w+")


def name_parts(text: str) -> list[str]:
    """Lower-case parts of a test's or file's name, without the words that only say it is a test."""
    found: list[str] = []
    for word in _IDENTIFIER.findall(text):
        whole = word.lower()
        parts = [part.lower() for part in split_identifier(word)]
        found += [part for part in parts if part != whole] or [whole]
    return [word for word in found if word not in AFFIXES and len(word) > 1]


@lru_cache(maxsize=1 << 14)
def stems(name: str) -> tuple[str, ...]:
    """The parts of one name, each without its ending."""
    return tuple(map(stem, name_parts(name)))


def stem(word: str) -> str:
    """The word without the endings of plurals and of verbs: `prefixes` → `prefix`, `parsing` → `pars`.

    Only to compare words with each other: both sides lose the same.
    """
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    for ending, least in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= least and not word.endswith("ss"):
            return word[: -len(ending)]
    return word


def start_of_stem(stemmed: str) -> str:
    """What every word with this stem starts with: `quer` for `query`, as `queries` has that stem too."""
    return stemmed.removesuffix("y")


def file_word(path: str) -> str:
    """A file's stem as a word to compare with others."""
    return stem(file_stem(path).lower())


def file_stem(path: str) -> str:
    """A file's name without what stands behind its first dot."""
    return basename(path).split(".")[0]


def words_of(text: str) -> list[str]:
    """Runs of letters and digits, lower case."""
    return _LETTERS.findall(text.lower())


def joined(text: str) -> list[str]:
    """Neighbouring words of prose as code would spell them in one: `v-model` as `vmodel`, `effect scope` as both."""
    found: list[str] = []
    for line in text.lower().splitlines()[:MAX_LINES]:
        words = _LETTERS.findall(line)[:MAX_WORDS]
        for one, other in pairwise(words):
            found += (one + other, f"{one}_{other}")
    return found
