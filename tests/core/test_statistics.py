"""Statistics: published numbers, cases solved by hand, simulated bots of known strength."""

from __future__ import annotations

import doctest
import math
import random
from collections import Counter
from itertools import combinations, product

import pytest

from kbai.core import statistics as stats
from kbai.core.errors import KbaiError, NotationError
from kbai.core.statistics import (
    Estimate,
    Game,
    Group,
    Sprt,
    SprtPlan,
    Tally,
    between,
    elo_estimate,
    elo_of_share,
    log_likelihood_ratio,
    mean_estimate,
    rate,
    run_sprt,
    share_estimate,
    share_of_elo,
    summarize,
    tally,
    variance_factor,
)

TOURNAMENTS = 2000
WIN, TIE, LOSS = (60, 50), (50, 50), (50, 60)


def game(*golds: int, bots: str = "ABCDE") -> Game:
    return Game(tuple(zip(bots, golds, strict=False)))


def pair(first: tuple[int, int], second: tuple[int, int]) -> Group:
    """Return both games of a deal, with the gold of A and B; B begins the second."""
    (a1, b1), (a2, b2) = first, second
    return Group((Game((("A", a1), ("B", b1))), Game((("B", b2), ("A", a2)))), 2)


def single(*golds: int, bots: str = "ABCDE") -> Group:
    return Group((game(*golds, bots=bots),), 1)


def pentanomial(*counts: int) -> list[Group]:
    """Return groups by A's points: 0, 0.5, 1, 1.5 and 2."""
    kinds = [(LOSS, LOSS), (LOSS, TIE), (LOSS, WIN), (TIE, WIN), (WIN, WIN)]
    return [pair(*kind) for kind, count in zip(kinds, counts, strict=True) for _ in range(count)]


def shares(*counts: int) -> dict[float, float]:
    """Return how often each share was seen, for shares at equal distances from 0 to 1."""
    return {index / (len(counts) - 1): count for index, count in enumerate(counts) if count}


def covers(estimate: Estimate | None, truth: float) -> bool:
    assert estimate is not None
    return estimate.low <= truth <= estimate.high


def test_the_examples_in_the_docstrings():
    assert doctest.testmod(stats).failed == 0


# Points


@pytest.mark.parametrize(
    "golds, points, margins",
    [
        ((60, 50), (1, 0), (10, -10)),
        ((50, 50), (0.5, 0.5), (0, 0)),
        ((40, 60, 60, 20), (0, 0.5, 0.5, 0), (-20, 0, 0, -40)),
        ((7, 7, 7, 7, 7), (0.2,) * 5, (0,) * 5),
        ((0, 0, 30), (0, 0, 1), (-30, -30, 30)),
    ],
)
def test_a_point_is_shared_by_the_seats_with_the_most_gold(golds, points, margins):
    assert game(*golds).points == pytest.approx(points)
    assert game(*golds).margins == margins


def test_points_by_bot_and_seat():
    games = [game(60, 50), game(40, 40), game(30, 45, bots="BA"), game(10, 20)]
    assert tally(games) == {
        "A": (Tally(3, 1, 1, 1.5, 110 / 3), Tally(1, 1, 0, 1.0, 45.0)),
        "B": (Tally(1, 0, 0, 0.0, 30.0), Tally(3, 1, 1, 1.5, 110 / 3)),
    }


def test_a_summary_counts_complete_groups_only():
    groups = [pair((60, 50), (40, 44)), pair((70, 40), (50, 50)), Group((game(0, 99),), 2)]
    first, second = summarize(groups)
    assert (first.bot, second.bot) == ("A", "B")
    assert (first.groups, first.games, first.points) == (2, 4, 2.5)
    assert (first.share.value, first.fair) == (0.625, 0.5)
    # The groups' means are 50 and 60: standard error 5, quantile 12.706.
    assert first.gold.value == 55
    assert first.gold.high - 55 == pytest.approx(5 * 12.706, rel=1e-4)
    # And the margins' 3 and 15: standard error 6.
    assert first.margin.value == 9
    assert 9 - first.margin.low == pytest.approx(6 * 12.706, rel=1e-4)
    assert second.margin.value == -9
    assert second.points == 1.5


