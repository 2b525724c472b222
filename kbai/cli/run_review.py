"""Reviewing the games that ``kbai review`` names, and printing each review as it is done."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import click

from kbai.cli.cluster import cluster_pool
from kbai.cli.drawing import terminal_width
from kbai.cli.game_sources import Source, find_games
from kbai.cli.notes import print_note
from kbai.cli.options import STDOUT
from kbai.cli.progress import AFTER_S, progress_bar
from kbai.cli.quadrants import note_layouts, quadrants_in_use
from kbai.cli.writing import write_output
from kbai.compute.cache import Cache
from kbai.compute.pools import PoolFactory, count_cores, threads
from kbai.compute.processes import processes
from kbai.core.errors import ReviewError, StoreError, suggest_name
from kbai.report.document_formats import format_document
from kbai.report.review_document import review_document
from kbai.report.review_json import review_dict
from kbai.review.plan import Plan, ReviewOptions, plan_review
from kbai.review.results import Review
from kbai.review.run import find_known, run_reviews
from kbai.summary.players import choose_players, players_of

CACHE_NAME = "review.jsonl"


def usual_cache() -> str:
    """Return the cache that is used unless another file is named."""
    if sys.platform == "win32":
        return os.path.join(click.get_app_dir("kbai", roaming=False), CACHE_NAME)
    folder = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(folder, "kbai", CACHE_NAME)


def open_cache(path: str | None, no_cache: bool) -> Cache:
    """Open the cache before the work starts; if the usual one cannot be used, go on without.

    If the disk is full later, go on in any case: the searches took long.
    """
    if path is not None or no_cache:
        return Cache(None if no_cache else path, _note_failure)
    try:
        return Cache(usual_cache(), _note_failure)
    except StoreError as error:
        print_note(f"nothing is kept: {error}")
        return Cache(None)


def _note_failure(error: StoreError) -> None:
    print_note(f"no more searches are kept: {error}")


def review_games(
    names: tuple[str, ...],
    options: ReviewOptions,
    answers: Cache,
    workers: PoolFactory,
    *,
    players: tuple[str, ...],
    form: str,
    html: str | None,
) -> list[str]:
    """Print the reviews and return what was wrong with the games."""
    sources = list(find_games(names))
    plans = make_plans(only_turns_of(sources, options, players))
    if html is not None and len(plans) > 1:
        raise ReviewError(f"expected one game for --html, got {len(plans)}; see --summary.")
    problems = [source.problem for source in sources if source.problem]
    if not any(plan.turns for plan in plans):
        return problems + why_nothing(plans)
    n_printed = 0

    def show(review: Review) -> None:
        nonlocal n_printed
        _print_review(review, form, html, is_first=not n_printed)
        n_printed += 1

    run_plans(plans, answers, workers, show)
    return problems


def only_turns_of(
    sources: Iterable[Source], options: ReviewOptions, players: tuple[str, ...]
) -> list[tuple[Source, ReviewOptions]]:
    """Return the games of some players with options for their turns alone; all if none is named."""
    read = [(source, players_of(source.game)) for source in sources if source.game is not None]
    if not players:
        return [(source, options) for source, _ in read]
    chosen = choose_players((names for _, names in read), players)
    found = []
    for source, names in read:
        assert source.game is not None
        seats = zip(source.game.setup.seats, names, strict=True)
        own = [seat for seat, name in seats if name in chosen]
        wanted = tuple(seat for seat in own if not options.seats or seat in options.seats)
        if wanted:
            found.append((source, replace(options, seats=wanted)))
    return found


def make_plans(sources: Iterable[tuple[Source, ReviewOptions]]) -> list[Plan]:
    """Return what is to be searched in each game."""
    plans = []
    for source, options in sources:
        assert source.game is not None
        note_layouts(source.game.setup.own_layouts)
        plans.append(plan_review(source.name, source.game, options, source.problem))
    return plans


def why_nothing(plans: Iterable[Plan]) -> list[str]:
    """Say of each game that could be read why it has no turn to review."""
    return [f"{plan.name}: {_why_nothing(plan)}." for plan in plans if not plan.problem]


def _why_nothing(plan: Plan) -> str:
    """Say why a plan has no turn to review."""
    options, seats = plan.options, plan.game.setup.seats
    played = [turn.number for turn in plan.game.turns]
    for seat in options.seats:
        if seat not in seats:
            return suggest_name("seat", seat, seats)
    if not played:
        return "expected a game with turns, got one without"
    return f"no turn is chosen; the game has the turns {played[0]} to {played[-1]}"


def review_workers(count: int | None, cluster: str | None) -> PoolFactory:
    """Return so many workers, by default one for each core, or those of a cluster."""
    if cluster is not None:
        return cluster_pool(cluster)
    count = count or count_cores()
    # One search at a time needs no process of its own, for it lets go of the GIL.
    return threads(1) if count == 1 else processes(count)


def run_plans(
    plans: list[Plan], answers: Cache, workers: PoolFactory, show: Callable[[Review], None]
) -> None:
    """Make all searches that are not known, with a progress bar, and show the reviews in order.

    After Ctrl-C, what there is has been shown, and `ReviewError` says how much it is.
    """
    known = find_known(plans, answers)
    ids = known.keys() | {id for plan in plans for id in plan.tasks()}
    n_turns = 0
    with progress_bar(len(ids), done=len(known), unit="tasks", after_s=AFTER_S) as bar:

        def keep(id: str, answer: Mapping[str, Any]) -> None:
            answers.keep(id, answer)
            bar.advance()

        def take(review: Review) -> None:
            nonlocal n_turns
            with bar.paused():
                show(review)
            n_turns += len(review.turns)

        try:
            run_reviews(
                plans,
                workers=workers,
                known=known,
                keep=keep,
                on_review=take,
                on_games=bar.expect,
                quadrants=quadrants_in_use(),
            )
        except KeyboardInterrupt:
            kept = "the searches so far are in the cache" if answers.is_kept else "nothing is kept"
            n_wanted = sum(len(plan.turns) for plan in plans)
            raise ReviewError(f"stopped after {n_turns} of {n_wanted} turns; {kept}.") from None


def _print_review(review: Review, form: str, html: str | None, *, is_first: bool) -> None:
    if html is not None:
        from kbai.report.review_page import review_page

        write_output(html, review_page(review))
    if html == STDOUT:
        return
    # As bytes: the name of a file may hold what the terminal's encoding does not.
    if form == "json":
        click.echo(json.dumps(review_dict(review)).encode())
        return
    text = format_document(review_document(review), form, terminal_width())
    click.echo((text if is_first else f"\n\n{text}").encode("utf-8", "surrogateescape"))
