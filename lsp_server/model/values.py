"""Frozen values with slots: what `@dataclass(frozen=True, slots=True)` promises, for a fraction of its price.

A dataclass compiles six methods and is made twice: for the classes of one command that was an eighth of a warm
start, and setting each field through `object.__setattr__` made every value twice as dear. Here all classes share
their methods; only the initialiser is compiled, when the first value of its class is made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError, field
from operator import attrgetter
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, TypeVar, cast, dataclass_transform

V = TypeVar("V", bound="Record")


class _Getter(Protocol):
    def __call__(self, value: object, /) -> tuple[Any, ...]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class ValueType(type):
    """Makes a class of values from its annotations. Fields may have defaults and `dataclasses.field` with
    `default`, `default_factory` and `compare`; a class with fields is not inherited from."""

    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> ValueType:
        notes = cast(Mapping[str, str], body.get("__annotations__", {}))
        fields = tuple(each for each, note in notes.items() if not note.startswith("ClassVar"))
        given = {each: body.pop(each) for each in fields if each in body}
        body["__slots__"] = body["__match_args__"] = fields
        body["_defaults"] = MappingProxyType({each: _default(value) for each, value in given.items()})
        body["_all"] = _getter(fields)
        body["_compared"] = compared = tuple(each for each in fields if _is_compared(given.get(each)))
        body["_key"] = _getter(compared)
        return super().__new__(mcs, name, bases, body)


def _default(given: object) -> object:
    """The default itself, the field when each value gets a fresh one, MISSING when there is none."""
    if not isinstance(given, Field):
        return given
    made = cast("Field[object]", given)
    return made.default if made.default_factory is MISSING else made


def _is_compared(given: object) -> bool:
    return not isinstance(given, Field) or cast("Field[object]", given).compare


def _getter(names: tuple[str, ...]) -> object:
    """For a class's body: calling it through a value hands it that value once, as an argument."""
    if len(names) > 1:
        return attrgetter(*names)

    def values(value: object) -> tuple[Any, ...]:
        return tuple(getattr(value, name) for name in names)

    return staticmethod(values)


class Record(metaclass=ValueType):
    """A frozen class of which every object is equal to itself only."""

    __slots__: ClassVar[tuple[str, ...]]
    _defaults: ClassVar[Mapping[str, object]]
    _all: ClassVar[_Getter]
    _compared: ClassVar[tuple[str, ...]]
    _key: ClassVar[_Getter]

    def __init__(self, *values: Any, **named: Any) -> None:
        # Called for the first value of each class: from now on its own initialiser is.
        kind = type(self)
        type.__setattr__(kind, "__init__", _initialiser(kind))
        kind.__init__(self, *values, **named)

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __repr__(self) -> str:
        shown = zip(self._compared, self._key(self), strict=True)
        return f"{type(self).__qualname__}({', '.join(f'{name}={value!r}' for name, value in shown)})"

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return type(self), self._all(self)


class Value(Record):
    """A frozen class whose objects are equal, and have one hash, when their fields are equal."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self._key(self) == self._key(other)

    def __hash__(self) -> int:
        return hash(self._key(self))


class Ordered(Value):
    """A value that is also compared field by field, like a tuple, with others of its class."""

    def __lt__(self, other: object) -> bool:
        return self._key(self) < self._key(other) if type(self) is type(other) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self._key(self) <= self._key(other) if type(self) is type(other) else NotImplemented


def replace(value: V, **changes: Any) -> V:
    """A value like `value` but for `changes`. Raises TypeError for a name that is no field."""
    kind = type(value)
    fields, values = kind.__slots__, list(kind._all(value))  # pyright: ignore[reportPrivateUsage]
    for name, new in changes.items():
        if name not in fields:
            raise TypeError(f"{kind.__qualname__} has no field {name!r}")
        values[fields.index(name)] = new
    return kind(*values)


def _initialiser(kind: type[Record]) -> Callable[..., None]:
    """Puts every field in place through its slot, which a frozen class leaves open to nobody else."""
    scope: dict[str, Any] = {"MISSING": MISSING}
    parameters, lines = ["self"], list[str]()
    for name in kind.__slots__:
        scope[f"set_{name}"] = kind.__dict__[name].__set__
        default = kind._defaults.get(name, MISSING)  # pyright: ignore[reportPrivateUsage]
        value = name
        if isinstance(default, Field):
            scope[f"default_{name}"] = MISSING
            scope[f"new_{name}"] = cast("Field[object]", default).default_factory
            value = f"new_{name}() if {name} is MISSING else {name}"
        elif default is not MISSING:
            scope[f"default_{name}"] = default
        parameters.append(f"{name}=default_{name}" if f"default_{name}" in scope else name)
        lines.append(f"    set_{name}(self, {value})")
    if "__post_init__" in kind.__dict__:
        lines.append("    self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}):\n" + ("\n".join(lines) or "    pass"), scope)
    return scope["__init__"]
