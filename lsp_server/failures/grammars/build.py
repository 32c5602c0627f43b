"""Builders and infrastructure: make, CMake, Bazel, Terraform, Docker, Helm, psql, CI annotations."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind
from lsp_server.text.late_pattern import late_pattern

from ..drafts import Draft, RawFrame, Trace, diagnostic, is_syntax, kind_of, severity_of
from ..grammar import DONE, Block, Context, Grammar, Opened

_DIRECTORY = late_pattern(
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


_MAKE_STOP = late_pattern(r"^\S*make(?:\[\d+\])?(?:\.exe)?: \*\*\* \[")
_MAKE_ERROR = late_pattern(r"^(?P<path>[^\s:][^\n:]{0,400}):(?P<line>\d{1,9}): \*\*\* (?P<text>.*)$")


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


_LINE_WORDS = late_pattern(
    r"(?:(?:in|at|of|file:?|On|in file) |^|[\s(])['\"]?(?P<path>"
    r"(?:[A-Za-z]:)?[\w./\\~@+-][\w./\\~@+ -]{0,300}?\.\w{1,8})['\"]?(?:,? |: ?|, at |\s?\()"
    r"(?:on |at )?[Ll]ine:? (?P<line>\d{1,9})(?:,? ?(?:[Cc]ol(?:umn)?|[Pp]osition|char(?:acter)?s?):? "
    r"(?P<col>\d{1,9}))?"
)
_OCAML = late_pattern(
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


_OCAML_FRAME = late_pattern(
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


GRAMMARS = (
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
        "ocaml",
        "OCaml compilers",
        ("ocamlc", "dune"),
        'File "bin/main.ml", line 3, characters 5-10:',
        ('File "',),
        _open_ocaml,
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
