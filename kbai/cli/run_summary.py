"""Reviewing many games for ``kbai review --summary``, and printing what they say of a player."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

import click

from kbai.cli.drawing import terminal_width
from kbai.cli.game_sources import Source, find_games
from kbai.cli.notes import print_note
from kbai.cli.options import STDOUT
from kbai.cli.run_review import make_plans, run_plans, why_nothing
from kbai.cli.writing import write_output
from kbai.compute.cache import Cache
from kbai.compute.pools import PoolFactory
from kbai.notation.positions import format_line
from kbai.report.document_formats import format_document
from kbai.report.summary_document import summary_document
from kbai.report.summary_json import summary_dict
from kbai.review.plan import ReviewOptions
from kbai.summary.facts import GameFacts, facts_of
from kbai.summary.players import choose_players, players_of
from kbai.summary.results import Summary
from kbai.summary.summarize import summarize

# How many other players a note names.
NAMED = 5


def summarize_games(
    names: tuple[str, ...],
    options: ReviewOptions,
    answers: Cache,
    workers: PoolFactory,
    *,
    players: tuple[str, ...],
    form: str,
    html: str | None,
) -> list[str]:
    """Print a summary of each player asked for, and return what was wrong with the games."""
    sources = list(find_games(names))
    problems = [source.problem for source in sources if source.problem]
    seated = [(source, _seated(source, options)) for source in _different(sources)]
    chosen = choose_players((who for _, who in seated), players)
    # The others of these games are reviewed as well: the player is compared with them.
    games = [(source, options) for source, who in seated if {*who} & {*chosen}]
    plans = make_plans(games)
    if not any(plan.turns for plan in plans):
        return problems + why_nothing(plans)
    if not players:
        _note_players(seated, chosen)
    facts: list[GameFacts] = []
    try:
        run_plans(plans, answers, workers, lambda review: facts.append(facts_of(review)))
    finally:  # also after Ctrl-C
        there = {game.players[turn.review.seat] for game in facts for turn in game.turns}
        _print_summaries(
            [
                summarize(facts, player, limit=options.limit, seed=options.seed)
                for player in chosen
                if player in there
            ],
            form,
            html,
        )
    return problems


def _different(sources: Sequence[Source]) -> list[Source]:
    """Return the games that could be read, each once: a folder may have a log and its game file."""
    found: dict[object, Source] = {}
    games = [source for source in sources if source.game is not None]
    for source in games:
        assert source.game is not None
        steps = tuple(turn.steps for turn in source.game.turns)
        found.setdefault((format_line(source.game.start), steps), source)
    if len(found) < len(games):
        left_out = len(games) - len(found)
        print_note(f"games that are there more than once count once; left out: {left_out}.")
    return list(found.values())


def _seated(source: Source, options: ReviewOptions) -> tuple[str, ...]:
    """Return the players of the seats whose turns are reviewed."""
    assert source.game is not None
    seats = zip(source.game.setup.seats, players_of(source.game), strict=True)
    return tuple(name for seat, name in seats if not options.seats or seat in options.seats)


def _note_players(seated: Sequence[tuple[Source, tuple[str, ...]]], chosen: Sequence[str]) -> None:
    """Say who else played, if not all players have the same number of games."""
    counts = Counter(name for _, who in seated for name in {*who})
    others = [(name, count) for name, count in counts.most_common() if name not in chosen]
    if others:
        named = ", ".join(f"{name} ({count})" for name, count in others[:NAMED])
        more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
        print_note(
            f"the summary is for {', '.join(chosen)}, with the most games ({counts[chosen[0]]}); "
            f"also there: {named}{more}. Choose with --player NAME."
        )


def _print_summaries(summaries: Sequence[Summary], form: str, html: str | None) -> None:
    if not summaries:
        return
    if html is not None:
        from kbai.report.summary_page import summary_page

        write_output(html, summary_page(summaries))
    if html == STDOUT:
        return
    # As bytes: a name may hold what the terminal's encoding does not.
    if form == "json":
        for summary in summaries:
            click.echo(json.dumps(summary_dict(summary)).encode())
        return
    width = terminal_width()
    texts = (format_document(summary_document(summary), form, width) for summary in summaries)
    click.echo("\n\n\n".join(texts).encode("utf-8", "surrogateescape"))
