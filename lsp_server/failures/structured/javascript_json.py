"""JavaScript tools' JSON: Jest and Vitest, Mocha, Playwright, ESLint and its kin, Deno."""

from __future__ import annotations

from collections.abc import Mapping

from lsp_server.model.failure import FailureKind
from lsp_server.model.request import Severity

from ..drafts import Draft, RawFrame, Trace, diagnostic, severity_of
from .reading import Structure, TextReader, from_text
from .values import EMPTY, Json, at, listing, mapping, objects, string, whole


def _is_jest(value: Json) -> bool:
    rows = objects(mapping(value).get("testResults"))
    return bool(rows) and ("assertionResults" in rows[0] or "testResults" in rows[0] or "testFilePath" in rows[0])


def _read_jest(value: Json, read: TextReader) -> list[Draft]:
    drafts: list[Draft] = []
    for file in objects(mapping(value).get("testResults")):
        path = string(file.get("name") or file.get("testFilePath"))
        cases = objects(file.get("assertionResults") or file.get("testResults"))
        failed = [case for case in cases if string(case.get("status")) == "failed"]
        drafts.extend(_case(path, case, read) for case in failed)
        if not failed and string(file.get("status")) == "failed" and string(file.get("message")):
            draft = from_text(string(file.get("message")), read, test=path, tool="jest")
            draft.suite = path
            drafts.append(draft)
    return drafts


def _case(path: str, case: Mapping[str, Json], read: TextReader) -> Draft:
    name = string(case.get("fullName")) or " ".join(
        [*map(string, listing(case.get("ancestorTitles"))), string(case.get("title"))]
    )
    texts = [string(one) for one in listing(case.get("failureMessages"))]
    draft = from_text("\n\n".join(texts[:1]), read, test=name.strip(), tool="jest")
    draft.suite = path
    line = whole(at(case, "location", "line"))
    if not draft.frames() and line:
        draft.traces = [Trace("", [RawFrame(path, line, whole(at(case, "location", "column")) or None)])]
    return draft


def _is_mocha(value: Json) -> bool:
    top = mapping(value)
    return "failures" in top and "stats" in top and isinstance(top.get("failures"), list)


def _read_mocha(value: Json, read: TextReader) -> list[Draft]:
    drafts: list[Draft] = []
    for case in objects(mapping(value).get("failures")):
        error = mapping(case.get("err"))
        text = string(error.get("stack")) or string(error.get("message"))
        draft = from_text(
            text, read, message=string(error.get("message")), test=string(case.get("fullTitle")), tool="mocha"
        )
        draft.suite = string(case.get("file")) or None
        drafts.append(draft)
    return drafts


def _is_mocha_event(value: Json) -> bool:
    items = listing(value)
    return len(items) == 2 and items[0] in {"fail", "pass", "start", "end"} and bool(mapping(items[1]))


def _read_mocha_event(value: Json, read: TextReader) -> list[Draft]:
    event, case = listing(value)
    row = mapping(case)
    if event != "fail":
        return []
    text = string(row.get("stack")) or string(row.get("err"))
    draft = from_text(text, read, message=string(row.get("err")), test=string(row.get("fullTitle")), tool="mocha")
    draft.suite = string(row.get("file")) or None
    return [draft]


def _is_playwright(value: Json) -> bool:
    top = mapping(value)
    return "suites" in top and "config" in top


def _read_playwright(value: Json, read: TextReader) -> list[Draft]:
    waiting = objects(mapping(value).get("suites"))
    drafts = [
        from_text(string(error.get("stack")) or string(error.get("message")), read, tool="playwright")
        for error in objects(mapping(value).get("errors"))
    ]
    while waiting:
        suite = waiting.pop(0)
        waiting.extend(objects(suite.get("suites")))
        for spec in objects(suite.get("specs")):
            for test in objects(spec.get("tests")):
                for result in objects(test.get("results")):
                    drafts.extend(_playwright_result(suite, spec, result, read))
    return drafts


