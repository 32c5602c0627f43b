"""CMake, Terraform, Docker, psql, Bazel, Helm, Nix, Crystal, LaTeX."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind
from lsp_server.model.request import Severity
from lsp_server.text.late_pattern import late_pattern

from ..drafts import Draft, RawFrame, Trace, diagnostic, severity_of
from ..grammar import DONE, Block, Context, Grammar, Opened

_CMAKE = late_pattern(
    r"^CMake (?P<level>Error|Warning|Deprecation Warning)(?: \(dev\))? (?:at|in) (?P<path>[^\n:]{1,500}):"
    r"(?P<line>\d{1,9})(?::EOF)?(?: \((?P<name>[\w]{1,80})\))?:?(?P<text>.*)$"
)


_CMAKE_CALL = late_pattern(r"^  (?P<path>[^\s:][^\n:]{0,500}):(?P<line>\d{1,9}) \((?P<name>\w{1,80})\)$")


class _CMake:
    def __init__(self, match: re.Match[str]) -> None:
        self._level = match["level"]
        self._frames = [RawFrame(match["path"], int(match["line"]), symbol=match["name"])]
        self._text = [match["text"].strip()]
        self._blank = 0

    def feed(self, line: str, _context: Context) -> bool:
        call = _CMAKE_CALL.match(line)
        if call:
            self._frames.append(RawFrame(call["path"], int(call["line"]), symbol=call["name"]))
            return True
        if line.startswith("  ") and len(self._text) < 20:
            self._text.append(line.strip())
        self._blank = self._blank + 1 if not line.strip() else 0
        return line.startswith(("  ", "Call Stack")) or (not line.strip() and self._blank < 3)

    def close(self, context: Context) -> None:
        text = " ".join(part for part in self._text if part)
        severity = Severity.ERROR if self._level == "Error" else Severity.WARNING
        context.emit(Draft(text, FailureKind.DIAGNOSTIC, severity, tool="cmake", traces=[Trace(text, self._frames)]))


def _open_cmake(line: str, _context: Context) -> Block | Opened | None:
    match = _CMAKE.match(line)
    return _CMake(match) if match else None


_TERRAFORM = late_pattern(
    r"^[\s│|╷]*on (?P<path>[^\n]{1,400}?) line (?P<line>\d{1,9})(?:, in (?P<name>[^\n]{1,200}?))?:?\s*$"
)


_TERRAFORM_SOURCE = late_pattern(r"^[\s│|]*(?P<line>\d{1,9}): (?P<text>.*)$")


class _Terraform:
    def __init__(self, place: RawFrame, message: str) -> None:
        self._place, self._message = place, message
        self._seen = 0

    def feed(self, line: str, _context: Context) -> bool:
        self._seen += 1
        source = _TERRAFORM_SOURCE.match(line)
        if source and int(source["line"]) == self._place.line:
            self._place.text = source["text"].strip()
        return self._seen < 4 and not line.startswith(("╵", "Error"))

    def close(self, context: Context) -> None:
        severity = Severity.WARNING if self._message.startswith("Warning") else Severity.ERROR
        context.emit(diagnostic(self._message, self._place, severity=severity, tool="terraform"))


def _open_terraform(line: str, context: Context) -> Block | Opened | None:
    match = _TERRAFORM.match(line)
    if match is None:
        return None
    said = next((one.strip(" │╷|") for one in context.before if re.match(r"^[\s│|╷]*(?:Error|Warning): ", one)), "")
    return _Terraform(RawFrame(match["path"], int(match["line"]), symbol=match["name"]), said) if said else None


_DOCKER_FILE = late_pattern(r"^(?P<path>[\w./-]{0,300}(?:Dockerfile|Containerfile)[\w.-]{0,80}):(?P<line>\d{1,9})$")


_DOCKER_LINE = late_pattern(r"^\s*(?P<line>\d{1,9}) \| >>> (?P<text>.*)$")


_DOCKER_PARSE = late_pattern(
    r"^(?:ERROR: .*?)?(?:failed to solve.*?: )?[Dd]ockerfile parse error (?:on )?line (?P<line>\d{1,9}): (?P<text>.*)$"
)


class _Docker:
    """The lines BuildKit shows around a failed instruction; `>>>` marks it."""

    def __init__(self, path: str, line: int) -> None:
        self._place = RawFrame(path, line)
        self._message = ""
        self._marked = False

    def feed(self, line: str, _context: Context) -> bool:
        marked = _DOCKER_LINE.match(line)
        if marked and not self._marked:
            self._marked = True
            self._place.line, self._place.text = int(marked["line"]), marked["text"].strip()
        if line.startswith("ERROR: "):
            self._message = line[7:]
            return True
        return (
            marked is not None
            or line.startswith(("-----", "   ", "  "))
            or not line.strip()
            or bool(re.match(r"^\s*\d+ \| ", line))
        )

    def close(self, context: Context) -> None:
        context.emit(diagnostic(self._message or "build step failed", self._place, tool="docker"))


def _open_docker(line: str, context: Context) -> Block | Opened | None:
    match = _DOCKER_FILE.match(line)
    if match:
        return _Docker(match["path"], int(match["line"]))
    parse = _DOCKER_PARSE.match(line)
    if parse:
        context.emit(
            diagnostic(
                parse["text"], RawFrame("Dockerfile", int(parse["line"])), tool="docker", kind=FailureKind.SYNTAX
            )
        )
        return DONE
    return None


_PSQL = late_pattern(
    r"^psql:(?P<path>[^\n:]{1,400}):(?P<line>\d{1,9}): (?P<level>ERROR|WARNING|FATAL|NOTICE|error):\s+(?P<text>.*)$"
)


_BAZEL = late_pattern(
    r"^(?P<level>ERROR|WARNING|FAILED|DEBUG): (?P<path>(?:[A-Za-z]:)?[^\s:][^\n:]{0,500}):(?P<line>\d{1,9})"
    r"(?::(?P<col>\d{1,9}))?: (?P<text>.*)$"
)


_HELM = late_pattern(
    r"(?:template: |execution error at \(|parse error at \(|error converting YAML.*? )"
    r"(?P<path>[\w./-]{1,300}\.\w{1,6}):(?P<line>\d{1,9})(?::(?P<col>\d{1,9}))?:? ?(?P<text>.*)$"
)


_NIX = late_pattern(r"^\s*(?:…\s)?at (?P<path>[^\s:«][^\n:]{0,400}\.nix):(?P<line>\d{1,9}):(?P<col>\d{1,9}):?$")


_CRYSTAL = late_pattern(
    r"^(?:In|Showing last frame.*|Error in|error in) (?P<path>[^\s:][^\n:]{0,300}\."
    r"(?:cr|ecr|proto|graphql)):(?P<line>\d{1,9})(?::(?P<col>\d{1,9}))?$"
)


_LATEX = late_pattern(r"^(?P<path>\.?/?[\w./-]{1,300}\.(?:tex|sty|cls|bib)):(?P<line>\d{1,9}): (?P<text>.*)$")


def _open_tool(line: str, context: Context) -> Block | Opened | None:
    for pattern in (_PSQL, _BAZEL, _HELM, _NIX, _CRYSTAL, _LATEX):
        match = pattern.search(line) if pattern is _HELM else pattern.match(line)
        if match:
            groups = match.groupdict()
            text = groups.get("text") or next((one.strip() for one in context.before if "rror" in one), line.strip())
            place = RawFrame(match["path"], int(match["line"]), int(groups["col"]) if groups.get("col") else None)
            context.emit(diagnostic(text, place, severity=severity_of(groups.get("level"))))
            return DONE
    return None


GRAMMARS = (
    Grammar(
        "cmake",
        "CMake with call stack",
        ("CMake",),
        "CMake Error at CMakeLists.txt:12 (add_library):",
        ("CMake ",),
        _open_cmake,
    ),
    Grammar(
        "terraform",
        "Terraform and OpenTofu",
        ("terraform", "tofu", "packer"),
        "on main.tf line 12, in resource",
        ("/ line \\d/",),
        _open_terraform,
    ),
    Grammar(
        "docker",
        "docker build",
        ("docker", "podman", "BuildKit"),
        "Dockerfile:12 … 12 | >>> RUN false",
        ("ockerfile", "ontainerfile:"),
        _open_docker,
    ),
    Grammar(
        "build-tool",
        "psql, Bazel, Helm, Nix, Crystal, LaTeX",
        ("psql", "Bazel", "Helm", "Nix", "Crystal", "LaTeX"),
        "ERROR: /app/BUILD:12:10: msg",
        (".sql:", "ERROR: ", "WARNING: ", ".yaml:", ".yml:", ".tpl:", ".nix:", ".cr:", ".tex:"),
        _open_tool,
    ),
)
