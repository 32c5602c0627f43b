"""`python -m benchmarks all [--quick]`: measure, print the table, and write it down with `--out`."""

from __future__ import annotations

import shlex
import shutil
import sys
import time
from importlib import import_module

from .corpora import chosen
from .options import Options, parser, scale_of, scratch_folder
from .report import Row, machine, table, write

FIGURES = (
    "cold_index",
    "first_answer",
    "warm_start",
    "build_latency",
    "build_after_edit",
    "edit_latency",
    "branch_switch",
    "memory",
    "growth",
    "compare",
    "soak",
)


def main(arguments: list[str]) -> int:
    """Run the figures that are named; 1 when one of them broke."""
    parsed = parser().parse_args(arguments)
    names = list(FIGURES) if "all" in parsed.figures else parsed.figures
    unknown = [name for name in names if name not in FIGURES]
    if unknown:
        parser().error(f"unknown figure {unknown[0]}; known: all, {', '.join(FIGURES)}")
    scale = scale_of(parsed)
    scratch = scratch_folder(parsed)
    rows: list[Row] = []
    broken = False
    try:
        corpora = chosen(parsed, scratch, scale.corpus_files)
        options = Options(scale, corpora, scratch, parsed.aider, parsed.ctags, parsed.rg)
        for name in names:
            begin = time.monotonic()
            try:
                found = import_module(f"benchmarks.{name}").measure(options)
            except Exception as error:  # the other figures are still worth having
                broken = True
                found = [Row(name, "", "", None, note=f"broke: {type(error).__name__}: {error}")]
            rows += found
            print(f"{name}: {time.monotonic() - begin:.0f} s", file=sys.stderr)
            print(table(found), flush=True)
            if parsed.out is not None:
                write(parsed.out, rows, "python -m benchmarks " + shlex.join(arguments))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"measured on: {machine()}")
    return int(broken)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
