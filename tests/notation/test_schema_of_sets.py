"""What a position's dict may hold of the later sets, what follows, and what contradicts itself."""

import pytest
from mixed import LOCATIONS, ROWS
from refusals import check_refused

from kbai.core.errors import NotationError
from kbai.game.setup import setup_of
from kbai.notation.actions import legal_actions
from kbai.notation.positions import format_line, parse_position
from kbai.notation.schema import position_from_dict, position_to_dict


def describe(red=None, blue=None, **keys):
    """Return a dict of a two-seat position on the board with something of every set."""
    data = {
        "map": list(ROWS),
        "locations": LOCATIONS.split(","),
        "island": "kbai_rope_bridge",
        "caves": ["n11"],
        "capitols": ["m8"],
        "nomads": ["outpost@q2"],
        "cards": ["mayors", "rovers"],
        "tasks": ["road", "advance"],
        "turn": "red",
        "card": "flower",
        "seat": {
            "red": {"settlements": []} | (red or {}),
            "blue": {"settlements": []} | (blue or {}),
        },
    } | keys
    return {key: value for key, value in data.items() if value is not None}


def read(*args, **keys):
    return position_from_dict(describe(*args, **keys))


# Each canonical, so it must come back as it is: what it has, and what is changed on the board.
CANONICAL = {
    "board": describe(),
    "no island, caves, capitols, tasks": describe(
        island=None, caves=None, capitols=None, tasks=None
    ),
    "island cells": describe(red={"settlements": ["a1", "~a3", "~f4"]}),
    "scouted": describe(cards=["scouts"], scouted="desert"),
    "figures": describe(
        red={
            "settlements": ["a13"],
            "gifts": ["lighthouse", "barracks", "city_hall", "wagon"],
            "warriors": ["c13", "f13"],
            "wagon": "k12",
            "ship": "a12",
            "hall": "d17",
        }
    ),
    "figures in the reserve": describe(red={"settlements": [], "gifts": ["barracks", "wagon"]}),
    "ship on land": describe(red={"settlements": [], "gifts": ["lighthouse"], "ship": "a13"}),
    "tokens": describe(
        red={"settlements": [], "gifts": ["cathedral"], "tokens": 3},
        blue={"settlements": ["l2"], "tiles": ["cathedral@k2"], "tokens": 0},
    ),
    "temple": describe(red={"settlements": [], "temple": 2}, blue={"settlements": [], "temple": 1}),
    "temple houses put there in this turn": describe(
        red={"settlements": [], "temple": 2}, owed=1
    ),
    "families and a marsh card of two houses": describe(
        red={"settlements": ["a4"]},
        cards=["families"], card="marsh_grass", terrain="marsh", phase="build1", built=["a4"],
    ),
    "families and temple houses": describe(
        red={"settlements": ["a13"], "temple": 1}, cards=["families"], phase="build0"
    ),
    "temple houses to build": describe(red={"settlements": [], "temple": 1}, phase="build0"),
    "mayors": describe(
        red={"settlements": [], "mayors": ["3", "20", "~2"]},
        blue={"settlements": [], "mayors": ["4"]},
    ),
    "roved": describe(
        red={"settlements": [], "roved": ["1", "4"], "gold": {"rovers": 5}},
        blue={"settlements": [], "roved": ["3"]},
    ),
    "hidden cards": describe(
        red={"settlements": [], "gifts": ["crossroads"]},
        blue={"settlements": [], "hidden": 2},
    ),
    "cards half turned up": describe(
        red={"settlements": [], "gifts": ["crossroads"], "hidden": 2},
        card="hidden",
        hand={"grass": 1},
    ),
    "cards to choose from": describe(
        red={"settlements": [], "gifts": ["crossroads"]},
        card="choose",
        hand={"grass": 1, "marsh_flower": 1},
    ),
    "card chosen": describe(
        red={"settlements": [], "gifts": ["crossroads"]}, hand={"grass": 1, "flower": 1}
    ),
    "marsh card": describe(card="marsh_grass"),
    "marsh half": describe(card="marsh_grass", terrain="marsh"),
    "other half": describe(card="marsh_grass", terrain="grass"),
    "identical cards": describe(
        red={"settlements": [], "gifts": ["crossroads"]},
        options={"crossroads_identical_any": True},
        hand={"flower": 1},
        terrain="desert",
    ),
    "wagon under way": describe(
        red={"settlements": [], "used": ["wagon"], "gifts": ["wagon"], "wagon": "a13"},
        doing="wagon:2",
    ),
    "wagon on its way without its tile": describe(
        red={"settlements": [], "wagon": "a13"},
        blue={"settlements": [], "gifts": ["wagon"]},
        doing="wagon:2",
    ),
    "ship under way": describe(
        red={"settlements": [], "used": ["lighthouse"], "gifts": ["lighthouse"], "ship": "a12"},
        doing="lighthouse:1",
    ),
    "wagon lifted": describe(
        red={"settlements": [], "gifts": ["wagon"], "wagon": "a13"}, lift="wagon@a13"
    ),
    "fort to draw": describe(
        red={"settlements": [], "used": ["fort"], "gifts": ["fort"]}, doing="fort:draw"
    ),
    "fort to build": describe(
        red={"settlements": [], "used": ["fort"], "gifts": ["fort"]}, doing="fort:marsh_desert"
    ),
    "cathedral under way": describe(
        red={"settlements": ["a13"], "used": ["cathedral"], "gifts": ["cathedral"], "tokens": 2},
        doing="cathedral:2",
    ),
    "scouts": describe(
        red={"settlements": ["a12"], "used": ["scout_cabin"], "gifts": ["scout_cabin"]},
        scouts=["a11"],
        doing="scout_cabin:1",
    ),
    "repeat": describe(
        red={"settlements": ["a13"], "used": ["bazaar"], "gifts": ["tower", "bazaar"]},
        repeat="tower",
    ),
    "reacting": describe(
        red={"settlements": ["a13"]},
        blue={"settlements": ["o2"], "tiles": ["canoe@n2"]},
        reacting=["red:blue"],
    ),
    "canoe used": describe(
        blue={"settlements": ["o2"], "tiles": ["canoe@n2"], "used": ["canoe"]}
    ),
    "bonus used": describe(
        red={
            "settlements": ["f2", "i2"],
            "tiles": ["temple@e2", "temple@h2"],
            "used": ["farmland"],
            "fresh": ["temple_bonus"],
        }
    ),
    "bonus as a gift": describe(
        red={"settlements": [], "used": ["refuge_bonus"], "gifts": ["refuge_bonus"]}
    ),
    "silo": describe(red={"settlements": ["e8"]}, phase="silo", card=None, final=True),
    "silo action left": describe(phase="silo", card=None, silos=1, final=True),
    "silo under way": describe(
        red={"settlements": ["a1", "e8"]},
        phase="silo", card=None, doing="silo_move:2", silos=0, final=True,
    ),
    "silo builds": describe(
        red={"settlements": ["e8"]},
        phase="silo", card=None, doing="silo_build:1", silos=0, final=True,
    ),
    "silo lifted": describe(
        red={"settlements": ["a1", "e8"]}, phase="silo", card=None, lift="silo@a1", final=True
    ),
    "tile kept after the last turn": describe(
        red={"settlements": ["e8"], "tiles": ["temple@h2"]}, phase="silo", card=None, final=True
    ),
    "tile not taken after the last turn": describe(
        red={"settlements": ["f2"], "tiles": []}, phase="silo", card=None, silos=1, final=True
    ),
    "nomad tile not taken after the last turn": describe(
        red={"settlements": ["r2"]}, phase="silo", card=None, silos=1, final=True
    ),
    "donation short of a house that marks a row": describe(
        red={"settlements": ["a13"], "mayors": ["1"], "supply": 1}, doing="donation_flower:2"
    ),
    "hidden cards held": describe(
        red={"settlements": [], "gifts": ["crossroads"]},
        blue={"settlements": [], "hidden": 3},
        held=[
            {"seats": ["blue", "blue"], "cards": {"grass": 1, "desert": 1}},
            {"seats": ["blue"], "cards": {"forest": 1}},
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("data", CANONICAL.values(), ids=CANONICAL)
def test_a_position_comes_back_from_its_dict(data):
    current = position_from_dict(data)
    assert position_to_dict(current) == data
    current.check()


def test_lists_may_be_texts_numbers_and_in_any_case():
    red = {"settlements": "A1", "gifts": "Barracks", "warriors": "C13,f13", "mayors": [20, 3]}
    untidy = read(red=red | {"roved": 4}, caves="N11", capitols=["M8"], tasks="Advance, ROAD")
    tidy = read(
        red={"settlements": ["a1"], "gifts": ["barracks"], "warriors": ["c13", "f13"]}
        | {"mayors": "3 20", "roved": "4"}
    )
    assert untidy == tidy
    assert read(island="KBAI_Rope_Bridge") == read()
    assert read(card="Grass / Marsh") == read(card="marsh_grass")
    crossroads = {"settlements": [], "gifts": "crossroads"}
    assert read(red=crossroads, hand="grass") == read(red=crossroads, hand={"grass": 1})


def seat_fields(position, seat=0):
    return position.fields()["seats"][seat]


def test_supply_is_what_is_nowhere_else():
    red = {"settlements": "a1 b1", "temple": 3, "mayors": "1 2", "gifts": "barracks"}
    position = read(red=red | {"warriors": "d13"})
    assert seat_fields(position)["supply"] == 40 - 2 - 3 - 2


def test_what_is_on_temples_is_owed_until_the_mandatory_action_is_done():
    red = {"settlements": "", "temple": 2}
    assert read(red=red).fields()["owed"] == 2
    assert read(red=red, phase="build1").fields()["owed"] == 2
    assert read(red=red, phase="post").fields()["owed"] == 0
    assert read(blue=red).fields()["owed"] == 0


def test_a_cathedral_tile_from_a_space_brings_a_token():
    assert seat_fields(read(red={"settlements": "l2"}))["tokens"] == 1
    assert seat_fields(read(red={"settlements": "", "gifts": "cathedral"}))["tokens"] == 0
    assert seat_fields(read())["tokens"] == 0


@pytest.mark.parametrize(
    "piece",
    [{"settlements": "f2"}, {"wagon": "f2"}, {"ship": "f2"}, {"warriors": "f2"}, {"hall": "f4"}],
    ids=str,
)
def test_figures_and_city_halls_take_tiles_like_houses(piece):
    gifts = {"settlements": "", "gifts": "lighthouse barracks city_hall wagon"}
    data = position_to_dict(read(red=gifts | piece))
    assert data["seat"]["red"]["tiles"] == ["temple@e2"]


def test_two_tiles_of_a_kind_bring_the_bonus_tile():
    def ready(*args, **keys):
        position = read(*args, **keys)
        kinds = setup_of(position).tile_kinds
        return seat_fields(position)["ready"][kinds.index("temple_bonus")]

    assert ready(red={"settlements": "f2 i2"}) == 1
    assert ready(red={"settlements": "f2"}) == 0
    assert ready(red={"settlements": "f2", "gifts": "temple"}) == 0
    assert ready(red={"settlements": "f2 i2", "gifts": "temple_bonus"}) == 2


def test_silos_beside_settlements_are_counted():
    def silos(cells):
        return read(red={"settlements": cells}, phase="silo", card=None).fields()["silos"]

    assert [silos("a1"), silos("e8 g8"), silos("e8 i8"), silos("k8")] == [0, 1, 2, 1]


def test_hidden_cards_are_one_unless_something_else_is_said():
    def hidden(**keys):
        return [seat["hidden"] for seat in read(**keys).fields()["seats"]]

    assert hidden() == [0, 1]
    assert hidden(card="hidden") == [1, 1]
    assert hidden(card="none", nocard="blue") == [0, 0]
    assert hidden(phase="silo", card=None) == [1, 1]
    assert hidden(phase="silo", card=None, nocard="red") == [0, 1]
    assert hidden(phase="over", card=None, turn=None) == [1, 1]


def test_a_marsh_card_has_its_other_half_where_there_is_no_marsh():
    rows = [row.replace("S", "W") for row in ROWS]
    data = describe(map=rows, island=None, card="marsh_flower")
    data["options"] = {"marsh_cards_always": True}
    position = position_from_dict(data)
    assert position_to_dict(position)["terrain"] == "flower"
    with pytest.raises(NotationError, match="expected the terrain flower with the card"):
        position_from_dict(data | {"terrain": "marsh"})


def test_the_last_round_is_fixed_by_a_supply_without_temple_houses():
    assert read(blue={"settlements": "", "supply": 0}).fields()["final"]
    assert not read(blue={"settlements": "", "supply": 0, "temple": 1}).fields()["final"]


def test_a_void_mandatory_action_waits_for_temple_houses():
    red = {"settlements": "", "supply": 0}
    assert position_to_dict(read(red=red))["phase"] == "post"
    assert "phase" not in position_to_dict(read(red=red | {"temple": 1}))


def test_a_hex_beside_a_warrior_is_not_free():
    rows = [*ROWS[:12], "FF" + "G" * 18, *["G" * 20] * 7]
    red = {"settlements": "", "gifts": "barracks", "warriors": "a13"}
    with pytest.raises(NotationError, match="got 'flower', whose hexes are all taken"):
        read(map=rows, red=red, island=None)
    assert read(map=rows, red=red)  # there are flowers on the island


def test_settlements_may_stand_on_mountains_where_a_fountain_may_be():
    with pytest.raises(NotationError, match="'k11', a mountain"):
        read(red={"settlements": "k11"}, nomads=None, map=[r.replace("n", "G") for r in ROWS])
    red = {"settlements": "k11", "gifts": "fountain_bonus"}
    assert read(red=red, nomads=None, map=[row.replace("n", "G") for row in ROWS])


def test_a_wall_may_lie_on_farmland_where_any_terrain_may_stand_for_a_card():
    assert read(walls="k4", options={"exhausted_any_hex": True}).fields()["walls"]


def test_steps_follow_from_what_is_under_way():
    silo = read(red={"settlements": ["e8"]}, phase="silo", card=None, doing="silo_build:1")
    assert {"silo:e7", "stop"} <= {*legal_actions(silo)}
    fort = read(red={"settlements": "", "used": "fort", "gifts": "fort"}, doing="fort:canyon")
    assert {"fort:a20", "fort:t19", "fort:~b1"} <= {*legal_actions(fort)}
    assert "fort:a1" not in legal_actions(fort)
    blue = {"settlements": "o2"}
    assert "pass:blue" in legal_actions(read(blue=blue, reacting="red:blue"))


FIGURES = "lighthouse barracks city_hall wagon"
CARDS = {"settlements": "", "gifts": "crossroads"}
AT_END = {"move_tiles": "at_end"}
SILO = {"phase": "silo", "card": None}
# Changed data, path and token of the error, part of its sentence.
BAD = {
    "unknown island": (
        describe(island="kbai_rope"), ("island",), "kbai_rope",
        "unknown island 'kbai_rope'; did you mean 'kbai_rope_bridge'?",
    ),
    "two islands": (
        describe(island="kbai_rope_bridge kbai_tree_house"), ("island",), "kbai_tree_house",
        "expected one island, got 'kbai_tree_house' as another",
    ),
    "cave in a meadow": (
        describe(caves="n11 a1"), ("caves", 1), "a1",
        "expected a mountain of the board for a cave, got 'a1'",
    ),
    "cave twice": (
        describe(caves="n11 N11"), ("caves", 1), "n11", "expected one cave on each cell, got 'n11'",
    ),
    "cave on the island": (
        describe(caves="~a3"), ("caves", 0), "~a3", "expected a mountain of the board for a cave",
    ),
    "capitol beside a castle": (
        describe(capitols="m9"), ("capitols", 0), "m9",
        "expected a castle of the board for a capitol, got 'm9'",
    ),
    "unknown task": (
        describe(tasks="raod"), ("tasks",), "raod", "unknown task 'raod'; did you mean 'road'?",
    ),
    "task twice": (
        describe(tasks=["road", "road"]), ("tasks", 1), "road",
        "expected each task once, got 'road' twice",
    ),
    "scouted without the card": (
        describe(scouted="grass"), ("scouted",), "grass",
        "expected a terrain taken out only with the card 'scouts', got 'grass'",
    ),
    "scouts without a terrain": (
        describe(cards=["scouts"]), ("scouted",), "", "expected the terrain taken out for the card",
    ),
    "scouted marsh": (
        describe(cards=["scouts"], scouted="marsh"), ("scouted",), "marsh",
        "unknown terrain with cards 'marsh'",
    ),
    "scouted card in a pile": (
        describe(cards=["scouts"], scouted="grass", discard="marsh_grass"), ("discard",),
        "marsh_grass", "expected at most 0 marsh_grass cards in the game, got 1",
    ),
    "sea": (
        describe(red={"settlements": "~a1"}), ("seat", "red", "settlements"), "~a1",
        "expected a hex of this board, got '~a1', where there is none",
    ),
    "beyond the island": (
        describe(red={"settlements": "~k1"}), ("seat", "red", "settlements"), "~k1",
        "expected a cell from ~a1 to ~j5, got '~k1'",
    ),
    "no island": (
        describe(red={"settlements": "~b1"}, island=None), ("seat", "red", "settlements"), "~b1",
        "expected a hex of this board, got '~b1', where there is none",
    ),
    "on a palace": (
        describe(red={"settlements": "c8"}), ("seat", "red", "settlements"), "c8",
        "a palace space",
    ),
    "on a silo": (
        describe(red={"settlements": "f8"}), ("seat", "red", "settlements"), "f8", "a silo space",
    ),
    "warrior without barracks": (
        describe(red={"warriors": "a1"}), ("seat", "red", "warriors"), "a1",
        "expected 'warriors' only with barracks tiles, which are not in this game (R6.3)",
    ),
    "wagon without its tile": (
        describe(red={"wagon": "a1"}), ("seat", "red", "wagon"), "a1",
        "expected 'wagon' only with wagon tiles",
    ),
    "ship without a lighthouse": (
        describe(red={"ship": "a12"}), ("seat", "red", "ship"), "a12",
        "expected 'ship' only with lighthouse tiles",
    ),
    "hall without its tile": (
        describe(red={"hall": "d17"}), ("seat", "red", "hall"), "d17",
        "expected 'hall' only with city_hall tiles",
    ),
    "three warriors": (
        describe(red={"gifts": "barracks", "warriors": "a1 d1 g1"}), ("seat", "red", "warriors"),
        "g1", "expected at most 2 warriors of red, got 'g1' as another",
    ),
    "two wagons": (
        describe(red={"gifts": "wagon", "wagon": "a1 d1"}), ("seat", "red", "wagon"), "d1",
        "expected one wagon of red, got 'd1' as another",
    ),
    "warrior on a mountain": (
        describe(red={"gifts": "barracks", "warriors": "k11"}), ("seat", "red", "warriors"), "k11",
        "expected a hex to build on, got 'k11', a mountain",
    ),
    "house and warrior on a hex": (
        describe(red={"settlements": "a1", "gifts": "barracks", "warriors": "a1"}),
        ("seat", "red", "warriors"), "a1",
        "expected one piece on a1, got a house and a warrior of red (R4.1)",
    ),
    "two seats on a hex": (
        describe(red={"settlements": "a1", "gifts": "wagon"}, blue={"wagon": "a1"}),
        ("seat", "blue", "wagon"), "a1",
        "expected one piece on a1, got a house of red and a wagon of blue (R4.1)",
    ),
    "house within a city hall": (
        describe(red={"gifts": "city_hall", "hall": "d17"}, blue={"settlements": "d16"}),
        ("seat", "blue", "settlements"), "d16",
        "expected one piece on d16, got a city hall of red and a house of blue (R4.1)",
    ),
    "ship on land by its own tile": (
        describe(red={"gifts": "lighthouse", "ship": "a1"},
                 options={"figure_moves": "own_tile"}),
        ("seat", "red", "ship"), "a1",
        "expected the ship where its own tile leads, got 'a1', grass",
    ),
    "hall on the edge": (
        describe(red={"gifts": "city_hall", "hall": "a17"}), ("seat", "red", "hall"), "a17",
        "expected the centre of seven hexes for the city hall, got 'a17' (R6.3)",
    ),
    "hall in the sea": (
        describe(red={"gifts": "city_hall", "hall": "~j3"}), ("seat", "red", "hall"), "~j3",
        "expected the centre of seven hexes for the city hall, got '~j3' (R6.3)",
    ),
    "hall on water": (
        describe(red={"gifts": "city_hall", "hall": "d13"}), ("seat", "red", "hall"), "d13",
        "expected seven buildable hexes for the city hall around 'd13', got c12, water (R6.3)",
    ),
    "hall on a castle": (
        describe(red={"gifts": "city_hall", "hall": "c3"}), ("seat", "red", "hall"), "c3",
        "got c2, a castle space (R6.3)",
    ),
    "wall within a hall": (
        describe(red={"gifts": "city_hall", "hall": "d17"}, walls="d16"), ("walls",), "d16",
        "expected one thing on d16, got a wall and a city hall of red (R4.1)",
    ),
    "wall on farmland": (
        describe(walls="k4"), ("walls",), "k4",
        "expected a wall on a hex of a card's terrain, got 'k4', farmland (R6.2)",
    ),
    "wall in the sea": (
        describe(walls="~a1"), ("walls",), "~a1",
        "expected a wall on a hex of a card's terrain, got '~a1', where there is none (R6.2)",
    ),
    "tokens without a tile": (
        describe(red={"tokens": 1}), ("seat", "red", "tokens"), "",
        "expected no tokens for red, who holds no cathedral tile, got 1",
    ),
    "too many houses": (
        describe(red={"settlements": "a1", "temple": 2, "supply": 38}), ("seat", "red", "supply"),
        "", "got 1 on the board and 2 on temple tiles and 38 in supply (R2.1)",
    ),
    "mayors without the card": (
        describe(red={"mayors": "1"}, cards=["rovers"]), ("seat", "red", "mayors"), "1",
        "expected 'mayors' only with the card mayors, which is not in play (R8.8)",
    ),
    "row beyond the board": (
        describe(red={"mayors": "21"}), ("seat", "red", "mayors"), "21",
        "expected rows from 1 to 20, or ~1 to ~5 on the island, got '21'",
    ),
    "row of no island": (
        describe(red={"mayors": "~2"}, island=None), ("seat", "red", "mayors"), "~2",
        "expected rows of this board, which has no island, got '~2'",
    ),
    "row twice": (
        describe(red={"mayors": "2 2"}), ("seat", "red", "mayors"), "2", "expected each row once",
    ),
    "row of two seats": (
        describe(red={"mayors": "2"}, blue={"mayors": "2"}), ("seat", "blue", "mayors"), "2",
        "expected each row marked once in 'mayors', got one by red and blue (R8.8)",
    ),
    "roved without the card": (
        describe(red={"roved": "1"}, cards=["mayors"]), ("seat", "red", "roved"), "1",
        "expected 'roved' only with the card rovers",
    ),
    "fifth quadrant": (
        describe(red={"roved": "5"}), ("seat", "red", "roved"), "5",
        "expected quadrants from 1 to 4, got '5'",
    ),
    "gold of rovers without the card": (
        describe(red={"gold": "rovers:1"}, cards=["mayors"]), ("seat", "red", "gold"), "rovers",
        "expected gold from cards in play, got some from rovers",
    ),
    "farmland as a gift": (
        describe(red={"gifts": "farmland"}), ("seat", "red", "gifts"), "farmland",
        "expected tiles as gifts, got 'farmland', which needs no tile",
    ),
    "bonus without two tiles": (
        describe(red={"settlements": "f2", "fresh": "temple_bonus"}), ("seat", "red", "fresh"),
        "temple_bonus", "expected no more temple_bonus tiles fresh than red holds (0)",
    ),
    "bonus that is never used": (
        describe(red={"settlements": "f2 i2", "used": "temple_bonus"}), ("seat", "red", "used"),
        "temple_bonus", "got 'temple_bonus', which works without being used",
    ),
    "silo used": (
        describe(red={"used": "silo"}), ("seat", "red", "used"), "silo",
        "got 'silo', which is for after the last turn",
    ),
    "fresh canoe": (
        describe(red={"settlements": "o2", "fresh": "canoe"}), ("seat", "red", "fresh"), "canoe",
        "got 'canoe', which is ready at once",
    ),
    "fresh farmland": (
        describe(red={"fresh": "farmland"}), ("seat", "red", "fresh"), "farmland",
        "got 'farmland', which needs no tile",
    ),
    "farmland used in another's turn": (
        describe(blue={"used": "farmland"}), ("seat", "blue", "used"), "farmland",
        "expected used tiles only for the seat whose turn it is, got some for blue",
    ),
    "hand without crossroads": (
        describe(hand="grass:1"), ("hand",), "grass:1",
        "expected 'hand' only with crossroads tiles, which are not in this game",
    ),
    "nothing to choose from": (
        describe(red=CARDS, card="choose", hand="grass:1"), ("card",), "choose",
        "expected several cards in 'hand' to choose from, got grass (R3.6)",
    ),
    "equal cards leave no choice": (
        describe(red=CARDS, card="choose", hand="grass:2"), ("card",), "choose",
        "expected several cards in 'hand' to choose from, got grass (R3.6)",
    ),
    "half that is not on the card": (
        describe(card="marsh_grass", terrain="desert"), ("terrain",), "desert",
        "expected the terrain marsh or grass with the card marsh_grass, got 'desert' (R3.6)",
    ),
    "terrain before the choice": (
        describe(red=CARDS, card="choose", hand="grass:1 desert:1", terrain="grass"), ("terrain",),
        "grass", "expected a terrain card with the terrain 'grass', got 'choose'",
    ),
    "six cards": (
        describe(red=CARDS, hand="flower:5"), ("card",), "flower",
        "expected at most 5 flower cards in the game, got 6 (card 1, hand 5; R2.1)",
    ),
    "two marsh cards of a kind": (
        describe(discard="marsh_grass:2"), ("discard",), "marsh_grass:2",
        "expected at most 1 marsh_grass cards in the game, got 2",
    ),
    "hidden without crossroads": (
        describe(blue={"hidden": 2}), ("seat", "blue", "hidden"), "",
        "expected one hidden card, as there are no crossroads tiles in this game, got 2",
    ),
    "hidden though turned up": (
        describe(red=CARDS | {"hidden": 2}), ("seat", "red", "hidden"), "",
        "expected no hidden cards of red, which have been turned up",
    ),
    "hidden and nocard": (
        describe(red=CARDS, blue={"hidden": 2}, nocard="blue"), ("seat", "blue", "hidden"), "",
        "expected blue in 'nocard' or with hidden cards, got both",
    ),
    "hidden none": (
        describe(blue={"hidden": 0}), ("seat", "blue", "hidden"), "",
        "expected blue in 'nocard' rather than hidden = 0",
    ),
    "held twice with one card": (
        describe(held=[{"seats": "blue", "cards": "grass"}, {"seats": "blue", "cards": "grass"}]),
        ("held",), "", "expected no more cards of blue in 'held' than the 1 hidden ones, got 2",
    ),
    "owed above temple": (
        describe(red={"temple": 1}, owed=2), ("owed",), "",
        "expected at most the 1 houses of red on temple tiles, got 2 (R6.4)",
    ),
    "owed when done": (
        describe(red={"temple": 1}, owed=1, phase="post"), ("owed",), "",
        "expected no temple house owed once the mandatory action is done, got 1",
    ),
    "build0 with nothing owed": (
        describe(phase="build0"), ("phase",), "build0",
        "expected the phase build0 only with temple houses of red owed (R6.4)",
    ),
    "built when only temple houses are to go": (
        describe(red={"settlements": "a13", "temple": 1}, cards=["families"], phase="build0",
                 built="a13"),
        ("built",), "a13", "expected 'built' only within the mandatory action and with families",
    ),
    "moved without the option": (
        describe(red={"settlements": "a13"}, doing="resettlement:3", moved="a13"),
        ("moved",), "a13",
        "expected 'moved' only while a resettlement is under way, with the option "
        "move_tiles:at_end (R7.1)",
    ),
    "moved with a wagon": (
        describe(red={"gifts": "wagon", "wagon": "a13"}, options=AT_END, doing="wagon:1",
                 moved="a13"),
        ("moved",), "a13", "expected 'moved' only while a resettlement is under way",
    ),
    "moved left out": (
        describe(red={"settlements": "a13"}, options=AT_END, doing="resettlement:3"), (), "",
        "expected the pieces moved so far, 1, but the key 'moved' is missing.",
    ),
    "more moved than steps": (
        describe(red={"settlements": "a13 b13 c13"}, options=AT_END, doing="resettlement:2",
                 moved="a13 b13 c13"),
        ("moved",), "a13 b13 c13", "expected the pieces moved so far, 1 to 2, got 3 (R7.1)",
    ),
    "moved from nowhere": (
        describe(red={"settlements": "a13"}, options=AT_END, doing="resettlement:3", moved="b13"),
        ("moved",), "b13",
        "expected pieces red has just moved, got 'b13', where red has none (R7.1)",
    ),
    "moved twice": (
        describe(red={"settlements": "a13"}, options=AT_END, doing="resettlement:2",
                 moved="a13 A13"),
        ("moved",), "A13", "expected each piece once in 'moved', got 'A13' twice",
    ),
    "fresh after the own turn": (
        describe(blue={"settlements": "f2", "fresh": "temple"}, start="blue"),
        ("seat", "blue", "fresh"), "temple",
        "expected fresh tiles only for the seat whose turn it is and those after it in this round, "
        "got some for blue (R3.1)",
    ),
    "fresh before the first turn of a round": (
        describe(red={"settlements": "f2", "fresh": "temple"}, card="hidden"),
        ("seat", "red", "fresh"), "temple",
        "expected no fresh tiles as long as the card is hidden (R3.1)",
    ),
    "more tokens than there are": (
        describe(red={"gifts": "cathedral", "tokens": 10},
                 blue={"gifts": "cathedral", "tokens": 9}),
        ("seat", "blue", "tokens"), "", "expected at most 18 tokens in all, got 19 (R6.5)",
    ),
    "silo without silos": (
        describe(map=[row.replace("o", "D") for row in ROWS], **SILO), ("phase",), "silo",
        "expected the phase silo only on a board with silos (R9.2)",
    ),
    "card after the last turn": (
        describe(phase="silo"), ("card",), "flower", "expected no 'card' when the phase is silo",
    ),
    "silos before the last turn": (
        describe(silos=1), ("silos",), "", "expected no 'silos' before the phase is silo (R9.2)",
    ),
    "more silo actions than silos": (
        describe(**SILO, silos=3), ("silos",), "", "expected a number from 0 to 2 for 'silos'",
    ),
    "silo action too early": (
        describe(doing="silo_build:1"), ("doing",), "silo_build:1",
        "expected a silo action only when the phase is silo",
    ),
    "other action after the last turn": (
        describe(red={"gifts": "wagon", "wagon": "a13"}, **SILO, doing="wagon:1"), ("doing",),
        "wagon:1", "expected only silo actions after the last turn, got 'wagon:1' (R9.2)",
    ),
    "three silo steps to follow": (
        describe(red={"settlements": "e8"}, **SILO, doing="silo_move:3"), ("doing",), "silo_move:3",
        "expected the steps that may follow, silo_move:1 to silo_move:2, got 'silo_move:3'",
    ),
    "scout cabin not used": (
        describe(red={"settlements": "a1", "gifts": "scout_cabin"}, doing="scout_cabin:1"),
        ("doing",), "scout_cabin:1",
        "expected a scout_cabin tile used this turn by red for 'scout_cabin:1'",
    ),
    "wagon that goes on in the reserve": (
        describe(red={"gifts": "wagon", "used": "wagon"}, doing="wagon:1"), ("doing",), "wagon:1",
        "expected an action that has a next step, got 'wagon:1'",
    ),
    "other tokens than there are": (
        describe(red={"settlements": "l2", "used": "cathedral"}, doing="cathedral:2"), ("doing",),
        "cathedral:2", "expected the 1 tokens red has left, got 'cathedral:2'",
    ),
    "cathedral without a number": (
        describe(red={"settlements": "l2", "used": "cathedral"}, doing="cathedral:x"), ("doing",),
        "cathedral:x", "expected the tokens left, such as 'cathedral:1', got 'cathedral:x'",
    ),
    "cathedral without a token": (
        describe(red={"settlements": "a13", "gifts": "cathedral", "used": "cathedral"},
                 doing="cathedral:0"),
        ("doing",), "cathedral:0", "expected the tokens left, such as 'cathedral:1'",
    ),
    "fort without a card": (
        describe(red={"gifts": "fort", "used": "fort"}, doing="fort:"), ("doing",), "",
        "unknown card ''",
    ),
    "fort of a card that is gone": (
        describe(red={"gifts": "fort", "used": "fort"}, doing="fort:grass", removed="grass:5"),
        ("removed",), "grass:5", "expected at most 5 grass cards in the game, got 6",
    ),
    "fort not in the game": (
        describe(doing="fort:grass"), ("doing",), "fort:grass",
        "expected a tile of this game, got 'fort:grass'",
    ),
    "repeat without a bazaar": (
        describe(red={"gifts": "tower"}, repeat="tower"), ("repeat",), "tower",
        "expected 'repeat' only with bazaar tiles",
    ),
    "repeat with the bazaar not used": (
        describe(red={"gifts": "tower bazaar"}, repeat="tower"), ("repeat",), "tower",
        "expected a bazaar used this turn by red to repeat 'tower'",
    ),
    "repeat of what is not held": (
        describe(red={"gifts": "bazaar", "used": "bazaar"}, repeat="canoe"), ("repeat",), "canoe",
        "expected a tile with a step that a bazaar repeats, got 'canoe'",
    ),
    "repeat of a used tile": (
        describe(red={"gifts": "bazaar tower", "used": "bazaar tower"}, repeat="tower"),
        ("repeat",), "tower", "expected a tile that red holds and that is ready again, got 'tower'",
    ),
    "repeat without a step": (
        describe(red={"gifts": "bazaar tavern", "used": "bazaar"}, repeat="tavern"),
        ("repeat",), "tavern", "expected a tile that has a step to repeat, got 'tavern'",
    ),
    "scouts without a cabin": (
        describe(scouts="a1"), ("scouts",), "a1", "expected 'scouts' only with scout_cabin tiles",
    ),
    "three scouts": (
        describe(red={"gifts": "scout_cabin"}, scouts="a1 b1 c1"), ("scouts",), "a1 b1 c1",
        "expected at most 2 scouts, got 3",
    ),
    "scout on a house": (
        describe(red={"settlements": "a1", "gifts": "scout_cabin"}, scouts="a1"), ("scouts",), "a1",
        "expected one thing on a1, got a scout and a settlement of red (R4.1)",
    ),
    "scout before the card": (
        describe(red={"gifts": "scout_cabin"}, scouts="a1", card="Hidden"), ("scouts",), "a1",
        "expected no scouts as long as the card is hidden",
    ),
    "reacting without a colon": (
        describe(reacting="blue"), ("reacting",), "blue",
        "expected who took a tile and who is asked, like 'red:blue', got 'blue'",
    ),
    "reacting by one without a canoe": (
        describe(reacting="red:blue"), ("reacting",), "red:blue",
        "expected a seat with a ready canoe tile and a house, got 'red:blue' (R6.4)",
    ),
    "reacting with a used canoe": (
        describe(blue={"settlements": "o2", "used": "canoe"}, reacting="red:blue"), ("reacting",),
        "red:blue", "expected a seat with a ready canoe tile and a house",
    ),
    "reacting to oneself": (
        describe(red={"settlements": "o2"}, reacting="red:red"), ("reacting",), "red:red",
        "expected another seat to react than the one who took the tile, got 'red:red'",
    ),
    "reacting to another than the mover": (
        describe(red={"settlements": "o2"}, reacting="blue:red"), ("reacting",), "blue:red",
        "expected red as the one who took a tile, got 'blue:red'",
    ),
    "outpost within a wagon's way": (
        describe(red={"gifts": "wagon", "used": "wagon", "wagon": "a13", "nomads": "outpost"},
                 gone="q2", doing="wagon:1", outpost=True),
        ("outpost",), "", "expected no outpost while the wagon is under way",
    ),
    "lift of a city hall": (
        describe(red={"gifts": "city_hall barn", "hall": "d17"}, lift="barn@d17"), ("lift",),
        "barn@d17", "expected a piece that can go somewhere with its tile",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("data", "path", "token", "sentence"), BAD.values(), ids=BAD)
def test_a_contradiction_is_refused_with_its_key_and_word(data, path, token, sentence):
    check_refused(data, path, token, sentence)


@pytest.mark.parametrize(
    ("key", "spelt", "kind"),
    [
        ("gifts", "Taverne", "tavern"),
        ("gifts", "Taverne,tavern", "tavern,tavern"),
        ("gifts", "cathedral*", "cathedral"),
        ("nomads", "donation>forest", "donation_forest"),
        ("nomads", "Donation-Forest", "donation_forest"),
    ],
)
def test_tiles_in_hand_may_be_spelt_in_every_way(key, spelt, kind):
    """Such as `donation>forest`, which was understood, and then looked up as it stood."""
    line = (
        "kb1 board=oracle,barn,tower,garden nomads=outpost@q18 cards=lords "
        "red=a1/{}={} blue=- turn=red card=grass"
    )
    meant = format_line(parse_position(line.format(key, kind)))
    assert kind in meant
    assert format_line(parse_position(line.format(key, spelt))) == meant


def test_an_action_under_way_may_be_spelt_in_every_way():
    line = (
        "kb1 board=oracle,barn,tower,garden nomads=outpost@q18 cards=lords "
        "red=a1 blue=- turn=red card=grass doing={}:2"
    )
    meant = format_line(parse_position(line.format("donation_forest")))
    assert format_line(parse_position(line.format("donation>forest"))) == meant
