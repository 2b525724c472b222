"""Playing the games of ``kbai match`` and ``kbai tournament``, and printing the standings."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout

import click

from kbai import content
from kbai.arena.plan import Plan
from kbai.arena.results import Result, count_done, open_results, read_results
from kbai.arena.runner import run_plan
from kbai.arena.sprt import SprtPlan
from kbai.arena.standings import Standings, compute_standings
from kbai.bots.specs import BotSpec
from kbai.cli.arena_options import ArenaChoices, command_line
from kbai.cli.arena_score import Score
from kbai.cli.bot_programs import check_programs
from kbai.cli.cluster import cluster_pool
from kbai.cli.drawing import terminal_width
from kbai.cli.notes import print_note
from kbai.cli.options import is_given
from kbai.cli.progress import progress_bar
from kbai.cli.quadrants import note_layouts, quadrants_in_use
from kbai.cli.reading import find_moment, read_items, read_text
from kbai.cli.seeds import draw_seed, tell_seed
from kbai.cli.setup_options import blamed_options
from kbai.compute.journal import Journal, content_id, read_header
from kbai.compute.pools import PoolFactory, count_cores, threads
from kbai.compute.processes import processes
from kbai.core.errors import ArenaError
from kbai.game.quadrants import TURNED
from kbai.game.setup import setup_of
from kbai.notation.positions import format_line, parse_position
from kbai.report.standings import format_standings


def play(
    choices: ArenaChoices,
    bots: tuple[BotSpec, ...],
    *,
    seats: int,
    kind: str,
    focus: str = "",
    sprt: SprtPlan | None = None,
) -> None:
    """Play the games and print the standings; after Ctrl-C, those of the games played so far."""
    workers = _workers(choices)
    if choices.cluster is None:  # otherwise it may exist there and not here
        with redirect_stdout(sys.stderr):  # what a bot prints is talk
            check_programs(bots)
    plan = _make_plan(choices, bots, seats=seats, kind=kind, focus=focus)
    note_layouts(_own_layouts(plan))
    with _journal(plan, choices.out) as (journal, results), redirect_stdout(sys.stderr):
        was_stopped = _play_games(plan, workers, journal, results, sprt)
    standings = compute_standings(plan, results, sprt)
    print_standings(standings, choices.form)
    if was_stopped:
        _tell_how_to_continue(plan, count_done(plan, results), choices.out)
        click.get_current_context().exit(1)
    if standings.lost:
        reason = standings.lost[0].reason.rstrip(".")
        part = f"{len(standings.lost)} of {standings.games}"
        raise ArenaError(f"{part} games could not be played: {reason}.")


def _make_plan(
    choices: ArenaChoices, bots: tuple[BotSpec, ...], *, seats: int, kind: str, focus: str
) -> Plan:
    """Return the plan; a seed that is not given comes from the journal, or is drawn and printed."""
    seed = choices.seed
    if seed is None and choices.out is not None:
        seed = _journal_seed(choices.out)
    is_drawn = seed is None
    positions = _read_positions(choices)
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
                positions=positions,
            )
    except ArenaError as error:
        raise click.UsageError(str(error)) from error
    if is_drawn:
        tell_seed(plan.seed)
    return plan


def _read_positions(choices: ArenaChoices) -> tuple[str, ...]:
    """Return the lines of the start positions that are named."""
    if not choices.positions:
        return ()
    for name in ("sets", "board", "cards", "exclude_cards", "pairs"):
        if is_given(name):
            option = "--option" if name == "pairs" else f"--{name.replace('_', '-')}"
            raise click.UsageError(f"--position and {option} contradict each other.")
    found = [
        format_line(find_moment(item, None).position)
        for source in choices.positions
        for item in read_items(*read_text(source))
    ]
    if not found:
        raise click.UsageError("expected start positions for --position, got none.")
    return tuple(found)


def _journal_seed(path: str) -> int | None:
    """Return the seed of a journal that exists, so that it can be continued."""
    if not os.path.isfile(path) or not os.path.getsize(path):
        return None
    seed = read_header(path).plan.get("seed")
    return seed if isinstance(seed, int) else None


@contextmanager
def _journal(plan: Plan, path: str | None) -> Iterator[tuple[Journal | None, list[Result]]]:
    """Open the journal, if one is wanted, and return the games that are in it."""
    if path is None:
        yield None, []
        return
    with open_results(path, plan) as journal:
        results = [result.without_game() for result in read_results(path)[1]]
        if journal.torn:
            torn = "the last line was not whole and is cut off; its game is played again"
            print_note(f"{path}: {torn}.")
        if results:
            done = count_done(plan, results)
            more = f", and {len(results) - done} more" if len(results) > done else ""
            there = f"{done} of {plan.n_games} games are in {path} already{more}"
            print_note(f"{there}.")
        yield journal, results


def _play_games(
    plan: Plan,
    workers: PoolFactory,
    journal: Journal | None,
    results: list[Result],
    sprt: SprtPlan | None,
) -> bool:
    """Play the games that are missing and add them to the results; return whether Ctrl-C came."""
    earlier = tuple(results)
    score = Score(earlier)
    try:
        with progress_bar(plan.n_games, done=count_done(plan, earlier), unit="games") as bar:

            def take(found: Sequence[Result]) -> None:
                results.extend(found)
                score.add(*found)
                bar.advance(len(found), str(score))

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
    click.echo(format_standings(standings, form, terminal_width()).encode())


def _workers(choices: ArenaChoices) -> PoolFactory:
    if choices.cluster is not None:
        if choices.threads or choices.workers:
            raise click.UsageError(
                "--cluster brings its own workers, without --threads or --workers."
            )
        return cluster_pool(choices.cluster)
    count = choices.workers or count_cores()
    return threads(count) if choices.threads else processes(count)


def _own_layouts(plan: Plan) -> list[str]:
    """Return the layouts that may be in play and are not the printed ones."""
    if plan.positions:
        setups = (setup_of(parse_position(line)) for line in plan.positions)
        return list(dict.fromkeys(name for setup in setups for name in setup.own_layouts))
    every = content.load()
    board = {name.removesuffix(TURNED) for name in plan.board}
    found = [
        name
        for name, item in every.quadrants.items()
        if not item.official and (name in board if board else item.set in plan.sets)
    ]
    islands = every.islands.items()
    return found + [n for n, item in islands if not item.official and item.set in plan.sets]


def _tell_how_to_continue(plan: Plan, done: int, out: str | None) -> None:
    text = f"Stopped after {done} of {plan.n_games} games. "
    if out is None:
        text += "They are not kept; with --out FILE you could continue."
    else:
        text += f"To continue, run again:\n{command_line()}"
    click.echo(text, err=True)
