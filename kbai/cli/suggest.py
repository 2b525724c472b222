"""``kbai suggest``."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from kbai._fast import Position
from kbai.cli.drawing import Style, bar_width, drawing_options, drawing_style
from kbai.cli.inputs import (
    draw_seed,
    format_option,
    input_argument,
    next_turn,
    read_input,
    seed_option,
    turn_option,
)
from kbai.cli.outputs import STDOUT, output_option, write_output
from kbai.compute.pools import count_cores
from kbai.draw.terminal import draw_position
from kbai.game.steps import advance
from kbai.notation.games import Game
from kbai.notation.turns import Turn
from kbai.report.pages import suggestion_page
from kbai.report.suggestion_json import chosen_turn, suggestion_dict
from kbai.report.suggestion_text import suggestion_text
from kbai.search.params import Limit, SearchParams
from kbai.search.results import Suggestion
from kbai.search.suggest import suggest

DEFAULT_SECONDS = 5.0
DEFAULT_MEMORY = SearchParams().memory
# A bar for what is over sooner would only flicker.
BAR_AFTER_S = 0.5


@click.command("suggest")
@input_argument
@turn_option
@click.option(
    "--time",
    "seconds",
    metavar="SECONDS",
    type=click.FloatRange(0, 1e6, min_open=True),
    help=f"How long to search.  [default: {DEFAULT_SECONDS:g}; no limit with --visits]",
)
@click.option(
    "--visits",
    metavar="N",
    type=click.IntRange(1, 10**9),
    help="How many games to look at; the same number gives the same answer.",
)
@click.option(
    "--threads",
    metavar="N",
    type=click.IntRange(1, 256),
    help="Trees that are searched at the same time.  [default: as many as there are cores; "
    "1 with --visits]",
)
@click.option(
    "--memory",
    metavar="MB",
    type=click.IntRange(1, 10**6),
    default=DEFAULT_MEMORY,
    show_default=True,
    help="What the trees may take, in megabytes.",
)
@click.option(
    "--top",
    metavar="N",
    type=click.IntRange(1, 100),
    default=5,
    show_default=True,
    help="How many turns to list.",
)
@seed_option
@click.option("--board", is_flag=True, help="Draw the board after the first turn of the list.")
@output_option("--html", help="Write a page with the turns on their boards into this file, too")
@format_option("text", "json")
@drawing_options
def command(
    source: str | None,
    turn: int | str | None,
    seconds: float | None,
    visits: int | None,
    threads: int | None,
    memory: int,
    top: int,
    seed: int | None,
    board: bool,
    html: str | None,
    form: str,
    color: bool | None,
    ascii: bool,
) -> None:
    """Suggest what to play.

    Searches INPUT and lists the best turns: how often they win, what gold they bring to whom,
    and why. In a game it is the turn after the last one, or that of --turn. Ctrl-C ends the
    search and prints what is known by then.
    """
    if board and form == "json":
        raise click.UsageError("--board goes with --format text only.")
    position = _find_position(source, turn)
    limit = Limit(visits, DEFAULT_SECONDS if visits is None and seconds is None else seconds)
    with _progress_bar(limit) as show:
        suggestion = suggest(
            position,
            limit,
            seed=draw_seed() if seed is None else seed,
            threads=threads or (count_cores() if visits is None else 1),
            params=SearchParams(memory=memory),
            top=top,
            on_progress=show,
        )
    _tell_remarks(suggestion, is_drawn=seed is None)
    if html is not None:
        write_output(html, suggestion_page(suggestion))
    if html == STDOUT:
        return
    if form == "json":
        click.echo(json.dumps(suggestion_dict(suggestion)))
        return
    style = drawing_style(color, ascii)
    if board:
        click.echo(f"{_draw_turn(suggestion, style)}\n", color=style["color"])
    click.echo(suggestion_text(suggestion))


def _find_position(source: str | None, turn: int | str | None) -> Position:
    found = read_input(source)
    if isinstance(found, Game):
        return found.position_before(next_turn(found, turn))
    if turn is not None:
        raise click.UsageError("--turn needs a game file, but INPUT is a position.")
    return found


def _tell_remarks(suggestion: Suggestion, *, is_drawn: bool) -> None:
    if is_drawn:
        click.echo(f"seed: {suggestion.seed}", err=True)
    if suggestion.is_interrupted:
        click.echo(f"note: stopped after {suggestion.visits:,} visits.", err=True)
    if suggestion.is_full:
        click.echo("note: the memory is used up, the trees could not grow any more.", err=True)


def _draw_turn(suggestion: Suggestion, style: Style) -> str:
    """Draw the position after the first turn of the list, or as it is if there is none."""
    position = suggestion.position.copy()
    turn: Turn | None = None
    for choice in suggestion.turns[:1]:
        turn = chosen_turn(position, choice)
        for step in choice.steps:
            advance(position, step)
    return draw_position(position, **style, numbered=turn)


@contextmanager
def _progress_bar(limit: Limit) -> Iterator[Callable[[int], None]]:
    """Show on a terminal how much of the limit is used; return what to tell the visits."""
    from tqdm import tqdm  # type: ignore[import-untyped]

    start = time.monotonic()
    with tqdm(
        total=1.0,
        bar_format="{percentage:3.0f}%|{bar}| {desc}",
        delay=BAR_AFTER_S,
        disable=None,  # unless stderr is a terminal
        leave=False,
        ncols=bar_width(),
        mininterval=0.1,
        miniters=0,  # any progress is worth it
        file=sys.stderr,
    ) as bar:

        def show(visits: int) -> None:
            used = visits / limit.visits if limit.visits else 0.0
            if limit.seconds:
                used = max(used, (time.monotonic() - start) / limit.seconds)
            bar.set_description_str(f"{visits:,} visits", refresh=False)
            bar.update(min(used, 1.0) - bar.n)

        yield show
