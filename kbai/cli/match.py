"""``kbai match``."""

from __future__ import annotations

import click

from kbai.arena.sprt import SprtPlan
from kbai.cli.arena_options import (
    ArenaCommand,
    Choices,
    arena_options,
    parse_bots,
    play,
    sprt_option,
)
from kbai.game.seats import N_SEATS


@click.command("match", cls=ArenaCommand)
@click.argument("bots", metavar="BOT BOT...", nargs=-1, required=True, callback=parse_bots)
@arena_options
@sprt_option
def command(bots: tuple[str, ...], sprt: SprtPlan | None, choices: Choices) -> None:
    """Let bots play against each other.

    Two to five BOTs, one on each seat; 'kbai bots' lists them, and one may play itself. Every
    deal is played once in each rotation of the bots over the seats, which takes most of the luck
    out. Prints who won how much, with intervals. Ctrl-C keeps what is finished, and with --out
    the same command goes on later.
    """
    if len(bots) not in N_SEATS:
        raise click.UsageError(f"expected {N_SEATS[0]} to {N_SEATS[-1]} bots, got {len(bots)}.")
    play(choices, bots, seats=len(bots), kind="match", sprt=sprt)
