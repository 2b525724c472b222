"""The data files: what is in the box, and what is said about a file that is wrong."""

from __future__ import annotations

import json
from dataclasses import fields
from importlib import resources

import pytest
from click.testing import CliRunner, Result

from kbai import content
from kbai._fast import CARD_KINDS, Action, Filter, Score, Space, Terrain
from kbai.cli import main
from kbai.content import NOMAD_ACTIONS, TERRAIN_CARDS, content_to_dict
from kbai.content.files import read_content
from kbai.core.errors import ContentError, NotationError, suggest_name

FILES = {
    item.name.removesuffix(".toml"): item.read_text("utf-8")
    for item in (resources.files("kbai") / "data").iterdir()
    if item.name.endswith(".toml")
}
BASE, NOMADS = FILES["base"], FILES["nomads"]
SETS = ["base", "nomads", "crossroads", "marshlands", "harvest", "capitol", "caves", "island"]
NOMADS_KINDS = ["quarry", "caravan", "village", "garden"]
CROSSROADS_KINDS = [
    "lighthouse",
    "foresters_lodge",
    "barracks",
    "crossroads",
    "city_hall",
    "fort",
    "monastery",
    "wagon",
]
CROSSROADS_QUADRANTS = {
    "lighthouse": ["foresters_lodge", "lighthouse"],
    "barracks": ["barracks", "crossroads"],
    "city_hall": ["city_hall", "fort"],
    "monastery": ["wagon", "monastery"],
}
MARSHLANDS_KINDS = ["temple", "refuge", "canoe", "fountain"]
HARVEST_KINDS = [
    "bazaar",
    "water_mill",
    "mountain_station",
    "scout_cabin",
    "cathedral",
    "watchtower",
    "university",
    "palisade",
]
ISLAND_KINDS = ["rope_bridge", "tree_house"]
BONUSES = [f"{kind}_bonus" for kind in MARSHLANDS_KINDS]
COMMONS = ["farmland", "cave", "silo"]
TERRAINS = ["grass", "canyon", "desert", "flower", "forest", "water", "mountain"]
NOMAD_TILES = [
    *(f"donation_{terrain}" for terrain in TERRAINS),
    "resettlement",
    "outpost",
    "sword",
    "treasure",
]
NOMADS_CARDS = ["families", "shepherds", "ambassadors"]
MARSHLANDS_CARDS = ["geologists", "messengers", "noblewomen", "vassals", "captains", "scouts"]
HARVEST_CARDS = ["rangers", "mayors", "travelers", "chainers", "homesteaders", "rovers"]
TASKS = {
    "home_country": 5,
    "fortress": 6,
    "road": 7,
    "place_of_refuge": 8,
    "advance": 9,
    "compass_points": 10,
}
KINDS = ["oracle", "farm", "oasis", "tower", "tavern", "barn", "harbor", "paddock"]
CARDS = [
    "fishermen",
    "miners",
    "workers",
    "discoverers",
    "knights",
    "hermits",
    "citizens",
    "merchants",
    "farmers",
    "lords",
]
LOCATIONS = [
    *KINDS,
    *NOMADS_KINDS,
    *CROSSROADS_KINDS,
    *MARSHLANDS_KINDS,
    *HARVEST_KINDS,
    *ISLAND_KINDS,
]
QUADRANTS = [
    *KINDS,
    *NOMADS_KINDS,
    *CROSSROADS_QUADRANTS,
    *(f"kbai_{kind}" for kind in MARSHLANDS_KINDS),
    *(f"kbai_{kind}" for kind in HARVEST_KINDS[::2]),
]
ISLANDS = [f"kbai_{kind}" for kind in ISLAND_KINDS]
EVERY_CARD = [*CARDS, *NOMADS_CARDS, *MARSHLANDS_CARDS, *HARVEST_CARDS]
RULES = ["castles", "treasure", "palaces", "capitols"]
EXTRA_SET = """
name = "extra"
title = "A second box"
order = -1
houses = 40
tiles_per_space = 2
deck = {}

[[location]]
name = "annex"
action = "build"
filter = "edge"
text = "Build one settlement at the edge."
"""


def changed(old: str, new: str, text: str = BASE) -> str:
    """Return the base set, or another one, with one piece of its text replaced."""
    assert old in text
    return text.replace(old, new, 1)


def read(**changes: str) -> content.Content:
    """Return what all sets hold, some of them with another text."""
    return read_content((f"{name}.toml", text) for name, text in (FILES | changes).items())


def without_table(header: str, name: str, text: str = BASE) -> str:
    """Return the base set, or another one, without one of its tables."""
    start = text.index(f'{header}\nname = "{name}"')
    end = text.find("\n[[", start)
    return text[:start] + (text[end + 1 :] if end >= 0 else "")


