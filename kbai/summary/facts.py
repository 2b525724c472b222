"""What is worth counting about a reviewed turn: its phase, its tiles, its gold by source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from kbai._fast import Action, Position
from kbai.content import load
from kbai.core.points import points_of
from kbai.game.setup import setup_of
from kbai.game.sources import name_sources
from kbai.game.steps import END, advance, unpack_step
from kbai.review.results import Review, TurnReview
from kbai.summary.players import players_of

# Tiles that a player has, but never uses.
PASSIVE = (Action.CROSSROADS, Action.TEMPLE_BONUS, Action.FOUNTAIN_BONUS, Action.TREASURE)


class Phase(StrEnum):
    """A third of the game, by the settlements of whoever has built the most."""

    OPENING = "opening"
    MIDDLE = "middle"
    END = "end"


@dataclass(frozen=True, slots=True)
class TileUse:
    """Tiles of one kind in one turn."""

    ready: int
    """How many could be used."""
    played: int
    """How many were used."""
    best: int
    """How many the best turn would have used."""


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """A reviewed turn, or a part of one, with what the summary counts."""

    review: TurnReview
    """Without candidates: they are not needed, and there may be thousands of turns."""
    phase: Phase
    tiles: Mapping[str, TileUse]
    """By kind, those that were ready."""
    built: tuple[int, int]
    """Settlements taken from the supply: by what was played, and by the best turn."""
    sources: Mapping[str, float]
    """Gold by source that the best turn would have brought more; empty if it was not counted."""

    @property
    def loss(self) -> float:
        """In win probability."""
        return self.review.loss.win.value

    @property
    def unused(self) -> tuple[str, ...]:
        """The kinds of tile of which the best turn used more than was used."""
        return tuple(kind for kind, use in self.tiles.items() if use.best > use.played)


@dataclass(frozen=True, slots=True)
class GameFacts:
    """A reviewed game."""

    name: str
    players: tuple[str, ...]
    """By seat."""
    cards: tuple[str, ...]
    """What brings gold and differs from game to game: scoring cards and tasks."""
    turns: tuple[TurnFacts, ...]
    luck: tuple[float, ...]
    """By seat, in win probability, by all cards of the turns that were reviewed."""
    points: tuple[float, ...] | None
    """By seat, the share of the victory; None if the game is not over."""


def facts_of(review: Review) -> GameFacts:
    """Return what a summary counts of a review."""
    setup = review.game.setup
    end = review.game.final_position()
    return GameFacts(
        name=review.name,
        players=players_of(review.game),
        cards=(*setup.cards, *setup.tasks),
        turns=tuple(map(turn_facts, review.turns)),
        luck=tuple(
            sum(turn.luck[seat].win.value for turn in review.turns)
            for seat in range(len(setup.seats))
        ),
        points=points_of(end.scores()) if end.is_over else None,
    )


def turn_facts(review: TurnReview) -> TurnFacts:
    """Return what a summary counts of a turn."""
    setup = setup_of(review.position)
    played, best = (_uses(review, steps) for steps in (review.played, review.best.steps))
    ready = review.position.fields()["seats"][review.seat]["ready"]
    kinds = zip(setup.tile_kinds, ready, played.tiles, best.tiles, strict=True)
    return TurnFacts(
        review=replace(review, candidates=()),
        phase=phase_of(review.before),
        tiles={
            kind: TileUse(count, one, other)
            for kind, count, one, other in kinds
            if count and _is_usable(kind)
        },
        built=(played.built, best.built),
        sources=name_sources(setup, review.source_costs) if review.source_costs else {},
    )


def phase_of(position: Position) -> Phase:
    """Return the phase of the game in which a turn begins."""
    houses = position.board.houses
    left = min(seat["supply"] for seat in position.fields()["seats"])
    third = 3 * (houses - left) // houses
    return tuple(Phase)[min(third, 2)]


@dataclass(frozen=True, slots=True)
class _Uses:
    tiles: tuple[int, ...]
    """Used of each kind of the board."""
    built: int


def _uses(review: TurnReview, steps: Iterable[int]) -> _Uses:
    """Return what some steps of the turn's seat use; its end makes tiles ready again."""
    position = review.position.copy()
    before = position.fields()["seats"][review.seat]
    slots = set()
    for step in steps:
        if step == END:
            break
        slots.add(unpack_step(step)[1])
        advance(position, step)
    after = position.fields()["seats"][review.seat]
    used = [b - a for a, b in zip(before["used"], after["used"], strict=True)]
    # A tile that can be used only once is gone, and does not count as used.
    tiles = (max(count, slot in slots) for slot, count in enumerate(used, start=1))
    return _Uses(tuple(tiles), before["supply"] - after["supply"])


def _is_usable(kind: str) -> bool:
    return load().tile(kind).action not in PASSIVE
