"""Links that outlive a request are those of fresh links, whatever happened to the index meanwhile."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lsp_server.index.resolve import Resolver
from lsp_server.index.snapshot import Snapshot, SymbolId
from lsp_server.index.writer import IndexWriter, Put, Remove
from lsp_server.retrieval.links import Link, Links
from lsp_server.session.link_memory import LinkMemory
from lsp_server.syntax.extract import extract
from lsp_server.syntax.languages import language_for

TEXTS = {
    "base.py": ["class Base:\n    def run(self): ...\n", "class Base:\n    def stop(self): ...\n"],
    "cart.py": [
        "from base import Base\nclass Cart(Base):\n    def run(self):\n        return total(self)\ndef total(x): ...\n",
        "from base import Base\ndef total(x): ...\nclass Cart:\n    def run(self): ...\n",
    ],
    "use.py": [
        "from cart import Cart\ndef main():\n    Cart().run()\n    helper()\ndef helper(): ...\n",
        "from base import Base\ndef main():\n    Base().run()\n",
    ],
}


def put(path: str, text: str, mtime_ns: int) -> Put:
    return Put(path, extract(language_for(path), text), mtime_ns=mtime_ns)


def all_links(snapshot: Snapshot, links: Links) -> dict[SymbolId, tuple[Link, ...]]:
    found: dict[SymbolId, tuple[Link, ...]] = {}
    for path in snapshot.paths():
        view = snapshot.file(path)
        for index in range(len(view.facts.symbols) if view is not None else 0):
            found[SymbolId(path, index)] = links.of_symbol(SymbolId(path, index))
    return found


STEPS = st.one_of(
    st.tuples(st.just("edit"), st.sampled_from(sorted(TEXTS)), st.integers(0, 1)),
    st.tuples(st.just("save"), st.sampled_from(sorted(TEXTS)), st.just(0)),
    st.tuples(st.just("remove"), st.sampled_from(sorted(TEXTS)), st.just(0)),
    st.tuples(st.just("mark"), st.just(""), st.integers(0, 3)),
    st.tuples(st.just("compact"), st.just(""), st.just(0)),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(STEPS, max_size=8))
def test_kept_links_equal_fresh_ones_after_edits_saves_and_marks(steps: list[tuple[str, str, int]]) -> None:
    writer, memory = IndexWriter(), LinkMemory()
    now = {path: texts[0] for path, texts in TEXTS.items()}
    writer.apply([put(path, text, 1) for path, text in now.items()])
    for clock, (kind, path, number) in enumerate(steps, start=2):
        if kind == "edit":
            now[path] = TEXTS[path][number]
        if kind in ("edit", "save") and path in now:
            writer.apply([put(path, now[path], clock)])
        elif kind == "remove":
            now.pop(path, None)
            writer.apply([Remove(path)])
        elif kind == "mark":
            writer.mark(f"head{number}", number)
        elif kind == "compact":
            writer.compact()
        snapshot = writer.snapshot
        with memory.links(snapshot) as links:
            assert all_links(snapshot, links) == all_links(snapshot, Links(snapshot, Resolver(snapshot)))


def test_a_save_and_another_head_keep_links_and_an_edit_does_not() -> None:
    writer, memory = IndexWriter(), LinkMemory()
    writer.apply([put(path, texts[0], 1) for path, texts in TEXTS.items()])
    with memory.links(writer.snapshot) as first:
        all_links(writer.snapshot, first)
    writer.apply([put("cart.py", TEXTS["cart.py"][0], 2)])
    writer.mark("another", 3)
    with memory.links(writer.snapshot) as kept:
        assert kept is first
    writer.apply([put("cart.py", TEXTS["cart.py"][1], 3)])
    with memory.links(writer.snapshot) as anew:
        assert anew is not first
