"""What Python hands to the kernel is checked: a wrong argument is an error, never a crash."""

import copy
from functools import partial

import pytest
from positions import position

from kbai._fast import Board, Position

START = "red=- blue=- turn=red card=flower"
FIXED = ("hand", "unseen", "discard", "spent")
SEAT_LISTS = ("gold", "ready", "fresh", "used")
POLICY = {"candidates": 2, "tile": 0.75, "least_build": 0.5, "least_move": 0.5}


def fields_of(text: str = START) -> tuple[Board, dict]:
    start = position(text)
    return start.board, copy.deepcopy(start.fields())


@pytest.mark.parametrize("key", FIXED)
@pytest.mark.parametrize("length", [0, 1, 9, 11, 100_000])
def test_a_list_of_another_length_is_refused(key, length):
    board, fields = fields_of()
    fields[key] = [0] * length
    with pytest.raises(ValueError, match=f"expected 10 card counts, got {length}"):
        Position.from_fields(board, fields)


@pytest.mark.parametrize("key", SEAT_LISTS)
@pytest.mark.parametrize("length", [0, 1, 100_000])
def test_a_list_of_another_length_is_refused_in_a_seat(key, length):
    board, fields = fields_of()
    fields["seats"][1][key] = [0] * length
    with pytest.raises(ValueError, match=f", got {length}$"):
        Position.from_fields(board, fields)


@pytest.mark.parametrize("key", ["doing", "lift"])
@pytest.mark.parametrize("value", [(), (1,), (1, 2, 3), []])
def test_a_pair_of_another_length_is_refused(key, value):
    board, fields = fields_of()
    fields[key] = value
    with pytest.raises(ValueError, match=f"expected 2 parts of '{key}', got {len(value)}"):
        Position.from_fields(board, fields)


def values_of(fields: dict) -> list[tuple[object, object]]:
    """Return where values are in fields: the dict or list, and the key."""
    found: list[tuple[object, object]] = []
    for key, value in fields.items():
        found.append((fields, key))
        if isinstance(value, list):
            found += [(value, index) for index in range(len(value))]
            for item in value:
                found += values_of(item) if isinstance(item, dict) else []
    return found


WRONG = (None, "x", -7, 10**30, 1.5, [], [1], (), {}, [[]], [10**30], [-1] * 10, b"x" * 10)


def test_no_value_in_any_place_does_more_than_raise():
    board, fields = fields_of("red=n16,o15 blue=b2 turn=red card=flower phase=build1")
    n_refused = 0
    for number in range(len(values_of(fields))):
        for wrong in WRONG:
            trial = copy.deepcopy(fields)
            place, key = values_of(trial)[number]
            place[key] = wrong
            try:
                made = Position.from_fields(board, trial)
            except (ValueError, TypeError) as error:
                n_refused += 1
                assert len(str(error)) < 300
            else:
                made.copy().playout(1)
    assert n_refused > 500


def test_every_key_is_needed():
    board, fields = fields_of()
    for key in fields:
        less = {name: value for name, value in fields.items() if name != key}
        with pytest.raises(ValueError, match=f"expected a value for '{key}' of a position"):
            Position.from_fields(board, less)
    for key in fields["seats"][0]:
        trial = copy.deepcopy(fields)
        del trial["seats"][0][key]
        with pytest.raises(ValueError, match=f"expected a value for '{key}' of a seat"):
            Position.from_fields(board, trial)


def board_values(**changes: object) -> dict:
    board = position(START).board
    values = {
        "terrain": bytes(board.terrain(cell) for cell in range(512)),
        "spaces": board.spaces,
        "tiles": board.tiles,
        "cards": board.cards,
        "seats": 2,
        "deck": board.deck,
    }
    return values | changes


@pytest.mark.parametrize(
    "changes",
    [
        {"terrain": 512},
        {"terrain": b""},
        {"spaces": [()]},
        {"spaces": [(1,)] * 20},
        {"tiles": [()]},
        {"tiles": [(1,)] * 4},
        {"tiles": [(1, 2, 3)] * 17},
        {"cards": 3},
        {"cards": range(100)},
        {"deck": [5]},
        {"deck": [200] * 10},
        {"deck": ["x"] * 10},
        {"capitols": [1] * 100},
        {"seats": 1.5},
    ],
)
def test_a_board_checks_what_it_is_made_of(changes):
    Board(**board_values())
    board = Board.__new__(Board)
    with pytest.raises((ValueError, TypeError)):
        board.__init__(**board_values(**changes))
    with pytest.raises(ValueError, match="a seat"):
        Position(board)
    board.__init__(**board_values())
    Position(board).playout(1)


@pytest.mark.parametrize(
    "policy",
    [
        [],
        {},
        POLICY | {"candidates": -1},
        POLICY | {"candidates": 10**6},
        POLICY | {"least_move": float("nan")},
        POLICY | {"tile": float("inf")},
        POLICY | {"least_build": -1e30},
    ],
)
def test_a_policy_is_checked(policy):
    start = position(START)
    for call in (start.ratings, partial(start.playouts, 1, 1), partial(start.playout_steps, 1)):
        with pytest.raises((ValueError, TypeError)):
            call(policy)


def test_steps_and_cards_that_are_no_numbers_are_refused():
    start = position(START)
    for wrong in (-1, 2**32, 2**31, 10**30):
        with pytest.raises(ValueError, match="expected a legal step"):
            start.apply(wrong)
    for wrong in (-1, 10, 10**30):
        with pytest.raises(ValueError, match="expected a card from 0 to 9"):
            start.draw(wrong)
    with pytest.raises(TypeError, match="expected a card as a whole number, got '1'"):
        start.draw("1")