def test_a_bot_on_several_seats_is_summarized_per_seat_and_its_share_per_game():
    line_ups = ["AABB", "ABBA", "BBAA", "BAAB"]
    golds = [(50, 50, 30, 10), (40, 20, 20, 20), (9, 1, 2, 3), (0, 30, 60, 20)]
    group = Group(tuple(game(*g, bots=b) for g, b in zip(golds, line_ups, strict=True)), 4)
    (first, _) = summarize([group])
    assert (first.bot, first.fair, first.share.value) == ("A", 0.5, 0.75)
    assert first.gold.value == (50 + 50 + 40 + 20 + 2 + 3 + 30 + 60) / 8
    assert first.gold.high == math.inf


def test_nothing_played_is_nothing_summarized():
    assert summarize([]) == ()
    assert rate([]) == ()
    assert elo_estimate([Group((), 2)], "A") is None


# Intervals


@pytest.mark.parametrize(
    "freedom, quantile",
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042)],
)
def test_mean_intervals_use_the_table_of_student(freedom, quantile):
    values = [0.0] * freedom + [1.0]
    n = freedom + 1
    estimate = mean_estimate(values)
    # The variance of one 1 among n - 1 zeros is 1 / n.
    assert (estimate.high - estimate.value) * n == pytest.approx(quantile, abs=0.004)


@pytest.mark.parametrize(
    "won, n, low, high", [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605)]
)
def test_shares_of_single_games_have_the_interval_of_wilson(won, n, low, high):
    # Newcombe 1998, table I, method 3.
    estimate = share_estimate([[1.0]] * won + [[0.0]] * (n - won))
    assert estimate.value == won / n
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=0.002)


def test_a_lost_match_has_an_interval_that_shrinks_with_its_length():
    # Student's quantile for 20 is 2.086, and the end q^2 / (n + q^2) for 40 games.
    estimate = share_estimate([[0.0, 0.0]] * 20)
    assert (estimate.value, estimate.low) == (0, 0)
    assert estimate.high == pytest.approx(2.086**2 / (40 + 2.086**2), abs=1e-3)
    assert share_estimate([[0.0, 0.0]] * 80).high < estimate.high / 3


def test_a_few_equal_groups_are_not_certainty():
    ends = [share_estimate([[1.0, 0.0]] * n).high for n in (1, 2, 3, 10, 100)]
    assert ends == sorted(ends, reverse=True)
    assert ends[0] > 0.95
    assert ends[2] > 0.6
    assert ends[4] < 0.53


def test_variance_factor_of_a_case_by_hand():
    # Games: 5 of 8 won, variance 15/56; groups: three halves and a one, variance 1/16.
    groups = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    assert variance_factor(groups) == pytest.approx((15 / 56 / 8) / (1 / 16 / 4))


def test_variance_factor_is_one_for_independent_games_and_unknown_for_equal_groups():
    rng = random.Random(1)
    games = [[float(rng.random() < 0.6) for _ in range(3)] for _ in range(20000)]
    assert variance_factor(games) == pytest.approx(1, abs=0.05)
    assert variance_factor([[1.0, 0.0], [0.0, 1.0]]) is None
    assert variance_factor([[1.0, 0.0]]) is None


# Elo


@pytest.mark.parametrize(
    "share, elo", [(0.5, 0), (0.64, 100), (0.76, 200), (0.849, 300), (10 / 11, 400), (0.24, -200)]
)
def test_elo_of_known_scores(share, elo):
    assert elo_of_share(share) == pytest.approx(elo, abs=0.5)
    assert share_of_elo(elo) == pytest.approx(share, abs=1e-3)


def test_elo_is_relative_to_the_share_of_the_seats():
    assert elo_of_share(0.25, fair=0.25) == pytest.approx(0)
    # Odds of 10 to 3 are ten times those of an equal bot, 1 to 3.
    assert elo_of_share(10 / 13, fair=0.25) == pytest.approx(400)
    assert share_of_elo(400, fair=0.25) == pytest.approx(10 / 13)


