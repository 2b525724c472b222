"""Suggestions that rest on games: the best turns of a tree, played on, and both put together."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from kbai._fast import Position
from kbai.compute.pools import PoolFactory
from kbai.compute.pools import threads as thread_pool
from kbai.core.seeds import derive_seed
from kbai.game.steps import end_of
from kbai.rollouts.blend import at_level, blended
from kbai.rollouts.compare import roll_out
from kbai.rollouts.games import QUICK, visits_for
from kbai.search.ideas import group
from kbai.search.params import Limit, SearchParams
from kbai.search.results import Suggestion, TurnChoice
from kbai.search.suggest import suggest

# How many turns are played on: of those that a tree holds for worse hardly one is the best.
CANDIDATES = 4
# The part of the time that the tree gets.
TREE_SHARE = 0.3
# A turn is worth playing on if there is time for so many games of it; fewer would not tell it from
# the first one, and that one could use them (docs/strength.md).
WORTHWHILE = 12
# With so many, noise is no longer what they err by most: better fewer games of stronger players.
PLENTY = 2 * WORTHWHILE
# If there is not even time for so many games, the tree gets all of it: at least so many are under
# way at once, and they would take much longer than they may.
FEWEST = 4
# What a visit costs in such a game, by what it cost in the tree: much of a search is reused, and
# steps that are forced need none.
GAME_COST = 1 / 3
HOUSES_A_TURN = 3


@dataclass(frozen=True, slots=True)
class RolloutPlan:
    """How many games are played; the first limit reached ends it."""

    games: int | None = None
    """Of the best turn; others that are clearly worse get fewer."""
    seconds: float | None = None
    visits: int | None = None
    """Of a turn in them, by default many."""
    candidates: int = CANDIDATES


def suggest_with_games(
    position: Position,
    limit: Limit,
    *,
    games: int | None,
    seed: int,
    threads: int,
    params: SearchParams,
    top: int,
    workers: PoolFactory | None = None,
    is_all_played: bool = False,
    on_progress: Callable[[float, str], None] = lambda share, text: None,
) -> Suggestion:
    """Search a position, then play its best turns on, and return what both say together.

    ``limit`` is for the whole if it is one of seconds; ``games`` are those of the best turn, as
    many as there is time for if it is None. With ``is_all_played`` they are played to the last one,
    however long it takes. ``workers`` play the games, by default as many threads as the search has.
    ``on_progress`` is told the share that is done.
    """
    clock = limit.seconds
    began = time.perf_counter()

    def search(limit: Limit, start: float, end: float) -> Suggestion:
        """Search; on the way the share that is done grows from ``start`` to ``end``."""
        begin = time.perf_counter()

        def tell_visits(visits: int) -> None:
            used = visits / limit.visits if limit.visits else 0.0
            if limit.seconds:
                used = max(used, (time.perf_counter() - begin) / limit.seconds)
            on_progress(start + (end - start) * min(used, 1.0), f"{visits:,} visits")

        return suggest(
            position, limit, seed=seed, threads=threads, params=params,
            top=max(top, CANDIDATES) + CANDIDATES - 1,  # some of them may come out as one idea
            on_progress=tell_visits,
        )  # fmt: skip

    if not can_be_played_on(position):
        found = search(limit, 0, 1)
        return replace(found, turns=found.turns[:top])
    part = TREE_SHARE if clock else 0.2
    found = search(Limit(limit.visits, None if clock is None else part * clock), 0, part)
    if is_all_played:
        clock = None
    left = None if clock is None else max(0.01, clock - (time.perf_counter() - began))
    if not found.is_interrupted:

        def tell_games(count: int) -> None:
            used = count / (games * CANDIDATES) if games else 0.0
            if clock is not None:
                used = max(used, (time.perf_counter() - began) / clock)
            on_progress(part + (1 - part) * min(used, 1.0), f"{count:,} games")

        plan = RolloutPlan(games, left)
        if left is not None and clock is not None and games is None:
            candidates, visits = _affordable(found, clock - left, left)
            if not candidates:
                found = search(Limit(limit.visits, left), part, 1)
                return replace(found, turns=found.turns[:top])
            plan = replace(plan, candidates=candidates, visits=visits)
        workers = workers or thread_pool(threads)
        found = add_rollouts(found, plan, workers, on_game=tell_games)
    return replace(found, turns=found.turns[:top])


def _affordable(found: Suggestion, used: float, left: float) -> tuple[int, int]:
    """Return how many turns there is time to play on, by how fast the tree has grown.

    And how many visits a turn gets in these games.
    """
    supply = sum(seat["supply"] for seat in found.position.fields()["seats"])
    turns = max(1.0, supply / HOUSES_A_TURN)
    budget = left * found.visits / max(used, 1e-3) / (GAME_COST * turns)
    visits = visits_for(found.position)
    if budget / visits < PLENTY:
        visits //= QUICK
    games = budget / visits
    candidates = max(1, min(CANDIDATES, int(games / WORTHWHILE)))
    return (0 if games < FEWEST else candidates), visits


def can_be_played_on(position: Position) -> bool:
    """Return whether there are turns to play on: none if a card is to be turned up first."""
    return not (position.is_over or position.pending_draw)


def add_rollouts(
    found: Suggestion,
    plan: RolloutPlan,
    workers: PoolFactory | None = None,
    *,
    on_game: Callable[[int], None] = lambda games: None,
) -> Suggestion:
    """Return a suggestion whose best turns were played on, in the order that the games say.

    Nothing changes if there is nothing to find out: the game is over, a card is to be turned up
    first, or all that can follow is known.
    """
    position = found.position
    chosen = [
        turn for turn in found.turns[: plan.candidates] if not turn.is_proven and turn.odds == 1
    ]
    if not chosen or not can_be_played_on(position):
        return found
    rolled = roll_out(
        [end_of(position, turn.steps) for turn in chosen],
        position.actor,
        games=plan.games,
        seconds=plan.seconds,
        seed=derive_seed(found.seed, "rollouts"),
        workers=workers,
        visits=plan.visits,
        on_game=on_game,
    )
    played = blended(position, chosen, rolled)
    if not played:
        return found
    steps = max(played, key=lambda turn: turn.games).steps
    by_tree, by_games = (
        next(turn for turn in turns if turn.steps == steps) for turns in (found.turns, played)
    )
    done = {turn.steps for turn in played}
    others = [
        turn if turn.is_proven else at_level(turn, by_tree, by_games, position.actor)
        for turn in found.turns
        if turn.steps not in done
    ]
    judged = [*played, *(turn for turn in others if turn.is_proven)]
    judged.sort(key=lambda turn: _key(turn, position.actor))
    # Games may show that what the tree told apart is much the same.
    ideas = group(position, judged, len(judged))
    unplayed = [turn for turn in others if not turn.is_proven]
    unplayed.sort(key=lambda turn: -turn.visits)
    return replace(found, turns=(*ideas, *unplayed))


def _key(turn: TurnChoice, seat: int) -> tuple[float, float]:
    """Return what turns are sorted by: the chance of winning as it is printed, then the margin."""
    return -round(turn.seats[seat].win.value, 3), -turn.seats[seat].margin.value
