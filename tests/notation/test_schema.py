"""What a position's dict may hold, what follows from it, and what contradicts itself."""

import pytest
from positions import random_positions
from refusals import check_refused

from kbai._fast import Terrain
from kbai.core.errors import NotationError
from kbai.game.cells import format_cell
from kbai.game.setup import setup_of
from kbai.notation.actions import legal_actions
from kbai.notation.schema import position_from_dict, position_to_dict


def describe(red=None, blue=None, **keys):
    """Return a dict of a two-seat position on the first-game board."""
    return {
        "board": ["tavern", "paddock", "oasis", "farm"],
        "cards": ["fishermen", "knights", "merchants"],
        "turn": "red",
        "card": "flower",
        "seat": {
            "red": {"settlements": []} | (red or {}),
            "blue": {"settlements": []} | (blue or {}),
        },
    } | keys


NOMADS = ["outpost@n4", "sword@c6", "donation_water@h6", "treasure@f8", "resettlement@e14"]


def describe_nomads(red=None, blue=None, **keys):
    """Return a dict of a three-seat position on the board of the four Nomads quadrants."""
    data = describe(
        red,
        blue,
        board=["quarry", "caravan", "village", "garden"],
        nomads=NOMADS,
        cards=["families", "shepherds", "ambassadors"],
        card="grass",
    )
    data["seat"]["green"] = {"settlements": "a20"}
    return data | keys


def without(data, *keys):
    return {key: value for key, value in data.items() if key not in keys}


def test_every_position_comes_back_from_its_dict():
    for current in random_positions(25):
        data = position_to_dict(current)
        again = position_from_dict(data)
        assert again == current
        assert position_to_dict(again) == data


def test_what_has_its_default_is_left_out():
    data = describe(red={"settlements": ["b7"], "tiles": ["tavern@c7"]})
    full = describe(
        red={"settlements": ["b7"], "supply": 39, "used": [], "lost": "-", "gifts": ""},
        start="red",
        phase="pre",
        final=False,
        discard={},
        removed="",
        held=[],
        nocard=[],
        options={"lords_need_presence": False},
    )
    assert position_to_dict(position_from_dict(full)) == data


def test_supply_is_forty_less_the_settlements():
    fields = position_from_dict(describe(red={"settlements": "a1 a2 a3"})).fields()
    assert [seat["supply"] for seat in fields["seats"]] == [37, 40]


def test_tiles_follow_from_the_settlements():
    data = position_to_dict(position_from_dict(describe(red={"settlements": "b7 n16 a1"})))
    assert data["seat"]["red"]["tiles"] == ["tavern@c7", "farm@m16"]


def three_beside_the_tavern(**more):
    data = describe(**more)
    data["seat"] = {
        "red": {"settlements": "b7"},
        "blue": {"settlements": "c6"},
        "green": {"settlements": "d7"},
    }
    return data


@pytest.mark.parametrize(
    ("start", "holders"), [("red", "red blue"), ("blue", "blue green"), ("green", "red green")]
)
def test_two_seats_take_a_tile_in_order_from_the_start_seat(start, holders):
    data = position_to_dict(position_from_dict(three_beside_the_tavern(start=start)))
    held = [name for name, seat in data["seat"].items() if seat["tiles"]]
    assert held == holders.split()


def test_a_tile_said_to_be_taken_leaves_fewer_for_the_others():
    data = three_beside_the_tavern()
    data["seat"]["green"]["lost"] = "tavern@c7"
    held = position_to_dict(position_from_dict(data))["seat"]
    assert [seat["tiles"] for seat in held.values()] == [["tavern@c7"], [], []]


def test_lists_may_be_lists_or_one_text():
    words = position_from_dict(describe(red={"settlements": "a1, A2\n b3"}, cards="knights,lords"))
    lists = position_from_dict(
        describe(red={"settlements": ["b3", "a1 a2"]}, cards=["LORDS", "Knights"])
    )
    assert words == lists


def test_names_and_keys_may_be_in_any_case():
    data = describe(turn="RED", card="Flower Field")
    data = {key.upper(): value for key, value in data.items()}
    data["SEAT"] = {"Red": {"Settlements": ""}, "BLUE": {"settlements": []}}
    assert position_from_dict(data) == position_from_dict(describe())


def test_counts_may_be_a_table_or_words():
    table = position_from_dict(describe(discard={"grass": 2, "desert": 1}))
    assert position_from_dict(describe(discard="desert grass:2")) == table
    assert position_from_dict(describe(discard=["grass", "grass", "Desert:1"])) == table
    assert table.fields()["discard"][:5] == [2, 0, 1, 0, 0]


def test_options_may_be_a_table_or_words():
    table = position_from_dict(describe(options={"exhausted_card": "discard"}))
    assert position_from_dict(describe(options="Exhausted_Card=Discard")) == table
    assert position_to_dict(table)["options"] == {"exhausted_card": "discard"}


def test_the_unseen_cards_are_what_is_left_of_the_deck():
    data = describe(
        discard="grass:2",
        removed="desert:1",
        held=[{"seats": "blue", "cards": "forest:1"}],
    )
    assert position_from_dict(data).fields()["unseen"][:5] == [3, 5, 4, 4, 4]


def test_a_void_mandatory_action_is_over_at_once():
    no_house = describe(red={"settlements": "a1", "supply": 0})
    assert position_to_dict(position_from_dict(no_house))["phase"] == "post"
    assert position_to_dict(position_from_dict(describe(card="none")))["phase"] == "post"


