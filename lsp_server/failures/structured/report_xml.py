"""XML reports that are not JUnit's: Checkstyle and PMD style lint reports, TRX and NUnit test results."""

from __future__ import annotations

from lsp_server.model.request import Severity

from ..drafts import Draft, RawFrame, diagnostic, severity_of
from .reading import TextReader, from_text
from .xml_tree import Element


def read_checkstyle(root: Element, _text: TextReader) -> list[Draft]:
    """`<checkstyle><file name=…><error line= column= severity= message= source=/>` and PMD, SpotBugs' kin."""
    drafts: list[Draft] = []
    for file in root.all("file"):
        path = file.get("name") or file.get("path")
        for item in file.all("error", "violation", "warning", "issue"):
            line = item.get("line") or item.get("beginline")
            if not line.isdecimal():
                continue
            column = item.get("column") or item.get("begincolumn")
            message = item.get("message") or item.text.strip()
            draft = diagnostic(
                message,
                RawFrame(path, int(line[:9]), int(column[:9]) if column.isdecimal() else None),
                severity=severity_of(item.get("severity"), Severity.ERROR),
                code=(item.get("source") or item.get("rule")).rsplit(".", 1)[-1] or None,
                tool=root.tag,
            )
            drafts.append(draft)
    return drafts


def read_trx(root: Element, text: TextReader) -> list[Draft]:
    """Visual Studio's test results."""
    drafts: list[Draft] = []
    for result in root.all("UnitTestResult"):
        if result.get("outcome") not in {"Failed", "Error", "Timeout"}:
            continue
        message = result.first("Message")
        stack = result.first("StackTrace")
        said = message.text.strip() if message else ""
        drafts.append(
            from_text(stack.text if stack else said, text, message=said, test=result.get("testName"), tool="trx")
        )
    return drafts


def read_nunit(root: Element, text: TextReader) -> list[Draft]:
    """NUnit 3 and xUnit v2 result files."""
    drafts: list[Draft] = []
    for case in root.all("test-case", "test"):
        if case.get("result") not in {"Failed", "Fail", "Failure", "Error"}:
            continue
        message, stack = case.first("message"), case.first("stack-trace")
        said = message.text.strip() if message else ""
        name = case.get("fullname") or case.get("name")
        drafts.append(from_text(stack.text if stack else said, text, message=said, test=name, tool="nunit"))
    return drafts


XML_READERS = {
    "checkstyle": read_checkstyle,
    "pmd": read_checkstyle,
    "pmd-cpd": read_checkstyle,
    "TestRun": read_trx,
    "test-run": read_nunit,
    "test-results": read_nunit,
    "assemblies": read_nunit,
    "assembly": read_nunit,
    "issues": read_checkstyle,
}
