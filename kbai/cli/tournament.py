"""``kbai tournament``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kbai.cli.arena_options import (
    ArenaChoices,
    ArenaCommand,
    arena_options,
    bots_argument,
    parse_bots,
)
from kbai.cli.completion import complete_bot
from kbai.cli.options import NumberOption
from kbai.game.seats import N_SEATS

if TYPE_CHECKING:
    from kbai.bots.specs import BotSpec


@click.command("tournament", cls=ArenaCommand)
@bots_argument
@click.option(
    "--seats",
    cls=NumberOption,
    metavar="N",
    type=click.IntRange(N_SEATS[0], N_SEATS[-1]),
    default=N_SEATS[0],
    show_default=True,
    help=f"Number of bots in a game, {N_SEATS[0]} to {N_SEATS[-1]}.",
)
@click.option(
    "--focus",
    metavar="BOT",
    shell_complete=complete_bot,
    callback=lambda ctx, param, text: text and parse_bots(ctx, param, (text,))[0],
    help="Play a gauntlet: this bot is in every game, against all combinations of the others.",
)
@arena_options
def command(
    bots: tuple[BotSpec, ...], seats: int, focus: BotSpec | None, choices: ArenaChoices
) -> None:
    """Let all combinations of bots play against each other.

    Plays a round robin: every combination of as many BOTs as there are seats, each on its own
    deals, and each deal once in every rotation over the seats. With --focus, only combinations
    with that bot. Prints a table with intervals and Elo ratings. Ctrl-C keeps what is finished;
    with --out, the same command continues later.
    """
    from kbai.cli.run_arena import play

    if focus and focus not in bots:
        bots = (focus, *bots)
    kind = "gauntlet" if focus else "round_robin"
    play(choices, bots, seats=seats, kind=kind, focus=str(focus or ""))
