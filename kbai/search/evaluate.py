"""What a position is worth to every seat, from searches that know nothing of each other.

Each of them has its own seed, so that what they differ by tells how far to trust their mean.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from statistics import fmean
from typing import Any, Self

from kbai._fast import Position
from kbai._mcts import Tree, TurnNode
from kbai.core.points import margins_of, points_of
from kbai.core.seeds import derive_seed
from kbai.core.uncertainty import Measured, mean_of
from kbai.game.steps import advance, is_same_decision
from kbai.search.branches import Branch
from kbai.search.calibration import forecast, forecast_gold
from kbai.search.params import Limit, SearchParams
from kbai.search.results import Outlook, TurnChoice, best_turns
from kbai.search.searcher import Searcher

# A few, for a search that gets more visits sees further.
BATCHES = 4
# What searches misjudge alike in the difference between two turns, as a standard deviation: in win
# probability where the game is even, and in gold. That is for losses of less than 12 points, where
# it decides about a mark (docs/review.md; scripts/review_checks.py truth measures it).
WIN_MISJUDGED = 0.08
GOLD_MISJUDGED = 1.5


@dataclass(frozen=True, slots=True)
class Sample:
    """The answer of one search, by seat."""

    shares: tuple[float, ...]
    """Of the victory, in the games of the search."""
    wins: tuple[float, ...]
    """The shares as games turn out, see `kbai.search.calibration`."""
    gold: tuple[float, ...]
    """As games turn out, unless it is certain."""
    margin: tuple[float, ...]
    """In the games of the search."""


@dataclass(frozen=True, slots=True)
class Value:
    """What each seat can expect in a position."""

    samples: tuple[Sample, ...]
    visits: int
    is_exact: bool
    """Whether all that can follow is known: then the shares need no forecast."""

    def chance(self, seat: int) -> Measured:
        """Return the chance of a seat to win."""
        if self.is_exact:
            return Measured(self.samples[0].shares[seat])
        return mean_of([sample.wins[seat] for sample in self.samples])

    def outlook(self, seat: int) -> Outlook:
        """Return what a seat can expect; the gold is not counted by source."""
        gold, margin = (
            Measured(values[0]) if self.is_exact else mean_of(values)
            for values in (
                [sample.gold[seat] for sample in self.samples],
                [sample.margin[seat] for sample in self.samples],
            )
        )
        chance = self.chance(seat).estimate()
        return Outlook(chance, gold.estimate(), margin.estimate(), ())

    def to_payload(self) -> dict[str, Any]:
        """Return what a cache keeps."""
        samples = [[list(part) for part in astuple(sample)] for sample in self.samples]
        return {"samples": samples, "visits": self.visits, "exact": self.is_exact}

    @classmethod
    def from_payload(cls, payload: Mapping[str, Any]) -> Self:
        """Return the value of a line of the cache."""
        samples = tuple(Sample(*map(tuple, parts)) for parts in payload["samples"])
        return cls(samples, payload["visits"], payload["exact"])


def chances(values: Iterable[Value], seat: int) -> list[list[float]]:
    """Return the chances of a seat by value and sample, to be compared with each other.

    A forecast is never quite sure, and what is exact is: if some values are the one and some the
    other, even what is exact is forecast, for the difference is to be one of the positions.
    """
    values = list(values)
    if all(value.is_exact for value in values):
        return [[sample.shares[seat] for sample in value.samples] for value in values]
    return [[sample.wins[seat] for sample in value.samples] for value in values]


def golds(values: Iterable[Value], seat: int) -> list[list[float]]:
    """Return the gold of a seat by value and sample."""
    return [[sample.gold[seat] for sample in value.samples] for value in values]


@dataclass(frozen=True, slots=True)
class Amount:
    """In win probability and in gold."""

    win: Measured
    gold: Measured


def cost(best: Value, played: Value, seat: int) -> Amount:
    """Return what the one is worth more than the other; both were searched with the same seeds.

    That makes their noise small, but not what all searches misjudge alike.
    """
    win, gold = (
        mean_of([one - other for one, other in zip(*rows, strict=True)])
        for rows in (chances((best, played), seat), golds((best, played), seat))
    )
    if best.is_exact and played.is_exact:
        return Amount(win, gold)
    chance = fmean(value.chance(seat).value for value in (best, played))
    return Amount(
        win + Measured(0.0, WIN_MISJUDGED**2 * evenness(chance)),
        gold + Measured(0.0, GOLD_MISJUDGED**2),
    )


def evenness(chance: float) -> float:
    """Return the variance of a result, as a part of that of an even game."""
    return 4 * chance * (1 - chance)


def evaluate(
    position: Position,
    mover: int,
    limit: Limit,
    seed: int,
    *,
    params: SearchParams,
    batches: int = BATCHES,
) -> Value:
    """Search a position a few times over and return what it is worth.

    ``mover`` is the seat whose turn led there. Each search gets its part of the limit. The same
    seed for two positions makes their difference less noisy than the values are.
    """
    if position.is_over:
        return _result(position, mover, batches)
    samples = []
    visits = 0
    for batch in range(batches):
        tree = _grown(position, limit.part(1 / batches), derive_seed(seed, "batch", batch), params)
        root = tree.root()
        visits += tree.visits
        samples.append(_sample_of(position, mover, root))
        if root.is_proven:  # what is certain gains nothing by the guesses of the others
            return Value((samples[-1],) * batches, visits, True)
    return Value(tuple(samples), visits, False)


def blend(one: Sample, other: Sample, share: float) -> Sample:
    """Return a mean of two samples, in which the first has this share."""
    columns = zip(astuple(one), astuple(other), strict=True)
    return Sample(*(
        tuple(share * a + (1 - share) * b for a, b in zip(*column, strict=True))
        for column in columns
    ))  # fmt: skip


def _grown(position: Position, limit: Limit, seed: int, params: SearchParams) -> Tree:
    searcher = Searcher(params)
    searcher.look_at(position, seed)
    searcher.run(limit)
    return searcher.trees[0]


def _sample_of(position: Position, mover: int, root: TurnNode) -> Sample:
    """Return what the root of a tree says of its position, after a turn of ``mover``."""
    gold = tuple(seat.gold for seat in root.seats)
    if not root.is_proven:
        gold = forecast_gold(position, gold)
    return _sample(position, mover, [seat.win for seat in root.seats], gold,
                   [seat.margin for seat in root.seats])  # fmt: skip


def _sample(
    position: Position,
    mover: int,
    shares: Sequence[float],
    gold: Sequence[float],
    margin: Sequence[float],
) -> Sample:
    wins = forecast(position, shares, mover)
    return Sample(tuple(shares), wins, tuple(gold), tuple(margin))


def _result(position: Position, mover: int, batches: int) -> Value:
    gold = position.scores()
    sample = _sample(position, mover, points_of(gold), gold, margins_of(gold))
    return Value((sample,) * batches, 0, True)


@dataclass(frozen=True, slots=True)
class Found:
    """What a search for the best turn has found."""

    turns: tuple[TurnChoice, ...]
    """The best ones, as the search for the first step lists them."""
    steps: tuple[int, ...]
    """Of the best one, to its end; it need not be on that list."""
    after: Position
    """Where it leads."""
    root: Sample
    """The mean of all visits of the search for the first step, as if the turn had been this one."""
    visits: int


def find_turns(
    position: Position, limit: Limit, seed: int, *, params: SearchParams, top: int
) -> Found:
    """Search for the best turn as a bot does: half of what is left of the limit for each step.

    There are turns of many steps, and their end gets few visits of a search from their beginning.
    """
    actor = position.actor
    searcher = Searcher(params)
    turns: tuple[TurnChoice, ...] = ()
    root: TurnNode | None = None
    steps: list[int] = []
    visits = 0
    after = position.copy()
    while is_same_decision(position, steps, after):
        step: int | None = None
        legal = after.legal()
        if not steps or len(legal) > 1:
            limit = limit.part(1 / 2)
            searcher.look_at(after, seed)
            visits += searcher.run(limit)
            branch = Branch(after.copy(), (), 1.0)
            turns = turns or best_turns(searcher.trees, branch, params, seed=seed, top=top)
            root = root or searcher.trees[0].root()
            step = searcher.best_step()
        # So few visits that the tree has no step yet.
        steps.append(random.Random(seed).choice(legal) if step is None else step)
        advance(after, steps[-1])
    assert root is not None
    return Found(turns, tuple(steps), after, _sample_of(after, actor, root), visits)
