"""Shapes: which keys and types a JSON value must have, checked in one place.

Files that kbai wrote can come back damaged, or from somebody else. A shape says what is expected,
and checking says what is wrong with the first part that does not fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from kbai.core.errors import ShapeError, quote

# No number in a file of kbai's needs more: a seed has 64 bits.
MAX_WHOLE = 2**64


class Shape(Protocol):
    """What a JSON value must be."""

    def check(self, value: object, place: str = "") -> None:
        """Raise `ShapeError` if the value, which is at this place, does not fit."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text; if ``among`` is not empty, one of these."""

    among: tuple[str, ...] = ()

    def check(self, value: object, place: str = "") -> None:
        if not isinstance(value, str):
            raise _misfit(place, "a text", value)
        if self.among and value not in self.among:
            raise _misfit(place, f"one of {', '.join(self.among)}", value)


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    def check(self, value: object, place: str = "") -> None:
        if not isinstance(value, bool):
            raise _misfit(place, "true or false", value)


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from ``low`` to ``high``."""

    low: int = -MAX_WHOLE
    high: int = MAX_WHOLE

    def check(self, value: object, place: str = "") -> None:
        if not isinstance(value, int) or isinstance(value, bool):
            raise _misfit(place, "a whole number", value)
        if not self.low <= value <= self.high:
            raise _misfit(place, f"a number from {self.low} to {self.high}", value)


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number from ``low`` to ``high``, whole or not."""

    low: float = -1e9
    high: float = 1e9

    def check(self, value: object, place: str = "") -> None:
        if not isinstance(value, float | int) or isinstance(value, bool):
            raise _misfit(place, "a number", value)
        if not self.low <= value <= self.high:  # NaN as well
            raise _misfit(place, f"a number from {self.low:g} to {self.high:g}", value)


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value of another shape, or null."""

    shape: Shape

    def check(self, value: object, place: str = "") -> None:
        if value is not None:
            self.shape.check(value, place)


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of values of one shape, with ``low`` to ``high`` of them."""

    shape: Shape
    low: int = 0
    high: int | None = None

    def check(self, value: object, place: str = "") -> None:
        if not isinstance(value, list | tuple):
            raise _misfit(place, "a list", value)
        if len(value) < self.low or (self.high is not None and len(value) > self.high):
            expected = f"a list of {self._sizes()}, got {len(value)}"
            raise ShapeError(f"{place or 'the value'}: expected {expected}")
        for index, item in enumerate(value):
            self.shape.check(item, f"{place}[{index}]")

    def _sizes(self) -> str:
        if self.high is None:
            return f"at least {self.low}"
        return str(self.low) if self.low == self.high else f"{self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class Row:
    """A list with one shape for each of its items."""

    shapes: tuple[Shape, ...]

    def check(self, value: object, place: str = "") -> None:
        if not isinstance(value, list | tuple) or len(value) != len(self.shapes):
            raise _misfit(place, f"a list of {len(self.shapes)}", value)
        for index, (shape, item) in enumerate(zip(self.shapes, value, strict=True)):
            shape.check(item, f"{place}[{index}]")


@dataclass(frozen=True, slots=True)
class Table:
    """A table with these keys and no others; the ``optional`` ones may be missing."""

    keys: Mapping[str, Shape]
    optional: Mapping[str, Shape] = field(default_factory=dict)

    def check(self, value: object, place: str = "") -> None:
        if not isinstance(value, dict):
            raise _misfit(place, "a table", value)
        for key in self.keys:
            if key not in value:
                raise ShapeError(f"{_join(place, key)}: expected a value, got none")
        for key, item in value.items():
            shape = self.keys.get(key) or self.optional.get(key)
            if shape is None:
                raise ShapeError(f"{place or 'the value'}: unexpected key {quote(key)}")
            shape.check(item, _join(place, key))


@dataclass(frozen=True, slots=True)
class TableOf:
    """A table with any keys and values of one shape."""

    shape: Shape

    def check(self, value: object, place: str = "") -> None:
        if not isinstance(value, dict):
            raise _misfit(place, "a table", value)
        for key, item in value.items():
            self.shape.check(item, _join(place, quote(key)))


def _join(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _misfit(place: str, expected: str, value: object) -> ShapeError:
    return ShapeError(f"{place or 'the value'}: expected {expected}, got {quote(value)}")
