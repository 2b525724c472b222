"""Set-ups: the worked facts of the first-game board, and what is said about wrong choices."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace

import pytest

from kbai import content
from kbai._fast import N_CELLS, Option, Score, Space, Terrain
from kbai.core.errors import IllegalActionError, KbaiError, NotationError
from kbai.core.seeds import derive_seed
from kbai.game.options import Options
from kbai.game.seats import SEATS
from kbai.game.setup import Setup, SpaceInfo, setup_of

CARDS = ("fishermen", "knights", "merchants")
BOARD = ("tavern", "paddock", "oasis", "farm")
NOMADS_BOARD = ("quarry", "caravan", "village", "garden")
SEEDS = range(200)


ALL_SETS = tuple(content.load().sets)
MARSH_BOARD = ("kbai_temple", "kbai_refuge", "kbai_canoe", "kbai_fountain")


def cell(name: str) -> int:
    if name.startswith("~"):
        return 400 + (int(name[2:]) - 1) * 10 + ord(name[1]) - ord("a")
    return (int(name[1:]) - 1) * 20 + ord(name[0]) - ord("a")


def cell_name(number: int) -> str:
    if number >= 400:
        return f"~{chr(ord('a') + number % 10)}{(number - 400) // 10 + 1}"
    return f"{chr(ord('a') + number % 20)}{number // 20 + 1}"


def own_map(**letters: str) -> tuple[str, ...]:
    """Return a map of grass with other letters on some cells."""
    cells = ["G"] * 400
    for name, letter in letters.items():
        cells[cell(name)] = letter
    return tuple("".join(cells[row * 20 : row * 20 + 20]) for row in range(20))


def make(**choices: object) -> Setup:
    """Return a set-up for two with these choices in place of the first game's."""
    defaults: dict[str, object] = {"seats": ("red", "blue"), "cards": CARDS, "board": BOARD}
    return Setup(**(defaults | choices))  # type: ignore[arg-type]


# The first-game board


@pytest.mark.parametrize(
    ("terrain", "count"),
    [
        ("grass", 61),
        ("canyon", 55),
        ("desert", 53),
        ("flower", 57),
        ("forest", 58),
        ("water", 80),
        ("mountain", 24),
        ("special", 12),
        ("void", N_CELLS - 400),
    ],
)
def test_first_game_board_has_the_terrain_of_the_rules(terrain: str, count: int) -> None:
    assert Setup.first_game().terrain.count(Terrain[terrain.upper()]) == count


def test_first_game_board_has_the_spaces_of_the_rules() -> None:
    spaces = Setup.first_game().spaces
    cells = [space.cell for space in spaces]
    assert cells == sorted(cells)
    where: dict[str, set[str]] = {}
    for space in spaces:
        assert (space.kind == "castle") == (space.tile is None)
        where.setdefault(space.tile or "castle", set()).add(cell_name(space.cell))
    assert where == {
        "castle": {"d4", "p8", "b18", "l12"},
        "tavern": {"c7", "h7"},
        "paddock": {"s3", "l7"},
        "oasis": {"h13", "f18"},
        "farm": {"r12", "m16"},
    }


def test_first_game_is_the_recommended_one() -> None:
    setup = Setup.first_game(("green", "yellow", "black"))
    assert setup.seats == ("green", "yellow", "black")
    assert (setup.board, setup.cards, setup.start) == (BOARD, CARDS, 0)
    assert setup.tile_kinds == ("farm", "oasis", "tavern", "paddock")


# Turned quadrants


@pytest.mark.parametrize("place", range(4))
def test_turning_a_quadrant_turns_only_its_part_of_the_board(place: int) -> None:
    names = list(BOARD)
    names[place] += "*"
    plain, turned = make().letters, make(board=tuple(names)).letters
    top, left = place // 2 * 10, place % 2 * 10
    for row in range(20):
        for col in range(20):
            inside = row in range(top, top + 10) and col in range(left, left + 10)
            r, c = (2 * top + 9 - row, 2 * left + 9 - col) if inside else (row, col)
            assert turned[row][col] == plain[r][c]


def test_spaces_turn_with_their_quadrant() -> None:
    setup = make(board=("tavern*", "paddock", "oasis", "farm*"))
    spaces = {cell_name(space.cell): space.tile for space in setup.spaces}
    # (6,2) and (6,7) become (3,7) and (3,2), the castle (3,3) becomes (6,6).
    assert spaces["h4"] == spaces["c4"] == "tavern"
    assert spaces["g7"] is None
    assert "c7" not in spaces
    # In the bottom right quadrant (1,7) and (5,2) become (8,2) and (4,7).
    assert spaces["m19"] == spaces["r15"] == "farm"


# Canonical values


def test_cards_are_kept_in_canonical_order() -> None:
    assert make(cards=("merchants", "fishermen", "knights")) == make()
    assert make(cards=()).cards == ()


def test_extra_tiles_are_kept_in_order_and_without_those_on_the_board() -> None:
    setup = make(extra_tiles=("harbor", "tavern", "oracle"))
    assert setup.extra_tiles == ("oracle", "harbor")
    assert setup.tile_kinds == ("oracle", "farm", "oasis", "tavern", "harbor", "paddock")
    assert make(extra_tiles=("tavern",)) == make()


