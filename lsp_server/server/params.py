"""Reading the params of our own requests: places in the client's terms, and fields that must be there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from ..context.raw_fields import Fields, shown
from ..model.errors import RangeError, RequestError
from ..model.lines import LineRange
from ..model.values import Value
from ..session.session import Session
from ..session.settings import Settings
from ..text.positions import (
    PositionEncoding,
    WirePosition,
    WireRange,
    character_of,
    column_of,
    line_range_of,
)
from ..workspace.paths import fold_path

if TYPE_CHECKING:
    from ..context.looking import Scope
    from ..context.raw_request import Spot

MAX_LINE = 2**31 - 1


def fields_of(params: object) -> Fields:
    """The params as fields; absent params are an empty object."""
    return Fields({} if params is None else params, "")


def required_text(fields: Fields, name: str) -> str:
    """A string that must be there and not be blank."""
    value = fields.text(name)
    if value is None or not value.strip():
        raise RequestError(fields.path(name), "is missing" if value is None else "must not be blank")
    return value


def bounded(fields: Fields, name: str, default: int, most: int) -> int:
    """A whole number from 1 to `most`."""
    value = fields.whole(name)
    if value is None:
        return default
    if not 1 <= value <= most:
        raise RequestError(fields.path(name), f"must be between 1 and {most}, got {value}")
    return value


def scope_of(fields: Fields) -> Scope:
    """The `include` and `exclude` globs."""
    from ..context.looking import Scope

    return Scope(fields.texts("include"), fields.texts("exclude"))


def optional_path(fields: Fields, places: ClientPlaces) -> str | None:
    """A document given as `uri`, or as workspace-relative `path`; None when neither is there."""
    uri = fields.text("uri")
    if uri is not None:
        if not uri:
            raise RequestError(fields.path("uri"), "must not be empty")
        return places.path(uri)
    path = fields.text("path")
    if path is None:
        return None
    try:
        return fold_path(path)
    except RequestError as error:
        raise type(error)(fields.path("path"), error.problem) from None


def optional_lines(fields: Fields, path: str | None, places: ClientPlaces) -> LineRange | None:
    """Lines given as `lines` (1-based, closed) or as an LSP `range`; None when neither is there."""
    lines = fields.object("lines")
    if lines is not None:
        try:
            return LineRange(cast(int, lines.get("start")), cast(int, lines.get("end")))
        except RangeError as error:
            raise error.below(lines.at) from None
    span = fields.get("range")
    if span is None:
        return None
    try:
        return places.spot(path or "", span).range
    except RequestError as error:
        raise error.below(fields.path("range")) from None


def wire_position(value: object, at: str) -> WirePosition:
    """An LSP position; raises RangeError naming the field."""
    if not isinstance(value, Mapping):
        raise RangeError(at, f"must be a position, got {shown(value)}")
    numbers: list[int] = []
    for name in ("line", "character"):
        number = cast(Mapping[str, object], value).get(name)
        where = f"{at}.{name}" if at else name
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= MAX_LINE:
            raise RangeError(where, f"must be a whole number >= 0, got {shown(number)}")
        numbers.append(number)
    return WirePosition(numbers[0], numbers[1])


def wire_range(value: object, at: str = "") -> WireRange:
    """An LSP range; raises RangeError naming the field, for a backwards one too."""
    if not isinstance(value, Mapping):
        raise RangeError(at, f"must be a range, got {shown(value)}")
    ends = cast(Mapping[str, object], value)
    prefix = f"{at}." if at else ""
    start, end = wire_position(ends.get("start"), prefix + "start"), wire_position(ends.get("end"), prefix + "end")
    if end < start:
        raise RangeError(prefix + "end", "is before start")
    return WireRange(start, end)


class ClientPlaces(Value):
    """URIs and LSP positions of one client, as core values (a `RawPlaces`)."""

    session: Session
    encoding: PositionEncoding

    def path(self, uri: str) -> str:
        """Canonical path or key of a document."""
        if not uri:
            raise RequestError("", "must not be empty")
        return self.session.key_of(uri)

    def spot(self, path: str, range: object) -> Spot:
        """Lines and column of an LSP range or position."""
        from ..context.raw_request import Spot

        if isinstance(range, Mapping) and "line" in range:
            start = end = wire_position(cast(object, range), "")
        else:
            found = wire_range(cast(object, range))
            start, end = found.start, found.end
        lines = line_range_of(WireRange(start, end))
        document = self.session.documents.by_key(path)
        if document is None:
            return Spot(lines, start.character + 1)
        return Spot(lines, column_of(document.table.line(lines.start), start.character, self.encoding) + 1)

    def columns(self, line: str) -> int:
        """Length of a line in the client's code units."""
        return character_of(line, len(line), self.encoding)


def with_defaults(params: object, settings: Settings) -> object:
    """A build request with the settings in place of what it leaves out."""
    if not isinstance(params, Mapping):
        return params
    raw: dict[str, Any] = dict(cast(Mapping[str, Any], params))
    budget = raw.get("budget")
    if budget is None or isinstance(budget, Mapping):
        held = _without_nulls(cast(object, budget))
        if "maxTokens" not in held and "maxChars" not in held:
            held["maxTokens"] = settings.budget_max_tokens
        raw["budget"] = {"stop": settings.budget_stop, **held}
    render = raw.get("render")
    if render is None or isinstance(render, Mapping):
        raw["render"] = {
            "format": settings.render_format,
            "lineNumbers": settings.render_line_numbers,
            **_without_nulls(cast(object, render)),
        }
    for name, value in (
        ("policy", settings.policy or None),
        ("includeWarnings", settings.include_warnings),
        ("includeRules", settings.rules),
    ):
        if raw.get(name) is None:
            raw[name] = value
    output: object = raw.get("failureOutput")
    if isinstance(output, (str, dict)):  # one output need not be wrapped in a list
        output = [cast(object, output)]
    if isinstance(output, list):
        entries = cast(list[object], output)
        raw["failureOutput"] = [{"text": entry} if isinstance(entry, str) else entry for entry in entries]
    return raw


def _without_nulls(value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        return {}
    return {str(name): entry for name, entry in cast(Mapping[object, Any], value).items() if entry is not None}
