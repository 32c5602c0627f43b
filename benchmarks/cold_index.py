"""Cold index: from the start until everything is indexed, against one thread that only parses the same files."""

from __future__ import annotations

import shutil
from pathlib import Path

from .corpora import code_patterns
from .measuring import Spent, child, median, ratios
from .options import Options
from .report import Row

REACH = 2.2
FIGURE = "cold index"


def measure(options: Options) -> list[Row]:
    """Two rows a corpus: code files only (what the parse reads), and the whole tree with its other texts."""
    rows: list[Row] = []
    for name, root in options.corpora:
        rows.append(_against_parse(options, name, root, ",".join(code_patterns(root)), "code files", REACH))
        rows.append(_against_parse(options, name, root, "", "whole tree, its texts without a grammar too", None))
    return rows


def _against_parse(options: Options, name: str, root: Path, include: str, what: str, reach: float | None) -> Row:
    parses: list[Spent] = []
    indexes: list[Spent] = []
    detail: dict[str, object] = {}
    for number in range(options.scale.repeats):
        cache = options.scratch / f"cold-{number}"
        plain = child("parse", root)
        made = child("index", root, cache, include)
        shutil.rmtree(cache, ignore_errors=True)
        parses.append(Spent(plain["wall"], plain["cpu"]))
        indexes.append(Spent(made["wall"], made["cpu"]))
        detail = {"parsed files": plain["files"], "indexed files": made["files"], "indexed bytes": made["bytes"]}
    wall, cpu = ratios(indexes, parses)
    detail |= {
        "cpu ratio": cpu,
        "parse seconds": median([spent.wall for spent in parses]),
        "index seconds": median([spent.wall for spent in indexes]),
        "parse cpu": median([spent.cpu for spent in parses]),
        "index cpu": median([spent.cpu for spent in indexes]),
    }
    note = f"CPU {cpu:.2f} x; {detail['indexed files']} files, {float(str(detail['indexed bytes'])) / 1e6:.1f} MB"
    return Row(FIGURE, name, f"wall / one-thread parse, {what}", wall, reach=reach, note=note, detail=detail)
