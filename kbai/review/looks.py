"""All that searches and games have seen of one turn, and what they say together.

Let W be the chances of all seats before a card is turned up, B those if the best turn follows the
card that came, and A those after the turn that was played. Then

    W + luck = B,  B - loss = A,

and all three are chances: no loss is more than there was to lose.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from kbai.core.intervals import Estimate
from kbai.core.means import QUANTILE
from kbai.core.uncertainty import Measured, mean_of
from kbai.review.cards import Cards
from kbai.review.odds import Chances, between, corrected, odds_around, scaled
from kbai.review.plan import Part
from kbai.review.results import Change
from kbai.rollouts.blend import LOGISTIC, spread_of, with_games
from kbai.rollouts.compare import RolledOut
from kbai.search.calibration import Misjudged, chance_of, log_odds, misjudged_in
from kbai.search.evaluate import GOLD_MISJUDGED, WIN_MISJUDGED, Sample, Value, golds
from kbai.search.results import Outlook

# Searches misjudge the difference between two turns the more, the larger it is: by this share of
# it, in log-odds and in gold, besides what `kbai.search.evaluate` has.
SHARE_MISJUDGED = 0.4
# The error that all games of small searches share in that difference, as a standard deviation: in
# log-odds and in gold (docs/review.md; scripts/review_checks.py truth).
GAMES_MISJUDGED = 0.25
GAMES_GOLD_MISJUDGED = 2.0
# How far such games are off about a position: hardly less than a tree (docs/strength.md).
QUICK_GAMES = Misjudged(win=0.6, gold=4.0, margin=3.5, mover=0.0)

SURE = Estimate(0.0, 0.0, 0.0)


def measured(estimate: Estimate) -> Measured:
    """Return an estimate as a value with a variance."""
    half = (estimate.high - estimate.low) / 2
    return Measured(estimate.value, (half / QUANTILE) ** 2)


def change_from(chance: float, end: Estimate) -> Estimate:
    """Return by how much a chance is more than another one."""
    return Estimate(chance - end.value, chance - end.high, chance - end.low)


@dataclass(frozen=True, slots=True)
class Level:
    """What every seat could expect with the best turn, and before the card was turned up."""

    chances: Chances
    outlooks: tuple[Outlook, ...]
    before: tuple[Outlook, ...]
    luck: tuple[Change, ...]


@dataclass(frozen=True)
class Looks:
    """All that searches and games have seen of a turn."""

    part: Part
    before: Value
    pair: tuple[Value, ...]
    """The best rival of what was played, and what was played."""
    cards: Cards | None
    """None if only one could come."""
    games: tuple[RolledOut, ...]
    """Of the pair, or none."""

    @property
    def seats(self) -> int:
        return self.part.before.board.seats

    @property
    def is_exact(self) -> bool:
        return all(value.is_exact for value in self.pair)

    @cached_property
    def doubt(self) -> Misjudged:
        return misjudged_in(self.part.before)

    def level(self, *, is_best: bool) -> Level:
        """Return what could be expected; ``is_best`` if what was played is the best turn."""
        value = replace(self.pair[is_best], is_exact=self.is_exact)
        outlooks = tuple(value.outlook(seat, self.doubt) for seat in range(self.seats))
        if not self.is_exact:
            seen = between(self._foreseen, corrected(value))
            outlooks = tuple(
                self._seen_twice(seat, outlook, seen[seat]) for seat, outlook in enumerate(outlooks)
            )
            if self.games:
                outlooks = with_games(self.part.before, outlooks, self.games[is_best], QUICK_GAMES)
        best = tuple(outlook.win.value for outlook in outlooks)
        if self.cards is None:
            return Level(best, outlooks, outlooks, (Change(SURE, SURE),) * self.seats)
        return self._with_luck(self.cards, best, outlooks)

    def gap(self, *, is_best: bool) -> float:
        """Return by how much two looks at the seat that decides differ, in log-odds."""
        if self.is_exact:
            return 0.0
        looks = (self._foreseen, corrected(self.pair[is_best]))
        one, other = (log_odds(look[self.part.seat]) for look in looks)
        return abs(one - other)

    @cached_property
    def _foreseen(self) -> Chances:
        """Return the chances with the card that came, by the look before it was turned up."""
        level = corrected(self.before)
        return self.cards.foreseen(level) if self.cards else level

    def _seen_twice(self, seat: int, outlook: Outlook, chance: float) -> Outlook:
        """Return an outlook with the mean of two looks."""

        def mean(late: Estimate, of: Callable[[Sample], Sequence[float]]) -> Estimate:
            early = mean_of([of(sample)[seat] for sample in self.before.samples]).value
            luck = self.cards.luck_in(seat, of).value if self.cards else 0.0
            by = (early + luck - late.value) / 2
            return Estimate(late.value + by, late.low + by, late.high + by)

        return Outlook(
            _at(chance, outlook.win, 0.0),
            mean(outlook.gold, _gold_of),
            mean(outlook.margin, _margin_of),
            (),
        )

    def _with_luck(self, cards: Cards, best: Chances, outlooks: tuple[Outlook, ...]) -> Level:
        """Return what could be expected with the best turn and, without the luck, before it."""
        doubt = 0.0
        if self.is_exact:
            before = cards.mean_known(best, corrected(self.before))
            # Where the card led is known, but not what the others would have brought.
            doubt = 0.0 if cards.is_exact else self.doubt.win
        else:
            before = cards.mean(best)
        luck = []
        expected = []
        for seat, outlook in enumerate(outlooks):
            noise = odds_around(before[seat], cards.noise(seat).estimate())
            gold, margin = (cards.luck_in(seat, of) for of in (_gold_of, _margin_of))
            luck.append(Change(change_from(best[seat], noise), gold.estimate()))
            expected.append(Outlook(
                win=_at(before[seat], outlook.win, doubt),
                gold=(measured(outlook.gold) - gold).estimate(),
                margin=(measured(outlook.margin) - margin).estimate(),
                sources=(),
            ))  # fmt: skip
        return Level(best, outlooks, tuple(expected), tuple(luck))

    def luck_odds(self) -> tuple[Measured, ...]:
        """Return by how much the card changed the logarithm of every seat's chance."""
        if self.cards is None:
            return (Measured(0.0),) * self.seats
        return tuple(map(self.cards.luck_odds, range(self.seats)))

    def ends(self, level: Level) -> tuple[Estimate, ...]:
        """Return the chances after what was played, given those with the best turn."""
        if self.is_exact:
            return tuple(Estimate(chance, chance, chance) for chance in self.pair[1].chances())
        losses = [self.odds_loss(seat) for seat in range(self.seats)]
        after = scaled([
            chance_of(log_odds(chance) - loss.value)
            for chance, loss in zip(level.chances, losses, strict=True)
        ])  # fmt: skip
        pairs = zip(after, losses, strict=True)
        return tuple(odds_around(chance, (-loss).estimate()) for chance, loss in pairs)

    def odds_loss(self, seat: int) -> Measured:
        """Return what the turn cost a seat in log-odds, by searches and by games."""
        rows = [[log_odds(sample.wins[seat]) for sample in value.samples] for value in self.pair]
        tree = mean_of([one - other for one, other in zip(*rows, strict=True)])
        chance = math.fsum(corrected(value)[seat] for value in self.pair) / 2
        # The same error in win probability is more in log-odds where a game is decided.
        error = 2 * WIN_MISJUDGED / math.sqrt(chance * (1 - chance))
        tree += Measured(0.0, error**2 + (SHARE_MISJUDGED * tree.value) ** 2)
        if not self.games:
            return tree
        best, played = self.games
        scale = LOGISTIC / spread_of(self.part.before, best, seat)
        found = best.lead(played, seat) * scale + Measured(0.0, GAMES_MISJUDGED**2)
        return both(tree, found)

    def gold_loss(self, seat: int) -> Measured:
        """Return what the turn cost a seat in gold, by searches and by games."""
        rows = golds(self.pair, seat)
        tree = mean_of([one - other for one, other in zip(*rows, strict=True)])
        if self.is_exact:
            return tree
        tree += Measured(0.0, GOLD_MISJUDGED**2 + (SHARE_MISJUDGED * tree.value) ** 2)
        if not self.games:
            return tree
        best, played = self.games
        found = _gold_lead(best, played, seat) + Measured(0.0, GAMES_GOLD_MISJUDGED**2)
        return both(tree, found)


