"""The data files: what is in the box, and what is said about a file that is wrong."""

from __future__ import annotations

import json
from importlib import resources

import pytest
from click.testing import CliRunner, Result

from kbai import content
from kbai._fast import Action, Filter, Score, Space
from kbai.cli import main
from kbai.content import NOMAD_ACTIONS, content_to_dict, read_content
from kbai.errors import ContentError, NotationError, suggest_name

BASE = (resources.files("kbai") / "data" / "base.toml").read_text("utf-8")
NOMADS = (resources.files("kbai") / "data" / "nomads.toml").read_text("utf-8")
NOMADS_KINDS = ["quarry", "caravan", "village", "garden"]
TERRAINS = ["grass", "canyon", "desert", "flower", "forest", "water", "mountain"]
NOMAD_TILES = [
    *(f"donation_{terrain}" for terrain in TERRAINS),
    "resettlement",
    "outpost",
    "sword",
    "treasure",
]
NOMADS_CARDS = ["families", "shepherds", "ambassadors"]
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


def read(base: str = BASE, nomads: str = NOMADS) -> content.Content:
    """Return what these two sets hold."""
    return read_content([("base.toml", base), ("nomads.toml", nomads)])


def without_table(header: str, name: str) -> str:
    """Return the base set without one of its tables."""
    start = BASE.index(f'{header}\nname = "{name}"')
    end = BASE.index("\n[[", start)
    return BASE[:start] + BASE[end + 1 :]


def test_names_are_in_the_canonical_order() -> None:
    every = content.load()
    assert list(every.sets) == ["base", "nomads"]
    assert list(every.quadrants) == list(every.locations) == [*KINDS, *NOMADS_KINDS]
    assert list(every.nomads) == NOMAD_TILES
    assert list(every.tiles) == [*KINDS, *NOMADS_KINDS, *NOMAD_TILES]
    assert list(every.cards) == [*CARDS, *NOMADS_CARDS]
    assert list(every.rules) == ["castles", "treasure"]
    base, nomads = every.sets.values()
    assert base.cards == tuple(CARDS)
    assert base.quadrants == base.locations == tuple(KINDS)
    assert nomads.cards == tuple(NOMADS_CARDS)
    assert nomads.quadrants == nomads.locations == tuple(NOMADS_KINDS)
    assert (base.nomads, nomads.nomads) == ((), tuple(NOMAD_TILES))


def test_box_holds_25_terrain_cards_and_40_houses_a_player() -> None:
    base = content.load().sets["base"]
    assert dict(base.deck) == dict.fromkeys(("grass", "canyon", "desert", "flower", "forest"), 5)
    assert base.houses == 40


def test_nomads_box_holds_15_nomad_tiles_and_25_walls() -> None:
    every = content.load()
    counts = {name: tile.count for name, tile in every.nomads.items()}
    assert sum(counts.values()) == 15
    assert [name for name, count in counts.items() if count == 2] == NOMAD_TILES[7:]
    assert [item.walls for item in every.sets.values()] == [0, 25]
    assert not any(every.sets["nomads"].deck.values())


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


@pytest.mark.parametrize("name", [*KINDS, *NOMADS_KINDS])
def test_special_spaces_lie_apart_and_not_at_the_rim(name: str) -> None:
    grid = content.load().quadrants[name].grid
    rim = grid[0] + grid[-1] + "".join(row[0] + row[-1] for row in grid)
    assert not {*"kln"} & {*rim}
    assert not any(a + b in row for row in grid for a in "kln" for b in "kln")


