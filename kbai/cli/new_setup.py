"""The options that say what a new game is played with, for every command that sets one up."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from kbai.cli.completion import complete_content
from kbai.cli.options import Command, is_given
from kbai.cli.quadrants import note_layouts
from kbai.cli.setup_options import (
    blamed_options,
    board_option,
    cards_option,
    parse_names,
    rules_option,
    sets_option,
    split_names,
)
from kbai.core.errors import NotationError, quote
from kbai.game.seats import N_SEATS, SEATS

if TYPE_CHECKING:
    from kbai.game.setup import Setup

NONE = "-"


def _parse_names_or_none(
    ctx: click.Context, param: click.Parameter, text: str | None
) -> tuple[str, ...] | None:
    return () if text and text.strip() == NONE else parse_names(ctx, param, text)


def _parse_name_or_none(ctx: click.Context, param: click.Parameter, text: str | None) -> str | None:
    if not text or ctx.resilient_parsing:
        return text
    return "" if text.strip() == NONE else " ".join(split_names(param, text))


def _parse_cells(
    ctx: click.Context, param: click.Parameter, text: str | None
) -> tuple[int, ...] | None:
    words = _parse_names_or_none(ctx, param, text)
    if words is None:
        return None
    from kbai.notation.names import parse_cell

    try:
        return tuple(map(parse_cell, words))
    except NotationError as error:
        raise click.BadParameter(error.message) from error


def _parse_nomads(
    ctx: click.Context, param: click.Parameter, text: str | None
) -> tuple[tuple[str, int], ...] | None:
    words = _parse_names_or_none(ctx, param, text)
    if words is None:
        return None
    from kbai import content
    from kbai.notation.dicts import Word, parse_place

    known = content.load().nomads
    try:
        return tuple(parse_place("nomad tile", Word(w, ()), known, "outpost@c7") for w in words)
    except NotationError as error:
        raise click.BadParameter(error.message) from error


def parse_seats(
    _ctx: click.Context, _param: click.Parameter, text: str | None
) -> tuple[str, ...] | None:
    """Return the seats from their number or their names."""
    if text is None:
        return None
    if not text.strip().isdecimal():
        return tuple(text.lower().replace(",", " ").split())
    if text.strip() not in map(str, N_SEATS):
        message = f"expected {N_SEATS[0]} to {N_SEATS[-1]} seats, got {quote(text)}."
        raise click.BadParameter(message)
    return SEATS[: int(text)]


_OPTIONS = (
    click.option(
        "--start",
        metavar="SEAT",
        type=click.Choice(SEATS, case_sensitive=False),
        help="Seat that begins.  [default: random]",
    ),
    sets_option,
    cards_option,
    board_option,
    click.option(
        "--island",
        shell_complete=complete_content,
        metavar="NAME",
        callback=_parse_name_or_none,
        help=f"Island; '{NONE}' for none.  [default: random if its set is in use]",
    ),
    click.option(
        "--caves",
        metavar="CELL,...",
        callback=_parse_cells,
        help=f"Mountains with a cave; '{NONE}' for none.  [default: random if their set is in use]",
    ),
    click.option(
        "--capitols",
        metavar="CELL,...",
        callback=_parse_cells,
        help=f"Castles with a capitol; '{NONE}' for none.  "
        "[default: random if their set is in use]",
    ),
    click.option(
        "--nomads",
        metavar="KIND@CELL,...",
        callback=_parse_nomads,
        help=f"Nomad tiles and their spaces; '{NONE}' for none.  [default: random]",
    ),
    click.option(
        "--tasks",
        shell_complete=complete_content,
        metavar="A,B,...",
        callback=_parse_names_or_none,
        help=f"Tasks; '{NONE}' for none.  [default: a random one for each Crossroads quadrant]",
    ),
    click.option(
        "--scouted",
        shell_complete=complete_content,
        metavar="TERRAIN",
        callback=_parse_name_or_none,
        help="Terrain that the card Scouts takes out of the deck.  [default: random]",
    ),
    rules_option,
    click.option(
        "--first-game", is_flag=True, help="Use the board and cards recommended for a first game."
    ),
)


def new_setup_options(command: Command) -> Command:
    """Add the options of a set-up; all but the seats, which ``make_setup`` gets as they are."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def make_setup(
    seed: int,
    seats: tuple[str, ...],
    *,
    sets: tuple[str, ...],
    pairs: dict[str, str],
    first_game: bool,
    start: str | None,
    **chosen: Any,
) -> Setup:
    """Return the set-up that the options describe; what they leave open is drawn from the seed."""
    from kbai.game.options import Options
    from kbai.game.setup import Setup

    if first_game and is_setup_given("sets", "pairs", *chosen):
        message = "--first-game works only with --seats, --start, --card and --seed."
        raise click.UsageError(message)
    if start is not None and start not in seats:
        message = f"expected one of the seats {', '.join(seats)}, got {quote(start)}."
        raise click.BadParameter(message, click.get_current_context(), param_hint=["--start"])
    with blamed_options():
        if first_game:
            setup = Setup.first_game(seats)
        else:
            options = Options.parse(pairs)
            setup = Setup.random(seed, seats=seats, sets=sets, options=options, **chosen)
    note_layouts(setup.own_layouts)
    return setup if start is None else replace(setup, start=seats.index(start))


def is_setup_given(*names: str) -> bool:
    """Tell whether the command line has one of these options of the set-up."""
    return any(map(is_given, names))
