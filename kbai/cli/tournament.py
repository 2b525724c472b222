"""``kbai tournament``."""

from __future__ import annotations

import click

from kbai.cli.arena_options import ArenaCommand, Choices, arena_options, parse_bots, play
from kbai.game.seats import N_SEATS


@click.command("tournament", cls=ArenaCommand)
@click.argument("bots", metavar="BOT BOT...", nargs=-1, required=True, callback=parse_bots)
@click.option(
    "--seats",
    type=click.IntRange(N_SEATS[0], N_SEATS[-1]),
    default=N_SEATS[0],
    show_default=True,
    help="How many bots play in a game.",
)
@click.option(
    "--focus",
    metavar="BOT",
    callback=lambda ctx, param, text: text and parse_bots(ctx, param, (text,))[0],
    help="A gauntlet: this bot is in every game, against all choices of the others.",
)
@arena_options
def command(bots: tuple[str, ...], seats: int, focus: str | None, choices: Choices) -> None:
    """Let every choice of bots play against each other.

    A round robin: all ways to choose as many BOTs as there are seats play, each on deals of its
    own and each deal once in each rotation over the seats; with --focus only those in which that
    bot is. Prints a table with intervals and Elo. Ctrl-C keeps what is finished, and with --out
    the same command goes on later.
    """
    if focus and focus not in bots:
        bots = (focus, *bots)
    kind = "gauntlet" if focus else "round_robin"
    play(choices, bots, seats=seats, kind=kind, focus=focus or "")
