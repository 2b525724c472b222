"""What a position is worth to every seat, from a few independent searches.

Each search has its own seed: how much they differ tells how far to trust their mean.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any, Self

from kbai._fast import Position
from kbai._mcts import Tree, TurnNode
from kbai.core.intervals import Estimate
from kbai.core.means import QUANTILE, fmean
from kbai.core.points import margins_of, points_of
from kbai.core.seeds import derive_seed
from kbai.core.uncertainty import Measured, mean_of
from kbai.game.steps import advance, is_same_decision
from kbai.search.branches import Branch
from kbai.search.calibration import (
    Forecast,
    Misjudged,
    chance_of,
    log_odds,
    odds_interval,
)
from kbai.search.params import Limit, SearchParams
from kbai.search.results import Outlook, TurnChoice, best_turns
from kbai.search.searcher import Searcher

# Only a few: the more visits a search gets, the further it sees.
BATCHES = 4
# The error that all searches share in the difference between two turns, as a standard deviation: in
# win probability (of an even game) and in gold. Measured for losses below 12 points, where it
# decides about a mark (docs/review.md; scripts/review_checks.py truth).
WIN_MISJUDGED = 0.08
GOLD_MISJUDGED = 1.5


@dataclass(frozen=True, slots=True)
class Sample:
    """The answer of one search, by seat."""

    shares: tuple[float, ...]
    """Shares of the win in the playouts."""
    wins: tuple[float, ...]
    """Win probabilities: the shares, corrected by `kbai.search.calibration`."""
    gold: tuple[float, ...]
    """Corrected as well, unless it is exact."""
    margin: tuple[float, ...]
    """Likewise."""


@dataclass(frozen=True, slots=True)
class Value:
    """What each seat can expect in a position."""

    samples: tuple[Sample, ...]
    visits: int
    is_exact: bool
    """Whether all continuations are known: then the shares need no correction."""
    sources: tuple[tuple[float, ...], ...] = ()
    """By seat, the gold by source in the order of `Position.score_detail`, as the playouts of all
    samples had it in the mean; empty if it was not counted."""

    def chance(self, seat: int) -> Measured:
        """Return the win probability of a seat."""
        if self.is_exact:
            return Measured(self.samples[0].shares[seat])
        return mean_of([sample.wins[seat] for sample in self.samples])

    def chances(self) -> tuple[float, ...]:
        """Return the win probability of every seat; they add up to 1."""
        return tuple(self.chance(seat).value for seat in range(len(self.samples[0].wins)))

    def outlook(self, seat: int, doubt: Misjudged) -> Outlook:
        """Return what a seat can expect, without the sources of its gold.

        Intervals hold the noise between searches and, as those of `kbai.search.results`, what all
        searches misjudge.
        """
        gold, margin = (
            Measured(values[0]) if self.is_exact else mean_of(values) + Measured(0.0, error**2)
            for values, error in (
                ([sample.gold[seat] for sample in self.samples], doubt.gold),
                ([sample.margin[seat] for sample in self.samples], doubt.margin),
            )
        )
        return Outlook(self._win(seat, doubt), gold.estimate(), margin.estimate(), ())

    def _win(self, seat: int, doubt: Misjudged) -> Estimate:
        if self.is_exact:
            return self.chance(seat).estimate()
        chance, noise = self.chance(seat), self.odds(seat).estimate()
        ends = odds_interval(
            chance.value, chance_of(noise.low), chance_of(noise.high), QUANTILE * doubt.win
        )
        return Estimate(chance.value, *ends)

    def odds(self, seat: int) -> Measured:
        """Return the log-odds of a seat's corrected chance."""
        return mean_of([log_odds(sample.wins[seat]) for sample in self.samples])

    def to_payload(self) -> dict[str, Any]:
        """Return the value as a cache keeps it."""
        samples = [[list(part) for part in astuple(sample)] for sample in self.samples]
        sources = [list(gold) for gold in self.sources] or None
        return {
            "samples": samples,
            "visits": self.visits,
            "exact": self.is_exact,
            "sources": sources,
        }

    @classmethod
    def from_payload(cls, payload: Mapping[str, Any]) -> Self:
        """Return the value that a cache has kept."""
        samples = tuple(Sample(*map(tuple, parts)) for parts in payload["samples"])
        sources = tuple(map(tuple, payload.get("sources") or ()))
        return cls(samples, payload["visits"], payload["exact"], sources)


