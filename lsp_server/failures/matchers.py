"""User patterns: VS Code's problemMatcher JSON and GitHub Actions' matchers, with one extra key `role`.

Source of the format: VS Code, "Tasks" appendix, ProblemMatcher; actions/toolkit, problem-matchers.md. Patterns run on a
time-limited engine: one that takes longer than TIMEOUT on a line is dropped for the rest of the output.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from lsp_server.model.errors import SettingError
from lsp_server.model.failure import FailureKind, Role
from lsp_server.model.request import Severity
from lsp_server.model.values import Value, replace

from .drafts import Draft, RawFrame, Trace, is_syntax, severity_of
from .grammar import Context

TIMEOUT = 0.05
"""Seconds a user pattern may take on one line."""
MAX_PATTERN = 2_000
MAX_MATCHERS = 200

_GROUPS = ("file", "location", "line", "column", "endLine", "endColumn", "code", "severity", "message", "fromPath")
_SEVERITIES = {
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "info": Severity.INFORMATION,
    "hint": Severity.HINT,
}


class LinePattern(Value):
    """One line's pattern and the numbers of its groups; `loop` repeats the last pattern of several."""

    regexp: Any
    groups: Mapping[str, int]
    kind: str = "location"
    loop: bool = False


class Matcher(Value):
    """One problem matcher. `bases` are the folders its relative files start from."""

    name: str
    patterns: tuple[LinePattern, ...]
    severity: Severity = Severity.ERROR
    bases: tuple[str, ...] = ()
    role: Role = Role.PRIMARY
    source: str = ""


class UserMatchers(Value):
    """Matchers in the order in which they are tried: more lines first, then as given."""

    matchers: tuple[Matcher, ...] = ()

    def session(self) -> MatcherSession | None:
        """A fresh reader for one output; None without matchers."""
        return MatcherSession(self.matchers) if self.matchers else None


def load_matchers(value: object, shipped: Mapping[str, object] | None = None, path: str = "matchers") -> UserMatchers:
    """Matchers of `value`: a list of problemMatcher objects or `$name` references, one such, or a GitHub
    Actions file (`{"problemMatcher": [...]}`). Raises SettingError naming the culprit.
    """
    inner = _of_file(value)
    if inner is not None:
        path = f"{path}.problemMatcher"
    items = _as_list(value if inner is None else inner)
    if len(items) > MAX_MATCHERS:
        raise SettingError(path, f"at most {MAX_MATCHERS} matchers")
    known = dict(shipped or {})
    loaded: list[Matcher] = []
    for number, item in enumerate(items):
        loaded.extend(_load(item, known, f"{path}[{number}]", frozenset()))
    loaded.sort(key=lambda matcher: -len(matcher.patterns))
    return UserMatchers(tuple(loaded))


def _of_file(value: object) -> object:
    """The matchers of a GitHub Actions file; None when `value` is none."""
    return cast("Mapping[str, object]", value).get("problemMatcher") if isinstance(value, dict) else None


