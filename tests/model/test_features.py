"""The kernel's features are those of a slow version in plain Python."""

import random

import pytest
import slow_features as slow
from positions import random_positions

from kbai._fast import Score, Step
from kbai.game.setup import Setup
from kbai.game.steps import advance, unpack_step
from kbai.model.features import seat_features, step_features

POLICY = {"candidates": 4, "tile": 0.6, "least_build": 0.5, "least_move": 0.5}
# Features that the slow version leaves out: hints of cards that need areas or quadrants, and tables
# of hexes within two or five.
LEFT_OUT = ("castle_ahead", "tile_ahead", "space_ahead", "worth:citizens", "worth:merchants")
GROUPS_LEFT_OUT = ("citizens", "merchants", "farmers", "farm_ahead", "farm_far", "lords")


def base_positions(games):
    """Yield some positions of random base games with two to five seats."""
    chance = random.Random(games)
    for seed in range(games):
        current = Setup.random(seed, seats=2 + seed % 4, sets=("base",)).start_position()
        for step in current.copy().playout_steps(seed, POLICY):
            if chance.random() < 0.06:
                yield current.copy()
            advance(current, step)


def by_name(names, numbers, values):
    return {names[number]: value for number, value in zip(numbers, values, strict=True)}


def test_every_feature_has_a_name_of_its_own():
    for names in (step_features(), seat_features()):
        assert len(set(names)) == len(names)
    assert {"pays:fishermen", "gain:line_end", "hermits:2", "kind:end"} <= {*step_features()}
    assert {"gold:lords", "tiles:jump", "castle_ahead:0"} <= {*seat_features()}


def test_features_of_seats_are_those_of_the_slow_version():
    names, met = seat_features(), set()
    for position in base_positions(40):
        if position.fields()["lift"]:  # between turns nothing is in hand
            continue
        for seat, row in enumerate(position.seat_features()):
            found = {name: value for name, value in zip(names, row, strict=True) if value}
            expected = slow.seat_features(position, seat)
            assert found == pytest.approx(expected, abs=1e-6)
            met |= {*found}
    assert {f"card:{rule.name.lower()}" for rule in list(Score)[1:11]} <= met
    groups = {name.partition(":")[0] for name in met}
    assert groups >= {*(n.partition(":")[0] for n in names)} - {"other_gold"}


def test_features_of_steps_are_those_of_the_slow_version():
    names, met = step_features(), set()
    for position in base_positions(40):
        steps, begins, numbers, values = position.step_features(POLICY)
        assert sorted(steps) == sorted(position.legal())
        for step, begin, end in zip(steps, begins, begins[1:], strict=False):
            if unpack_step(step)[0] == Step.LIFT:
                continue
            found = by_name(names, numbers[begin:end], values[begin:end])
            met |= {*found}
            found = {
                name: value
                for name, value in found.items()
                if name not in LEFT_OUT and name.partition(":")[0] not in GROUPS_LEFT_OUT
            }
            assert found == pytest.approx(slow.step_features(position, step), abs=1e-6)
    assert {"kind:put", "kind:end", "second", "last", "castle", "touched:1", "edge"} <= met
    assert {"pays:miners", "opens:workers", "knights:0", "hermits:2", "build_by:line_end"} <= met


def test_lifting_a_piece_says_what_it_loses():
    found = {}
    for position in base_positions(20):
        steps, begins, numbers, values = position.step_features(POLICY)
        for step, begin, end in zip(steps, begins, begins[1:], strict=False):
            kind, slot, cell = unpack_step(step)
            if kind == Step.LIFT:
                row = by_name(step_features(), numbers[begin:end], values[begin:end])
                table = slow.Table(position)
                own = table.own[position.mover]
                beside = len(own & set(position.board.neighbours(cell)))
                assert row[f"leaves:{min(beside, 3)}"] == 1
                alone = table.beside({cell}) - table.beside(own - {cell})
                assert row.get("loses_castle", 0) == len(alone & table.castles())
                found |= row
    assert "loses_castle" in found and "lift_by:jump" in found and "loses_tile" in found


def test_positions_of_all_sets_have_features():
    for position in random_positions(18, share=0.05):
        if position.is_over:
            continue
        for row in position.seat_features():
            assert all(abs(value) < 100 for value in row)
        if not position.pending_draw:
            steps, begins, *_ = position.step_features(POLICY)
            assert len(begins) == len(steps) + 1 and begins[-1] > 0