def test_names_are_in_the_canonical_order() -> None:
    every = content.load()
    assert list(every.sets) == SETS
    assert list(every.quadrants) == QUADRANTS
    assert list(every.islands) == ISLANDS
    assert list(every.locations) == LOCATIONS
    assert list(every.tiles) == [*LOCATIONS, *BONUSES, *COMMONS, *NOMAD_TILES]
    assert list(every.cards) == EVERY_CARD
    assert list(every.rules) == RULES
    assert list(every.tasks) == [*TASKS]
    assert every.tiles == {name: every.tile(name) for name in every.tiles}


def test_kernel_and_content_agree_on_the_order_of_terrains_and_cards() -> None:
    assert [Terrain[name.upper()] for name in content.TERRAINS] == [*range(9)]
    assert len(TERRAIN_CARDS) == CARD_KINDS
    assert TERRAIN_CARDS[5:] == tuple(f"marsh_{name}" for name in TERRAIN_CARDS[:5])
    assert content.BUILDABLE == (*TERRAIN_CARDS[:5], "marsh", "farmland")


def test_rows_belong_to_the_box_they_came_in() -> None:
    every = content.load()
    boxes = {
        "base": [*KINDS, *CARDS, "castles"],
        "nomads": [*NOMADS_KINDS, *NOMADS_CARDS, *NOMAD_TILES],
        "crossroads": [*CROSSROADS_KINDS, *TASKS],
        "marshlands": [*MARSHLANDS_KINDS, *BONUSES, *MARSHLANDS_CARDS, "palaces"],
        "harvest": [*HARVEST_KINDS, *HARVEST_CARDS, "farmland", "silo"],
        "capitol": ["capitols"],
        "caves": ["cave"],
        "island": [*ISLAND_KINDS, *ISLANDS],
    }
    rows: dict[str, set[str]] = {}
    for family in (every.tiles, every.islands, every.cards, every.rules, every.tasks):
        for row in family.values():
            rows.setdefault(row.set, set()).add(row.name)
    assert rows == {name: {*names} for name, names in boxes.items()}


def test_box_holds_25_terrain_cards_and_40_houses_a_player() -> None:
    base = content.load().sets["base"]
    assert dict(base.deck) == dict.fromkeys(("grass", "canyon", "desert", "flower", "forest"), 5)
    assert base.houses == 40


def test_nomads_box_holds_15_nomad_tiles_and_25_walls() -> None:
    every = content.load()
    counts = {name: tile.count for name, tile in every.nomads.items()}
    assert sum(counts.values()) == 15
    assert [name for name, count in counts.items() if count == 2] == NOMAD_TILES[7:]
    assert {name: item.walls for name, item in every.sets.items() if item.walls} == {"nomads": 25}
    assert not every.sets["nomads"].deck


def test_other_boxes_hold_figures_marsh_cards_capitols_and_caves() -> None:
    sets = content.load().sets
    figures = {"warrior": 2, "wagon": 1, "ship": 1, "city_hall": 1}
    assert {n: dict(item.figures) for n, item in sets.items() if item.figures} == {
        "crossroads": figures
    }
    marsh = {f"marsh_{name}": 1 for name in ("grass", "canyon", "desert", "flower", "forest")}
    assert {n: dict(item.deck) for n, item in sets.items() if item.deck} == {
        "base": dict(sets["base"].deck),
        "marshlands": marsh,
    }
    assert {n: item.capitols for n, item in sets.items() if item.capitols} == {
        "capitol": ("oracle", "harbor")
    }
    assert {n: item.caves for n, item in sets.items() if item.caves} == {"caves": 1}
    assert {n: item.houses for n, item in sets.items() if item.houses} == {"base": 40}


def test_tasks_pay_what_their_cards_say() -> None:
    tasks = content.load().tasks
    assert {name: task.gold for name, task in tasks.items()} == TASKS
    assert {task.score.name.lower() for task in tasks.values()} == {*TASKS}


def test_bonus_tiles_and_common_actions_say_what_brings_them() -> None:
    every = content.load()
    assert {n: bonus.location for n, bonus in every.bonuses.items()} == {
        f"{kind}_bonus": kind for kind in MARSHLANDS_KINDS
    }
    assert {n: common.needs for n, common in every.commons.items()} == {
        name: name for name in COMMONS
    }


