"""Memory of an indexed tree, beyond what the process needs anyway, against the bytes of its source."""

from __future__ import annotations

import shutil

from .measuring import child
from .options import Options
from .report import Row

REACH = 2.0


def measure(options: Options) -> list[Row]:
    """Two rows a corpus."""
    rows: list[Row] = []
    for name, root in options.corpora:
        cache = options.scratch / f"memory-{name}"
        for what in ("after the first look", "after a warm start"):
            made = child("index", root, cache)
            beyond = made["resident"] - made["base"]
            size = f"for {made['bytes'] / 1e6:.1f} MB of source"
            note = f"{beyond / 1e6:.0f} MB beyond {made['base'] / 1e6:.0f} MB, {size}"
            # In a small tree the loaded modules and grammars weigh more than the index.
            reach = REACH if made["bytes"] > 20_000_000 else None
            rows.append(
                Row("memory", name, f"resident / source bytes, {what}", beyond / made["bytes"], "", reach, note)
            )
        shutil.rmtree(cache, ignore_errors=True)
    return rows