def chances(values: Iterable[Value], seat: int) -> list[list[float]]:
    """Return the win probabilities of a seat by value and sample, fit for comparison.

    A corrected probability is never quite 0 or 1, an exact one can be. If only some values are
    exact, all are taken as corrected, so that the difference comes from the positions alone.
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
    """An amount in win probability and in gold."""

    win: Measured
    gold: Measured


def cost(best: Value, played: Value, seat: int) -> Amount:
    """Return how much more the one is worth than the other.

    Searching both with the same seeds makes the noise small, but not the error that all searches
    share: it is added here.
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
    """Return the variance of a result, relative to that of an even game."""
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
    """Search a position a few times and return what it is worth.

    ``mover`` is the seat whose turn led there. The searches share the limit. Use the same seed for
    two positions to make their difference less noisy than the values.
    """
    if position.is_over:
        return _result(position, mover, batches)
    samples = []
    details = []
    visits = 0
    for batch in range(batches):
        tree = _grown(position, limit.part(1 / batches), derive_seed(seed, "batch", batch), params)
        root = tree.root()
        visits += tree.visits
        samples.append(_sample_of(position, mover, root))
        details.append(root.detail)
        if root.is_proven:  # no estimate improves on a proof
            return Value((samples[-1],) * batches, visits, True, root.detail)
    return Value(tuple(samples), visits, False, _mean_detail(details))


def _mean_detail(
    details: Sequence[tuple[tuple[float, ...], ...]],
) -> tuple[tuple[float, ...], ...]:
    """Return the mean gold by seat and source of those searches that have counted it."""
    counted = [detail for detail in details if detail]
    seats = zip(*counted, strict=True)
    return tuple(tuple(map(fmean, zip(*golds, strict=True))) for golds in seats)


def blend(one: Sample, other: Sample, share: float) -> Sample:
    """Return the mean of two samples; ``share`` is the weight of the first."""
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
    """Return what the root of a tree says about a position after a turn of ``mover``."""
    # The odds of cards are single floats, and their sum may be above 1 by the last bits.
    shares = tuple(min(seat.win, 1.0) for seat in root.seats)
    gold = tuple(seat.gold for seat in root.seats)
    margin = tuple(seat.margin for seat in root.seats)
    forecast = Forecast(position, mover)
    if not root.is_proven:
        margin = forecast.margin(margin, gold)
        gold = forecast.gold(gold)
    return Sample(shares, forecast.chances(shares), gold, margin)


def _result(position: Position, mover: int, batches: int) -> Value:
    gold = position.scores()
    shares = points_of(gold)
    chances = Forecast(position, mover).chances(shares)
    sample = Sample(tuple(shares), chances, tuple(gold), tuple(margins_of(gold)))
    return Value((sample,) * batches, 0, True, position.score_detail())


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search for the best turn."""

    turns: tuple[TurnChoice, ...]
    """The best turns, as the search for the first step ranks them."""
    steps: tuple[int, ...]
    """The best turn, played to its end step by step; it need not be one of `turns`."""
    after: Position
    """The position after `steps`."""
    root: Sample
    """The mean over all visits of the search for the first step, corrected as for `after`."""
    visits: int


def find_turns(
    position: Position, limit: Limit, seed: int, *, params: SearchParams, top: int
) -> Found:
    """Search for the best turn step by step, as a bot does; each step gets half of what is left.

    A turn can have many steps, and a search from its beginning leaves few visits for its end.
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
        # Too few visits: the tree has no step yet.
        steps.append(random.Random(seed).choice(legal) if step is None else step)
        advance(after, steps[-1])
    assert root is not None
    return Found(turns, tuple(steps), after, _sample_of(after, actor, root), visits)
