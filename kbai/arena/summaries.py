"""What each bot did in its games: points, gold and margins, by seat and in all."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kbai.arena.groups import BotInGroup, FinishedGame, Group, bots_in
from kbai.core.intervals import Estimate, mean_estimate, share_estimate, variance_factor
from kbai.core.means import fmean


@dataclass(frozen=True, slots=True)
class Tally:
    """What a bot did on one seat."""

    games: int
    wins: int
    """Games in which it alone had the most gold."""
    ties: int
    """Games in which it shared the most gold with others."""
    points: float
    gold: float
    """The mean."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a bot did in all complete groups."""

    bot: str
    groups: int
    games: int
    points: float
    share: Estimate
    """Its share of the points, 0 to 1, over all its seats."""
    fair: float
    """Its share of the seats, which is what it would win if all bots were equal."""
    gold: Estimate
    """Per seat."""
    margin: Estimate
    """Per seat, over the best other seat."""
    variance_factor: float | None
    """Of the share; see `variance_factor`."""
    seats: tuple[Tally, ...]


def tally(games: Iterable[FinishedGame]) -> dict[str, tuple[Tally, ...]]:
    """Return what each bot did on each seat."""
    found: dict[tuple[str, int], tuple[list[float], list[int]]] = {}
    n_seats = 0
    for game, times in Counter(games).items():  # few games end differently
        n_seats = max(n_seats, len(game.seats))
        for seat, ((bot, gold), share) in enumerate(zip(game.seats, game.points, strict=True)):
            points, golds = found.setdefault((bot, seat), ([], []))
            points += [share] * times
            golds += [gold] * times
    return {
        bot: tuple(_tally(*found.get((bot, seat), ([], []))) for seat in range(n_seats))
        for bot in sorted({bot for bot, _ in found})
    }


def _tally(points: Sequence[float], golds: Sequence[int]) -> Tally:
    return Tally(
        games=len(points),
        wins=sum(point == 1 for point in points),
        ties=sum(0 < point < 1 for point in points),
        points=math.fsum(points),
        gold=fmean(golds) if golds else 0.0,
    )


def summarize(groups: Iterable[Group]) -> tuple[Summary, ...]:
    """Return what each bot did, best first: by the share of the points for its share of seats."""
    done = [group for group in groups if group.is_complete]
    seats = tally(game for group in done for game in group.games)
    parts: defaultdict[str, list[BotInGroup]] = defaultdict(list)
    for group in done:
        for bot, part in bots_in(group).items():
            parts[bot].append(part)
    rows = [_summary(bot, parts[bot], seats[bot]) for bot in seats]
    return tuple(sorted(rows, key=lambda row: (-row.share.value / row.fair, row.bot)))


def _summary(bot: str, parts: Sequence[BotInGroup], seats: tuple[Tally, ...]) -> Summary:
    shares = [part.shares for part in parts]
    return Summary(
        bot=bot,
        groups=len(parts),
        games=sum(map(len, shares)),
        points=math.fsum(seat.points for seat in seats),
        share=share_estimate(shares),
        fair=fmean([part.fair for part in parts]),
        gold=mean_estimate([part.gold for part in parts]),
        margin=mean_estimate([part.margin for part in parts]),
        variance_factor=variance_factor(shares),
        seats=seats,
    )
