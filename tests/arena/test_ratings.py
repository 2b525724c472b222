"""Ratings: published numbers, cases solved by hand, simulated bots of known strength."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import combinations

import pytest
from finished import WIN, covers, game, pair, single

from kbai.arena.groups import FinishedGame, Group
from kbai.arena.ratings import Rating, rate

TOURNAMENTS = 2000


def by_log(tables: tuple[tuple[Rating, ...], ...]) -> dict[str, float]:
    """Return the natural logarithm of each bot's strength."""
    (table,) = tables
    return {row.bot: row.elo.value * math.log(10) / 400 for row in table}


def ranked(*orders: str) -> list[Group]:
    """Return a game for each order of bots, the best first."""
    return [single(*range(90, 90 - len(order), -1), bots=order) for order in orders]


def test_ratings_of_partial_rankings_are_those_of_choix():
    # Its test case rankings-2.
    logs = by_log(rate(ranked("ABC", "DCA", "BD"), prior_games=1e-6))
    expected = {"A": -0.44328117, "B": 0.69506219, "C": -0.67061442, "D": 0.4188334}
    assert logs == pytest.approx(expected, abs=1e-4)


def test_ratings_of_pairs_are_those_of_choix():
    # Its test case pairwise-2, where the strengths add up to 3.
    logs = by_log(rate(ranked("AB", "AB", "BC", "CA"), prior_games=1e-6))
    worths = {bot: math.exp(log) for bot, log in logs.items()}
    worths = {bot: 3 * worth / sum(worths.values()) for bot, worth in worths.items()}
    expected = {"A": 1.43586088, "B": 0.62035049, "C": 0.94378863}
    assert worths == pytest.approx(expected, abs=1e-5)


def test_ratings_of_the_american_league_of_1987():
    # Agresti, Categorical Data Analysis, tables 10.10 and 10.11: wins of 13 games against the
    # teams that follow, and the ability over Baltimore's.
    wins = {
        "Milwaukee": (7, 9, 7, 7, 9, 11),
        "Detroit": (7, 5, 11, 9, 9),
        "Toronto": (7, 7, 8, 12),
        "New York": (6, 7, 10),
        "Boston": (7, 12),
        "Cleveland": (6,),
    }
    teams = [*wins, "Baltimore"]
    groups = []
    for index, team in enumerate(wins):
        for other, won in zip(teams[index + 1 :], wins[team], strict=True):
            groups += [Group((FinishedGame(((team, 1), (other, 0))),), 1)] * won
            groups += [Group((FinishedGame(((team, 0), (other, 1))),), 1)] * (13 - won)
    logs = by_log(rate(groups, prior_games=1e-6))
    over = {team: log - logs["Baltimore"] for team, log in logs.items()}
    assert over == pytest.approx(
        {
            "Milwaukee": 1.58,
            "Detroit": 1.44,
            "Toronto": 1.29,
            "New York": 1.25,
            "Boston": 1.11,
            "Cleveland": 0.68,
            "Baltimore": 0,
        },
        abs=0.005,
    )
    # The book gives standard errors of about 0.3 for differences; from the mean they are less.
    (table,) = rate(groups)
    for row in table:
        half = (row.elo.high - row.elo.low) / 2 * math.log(10) / 400
        assert 0.15 < half / 1.99 < 0.3


def test_a_tie_is_half_a_win():
    wins_only = rate(ranked("AB", "AB", "AB", "BA"), prior_games=1e-6)
    with_ties = rate([*ranked("AB", "AB"), single(5, 5), single(8, 8)], prior_games=1e-6)
    assert by_log(wins_only)["A"] == pytest.approx(math.log(3) / 2, abs=1e-5)
    assert by_log(with_ties) == pytest.approx(by_log(wins_only), abs=1e-5)


def test_seats_with_equal_gold_are_all_their_orders_in_equal_parts():
    rest = ranked("ABCD", "DCBA", "BADC", "CABD", "BDAC") * 6
    orders = ["DBCA", "DBAC", "DCBA", "DCAB", "DABC", "DACB"]
    tied = rate([*rest, *[single(5, 5, 5, 9)] * 6], prior_games=1e-6)
    assert by_log(tied) == pytest.approx(by_log(rate(rest + ranked(*orders), prior_games=1e-6)))


