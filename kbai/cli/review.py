"""``kbai review``."""

from __future__ import annotations

import re

import click

from kbai.cli.cluster import cluster_option, refuse_workers
from kbai.cli.options import (
    format_option,
    output_option,
    quadrants_option,
    refuse_two_outputs,
    yields,
)
from kbai.cli.search_options import SearchOptions, rollout_options, search_options
from kbai.game.seats import SEATS


def _parse_turns(_ctx: click.Context, _param: click.Parameter, text: str | None) -> range | None:
    if text is None:
        return None
    match = re.fullmatch(r"\s*([0-9]{1,5})\s*(?:-\s*([0-9]{1,5})\s*)?", text, re.ASCII)
    first = int(match[1]) if match else 0
    last = int(match[2] or first) if match else 0
    if not 1 <= first <= last:
        raise click.BadParameter(f"expected turns such as 7 or 5-9, got {text!r}.")
    return range(first, last + 1)


@click.command("review")
@click.argument(
    "names", metavar="GAME...", nargs=-1, required=True, type=click.Path(allow_dash=True)
)
@click.option(
    "--turns",
    metavar="N|N-M",
    callback=_parse_turns,
    help="Review only these turns.  [default: all]",
)
@click.option(
    "--seat",
    "seats",
    multiple=True,
    type=click.Choice(SEATS, case_sensitive=False),
    metavar="SEAT",
    help="Review only the turns of this seat, such as red; repeatable.",
)
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="NAME",
    help="Review only the turns of this player, by the header 'Players' or the colour of the "
    "seat; with --summary, whom it is for. Repeatable.",
)
@click.option(
    "--summary",
    is_flag=True,
    help="Print what the games together say of a player: what to work on, then losses by phase, "
    "scoring card and kind of tile, and the worst turns.  [default: for whoever has most games]",
)
@search_options(
    "visits",
    "time",
    "workers",
    "seed",
    visits=4000,
    seed=1,  # always the same, so that the cache is of use
    about={
        "visits": "Number of simulations to find the best turn; comparing it with the turn played, "
        "and judging the cards, takes up to 24 times as many.",
        "time": "How long to look at each turn, all searches together.",
    },
)
@rollout_options(
    games="Play turns that may have been mistakes on, each up to N times.  "
    "[default: as often as takes about as long as their searches]",
    none="Search only, and play nothing on.",
)
@click.option(
    "--cache",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="File that keeps results, so that a second run searches only what is new, or damaged.  "
    "[default: kbai/review.jsonl in your cache folder]",
)
@click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")
@cluster_option
@output_option("--html", help="Also write a page with the turns on their boards to this file")
@quadrants_option
@format_option("text", "markdown", "json")
def command(
    names: tuple[str, ...],
    turns: range | None,
    seats: tuple[str, ...],
    players: tuple[str, ...],
    summary: bool,
    search: SearchOptions,
    rollouts: int | None,
    no_rollouts: bool,
    cache: str | None,
    no_cache: bool,
    cluster: str | None,
    html: str | None,
    form: str,
) -> None:
    """Say what every turn of a game cost, and how lucky its card was.

    GAME is a game file, a folder of such files, the journal of a match or tournament, or '-' for
    stdin. Prints for every turn: what was played, the best turn found, what the difference cost in
    chance of winning and in gold, and how lucky the card was; then the totals for each seat. Turns
    that may have been mistakes are played on, games of small searches with the same cards for both
    turns, so that marks rest on games. With --summary, prints what many games together say of a
    player instead. Ctrl-C prints what there is so far. Damaged lines of a journal are left out,
    with a note on stderr that has their number.
    """
    from kbai.cli.run_review import open_cache, review_games, review_workers
    from kbai.cli.run_summary import summarize_games
    from kbai.core.errors import SeveralErrors
    from kbai.review.plan import ReviewOptions

    cache = None if yields("cache", "no_cache") else cache
    no_cache = no_cache and not yields("no_cache", "cache")
    if cache is not None and no_cache:
        raise click.UsageError("--cache and --no-cache contradict each other.")
    rollouts = None if yields("rollouts", "no_rollouts") else rollouts
    no_rollouts = no_rollouts and not yields("no_rollouts", "rollouts")
    if rollouts and no_rollouts:
        raise click.UsageError("--rollouts and --no-rollouts contradict each other.")
    refuse_two_outputs(html, form)
    games = 0 if no_rollouts else rollouts
    options = ReviewOptions(search.limit, search.seed or 0, turns, seats, games)
    refuse_workers(cluster, search.workers)
    workers = review_workers(search.workers, cluster)
    with open_cache(cache, no_cache) as answers:
        work = summarize_games if summary else review_games
        problems = work(names, options, answers, workers, players=players, form=form, html=html)
    if problems:
        raise SeveralErrors(problems)