def _as_list(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else [value]


def _load(item: object, known: dict[str, object], path: str, seen: frozenset[str]) -> list[Matcher]:
    if isinstance(item, str):
        return _reference(item, known, path, seen)
    if not isinstance(item, dict):
        raise SettingError(path, "must be an object or a $name")
    given = cast("Mapping[str, object]", item)
    base: list[Matcher] = []
    if isinstance(given.get("base"), str):
        base = _reference(str(given["base"]), known, f"{path}.base", seen)
    name = str(given.get("name") or given.get("owner") or (base[0].name if base else path))
    if "pattern" in given:
        patterns = _patterns(given["pattern"], known, f"{path}.pattern", seen)
    elif base:
        patterns = base[0].patterns
    else:
        raise SettingError(f"{path}.pattern", "is missing")
    severity = _severity(given.get("severity"), base[0].severity if base else Severity.ERROR, f"{path}.severity")
    bases = (
        _bases(given.get("fileLocation"), f"{path}.fileLocation")
        if "fileLocation" in given
        else (base[0].bases if base else ())
    )
    role = _role(given.get("role"), f"{path}.role")
    matcher = Matcher(name, patterns, severity, bases, role, str(given.get("source") or given.get("owner") or ""))
    if isinstance(given.get("name"), str):
        known["$" + str(given["name"])] = matcher
    return [matcher]


def _reference(name: str, known: dict[str, object], path: str, seen: frozenset[str]) -> list[Matcher]:
    if name in seen:
        raise SettingError(path, f"{name} refers to itself")
    found = known.get(name)
    if found is None:
        raise SettingError(path, f"unknown matcher {name}")
    if isinstance(found, Matcher):
        return [found]
    items = _as_list(found)
    loaded = [one for item in items for one in _load(item, known, path, seen | {name})]
    return [replace(one, name=name.lstrip("$")) for one in loaded]


def _patterns(value: object, known: dict[str, object], path: str, seen: frozenset[str]) -> tuple[LinePattern, ...]:
    if isinstance(value, str):
        return _reference(value, known, path, seen)[0].patterns
    items = _as_list(value)
    if not items or len(items) > 20:
        raise SettingError(path, "must have 1 to 20 patterns")
    loaded: list[LinePattern] = []
    for number, item in enumerate(items):
        at = f"{path}[{number}]" if isinstance(value, list) else path
        if not isinstance(item, dict):
            raise SettingError(at, "must be an object")
        loaded.append(_pattern(cast("Mapping[str, object]", item), at))
    if any(one.loop for one in loaded[:-1]):
        raise SettingError(path, "only the last pattern may loop")
    if len(items) == 1 and loaded[0].loop:
        raise SettingError(path, "a single pattern cannot loop")
    return tuple(loaded)


def _pattern(item: Mapping[str, object], path: str) -> LinePattern:
    import regex  # few projects have patterns of their own

    text = item.get("regexp")
    if not isinstance(text, str) or not text or len(text) > MAX_PATTERN:
        raise SettingError(f"{path}.regexp", f"must be a pattern of at most {MAX_PATTERN} characters")
    try:
        compiled = regex.compile(_from_javascript(text))
    except (regex.error, RecursionError, OverflowError) as error:
        raise SettingError(f"{path}.regexp", f"is no valid pattern: {error}") from None
    groups: dict[str, int] = {}
    for name in _GROUPS:
        number = item.get(name)
        if number is None:
            continue
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= compiled.groups:
            raise SettingError(f"{path}.{name}", f"must be the number of a group, 0 to {compiled.groups}")
        groups[name] = number
    return LinePattern(compiled, groups, str(item.get("kind") or "location"), item.get("loop") is True)


def _from_javascript(text: str) -> str:
    """JavaScript's syntax where Python's differs: named groups, `[^]`, `\\/`, `\\uXXXX`."""
    text = re.sub(r"\(\?<(?![=!])", "(?P<", text)
    text = text.replace("[^]", r"[\s\S]").replace(r"\/", "/")
    text = re.sub(r"\\u\{?([0-9A-Fa-f]{4,6})\}?", lambda match: re.escape(chr(min(int(match[1], 16), 0x10FFFF))), text)
    return "(?V0)" + text


def _severity(value: object, otherwise: Severity, path: str) -> Severity:
    if value is None:
        return otherwise
    found = _SEVERITIES.get(str(value).lower()) or ({"notice": Severity.INFORMATION}.get(str(value).lower()))
    if found is None:
        raise SettingError(path, f"must be one of {', '.join(_SEVERITIES)}")
    return found


def _role(value: object, path: str) -> Role:
    if value is None:
        return Role.PRIMARY
    if value not in {"frame", "related"}:
        raise SettingError(path, "must be frame or related")
    return Role.FRAME if value == "frame" else Role.RELATED


def _bases(value: object, path: str) -> tuple[str, ...]:
    """`absolute`, `relative`, `autoDetect` or `[kind, folder]`; `${workspaceFolder}` is the workspace's root."""
    kind, folder = value, ""
    if isinstance(value, list):
        parts = cast("list[object]", value)
        kind = parts[0] if parts else None
        second = parts[1] if len(parts) > 1 else ""
        folder = second if isinstance(second, str) else ""
    if kind not in {"absolute", "relative", "autoDetect", "search"}:
        raise SettingError(path, "must be absolute, relative, autoDetect or search")
    folder = re.sub(r"^\$\{(?:workspaceFolder|workspaceRoot|cwd)(?::[^}]*)?\}[/\\]?", "", folder)
    return (folder,) if folder else ()


@dataclass(slots=True)
class _Progress:
    """A matcher of several lines in the middle of a match."""

    matcher: Matcher
    at: int
    values: dict[str, str] = field(default_factory=dict[str, str])


class MatcherSession:
    """Reads lines with the matchers; the first that matches takes the line."""

    def __init__(self, matchers: Sequence[Matcher]) -> None:
        self._matchers = list(matchers)
        self._open: _Progress | None = None

    def __call__(self, line: str, context: Context) -> bool:
        """True when a matcher took `line`."""
        if self._open is not None and self._continue(self._open, line, context):
            return True
        self._open = None
        for matcher in list(self._matchers):
            values = self._match(matcher, matcher.patterns[0], line)
            if values is None:
                continue
            if len(matcher.patterns) == 1:
                _emit(matcher, matcher.patterns[0], values, context)
            else:
                self._open = _Progress(matcher, 1, values)
            return True
        return False

    def _continue(self, progress: _Progress, line: str, context: Context) -> bool:
        matcher = progress.matcher
        pattern = matcher.patterns[progress.at]
        values = self._match(matcher, pattern, line)
        if values is None:
            return False
        merged = {**progress.values, **values}
        last = progress.at == len(matcher.patterns) - 1
        if not last:
            progress.values, progress.at = merged, progress.at + 1
            return True
        _emit(matcher, pattern, merged, context)
        if not pattern.loop:
            self._open = None
        return True

    def _match(self, matcher: Matcher, pattern: LinePattern, line: str) -> dict[str, str] | None:
        try:
            match = pattern.regexp.search(line, timeout=TIMEOUT)
        except TimeoutError:
            self._matchers = [one for one in self._matchers if one is not matcher]
            return None
        if match is None:
            return None
        return {name: match[number] for name, number in pattern.groups.items() if match[number] is not None}


_LOCATION = re.compile(
    r"^\(?(?P<line>\d{1,9})(?:[,:](?P<col>\d{1,9}))?(?:[,-](?P<eline>\d{1,9})[,:](?P<ecol>\d{1,9}))?\)?$"
)


def _emit(matcher: Matcher, pattern: LinePattern, values: Mapping[str, str], context: Context) -> None:
    path = values.get("file", "").strip()
    line, column, end = values.get("line", ""), values.get("column", ""), values.get("endLine", "")
    located = _LOCATION.match(values.get("location", "").strip()) if "location" in values else None
    if located:
        line, column, end = located["line"], located["col"] or "", located["eline"] or ""
    number = int(line[:9]) if line[:9].isdecimal() else (1 if pattern.kind == "file" else 0)
    message = values.get("message", "").strip()
    severity = severity_of(values.get("severity"), matcher.severity) if values.get("severity") else matcher.severity
    code = values.get("code", "").strip() or None
    if not path or number < 1:
        return
    place = RawFrame(
        path, number, int(column[:9]) if column[:9].isdecimal() else None, bases=(*matcher.bases, *context.bases)
    )
    place.end_line = int(end[:9]) if end[:9].isdecimal() and int(end[:9]) > number else None
    last = context.last
    if matcher.role is Role.RELATED and last is not None:
        place.role = Role.RELATED
        last.related.append(place)
        return
    if matcher.role is Role.FRAME:
        if last is not None and last.tool == matcher.name and last.traces:
            last.traces[-1].frames.append(place)
            return
        context.emit(
            Draft(message, FailureKind.EXCEPTION, severity, code, context.test, matcher.name, [Trace(message, [place])])
        )
        return
    kind = FailureKind.SYNTAX if is_syntax(message, code) else FailureKind.DIAGNOSTIC
    context.emit(Draft(message, kind, severity, code, None, matcher.name, [Trace(message, [place])]))
