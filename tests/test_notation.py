"""Cells, steps, actions and turns as text, and the reasons why an action is not legal."""

import pytest
from positions import FIRST_GAME, position, random_positions

from kbai._fast import Step
from kbai.errors import IllegalActionError, NotationError
from kbai.notation import (
    Turn,
    apply_action,
    format_action,
    format_cell,
    format_step,
    format_turn,
    legal_actions,
    legal_steps,
    next_steps,
    pack_step,
    parse_action,
    parse_cell,
    parse_step,
    parse_turn,
    play_turn,
    unpack_step,
    why_illegal,
)
from kbai.spelling import format_line


def test_every_cell_comes_back_from_its_text():
    texts = [format_cell(cell) for cell in range(400)]
    assert [parse_cell(text) for text in texts] == list(range(400))
    assert len(set(texts)) == 400


def test_a_cell_is_column_letter_and_row_number_from_the_top():
    assert parse_cell("c7") == 6 * 20 + 2
    assert parse_cell("n16") == 15 * 20 + 13
    assert parse_cell(" C07 ") == parse_cell("c7")


@pytest.mark.parametrize(
    "text", ["", "c", "7", "c0", "c21", "u1", "7c", "c7x", "cc7", "ſ3", "c٣", "c1e9"]
)
def test_what_is_no_cell_is_refused(text):
    with pytest.raises(NotationError, match="expected a cell from a1 to t20, got"):
        parse_cell(text)


def test_every_legal_step_comes_back_from_its_text():
    for current in random_positions(12):
        for step in next_steps(current):
            assert parse_step(current, format_step(current, step)) == step


def test_steps_are_written_as_in_the_table_of_the_forms():
    current = position("red=b7,n16/gifts=tower,barn blue=- turn=red card=flower")
    kinds = current.board.source.tile_kinds
    slot = {name: index for index, name in enumerate(kinds, start=1)}
    expected = {
        "c7": pack_step(Step.BUILD, 0, parse_cell("c7")),
        "tower:a9": pack_step(Step.BUILD, slot["tower"], parse_cell("a9")),
        "barn:c7-": pack_step(Step.LIFT, slot["barn"], parse_cell("c7")),
        "-d9": pack_step(Step.PUT, 0, parse_cell("d9")),
        "end": pack_step(Step.END),
        "=flower": -4,
    }
    for text, step in expected.items():
        assert parse_step(current, text) == step
        assert parse_step(current, f" {text.upper()} ") == step
        assert format_step(current, step) == text


def test_a_move_is_one_action_of_two_steps():
    current = position("red=b7,n16/gifts=barn blue=- turn=red card=flower")
    lift, put = parse_action(current, "barn:b7-o15")
    assert (unpack_step(lift)[0], unpack_step(put)[0]) == (Step.LIFT, Step.PUT)
    with pytest.raises(NotationError, match="expected one step, got the whole move 'barn:b7-o15'"):
        parse_step(current, "barn:b7-o15")


def test_legal_actions_are_the_sequences_of_legal_steps():
    for current in random_positions(6):
        sequences = set()
        for step in current.legal():
            after = current.copy()
            after.apply(step)
            is_lift = unpack_step(step)[0] is Step.LIFT
            sequences |= {(step, put) for put in after.legal()} if is_lift else {(step,)}
        actions = legal_actions(current)
        assert {parse_action(current, text) for text in actions} == sequences
        assert len(actions) == len(sequences)


def test_applying_an_action_is_applying_its_steps():
    current = position("red=b7,n16/gifts=barn blue=- turn=red card=flower")
    moved = current.copy()
    apply_action(moved, "barn:b7-o15")
    for step in parse_action(current, "barn:b7-o15"):
        current.apply(step)
    assert moved == current


def test_a_refused_action_leaves_the_position_as_it_was():
    current = position("red=b7,n16/gifts=barn blue=- turn=red card=flower")
    before = current.copy()
    with pytest.raises(IllegalActionError):
        apply_action(current, "barn:b7-a20")
    assert current == before


