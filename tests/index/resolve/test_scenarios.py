"""Each language resolves the uses of its scenario as the table beside it says.

`pytest tests/index/resolve --update` rewrites the tables; read the difference before you commit it. Comments
with `trap` in a scenario say which names must have no sure answer.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lsp_server.index.resolve import Resolver

from .scenario import files_of, snapshot_of, table_of

TRAP = re.compile(r"\btrap: ([^(]+?)\s*(?:\(|$)")
SCENARIOS = sorted((Path(__file__).parent / "scenarios").glob("*.txt"))


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_uses_resolve_as_the_table_says(path: Path, update: bool) -> None:
    found = table_of(snapshot_of(files_of(path.read_text(encoding="utf-8"))))
    golden = path.with_suffix(".uses")
    if update:
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_traps_have_no_sure_answer(path: Path) -> None:
    """On a line with `trap: a b (reason)` in a comment the uses of `a` and `b` are not known."""
    files = files_of(path.read_text(encoding="utf-8"))
    traps = {
        (name, number, word)
        for name, text in files.items()
        for number, line in enumerate(text.splitlines(), 1)
        if (match := TRAP.search(line))
        for word in match[1].split()
    }
    assert traps, "a scenario without a trap"
    snapshot = snapshot_of(files)
    resolver = Resolver(snapshot)
    for name, number, word in traps:
        view = snapshot.file(name)
        assert view is not None
        uses = [use for use in view.facts.iter_references() if (use.line, use.name) == (number, word)]
        assert uses, f"no use of {word} in line {number} of {name}"
        assert not any(resolver.resolve(name, use).confident for use in uses), f"{name}:{number} {word}"
