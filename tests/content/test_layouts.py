"""Layouts of our own: what is known of the printed ones is true of them, too."""

from __future__ import annotations

from collections import Counter

import pytest

from kbai import content
from kbai.content import Island, Quadrant
from kbai.game.cells import N_BOARD_CELLS, distance
from kbai.game.setup import Setup
from kbai.game.sites import cave_cells

CARD_LETTERS = "GCDFT"
# Locations, the special space besides, the terrain only this box has, and how many mountains are
# at least three steps from every special space of the quadrant.
FACTS = {
    "kbai_temple": (["temple", "temple"], "p", "S", 1),
    "kbai_refuge": (["refuge", "refuge"], "p", "S", 6),
    "kbai_canoe": (["canoe", "canoe"], "p", "S", 7),
    "kbai_fountain": (["fountain", "fountain"], "p", "S", 2),
    "kbai_bazaar": (["bazaar", "water_mill"], "o", "A", 6),
    "kbai_mountain_station": (["mountain_station", "scout_cabin"], "o", "A", 2),
    "kbai_cathedral": (["cathedral", "watchtower"], "o", "A", 1),
    "kbai_university": (["palisade", "university"], "o", "A", 3),
}
ISLANDS = {"kbai_rope_bridge": "rope_bridge", "kbai_tree_house": "tree_house"}
EVERY = content.load()
OWN = [EVERY.quadrants[name] for name in FACTS]
PRINTED = [item for item in EVERY.quadrants.values() if item.official]

Cell = tuple[int, int]


def around(cell: Cell) -> set[Cell]:
    """Return the six cells beside a cell, whether or not the board has them."""
    row, col = cell
    left = col - 1 if row % 2 == 0 else col
    beside = {(row, col - 1), (row, col + 1)}
    return beside | {(r, c) for r in (row - 1, row + 1) for c in (left, left + 1)}


def near(cell: Cell) -> set[Cell]:
    """Return the cells at most two steps away."""
    return set().union(*map(around, around(cell)))


def hexes(item: Quadrant | Island, letters: str = content.LETTERS) -> dict[Cell, str]:
    """Return the hexes with one of these letters."""
    return {
        (row, col): letter
        for row, line in enumerate(item.grid)
        for col, letter in enumerate(line)
        if letter in letters
    }


def areas(item: Quadrant | Island, letters: str) -> list[int]:
    """Return the sizes of the connected areas of each terrain, smallest first."""
    left, sizes = hexes(item, letters), []
    while left:
        start = next(iter(left))
        letter, todo, size = left.pop(start), [start], 1
        while todo:
            for cell in around(todo.pop()):
                if left.get(cell) == letter:
                    del left[cell]
                    todo.append(cell)
                    size += 1
        sizes.append(size)
    return sorted(sizes)


def coherence(item: Quadrant) -> int:
    """Return how many pairs of neighbours have the same terrain."""
    land = hexes(item)
    return sum(land.get(cell) == letter for here, letter in land.items() for cell in around(here))


def test_exactly_the_unknown_layouts_are_ours() -> None:
    unknown = {name for name, item in EVERY.quadrants.items() if not item.official}
    assert unknown == {*FACTS}
    assert {name for name, item in EVERY.islands.items() if not item.official} == {*ISLANDS}
    assert not any(name.startswith("kbai_") for name in {*EVERY.quadrants} - unknown)


@pytest.mark.parametrize("name", FACTS)
def test_own_quadrant_has_the_spaces_of_the_printed_one(name: str) -> None:
    locations, space, terrain, _ = FACTS[name]
    item = EVERY.quadrants[name]
    assert sorted(kind for kind, _, _ in item.locations) == locations
    letters = Counter("".join(item.grid))
    assert {letter: n for letter, n in letters.items() if letter.islower()} == {"l": 2, space: 1}
    assert letters[terrain] >= 10
    assert letters[{"S": "A", "A": "S"}[terrain]] == 0


@pytest.mark.parametrize("name", FACTS)
def test_own_quadrant_has_as_many_mountains_for_a_cave(name: str) -> None:
    item = EVERY.quadrants[name]
    spaces = {cell for cell, letter in hexes(item).items() if letter.islower()}
    close = set().union(*map(near, spaces))
    assert len({*hexes(item, "M")} - close) == FACTS[name][3]


@pytest.mark.parametrize("item", EVERY.quadrants.values(), ids=lambda item: item.name)
def test_no_hex_touches_two_special_spaces(item: Quadrant) -> None:
    spaces = [cell for cell, letter in hexes(item).items() if letter.islower()]
    # Off the rim, so that it cannot happen across borders, either.
    assert all(1 <= row <= 8 and 1 <= col <= 8 for row, col in spaces)
    touched = Counter(cell for space in spaces for cell in around(space))
    assert max(touched.values()) == 1
    assert not {*touched} & {*spaces}