# Rest of the position, action, part of the sentence.
ILLEGAL = {
    "occupied by another": (
        "red=n16 blue=o15 turn=red card=flower", "o15", "a settlement of blue stands on o15 (R4.1)"
    ),
    "occupied by oneself": (
        "red=n16 blue=- turn=red card=flower", "n16", "a settlement of red stands on n16 (R4.1)"
    ),
    "castle": ("red=- blue=- turn=red card=flower", "d4", "d4 is a castle space (R1.8)"),
    "location": ("red=- blue=- turn=red card=flower", "c7", "c7 is a tavern space (R1.8)"),
    "wrong terrain": (
        "red=- blue=- turn=red card=flower", "b1", "b1 is desert, the card is flower (R3.2)"
    ),
    "not adjacent": (
        "red=n16 blue=- turn=red card=flower",
        "a1",
        "a hex beside an own settlement is possible, such as o15 (R4.2)",
    ),
    "tile not in the game": (
        "red=- blue=- turn=red card=flower", "tower:a1",
        "there is no tower tile in this game (R3.3)"
    ),
    "tile not held": (
        "red=- blue=- turn=red card=flower", "farm:a1", "red has no farm tile (R3.3)"
    ),
    "tile used": (
        "red=n16/tiles=farm@m16/used=farm blue=- turn=red card=flower",
        "farm:a1",
        "red has used the farm tile in this turn (R3.3)",
    ),
    "tile gained this turn": (
        "red=n16/tiles=farm@m16/fresh=farm blue=- turn=red card=flower phase=post",
        "farm:a1",
        "red gained the farm tile only in this turn (R3.4)",
    ),
    "tile within the mandatory action": (
        "red=n16/tiles=farm@m16 blue=- turn=red card=flower phase=build2",
        "farm:a1",
        "the mandatory action is to be finished first (R3.2)",
    ),
    "end before the mandatory action": (
        "red=- blue=- turn=red card=flower", "end",
        "the mandatory action is to be done first (R3.2)"
    ),
    "end within the mandatory action": (
        "red=n16 blue=- turn=red card=flower phase=build1",
        "end",
        "the mandatory action is to be finished first (R3.2)",
    ),
    "mandatory action done": (
        "red=n16 blue=- turn=red card=flower phase=post",
        "o15",
        "the mandatory action is done (R3.2)",
    ),
    "no house left": (
        "red=n16/supply=0 blue=- turn=red card=flower phase=post",
        "o15",
        "there is no house left in the supply (R3.2)",
    ),
    "no house left for a tile": (
        "red=n16/supply=0/tiles=farm@m16 blue=- turn=red card=flower phase=post",
        "farm:k12",
        "there is no house left in the supply (R4.5)",
    ),
    "no card": (
        "red=n16 blue=- turn=red card=none phase=post",
        "o15",
        "there is no terrain card to build with (R3.5)",
    ),
    "build with a moving tile": (
        "red=n16/gifts=barn blue=- turn=red card=flower",
        "barn:o15",
        "the barn tile moves a piece, as in barn:c7-d9 (R6.1)",
    ),
    "move with a building tile": (
        "red=n16/tiles=farm@m16 blue=- turn=red card=flower",
        "farm:n16-o15",
        "the farm tile builds a house, as in farm:c7 (R6.1)",
    ),
    "farm elsewhere than on grass": (
        "red=n16/tiles=farm@m16 blue=- turn=red card=flower",
        "farm:o15",
        "o15 is flower, the farm tile needs grass (R6.1)",
    ),
    "tower inside the board": (
        "red=-/gifts=tower blue=- turn=red card=flower",
        "tower:b2",
        "b2 is not on the edge of the board (R6.1)",
    ),
    "tower not adjacent": (
        "red=b3,c3,d3/gifts=tower blue=- turn=red card=flower",
        "tower:t1",
        "a hex beside an own settlement is possible, such as a2 (R4.2)",
    ),
    "tower on water": (
        "red=-/gifts=tower blue=- turn=red card=flower",
        "tower:a4",
        "a4 is water, the tower tile needs a buildable hex (R6.1)",
    ),
    "tavern without a line": (
        "red=b3,c3,c2/gifts=tavern blue=- turn=red card=flower",
        "tavern:d3",
        "d3 does not continue a straight line of three own settlements (R6.1)",
    ),
    "lifting nothing": (
        "red=n16/gifts=barn blue=- turn=red card=flower",
        "barn:o15-o17",
        "there is no piece of red on o15 (R4.4)",
    ),
    "putting back": (
        "red=c3/gifts=paddock blue=- turn=red card=flower",
        "paddock:c3-c3",
        "the piece cannot go back to where it came from (R4.4)",
    ),
    "paddock not two away": (
        "red=c3/gifts=paddock blue=- turn=red card=flower",
        "paddock:c3-d3",
        "d3 is not exactly two hexes away in a straight line (R6.1)",
    ),
    "harbor on land": (
        "red=c3/gifts=harbor blue=- turn=red card=flower",
        "harbor:c3-d3",
        "d3 is flower, the harbor tile needs water (R6.1)",
    ),
    "putting down nothing": (
        "red=c3 blue=- turn=red card=flower", "-d3", "no piece has been lifted (R4.4)"
    ),
    "building with a piece in hand": (
        "red=c3/gifts=paddock blue=- turn=red card=flower lift=paddock@c3",
        "d3",
        "the piece on c3 is to be put down first (R4.4)",
    ),
    "building before the card is turned up": (
        "red=- blue=- turn=red card=hidden", "d3", "a card is to be turned up first, as in =flower"
    ),
    "turning up a second card": (
        "red=- blue=- turn=red card=flower", "=grass", "no card is to be turned up now (R3.1)"
    ),
    "turning up a card that is gone": (
        "red=- blue=- turn=red card=hidden discard=grass:5",
        "=grass",
        "no grass card is left to be turned up (R2.1)",
    ),
    "after the end": ("red=- blue=- phase=over", "d3", "the game is over (R9.1)"),
}