def test_own_map_has_its_own_spaces() -> None:
    rows = own_map(c7="l", a1="l", t20="k", b2="W")
    setup = make(board=(), map=rows, locations=(("barn", cell("c7")), ("oracle", cell("a1"))))
    assert setup.locations == (("oracle", cell("a1")), ("barn", cell("c7")))
    assert setup.spaces == (
        SpaceInfo(cell("a1"), "location", "oracle"),
        SpaceInfo(cell("c7"), "location", "barn"),
        SpaceInfo(cell("t20"), "castle", None),
    )
    assert setup.letters == rows
    assert setup.terrain[cell("b2")] == Terrain.WATER
    assert setup.tile_kinds == ("oracle", "barn")


def test_own_map_may_be_bare() -> None:
    setup = make(board=(), map=own_map())
    assert (setup.spaces, setup.tile_kinds) == ((), ())
    assert setup.start_position().board.spaces == ()


# Nomads


def test_nomad_spaces_have_the_tiles_that_are_laid() -> None:
    nomads = (("sword", cell("f8")), ("donation_water", cell("n4")), ("sword", cell("c6")))
    setup = make(board=NOMADS_BOARD, nomads=nomads)
    assert setup.nomads == (nomads[1], nomads[2], nomads[0])
    assert [cell_name(c) for c in setup.nomad_cells] == ["n4", "c6", "h6", "f8", "e14", "q18"]
    tiles = {cell_name(s.cell): s.tile for s in setup.spaces if s.kind == "nomad"}
    assert tiles == {
        "n4": "donation_water",
        "c6": "sword",
        "h6": None,
        "f8": "sword",
        "e14": None,
        "q18": None,
    }
    slots = {cell_name(c): slot for c, kind, slot in setup.kernel_board.spaces if kind == 2}
    assert slots == {"n4": 5, "c6": 6, "h6": 0, "f8": 6, "e14": 0, "q18": 0}


def test_nomad_tiles_come_after_the_location_tiles() -> None:
    setup = make(
        board=("farm", "quarry", "oasis", "garden"),
        nomads=(("treasure", cell("m6")),),
        extra_tiles=("sword", "barn", "treasure"),
    )
    assert setup.extra_tiles == ("barn", "sword")
    assert setup.tile_kinds == ("farm", "oasis", "barn", "quarry", "garden", "sword", "treasure")


def test_own_map_may_have_nomad_spaces() -> None:
    setup = make(board=(), map=own_map(c7="n", d9="n"), nomads=(("outpost", cell("d9")),))
    assert setup.spaces == (
        SpaceInfo(cell("c7"), "nomad", None),
        SpaceInfo(cell("d9"), "nomad", "outpost"),
    )
    assert setup.tile_kinds == ("outpost",)


# Crossroads, Marshlands, Harvest


def test_tiles_are_in_the_order_of_the_kernels_slots() -> None:
    setup = make(
        board=("quarry", "kbai_bazaar", "kbai_temple", "lighthouse"),
        island="kbai_tree_house",
        caves=(cell("g1"),),
        nomads=(("sword", cell("c6")),),
        extra_tiles=("canoe_bonus", "farm", "temple_bonus", "outpost"),
    )
    assert setup.extra_tiles == ("farm", "canoe_bonus", "outpost")
    assert setup.tile_kinds == (
        "farm",
        "quarry",
        "lighthouse",
        "foresters_lodge",
        "temple",
        "bazaar",
        "water_mill",
        "tree_house",
        "temple_bonus",
        "canoe_bonus",
        "farmland",
        "cave",
        "silo",
        "outpost",
        "sword",
    )


@pytest.mark.parametrize(
    ("letters", "locations", "caves", "kinds"),
    [
        ({"c7": "A"}, (), (), ("farmland",)),
        ({"c7": "o"}, (), (), ("silo",)),
        ({"c7": "M"}, (), ("c7",), ("cave",)),
        ({"c7": "M", "d9": "S", "e9": "p"}, (), (), ()),
        ({"c7": "l"}, ("canoe",), (), ("canoe", "canoe_bonus")),
        ({"c7": "l", "d9": "A"}, ("temple",), (), ("temple", "temple_bonus", "farmland")),
    ],
)
def test_actions_without_a_tile_come_with_what_they_need(
    letters: dict[str, str],
    locations: tuple[str, ...],
    caves: tuple[str, ...],
    kinds: tuple[str, ...],
) -> None:
    setup = make(
        board=(),
        map=own_map(**letters),
        locations=tuple((kind, cell("c7")) for kind in locations),
        caves=tuple(map(cell, caves)),
    )
    assert setup.tile_kinds == kinds


def test_palaces_and_silos_are_spaces_without_tiles() -> None:
    setup = make(board=(), map=own_map(c7="p", d9="o"))
    assert setup.spaces == (
        SpaceInfo(cell("c7"), "palace", None),
        SpaceInfo(cell("d9"), "silo", None),
    )
    assert [kind for _, kind, _ in setup.kernel_board.spaces] == [Space.PALACE, Space.SILO]


def test_island_comes_after_the_board() -> None:
    setup = make(island="kbai_rope_bridge")
    assert [len(row) for row in setup.letters] == [20] * 20 + [10] * 5
    assert "".join(setup.letters)[cell("~b2")] == "l"
    assert setup.spaces[-2:] == (
        SpaceInfo(cell("~b2"), "location", "rope_bridge"),
        SpaceInfo(cell("~e4"), "castle", None),
    )
    assert setup.spaces[:-2] == make().spaces
    land = {name: setup.terrain[cell(name)] for name in ("~b1", "~a1", "~f5", "~g5", "~a3")}
    assert land == {
        "~b1": Terrain.CANYON,
        "~a1": Terrain.VOID,
        "~f5": Terrain.FLOWER,
        "~g5": Terrain.VOID,
        "~a3": Terrain.GRASS,
    }
    assert setup.terrain[450:] == bytes([Terrain.VOID]) * (N_CELLS - 450)
    assert setup.terrain[:400] == make().terrain[:400]


