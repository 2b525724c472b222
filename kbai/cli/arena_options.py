"""What ``kbai match`` and ``kbai tournament`` share: their options, and playing the games."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import wraps
from typing import Any

import click

from kbai import content
from kbai.arena.plan import Plan
from kbai.arena.results import Result, count_done, open_results, read_results
from kbai.arena.runner import run_plan
from kbai.arena.sprt import SprtPlan
from kbai.arena.standings import Standings, compute_standings
from kbai.bots.registry import parse_spec
from kbai.cli.choices import (
    blamed_options,
    board_option,
    cards_option,
    parse_names,
    rules_option,
    sets_option,
)
from kbai.cli.inputs import (
    Command,
    draw_seed,
    format_option,
    note_names,
    quadrants_in_use,
    quadrants_option,
    seed_option,
)
from kbai.cli.progress import progress_bar
from kbai.compute.cluster import cluster
from kbai.compute.journal import Journal, content_id, read_header
from kbai.compute.pools import PoolFactory, count_cores, threads
from kbai.compute.processes import processes
from kbai.core.errors import ArenaError, BotError, NotationError, ParallelError
from kbai.game.quadrants import TURNED
from kbai.report.standings import FORMATS, format_standings


@dataclass(frozen=True)
class Choices:
    """The values of the shared options."""

    groups: int
    sets: tuple[str, ...]
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
    """A command that remembers its command line, to tell how to go on after Ctrl-C."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[ArenaCommand.__qualname__] = shlex.join([*ctx.command_path.split(), *args])
        return super().parse_args(ctx, args)


def arena_options(command: Command) -> Command:
    """Add the shared options, passed as one value ``choices``."""

    @wraps(command)
    def gathered(**values: Any) -> object:
        chosen = Choices(**{field.name: values.pop(field.name) for field in fields(Choices)})
        return command(choices=chosen, **values)

    for option in reversed((
        click.option(
            "--groups",
            type=click.IntRange(min=1),
            default=100,
            show_default=True,
            help="Deals of each line-up, each played once in each rotation of the bots over the "
            "seats; a journal goes on with more.",
        ),
        sets_option,
        cards_option,
        click.option(
            "--exclude-cards",
            metavar="A,B,...",
            callback=parse_names,
            help="Scoring cards that are not to be drawn.",
        ),
        board_option,
        rules_option,
        seed_option,
        click.option(
            "--workers",
            metavar="N",
            type=click.IntRange(min=1),
            help="Games at the same time.  [default: as many as there are cores]",
        ),
        click.option("--threads", is_flag=True, help="Workers are threads, not processes."),
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Workers of a Dask scheduler, such as tcp://host:8786; needs kbai[cluster].",
        ),
        click.option(
            "--out",
            metavar="FILE",
            type=click.Path(dir_okay=False),
            help="Keep the games in this journal; what is in it already counts and is not played "
            "again.",
        ),
        quadrants_option,
        format_option(*FORMATS),
    )):  # fmt: skip
        gathered = option(gathered)
    return gathered  # type: ignore[return-value]


