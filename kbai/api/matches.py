"""Matches of bots."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from kbai.api.positions import Position
from kbai.api.setups import names_meant
from kbai.api.workers import pool_of
from kbai.arena.plan import Plan
from kbai.arena.results import Result, count_done, open_results, read_results
from kbai.arena.runner import run_plan
from kbai.arena.standings import Standings, compute_standings
from kbai.bots.specs import parse_spec
from kbai.content import load
from kbai.core.errors import ArenaError
from kbai.core.intervals import Estimate
from kbai.report.document_html import document_html
from kbai.report.document_text import document_text
from kbai.report.standings_document import standings_document
from kbai.report.standings_json import standings_dict

MAX_SEED = 2**32


@dataclass(frozen=True, slots=True)
class Standing:
    """What a bot did in a match."""

    bot: str
    games: int
    points: float
    """One a game for the most gold, shared by those who have it."""
    share: Estimate
    """Of the points of its games, 0 to 1."""
    equal: float
    """The share that equal bots would have."""
    gold: Estimate
    """A game."""
    margin: Estimate
    """A game: its gold minus the best opponent's."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match; it prints as tables, and a notebook shows them."""

    standings: tuple[Standing, ...]
    """The best bot first."""
    groups: int
    """A group is one deal, played once in each rotation of the bots over the seats."""
    games: int
    seed: int
    """It gives the same games again."""
    elo: Estimate | None
    """How much stronger the first bot that was named is than the others."""
    _found: Standings = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, object]:
        """Return what ``kbai match --format json`` prints."""
        return standings_dict(self._found)

    def __str__(self) -> str:
        return document_text(standings_document(self._found))

    def _repr_html_(self) -> str:
        return document_html(standings_document(self._found))


def play_match(
    bots: Sequence[str],
    *,
    groups: int = 100,
    seed: int | None = None,
    sets: Sequence[str] = ("base",),
    board: Sequence[str] = (),
    cards: Sequence[str] = (),
    exclude_cards: Sequence[str] = (),
    options: Mapping[str, str | bool] | None = None,
    positions: Sequence[Position] = (),
    workers: int = 1,
    journal: str | os.PathLike[str] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> MatchResult:
    """Let two to five bots play against each other, each on one seat.

    A bot is a text such as ``"greedy"``, ``"mcts:visits=1000"`` or ``"cmd:python3 bot.py"``
    (docs/bots.md). Without a seed a random one is used; the result has it. ``board`` and ``cards``
    hold for all deals; what you do not name is drawn for each. With ``positions``, the deals start
    from these in turn instead.

    ``workers`` is how many games run at a time: with more than one they run in processes, and a
    script has to call this below ``if __name__ == "__main__":``. The games are the same on any
    number of them. ``journal`` is a file that keeps the games, so that a match that was stopped
    goes on where it was. ``on_progress`` is called with the number of games that are over and of
    all. `ArenaError` if games could not be played.
    """
    if isinstance(bots, str):
        raise ArenaError(f"expected a list of bots, got the text {bots!r}.")
    pairs = {key: str(value).lower() for key, value in (options or {}).items()}
    every = load()
    plan = Plan(
        bots=tuple(map(parse_spec, bots)),
        seats=len(bots),
        groups=groups,
        seed=secrets.randbelow(MAX_SEED) if seed is None else seed,
        sets=names_meant(sets, every.sets),
        board=names_meant(board, every.quadrants),
        cards=names_meant(cards, every.cards),
        exclude_cards=names_meant(exclude_cards, every.cards),
        options=tuple(pairs.items()),
        positions=tuple(position.to_line() for position in positions),
    )
    pool = pool_of(workers)
    with ExitStack() as stack:
        book = stack.enter_context(open_results(journal, plan)) if journal else None
        earlier = list(read_results(journal)[1]) if journal else []
        results = [result.without_game() for result in earlier]

        def take(found: Sequence[Result]) -> None:
            results.extend(found)
            if on_progress is not None:
                on_progress(count_done(plan, results), plan.n_games)

        run_plan(plan, workers=pool, journal=book, on_results=take, earlier=tuple(results))
    standings = compute_standings(plan, results)
    if standings.lost:
        reason = standings.lost[0].reason.rstrip(".")
        part = f"{len(standings.lost)} of {standings.games}"
        raise ArenaError(f"{part} games could not be played: {reason}.")
    return MatchResult(
        standings=tuple(
            Standing(row.bot, row.games, row.points, row.share, row.fair, row.gold, row.margin)
            for row in standings.summaries
        ),
        groups=standings.groups,
        games=standings.games,
        seed=plan.seed,
        elo=standings.elo,
        _found=standings,
    )
