"""``kbai suggest``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from kbai.cli.cluster import cluster_option, cluster_pool
from kbai.cli.notes import print_note
from kbai.cli.options import (
    STDOUT,
    card_option,
    drawing_options,
    format_option,
    input_argument,
    is_given,
    output_option,
    refuse_two_outputs,
    turn_option,
    yields,
)
from kbai.cli.progress import AFTER_S, progress_bar, watch_search, watch_share
from kbai.cli.search_options import SearchOptions, rollout_options, search_options
from kbai.cli.seeds import draw_seed, tell_seed

if TYPE_CHECKING:
    from kbai._fast import Position
    from kbai.search.results import Suggestion


@click.command("suggest")
@input_argument
@turn_option
@card_option("The card in your hand, if INPUT does not say it.  [default: each that it may be]")
@click.option("--reveal", is_flag=True, help="With --turn: the card that was turned up then.")
@search_options("time", "visits", "threads", "memory", "top", "seed", seconds=5)
@rollout_options(
    games="Play the best turns on, the best one N times, fewer only if --time ends before.  "
    "[default: as the time allows; none with --visits]",
    none="Search one tree only, and play nothing on.",
)
@cluster_option
@click.option("--board", is_flag=True, help="Draw the board after the first turn of the list.")
@output_option("--html", help="Also write a page with the turns on their boards to this file")
@format_option("text", "markdown", "json")
@drawing_options
def command(
    source: str | None,
    turn: int | str | None,
    card: str | None,
    reveal: bool,
    search: SearchOptions,
    rollouts: int | None,
    no_rollouts: bool,
    cluster: str | None,
    board: bool,
    html: str | None,
    form: str,
    color: bool | None,
    ascii: bool,
) -> None:
    """Suggest what to play.

    Searches INPUT and lists the best turns: how often each wins, how much gold it brings to whom,
    and why. Then it plays the best turns on, games of small searches against each other with the
    same cards for all turns, and puts both together. In a game, it looks at the turn after the last
    one, or at that of --turn. Ctrl-C ends it and prints what is known by then. A cluster plays the
    games; the search itself is made here.
    """
    from kbai.cli.reading import read_moment, turn_up

    if board and form != "text":
        raise click.UsageError("--board works only with --format text.")
    refuse_two_outputs(html, form, board=board)
    rollouts = None if yields("rollouts", "no_rollouts") else rollouts
    no_rollouts = no_rollouts and not yields("no_rollouts", "rollouts")
    if rollouts and no_rollouts:
        raise click.UsageError("--rollouts and --no-rollouts contradict each other.")
    is_played_on = rollouts is not None or (search.visits is None and not no_rollouts)
    if cluster is not None and not is_played_on:
        raise click.UsageError("--cluster is for games; it needs --rollouts or --time.")
    position = turn_up(read_moment(source, turn), card, reveal=reveal)
    if is_played_on:
        found = _search_and_play_on(position, search, rollouts, cluster)
    else:
        found = _search(position, search)
    _tell_remarks(found, is_drawn=search.seed is None)
    if html is not None:
        from kbai.cli.writing import write_output
        from kbai.report.suggestion_page import suggestion_page

        write_output(html, suggestion_page(found))
    if html != STDOUT:
        if board:
            _draw_first_turn(found, color, ascii)
        _print_suggestion(found, form)


def _search_and_play_on(
    position: Position, search: SearchOptions, games: int | None, cluster: str | None
) -> Suggestion:
    from kbai.compute.pools import count_cores
    from kbai.rollouts.suggest import suggest_with_games

    with progress_bar(1.0, after_s=AFTER_S) as bar:
        return suggest_with_games(
            position,
            search.limit,
            games=games,
            seed=draw_seed() if search.seed is None else search.seed,
            threads=search.threads or count_cores(),
            params=search.params,
            top=search.top,
            workers=None if cluster is None else cluster_pool(cluster),
            is_all_played=games is not None and not is_given("seconds"),
            on_progress=watch_share(bar),
        )


def _search(position: Position, search: SearchOptions) -> Suggestion:
    from kbai.compute.pools import count_cores
    from kbai.search.suggest import suggest

    with progress_bar(1.0, after_s=AFTER_S) as bar:
        return suggest(
            position,
            search.limit,
            seed=draw_seed() if search.seed is None else search.seed,
            threads=search.threads or (count_cores() if search.visits is None else 1),
            params=search.params,
            top=search.top,
            on_progress=watch_search(bar, search.limit),
        )


def _tell_remarks(found: Suggestion, *, is_drawn: bool) -> None:
    if is_drawn:
        tell_seed(found.seed)
    if found.is_interrupted:
        print_note(f"stopped after {found.visits:,} visits.")
    if found.is_rough:
        what = "1 visit is" if found.visits == 1 else f"{found.visits:,} visits are"
        print_note(f"{what} too little to judge turns by; search longer.")
    if found.is_full:
        print_note("the memory is used up; the trees could not grow any more.")


def _print_suggestion(found: Suggestion, form: str) -> None:
    from kbai.cli.drawing import terminal_width
    from kbai.report.document_formats import format_document
    from kbai.report.suggestion_document import suggestion_document
    from kbai.report.suggestion_json import WITH_REASONS, suggestion_dict

    if form == "json":
        click.echo(json.dumps(suggestion_dict(found, WITH_REASONS)))
        return
    click.echo(format_document(suggestion_document(found), form, terminal_width()))


def _draw_first_turn(found: Suggestion, color: bool | None, ascii: bool) -> None:
    """Draw the position after the first turn of the list, or as it is if there is none."""
    from kbai.cli.drawing import drawing_style
    from kbai.draw.terminal import draw_position
    from kbai.game.steps import advance
    from kbai.report.turns import chosen_turn

    position = found.position.copy()
    turn = None
    for choice in found.turns[:1]:
        turn = chosen_turn(position, choice)
        for step in choice.steps:
            advance(position, step)
    style = drawing_style(color, ascii)
    click.echo(f"{draw_position(position, **style, numbered=turn)}\n", color=style["color"])