@pytest.mark.parametrize(
    ("kind", "action", "rule", "terrain"),
    [
        ("oracle", Action.BUILD, Filter.CARD, None),
        ("farm", Action.BUILD, Filter.TERRAIN, "grass"),
        ("oasis", Action.BUILD, Filter.TERRAIN, "desert"),
        ("tower", Action.BUILD, Filter.EDGE, None),
        ("tavern", Action.BUILD, Filter.LINE_END, None),
        ("barn", Action.MOVE, Filter.CARD, None),
        ("harbor", Action.MOVE, Filter.TERRAIN, "water"),
        ("paddock", Action.MOVE, Filter.JUMP, None),
        ("quarry", Action.WALL, Filter.CARD_BESIDE, None),
        ("caravan", Action.MOVE, Filter.SLIDE, None),
        ("village", Action.BUILD, Filter.CROWD, None),
        ("garden", Action.BUILD, Filter.TERRAIN, "flower"),
        ("lighthouse", Action.SHIP, Filter.TERRAIN, "water"),
        ("foresters_lodge", Action.BUILD, Filter.TERRAIN, "forest"),
        ("barracks", Action.WARRIOR, Filter.LAND, None),
        ("crossroads", Action.CROSSROADS, Filter.NONE, None),
        ("city_hall", Action.HALL, Filter.NONE, None),
        ("fort", Action.FORT, Filter.NONE, None),
        ("monastery", Action.BUILD, Filter.TERRAIN, "canyon"),
        ("wagon", Action.WAGON, Filter.LAND_OR_MOUNTAIN, None),
        ("temple", Action.TEMPLE, Filter.NONE, None),
        ("refuge", Action.MOVE, Filter.STEP, None),
        ("canoe", Action.CANOE, Filter.SHORE, None),
        ("fountain", Action.BUILD, Filter.LONELY, None),
        ("bazaar", Action.BAZAAR, Filter.NONE, None),
        ("water_mill", Action.BUILD, Filter.WATERSIDE, None),
        ("mountain_station", Action.BUILD, Filter.FOOTHILL, None),
        ("scout_cabin", Action.SCOUT, Filter.NONE, None),
        ("cathedral", Action.CATHEDRAL, Filter.CARD, None),
        ("watchtower", Action.BUILD, Filter.WATCH, None),
        ("university", Action.BUILD, Filter.SPECIAL_SIDE, None),
        ("palisade", Action.MOVE, Filter.AREA, None),
        ("rope_bridge", Action.MOVE, Filter.TERRAIN, "canyon"),
        ("tree_house", Action.MOVE, Filter.TERRAIN, "forest"),
        ("temple_bonus", Action.TEMPLE_BONUS, Filter.NONE, None),
        ("refuge_bonus", Action.MOVE, Filter.NEAREST, None),
        ("canoe_bonus", Action.BUILD, Filter.SHORE, None),
        ("fountain_bonus", Action.FOUNTAIN_BONUS, Filter.NONE, None),
        ("farmland", Action.BUILD, Filter.BESIDE, "farmland"),
        ("cave", Action.MOVE, Filter.CAVE, None),
        ("silo", Action.SILO, Filter.NONE, None),
        *((f"donation_{t}", Action.DONATION, Filter.TERRAIN, t) for t in TERRAINS),
        ("resettlement", Action.RESETTLEMENT, Filter.STEP, None),
        ("outpost", Action.OUTPOST, Filter.NONE, None),
        ("sword", Action.SWORD, Filter.NONE, None),
        ("treasure", Action.TREASURE, Filter.NONE, None),
    ],
)
def test_tile_has_the_action_of_the_rules(
    kind: str, action: Action, rule: Filter, terrain: str | None
) -> None:
    tile = content.load().tile(kind)
    assert (tile.action, tile.filter, tile.terrain) == (action, rule, terrain)
    assert (kind in NOMAD_TILES) == (action in NOMAD_ACTIONS)


@pytest.mark.parametrize("name", [*KINDS, *NOMADS_KINDS])
def test_quadrant_has_its_own_locations_castles_and_nomad_spaces(name: str) -> None:
    quadrant = content.load().quadrants[name]
    single = name in ("oracle", "harbor", "quarry")
    assert [kind for kind, _, _ in quadrant.locations] == [name] * (1 if single else 2)
    letters = "".join(quadrant.grid)
    castles = 0 if name in NOMADS_KINDS else 2 if single else 1
    nomads = 0 if name in KINDS else 3 if single else 1
    assert (letters.count("k"), letters.count("n")) == (castles, nomads)
    assert all(quadrant.grid[row][col] == "l" for _, row, col in quadrant.locations)
    assert quadrant.official


@pytest.mark.parametrize("name", CROSSROADS_QUADRANTS)
def test_crossroads_quadrant_has_two_locations_and_a_castle(name: str) -> None:
    quadrant = content.load().quadrants[name]
    assert [kind for kind, _, _ in quadrant.locations] == CROSSROADS_QUADRANTS[name]
    letters = "".join(quadrant.grid)
    spaces = {letter: letters.count(letter) for letter in letters if letter.islower()}
    assert spaces == {"l": 2, "k": 1}
    assert quadrant.official


@pytest.mark.parametrize("name", QUADRANTS)
def test_turning_a_quadrant_turns_every_hex_and_twice_is_nothing(name: str) -> None:
    quadrant = content.load().quadrants[name]
    turned = quadrant.turned()
    assert all(
        turned.grid[9 - row][9 - col] == quadrant.grid[row][col]
        for row in range(10)
        for col in range(10)
    )
    assert {*turned.locations} == {(k, 9 - row, 9 - col) for k, row, col in quadrant.locations}
    assert turned.turned() == quadrant


