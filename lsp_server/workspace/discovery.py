"""Which files the workspace has: Git's list where there is one, a walk of our own elsewhere.

Links are never followed, pipes and devices never opened, unreadable folders never end the walk. Every
file that is left out is listed with its reason, folders as one entry; what the ignore rules hide is not
listed (it may be most of the disk), but `explain_skip` tells.
"""

from __future__ import annotations

import os
import stat
from collections import Counter, deque
from collections.abc import Mapping, Set
from dataclasses import field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from lsp_server.model.source import Checkpoint, no_checkpoint
from lsp_server.model.values import Value

from .binary_names import is_binary_name
from .git import find_folders, folders_at, list_files
from .ignore import OWN_IGNORE_FILE, IgnoreFile, global_excludes, match_entry, read_ignore_file
from .patterns import path_matches, patterns_of
from .privacy import PrivacyPolicy
from .roots import Root, Roots
from .skip import Skipped, SkipReason

MAX_SKIPPED = 20_000
"""Entries of `Discovery.skipped`; the counts go on beyond it."""

MAX_REPOSITORY_DEPTH = 8
"""Repositories nested in repositories."""

_CHECK_EVERY = 2_000

DEPENDENCY_FOLDERS = frozenset(
    """
    node_modules bower_components jspm_packages __pycache__ .venv venv .tox .nox .mypy_cache .pytest_cache
    .ruff_cache .hypothesis .gradle .terraform .next .nuxt .svelte-kit .parcel-cache .turbo .cache .eggs
    site-packages .dart_tool .pub-cache .cargo .rustup .npm .m2 .ivy2 .pnpm-store .Trash .local
    """.split()  # noqa: SIM905 - a table of words
)
"""Left out unless tracked by Git: what tools install or cache there is not the project's code."""

_METADATA_FOLDERS = frozenset({".git", ".hg", ".svn", ".jj", "CVS", ".bzr"})


class FoundFile(NamedTuple):
    """A file to index: canonical path, size in bytes, modification time in nanoseconds."""

    path: str
    size: int
    mtime_ns: int


class DiscoveryOptions(Value):
    """Limits and rules of one discovery.

    `include` (when given) and `exclude` are globs in gitignore syntax over canonical paths.
    `max_broad_files` and `max_broad_entries` hold for a home folder or the file system's root, which is
    also never left for another device.
    """

    max_files: int = 200_000
    max_file_bytes: int = 2_000_000
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    privacy: PrivacyPolicy = field(default_factory=PrivacyPolicy)
    max_entries: int = 3_000_000
    max_broad_files: int = 10_000
    max_broad_entries: int = 200_000


class Discovery(Value):
    """What was found, sorted by path. `capped`: a limit ended it early, so files are missing.

    `denied_targets` are files that a link with a denied name leads to: hand them to
    `PrivacyPolicy.denying`.
    """

    files: tuple[FoundFile, ...]
    skipped: tuple[Skipped, ...] = ()
    capped: bool = False
    skipped_counts: Mapping[SkipReason, int] = field(default_factory=dict[SkipReason, int])
    denied_targets: frozenset[str] = frozenset()


def discover(
    roots: Roots, options: DiscoveryOptions | None = None, checkpoint: Checkpoint = no_checkpoint
) -> Discovery:
    """All files of the workspace that are worth reading. Never raises for what is on the disk."""
    scan = _Scan(roots, options or DiscoveryOptions(), checkpoint)
    for root in roots.roots:
        scan.scan_root(root)
    return scan.result()


def is_broad(path: Path) -> bool:
    """True for the file system's root, a home folder, and every folder above one."""
    home = Path(os.path.realpath(os.path.expanduser("~")))
    return path == Path(path.anchor) or path == home or path in home.parents


class _Full(Exception):
    """A limit is reached; ends the scan of one root."""


