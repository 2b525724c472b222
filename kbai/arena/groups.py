"""Finished games in groups: one deal, played once in each rotation of the bots over the seats.

The games of a group share their luck, so every interval and test counts groups, not games, and a
group counts only once it is complete.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from kbai.core.errors import KbaiError
from kbai.core.points import margins_of, points_of


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game.

    >>> FinishedGame((("greedy", 52), ("random", 31), ("greedy", 52))).points
    (0.5, 0.0, 0.5)
    """

    seats: tuple[tuple[str, int], ...]
    """Bot and gold of each seat, in turn order from the one that began."""

    @property
    def points(self) -> tuple[float, ...]:
        """One point, shared equally by the seats with the most gold."""
        return points_of([gold for _, gold in self.seats])

    @property
    def margins(self) -> tuple[int, ...]:
        """The gold of each seat minus that of the best other seat."""
        return margins_of([gold for _, gold in self.seats])


@dataclass(frozen=True, slots=True)
class Group:
    """The games of one deal that are finished so far."""

    games: tuple[FinishedGame, ...]
    size: int
    """How many games, one for each rotation, make the group complete."""

    @property
    def is_complete(self) -> bool:
        return len(self.games) == self.size

    @property
    def bots(self) -> frozenset[str]:
        return frozenset(bot for game in self.games for bot, _ in game.seats)


def between(groups: Iterable[Group], first: str, second: str) -> tuple[Group, ...]:
    """Return the groups in which exactly these two bots played."""
    return tuple(group for group in groups if group.bots == {first, second})


@dataclass(slots=True)
class BotInGroup:
    """What one bot did in one group."""

    shares: list[float] = field(default_factory=list)
    """Its share of the point, by game."""
    golds: list[int] = field(default_factory=list)
    """By seat that it held."""
    margins: list[int] = field(default_factory=list)
    n_seats: int = 0
    """Seats of all bots in these games."""

    @property
    def fair(self) -> float:
        return len(self.golds) / self.n_seats


def bots_in(group: Group) -> dict[str, BotInGroup]:
    """Return what each bot did in a group."""
    parts: defaultdict[str, BotInGroup] = defaultdict(BotInGroup)
    for game in group.games:
        shares: defaultdict[str, float] = defaultdict(float)
        for (bot, gold), points, margin in zip(game.seats, game.points, game.margins, strict=True):
            part = parts[bot]
            shares[bot] += points
            part.golds.append(gold)
            part.margins.append(margin)
        for bot, share in shares.items():
            parts[bot].shares.append(share)
            parts[bot].n_seats += len(game.seats)
    return parts


def common_fair(bot: str, parts: Iterable[BotInGroup]) -> float | None:
    """Return the bot's share of the seats; None without groups or without opponents."""
    fairs = sorted({part.fair for part in parts})
    if len(fairs) > 1:
        raise KbaiError(
            f"expected {bot!r} on the same share of the seats in all groups, "
            f"got {', '.join(f'{fair:.3g}' for fair in fairs)}."
        )
    return fairs[0] if fairs and fairs[0] < 1 else None
