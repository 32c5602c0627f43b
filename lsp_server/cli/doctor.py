"""`doctor`: checks this installation and says what to do about what is wrong."""

from __future__ import annotations

import argparse
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from .main import DONE, NOTHING
from .workspace import print_json


class Finding(NamedTuple):
    """One check: `ok`, `note` (works, but) or `wrong`."""

    state: str
    title: str
    detail: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `doctor`."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Run all checks; exit code 1 when something is wrong."""
    findings = [finding for check in CHECKS for finding in check()]
    if options.json:
        print_json([finding._asdict() for finding in findings])
    else:
        for finding in findings:
            print(f"{finding.state:5}  {finding.title:22} {finding.detail}")
    return NOTHING if any(finding.state == "wrong" for finding in findings) else DONE


def _python() -> Iterator[Finding]:
    new_enough = sys.version_info >= (3, 11)
    yield Finding("ok" if new_enough else "wrong", "Python", f"{platform.python_version()} at {sys.executable}")


def _packages() -> Iterator[Finding]:
    for name in ("repo-context-lsp", "pygls", "lsprotocol", "tree-sitter", "numpy", "rank-bm25", "networkx"):
        try:
            yield Finding("ok", name, version(name))
        except PackageNotFoundError:
            yield Finding("wrong", name, f"not installed; reinstall with: {sys.executable} -m pip install . in a clone")
    for name, extra in (("mcp", "mcp"), ("tree-sitter-language-pack", "breadth")):
        try:
            yield Finding("ok", name, version(name))
        except PackageNotFoundError:
            yield Finding("note", name, f"not installed (optional): pip install '.[{extra}]' in a clone")


def _grammars() -> Iterator[Finding]:
    from ..syntax.languages import LANGUAGES
    from ..syntax.parse import parse

    broken: list[str] = []
    with_grammar = [language for language in LANGUAGES if language.grammar]
    for language in with_grammar:
        try:
            parse(language, b"\n")
        except Exception as error:  # a wheel that does not load can fail in any way; the doctor reports it
            broken.append(f"{language.id} ({error})")
    if broken:
        yield Finding("wrong", "grammars", "cannot be loaded: " + "; ".join(broken))
    else:
        yield Finding("ok", "grammars", f"{len(with_grammar)} load")


def _git() -> Iterator[Finding]:
    found = shutil.which("git")
    detail = found or "not found: ignore files are read by our own rules, diffs and HEAD are not known"
    yield Finding("ok" if found else "note", "git", detail)


def _cache() -> Iterator[Finding]:
    from ..session.cache_folder import cache_folder

    folder = cache_folder("")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        probe = folder / ".doctor"
        probe.write_bytes(b"")
        probe.unlink()
        yield Finding("ok", "cache folder", str(folder))
    except OSError as error:
        yield Finding(
            "note", "cache folder", f"{folder} cannot be written ({error.strerror}): every start indexes anew"
        )


CHECKS: tuple[Callable[[], Iterator[Finding]], ...] = (_python, _packages, _grammars, _git, _cache)
