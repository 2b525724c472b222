"""What is in the boxes, as values: letters of a map, quadrants, tiles, cards."""

# Without "from __future__ import annotations", on purpose: of a named tuple, each annotation that
# is a text would be compiled by itself, and every command would wait for it.

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from kbai._fast import Action, Filter, Score
from kbai.content.names import Names

TERRAIN_LETTERS: dict[str, str] = {
    "G": "grass",
    "C": "canyon",
    "D": "desert",
    "F": "flower",
    "T": "forest",
    "S": "marsh",
    "A": "farmland",
    "W": "water",
    "M": "mountain",
}
MARSH_LETTER = "S"
MOUNTAIN_LETTER = "M"
CASTLE_LETTER = "k"
LOCATION_LETTER = "l"
NOMAD_LETTER = "n"
PALACE_LETTER = "p"
SILO_LETTER = "o"
SPACE_LETTERS: dict[str, str] = {
    CASTLE_LETTER: "castle",
    LOCATION_LETTER: "location",
    NOMAD_LETTER: "nomad",
    PALACE_LETTER: "palace",
    SILO_LETTER: "silo",
}
LETTERS = "".join(TERRAIN_LETTERS) + "".join(SPACE_LETTERS)
# No hex at all; only in the grids of islands.
SEA_LETTER = "."

TERRAINS: tuple[str, ...] = tuple(TERRAIN_LETTERS.values())
# The terrains with plain cards; a marsh card shows marsh and one of them.
CARD_TERRAINS: tuple[str, ...] = TERRAINS[:5]
TERRAIN_CARDS: tuple[str, ...] = (*CARD_TERRAINS, *(f"marsh_{name}" for name in CARD_TERRAINS))
BUILDABLE: tuple[str, ...] = TERRAINS[:7]

QUADRANT_SIZE = 10
ISLAND_ROWS, ISLAND_COLUMNS = 5, 10
# Location tiles on every location space, in the kernel (R2.2).
TILES_PER_SPACE = 2
# Figures that the kernel gives to every player if their tile is in play (R2.4).
FIGURES: dict[str, int] = {"warrior": 2, "wagon": 1, "ship": 1, "city_hall": 1}
# Actions of nomad tiles only, of bonus tiles only, and of no tile at all.
NOMAD_ACTIONS = (
    Action.DONATION,
    Action.RESETTLEMENT,
    Action.OUTPOST,
    Action.SWORD,
    Action.TREASURE,
)
BONUS_ACTIONS = (Action.TEMPLE_BONUS, Action.FOUNTAIN_BONUS)
COMMON_ACTIONS = (Action.SILO,)
# What a common action may need, besides a terrain or a kind of space.
CAVE = "cave"
# The filters that need a terrain.
TERRAIN_FILTERS = (Filter.TERRAIN, Filter.BESIDE)
# The set of users' own quadrants, unless they name another.
OWN_SET = "own"


class Quadrant(NamedTuple):
    """One of the four parts of a board, as printed."""

    name: str
    set: str
    grid: tuple[str, ...]
    """Ten rows of ten letters out of `LETTERS`."""
    locations: tuple[tuple[str, int, int], ...]
    """Kind, row and column of each location, by row and column."""
    official: bool = True
    """Whether this is the printed layout."""

    def turned(self) -> "Quadrant":
        """Return the quadrant turned by 180 degrees (R1.3)."""
        last = QUADRANT_SIZE - 1
        grid = tuple(row[::-1] for row in reversed(self.grid))
        places = tuple((kind, last - row, last - col) for kind, row, col in self.locations[::-1])
        return Quadrant(self.name, self.set, grid, places, self.official)


class Island(NamedTuple):
    """One side of the small board that lies apart from the main one."""

    name: str
    set: str
    grid: tuple[str, ...]
    """Five rows of ten letters out of `LETTERS` and `SEA_LETTER`."""
    locations: tuple[tuple[str, int, int], ...]
    """Kind, row and column of each location, by row and column."""
    official: bool = True
    """Whether this is the printed layout."""


