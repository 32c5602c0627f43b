"""Small workspaces and sessions over them."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from lsp_server.index.snapshot import Snapshot
from lsp_server.session.session import Session
from lsp_server.session.settings_check import check_tree, resolve

HANG = 60.0


def write(folder: Path, files: dict[str, str]) -> None:
    """Write files below `folder`."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def git(folder: Path, *arguments: str) -> None:
    """Run Git quietly, with an author."""
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def session_of(*folders: Path, **settings: Any) -> Session:
    """A started session without a cache, unless settings say otherwise (dots as double underscores)."""
    tree = {"cache.enabled": False, **{name.replace("__", "."): value for name, value in settings.items()}}
    layer = check_tree(tree, "test")
    assert layer.problems == ()
    return Session.open(folders, resolved=resolve([layer]))


def fresh(session: Session) -> Snapshot:
    """The snapshot once nothing is pending."""
    assert session.wait_fresh(HANG)
    return session.snapshot()


def contents(snapshot: Snapshot) -> dict[str, tuple[str, str, str]]:
    """What a snapshot says of every file: text hash, language, origin."""
    found: dict[str, tuple[str, str, str]] = {}
    for path in snapshot.paths():
        view = snapshot.file(path)
        assert view is not None
        found[path] = (view.content_hash, view.language, str(view.origin))
    return found


def answers(snapshot: Snapshot, names: list[str]) -> list[object]:
    """What a snapshot answers about names: definitions, uses, search."""
    return [
        (list(snapshot.definitions(name)), list(snapshot.references(name)), snapshot.search([name.lower()], 50))
        for name in names
    ]
