"""Ratings of all bots of a tournament in Elo, from the ranking by gold of every game.

Plain Python on purpose: the model has a handful of unknowns, and a library such as choix brings
numpy and scipy along without knowing ties or groups.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, combinations
from statistics import fmean

from kbai.arena.elo import ELO_PER_NAT
from kbai.arena.groups import FinishedGame, Group
from kbai.core.intervals import Estimate, student

# Each bot is rated as if it had also won and lost this many games against an average opponent.
PRIOR_GAMES = 0.5
# Far more steps than Newton's method needs.
MAX_STEPS = 100

# Indices of bots, most gold first, those with equal gold together.
_Ranking = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Rating:
    """The strength of a bot in Elo, relative to the mean of its table."""

    bot: str
    elo: Estimate
    games: int


def rate(
    groups: Iterable[Group], *, prior_games: float = PRIOR_GAMES
) -> tuple[tuple[Rating, ...], ...]:
    """Return the ratings of all bots, the best first, by the model of Plackett and Luce.

    The model takes the ranking by gold of each game as a row of choices: first from all seats,
    next from those left, a bot being chosen in proportion to its strength. Seats with equal gold
    count as all their orders in equal parts, so with two seats a tie is half a win and the model
    that of Bradley and Terry.

    Each bot is given half a win and half a loss against an average opponent, so that those that
    never lost or never won get a finite rating. Bots that never met, not even through others,
    cannot be compared: there is one table for each set of bots that can, the largest first.

    The intervals come from how the groups differ (the sandwich estimate, which is what a
    bootstrap over groups converges to, without its drawn numbers): games of one group are not
    independent, and the curvature of the likelihood alone would take them so. The method is
    Newton's, as its curvature is what the intervals need anyway.
    """
    done = [group for group in groups if group.is_complete]
    bots = sorted({bot for group in done for bot in group.bots})
    number = {bot: index for index, bot in enumerate(bots)}
    known: dict[FinishedGame, _Ranking] = {}
    rankings = [
        tuple([_known_ranking(game, number, known) for game in group.games]) for group in done
    ]
    played = Counter(chain.from_iterable(rankings))
    logs, covariance = _fit(played, len(bots), prior_games)
    worths = [math.exp(log) for log in logs]
    scores = {ranking: _score(ranking, worths) for ranking in played}
    # Groups are many, but few are different.
    totals = {row: _total(scores[ranking] for ranking in row) for row in {*rankings}}
    group_scores = [totals[row] for row in rankings]
    tables = []
    for members in _connected({group.bots for group in done}):
        places = [number[bot] for bot in members]
        mean = fmean(logs[place] for place in places)
        table = []
        for place in places:
            # How each score moves this bot's distance from the mean of its table.
            contrast = [(i == place) - (i in places) / len(places) for i in range(len(bots))]
            moves = _times(covariance, contrast)
            n_groups = sum(place in score for score in group_scores)
            n_games = sum(n for r, n in played.items() if place in chain.from_iterable(r))
            spread = math.sqrt(_variance(moves, group_scores, worths, prior_games))
            half = spread * student(n_groups)
            value = logs[place] - mean
            elo = Estimate(*(ELO_PER_NAT * x for x in (value, value - half, value + half)))
            table.append(Rating(bots[place], elo, n_games))
        tables.append(tuple(sorted(table, key=lambda row: (-row.elo.value, row.bot))))
    return tuple(tables)


def _connected(sets: Set[frozenset[str]]) -> list[list[str]]:
    """Return the bots that met, directly or through others, the largest such set first."""
    found: list[frozenset[str]] = []
    for bots in sets:
        apart = [other for other in found if not other & bots]
        found = [*apart, bots.union(*(other for other in found if other & bots))]
    return sorted((sorted(bots) for bots in found), key=lambda bots: (-len(bots), bots))


def _known_ranking(
    game: FinishedGame, number: Mapping[str, int], known: dict[FinishedGame, _Ranking]
) -> _Ranking:
    found = known.get(game)
    if found is None:
        found = known[game] = _ranking(game, number)
    return found


def _ranking(game: FinishedGame, number: Mapping[str, int]) -> _Ranking:
    tiers: defaultdict[int, list[int]] = defaultdict(list)
    for bot, gold in game.seats:
        tiers[gold].append(number[bot])
    return tuple(tuple(sorted(tiers[gold])) for gold in sorted(tiers, reverse=True))


def _pools(ranking: _Ranking) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield the candidates of each choice, and how often it occurs in the mean of all orders."""
    for place, tier in enumerate(ranking):
        below = [*chain.from_iterable(ranking[place + 1 :])]
        for size in range(1, len(tier) + 1):
            for left in combinations(tier, size):
                yield tuple(sorted([*left, *below])), 1 / math.comb(len(tier), size)


