"""A search of base names finds what looking at every path finds."""

from __future__ import annotations

from posixpath import basename

from hypothesis import given
from hypothesis import strategies as st

from lsp_server.index.base_names import BaseNames
from lsp_server.index.path_list import PathList
from lsp_server.index.path_map import PathMap

PATHS = st.sets(st.text(alphabet="ab/.Aİ\n", min_size=1, max_size=8)).map(lambda paths: tuple(sorted(paths)))
WORDS = st.text(alphabet="ab.i", min_size=1, max_size=3)


@given(PATHS, WORDS)
def test_every_file_whose_name_holds_a_word_is_found_once(paths: tuple[str, ...], word: str) -> None:
    assert list(BaseNames(paths).holding(word)) == [path for path in paths if word in basename(path).lower()]


@given(PATHS, WORDS)
def test_every_file_whose_name_starts_with_a_word_is_found_once(paths: tuple[str, ...], word: str) -> None:
    found = list(BaseNames(paths).starting(word))
    assert found == [path for path in paths if basename(path).lower().startswith(word)]


@given(PATHS, WORDS)
def test_a_name_is_asked_about_once_and_as_it_is_spelt(paths: tuple[str, ...], word: str) -> None:
    asked: list[str] = []

    def accepts(name: str) -> bool:
        asked.append(name)
        return "A" not in name

    found = BaseNames(paths).holding(word, accepts)
    assert len(asked) == len(set(asked))
    assert found == [path for path in paths if word in basename(path).lower() and "A" not in basename(path)]


def test_names_follow_a_change_of_the_paths_and_are_kept_while_there_is_none() -> None:
    entries: PathMap[int] = PathMap[int]().updated({"a/one.py": 1}, ())
    before = PathList()
    names = before.names(entries)
    assert before.changed((), ()).names(entries) is names
    entries = entries.updated({"b/one_more.py": 2}, ["a/one.py"])
    after = before.changed(["b/one_more.py"], ["a/one.py"])
    assert list(after.names(entries).holding("one")) == ["b/one_more.py"]
