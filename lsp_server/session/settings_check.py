"""Values from outside, checked against the definition: nothing unknown or ill-typed is passed over.

Every function returns what is good together with a list of problems; the caller shows the problems.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from ..model.errors import SettingError
from .settings import Setting, Settings, Strictness, Value, by_name


@dataclass(frozen=True, slots=True)
class Layer:
    """Settings from one place: good values by public name, and what was wrong there."""

    origin: str
    values: Mapping[str, Value]
    problems: tuple[SettingError, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolved:
    """The settings in force, where each one that is not a default came from, and every problem."""

    settings: Settings
    origins: Mapping[str, str]
    problems: tuple[str, ...] = ()


def check_value(setting: Setting, value: object) -> Value:
    """`value` in the setting's own type; raises SettingError naming the setting."""
    kind = setting.type_name
    if kind == "boolean":
        checked: Value | None = value if isinstance(value, bool) else None
    elif kind == "integer":
        checked = value if isinstance(value, int) and not isinstance(value, bool) else None
    elif kind == "number":
        good = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        checked = float(cast(float, value)) if good else None
    elif kind == "string":
        checked = value if isinstance(value, str) else None
    else:
        checked = _strings(value)
    if checked is None:
        raise SettingError(setting.name, f"must be {_article(kind)}, got {_short(value)}")
    return _within(setting, checked)


def _strings(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, (list, tuple)):
        return None
    entries = cast(Sequence[object], value)
    texts = tuple(entry for entry in entries if isinstance(entry, str) and entry)
    return texts if len(texts) == len(entries) else None


def _within(setting: Setting, value: Value) -> Value:
    if setting.choices and value not in setting.choices:
        raise SettingError(setting.name, f"must be one of {', '.join(setting.choices)}, got {_short(value)}")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if setting.minimum is not None and value < setting.minimum:
            raise SettingError(setting.name, f"must be at least {setting.minimum:g}, got {value:g}")
        if setting.maximum is not None and value > setting.maximum:
            raise SettingError(setting.name, f"must be at most {setting.maximum:g}, got {value:g}")
    return value


def _article(kind: str) -> str:
    words = {"boolean": "true or false", "integer": "a whole number", "number": "a number", "string": "a string"}
    return words.get(kind, "a list of non-empty strings")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def check_tree(tree: object, origin: str) -> Layer:
    """A nested or dotted mapping (`{"index": {"maxFiles": 1}}`, `{"index.maxFiles": 1}`) as a layer.

    `None` counts as absent, as clients send it for a section they do not have.
    """
    if tree is None:
        return Layer(origin, {})
    known = by_name()
    values: dict[str, Value] = {}
    problems: list[SettingError] = []
    if not isinstance(tree, Mapping):
        return Layer(origin, {}, (SettingError("", f"settings must be a table, got {_short(tree)}"),))
    for name, value in _leaves(cast(Mapping[object, object], tree), "", known):
        setting = known.get(name)
        if setting is None:
            problems.append(SettingError(name, "unknown setting" + _hint(name, known)))
            continue
        if value is None:
            continue
        try:
            values[name] = check_value(setting, value)
        except SettingError as problem:
            problems.append(problem)
    return Layer(origin, values, tuple(problems))


def _leaves(tree: Mapping[object, object], prefix: str, known: Mapping[str, Setting]) -> Iterable[tuple[str, object]]:
    for key, value in tree.items():
        name = f"{prefix}{key}"
        inside = any(other.startswith(name + ".") for other in known)
        if isinstance(value, Mapping) and inside and name not in known:
            yield from _leaves(cast(Mapping[object, object], value), name + ".", known)
        elif not (value is None and inside):
            yield name, value


def _hint(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""


def check_toml(text: str, origin: str, table: Sequence[str] = ()) -> Layer:
    """The settings in a TOML text, below `table` (`("tool", "repo-context")` in a pyproject.toml)."""
    try:
        tree: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        return Layer(origin, {}, (SettingError("", f"is not valid TOML: {problem}"),))
    for name in table:
        if not isinstance(tree, Mapping) or name not in tree:
            return Layer(origin, {})
        tree = cast(Mapping[str, object], tree)[name]
    return check_tree(tree, origin)


def check_assignments(assignments: Sequence[str], origin: str = "command line") -> Layer:
    """`name=value` pairs of the command line; the value is TOML (`index.maxFiles=10`), else a string."""
    tree: dict[str, object] = {}
    problems: list[SettingError] = []
    for assignment in assignments:
        name, sign, text = assignment.partition("=")
        if not sign:
            problems.append(SettingError(name, "must be written as name=value"))
            continue
        tree[name.strip()] = _toml_value(text.strip())
    layer = check_tree(tree, origin)
    return replace(layer, problems=(*problems, *layer.problems))


def _toml_value(text: str) -> object:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def resolve(layers: Sequence[Layer], enforced: Layer | None = None) -> Resolved:
    """Later layers win over earlier ones; `enforced` wins over all and cannot be loosened.

    A user's value that an enforced one overrules is told as a problem.
    """
    known = by_name()
    values: dict[str, Value] = {}
    origins: dict[str, str] = {}
    problems: list[str] = []
    for layer in (*layers, *((enforced,) if enforced else ())):
        problems.extend(f"{layer.origin}: {problem}" for problem in layer.problems)
    for layer in layers:
        for name, value in layer.values.items():
            joined = known[name].strictness is Strictness.UNION
            values[name] = _union(values.get(name, ()), value) if joined else value
            origins[name] = layer.origin
    if enforced is not None:
        for name, value in enforced.values.items():
            held = _enforce(known[name], value, values.get(name))
            if name in values and values[name] != held and known[name].strictness is not Strictness.UNION:
                problems.append(f"{origins[name]}: {name}: overruled by {enforced.origin}, which sets {_short(held)}")
            values[name] = held
            origins[name] = enforced.origin
    chosen: dict[str, Any] = {known[name].field: value for name, value in values.items()}
    return Resolved(replace(Settings(), **chosen), origins, tuple(problems))


def _union(first: Value, second: Value) -> Value:
    return tuple(dict.fromkeys((*cast(tuple[str, ...], first), *cast(tuple[str, ...], second))))


def _enforce(setting: Setting, enforced: Value, chosen: Value | None) -> Value:
    if setting.strictness is Strictness.UNION:
        return _union(enforced, () if chosen is None else chosen)
    if chosen is None or setting.strictness is Strictness.REPLACE:
        return enforced
    if setting.strictness is Strictness.STAY_ON:
        return bool(enforced) or bool(chosen)
    return min(cast(float, enforced), cast(float, chosen))
