"""Links that outlive a request are those of fresh links, whatever happened to the index meanwhile."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsp_server.index.resolve import Resolver
from lsp_server.index.resolve.memory import Memory
from lsp_server.index.resolve.reads import DEFINED, IMPORTING, INHERITED, RENAMED, USED, Ground
from lsp_server.index.snapshot import Snapshot, SymbolId
from lsp_server.index.writer import IndexWriter, Put, Remove
from lsp_server.retrieval.links import Links
from lsp_server.session.link_memory import LinkMemory
from lsp_server.syntax.extract import extract
from lsp_server.syntax.languages import language_for
from tests.index.resolve.scenario import files_of

SCENARIOS = sorted((Path(__file__).parents[1] / "index/resolve/scenarios").glob("*.txt"))

OVERRIDES = {
    "base.py": "class Base:\n    def run(self): ...\n    def stop(self): ...\n",
    "cart.py": (
        "from base import Base\nclass Cart(Base):\n    def run(self):\n        return total(self)\ndef total(x): ...\n"
    ),
    "use.py": (
        "from cart import Cart\nfrom base import Base as B\ndef main():\n    Cart().run()\n    helper()\n"
        "def helper():\n    B().stop()\n"
    ),
    "pass_on.py": "from use import *\nfrom cart import Cart as Basket\n",
    "late.py": "from pass_on import main, Basket\ncart = Basket()\ndef go():\n    main()\n    cart.run()\n",
}

A_AND_B = {"a.py": "class A:\n    def go(self): ...\n", "b.py": "from a import A\n"}
CALL_IN_C = "int g(void) { return f(); }\n"
NEW_GO = "package a\nfunc H() {}\nfunc F() {}\n"

WORD = re.compile(r"\w+")


def put(path: str, text: str, mtime_ns: int) -> Put:
    return Put(path, extract(language_for(path, text.split("\n", 1)[0]), text), mtime_ns=mtime_ns)


def all_answers(snapshot: Snapshot, links: Links) -> dict[object, object]:
    """Everything that sources may ask, about everything."""
    resolver = links.resolver
    found: dict[object, object] = {}
    for path in snapshot.paths():
        view = snapshot.file(path)
        assert view is not None
        for index in range(len(view.facts.symbols)):
            target = SymbolId(path, index)
            found["links", target] = links.of_symbol(target)
            found["overriders", target] = resolver.overriders(target)
            found["implementers", target] = resolver.implementers(target)
            found["bases", target] = resolver.bases(target)
            found["name", target] = resolver.resolve_name(view, snapshot.symbol(target).name)
        for reference in view.facts.iter_references():
            found["use", path, reference] = resolver.resolve(path, reference)
        for entry in view.facts.imports:
            found["files", path, entry] = resolver.import_files(view, entry)
        found["importers", path] = resolver.importers(path)
        found["exports", path] = resolver.exports(path)
    return found


class Workspace:
    """An index whose links are kept, compared with fresh ones after each change."""

    def __init__(self, files: dict[str, str]) -> None:
        self.first = files
        self.now = dict(files)
        self.clock = 1
        self.writer, self.memory = IndexWriter(), LinkMemory()
        self.writer.apply([put(path, text, 1) for path, text in files.items()])

    def write(self, path: str, text: str) -> None:
        self.clock += 1
        self.now[path] = text
        self.writer.apply([put(path, text, self.clock)])

    def remove(self, path: str) -> None:
        self.now.pop(path, None)
        self.writer.apply([Remove(path)])

    def compare(self) -> None:
        snapshot = self.writer.snapshot
        with self.memory.links(snapshot) as links:
            kept = all_answers(snapshot, links)
        fresh = all_answers(snapshot, Links(Resolver(snapshot)))
        assert kept == fresh, [key for key in fresh if kept.get(key) != fresh[key]]


def changed(data: st.DataObject, workspace: Workspace) -> None:
    """One change of the index: mostly an edit somewhere in a file."""
    path = data.draw(st.sampled_from(sorted(workspace.first)))
    text = workspace.now.get(path, workspace.first[path])
    lines = text.split("\n")
    at = data.draw(st.integers(0, len(lines) - 1))
    kind = data.draw(
        st.sampled_from(["word", "word", "line", "line", "cut", "moved", "blank", "undo", "save", "other"])
    )
    if kind == "word":
        # Renames, other targets, other bases, other imported names.
        words = sorted({word for each in workspace.first.values() for word in WORD.findall(each)})
        places = list(WORD.finditer(text))
        if places:
            place = data.draw(st.sampled_from(places))
            text = text[: place.start()] + data.draw(st.sampled_from(words)) + text[place.end() :]
    elif kind == "line":
        # Imports, definitions, uses and ends of blocks of this and other files.
        lines.insert(
            at, data.draw(st.sampled_from(data.draw(st.sampled_from(sorted(workspace.first.values()))).split("\n")))
        )
        text = "\n".join(lines)
    elif kind == "cut":
        text = "\n".join(lines[:at] + lines[at + data.draw(st.integers(1, 3)) :])
    elif kind == "moved":
        text = "\n".join(lines[:at] + lines[at + 1 :] + lines[at : at + 1])
    elif kind == "blank":
        text = "\n".join([*lines[:at], "", *lines[at:]])
    elif kind == "undo":
        text = workspace.first[path]
    elif kind == "other":
        elsewhere = data.draw(st.sampled_from(["remove", "mark", "compact", "two"]))
        if elsewhere == "remove":
            return workspace.remove(path)
        if elsewhere == "mark":
            workspace.writer.mark(f"head{at}", at)
            return None
        if elsewhere == "compact":
            workspace.writer.compact()
            return None
        workspace.write(data.draw(st.sampled_from(sorted(workspace.first))), text)
    workspace.write(path, text)
    return None


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_kept_links_equal_fresh_ones_after_edits_saves_and_marks(data: st.DataObject) -> None:
    workspace = Workspace(data.draw(st.just(OVERRIDES)))
    for _ in range(data.draw(st.integers(1, 6))):
        workspace.compare()
        changed(data, workspace)
    workspace.compare()


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_kept_links_equal_fresh_ones_in_every_language(data: st.DataObject) -> None:
    workspace = Workspace(files_of(data.draw(st.sampled_from(SCENARIOS)).read_text(encoding="utf-8")))
    for _ in range(data.draw(st.integers(1, 3))):
        workspace.compare()
        changed(data, workspace)
    workspace.compare()


EDITS: list[tuple[str, dict[str, str], str, str]] = [
    ("file", OVERRIDES, "base.py", "class Other: ...\nclass Base:\n    def run(self): ...\n"),
    (DEFINED, {"a.go": "package a\nfunc F() {}\n", "b.go": "package a\nfunc G() { H() }\n"}, "a.go", NEW_GO),
    (USED, OVERRIDES, "late.py", OVERRIDES["late.py"] + "total = helper\n"),
    (INHERITED, A_AND_B, "b.py", "from a import A\nclass B(A):\n    def go(self): ...\n"),
    (
        RENAMED,
        {**A_AND_B, "b.py": "from a import A\nclass B(C): ...\n"},
        "b.py",
        "from a import A as C\nclass B(C): ...\n",
    ),
    (IMPORTING, {"a.h": "int f(void);\n", "b.c": CALL_IN_C}, "b.c", '#include "a.h"\n' + CALL_IN_C),
]


@pytest.mark.parametrize(("kind", "files", "path", "text"), EDITS)
def test_an_edit_takes_answers_away_by_each_kind_of_ground(
    kind: str, files: dict[str, str], path: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = Workspace(files)
    workspace.compare()
    workspace.write(path, text)
    workspace.compare()

    # The same without this kind of ground gives an answer that does not hold: the comparison sees each.
    note = Memory.note

    def forgetful(memory: Memory, ground: Ground) -> None:
        if kind != ("file" if isinstance(ground, str) else ground[0]):
            note(memory, ground)

    monkeypatch.setattr(Memory, "note", forgetful)
    workspace = Workspace(files)
    workspace.compare()
    workspace.write(path, text)
    with pytest.raises(AssertionError):
        workspace.compare()


def test_an_edit_inside_a_body_keeps_what_it_cannot_change() -> None:
    workspace = Workspace(OVERRIDES)
    workspace.compare()
    workspace.write("use.py", OVERRIDES["use.py"].replace("    helper()\n", "    x = 1\n    helper()\n"))
    with workspace.memory.links(workspace.writer.snapshot) as links:
        held = links.resolver.memory
        assert ("links", SymbolId("cart.py", 1)) in held
        assert ("overrides", SymbolId("base.py", 2)) in held
        assert ("links", SymbolId("use.py", 0)) not in held


def test_a_save_and_another_head_keep_all_answers_and_another_file_none() -> None:
    workspace = Workspace(OVERRIDES)
    workspace.compare()
    with workspace.memory.links(workspace.writer.snapshot) as first:
        size = len(first.resolver.memory)
    workspace.write("cart.py", OVERRIDES["cart.py"])
    workspace.writer.mark("another", 3)
    with workspace.memory.links(workspace.writer.snapshot) as kept:
        assert kept is first
        assert len(kept.resolver.memory) == size
    workspace.write("more.py", "")
    with workspace.memory.links(workspace.writer.snapshot) as anew:
        assert anew is not first


def test_a_chain_of_imports_that_was_too_long_for_one_request_is_followed_from_nearer_by_the_next() -> None:
    files = {f"m{at}.py": f"from m{at - 1} import *\n" for at in range(1, 9)}
    files |= {f"u{at}.py": f"from m{at} import deep\ndef use():\n    deep()\n" for at in range(1, 9)}
    workspace = Workspace({**files, "m0.py": "def deep(): ...\n"})
    snapshot = workspace.writer.snapshot
    with workspace.memory.links(snapshot) as links:
        assert not links.of_symbol(SymbolId("u8.py", 0))
    fresh = Links(Resolver(snapshot)).of_symbol(SymbolId("u2.py", 0))
    with workspace.memory.links(snapshot) as links:
        assert fresh
        assert links.of_symbol(SymbolId("u2.py", 0)) == fresh
