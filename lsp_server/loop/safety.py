"""Keeping the user's work safe: a Git worktree apart, or edits in place that can be taken back."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from ..edits.diff import unified_diff
from ..model.errors import ModelCommandError

GIT_SECONDS = 60.0


class Safety(StrEnum):
    """Where a fix works."""

    WORKTREE = "worktree"
    """In a Git worktree of its own, with the uncommitted changes in it; the result comes back as a patch."""
    PLACE = "place"
    """In the workspace, after noting a restore point (`git stash` keeps it); put back unless it ends green."""


@dataclass(slots=True)
class Originals:
    """The bytes of every file before the fix first touched it, None for files it made."""

    folder: Path
    held: dict[str, bytes | None] = field(default_factory=dict[str, bytes | None])

    def note(self, paths: Iterable[str]) -> None:
        """Remember how these files are now, unless they are remembered already."""
        for path in paths:
            if path not in self.held:
                place = self.folder / path
                self.held[path] = place.read_bytes() if place.is_file() else None

    def patch(self) -> str:
        """Unified diff of all remembered files against how they are now."""
        diffs: list[str] = []
        for path, data in sorted(self.held.items()):
            place = self.folder / path
            now = place.read_bytes() if place.is_file() else b""
            diffs.append(unified_diff(path, _text(data), _text(now) or ""))
        return "".join(diffs)

    def restore(self) -> tuple[str, ...]:
        """Put every remembered file back; returns those that had changed."""
        restored: list[str] = []
        for path, data in self.held.items():
            place = self.folder / path
            now = place.read_bytes() if place.is_file() else None
            if now == data:
                continue
            if data is None:
                place.unlink(missing_ok=True)
            else:
                place.write_bytes(data)
            restored.append(path)
        return tuple(restored)


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "replace")


def restore_point(folder: Path) -> str:
    """Note the uncommitted state as a stash entry without touching anything; what the trace says of it."""
    if _git(folder, "rev-parse", "--is-inside-work-tree") is None:
        return "no Git here: changed files are kept in memory and put back unless the fix ends green"
    made = (_git(folder, "stash", "create") or b"").decode().strip()
    if not made:
        return "nothing uncommitted before the fix"
    _git(folder, "stash", "store", "-m", "repo-context fix: before", made)
    return f"uncommitted changes are kept as a stash entry ({made[:12]})"


@contextmanager
def worktree(folder: Path) -> Generator[Path]:
    """A worktree at HEAD with the uncommitted and untracked files of `folder` in it; removed in the end.

    Raises ModelCommandError where there is no Git repository with a commit.
    """
    top_name = _git(folder, "rev-parse", "--show-toplevel")
    if top_name is None or _git(folder, "rev-parse", "HEAD") is None:
        raise ModelCommandError(f"{folder} is not in a Git repository with a commit; use --in place")
    top = Path(top_name.decode().rstrip("\n"))
    apart = Path(tempfile.mkdtemp(prefix="repo-context-fix-"))
    place = apart / "tree"
    try:
        if _git(top, "worktree", "add", "--detach", str(place), "HEAD") is None:
            raise ModelCommandError("git worktree add failed; use --in place")
        _carry_over(top, place)
        yield place / folder.resolve().relative_to(top.resolve())
    finally:
        _git(top, "worktree", "remove", "--force", str(place))
        shutil.rmtree(apart, ignore_errors=True)
        _git(top, "worktree", "prune")


def _carry_over(top: Path, place: Path) -> None:
    """The uncommitted changes and untracked files that Git does not ignore."""
    listed = _git(top, "ls-files", "-z", "--modified", "--others", "--deleted", "--exclude-standard") or b""
    staged = _git(top, "diff", "--cached", "--name-only", "-z") or b""
    for name in dict.fromkeys(part for part in (listed + staged).split(b"\0") if part):
        path = name.decode("utf-8", "surrogateescape")
        source, target = top / path, place / path
        if source.is_symlink() or not source.exists():
            with contextlib.suppress(OSError):
                target.unlink()
            continue
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


def commit(folder: Path, paths: Iterable[str], message: str) -> str | None:
    """Commit exactly these files; the new commit, None when that fails."""
    listed = list(paths)
    if _git(folder, "add", "--", *listed) is None:
        return None
    if _git(folder, "commit", "-q", "-m", message, "--", *listed) is None:
        return None
    return (_git(folder, "rev-parse", "HEAD") or b"").decode().strip() or None


def _git(folder: Path, *arguments: str) -> bytes | None:
    """What Git prints, None when it fails or there is none."""
    try:
        done = subprocess.run(
            ["git", *arguments],
            cwd=folder,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=GIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
