"""Decoded facts are those of the file as it is, and old ones go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.index import entry as entry_module
from lsp_server.index.encoding import encode_facts
from lsp_server.index.entry import FactsCache, FileEntry, PathFlag
from lsp_server.model.candidate import Origin
from lsp_server.model.facts import FileFacts


def entry_of(path: str, content: int, size: int = 10) -> FileEntry:
    facts = FileFacts(language="python", content_hash=str(content), size=size, lines=1)
    return FileEntry(path, PathFlag.NONE, Origin.DISK, None, 0, str(content), "python", size, encode_facts(facts))


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.integers(0, 3)), max_size=40), st.integers(1, 4))
def test_what_is_remembered_is_what_the_bytes_say(asked: list[tuple[str, int]], capacity: int) -> None:
    cache = FactsCache(capacity)
    for path, content in asked:
        assert cache.facts(entry_of(path, content)).content_hash == str(content)
        assert len(cache) <= min(capacity, len({path for path, _ in asked}))


def test_facts_are_decoded_once_while_their_file_stays_as_it_is() -> None:
    cache = FactsCache(2)
    first = cache.facts(entry_of("a", 1))
    assert cache.facts(entry_of("a", 1)) is first
    assert cache.facts(entry_of("a", 2)) is not first


def test_what_was_used_again_stays_longer() -> None:
    cache = FactsCache(2)
    used, _ = cache.facts(entry_of("used", 1)), cache.facts(entry_of("once", 1))
    cache.facts(entry_of("used", 1))
    cache.facts(entry_of("new", 1))
    assert cache.facts(entry_of("used", 1)) is used


def test_few_large_files_leave_no_room_for_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry_module, "CACHED_BYTES", 1_000)
    cache = FactsCache()
    for number in range(40):
        cache.facts(entry_of(str(number), 1, 100))
    assert len(cache) == entry_module.FEW_FILES