def test_island_lies_beside_a_map_of_ones_own_too() -> None:
    setup = make(
        board=(), map=own_map(c7="l"), locations=(("barn", 122),), island="kbai_tree_house"
    )
    assert setup.tile_kinds == ("barn", "tree_house")
    assert len(setup.letters) == 25


def test_caves_capitols_and_tasks_are_kept_in_order() -> None:
    setup = make(
        board=("oracle", "harbor", "tavern", "farm"),
        caves=(cell("q4"), cell("a6")),
        capitols=(cell("m5"), cell("d2")),
        tasks=("road", "home_country"),
    )
    assert [cell_name(c) for c in setup.caves] == ["q4", "a6"]
    assert [cell_name(c) for c in setup.capitols] == ["d2", "m5"]
    assert setup.tasks == ("home_country", "road")
    assert setup.kernel_board.cards[3:] == (Score.HOME_COUNTRY, Score.ROAD)


@pytest.mark.parametrize(
    ("choices", "deck"),
    [
        ({}, (5, 5, 5, 5, 5, 0, 0, 0, 0, 0)),
        ({"board": MARSH_BOARD}, (5, 5, 5, 5, 5, 1, 1, 1, 1, 1)),
        ({"options": Options(marsh_cards_always=True)}, (5, 5, 5, 5, 5, 1, 1, 1, 1, 1)),
        ({"board": (), "map": own_map(c7="S")}, (5, 5, 5, 5, 5, 1, 1, 1, 1, 1)),
        ({"cards": ("scouts",), "scouted": "desert"}, (5, 5, 0, 5, 5, 0, 0, 0, 0, 0)),
        (
            {"board": MARSH_BOARD, "cards": ("scouts",), "scouted": "grass"},
            (0, 5, 5, 5, 5, 0, 1, 1, 1, 1),
        ),
    ],
)
def test_deck_follows_from_marsh_and_scouts(
    choices: dict[str, object], deck: tuple[int, ...]
) -> None:
    assert make(**choices).deck == make(**choices).kernel_board.deck == deck


def test_layouts_that_are_not_the_printed_ones_are_known() -> None:
    setup = make(board=("tavern", "kbai_temple*", "oasis", "farm"), island="kbai_tree_house")
    assert setup.own_layouts == ("kbai_temple", "kbai_tree_house")
    assert make(board=("lighthouse", "quarry", "oasis", "farm")).own_layouts == ()
    assert make(board=(), map=own_map()).own_layouts == ()


@pytest.mark.parametrize(
    ("choices", "sets"),
    [
        ({}, ("base",)),
        ({"tasks": ("road",)}, ("base", "crossroads")),
        ({"cards": ("rangers",)}, ("base", "harvest")),
        ({"board": ("farm", "oasis", "barn", "kbai_temple")}, ("base", "marshlands")),
        ({"options": Options(marsh_cards_always=True)}, ("base", "marshlands")),
        ({"board": (), "map": own_map(c7="A")}, ("base", "harvest")),
        ({"caves": (cell("e1"),)}, ("base", "caves")),
        (
            {"board": ("oracle", "harbor", "tavern", "farm"), "capitols": (cell("d2"),)},
            ("base", "capitol"),
        ),
        ({"island": "kbai_tree_house"}, ("base", "island")),
        ({"cards": ("lords", "families")}, ("base", "nomads")),
        ({"board": ("farm", "oasis", "barn", "garden")}, ("base", "nomads")),
        ({"board": NOMADS_BOARD}, ("base", "nomads")),
        ({"extra_tiles": ("sword",)}, ("base", "nomads")),
        ({"board": (), "map": own_map()}, ("base",)),
    ],
)
def test_sets_follow_from_quadrants_tiles_and_cards(
    choices: dict[str, object], sets: tuple[str, ...]
) -> None:
    assert make(**choices).sets == sets


def test_there_are_25_walls_whatever_the_board() -> None:
    assert make().walls == make(board=NOMADS_BOARD).walls == 25


# Errors


