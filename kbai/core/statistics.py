"""What finished games say: points, gold, Elo, sequential tests, ratings.

Games come in groups: one deal, played once in each rotation of the bots over the seats. The
games of a group share their luck, so every interval and test counts groups, not games, and a
group counts only once it is complete. Intervals are at 95 %.

Plain Python on purpose: the models have a handful of unknowns, and ``kbai match`` should not
need numpy and scipy, which a library such as choix brings along without knowing ties or groups.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, takewhile
from statistics import NormalDist, fmean
from typing import Literal

from kbai.core.errors import KbaiError, NotationError

LEVEL = 0.95
# An advantage of 400 Elo is odds of ten to one.
ELO_PER_NAT = 400 / math.log(10)
# Games won and lost against an average opponent that each bot is rated with besides its own.
PRIOR_GAMES = 0.5
# Groups wholly won and wholly lost that a sequential test adds where there are none, as fishtest
# does: without them a hypothesis could be impossible.
UNSEEN_GROUPS = 1e-3
# Far more than Newton's method takes.
MAX_STEPS = 100

# Numbers of bots, the most gold first, those with equal gold together.
_Ranking = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game.

    >>> Game((("greedy", 52), ("random", 31), ("greedy", 52))).points
    (0.5, 0.0, 0.5)
    """

    seats: tuple[tuple[str, int], ...]
    """Bot and gold of each seat, in turn order from the one that began."""

    @property
    def points(self) -> tuple[float, ...]:
        """One point, shared equally by the seats with the most gold."""
        golds = [gold for _, gold in self.seats]
        best = max(golds)
        share = 1 / golds.count(best)
        return tuple([share if gold == best else 0.0 for gold in golds])

    @property
    def margins(self) -> tuple[int, ...]:
        """The gold of each seat minus that of the best other seat."""
        golds = [gold for _, gold in self.seats]
        *_, second, best = sorted(golds)
        return tuple([gold - (second if gold == best else best) for gold in golds])


@dataclass(frozen=True, slots=True)
class Group:
    """The games of one deal that are finished so far."""

    games: tuple[Game, ...]
    size: int
    """How many games, one for each rotation, make the group complete."""

    @property
    def is_complete(self) -> bool:
        return len(self.games) == self.size

    @property
    def bots(self) -> frozenset[str]:
        return frozenset(bot for game in self.games for bot, _ in game.seats)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its interval; the ends are infinite where one group is too few."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Tally:
    """What a bot did on one seat."""

    games: int
    wins: int
    """Games with the most gold alone."""
    ties: int
    """Games with the most gold together with others."""
    points: float
    gold: float
    """The mean."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a bot did in all complete groups."""

    bot: str
    groups: int
    games: int
    points: float
    share: Estimate
    """The share of the points, 0 to 1, of all its seats together."""
    fair: float
    """The share of the seats that were its own: what equal bots would win."""
    gold: Estimate
    """Per seat."""
    margin: Estimate
    """Per seat, to the best other seat."""
    variance_factor: float | None
    """Of the share; see `variance_factor`."""
    seats: tuple[Tally, ...]


@dataclass(frozen=True, slots=True)
class Rating:
    """The strength of a bot in Elo, relative to the mean of its table."""

    bot: str
    elo: Estimate
    games: int


def between(groups: Iterable[Group], first: str, second: str) -> tuple[Group, ...]:
    """Return the groups that only these two bots played, and both."""
    return tuple(group for group in groups if group.bots == {first, second})


def tally(games: Iterable[Game]) -> dict[str, tuple[Tally, ...]]:
    """Return for each bot what it did on each seat."""
    found: defaultdict[str, defaultdict[int, list[tuple[float, int]]]]
    found = defaultdict(lambda: defaultdict(list))
    n_seats = 0
    for game in games:
        n_seats = max(n_seats, len(game.seats))
        for seat, ((bot, gold), points) in enumerate(zip(game.seats, game.points, strict=True)):
            found[bot][seat].append((points, gold))
    return {
        bot: tuple(_tally(seats[seat]) for seat in range(n_seats))
        for bot, seats in sorted(found.items())
    }


def _tally(results: Sequence[tuple[float, int]]) -> Tally:
    points = [point for point, _ in results]
    return Tally(
        games=len(results),
        wins=sum(point == 1 for point in points),
        ties=sum(0 < point < 1 for point in points),
        points=math.fsum(points),
        gold=fmean(gold for _, gold in results) if results else 0.0,
    )


