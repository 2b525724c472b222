"""``kbai new``."""

from __future__ import annotations

import random
from typing import Any

import click

from kbai._fast import Position
from kbai.cli.options import format_option, is_given, quadrants_option, seed_option
from kbai.cli.quadrants import note_layouts
from kbai.cli.seeds import draw_seed, tell_seed
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
from kbai.core.seeds import derive_seed
from kbai.game.options import Options
from kbai.game.seats import N_SEATS, SEATS
from kbai.game.setup import Setup

NONE = "-"
GAME = "kbg"


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


def _parse_card(ctx: click.Context, _param: click.Parameter, text: str | None) -> str | None:
    if text is None or ctx.resilient_parsing:
        return text
    from kbai.notation.names import parse_card

    try:
        return parse_card(text)
    except NotationError as error:
        raise click.BadParameter(error.message) from error


def _parse_seats(_ctx: click.Context, _param: click.Parameter, text: str) -> tuple[str, ...]:
    """Return the seats from their number or their names."""
    if not text.strip().isdecimal():
        return tuple(text.lower().replace(",", " ").split())
    if text.strip() not in map(str, N_SEATS):
        message = f"expected {N_SEATS[0]} to {N_SEATS[-1]} seats, got {quote(text)}."
        raise click.BadParameter(message)
    return SEATS[: int(text)]


@click.command("new")
@seed_option()
@sets_option
@click.option(
    "--seats",
    metavar="N|A,B,...",
    callback=_parse_seats,
    default="2",
    show_default=True,
    help="Number of seats, or their colours in turn order.",
)
@cards_option
@board_option
@click.option(
    "--island",
    metavar="NAME",
    callback=_parse_name_or_none,
    help=f"Island; '{NONE}' for none.  [default: random if its set is in use]",
)
@click.option(
    "--caves",
    metavar="CELL,...",
    callback=_parse_cells,
    help=f"Mountains with a cave; '{NONE}' for none.  [default: random if their set is in use]",
)
@click.option(
    "--capitols",
    metavar="CELL,...",
    callback=_parse_cells,
    help=f"Castles with a capitol; '{NONE}' for none.  [default: random if their set is in use]",
)
@click.option(
    "--nomads",
    metavar="KIND@CELL,...",
    callback=_parse_nomads,
    help=f"Nomad tiles and their spaces; '{NONE}' for none.  [default: random]",
)
@click.option(
    "--tasks",
    metavar="A,B,...",
    callback=_parse_names_or_none,
    help=f"Tasks; '{NONE}' for none.  [default: a random one for each Crossroads quadrant]",
)
@click.option(
    "--scouted",
    metavar="TERRAIN",
    callback=_parse_name_or_none,
    help="Terrain that the card Scouts takes out of the deck.  [default: random]",
)
@rules_option
@click.option(
    "--first-game", is_flag=True, help="Use the board and cards recommended for a first game."
)
@click.option(
    "--card",
    metavar="TERRAIN",
    callback=_parse_card,
    help="Card turned up for the first turn.  [default: random; with kbg none]",
)
@quadrants_option
@format_option("toml", "json", "line", GAME)
def command(
    seed: int | None,
    seats: tuple[str, ...],
    sets: tuple[str, ...],
    pairs: dict[str, str],
    first_game: bool,
    card: str | None,
    form: str,
    **chosen: Any,
) -> None:
    """Set up a game from a seed.

    Prints a position in which the first card has been turned up. The same seed gives the same
    position. With --format kbg, prints the beginning of a game file, to note a game while you play.
    """
    given = [pairs, is_given("sets"), *(item is not None for item in chosen.values())]
    if first_game and any(given):
        raise click.UsageError("--first-game works only with --seats, --card and --seed.")
    number = draw_seed() if seed is None else seed
    with blamed_options():
        if first_game:
            setup = Setup.first_game(seats)
        else:
            options = Options.parse(pairs)
            setup = Setup.random(number, seats=seats, sets=sets, options=options, **chosen)
    note_layouts(setup.own_layouts)
    if seed is None:
        tell_seed(number)
    click.echo(format_start(setup, number, card, form).rstrip("\n"))


def format_start(setup: Setup, seed: int, card: str | None, form: str) -> str:
    """Return the start of a game as a position, or as a game file to go on with."""
    from kbai.notation.games import Game, format_game
    from kbai.notation.positions import format_position
    from kbai.notation.turns import Turn, play_turn

    start = setup.start_position()
    if card is None and form == GAME:
        return format_game(Game(start))
    if card is None:
        return format_position(deal(setup, seed), form)
    position = start.copy()
    with blamed_options():
        turn = play_turn(position, Turn(1, setup.seats[start.mover], card, finished=False))
    return format_game(Game(start, (turn,))) if form == GAME else format_position(position, form)


def deal(setup: Setup, seed: int) -> Position:
    """Return the start position with the first card turned up."""
    position = setup.start_position()
    counts = position.draws()
    generator = random.Random(derive_seed(seed, "deal"))
    position.draw(generator.choices(range(len(counts)), counts)[0])
    return position
