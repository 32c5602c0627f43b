"""Compilers' and linters' JSON: Cargo and rustc, GCC, go vet, golangci-lint, RSpec, RuboCop, PHPStan."""

from __future__ import annotations

from collections.abc import Mapping

from lsp_server.model.failure import FailureKind, Role
from lsp_server.model.request import Severity

from ..drafts import Draft, RawFrame, Trace, diagnostic, kind_of, severity_of
from .reading import Structure, TextReader
from .values import EMPTY, Json, at, listing, mapping, objects, string, whole


def _is_cargo(value: Json) -> bool:
    top = mapping(value)
    return string(top.get("reason")) in _CARGO_REASONS or string(top.get("$message_type")) == "diagnostic"


_CARGO_REASONS = {"compiler-message", "compiler-artifact", "build-script-executed", "build-finished"}


def _read_cargo(value: Json, _read: TextReader) -> list[Draft]:
    top = mapping(value)
    message = mapping(top.get("message")) if "reason" in top else top
    level = string(message.get("level"))
    if not message or level in {"failure-note", "note", "help"}:
        return []
    spans = objects(message.get("spans"))
    for child in objects(message.get("children")):
        if string(child.get("level")) == "note":
            spans = [*spans, *({**span, "is_primary": False} for span in objects(child.get("spans")))]
    places: list[RawFrame] = []
    related: list[RawFrame] = []
    for span in spans:
        spot = _span(span)
        if span.get("is_primary") is True:
            places.append(spot)
        else:
            spot.role = Role.RELATED
            if all(spot.path != place.path or spot.line != place.line for place in places):
                related.append(spot)
    text = string(message.get("message"))
    code = string(at(message, "code", "code")) or None
    if not places:
        return []
    draft = diagnostic(text, places[0], severity=severity_of(level), code=code, tool="rustc")
    draft.traces[0].frames = places
    draft.related = related
    return [draft]


def _span(span: Mapping[str, Json]) -> RawFrame:
    outer: Mapping[str, Json] = span
    for _ in range(16):
        expansion = mapping(at(outer, "expansion", "span"))
        if not expansion or not string(outer.get("file_name")).startswith(("/rustc", "<")):
            break
        outer = expansion
    line, end = whole(outer.get("line_start")), whole(outer.get("line_end"))
    text = next((string(one.get("text")) for one in objects(outer.get("text"))), None)
    return RawFrame(
        string(outer.get("file_name")), line, whole(outer.get("column_start")), end if end > line else None, text=text
    )


def _is_gcc(value: Json) -> bool:
    rows = objects(value)
    return bool(rows) and "kind" in rows[0] and "locations" in rows[0] and "message" in rows[0]


def _read_gcc(value: Json, _read: TextReader) -> list[Draft]:
    drafts: list[Draft] = []
    for row in objects(value):
        spot = _gcc_place(row)
        kind = string(row.get("kind"))
        if spot is None:
            continue
        if kind == "note" and drafts:
            spot.role = Role.RELATED
            drafts[-1].related.append(spot)
            continue
        code = string(row.get("option")) or None
        draft = diagnostic(string(row.get("message")), spot, severity=severity_of(kind), code=code, tool="gcc")
        for child in objects(row.get("children")):
            inner = _gcc_place(child)
            if inner is not None and (inner.path, inner.line) != (spot.path, spot.line):
                inner.role = Role.RELATED
                draft.related.append(inner)
        drafts.append(draft)
    return drafts


def _gcc_place(row: Mapping[str, Json]) -> RawFrame | None:
    caret = mapping(at(next(iter(objects(row.get("locations"))), EMPTY), "caret"))
    if not caret:
        return None
    return RawFrame(string(caret.get("file")), whole(caret.get("line")), whole(caret.get("column")) or None)


def _is_go_vet(value: Json) -> bool:
    top = mapping(value)
    if not top:
        return False
    inner = next(iter(top.values()))
    rows = objects(next(iter(mapping(inner).values()), None))
    return bool(rows) and "posn" in rows[0]


def _read_go_vet(value: Json, _read: TextReader) -> list[Draft]:
    drafts: list[Draft] = []
    for analyses in mapping(value).values():
        for name, rows in mapping(analyses).items():
            for row in objects(rows):
                path, _, rest = string(row.get("posn")).rpartition(":")
                path, _, line = (
                    path.rpartition(":")
                    if rest.isdecimal() and path.rpartition(":")[2].isdecimal()
                    else (path, "", rest)
                )
                if line.isdecimal():
                    drafts.append(
                        diagnostic(string(row.get("message")), RawFrame(path, int(line)), code=name, tool="go vet")
                    )
    return drafts


def _is_golangci(value: Json) -> bool:
    rows = objects(mapping(value).get("Issues"))
    return bool(rows) and "FromLinter" in rows[0]


def _read_golangci(value: Json, _read: TextReader) -> list[Draft]:
    return [
        diagnostic(
            string(row.get("Text")),
            RawFrame(
                string(at(row, "Pos", "Filename")),
                whole(at(row, "Pos", "Line")),
                whole(at(row, "Pos", "Column")) or None,
                text=next((string(line) for line in listing(row.get("SourceLines"))), None),
            ),
            severity=severity_of(string(row.get("Severity"))),
            code=string(row.get("FromLinter")) or None,
            tool="golangci-lint",
        )
        for row in objects(mapping(value).get("Issues"))
    ]


