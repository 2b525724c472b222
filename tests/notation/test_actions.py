"""Cells, steps, actions and turns as text, and the reasons why an action is not legal."""

import pytest
from positions import nomads_position, position, random_positions

from kbai._fast import Step
from kbai.core.errors import IllegalActionError, NotationError
from kbai.game.cells import format_cell
from kbai.game.setup import setup_of
from kbai.game.steps import END, draw_step, next_steps, pack_step, unpack_step
from kbai.notation.actions import (
    format_action,
    format_step,
    legal_actions,
    parse_action,
    parse_step,
)
from kbai.notation.illegal import apply_action, why_illegal
from kbai.notation.names import parse_cell
from kbai.notation.positions import format_line


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
    kinds = setup_of(current).tile_kinds
    slot = {name: index for index, name in enumerate(kinds, start=1)}
    expected = {
        "c7": pack_step(Step.BUILD, 0, parse_cell("c7")),
        "tower:a9": pack_step(Step.BUILD, slot["tower"], parse_cell("a9")),
        "barn:c7-": pack_step(Step.LIFT, slot["barn"], parse_cell("c7")),
        "-d9": pack_step(Step.PUT, 0, parse_cell("d9")),
        "end": END,
        "=flower": -4,
    }
    for text, step in expected.items():
        assert parse_step(current, text) == step
        assert parse_step(current, f" {text.upper()} ") == step
        assert format_step(current, step) == text


def test_steps_of_the_nomads_set_are_written_as_in_the_table_of_the_forms():
    gifts = "gifts=quarry,caravan,village,garden"
    red = f"red=a1/nomads=donation_grass,sword/{gifts}"
    current = nomads_position(f"{red} blue=c7 turn=red card=grass")
    kinds = setup_of(current).tile_kinds
    slot = {name: index for index, name in enumerate(kinds, start=1)}
    c7 = parse_cell("c7")
    expected = {
        "village:c7": pack_step(Step.BUILD, slot["village"], c7),
        "garden:c7": pack_step(Step.BUILD, slot["garden"], c7),
        "caravan:c7-": pack_step(Step.LIFT, slot["caravan"], c7),
        "quarry:c7": pack_step(Step.WALL, slot["quarry"], c7),
        "donation_grass:c7": pack_step(Step.BUILD, slot["donation_grass"], c7),
        "resettlement:c7-": pack_step(Step.LIFT, slot["resettlement"], c7),
        "outpost": pack_step(Step.DECLARE, slot["outpost"]),
        "sword:blue@c7": pack_step(Step.REMOVE, slot["sword"], c7),
        "stop": pack_step(Step.STOP),
    }
    for text, step in expected.items():
        assert parse_step(current, text) == step
        assert parse_step(current, f" {text.upper()} ") == step
        assert format_step(current, step) == text


def test_a_step_of_a_resettlement_is_one_action():
    current = nomads_position("red=a1,a3/nomads=resettlement blue=- turn=red card=grass")
    assert "resettlement:a1-b1" in legal_actions(current)
    apply_action(current, "resettlement:a1-b1")
    assert {"resettlement:b1-c1", "resettlement:a3-a2", "stop"} <= {*legal_actions(current)}
    apply_action(current, "resettlement:a3-a2")
    assert format_line(current).endswith(" doing=resettlement:2")
    apply_action(current, "stop")
    assert format_line(current).endswith(" card=grass")


def test_a_donation_is_finished_without_a_word():
    current = nomads_position("red=a1/nomads=donation_grass blue=- turn=red card=flower")
    for action in ("donation_grass:b1", "donation_grass:c1", "donation_grass:a2"):
        assert "stop" not in legal_actions(current)
        apply_action(current, action)
    assert format_line(current).endswith(" red=a1,b1,c1,a2 blue=- turn=red card=flower")


