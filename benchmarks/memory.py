"""Memory of an indexed tree, beyond what the process needs anyway, against the bytes of its source."""

from __future__ import annotations

import shutil

from .measuring import child
from .options import Options
from .report import Row

REACH = 2.0


def measure(options: Options) -> list[Row]:
    """One row a corpus."""
    rows: list[Row] = []
    for name, root in options.corpora:
        cache = options.scratch / f"memory-{name}"
        made = child("index", root, cache)
        shutil.rmtree(cache, ignore_errors=True)
        beyond = made["resident"] - made["base"]
        note = f"{beyond / 1e6:.0f} MB beyond {made['base'] / 1e6:.0f} MB, for {made['bytes'] / 1e6:.1f} MB of source"
        # In a small tree the loaded modules and grammars weigh more than the index.
        reach = REACH if made["bytes"] > 20_000_000 else None
        rows.append(Row("memory", name, "resident / source bytes", beyond / made["bytes"], reach=reach, note=note))
    return rows
