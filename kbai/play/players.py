"""Who sits where: people, and bots by their specs; and the header line that says so."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kbai.bots.registry import find_kind
from kbai.bots.specs import parse_spec
from kbai.core.errors import BotError, KbaiError
from kbai.core.printable import printable
from kbai.game.seats import SEATS
from kbai.notation.games import Game
from kbai.summary.players import PLAYERS, players_of

PERSON = ""
"""In place of a bot's spec."""
YOU = "you"
_COMMENT = re.compile(r"\s#")
_SPLIT = re.compile(rf",\s*(?=(?:{'|'.join(SEATS)})\s)")


def check_players(players: Sequence[str], seats: Sequence[str]) -> tuple[str, ...]:
    """Return the players by seat, specs in their canonical spelling."""
    if len(players) != len(seats):
        raise KbaiError(f"expected a player for each of {len(seats)} seats, got {len(players)}.")
    return tuple(PERSON if each == PERSON else str(parse_spec(each)) for each in players)


def format_players(
    players: Sequence[str], seats: Sequence[str], names: Mapping[str, str] | None = None
) -> str:
    """Return the line of a game file that says who plays; ``names`` are people's, by seat.

    >>> format_players(("", "greedy"), ("red", "blue"))
    'red you, blue greedy'
    """
    pairs = zip(seats, players, strict=True)
    people = names or {}
    text = ", ".join(f"{seat} {player or people.get(seat, YOU)}" for seat, player in pairs)
    # A program's arguments may hold what begins a comment.
    return printable(_COMMENT.sub(" ", text))


def parse_players(text: str, seats: Sequence[str]) -> tuple[str, ...]:
    """Return who plays according to the line of a game file; whoever is no bot is a person.

    A bot that runs a program is never taken from a file: what a file says must not start one.
    """
    found = dict.fromkeys(seats, PERSON)
    for part in _SPLIT.split(text):
        seat, _, player = part.strip().partition(" ")
        if seat in found:
            found[seat] = _bot_or_person(player)
    return tuple(found.values())


def people_in(game: Game) -> tuple[tuple[str, str], ...]:
    """Return the names that a game file has for those who are no bots now, with their seats.

    A match names its bots without colours. They have played, but do not go on by themselves, so
    their names are changed: the line would otherwise bring them back.
    """
    seats = game.setup.seats
    bots = parse_players(dict(game.header).get(PLAYERS, ""), seats)
    rows = zip(seats, players_of(game), bots, strict=True)
    return tuple(
        (seat, name if _bot_or_person(name) == PERSON else f"bot {name}")
        for seat, name, bot in rows
        if name not in (seat, YOU) and bot == PERSON
    )


def _bot_or_person(text: str) -> str:
    try:
        spec = parse_spec(text)
        return PERSON if find_kind(spec.name).has_program else str(spec)
    except BotError:
        return PERSON
