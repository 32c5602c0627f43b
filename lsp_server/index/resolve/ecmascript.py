"""JavaScript and TypeScript: relative modules, path aliases, packages of the workspace. A module is a file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...model.facts import Import
from ..snapshot import SymbolId
from .meaning import NOTHING, Meaning
from .paths import folder, inside, joined, shared_depth
from .rules import Rules

if TYPE_CHECKING:
    from .resolver import Resolver
    from .tables import FileTable

SUFFIXES = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte")
WRITTEN_FOR = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
CONFIGS = ("tsconfig.json", "jsconfig.json")
MAX_EXTENDS = 5

_BUILT = frozenset({"dist", "lib", "build", "out", "esm", "cjs", "es", "umd", "types", "typings", "output"})
"""Folders that hold what is built from `src`."""

_ENDING = re.compile(
    r"(?:\.(?:esm-bundler|esm-browser|cjs|esm|umd|global|runtime|prod|min|development|production|browser|node))*"
    r"(?:\.d)?\.[cm]?[jt]sx?$"
)


class EcmascriptRules(Rules):
    """JavaScript's and TypeScript's rules."""

    family = "ecmascript"
    self_names = frozenset({"this"})
    self_types = frozenset({"this"})
    detached = True
    function_types = True
    property_calls = True
    test_runners = frozenset(
        """describe it test suite context specify bench fdescribe fit ftest xdescribe xit xtest each only
        skip""".split()  # noqa: SIM905 - a table of words
    )
    class_body_members = False

    def module(self, resolver: Resolver, table: FileTable, entry: Import) -> Meaning:
        found = specifier_files(resolver, table.path, entry.module)
        return Meaning((), found) if found else NOTHING

    def owns(self, resolver: Resolver, target: SymbolId, member_path: str) -> bool:
        del resolver
        return target.path == member_path

    def importer_words(self, resolver: Resolver, path: str) -> tuple[str, ...]:
        *folders, name = path.split("/")
        stem = name.partition(".")[0]
        words = [stem, name]
        if stem == "index":
            words += [*folders[-1:], ".", ".."]
        project = resolver.projects.nearest(path, "package.json")
        for package in resolver.projects.pairs(project).get("name", ()) if project else ():
            words += [package.rpartition("/")[2], package]
        return tuple(words)


def specifier_files(resolver: Resolver, path: str, specifier: str) -> tuple[str, ...]:
    """The files that a module specifier in file `path` means, best first."""
    known = resolver.memory.modules.get((path, specifier))
    if known is None:
        known = resolver.memory.modules[path, specifier] = _specifier_files(resolver, path, specifier)
    return known


def _specifier_files(resolver: Resolver, path: str, specifier: str) -> tuple[str, ...]:
    if specifier.startswith("."):
        stem = joined(folder(path), specifier)
        return () if stem is None else module_files(resolver, stem)
    if specifier.startswith("#"):
        return _subpath_import(resolver, path, specifier)
    return (
        _aliased(resolver, path, specifier)
        or _package(resolver, path, specifier)
        or _conventional(resolver, path, specifier)
    )


def module_files(resolver: Resolver, stem: str) -> tuple[str, ...]:
    """Files that a module path may mean: itself, with a suffix, or its index file."""
    has = resolver.snapshot.has
    tries = [stem]
    for written, meant in WRITTEN_FOR.items():
        if stem.endswith(written):
            tries = [*(stem[: -len(written)] + suffix for suffix in meant), stem]
    tries += [stem + suffix for suffix in SUFFIXES]
    tries += [inside(stem, f"index{suffix}") for suffix in SUFFIXES]
    found = [path for path in dict.fromkeys(tries) if path and has(path)]
    sources = [path for path in found if path.endswith(SUFFIXES)]
    return tuple((sources or found)[:2])


def _pattern(pattern: str, text: str) -> str | None:
    """What the `*` of `pattern` stands for in `text` ("" without one), None when it does not match."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if pattern == text else None
    if text.startswith(before) and text.endswith(after) and len(text) >= len(before) + len(after):
        return text[len(before) : len(text) - len(after)]
    return None


def _configs(resolver: Resolver, path: str) -> list[str]:
    """The nearest tsconfig and those it extends, nearest first."""
    at = resolver.projects.nearest(path, *CONFIGS)
    found: list[str] = []
    while at and at not in found and len(found) < MAX_EXTENDS:
        found.append(at)
        extended = resolver.projects.pairs(at).get("extends", [])
        at = next((each for name in extended if (each := _extended(resolver, found[-1], name))), None)
    # A solution file only names others.
    if found:
        for reference in resolver.projects.pairs(found[0]).get("reference", ()):
            each = _extended(resolver, found[0], reference)
            if each and each not in found:
                found.append(each)
    return found


def _extended(resolver: Resolver, config: str, written: str) -> str | None:
    if written.startswith("."):
        stem = joined(folder(config), written)
        tries = () if stem is None else (stem, f"{stem}.json", inside(stem, "tsconfig.json"))
    else:
        package, _, rest = _split_package(written)
        found = [folder(each) for each in resolver.projects.named(package, "package.json")]
        tries = tuple(inside(base, rest or "tsconfig.json") + end for base in found for end in ("", ".json"))
    return next((each for each in tries if resolver.snapshot.has(each)), None)


