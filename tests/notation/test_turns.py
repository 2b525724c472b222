"""Turns: their lines, what they say of themselves, playing them, and their steps."""

import pytest
from positions import FIRST_GAME, NOMADS_GAME, busy_steps, nomads_position, position, random_starts

from kbai.core.errors import IllegalActionError, NotationError
from kbai.game.cells import format_cell
from kbai.game.steps import end_of
from kbai.notation.actions import legal_steps
from kbai.notation.games import format_game, parse_game, record_game
from kbai.notation.names import parse_cell
from kbai.notation.positions import format_line
from kbai.notation.turns import Turn, format_turn, parse_turn, play_turn, record_turn

FIRST_TURN = "red=- blue=- turn=red card=flower"


@pytest.mark.parametrize(
    "line",
    [
        "12 red flower: n16 o15 o17 paddock:b3-d3",
        "13 blue grass: =canyon c1 d1 =desert h5",
        "14 red none:",
        "15 red none: paddock:b3-d3",
        "16 blue grass: c1 ...",
        "17 blue grass: ...",
        "18 blue grass: c1 d1 e1 barn:c1- ...",
        "19 red grass: outpost c1 d1 e1 quarry:f1 stop sword:blue@c7 sword:green@d7",
        "20 red grass: donation_water:a1 outpost donation_water:b1 ...",
    ],
)
def test_a_turn_comes_back_from_its_line(line):
    assert format_turn(parse_turn(line)) == line


def test_a_turn_is_read_forgivingly():
    turn = Turn(12, "red", "flower", ("n16", "o15", "barn:c7-d9"))
    assert parse_turn("  12.  RED Flower field :  N16, o15,BARN:c7-d9  end ") == turn


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("12 red flower n16", "expected a turn like '12 red flower: n16 o15 o17', got '12 red"),
        ("12 red: n16", "expected a turn like"),
        ("", "expected a turn like"),
        ("x red flower: n16", "expected the number of a turn, got 'x'"),
        ("0 red flower: n16", "expected the number of a turn, got '0'"),
        ("9999999999 red flower: n16", "expected the number of a turn"),
        ("1 rd flower: n16", "unknown seat 'rd'; did you mean 'red'?"),
        ("1 red flwer: n16", "unknown card 'flwer'; did you mean 'flower'?"),
        ("1 red flower: n16 ... o15", "expected '...' only at the end of a turn"),
        ("1 red flower: end n16", "expected 'end' only at the end of a finished turn"),
        ("1 red flower: n16 end ...", "expected 'end' only at the end of a finished turn"),
    ],
)
def test_what_is_no_turn_is_refused(line, sentence):
    with pytest.raises(NotationError) as caught:
        parse_turn(line)
    assert sentence in str(caught.value)


def test_playing_a_turn_turns_up_the_card_and_ends_the_turn():
    current = position("red=- blue=- turn=red card=hidden")
    play_turn(current, parse_turn("1 red flower: n16 o15 o17"))
    assert format_line(current) == (
        f"{FIRST_GAME} red=o15,n16,o17/tiles=farm@m16 blue=- turn=blue card=hidden discard=flower:1"
    )


def test_a_turn_with_nomad_tiles_is_played():
    start = "red=a1/nomads=outpost,resettlement/gifts=quarry blue=e7 turn=red card=hidden"
    current = nomads_position(start)
    actions = "resettlement:a1-b1 resettlement:b1-c1 stop quarry:b1 stop outpost t20 b2 a2"
    play_turn(current, parse_turn(f"1 red grass: {actions}"))
    assert format_line(current) == (
        f"{NOMADS_GAME} red=c1,a2,b2,t20/gifts=quarry blue=e7 turn=blue card=hidden "
        "walls=b1 discard=grass:1"
    )


def test_a_turn_cannot_end_within_an_action_of_several_steps():
    current = nomads_position("red=a1/gifts=quarry blue=- turn=red card=grass")
    with pytest.raises(IllegalActionError, match="turn 1 cannot end here: first finish the quarry"):
        play_turn(current, parse_turn("1 red grass: b1 c1 a2 quarry:b2"))