def test_an_empty_supply_fixes_the_last_round():
    assert position_from_dict(describe(blue={"supply": 0})).fields()["final"]
    assert not position_from_dict(describe(blue={"supply": 1})).fields()["final"]
    data = position_to_dict(position_from_dict(describe(final=True)))
    assert data["final"] is True


def test_a_game_that_is_over_needs_no_turn():
    data = without(describe(phase="over"), "turn", "card")
    current = position_from_dict(data)
    assert current.is_over
    assert position_from_dict(position_to_dict(current)) == current


def test_gifts_bring_their_kind_into_the_game():
    current = position_from_dict(describe(red={"settlements": "n16", "gifts": "tower"}))
    assert "tower:a1" in legal_actions(current)
    assert position_to_dict(current)["seat"]["red"]["gifts"] == ["tower"]


def test_the_mover_without_a_card_may_stand_in_nocard():
    assert position_from_dict(describe(card="none", nocard="red")) == position_from_dict(
        describe(card="none")
    )


MAP = ["G" * 20] * 10 + ["WWkWlWWMWW" + "F" * 10] + ["T" * 20] * 9


@pytest.mark.parametrize(
    "rows",
    [MAP, "\n".join(MAP), "/".join(MAP), "\n".join(" ".join(row.lower()) for row in MAP)],
    ids=["list", "lines", "slashes", "apart"],
)
def test_a_map_may_replace_the_quadrants(rows):
    data = without(describe(map=rows, locations="tavern@e11"), "board")
    data["seat"]["red"]["settlements"] = "e10"
    current = position_from_dict(data)
    assert position_to_dict(current)["map"] == MAP
    assert position_to_dict(current)["locations"] == ["tavern@e11"]
    assert position_to_dict(current)["seat"]["red"]["tiles"] == ["tavern@e11"]


@pytest.mark.parametrize(
    "more",
    [
        {"board": ["harbor", "paddock", "oasis", "farm"]},
        {"board": ["kbai_canoe", "paddock", "oasis", "farm"]},
        {"board": ["quarry", "paddock", "oasis", "farm"], "nomads": []},
    ],
    ids=["harbor", "canoe", "a donation, perhaps"],
)
def test_a_settlement_may_stand_on_water_if_a_tile_can_bring_it_there(more):
    terrain = setup_of(position_from_dict(describe(**more))).terrain
    water = next(cell for cell in range(400) if terrain[cell] == Terrain.WATER)
    data = describe(red={"settlements": format_cell(water)}, **more)
    assert position_from_dict(data).fields()["seats"][0]["cells"]


def test_a_settlement_on_water_that_no_tile_can_reach_is_an_error():
    with pytest.raises(NotationError, match=r"got 'a4', water, which no tile of this game"):
        position_from_dict(describe(red={"settlements": "a4"}))


def test_tokens_of_the_nomads_set_come_back():
    data = describe_nomads(
        red={
            "settlements": ["b1", "a3"],
            "used": ["quarry"],
            "fresh": ["sword"],
            "nomads": ["donation_water", "outpost", "sword"],
            "gifts": ["quarry"],
            "gold": {"treasure": 3, "families": 2, "ambassadors": 1},
        },
        doing="quarry:1",
        walls=["a1", "t20"],
        gone=["n4", "c6", "h6", "f8"],
    )
    data["seat"]["green"]["settlements"] = ["a20"]
    current = position_from_dict(data)
    assert position_to_dict(current) == data
    fields = current.fields()
    assert fields["doing"] == (setup_of(current).tile_kinds.index("quarry") + 1, 1)
    assert fields["seats"][0]["gold"] == [3, 2, 0, 1, 0]


def test_nomad_tiles_are_read_from_lists_texts_and_tables():
    red = {"settlements": "a3", "nomads": "Sword, OUTPOST", "gold": "Families:2 treasure:3"}
    data = describe_nomads(red=red, nomads=" ".join(NOMADS).upper(), gone="n4,c6 f8", walls="A1 b1")
    seat = position_to_dict(position_from_dict(data))["seat"]["red"]
    assert seat["nomads"] == ["outpost", "sword"]
    assert seat["gold"] == {"treasure": 3, "families": 2}


def test_a_tile_beside_a_settlement_is_gone_unless_it_is_said():
    data = describe_nomads(red={"settlements": "d6"})
    assert position_to_dict(position_from_dict(data))["gone"] == ["c6"]
    assert "gone" not in position_to_dict(position_from_dict(describe_nomads()))


def test_a_nomad_space_without_a_tile_is_never_gone():
    data = describe_nomads(red={"settlements": "d6"}, nomads=[])
    assert "gone" not in position_to_dict(position_from_dict(data))
    assert "nomads" not in position_to_dict(position_from_dict(data))


def test_nomad_tiles_may_be_held_though_they_were_not_laid():
    data = describe(red={"settlements": "c3", "nomads": "sword donation_water"})
    actions = legal_actions(position_from_dict(data))
    assert "donation_water:b4" in actions
    data = position_to_dict(position_from_dict(data))
    assert data["seat"]["red"]["nomads"] == ["donation_water", "sword"]
    assert "nomads" not in data


def test_an_action_under_way_needs_no_tile_any_more():
    data = describe(red={"settlements": "c3"}, doing="donation_grass:2")
    assert position_to_dict(position_from_dict(data))["doing"] == "donation_grass:2"
    data = describe(red={"settlements": "c3"}, doing="resettlement:1", lift="resettlement@c3")
    current = position_from_dict(data)
    assert position_to_dict(current)["lift"] == "resettlement@c3"
    assert "-d3" in legal_actions(current)


