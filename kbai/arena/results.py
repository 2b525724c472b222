"""Results of games, and the journal that keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from os import PathLike
from pathlib import Path
from typing import Any

from kbai.arena.groups import FinishedGame
from kbai.arena.plan import MAX_COUNT, GameKey, Plan, digest_of
from kbai.compute.journal import (
    Damage,
    Journal,
    OnDamage,
    format_entry,
    open_journal,
    read_entries,
    read_header,
    refuse_damage,
)
from kbai.core.errors import ArenaError, KbaiError, ShapeError, quote
from kbai.core.shapes import ListOf, Maybe, Table, TableOf, Text, Whole

OUTCOMES = ("over", "given up", "too long", "failed", "crashed")
# The gold of a seat that gave up: less than any seat can have.
GIVEN_UP = -1


_COUNT = Whole(0, MAX_COUNT)
SHAPE = Table(
    {
        "lineup": _COUNT,
        "deal": _COUNT,
        "rotation": _COUNT,
        "bots": ListOf(Text()),
        "gold": ListOf(Whole(GIVEN_UP, MAX_COUNT)),
        "start": _COUNT,
    },
    optional={
        "outcome": Text(OUTCOMES),
        "reason": Text(),
        "turns": _COUNT,
        "steps": _COUNT,
        "faults": Maybe(TableOf(TableOf(_COUNT))),
        "game": Text(),
    },
)
"""A game in a journal: one key for each field of `Result` but the id."""


_KEYS = frozenset((*SHAPE.keys, *SHAPE.optional))
_COUNTS = ("lineup", "deal", "rotation", "start", "turns", "steps")


def _is_usual(payload: Mapping[str, Any]) -> bool:
    """Tell whether a line surely has the shape of a game, as nearly all have; it is quick."""
    if payload.keys() != _KEYS or payload["faults"] is not None:
        return False
    bots, gold = payload["bots"], payload["gold"]
    if type(bots) is not list or type(gold) is not list:
        return False
    for count in [payload[key] for key in _COUNTS]:
        if type(count) is not int or not 0 <= count <= MAX_COUNT:
            return False
    for count in gold:
        if type(count) is not int or not GIVEN_UP <= count <= MAX_COUNT:
            return False
    return {*map(type, bots), type(payload["reason"]), type(payload["game"])} == {str} and payload[
        "outcome"
    ] in OUTCOMES


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game."""

    id: str
    lineup: int
    deal: int
    rotation: int
    bots: tuple[str, ...]
    """Labels by seat."""
    gold: tuple[int, ...]
    start: int
    """The seat that began."""
    outcome: str = "over"
    reason: str = ""
    turns: int = 0
    steps: int = 0
    faults: Mapping[str, Mapping[str, int]] | None = None
    """By label, only of bots that made any."""
    game: str = ""
    """The whole game as a game file."""

    def to_payload(self) -> dict[str, Any]:
        """Return what the journal keeps besides the id."""
        data = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "id"}
        return data | {"bots": list(self.bots), "gold": list(self.gold)}

    @classmethod
    def from_payload(cls, id: str, payload: Mapping[str, Any]) -> Result:
        """Return a game from its line of the journal; `ShapeError` if it is none."""
        if not _is_usual(payload):
            SHAPE.check(payload)
        lists = dict(payload, bots=tuple(payload["bots"]), gold=tuple(payload["gold"]))
        return cls(id, **lists)

    def line(self) -> bytes:
        """Return the line of the journal."""
        return format_entry(self.id, self.to_payload())

    def without_game(self) -> Result:
        """Return what is kept in memory: there may be a million results."""
        return replace(self, game="")

    @property
    def is_counted(self) -> bool:
        """Whether the game counts; it does not if it could not be played."""
        return self.outcome not in ("failed", "crashed")

    @property
    def loser(self) -> str | None:
        """The bot that gave the game up, for `reason`."""
        if self.outcome != "given up" or GIVEN_UP not in self.gold:
            return None
        return self.bots[self.gold.index(GIVEN_UP)]

    def in_turn_order(self) -> FinishedGame:
        """Return bots and gold in turn order, as the statistics take them."""
        seats = tuple(zip(self.bots, self.gold, strict=True))
        return FinishedGame(seats[self.start :] + seats[: self.start] if self.start else seats)


def first_reasons(results: Iterable[Result]) -> dict[str, str]:
    """Return why each bot gave up the first of its games, by label."""
    found: dict[str, tuple[tuple[int, int, int], str]] = {}
    for result in results:
        if (bot := result.loser) is not None:
            place = (result.deal, result.lineup, result.rotation)
            found[bot] = min(found.get(bot, (place, result.reason)), (place, result.reason))
    return {bot: reason for bot, (_, reason) in sorted(found.items())}


def count_done(plan: Plan, results: Iterable[Result]) -> int:
    """Return how many of these games belong to the plan; a journal may have more."""
    return sum(result.deal < plan.groups for result in results)


def open_results(path: str | PathLike[str], plan: Plan) -> Journal:
    """Open the journal of a plan, even if it was begun with another number of groups."""
    return open_journal(path, plan.to_dict(), may_differ={"groups"})


def read_results(
    path: str | PathLike[str],
    *,
    on_damage: OnDamage = refuse_damage,
    on_torn: OnDamage = lambda damage: None,
) -> tuple[Plan, Iterator[Result]]:
    """Return the plan that a journal began with and an iterator over its games.

    ``on_damage`` is called with every line that is damaged or not of a game of this plan, and such
    lines are left out; ``on_torn`` with the last line, if it is not whole.
    """
    header = read_header(path)
    try:
        plan = Plan.from_dict(header.plan)
    except KbaiError as error:
        raise ArenaError(f"{path}: {error}") from error
    return plan, _results(Path(path), plan, digest_of(header.plan), on_damage, on_torn)


def _results(
    path: Path, plan: Plan, digest: str, on_damage: OnDamage, on_torn: OnDamage
) -> Iterator[Result]:
    for entry in read_entries(path, on_damage=on_damage, on_torn=on_torn):
        try:
            result = Result.from_payload(entry.id, entry.payload)
            _check_game(result, plan, digest)
        except ShapeError as error:
            on_damage(Damage(path, entry.line, f"this is not a game of the plan: {error}"))
        else:
            yield result


def _check_game(result: Result, plan: Plan, digest: str) -> None:
    """Raise `ShapeError` unless the plan has this game."""
    key = GameKey(result.lineup, result.deal, result.rotation)
    if key.lineup >= len(plan.lineups) or key.rotation >= plan.seats:
        raise ShapeError(f"it has no line-up {key.lineup} in rotation {key.rotation}")
    if result.bots != key.bots(plan):
        raise ShapeError("other bots play in it")
    if len(result.gold) != plan.seats or result.start >= plan.seats:
        raise ShapeError(f"expected gold and start for {plan.seats} seats")
    if result.id != key.id(plan, digest):
        raise ShapeError(f"its id is not {quote(result.id)}")