@pytest.mark.parametrize(
    "counts, elo, error",
    [((34, 54, 63, 64, 75), 55.58, 27.65), ((332, 433, 498, 333, 334), -8.64, 10.33)],
)
def test_elo_of_pairs_is_that_of_fastchess(counts, elo, error):
    estimate = elo_estimate(pentanomial(*counts), "A")
    assert estimate is not None
    assert estimate.value == pytest.approx(elo, abs=0.005)
    assert (estimate.high - estimate.low) / 2 == pytest.approx(error, rel=0.01)


def test_elo_of_single_games_is_that_of_fastchess():
    groups = [single(*golds) for golds, n in ((WIN, 136), (LOSS, 96), (TIE, 111)) for _ in range(n)]
    estimate = elo_estimate(groups, "A")
    assert estimate is not None
    assert estimate.value == pytest.approx(40.70, abs=0.005)
    assert (estimate.high - estimate.low) / 2 == pytest.approx(30.43, rel=0.01)


@pytest.mark.parametrize("n", [1, 10, 200])
def test_elo_is_finite_at_both_ends(n):
    groups = [pair(WIN, WIN)] * n
    best, worst = elo_estimate(groups, "A"), elo_estimate(groups, "B")
    assert best is not None and worst is not None
    # Half a point of 2 n is lost.
    assert best.value == pytest.approx(400 * math.log10(4 * n - 1))
    assert best.low < best.value < best.high < math.inf
    assert (worst.value, worst.low, worst.high) == pytest.approx(
        (-best.value, -best.high, -best.low)
    )


def test_more_wins_raise_the_lower_end_of_elo():
    ends = [elo_estimate([pair(WIN, WIN)] * n, "A") for n in (1, 5, 20, 100)]
    lows = [end.low for end in ends if end]
    assert lows == sorted(lows)
    assert lows[0] < 0 < lows[1]


def test_elo_of_two_bots_leaves_out_the_others():
    groups = [*pentanomial(1, 0, 1, 0, 3), single(10, 90, bots="AC"), single(1, 2, 3)]
    assert elo_estimate(between(groups, "B", "A"), "A") == elo_estimate(groups[:5], "A")


def test_elo_needs_the_same_share_of_the_seats():
    with pytest.raises(KbaiError, match="same share of the seats.* 0.333, 0.5"):
        elo_estimate([single(1, 2), single(1, 2, 3)], "A")
    assert elo_estimate([single(1, 2, bots="AA")], "A") is None


# Sequential tests


@pytest.mark.parametrize(
    "alpha, beta, low, high", [(0.05, 0.05, -2.94, 2.94), (0.05, 0.1, -2.25, 2.89)]
)
def test_sprt_bounds(alpha, beta, low, high):
    assert SprtPlan(0, 5, alpha, beta).bounds == pytest.approx((low, high), abs=0.005)


@pytest.mark.parametrize(
    "counts, elo0, elo1, llr",
    [
        ((223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55983, 26678, 821), 0, 2, -4.98),
        ((21184, 40708, 21404), 0.5, 2.5, -1.57),
        ((57030, 106593, 57433), 0, 2, -2.59),
    ],
    ids=["fastchess 1", "fastchess 2", "fastchess 3", "fastchess 4"],
)
def test_llr_of_published_matches(counts, elo0, elo1, llr):
    assert log_likelihood_ratio(shares(*counts), elo0, elo1) == pytest.approx(llr, abs=0.01)


def test_llr_of_groups_won_or_lost_is_that_of_wald():
    s0, s1 = share_of_elo(0), share_of_elo(100)
    expected = 30 * math.log(s1 / s0) + 20 * math.log((1 - s1) / (1 - s0))
    assert log_likelihood_ratio({0.0: 20, 1.0: 30}, 0, 100) == pytest.approx(expected)


def test_llr_of_equal_groups_stays_small():
    # Likeliest with the higher Elo: a share of 2 s - 1 of the groups would have been won.
    expected = 4 * math.log(1 - (2 * share_of_elo(100) - 1))
    assert log_likelihood_ratio({0.5: 4}, 0, 100) == pytest.approx(expected, abs=0.02)
    assert log_likelihood_ratio({}, 0, 100) == 0