class _Scan:
    """One discovery in progress; lives as long as the call."""

    def __init__(self, roots: Roots, options: DiscoveryOptions, checkpoint: Checkpoint) -> None:
        self.roots = roots
        self.options = options
        self.checkpoint = checkpoint
        self.include = patterns_of(options.include)
        self.exclude = patterns_of(options.exclude)
        self.files: dict[str, FoundFile] = {}
        self.skipped: list[Skipped] = []
        self.counts: Counter[SkipReason] = Counter()
        self.denied_targets: set[str] = set()
        self.capped = False
        self.seen = 0

    def result(self) -> Discovery:
        files = tuple(self.files[path] for path in sorted(self.files) if path not in self.denied_targets)
        return Discovery(files, tuple(self.skipped), self.capped, dict(self.counts), frozenset(self.denied_targets))

    def scan_root(self, root: Root) -> None:
        broad = is_broad(root.path)
        view = _RootView(self, root, broad)
        if not os.path.isdir(root.path):
            self.skip(root.name + "/", SkipReason.MISSING)
            return
        try:
            if broad or find_folders(root.path) is None or not view.list_repository("", 0):
                view.walk("")
        except _Full:
            self.capped = True
            self.skip(self.roots.join(root, ""), SkipReason.CAPPED)

    def skip(self, path: str, reason: SkipReason, detail: str = "") -> None:
        self.counts[reason] += 1
        if len(self.skipped) < MAX_SKIPPED:
            self.skipped.append(Skipped(path, reason, detail))

    def tick(self, count: int) -> None:
        before, self.seen = self.seen, self.seen + count
        if before // _CHECK_EVERY != self.seen // _CHECK_EVERY:
            self.checkpoint()