def test_every_text_is_one_sentence() -> None:
    every = content.load()
    paid = (*every.cards.values(), *every.rules.values(), *every.tasks.values())
    for row in (*every.tiles.values(), *paid):
        assert row.text.endswith("."), row.name
        assert row.text.count(".") == 1, row.name
        assert "  " not in row.text, row.name


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "base"', "name = base", "base.toml: this is not TOML: "),
        ("houses = 40", "", "base.toml, key 'houses': expected a value (int), got nothing."),
        (
            "houses = 40",
            'houses = "40"',
            "base.toml, key 'houses': expected a value of type int, got '40'.",
        ),
        (
            "houses = 40",
            "houses = true",
            "base.toml, key 'houses': expected a value of type int, got True.",
        ),
        (
            "houses = 40",
            "houses = 40\nhuoses = 40",
            "base.toml, key 'huoses': unknown key 'huoses'; did you mean 'houses'? (known: ",
        ),
        (
            "tiles_per_space = 2",
            "tiles_per_space = 3",
            "base.toml, key 'tiles_per_space': expected 2, got 3.",
        ),
        (
            "grass = 5",
            "gras = 5",
            "base.toml, key 'deck': unknown terrain card 'gras'; did you mean 'grass'? "
            "(known: grass, canyon, desert, flower, forest, marsh_grass,",
        ),
        (
            "grass = 5",
            "grass = -1",
            "base.toml, key 'deck': expected a number of grass cards, got -1.",
        ),
        (
            'action = "build"\nfilter = "card"',
            'action = "biuld"\nfilter = "card"',
            "base.toml, location 'oracle', key 'action': unknown Action of the kernel 'biuld'; "
            "did you mean 'build'? (known: build, move, wall, fort, warrior,",
        ),
        (
            'filter = "jump"',
            'filter = "hop"',
            "base.toml, location 'paddock', key 'filter': unknown Filter of the kernel 'hop' "
            "(known: card, terrain, edge, land, land_or_mountain, waterside,",
        ),
        (
            'terrain = "grass"',
            'terrain = "gress"',
            "base.toml, location 'farm', key 'terrain': unknown terrain 'gress'; did you mean",
        ),
        (
            'terrain = "grass"\n',
            "",
            "base.toml, location 'farm', key 'terrain': expected a value (str), got nothing.",
        ),
        (
            'filter = "edge"',
            'filter = "edge"\nterrain = "grass"',
            "base.toml, location 'tower', key 'terrain': unknown key 'terrain'",
        ),
        (
            'score = "lords"',
            'score = "lord"',
            "base.toml, card 'lords', key 'score': unknown Score of the kernel 'lord'; "
            "did you mean 'lords'?",
        ),
        (
            'name = "miners"',
            'name = "fishermen"',
            "base.toml, card 'fishermen', key 'name': 'fishermen' is there twice.",
        ),
        (
            'name = "miners"\n',
            "",
            "base.toml, card number 2, key 'name': expected a value (str), got nothing.",
        ),
        (
            " T T T W W W W W W W\n",
            "",
            "base.toml, quadrant 'farm', key 'grid': expected 10 rows, got 9.",
        ),
        (
            " T T T W W W W W W W\n",
            " T T T W W W W W W\n",
            "base.toml, quadrant 'farm', key 'grid': expected 10 letters in row 10, "
            "got 'TTTWWWWWW'.",
        ),
        (
            " T T T W W W W W W W\n",
            " T T T W x W W W W W\n",
            "base.toml, quadrant 'farm', key 'grid': expected letters out of GCDFTSAWMklnpo "
            "in row 10, got 'x'.",
        ),
        (
            "F D D M M D D C C C",
            "F D D k M D D C C C",
            "base.toml, quadrant 'tavern', key 'castles': expected 1 letters 'k' in the grid, "
            "got 2.",
        ),
        (
            '"tavern@h7"',
            '"tavern@h8"',
            "base.toml, quadrant 'tavern', key 'locations': expected the letters 'l' of the grid "
            "(c7 h7), got c7 h8.",
        ),
        (
            '"tavern@c7", "tavern@h7"',
            '"tavern@c7"',
            "base.toml, quadrant 'tavern', key 'locations': expected the letters 'l' of the grid "
            "(c7 h7), got c7.",
        ),
        (
            '"tavern@c7"',
            '"tavern@k7"',
            "base.toml, quadrant 'tavern', key 'locations': expected a location like 'tavern@c7', "
            "got 'tavern@k7'.",
        ),
        (
            '"tavern@c7"',
            '"taverne@c7"',
            "base.toml, quadrant 'tavern', key 'locations': unknown location 'taverne'; "
            "did you mean 'tavern'?",
        ),
    ],
)
def test_wrong_file_is_named_with_table_and_key(old: str, new: str, message: str) -> None:
    with pytest.raises(ContentError) as caught:
        read_content([("base.toml", changed(old, new))])
    assert str(caught.value).startswith(message)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'action = "sword"',
            'action = "move"',
            "nomads.toml, nomad 'sword', key 'action': expected what a nomad tile does, "
            "got 'move' of a location.",
        ),
        (
            'action = "wall"',
            'action = "sword"',
            "nomads.toml, location 'quarry', key 'action': expected what a location tile does, "
            "got 'sword' of a nomad tile.",
        ),
        (
            "count = 2",
            "count = 0",
            "nomads.toml, nomad 'resettlement', key 'count': expected at least 1 tile, got 0.",
        ),
        (
            "count = 2\n",
            "",
            "nomads.toml, nomad 'resettlement', key 'count': expected a value (int), got nothing.",
        ),
        (
            'terrain = "mountain"',
            'terrain = "mountains"',
            "nomads.toml, nomad 'donation_mountain', key 'terrain': unknown terrain 'mountains'; "
            "did you mean 'mountain'?",
        ),
        (
            'name = "outpost"',
            'name = "sword"',
            "nomads.toml, nomad 'sword', key 'name': 'sword' is there twice.",
        ),
        (
            'name = "outpost"',
            'name = "farm"',
            "nomads.toml, key 'nomad': 'farm' is the name of a location, too.",
        ),
        (
            "nomads = 3",
            "nomads = 2",
            "nomads.toml, quadrant 'quarry', key 'nomads': expected 2 letters 'n' in the grid, "
            "got 3.",
        ),
    ],
)
def test_wrong_nomad_tile_is_named_with_table_and_key(old: str, new: str, message: str) -> None:
    with pytest.raises(ContentError) as caught:
        read(nomads=changed(old, new, NOMADS))
    assert str(caught.value).startswith(message)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        (
            "marshlands",
            'action = "temple_bonus"',
            'action = "sword"',
            "marshlands.toml, bonus 'temple_bonus', key 'action': expected what a bonus tile "
            "does, got 'sword' of a nomad tile.",
        ),
        (
            "marshlands",
            'action = "temple"',
            'action = "temple_bonus"',
            "marshlands.toml, location 'temple', key 'action': expected what a location tile "
            "does, got 'temple_bonus' of a bonus tile.",
        ),
        (
            "marshlands",
            'location = "refuge"',
            'location = "refuges"',
            "marshlands.toml, bonus 'refuge_bonus', key 'location': unknown location 'refuges'; "
            "did you mean 'refuge'?",
        ),
        (
            "marshlands",
            "marsh_grass = 1",
            "marsh_gras = 1",
            "marshlands.toml, key 'deck': unknown terrain card 'marsh_gras'; did you mean "
            "'marsh_grass'?",
        ),
        (
            "marshlands",
            "palaces = 1",
            "palaces = 2",
            "marshlands.toml, quadrant 'kbai_temple', key 'palaces': expected 2 letters 'p' in "
            "the grid, got 1.",
        ),
        (
            "harvest",
            'action = "bazaar"',
            'action = "silo"',
            "harvest.toml, location 'bazaar', key 'action': expected what a location tile does, "
            "got 'silo' of an action without a tile.",
        ),
        (
            "harvest",
            'needs = "silo"',
            'needs = "silos"',
            "harvest.toml, common 'silo', key 'needs': unknown terrain or space 'silos'; did you "
            "mean 'silo'?",
        ),
        (
            "harvest",
            'terrain = "farmland"\n',
            "",
            "harvest.toml, common 'farmland', key 'terrain': expected a value (str), got nothing.",
        ),
        (
            "harvest",
            'name = "silo"',
            'name = "canoe"',
            "harvest.toml, key 'common': 'canoe' is the name of a location, too.",
        ),
        (
            "harvest",
            "silos = 1\n",
            "",
            "harvest.toml, quadrant 'kbai_bazaar', key 'silos': expected 0 letters 'o' in the "
            "grid, got 1.",
        ),
        (
            "harvest",
            'name = "kbai_bazaar"',
            'name = "My bazaar"',
            "harvest.toml, quadrant 'My bazaar', key 'name': expected a name of small letters, "
            "digits and '_' like 'my_farm', got 'My bazaar'.",
        ),
        (
            "crossroads",
            "gold = 5",
            "gold = 0",
            "crossroads.toml, task 'home_country', key 'gold': expected at least 1 gold, got 0.",
        ),
        (
            "crossroads",
            'score = "road"',
            'score = "roads"',
            "crossroads.toml, task 'road', key 'score': unknown Score of the kernel 'roads'; "
            "did you mean 'road'?",
        ),
        (
            "crossroads",
            "warrior = 2",
            "warrior = 3",
            "crossroads.toml, key 'figures': expected 2 of the figure 'warrior', got 3.",
        ),
        (
            "crossroads",
            "warrior = 2",
            "warriors = 2",
            "crossroads.toml, key 'figures': unknown figure 'warriors'; did you mean 'warrior'?",
        ),
        (
            "capitol",
            '"harbor"',
            '"harbour"',
            "capitol.toml, key 'capitols': unknown quadrant 'harbour'; did you mean 'harbor'?",
        ),
        (
            "caves",
            "caves = 1",
            "caves = true",
            "caves.toml, key 'caves': expected a value of type int, got True.",
        ),
        (
            "island",
            ". C C D D . .\n",
            "",
            "island.toml, island 'kbai_rope_bridge', key 'grid': expected 5 rows, got 4.",
        ),
        (
            "island",
            ". C C D D . .",
            ". C C D D . . . . . .",
            "island.toml, island 'kbai_rope_bridge', key 'grid': expected at most 10 letters in "
            "row 1, got '.CCDD......'.",
        ),
        (
            "island",
            ". C C D D . .",
            ". C x D D . .",
            "island.toml, island 'kbai_rope_bridge', key 'grid': expected letters out of "
            "GCDFTSAWMklnpo. in row 1, got 'x'.",
        ),
        (
            "island",
            '"rope_bridge@b2"',
            '"rope_bridge@b3"',
            "island.toml, island 'kbai_rope_bridge', key 'locations': expected the letters 'l' of "
            "the grid (b2), got b3.",
        ),
    ],
)
def test_wrong_row_of_another_set_is_named(name: str, old: str, new: str, message: str) -> None:
    with pytest.raises(ContentError) as caught:
        read(**{name: changed(old, new, FILES[name])})
    assert str(caught.value).startswith(message)
    assert str(caught.value).endswith(".")