@pytest.mark.parametrize(
    ("choices", "message", "path", "token"),
    [
        ({"seats": ("red",)}, "expected 2 to 5 seats, got 1.", ("seats",), "1"),
        ({"seats": SEATS[:6]}, "expected 2 to 5 seats, got 6.", ("seats",), "6"),
        (
            {"seats": ("red", "blu")},
            f"unknown seat 'blu'; did you mean 'blue'? (known: {', '.join(SEATS)}).",
            ("seats", 1),
            "blu",
        ),
        (
            {"seats": ("red", "red")},
            "expected each seat once, got 'red' twice.",
            ("seats", 1),
            "red",
        ),
        (
            {"start": 2},
            "expected the start seat as a number from 0 to 1, got 2.",
            ("start",),
            "2",
        ),
        (
            {"start": -1},
            "expected the start seat as a number from 0 to 1, got -1.",
            ("start",),
            "-1",
        ),
        (
            {"cards": ("fishers",)},
            "unknown card 'fishers'; did you mean 'fishermen'? (known: "
            + ", ".join(content.load().cards)
            + ").",
            ("cards", 0),
            "fishers",
        ),
        (
            {"cards": ("lords", "miners", "lords")},
            "expected each card once, got 'lords' twice.",
            ("cards", 2),
            "lords",
        ),
        (
            {"extra_tiles": ("barns",)},
            "unknown tile 'barns'; did you mean 'barn'? (49 names are known).",
            ("extra_tiles", 0),
            "barns",
        ),
        (
            {"tasks": ("roads",)},
            "unknown task 'roads'; did you mean 'road'? (known: home_country, fortress, road, "
            "place_of_refuge, advance, compass_points).",
            ("tasks", 0),
            "roads",
        ),
        (
            {"tasks": ("road", "road")},
            "expected each task once, got 'road' twice.",
            ("tasks", 1),
            "road",
        ),
        (
            {"island": "tree_house"},
            "unknown island 'tree_house'; did you mean 'kbai_tree_house'? (known: "
            "kbai_rope_bridge, kbai_tree_house).",
            ("island",),
            "tree_house",
        ),
        (
            {"caves": (cell("e1"), cell("c7"))},
            "expected a mountain of the board for a cave, got 'c7'.",
            ("caves", 1),
            "c7",
        ),
        (
            {"caves": (cell("~c3"),), "island": "kbai_tree_house"},
            "expected a mountain of the board for a cave, got '~c3'.",
            ("caves", 0),
            "~c3",
        ),
        (
            {"caves": (cell("e1"), cell("e1"))},
            "expected one cave on each cell, got 'e1' twice.",
            ("caves", 1),
            "e1",
        ),
        (
            {"capitols": (cell("c7"),)},
            "expected a castle of the board for a capitol, got 'c7'.",
            ("capitols", 0),
            "c7",
        ),
        (
            {"capitols": (cell("~e2"),), "island": "kbai_tree_house"},
            "expected a castle of the board for a capitol, got '~e2'.",
            ("capitols", 0),
            "~e2",
        ),
        (
            {"cards": ("scouts",)},
            "expected the terrain taken out for the card 'scouts' (grass, canyon, desert, flower, "
            "forest), got none.",
            ("scouted",),
            "",
        ),
        (
            {"scouted": "grass"},
            "expected a terrain taken out only with the card 'scouts', got 'grass'.",
            ("scouted",),
            "grass",
        ),
        (
            {"cards": ("scouts",), "scouted": "marsh"},
            "unknown terrain with cards 'marsh' (known: grass, canyon, desert, flower, forest).",
            ("scouted",),
            "marsh",
        ),
        (
            {"board": ()},
            "expected a board of four quadrants or a map, got neither.",
            (),
            "",
        ),
        ({"map": own_map()}, "expected a board or a map, got both.", ("map",), ""),
        (
            {"board": BOARD[:3]},
            "expected 4 quadrants, got 3: tavern, paddock, oasis.",
            ("board",),
            "",
        ),
        (
            {"board": ("tavern", "padock*", "oasis", "farm")},
            "unknown quadrant 'padock'; did you mean 'paddock'? (known: "
            + ", ".join(content.load().quadrants)
            + ").",
            ("board", 1),
            "padock*",
        ),
        (
            {"board": ("tavern", "paddock", "oasis", "tavern*")},
            "expected each quadrant once, got 'tavern' twice.",
            ("board", 3),
            "tavern*",
        ),
        (
            {"locations": (("barn", cell("c7")),)},
            "expected locations only with a map, as quadrants have their own; got 'barn@c7'.",
            ("locations", 0),
            "barn@c7",
        ),
        (
            {"board": (), "map": own_map()[:19]},
            "expected 20 rows in the map, got 19.",
            ("map",),
            "",
        ),
        (
            {"board": (), "map": (*own_map()[:4], "G" * 19, *own_map()[5:])},
            "expected 20 letters in row 5 of the map, got 19.",
            ("map", 4),
            "G" * 19,
        ),
        (
            {"board": (), "map": own_map(c7="x")},
            "expected letters G C D F T S A W M k l n p o in row 7 of the map, got 'x'.",
            ("map", 6),
            "x",
        ),
        (
            {"board": (), "map": own_map(c7="l")},
            "expected the kind of every location of the map, got none for the 'l' on c7.",
            ("locations",),
            "",
        ),
        (
            {"board": (), "map": own_map(c7="l"), "locations": (("bran", cell("c7")),)},
            "unknown location 'bran'; did you mean 'barn'? (known: "
            + ", ".join(content.load().locations)
            + ").",
            ("locations", 0),
            "bran@c7",
        ),
        (
            {"board": (), "map": own_map(), "locations": (("barn", cell("c7")),)},
            "expected a location on a cell marked 'l' in the map, got 'barn@c7'.",
            ("locations", 0),
            "barn@c7",
        ),
        (
            {
                "board": (),
                "map": own_map(c7="l"),
                "locations": (("barn", cell("c7")), ("farm", cell("c7"))),
            },
            "expected one location on each cell, got 'farm@c7' as a second.",
            ("locations", 1),
            "farm@c7",
        ),
        (
            {"board": (), "map": ("k" * 20,) * 4 + ("G" * 20,) * 16},
            "expected at most 64 castles, locations and other spaces, got 80.",
            ("map",),
            "",
        ),
        (
            {
                "board": (),
                "map": ("l" * 16 + "G" * 4,) + ("G" * 20,) * 19,
                "locations": tuple(("barn", col) for col in range(16)),
            },
            "expected at most 15 locations of a kind, got 16 of 'barn'.",
            ("locations",),
            "barn",
        ),
        (
            {"nomads": (("sword", cell("c7")),)},
            "expected a nomad tile on a nomad space, got 'sword@c7'; this board has none.",
            ("nomads", 0),
            "sword@c7",
        ),
        (
            {"board": NOMADS_BOARD, "nomads": (("sword", cell("c6")), ("sword", cell("c7")))},
            "expected a nomad tile on a nomad space, got 'sword@c7'; there are n4, c6, h6, f8, "
            "e14, q18.",
            ("nomads", 1),
            "sword@c7",
        ),
        (
            {"board": NOMADS_BOARD, "nomads": (("sword", 999),)},
            "expected a nomad tile on a nomad space, got 'sword@cell 999'; there are n4, c6, h6, "
            "f8, e14, q18.",
            ("nomads", 0),
            "sword@cell 999",
        ),
        (
            {"board": NOMADS_BOARD, "nomads": (("sward", cell("c6")),)},
            "unknown nomad tile 'sward'; did you mean 'sword'? (known: "
            + ", ".join(content.load().nomads)
            + ").",
            ("nomads", 0),
            "sward@c6",
        ),
        (
            {"board": NOMADS_BOARD, "nomads": (("sword", cell("c6")), ("outpost", cell("c6")))},
            "expected one nomad tile on each space, got 'outpost@c6' as a second.",
            ("nomads", 1),
            "outpost@c6",
        ),
        (
            {
                "board": NOMADS_BOARD,
                "nomads": (("donation_water", cell("c6")), ("donation_water", cell("h6"))),
            },
            "expected at most 1 donation_water tiles, got 'donation_water@h6' once more.",
            ("nomads", 1),
            "donation_water@h6",
        ),
    ],
)
def test_wrong_choice_is_named(
    choices: dict[str, object], message: str, path: tuple[str | int, ...], token: str
) -> None:
    with pytest.raises(NotationError) as caught:
        make(**choices)
    assert str(caught.value) == message
    assert (caught.value.path, caught.value.token) == (path, token)


