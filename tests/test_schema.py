"""What a position's dict may hold, what follows from it, and what contradicts itself."""

import pytest
from positions import random_positions

from kbai.errors import NotationError
from kbai.notation import legal_actions
from kbai.schema import position_from_dict, position_to_dict


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
    data["seat"]["red"]["settlements"] = "d11 f11"
    current = position_from_dict(data)
    assert position_to_dict(current)["map"] == MAP
    assert position_to_dict(current)["locations"] == ["tavern@e11"]
    assert position_to_dict(current)["seat"]["red"]["tiles"] == ["tavern@e11"]


def test_a_settlement_may_stand_on_water():
    assert position_from_dict(describe(red={"settlements": "a4"})).fields()["seats"][0]["cells"]


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
        "expected the phase pre, build1 to build3, post or over, got 'build4'",
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
        "expected a terrain card with the terrain any, got 'none'",
    ),
    "another terrain": (
        describe(terrain="grass"), ("terrain",), "grass",
        "expected the terrain any or none, got 'grass'",
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
}  # fmt: skip


@pytest.mark.parametrize(("data", "path", "token", "sentence"), BAD.values(), ids=BAD)
def test_a_contradiction_is_refused_with_its_key_and_word(data, path, token, sentence):
    with pytest.raises(NotationError) as caught:
        position_from_dict(data)
    assert sentence in str(caught.value)
    assert (caught.value.path, caught.value.token) == (path, token)
    assert str(caught.value).endswith(".")


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
