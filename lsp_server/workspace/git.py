"""What Git knows: HEAD, changed lines, changed files, ignored paths. Never a hook, filter or pager.

HEAD is read from files; everything else spawns `git` with an argument list, `--` before paths, a time
limit and a scrubbed environment. A repository is untrusted: its configuration may name programs
(fsmonitor, external diff, textconv, clean filters, signature checks), all of which are switched off.
Nothing raises: without Git, outside a repository, or past the time limit the answer is None.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import TypeVar

from lsp_server.model.values import Value

from .hunks import FileDiff, parse_diff

GIT_TIMEOUT = 20.0
"""Seconds. `ls-files` of 100,000 files takes half a second, a diff of a large checkout a few."""

_SAFE_CONFIG = (
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "core.quotePath=false", "core.editor=true",
    "core.askPass=true", "core.sshCommand=false", "diff.external=", "diff.submodule=short", "diff.ignoreSubmodules=all",
    "diff.noprefix=false", "diff.mnemonicPrefix=false", "diff.relative=false", "diff.renames=false",
    "log.showSignature=false", "submodule.recurse=false", "protocol.allow=never", "gc.auto=0", "maintenance.auto=false",
    "credential.helper=", "color.ui=false",
)  # fmt: skip

DIFF_OPTIONS = (
    "-p", "-U0", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-color", "--src-prefix=a/", "--dst-prefix=b/",
    "--ignore-submodules=all", "--no-relative",
)  # fmt: skip

_PATHS_PER_COMMAND = 200
"""Keeps an argument list under every system's limit (32,000 characters on Windows)."""

_OBJECT_ID = re.compile(r"^[0-9a-f]{40}(?:[0-9a-f]{24})?$")
_KEPT_ENVIRONMENT = (
    "PATH", "HOME", "USERPROFILE", "SYSTEMROOT", "XDG_CONFIG_HOME", "TMPDIR", "TEMP", "TMP",
    "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES",
)  # fmt: skip


_V = TypeVar("_V")


class Ending(Enum):
    """Whether a program said all that it had to say."""

    WHOLE = "whole"
    CUT = "cut"


class GitFolders(Value):
    """Where a working tree keeps its metadata. `common` holds refs shared by all working trees."""

    top: Path
    git: Path
    common: Path

    @property
    def is_linked_worktree(self) -> bool:
        """True for a tree made by `git worktree add`."""
        return self.git != self.common


class TreeChange(Value):
    """One file that differs between two commits; `status` is Git's letter: A, M, D, T."""

    path: str
    status: str


def find_folders(path: Path) -> GitFolders | None:
    """The repository that `path` (a folder) lies in, by looking for `.git` upwards; no process is started."""
    for folder in (path, *path.parents):
        if (folder / "objects").is_dir() and (folder / "HEAD").is_file():
            return None  # inside a repository's own folder, or a bare one: no working tree
        found = folders_at(folder)
        if found is not None:
            return found
    return None


def folders_at(top: Path) -> GitFolders | None:
    """The repository whose working tree starts exactly at `top`."""
    dot_git = top / ".git"
    try:
        if dot_git.is_file():
            text = dot_git.read_bytes()[:4096].decode("utf-8", "surrogateescape")
            if not text.startswith("gitdir:"):
                return None
            git = (top / text[7:].strip()).resolve()
        elif dot_git.is_dir():
            git = dot_git.resolve()
        else:
            return None
        if not (git / "HEAD").exists():
            return None
        pointer = _first_line(git / "commondir")
        return GitFolders(top, git, (git / pointer).resolve() if pointer else git)
    except (OSError, ValueError, RuntimeError):
        return None


def head_commit(path: Path) -> str | None:
    """The commit that HEAD names, for the repository around `path`; None when there is none yet."""
    folders = find_folders(path)
    if folders is None:
        return None
    head = _first_line(folders.git / "HEAD")
    for _ in range(5):  # symbolic refs may point at symbolic refs, as deep as Git allows
        if head is None:
            return None
        if _OBJECT_ID.match(head):
            return head
        if not head.startswith("ref:"):
            return None
        name = head[4:].strip()
        if name == "refs/heads/.invalid":  # the reftable format keeps refs elsewhere
            return _rev_parse(path, "HEAD")
        head = _loose_ref(folders, name) or _packed_ref(folders, name)
    return None


