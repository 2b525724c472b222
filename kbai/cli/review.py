"""``kbai review``."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import click

from kbai.cli.drawing import bar_width
from kbai.cli.games import find_games
from kbai.cli.inputs import format_option, note_layouts, quadrants_in_use, quadrants_option
from kbai.cli.outputs import STDOUT, output_option, write_output
from kbai.compute.cache import Cache
from kbai.compute.pools import PoolFactory, count_cores, threads
from kbai.compute.processes import processes
from kbai.core.errors import ReviewError, StoreError
from kbai.game.seats import SEATS
from kbai.report.pages import review_page
from kbai.report.reviews import review_dict, review_text
from kbai.review.results import Review
from kbai.review.run import Wish, plan_review, run_reviews
from kbai.search.params import Limit

DEFAULT_VISITS = 4000
CACHE_NAME = "review.jsonl"
BAR_AFTER_S = 0.5


def _parse_turns(_ctx: click.Context, _param: click.Parameter, text: str | None) -> range | None:
    if text is None:
        return None
    match = re.fullmatch(r"\s*([0-9]{1,5})\s*(?:-\s*([0-9]{1,5})\s*)?", text, re.ASCII)
    first = int(match[1]) if match else 0
    last = int(match[2] or first) if match else 0
    if not 1 <= first <= last:
        raise click.BadParameter(f"expected turns such as 7 or 5-9, got {text!r}.")
    return range(first, last + 1)


def usual_cache() -> str:
    """Return where answers are kept unless another file is named."""
    if sys.platform == "win32":
        return os.path.join(click.get_app_dir("kbai", roaming=False), CACHE_NAME)
    folder = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(folder, "kbai", CACHE_NAME)


@click.command("review")
@click.argument(
    "names", metavar="GAME...", nargs=-1, required=True, type=click.Path(allow_dash=True)
)
@click.option(
    "--turns",
    metavar="N|N-M",
    callback=_parse_turns,
    help="Only these turns.  [default: all]",
)
@click.option(
    "--seat",
    "seats",
    multiple=True,
    type=click.Choice(SEATS, case_sensitive=False),
    metavar="SEAT",
    help="Only the turns of this seat, such as red; may be given more than once.",
)
@click.option(
    "--visits",
    metavar="N",
    type=click.IntRange(1, 10**9),
    help="How many games to look at for the best turn; to compare it and to look at the cards "
    f"takes up to 24 times as many.  [default: {DEFAULT_VISITS}; no limit with --time]",
)
@click.option(
    "--time",
    "seconds",
    metavar="SECONDS",
    type=click.FloatRange(0, 1e6, min_open=True),
    help="How long to look at a turn, all in all.",
)
@click.option(
    "--workers",
    metavar="N",
    type=click.IntRange(1, 1000),
    help="Searches at the same time.  [default: as many as there are cores]",
)
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="Where all chance comes from; always the same, so that the cache is of use.",
)
@click.option(
    "--cache",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Where to keep what was found out, so that a second run only adds.  "
    "[default: kbai/review.jsonl in the folder for caches]",
)
@click.option("--no-cache", is_flag=True, help="Keep nothing, and use nothing that was kept.")
@output_option("--html", help="Write a page with the turns on their boards into this file, too")
@quadrants_option
@format_option("text", "json")
def command(
    names: tuple[str, ...],
    turns: range | None,
    seats: tuple[str, ...],
    visits: int | None,
    seconds: float | None,
    workers: int | None,
    seed: int,
    cache: str | None,
    no_cache: bool,
    html: str | None,
    form: str,
) -> None:
    """Tell what every turn of a game cost, and how lucky its card was.

    GAME is a game file, a folder with such files, the journal of a match or tournament, or '-'
    for stdin. For every turn: what was played, the best turn found, what it cost in win
    probability and gold, and what luck the card was; then the sums for each seat.
    """
    if cache is not None and no_cache:
        raise click.UsageError("--cache and --no-cache contradict each other.")
    limit = Limit(DEFAULT_VISITS if visits is None and seconds is None else visits, seconds)
    wish = Wish(limit, seed, turns, seats)
    pool = _pool(workers or count_cores())
    with _open_cache(cache, no_cache) as answers:
        problems = _review_all(names, wish, answers, pool, form, html)
    if problems:
        raise ReviewError("\n".join(problems))


def _pool(count: int) -> PoolFactory:
    # One search at a time needs no process of its own, for it lets go of the GIL.
    return threads(1) if count == 1 else processes(count)


def _open_cache(path: str | None, no_cache: bool) -> Cache:
    """Open the cache before the work starts; if the usual one cannot be used, go on without."""
    if path is not None or no_cache:
        return Cache(None if no_cache else path)
    try:
        return Cache(usual_cache())
    except StoreError as error:
        click.echo(f"note: nothing is kept: {error}", err=True)
        return Cache(None)


def _review_all(
    names: tuple[str, ...],
    wish: Wish,
    answers: Cache,
    pool: PoolFactory,
    form: str,
    html: str | None,
) -> list[str]:
    """Print the reviews and return what was wrong with the games."""
    sources = list(find_games(names))
    plans = []
    for source in sources:
        if source.game is not None:
            note_layouts(source.game.setup)
            plans.append(plan_review(source.name, source.game, wish, source.problem))
    if html is not None and len(plans) > 1:
        raise ReviewError(f"expected one game for --html, got {len(plans)}.")
    ids = {id for plan in plans for id in plan.tasks()}
    known = answers.find(ids)
    n_printed = 0
    with _progress_bar(len(ids), len(known)) as (advance, pause):

        def keep(id: str, answer: Mapping[str, Any]) -> None:
            answers.keep(id, answer)
            advance()

        def show(review: Review) -> None:
            nonlocal n_printed
            with pause():
                if html is not None:
                    write_output(html, review_page(review))
                if html != STDOUT:
                    _print_review(review, form, is_first=not n_printed)
            n_printed += 1

        try:
            run_reviews(
                plans,
                workers=pool,
                known=known,
                keep=keep,
                on_review=show,
                quadrants=quadrants_in_use(),
            )
        except KeyboardInterrupt:
            kept = "what was found out is kept" if answers.is_kept else "nothing is kept"
            raise ReviewError(f"stopped after {n_printed} of {len(plans)} games; {kept}.") from None
    return [source.problem for source in sources if source.problem]


def _print_review(review: Review, form: str, *, is_first: bool) -> None:
    # As bytes: the name of a file may hold what the terminal's encoding does not.
    if form == "json":
        click.echo(json.dumps(review_dict(review)).encode())
        return
    text = review_text(review)
    click.echo((text if is_first else f"\n\n{text}").encode("utf-8", "surrogateescape"))


@contextmanager
def _progress_bar(
    total: int, known: int
) -> Iterator[tuple[Callable[[], None], Callable[[], AbstractContextManager[None]]]]:
    """Show on a terminal how many searches are done; yield how to tell, and to print meanwhile."""
    from tqdm import tqdm  # type: ignore[import-untyped]

    with tqdm(
        total=total,
        initial=known,
        unit=" searches",
        delay=BAR_AFTER_S,
        disable=None,  # unless stderr is a terminal
        leave=False,
        ncols=bar_width(),
        file=sys.stderr,
    ) as bar:
        yield bar.update, lambda: tqdm.external_write_mode(file=sys.stdout)