def _is_rspec(value: Json) -> bool:
    rows = objects(mapping(value).get("examples"))
    return bool(rows) and "status" in rows[0]


def _read_rspec(value: Json, _read: TextReader) -> list[Draft]:
    drafts: list[Draft] = []
    for row in objects(mapping(value).get("examples")):
        if string(row.get("status")) != "failed":
            continue
        error = mapping(row.get("exception"))
        frames: list[RawFrame] = []
        for line in listing(error.get("backtrace")):
            parts = string(line).split(":", 2)
            if len(parts[0]) == 1 and len(parts) == 3 and parts[1][:1] in "/\\":
                parts = [f"{parts[0]}:{parts[1]}", *parts[2].split(":", 1)]
            if len(parts) >= 2 and parts[1].isdecimal():
                frames.append(RawFrame(parts[0], int(parts[1][:9])))
        name = string(error.get("class"))
        message = " ".join(string(error.get("message")).split())
        message = message if "Expectation" in name else f"{name}: {message}"
        kind = FailureKind.ASSERTION if "Expectation" in name else kind_of(message)
        draft = Draft(message, kind, test=string(row.get("full_description")), tool="rspec")
        draft.traces = [Trace(message, frames)]
        draft.suite = string(row.get("file_path")) or None
        if not frames:
            draft.traces = [Trace(message, [RawFrame(string(row.get("file_path")), whole(row.get("line_number")))])]
        drafts.append(draft)
    return drafts


def _is_rubocop(value: Json) -> bool:
    rows = objects(mapping(value).get("files"))
    return bool(rows) and "offenses" in rows[0]


def _read_rubocop(value: Json, _read: TextReader) -> list[Draft]:
    return [
        diagnostic(
            string(row.get("message")),
            RawFrame(
                string(file.get("path")), whole(at(row, "location", "start_line")) or whole(at(row, "location", "line"))
            ),
            severity=severity_of(string(row.get("severity"))),
            code=string(row.get("cop_name")) or None,
            tool="rubocop",
        )
        for file in objects(mapping(value).get("files"))
        for row in objects(file.get("offenses"))
    ]


def _is_phpstan(value: Json) -> bool:
    files = mapping(mapping(value).get("files"))
    return bool(files) and "messages" in mapping(next(iter(files.values())))


def _read_phpstan(value: Json, _read: TextReader) -> list[Draft]:
    drafts: list[Draft] = []
    for path, file in mapping(mapping(value).get("files")).items():
        for row in objects(mapping(file).get("messages")):
            spot = RawFrame(path, whole(row.get("line")))
            code = string(row.get("identifier") or row.get("source")) or None
            severity = severity_of(string(row.get("type")).lower() or "error")
            drafts.append(diagnostic(string(row.get("message")), spot, severity=severity, code=code, tool="phpstan"))
    return drafts


def _is_code_climate(value: Json) -> bool:
    rows = objects(value) or [mapping(value)]
    return bool(rows) and "location" in rows[0] and ("check_name" in rows[0] or "fingerprint" in rows[0])


def _read_code_climate(value: Json, _read: TextReader) -> list[Draft]:
    drafts: list[Draft] = []
    for row in objects(value) or [mapping(value)]:
        where = mapping(row.get("location"))
        line = whole(at(where, "lines", "begin")) or whole(at(where, "positions", "begin", "line"))
        end = whole(at(where, "lines", "end"))
        spot = RawFrame(string(where.get("path")), line, end_line=end if end > line else None)
        level = string(row.get("severity"))
        severity = Severity.WARNING if level in {"minor", "info"} else Severity.ERROR
        code = string(row.get("check_name")) or None
        text = string(row.get("description")).removeprefix(f"{code}: ")
        drafts.append(diagnostic(text, spot, severity=severity, code=code))
    return drafts


STRUCTURES = (
    Structure(
        "cargo-json",
        "cargo --message-format json, rustc --error-format json",
        ("cargo", "rustc", "clippy"),
        _is_cargo,
        _read_cargo,
    ),
    Structure("gcc-json", "gcc -fdiagnostics-format=json", ("gcc", "g++"), _is_gcc, _read_gcc),
    Structure("go-vet-json", "go vet -json", ("go vet",), _is_go_vet, _read_go_vet),
    Structure("golangci-json", "golangci-lint JSON", ("golangci-lint",), _is_golangci, _read_golangci),
    Structure("rspec-json", "rspec -f json", ("rspec",), _is_rspec, _read_rspec),
    Structure("rubocop-json", "rubocop -f json", ("rubocop",), _is_rubocop, _read_rubocop),
    Structure("phpstan-json", "PHPStan and PHP_CodeSniffer JSON", ("phpstan", "phpcs"), _is_phpstan, _read_phpstan),
    Structure(
        "code-climate",
        "Code Climate and GitLab code quality",
        ("ruff", "GitLab", "eslint"),
        _is_code_climate,
        _read_code_climate,
    ),
)