def both(one: Measured, other: Measured) -> Measured:
    """Return what two independent measurements of the same say together."""
    if not math.isfinite(other.variance):
        return one
    if not math.isfinite(one.variance):
        return other
    share = other.variance / (one.variance + other.variance)
    return one * share + other * (1 - share)


def _gold_of(sample: Sample) -> Sequence[float]:
    return sample.gold


def _margin_of(sample: Sample) -> Sequence[float]:
    return sample.margin


def _at(chance: float, known: Estimate, doubt: float) -> Estimate:
    """Return a chance with as much doubt in log-odds as another one has, and some more."""
    if not doubt and known.low == known.high:
        return Estimate(chance, chance, chance)
    middle = log_odds(known.value)
    down = math.hypot(middle - log_odds(known.low), QUANTILE * doubt)
    up = math.hypot(log_odds(known.high) - middle, QUANTILE * doubt)
    here = log_odds(chance)
    return Estimate(chance, chance_of(here - down), chance_of(here + up))


def _gold_lead(one: RolledOut, other: RolledOut, seat: int) -> Measured:
    """Return how much more gold a seat had in games with the same cards."""
    pairs = zip(one.endings, other.endings, strict=True)
    return mean_of([sum(a[seat]) - sum(b[seat]) for a, b in pairs])
