"""JUnit XML of every runner: the stack text decides; attributes only when it says nothing."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind
from lsp_server.text.late_pattern import late_pattern

from ..drafts import Draft, RawFrame, Trace, diagnostic, kind_of, severity_of
from .reading import TextReader, from_text
from .xml_tree import Element

_LINE_COLUMN = late_pattern(r"^line (\d{1,9}), col (\d{1,9})")
_BARE_PLACE = late_pattern(r"^\s*(?P<path>\S[^\n:]{0,500}\.\w{1,8}):(?P<line>\d{1,9})(?::\d{1,9})?\s*$", re.MULTILINE)


def accepts(root: Element) -> bool:
    """True for the root of a JUnit report."""
    return root.tag in {"testsuites", "testsuite"}


def read(root: Element, text: TextReader) -> list[Draft]:
    """One draft for each failed test case (and each suite-level error)."""
    drafts: list[Draft] = []
    for suite in [root, *root.all("testsuite")]:
        for case in suite.children:
            if case.tag == "testcase":
                drafts.extend(_case(suite, case, text))
            elif case.tag in {"failure", "error"}:
                drafts.append(_failure(suite, Element("testcase", {"name": suite.get("name")}), case, text))
    return drafts


def _case(suite: Element, case: Element, text: TextReader) -> list[Draft]:
    return [
        _failure(suite, case, one, text)
        for one in case.children
        if one.tag in {"failure", "error", "rerunFailure", "rerunError"}
    ]


def _failure(suite: Element, case: Element, failure: Element, text: TextReader) -> Draft:
    message, body, error = failure.get("message"), failure.text, failure.get("type")
    lint = _lint(suite, case, message or body.strip())
    if lint is not None:
        return lint
    name = case.get("name")
    class_name = case.get("classname") or case.get("class")
    draft = from_text(body, text, test=name, tool="junit")
    if not draft.frames() and message:
        inner = from_text(message, text)
        draft.traces, draft.related = inner.traces, inner.related
    if not draft.frames():
        draft.traces = [Trace("", [RawFrame(m["path"], int(m["line"])) for m in _BARE_PLACE.finditer(body)])]
    head = message or draft.message or body.strip()
    draft.message = (
        f"{error}: {head}" if error and error.split(".")[-1] not in head and failure.tag == "error" else head
    )
    draft.kind = _kind(failure, error, head, draft.kind)
    draft.suite = case.get("file") or (suite.get("file") if not class_name else "") or class_name or suite.get("name")
    if class_name and "/" not in class_name and name:
        draft.test = f"{class_name}.{name}"
    return draft


def _kind(failure: Element, error: str, message: str, found: FailureKind) -> FailureKind:
    if message.startswith("failed on setup with"):
        return FailureKind.SETUP
    said = kind_of(f"{error}: {message}")
    if said is not FailureKind.EXCEPTION:
        return said
    thrown = re.match(r"[\w.\\:]*(?<!Assertion)(?:Error|Exception|ExceptionGroup)\b", error or message)
    if failure.tag == "failure" and not thrown:
        return FailureKind.ASSERTION
    return FailureKind.EXCEPTION if found is FailureKind.DIAGNOSTIC else found


def _lint(suite: Element, case: Element, message: str) -> Draft | None:
    """Linters' JUnit: the file is the suite or the class, the line an attribute or in the text."""
    said = _LINE_COLUMN.match(case.children[-1].text.strip()) if case.children else None
    path = next(
        (one for one in (case.get("file"), suite.get("name"), case.get("classname")) if "/" in one or "." in one), ""
    )
    package = suite.get("package") or suite.get("hostname")
    if not path or not (said or package.startswith("org.")):
        return None
    line = int(said[1]) if said else int(case.get("line") or 0)
    if not line:
        return None
    column = int(said[2]) if said else None
    severity = next((p.get("value") for p in case.all("property") if p.get("name") == "severity"), "error")
    code = case.get("name").removeprefix(package + ".").rsplit("/", 1)[-1] or None
    return diagnostic(message, RawFrame(path, line, column), severity=severity_of(severity), code=code, tool=package)
