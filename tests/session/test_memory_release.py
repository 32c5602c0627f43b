"""The collector leaves a large index alone as long as it lives, and no longer."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest

from lsp_server.session import memory_release
from lsp_server.session.memory_release import LARGE_INDEX, Unwatched
from lsp_server.session.session import Session


def test_only_a_large_index_is_left_alone() -> None:
    before = gc.get_freeze_count()
    unwatched = Unwatched()
    unwatched.begin(LARGE_INDEX - 1)
    assert gc.get_freeze_count() == before
    unwatched.end()
    assert gc.get_freeze_count() == before


def test_a_closed_session_is_looked_through_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_release, "LARGE_INDEX", 1)
    (tmp_path / "shop.py").write_text("def charge():\n    return 1\n")
    with Session.open([tmp_path], ["cache.enabled=false"]) as session:
        session.wait_fresh()
        assert gc.get_freeze_count() > 0
    assert gc.get_freeze_count() == 0


class Circle:
    """Refers to itself."""

    def __init__(self) -> None:
        self.itself = self


def test_circles_from_before_a_second_large_index_go() -> None:
    unwatched = Unwatched()
    try:
        unwatched.begin(LARGE_INDEX)
        gone = weakref.ref(Circle())
        unwatched.begin(LARGE_INDEX)
        assert gone() is None
    finally:
        unwatched.end()
