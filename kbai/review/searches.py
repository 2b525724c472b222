"""The searches of a review: small independent tasks.

Each has an id, a hash of all that determines its answer, and an answer that a cache can keep.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any, Protocol

from kbai._fast import Board, Position
from kbai.compute.journal import content_id
from kbai.core.seeds import derive_seed
from kbai.game.cells import N_BOARD_CELLS
from kbai.game.setup import SpaceInfo, setup_of
from kbai.game.steps import end_of, is_same_decision
from kbai.notation.positions import format_line
from kbai.review.payloads import choice_to_payload
from kbai.review.shapes import check_best_turn, check_cards, check_value
from kbai.search.branches import branches
from kbai.search.calibration import CORRECTIONS, DOUBT, MISJUDGED
from kbai.search.evaluate import (
    BATCHES,
    Sample,
    Value,
    blend,
    cost,
    evaluate,
    find_turns,
)
from kbai.search.params import Limit, SearchParams
from kbai.search.version import RULES, SIGNATURE

# A review searches thousands of positions, several at a time.
PARAMS = SearchParams(memory=250)
# How many turns a review lists as candidates.
TOP = 5
# How many of the likeliest turns of a search are rivals of the turn that was played.
RIVALS = 2
# A second search for rivals explores more: it plays worse, but finds turns that the first misses.
BROAD = replace(PARAMS, exploration=0.9, prior_temperature=4.0)
# The budget of the first comparison with each rival, in limits.
FIRST = 2
# A turn that seems to cost this much is searched again with this many limits. The first threshold
# is well below the least marked loss, to miss nothing; the last budget makes the loss credible.
CLOSER = ((0.01, 4), (0.04, 16))
# Searches per card, and the budget of all cards of a draw together, in limits.
CARD_BATCHES = 2
CARD_LIMITS = 10
# The weight of the mean over all visits in the value of a card; the rest is the value of the best
# turn found (docs/review.md).
BREADTH = 0.5
# A search of fewer visits is of no use.
MIN_VISITS = 16
# Of what answers hold; raise it if they hold something else.
FORM = 3


@cache
def search_version() -> str:
    """Return an id for what the search does and how reviews use it.

    If it changes, old answers are not used any more.
    """
    of_reviews = (RIVALS, BROAD, FIRST, CLOSER, CARD_BATCHES, CARD_LIMITS, BREADTH, BATCHES, FORM)
    constants = (CORRECTIONS, DOUBT, MISJUDGED, *of_reviews)
    return content_id([SIGNATURE, RULES, repr(constants)])


class SearchTask(Protocol):
    """A search that a review needs."""

    @property
    def id(self) -> str:
        """A hash of all that determines its answer."""

    def run(self) -> dict[str, Any]:
        """Search and return the answer, as a cache keeps it."""

    def check(self, answer: Mapping[str, Any]) -> None:
        """Raise `ShapeError` unless this can be the answer."""


@dataclass(frozen=True, slots=True)
class ValueTask:
    """The value of a position for every seat, after a turn of ``mover``."""

    position: Position
    mover: int
    limit: Limit
    seed: int

    id: str = field(init=False)

    def __post_init__(self) -> None:
        _set_id(self, "worth", (self.position,), self.mover)

    def run(self) -> dict[str, Any]:
        value = evaluate(self.position, self.mover, self.limit, self.seed, params=PARAMS)
        return value.to_payload()

    def check(self, answer: Mapping[str, Any]) -> None:
        check_value(answer, self.position, BATCHES)


@dataclass(frozen=True, slots=True)
class BestTurnTask:
    """The best turn in a position, and how it compares with the one that was played.

    Its rivals are the turns that a search of the whole turn likes best, the one that a bot would
    play step by step, and that of a bot that explores more. The positions after them and after the
    played turn are searched with the same seeds, so that differences are less noisy than values.
    If the best rival seems better than the played turn, both are searched again with more visits,
    and only the last search counts: it had no part in the choice, and one large tree is better
    than many small ones.
    """

    position: Position
    played: Position
    """The position after the turn that was played."""
    limit: Limit
    """Of the search; the comparisons take several, see the constants above."""
    seed: int

    id: str = field(init=False)

    def __post_init__(self) -> None:
        _set_id(self, "turn", (self.position, self.played))

    def run(self) -> dict[str, Any]:
        # The limit is for the whole turn, and as much again for its later steps.
        found = find_turns(self.position, self.limit.part(2), self.seed, params=PARAMS, top=TOP)
        rivals = {}
        broad = find_turns(self.position, self.limit.part(2), self.seed, params=BROAD, top=1)
        likely = (turn.steps for turn in found.turns[:RIVALS])
        for steps in (found.steps, broad.steps, *likely):
            after = end_of(self.position, steps)
            if after != self.played and not is_same_decision(self.position, steps, after):
                rivals[after] = steps
        answer: dict[str, Any] = {
            "candidates": [choice_to_payload(turn) for turn in found.turns],
            "steps": list(found.steps),
            "visits": found.visits + broad.visits,
            "values": [],
        }
        if rivals:
            best, pair, visits = self._compare(list(rivals))
            answer["steps"] = list(rivals[best])
            answer["values"] = [value.to_payload() for value in pair]
            answer["visits"] += visits
        return answer

    def check(self, answer: Mapping[str, Any]) -> None:
        check_best_turn(answer, self.position, BATCHES)

    def _compare(self, rivals: list[Position]) -> tuple[Position, tuple[Value, Value], int]:
        """Return the best rival, its value and that of the played turn, and the other visits."""
        played, *values = self._values([self.played, *rivals], FIRST)
        losses = [self._loss(value, played) for value in values]
        index = losses.index(max(losses))
        visits = sum(value.visits for value in values) - values[index].visits
        best = values[index]
        for suspicious, limits in CLOSER:
            if self._loss(best, played) >= suspicious:
                visits += best.visits + played.visits
                best, played = self._values([rivals[index], self.played], limits)
        return rivals[index], (best, played), visits

    def _loss(self, best: Value, played: Value) -> float:
        return cost(best, played, self.position.actor).win.value

    def _values(self, positions: list[Position], limits: int) -> list[Value]:
        seed, limit = derive_seed(self.seed, "look", limits), self.limit.part(limits)
        actor = self.position.actor
        return [evaluate(each, actor, limit, seed, params=PARAMS) for each in positions]


@dataclass(frozen=True, slots=True)
class CardsTask:
    """The value of each card that may come in a position, if the best turn follows.

    All are searched alike, whichever came, so that luck is 0 on average.
    """

    position: Position
    limit: Limit
    seed: int

    id: str = field(init=False)

    def __post_init__(self) -> None:
        _set_id(self, "cards", (self.position,))

    def run(self) -> dict[str, Any]:
        found = branches(self.position)
        limit = self.limit.part(CARD_LIMITS / len(found) / CARD_BATCHES / 2)
        if limit.visits is not None:
            limit = Limit(max(limit.visits, MIN_VISITS), limit.seconds)
        values = [self._worth_of(branch.position, limit).to_payload() for branch in found]
        return {"values": values}

    def check(self, answer: Mapping[str, Any]) -> None:
        check_cards(answer, self.position, len(branches(self.position)), CARD_BATCHES)

    def _worth_of(self, position: Position, limit: Limit) -> Value:
        """Return the value of a card, from independent searches for its best turn.

        What the turn found is worth depends on which one it was, and a short search may miss the
        best. The mean of all visits of that search depends less on it, but knows less of what
        the best turn gains. Half of each is less noisy than either.
        """
        samples: list[Sample] = []
        visits = 0
        is_exact = True
        for batch in range(CARD_BATCHES):
            seed = derive_seed(self.seed, batch)
            found = find_turns(position, limit, seed, params=PARAMS, top=1)
            value = evaluate(found.after, position.actor, limit, seed, params=PARAMS, batches=1)
            (sample,) = value.samples
            samples.append(sample if value.is_exact else blend(found.root, sample, BREADTH))
            visits += found.visits + value.visits
            is_exact = is_exact and value.is_exact
        return Value(tuple(samples), visits, is_exact)


def run_task(task: SearchTask) -> dict[str, Any]:
    """Run a search and return its answer, as a cache keeps it."""
    return task.run()


def _set_id(
    task: ValueTask | BestTurnTask | CardsTask,
    kind: str,
    positions: Sequence[Position],
    *numbers: int,
) -> None:
    """Compute the id of a task once: it takes longer than to look up an answer."""
    places = list(map(place_of, positions))
    limit = task.limit
    value = [kind, search_version(), places, limit.visits, limit.seconds, [task.seed, *numbers]]
    object.__setattr__(task, "id", content_id(value))


def place_of(position: Position) -> list[str]:
    """Return a position and its board for an id."""
    return [format_line(position), _ground(position.board, setup_of(position).spaces)]


@lru_cache(maxsize=64)  # all tasks of a game ask for the same board
def _ground(board: Board, spaces: tuple[SpaceInfo, ...]) -> str:
    """Return a hash of what is printed on the board: the user may change their own quadrants."""
    terrain = [board.terrain(cell) for cell in range(N_BOARD_CELLS)]
    return content_id([terrain, repr(spaces)])