class Location(NamedTuple):
    """A kind of location and what its tile allows."""

    name: str
    set: str
    action: Action
    filter: Filter
    terrain: str | None
    """The terrain of one of `TERRAIN_FILTERS`."""
    text: str


class BonusTile(NamedTuple):
    """A tile that you get for the second tile of its location (R5.5)."""

    name: str
    set: str
    location: str
    count: int  # type: ignore[assignment]  # tuples have a method of this name
    """How many there are in the box."""
    action: Action
    filter: Filter
    terrain: str | None
    """The terrain of one of `TERRAIN_FILTERS`."""
    text: str


class CommonAction(NamedTuple):
    """An action that everybody has without a tile if the board has what it needs."""

    name: str
    set: str
    needs: str
    """A terrain, a kind of space, or `CAVE`."""
    action: Action
    filter: Filter
    terrain: str | None
    """The terrain of one of `TERRAIN_FILTERS`."""
    text: str


class NomadTile(NamedTuple):
    """A kind of nomad tile and what it allows in the one turn in which you can use it."""

    name: str
    set: str
    count: int  # type: ignore[assignment]  # tuples have a method of this name
    """How many there are in the box."""
    action: Action
    filter: Filter
    terrain: str | None
    """The terrain of one of `TERRAIN_FILTERS`."""
    text: str


Tile = Location | BonusTile | CommonAction | NomadTile


class CardInfo(NamedTuple):
    """A Kingdom Builder card, or a rule that pays gold whichever cards are in play."""

    name: str
    set: str
    score: Score
    text: str


class TaskInfo(NamedTuple):
    """A task, which pays its gold once, at the end."""

    name: str
    set: str
    score: Score
    gold: int
    text: str


class SetInfo(NamedTuple):
    """A box: what it adds besides the rows that name it as their set."""

    name: str
    title: str
    deck: Mapping[str, int] = MappingProxyType({})
    """Number of terrain cards by the names in `TERRAIN_CARDS`, those of this box only."""
    houses: int = 0
    """For each player."""
    walls: int = 0
    """Stone walls for all players together."""
    figures: Mapping[str, int] = MappingProxyType({})
    """For each player, by the names in `FIGURES`."""
    scouts: int = 0
    """Scout tokens for all players together."""
    tokens: int = 0
    """Tokens of the cathedral for all players together, whatever their value."""
    capitols: tuple[str, ...] = ()
    """The quadrants that get a capitol on one of their castles (R8.4)."""
    caves: int = 0
    """In each quadrant."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Content:
    """The content of all sets; every dict is in canonical order."""

    sets: dict[str, SetInfo] = field(default_factory=dict)
    quadrants: dict[str, Quadrant] = field(default_factory=dict)
    islands: dict[str, Island] = field(default_factory=dict)
    locations: dict[str, Location] = field(default_factory=dict)
    bonuses: dict[str, BonusTile] = field(default_factory=dict)
    commons: dict[str, CommonAction] = field(default_factory=dict)
    nomads: dict[str, NomadTile] = field(default_factory=dict)
    cards: dict[str, CardInfo] = field(default_factory=dict)
    rules: dict[str, CardInfo] = field(default_factory=dict)
    tasks: dict[str, TaskInfo] = field(default_factory=dict)
    names: dict[str, Names] = field(default_factory=dict)
    """What everything is called in other languages, by its name here."""

    @property
    def tiles(self) -> dict[str, Tile]:
        """All kinds of tiles: locations, bonus tiles, common actions, nomad tiles."""
        return {**self.locations, **self.bonuses, **self.commons, **self.nomads}

    def tile(self, name: str) -> Tile:
        """Return the kind of tile with this name."""
        families: tuple[Mapping[str, Tile], ...] = (self.locations, self.bonuses, self.commons)
        for family in families:
            if name in family:
                return family[name]
        return self.nomads[name]


def grid_cell(row: int, col: int) -> str:
    """Return the name of a cell of a grid, counted from its top left corner."""
    return f"{chr(ord('a') + col)}{row + 1}"
