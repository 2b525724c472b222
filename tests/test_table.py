"""Set-ups: the worked facts of the first-game board, and what is said about wrong choices."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace

import pytest

from kbai import content
from kbai._fast import N_CELLS, Option, Position, Terrain
from kbai.errors import IllegalActionError, KbaiError, NotationError
from kbai.seeds import derive_seed
from kbai.table import SEATS, Options, Setup, SpaceInfo

CARDS = ("fishermen", "knights", "merchants")
BOARD = ("tavern", "paddock", "oasis", "farm")
NOMADS_BOARD = ("quarry", "caravan", "village", "garden")
SEEDS = range(200)


def cell(name: str) -> int:
    return (int(name[1:]) - 1) * 20 + ord(name[0]) - ord("a")


def cell_name(number: int) -> str:
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
    assert Position(setup.kernel_board).board.spaces == ()


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


@pytest.mark.parametrize(
    ("choices", "sets"),
    [
        ({}, ("base",)),
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
            "unknown tile 'barns'; did you mean 'barn'? (known: "
            + ", ".join(content.load().tiles)
            + ").",
            ("extra_tiles", 0),
            "barns",
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
            "expected letters G C D F T W M k l n in row 7 of the map, got 'x'.",
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
            "expected at most 64 castles, locations and nomad spaces, got 80.",
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
            "expected a nomad tile on a nomad space, got 'sword@t50'; there are n4, c6, h6, f8, "
            "e14, q18.",
            ("nomads", 0),
            "sword@t50",
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
    monkeypatch.setattr("kbai.table.MAX_TILE_KINDS", 3)
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
    assert Options().bits() == Option.VACATED_HEX_COUNTS


@pytest.mark.parametrize(
    ("key", "value", "text", "bits"),
    [
        ("lords_need_presence", True, "true", Option.LORDS_NEED_PRESENCE | 2),
        ("vacated_hex_counts", False, "false", 0),
        ("exhausted_card", "discard", "discard", Option.EXHAUSTED_DISCARD | 2),
        ("exhausted_any_hex", True, "true", Option.EXHAUSTED_ANY_HEX | 2),
        ("lost_tiles_return", True, "true", Option.LOST_TILES_RETURN | 2),
        ("sword_targets", "one", "one", Option.SWORD_ONE | 2),
        ("sword_cancels_end", True, "true", Option.SWORD_CANCELS_END | 2),
    ],
)
def test_option_is_read_from_its_value_or_text(
    key: str, value: str | bool, text: str, bits: int
) -> None:
    options = Options(**{key: value})  # type: ignore[arg-type]
    assert options.changed() == {key: text}
    assert options.bits() == bits
    for given in (value, text, f" {text.upper()} "):
        parsed = Options.parse({key: given})
        assert parsed == options
        assert getattr(parsed, key) == value


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
            "lost_tiles_return, sword_targets, sword_cancels_end).",
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
    for setup in setups:
        assert tuple(place for _, place in setup.nomads) == setup.nomad_cells
        assert {every.quadrants[name.removesuffix("*")].set for name in setup.board} <= {*sets}
        assert {every.cards[name].set for name in setup.cards} <= {*sets}
        # Every quadrant but the quarry, with three nomad spaces, has three spaces.
        n_spaces = 13 if {"quarry", "quarry*"} & {*setup.board} else 12
        assert len(setup.spaces) == n_spaces
    laid = Counter(kind for setup in setups for kind, _ in setup.nomads)
    assert {*laid} == {*every.nomads}
    boards = {name for setup in setups for name in setup.board}
    assert len(boards) == 2 * sum(item.set in sets for item in every.quadrants.values())
    cards = {name for setup in setups for name in setup.cards}
    assert cards == {name for name, card in every.cards.items() if card.set in sets}


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
        ({"sets": ("bases",)}, "unknown set 'bases'; did you mean 'base'? (known: base, nomads)."),
        ({"sets": ("base", "nomad")}, "unknown set 'nomad'; did you mean 'nomads'?"),
        ({"sets": ()}, "expected at least 4 quadrants to draw from, got 0."),
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