def _aliased(resolver: Resolver, path: str, specifier: str) -> tuple[str, ...]:
    """By `paths` and `baseUrl` of the nearest tsconfig."""
    for config in _configs(resolver, path):
        pairs = resolver.projects.pairs(config)
        base = joined(folder(config), pairs.get("baseUrl", ["."])[0])
        if base is None:
            continue
        matches = [
            (len(pattern.partition("*")[0]), star, targets)
            for pattern, targets in resolver.projects.prefixed(config, "paths")
            if (star := _pattern(pattern, specifier)) is not None
        ]
        for _, star, targets in sorted(matches, key=lambda each: -each[0]):
            for target in targets:
                stem = joined(base, target.replace("*", star))
                found = module_files(resolver, stem) if stem is not None else ()
                if found:
                    return found
        if "baseUrl" in pairs:
            found = module_files(resolver, inside(base, specifier))
            if found:
                return found
    return ()


def _split_package(specifier: str) -> tuple[str, str, str]:
    """Package name, separator and subpath of a bare specifier."""
    if specifier.startswith("@") and "/" in specifier:
        scope, _, rest = specifier.partition("/")
        name, separator, subpath = rest.partition("/")
        return f"{scope}/{name}", separator, subpath
    return specifier.partition("/")


def _package(resolver: Resolver, path: str, specifier: str) -> tuple[str, ...]:
    """A package of the workspace by its name."""
    name, _, subpath = _split_package(specifier)
    found = sorted(
        resolver.projects.named(name, "package.json"),
        key=lambda each: ("node_modules/" in each, -shared_depth(each, path), each),
    )
    for project in found[:2]:
        files = _package_files(resolver, project, subpath)
        if files:
            return files
    return ()


def _package_files(resolver: Resolver, project: str, subpath: str) -> tuple[str, ...]:
    pairs = resolver.projects.pairs(project)
    base = folder(project)
    wanted = f"./{subpath}" if subpath else "."
    targets: list[str] = []
    if subpath:
        for pattern, values in resolver.projects.prefixed(project, "exports"):
            star = _pattern(pattern, wanted)
            if star is not None:
                targets += [value.replace("*", star) for value in values]
        targets.append(wanted)
    else:
        targets += pairs.get("source", [])
        targets += pairs.get("exports:.", [])
        for key in ("types", "typings", "module", "main", "browser"):
            targets += pairs.get(key, [])
    for target in targets:
        files = _source_of(resolver, base, target)
        if files:
            return files
    if subpath:
        return module_files(resolver, inside(base, f"src/{subpath}"))
    for stem in ("src/index", "src/main", f"src/{base.rpartition('/')[2]}", "index", "lib/index", "mod"):
        files = module_files(resolver, inside(base, stem))
        if files:
            return files
    return ()


def _source_of(resolver: Resolver, base: str, target: str) -> tuple[str, ...]:
    """The source of a file that may be built: `dist/a.js` comes from `src/a.ts`."""
    plain = target.removeprefix("./")
    stem = _ENDING.sub("", plain)
    parts = stem.split("/")
    built = [index for index, part in enumerate(parts[:-1]) if part in _BUILT]
    if built:
        rest = "/".join(part for part in parts[built[0] + 1 :] if part not in _BUILT)
        for source in (inside("src", rest), rest):
            files = module_files(resolver, inside(base, source))
            if files:
                return files
        if built[0] == 0 and parts[0] != "lib":
            return ()
    exact = inside(base, plain)
    if resolver.snapshot.has(exact) and exact.endswith(SUFFIXES) and not exact.endswith(".d.ts"):
        return (exact,)
    return module_files(resolver, inside(base, stem)) or ((exact,) if resolver.snapshot.has(exact) else ())


def _subpath_import(resolver: Resolver, path: str, specifier: str) -> tuple[str, ...]:
    """`#name` by `imports` of the nearest package.json."""
    project = resolver.projects.nearest(path, "package.json")
    if project:
        for pattern, values in resolver.projects.prefixed(project, "imports"):
            star = _pattern(pattern, specifier)
            for value in values if star is not None else ():
                files = _source_of(resolver, folder(project), value.replace("*", star or ""))
                if files:
                    return files
    return _aliased(resolver, path, specifier)


def _conventional(resolver: Resolver, path: str, specifier: str) -> tuple[str, ...]:
    """`@/x` and `~/x`, which bundlers take for the package's `src`; `$lib/x` of SvelteKit; import maps of Deno."""
    project = resolver.projects.nearest(path, "package.json")
    base = folder(project) if project else ""
    for prefix, places in (("@/", ("src", "")), ("~/", ("src", "", "app")), ("$lib/", ("src/lib",))):
        if specifier.startswith(prefix):
            for place in places:
                files = module_files(resolver, inside(base, inside(place, specifier[len(prefix) :])))
                if files:
                    return files
    deno = resolver.projects.nearest(path, "deno.json", "deno.jsonc", "import_map.json")
    for pattern, values in resolver.projects.prefixed(deno, "imports") if deno else ():
        wanted = f"{pattern}*" if pattern.endswith("/") else pattern
        star = _pattern(wanted, specifier)
        for value in values if star is not None else ():
            stem = joined(folder(deno or ""), value + (star or ""))
            files = module_files(resolver, stem) if stem is not None and value.startswith(".") else ()
            if files:
                return files
    return ()
