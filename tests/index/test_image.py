"""An image holds a whole index of disk files and answers as it does; nothing of what editors show is in it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsp_server.index.encoding import encode_facts
from lsp_server.index.frozen_strings import FrozenStrings
from lsp_server.index.image import ImageCorrupt, Refusal, Stamp, decode_image, encode_image
from lsp_server.index.image_store import ImageStore
from lsp_server.index.snapshot import Snapshot
from lsp_server.index.writer import IndexWriter, Put, Remove
from lsp_server.model.candidate import Origin
from lsp_server.model.facts import FileFacts

from .answers import answers
from .facts_builder import FactsBuilder, random_facts

PATHS = [f"{folder}{name}" for folder in ("", "a/", "a/b/") for name in ("m.py", "n.go", "ö \udce4.ts")]


def disk_put(chance: random.Random, path: str) -> Put:
    return Put(path, encode_facts(random_facts(chance)), mtime_ns=chance.randrange(5))


def filled(chance: random.Random) -> IndexWriter:
    writer = IndexWriter()
    for _ in range(3):
        writer.apply([disk_put(chance, path) for path in chance.sample(PATHS, 4)])
    writer.apply([Remove(chance.choice(PATHS))])
    return writer


def image_bytes(
    snapshot: Snapshot, stamps: dict[str, Stamp] | None = None, refusals: tuple[Refusal, ...] = ()
) -> bytes:
    pieces = encode_image(snapshot, stamps or {}, refusals)
    assert pieces is not None
    return b"".join(pieces)


def decoded(writer: IndexWriter, path: str) -> FileFacts:
    entry = writer.snapshot.entries.get(path)
    assert entry is not None
    return writer.snapshot.cache.whole(entry)


def adopted(data: bytes) -> IndexWriter:
    writer = IndexWriter()
    pending = writer.adopt(decode_image(data)).pending_files
    assert pending == len(writer.snapshot.paths())
    writer.mark(None, 0)
    return writer


@given(st.integers())
@settings(max_examples=12, deadline=None)
def test_adopted_image_answers_as_the_index_it_was_made_of(seed: int) -> None:
    writer = filled(random.Random(seed))
    assert answers(adopted(image_bytes(writer.snapshot)).snapshot) == answers(writer.snapshot)


@given(st.integers())
@settings(max_examples=12, deadline=None)
def test_changes_after_adoption_answer_as_the_same_changes_before(seed: int) -> None:
    chance = random.Random(seed)
    writer = filled(chance)
    other = adopted(image_bytes(writer.snapshot))
    for _ in range(3):
        changes = [Remove(chance.choice(PATHS)), *(disk_put(chance, path) for path in chance.sample(PATHS, 2))]
        writer.apply(changes)
        other.apply(changes)
        assert answers(other.snapshot) == answers(writer.snapshot)
    other.compact()
    assert answers(other.snapshot) == answers(writer.snapshot)


@given(st.integers())
@settings(max_examples=8, deadline=None)
def test_going_on_with_the_image_of_ones_own_index_changes_no_answer(seed: int) -> None:
    chance = random.Random(seed)
    writer, other = filled(chance), IndexWriter()
    other.apply([Put(path, decoded(writer, path)) for path in writer.snapshot.paths()])
    writer.exchange(decode_image(image_bytes(writer.snapshot)))
    changes = [Remove(chance.choice(PATHS)), disk_put(chance, chance.choice(PATHS))]
    writer.apply(changes)
    other.apply(changes)
    mine, theirs = answers(writer.snapshot), answers(other.snapshot)
    assert mine | {"files": None} == theirs | {"files": None}


def test_nothing_of_an_open_buffer_is_in_an_image() -> None:
    writer = IndexWriter()
    builder = FactsBuilder()
    builder.define("unsavedsecretname")
    writer.apply([disk_put(random.Random(1), "disk.py")])
    writer.apply([Put("open.py", builder.facts(), origin=Origin.BUFFER, version=3)])
    data = image_bytes(writer.snapshot)
    assert b"unsavedsecretname" not in data
    assert adopted(data).snapshot.paths() == ("disk.py",)


def test_stamps_and_refusals_come_back() -> None:
    writer = filled(random.Random(7))
    path = writer.snapshot.paths()[0]
    refusal = Refusal("big.bin", Stamp(7, 8, 9), "binary")
    image = decode_image(image_bytes(writer.snapshot, {path: Stamp(1, 2, 3)}, (refusal,)))
    assert dict(zip(image.segment.paths, image.stamps, strict=True))[path] == Stamp(1, 2, 3)
    assert list(image.refusals) == [refusal]


def test_empty_index_has_no_image() -> None:
    assert encode_image(IndexWriter().snapshot, {}, ()) is None


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_changed_byte_is_noticed(data: st.DataObject) -> None:
    whole = bytearray(image_bytes(filled(random.Random(3)).snapshot))
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(ImageCorrupt):
        decode_image(bytes(whole))


@pytest.mark.parametrize("size", [0, 5, 40, 400])
def test_a_truncated_image_is_noticed(size: int) -> None:
    with pytest.raises(ImageCorrupt):
        decode_image(image_bytes(filled(random.Random(3)).snapshot)[:size])


def test_store_gives_what_was_saved_and_drops_what_is_damaged(tmp_path: Path) -> None:
    store = ImageStore(tmp_path, 1, 1 << 20)
    data = image_bytes(filled(random.Random(3)).snapshot)
    assert store.load("here") is None
    assert store.save("here", [data])
    assert store.path("here").stat().st_mode & 0o077 == 0
    assert store.load("here") is not None
    assert store.load("elsewhere") is None
    assert ImageStore(tmp_path, 2, 1 << 20).load("here") is None
    store.path("here").write_bytes(data[:-1])
    assert store.load("here") is None
    assert not store.path("here").exists()


def test_store_keeps_within_its_cap(tmp_path: Path) -> None:
    store = ImageStore(tmp_path, 1, 2_500)
    for number in range(4):
        assert store.save(str(number), [bytes(1_000)])
    assert not store.save("large", [bytes(3_000)])
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 2_500


def test_store_on_a_missing_folder_does_nothing(tmp_path: Path) -> None:
    store = ImageStore(tmp_path / "gone", 1, 1 << 20)
    assert not store.save("here", [b"x"])
    assert store.load("here") is None


@given(st.lists(st.text(max_size=6) | st.sampled_from(["plumless", "buckeroo"]), unique=True))
def test_frozen_strings_are_found_by_number_and_by_text(strings: list[str]) -> None:
    frozen = FrozenStrings.of(strings)
    assert [frozen.string(number) for number in range(len(frozen))] == strings
    assert [frozen.find(string) for string in strings] == list(range(len(strings)))
    assert frozen.find_all([*strings, "not there at all"]) == [*range(len(strings)), -1]
