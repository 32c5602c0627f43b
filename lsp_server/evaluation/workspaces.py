"""Lays out the workspace of a case: a folder as it is, or a commit of a local clone in a scratch folder."""

from __future__ import annotations

import io
import os
import shutil
import tarfile
from pathlib import Path

from ..model.errors import RequestError
from ..model.values import Value
from ..workspace.git import diff_of, run_git
from ..workspace.history import recent_commits
from ..workspace.touched import Touched, in_order, moved, touched
from .cases import Case, Checkout

DONE_MARK = ".done"


class Workspace(Value):
    """A folder, and the lines in it that the last commits touched: none for a folder as it is."""

    folder: Path
    changes: tuple[Touched, ...] = ()


def workspace_of(case: Case, base: Path, clones: Path | None, scratch: Path) -> Workspace:
    """The case's workspace; a checkout is laid out once and kept in `scratch`.

    A folder's own history is not asked: its commits are about the collection of cases, not about the code in it.

    Raises RequestError when the folder, the clone or the commit is not there.
    """
    if case.checkout is None:
        folder = base / (case.workspace or ".")
        if not folder.is_dir():
            raise RequestError(f"case {case.id}", f"workspace {folder} is not a folder")
        return Workspace(folder)
    if clones is None:
        raise RequestError("--clones", f"case {case.id} needs a local clone of {case.checkout.repository}")
    clone = _clone(clones, case.checkout.repository)
    folder = scratch / "trees" / case.id
    if not (scratch / "trees" / f"{case.id}{DONE_MARK}").exists() and not (folder / DONE_MARK).exists():
        _lay_out(case.checkout, clone, folder)
        (scratch / "trees" / f"{case.id}{DONE_MARK}").touch()
    return Workspace(folder, _history(case.checkout, clone))


def _history(checkout: Checkout, clone: Path) -> tuple[Touched, ...]:
    """Lines that the last commits touched; files that the case lays over its commit are changes not committed yet,
    by which lines move, but no evidence: the question says which they are."""
    overlay = diff_of(clone, checkout.commit, checkout.overlay_commit or "", checkout.overlay_files)
    found = moved(touched(recent_commits(clone, checkout.commit) or ()), overlay or {}, 0)
    return tuple(in_order(one for ranges in found.values() for one in ranges if one.age))


def _clone(clones: Path, repository: str) -> Path:
    """A bare or plain clone `OWNER+NAME` (or its `repo` folder) below `clones`."""
    flat = clones / repository.replace("/", "+")
    for folder in (flat / "repo", flat / ".git", flat, clones / repository.rsplit("/", 1)[-1]):
        if (folder / "HEAD").exists() or (folder / ".git").exists():
            return folder
    raise RequestError("--clones", f"no clone of {repository} below {clones} (expected {flat})")


def _lay_out(checkout: Checkout, clone: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    archive = run_git(clone, ("archive", "--format=tar", checkout.commit))
    if archive is None:
        raise RequestError("--clones", f"{clone} has no commit {checkout.commit}")
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")
    for path in checkout.overlay_files:
        content = run_git(clone, ("show", f"{checkout.overlay_commit}:{path}"))
        if content is None:
            raise RequestError("--clones", f"{clone} has no {path} at {checkout.overlay_commit}")
        target = folder / os.path.normpath(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