def test_a_prior_game_by_hand():
    # A beat B once: with strengths x and 1 / x, 1 / (1 + x^2) = (x - 1) / (2 (x + 1)).
    x = math.exp(by_log(rate(ranked("AB")))["A"])
    assert x**3 - x**2 - x - 3 == pytest.approx(0, abs=1e-6)


def test_bots_that_never_lost_or_never_won_have_finite_ratings():
    (table,) = rate([*[pair(WIN, WIN)] * 20, *ranked("AC", "BC") * 20])
    assert [row.bot for row in table] == ["A", "B", "C"]
    assert [row.games for row in table] == [60, 60, 40]
    for row in table:
        assert abs(row.elo.value) < 1500
        assert 100 < row.elo.high - row.elo.low < 2500
    assert table[0].elo.low > 0 > table[2].elo.high


def test_bots_that_never_met_are_in_tables_of_their_own():
    groups = ranked("AB", "BA", "BA", "BC", "CB", "XY", "YX", "XY") + ranked("ZZ")
    tables = rate(groups)
    assert [[row.bot for row in table] for table in tables] == [["B", "C", "A"], ["X", "Y"], ["Z"]]
    for table in tables:
        assert sum(row.elo.value for row in table) == pytest.approx(0, abs=1e-6)
    (alone,) = rate(ranked("XY", "YX", "XY"))
    for row, same in zip(tables[1], alone, strict=True):
        assert (row.elo.value, row.elo.low) == pytest.approx((same.elo.value, same.elo.low))


def test_incomplete_groups_are_not_rated():
    groups = ranked("AB", "BA", "AB")
    assert rate([*groups, Group((game(1, 2, bots="AC"),), 2)]) == rate(groups)


def test_a_bot_against_itself_says_nothing():
    groups = ranked("AAB", "BAA", "ABA", "AB")
    more = rate([*groups, *ranked("AA", "BB") * 5], prior_games=1e-6)
    assert by_log(more) == pytest.approx(by_log(rate(groups, prior_games=1e-6)))


def test_games_of_one_group_are_not_independent_evidence():
    orders = ["ABC", "BCA", "ACB", "CBA", "BAC", "ABC"] * 5
    once = rate(ranked(*orders))[0]
    copied = rate([Group(group.games * 4, 4) for group in ranked(*orders)])[0]
    apart = rate(ranked(*orders) * 4)[0]
    for row, same, narrow in zip(once, copied, apart, strict=True):
        width = row.elo.high - row.elo.low
        assert same.elo.high - same.elo.low == pytest.approx(width, rel=0.1)
        assert narrow.elo.high - narrow.elo.low == pytest.approx(width / 2, rel=0.1)


@pytest.mark.slow
def test_intervals_of_ratings_cover_the_truth():
    """Games of three are races at rates in proportion to strength: the model itself.

    Half of the time the luck is that of the seat in this deal, else that of the game.
    """
    elos = {"A": 200.0, "B": 50.0, "C": -50.0, "D": -200.0}
    rates = {bot: 10 ** (elo / 400) for bot, elo in elos.items()}
    rng = random.Random(13)
    hits: Counter[str] = Counter()
    for _ in range(TOURNAMENTS):
        groups = []
        for line_up in [*combinations("ABCD", 3)] * 5:
            luck = [rng.expovariate(1) for _ in line_up]
            games = []
            for turn in range(3):
                bots = line_up[turn:] + line_up[:turn]
                times = [
                    (luck[seat] if rng.random() < 0.5 else rng.expovariate(1)) / rates[bot]
                    for seat, bot in enumerate(bots)
                ]
                golds = [-int(time * 1e9) for time in times]
                games.append(FinishedGame(tuple(zip(bots, golds, strict=True))))
            groups.append(Group(tuple(games), 3))
        ((*table,),) = rate(groups)
        for row in table:
            hits[row.bot] += covers(row.elo, elos[row.bot])
    for bot in elos:
        assert hits[bot] / TOURNAMENTS == pytest.approx(0.95, abs=0.02), bot