def test_a_piece_is_lifted_with_a_resettlement_that_is_held():
    data = describe_nomads(
        red={"settlements": "a1", "nomads": "resettlement"}, lift="resettlement@a1"
    )
    assert legal_actions(position_from_dict(data)) == ["-b1", "-a2"]


def test_a_settlement_may_stand_on_a_mountain_where_nomads_are():
    assert position_from_dict(describe_nomads(red={"settlements": "b3"}))
    data = describe(red={"settlements": "d1", "nomads": "donation_mountain"})
    assert position_from_dict(data).fields()["seats"][0]["cells"]


def test_the_houses_of_a_mandatory_action_are_told_with_families():
    red = {"settlements": "a1 b1 t20"}
    data = describe_nomads(red=red, phase="build1", built="b1 a1")
    assert position_to_dict(position_from_dict(data))["built"] == ["a1", "b1"]
    # With the last house of the supply it may be the second of two, or the third of three.
    for built in ("a1", "a1 b1"):
        position_from_dict(describe_nomads(red=red | {"supply": 1}, phase="build1", built=built))
    without_families = describe_nomads(red=red, phase="build1", cards=["lords"])
    assert "built" not in position_to_dict(position_from_dict(without_families))


def test_walls_exhaust_a_terrain():
    rows = ["F" + "G" * 19] + ["G" * 20] * 19
    data = without(describe(map=rows, walls="a1"), "board")
    with pytest.raises(NotationError, match="got 'flower', whose hexes are all taken"):
        position_from_dict(data)
    position_from_dict(data | {"card": "replace", "removed": "flower:1"})


def test_an_empty_supply_fixes_nothing_where_the_sword_cancels_the_end():
    data = describe_nomads(blue={"supply": 0}, options={"sword_cancels_end": True})
    current = position_from_dict(data)
    assert not current.fields()["final"]
    assert "final" not in position_to_dict(current)
    final = position_from_dict(data | {"final": True})
    assert final.fields()["final"]
    assert position_to_dict(final)["final"] is True
    over = without(data, "turn", "card") | {"phase": "over"}
    assert position_from_dict(position_to_dict(position_from_dict(over))).is_over


RETURN = {"lost_tiles_return": True}
ANY_HEX = {"exhausted_any_hex": True}
FULL_DECK = "grass:5 canyon:5 desert:5 flower:4 forest:5"