@pytest.mark.parametrize("item", OWN, ids=lambda item: item.name)
def test_own_quadrant_is_like_the_printed_ones(item: Quadrant) -> None:
    for alike in (CARD_LETTERS, "W", "M"):
        counts = [hexes(other, letter) for other in PRINTED for letter in alike]
        for letter in alike:
            n_hexes = len(hexes(item, letter))
            assert min(map(len, counts)) <= n_hexes <= max(map(len, counts)), letter
    sizes = [areas(other, letter) for other in PRINTED for letter in CARD_LETTERS]
    for letter in CARD_LETTERS:
        assert areas(item, letter)[0] >= min(size[0] for size in sizes), letter
        assert len(areas(item, letter)) <= max(map(len, sizes)), letter
    pairs = [coherence(other) for other in PRINTED]
    assert min(pairs) <= coherence(item) <= max(pairs)


@pytest.mark.parametrize("item", OWN, ids=lambda item: item.name)
def test_own_quadrant_has_its_terrain_where_it_is_of_use(item: Quadrant) -> None:
    terrain = FACTS[item.name][2]
    assert areas(item, terrain)[0] >= 3
    land = hexes(item)
    shore = {cell for here in hexes(item, terrain) for cell in around(here)}
    if terrain == "S":
        assert sum(land.get(cell) == "W" for cell in shore) >= 4
    else:
        (silo,) = hexes(item, "o")
        assert any(land[cell] == "A" for cell in around(silo))
    for space in hexes(item, "lpo"):
        ground = [land[cell] for cell in around(space)]
        assert sum(letter not in "WM" for letter in ground) >= 4
        assert 2 <= len({*ground}) <= 4


@pytest.mark.parametrize(
    ("kind", "letter"), [("water_mill", "W"), ("mountain_station", "M"), ("canoe", "WS")]
)
def test_location_lies_where_its_tile_helps(kind: str, letter: str) -> None:
    for item in OWN:
        land = hexes(item)
        for name, row, col in item.locations:
            if name == kind:
                assert any(land[cell] in letter for cell in around((row, col))), item.name


@pytest.mark.parametrize("name", ISLANDS)
def test_own_island_has_the_spaces_of_the_printed_one(name: str) -> None:
    item = EVERY.islands[name]
    assert [len(row) for row in item.grid] == [10] * 5
    assert [kind for kind, _, _ in item.locations] == [ISLANDS[name]]
    letters = Counter("".join(item.grid))
    assert {letter: n for letter, n in letters.items() if letter.islower()} == {"l": 1, "k": 1}
    assert {letter: letters[letter] for letter in CARD_LETTERS} == dict.fromkeys(CARD_LETTERS, 5)
    assert {*letters} == {*CARD_LETTERS, *"kl."}


@pytest.mark.parametrize("name", ISLANDS)
def test_own_island_is_one_piece_with_five_areas(name: str) -> None:
    item = EVERY.islands[name]
    assert areas(item, CARD_LETTERS) == [5] * 5
    land = hexes(item)
    rows = {row for row, _ in land}
    assert rows == set(range(5))
    for space in hexes(item, "kl"):
        assert around(space) <= {*land}
    castle, location = (around(cell) for cell in sorted(hexes(item, "kl")))
    assert not castle & location
    todo, seen = [next(iter(land))], set()
    while todo:
        here = todo.pop()
        if here in land and here not in seen:
            seen.add(here)
            todo += around(here)
    assert len(seen) == len(land) == 27


# Distances, on which caves depend


def test_distance_counts_steps() -> None:
    cells = {(row, col): row * 20 + col for row in range(20) for col in range(20)}
    for start in ((0, 0), (7, 11), (12, 4), (19, 19)):
        steps, reached, last = 0, {start}, {start}
        while last:
            for cell in last:
                assert distance(cells[start], cells[cell]) == steps
                assert distance(cells[cell], cells[start]) == steps
            last = {cell for old in last for cell in around(old)} & {*cells} - reached
            reached |= last
            steps += 1
        assert len(reached) == N_BOARD_CELLS


def test_mountains_for_caves_keep_away_from_the_spaces_of_every_quadrant() -> None:
    # In the quadrant itself canoe has 7; some lie close to spaces of the others.
    setup = Setup(
        seats=("red", "blue"),
        cards=(),
        board=("kbai_canoe", "kbai_refuge", "kbai_temple", "kbai_fountain"),
    )
    letters = "".join(setup.letters)
    spaces = [divmod(space.cell, 20) for space in setup.spaces]
    for place in range(4):
        for apart, close in ((2, around), (3, near)):
            cells = cave_cells(letters, place, apart)
            found = {divmod(cell, 20) for cell in cells}
            wanted = {
                (row, col)
                for row, line in enumerate(setup.letters)
                for col, letter in enumerate(line)
                if letter == "M" and 2 * (row // 10) + col // 10 == place
            }
            assert found == wanted.difference(*map(close, spaces), spaces)
