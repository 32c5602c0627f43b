"""Python's import path, guessed: the folders from which a file may import a module or package by its plain name.

A repository may hold hundreds of them (one a service, one a sample), so what all files share is found once, and a file
takes the nearest by its own folders, without looking at every root.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from .paths import folder, inside

if TYPE_CHECKING:
    from .resolver import Resolver

SUFFIXES = (".py", ".pyi", ".pyx")
SOURCE_ROOTS = frozenset(
    {"", "src", "lib", "python", "source", "app", "backend", "server", "packages", "test", "tests"}
)
PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "tox.ini", "manage.py")
MAX_ROOTS = 4

Roots = Mapping[str, tuple[str, ...]]
"""Roots below a folder ("" holds all), the shallowest first."""

_NO_ROOTS: Roots = {}
_NONE: tuple[str, ...] = ()


def roots_on_path(resolver: Resolver, own: str, first: str) -> tuple[str, ...]:
    """The folders from which a file in folder `own` can import a module or package `first`, nearest first."""
    return resolver.memory.once(("roots on the path", own, first), _NONE, lambda: _nearest(resolver, own, first))


def files_below(resolver: Resolver, base: str, parts: list[str]) -> tuple[str, ...]:
    """The module `parts` below folder `base`: its files, or the folder with a `/` behind it."""
    stem = "/".join([base, *parts] if base else parts)
    inits = [inside(stem, f"__init__{suffix}") for suffix in SUFFIXES]
    files = [stem + suffix for suffix in SUFFIXES] if parts else []
    found = tuple(path for path in (*inits, *files) if resolver.snapshot.has(path))
    if found:
        return found
    return (stem + "/",) if _is_folder(resolver, stem) else ()


def _nearest(resolver: Resolver, own: str, first: str) -> tuple[str, ...]:
    holding = _holding(resolver, first)
    shared = resolver.memory.once(("shared roots", first), _NO_ROOTS, lambda: _shared_roots(resolver, first))
    upwards = _upwards(own)
    good = [
        root
        for root in upwards
        if (root in holding or _is_folder(resolver, inside(root, first))) and _above_imports(resolver, root, own, first)
    ]
    good += [
        root
        for root in ("src", "lib")
        if _is_folder(resolver, inside(root, first)) and _is_shared(resolver, root, first)
    ]
    found: dict[str, None] = {}
    for near in upwards:
        here = {root for root in good if not near or root == near or root.startswith(near + "/")}
        # Of those before, at most as many can stand here again.
        here.update(shared.get(near, ())[: MAX_ROOTS + len(found)])
        found |= dict.fromkeys(sorted(here, key=_shallow_first))
        if len(found) >= MAX_ROOTS:
            break
    return tuple(found)[:MAX_ROOTS]


def _shared_roots(resolver: Resolver, first: str) -> Roots:
    below: dict[str, list[str]] = {}
    for root in _holding(resolver, first):
        if _is_shared(resolver, root, first):
            for near in _upwards(root):
                below.setdefault(near, []).append(root)
    return {near: tuple(sorted(roots, key=_shallow_first)) for near, roots in below.items()}


def _shallow_first(root: str) -> tuple[int, str]:
    return root.count("/"), root


def _is_shared(resolver: Resolver, root: str, first: str) -> bool:
    """True when modules in folder `root` can be imported by their plain name from anywhere."""
    if resolver.snapshot.has(inside(root, "__init__.py")):
        return False
    if first in sys.stdlib_module_names and (root not in ("", "src") or not files_below(resolver, root, [first])):
        return False
    named = root.rpartition("/")[2] in SOURCE_ROOTS
    return named or any(resolver.snapshot.has(inside(root, name)) for name in PROJECT_FILES)


def _above_imports(resolver: Resolver, root: str, own: str, first: str) -> bool:
    """True when a file in folder `own` can import modules of `root`, which is that folder or one above it."""
    if resolver.snapshot.has(inside(root, "__init__.py")):
        return False
    if first not in sys.stdlib_module_names:
        return True
    return (root == own or root in ("", "src")) and bool(files_below(resolver, root, [first]))


def _holding(resolver: Resolver, first: str) -> frozenset[str]:
    """Folders that hold a module or package `first`."""
    nothing: frozenset[str] = frozenset()
    return resolver.memory.once(("roots", first), nothing, lambda: _find_holding(resolver, first))


def _find_holding(resolver: Resolver, first: str) -> frozenset[str]:
    roots = {folder(each) for suffix in SUFFIXES for each in resolver.snapshot.paths_named(first + suffix)}
    packages = resolver.memory.once(("packages",), _NO_ROOTS, lambda: _packages(resolver))
    return frozenset(roots.union(packages.get(first, ())))


def _packages(resolver: Resolver) -> Roots:
    """The folders that hold packages, by the package's name."""
    found: dict[str, list[str]] = {}
    for init in resolver.snapshot.paths_named("__init__.py"):
        outer, _, name = folder(init).rpartition("/")
        found.setdefault(name, []).append(outer)
    return {name: tuple(roots) for name, roots in found.items()}


def _upwards(base: str) -> list[str]:
    found = [base]
    while base:
        base = folder(base)
        found.append(base)
    return found


def _is_folder(resolver: Resolver, path: str) -> bool:
    """True for a folder that holds Python files directly."""
    below = resolver.snapshot.paths_under(path) if path else ()
    return any(each.endswith(SUFFIXES) for each in below[:50])
