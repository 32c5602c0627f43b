"""URIs to file paths and to the keys of open documents, and back. Pure; never fails on any text.

Editors spell one file in many ways: `file:///c%3A/x`, `file:///C:/x`, `file://localhost/x`. Inside the
server a document is known by one key: the canonical workspace path when it lies in a root, else a
relative-looking name made from the URI (`untitled:Untitled-1`, `vscode-notebook-cell:home/a.ipynb#1`).
What a client sent is kept beside it and echoed.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote_to_bytes

_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.\-]*):")
_DRIVE = re.compile(r"^/([A-Za-z]):")

SEARCHED_SCHEMES = frozenset({"file", "untitled", "vscode-notebook-cell", "vscode-remote", "vscode-vfs", "vsls"})
"""Documents of these schemes hold live code and enter the index; others (`git:`, `output:`) are old
revisions, logs or generated views, and are kept as text only."""


_NO_BYTE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Surrogates other than those by which `os.fsdecode` stands for a byte."""


def scheme_of(uri: str) -> str:
    """The scheme in lower case; "" when there is none. A lone letter is a Windows drive, not a scheme."""
    match = _SCHEME.match(uri)
    return match.group(1).lower() if match and len(match.group(1)) > 1 else ""


def decode(part: str) -> str:
    """Percent-decoding that keeps bytes which are not UTF-8, as file names are kept by `os.fsdecode`.

    A lone surrogate that stands for no byte (JSON can hold one) becomes U+FFFD.
    """
    held = _NO_BYTE.sub("\ufffd", part)
    return unquote_to_bytes(held.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")


def file_path(uri: str) -> str | None:
    """The absolute file system path of a `file:` URI (or of a plain absolute path), else None.

    A remote host gives a UNC path; drive letters come out in lower case, `..` and doubled slashes folded.
    """
    scheme = scheme_of(uri)
    if not scheme:
        plain = _NO_BYTE.sub("\ufffd", uri)
        return os.path.normpath(plain) if plain.startswith("/") and "\0" not in plain else None
    if scheme != "file":
        return None
    rest = uri[5:]
    host = ""
    if rest.startswith("//"):
        host, slash, rest = rest[2:].partition("/")
        rest = slash + rest
    path = decode(re.split(r"[?#]", rest, maxsplit=1)[0])
    if not path.startswith("/") or "\0" in path:
        return None
    if host and host.lower() != "localhost":
        return f"//{decode(host)}{os.path.normpath(path)}"
    if _DRIVE.match(path):
        path = "/" + path[1].lower() + path[2:]
        return os.path.normpath(path[1:] if os.name == "nt" else path)
    folded = os.path.normpath(path)
    return folded[1:] if folded.startswith("//") else folded


def outside_key(uri: str) -> str:
    """The key of a document that lies in no root: relative in form, stable over spellings of one URI."""
    scheme = scheme_of(uri) or "file"
    rest = uri[len(scheme) + 1 :] if scheme_of(uri) else uri
    path = file_path(uri) if scheme == "file" else None
    folded = (path or decode(rest)).lstrip("/")
    parts = [part for part in folded.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return f"{scheme}:" + "/".join(parts)


def file_uri(path: str | Path) -> str:
    """The `file:` URI of an absolute path."""
    return Path(path).as_uri()
