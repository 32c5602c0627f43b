"""What a run measures with: sizes, corpora, and the programs to compare with."""

from __future__ import annotations

import argparse
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured. `repeats` of every pair; `soak` (edits, builds, storms); `sizes` of tiled trees."""

    repeats: int
    builds: int
    edits: int
    edits_in_a_row: int
    switched_files: int
    sizes: tuple[int, ...]
    soak: tuple[int, int, int]
    corpus_files: int | None


FULL = Scale(5, 60, 40, 10_000, 2_000, (1_000, 3_000, 10_000, 30_000, 100_000), (200_000, 5_000, 200), None)
QUICK = Scale(1, 8, 6, 200, 60, (100, 300), (120, 10, 3), 120)


@dataclass(frozen=True, slots=True)
class Options:
    """`corpora` are (name, folder) pairs; a program that is None is reported as not installed."""

    scale: Scale
    corpora: tuple[tuple[str, Path], ...]
    scratch: Path
    aider: str | None
    ctags: str | None
    ripgrep: str | None

    @property
    def corpus(self) -> Path:
        """The corpus of figures that need only one: the first."""
        return self.corpora[0][1]


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    made.add_argument("figures", nargs="+", metavar="FIGURE", help="names of figures, or all")
    made.add_argument("--quick", action="store_true", help="small sizes, one repetition: shapes, not times")
    for name, title in (("django", "Django's sdist"), ("etcd", "a clone of etcd"), ("vue", "a clone of vuejs/core")):
        made.add_argument(f"--{name}", type=Path, metavar="FOLDER", help=title)
    made.add_argument("--corpus", action="append", default=[], metavar="NAME=FOLDER", help="any other tree")
    made.add_argument("--aider", metavar="PYTHON", help="interpreter of an environment with aider-chat 0.86.2")
    made.add_argument("--rg", default=shutil.which("rg"), metavar="PROGRAM", help="ripgrep")
    made.add_argument("--ctags", default=shutil.which("ctags"), metavar="PROGRAM", help="universal-ctags")
    made.add_argument("--repeats", type=int, metavar="N", help="repetitions of every pair")
    made.add_argument("--max-files", type=int, metavar="N", help="largest tiled tree")
    made.add_argument("--soak-share", type=float, default=1.0, metavar="X", help="share of the whole soak")
    made.add_argument("--out", type=Path, metavar="FOLDER", help="write results.json, table.md and plot.svg there")
    made.add_argument("--scratch", type=Path, metavar="FOLDER", help="for temporary trees and caches")
    return made


def scale_of(parsed: argparse.Namespace) -> Scale:
    """The scale that the command line asks for."""
    from dataclasses import replace

    scale = QUICK if parsed.quick else FULL
    if parsed.repeats:
        scale = replace(scale, repeats=parsed.repeats)
    if parsed.max_files:
        scale = replace(scale, sizes=tuple(size for size in scale.sizes if size <= parsed.max_files))
    share = parsed.soak_share
    return replace(scale, soak=tuple(max(1, int(count * share)) for count in scale.soak))  # type: ignore[arg-type]


def scratch_folder(parsed: argparse.Namespace) -> Path:
    """A new folder for trees and caches."""
    return Path(tempfile.mkdtemp(prefix="repo-context-bench-", dir=parsed.scratch))
