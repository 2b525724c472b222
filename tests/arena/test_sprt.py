"""Sequential tests: published numbers, and how often they err."""

from __future__ import annotations

import math
import random

import pytest
from finished import LOSS, WIN, game, pair

from kbai.arena.elo import share_of_elo
from kbai.arena.groups import Group
from kbai.arena.sprt import Sprt, SprtPlan, log_likelihood_ratio, run_sprt
from kbai.core.errors import NotationError


def shares(*counts: int) -> dict[float, float]:
    """Return how often each share was seen, for shares at equal distances from 0 to 1."""
    return {index / (len(counts) - 1): count for index, count in enumerate(counts) if count}


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
