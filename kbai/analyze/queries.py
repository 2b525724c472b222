"""Queries of an analysis: what one line of JSON asks for, and what is wrong with it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from kbai._fast import Position
from kbai.core.errors import (
    KbaiError,
    PlacedError,
    QueryError,
    quote,
    suggest_name,
)
from kbai.core.json import unique_pairs
from kbai.game.setup import Setup, setup_of
from kbai.importing.reading import read_any
from kbai.notation.games import Game
from kbai.notation.positions import is_line
from kbai.notation.schema import position_from_dict
from kbai.notation.turns import turn_up
from kbai.report.suggestion_json import PARTS, USUAL
from kbai.search.params import Limit

KEYS = (
    "id",
    "position",
    "game",
    "turns",
    "reveal",
    "visits",
    "seconds",
    "rollouts",
    "top",
    "seed",
    "allow",
    "avoid",
    "include",
    "priority",
)
# What the option of the command is called.
OTHER_NAMES = {"time": "seconds"}
MAX_VISITS = 10**9
MAX_SECONDS = 1e6
MAX_TOP = 100
MAX_ROLLOUTS = 10**6
MAX_PRIORITY = 10**9
# Turns in a list.
MAX_TURNS = 1000

Id = str | int | float | None
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Defaults:
    """The values of keys that a query leaves out."""

    limit: Limit
    seed: int
    top: int


@dataclass(frozen=True, slots=True)
class Query:
    """A position, or some turns of a game, and how to search it."""

    id: Id
    subject: Position | Game
    """Do not change it."""
    turns: tuple[int, ...]
    """The numbers of turns of a game, one answer each."""
    reveal: bool
    """Whether the cards of a turn are turned up as they were in the game, or unknown."""
    limit: Limit
    rollouts: int
    """Games of the best turn; 0: the tree alone."""
    top: int
    seed: int
    allow: tuple[str, ...]
    avoid: tuple[str, ...]
    include: frozenset[str]
    priority: int

    @property
    def setup(self) -> Setup:
        """The set-up of the position or game."""
        subject = self.subject
        return setup_of(subject.start if isinstance(subject, Game) else subject)

    def position(self, turn: int | None) -> Position:
        """Return the position to search: that of the query, or before a turn of its game."""
        if not isinstance(self.subject, Game):
            return self.subject
        assert turn is not None
        position = self.subject.position_before(turn)
        index = turn - self.subject.turns[0].number if self.subject.turns else 0
        if self.reveal and index < len(self.subject.turns):
            turn_up(position, self.subject.turns[index])
        return position


def load_object(line: bytes) -> dict[str, object]:
    """Return the JSON object of a line; of a position ``kb1 ...``, the query about it."""
    try:
        text = line.decode()
        data = {"position": text} if is_line(text) else _DECODER.decode(text)
    except UnicodeDecodeError as error:
        byte = f"0x{line[error.start]:02x} at {error.start + 1}"
        raise QueryError(f"expected text in UTF-8, got the byte {byte}.") from error
    except (ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200].rstrip(".")
        message = f"expected a JSON object, got a line that is not: {reason}."
        raise QueryError(message) from error
    if not isinstance(data, dict):
        raise QueryError(f"expected a JSON object, got {quote(data)}.")
    return data


def _refuse(text: str) -> object:
    raise ValueError(f"{text} is not a JSON number")


_DECODER = json.JSONDecoder(object_pairs_hook=unique_pairs, parse_constant=_refuse)


@dataclass(frozen=True, slots=True)
class Head:
    """What the scheduler has to know about a line."""

    priority: int = 0
    turns: tuple[int, ...] = ()
    """The turns of its game; empty if it has no game, or is wrong."""


def read_head(line: bytes, defaults: Defaults) -> Head:
    """Return the head of a line; its answer will say what is wrong with it."""
    if b"priority" not in line and b"game" not in line:
        return Head()
    try:
        data = load_object(line)
    except QueryError:
        return Head()
    priority, turns = 0, tuple[int, ...]()
    with suppress(QueryError):
        priority = _read_priority(data)
    if "game" in data:
        with suppress(QueryError):
            turns = read_query(data, defaults).turns
    return Head(priority, turns)


def find_id(data: Mapping[str, object]) -> Id:
    """Return the id of a query; None if it has no valid one."""
    try:
        return _read_id(data)
    except QueryError:
        return None


def id_in_line(line: bytes) -> Id:
    """Return the id of a line; None if it has none that can be read."""
    try:
        return find_id(load_object(line))
    except QueryError:
        return None


def parse_query(line: bytes, defaults: Defaults) -> Query:
    """Return what a line asks for; a `QueryError` names the key that is wrong."""
    return read_query(load_object(line), defaults)


def read_query(data: Mapping[str, object], defaults: Defaults) -> Query:
    """Return what the object of a line asks for."""
    data = _with_usual_names(data)
    for key in data:
        if key not in KEYS:
            raise QueryError(f"{suggest_name('key', key, KEYS)}.", field=key)
    id = _read_id(data)
    subject = _read_subject(data)
    return Query(
        id=id,
        subject=subject,
        turns=_read_turns(data, subject),
        reveal=_read_flag(data, "reveal", True),
        limit=_read_limit(data, defaults.limit),
        rollouts=_read_number(data, "rollouts", 0, 0, MAX_ROLLOUTS),
        top=_read_number(data, "top", defaults.top, 1, MAX_TOP),
        seed=_read_number(data, "seed", defaults.seed),
        allow=_read_texts(data, "allow"),
        avoid=_read_texts(data, "avoid"),
        include=_read_include(data),
        priority=_read_priority(data),
    )


def _with_usual_names(data: Mapping[str, object]) -> Mapping[str, object]:
    """Return a query whose keys have the names of `KEYS`, even if it uses those of options."""
    for other, key in OTHER_NAMES.items():
        if other in data and key in data:
            raise QueryError(f"expected {key!r} or {other!r}, got both.", field=other)
    return {OTHER_NAMES.get(key, key): value for key, value in data.items()}


def _wrong(data: Mapping[str, object], key: str, expected: str) -> QueryError:
    return QueryError(f"expected {expected} for {key!r}, got {quote(data[key])}.", field=key)


def _read_id(data: Mapping[str, object]) -> Id:
    value = data.get("id")
    if isinstance(value, bool) or not isinstance(value, str | int | float | None):
        raise _wrong(data, "id", "a text or a number")
    if isinstance(value, float) and not math.isfinite(value):  # such as 1e999
        raise _wrong(data, "id", "a text or a number that is not too large")
    return value


def _read_priority(data: Mapping[str, object]) -> int:
    return _read_number(data, "priority", 0, -MAX_PRIORITY, MAX_PRIORITY)


def _read_flag(data: Mapping[str, object], key: str, default: bool) -> bool:
    value = data.get(key, default)
    if not isinstance(value, bool):
        raise _wrong(data, key, "true or false")
    return value


def _read_number(
    data: Mapping[str, object],
    key: str,
    default: int,
    low: int | None = None,
    high: int | None = None,
) -> int:
    value = data.get(key, default)
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if low is None or high is None:
        if not is_number:
            raise _wrong(data, key, "a whole number")
    elif not is_number or not low <= value <= high:  # type: ignore[operator]
        raise _wrong(data, key, f"a number from {low} to {high}")
    return value  # type: ignore[return-value]


def _read_limit(data: Mapping[str, object], default: Limit) -> Limit:
    """Return the limit: the default, unless visits or seconds are given."""
    if "visits" not in data and "seconds" not in data:
        return default
    visits = _read_number(data, "visits", 1, 1, MAX_VISITS) if "visits" in data else None
    seconds = data.get("seconds")
    if "seconds" in data:
        is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
        if not is_number or not 0 < seconds <= MAX_SECONDS:  # type: ignore[operator]
            raise _wrong(data, "seconds", f"more than 0 and at most {MAX_SECONDS:g}")
    return Limit(visits, seconds)  # type: ignore[arg-type]


def _read_texts(data: Mapping[str, object], key: str) -> tuple[str, ...]:
    """Return turns, each a text or a list of actions."""
    value = data.get(key, [])
    if not isinstance(value, list) or len(value) > MAX_TURNS:
        raise _wrong(data, key, f"a list of at most {MAX_TURNS} turns")
    found = []
    for item in value:
        words = item if isinstance(item, list) else [item]
        if not all(isinstance(word, str) for word in words) or not " ".join(words).strip():
            message = f"expected a turn like 'n16 o15 o17' in {key!r}, got {quote(item)}."
            raise QueryError(message, field=key)
        found.append(" ".join(words))
    return tuple(found)


def _read_include(data: Mapping[str, object]) -> frozenset[str]:
    value = data.get("include")
    if "include" not in data:
        return USUAL
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _wrong(data, "include", f"a list of {', '.join(PARTS)}")
    for item in value:
        if item not in PARTS:
            raise QueryError(f"{suggest_name('part', item, PARTS)}.", field="include")
    return frozenset(value)


def _read_subject(data: Mapping[str, object]) -> Position | Game:
    if ("position" in data) == ("game" in data):
        got = "both" if "game" in data else "neither"
        raise QueryError(f"expected 'position' or 'game', got {got}.", field="position")
    if "position" in data:
        return _read_position(data)
    text = data["game"]
    if not isinstance(text, str):
        raise _wrong(data, "game", "the text of a game file")
    found = blaming("game", lambda: _read_game(text))
    if not isinstance(found, Game):
        raise QueryError("expected a game for 'game', got a position.", field="game")
    return found


# People send one query per turn of a game.
_read_game = lru_cache(maxsize=4)(read_any)


def _read_turns(data: Mapping[str, object], subject: Position | Game) -> tuple[int, ...]:
    """Return the numbers of the turns asked for; without a list, of all that were played."""
    value = data.get("turns")
    if not isinstance(subject, Game):
        if "turns" in data:
            raise QueryError("expected 'turns' with a game only.", field="turns")
        return ()
    numbers = [turn.number for turn in subject.turns]
    if "turns" not in data:
        return tuple(numbers) or (1,)
    first, last = (numbers[0], numbers[-1] + 1) if numbers else (1, 1)
    expected = f"a list of turns from {first} to {last}"
    if not isinstance(value, list) or not 0 < len(value) <= MAX_TURNS:
        raise _wrong(data, "turns", expected)
    for item in value:
        if type(item) is not int or not first <= item <= last:
            message = f"expected {expected} for 'turns', got {quote(item)} in it."
            raise QueryError(message, field="turns")
    return tuple(value)


def _read_position(data: Mapping[str, object]) -> Position:
    value = data["position"]
    if isinstance(value, dict):
        return blaming("position", lambda: position_from_dict(value))
    if not isinstance(value, str):
        raise _wrong(data, "position", "a text or an object")
    found = blaming("position", lambda: read_any(value))
    if isinstance(found, Game):
        message = "expected a position for 'position', got a game; its key is 'game'."
        raise QueryError(message, field="position")
    return found


def blaming(field: str, read: Callable[[], T]) -> T:
    """Return what ``read`` returns; its error becomes one about the field, or a place in it."""
    try:
        return read()
    except PlacedError as error:
        path = (field, *map(str, error.path)) if error.line is None else (field,)
        raise QueryError(str(error), field=".".join(path)) from error
    except KbaiError as error:
        raise QueryError(str(error), field=field) from error