def test_rows_must_be_tables() -> None:
    with pytest.raises(ContentError, match=r"base\.toml, key 'islands': unknown key"):
        read_content([("base.toml", 'islands = ["rope"]\n' + BASE)])
    with pytest.raises(ContentError, match=r"b\.toml, key 'location': expected tables \[\[loc"):
        read_content([("b.toml", EXTRA_SET.split("[[")[0] + 'location = ["annex"]')])


@pytest.mark.parametrize(
    ("file", "header", "name", "message"),
    [
        ("base", "[[card]]", "farmers", "'farmers' is used by no row."),
        ("base", "[[rule]]", "castles", "'castles' is used by no row."),
        ("crossroads", "[[task]]", "road", "'road' is used by no row."),
    ],
)
def test_every_score_of_the_kernel_needs_a_row(
    file: str, header: str, name: str, message: str
) -> None:
    with pytest.raises(ContentError) as caught:
        read(**{file: without_table(header, name, FILES[file])})
    assert str(caught.value) == f"data, card, rule or task, key 'score': {message}"


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("base", 'filter = "edge"', 'filter = "card"', "tile, key 'filter': 'edge' is"),
        ("nomads", 'action = "wall"', 'action = "build"', "tile, key 'action': 'wall' is"),
        ("caves", 'filter = "cave"', 'filter = "step"', "tile, key 'filter': 'cave' is"),
        ("harvest", 'action = "silo"', 'action = "build"', "tile, key 'action': 'silo' is"),
        ("marshlands", 'action = "temple_bonus"', 'action = "move"', "'temple_bonus' is"),
    ],
)
def test_every_filter_and_action_of_the_kernel_needs_a_row(
    file: str, old: str, new: str, message: str
) -> None:
    with pytest.raises(ContentError, match=message):
        read(**{file: changed(old, new, FILES[file])})


