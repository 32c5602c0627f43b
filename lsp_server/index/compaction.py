"""Merging segments: dead files dropped, many small segments made one. Pure; run it wherever there is time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ..model.source import Checkpoint, no_checkpoint
from ..model.values import Record
from .inverted import InvertedLists, Renumbering, merge
from .segment import ChunkTable, Part, Segment, firsts

Number = TypeVar("Number", bound=np.generic)

FAN = 4
"""A tier that holds this many segments is merged: each value is rewritten about log4(size) times."""


class Merged(Record):
    """The result of a compaction: the new segment and where each source's files went (-1: dropped)."""

    sources: tuple[Part, ...]
    segment: Segment | None
    moved: tuple[npt.NDArray[np.int64], ...]


def choose(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts that should be merged next, none when the snapshot is in good shape.

    First a part more than half dead; else the lowest tier (powers of FAN in weight) with FAN parts.
    """
    for part in parts:
        if part.live is not None and part.live_files * 2 < len(part.segment.paths):
            return (part,)
    tiers: dict[int, list[Part]] = {}
    for part in parts:
        tiers.setdefault(max(5, part.segment.weight.bit_length() // 2), []).append(part)
    for tier in sorted(tiers):
        if len(tiers[tier]) >= FAN:
            return tuple(tiers[tier])
    return ()


def merge_parts(parts: Sequence[Part], checkpoint: Checkpoint = no_checkpoint) -> Merged:
    """One segment of the live files of `parts`, in their order. What the checkpoint raises ends it."""
    kept = [np.ones(len(part.segment.paths), dtype=np.bool_) if part.live is None else part.live for part in parts]
    moved: list[npt.NDArray[np.int64]] = []
    total = 0
    for alive in kept:
        targets = np.where(alive, total + np.cumsum(alive) - 1, -1)
        moved.append(targets)
        total += int(alive.sum())
    if total == 0:
        return Merged(tuple(parts), None, tuple(moved))
    segments = [part.segment for part in parts]
    paths = tuple(
        path
        for segment, alive in zip(segments, kept, strict=True)
        for path, stays in zip(segment.paths, alive.tolist(), strict=True)
        if stays
    )
    symbols = _numbering([segment.first_symbol for segment in segments], kept)
    references = _numbering([segment.first_reference for segment in segments], kept)
    chunks = _numbering([segment.first_chunk for segment in segments], kept)
    files = [
        Renumbering(target.astype(np.uint32), None if alive.all() else alive)
        for target, alive in zip(moved, kept, strict=True)
    ]

    def merged(pick: Callable[[Segment], InvertedLists], moves: Sequence[Renumbering]) -> InvertedLists:
        return merge([(pick(segment), move) for segment, move in zip(segments, moves, strict=True)], checkpoint)

    segment = Segment(
        paths=paths,
        first_symbol=symbols.firsts,
        first_reference=references.firsts,
        first_chunk=chunks.firsts,
        chunks=_chunk_table([segment.chunks for segment in segments], chunks.moves),
        reference_kinds=_kept([segment.reference_kinds for segment in segments], references.moves),
        definitions=merged(lambda each: each.definitions, symbols.moves),
        references=merged(lambda each: each.references, references.moves),
        terms=merged(lambda each: each.terms, chunks.moves),
        basenames=merged(lambda each: each.basenames, files),
        packages=merged(lambda each: each.packages, files),
        imports=merged(lambda each: each.imports, files),
        renamed=merged(lambda each: each.renamed, files),
    )
    return Merged(tuple(parts), segment, tuple(moved))


class _Numbering(Record):
    firsts: npt.NDArray[np.uint32]
    moves: list[Renumbering]


def _numbering(starts: Sequence[npt.NDArray[np.uint32]], kept: Sequence[npt.NDArray[np.bool_]]) -> _Numbering:
    moves: list[Renumbering] = []
    counts: list[npt.NDArray[np.int64]] = []
    base = 0
    for first, alive in zip(starts, kept, strict=True):
        lengths = np.diff(first.astype(np.int64))
        stays = np.repeat(alive, lengths)
        target = (base + np.cumsum(stays) - 1).astype(np.uint32)
        moves.append(Renumbering(target, None if bool(alive.all()) else stays))
        counts.append(lengths[alive])
        base += int(stays.sum())
    return _Numbering(firsts(np.concatenate(counts)), moves)


def _chunk_table(tables: Sequence[ChunkTable], moves: Sequence[Renumbering]) -> ChunkTable:
    return ChunkTable(
        start=_kept([table.start for table in tables], moves),
        end=_kept([table.end for table in tables], moves),
        symbol=_kept([table.symbol for table in tables], moves),
        length=_kept([table.length for table in tables], moves),
    )


def _kept(columns: Sequence[npt.NDArray[Number]], moves: Sequence[Renumbering]) -> npt.NDArray[Number]:
    """One column of several, without the rows that are dropped."""
    return np.concatenate(
        [column if move.kept is None else column[move.kept] for column, move in zip(columns, moves, strict=True)]
    )