def test_a_sword_names_whose_settlement_it_takes():
    current = nomads_position("red=a1/nomads=sword blue=e7 green=e5,f5 turn=red card=grass")
    assert [a for a in legal_actions(current) if "sword" in a] == ["sword:blue@e7"]
    apply_action(current, "sword:blue@e7")
    assert legal_actions(current) == ["sword:green@e5", "sword:green@f5"]


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
        "red=n16 blue=o15 turn=red card=flower",
        "o15",
        "a settlement of blue stands on o15 (R4.1)",
    ),
    "occupied by oneself": (
        "red=n16 blue=- turn=red card=flower",
        "n16",
        "a settlement of red stands on n16 (R4.1)",
    ),
    "castle": ("red=- blue=- turn=red card=flower", "d4", "d4 is a castle space (R1.8)"),
    "location": ("red=- blue=- turn=red card=flower", "c7", "c7 is a tavern space (R1.8)"),
    "wrong terrain": (
        "red=- blue=- turn=red card=flower",
        "b1",
        "b1 is desert, the card is flower (R3.2)",
    ),
    "not adjacent": (
        "red=n16 blue=- turn=red card=flower",
        "a1",
        "it has to be beside your own settlements if possible, such as o15 (R4.2)",
    ),
    "tile not in the game": (
        "red=- blue=- turn=red card=flower",
        "tower:a1",
        "there is no tower tile in this game (R3.3)",
    ),
    "tile not held": (
        "red=- blue=- turn=red card=flower",
        "farm:a1",
        "red has no farm tile (R3.3)",
    ),
    "tile used": (
        "red=n16/tiles=farm@m16/used=farm blue=- turn=red card=flower",
        "farm:a1",
        "red has already used the farm tile this turn (R3.3)",
    ),
    "tile gained this turn": (
        "red=n16/tiles=farm@m16/fresh=farm blue=- turn=red card=flower phase=post",
        "farm:a1",
        "red gained the farm tile only this round (R3.4)",
    ),
    "tile within the mandatory action": (
        "red=n16/tiles=farm@m16 blue=- turn=red card=flower phase=build2",
        "farm:a1",
        "first finish the mandatory action (R3.2)",
    ),
    "end before the mandatory action": (
        "red=- blue=- turn=red card=flower",
        "end",
        "first do the mandatory action (R3.2)",
    ),
    "end within the mandatory action": (
        "red=n16 blue=- turn=red card=flower phase=build1",
        "end",
        "first finish the mandatory action (R3.2)",
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
        "it has to be beside your own settlements if possible, such as a2 (R4.2)",
    ),
    "tower on water": (
        "red=-/gifts=tower blue=- turn=red card=flower",
        "tower:a4",
        "a4 is water, the tower tile needs a buildable hex (R6.1)",
    ),
    "tavern without a line": (
        "red=b3,c3,c2/gifts=tavern blue=- turn=red card=flower",
        "tavern:d3",
        "d3 does not continue a straight line of three of your settlements (R6.1)",
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
        "red=c3 blue=- turn=red card=flower",
        "-d3",
        "no piece has been lifted (R4.4)",
    ),
    "building with a piece in hand": (
        "red=c3/gifts=paddock blue=- turn=red card=flower lift=paddock@c3",
        "d3",
        "first put down the piece on c3 (R4.4)",
    ),
    "building before the card is turned up": (
        "red=- blue=- turn=red card=hidden",
        "d3",
        "first turn up a card, as in =flower",
    ),
    "turning up a second card": (
        "red=- blue=- turn=red card=flower",
        "=grass",
        "there is no card to turn up now (R3.1)",
    ),
    "turning up a card that is gone": (
        "red=- blue=- turn=red card=hidden discard=grass:5",
        "=grass",
        "no grass card is left to turn up (R2.1)",
    ),
    "after the end": ("red=- blue=- phase=over", "d3", "the game is over (R9.1)"),
}


