"""The options that ``kbai match`` and ``kbai tournament`` share."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from kbai.cli.cluster import cluster_option
from kbai.cli.completion import complete_bot, complete_content
from kbai.cli.options import (
    Command,
    NumberOption,
    format_option,
    quadrants_option,
    seed_option,
    workers_option,
)
from kbai.cli.setup_options import (
    board_option,
    cards_option,
    parse_names,
    rules_option,
    sets_option,
)

if TYPE_CHECKING:
    from kbai.arena.sprt import SprtPlan
    from kbai.bots.specs import BotSpec

# Those of `kbai.report.standings`, which is not imported for them; a test compares.
FORMATS = ("text", "markdown", "csv", "json")


@dataclass(frozen=True, slots=True)
class ArenaChoices:
    """The values of the shared options."""

    groups: int
    sets: tuple[str, ...]
    positions: tuple[str, ...]
    cards: tuple[str, ...] | None
    board: tuple[str, ...] | None
    exclude_cards: tuple[str, ...] | None
    pairs: dict[str, str]
    seed: int | None
    workers: int | None
    threads: bool
    cluster: str | None
    out: str | None
    form: str


class ArenaCommand(click.Command):
    """A command that remembers its command line, to say how to continue after Ctrl-C."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[ArenaCommand.__qualname__] = shlex.join([*ctx.command_path.split(), *args])
        return super().parse_args(ctx, args)


def command_line() -> str:
    """Return the command line of the command that runs."""
    line: str = click.get_current_context().meta[ArenaCommand.__qualname__]
    return line


standings_format_option = format_option(*FORMATS)

_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--groups",
        cls=NumberOption,
        metavar="N",
        type=click.IntRange(min=1),
        default=100,
        show_default=True,
        help="Number of deals for each line-up. Each deal is played once in every rotation of the "
        "bots over the seats. A journal can be continued with more.",
    ),
    sets_option,
    cards_option,
    click.option(
        "--exclude-cards",
        shell_complete=complete_content,
        metavar="A,B,...",
        callback=parse_names,
        help="Scoring cards that are never drawn.",
    ),
    board_option,
    rules_option,
    click.option(
        "--position",
        "positions",
        metavar="FILE",
        type=click.Path(allow_dash=True),
        multiple=True,
        help="Start from the positions in this file, in turn, instead of random set-ups. "
        "Repeatable; a file may have many, each on a line 'kb1 ...'.",
    ),
    seed_option(),
    workers_option,
    click.option("--threads", is_flag=True, help="Use threads as workers, not processes."),
    cluster_option,
    click.option(
        "--out",
        metavar="FILE",
        type=click.Path(dir_okay=False),
        help="Keep the games in this journal. Games already in it count and are not played again. "
        "A journal with damaged lines is refused.",
    ),
    quadrants_option,
    standings_format_option,
)


def arena_options(command: Command) -> Command:
    """Add the shared options, passed as one value ``choices``."""

    @wraps(command)
    def gathered(**values: Any) -> object:
        chosen = {field.name: values.pop(field.name) for field in fields(ArenaChoices)}
        return command(choices=ArenaChoices(**chosen), **values)

    for option in reversed(_OPTIONS):
        gathered = option(gathered)
    return gathered  # type: ignore[return-value]


def parse_bots(
    ctx: click.Context, _param: click.Parameter, texts: tuple[str, ...]
) -> tuple[BotSpec, ...]:
    """Return the bots that the texts name."""
    if ctx.resilient_parsing:
        return ()
    from kbai.bots.specs import parse_spec
    from kbai.core.errors import BotError

    try:
        return tuple(map(parse_spec, texts))
    except BotError as error:
        raise click.BadParameter(str(error)) from error


bots_argument = click.argument(
    "bots",
    metavar="BOT BOT...",
    nargs=-1,
    required=True,
    callback=parse_bots,
    shell_complete=complete_bot,
)


def sprt_option(command: Command) -> Command:
    """Add ``--sprt``, ``--alpha`` and ``--beta``, passed as one value ``sprt``."""

    @wraps(command)
    def parsed(sprt: str | None, alpha: float | None, beta: float | None, **values: Any) -> object:
        return command(sprt=_parse_sprt(sprt, alpha, beta), **values)

    for option in (
        click.option(
            "--beta",
            type=float,
            metavar="RATE",
            help="Chance of accepting ELO0 although ELO1 is true.  [default: 0.05]",
        ),
        click.option(
            "--alpha",
            type=float,
            metavar="RATE",
            help="Chance of accepting ELO1 although ELO0 is true.  [default: 0.05]",
        ),
        click.option(
            "--sprt",
            metavar="ELO0,ELO1",
            help="Test whether the first bot is stronger by ELO1 rather than by ELO0. A match "
            "stops as soon as that is decided.",
        ),
    ):
        parsed = option(parsed)
    return parsed  # type: ignore[return-value]


def _parse_sprt(text: str | None, alpha: float | None, beta: float | None) -> SprtPlan | None:
    rates = {name: rate for name, rate in (("alpha", alpha), ("beta", beta)) if rate is not None}
    if text is None:
        if rates:
            raise click.UsageError(f"--{next(iter(rates))} works only with --sprt.")
        return None
    from kbai.arena.sprt import SprtPlan
    from kbai.core.errors import NotationError

    try:
        return SprtPlan.parse(text, **rates)
    except NotationError as error:
        raise click.BadParameter(error.message, param_hint="'--sprt'") from error
