"""Chances to win from the shares of playouts."""

import math
import random
from functools import partial
from itertools import islice

import pytest
from positions import FIRST_GAME, random_positions

from kbai import content
from kbai._fast import Position
from kbai.arena.deals import Deal
from kbai.arena.play import play
from kbai.bots.protocol import View
from kbai.game.setup import Setup
from kbai.notation.positions import parse_position
from kbai.search.calibration import (
    CORRECTIONS,
    Forecast,
    tiles_of,
)  # fmt: skip

SETS = tuple(content.load().sets)


def start(seats: int, sets: tuple[str, ...] = ("base",), seed: int = 1) -> Position:
    setup = Setup.random(seed, seats=seats, sets=sets)
    return setup.start_position()


@pytest.mark.parametrize("sets", [("base",), SETS], ids=["base", "all"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_chances_add_up_and_keep_the_order(seats: int, sets: tuple[str, ...]) -> None:
    position = start(seats, sets)
    shares = [0.5**i for i in range(1, seats)]
    shares.append(1 - sum(shares))
    chances = Forecast(position).chances(shares)
    assert sum(chances) == pytest.approx(1)
    others = [seat for seat in range(seats) if seat != position.mover]
    grown = Forecast(position).chance_if(shares, others[0], shares[others[0]] + 0.1)
    assert 0 < chances[others[0]] < grown < 1


def test_a_share_that_no_playout_has_seen_is_not_impossible() -> None:
    position = start(2)
    assert 0.01 < Forecast(position).chances([0.0, 1.0])[0] < 0.12
    assert 0.8 < Forecast(position).chances([1.0, 0.0])[0] < 0.98


def test_an_even_game_is_the_second_seats() -> None:
    """Measured: of two equal players the one who ends the rounds wins more often."""
    position = start(2)
    first, second = position.fields()["start"], 1 - position.fields()["start"]
    assert position.mover == first
    chances = Forecast(position).chances([0.5, 0.5])
    assert chances[second] > 0.55


def test_a_changed_share_leaves_the_rest_in_proportion() -> None:
    position = start(3)
    shares = [0.2, 0.3, 0.5]
    same = Forecast(position).chances(shares)[0]
    assert Forecast(position).chance_if(shares, 0, 0.2) == pytest.approx(same)
    assert Forecast(position).chance_if([0.0, 1.0, 0.0], 1, 0.4) == pytest.approx(
        Forecast(position).chances([0.3, 0.4, 0.3])[1]
    )


def positions(seats: int) -> list[Position]:
    return [each for each in islice(random_positions(60, 0.05), 300) if each.board.seats == seats]


def test_terrains_without_a_settlement_beside_them_are_counted() -> None:
    """Anew from the neighbours of every settlement; the kernel looks at rows of bits."""
    seen = set()
    for seed in range(100):
        begin = start(2 + seed % 4, seed=seed)
        choose = partial(pick, random.Random(seed))
        position = play(begin, Deal(begin, seed), choose, seed=seed, max_steps=4 * seed).final
        board, seats = position.board, position.fields()["seats"]
        taken = {cell for seat in seats for cell in seat["cells"]}
        counts = []
        for seat in seats:
            beside = {cell for own in seat["cells"] for cell in board.neighbours(own)} - taken
            counts.append(5 - len({board.terrain(cell) for cell in beside} & set(range(5))))
        assert position.untouched() == tuple(counts)
        seen |= set(counts)
    assert seen == {0, 1, 2, 3, 4, 5}


def pick(generator: random.Random, view: View) -> int:
    return generator.choice(view.position.legal())


def test_tiles_and_free_choices_count_for_the_chances() -> None:
    """With equal shares nothing else decides between two seats but who moved and who is last."""
    seen = 0
    for position in positions(2):
        if not all(seat["supply"] for seat in position.fields()["seats"]):
            continue
        correction = Forecast(position).correction
        tiles = [tiles_of(seat) for seat in position.fields()["seats"]]
        one, other = Forecast(position, mover=0).chances([0.5, 0.5])
        untouched = position.untouched()
        left = position.fields()["seats"][0]["supply"] / position.board.houses
        wanted = (
            correction.early * left**2
            + correction.mover * (1 - left**2)
            + correction.last * (1 if position.fields()["start"] == 1 else -1)
            + correction.tile * (tiles[0] - tiles[1])
            + correction.choice * (untouched[0] - untouched[1])
        )
        assert math.log(one / other) == pytest.approx(wanted)
        seen += tiles[0] != tiles[1] and untouched[0] != untouched[1]
    assert seen > 5
    assert all(CORRECTIONS[two, True].tile > 0 for two in (True, False))


def test_houses_tiles_and_free_choices_bring_more_gold_than_playouts_say() -> None:
    position = start(3)
    correction = Forecast(position).correction
    assert correction.gold_per_house > 0
    # In the beginning all is open: five terrains, no tiles, all houses.
    more = correction.gold_per_house * position.board.houses + correction.gold_per_choice * 5
    assert Forecast(position).gold([10, 20, 30]) == pytest.approx(
        [gold + more for gold in (10, 20, 30)]
    )


def test_a_seat_without_a_turn_left_makes_no_more_of_anything() -> None:
    line = "red=a5,b2/supply=0 blue=n16/supply=9/tiles=farm@m16 turn=blue card=flower start={start}"
    shares, gold = [0.5, 0.5], [40.0, 30.0]
    more, chance = {}, {}
    for start_seat in ("red", "blue"):
        # Red has built its last house. Blue has had its turn, too, if it is the one to begin.
        here = parse_position(f"{FIRST_GAME} {line}".format(start=start_seat))
        forecast = Forecast(here, mover=0)
        more[start_seat] = forecast.gold(gold)[1] - gold[1]
        chance[start_seat] = forecast.chances(shares)[1]
        assert forecast.gold(gold)[0] == gold[0]
    assert more["blue"] == 0 < more["red"] < 5
    assert chance["blue"] < chance["red"]
