"""What a tree and games say about the difference between two turns, in numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean
from typing import TypeAlias

from kbai._fast import Position
from kbai.core.intervals import LEVEL, Estimate
from kbai.core.uncertainty import Measured, mean_of
from kbai.explain.results import BETTER_PLAY, CHOICES, OPPONENTS, TILES
from kbai.game.setup import setup_of
from kbai.game.sources import name_sources
from kbai.rollouts.compare import RolledOut
from kbai.rollouts.games import Ending
from kbai.search.calibration import Forecast
from kbai.search.evaluate import Value

Rounds: TypeAlias = Sequence[tuple[int, Ending]]
"""How games ended, each after its round: games of one round had the same cards."""

QUANTILE = NormalDist().inv_cdf((1 + LEVEL) / 2)
# How far the difference of one source is off that a tree sees, as a standard deviation in gold, at
# the beginning of a game, and as a part of the difference itself (docs/strength.md); and that of
# the margin, by which tree and games are weighed.
SOURCE_MISJUDGED = 0.6
SHARE_MISJUDGED = 0.4
MARGIN_MISJUDGED = 1.5
# What a source varies by in a single game of the search, about.
PLAYOUT_SPREAD = 5.0
# Differences of single games do not vary less than that: else a few equal ones would be certainty.
LEAST_SPREAD = 1.0
# Tree and games that are not farther apart, in gold, do not show which of them a list goes by.
LEAST_APART = 0.2
# How far what the forecast adds for a tile or a free choice may be off, as a part of it.
CORRECTION_DOUBT = 0.5
# A part is told if it is at least so many standard errors and so much gold.
CLEAR_ERRORS = 1.0
CLEAR_GOLD = 0.3
# What the best opponent gets more or less comes mostly from a seat or a source that makes up this
# part of it.
MOSTLY = 0.6


@dataclass(frozen=True, slots=True)
class Rival:
    """The best opponent, and what the first turn brings it more."""

    seat: int
    is_only: bool
    """Whether there is no other opponent."""
    gold: float
    sources: dict[str, float]
    """In the tree, by source."""

    def explains(self, part: float) -> bool:
        """Tell whether it is this seat that makes the best opponent's gold what it is."""
        return self.is_only or -self.gold * part >= MOSTLY * part**2

    def source(self, part: float) -> str | None:
        """Return the source that most of its gold comes from, if it is one."""
        change = math.fsum(self.sources.values())
        if change * part >= 0:
            return None
        shares = {name: gold / change for name, gold in self.sources.items()}
        names = [name for name, share in shares.items() if share > MOSTLY]
        return max(names, key=lambda name: shares[name], default=None)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The difference between two turns for the seat that decides, by the name of each part."""

    tree: dict[str, Measured]
    games: dict[str, tuple[float, ...]]
    """Of each pair of games; empty if there are none."""
    rival: Rival
    total: float | None = None
    """By how much the margins differ that the turns are listed with; by None, they are not."""

    @property
    def pairs(self) -> int:
        """How many pairs of games there are."""
        return len(next(iter(self.games.values()), ()))

    def parts(self) -> dict[str, Measured]:
        """Return what tree and games say together; the parts add up to the margin."""
        trust = self._trust()
        parts = {name: self._mixed(name, trust) for name in self.tree}
        if self.total is not None:
            rest = self.total - math.fsum(part.value for part in parts.values())
            parts[BETTER_PLAY] += Measured(rest, (CORRECTION_DOUBT * rest) ** 2)
        return parts

    def margin(self) -> Measured:
        """Return the sum of the parts, which is better known than each of them."""
        trust = self._trust()
        value = math.fsum(part.value for part in self.parts().values())
        variance = trust**2 * self._tree_variance()
        if trust < 1:
            variance += (1 - trust) ** 2 * self._games_variance()
        return Measured(value, variance)

    def _trust(self) -> float:
        """Return the weight of the tree: by how well either knows the difference in margin.

        If the turns are listed with their margins, it is the weight that the list gives it.
        """
        if self.pairs < 2:
            return 1.0
        if self.total is not None:
            tree = math.fsum(part.value for part in self.tree.values())
            games = fmean(self._margins())
            if abs(tree - games) >= LEAST_APART:
                return min(max((self.total - games) / (tree - games), 0.0), 1.0)
        one, two = self._tree_variance(), self._games_variance()
        return two / (one + two)

    def _tree_variance(self) -> float:
        doubt = math.fsum(part.variance for part in self.tree.values())
        share = (SHARE_MISJUDGED * math.fsum(part.value for part in self.tree.values())) ** 2
        return min(MARGIN_MISJUDGED**2 + share, doubt)

    def _games_variance(self) -> float:
        return max(mean_of(self._margins()).variance, LEAST_SPREAD**2 / self.pairs)

    def _margins(self) -> list[float]:
        """Return what the first turn brought more in each pair of games."""
        return [math.fsum(pair) for pair in zip(*self.games.values(), strict=True)]

    def _mixed(self, name: str, trust: float) -> Measured:
        tree = self.tree[name]
        if trust == 1.0:
            return tree
        games = self.games.get(name, ())
        played = mean_of(games) if games else Measured(0.0)
        noise = max(played.variance, LEAST_SPREAD**2 / self.pairs) if any(games) else 0.0
        variance = trust**2 * tree.variance + (1 - trust) ** 2 * noise
        return Measured(trust * tree.value + (1 - trust) * played.value, variance)


def evidence_of(
    position: Position,
    ends: tuple[Position, Position],
    sources: Sequence[Sequence[float]],
    *,
    golds: Sequence[Sequence[float]],
    margin: float,
    visits: tuple[int, int],
    is_exact: bool,
    pairs: Sequence[tuple[Sequence[float], float]] = (),
    listed: Sequence[Sequence[float]] | None = None,
    total: float | None = None,
) -> Evidence:
    """Return the evidence for the seat that decides.

    ``ends`` are where the turns lead, ``sources`` what the first turn brings each seat more by
    source in the playouts of the tree, ``golds`` the forecast by turn and seat, and ``margin`` by
    how much the margins of the forecast differ. A pair of games has what the first turn brought
    more by source, and how much more the best opponent had. ``listed`` and ``total`` are gold and
    difference in margin as the turns are listed with them, if games have changed them.
    """
    setup = setup_of(position)
    named = name_sources(setup, tuple(sources[position.actor]))
    left = position.fields()["seats"][position.actor]["supply"] / position.board.houses
    doubt = 0.0
    if not is_exact:
        noise = PLAYOUT_SPREAD**2 * sum(1 / max(count, 1) for count in visits)
        doubt = (SOURCE_MISJUDGED**2 + noise) * min(1.0, left)

    def seen(value: float) -> Measured:
        if is_exact or not value:
            return Measured(value)
        return Measured(value, doubt + (SHARE_MISJUDGED * value) ** 2)

    tree = {name: seen(value) for name, value in named.items()}
    added = {} if is_exact else _corrections(position, ends)
    for name, value in added.items():
        tree[name] = Measured(value, (CORRECTION_DOUBT * value) ** 2)
    gold = golds[0][position.actor] - golds[1][position.actor]
    tree[OPPONENTS] = seen(margin - gold)
    rest = gold - math.fsum(named.values()) - math.fsum(added.values())
    tree[BETTER_PLAY] = Measured(rest, (CORRECTION_DOUBT * rest) ** 2)
    columns: dict[str, tuple[float, ...]] = {}
    if pairs:
        rows = [name_sources(setup, tuple(own)) for own, _ in pairs]
        columns = {name: tuple(row[name] for row in rows) for name in named}
        columns[OPPONENTS] = tuple(-other for _, other in pairs)
    first, second = listed or golds
    others = [other for other in range(len(first)) if other != position.actor]
    # One and the same after both turns: who is ahead by a hair must not make a difference.
    best = max(others, key=lambda other: first[other] + second[other])
    by_source = name_sources(setup, tuple(sources[best]))
    rival = Rival(best, len(others) == 1, first[best] - second[best], by_source)
    return Evidence(tree, columns, rival, total)


def _corrections(position: Position, ends: tuple[Position, Position]) -> dict[str, float]:
    """Return what the forecast adds for tiles and for free choices (`kbai.search.calibration`)."""
    first, second = (Forecast(end, position.mover) for end in ends)
    seat = position.actor
    return {
        TILES: first.tile_gold[seat] - second.tile_gold[seat],
        CHOICES: first.choice_gold[seat] - second.choice_gold[seat],
    }


def evidence_of_values(
    position: Position,
    ends: tuple[Position, Position],
    values: tuple[Value, Value],
    games: Sequence[RolledOut] = (),
) -> Evidence | None:
    """Return the evidence of searches of where two turns lead, and of games from there.

    None if the searches did not count where gold comes from.
    """
    seat = position.actor
    first, second = values
    if not first.sources or not second.sources:
        return None

    golds = [
        [fmean(column) for column in zip(*(s.gold for s in value.samples), strict=True)]
        for value in values
    ]
    one, two = (fmean(sample.margin[seat] for sample in value.samples) for value in values)
    rounds = [tuple(zip(each.rounds, each.endings, strict=True)) for each in games]
    return evidence_of(
        position,
        ends,
        differences(first.sources, second.sources),
        golds=golds,
        margin=one - two,
        visits=(first.visits, second.visits),
        is_exact=first.is_exact and second.is_exact,
        pairs=paired_games(rounds[0], rounds[1], seat) if rounds else (),
    )


def differences(
    first: Sequence[Sequence[float]], second: Sequence[Sequence[float]]
) -> list[list[float]]:
    """Return how much more there is in the first of two tables, number by number."""
    rows = zip(first, second, strict=True)
    return [[one - two for one, two in zip(*pair, strict=True)] for pair in rows]


def paired_games(first: Rounds, second: Rounds, seat: int) -> list[tuple[tuple[int, ...], int]]:
    """Return what the first turn brought more in games of both with the same cards.

    That is the gold of a seat by source, and that of the best opponent.
    """
    others = dict(second)
    return [
        (
            tuple(a - b for a, b in zip(one[seat], others[number][seat], strict=True)),
            _best_other(one, seat) - _best_other(others[number], seat),
        )
        for number, one in first
        if number in others
    ]


def _best_other(ending: Ending, seat: int) -> int:
    return max(sum(gold) for other, gold in enumerate(ending) if other != seat)


def is_clear(part: Measured) -> bool:
    """Tell whether a part is more than what chance and doubt make of nothing."""
    return abs(part.value) >= max(CLEAR_GOLD, CLEAR_ERRORS * math.sqrt(part.variance))


def estimate_of(part: Measured) -> Estimate:
    """Return a part with its interval."""
    half = QUANTILE * math.sqrt(part.variance)
    return Estimate(part.value, part.value - half, part.value + half)
