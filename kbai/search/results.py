"""What a search says, apart from how it searches: the best turns, and what to expect of each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from kbai._fast import Position
from kbai._mcts import SeatStats, Tree, TurnNode
from kbai.core.intervals import Estimate, wilson_interval
from kbai.core.means import QUANTILE
from kbai.game.steps import END, end_of
from kbai.search.branches import Branch
from kbai.search.calibration import Forecast, odds_interval
from kbai.search.params import SearchParams
from kbai.search.ranking import ranked

# How many turns to ask of each tree; those with fewer visits are never the best.
MAX_TURNS = 200
# Maximum length of the continuation after a turn, draws included.
LINE_STEPS = 24
# With fewer visits than this, the interval of a win probability is about 35 points wide.
ROUGH_VISITS = 30


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a seat can expect. The intervals are those of the playouts."""

    win: Estimate
    """Win probability, 0 to 1; a tie counts as a share. Corrected by `kbai.search.calibration`."""
    gold: Estimate
    margin: Estimate
    """Gold minus that of the best opponent."""
    sources: tuple[float, ...]
    """The gold by source, in the order of `Position.score_detail`; empty if not counted."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A turn that differs from another in a detail that does not matter; see `kbai.search.ideas`.

    Its numbers are those of the tree, less those of the other turn.
    """

    steps: tuple[int, ...]
    visits: int
    cell: int
    """Where it puts a piece ..."""
    instead: int
    """... that the other turn puts here. If both stood there before, where it leaves one: then it
    has moved the one that the other turn leaves where it is."""
    win: float
    margin: float
    is_moved: bool = False
    """Whether both pieces stood there before."""


