"""Finished games in groups: one deal, played once in each rotation of the bots over the seats.

The games of a group share their luck, so every interval and test counts groups, not games, and a
group counts only once it is complete.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from kbai.core.errors import KbaiError
from kbai.core.points import margins_of, points_of


class FinishedGame(NamedTuple):
    """A finished game; a tuple, because all games of a journal are looked up several times.

    >>> FinishedGame((("greedy", 52), ("random", 31), ("greedy", 52))).points
    (0.5, 0.0, 0.5)
    """

    seats: tuple[tuple[str, int], ...]
    """Bot and gold of each seat, in turn order from the one that began."""

    @property
    def points(self) -> tuple[float, ...]:
        """One point, shared equally by the seats with the most gold."""
        return _shared(points_of([gold for _, gold in self.seats]))

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


class BotInGroup(NamedTuple):
    """What one bot did in one group."""

    shares: tuple[float, ...]
    """Its share of the point, by game."""
    gold: float
    """The mean over the seats that it held."""
    margin: float
    """Likewise."""
    fair: float
    """Its share of the seats."""


def bots_in(group: Group) -> dict[str, BotInGroup]:
    """Return what each bot did in a group."""
    games = [bots_in_game(game) for game in group.games]
    found = {}
    for bot in dict.fromkeys(bot for game in games for bot in game):
        parts = [game[bot] for game in games if bot in game]
        golds = [gold for part in parts for gold in part.golds]
        margins = [margin for part in parts for margin in part.margins]
        found[bot] = BotInGroup(  # whole numbers add up exactly, so `sum` will do
            _shared(tuple([part.share for part in parts])),
            sum(golds) / len(golds),
            sum(margins) / len(margins),
            len(golds) / sum([part.n_seats for part in parts]),
        )
    return found


class BotInGame(NamedTuple):
    """What one bot did in one game."""

    share: float
    """Of the point."""
    golds: tuple[int, ...]
    """By seat that it held."""
    margins: tuple[int, ...]
    n_seats: int
    """Of all bots."""


# A journal may have a million games, but few of them end differently.
@lru_cache(maxsize=1 << 14)
def bots_in_game(game: FinishedGame) -> dict[str, BotInGame]:
    """Return what each bot did in a game; do not change it."""
    rows: dict[str, list[tuple[float, int, int]]] = {}
    for (bot, gold), points, margin in zip(game.seats, game.points, game.margins, strict=True):
        rows.setdefault(bot, []).append((points, gold, margin))
    found = {}
    for bot, seats in rows.items():
        shares, golds, margins = zip(*seats, strict=True)
        found[bot] = BotInGame(sum(shares, 0.0), golds, margins, len(game.seats))
    return found


@lru_cache(maxsize=1 << 10)
def _shared(values: tuple[float, ...]) -> tuple[float, ...]:
    """Return one of all equal tuples, so that a million of them need no memory."""
    return values


def bot_in(group: Group, bot: str) -> tuple[tuple[float, ...], float] | None:
    """Return the shares of a bot in the games of a group, and its share of their seats."""
    parts = [part for game in group.games if (part := bots_in_game(game).get(bot)) is not None]
    if not parts:
        return None
    fair = sum([len(part.golds) for part in parts]) / sum([part.n_seats for part in parts])
    return _shared(tuple([part.share for part in parts])), fair


def common_fair(bot: str, shares: Iterable[float]) -> float | None:
    """Return the bot's share of the seats; None without groups or without opponents."""
    fairs = sorted({*shares})
    if len(fairs) > 1:
        raise KbaiError(
            f"expected {bot!r} on the same share of the seats in all groups, "
            f"got {', '.join(f'{fair:.3g}' for fair in fairs)}."
        )
    return fairs[0] if fairs and fairs[0] < 1 else None
