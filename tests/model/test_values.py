from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, field
from typing import Any

import pytest

from lsp_server.model.errors import RangeError
from lsp_server.model.lines import LineRange
from lsp_server.model.values import Ordered, Record, Value, ValueType, replace


class Nothing(Value):
    pass


class One(Value):
    name: str


class Many(Value):
    """Some fields with a default, one that is made anew, one that does not count."""

    name: str
    size: int = 1
    tags: list[str] = field(default_factory=list[str])
    cache: object = field(default=None, compare=False)

    @property
    def double(self) -> int:
        return 2 * self.size


class Handle(Record):
    name: str
    size: int = 0


class Version(Ordered):
    major: int
    minor: int = 0


VALUES = (Nothing(), One("a"), Many("a"), Many("a", 2, ["x"]), Version(1, 2), LineRange(1, 2))


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_fields_are_never_assigned_or_deleted_and_no_others_are_added(value: Any) -> None:
    for name in (*type(value).__slots__, "other"):
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, 1)
        with pytest.raises(FrozenInstanceError):
            delattr(value, name)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_equals_its_copies_and_no_value_of_another_class(value: Any) -> None:
    assert replace(value) == value == pickle.loads(pickle.dumps(value))
    assert [other for other in VALUES if other == value] == [value]
    assert value != tuple(getattr(value, name) for name in type(value).__slots__)


def test_equal_values_have_one_hash() -> None:
    assert len({One("a"), One("a"), One("b"), Nothing(), Nothing(), Version(1), Version(1, 0)}) == 4


def test_arguments_are_given_by_place_or_name_and_defaults_fill_the_rest() -> None:
    made = Many(size=3, name="a")
    assert (made.name, made.size, made.tags, made.cache, made.double) == ("a", 3, [], None, 6)
    assert made == Many("a", 3)
    for wrong in ({}, {"name": "a", "colour": 1}):
        with pytest.raises(TypeError):
            Many(**wrong)


def test_a_default_that_is_made_is_made_for_each_value() -> None:
    assert Many("a").tags is not Many("a").tags


def test_a_field_that_does_not_count_is_neither_compared_nor_shown() -> None:
    assert Many("a", cache=1) == Many("a", cache=2)
    assert repr(Many("a", cache=1)) == "Many(name='a', size=1, tags=[])"


def test_replace_changes_what_is_named_and_leaves_the_value_alone() -> None:
    before = Many("a", 2, cache="kept")
    after = replace(before, name="b")
    assert (after.name, after.size, after.tags is before.tags, after.cache) == ("b", 2, True, "kept")
    assert before.name == "a"
    with pytest.raises(TypeError):
        replace(before, colour=1)


def test_replace_checks_the_new_value() -> None:
    with pytest.raises(RangeError):
        replace(LineRange(2, 3), end=1)


def test_records_equal_only_themselves() -> None:
    one, other = Handle("a"), Handle("a")
    assert one != other
    assert replace(one) != one
    assert len({one, other, one}) == 2
    assert repr(one) == "Handle(name='a', size=0)"


def test_ordered_values_are_sorted_field_by_field() -> None:
    versions = [Version(2), Version(1, 5), Version(1)]
    assert sorted(versions) == [Version(1), Version(1, 5), Version(2)]
    assert Version(1) <= Version(1) < Version(1, 1)
    assert Version(2) > Version(1, 9)
    assert Version(2) >= Version(2)
    with pytest.raises(TypeError):
        sorted([Version(1), LineRange(1, 1)])  # type: ignore[type-var]


def test_values_can_be_told_from_other_objects_and_matched() -> None:
    assert isinstance(Many, ValueType)
    assert not isinstance(tuple, ValueType)
    match Version(3, 1):
        case Version(major, minor):
            assert (major, minor) == (3, 1)