def test_more_kinds_of_tiles_than_the_kernel_has_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbai.game.setup_checks.MAX_TILE_KINDS", 3)
    with pytest.raises(NotationError) as caught:
        make()
    assert str(caught.value) == "expected at most 3 kinds of tiles, got 4."


def test_error_tells_the_known_parts_of_its_place() -> None:
    error = NotationError("expected this.", path=("cards", 1), token="that")
    assert str(error) == "expected this."
    assert str(error.located(line=3)) == "line 3: expected this."
    full = error.located(line=3, column=9).located(file="a.toml")
    assert str(full) == "a.toml, line 3, column 9: expected this."
    assert (full.path, full.token) == (("cards", 1), "that")
    assert isinstance(full, NotationError) and isinstance(full, ValueError)
    illegal = IllegalActionError("c7 is water.", file="g.kbg", line=12)
    assert str(illegal) == "g.kbg, line 12: c7 is water."
    assert isinstance(illegal, KbaiError) and isinstance(illegal, ValueError)
    again = pickle.loads(pickle.dumps(full))
    assert (type(again), str(again), again.path) == (NotationError, str(full), full.path)


# Options


def test_options_at_their_default_are_not_written() -> None:
    assert Options().changed() == {}
    assert Options().bits() == Option.VACATED_HEX_COUNTS == 2


@pytest.mark.parametrize(
    ("key", "value", "text", "changed"),
    [
        ("lords_need_presence", True, "true", Option.LORDS_NEED_PRESENCE),
        ("vacated_hex_counts", False, "false", Option.VACATED_HEX_COUNTS),
        ("exhausted_card", "discard", "discard", Option.EXHAUSTED_DISCARD),
        ("exhausted_any_hex", True, "true", Option.EXHAUSTED_ANY_HEX),
        ("lost_tiles_return", True, "true", Option.LOST_TILES_RETURN),
        ("sword_targets", "one", "one", Option.SWORD_ONE),
        ("sword_cancels_end", True, "true", Option.SWORD_CANCELS_END),
        ("figure_moves", "any_terrain", "any_terrain", Option.FIGURES_ANYWHERE),
        ("figure_moves", "own_tile", "own_tile", Option.FIGURES_BY_OWN_TILE),
        ("canoe_self", True, "true", Option.CANOE_SELF),
        ("island_knights", True, "true", Option.ISLAND_KNIGHTS),
        ("special_spaces", "all", "all", Option.ALL_SPACES_COUNT),
        ("crossroads_identical_any", True, "true", Option.CROSSROADS_IDENTICAL_ANY),
        ("marsh_cards_always", True, "true", 0),
        ("red_cards_any_turn", True, "true", Option.RED_ANY_TURN),
        ("move_tiles", "at_end", "at_end", Option.TILES_AT_END),
    ],
)
def test_option_is_read_from_its_value_or_text(
    key: str, value: str | bool, text: str, changed: int
) -> None:
    options = Options(**{key: value})  # type: ignore[arg-type]
    assert options.changed() == {key: text}
    assert options.bits() == 2 ^ changed
    for given in (value, text, f" {text.upper()} "):
        parsed = Options.parse({key: given})
        assert parsed == options
        assert getattr(parsed, key) == value


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"meeples_only_by_own_tile": True}, {"figure_moves": "own_tile"}),
        ({"meeples_only_by_own_tile": "false"}, {"figure_moves": "any_terrain"}),
        ({"silo_is_special": "true"}, {"special_spaces": "all"}),
        ({"silo_is_special": False}, {}),
    ],
)
def test_options_of_older_versions_are_read_and_written_as_they_are_now(
    old: dict[str, str | bool], new: dict[str, str]
) -> None:
    assert Options.parse(old).changed() == new


