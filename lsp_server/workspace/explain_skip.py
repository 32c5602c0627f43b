"""Why is this file not indexed? Asked for single paths, answered afresh from the disk.

`explain_skip` gives the rule and looks into the file; `skip_reasons` answers for many changed paths at
once, by names, rules and size, with one question to Git for each repository.
"""

from __future__ import annotations

import os
import stat
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from lsp_server.model.errors import PathError, SourceDenied, SourceMissing, SourceUnreadable
from lsp_server.model.values import Value

from .binary_names import is_binary_name
from .discovery import DiscoveryOptions, dependency_folder, is_broad
from .git import check_ignore, find_folders, ignoring_rule, tracked_files
from .ignore import OWN_IGNORE_FILE, IgnoreFile, IgnoreMatch, global_excludes, match_entry, read_ignore_file
from .paths import fold_path
from .patterns import path_matches, patterns_of
from .reader import DiskReader
from .roots import Root, Roots
from .skip import Skipped, SkipReason, SourceRefused


class _Asked(Value):
    """A path that exists and is a regular file of a root."""

    root: Root
    relative: str
    canonical: str

    @property
    def place(self) -> Path:
        return self.root.path / self.relative


def explain_skip(roots: Roots, path: str, options: DiscoveryOptions | None = None) -> Skipped | None:
    """The first reason, in the order in which discovery and reading would find it; None when there is none.

    `path` is workspace-relative, or absolute. A file left out only because of a cap has no reason of its
    own: ask `Discovery.capped`.
    """
    chosen = options or DiscoveryOptions()
    asked = _ask(roots, path, chosen)
    if isinstance(asked, Skipped):
        return asked
    by_rules = _by_own_rules(asked) or _by_git([asked]).get(asked.canonical)
    return by_rules or _by_options(asked, chosen) or _by_content(roots, asked.canonical, chosen)


def skip_reasons(
    roots: Roots, paths: Iterable[str], options: DiscoveryOptions | None = None
) -> Mapping[str, SkipReason]:
    """The reason for each of `paths` (workspace-relative) that discovery would leave out; contents are not read.

    A missing file that the rules would leave out is told by the rule.
    """
    chosen = options or DiscoveryOptions()
    found: dict[str, SkipReason] = {}
    open_questions: dict[str, _Asked] = {}
    for path in paths:
        asked = _named(roots, path, chosen)
        answer = asked if isinstance(asked, Skipped) else _on_disk(roots, asked)
        if answer is not None:
            found[path] = answer.reason
        # A file that is not there (yet, or any more) may be open: the rules hold for it all the same.
        if isinstance(asked, _Asked) and found.get(path, SkipReason.MISSING) is SkipReason.MISSING:
            answer = _by_own_rules(asked) or _by_options(asked, chosen)
            if answer is not None:
                found[path] = answer.reason
            if answer is None or answer.reason is SkipReason.MISSING:
                open_questions[path] = asked
    by_git = _by_git(list(open_questions.values()))
    for path, asked in open_questions.items():
        answer = by_git.get(asked.canonical)
        if answer is not None:
            found[path] = answer.reason
    return found


def skip_reason(roots: Roots, path: str, options: DiscoveryOptions | None = None) -> SkipReason | None:
    """The same for one path."""
    return skip_reasons(roots, [path], options).get(path)


def _ask(roots: Roots, path: str, options: DiscoveryOptions) -> _Asked | Skipped:
    asked = _named(roots, path, options)
    return asked if isinstance(asked, Skipped) else _on_disk(roots, asked) or asked


def _named(roots: Roots, path: str, options: DiscoveryOptions) -> _Asked | Skipped:
    """What its name alone tells."""
    inside: str | None = path
    if os.path.isabs(path):
        # As written first: a link is to be explained itself, not its target.
        inside = roots.canonical_real(os.path.normpath(path)) or roots.canonical(path)
    if inside is None:
        return Skipped(path, SkipReason.OUTSIDE)
    try:
        root, relative = roots.split(inside)
        canonical = fold_path(inside)
    except PathError as error:
        return Skipped(path, SkipReason.OUTSIDE, error.problem)
    if options.privacy.denied(canonical):
        return Skipped(canonical, SkipReason.DENIED)
    return _Asked(root, relative, canonical)


def _on_disk(roots: Roots, asked: _Asked) -> Skipped | None:
    canonical = asked.canonical
    try:
        status = asked.place.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return Skipped(canonical, SkipReason.MISSING)
    except (OSError, ValueError) as error:
        return Skipped(canonical, SkipReason.UNREADABLE, str(error))
    target = roots.canonical(asked.place)
    if target is None:
        return Skipped(canonical, SkipReason.SYMLINK, "leads out of the workspace")
    if stat.S_ISLNK(status.st_mode) or target != canonical:
        return Skipped(canonical, SkipReason.SYMLINK, f"leads to {target}")
    if stat.S_ISDIR(status.st_mode):
        return Skipped(canonical, SkipReason.SPECIAL, "a folder")
    return None if stat.S_ISREG(status.st_mode) else Skipped(canonical, SkipReason.SPECIAL)