class _RootView:
    """The scan inside one root. Paths here are relative to it; folders end in a slash, the root is ""."""

    def __init__(self, scan: _Scan, root: Root, broad: bool) -> None:
        self.scan = scan
        self.root = root
        self.top = str(root.path).rstrip(os.sep) + os.sep
        self.prefix = scan.roots.join(root, "")
        options = scan.options
        self.max_files = min(options.max_files, options.max_broad_files) if broad else options.max_files
        self.max_entries = options.max_broad_entries if broad else options.max_entries
        self.device = os.stat(root.path).st_dev if broad and os.path.isdir(root.path) else None
        self.entries = 0
        self.own_ignores: dict[str, tuple[bool, tuple[IgnoreFile, ...]]] = {}
        self.linked: dict[str, bool] = {"": False}

    # Git's list

    def list_repository(self, folder: str, depth: int) -> bool:
        """Adds what Git lists below `folder`; False when Git gives no answer or nothing."""
        listing = list_files(Path(self.top + folder))
        if not listing:
            return False
        nested: list[str] = []
        dependencies: set[str] = set()
        for entry in dict.fromkeys(listing.split(b"\0")):
            if len(entry) < 3:
                continue
            path = folder + os.fsdecode(entry[2:])
            self.count_entries(1)
            if entry[:1] == b"?":
                dependency = dependency_folder(path)
                if dependency is not None:
                    dependencies.add(dependency)
                    continue
            if path.endswith("/") or self.is_folder_entry(path):
                nested.append(path.rstrip("/") + "/")
        for dependency in sorted(dependencies):
            self.skip(dependency, SkipReason.DEPENDENCIES)
        for path in nested:
            self.enter_nested(path, depth)
        return True

    def is_folder_entry(self, path: str) -> bool:
        """Adds a listed file; True when the entry is a folder (a submodule)."""
        if self.below_link(path):
            self.skip(path, SkipReason.SYMLINK)
            return False
        try:
            status = os.lstat(self.top + path)
        except (OSError, ValueError):
            return False  # deleted, or outside a sparse checkout
        if stat.S_ISDIR(status.st_mode):
            return True
        self.add(path, status)
        return False

    def enter_nested(self, path: str, depth: int) -> None:
        """A repository inside the repository: a submodule or a clone; another working tree is left out."""
        outer = find_folders(Path(self.top))
        inner = folders_at(Path(self.top + path.rstrip("/")))
        if self.ignored_by_own(path):
            self.skip(path, SkipReason.IGNORED, OWN_IGNORE_FILE)
        elif inner and outer and inner.common == outer.common:
            self.skip(path, SkipReason.WORKTREE)
        elif depth >= MAX_REPOSITORY_DEPTH or self.below_link(path + "x"):
            self.skip(path, SkipReason.CAPPED)
        elif inner is None or not self.list_repository(path, depth + 1):
            self.walk(path)

    def below_link(self, path: str) -> bool:
        """True when a folder on the way is a link by now (Git lists what the index says)."""
        folder = path.rpartition("/")[0]
        known = self.linked.get(folder)
        if known is None:
            try:
                is_link = stat.S_ISLNK(os.lstat(self.top + folder).st_mode)
            except (OSError, ValueError):
                is_link = False
            known = is_link or self.below_link(folder)
            self.linked[folder] = known
        return known

    # Our own walk

    def walk(self, folder: str) -> None:
        """Adds what lies below `folder`, nearer folders first, by ignore files and the user's excludes."""
        start = [file for file in (global_excludes(), self.exclude_file(folder)) if file is not None]
        base = os.fsencode(folder)
        weak = tuple(IgnoreFile(base, file.source, file.patterns) for file in start)
        queue: deque[tuple[str, tuple[IgnoreFile, ...]]] = deque([(folder, weak)])
        while queue:
            place, rules = queue.popleft()
            entries = self.scan_folder(place)
            names = {entry.name for entry in entries}
            if place != folder and self.is_left_out(place, names):
                continue
            here = rules
            if ".gitignore" in names:
                own = read_ignore_file(self.top + place + ".gitignore", os.fsencode(place), place + ".gitignore")
                here = (*rules, own) if own else rules
            if OWN_IGNORE_FILE not in names:
                self.note_no_own_rules(place[:-1])
            for entry in entries:
                path = place + entry.name
                is_folder = entry.is_dir(follow_symlinks=False)
                match = match_entry(here, os.fsencode(path), is_folder) if here else None
                if match is not None and not match.pattern.negated:
                    continue
                if not is_folder:
                    self.add_entry(path, entry)
                elif self.enter(path + "/", entry):
                    queue.append((path + "/", here))

    def exclude_file(self, folder: str) -> IgnoreFile | None:
        found = folders_at(Path(self.top + folder))
        return read_ignore_file(str(found.common / "info" / "exclude"), b"", ".git/info/exclude") if found else None

    def scan_folder(self, folder: str) -> list[os.DirEntry[str]]:
        entries: list[os.DirEntry[str]] = []
        try:
            with os.scandir(self.top + folder) as scanned:
                while block := list(islice(scanned, _CHECK_EVERY)):
                    entries += block
                    self.count_entries(len(block))
        except OSError as error:
            self.skip(folder or self.root.name + "/", SkipReason.UNREADABLE, (error.strerror or "").lower())
        return entries

    def add_entry(self, path: str, entry: os.DirEntry[str]) -> None:
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            self.skip(path, SkipReason.UNREADABLE)
        else:
            self.add(path, status)

    def enter(self, path: str, entry: os.DirEntry[str]) -> bool:
        """True when the walk goes into the folder."""
        if entry.name in _METADATA_FOLDERS:
            return False
        if entry.name in DEPENDENCY_FOLDERS:
            self.skip(path, SkipReason.DEPENDENCIES)
            return False
        if self.ignored_by_own(path):
            return False
        if self.device is not None and entry.stat(follow_symlinks=False).st_dev != self.device:
            self.skip(path, SkipReason.SPECIAL, "another file system")
            return False
        return True

    def is_left_out(self, path: str, names: Set[str]) -> bool:
        """Whether the folder that holds `names` is an environment, or a repository, which is handed to Git instead."""
        if "pyvenv.cfg" in names:
            self.skip(path, SkipReason.DEPENDENCIES)
            return True
        is_repository = ".git" in names and folders_at(Path(self.top + path)) is not None
        return is_repository and self.list_repository(path, 1)

    # What both share

    def count_entries(self, count: int) -> None:
        self.entries += count
        self.scan.tick(count)
        if self.entries > self.max_entries:
            raise _Full

    def skip(self, path: str, reason: SkipReason, detail: str = "") -> None:
        self.scan.skip(self.prefix + path, reason, detail)

    def add(self, path: str, status: os.stat_result) -> None:
        """Takes the file, or lists why not."""
        scan = self.scan
        canonical = self.prefix + path
        reason = self.refusal(path, canonical, status)
        if reason is SkipReason.IGNORED:
            return
        if reason is not None:
            scan.skip(canonical, reason)
            return
        if len(scan.files) >= self.max_files:
            raise _Full
        scan.files[canonical] = FoundFile(canonical, status.st_size, status.st_mtime_ns)

    def refusal(self, path: str, canonical: str, status: os.stat_result) -> SkipReason | None:
        options, kind = self.scan.options, stat.S_IFMT(status.st_mode)
        if self.ignored_by_own(path):
            return SkipReason.IGNORED
        if options.privacy.denied(canonical):
            if kind == stat.S_IFLNK:
                self.deny_target(path)
            return SkipReason.DENIED
        if kind != stat.S_IFREG:
            return SkipReason.SYMLINK if kind == stat.S_IFLNK else SkipReason.SPECIAL
        if self.scan.exclude and path_matches(self.scan.exclude, canonical):
            return SkipReason.EXCLUDED
        if self.scan.include and not path_matches(self.scan.include, canonical):
            return SkipReason.EXCLUDED
        if status.st_size > options.max_file_bytes:
            return SkipReason.TOO_LARGE
        return SkipReason.BINARY if is_binary_name(path) else None

    def deny_target(self, path: str) -> None:
        target = self.scan.roots.canonical(self.top + path)
        if target is not None:
            self.scan.denied_targets.add(target)

    def ignored_by_own(self, path: str) -> bool:
        """Whether `.repocontextignore` files hide the entry or a folder above it."""
        bare = path.removesuffix("/")
        folder = bare.rpartition("/")[0]
        ignored, files = self.own_ignores.get(folder) or self.own_rules(folder)
        if ignored or not files:
            return ignored
        match = match_entry(files, os.fsencode(bare), len(bare) < len(path))
        return match is not None and not match.pattern.negated

    def note_no_own_rules(self, folder: str) -> None:
        """`folder`, which is not hidden, has no own ignore file."""
        if folder not in self.own_ignores:
            self.own_ignores[folder] = False, self.own_rules(folder.rpartition("/")[0])[1] if folder else ()

    def own_rules(self, folder: str) -> tuple[bool, tuple[IgnoreFile, ...]]:
        """Whether the folder is hidden, and the own ignore files that hold in it, from the root downwards."""
        known = self.own_ignores.get(folder)
        if known is None:
            ignored, above = False, ()
            if folder:
                ignored = self.ignored_by_own(folder + "/")
                above = self.own_rules(folder.rpartition("/")[0])[1]
            base = folder + "/" if folder else ""
            here = read_ignore_file(self.top + base + OWN_IGNORE_FILE, os.fsencode(base), base + OWN_IGNORE_FILE)
            known = (ignored, (*above, here) if here else above)
            self.own_ignores[folder] = known
        return known


def dependency_folder(path: str) -> str | None:
    """The outermost dependency folder on the way to an untracked file."""
    return _dependency_part(path.rpartition("/")[0])


@lru_cache(maxsize=1 << 12)
def _dependency_part(folder: str) -> str | None:
    parts = folder.split("/")
    for depth, part in enumerate(parts):
        if part in DEPENDENCY_FOLDERS:
            return "/".join(parts[: depth + 1]) + "/"
    return None