@pytest.mark.parametrize(("rest", "action", "reason"), ILLEGAL.values(), ids=ILLEGAL)
def test_an_illegal_action_is_refused_with_its_rule(rest, action, reason):
    with pytest.raises(IllegalActionError) as caught:
        apply_action(position(rest), action)
    assert str(caught.value).startswith(f"'{action}' is not possible: {reason}")


def test_a_piece_with_only_the_vacated_hex_to_go_to_cannot_be_moved():
    # R10.2 C15: a whole desert area, so the barn finds nothing but the vacated hex.
    current = position("red=k11,l11,k12/gifts=barn blue=- turn=red card=desert")
    with pytest.raises(IllegalActionError, match=r"k12 has nowhere to go with the barn tile"):
        apply_action(current, "barn:k12-b1")


def test_a_step_is_explained_exactly_if_it_is_illegal():
    for current in random_positions(4, share=0.03):
        legal = {*next_steps(current)}
        n_slots = len(current.board.tiles) + 1
        steps = [pack_step(Step.END), *(-1 - card for card in range(5))]
        for cell in range(0, 400, 3):
            steps += [pack_step(Step.BUILD, slot, cell) for slot in range(n_slots)]
            steps += [pack_step(Step.LIFT, slot, cell) for slot in range(1, n_slots)]
            steps.append(pack_step(Step.PUT, 0, cell))
        for step in steps:
            assert bool(why_illegal(current, step)) == (step not in legal)


MALFORMED = {
    "c7-d9": "expected the tile of a move, as in barn:c7-d9, got 'c7-d9'",
    "brn:c7-d9": "unknown tile 'brn'; did you mean 'barn'?",
    "barn:c7-z9": "expected a cell from a1 to t20, got 'z9'",
    "barn:": "expected a cell from a1 to t20, got ''",
    "=flwer": "unknown card 'flwer'; did you mean 'flower'?",
    "": "expected a cell",
    "-": "expected a cell",
    "b:a:c7": "unknown tile 'b:a'",
}


@pytest.mark.parametrize(("text", "sentence"), MALFORMED.items())
def test_what_is_no_action_is_refused(text, sentence):
    with pytest.raises(NotationError) as caught:
        apply_action(position("red=- blue=- turn=red card=flower"), text)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [("N16", "n16"), ("BARN:c7-D9", "barn:c7-d9"), ("Tower:A09", "tower:a9"), ("-D9", "-d9"),
     ("barn:C7-", "barn:c7-"), ("=Flowers", "=flower"), ("END", "end")],
)  # fmt: skip
def test_an_action_has_one_canonical_text(text, canonical):
    assert format_action(text) == canonical
    assert format_action(canonical) == canonical


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


def test_an_unfinished_turn_stays_open():
    current = position("red=- blue=- turn=red card=hidden")
    play_turn(current, parse_turn("1 red flower: n16 ..."))
    assert legal_steps(current) == ["o15", "o17"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("1 blue flower: n16 o15 o17", "expected a turn of red, got one of blue (R3.1)"),
        ("1 red grass: n16", "expected the card flower, got grass"),
        ("1 red flower: n16 o15", "turn 1 cannot end here: the mandatory action is to be finished"),
        ("1 red flower: n16 a1 o17", "turn 1: 'a1' is not possible: a hex beside"),
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