@pytest.mark.parametrize(
    ("file", "letter", "kind"),
    [("nomads", "n", "nomad"), ("marshlands", "p", "palace"), ("harvest", "o", "silo")],
)
def test_every_space_of_the_kernel_needs_a_row(file: str, letter: str, kind: str) -> None:
    lines = FILES[file].replace(f" {letter} ", " G ").splitlines()
    text = "\n".join(line for line in lines if not line.startswith(f"{kind}s ="))
    with pytest.raises(ContentError, match=f"quadrant, key 'grid': '{kind}' is used by no row"):
        read(**{file: text})


def test_every_rule_of_the_kernel_is_used() -> None:
    every = content.load()
    assert {tile.action for tile in every.tiles.values()} == {*Action}
    assert {tile.filter for tile in every.tiles.values()} == {*Filter}
    assert {name.upper() for name in content.SPACE_LETTERS.values()} == {s.name for s in Space}
    rows = [*every.cards.values(), *every.rules.values(), *every.tasks.values()]
    assert sorted(row.score for row in rows) == sorted(Score)


def test_sets_are_listed_by_their_order_not_by_file_name() -> None:
    every = read(another=EXTRA_SET)
    assert list(every.sets) == ["extra", *SETS]
    assert list(every.locations) == ["annex", *LOCATIONS]


def test_two_sets_cannot_share_a_name() -> None:
    with pytest.raises(ContentError, match="the set 'base' is there twice"):
        read_content([("base.toml", BASE), ("other.toml", BASE)])


