"""What a printed path says by itself: URL schemes, Windows spelling, decorations; whether it is a library's."""

from __future__ import annotations

import re
from urllib.parse import unquote

from lsp_server.text.late_pattern import late_pattern

_SCHEME = late_pattern(r"^(?P<scheme>[a-z][a-z+.-]{1,30}):/{0,3}", re.IGNORECASE)
_BUNDLERS = late_pattern(
    r"^(?:webpack-internal|webpack|ng|rollup|vite|turbopack|rsc|app|vscode-file|metro|node-webpack|meteor|asset|cy"
    r"press)"
    r":/{1,3}(?P<rest>.*)$",
    re.IGNORECASE,
)
_HTTP = late_pattern(r"^https?://[^/]{1,200}/(?P<rest>.*)$", re.IGNORECASE)
_LIBRARY = late_pattern(
    r"(?:^|/)(?:node_modules|site-packages|dist-packages|\.venv|venv|\.tox|\.nox|\.yarn|\.pnpm|\.pnpm-store|bower_"
    r"components"
    r"|\.cargo/registry|\.cargo/git|\.rustup|rustc/[0-9a-f]{8,}|rustlib|go/pkg/mod|pkg/mod|vendor/bundle|gems|rubygems"
    r"|\.rbenv|\.rvm|\.pyenv/versions|\.asdf/installs|\.nvm|\.pub-cache|\.nuget|\.m2|\.gradle/caches|\.ivy2|\.sbt|"
    r"\.stack|\.cabal"
    r"|\.opam|\.julia|Xcode\.app|hostedtoolcache|__pypackages__|_opam|nix/store|libsanitizer|sysdeps|external/[^/]"
    r"+~[^/]*"
    r"|dart-sdk|flutter/packages/flutter[^/]*|lib/python\d(?:\.\d+)?|lib64/python\d(?:\.\d+)?|go/src/"
    r"(?:runtime|testing)"
    r"|\.deps|\.conda|miniconda3?|anaconda3?)/",
    re.IGNORECASE,
)
_LIBRARY_ROOTS = late_pattern(
    r"^(?:/usr/(?:lib|lib64|include|share|bin|local/(?:lib|lib64|include|share|go))/|/lib"
    r"(?:64)?/|/build/glibc|/opt/(?:homebrew|local|rh)/"
    r"|/System/Library/|/Library/|/snap/|/rustc/|/goroot/|/usr/src/(?:debug|python|ruby)/|\.\./"
    r"(?:sysdeps|csu|nptl|elf|stdlib|libio|string)/"
    r"|[a-z]:/(?:program files|windows|python\d|hostedtoolcache|ruby\d))",
    re.IGNORECASE,
)
_NOWHERE = late_pattern(
    r"^(?:<.*>|node:.*|internal/.*|native|native code|evalmachine.*|bun:.*|ext:.*|deno:.*|java\.base/.*|\[.*\]|dart:.*"
    r"|anonymous|unknown.*|\(.*|jdk\.internal.*|eval at .*|kernel/.*\.pm|-|stdin|standard input|/dev/.*|\?\?)$",
    re.IGNORECASE,
)
_VENDOR = late_pattern(r"(?:^|/)vendor/[^/]+/")
_DART_PACKAGE = late_pattern(r"^package:(?P<package>[\w.]+)/(?P<rest>.+)$")


def is_nowhere(path: str) -> bool:
    """True for a place that is no file at all: `<string>`, `node:internal/…`, native code."""
    return not path or _NOWHERE.match(path) is not None


def is_library(path: str) -> bool:
    """True for installed packages, toolchains and the system, also when printed relative."""
    return bool(_LIBRARY.search(path) or _LIBRARY_ROOTS.match(path) or _VENDOR.search(path))


def plain_path(printed: str) -> str | None:
    """`printed` with forward slashes and without scheme, query, quotes; None when it cannot be a file.

    Web addresses are only accepted with at least two parts after the host: a frame of a page's script.
    """
    path = printed.strip().strip("\"'`").strip()
    if not path or len(path) > 1_000 or "\0" in path:
        return None
    dart = _DART_PACKAGE.match(path)
    if dart:
        return f"{dart['package']}/lib/{dart['rest']}"
    web = _HTTP.match(path)
    bundled = _BUNDLERS.match(path)
    if path.lower().startswith("file:"):
        path = unquote(path[5:])
        path = "/" + path.lstrip("/") if path.startswith("/") else path
        path = re.sub(r"^/(?=[A-Za-z]:[/\\])", "", path)
    elif web:
        rest = re.sub(
            r"^(?:base|_karma_webpack_|absolute|@fs|static/js|_next/static/chunks)/", "", unquote(web["rest"])
        )
        path = rest.split("?")[0].split("#")[0]
        return path if path.count("/") >= 1 else None
    elif bundled:
        path = re.sub(r"^(?:\([\w-]{1,40}\)|\[project\]|\[root[^\]]{0,80}\]|React/Server)/", "", bundled["rest"])
        path = re.sub(r"^[\w@.-]{1,80}/(?=\./)", "", path)
        path = re.sub(r"^(?:\([\w-]{1,40}\)/)", "", path)
    elif len(path) > 2 and _SCHEME.match(path) and not re.match(r"^[A-Za-z]:[/\\]", path) and "://" in path[:32]:
        return None
    path = re.sub(r"[?#][\w=&.-]*$", "", path) if "?" in path or (bundled and "#" in path) else path
    path = path.replace("\\", "/")
    path = re.sub(r"^(?:\$\{?\w{1,40}\}?|%\w{1,40}%|<\w{1,40}>|~|/proc/self/cwd|/?bazel-out/[^/]{1,80}/bin)/", "", path)
    return path or None


def is_absolute(path: str) -> bool:
    """True for `/x` and `c:/x` (forward slashes only, see `plain_path`)."""
    return path.startswith("/") or (len(path) > 2 and path[1] == ":" and path[2] == "/")


def normal(path: str) -> str | None:
    """`path` without `.` and `..` parts; None when it climbs out of where it starts."""
    parts: list[str] = []
    for part in path.split("/"):
        if part in {"", "."}:
            continue
        if part == "..":
            if not parts:
                return None
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts) or None