def _by_own_rules(asked: _Asked) -> Skipped | None:
    own = ignore_match(asked.root.path, asked.relative, OWN_IGNORE_FILE, ())
    return Skipped(asked.canonical, SkipReason.IGNORED, str(own)) if own else None


def _by_git(files: list[_Asked]) -> dict[str, Skipped]:
    """Reasons by Git's rules, or by our own reading of them where Git has no say."""
    found: dict[str, Skipped] = {}
    repositories: dict[Path, list[_Asked]] = defaultdict(list)
    for asked in files:
        repository = None if is_broad(asked.root.path) else find_folders(asked.place.parent)
        outer = find_folders(asked.root.path) if repository else None
        if repository is None:
            found |= _by_ignore_files(asked)
        elif outer and outer.top != repository.top and outer.common == repository.common:
            found[asked.canonical] = Skipped(asked.canonical, SkipReason.WORKTREE)
        else:
            repositories[repository.top].append(asked)
    for top, group in repositories.items():
        found |= _by_repository(top, group)
    return found


def _by_repository(top: Path, group: list[_Asked]) -> dict[str, Skipped]:
    inside = {os.path.relpath(asked.place, top).replace(os.sep, "/"): asked for asked in group}
    ignored = check_ignore(top, inside)
    if ignored is None:
        return {key: skipped for asked in group for key, skipped in _by_ignore_files(asked).items()}
    found: dict[str, Skipped] = {}
    for path in ignored & inside.keys():
        asked = inside[path]
        detail = (ignoring_rule(top, path) or "") if len(group) == 1 else ""
        found[asked.canonical] = Skipped(asked.canonical, SkipReason.IGNORED, detail)
    in_dependencies = [path for path in inside if path not in ignored and dependency_folder(path)]
    tracked = tracked_files(top, in_dependencies) if in_dependencies else None
    for path in in_dependencies:
        if tracked is not None and path not in tracked:
            found |= _in_dependencies(inside[path])
    return found


def _by_ignore_files(asked: _Asked) -> dict[str, Skipped]:
    user = global_excludes()
    match = ignore_match(asked.root.path, asked.relative, ".gitignore", (user,) if user else ())
    if match is not None:
        return {asked.canonical: Skipped(asked.canonical, SkipReason.IGNORED, str(match))}
    return _in_dependencies(asked) if dependency_folder(asked.relative) else {}


def _in_dependencies(asked: _Asked) -> dict[str, Skipped]:
    detail = dependency_folder(asked.relative) or ""
    return {asked.canonical: Skipped(asked.canonical, SkipReason.DEPENDENCIES, detail)}


def ignore_match(top: Path, relative: str, file_name: str, weakest: tuple[IgnoreFile, ...]) -> IgnoreMatch | None:
    """The rule of `file_name` files, from `top` down, that hides `relative` or a folder above it."""
    rules = list(weakest)
    parts = relative.split("/")
    for depth in range(len(parts)):
        base = "".join(part + "/" for part in parts[:depth])
        here = read_ignore_file(str(top / base / file_name), os.fsencode(base), base + file_name)
        if here is not None:
            rules.append(here)
        entry = os.fsencode("/".join(parts[: depth + 1]))
        match = match_entry(rules, entry, depth < len(parts) - 1)
        if match is not None and not match.pattern.negated:
            return match
    return None


def _by_options(asked: _Asked, options: DiscoveryOptions) -> Skipped | None:
    canonical = asked.canonical
    if options.exclude and path_matches(patterns_of(options.exclude), canonical):
        return Skipped(canonical, SkipReason.EXCLUDED, "index.exclude")
    if options.include and not path_matches(patterns_of(options.include), canonical):
        return Skipped(canonical, SkipReason.EXCLUDED, "index.include")
    if is_binary_name(canonical):
        return Skipped(canonical, SkipReason.BINARY, "by its name")
    try:
        size = asked.place.lstat().st_size
    except (OSError, ValueError):
        return Skipped(canonical, SkipReason.MISSING)
    return Skipped(canonical, SkipReason.TOO_LARGE) if size > options.max_file_bytes else None


def _by_content(roots: Roots, canonical: str, options: DiscoveryOptions) -> Skipped | None:
    reader = DiskReader(roots, options.privacy, options.max_file_bytes)
    try:
        reader.read_for_index(canonical)
    except SourceRefused as error:
        return Skipped(canonical, error.reason)
    except SourceDenied:
        return Skipped(canonical, SkipReason.DENIED)
    except SourceMissing:
        return Skipped(canonical, SkipReason.MISSING)
    except SourceUnreadable as error:
        return Skipped(canonical, SkipReason.UNREADABLE, error.problem)
    return None