def test_changed_options_are_in_the_order_of_their_table() -> None:
    options = Options.parse({"lost_tiles_return": "true", "lords_need_presence": True})
    assert list(options.changed()) == ["lords_need_presence", "lost_tiles_return"]


@pytest.mark.parametrize(
    ("values", "message", "path", "token"),
    [
        (
            {"lord_needs_presence": "true"},
            "unknown option 'lord_needs_presence'; did you mean 'lords_need_presence'? (known: "
            "lords_need_presence, vacated_hex_counts, exhausted_card, exhausted_any_hex, "
            "lost_tiles_return, sword_targets, sword_cancels_end, figure_moves, "
            "canoe_self, island_knights, special_spaces, crossroads_identical_any, "
            "marsh_cards_always, red_cards_any_turn, move_tiles).",
            ("options", "lord_needs_presence"),
            "lord_needs_presence",
        ),
        (
            {"exhausted_any_hex": "maybe"},
            "expected 'false' or 'true' for the option exhausted_any_hex, got 'maybe'.",
            ("options", "exhausted_any_hex"),
            "maybe",
        ),
        (
            {"exhausted_card": True},
            "expected 'remove' or 'discard' for the option exhausted_card, got True.",
            ("options", "exhausted_card"),
            "True",
        ),
        (
            {"sword_targets": "all"},
            "expected 'each' or 'one' for the option sword_targets, got 'all'.",
            ("options", "sword_targets"),
            "all",
        ),
        (
            {"silo_is_special": "maybe"},
            "expected 'false' or 'true' for the option silo_is_special, got 'maybe'.",
            ("options", "silo_is_special"),
            "maybe",
        ),
        (
            {"special_spaces": "books", "silo_is_special": "true"},
            "expected the option special_spaces once, but silo_is_special is its old name.",
            ("options", "silo_is_special"),
            "silo_is_special",
        ),
    ],
)
def test_wrong_option_is_named(
    values: dict[str, str | bool], message: str, path: tuple[str, ...], token: str
) -> None:
    with pytest.raises(NotationError) as caught:
        Options.parse(values)
    assert str(caught.value) == message
    assert (caught.value.path, caught.value.token) == (path, token)


def test_options_are_checked_on_construction_too() -> None:
    with pytest.raises(NotationError, match="expected 'remove' or 'discard'"):
        Options(exhausted_card="burn")


# The kernel's board


def test_kernel_board_is_what_the_setup_says() -> None:
    setup = make(options=Options(lords_need_presence=True), seats=("red", "blue", "white"))
    board = setup.kernel_board
    assert board.source == setup
    assert (board.seats, board.houses) == (3, 40)
    assert (board.cards, board.options) == ((1, 5, 8), 3)
    assert board.deck == (5, 5, 5, 5, 5, 0, 0, 0, 0, 0)
    assert bytes(board.terrain(number) for number in range(400)) == setup.terrain[:400]
    slots = {
        space.cell: setup.tile_kinds.index(space.tile) + 1 for space in setup.spaces if space.tile
    }
    assert {number: slot for number, _, slot in board.spaces if slot} == slots
    assert len(board.tiles) == len(setup.tile_kinds)


def test_kernel_is_told_what_lies_on_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, object] = {}
    monkeypatch.setattr("kbai.game.setup.Board", lambda **arguments: given.update(arguments))
    setup = make(
        seats=("purple", "orange"),
        board=("oracle", "kbai_bazaar", "kbai_temple", "kbai_canoe"),
        caves=(cell("a6"), cell("k3")),
        capitols=(cell("d2"),),
        cards=("scouts", "lords"),
        tasks=("advance",),
        scouted="flower",
        extra_tiles=("refuge_bonus",),
    )
    assert setup.kernel_board is None
    slots = {name: slot for slot, name in enumerate(setup.tile_kinds, start=1)}
    assert list(slots) == [
        *("oracle", "temple", "canoe", "bazaar", "water_mill"),
        *("temple_bonus", "refuge_bonus", "canoe_bonus", "farmland", "cave", "silo"),
    ]
    assert given["permanent"] == [slots["farmland"], slots["cave"]]
    # The refuge itself is not on the board: its bonus tile is only a gift.
    assert given["bonus"] == [(2, 6), (0, slots["refuge_bonus"]), (3, 8)]
    assert given["caves"] == (cell("k3"), cell("a6"))
    assert given["capitols"] == (cell("d2"),)
    assert given["scouted"] == Terrain.FLOWER
    assert given["cards"] == [Score.LORDS, Score.SCOUTS, Score.ADVANCE]
    make(seats=("purple", "orange")).kernel_board  # noqa: B018
    assert given["scouted"] == Terrain.VOID
    assert [given[key] for key in ("permanent", "bonus", "caves", "capitols")] == [[], [], (), ()]


def test_equal_setups_share_a_board() -> None:
    assert make().kernel_board is make(cards=CARDS[::-1]).kernel_board
    assert make().kernel_board is not make(start=1).kernel_board


def test_setup_is_pickled_without_its_board() -> None:
    setup = make(options=Options(lost_tiles_return=True))
    board = setup.kernel_board
    again = pickle.loads(pickle.dumps(setup))
    assert again == setup
    assert hash(again) == hash(setup)
    assert again.kernel_board is board


def test_setup_is_replaced_with_its_checks() -> None:
    assert replace(make(), start=1).start == 1
    with pytest.raises(NotationError):
        replace(make(), start=9)


