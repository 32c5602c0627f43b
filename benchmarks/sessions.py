"""Sessions to measure with, and the failing requests of a corpus."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from lsp_server.session.session import Session


@contextmanager
def indexed(root: Path, cache: Path, *settings: str) -> Generator[Session, None, None]:
    """A session over `root` whose index is fresh."""
    session = Session.open([root], [f"cache.folder={cache}", "edit.debounce=0", *settings])
    try:
        session.wait_fresh()
        yield session
    finally:
        session.close()