def test_an_unfinished_turn_stays_open():
    current = position("red=- blue=- turn=red card=hidden")
    play_turn(current, parse_turn("1 red flower: n16 ..."))
    assert legal_steps(current) == ["o15", "o17"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("1 blue flower: n16 o15 o17", "expected a turn of red, got one of blue (R3.1)"),
        ("1 red grass: n16", "expected the card flower, got grass"),
        ("1 red flower: n16 o15", "turn 1 cannot end here: first finish the mandatory action"),
        ("1 red flower: n16 a1 o17", "turn 1: 'a1' is not possible: it has to be beside"),
    ],
)
def test_a_turn_against_the_rules_is_refused(line, sentence):
    with pytest.raises(IllegalActionError) as caught:
        play_turn(position("red=- blue=- turn=red card=flower"), parse_turn(line))
    assert sentence in str(caught.value)


def test_a_card_pending_must_be_named_in_the_line():
    current = position("red=- blue=- turn=red card=hidden")
    with pytest.raises(IllegalActionError, match="red has a card to turn up, got none"):
        play_turn(current, parse_turn("1 red none:"))


@pytest.mark.parametrize(
    "line, summary",
    [
        ("12 red flower: n16 o15 barn:c7-d9", "n16 o15 barn:c7-d9"),
        ("12 red flower: n16 ...", "n16 ..."),
        ("12 red flower: ...", "..."),
        ("12 red none:", "end"),
    ],
)
def test_a_turn_says_what_was_done(line, summary):
    turn = parse_turn(line)
    assert turn.summary == summary
    assert f"12 {turn.text}" == format_turn(turn) == line


def test_cells_of_a_turn_are_those_built_on_left_and_reached():
    turn = parse_turn("12 red flower: n16 =grass tower:a9 paddock:b3-d3 barn:c7- ...")
    assert [format_cell(number) for number in turn.cells] == ["n16", "a9", "b3", "d3", "c7"]
    assert parse_turn("12 red none:").cells == ()
    turn = parse_turn("12 red grass: outpost n16 quarry:a9 stop sword:blue@b3 donation_flower:c3")
    assert [format_cell(number) for number in turn.cells] == ["n16", "a9", "b3", "c3"]
    turn = parse_turn("13 red grass: resettlement:b3-c3 resettlement:c3-d3 stop")
    assert [format_cell(number) for number in turn.cells] == ["b3", "c3", "c3", "d3"]


def test_cells_of_the_island_are_among_those_of_a_turn():
    turn = parse_turn("12 red grass: ~b3 wagon:c7-~c1 canoe:blue@d4 barracks:back@e5 choose:grass")
    cells = [format_cell(number) for number in turn.cells]
    assert cells == ["~b3", "c7", "~c1", "d4", "e5"]


def test_a_turn_has_the_cells_of_its_actions():
    turn = parse_turn("3 red grass: choose:grass b1 =flower barn:c7-~b3 sword:blue@d4 barn:e5- ...")
    cells = [("b1",), ("c7", "~b3"), ("d4",), ("e5",)]
    assert turn.paths == tuple(tuple(map(parse_cell, path)) for path in cells)
    assert turn.cells == tuple(parse_cell(cell) for path in cells for cell in path)


def test_a_turn_that_was_played_has_its_steps():
    start = position(FIRST_TURN)
    current = start.copy()
    played = play_turn(current, parse_turn("1 red flower: n16 o15 o17"))
    assert end_of(start, played.steps) == current
    assert record_turn(start, played.steps) == played


def test_turns_have_the_same_steps_played_and_read_from_a_file():
    for seed, start in random_starts(18):
        game = record_game(start, busy_steps(start, seed))
        assert parse_game(format_game(game)).turns == game.turns


def test_the_steps_of_a_game_lead_from_each_position_to_the_next():
    for seed, start in random_starts(9):
        game = record_game(start, busy_steps(start, seed))
        current = start.copy()
        for turn, before in game.positions():
            assert before == current == game.position_before(turn.number)
            play_turn(current, parse_turn(format_turn(turn)))
        assert current == game.final_position()