def _chances(pool: tuple[int, ...], worths: Sequence[float]) -> dict[int, float]:
    total = math.fsum(worths[bot] for bot in pool)
    return {bot: pool.count(bot) * worths[bot] / total for bot in pool}


def _score(ranking: _Ranking, worths: Sequence[float]) -> dict[int, float]:
    """Return how the log-likelihood of a ranking changes with the log-strength of each bot.

    Every seat is chosen once; what was to be expected is taken off.
    """
    score: defaultdict[int, float] = defaultdict(float)
    for bot in chain.from_iterable(ranking):
        score[bot] += 1
    for pool, weight in _pools(ranking):
        for bot, chance in _chances(pool, worths).items():
            score[bot] -= weight * chance
    return score


def _total(scores: Iterable[Mapping[int, float]]) -> dict[int, float]:
    total: defaultdict[int, float] = defaultdict(float)
    for score in scores:
        for bot, value in score.items():
            total[bot] += value
    return total


def _fit(
    rankings: Mapping[_Ranking, int], n_bots: int, prior_games: float
) -> tuple[list[float], list[list[float]]]:
    """Return the likeliest log-strengths and the inverse of their information.

    Newton's method; a step of length d is cut to log(1 + d), with which the likelihood, being
    generalized self-concordant, never falls (Bach 2010, "Self-concordant analysis for logistic
    regression").
    """
    pools: defaultdict[tuple[int, ...], float] = defaultdict(float)
    chosen = [0.0] * n_bots
    for ranking, count in rankings.items():
        for bot in chain.from_iterable(ranking):
            chosen[bot] += count
        for pool, weight in _pools(ranking):
            pools[pool] += count * weight
    logs = [0.0] * n_bots
    covariance: list[list[float]] = []
    for _ in range(MAX_STEPS):
        worths = [math.exp(log) for log in logs]
        slopes = list(chosen)
        information = [[0.0] * n_bots for _ in range(n_bots)]
        for bot, worth in enumerate(worths):
            chance = worth / (1 + worth)
            slopes[bot] += prior_games * (1 - 2 * chance)
            information[bot][bot] += 2 * prior_games * chance * (1 - chance)
        for pool, weight in pools.items():
            chances = _chances(pool, worths)
            for bot, chance in chances.items():
                slopes[bot] -= weight * chance
                information[bot][bot] += weight * chance
                for other, its_chance in chances.items():
                    information[bot][other] -= weight * chance * its_chance
        covariance = _inverse(information)
        steps = _times(covariance, slopes)
        length = max([0.0, *steps]) - min([0.0, *steps])
        if length < 1e-9:
            break
        part = math.log1p(length) / length
        logs = [log + part * step for log, step in zip(logs, steps, strict=True)]
    return logs, covariance


def _variance(
    moves: Sequence[float],
    scores: Sequence[Mapping[int, float]],
    worths: Sequence[float],
    prior_games: float,
) -> float:
    """Return the variance of a combination of log-strengths, given how scores move it."""
    squares = math.fsum(
        sum(moves[bot] * value for bot, value in score.items()) ** 2 for score in scores
    )
    # The prior games count as groups, too: even a bot that won every game has an uncertainty.
    chances = [worth / (1 + worth) for worth in worths]
    prior = math.fsum(
        prior_games * move**2 * (chance**2 + (1 - chance) ** 2)
        for move, chance in zip(moves, chances, strict=True)
    )
    return squares + prior


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Invert a positive definite matrix, which needs no pivots, by elimination."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i, row in enumerate(rows):
        row[:] = [value / row[i] for value in row]
        for other in rows:
            if other is not row:
                factor = other[i]
                other[:] = [a - factor * b for a, b in zip(other, row, strict=True)]
    return [row[size:] for row in rows]


def _times(matrix: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    return [math.fsum(a * b for a, b in zip(row, values, strict=True)) for row in matrix]
