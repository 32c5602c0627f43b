"""Why is this file not indexed? Asked for one path, answered afresh from the disk."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from lsp_server.model.errors import PathError, SourceDenied, SourceMissing, SourceUnreadable

from .binary_names import is_binary_name
from .discovery import DEPENDENCY_FOLDERS, DiscoveryOptions
from .git import check_ignore, find_folders, ignoring_rule
from .ignore import OWN_IGNORE_FILE, IgnoreFile, IgnoreMatch, global_excludes, match_entry, read_ignore_file
from .patterns import path_matches, patterns_of
from .reader import DiskReader
from .roots import Root, Roots
from .skip import Skipped, SkipReason, SourceRefused


def explain_skip(roots: Roots, path: str, options: DiscoveryOptions | None = None) -> Skipped | None:
    """The first reason, in the order in which discovery and reading would find it; None when there is none.

    `path` is workspace-relative, or absolute. A file left out only because of a cap has no reason of its
    own: ask `Discovery.capped`.
    """
    chosen = options or DiscoveryOptions()
    inside = path
    if os.path.isabs(path):
        lexical = _inside_lexically(roots, path) or roots.canonical(path)
        if lexical is None:
            return Skipped(path, SkipReason.OUTSIDE)
        inside = lexical
    try:
        root, relative = roots.split(inside)
    except PathError as error:
        return Skipped(path, SkipReason.OUTSIDE, error.problem)
    canonical = roots.join(root, relative)
    if chosen.privacy.denied(canonical):
        return Skipped(canonical, SkipReason.DENIED)
    return (
        _on_disk(roots, root, relative, canonical)
        or _by_rules(root, relative, canonical)
        or _by_options(canonical, chosen)
        or _by_content(roots, canonical, chosen)
    )


def _inside_lexically(roots: Roots, path: str) -> str | None:
    """The path below a root as written: a link is to be explained itself, not its target."""
    return roots.canonical_real(os.path.normpath(path))


def _on_disk(roots: Roots, root: Root, relative: str, canonical: str) -> Skipped | None:
    place = root.path / relative
    try:
        status = place.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return Skipped(canonical, SkipReason.MISSING)
    except (OSError, ValueError) as error:
        return Skipped(canonical, SkipReason.UNREADABLE, str(error))
    target = roots.canonical(place)
    if target is None:
        return Skipped(canonical, SkipReason.SYMLINK, "leads out of the workspace")
    if stat.S_ISLNK(status.st_mode) or target != canonical:
        return Skipped(canonical, SkipReason.SYMLINK, f"leads to {target}")
    if stat.S_ISDIR(status.st_mode):
        return Skipped(canonical, SkipReason.SPECIAL, "a folder")
    return None if stat.S_ISREG(status.st_mode) else Skipped(canonical, SkipReason.SPECIAL)


def _by_rules(root: Root, relative: str, canonical: str) -> Skipped | None:
    own = ignore_match(root.path, relative, OWN_IGNORE_FILE, ())
    if own is not None:
        return Skipped(canonical, SkipReason.IGNORED, str(own))
    repository = find_folders((root.path / relative).parent)
    if repository is not None:
        inside = os.path.relpath(root.path / relative, repository.top).replace(os.sep, "/")
        answer = check_ignore(repository.top, [inside])
        if answer is not None:
            if answer:
                return Skipped(canonical, SkipReason.IGNORED, ignoring_rule(repository.top, inside) or "")
            return _in_dependencies(relative, canonical)
    start = [file for file in (global_excludes(),) if file is not None]
    match = ignore_match(root.path, relative, ".gitignore", tuple(start))
    if match is not None:
        return Skipped(canonical, SkipReason.IGNORED, str(match))
    return _in_dependencies(relative, canonical)


def _in_dependencies(relative: str, canonical: str) -> Skipped | None:
    folders = relative.split("/")[:-1]
    found = next((folder for folder in folders if folder in DEPENDENCY_FOLDERS), None)
    return Skipped(canonical, SkipReason.DEPENDENCIES, f"{found}/, unless tracked by Git") if found else None


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


def _by_options(canonical: str, options: DiscoveryOptions) -> Skipped | None:
    if options.exclude and path_matches(patterns_of(options.exclude), canonical):
        return Skipped(canonical, SkipReason.EXCLUDED, "index.exclude")
    if options.include and not path_matches(patterns_of(options.include), canonical):
        return Skipped(canonical, SkipReason.EXCLUDED, "index.include")
    return Skipped(canonical, SkipReason.BINARY, "by its name") if is_binary_name(canonical) else None


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