def list_files(folder: Path) -> bytes | None:
    """`-z` output of `ls-files -t`: tracked and untracked, not ignored, below `folder`, relative to it.

    `H path` tracked, `S path` outside the sparse checkout, `? path` untracked; a nested repository comes
    as a path that ends in a slash (untracked) or names a folder (submodule).
    """
    return run_git(folder, ("ls-files", "-z", "-t", "-c", "-o", "--exclude-standard", "--"))


def check_ignore(folder: Path, paths: Iterable[str]) -> frozenset[str] | None:
    """Those of `paths` (relative to `folder`) that Git ignores; tracked files are never ignored."""
    data = b"".join(_plain(path) + b"\0" for path in paths)
    if not data:
        return frozenset()
    out = run_git(folder, ("check-ignore", "-z", "--stdin"), data, ok=(0, 1))
    if out is None:
        return None
    return frozenset(os.fsdecode(part).removeprefix("./") for part in out.split(b"\0") if part)


def tracked_files(folder: Path, paths: Sequence[str]) -> frozenset[str] | None:
    """Those of `paths` (relative to `folder`) that the repository's index holds."""
    found: set[str] = set()
    for start in range(0, len(paths), _PATHS_PER_COMMAND):
        out = run_git(folder, ("ls-files", "-z", "-c", "--", *paths[start : start + _PATHS_PER_COMMAND]))
        if out is None:
            return None
        found.update(os.fsdecode(part) for part in out.split(b"\0") if part)
    return frozenset(found)


def ignoring_rule(folder: Path, path: str) -> str | None:
    """`file:line: pattern` of the rule by which Git ignores `path`; None when it doesn't."""
    out = run_git(folder, ("check-ignore", "-z", "-v", "--stdin"), _plain(path) + b"\0", ok=(0, 1))
    parts = (out or b"").split(b"\0")
    if len(parts) < 4:
        return None
    source, line, pattern = (part.decode("utf-8", "replace") for part in parts[:3])
    return None if pattern.startswith("!") else f"{source}:{line}: {pattern}"


def working_tree_diff(folder: Path, revision: str = "HEAD") -> Mapping[str, FileDiff] | None:
    """What changed in tracked files from a commit to the text on disk.

    Paths are relative to `folder`; files outside it are left out. Untracked files are not listed.
    None when there is no such commit, or Git gives no answer.
    """
    filters = _without_filters(folder)
    known = revision if revision == "HEAD" else _rev_parse(folder, revision)
    if filters is None or known is None:
        return None
    out = run_git(folder, ("diff-index", *DIFF_OPTIONS, known, "--", "."), config=filters)
    return None if out is None else paths_below(folder, parse_diff(out))


def diff_of(folder: Path, old: str, new: str, paths: Sequence[str]) -> Mapping[str, FileDiff] | None:
    """What changed in `paths` (relative to `folder`) between two full commit ids; None for anything else than ids."""
    if not paths or not _OBJECT_ID.match(old) or not _OBJECT_ID.match(new):
        return None
    out = run_git(folder, ("diff-tree", "-r", *DIFF_OPTIONS, old, new, "--", *paths))
    return None if out is None else paths_below(folder, parse_diff(out))


def changed_between(folder: Path, old: str, new: str) -> tuple[TreeChange, ...] | None:
    """Files below `folder` that differ between two full commit ids; None too for anything else than ids."""
    if not _OBJECT_ID.match(old) or not _OBJECT_ID.match(new):
        return None
    options = ("-r", "-z", "--name-status", "--no-renames", "--no-ext-diff", "--no-textconv", "--relative")
    out = run_git(folder, ("diff-tree", *options, old, new, "--", "."))
    if out is None:
        return None
    parts = out.split(b"\0")
    pairs = zip(parts[0::2], parts[1::2], strict=False)
    return tuple(TreeChange(os.fsdecode(path), status.decode("ascii", "replace")) for status, path in pairs)