def test_llr_changes_sign_with_the_sides():
    there = log_likelihood_ratio({0.25: 7, 0.5: 11, 1.0: 9}, -10, 30)
    back = log_likelihood_ratio({0.75: 7, 0.5: 11, 0.0: 9}, -30, 10)
    assert there == pytest.approx(-back)


def test_sprt_ends_early_says_why_and_stays_so():
    test = Sprt(SprtPlan.parse("0,100"))
    while test.state.decision == "open":
        assert "not decided yet" in test.state.reason
        test.add(1.0)
    # A group won is worth log(0.64 / 0.5) = 0.247: the twelfth is the first beyond 2.94.
    assert (test.state.decision, test.state.groups) == ("pass", 12)
    assert test.state.reason == (
        "After 12 groups the LLR of +100 against +0 Elo, 2.96, "
        "reached the upper bound 2.94: the bot passes."
    )
    ended = test.state
    for _ in range(50):
        assert test.add(0.0) == ended
    lost = run_sprt([pair(LOSS, LOSS)] * 100, "A", SprtPlan(0, 100))
    assert (lost.decision, lost.groups < 20) == ("fail", True)
    assert lost.reason.endswith("reached the lower bound -2.94: the bot fails.")


def test_sprt_takes_groups_in_order_up_to_the_first_incomplete_one():
    plan = SprtPlan(0, 100)
    groups = [*[pair(WIN, WIN)] * 5, Group((game(*LOSS),), 2), *[pair(WIN, WIN)] * 50]
    assert run_sprt(groups, "A", plan) == run_sprt(groups[:5], "A", plan)
    assert run_sprt(groups, "A", plan).groups == 5
    assert run_sprt([], "A", plan).decision == "open"


def test_sprt_with_more_seats_expects_the_share_of_an_equal_bot():
    group = Group((game(9, 1, 1), game(1, 9, 1, bots="CAB"), game(9, 1, 1, bots="BCA")), 3)
    # Two of three points with a third of the seats: odds 2 instead of 1/2, 241 Elo.
    assert run_sprt([group] * 60, "A", SprtPlan(0, 241)).decision == "pass"
    assert run_sprt([group] * 60, "A", SprtPlan(241, 482)).decision == "fail"


@pytest.mark.parametrize("text", ["", "5", "0,x", "1,2,3", "nan,nan", "0,inf", "10,0", "5,5"])
def test_sprt_says_what_it_expects(text):
    with pytest.raises(NotationError, match="expected"):
        SprtPlan.parse(text)


@pytest.mark.parametrize("alpha, beta", [(0, 0.05), (0.05, -0.1), (0.5, 0.5)])
def test_sprt_refuses_error_rates_that_make_no_test(alpha, beta):
    with pytest.raises(NotationError, match="error rates"):
        SprtPlan(0, 5, alpha, beta)


def groups_of_strength(elo: float, spread: tuple[float, ...]) -> tuple[float, ...]:
    """Return how often A gets 0 to 4 quarters of a group: ``spread``, tilted to this strength."""

    def tilted(tilt: float) -> tuple[float, ...]:
        weights = [w * tilt**quarters for quarters, w in enumerate(spread)]
        return tuple(weight / sum(weights) for weight in weights)

    low, high = 1e-3, 1e3
    while high / low > 1 + 1e-12:
        middle = math.sqrt(low * high)
        mean = sum(quarters / 4 * p for quarters, p in enumerate(tilted(middle)))
        low, high = (middle, high) if mean < share_of_elo(elo) else (low, middle)
    return tilted(low)