def _playwright_result(
    suite: Mapping[str, Json], spec: Mapping[str, Json], result: Mapping[str, Json], read: TextReader
) -> list[Draft]:
    if string(result.get("status")) not in {"failed", "timedOut"}:
        return []
    error = mapping(result.get("error")) or next(iter(objects(result.get("errors"))), EMPTY)
    draft = from_text(string(error.get("stack")) or string(error.get("message")), read, tool="playwright")
    draft.test, draft.suite = string(spec.get("title")), string(spec.get("file") or suite.get("file"))
    where = mapping(error.get("location"))
    if where and not draft.frames():
        draft.traces = [Trace("", [RawFrame(string(where.get("file")), whole(where.get("line")))])]
    if string(result.get("status")) == "timedOut":
        draft.kind = FailureKind.TIMEOUT
    return [draft]


def _is_eslint(value: Json) -> bool:
    rows = objects(value)
    if not rows:
        return False
    return ("filePath" in rows[0] and "messages" in rows[0]) or ("source" in rows[0] and "warnings" in rows[0])


def _read_eslint(value: Json, _read: TextReader) -> list[Draft]:
    drafts: list[Draft] = []
    for file in objects(value):
        path = string(file.get("filePath") or file.get("source"))
        for row in objects(file.get("messages") or file.get("warnings")):
            code = string(row.get("ruleId") or row.get("rule")) or None
            level = row.get("severity")
            severity = (
                severity_of(level)
                if isinstance(level, str)
                else (Severity.ERROR if whole(level) == 2 else Severity.WARNING)
            )
            message = string(row.get("message") or row.get("text"))
            line, end = whole(row.get("line")), whole(row.get("endLine"))
            spot = RawFrame(path, line, whole(row.get("column")) or None, end if end > line else None)
            kind = FailureKind.SYNTAX if row.get("fatal") is True else None
            drafts.append(diagnostic(message, spot, severity=severity, code=code, tool="eslint", kind=kind))
    return drafts


def _is_biome(value: Json) -> bool:
    rows = objects(mapping(value).get("diagnostics"))
    return bool(rows) and ("category" in rows[0] or "labels" in rows[0] or "range" in rows[0])


def _read_biome(value: Json, _read: TextReader) -> list[Draft]:
    """Biome, oxlint and deno lint: `diagnostics[]` with their own ways of naming a place."""
    drafts: list[Draft] = []
    for row in objects(mapping(value).get("diagnostics")):
        label = next(iter(objects(row.get("labels"))), EMPTY)
        path = (
            string(row.get("filename"))
            or string(at(row, "location", "path", "file"))
            or string(at(row, "location", "path"))
        )
        line = (
            whole(at(label, "span", "line"))
            or whole(at(row, "range", "start", "line"))
            or whole(at(row, "location", "start", "line"))
        )
        message = string(row.get("message")) or string(row.get("description"))
        code = string(row.get("code") or row.get("category")) or None
        if path and line:
            spot = RawFrame(path, line)
            drafts.append(diagnostic(message, spot, severity=severity_of(string(row.get("severity"))), code=code))
    return drafts


STRUCTURES = (
    Structure("jest-json", "jest --json, vitest --reporter=json", ("jest", "vitest"), _is_jest, _read_jest),
    Structure("mocha-json", "mocha --reporter json", ("mocha", "cypress"), _is_mocha, _read_mocha),
    Structure("mocha-events", "mocha --reporter json-stream", ("mocha",), _is_mocha_event, _read_mocha_event),
    Structure("playwright-json", "playwright --reporter=json", ("playwright",), _is_playwright, _read_playwright),
    Structure("eslint-json", "eslint -f json, stylelint -f json", ("eslint", "stylelint"), _is_eslint, _read_eslint),
    Structure("biome-json", "biome, oxlint and deno lint JSON", ("biome", "oxlint", "deno"), _is_biome, _read_biome),
)