@dataclass(slots=True)
class _Part:
    """What one bot did in one group."""

    shares: list[float] = field(default_factory=list)
    """Of the point of each game that it played."""
    golds: list[int] = field(default_factory=list)
    """Of each of its seats."""
    margins: list[int] = field(default_factory=list)
    n_seats: int = 0
    """Of all bots in these games."""

    @property
    def fair(self) -> float:
        return len(self.golds) / self.n_seats


def _parts(group: Group) -> dict[str, _Part]:
    parts: defaultdict[str, _Part] = defaultdict(_Part)
    for game in group.games:
        shares: defaultdict[str, float] = defaultdict(float)
        for (bot, gold), points, margin in zip(game.seats, game.points, game.margins, strict=True):
            part = parts[bot]
            shares[bot] += points
            part.golds.append(gold)
            part.margins.append(margin)
        for bot, share in shares.items():
            parts[bot].shares.append(share)
            parts[bot].n_seats += len(game.seats)
    return parts


def summarize(groups: Iterable[Group]) -> tuple[Summary, ...]:
    """Return what each bot did, the one that won most for its number of seats first."""
    done = [group for group in groups if group.is_complete]
    seats = tally(game for group in done for game in group.games)
    parts: defaultdict[str, list[_Part]] = defaultdict(list)
    for group in done:
        for bot, part in _parts(group).items():
            parts[bot].append(part)
    rows = [_summary(bot, parts[bot], seats[bot]) for bot in seats]
    return tuple(sorted(rows, key=lambda row: (-row.share.value / row.fair, row.bot)))


def _summary(bot: str, parts: Sequence[_Part], seats: tuple[Tally, ...]) -> Summary:
    shares = [part.shares for part in parts]
    return Summary(
        bot=bot,
        groups=len(parts),
        games=sum(map(len, shares)),
        points=math.fsum(seat.points for seat in seats),
        share=share_estimate(shares),
        fair=fmean(part.fair for part in parts),
        gold=mean_estimate([fmean(part.golds) for part in parts]),
        margin=mean_estimate([fmean(part.margins) for part in parts]),
        variance_factor=variance_factor(shares),
        seats=seats,
    )


def mean_estimate(values: Sequence[float]) -> Estimate:
    """Return the mean of one value per group with Student's interval."""
    mean = fmean(values)
    if len(values) < 2:
        return Estimate(mean, -math.inf, math.inf)
    half = student(len(values) - 1) * math.sqrt(_mean_variance(values))
    return Estimate(mean, mean - half, mean + half)


def _mean_variance(values: Sequence[float]) -> float:
    """Return the variance of the mean of independent values."""
    mean = fmean(values)
    squares = math.fsum((value - mean) ** 2 for value in values)
    return squares / (len(values) - 1) / len(values)


def share_estimate(groups: Sequence[Sequence[float]]) -> Estimate:
    """Return the mean share, given the share in each game of each group.

    The interval is Wilson's, which stays between 0 and 1 and is honest near both, with the games
    reckoned at what they are worth: their number is divided by how much more (or less) the
    shares of groups spread than those of independent games would. One group of independent
    games is mixed in, so that a few equal groups do not pass for certainty.
    """
    means = [fmean(games) for games in groups]
    mean = fmean(means)
    n_games = sum(map(len, groups))
    spread = mean * (1 - mean)
    inflation = 1.0
    if spread > 0:
        independent = spread * len(groups) / n_games
        squares = math.fsum((value - mean) ** 2 for value in means)
        inflation = (squares + independent) / len(groups) / independent
    return Estimate(mean, *wilson_interval(mean, n_games / inflation, student(len(groups))))


def wilson_interval(share: float, n: float, quantile: float) -> tuple[float, float]:
    """Return the ends of Wilson's interval of a share of ``n`` independent trials."""
    square = quantile**2 / n
    centre = (share + square / 2) / (1 + square)
    half = math.sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
    return max(centre - half, 0.0), min(centre + half, 1.0)


def variance_factor(groups: Sequence[Sequence[float]]) -> float | None:
    """Return how many times more independent games would be needed for the same certainty.

    It is the variance of the mean if all games were independent, over the variance of the mean
    of the groups; nothing if the groups do not differ or there is only one.
    """
    means = [fmean(games) for games in groups]
    games = [value for group in groups for value in group]
    if len({round(mean, 9) for mean in means}) < 2:
        return None
    return _mean_variance(games) / _mean_variance(means)


def elo_of_share(share: float, fair: float = 0.5) -> float:
    """Return the advantage over the other seats that wins this share with a share of the seats.

    >>> round(elo_of_share(0.76))
    200
    """
    return ELO_PER_NAT * (math.log(share / (1 - share)) - math.log(fair / (1 - fair)))


