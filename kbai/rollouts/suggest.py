"""Suggestions that rest on games: the best turns of a tree, played on, and both put together."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

from kbai._fast import Position
from kbai.compute.pools import PoolFactory
from kbai.compute.pools import threads as thread_pool
from kbai.core.intervals import LEVEL, Estimate
from kbai.core.seeds import derive_seed
from kbai.core.uncertainty import Measured
from kbai.game.steps import end_of
from kbai.rollouts.compare import RolledOut, roll_out
from kbai.rollouts.games import VISITS
from kbai.search.calibration import Misjudged, chance_of, log_odds, misjudged_in
from kbai.search.params import Limit, SearchParams
from kbai.search.results import Outlook, Suggestion, TurnChoice
from kbai.search.suggest import suggest

QUANTILE = NormalDist().inv_cdf((1 + LEVEL) / 2)
# How many turns are played on: of those that a tree holds for worse hardly one is the best.
CANDIDATES = 4
# The part of the time that the tree gets.
TREE_SHARE = 0.3
# How far games of small searches are off, as standard deviations: they play less well than the
# strong bots that positions were played on by to measure it (scripts/truth_check.py).
PLAYED = Misjudged(win=0.30, gold=1.5, margin=1.5, mover=0.0)


# How far the difference of two turns is off that a tree sees, as a standard deviation in gold
# (docs/strength.md); more so if one of them had far fewer visits than the other, by this many
# times.
MARGIN_APART = 1.5
VISITS_APART = 10
# Margins of single games do not vary less than that: else a few equal ones would be certainty.
LEAST_SPREAD = 3.0
# A difference in standard deviations of a margin, in log-odds.
LOGISTIC = 1.7


@dataclass(frozen=True, slots=True)
class RolloutPlan:
    """How many games are played; the first limit reached ends it."""

    games: int | None = None
    """Of the best turn; others that are clearly worse get fewer."""
    seconds: float | None = None
    visits: int = VISITS
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
    on_progress: Callable[[float, str], None] = lambda share, text: None,
) -> Suggestion:
    """Search a position, then play its best turns on, and return what both say together.

    ``limit`` is for the whole if it is one of seconds; ``games`` are those of the best turn, as
    many as there is time for if it is None. ``workers`` play the games, by default as many threads
    as the search has. ``on_progress`` is told the share that is done.
    """
    clock = limit.seconds
    first = Limit(limit.visits, None if clock is None else TREE_SHARE * clock)
    part = TREE_SHARE if clock else 0.2
    began = time.perf_counter()

    def tell_visits(visits: int) -> None:
        used = visits / limit.visits if limit.visits else 0.0
        if first.seconds:
            used = max(used, (time.perf_counter() - began) / first.seconds)
        on_progress(part * min(used, 1.0), f"{visits:,} visits")

    found = suggest(
        position, first, seed=seed, threads=threads, params=params, top=max(top, CANDIDATES),
        on_progress=tell_visits,
    )  # fmt: skip
    left = None if clock is None else max(0.01, clock - (time.perf_counter() - began))
    if not found.is_interrupted:

        def tell_games(count: int) -> None:
            used = count / (games * CANDIDATES) if games else 0.0
            if clock is not None:
                used = max(used, (time.perf_counter() - began) / clock)
            on_progress(part + (1 - part) * min(used, 1.0), f"{count:,} games")

        workers = workers or thread_pool(threads)
        found = add_rollouts(found, RolloutPlan(games, left), workers, on_game=tell_games)
    return replace(found, turns=found.turns[:top])


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
    if position.is_over or position.pending_draw or not chosen:
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
    played = _blended(chosen, rolled, position.actor, misjudged_in(position))
    if not played:
        return found
    steps = max(played, key=lambda turn: turn.games).steps
    by_tree, by_games = (
        next(turn for turn in turns if turn.steps == steps) for turns in (found.turns, played)
    )
    done = {turn.steps for turn in played}
    others = [
        turn if turn.is_proven else _at_level(turn, by_tree, by_games)
        for turn in found.turns
        if turn.steps not in done
    ]
    played.sort(key=lambda turn: _key(turn, position.actor))
    return replace(found, turns=_in_order(played, others))


def _key(turn: TurnChoice, seat: int) -> tuple[float, float]:
    """Return what turns are sorted by: the chance of winning, then the margin."""
    return -turn.seats[seat].win.value, -turn.seats[seat].margin.value


def _at_level(turn: TurnChoice, by_tree: TurnChoice, by_games: TurnChoice) -> TurnChoice:
    """Return a turn that was not played on, as much better or worse than another as the tree says.

    Games move what is known of the position, so they move what is known of all its turns.
    """
    outlooks = []
    for one, tree, games in zip(turn.seats, by_tree.seats, by_games.seats, strict=True):
        odds = log_odds(games.win.value) - log_odds(tree.win.value)
        outlooks.append(replace(
            one,
            win=_moved_odds(one.win, odds),
            gold=_moved(one.gold, games.gold.value - tree.gold.value),
            margin=_moved(one.margin, games.margin.value - tree.margin.value),
        ))  # fmt: skip
    return replace(turn, seats=_as_chances(outlooks), tree=turn.seats)


def _blended(
    turns: Sequence[TurnChoice], rolled: Sequence[RolledOut], actor: int, doubt: Misjudged
) -> list[TurnChoice]:
    """Return the turns with what tree and games say of them together.

    How well a seat stands is one thing, which of two turns is better another: a tree knows the
    second far better than the first, and so do games with the same cards. So the turn with the
    most games is forecast by itself, and the others by how much better or worse they are.
    """
    counted = [(turn, games) for turn, games in zip(turns, rolled, strict=True) if games.games > 1]
    if not counted:
        return []
    main = max(counted, key=lambda pair: pair[1].games)
    level = _outlooks(main[0].seats, main[1], doubt)
    spread = spread_of(main[1], actor)
    found = []
    for turn, games in counted:
        seats = range(len(level))
        outlooks = list(level)
        if turn is not main[0]:
            outlooks = [_shifted(seat, level, main, (turn, games), spread) for seat in seats]
        known = [replace(outlooks[seat], sources=games.sources(seat)) for seat in seats]
        found.append(replace(
            turn,
            games=games.games,
            seats=_as_chances(known),
            tree=turn.seats,
            endings=tuple(zip(games.rounds, games.endings, strict=True)),
        ))  # fmt: skip
    return found


def _shifted(
    seat: int,
    level: Sequence[Outlook],
    main: tuple[TurnChoice, RolledOut],
    other: tuple[TurnChoice, RolledOut],
    spread: float,
) -> Outlook:
    """Return the outlook of a seat after another turn, by how much it differs from the main one."""
    (best, best_games), (turn, games) = main, other
    one, two = turn.seats[seat], best.seats[seat]
    lead = games.lead(best_games, seat)
    noise = MARGIN_APART**2 * (1 + best.visits / max(turn.visits, 1) / VISITS_APART)
    trust = (1 / noise) / (1 / noise + 1 / max(lead.variance, 0.01))
    gold = games.gold(seat).value - best_games.gold(seat).value
    by_tree = log_odds(one.win.value) - log_odds(two.win.value)
    by_games = lead.value * LOGISTIC / spread

    def mix(tree: float, played: float) -> float:
        return trust * tree + (1 - trust) * played

    return Outlook(
        win=_moved_odds(level[seat].win, mix(by_tree, by_games)),
        gold=_moved(level[seat].gold, mix(one.gold.value - two.gold.value, gold)),
        margin=_moved(level[seat].margin, mix(one.margin.value - two.margin.value, lead.value)),
        sources=(),
    )


def _moved(estimate: Estimate, by: float) -> Estimate:
    return Estimate(estimate.value + by, estimate.low + by, estimate.high + by)


def _moved_odds(estimate: Estimate, by: float) -> Estimate:
    ends = (estimate.value, estimate.low, estimate.high)
    return Estimate(*(chance_of(log_odds(end) + by) for end in ends))


def _as_chances(outlooks: Sequence[Outlook]) -> tuple[Outlook, ...]:
    """Return the outlooks with chances that add up to 1."""
    total = sum(outlook.win.value for outlook in outlooks)
    found = []
    for outlook in outlooks:
        chance = outlook.win.value / total
        ends = min(outlook.win.low, chance), max(outlook.win.high, chance)
        found.append(replace(outlook, win=Estimate(chance, *ends)))
    return tuple(found)


def spread_of(games: RolledOut, seat: int) -> float:
    """Return the standard deviation of a margin in single games."""
    return math.sqrt(max(games.margin(seat).variance * games.games, LEAST_SPREAD**2))


def _in_order(played: Sequence[TurnChoice], others: Sequence[TurnChoice]) -> tuple[TurnChoice, ...]:
    """Return the turns that were played on, then the others; what is proven stays where it was."""
    proven = [turn for turn in others if turn.is_proven]
    rest = [turn for turn in others if not turn.is_proven]
    return (*proven, *played, *rest) if proven and not rest else (*played, *proven, *rest)


def with_games(seats: Sequence[Outlook], games: RolledOut, doubt: Misjudged) -> tuple[Outlook, ...]:
    """Return what a tree and games say together of where a turn leads."""
    return _as_chances(_outlooks(seats, games, doubt))


def _outlooks(seats: Sequence[Outlook], games: RolledOut, doubt: Misjudged) -> tuple[Outlook, ...]:
    """Return what tree and games say of one turn."""
    return tuple(
        Outlook(
            win=_blend_chance(outlook.win, games, seat),
            gold=_blend_amount(outlook.gold, games.gold(seat), doubt.gold, PLAYED.gold),
            margin=_blend_amount(outlook.margin, games.margin(seat), doubt.margin, PLAYED.margin),
            sources=(),
        )
        for seat, outlook in enumerate(seats)
    )


def _blend_amount(tree: Estimate, played: Measured, doubt: float, left: float) -> Estimate:
    """Return the mean of two forecasts, each weighted by how far it can be trusted."""
    if not math.isfinite(tree.high):
        weight = 0.0
    else:
        weight = 1 / max(((tree.high - tree.value) / QUANTILE) ** 2, doubt**2)
    trust = 1 / (played.variance + left**2)
    value = (weight * tree.value + trust * played.value) / (weight + trust)
    half = QUANTILE * math.sqrt(1 / (weight + trust))
    return Estimate(value, value - half, value + half)


def _blend_chance(tree: Estimate, games: RolledOut, seat: int) -> Estimate:
    """Return the same of chances, in log-odds."""
    n = games.games
    share = games.win(seat).value
    margin = games.margin(seat)
    # How far ahead a seat was tells more than that it was ahead; half of each has less noise.
    smooth = (share + NormalDist().cdf(margin.value / spread_of(games, seat))) / 2
    chance = (n * smooth + 0.5) / (n + 1)
    noise = 0.8 / (n * chance * (1 - chance))
    trust = 1 / (noise + PLAYED.win**2)
    middle = log_odds(tree.value)
    width = max(log_odds(tree.high) - middle, middle - log_odds(tree.low)) / QUANTILE
    weight = 1 / width**2
    value = (weight * middle + trust * log_odds(chance)) / (weight + trust)
    half = QUANTILE * math.sqrt(1 / (weight + trust))
    return Estimate(chance_of(value), chance_of(value - half), chance_of(value + half))