@pytest.mark.parametrize(
    ("choice", "found"),
    [
        (
            {},
            {
                "quadrants": QUADRANTS,
                "islands": ISLANDS,
                "locations": LOCATIONS,
                "bonuses": BONUSES,
                "commons": COMMONS,
                "nomads": NOMAD_TILES,
                "cards": EVERY_CARD,
                "rules": RULES,
                "tasks": [*TASKS],
            },
        ),
        ({"names": ["oasis"]}, {"quadrants": ["oasis"], "locations": ["oasis"]}),
        ({"names": ["oasis"], "kind": "locations"}, {"locations": ["oasis"]}),
        ({"names": ["lords", "castles"]}, {"cards": ["lords"], "rules": ["castles"]}),
        ({"kind": "cards", "set_name": "base"}, {"cards": CARDS, "rules": ["castles"]}),
        ({"kind": "nomads"}, {"nomads": NOMAD_TILES}),
        ({"names": ["treasure"]}, {"nomads": ["treasure"], "rules": ["treasure"]}),
        (
            {"set_name": "nomads"},
            {
                "quadrants": NOMADS_KINDS,
                "locations": NOMADS_KINDS,
                "nomads": NOMAD_TILES,
                "cards": NOMADS_CARDS,
                "rules": ["treasure"],
            },
        ),
        ({"kind": "quadrants", "set_name": "base"}, {"quadrants": KINDS}),
        ({"kind": "islands"}, {"islands": ISLANDS}),
        ({"kind": "bonuses"}, {"bonuses": BONUSES}),
        ({"kind": "commons", "set_name": "harvest"}, {"commons": ["farmland", "silo"]}),
        ({"kind": "tasks", "names": ["road", "fortress"]}, {"tasks": ["fortress", "road"]}),
        ({"kind": "sets"}, {}),
        ({"set_name": "caves"}, {"commons": ["cave"]}),
        ({"set_name": "extra"}, {"locations": ["annex"]}),
    ],
)
def test_content_is_chosen_by_name_set_and_kind(
    choice: dict[str, object], found: dict[str, list[str]]
) -> None:
    every = content.load()
    if choice.get("set_name") == "extra":
        every = read(another=EXTRA_SET)
    part = content.select(every, **choice)  # type: ignore[arg-type]
    for family in (f.name for f in fields(part) if f.name not in ("sets", "names")):
        assert list(getattr(part, family)) == found.get(family, [])


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"names": ["tavernn"]}, "unknown quadrant, island, tile, card or task 'tavernn'; did"),
        ({"names": ["roads"], "kind": "tasks"}, "unknown task 'roads'; did you mean 'road'?"),
        ({"names": ["bases"], "kind": "sets"}, "unknown set 'bases'; did you mean 'base'?"),
        ({"names": ["swrd"], "kind": "nomads"}, "unknown nomad tile 'swrd'; did you mean 'sword'?"),
        ({"names": ["garden"], "kind": "nomads"}, "unknown nomad tile 'garden' (known: donation_"),
        ({"names": ["miner"], "kind": "cards"}, "unknown card 'miner'; did you mean 'miners'?"),
        ({"names": ["miners"], "kind": "quadrants"}, "unknown quadrant 'miners' (known: oracle,"),
        (
            {"set_name": "bases"},
            f"unknown set 'bases'; did you mean 'base'? (known: {', '.join(SETS)}).",
        ),
    ],
)
def test_unknown_name_of_content_gets_the_nearest(choice: dict[str, object], message: str) -> None:
    with pytest.raises(NotationError) as caught:
        content.select(content.load(), **choice)  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)


def test_sets_are_chosen_by_name() -> None:
    part = content.select(content.load(), kind="sets", names=["caves", "base"])
    assert list(part.sets) == ["base", "caves"]


def test_content_as_plain_values_can_be_read_back() -> None:
    data = json.loads(json.dumps(content_to_dict(content.load())))
    assert list(data) == [f.name for f in fields(content.Content)]
    assert data["sets"]["base"]["houses"] == 40
    assert data["sets"]["nomads"]["walls"] == 25
    assert data["sets"]["crossroads"]["figures"]["warrior"] == 2
    assert data["sets"]["capitol"]["capitols"] == ["oracle", "harbor"]
    assert data["sets"]["caves"]["caves"] == 1
    assert data["islands"]["kbai_rope_bridge"]["grid"][4] == "..TTTF...."
    assert data["islands"]["kbai_rope_bridge"]["locations"] == ["rope_bridge@b2"]
    assert data["islands"]["kbai_rope_bridge"]["official"] is False
    assert data["bonuses"]["canoe_bonus"]["location"] == "canoe"
    assert data["commons"]["cave"]["needs"] == "cave"
    assert data["tasks"]["advance"]["gold"] == 9
    assert data["nomads"]["donation_water"]["count"] == 1
    assert data["nomads"]["donation_water"]["terrain"] == "water"
    assert data["quadrants"]["tavern"]["grid"][3] == "WWFkGGTTMM"
    assert data["quadrants"]["tavern"]["locations"] == ["tavern@c7", "tavern@h7"]
    assert data["locations"]["harbor"]["filter"] == "terrain"
    assert data["locations"]["harbor"]["terrain"] == "water"
    assert data["cards"]["lords"]["text"] == content.load().cards["lords"].text


