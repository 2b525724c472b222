"""Who sat where: the names of players in the header of a game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from kbai.core.errors import ReviewError, suggest_name
from kbai.notation.games import Game

PLAYERS = "Players"


def players_of(game: Game) -> tuple[str, ...]:
    """Return the name of the player in each seat; the colour of the seat if there is none.

    The header has the names in the order of the seats, ``Ann, Ben``, or each after its colour,
    ``red Ann, blue Ben``. The options of a bot may have commas, but no space follows them.
    """
    seats = game.setup.seats
    text = dict(game.header).get(PLAYERS, "")
    for separator in (r",\s+", r"\s*,\s*"):
        names = [name.strip() for name in re.split(separator, text)]
        by_seat = _after_colours(names, seats)
        if by_seat:
            return tuple(by_seat.get(seat, seat) for seat in seats)
        if len(names) == len(seats) and all(names):
            return tuple(names)
    return seats


def _after_colours(names: Sequence[str], seats: Sequence[str]) -> dict[str, str]:
    """Return the names by seat if every name follows the colour of another seat."""
    pairs = [name.split(None, 1) for name in names]
    found = {pair[0].lower(): pair[1].strip() for pair in pairs if len(pair) == 2}
    return found if len(found) == len(names) and {*found} <= {*seats} else {}


def choose_players(games: Iterable[Sequence[str]], wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the players to tell about, given the players of each game.

    Without a wish they are those with the most games: of the games of one person against many
    others that one, of a match both sides. Names are the same in upper and lower case.
    """
    counts = Counter(name for players in games for name in dict.fromkeys(players))
    if not wanted:
        most = max(counts.values(), default=0)
        return tuple(name for name, count in counts.items() if count == most)
    known = {name.casefold(): name for name in counts}
    for name in wanted:
        if name.casefold() not in known:
            raise ReviewError(f"{suggest_name('player', name, counts)}.")
    return tuple(dict.fromkeys(known[name.casefold()] for name in wanted))
