"""What must not change a position: turning the board, renaming seats, copying, pickling."""

import copy
import pickle
import random
from dataclasses import replace

import pytest
from positions import random_positions, random_starts

from kbai._fast import Position, Step
from kbai.game.seats import SEATS
from kbai.game.setup import Setup, setup_of
from kbai.game.steps import advance, is_draw, pack_step, unpack_step
from kbai.notation.actions import legal_actions
from kbai.notation.positions import format_line, parse_position

ON_A_CELL = (Step.BUILD, Step.LIFT, Step.PUT, Step.WALL, Step.REMOVE, Step.BACK, Step.SCOUT)


def turn_word(word: str) -> str:
    """Turn one cell like c7 by 180 degrees: r14."""
    return f"{chr(ord('a') + ord('t') - ord(word[0]))}{21 - int(word[1:])}"


def turned_setup(setup: Setup) -> Setup:
    """The same game seen from the other side of the table."""
    board = [name.removesuffix("*") if name.endswith("*") else name + "*" for name in setup.board]
    return replace(
        setup,
        board=tuple(reversed(board)),
        nomads=tuple((kind, 399 - cell) for kind, cell in setup.nomads),
        caves=tuple(399 - cell for cell in setup.caves),
        capitols=tuple(399 - cell for cell in setup.capitols),
    )


def turned_step(step: int) -> int:
    """Turn a kernel step; some, and draws, have no cell, and the island stays as it lies."""
    if is_draw(step):
        return step
    kind, slot, cell = unpack_step(step)
    return pack_step(kind, slot, 399 - cell) if kind in ON_A_CELL and cell < 400 else step


def test_turning_the_board_by_180_degrees_changes_nothing_but_the_cells():
    for seed, position in random_starts(40):
        turned = turned_setup(setup_of(position)).start_position()
        for step in position.copy().playout_steps(seed):
            assert sorted(map(turned_step, position.legal())) == turned.legal()
            advance(position, step)
            advance(turned, turned_step(step))
            assert position.score_detail() == turned.score_detail()
            assert position.draws() == turned.draws()
        assert position.is_over and turned.is_over


def test_turned_cells_are_where_a_person_would_look_for_them():
    assert turn_word("c7") == "r14" and turn_word("a1") == "t20"
    position = parse_position(
        "kb1 board=tavern,paddock,oasis,farm cards=lords red=- blue=- turn=red card=flower"
    )
    turned = turned_setup(setup_of(position)).start_position()
    turned.draw(3)
    assert {turn_word(a) for a in legal_actions(position)} == set(legal_actions(turned))


def test_renaming_seats_changes_nothing_but_the_names():
    names = dict(zip(SEATS, (*SEATS[3:], *SEATS[:3]), strict=True))
    for position in random_positions(20):
        line = format_line(position)
        words = line.split(" ")
        renamed = " ".join(rename(word, names) for word in words)
        other = parse_position(renamed)
        assert other.scores() == position.scores()
        assert other.legal() == position.legal()
        assert other.fields() == position.fields()


def rename(word: str, names: dict[str, str]) -> str:
    """Rename the seats in one token of a line."""
    key, _, value = word.partition("=")
    if key in names:
        return f"{names[key]}={value}"
    if key in ("turn", "start"):
        return f"{key}={names[value]}"
    if key == "doing" and value.startswith("sword:"):
        return f"doing=sword:{names[value.removeprefix('sword:')]}"
    if key == "nocard":
        return f"{key}={','.join(names[name] for name in value.split(','))}"
    if key == "held":
        groups = [group.split(":", 1) for group in value.split("/")]
        return "held=" + "/".join(
            f"{'+'.join(names[name] for name in seats.split('+'))}:{cards}"
            for seats, cards in groups
        )
    return word


@pytest.mark.parametrize(
    "duplicate",
    [
        Position.copy,
        copy.copy,
        copy.deepcopy,
        lambda p: pickle.loads(pickle.dumps(p)),
    ],
    ids=["copy()", "copy.copy", "deepcopy", "pickle"],
)
def test_a_copy_is_equal_and_independent(duplicate):
    for position in random_positions(6):
        twin = duplicate(position)
        assert twin == position and hash(twin) == hash(position)
        before = format_line(position)
        if not twin.is_over:
            twin.playout(1)
            assert twin != position
        assert format_line(position) == before


def test_playouts_make_only_legal_steps_and_end_where_apply_ends():
    for seed, position in random_starts(60):
        final = position.copy()
        steps = final.playout_steps(seed)
        silent = position.copy()
        silent.playout(seed)
        assert silent == final
        for step in steps:
            advance(position, step)  # raises if it is not legal
            position.check()
        assert position == final and position.is_over


def test_playouts_from_any_moment_of_a_turn_end():
    rng = random.Random(1)
    for position in random_positions(12, share=0.3):
        final = position.copy()
        for step in final.playout_steps(rng.getrandbits(64)):
            advance(position, step)
        assert position == final and position.is_over


def test_playouts_sum_what_single_ones_give():
    position = Setup.first_game().start_position()
    gold, wins = position.playouts(2000, 7)
    assert (gold, wins) == position.playouts(2000, 7)
    assert sum(wins) >= 2000 and all(20 < g / 2000 < 50 for g in gold)
    assert position == Setup.first_game().start_position()


@pytest.mark.parametrize("rows", [["W" * 20] * 20, ["GW" * 10] + ["W" * 20] * 19])
@pytest.mark.parametrize(
    "options", ["", "options=exhausted_card:discard ", "options=exhausted_any_hex:true "]
)
def test_a_map_without_land_ends_in_stalemate(rows, options):
    position = parse_position(
        f"kb1 map={'/'.join(rows)} cards=lords {options}red=- blue=- green=- turn=red card=hidden"
    )
    position.playout(1)
    assert position.is_over


def test_illegal_steps_and_draws_are_refused():
    position = Setup.first_game().start_position()
    with pytest.raises(ValueError, match="legal step"):
        position.apply(0)
    with pytest.raises(ValueError, match="card"):
        position.draw(5)
    position.draw(3)
    with pytest.raises(ValueError, match="can come now"):
        position.draw(3)
    legal = set(position.legal())
    for step in (*range(0, 1 << 26, 12345), -1, 1 << 40):
        assert position.is_legal(step) == (step in legal)
