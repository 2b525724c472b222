"""The searches a review is made of: small tasks that need nothing of each other.

Each has an id derived from all that decides its answer, and an answer that a cache can keep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Protocol

from kbai._fast import Position
from kbai.compute.journal import content_id
from kbai.core.seeds import derive_seed
from kbai.game.cells import N_BOARD_CELLS
from kbai.game.setup import setup_of
from kbai.game.steps import end_of, is_same_decision
from kbai.notation.positions import format_line
from kbai.review.payloads import choice_to_payload
from kbai.search.branches import branches
from kbai.search.calibration import CORRECTIONS, DOUBT
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
from kbai.search.version import SIGNATURE

# A review looks at thousands of positions, some of them at the same time.
PARAMS = SearchParams(memory=250)
# How many turns a review lists as candidates.
TOP = 5
# How many of the likeliest turns of a search are rivals of the turn that was played.
RIVALS = 2
# A second search for rivals tries more: what plays worse finds turns that the better one misses.
BROAD = replace(PARAMS, exploration=0.9, prior_temperature=4.0)
# What the first comparison with each takes, in limits.
FIRST = 2
# A turn that seems to have cost so much is looked at again, with so many limits: less than the
# least that is marked, lest something be missed, and so much in the end that it can be believed.
CLOSER = ((0.01, 4), (0.04, 16))
# How often each card is looked at, and what all cards of a draw get together, in limits.
CARD_BATCHES = 2
CARD_LIMITS = 10
# What all visits of the search for the best turn count in the worth of a card; the rest is that of
# the turn it has found (docs/review.md).
BREADTH = 0.5
# A search of fewer visits knows nothing.
MIN_VISITS = 16


@cache
def search_version() -> str:
    """Return a name for what the search does and what is made of it.

    Any change in it makes old answers useless.
    """
    of_reviews = (RIVALS, BROAD, FIRST, CLOSER, CARD_BATCHES, CARD_LIMITS, BREADTH, BATCHES)
    constants = (CORRECTIONS, DOUBT, *of_reviews)
    return content_id([SIGNATURE, repr(constants)])


class SearchTask(Protocol):
    """A search that a review needs."""

    @property
    def id(self) -> str:
        """Its name, derived from all that decides its answer."""

    def run(self) -> dict[str, Any]:
        """Search and return the answer, as a cache keeps it."""


@dataclass(frozen=True, slots=True)
class ValueTask:
    """What a position is worth to every seat, ``mover`` having had the last turn."""

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


@dataclass(frozen=True, slots=True)
class BestTurnTask:
    """The best turn in a position, and how it compares with the one that was played.

    There are rivals: the turns that a search of the whole turn likes best, the one that a bot would
    play step by step, and that of a bot which tries more. Where they lead, and where what was
    played leads, is searched with the same seeds: then differences are less noisy than values. If
    the best rival seems to be better than what was played, both are looked at anew, and closer,
    and the last look alone counts: it owes nothing to having been chosen, and a large tree is
    wiser than many small ones.
    """

    position: Position
    played: Position
    """Where the turn that was played led."""
    limit: Limit
    """Of the search; the comparisons take some of these, see the top."""
    seed: int

    id: str = field(init=False)

    def __post_init__(self) -> None:
        _set_id(self, "turn", (self.position, self.played))

    def run(self) -> dict[str, Any]:
        # The limit is for the whole turn; as much again for its later steps.
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

    def _compare(self, rivals: list[Position]) -> tuple[Position, tuple[Value, Value], int]:
        """Return the best rival, its value and that of what was played, and other visits."""
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
    """What each of the cards that may come in a position is worth, if the best is made of it.

    All are looked at alike, whichever came: so the luck of a card is 0 in the mean.
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
    """Make a search and return its answer, as a cache keeps it."""
    return task.run()


def _set_id(
    task: ValueTask | BestTurnTask | CardsTask,
    kind: str,
    positions: Sequence[Position],
    *numbers: int,
) -> None:
    """Name a task by all that decides its answer, once: it takes longer than to look it up."""
    places = [[format_line(position), _ground(position)] for position in positions]
    limit = task.limit
    value = [kind, search_version(), places, limit.visits, limit.seconds, [task.seed, *numbers]]
    object.__setattr__(task, "id", content_id(value))


def _ground(position: Position) -> str:
    """Return what is printed on the board: people's own quadrants may be changed."""
    setup = setup_of(position)
    terrain = [position.board.terrain(cell) for cell in range(N_BOARD_CELLS)]
    return content_id([terrain, repr(setup.spaces)])
