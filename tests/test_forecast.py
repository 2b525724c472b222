"""Chances to win from the shares of playouts."""

import pytest

from kbai import content
from kbai._fast import Position
from kbai.forecast import correction_for, forecast, forecast_gold, forecast_if
from kbai.table import Setup

SETS = tuple(content.load().sets)


def start(seats: int, sets: tuple[str, ...] = ("base",), seed: int = 1) -> Position:
    setup = Setup.random(seed, seats=seats, sets=sets)
    return Position(setup.kernel_board, setup.start)


@pytest.mark.parametrize("sets", [("base",), SETS], ids=["base", "all"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_chances_add_up_and_keep_the_order(seats: int, sets: tuple[str, ...]) -> None:
    position = start(seats, sets)
    shares = [0.5**i for i in range(1, seats)]
    shares.append(1 - sum(shares))
    chances = forecast(position, shares)
    assert sum(chances) == pytest.approx(1)
    others = [seat for seat in range(seats) if seat != position.mover]
    grown = forecast_if(position, shares, others[0], shares[others[0]] + 0.1)
    assert 0 < chances[others[0]] < grown < 1


def test_a_share_that_no_playout_has_seen_is_not_impossible() -> None:
    position = start(2)
    assert 0.01 < forecast(position, [0.0, 1.0])[0] < 0.12
    assert 0.8 < forecast(position, [1.0, 0.0])[0] < 0.98


def test_an_even_game_is_the_second_seats() -> None:
    """Measured: of two equal players the one who ends the rounds wins more often."""
    position = start(2)
    first, second = position.fields()["start"], 1 - position.fields()["start"]
    assert position.mover == first
    chances = forecast(position, [0.5, 0.5])
    assert chances[second] > 0.6


def test_a_changed_share_leaves_the_rest_in_proportion() -> None:
    position = start(3)
    shares = [0.2, 0.3, 0.5]
    assert forecast_if(position, shares, 0, 0.2) == pytest.approx(forecast(position, shares)[0])
    assert forecast_if(position, [0.0, 1.0, 0.0], 1, 0.4) == pytest.approx(
        forecast(position, [0.3, 0.4, 0.3])[1])


def test_houses_that_are_not_built_bring_more_gold_than_playouts_say() -> None:
    position = start(3)
    left = [seat["supply"] for seat in position.fields()["seats"]]
    rate = correction_for(position).gold_per_house
    assert rate > 0
    assert forecast_gold(position, [10, 20, 30]) == pytest.approx(
        [gold + rate * houses for gold, houses in zip([10, 20, 30], left, strict=True)])
