"""A checkout that changes many files at once: there with unknown facts, and back with known ones."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from lsp_server.session.session import Session
from lsp_server.text.hashing import content_hash

from .corpora import code_files, commit_all, git
from .measuring import Stopwatch
from .options import Options
from .report import Row

FIGURE = "branch switch"
REACH = 0.15


def measure(options: Options) -> list[Row]:
    """One corpus: cold index, a checkout that is new, and the way back."""
    name, corpus = options.corpora[0]
    root = options.scratch / "branches"
    shutil.copytree(corpus, root)
    commit_all(root, "before")
    changed = _change(root, options.scale.switched_files)
    git(root, "checkout", "-q", "-b", "other")
    commit_all(root, "after")
    git(root, "checkout", "-q", "main")
    time.sleep(0.1)  # files written in this moment would be read again by rule
    watch = Stopwatch()
    session = Session.open([root], [f"cache.folder={options.scratch / 'branches-cache'}"])
    try:
        session.wait_fresh()
        cold = watch.spent().wall
        indexed = [path for path in code_files(root) if session.snapshot().has(path)]  # minified files are not
        there = _switch(session, root, "other")
        wrong = _differences(session, root, indexed)
        back = _switch(session, root, "main")
        wrong += _differences(session, root, indexed)
    finally:
        session.close()
    note = f"cold {cold:.2f} s, back {back:.2f} s, there {there:.2f} s"
    what = f"{changed} files, facts known / cold"
    return [
        Row(FIGURE, name, what, back / cold, reach=REACH, note=note),
        Row(FIGURE, name, f"{changed} files, facts new / cold", there / cold),
        Row(FIGURE, name, "files that differ from a fresh index", wrong, "", 0),
    ]


def _change(root: Path, count: int) -> int:
    paths = code_files(root)[:count]
    for path in paths:
        file = root / path
        mark = "#" if path.endswith((".py", ".rb", ".sh")) else "//"
        with file.open("a", encoding="utf-8") as opened:
            opened.write(f"\n{mark} another branch\n")
    return len(paths)


def _switch(session: Session, root: Path, branch: str) -> float:
    git(root, "checkout", "-q", branch)
    begin = time.perf_counter()
    session.reindex()
    session.wait_fresh()
    return time.perf_counter() - begin


def _differences(session: Session, root: Path, paths: list[str]) -> int:
    """Those of `paths` whose indexed text is not the one on disk."""
    snapshot = session.snapshot()
    wrong = 0
    for path in paths:
        view = snapshot.file(path)
        text = (root / path).read_bytes()
        # A byte-order mark and other encodings are decoded by the index; those files are few and left out.
        plain = text.decode("utf-8", "ignore").encode() == text and not text.startswith(b"\xef\xbb\xbf")
        wrong += plain and (view is None or view.content_hash != content_hash(text.decode()))
    return wrong