@pytest.mark.parametrize("spread", [(1, 0, 2, 0, 1), (1, 1, 5, 1, 1)], ids=["no ties", "paired"])
@pytest.mark.parametrize("elo, wrong", [(0, "pass"), (100, "fail")], ids=["alpha", "beta"])
def test_sprt_errs_as_often_as_it_promises(spread, elo, wrong):
    rng = random.Random(f"{spread} {elo}")
    repetitions = 400
    weights = groups_of_strength(elo, spread)
    errors = 0
    for _ in range(repetitions):
        test = Sprt(SprtPlan(0, 100, alpha=0.05, beta=0.05))
        while test.state.decision == "open":
            test.add(rng.choices((0.0, 0.25, 0.5, 0.75, 1.0), weights)[0])
        errors += test.state.decision == wrong
    # 5 % and two and a half standard errors; it does err, too.
    assert 0.01 < errors / repetitions < 0.05 + 2.5 * math.sqrt(0.05 * 0.95 / repetitions)


def test_sprt_saves_groups():
    rng = random.Random(7)
    weights = groups_of_strength(0, (1, 0, 2, 0, 1))
    lengths = []
    for _ in range(100):
        test = Sprt(SprtPlan(0, 100))
        while test.state.decision == "open":
            test.add(rng.choices((0.0, 0.25, 0.5, 0.75, 1.0), weights)[0])
        lengths.append(test.state.groups)
    # A test of fixed length with the same errors: (2 * 1.645 * 0.354 / 0.14)^2 = 69 groups.
    assert sum(lengths) / len(lengths) < 45


# Ratings


def by_log(tables: tuple[tuple[stats.Rating, ...], ...]) -> dict[str, float]:
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
            groups += [Group((Game(((team, 1), (other, 0))),), 1)] * won
            groups += [Group((Game(((team, 0), (other, 1))),), 1)] * (13 - won)
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


# Simulated bots of known strength


@pytest.mark.slow
def test_intervals_of_a_match_cover_the_truth():
    """A has 2 gold more; the deal favours a seat by up to 6, each game a bot by up to 4."""
    ahead, deal, noise = 2, range(-6, 7), range(-4, 5)
    margins = Counter(ahead + a + b for a, b in product(deal, noise))
    points = sum(n * ((m > 0) + (m == 0) / 2) for m, n in margins.items()) / margins.total()
    rng = random.Random(11)
    hits: Counter[str] = Counter()
    factors = []
    for _ in range(TOURNAMENTS):
        groups = []
        for _ in range(25):
            luck = rng.choice(deal)
            first = ahead + luck + rng.choice(noise)
            second = ahead - luck + rng.choice(noise)
            groups.append(pair((50 + first, 50), (50 + second, 50)))
        row = next(row for row in summarize(groups) if row.bot == "A")
        hits["share"] += covers(row.share, points)
        hits["gold"] += covers(row.gold, 50 + ahead)
        hits["margin"] += covers(row.margin, ahead)
        hits["elo"] += covers(elo_estimate(groups, "A"), elo_of_share(points))
        factors.append(row.variance_factor or math.nan)
    for what in ("share", "gold", "margin", "elo"):
        assert hits[what] / TOURNAMENTS == pytest.approx(0.95, abs=0.02), what
    # Mirrored luck cancels.
    assert sum(factors) / len(factors) > 1.4


@pytest.mark.parametrize(
    "counts", [(1, 0, 2, 0, 1), (1, 1, 8, 3, 20), (1, 0, 4, 1, 50)], ids=["even", "80 %", "94 %"]
)
def test_intervals_of_shares_cover_the_truth_near_the_ends_too(counts):
    kinds = ([0.0, 0.0], [0.0, 0.5], [0.0, 1.0], [0.5, 1.0], [1.0, 1.0])
    truth = sum(n * sum(kind) / 2 for n, kind in zip(counts, kinds, strict=True)) / sum(counts)
    rng = random.Random(12)
    hits = sum(
        covers(share_estimate(rng.choices(kinds, counts, k=40)), truth) for _ in range(TOURNAMENTS)
    )
    assert hits / TOURNAMENTS == pytest.approx(0.95, abs=0.02)


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
                games.append(Game(tuple(zip(bots, golds, strict=True))))
            groups.append(Group(tuple(games), 3))
        ((*table,),) = rate(groups)
        for row in table:
            hits[row.bot] += covers(row.elo, elos[row.bot])
    for bot in elos:
        assert hits[bot] / TOURNAMENTS == pytest.approx(0.95, abs=0.02), bot
