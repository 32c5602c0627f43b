"""Failures as they may be shown: secrets masked, and nothing quoted from files that the privacy policy denies.

Messages, test names, printed source lines and frames all carry text of the workspace, so they obey the same
rules as the code itself.
"""

from __future__ import annotations

from lsp_server.model.failure import Failure, FailureReport, LibraryFrame, Location
from lsp_server.model.request import DiagnosticInput, FailureOutput, RelatedLocation
from lsp_server.model.values import replace
from lsp_server.workspace.privacy import PrivacyPolicy

WITHHELD = "message withheld: the privacy policy forbids showing this file"
"""Stands for the message of a failure in a denied file."""


def shown_output(output: FailureOutput, privacy: PrivacyPolicy) -> FailureOutput:
    """The raw output with private keys masked, line for line.

    Only the whole text shows where a key block begins; everything else is masked failure by failure, after
    colours and wrapping are gone.
    """
    data = output.data
    if isinstance(data, str):
        return replace(output, data=privacy.mask(data).text) if "PRIVATE KEY" in data else output
    if b"PRIVATE KEY" not in data:
        return output
    masked = privacy.mask(data.decode("utf-8", "surrogateescape")).text
    return replace(output, data=masked.encode("utf-8", "surrogateescape"))


def shown_diagnostic(diagnostic: DiagnosticInput, privacy: PrivacyPolicy) -> DiagnosticInput:
    """The diagnostic without what its message, or a related one, may quote from a denied file.

    Done before parsing: a denied file is not in the index, so afterwards nothing tells where a message was from.
    """
    related = tuple(_related(one, privacy) for one in diagnostic.related)
    if not privacy.denied(diagnostic.path):
        return replace(diagnostic, related=related)
    return replace(diagnostic, message=WITHHELD, code=None, related=related)


def _related(related: RelatedLocation, privacy: PrivacyPolicy) -> RelatedLocation:
    return replace(related, message="") if privacy.denied(related.path) else related


def shown_report(report: FailureReport, privacy: PrivacyPolicy) -> FailureReport:
    """The report with every failure as it may be shown."""
    return replace(report, failures=tuple(shown_failure(failure, privacy) for failure in report.failures))


def shown_failure(failure: Failure, privacy: PrivacyPolicy) -> Failure:
    """The failure with its texts masked; equal to `failure` when there is nothing to hide."""
    primary = failure.primary
    withheld = primary is not None and privacy.denied(primary.path)
    return replace(
        failure,
        message=WITHHELD if withheld else _shown(failure.message, privacy),
        code=None if failure.code is None else _shown(failure.code, privacy),
        test=None if failure.test is None else _shown(failure.test, privacy),
        locations=tuple(_location(location, privacy) for location in failure.locations),
        library_frames=tuple(_frame(frame, privacy) for frame in failure.library_frames),
    )


def _location(location: Location, privacy: PrivacyPolicy) -> Location:
    if privacy.denied(location.path):
        return replace(location, text=None, symbol=None)
    text = None if location.text is None else _shown(location.text, privacy)
    symbol = None if location.symbol is None else _shown(location.symbol, privacy)
    return replace(location, text=text, symbol=symbol)


def _frame(frame: LibraryFrame, privacy: PrivacyPolicy) -> LibraryFrame:
    symbol = None if frame.symbol is None else _shown(frame.symbol, privacy)
    return replace(frame, path=_shown(frame.path, privacy), symbol=symbol)


def _shown(text: str, privacy: PrivacyPolicy) -> str:
    return privacy.mask(text).text
