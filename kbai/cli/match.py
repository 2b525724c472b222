"""``kbai match``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kbai.cli.arena_options import (
    ArenaChoices,
    ArenaCommand,
    arena_options,
    bots_argument,
    sprt_option,
)
from kbai.game.seats import N_SEATS

if TYPE_CHECKING:
    from kbai.arena.sprt import SprtPlan
    from kbai.bots.specs import BotSpec


@click.command("match", cls=ArenaCommand)
@bots_argument
@arena_options
@sprt_option
def command(bots: tuple[BotSpec, ...], sprt: SprtPlan | None, choices: ArenaChoices) -> None:
    """Let bots play against each other.

    Takes two to five BOTs, one for each seat; a bot may play against itself. 'kbai help bots'
    lists them. Every deal is played once in each rotation of the bots over the seats, which
    removes most of the luck. Prints the results with intervals. Ctrl-C keeps what is finished;
    with --out, the same command continues later.
    """
    from kbai.cli.run_arena import play

    if len(bots) not in N_SEATS:
        raise click.UsageError(f"expected {N_SEATS[0]} to {N_SEATS[-1]} bots, got {len(bots)}.")
    play(choices, bots, seats=len(bots), kind="match", sprt=sprt)