@dataclass(frozen=True, slots=True)
class TurnChoice:
    """A way to play the turn, or the rest of it."""

    steps: tuple[int, ...]
    """Cards turned up among them; a turn that was not searched to its end is cut short."""
    visits: int
    utility: float
    """For the seat that decides, 0 to 1. Turns are ranked by it and by their visits."""
    is_proven: bool
    """Whether all continuations are known: then nothing here is an estimate."""
    seats: tuple[Outlook, ...]
    line: tuple[int, ...] = ()
    """The likely continuation: what most visits did after the turn."""
    games: int = 0
    """How many games were played on from it, besides the search; see `kbai.rollouts`."""
    odds: float = 1.0
    """Probability of the cards that are turned up first, if there are any."""
    variants: tuple[Variant, ...] = ()
    """Turns that are the same idea, the best first."""
    tree: tuple[Outlook, ...] = ()
    """What the tree alone says, if games have changed `seats`."""
    endings: tuple[tuple[int, tuple[tuple[int, ...], ...]], ...] = ()
    """How the games ended: a round, and the gold by seat and source. Games of one round had the
    same cards, whatever turn they began with."""

    @property
    def is_finished(self) -> bool:
        """Whether the steps reach the end of the turn."""
        return self.steps[-1] == END


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The answer of a search."""

    position: Position
    turns: tuple[TurnChoice, ...]
    """The best first; none if the game is over. If a card is to be turned up, the best turn for
    each card, the likeliest card first."""
    visits: int
    seed: int
    threads: int
    is_interrupted: bool = False
    """Whether Ctrl-C came before the limit."""
    is_full: bool = False
    """Whether the memory ran out, so that the trees could not grow any more."""
    ownership: tuple[dict[int, float], ...] = ()
    """By seat and cell, the share of playouts in which the seat has a piece there at the end;
    cells without one are left out. Empty if you did not ask for it."""

    @property
    def is_rough(self) -> bool:
        """Whether the turn to play, of any card, was seen too little to judge it."""
        first = self.turns if self.position.pending_draw else self.turns[:1]
        return any(turn.visits < ROUGH_VISITS and not turn.is_proven for turn in first)


@dataclass(frozen=True, slots=True)
class _Found:
    """A way to play the turn, in all trees together; ``tree`` has visited it most."""

    node: TurnNode
    tree: Tree
    visits: int
    utility: float
    is_proven: bool
    parts: tuple[TurnNode, ...]
    """The nodes of the trees to take means of."""

    @property
    def sure(self) -> float:
        """The utility if it is proven, otherwise -1."""
        return self.utility if self.is_proven else -1.0


def best_turns(
    trees: Sequence[Tree], branch: Branch, params: SearchParams, *, seed: int, top: int
) -> tuple[TurnChoice, ...]:
    """Return the best turns in the trees of a branch, the best first."""
    return tuple(islice(ranked_turns(trees, branch, params, seed=seed), top))


def ranked_turns(
    trees: Sequence[Tree], branch: Branch, params: SearchParams, *, seed: int
) -> Iterator[TurnChoice]:
    """Yield the turns in the trees of a branch, the best first."""
    found: dict[int, list[tuple[TurnNode, Tree]]] = {}
    for tree in trees:
        for node in tree.turns(MAX_TURNS):
            if node.visits:
                found.setdefault(node.key, []).append((node, tree))
    turns = [_merge(nodes, branch.position.actor) for nodes in found.values()]
    turns.sort(key=lambda turn: -turn.visits)
    for turn in ranked(turns, params):
        yield _choice(turn, branch, seed)


def _merge(nodes: Sequence[tuple[TurnNode, Tree]], actor: int) -> _Found:
    main, tree = max(nodes, key=lambda pair: pair[0].visits)
    proven = [node for node, _ in nodes if node.is_proven]
    # No estimate of another tree improves on a proof.
    parts = tuple(proven[:1] or [node for node, _ in nodes])
    total = sum([node.visits for node in parts])
    utility = sum([node.visits * node.seats[actor].utility for node in parts]) / total
    visits = sum([node.visits for node, _ in nodes])
    return _Found(main, tree, visits, utility, bool(proven), parts)


def _choice(turn: _Found, branch: Branch, seed: int) -> TurnChoice:
    steps = turn.node.steps
    if not steps:  # too few visits: the tree has no step yet
        from random import Random

        steps = (Random(seed).choice(_first_steps(turn.tree, branch.position)),)
    return TurnChoice(
        steps=(*branch.draws, *steps),
        visits=turn.visits,
        utility=turn.utility,
        is_proven=turn.is_proven,
        seats=_outlooks(turn, branch.position),
        line=tuple(turn.tree.main_line(turn.node.steps, LINE_STEPS)),
        odds=branch.odds,
    )


def _first_steps(tree: Tree, position: Position) -> list[int]:
    allowed = {edge.step for edge in tree.edges()}
    return [step for step in position.legal() if step in allowed]


def _outlooks(turn: _Found, position: Position) -> tuple[Outlook, ...]:
    """Return what every seat can expect after a turn."""
    seats = range(position.board.seats)
    after = end_of(position, turn.node.steps)
    n = sum(node.visits for node in turn.parts)
    means = [_means(turn.parts, seat, n) for seat in seats]
    if turn.is_proven:  # what is proven needs no forecast
        return tuple(
            Outlook(
                Estimate(*[min(mean.win, 1.0)] * 3),  # the odds of cards may add up to a bit more
                Estimate(mean.gold, mean.gold, mean.gold),
                Estimate(mean.margin, mean.margin, mean.margin),
                _sources(turn.parts, seat),
            )
            for seat, mean in zip(seats, means, strict=True)
        )
    forecast = Forecast(after, position.mover)
    shares = [mean.win for mean in means]
    gold = [mean.gold for mean in means]
    chances = forecast.chances(shares)
    golds = forecast.gold(gold)
    margins = forecast.margin([mean.margin for mean in means], gold)
    doubt = forecast.misjudged
    return tuple(
        Outlook(
            _chance(forecast, chances[seat], shares, seat, n),
            _estimate(golds[seat], mean.gold_variance, doubt.gold, n),
            _estimate(margins[seat], mean.margin_variance, doubt.margin, n),
            _sources(turn.parts, seat),
        )
        for seat, mean in zip(seats, means, strict=True)
    )


def _means(nodes: Sequence[TurnNode], seat: int, n: int) -> SeatStats:
    """Return the means of some nodes with ``n`` visits together."""
    if len(nodes) == 1:  # as nearly always
        (node,) = nodes
        return SeatStats(*[node.visits * mean / n for mean in node.seats[seat]])
    columns = zip(*([node.visits * mean for mean in node.seats[seat]] for node in nodes),
                  strict=True)  # fmt: skip
    return SeatStats(*[sum(column) / n for column in columns])


def _chance(
    forecast: Forecast, chance: float, shares: Sequence[float], seat: int, n: int
) -> Estimate:
    """Return a seat's chance to win; the interval holds noise and what searches misjudge."""
    low, high = wilson_interval(shares[seat], n, QUANTILE)
    low = forecast.chance_if(shares, seat, low)
    high = forecast.chance_if(shares, seat, high)
    spread = QUANTILE * forecast.misjudged.win
    return Estimate(chance, *odds_interval(chance, low, high, spread))


def _estimate(value: float, variance: float, doubt: float, n: int) -> Estimate:
    """Return an amount of gold; the interval holds noise and what searches misjudge."""
    if n < 2:
        return Estimate(value, -math.inf, math.inf)
    half = QUANTILE * math.sqrt(variance / (n - 1) + doubt**2)
    return Estimate(value, value - half, value + half)


def _sources(nodes: Sequence[TurnNode], seat: int) -> tuple[float, ...]:
    counted = [node for node in nodes if node.detail_visits]
    if len(counted) == 1:  # as nearly always
        visits = counted[0].detail_visits
        return tuple([visits * gold / visits for gold in counted[0].detail[seat]])
    total = sum(node.detail_visits for node in counted)
    columns = zip(*(
        [node.detail_visits * gold for gold in node.detail[seat]] for node in counted
    ), strict=True)  # fmt: skip
    return tuple(sum(column) / total for column in columns)


def add_ownership(
    known: tuple[dict[int, float], ...], trees: Sequence[Tree], odds: float
) -> tuple[dict[int, float], ...]:
    """Return the ownership known so far, plus what the trees of a branch have counted."""
    counted = [tree.holders() for tree in trees]
    games = sum(n for n, _ in counted)
    if not games:
        return known
    seats = list(known) or [{} for _ in counted[0][1]]
    for _, holders in counted:
        for seat, cells in enumerate(holders):
            for cell, n in cells.items():
                seats[seat][cell] = seats[seat].get(cell, 0.0) + odds * n / games
    return tuple(seats)
