"""Source `bm25`: chunks that share rare words with the failure and the task.

Two questions are asked and scored apart: `bm25` with the words of messages, test names, the task and
the failing code; `bm25:message` with those that people wrote about the failure alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log

from ..index.snapshot import ChunkHit, Snapshot, SymbolId
from ..model.candidate import Reason
from ..model.errors import SourceError
from ..model.source import SourceReader
from ..text.words import terms
from .lead import Lead, SourceResult, best_first, keep_best, lead_of
from .naming import file_stem, joined, name_parts, stem
from .scene import FailingUnit, Scene
from .units import unit_of_chunk

LIMIT = 150
TEST_LIMIT = 15
"""Tests repeat the words of what they test: few are offered."""

SEARCHED = 450
"""How many chunks a question asks for, tests among them."""

MAX_QUERY_TERMS = 150

COMMON = 0.3
FEW = 20
"""A word in more than this share of all chunks, and in more chunks than this, is not asked for."""

MESSAGE_WEIGHT = 1.0
NAME_WEIGHT = 1.5
FILE_NAME_WEIGHT = 1.0
STEM_WEIGHT = 0.6
LINE_WEIGHT = 1.0
BODY_WEIGHT = 0.6


def candidates(scene: Scene) -> list[SourceResult]:
    """One result for `bm25`, one for `bm25:message`."""
    message, code = message_terms(scene), code_terms(scene)
    return [_searched(scene, "bm25", all_terms(message, code)), _searched(scene, "bm25:message", message)]


def all_terms(message: Mapping[str, float], code: Mapping[str, float]) -> dict[str, float]:
    """Both questions in one."""
    return {word: max(message.get(word, 0.0), code.get(word, 0.0)) for word in (*message, *code)}


def message_terms(scene: Scene) -> Mapping[str, float]:
    """Words of the messages, the task and the tests' names, with their weights."""
    return scene.searches.words("message", lambda: _message_terms(scene))


def code_terms(scene: Scene) -> Mapping[str, float]:
    """Words of the failing lines and of the code around them, with their weights."""
    return scene.searches.words("code", lambda: _code_terms(scene))


def _message_terms(scene: Scene) -> dict[str, float]:
    words: dict[str, float] = {}
    texts = [scene.request.task]
    for failure in scene.report.failures[:10]:
        texts.append(failure.message[:2_000])
        for part in name_parts(failure.test or ""):
            words[part] = NAME_WEIGHT
        texts.append(" ".join(name_parts(failure.test or "")))
    for path in dict.fromkeys(failing.unit.path for failing in scene.failing[:20] if failing.unit.is_test):
        words.update((part, FILE_NAME_WEIGHT) for part in name_parts(file_stem(path)))
    for text in texts:
        for word in terms(text):
            words[word] = max(words.get(word, 0.0), MESSAGE_WEIGHT)
        for word in joined(text):
            words.setdefault(word, MESSAGE_WEIGHT)
    for word, weight in list(words.items()):
        words.setdefault(stem(word), STEM_WEIGHT * weight)
    return words


def _code_terms(scene: Scene) -> dict[str, float]:
    words: dict[str, float] = {}
    for failing in scene.failing[:20]:
        weight = 1.0 if failing.unit.is_test else 0.8
        for word in terms(_text(scene.reader, failing, failing.unit.range.start, failing.unit.range.end)[:6_000]):
            words[word] = max(words.get(word, 0.0), BODY_WEIGHT * weight)
        for word in terms(_text(scene.reader, failing, failing.lines.start, failing.lines.end)[:6_000]):
            words[word] = max(words.get(word, 0.0), LINE_WEIGHT * weight)
    return words


def shared_words(scene: Scene) -> dict[SymbolId, float]:
    """How well the words of definitions match those of the failure: 1 for the best outside tests."""
    hits = _hits(scene, all_terms(message_terms(scene), code_terms(scene)))
    return {SymbolId(hit.path, hit.symbol): score for hit, score in hits if hit.symbol >= 0}


def _hits(scene: Scene, words: Mapping[str, float]) -> list[tuple[ChunkHit, float]]:
    """Hits with their scores in 0..1. The failing test matches its own words best, so tests set no scale."""
    if not words:
        return []
    hits = scene.searches.hits(telling(scene, words), SEARCHED)
    top = max((hit.score for hit in hits if not scene.searches.in_tests(hit.path)), default=0.0)
    top = top or max((hit.score for hit in hits), default=0.0)
    if top <= 0:
        # Okapi gives no weight to a word that half of the chunks hold: in a workspace of two or three, that is all.
        return [(hit, 1.0) for hit in hits]
    return [(hit, min(1.0, hit.score / top)) for hit in hits]


def rarity(snapshot: Snapshot, word: str) -> float:
    """The logarithm of how many times as many chunks there are as hold `word`, which some chunk must hold."""
    return log((max(1, snapshot.totals.chunks) + 1) / snapshot.chunk_frequency(word))


def telling(scene: Scene, words: Mapping[str, float]) -> dict[str, float]:
    """The words that say most: by weight times rarity, without those that nearly everything holds."""
    snapshot = scene.snapshot
    most = max(FEW, COMMON * max(1, snapshot.totals.chunks))
    ranked: list[tuple[float, str]] = []
    for word, weight in words.items():
        if 0 < snapshot.chunk_frequency(word) <= most:
            ranked.append((-weight * rarity(snapshot, word), word))
    ranked.sort()
    return {word: words[word] for _, word in ranked[:MAX_QUERY_TERMS]}


def _text(reader: SourceReader, failing: FailingUnit, first: int, last: int) -> str:
    try:
        lines = reader.read(failing.unit.path).lines
    except SourceError:
        return ""
    return "\n".join(lines[first - 1 : last])


def _searched(scene: Scene, source: str, words: Mapping[str, float]) -> SourceResult:
    found: dict[str, Lead] = {}
    code = tests = 0
    for hit, score in _hits(scene, words):
        is_test = scene.searches.in_tests(hit.path)
        tests, code = tests + is_test, code + (not is_test)
        if (tests if is_test else code) > (TEST_LIMIT if is_test else LIMIT):
            continue
        lead = _lead(scene, source, hit, score)
        if lead:
            keep_best(found, lead)
    return best_first(source, found, LIMIT + TEST_LIMIT)


def _lead(scene: Scene, source: str, hit: ChunkHit, score: float) -> Lead | None:
    view = scene.snapshot.file(hit.path)
    if view is None:
        return None
    unit = unit_of_chunk(view, view.facts.chunk(hit.chunk))
    asked = "failure" if scene.failing else "request"
    why = f"shares words with the {asked}{' (a test)' if unit.is_test else ''}"
    return lead_of(unit, Reason.SEARCH, source, score, why)