# Random set-ups


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_random_setups_are_valid_and_the_same_again(seats: int) -> None:
    for seed in SEEDS:
        setup = Setup.random(seed, seats=seats)
        assert setup == Setup.random(seed, seats=seats)
        assert setup.seats == SEATS[:seats]
        assert len({name.removesuffix("*") for name in setup.board}) == 4
        assert len(setup.cards) == 3
        assert setup.start in range(seats)
        # Every quadrant has three spaces.
        assert len(setup.spaces) == 12


def test_random_setups_differ_in_all_that_is_drawn() -> None:
    setups = [Setup.random(seed) for seed in SEEDS]
    assert len({setup.board for setup in setups}) > 190
    # Each of 200 set-ups shows a given quadrant half of the time, a card 3 times in 10.
    boards = Counter(name for setup in setups for name in setup.board)
    assert len(boards) == 16
    assert all(25 < count < 75 for count in boards.values())
    cards = Counter(name for setup in setups for name in setup.cards)
    assert len(cards) == 10
    assert all(30 < count < 90 for count in cards.values())
    assert 70 < sum(setup.start for setup in setups) < 130


@pytest.mark.parametrize("sets", [("base", "nomads"), ("nomads",)])
def test_random_setups_of_more_sets_lay_a_nomad_tile_on_each_space(sets: tuple[str, ...]) -> None:
    setups = [Setup.random(seed, sets=sets) for seed in SEEDS]
    assert setups == [Setup.random(seed, sets=sets) for seed in SEEDS]
    every = content.load()
    boxes = {"base", *sets}  # an expansion is added to the base game
    for setup in setups:
        assert tuple(place for _, place in setup.nomads) == setup.nomad_cells
        assert {every.quadrants[name.removesuffix("*")].set for name in setup.board} <= boxes
        assert {every.cards[name].set for name in setup.cards} <= boxes
        # Every quadrant but the quarry, with three nomad spaces, has three spaces.
        n_spaces = 13 if {"quarry", "quarry*"} & {*setup.board} else 12
        assert len(setup.spaces) == n_spaces
    laid = Counter(kind for setup in setups for kind, _ in setup.nomads)
    assert {*laid} == {*every.nomads}
    boards = {name for setup in setups for name in setup.board}
    assert len(boards) == 2 * sum(item.set in boxes for item in every.quadrants.values())
    cards = {name for setup in setups for name in setup.cards}
    assert cards == {name for name, card in every.cards.items() if card.set in boxes}


def test_random_setups_of_all_sets_are_valid_and_the_same_again() -> None:
    every = content.load()
    setups = [Setup.random(seed, sets=ALL_SETS) for seed in SEEDS]
    assert setups == [Setup.random(seed, sets=ALL_SETS) for seed in SEEDS]
    for setup in setups:
        assert setup.start_position().draws()
        names = [name.removesuffix("*") for name in setup.board]
        n_crossroads = sum(every.quadrants[name].set == "crossroads" for name in names)
        assert len(setup.tasks) == n_crossroads
        assert len(setup.capitols) == sum(name in ("oracle", "harbor") for name in names)
        assert setup.island
        assert tuple(place for _, place in setup.nomads) == setup.nomad_cells
        assert bool(setup.scouted) == ("scouts" in setup.cards)
    # Everything comes that can be drawn.
    assert {name.removesuffix("*") for setup in setups for name in setup.board} == {
        *every.quadrants
    }
    assert {name for setup in setups for name in setup.cards} == {*every.cards}
    assert {name for setup in setups for name in setup.tasks} == {*every.tasks}
    assert {setup.island for setup in setups} == {*every.islands}
    assert {kind for setup in setups for kind, _ in setup.nomads} == {*every.nomads}


def test_capitol_stands_on_either_castle_of_its_quadrant() -> None:
    board = ("farm", "oracle", "harbor*", "tower")
    drawn = Counter(
        tuple(cell_name(c) for c in Setup.random(seed, sets=ALL_SETS, board=board).capitols)
        for seed in SEEDS
    )
    # Castles d2 and c8 of oracle, two places to the right; c5 and c9 of harbor, turned.
    wanted = {(a, b) for a in ("n2", "m8") for b in ("h12", "h16")}
    assert {*drawn} == wanted
    assert all(count > 25 for count in drawn.values())
    # No box, no capitol; no quadrant, no capitol.
    assert Setup.random(1, sets=("base",), board=board).capitols == ()
    assert Setup.random(1, sets=ALL_SETS, board=BOARD).capitols == ()


