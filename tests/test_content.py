"""The data files: what is in the box, and what is said about a file that is wrong."""

from __future__ import annotations

import json
from importlib import resources

import pytest
from click.testing import CliRunner, Result

from kbai import content
from kbai._fast import Action, Filter, Score
from kbai.cli import main
from kbai.content import content_to_dict, read_content
from kbai.errors import ContentError, NotationError, suggest_name

BASE = (resources.files("kbai") / "data" / "base.toml").read_text("utf-8")
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


def changed(old: str, new: str) -> str:
    """Return the base set with one piece of its text replaced."""
    assert old in BASE
    return BASE.replace(old, new, 1)


def without_table(header: str, name: str) -> str:
    """Return the base set without one of its tables."""
    start = BASE.index(f'{header}\nname = "{name}"')
    end = BASE.index("\n[[", start)
    return BASE[:start] + BASE[end + 1 :]


def test_names_are_in_the_canonical_order() -> None:
    every = content.load()
    assert list(every.sets) == ["base"]
    assert list(every.quadrants) == list(every.locations) == KINDS
    assert list(every.cards) == CARDS
    assert list(every.rules) == ["castles"]
    assert every.sets["base"].cards == tuple(CARDS)
    assert every.sets["base"].quadrants == every.sets["base"].locations == tuple(KINDS)


def test_box_holds_25_terrain_cards_and_40_houses_a_player() -> None:
    base = content.load().sets["base"]
    assert dict(base.deck) == dict.fromkeys(("grass", "canyon", "desert", "flower", "forest"), 5)
    assert base.houses == 40


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
    ],
)
def test_location_has_the_action_of_the_rules(
    kind: str, action: Action, rule: Filter, terrain: str | None
) -> None:
    location = content.load().locations[kind]
    assert (location.action, location.filter, location.terrain) == (action, rule, terrain)


@pytest.mark.parametrize("name", KINDS)
def test_quadrant_has_its_own_locations_and_castles(name: str) -> None:
    quadrant = content.load().quadrants[name]
    single = name in ("oracle", "harbor")
    assert [kind for kind, _, _ in quadrant.locations] == [name] * (1 if single else 2)
    assert "".join(quadrant.grid).count("k") == (2 if single else 1)
    assert all(quadrant.grid[row][col] == "l" for _, row, col in quadrant.locations)
    assert quadrant.official


@pytest.mark.parametrize("name", KINDS)
def test_special_spaces_lie_apart_and_not_at_the_rim(name: str) -> None:
    grid = content.load().quadrants[name].grid
    rim = grid[0] + grid[-1] + "".join(row[0] + row[-1] for row in grid)
    assert not {"k", "l"} & {*rim}
    assert not any(pair in row for row in grid for pair in ("kl", "lk", "kk", "ll"))


@pytest.mark.parametrize("name", KINDS)
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
    for row in (*every.locations.values(), *every.cards.values(), *every.rules.values()):
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
            "did you mean 'build'? (known: build, move).",
        ),
        (
            'filter = "jump"',
            'filter = "hop"',
            "base.toml, location 'paddock', key 'filter': unknown Filter of the kernel 'hop' "
            "(known: card, terrain, edge, line_end, jump).",
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
            "base.toml, quadrant 'farm', key 'grid': expected letters out of GCDFTWMkl "
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
        read_content([("base.toml", without_table(header, name))])
    assert str(caught.value) == message


def test_every_filter_and_action_of_the_kernel_needs_a_row() -> None:
    no_edge = changed('filter = "edge"', 'filter = "card"')
    with pytest.raises(ContentError, match="location, key 'filter': 'edge' is used by no row"):
        read_content([("base.toml", no_edge)])
    no_move = BASE.replace('action = "move"', 'action = "build"')
    with pytest.raises(ContentError, match="location, key 'action': 'move' is used by no row"):
        read_content([("base.toml", no_move)])


def test_every_rule_of_the_kernel_is_used() -> None:
    every = content.load()
    assert {location.action for location in every.locations.values()} == {*Action}
    assert {location.filter for location in every.locations.values()} == {*Filter}
    rows = [*every.cards.values(), *every.rules.values()]
    assert sorted(row.score for row in rows) == sorted(Score)


def test_sets_are_listed_by_their_order_not_by_file_name() -> None:
    every = read_content([("base.toml", BASE), ("z.toml", EXTRA_SET)])
    assert list(every.sets) == ["extra", "base"]
    assert list(every.locations) == ["annex", *KINDS]


def test_two_sets_cannot_share_a_name() -> None:
    with pytest.raises(ContentError, match="the set 'base' is there twice"):
        read_content([("base.toml", BASE), ("other.toml", BASE)])


@pytest.mark.parametrize(
    ("choice", "found"),
    [
        ({}, {"quadrants": KINDS, "locations": KINDS, "cards": CARDS, "rules": ["castles"]}),
        ({"names": ["oasis"]}, {"quadrants": ["oasis"], "locations": ["oasis"]}),
        ({"names": ["oasis"], "kind": "locations"}, {"locations": ["oasis"]}),
        ({"names": ["lords", "castles"]}, {"cards": ["lords"], "rules": ["castles"]}),
        ({"kind": "cards"}, {"cards": CARDS, "rules": ["castles"]}),
        ({"kind": "quadrants", "set_name": "base"}, {"quadrants": KINDS}),
        ({"set_name": "extra"}, {"locations": ["annex"]}),
    ],
)
def test_content_is_chosen_by_name_set_and_kind(
    choice: dict[str, object], found: dict[str, list[str]]
) -> None:
    every = content.load()
    if choice.get("set_name") == "extra":
        every = read_content([("base.toml", BASE), ("z.toml", EXTRA_SET)])
    part = content.select(every, **choice)  # type: ignore[arg-type]
    for family in ("quadrants", "locations", "cards", "rules"):
        assert list(getattr(part, family)) == found.get(family, [])


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"names": ["taverne"]}, "unknown quadrant, location or card 'taverne'; did you mean"),
        ({"names": ["miner"], "kind": "cards"}, "unknown card 'miner'; did you mean 'miners'?"),
        ({"names": ["miners"], "kind": "quadrants"}, "unknown quadrant 'miners' (known: oracle,"),
        ({"set_name": "bases"}, "unknown set 'bases'; did you mean 'base'? (known: base)."),
    ],
)
def test_unknown_name_of_content_gets_the_nearest(choice: dict[str, object], message: str) -> None:
    with pytest.raises(NotationError) as caught:
        content.select(content.load(), **choice)  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)


def test_content_as_plain_values_can_be_read_back() -> None:
    data = json.loads(json.dumps(content_to_dict(content.load())))
    assert list(data) == ["sets", "quadrants", "locations", "cards", "rules"]
    assert data["sets"]["base"]["houses"] == 40
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


def test_command_prints_json() -> None:
    result = run("miners", "--format", "json")
    assert list(json.loads(result.stdout)["cards"]) == ["miners"]
    assert json.loads(result.stdout)["quadrants"] == {}


def test_command_explains_an_unknown_name() -> None:
    result = run("taverm")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "unknown quadrant, location or card 'taverm'; did you mean 'tavern'?" in result.stderr