@pytest.mark.parametrize("name", [*KINDS, *NOMADS_KINDS])
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
    for row in (*every.tiles.values(), *every.cards.values(), *every.rules.values()):
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
            "base.toml, key 'deck': unknown card terrain 'gras'; did you mean 'grass'?",
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
            "did you mean 'build'? (known: build, move, wall, donation,",
        ),
        (
            'filter = "jump"',
            'filter = "hop"',
            "base.toml, location 'paddock', key 'filter': unknown Filter of the kernel 'hop' "
            "(known: card, terrain, edge, line_end, jump, card_beside,",
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
            "base.toml, quadrant 'farm', key 'grid': expected letters out of GCDFTWMkln "
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


def test_rows_must_be_tables() -> None:
    with pytest.raises(ContentError, match=r"base\.toml, key 'island': unknown key"):
        read_content([("base.toml", 'island = ["rope"]\n' + BASE)])
    with pytest.raises(ContentError, match=r"b\.toml, key 'location': expected tables \[\[loc"):
        read_content([("b.toml", EXTRA_SET.split("[[")[0] + 'location = ["annex"]')])


@pytest.mark.parametrize(
    ("header", "name", "message"),
    [
        ("[[card]]", "farmers", "data, card or rule, key 'score': 'farmers' is used by no row."),
        ("[[rule]]", "castles", "data, card or rule, key 'score': 'castles' is used by no row."),
    ],
)
def test_every_score_of_the_kernel_needs_a_row(header: str, name: str, message: str) -> None:
    with pytest.raises(ContentError) as caught:
        read(without_table(header, name))
    assert str(caught.value) == message


def test_every_filter_action_and_space_of_the_kernel_needs_a_row() -> None:
    no_edge = changed('filter = "edge"', 'filter = "card"')
    with pytest.raises(ContentError, match="nomad, key 'filter': 'edge' is used by no row"):
        read(no_edge)
    no_wall = changed('action = "wall"', 'action = "build"', NOMADS)
    with pytest.raises(ContentError, match="nomad, key 'action': 'wall' is used by no row"):
        read(nomads=no_wall)
    no_space = NOMADS.replace(" n ", " G ").replace("nomads = 1", "").replace("nomads = 3", "")
    with pytest.raises(ContentError, match="quadrant, key 'grid': 'nomad' is used by no row"):
        read(nomads=no_space)


def test_every_rule_of_the_kernel_is_used() -> None:
    every = content.load()
    assert {tile.action for tile in every.tiles.values()} == {*Action}
    assert {tile.filter for tile in every.tiles.values()} == {*Filter}
    assert {name.upper() for name in content.SPACE_LETTERS.values()} == {s.name for s in Space}
    rows = [*every.cards.values(), *every.rules.values()]
    assert sorted(row.score for row in rows) == sorted(Score)


def test_sets_are_listed_by_their_order_not_by_file_name() -> None:
    every = read_content([("nomads.toml", NOMADS), ("base.toml", BASE), ("z.toml", EXTRA_SET)])
    assert list(every.sets) == ["extra", "base", "nomads"]
    assert list(every.locations) == ["annex", *KINDS, *NOMADS_KINDS]


def test_two_sets_cannot_share_a_name() -> None:
    with pytest.raises(ContentError, match="the set 'base' is there twice"):
        read_content([("base.toml", BASE), ("other.toml", BASE)])


@pytest.mark.parametrize(
    ("choice", "found"),
    [
        (
            {},
            {
                "quadrants": [*KINDS, *NOMADS_KINDS],
                "locations": [*KINDS, *NOMADS_KINDS],
                "nomads": NOMAD_TILES,
                "cards": [*CARDS, *NOMADS_CARDS],
                "rules": ["castles", "treasure"],
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
        ({"set_name": "extra"}, {"locations": ["annex"]}),
    ],
)
def test_content_is_chosen_by_name_set_and_kind(
    choice: dict[str, object], found: dict[str, list[str]]
) -> None:
    every = content.load()
    if choice.get("set_name") == "extra":
        every = read_content([("base.toml", BASE), ("n.toml", NOMADS), ("z.toml", EXTRA_SET)])
    part = content.select(every, **choice)  # type: ignore[arg-type]
    for family in ("quadrants", "locations", "nomads", "cards", "rules"):
        assert list(getattr(part, family)) == found.get(family, [])


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"names": ["taverne"]}, "unknown quadrant, location, nomad tile or card 'taverne'; did"),
        ({"names": ["swrd"], "kind": "nomads"}, "unknown nomad tile 'swrd'; did you mean 'sword'?"),
        ({"names": ["garden"], "kind": "nomads"}, "unknown nomad tile 'garden' (known: donation_"),
        ({"names": ["miner"], "kind": "cards"}, "unknown card 'miner'; did you mean 'miners'?"),
        ({"names": ["miners"], "kind": "quadrants"}, "unknown quadrant 'miners' (known: oracle,"),
        ({"set_name": "bases"}, "unknown set 'bases'; did you mean 'base'? (known: base, nomads)."),
    ],
)
def test_unknown_name_of_content_gets_the_nearest(choice: dict[str, object], message: str) -> None:
    with pytest.raises(NotationError) as caught:
        content.select(content.load(), **choice)  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)


def test_content_as_plain_values_can_be_read_back() -> None:
    data = json.loads(json.dumps(content_to_dict(content.load())))
    assert list(data) == ["sets", "quadrants", "locations", "nomads", "cards", "rules"]
    assert data["sets"]["base"]["houses"] == 40
    assert data["sets"]["nomads"]["walls"] == 25
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
    assert content.load().locations["oasis"].text in result.output
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


def test_command_prints_json() -> None:
    result = run("miners", "--format", "json")
    assert list(json.loads(result.stdout)["cards"]) == ["miners"]
    assert json.loads(result.stdout)["quadrants"] == {}


def test_command_explains_an_unknown_name() -> None:
    result = run("taverm")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "nomad tile or card 'taverm'; did you mean 'tavern'?" in result.stderr
