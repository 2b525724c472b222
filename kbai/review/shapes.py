"""What an answer of a search must look like: a cache may be damaged, or made by somebody else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kbai._fast import Position
from kbai.core.errors import ShapeError
from kbai.core.shapes import Flag, ListOf, Maybe, Number, Row, Table, Whole
from kbai.game.steps import advance, next_steps

_COUNT = Whole(0)
_STEPS = ListOf(Whole())
_ESTIMATE = Row((Number(), Maybe(Number()), Maybe(Number())))


def value_shape(position: Position, batches: int) -> Table:
    """Return the shape of the value of a position, from so many searches."""
    seats = position.board.seats
    chances = ListOf(Number(0, 1), seats, seats)
    golds = ListOf(Number(), seats, seats)
    sample = Row((chances, chances, golds, golds))
    samples = ListOf(sample, batches, batches)
    n_sources = len(position.score_detail()[0])
    sources = Maybe(ListOf(ListOf(Number(), n_sources, n_sources), seats, seats))
    return Table(
        {"samples": samples, "visits": _COUNT, "exact": Flag()},
        {"sources": sources},  # older answers do not have it
    )


def check_value(answer: Mapping[str, Any], position: Position, batches: int) -> None:
    """Raise `ShapeError` unless this is the value of a position."""
    value_shape(position, batches).check(answer)


def check_best_turn(answer: Mapping[str, Any], position: Position, batches: int) -> None:
    """Raise `ShapeError` unless this is a comparison of turns in a position."""
    seats = position.board.seats
    outlook = Row((_ESTIMATE, _ESTIMATE, _ESTIMATE, ListOf(Number())))
    choice = Table({
        "steps": ListOf(Whole(), 1), "visits": _COUNT, "utility": Number(), "exact": Flag(),
        "line": _STEPS, "seats": ListOf(outlook, seats, seats),
    })  # fmt: skip
    Table({
        "candidates": ListOf(choice), "steps": ListOf(Whole(), 1), "visits": _COUNT,
        "values": ListOf(value_shape(position, batches), 0, 2),
    }).check(answer)  # fmt: skip
    if len(answer["values"]) == 1:
        raise ShapeError("values: expected two or none, got one")
    n_sources = len(position.score_detail()[0])
    check_steps(position, answer["steps"])
    for candidate in answer["candidates"]:
        _check_ends(candidate)
        check_steps(position, [*candidate["steps"], *candidate["line"]])
        for *_, sources in candidate["seats"]:
            if len(sources) not in (0, n_sources):
                raise ShapeError(f"sources: expected {n_sources}, got {len(sources)}")


def _check_ends(candidate: Mapping[str, Any]) -> None:
    """Raise `ShapeError` if an interval has one end only."""
    for *estimates, _ in candidate["seats"]:
        for _, low, high in estimates:
            if (low is None) != (high is None):
                raise ShapeError("seats: expected both ends of an interval or none, got one")


def check_cards(answer: Mapping[str, Any], position: Position, cards: int, batches: int) -> None:
    """Raise `ShapeError` unless these are the values of so many cards."""
    values = ListOf(value_shape(position, batches), cards, cards)
    Table({"values": values}).check(answer)


def check_games(answer: Mapping[str, Any], positions: Sequence[Position], count: int) -> None:
    """Raise `ShapeError` unless these are the ends of some games from each position."""
    detail = positions[0].score_detail()
    n_seats, n_sources = len(detail), len(detail[0])
    ending = ListOf(ListOf(Whole(), n_sources, n_sources), n_seats, n_seats)
    rounds = ListOf(ListOf(ending, len(positions), len(positions)), 1, count)
    Table({"endings": rounds}).check(answer)


def check_steps(position: Position, steps: Iterable[int]) -> None:
    """Raise `ShapeError` unless the steps are legal one after another."""
    now = position.copy()
    for step in steps:
        if now.is_over or step not in next_steps(now):
            raise ShapeError(f"steps: expected a legal step, got {step}")
        advance(now, step)