def share_of_elo(elo: float, fair: float = 0.5) -> float:
    """Return the share of the points that a bot with this advantage wins on average."""
    return 1 / (1 + (1 - fair) / fair * math.exp(-elo / ELO_PER_NAT))


def elo_estimate(groups: Iterable[Group], bot: str) -> Estimate | None:
    """Return how much stronger a bot is than the others of its games.

    The ends are those of `share_estimate`. Of a bot that won or lost everything the value is
    that of half a point less or more, and the end that would be infinite is as far from it as
    the other one. Nothing if there is no complete group or the bot has no opponents; the bot
    must have held the same share of the seats in all groups.
    """
    done = (_parts(group) for group in groups if group.is_complete)
    played = [parts[bot] for parts in done if bot in parts]
    fair = _common_fair(bot, played)
    if fair is None:
        return None
    shares = [part.shares for part in played]
    share = share_estimate(shares)
    half_point = 0.5 / sum(map(len, shares))
    if share.value >= 1:
        value, low = elo_of_share(1 - half_point, fair), elo_of_share(share.low, fair)
        return Estimate(value, low, 2 * value - low)
    if share.value <= 0:
        value, high = elo_of_share(half_point, fair), elo_of_share(share.high, fair)
        return Estimate(value, 2 * value - high, high)
    return Estimate(*(elo_of_share(end, fair) for end in (share.value, share.low, share.high)))


def _common_fair(bot: str, parts: Iterable[_Part]) -> float | None:
    """Return the bot's share of the seats; nothing without groups or without opponents."""
    fairs = sorted({part.fair for part in parts})
    if len(fairs) > 1:
        raise KbaiError(
            f"expected {bot!r} on the same share of the seats in all groups, "
            f"got {', '.join(f'{fair:.3g}' for fair in fairs)}."
        )
    return fairs[0] if fairs and fairs[0] < 1 else None


def student(freedom: int) -> float:
    """Return the quantile of Student's distribution that leaves out 5 % on both sides together.

    Exact for 1 and 2 degrees of freedom, else by the expansion around the normal quantile
    (Abramowitz and Stegun 26.7.5), right to 0.004 and better.
    """
    tail = (1 - LEVEL) / 2
    if freedom == 1:
        return 1 / math.tan(math.pi * tail)
    if freedom == 2:
        return (1 - 2 * tail) / math.sqrt(2 * tail * (1 - tail))
    z = NormalDist().inv_cdf(1 - tail)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return math.fsum(term / freedom**power for power, term in enumerate(terms))


@dataclass(frozen=True, slots=True)
class SprtPlan:
    """Two hypotheses about a bot's advantage in Elo, and how often either may be missed."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """How often a bot of ``elo0`` passes."""
    beta: float = 0.05
    """How often a bot of ``elo1`` fails."""

    def __post_init__(self) -> None:
        if not -math.inf < self.elo0 < self.elo1 < math.inf:
            raise NotationError(
                f"expected a first Elo below the second, got {self.elo0:g} and {self.elo1:g}."
            )
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise NotationError(
                "expected error rates above 0 and together below 1, "
                f"got {self.alpha:g} and {self.beta:g}."
            )

    @classmethod
    def parse(cls, text: str, *, alpha: float = 0.05, beta: float = 0.05) -> SprtPlan:
        """Read ``elo0,elo1``."""
        try:
            elo0, elo1 = map(float, text.split(","))
        except ValueError:
            message = f"expected two Elo numbers like '0,20', got {text!r}."
            raise NotationError(message, token=text) from None
        return cls(elo0, elo1, alpha, beta)

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's: where the log-likelihood ratio ends the test."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )


@dataclass(frozen=True, slots=True)
class SprtState:
    """How far a sequential test has come."""

    decision: Literal["pass", "fail", "open"]
    groups: int
    """How many groups it has used."""
    llr: float
    low: float
    high: float
    reason: str
    """A sentence."""


class Sprt:
    """A sequential test: takes the share of one group after the other until it is decided.

    The groups must come in the order of their deals, not in the order they end in: quick games
    are not a fair sample, and the answer must not depend on the number of workers. Once decided
    it stays so. An `elo_estimate` of a test that has ended leans to the side it ended on.
    """

    def __init__(self, plan: SprtPlan, fair: float = 0.5) -> None:
        self.plan = plan
        self.fair = fair
        self._shares: Counter[float] = Counter()
        self.state = self._state()

    def add(self, share: float) -> SprtState:
        """Add the bot's mean share of the points in the next group."""
        if self.state.decision == "open":
            self._shares[round(share, 9)] += 1
            self.state = self._state()
        return self.state

    def _state(self) -> SprtState:
        low, high = self.plan.bounds
        elo0, elo1 = self.plan.elo0, self.plan.elo1
        groups = self._shares.total()
        llr = log_likelihood_ratio(self._shares, elo0, elo1, self.fair)
        decision: Literal["pass", "fail", "open"] = "open"
        if llr >= high:
            decision = "pass"
            end = f"reached the upper bound {high:.2f}: the bot passes"
        elif llr <= low:
            decision = "fail"
            end = f"reached the lower bound {low:.2f}: the bot fails"
        else:
            end = f"is between {low:.2f} and {high:.2f}: not decided yet"
        what = f"the LLR of {elo1:+g} against {elo0:+g} Elo, {llr:.2f},"
        reason = f"After {groups} groups {what} {end}."
        return SprtState(decision, groups, llr, low, high, reason)