def test_nearest_known_name_is_suggested() -> None:
    assert suggest_name("card", "Fishers", CARDS[:2]) == (
        "unknown card 'Fishers'; did you mean 'fishermen'? (known: fishermen, miners)"
    )
    assert suggest_name("card", "zzz", ["lords"]) == "unknown card 'zzz' (known: lords)"
    assert suggest_name("card", "zzz", []) == "unknown card 'zzz' (known: none)"


# The command


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["content", *arguments])


def test_command_shows_quadrant_and_location_of_a_name() -> None:
    result = run("Oasis", "--ascii")
    assert result.exit_code == 0
    assert result.output.isascii()
    assert "Quadrants (Kingdom Builder)\n\noasis\n" in result.output
    assert content.load().locations["oasis"].text in " ".join(result.output.split())
    assert "tavern" not in result.output


def test_command_lists_one_kind() -> None:
    result = run("--kind", "cards", "--set", "base")
    assert result.exit_code == 0
    assert "Quadrants" not in result.output
    assert all(f"\n{name} " in result.output for name in [*CARDS, "castles"])


def test_command_shows_the_nomads_set_with_its_tiles() -> None:
    result = run("--set", "nomads", "--ascii")
    assert result.exit_code == 0
    words = " ".join(result.output.split())
    for tile in content.load().nomads.values():
        assert f"{tile.name} {tile.text}" in words
    assert ":: nomad space" in words
    assert "castle" not in words
    assert "(2 tiles)" in words


def test_command_shows_the_other_sets_with_all_they_hold() -> None:
    every = content.load()
    result = run("--ascii")
    assert result.exit_code == 0
    words = " ".join(result.output.split())
    for row in (*every.tiles.values(), *every.cards.values(), *every.rules.values()):
        assert f"{row.name} {row.text}" in words
    for task in every.tasks.values():
        assert f"{task.name} {task.text} ({task.gold} gold)" in words
    for bonus in every.bonuses.values():
        assert f"{bonus.text} (with two tiles of {bonus.location})" in words
    for item in (*every.quadrants.values(), *every.islands.values()):
        title = item.name if item.official else f"{item.name} (not as printed)"
        assert title in result.output
    assert "@@ palace" in words and "() silo" in words


def test_command_draws_an_island() -> None:
    lines = run("kbai_rope_bridge", "--ascii").output.splitlines()
    assert lines[2:10] == [
        "kbai_rope_bridge (not as printed)",
        "      a   b   c   d   e   f   g",
        "~1       /   /   .   .            ~1",
        "~2     ,  Ro   /   .   .   *      ~2",
        "~3   ,   ,   /   /   .   *   *    ~3",
        "~4     ,   ,   &   &  ##   *      ~4",
        "~5           &   &   &   *        ~5",
        "      a   b   c   d   e   f   g",
    ]


def test_command_lists_the_sets() -> None:
    result = run("--kind", "sets", "crossroads", "caves")
    assert result.exit_code == 0
    words = " ".join(result.output.split())
    assert words == (
        "Sets crossroads Crossroads: 4 quadrants, 16 location tiles, 6 tasks; for each seat "
        "2 warriors, 1 wagon, 1 ship, 1 city hall. caves Caves: 1 action for everybody, 1 cave in "
        "each quadrant."
    )
    assert run().output.startswith("Sets\n\nbase          Kingdom Builder: 8 quadrants, ")
    assert run("--set", "caves").output.startswith("Sets\n\ncaves  ")
    assert "Sets" not in run("oasis").output + run("--kind", "tasks").output


def test_command_prints_json() -> None:
    result = run("miners", "--format", "json")
    assert list(json.loads(result.stdout)["cards"]) == ["miners"]
    assert json.loads(result.stdout)["quadrants"] == {}


def test_command_fits_texts_into_a_terminal() -> None:
    for kind in ("sets", "locations", "cards", "tasks"):
        assert max(map(len, run("--kind", kind).output.splitlines())) <= 80


@pytest.mark.parametrize("name", ["rope bridge", "Rope-Bridge", " rope_bridge "])
def test_command_finds_a_name_of_several_words(name: str) -> None:
    result = run(name)
    assert result.exit_code == 0
    assert "\nrope_bridge " in result.output


def test_command_says_if_a_set_has_none_of_a_kind() -> None:
    assert run("--set", "base", "--kind", "tasks").output == "none\n"


@pytest.mark.parametrize("name", ["fisherman", "xyzzy"])
def test_command_does_not_list_a_hundred_names(name: str) -> None:
    result = run(name)
    assert result.exit_code == 1
    assert len(result.stderr) < 150
    assert ("did you mean 'fishermen'?" in result.stderr) == (name == "fisherman")


def test_command_explains_an_unknown_name() -> None:
    result = run("taverm")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "tile, card or task 'taverm'; did you mean 'tavern'?" in result.stderr