def parse_bots(
    _ctx: click.Context, _param: click.Parameter, texts: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the canonical specs."""
    try:
        return tuple(str(parse_spec(text)) for text in texts)
    except BotError as error:
        raise click.BadParameter(str(error)) from error


def sprt_option(command: Command) -> Command:
    """Add ``--sprt``, ``--alpha`` and ``--beta``, passed as one value ``sprt``."""

    @wraps(command)
    def parsed(sprt: str | None, alpha: float | None, beta: float | None, **values: Any) -> object:
        return command(sprt=_parse_sprt(sprt, alpha, beta), **values)

    for option in (
        click.option(
            "--beta", type=float, metavar="RATE", help="How often ELO1 may fail.  [default: 0.05]"
        ),
        click.option(
            "--alpha", type=float, metavar="RATE", help="How often ELO0 may pass.  [default: 0.05]"
        ),
        click.option(
            "--sprt",
            metavar="ELO0,ELO1",
            help="Test whether the first bot is ELO1 better rather than ELO0, and stop when that "
            "is decided.",
        ),
    ):
        parsed = option(parsed)
    return parsed  # type: ignore[return-value]


def _parse_sprt(text: str | None, alpha: float | None, beta: float | None) -> SprtPlan | None:
    rates = {name: rate for name, rate in (("alpha", alpha), ("beta", beta)) if rate is not None}
    if text is None:
        if rates:
            raise click.UsageError(f"--{next(iter(rates))} goes with --sprt only.")
        return None
    try:
        return SprtPlan.parse(text, **rates)
    except NotationError as error:
        raise click.BadParameter(error.message, param_hint="'--sprt'") from error


def play(
    choices: Choices,
    bots: tuple[str, ...],
    *,
    seats: int,
    kind: str,
    focus: str = "",
    sprt: SprtPlan | None = None,
) -> None:
    """Play the games and print the standings, after Ctrl-C those of the games that are there."""
    workers = _workers(choices)
    if choices.cluster is None:  # else it may be there and not here
        _check_programs(bots)
    plan = _make_plan(choices, bots, seats=seats, kind=kind, focus=focus)
    note_names(_own_layouts(plan))
    with _journal(plan, choices.out) as (journal, results):
        was_stopped = _play_games(plan, workers, journal, results, sprt)
    standings = compute_standings(plan, results, sprt)
    print_standings(standings, choices.form)
    if was_stopped:
        _tell_how_to_go_on(plan, count_done(plan, results), choices.out)
        click.get_current_context().exit(1)
    if standings.lost:
        reason = standings.lost[0].reason.rstrip(".")
        part = f"{len(standings.lost)} of {standings.games}"
        raise ArenaError(f"{part} games could not be played: {reason}.")


def _check_programs(bots: tuple[str, ...]) -> None:
    """Refuse a program that is not there, before games are lost by it."""
    for spec in map(parse_spec, bots):
        program = next(iter(shlex.split(spec.program)), "")
        if program and shutil.which(program) is None:
            raise BotError(f"{spec}: there is no program {program!r} that can be run.")


def _make_plan(
    choices: Choices, bots: tuple[str, ...], *, seats: int, kind: str, focus: str
) -> Plan:
    """Return the plan; a seed that is not given is that of the journal, or drawn and told."""
    seed = choices.seed
    if seed is None and choices.out is not None:
        seed = _journal_seed(choices.out)
    is_drawn = seed is None
    try:
        with blamed_options():
            plan = Plan(
                bots=bots,
                seats=seats,
                groups=choices.groups,
                seed=draw_seed() if seed is None else seed,
                kind=kind,
                focus=focus,
                sets=choices.sets,
                board=choices.board or (),
                cards=choices.cards or (),
                exclude_cards=choices.exclude_cards or (),
                options=tuple(choices.pairs.items()),
                quadrants=content_id(own) if (own := quadrants_in_use()) else "",
            )
    except ArenaError as error:
        raise click.UsageError(str(error)) from error
    if is_drawn:
        click.echo(f"seed: {plan.seed}", err=True)
    return plan


def _journal_seed(path: str) -> int | None:
    """Return the seed of a journal that is there, so that it can be gone on with."""
    if not os.path.isfile(path) or not os.path.getsize(path):
        return None
    seed = read_header(path).plan.get("seed")
    return seed if isinstance(seed, int) else None


@contextmanager
def _journal(plan: Plan, path: str | None) -> Iterator[tuple[Journal | None, list[Result]]]:
    """Open the journal, if there is to be one, and return the games that are in it."""
    if path is None:
        yield None, []
        return
    with open_results(path, plan) as journal:
        results = [result.without_game() for result in read_results(path)[1]]
        if results:
            done = count_done(plan, results)
            more = f", and {len(results) - done} more" if len(results) > done else ""
            there = f"{done} of {plan.n_games} games are in {path} already{more}"
            click.echo(f"note: {there}.", err=True)
        yield journal, results


def _play_games(
    plan: Plan,
    workers: PoolFactory,
    journal: Journal | None,
    results: list[Result],
    sprt: SprtPlan | None,
) -> bool:
    """Play what is not among the results and add it to them; return whether Ctrl-C came."""
    earlier = tuple(results)
    try:
        with progress_bar(plan, earlier) as show:

            def take(found: Sequence[Result]) -> None:
                results.extend(found)
                show(found)

            run_plan(
                plan,
                workers=workers,
                journal=journal,
                on_results=take,
                sprt=sprt,
                earlier=earlier,
                quadrants=quadrants_in_use(),
            )
    except KeyboardInterrupt:
        return True
    return False


def print_standings(standings: Standings, form: str) -> None:
    """Print the standings."""
    # As bytes: the name of a program may hold what the terminal's encoding does not.
    click.echo(format_standings(standings, form).encode())


def _workers(choices: Choices) -> PoolFactory:
    if choices.cluster is not None:
        if choices.threads or choices.workers:
            raise click.UsageError("--cluster has its own workers, without --threads or --workers.")
        try:
            return cluster(choices.cluster)
        except ParallelError as error:
            raise click.BadParameter(str(error), param_hint="'--cluster'") from error
    count = choices.workers or count_cores()
    return threads(count) if choices.threads else processes(count)


def _own_layouts(plan: Plan) -> list[str]:
    """Return what may be in play and is not laid out as printed."""
    every = content.load()
    board = {name.removesuffix(TURNED) for name in plan.board}
    found = [
        name
        for name, item in every.quadrants.items()
        if not item.official and (name in board if board else item.set in plan.sets)
    ]
    islands = every.islands.items()
    return found + [n for n, item in islands if not item.official and item.set in plan.sets]


def _tell_how_to_go_on(plan: Plan, done: int, out: str | None) -> None:
    text = f"Stopped after {done} of {plan.n_games} games. "
    if out is None:
        text += "They are not kept; with --out FILE the next run would go on here."
    else:
        line = click.get_current_context().meta[ArenaCommand.__qualname__]
        text += f"The next run goes on here:\n{line}"
    click.echo(text, err=True)