def run_sprt(groups: Iterable[Group], bot: str, plan: SprtPlan) -> SprtState:
    """Return the state of a test over the groups as far as they are complete, in their order."""
    done = (_parts(group) for group in takewhile(lambda group: group.is_complete, groups))
    played = [parts[bot] for parts in done if bot in parts]
    fair = _common_fair(bot, played)
    if fair is None:
        return Sprt(plan).state
    test = Sprt(plan, fair)
    for part in played:
        test.add(fmean(part.shares))
    return test.state


def log_likelihood_ratio(
    shares: Mapping[float, float], elo0: float, elo1: float, fair: float = 0.5
) -> float:
    """Return how much likelier the groups are with ``elo1`` than with ``elo0``, as a logarithm.

    Given are the shares of groups and how often each was seen. Only the mean share is supposed
    to be known; how it is spread over the groups is taken, for either Elo, as what makes the
    groups likeliest, as in fishtest (Van den Bergh, "The generalized maximum likelihood ratio for
    the expectation value of a distribution"). This needs no normal approximation, which few or
    equal groups would upset.
    """
    if not shares:
        return 0.0
    counts = dict.fromkeys((0.0, 1.0), UNSEEN_GROUPS) | dict(shares)
    first, second = (_likelihood(counts, share_of_elo(elo, fair)) for elo in (elo0, elo1))
    return second - first


def _likelihood(counts: Mapping[float, float], mean: float) -> float:
    """Return the largest log-likelihood of a distribution with this mean, up to a constant.

    It gives a value x the probability count / (total * (1 + slope * (x - mean))); the slope
    that makes the mean right is found by Newton's method within brackets.
    """
    offsets = [(value - mean, count) for value, count in counts.items()]
    low, high = -1 / (1 - mean), 1 / mean
    slope = 0.0
    for _ in range(MAX_STEPS):
        terms = [(offset / (1 + slope * offset), count) for offset, count in offsets]
        error = sum(term * count for term, count in terms)
        step = error / sum(term * term * count for term, count in terms)
        if abs(step) < 1e-12:
            break
        low, high = (slope, high) if error > 0 else (low, slope)
        slope = slope + step if low < slope + step < high else (low + high) / 2
    return -math.fsum(count * math.log1p(slope * offset) for offset, count in offsets)


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
    rankings = [[_ranking(game, number) for game in group.games] for group in done]
    played = Counter(chain.from_iterable(rankings))
    logs, covariance = _fit(played, len(bots), prior_games)
    worths = [math.exp(log) for log in logs]
    scores = {ranking: _score(ranking, worths) for ranking in played}
    group_scores = [_total(scores[ranking] for ranking in row) for row in rankings]
    tables = []
    for members in _connected([group.bots for group in done]):
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


def _connected(sets: Iterable[frozenset[str]]) -> list[list[str]]:
    """Return the bots that met, directly or through others, the largest such set first."""
    found: list[frozenset[str]] = []
    for bots in set(sets):
        apart = [other for other in found if not other & bots]
        found = [*apart, bots.union(*(other for other in found if other & bots))]
    return sorted((sorted(bots) for bots in found), key=lambda bots: (-len(bots), bots))


def _ranking(game: Game, number: Mapping[str, int]) -> _Ranking:
    tiers: defaultdict[int, list[int]] = defaultdict(list)
    for bot, gold in game.seats:
        tiers[gold].append(number[bot])
    return tuple(tuple(sorted(tiers[gold])) for gold in sorted(tiers, reverse=True))


def _pools(ranking: _Ranking) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield who could be chosen at each choice, with how often in the mean of all orders."""
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
    """Return the variance of a sum of log-strengths that the scores move so."""
    squares = math.fsum(
        sum(moves[bot] * value for bot, value in score.items()) ** 2 for score in scores
    )
    # The prior games count as groups of their own: who won every game is not known for sure.
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
