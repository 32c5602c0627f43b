"""Builders and infrastructure: make, CMake, Bazel, Terraform, Docker, Helm, psql, CI annotations."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind
from lsp_server.model.request import Severity

from ..drafts import Draft, RawFrame, Trace, diagnostic, is_syntax, kind_of, severity_of
from ..grammar import DONE, Block, Context, Grammar, Opened
from . import javascript

_DIRECTORY = re.compile(
    r"^\S*make(?:\[\d+\])?(?:\.exe)?: (?P<word>Entering|Leaving) directory [`'\"](?P<path>[^'\"\n]{1,800})['\"]"
)


def _open_directory(line: str, context: Context) -> Block | Opened | None:
    match = _DIRECTORY.match(line)
    if match is None:
        return None
    if match["word"] == "Entering":
        if len(context.directories) < 100:
            context.directories.append(match["path"])
    elif match["path"] in context.directories:
        while context.directories and context.directories.pop() != match["path"]:
            pass
    return DONE


_MAKE_STOP = re.compile(r"^\S*make(?:\[\d+\])?(?:\.exe)?: \*\*\* \[")
_MAKE_ERROR = re.compile(r"^(?P<path>[^\s:][^\n:]{0,400}):(?P<line>\d{1,9}): \*\*\* (?P<text>.*)$")


def _open_make(line: str, context: Context) -> Block | Opened | None:
    """`make: *** [Makefile:4: main.o] Error 1` is where a recipe stands, not where it failed."""
    if _MAKE_STOP.match(line):
        return DONE
    match = _MAKE_ERROR.match(line)
    if match is None:
        return None
    place = RawFrame(match["path"], int(match["line"]), bases=context.bases)
    context.emit(diagnostic(match["text"], place, tool="make", kind=FailureKind.SYNTAX))
    return DONE


_CMAKE = re.compile(
    r"^CMake (?P<level>Error|Warning|Deprecation Warning)(?: \(dev\))? (?:at|in) (?P<path>[^\n:]{1,500}):"
    r"(?P<line>\d{1,9})(?::EOF)?(?: \((?P<name>[\w]{1,80})\))?:?(?P<text>.*)$"
)
_CMAKE_CALL = re.compile(r"^  (?P<path>[^\s:][^\n:]{0,500}):(?P<line>\d{1,9}) \((?P<name>\w{1,80})\)$")


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


_TERRAFORM = re.compile(
    r"^[\s│|╷]*on (?P<path>[^\n]{1,400}?) line (?P<line>\d{1,9})(?:, in (?P<name>[^\n]{1,200}?))?:?\s*$"
)
_TERRAFORM_SOURCE = re.compile(r"^[\s│|]*(?P<line>\d{1,9}): (?P<text>.*)$")


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


_DOCKER_FILE = re.compile(r"^(?P<path>[\w./-]{0,300}(?:Dockerfile|Containerfile)[\w.-]{0,80}):(?P<line>\d{1,9})$")
_DOCKER_LINE = re.compile(r"^\s*(?P<line>\d{1,9}) \| >>> (?P<text>.*)$")
_DOCKER_PARSE = re.compile(
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


_LINE_WORDS = re.compile(
    r"(?:(?:in|at|of|file:?|On|in file) |^|[\s(])['\"]?(?P<path>"
    r"(?:[A-Za-z]:)?[\w./\\~@+-][\w./\\~@+ -]{0,300}?\.\w{1,8})['\"]?(?:,? |: ?|, at |\s?\()"
    r"(?:on |at )?[Ll]ine:? (?P<line>\d{1,9})(?:,? ?(?:[Cc]ol(?:umn)?|[Pp]osition|char(?:acter)?s?):? "
    r"(?P<col>\d{1,9}))?"
)
_OCAML = re.compile(
    r'^File "(?P<path>[^"\n]{1,500})", lines? (?P<line>\d{1,9})(?:-(?P<end>\d{1,9}))?'
    r"(?:, characters? (?P<col>\d{1,9})(?:-\d{1,9})?)?:$"
)


class _Ocaml:
    def __init__(self, place: RawFrame) -> None:
        self._place = place
        self._seen = 0
        self._emitted = False

    def feed(self, line: str, context: Context) -> bool:
        self._seen += 1
        source = re.match(r"^\s*(?P<line>\d{1,9}) \| ?(?P<text>.*)$", line)
        said = re.match(
            r"^(?P<level>Error|Warning|Alert)(?: (?P<code>\d+ \[[\w-]+\]|\w+))?(?: \([^)\n]*\))?: (?P<text>.*)$", line
        )
        if said:
            context.emit(
                diagnostic(
                    said["text"], self._place, severity=severity_of(said["level"]), code=said["code"], tool="ocaml"
                )
            )
            self._emitted = True
            return True
        if source and int(source["line"]) == self._place.line:
            self._place.text = source["text"].strip()
        return not self._emitted and self._seen < 30

    def close(self, context: Context) -> None:
        if not self._emitted:
            context.emit(diagnostic("", self._place, tool="ocaml"))


def _open_ocaml(line: str, _context: Context) -> Block | Opened | None:
    match = _OCAML.match(line)
    if match is None:
        return None
    return _Ocaml(RawFrame(match["path"], int(match["line"]), int(match["col"] or 0) + 1))


_OCAML_FRAME = re.compile(
    r"^(?:Fatal error: .*|Raised (?:at|by primitive operation at)|Called from|Re-raised at) "
    r"(?P<name>.{1,200}?) in file \"(?P<path>[^\"\n]{1,400})\"(?: \(inlined\))?, lines? (?P<line>\d{1,9})"
)


def _open_line_words(line: str, context: Context) -> Block | Opened | None:
    """`… in "x.yml", line 12, column 3`: YAML, Jinja, Ansible, XML and template engines; exact files only."""
    frame = _OCAML_FRAME.match(line)
    match = frame or _LINE_WORDS.search(line)
    if match is None:
        return None
    text = line.strip(" #*|")
    column = match.groupdict().get("col")
    place = RawFrame(match["path"].strip(), int(match["line"]), int(column) if column else None, weak=frame is None)
    last = context.last
    if frame and last is not None and last.tool == "ocaml-trace":
        last.traces[-1].frames.append(place)
        return DONE
    message = next(
        (one.strip() for one in context.before[:3] if re.search(r"[Ee]rror|[Ff]ail|[Ee]xception|ERROR", one)), ""
    )
    kind = FailureKind.SYNTAX if is_syntax(message or text) else kind_of(message or text, FailureKind.DIAGNOSTIC)
    draft = Draft(message or text, kind, tool="ocaml-trace" if frame else "", traces=[Trace(text, [place])])
    draft.weak = frame is None
    context.emit(draft)
    return DONE


_COMMAND = re.compile(r"^\s*::(?P<level>error|warning|notice)(?: (?P<properties>[^\n]*?))?::(?P<text>.*)$")
_AZURE = re.compile(r"^##vso\[task\.logissue (?P<properties>[^\]\n]*)\](?P<text>.*)$")
_TEAMCITY = re.compile(r"^\s*##teamcity\[(?P<name>testFailed|inspection|buildProblem) (?P<properties>.*)\]\s*$")
_DATA = {"%0A": "\n", "%0D": "", "%25": "%", "%2C": ",", "%3A": ":"}


def _open_annotation(line: str, context: Context) -> Block | Opened | None:
    command, azure, city = _COMMAND.match(line), _AZURE.match(line), _TEAMCITY.match(line)
    if command:
        return _command(
            command["level"], _properties(command["properties"] or "", ","), _decoded(command["text"]), context
        )
    if azure:
        given = _properties(azure["properties"], ";")
        values = {
            "file": given.get("sourcepath", ""),
            "line": given.get("linenumber", ""),
            "col": given.get("columnnumber", ""),
            "title": given.get("code", ""),
        }
        return _command(given.get("type", "error"), values, _decoded(azure["text"]), context)
    if city:
        return _teamcity(city["properties"], context)
    return None


def _properties(text: str, separator: str) -> dict[str, str]:
    found: dict[str, str] = {}
    key = ""
    for part in text.split(separator):
        name, equals, value = part.partition("=")
        if equals and re.match(r"^\s*\w+$", name):
            key = name.strip()
            found[key] = _decoded(value)
        elif key:
            found[key] += separator + part
    return found


def _decoded(text: str) -> str:
    for code, character in _DATA.items():
        text = text.replace(code, character)
    return text


def _command(level: str, values: dict[str, str], text: str, context: Context) -> Opened:
    path, number = values.get("file", ""), values.get("line", "")
    title = values.get("title") or None
    frames = [found for one in text.split("\n") if (found := javascript.frame(one)) is not None]
    test = title.split(" > ", 1)[1] if title and " > " in title else None
    message = text.split("\n\n")[0] if frames else text
    severity = severity_of({"notice": "info"}.get(level, level))
    if path and number.isdecimal():
        column = values.get("col") or values.get("column") or ""
        place = RawFrame(path, int(number[:9]), int(column[:9]) if column.isdecimal() else None)
        if not any(one.line == place.line and javascript.same_file(one.path, path) for one in frames):
            frames.insert(0, place)
    kind = kind_of(message, FailureKind.EXCEPTION if test else FailureKind.DIAGNOSTIC)
    if frames or message:
        draft = Draft(
            message.split("\n")[0] if test else message,
            kind,
            severity,
            None if test else title,
            test,
            "annotation",
            [Trace(message, frames)],
        )
        if frames:
            context.emit(draft)
    return DONE


_CITY_VALUE = re.compile(r"(?P<key>\w+)='(?P<value>(?:[^'|\n]|\|.)*)'")
_CITY_ESCAPE = {"|n": "\n", "|r": "", "|'": "'", "|[": "[", "|]": "]", "||": "|"}


def _teamcity(text: str, context: Context) -> Opened:
    values = {
        match["key"]: re.sub(r"\|[nr'\[\]|]", lambda m: _CITY_ESCAPE[m[0]], match["value"])
        for match in _CITY_VALUE.finditer(text)
    }
    path, number = values.get("file") or values.get("sourcepath") or "", values.get("line", "")
    message = values.get("message") or values.get("description") or ""
    if path and number.isdecimal():
        severity = severity_of(values.get("SEVERITY"))
        context.emit(
            diagnostic(
                message, RawFrame(path, int(number[:9])), severity=severity, code=values.get("typeId"), tool="teamcity"
            )
        )
        return DONE
    frames: list[RawFrame] = []
    for one in values.get("details", "").split("\n"):
        found = javascript.frame(one) or _any_frame(one)
        if found is not None:
            frames.append(found)
    name = values.get("name")
    context.emit(
        Draft(
            message,
            kind_of(message, FailureKind.ASSERTION),
            test=name,
            tool="teamcity",
            traces=[Trace(message, frames)],
        )
    )
    return DONE


def _any_frame(line: str) -> RawFrame | None:
    from . import jvm, native, python

    found = jvm.frame(line) or native.dotnet_frame(line)
    if found is not None:
        return found
    match = python.FRAME.match(line) or re.match(
        r"^\s*(?P<path>[^\s:()][^\n:()]{0,400}\.\w{1,6}):(?P<line>\d{1,9})\s*$", line
    )
    return RawFrame(match["path"], int(match["line"])) if match else None


_PSQL = re.compile(
    r"^psql:(?P<path>[^\n:]{1,400}):(?P<line>\d{1,9}): (?P<level>ERROR|WARNING|FATAL|NOTICE|error):\s+(?P<text>.*)$"
)
_BAZEL = re.compile(
    r"^(?P<level>ERROR|WARNING|FAILED|DEBUG): (?P<path>(?:[A-Za-z]:)?[^\s:][^\n:]{0,500}):(?P<line>\d{1,9})"
    r"(?::(?P<col>\d{1,9}))?: (?P<text>.*)$"
)
_HELM = re.compile(
    r"(?:template: |execution error at \(|parse error at \(|error converting YAML.*? )"
    r"(?P<path>[\w./-]{1,300}\.\w{1,6}):(?P<line>\d{1,9})(?::(?P<col>\d{1,9}))?:? ?(?P<text>.*)$"
)
_NIX = re.compile(r"^\s*(?:…\s)?at (?P<path>[^\s:«][^\n:]{0,400}\.nix):(?P<line>\d{1,9}):(?P<col>\d{1,9}):?$")
_CRYSTAL = re.compile(
    r"^(?:In|Showing last frame.*|Error in|error in) (?P<path>[^\s:][^\n:]{0,300}\."
    r"(?:cr|ecr|proto|graphql)):(?P<line>\d{1,9})(?::(?P<col>\d{1,9}))?$"
)
_LATEX = re.compile(r"^(?P<path>\.?/?[\w./-]{1,300}\.(?:tex|sty|cls|bib)):(?P<line>\d{1,9}): (?P<text>.*)$")


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
        "annotation",
        "CI annotations",
        ("GitHub Actions", "Azure Pipelines", "TeamCity"),
        "::error file=src/x.py,line=12::msg",
        ("::error", "::warning", "::notice", "##vso[", "##teamcity["),
        _open_annotation,
    ),
    Grammar(
        "make",
        "make's directories and stops",
        ("make",),
        "make: Entering directory '/app/src'",
        (" directory '", " directory `"),
        _open_directory,
    ),
    Grammar(
        "make-stop",
        "make's own errors",
        ("make",),
        "Makefile:12: *** missing separator.  Stop.",
        (": *** ",),
        _open_make,
    ),
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
        "ocaml",
        "OCaml compilers",
        ("ocamlc", "dune"),
        'File "bin/main.ml", line 3, characters 5-10:',
        ('File "',),
        _open_ocaml,
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
LAST = (
    Grammar(
        "line-words",
        "file, the word line, a number",
        ("YAML", "Jinja", "Ansible", "XML", "OCaml"),
        'in "x.yml", line 12, column 3',
        ("/[Ll]ine:? \\d/",),
        _open_line_words,
    ),
)