def run_git(
    folder: Path,
    arguments: Sequence[str],
    data: bytes = b"",
    ok: tuple[int, ...] = (0,),
    config: Sequence[str] = (),
    seconds: float = GIT_TIMEOUT,
) -> bytes | None:
    """Standard output of `git` in `folder`; None when it is not there, fails or takes longer than `seconds`."""
    done = _run(folder, arguments, data, config, seconds)
    return done.stdout if isinstance(done, subprocess.CompletedProcess) and done.returncode in ok else None


def printed_by_git(
    folder: Path, arguments: Sequence[str], data: bytes = b"", config: Sequence[str] = (), seconds: float = GIT_TIMEOUT
) -> tuple[bytes, Ending]:
    """What `git` printed within `seconds`, and whether that is all of it."""
    done = _run(folder, arguments, data, config, seconds)
    if isinstance(done, subprocess.CompletedProcess):
        return done.stdout, Ending.WHOLE if done.returncode == 0 else Ending.CUT
    return done or b"", Ending.CUT


def _run(
    folder: Path, arguments: Sequence[str], data: bytes, config: Sequence[str], seconds: float
) -> subprocess.CompletedProcess[bytes] | bytes | None:
    """The finished process; what one that took too long had printed; None when there is no `git`."""
    options = [part for setting in (*_SAFE_CONFIG, *config) for part in ("-c", setting)]
    environment = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", "GIT_NO_LAZY_FETCH": "1"}
    if arguments[0] != "check-ignore":  # which refuses it
        environment["GIT_LITERAL_PATHSPECS"] = "1"
    try:
        return subprocess.run(
            ["git", "--no-pager", *options, *arguments],
            cwd=folder,
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        return error.output or b""
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def _plain(path: str) -> bytes:
    """A path that `check-ignore` does not take for a pattern with magic."""
    return os.fsencode(f"./{path}" if path.startswith(":") else path)


def _without_filters(folder: Path) -> tuple[str, ...] | None:
    """Configuration that disarms every content filter: a diff of the working tree would run its program."""
    out = run_git(folder, ("config", "-z", "--name-only", "--get-regexp", r"^filter\..*"), ok=(0, 1))
    if out is None:
        return None
    names = {os.fsdecode(key).rpartition(".")[0] for key in out.split(b"\0") if key}
    if any("=" in name for name in names):  # cannot be named in a `-c` setting
        return None
    return tuple(
        f"{name}.{key}" for name in sorted(names) for key in ("clean=", "smudge=", "process=", "required=false")
    )


def paths_below(folder: Path, found: Mapping[str, _V]) -> Mapping[str, _V]:
    """Paths relative to `folder` instead of the top of the working tree."""
    folders = find_folders(folder)
    if folders is None or folders.top == folder:
        return found
    prefix = folder.relative_to(folders.top).as_posix() + "/"
    return {path[len(prefix) :]: ranges for path, ranges in found.items() if path.startswith(prefix)}


def _rev_parse(folder: Path, revision: str) -> str | None:
    out = run_git(folder, ("rev-parse", "-q", "--verify", "--end-of-options", revision))
    text = (out or b"").decode("ascii", "replace").strip()
    return text if _OBJECT_ID.match(text) else None


def _first_line(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return file.readline(4096).decode("utf-8", "surrogateescape").strip() or None
    except (OSError, ValueError):
        return None


def _loose_ref(folders: GitFolders, name: str) -> str | None:
    if ".." in name.split("/"):
        return None
    return _first_line(folders.git / name) or _first_line(folders.common / name)


def _packed_ref(folders: GitFolders, name: str) -> str | None:
    wanted = b" " + name.encode("utf-8", "surrogateescape")
    try:
        with (folders.common / "packed-refs").open("rb") as file:
            for line in file:
                if line.rstrip(b"\r\n").endswith(wanted) and not line.startswith((b"#", b"^")):
                    return line.split(b" ", 1)[0].decode("ascii", "replace")
    except OSError:
        return None
    return None
