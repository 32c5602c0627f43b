"""First answer from cold: a build asked at once, against the whole cold index of the same run."""

from __future__ import annotations

import shutil
from typing import Any

from .measuring import child, median
from .options import Options
from .places import failing_places
from .report import Row
from .sessions import indexed

REACH = 0.10


def measure(options: Options) -> list[Row]:
    """One row a corpus."""
    rows: list[Row] = []
    for name, root in options.corpora:
        with indexed(root, options.scratch / "first-known") as session:
            place = failing_places(session.snapshot(), root, 3)[1]
        found: list[dict[str, Any]] = []
        for number in range(options.scale.repeats):
            cache = options.scratch / f"first-{number}"
            found.append(child("first", root, cache, place.output(), place.path))
            shutil.rmtree(cache, ignore_errors=True)
        last = found[-1]
        if not all(each["failing"] for each in found):
            raise AssertionError(f"the first answer about {place.path} does not show it")
        note = (
            f"{last['items']} items with {last['pending']} files pending; {last['shared']} of them also among "
            f"the {last['whole']} of the whole index"
        )
        value = median([each["first"] / each["fresh"] for each in found])
        rows.append(Row("first answer", name, "wall / cold index", value, reach=REACH, note=note, detail=last))
    return rows
