"""Random paths and URIs: every one has a key or a typed refusal, and none leads out of the workspace."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from lsp_server.model.errors import PathError, SourceError
from lsp_server.session.uris import file_path, file_uri, outside_key, scheme_of
from lsp_server.workspace.classify import classify
from lsp_server.workspace.explain_skip import skip_reason
from lsp_server.workspace.paths import fold_path
from lsp_server.workspace.privacy import PrivacyPolicy
from lsp_server.workspace.reader import DiskReader
from lsp_server.workspace.roots import Roots

from .tally import HANG, Tally

PARTS = (
    "a", "b.py", "..", ".", "", "...", ".git", ".env", "src", "é", "😀", "a b", "%2e%2e", "%2F", "C:", "c%3A", "con",
    "~",
    "\x00", "\n", "\udcff", "\ud800", "x" * 255, "x" * 300, "link", "loop", "out", "pipe", "*", "?", "[a",
    "a:b", "\u202e", "#x",
)  # fmt: skip
SCHEMES = ("file://", "file:", "file:///", "untitled:", "git:/", "vscode-remote://ssh+h/", "notebook-cell:", "",
           "FILE:///",
           "http://h/", "file://host/", "\\\\host\\share\\", "/", "C:\\", "://", "a:")  # fmt: skip


def _path(choose: random.Random) -> str:
    separator = choose.choice(("/", "/", "/", "//", "\\"))
    return separator.join(choose.choice(PARTS) for _ in range(choose.randint(0, 6)))


def _uri(choose: random.Random) -> str:
    path = _path(choose)
    if choose.random() < 0.4:
        path = quote(path, errors="replace")
    return choose.choice(SCHEMES) + path + choose.choice(("", "", "#W0sZ", "?a=b", "%", "%zz"))


def fuzz(choose: random.Random, stop: Callable[[], bool], tally: Tally) -> None:
    """Each case is one path and one URI through everything that reads names."""
    with tempfile.TemporaryDirectory(prefix="fuzz") as name:
        top = Path(name).resolve() / "top"
        (top / "src").mkdir(parents=True)
        (top / "src/b.py").write_text("x = 1\n")
        (top / "out").symlink_to(top.parent)
        (top / "loop").symlink_to(top / "loop")
        (top / "link").symlink_to(top / "src")
        roots = Roots.of([top])
        while not stop():
            path, uri = _path(choose), _uri(choose)
            begin = time.monotonic()
            try:
                _check(roots, top, path, uri)
            except Exception as error:
                tally.crash(f"{type(error).__name__}: {error} for {path!r}, {uri!r}")
            if time.monotonic() - begin > HANG:
                tally.hang(f"{path!r}, {uri!r}")
            tally.cases += 1


def _check(roots: Roots, top: Path, path: str, uri: str) -> None:
    policy = PrivacyPolicy(rules=("*.secret",))
    assert isinstance(policy.denied(path), bool)
    classify(path)
    try:
        folded = fold_path(path)
        assert ".." not in folded.split("/")
        assert not folded.startswith("/")
    except PathError:
        folded = None
    canonical = roots.canonical(path)
    assert canonical is None or ".." not in canonical.split("/")
    reader = DiskReader(roots, policy)
    if folded is not None:
        skip_reason(roots, folded)
        try:
            text = reader.read(folded)
            assert (top / text.path).resolve().is_relative_to(top)
        except SourceError:
            pass
    assert isinstance(reader.allowed(path), bool)
    scheme_of(uri)
    key = outside_key(uri)
    assert key
    assert not key.startswith("/")
    local = file_path(uri)
    if local is not None:
        inside = roots.canonical(local)
        assert inside is None or ".." not in inside.split("/")
        file_uri(local)