QUARRY = "red=a1/used=quarry/gifts=quarry blue=- turn=red card=grass doing=quarry:1 walls=b1"
SWORD = "red=a1/nomads=sword blue=e7 green=e5 turn=red card=grass"
# Position on the board of the Nomads quadrants, action, part of the sentence.
ILLEGAL_WITH_NOMADS = {
    "nomad space": ("red=- blue=- turn=red card=grass", "c6", "c6 is a nomad space (R1.8)"),
    "wall in the way": (
        "red=a1 blue=- turn=red card=grass walls=b1", "b1", "a stone wall stands on b1 (R6.2)"
    ),
    "wall on a wall": (QUARRY, "quarry:b1", "a stone wall stands on b1 (R6.2)"),
    "wall not beside": (QUARRY, "quarry:b2", "b2 is not beside any of your settlements (R6.2)"),
    "wall on another terrain": (
        "red=a5/gifts=quarry blue=- turn=red card=grass",
        "quarry:a4",
        "a4 is flower, the card is grass (R3.2)",
    ),
    "wall without a card": (
        "red=a1/gifts=quarry blue=- turn=red card=none phase=post",
        "quarry:b1",
        "there is no terrain card this turn (R3.5)",
    ),
    "move with a quarry": (
        "red=a1/gifts=quarry blue=- turn=red card=grass",
        "quarry:a1-b1",
        "the quarry tile lays a stone wall, as in quarry:c7 (R6.2)",
    ),
    "house within a quarry": (
        QUARRY, "a2", "first finish the quarry, or end it with the word stop (R3.3)"
    ),
    "end within a quarry": (
        QUARRY, "end", "first finish the quarry, or end it with the word stop (R3.3)"
    ),
    "nothing to stop": (
        "red=a1 blue=- turn=red card=grass",
        "stop",
        "there is no action under way that could be stopped (R3.3)",
    ),
    "caravan halfway": (
        "red=a1/gifts=caravan blue=- turn=red card=grass",
        "caravan:a1-b1",
        "b1 is not where a straight line of free buildable hexes ends (R6.2)",
    ),
    "village beside two": (
        "red=a1,b1/gifts=village blue=- turn=red card=grass",
        "village:a2",
        "a2 is not beside three of your settlements (R6.2)",
    ),
    "garden elsewhere than on flowers": (
        "red=a1/gifts=garden blue=- turn=red card=grass",
        "garden:b1",
        "b1 is grass, the garden tile needs flower (R6.2)",
    ),
    "garden not beside": (
        "red=a5/gifts=garden blue=- turn=red card=grass",
        "garden:t1",
        "it has to be beside your own settlements if possible, such as a4 (R4.2)",
    ),
    "donation of another terrain": (
        "red=a1/nomads=donation_water blue=- turn=red card=grass gone=h6",
        "donation_water:b1",
        "b1 is grass, the donation_water tile needs water (R7.1)",
    ),
    "donation stopped": (
        "red=a1,b1 blue=- turn=red card=grass doing=donation_grass:2",
        "stop",
        "first finish the donation_grass, houses left: 2 (R7.1)",
    ),
    "donation not beside": (
        "red=a1,b1 blue=- turn=red card=grass doing=donation_grass:2",
        "donation_grass:t20",
        "it has to be beside your own settlements if possible, such as c1 (R4.2)",
    ),
    "nomad tile not held": (
        "red=a1 blue=- turn=red card=grass", "sword:blue@a2", "there is no settlement of blue on a2"
    ),
    "nomad tile gained this turn": (
        "red=a1/fresh=sword/nomads=sword blue=e7 turn=red card=grass phase=post",
        "sword:blue@e7",
        "red gained the sword tile only this round (R3.4)",
    ),
    "nomad tile within the mandatory action": (
        "red=a1/nomads=sword blue=e7 turn=red card=grass phase=build2 built=a1",
        "sword:blue@e7",
        "first finish the mandatory action (R3.2)",
    ),
    "resettlement by two": (
        "red=a1/nomads=resettlement blue=- turn=red card=grass",
        "resettlement:a1-c1",
        "c1 is not beside the piece (R7.1)",
    ),
    "resettlement onto water": (
        "red=c1/nomads=resettlement blue=- turn=red card=grass",
        "resettlement:c1-d1",
        "d1 is water, the resettlement tile needs a buildable hex (R7.1)",
    ),
    "house with a resettlement": (
        "red=c1/nomads=resettlement blue=- turn=red card=grass",
        "resettlement:d1",
        "the resettlement tile moves a piece by a step, as in resettlement:c7-d7 (R7.1)",
    ),
    "sword out of turn": (
        SWORD, "sword:green@e5", "first take a settlement of blue with the sword (R7.1)"
    ),
    "sword at oneself": (SWORD, "sword:red@a1", "the settlement on a1 is your own (R7.1)"),
    "sword at another seat": (
        SWORD, "sword:blue@e5", "there is no settlement of blue on e5 (R7.1)"
    ),
    "sword not finished": (
        "red=a1 blue=e7 green=e5 turn=red card=grass doing=sword:green",
        "a2",
        "first take a settlement of green with the sword (R7.1)",
    ),
    "outpost not held": (
        "red=a1 blue=- turn=red card=grass", "outpost", "red has no outpost tile (R3.3)"
    ),
    "outpost gained this turn": (
        "red=a1/fresh=outpost/nomads=outpost blue=- turn=red card=grass phase=build2 built=a1",
        "outpost",
        "red gained the outpost tile only this round (R3.4)",
    ),
    "outpost for nothing": (
        "red=a1/nomads=outpost blue=- turn=red card=grass phase=post",
        "outpost",
        "there is no house to build for which an outpost could help (R7.1)",
    ),
    "outpost twice": (
        "red=a1/nomads=outpost blue=- turn=red card=grass outpost=true gone=n4",
        "outpost",
        "first place the house that the outpost was declared for (R7.1)",
    ),
    "outpost for a move": (
        "red=a1/gifts=caravan blue=- turn=red card=grass outpost=true",
        "caravan:a1-c1",
        "first place the house that the outpost was declared for (R7.1)",
    ),
    "outpost for a village": (
        "red=a1,b1,c1/gifts=village blue=- turn=red card=grass outpost=true",
        "village:a2",
        "first place the house that the outpost was declared for (R7.1)",
    ),
    "outpost for another terrain": (
        "red=a1 blue=- turn=red card=grass outpost=true",
        "a4",
        "a4 is flower, the card is grass (R3.2)",
    ),
    "tile of the other box": (
        "red=a1 blue=- turn=red card=grass", "donation_desert:a1",
        "there is no donation_desert tile in this game (R3.3)"
    ),
    "treasure": ("red=a1 blue=- turn=red card=grass", "treasure:a1", "red has no treasure tile"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("rest", "action", "reason"), ILLEGAL_WITH_NOMADS.values(), ids=ILLEGAL_WITH_NOMADS
)
def test_an_illegal_action_with_nomads_is_refused_with_its_rule(rest, action, reason):
    with pytest.raises(IllegalActionError) as caught:
        apply_action(nomads_position(rest), action)
    assert str(caught.value).startswith(f"'{action}' is not possible: {reason}")


def test_a_26th_wall_is_refused():
    columns, rows = "abcdefghijklm", (11, 13)
    land = [f"{c}{r}" for r in rows for c in columns]
    game = "kb1 map=" + "/".join(["G" * 20] * 20) + " cards=lords"
    walls = ",".join(land[:25])
    rest = f"red=a12/gifts=quarry blue=- turn=red card=grass walls={walls}"
    with pytest.raises(IllegalActionError, match="all 25 stone walls are on the board"):
        apply_action(position(rest, game), "quarry:b12")


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


@pytest.mark.slow
def test_a_step_is_explained_exactly_if_it_is_illegal():
    for current in random_positions(4, share=0.03):
        legal = {*next_steps(current)}
        n_slots = len(current.board.tiles) + 1
        steps = [END, pack_step(Step.STOP), *map(draw_step, range(5))]
        steps += [pack_step(Step.DECLARE, slot) for slot in range(1, n_slots)]
        for cell in range(0, 400, 3):
            steps += [pack_step(Step.BUILD, slot, cell) for slot in range(n_slots)]
            for kind in (Step.LIFT, Step.WALL, Step.REMOVE):
                steps += [pack_step(kind, slot, cell) for slot in range(1, n_slots)]
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
    "sword:c7": "expected the seat and the cell of its settlement, as in sword:blue@c7, got 'sword",
    "sword:blu@c7": "unknown seat 'blu'; did you mean 'blue'?",
    "sword:blue@z7": "expected a cell from a1 to t20, got 'z7'",
    "sword": "expected a cell",
    "barn:blue@c7": "expected a cell",
    "outpost:c7": "expected 'outpost' alone, before the placement it is for, got 'outpost:c7'",
    "donation:c7": "unknown tile 'donation'; did you mean 'donation_",
    "stop:c7": "unknown tile 'stop'",
}


@pytest.mark.parametrize(("text", "sentence"), MALFORMED.items())
def test_what_is_no_action_is_refused(text, sentence):
    with pytest.raises(NotationError) as caught:
        apply_action(position("red=- blue=- turn=red card=flower"), text)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [("N16", "n16"), ("BARN:c7-D9", "barn:c7-d9"), ("Tower:A09", "tower:a9"), ("-D9", "-d9"),
     ("barn:C7-", "barn:c7-"), ("=Flowers", "=flower"), ("END", "end"), ("Stop", "stop"),
     ("OUTPOST", "outpost"), ("Sword:Blue@C07", "sword:blue@c7"), ("quarry:C7", "quarry:c7"),
     ("Resettlement:C7-D7", "resettlement:c7-d7"), ("Donation_Water:a4", "donation_water:a4")],
)  # fmt: skip
def test_an_action_has_one_canonical_text(text, canonical):
    assert format_action(text) == canonical
    assert format_action(canonical) == canonical