def drawn_caves(board: tuple[str, ...]) -> list[set[str]]:
    """Return the caves that random set-ups of this board have, by quadrant."""
    found: list[set[str]] = [set(), set(), set(), set()]
    for seed in SEEDS:
        caves = Setup.random(seed, sets=ALL_SETS, board=board).caves
        places = [2 * (number // 200) + number % 20 // 10 for number in caves]
        assert len({*places}) == len(places)
        for place, number in zip(places, caves, strict=True):
            found[place].add(cell_name(number))
    return found


def test_each_quadrant_has_a_cave_away_from_spaces_if_it_can() -> None:
    # Paddock has 13 mountains three steps away from its spaces, harbor 1, farm 2, oasis none.
    found = drawn_caves(("paddock", "harbor", "oasis", "farm"))
    assert [len(cells) for cells in found] == [13, 1, 0, 2]
    assert found[1] == {"q4"}
    assert found[3] == {"o18", "l19"}
    assert Setup.random(1, board=("paddock", "harbor", "oasis", "farm")).caves == ()


def test_cave_comes_nearer_to_spaces_where_it_must() -> None:
    # The one mountain of temple three steps away from its own spaces, j10, is two steps from the
    # silo of university below it. So any may come that touches no space: all but d8.
    found = drawn_caves(("kbai_temple", "lighthouse*", "kbai_university*", "city_hall*"))
    assert found[0] == {"j4", "d9", "j10"}


def test_scouted_terrain_is_drawn_from_the_deck() -> None:
    setups = [Setup.random(seed, cards=("scouts", "lords")) for seed in SEEDS]
    drawn = Counter(setup.scouted for setup in setups)
    assert {*drawn} == {"grass", "canyon", "desert", "flower", "forest"}
    assert all(20 < count < 65 for count in drawn.values())
    assert Setup.random(1, cards=("scouts",), scouted="forest").scouted == "forest"
    assert Setup.random(1, cards=("lords",)).scouted == ""


def test_what_is_drawn_for_a_board_does_not_depend_on_the_other_draws() -> None:
    board = ("oracle", "lighthouse", "kbai_temple", "quarry")
    for seed in range(30):
        plain = Setup.random(seed, sets=ALL_SETS, board=board, cards=("scouts",))
        given = {
            "island": "",
            "caves": (),
            "capitols": (),
            "nomads": (),
            "tasks": (),
            "scouted": "grass",
        }
        for key, value in given.items():
            other = Setup.random(
                seed,
                sets=ALL_SETS,
                board=board,
                cards=("scouts",),
                **{key: value},  # type: ignore[arg-type]
            )
            assert replace(plain, **{key: value}) == other  # type: ignore[arg-type]


def test_random_setup_lays_nomad_tiles_on_a_board_that_is_given() -> None:
    setup = Setup.random(7, board=NOMADS_BOARD)
    assert len(setup.nomads) == 6
    given = (("sword", cell("c6")),)
    assert Setup.random(7, board=NOMADS_BOARD, nomads=given).nomads == given
    assert Setup.random(7, board=NOMADS_BOARD, nomads=()).nomads == ()
    assert Setup.random(7, board=NOMADS_BOARD, cards=("lords",)).nomads == setup.nomads


def test_random_setup_keeps_what_is_given() -> None:
    setup = Setup.random(
        7, seats=("white", "black"), cards=("lords",), board=BOARD, options=Options(False, False)
    )
    assert setup.seats == ("white", "black")
    assert (setup.cards, setup.board) == (("lords",), BOARD)
    assert setup.options.vacated_hex_counts is False


def test_choosing_cards_does_not_change_the_rest_of_a_random_setup() -> None:
    for seed in SEEDS:
        plain = Setup.random(seed, seats=3)
        for other in (
            Setup.random(seed, seats=3, cards=("lords",)),
            Setup.random(seed, seats=3, exclude_cards=("lords", "miners")),
        ):
            assert (other.board, other.start) == (plain.board, plain.start)


def test_excluded_cards_do_not_come() -> None:
    excluded = tuple(content.load().cards)[3:9]
    for seed in SEEDS:
        assert not {*excluded} & {*Setup.random(seed, exclude_cards=excluded).cards}


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"seats": 1}, "expected 2 to 5 seats, got 1."),
        ({"seats": 6}, "expected 2 to 5 seats, got 6."),
        ({"sets": ("bases",)}, "unknown set 'bases'; did you mean 'base'? (known: base, nomads,"),
        ({"sets": ("base", "nomad")}, "unknown set 'nomad'; did you mean 'nomads'?"),
        ({"exclude_cards": ("lord",)}, "unknown card 'lord'; did you mean 'lords'?"),
        (
            {"exclude_cards": tuple(content.load().cards)[2:]},
            "expected at least 3 cards to draw from, got 2.",
        ),
    ],
)
def test_impossible_random_setup_is_explained(choices: dict[str, object], message: str) -> None:
    with pytest.raises(NotationError) as caught:
        Setup.random(1, **choices)  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("sets", [(), ("nomads",), ("caves", "harvest")])
def test_the_base_game_is_always_among_the_sets(sets: tuple[str, ...]) -> None:
    for seed in range(20):
        assert Setup.random(seed, sets=sets) == Setup.random(seed, sets=("base", *sets))


def test_random_setup_of_a_seed_never_changes() -> None:
    setup = Setup.random(7)
    assert setup.board == ("paddock", "harbor*", "oasis", "tavern")
    assert setup.cards == ("fishermen", "citizens", "lords")
    assert setup.start == 0
    setup = Setup.random(7, seats=3, sets=("base", "nomads"))
    assert setup.board == ("paddock*", "barn", "quarry", "oracle")
    assert setup.cards == ("fishermen", "discoverers", "citizens")
    assert setup.nomads == (
        ("treasure", cell("c16")),
        ("donation_mountain", cell("h16")),
        ("donation_grass", cell("f18")),
    )
    assert setup.start == 1


def test_derived_seeds_depend_on_the_seed_and_every_label() -> None:
    assert derive_seed(7, "setup") == 16946654297610223475
    seeds = {
        derive_seed(*labels)
        for labels in ((7,), (8,), (7, "a"), (7, "b"), (7, "a", 0), (7, "a", 1))
    }
    assert len(seeds) == 6
    assert all(0 <= seed < 2**64 for seed in seeds)


def test_the_start_position_is_a_new_one_before_the_first_turn() -> None:
    setup = Setup.random(4, seats=3)
    assert setup.start
    start = setup.start_position()
    assert (start.mover, setup_of(start)) == (setup.start, setup)
    start.playout(1)
    assert start != setup.start_position()
