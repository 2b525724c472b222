"""Shapes of JSON values: what fits passes, and what does not is named with its place."""

from dataclasses import fields

import pytest

from kbai.arena import plan, results
from kbai.core.errors import ShapeError
from kbai.core.shapes import Flag, ListOf, Maybe, Number, Row, Table, TableOf, Text, Whole


@pytest.mark.parametrize(
    ("shape", "value"),
    [
        (Text(), ""),
        (Text(("a", "b")), "b"),
        (Flag(), False),
        (Whole(0, 3), 3),
        (Number(), 1),
        (Number(0, 1), 0.5),
        (Maybe(Whole()), None),
        (ListOf(Whole(), 1, 2), [1, 2]),
        (Row((Text(), Whole())), ["a", 1]),
        (Table({"a": Whole()}, optional={"b": Flag()}), {"a": 1}),
        (TableOf(Whole()), {"x": 1, "y": 2}),
    ],
)
def test_what_fits_passes(shape, value):
    shape.check(value)


@pytest.mark.parametrize(
    ("shape", "value", "words"),
    [
        (Text(), 1, "the value: expected a text, got 1"),
        (Text(("a", "b")), "c", "one of a, b, got 'c'"),
        (Flag(), 1, "true or false"),
        (Whole(), True, "a whole number, got True"),
        (Whole(), 1.0, "a whole number"),
        (Whole(0, 3), 4, "from 0 to 3, got 4"),
        (Whole(), 10**400, "a huge number"),
        (Number(), float("inf"), "a number from"),
        (Number(), float("nan"), "a number from"),
        (Number(), True, "a number, got True"),
        (Number(), 10**400, "a huge number"),
        (Maybe(Whole()), "x", "a whole number"),
        (ListOf(Whole()), {}, "a list, got a table"),
        (ListOf(Whole(), 2, 2), [1], "a list of 2, got 1"),
        (ListOf(Whole()), [1, "x" * 999], r"^\[1\]: .{0,90}$"),
        (Row((Text(), Whole())), ["a"], "a list of 2"),
        (Table({"a": ListOf(Whole())}), {"a": [None]}, r"a\[0\]: expected a whole number"),
        (Table({"a": Whole()}), {}, "a: expected a value, got none"),
        (Table({"a": Whole()}), {"a": 1, "b": 2}, "unexpected key 'b'"),
        (Table({}), [], "a table, got a list"),
        (TableOf(TableOf(Whole())), {"x": {"y": None}}, "'x'.'y': expected a whole"),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(shape, value, words):
    with pytest.raises(ShapeError, match=words):
        shape.check(value)


@pytest.mark.parametrize(
    ("shape", "kind", "left_out"),
    [(plan.SHAPE, plan.Plan, set()), (results.SHAPE, results.Result, {"id"})],
)
def test_the_shapes_of_a_journal_have_every_field(shape, kind, left_out):
    names = {field.name for field in fields(kind)} - left_out
    assert shape.keys.keys() | shape.optional.keys() == names
