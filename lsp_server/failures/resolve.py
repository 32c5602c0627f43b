"""Step 4: a path as printed, on whatever machine, → a file of the workspace, a library frame, or neither."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ..model.values import Value
from .drafts import PathStyle, RawFrame
from .printed import is_absolute, is_library, is_nowhere, normal, plain_path
from .view import WorkspaceView

EXACT = 1.0
WHOLE_SUFFIX = 0.95
UNIQUE_NAME = 0.8
SHARED_PARTS = 0.7


class Resolved(Value):
    """Where a printed path leads: `path`, or a library frame, or several candidates, or nowhere."""

    path: str | None = None
    confidence: float = 0.0
    library: bool = False
    candidates: tuple[str, ...] = ()


NOWHERE = Resolved()
LIBRARY = Resolved(library=True)

_JAVA_LIBRARIES = (
    "java.", "javax.", "jdk.", "sun.", "com.sun.", "kotlin.", "kotlinx.", "scala.", "groovy.", "clojure.", "android.",
    "androidx.", "org.junit.", "junit.", "org.testng.", "org.mockito.", "org.gradle.", "org.apache.maven.", "dalvik.",
    "org.springframework.", "org.hamcrest.", "org.assertj.", "io.netty.", "reactor.",
)  # fmt: skip


class Resolver:
    """Looks printed paths up in `view`. `cwd` is where the tool ran; `canonical` maps an absolute path under a
    root of this machine to its canonical path (None outside). Remembers answers, so one a parse."""

    def __init__(
        self,
        view: WorkspaceView[Any],
        cwd: str = "",
        canonical: Callable[[str], str | None] | None = None,
    ) -> None:
        self._view = view
        self._cwd = (normal(cwd) or "") if cwd else ""
        self._canonical = canonical
        self._known: dict[tuple[str, PathStyle, tuple[str, ...], bool], Resolved] = {}
        self._folded: dict[str, list[str]] | None = None
        self._foreign: dict[str, int] = {}

    def resolve(self, frame: RawFrame) -> Resolved:
        """Where `frame`'s path leads."""
        key = (frame.path, frame.style, frame.bases, frame.weak)
        found = self._known.get(key)
        if found is None:
            found = self._resolve(frame)
            self._known[key] = found
        return found

    def _resolve(self, frame: RawFrame) -> Resolved:
        if frame.style is PathStyle.JAVA:
            return self._java(frame.path)
        if frame.style is PathStyle.MODULE:
            return self.module(frame.path)
        if is_nowhere(frame.path.strip()):
            return LIBRARY
        path = plain_path(frame.path)
        if path is None:
            return NOWHERE
        if is_library(path):
            return self._inside_library(path)
        if is_absolute(path):
            return self._absolute(path)
        return self._relative(path, frame)

    def _inside_library(self, _path: str) -> Resolved:
        """A vendored file that is part of the workspace is still a library frame."""
        return LIBRARY

    def _absolute(self, path: str) -> Resolved:
        if self._canonical is not None:
            here = self._canonical(path)
            if here is not None:
                return Resolved(here, EXACT) if self._view.has(here) else NOWHERE
        whole = [found for found in self._named(path) if _ends_with(path, found)]
        if whole:
            best = max(whole, key=len)
            self._note_root(path, best)
            return Resolved(best, EXACT if "/" in best else WHOLE_SUFFIX)
        for based in self._bases(()):
            joined = normal(f"{based}/{path}")
            if joined and self._view.has(joined):
                return Resolved(joined, SHARED_PARTS)
        return self._shared(path)

    def _note_root(self, path: str, found: str) -> None:
        root = path[: len(path) - len(found)]
        self._foreign[root] = self._foreign.get(root, 0) + 1

    def _shared(self, path: str) -> Resolved:
        """At least two shared trailing parts, and only one file that shares the most."""
        parts = [part.lower() for part in path.split("/") if part]
        best: list[str] = []
        most = 1
        for candidate in self._named(path):
            own = candidate.lower().split("/")
            shared = 0
            while shared < min(len(own), len(parts)) and own[-1 - shared] == parts[-1 - shared]:
                shared += 1
            if shared > most:
                best, most = [candidate], shared
            elif shared == most and shared >= 2:
                best.append(candidate)
        if len(best) == 1:
            return Resolved(best[0], SHARED_PARTS)
        return Resolved(candidates=tuple(best)) if best else NOWHERE

    def _relative(self, path: str, frame: RawFrame) -> Resolved:
        for base in self._bases(frame.bases):
            joined = normal(f"{base}/{path}" if base else path)
            if joined and self._view.has(joined):
                return Resolved(joined, EXACT)
        bare = normal(re.sub(r"^(?:\.\.?/)+", "", path))
        if bare is None:
            return NOWHERE
        named = self._named(bare)
        for base in frame.bases:
            found = self._under_base(bare, base, named)
            if found is not None:
                return found
        if frame.weak and "/" not in bare:
            return NOWHERE
        within = [candidate for candidate in named if _ends_with(candidate, bare)]
        if not within:
            within = [candidate for candidate in named if _ends_with(bare, candidate) and "/" in candidate]
            if within:
                return Resolved(max(within, key=len), WHOLE_SUFFIX)
            return self._shared(bare) if bare.count("/") >= 2 and not frame.weak else NOWHERE
        if len(within) == 1:
            return Resolved(within[0], WHOLE_SUFFIX if "/" in bare else UNIQUE_NAME)
        near = [candidate for candidate in within if self._cwd and candidate.startswith(self._cwd + "/")]
        if len(near) == 1:
            return Resolved(near[0], UNIQUE_NAME)
        return Resolved(candidates=tuple(within))

    def _under_base(self, bare: str, base: str, named: Sequence[str]) -> Resolved | None:
        """`base` is a folder from another place (an import path, a crate): its end must be the file's folder."""
        parts = [part for part in base.replace("\\", "/").split("/") if part not in {"", "."}]
        for start in range(len(parts)):
            wanted = "/".join((*parts[start:], bare))
            fitting = [candidate for candidate in named if _ends_with(candidate, wanted)]
            if len(fitting) == 1:
                return Resolved(fitting[0], WHOLE_SUFFIX)
            if fitting:
                exact = [candidate for candidate in fitting if candidate.lower() == wanted.lower()]
                return Resolved(exact[0], WHOLE_SUFFIX) if exact else Resolved(candidates=tuple(fitting))
        return None

    def _bases(self, bases: tuple[str, ...]) -> list[str]:
        """Canonical folders for a relative path: those printed, then the working folder, then the root."""
        found: list[str] = []
        for base in bases:
            folder = self._folder(base)
            if folder is not None:
                found.append(folder)
        found.extend([self._cwd, ""] if self._cwd else [""])
        return found

    def _folder(self, base: str) -> str | None:
        """The workspace folder that `base`, printed on any machine, ends with; "" for the root itself."""
        plain = plain_path(base)
        if plain is None:
            return None
        if not is_absolute(plain):
            return normal(f"{self._cwd}/{plain}") if self._cwd else normal(plain)
        if self._canonical is not None:
            here = self._canonical(plain)
            if here is not None:
                return here
        parts = [part for part in plain.split("/") if part]
        for start in range(len(parts)):
            folder = "/".join(parts[start:])
            if self._is_folder(folder):
                return folder
        return ""

    def _is_folder(self, folder: str) -> bool:
        paths = self._view.paths()
        low, high = 0, len(paths)
        prefix = folder + "/"
        while low < high:
            middle = (low + high) // 2
            if paths[middle] < prefix:
                low = middle + 1
            else:
                high = middle
        return low < len(paths) and paths[low].startswith(prefix)

    def _named(self, path: str) -> Sequence[str]:
        """Files with the same name as `path`'s last part; other case only when there is none."""
        name = path.rsplit("/", 1)[-1]
        exact = self._view.paths_named(name)
        if exact:
            return exact
        if self._folded is None:
            self._folded = {}
            for known in self._view.paths():
                self._folded.setdefault(known.rsplit("/", 1)[-1].lower(), []).append(known)
        return self._folded.get(name.lower(), [])

    def _java(self, printed: str) -> Resolved:
        """`package.Class|File.java`: the folder must end with the package, or with its last parts (Kotlin)."""
        class_name, _, name = printed.partition("|")
        package = class_name.split("$")[0].rsplit(".", 1)[0] if "." in class_name else ""
        named = list(self._view.paths_named(name)) if name else []
        if not named:
            return LIBRARY
        folder = package.replace(".", "/")
        exact = [path for path in named if _ends_with(path.rpartition("/")[0], folder)] if folder else named
        if len(exact) == 1:
            return Resolved(exact[0], EXACT if folder else UNIQUE_NAME)
        if exact:
            return Resolved(candidates=tuple(exact))
        if class_name.startswith(_JAVA_LIBRARIES):
            return LIBRARY
        loose = [path for path in named if self._declares(path, package)]
        return Resolved(loose[0], UNIQUE_NAME) if len(loose) == 1 else LIBRARY

    def _declares(self, path: str, package: str) -> bool:
        indexed = self._view.file(path)
        if indexed is not None and indexed.facts.package:
            return indexed.facts.package == package
        parent = path.rpartition("/")[0].rsplit("/", 1)[-1]
        return not package or parent == package.rsplit(".", 1)[-1]

    def module(self, printed: str) -> Resolved:
        """A dotted, `::` or `\\` module or class name → the one file whose path ends with it."""
        parts = [part for part in re.split(r"\.|::|\\|/", printed) if part]
        while parts:
            stem = "/".join(parts)
            found = [
                path
                for ending in _SOURCE_ENDINGS
                for path in self._view.paths_named(f"{parts[-1]}{ending}")
                if _ends_with(path.rsplit(".", 1)[0], stem)
            ]
            if len(found) == 1:
                return Resolved(found[0], UNIQUE_NAME)
            if found:
                return Resolved(candidates=tuple(found))
            parts.pop()
        return NOWHERE


_SOURCE_ENDINGS = (
    ".py", ".java", ".kt", ".scala", ".groovy", ".php", ".rb", ".cs", ".fs", ".ex", ".exs", ".erl", ".hs", ".ml",
    ".clj", ".swift", ".js", ".ts", ".jsx", ".tsx", ".mjs", ".cpp", ".rs",
)  # fmt: skip


def _ends_with(path: str, ending: str) -> bool:
    """True when `ending`'s parts are the last parts of `path`, whatever the case."""
    low, end = path.lower(), ending.lower()
    return low == end or low.endswith("/" + end)
