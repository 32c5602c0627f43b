"""The trees that are measured on: given ones, the installed packages, and tiled trees of real files."""

from __future__ import annotations

import argparse
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from lsp_server.syntax.languages import Content, language_for
from lsp_server.workspace.discovery import DiscoveryOptions, discover
from lsp_server.workspace.roots import Roots

TILE_BYTES = (400, 12_000)
"""Sizes of the files that tiled trees are made of."""


def chosen(parsed: argparse.Namespace, scratch: Path, limit: int | None) -> tuple[tuple[str, Path], ...]:
    """(name, folder) of every corpus; a copy of the installed packages when none is given."""
    given = [(name, getattr(parsed, name)) for name in ("django", "etcd", "vue") if getattr(parsed, name)]
    given += [(name, Path(folder)) for name, _, folder in (text.partition("=") for text in parsed.corpus)]
    if not given:
        given = [("site-packages", _installed_packages())]
    return tuple((name, _copied(folder, scratch / "corpora" / name, limit)) for name, folder in given)


def _installed_packages() -> Path:
    import numpy

    return Path(numpy.__file__).parent.parent


def _copied(folder: Path, target: Path, limit: int | None) -> Path:
    """A copy, so that nobody's tree is touched and no outer ignore file counts."""
    if not folder.is_dir():
        raise SystemExit(f"{folder} is not a folder")
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    files = [path for path in files if not {".git", "__pycache__", "node_modules"} & set(path.parts)]
    if limit is not None:
        code = [path for path in files if path.suffix in (".py", ".go", ".ts") and 500 < path.stat().st_size < 40_000]
        files = code[:: max(1, len(code) // limit)][:limit]
    for path in files:
        copy = target / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return target


def code_files(root: Path) -> list[str]:
    """Paths of the files that the index would take and that a grammar reads."""
    found = discover(Roots.of([root]), DiscoveryOptions()).files
    return [file.path for file in found if is_code(file.path)]


def is_code(path: str) -> bool:
    """True when a grammar reads files of this name."""
    language = language_for(path)
    return language is not None and language.content is Content.CODE


def code_patterns(root: Path) -> tuple[str, ...]:
    """Globs that let in exactly the kinds of files that `code_files` lists."""
    return tuple(sorted({f"**/*{Path(path).suffix}" for path in code_files(root) if Path(path).suffix}))


def tiled(corpus: Path, target: Path, size: int) -> Path:
    """A tree of `size` real files of ordinary length; every copy differs from the others by its last line."""
    low, high = TILE_BYTES
    paths = [path for path in code_files(corpus) if low <= (corpus / path).stat().st_size <= high]
    if not paths:
        raise SystemExit(f"{corpus} holds no files of ordinary size")
    texts = [(path, (corpus / path).read_bytes()) for path in paths]
    for number, (path, data) in _cycle(texts, size):
        copy = target / f"tile{number:04}" / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        mark = b"#" if path.endswith((".py", ".rb", ".sh")) else b"//"
        copy.write_bytes(data + b"\n" + mark + b" copy %d\n" % number)
    return target


def _cycle(texts: list[tuple[str, bytes]], size: int) -> Iterator[tuple[int, tuple[str, bytes]]]:
    # Spread over the corpus, so that a small tree looks like a large one.
    step = next(step for step in (7919, 104_729, 1_299_709) if len(texts) % step)
    for count in range(size):
        yield count // len(texts), texts[count * step % len(texts)]


def commit_all(root: Path, message: str) -> None:
    """Everything in `root` as one commit; the repository is made when there is none."""
    if not (root / ".git").exists():
        git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)


def git(root: Path, *arguments: str) -> None:
    """Run git in `root` under a name of its own, without the user's configuration."""
    person = ("-c", "user.name=benchmark", "-c", "user.email=benchmark@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(("git", *person, *arguments), cwd=root, check=True, capture_output=True)
