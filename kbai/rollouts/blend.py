"""What a tree and games say of turns, put together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import add
from statistics import NormalDist, fmean

from kbai._fast import Position
from kbai.core.intervals import LEVEL, Estimate
from kbai.rollouts.choice import TURNS_APART, Ahead, owed_to_luck
from kbai.rollouts.compare import RolledOut
from kbai.search.calibration import Misjudged, chance_of, is_simple, log_odds, misjudged_in
from kbai.search.results import Outlook, TurnChoice

QUANTILE = NormalDist().inv_cdf((1 + LEVEL) / 2)
# How far games of small searches are off, as standard deviations: they play less well than the
# strong bots that positions were played on by to measure it (scripts/truth_check.py). By whether
# all tiles just build or move.
PLAYED = {
    True: Misjudged(win=0.35, gold=2.0, margin=1.5, mover=0.0),
    False: Misjudged(win=0.45, gold=3.0, margin=2.5, mover=0.0),
}
# How much more gold strong bots make of each house that is left, by the same.
MORE_PER_HOUSE = {True: 0.05, False: 0.01}
# What tree and games misjudge alike, in gold, so that the one does not make up for the other.
ALIKE = 1.7
# How far a tree is off in the difference of two turns, as a standard deviation in gold
# (docs/strength.md); more so if one of them had far fewer visits than the other, by this many
# times.
MARGIN_APART = 1.5
VISITS_APART = 10
# How far games of small searches are off in that difference, however many there are: strong bots
# make more of some turns than of others.
GAMES_APART = 1.0
# The standard deviation of the margin of a single visit, about.
VISIT_SPREAD = 10.0
# The standard deviation of the margin of a single game: at its end, and what a full supply adds.
# Measured in games of mcts:visits=1000. A few games tell little about it, so it counts as much as
# this many of them.
END_SPREAD, START_SPREAD = 3.0, 9.0
SPREAD_GAMES = 6
# A difference in standard deviations of a margin, in log-odds.
LOGISTIC = 1.7
# How many games won or lost the margin and the tree count as, where a chance to win is forecast,
# and the part of the tree in them.
PRIOR_GAMES = 16
TREE_PART = 0.25


@dataclass(frozen=True, slots=True)
class _Table:
    """What is known of a position before any game is played on from it."""

    trees: Misjudged
    games: Misjudged
    spread: float
    """The standard deviation to expect of the margin of a single game."""
    more: tuple[float, ...]
    """The gold that each seat makes more than in these games."""

    @classmethod
    def of(cls, position: Position) -> _Table:
        supplies = [seat["supply"] for seat in position.fields()["seats"]]
        share = sum(supplies) / (position.board.houses * position.board.seats)
        spread = END_SPREAD + START_SPREAD * math.sqrt(share)
        simple = is_simple(position)
        more = tuple(MORE_PER_HOUSE[simple] * supply for supply in supplies)
        return cls(misjudged_in(position), PLAYED[simple], spread, more)

    def spread_of(self, values: Sequence[float]) -> float:
        """Return the standard deviation of single games, given some of them."""
        mean = fmean(values)
        squares = math.fsum((value - mean) ** 2 for value in values)
        squares += SPREAD_GAMES * self.spread**2
        return math.sqrt(squares / (SPREAD_GAMES + len(values) - 1))


def blended(
    position: Position, turns: Sequence[TurnChoice], rolled: Sequence[RolledOut]
) -> list[TurnChoice]:
    """Return the turns that were played on, with what tree and games say of them together.

    How well a seat stands is one thing, which of two turns is better another: a tree knows the
    second far better than the first, and so do games with the same cards. So the games of all turns
    that are still in doubt tell the first, and each turn is as much better or worse than the one
    with the most games as tree and games say. What the best of them owes to luck is taken off all.
    """
    counted = [(turn, games) for turn, games in zip(turns, rolled, strict=True) if games.games]
    if not counted:
        return []
    table = _Table.of(position)
    main = max(counted, key=lambda pair: pair[1].games)
    # The last round may have ended before all of them were played.
    doubted = [pair for pair in counted if pair[1].games >= main[1].games - 1]
    seats = range(position.board.seats)
    level = [_outlook(main[0].seats[seat], main[1], seat, table, doubted) for seat in seats]
    ahead = {
        turn.steps: [_ahead(seat, main, (turn, games), table) for seat in seats]
        for turn, games in counted
    }
    if len(doubted) > 1:
        luck = owed_to_luck(
            [ahead[turn.steps] for turn, _ in doubted],
            position.actor,
            _share_of_games(main, position.actor, table),
        )
        level = list(map(_less, level, luck))
    return [
        replace(
            turn,
            games=games.games,
            seats=_as_chances(list(map(_better, level, ahead[turn.steps]))),
            tree=turn.seats,
            endings=tuple(zip(games.rounds, games.endings, strict=True)),
        )
        for turn, games in counted
    ]


def with_games(
    position: Position, seats: Sequence[Outlook], games: RolledOut, misjudged: Misjudged
) -> tuple[Outlook, ...]:
    """Return what a tree and games say together of where a turn leads.

    ``misjudged`` says how far off such games are.
    """
    table = replace(_Table.of(position), games=misjudged)
    return _as_chances([_outlook(one, games, seat, table) for seat, one in enumerate(seats)])


def spread_of(position: Position, games: RolledOut, seat: int) -> float:
    """Return the standard deviation of a margin in single games."""
    return _Table.of(position).spread_of(games.margins(seat))


def at_level(turn: TurnChoice, by_tree: TurnChoice, by_games: TurnChoice, seat: int) -> TurnChoice:
    """Return a turn that was not played on, as much better or worse than another as the tree says.

    Games move what is known of the position, so they move what is known of all its turns. But if
    the turn looks better to ``seat`` than the one that games were played of, that counts only as
    far as its visits tell: of many turns that were hardly looked at, some look good by chance.
    """
    better = turn.seats[seat].win.value > by_tree.seats[seat].win.value
    part = _trust_in(turn, by_tree) if better else 1.0
    outlooks = []
    for one, tree, games in zip(turn.seats, by_tree.seats, by_games.seats, strict=True):
        odds = _between(log_odds(tree.win.value), log_odds(one.win.value), part)
        gold = _between(tree.gold.value, one.gold.value, part)
        margin = _between(tree.margin.value, one.margin.value, part)
        odds += log_odds(games.win.value) - log_odds(tree.win.value)
        gold += games.gold.value - tree.gold.value
        margin += games.margin.value - tree.margin.value
        outlooks.append(replace(
            one,
            win=_moved_odds(one.win, odds - log_odds(one.win.value)),
            gold=_moved(one.gold, gold - one.gold.value),
            margin=_moved(one.margin, margin - one.margin.value),
        ))  # fmt: skip
    return replace(turn, seats=_as_chances(outlooks), tree=turn.seats)


def _trust_in(turn: TurnChoice, best: TurnChoice) -> float:
    """Return the part of a difference to the best turn that is to be believed, by its visits."""
    return TURNS_APART**2 / (TURNS_APART**2 + _noise(turn, best))


def _noise(turn: TurnChoice, best: TurnChoice) -> float:
    """Return the variance of what a tree says of the difference of two turns, in gold."""
    counts = [max(each.visits, 1) for each in (turn, best)]
    doubt = MARGIN_APART**2 * (1 + counts[1] / counts[0] / VISITS_APART)
    return doubt + VISIT_SPREAD**2 * sum(1 / count for count in counts)


def _between(one: float, two: float, part: float) -> float:
    return one + part * (two - one)


def _outlook(
    tree: Outlook,
    games: RolledOut,
    seat: int,
    table: _Table,
    doubted: Sequence[tuple[TurnChoice, RolledOut]] = (),
) -> Outlook:
    """Return what tree and games say of a seat after one turn.

    The games of all turns that are still ``doubted`` tell how well it stands, so far as nobody can
    tell these turns apart.
    """
    every = [played for _, played in doubted] or [games]
    margins = [margin for played in every for margin in played.margins(seat)]
    golds = [gold for played in every for gold in played.golds(seat)]
    wins = games.games * math.fsum(played.wins(seat) for played in every) / len(margins)
    spread = table.spread_of(margins)
    margin = _amount(tree.margin, fmean(margins), spread, games.games, table.games.margin)
    gold_spread = table.spread_of(golds)
    weights = _weights(tree.gold, gold_spread, games.games, table.games.gold)
    more = fmean(golds) - fmean(games.golds(seat))
    sources = _raised(games.sources(seat), more)
    mean = fmean(golds) + table.more[seat]
    return Outlook(
        win=_chance(tree.win, margin, spread, wins, games.games, table.games.win),
        gold=_amount(tree.gold, mean, gold_spread, games.games, table.games.gold),
        margin=margin,
        sources=_mixed(sources, tree.sources, weights[0] / sum(weights)),
    )


def _amount(tree: Estimate, mean: float, spread: float, games: int, doubt: float) -> Estimate:
    """Return the mean of two forecasts, each weighted by how far it can be trusted."""
    weight, trust = _weights(tree, spread, games, doubt)
    value = ((weight * tree.value if weight else 0.0) + trust * mean) / (weight + trust)
    half = QUANTILE * math.sqrt(1 / (weight + trust) + ALIKE**2)
    return Estimate(value, value - half, value + half)


def _weights(tree: Estimate, spread: float, games: int, doubt: float) -> tuple[float, float]:
    """Return how far a tree and games can be trusted."""
    weight = (QUANTILE / (tree.high - tree.value)) ** 2 if math.isfinite(tree.high) else 0.0
    return weight, 1 / (spread**2 / games + doubt**2)


def _mixed(played: Sequence[float], tree: Sequence[float], part: float) -> tuple[float, ...]:
    """Return gold by source, mixed as the gold itself is; nothing if the tree did not count it.

    A few games alone would not add up to the gold, and what is left over would be luck.
    """
    pairs = zip(played, tree, strict=True) if tree else ()
    return tuple(_between(one, two, part) for one, two in pairs)


def _chance(
    tree: Estimate, margin: Estimate, spread: float, wins: float, games: int, doubt: float
) -> Estimate:
    """Return the chance to win, by the margin, by the tree and by the games that were won.

    How far ahead a seat was tells more than that it was ahead, if there are few games.
    """
    error = (margin.high - margin.value) / QUANTILE
    by_margin = NormalDist().cdf(margin.value / math.hypot(spread, error))
    odds = (1 - TREE_PART) * log_odds(by_margin) + TREE_PART * log_odds(tree.value)
    count = games + PRIOR_GAMES
    chance = (wins + PRIOR_GAMES * chance_of(odds)) / count
    # Even if all games were won, half a game more could be lost.
    sure = (chance * count + 0.5) / (count + 1)
    middle = log_odds(sure)
    half = QUANTILE * math.sqrt(1 / (count * sure * (1 - sure)) + doubt**2)
    ends = chance_of(middle - half), chance_of(middle + half)
    return Estimate(chance, min(chance, ends[0]), max(chance, ends[1]))


def _ahead(
    seat: int,
    main: tuple[TurnChoice, RolledOut],
    other: tuple[TurnChoice, RolledOut],
    table: _Table,
) -> Ahead:
    """Return by how much a seat is better off after another turn than after the main one."""
    (best, best_games), (turn, games) = main, other
    one, two = turn.seats[seat], best.seats[seat]
    if turn is best:
        return Ahead(0.0, 0.0, 0.0, (0.0,) * len(one.sources))
    leads = games.leads(best_games, seat)
    if not leads:
        leads = [fmean(games.margins(seat)) - fmean(best_games.margins(seat))]
    lead = fmean(leads)
    noise = _noise(turn, best)
    variance = table.spread_of(leads) ** 2 / len(leads)
    trust = variance / (noise + variance)
    gold = fmean(games.golds(seat)) - fmean(best_games.golds(seat))
    by_tree = log_odds(one.win.value) - log_odds(two.win.value)
    by_games = lead * LOGISTIC / table.spread_of(best_games.margins(seat))

    def mix(tree: float, played: float) -> float:
        return trust * tree + (1 - trust) * played

    tree = zip(one.sources, two.sources, strict=True) if one.sources and two.sources else ()
    played = zip(games.sources(seat), best_games.sources(seat), strict=True)
    return Ahead(
        odds=mix(by_tree, by_games),
        gold=mix(one.gold.value - two.gold.value, gold),
        margin=mix(one.margin.value - two.margin.value, lead),
        sources=tuple(mix(a - b, c - d) for (a, b), (c, d) in zip(tree, played, strict=False)),
        variance=trust**2 * noise + (1 - trust) ** 2 * (variance + GAMES_APART**2),
    )


def _better(outlook: Outlook, ahead: Ahead) -> Outlook:
    """Return an outlook that is better by so much."""
    return Outlook(
        win=_moved_odds(outlook.win, ahead.odds),
        gold=_moved(outlook.gold, ahead.gold),
        margin=_moved(outlook.margin, ahead.margin),
        sources=tuple(map(add, outlook.sources, ahead.sources)),
    )


def _less(outlook: Outlook, luck: Ahead) -> Outlook:
    """Return an outlook without what it owes to luck, of every source of gold its part."""
    part = -luck.gold / outlook.gold.value if outlook.gold.value else 0.0
    sources = tuple(part * gold for gold in outlook.sources)
    return _better(outlook, Ahead(-luck.odds, -luck.gold, -luck.margin, sources))


def _share_of_games(main: tuple[TurnChoice, RolledOut], seat: int, table: _Table) -> float:
    """Return how far the margin of the main turn is by games, and not by the tree."""
    turn, games = main
    spread = table.spread_of(games.margins(seat))
    weight, trust = _weights(turn.seats[seat].margin, spread, games.games, table.games.margin)
    return trust / (weight + trust)


def _raised(sources: Sequence[float], by: float) -> tuple[float, ...]:
    """Return gold by source that is more by so much in all, of each source by the same part."""
    total = math.fsum(sources)
    return tuple(gold * (total + by) / total if total else gold for gold in sources)


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