# Changed data, path and token of the error, part of its sentence.
BAD = {
    "unknown key": (
        describe(crad="x"), ("crad",), "crad",
        "unknown key 'crad'; did you mean 'card'?",
    ),
    "key twice": (describe(Card="grass"), ("Card",), "Card", "expected the key 'card' once"),
    "unknown seat key": (
        describe(red={"setlements": ""}), ("seat", "red", "setlements"), "setlements",
        "unknown key 'setlements'; did you mean 'settlements'?",
    ),
    "unknown quadrant": (
        describe(board="tavern,paddock,oasys,farm"), ("board",), "oasys",
        "unknown quadrant 'oasys'; did you mean 'oasis'?",
    ),
    "three quadrants": (
        describe(board="tavern,paddock,farm"), ("board",), "", "expected 4 quadrants, got 3",
    ),
    "no board": (without(describe(), "board"), (), "", "the key 'board' is missing"),
    "no cards": (without(describe(), "cards"), (), "", "the key 'cards' is missing"),
    "unknown card": (
        describe(cards="fishers"), ("cards", 0), "fishers",
        "unknown card 'fishers'; did you mean 'fishermen'?",
    ),
    "unknown option": (
        describe(options={"lost_tiles": True}), ("options", "lost_tiles"), "lost_tiles",
        "unknown option 'lost_tiles'; did you mean 'lost_tiles_return'?",
    ),
    "bad option value": (
        describe(options="exhausted_card:burn"), ("options", "exhausted_card"), "burn",
        "expected 'remove' or 'discard' for the option exhausted_card, got 'burn'",
    ),
    "number for an option": (
        describe(options={"lost_tiles_return": 1}), ("options", "lost_tiles_return"), "",
        "expected text or true or false for 'lost_tiles_return', got 1",
    ),
    "no turn": (without(describe(), "turn"), (), "", "the key 'turn' is missing"),
    "unknown turn": (describe(turn="green"), ("turn",), "green", "unknown seat 'green'"),
    "unknown start": (describe(start="green"), ("start",), "green", "unknown seat 'green'"),
    "no card": (without(describe(), "card"), (), "", "the key 'card' is missing"),
    "unknown terrain": (
        describe(card="flwer"), ("card",), "flwer", "unknown card 'flwer'; did you mean 'flower'?",
    ),
    "number for a card": (describe(card=5), ("card",), "", "expected text for 'card', got 5"),
    "one seat": (
        describe(seat={"red": {"settlements": ""}}), ("seat",), "", "expected 2 to 5 seats, got 1",
    ),
    "unknown seat": (
        describe(seat={"rde": {"settlements": ""}}), ("seat", "rde"), "rde",
        "unknown seat 'rde'; did you mean 'red'?",
    ),
    "seat is no table": (
        describe(seat={"red": "a1"}), ("seat", "red"), "", "expected a table for the seat red",
    ),
    "no seats": (without(describe(), "seat"), (), "", "the key 'seat' is missing"),
    "no settlements": (
        describe(seat={"red": {}, "blue": {"settlements": ""}}), ("seat", "red"), "",
        "the key 'settlements' of red is missing",
    ),
    "off the board": (
        describe(red={"settlements": "a1 z9"}), ("seat", "red", "settlements"), "z9",
        "expected a cell from a1 to t20, got 'z9'",
    ),
    "number as a cell": (
        describe(red={"settlements": ["a1", 7]}), ("seat", "red", "settlements", 1), "7",
        "expected a list of texts for 'settlements', got 7 in it",
    ),
    "table as cells": (
        describe(red={"settlements": {}}), ("seat", "red", "settlements"), "",
        "expected text or a list of texts for 'settlements', got a table",
    ),
    "on a mountain": (
        describe(red={"settlements": "d1"}), ("seat", "red", "settlements"), "d1",
        "a mountain (R1.5)",
    ),
    "on a castle": (
        describe(red={"settlements": "d4"}), ("seat", "red", "settlements"), "d4", "a castle space",
    ),
    "on a location": (
        describe(red={"settlements": "c7"}), ("seat", "red", "settlements"), "c7", "a tavern space",
    ),
    "twice on a cell": (
        describe(red={"settlements": ["a1", "A1"]}), ("seat", "red", "settlements", 1), "A1",
        "expected each cell once, got 'A1' twice for red",
    ),
    "two seats on a cell": (
        describe(red={"settlements": "a1"}, blue={"settlements": "a1"}),
        ("seat", "blue", "settlements"), "a1",
        "expected one settlement on a1, got one of red and one of blue",
    ),
    "more than 40 houses": (
        describe(red={"settlements": "a1", "supply": 40}), ("seat", "red", "supply"), "",
        "expected at most 40 houses of red in all, got 1 on the board and 40 in supply",
    ),
    "negative supply": (
        describe(red={"supply": -1}), ("seat", "red", "supply"), "",
        "expected a number from 0 to 40 for 'supply', got -1",
    ),
    "truth as supply": (
        describe(red={"supply": True}), ("seat", "red", "supply"), "",
        "expected a number from 0 to 40 for 'supply', got True",
    ),
    "huge supply": (
        describe(red={"supply": 16**9999}), ("seat", "red", "supply"), "", "got a huge number",
    ),
    "tile without a space": (
        describe(red={"tiles": "tavern"}), ("seat", "red", "tiles"), "tavern",
        "expected a tile and its cell like 'tavern@c7', got 'tavern'",
    ),
    "tile not from a location": (
        describe(red={"settlements": "b7", "tiles": "tavern@b7"}), ("seat", "red", "tiles"),
        "tavern@b7", "expected the cell of a location space, got 'tavern@b7'; there are paddock@s3",
    ),
    "tile of a castle": (
        describe(red={"tiles": "tavern@d4"}), ("seat", "red", "tiles"), "tavern@d4",
        "expected the cell of a location space",
    ),
    "tile of another kind": (
        describe(red={"settlements": "b7", "tiles": "farm@c7"}), ("seat", "red", "tiles"),
        "farm@c7", "expected 'tavern@c7', got 'farm@c7'",
    ),
    "tile twice from a space": (
        describe(red={"settlements": "b7", "tiles": "tavern@c7 tavern@c7"}),
        ("seat", "red", "tiles"), "tavern@c7", "expected each space once, got 'tavern@c7' twice",
    ),
    "tile without a settlement": (
        describe(red={"tiles": "tavern@c7"}), ("seat", "red", "tiles"), "tavern@c7",
        "expected a settlement of red beside c7 to hold 'tavern@c7', got none (R5.3)",
    ),
    "tile held and lost": (
        describe(red={"settlements": "b7", "tiles": "tavern@c7", "lost": "tavern@c7"}),
        ("seat", "red", "lost"), "tavern@c7",
        "expected a tile held or lost, got 'tavern@c7' as both",
    ),
    "tile not taken": (
        describe(red={"settlements": "b7", "tiles": []}), ("seat", "red", "tiles"), "",
        "expected 'tavern@c7' held or lost: red has a settlement beside c7 and a tile is left",
    ),
    "used tile not held": (
        describe(red={"used": "tavern"}), ("seat", "red", "used"), "tavern",
        "expected no more tavern tiles used than red holds (0), got 'tavern' once more",
    ),
    "more tiles used and fresh than held": (
        describe(red={"settlements": "b7", "used": "tavern", "fresh": "tavern"}),
        ("seat", "red", "fresh"), "tavern",
        "expected no more tavern tiles fresh than red holds (1)",
    ),
    "unknown tile": (
        describe(red={"gifts": "towr"}), ("seat", "red", "gifts"), "towr",
        "unknown tile 'towr'; did you mean 'tower'?",
    ),
    "sixteen gifts": (
        describe(red={"gifts": ["barn"] * 16}), ("seat", "red", "gifts", 15), "barn",
        "expected at most 15 tiles of a kind for red",
    ),
    "tiles used in another's turn": (
        describe(blue={"settlements": "b7", "used": "tavern"}), ("seat", "blue", "used"), "tavern",
        "expected used tiles only for the seat whose turn it is, got some for blue",
    ),
    "tiles used before the card": (
        describe(red={"settlements": "b7", "used": "tavern"}, card="hidden"),
        ("seat", "red", "used"), "tavern", "expected no used tiles as long as the card is hidden",
    ),
    "unknown phase": (
        describe(phase="build4"), ("phase",), "build4",
        "expected the phase pre, build0 to build3, post, silo or over, got 'build4'",
    ),
    "more due than in supply": (
        describe(red={"supply": 1}, phase="build2"), ("phase",), "build2",
        "expected no more houses to build than the 1 in supply, got 'build2'",
    ),
    "pre with an empty supply": (
        describe(red={"supply": 0}, phase="pre"), ("phase",), "pre",
        "expected the phase post, as red has no house left in supply, got 'pre'",
    ),
    "build without a card": (
        describe(card="none", phase="build1"), ("phase",), "build1",
        "expected the phase post, as red has no card, got 'build1'",
    ),
    "post before the card": (
        describe(card="hidden", phase="post"), ("phase",), "post",
        "expected the phase pre as long as the card is hidden, got 'post'",
    ),
    "turn after the end": (
        describe(phase="over"), ("turn",), "red", "expected no 'turn' when the phase is over",
    ),
    "final taken back": (
        describe(blue={"supply": 0}, final=False), ("final",), "",
        "expected final = true, as blue has no house left, got false",
    ),
    "final is no truth": (
        describe(final="maybe"), ("final",), "maybe",
        "expected true or false for 'final', got 'maybe'",
    ),
    "any terrain without the option": (
        describe(terrain="any"), ("terrain",), "any",
        "expected the terrain any only with the option exhausted_any_hex",
    ),
    "any terrain without a card": (
        describe(terrain="any", card="none", options=ANY_HEX), ("terrain",), "any",
        "expected a terrain card with the terrain 'any', got 'none'",
    ),
    "another terrain": (
        describe(terrain="grass"), ("terrain",), "grass",
        "expected the terrain flower with the card flower, got 'grass' (R3.6)",
    ),
    "replaced card with any terrain": (
        describe(card="replace", options=ANY_HEX), ("card",), "replace",
        "expected no card to be replaced with the option exhausted_any_hex",
    ),
    "lift with a building tile": (
        describe(red={"settlements": "c3", "gifts": "tower"}, lift="tower@c3"), ("lift",),
        "tower@c3",
        "expected a tile that moves a piece, got 'tower@c3'",
    ),
    "lift of nothing": (
        describe(red={"settlements": "c3", "gifts": "barn"}, lift="barn@c4"), ("lift",), "barn@c4",
        "expected a piece of red in hand, got 'barn@c4', where red has none",
    ),
    "lift without the tile": (
        describe(red={"settlements": "c3"}, lift="barn@c3"), ("lift",), "barn@c3",
        "expected a tile that red holds and has not used this turn, got 'barn@c3'",
    ),
    "lift with a used tile": (
        describe(red={"settlements": "c3", "gifts": "barn", "used": "barn"}, lift="barn@c3"),
        ("lift",), "barn@c3", "expected a tile that red holds and has not used this turn",
    ),
    "lift before the card": (
        describe(red={"settlements": "c3", "gifts": "barn"}, lift="barn@c3", card="hidden"),
        ("lift",), "barn@c3", "expected nothing in hand until the card is turned up",
    ),
    "lift within the mandatory action": (
        describe(red={"settlements": "c3", "gifts": "barn"}, lift="barn@c3", phase="build1"),
        ("lift",), "barn@c3", "expected nothing in hand within the mandatory action",
    ),
    "two pieces in hand": (
        describe(red={"settlements": "c3", "gifts": "barn"}, lift="barn@c3 barn@c3"),
        ("lift",), "barn@c3", "expected one piece in hand",
    ),
    "six grass cards": (
        describe(discard="grass:4", removed="grass:2"), ("discard",), "grass:4",
        "expected at most 5 grass cards in the game, got 6 (discard 4, removed 2; R2.1)",
    ),
    "cards of no terrain": (
        describe(discard="water:1"), ("discard",), "water:1", "unknown card 'water'",
    ),
    "cards without a number": (
        describe(discard="grass:x"), ("discard",), "grass:x",
        "expected a number of cards like 'grass:2', got 'grass:x'",
    ),
    "number of cards as text": (
        describe(discard={"grass": "many"}), ("discard", "grass"), "many",
        "expected a number from 0 to 99 for 'grass', got 'many'",
    ),
    "too few cards for the hands": (
        describe(discard=FULL_DECK), ("discard",), FULL_DECK,
        "expected an unseen card for each of the hands of blue, got 0",
    ),
    "nothing to replace a card with": (
        describe(card="replace", removed="flower:1", discard=FULL_DECK.replace("forest:5",
        "forest:4")),
        ("card",), "replace", "but the draw pile is empty (R3.7)",
    ),
    "spent without the option": (
        describe(spent="grass:1"), ("spent",), "grass:1",
        "expected spent cards only with the option exhausted_card = 'discard'",
    ),
    "held is no list": (
        describe(held=3), ("held",), "",
        "expected a list of tables for 'held', got 3",
    ),
    "held without seats": (
        describe(held=[{"cards": "grass:1"}]), ("held", 0), "", "the key 'seats' is missing",
    ),
    "held by too few": (
        describe(held=[{"seats": "blue", "cards": "grass:2"}]), ("held", 0, "cards"), "grass:2",
        "expected as many cards as seats, got 2 and 1",
    ),
    "held by the mover": (
        describe(held=[{"seats": "red", "cards": "grass:1"}]), ("held",), "",
        "that of red has been turned up",
    ),
    "held and nocard": (
        describe(held=[{"seats": "blue", "cards": "grass:1"}], nocard="blue"), ("nocard",), "blue",
        "expected blue in 'held' or in 'nocard', got both",
    ),
    "nocard with a card": (
        describe(nocard="red"), ("card",), "flower",
        "expected card = 'none', as red is in 'nocard', got 'flower'",
    ),
    "nocard twice": (
        describe(nocard="blue blue"), ("nocard",), "blue", "expected each seat once in 'nocard'",
    ),
    "short map": (
        without(describe(map="GG/GG"), "board"), ("map",), "", "expected 20 rows in the map, got 2",
    ),
    "map and board": (describe(map=MAP), ("map",), "", "expected a board or a map, got both"),
    "location missing": (
        without(describe(map=MAP), "board"), ("locations",), "", "got none for the 'l' on e11",
    ),
    "unknown nomad tile": (
        describe_nomads(nomads="outpots@n4"), ("nomads",), "outpots@n4",
        "unknown nomad tile 'outpots'; did you mean 'outpost'?",
    ),
    "nomad tile without a cell": (
        describe_nomads(nomads="outpost"), ("nomads",), "outpost",
        "expected a nomad tile and its cell like 'outpost@c7', got 'outpost'",
    ),
    "nomad tile on no nomad space": (
        describe_nomads(nomads=["outpost@n4", "sword@n5"]), ("nomads", 1), "sword@n5",
        "expected a nomad tile on a nomad space, got 'sword@n5'; there are n4, c6, h6, f8, e14",
    ),
    "two nomad tiles on a space": (
        describe_nomads(nomads=["outpost@n4", "sword@n4"]), ("nomads", 1), "sword@n4",
        "expected one nomad tile on each space, got 'sword@n4' as a second",
    ),
    "three swords laid": (
        describe_nomads(nomads=["sword@n4", "sword@c6", "sword@h6"]), ("nomads", 2), "sword@h6",
        "expected at most 2 sword tiles, got 'sword@h6' once more",
    ),
    "on a nomad space": (
        describe_nomads(red={"settlements": "c6"}), ("seat", "red", "settlements"), "c6",
        "expected a hex to build on, got 'c6', a nomad space (R1.8)",
    ),
    "unknown nomad tile held": (
        describe_nomads(red={"nomads": "sward"}), ("seat", "red", "nomads"), "sward",
        "unknown nomad tile 'sward'; did you mean 'sword'?",
    ),
    "location tile as a nomad tile": (
        describe_nomads(red={"nomads": "barn"}), ("seat", "red", "nomads"), "barn",
        "unknown nomad tile 'barn'",
    ),
    "nomad tile as a gift": (
        describe_nomads(red={"gifts": "sword"}), ("seat", "red", "gifts"), "sword",
        "expected location tiles as gifts, got the nomad tile 'sword'; it belongs to 'nomads'",
    ),
    "treasure held": (
        describe_nomads(red={"nomads": "treasure"}), ("seat", "red", "nomads"), "treasure",
        "expected nomad tiles that are kept, got a treasure, which is gold at once (R7.1)",
    ),
    "nomad tile used": (
        describe_nomads(red={"nomads": "sword", "used": "sword"}), ("seat", "red", "used"), "sword",
        "expected location tiles used, got 'sword', a nomad tile, which leaves the game",
    ),
    "nomad tile fresh but not held": (
        describe_nomads(red={"fresh": "sword"}), ("seat", "red", "fresh"), "sword",
        "expected no more sword tiles fresh than red holds (0), got 'sword' once more",
    ),
    "nomad tile fresh in another's turn": (
        describe_nomads(blue={"nomads": "sword", "fresh": "sword"}), ("seat", "blue", "fresh"),
        "sword", "expected fresh tiles only for the seat whose turn it is, got some for blue",
    ),
    "more nomad tiles than there are": (
        describe_nomads(red={"nomads": "sword"}, blue={"nomads": ["sword"]}),
        ("seat", "blue", "nomads", 0), "sword",
        "expected at most 2 sword tiles, those on the board included, got 'sword' once more (R2.3)",
    ),
    "donation held and under way": (
        describe_nomads(red={"settlements": "a1", "nomads": "donation_grass"},
                        doing="donation_grass:2"),
        ("seat", "red", "nomads"), "donation_grass", "expected at most 1 donation_grass tiles",
    ),
    "donation under way and not taken": (
        describe_nomads(red={"settlements": "a1"}, doing="donation_water:2"), ("doing",),
        "donation_water:2", "expected at most 1 donation_water tiles, those on the board included",
    ),
    "gone from no nomad space": (
        describe_nomads(gone="c6 c7"), ("gone",), "c7",
        "expected a nomad space whose tile was taken, got 'c7'; there were outpost@n4, sword@c6",
    ),
    "gone from an empty space": (
        describe_nomads(gone="q18"), ("gone",), "q18",
        "expected a nomad space whose tile was taken, got 'q18'",
    ),
    "gone twice": (
        describe_nomads(gone="c6 c6"), ("gone",), "c6", "expected each space once in 'gone'",
    ),
    "tile beside a settlement not gone": (
        describe_nomads(red={"settlements": "d6"}, gone="h6"), ("gone",), "h6",
        "expected 'c6', too: red has a settlement beside it and took the sword tile (R7.1)",
    ),
    "wall on a settlement": (
        describe_nomads(red={"settlements": "a1"}, walls="b1 a1"), ("walls",), "a1",
        "expected one thing on a1, got a wall and a settlement of red (R4.1)",
    ),
    "wall on water": (
        describe_nomads(walls="d1"), ("walls",), "d1",
        "expected a wall on a hex of a card's terrain, got 'd1', water (R6.2)",
    ),
    "wall on a space": (
        describe_nomads(walls="c6"), ("walls",), "c6", "got 'c6', a nomad space (R6.2)",
    ),
    "wall twice": (
        describe_nomads(walls=["b1", "B1"]), ("walls", 1), "B1",
        "expected each wall once, got 'B1' twice",
    ),
    "unknown source of gold": (
        describe_nomads(red={"gold": "treasures:3"}), ("seat", "red", "gold"), "treasures:3",
        "unknown source of gold 'treasures'; did you mean 'treasure'?",
    ),
    "gold without a number": (
        describe_nomads(red={"gold": "treasure"}), ("seat", "red", "gold"), "treasure",
        "expected up to 999 gold like 'treasure:3', got 'treasure'",
    ),
    "gold twice": (
        describe_nomads(red={"gold": "families:2 families:4"}), ("seat", "red", "gold"),
        "families:4", "expected each source of gold once, got 'families' twice",
    ),
    "gold as text": (
        describe_nomads(red={"gold": {"families": "much"}}), ("seat", "red", "gold", "families"),
        "much", "expected a number from 0 to 999 for 'families', got 'much'",
    ),
    "gold in the wrong steps": (
        describe_nomads(red={"gold": {"families": 3}}), ("seat", "red", "gold"), "families",
        "expected gold from families in steps of 2, got 3 (R8.1)",
    ),
    "gold from three treasures": (
        describe_nomads(red={"gold": "treasure:6"}, blue={"gold": "treasure:3"}),
        ("seat", "blue", "gold"), "treasure", "expected gold from no more treasures than there are",
    ),
    "treasure without nomad spaces": (
        describe(red={"gold": "treasure:3"}), ("seat", "red", "gold"), "treasure",
        "expected gold from treasure only on a board with nomad spaces (R7.1)",
    ),
    "gold from a card not in play": (
        describe(red={"gold": "families:2"}), ("seat", "red", "gold"), "families",
        "expected gold from cards in play, got some from families (R8.6)",
    ),
    "doing with a tile of one step": (
        describe_nomads(doing="garden:1"), ("doing",), "garden:1",
        "expected a tile whose action has several steps, like 'quarry:1' or 'sword:blue', got",
    ),
    "doing with an unknown tile": (
        describe_nomads(doing="qarry:1"), ("doing",), "qarry:1",
        "unknown tile 'qarry'; did you mean 'quarry'?",
    ),
    "doing without a number": (
        describe_nomads(doing="resettlement"), ("doing",), "resettlement",
        "expected the steps that may follow, resettlement:1 to resettlement:3, got 'resettlement'",
    ),
    "doing too much": (
        describe_nomads(red={"gifts": "quarry", "used": "quarry"}, doing="quarry:2"), ("doing",),
        "quarry:2", "expected the steps that may follow, quarry:1, got 'quarry:2'",
    ),
    "doing two things": (
        describe_nomads(doing="resettlement:1 quarry:1"), ("doing",), "quarry:1",
        "expected one action under way, got 'quarry:1' as another",
    ),
    "quarry not used": (
        describe_nomads(red={"gifts": "quarry"}, doing="quarry:1"), ("doing",), "quarry:1",
        "expected a quarry tile used this turn by red for 'quarry:1' (R3.3)",
    ),
    "donation beyond the supply": (
        describe_nomads(red={"supply": 1}, doing="donation_grass:2"), ("doing",),
        "donation_grass:2",
        "expected no more houses to build than the 1 in supply, got 'donation_grass:2' (R7.1)",
    ),
    "doing within the mandatory action": (
        describe_nomads(red={"settlements": "a1"}, doing="resettlement:1", phase="build2",
                        built="a1"),
        ("doing",), "resettlement:1", "expected no other action within the mandatory action",
    ),
    "doing before the card": (
        describe_nomads(red={"settlements": "a1"}, doing="resettlement:1", card="hidden"),
        ("doing",), "resettlement:1", "expected no action as long as the card is hidden",
    ),
    "doing what cannot go on": (
        describe_nomads(doing="resettlement:1"), ("doing",), "resettlement:1",
        "expected an action that has a next step, got 'resettlement:1'",
    ),
    "doing after the end": (
        without(describe_nomads(phase="over", doing="resettlement:1"), "turn", "card"),
        ("doing",), "resettlement:1", "expected no 'doing' when the phase is over",
    ),
    "sword at nobody": (
        describe_nomads(doing="sword:black"), ("doing",), "sword:black", "unknown seat 'black'",
    ),
    "sword at the first": (
        describe_nomads(blue={"settlements": "a1"}, doing="sword:blue"), ("doing",), "sword:blue",
        "expected a seat after the first one to the left of red, got 'sword:blue' (R7.1)",
    ),
    "sword at oneself": (
        describe_nomads(doing="sword:red"), ("doing",), "sword:red",
        "expected a seat after the first one to the left of red, got 'sword:red'",
    ),
    "sword at nothing": (
        describe_nomads(blue={"settlements": "a1"}, turn="green", doing="sword:red",
                        seat={"blue": {"settlements": ""}, "red": {"settlements": ""},
                              "green": {"settlements": ""}}),
        ("doing",), "sword:red", "expected a seat with a settlement to take, got 'sword:red'",
    ),
    "sword at one": (
        describe_nomads(doing="sword:green", options={"sword_targets": "one"}), ("doing",),
        "sword:green", "expected a sword to be done at once with the option sword_targets = 'one'",
    ),
    "outpost is no truth": (
        describe_nomads(outpost="yes"), ("outpost",), "yes",
        "expected true or false for 'outpost', got 'yes'",
    ),
    "outpost before the card": (
        describe_nomads(outpost=True, card="hidden"), ("outpost",), "",
        "expected no outpost until the card is turned up",
    ),
    "outpost with a piece in hand": (
        describe_nomads(red={"settlements": "a1", "gifts": "barn"}, outpost=True, lift="barn@a1"),
        ("outpost",), "", "expected an outpost for a placement, but a piece is in hand",
    ),
    "outpost within a resettlement": (
        describe_nomads(red={"settlements": "a1"}, outpost=True, doing="resettlement:1"),
        ("outpost",), "", "expected no outpost while the resettlement is under way",
    ),
    "outpost for nothing": (
        describe_nomads(red={"settlements": "a1"}, outpost=True, phase="post"), ("outpost",), "",
        "expected a house to build for the outpost, but there is none (R7.1)",
    ),
    "outpost after the end": (
        without(describe_nomads(outpost=True, phase="over"), "turn", "card"), ("outpost",), "",
        "expected no 'outpost' when the phase is over",
    ),
    "built without families": (
        describe(red={"settlements": "a1"}, phase="build2", built="a1"), ("built",), "a1",
        "expected 'built' only within the mandatory action and with families in play (R8.6)",
    ),
    "built after the mandatory action": (
        describe_nomads(red={"settlements": "a1"}, phase="post", built="a1"), ("built",), "a1",
        "expected 'built' only within the mandatory action",
    ),
    "built by somebody else": (
        describe_nomads(blue={"settlements": "a1"}, phase="build2", built="a1"), ("built",), "a1",
        "expected houses red has just built, got 'a1', where red has none (R8.6)",
    ),
    "built too few": (
        describe_nomads(red={"settlements": "a1 b1"}, phase="build1", built="a1"), ("built",), "a1",
        "expected the houses built so far, 2 with 1 to go, got 1 (R3.2)",
    ),
    "built too many": (
        describe_nomads(red={"settlements": "a1 b1", "supply": 2}, phase="build2", built="a1 b1"),
        ("built",), "a1 b1", "expected the houses built so far, 1 with 2 to go, got 2",
    ),
    "built twice": (
        describe_nomads(red={"settlements": "a1"}, phase="build1", built=["a1", "A1"]),
        ("built", 1), "A1", "expected each house once in 'built', got 'A1' twice",
    ),
    "built not told": (
        describe_nomads(red={"settlements": "a1"}, phase="build2"), (), "",
        "expected the houses built so far, 1 with 2 to go, but the key 'built' is missing",
    ),
    "lift within a quarry": (
        describe_nomads(red={"settlements": "a1", "gifts": "quarry barn", "used": "quarry"},
                        doing="quarry:1", lift="barn@a1"),
        ("lift",), "barn@a1", "expected nothing in hand while the quarry is under way",
    ),
    "lift with a sword": (
        describe_nomads(red={"settlements": "a1", "nomads": "sword"}, lift="sword@a1"), ("lift",),
        "sword@a1", "expected a tile that moves a piece, got 'sword@a1'",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("data", "path", "token", "sentence"), BAD.values(), ids=BAD)
def test_a_contradiction_is_refused_with_its_key_and_word(data, path, token, sentence):
    check_refused(data, path, token, sentence)


def test_a_third_seat_cannot_take_from_a_space():
    data = three_beside_the_tavern()
    for seat in data["seat"].values():
        seat["tiles"] = "tavern@c7"
    with pytest.raises(NotationError, match="2 seats with a tile from c7, got red, blue, green"):
        position_from_dict(data)


def test_a_seat_may_be_beside_a_tile_if_lost_tiles_return():
    data = three_beside_the_tavern(options=RETURN)
    data["seat"]["green"]["tiles"] = "tavern@c7"
    data["seat"]["red"]["tiles"] = []
    data["seat"]["blue"]["lost"] = "tavern@c7"
    position = position_from_dict(data)
    assert position_from_dict(position_to_dict(position)) == position


def test_41_settlements_are_too_many():
    row = [f"{column}{number}" for number in (13, 15) for column in "abcdefghijklmnopqrst"]
    data = describe(red={"settlements": [*row, "a1"]}, map=["G" * 20] * 20)
    with pytest.raises(NotationError, match="at most 40 settlements of red, got 41"):
        position_from_dict(without(data, "board"))


def test_26_walls_are_too_many():
    walls = [f"{column}{number}" for number in (13, 15) for column in "abcdefghijklm"]
    data = without(describe(map=["F" * 20] * 20, walls=walls), "board")
    with pytest.raises(NotationError, match="expected at most 25 walls, got 26"):
        position_from_dict(data)
    assert len(position_from_dict(data | {"walls": walls[1:]}).fields()["walls"]) == 25


def test_a_card_whose_hexes_are_all_taken_must_be_replaced():
    rows = ["F" + "G" * 19] + ["G" * 20] * 19
    data = without(describe(red={"settlements": "a1"}, map=rows), "board")
    with pytest.raises(NotationError, match="got 'flower', whose hexes are all taken"):
        position_from_dict(data)
    position_from_dict(data | {"card": "replace", "removed": "flower:1"})
    position_from_dict(data | {"terrain": "any", "options": ANY_HEX})


def test_a_lifted_piece_must_have_somewhere_to_go():
    # R10.2 C15: nothing but the vacated hex.
    red = {"settlements": "k11 l11 k12", "gifts": "barn"}
    with pytest.raises(NotationError, match="go somewhere with its tile, got 'barn@k12'"):
        position_from_dict(describe(red=red, card="desert", lift="barn@k12"))
