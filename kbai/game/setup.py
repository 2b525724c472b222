"""The set-up: everything chosen before turn 1, and the kernel's board made from it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from kbai import content
from kbai._fast import (
    N_CELLS,
    Action,
    Board,
    Position,
    Space,
    Terrain,
)
from kbai.content import (
    CASTLE_LETTER,
    CAVE,
    COMMON_ACTIONS,
    ISLAND_COLUMNS,
    MARSH_LETTER,
    MOUNTAIN_LETTER,
    QUADRANT_SIZE,
    SEA_LETTER,
    SPACE_LETTERS,
    TERRAIN_CARDS,
    TERRAIN_LETTERS,
)
from kbai.core.errors import NotationError
from kbai.game.cells import N_BOARD_CELLS, SIZE
from kbai.game.options import DEFAULT_OPTIONS, Options
from kbai.game.quadrants import N_QUADRANTS, TURNED, placed_quadrant
from kbai.game.random_setup import (
    draw_capitols,
    draw_caves,
    draw_island,
    draw_names,
    draw_nomads,
    draw_scouted,
    draw_tasks,
    draws_of,
)
from kbai.game.seats import SEATS
from kbai.game.setup_checks import (
    SCOUTS,
    check_board,
    check_cells,
    check_limits,
    check_names,
    check_nomads,
    check_scouted,
    check_seat_count,
    check_seats,
)
from kbai.game.sites import (
    CAVE_DISTANCES,
    capitol_sites,
    cave_sites,
    check_count,
    check_sites,
)

CARDS_IN_PLAY = 3
_SPACE = re.compile("[" + "".join(SPACE_LETTERS) + "]")
_CODES = str.maketrans({
    **{letter: chr(Terrain[name.upper()]) for letter, name in TERRAIN_LETTERS.items()},
    **dict.fromkeys(SPACE_LETTERS, chr(Terrain.SPECIAL)),
    SEA_LETTER: chr(Terrain.VOID),
})  # fmt: skip
"""The kernel's code of the terrain of each letter."""
_KINDS = {name: Space[name.upper()] for name in SPACE_LETTERS.values()}


class SpaceInfo(NamedTuple):
    """A space that nobody builds on."""

    cell: int
    kind: str
    """``location``, ``castle``, ``nomad``, ``palace`` or ``silo``."""
    tile: str | None
    """The kind of location tile or nomad tile that lies there at the start."""


@dataclass(frozen=True)
class Setup:
    """Everything that is chosen before turn 1 and never changes, checked when it is made.

    Cards, tasks and extra tiles are kept in canonical order, and what lies on the board in the
    order of its cells, so that equal tables have equal set-ups.

    >>> Setup.first_game().spaces[0]
    SpaceInfo(cell=58, kind='location', tile='paddock')
    """

    seats: tuple[str, ...]
    """In turn order."""
    cards: tuple[str, ...]
    board: tuple[str, ...] = ()
    """Top left, top right, bottom left, bottom right; ``oasis*`` is turned. Empty with a map."""
    map: tuple[str, ...] = ()
    """A board of your own: 20 rows of 20 letters. Empty with quadrants."""
    locations: tuple[tuple[str, int], ...] = ()
    """Kind and cell of every location of a map."""
    island: str = ""
    """The island that lies beside the board, if there is one."""
    caves: tuple[int, ...] = ()
    """The mountains of the board with a cave."""
    capitols: tuple[int, ...] = ()
    """The castles of the board with a capitol."""
    nomads: tuple[tuple[str, int], ...] = ()
    """Kind and cell of every nomad tile laid out; other nomad spaces stay empty."""
    tasks: tuple[str, ...] = ()
    scouted: str = ""
    """The terrain whose cards are out of the game because of the card Scouts."""
    start: int = 0
    """Which of the seats begins."""
    options: Options = DEFAULT_OPTIONS
    extra_tiles: tuple[str, ...] = ()
    """Kinds of tiles that are in play only because a seat holds one; the board has none."""

    def __post_init__(self) -> None:
        check_seats(self.seats)
        if self.start not in range(len(self.seats)):
            raise NotationError(
                f"expected the start seat as a number from 0 to {len(self.seats) - 1}, "
                f"got {self.start!r}.",
                path=("start",),
                token=str(self.start),
            )
        every = content.load()
        check_names("card", "cards", self.cards, every.cards)
        check_names("task", "tasks", self.tasks, every.tasks)
        check_scouted(self.scouted, self.cards)
        gifts = [name for name in every.tiles if name not in every.commons]
        check_names("tile", "extra_tiles", self.extra_tiles, gifts)
        check_board(self.board, self.map, self.locations)
        if self.island and self.island not in every.islands:
            message = f"{content.unknown_name('island', self.island, every.islands)}."
            raise NotationError(message, path=("island",), token=self.island)
        letters = "".join(self.letters[:SIZE])
        check_nomads(letters, self.nomads)
        check_cells("cave", "caves", self.caves, letters, MOUNTAIN_LETTER, "a mountain")
        check_cells("capitol", "capitols", self.capitols, letters, CASTLE_LETTER, "a castle")
        self._check_sites(letters)
        self._set("cards", _in_order(self.cards, every.cards))
        self._set("tasks", _in_order(self.tasks, every.tasks))
        for key in ("locations", "nomads"):
            self._set(key, tuple(sorted(getattr(self, key), key=lambda place: place[1])))
        for key in ("caves", "capitols"):
            self._set(key, tuple(sorted(getattr(self, key))))
        extra = (kind for kind in self.extra_tiles if kind not in self._board_tiles)
        self._set("extra_tiles", _in_order(extra, every.tiles))
        check_limits([space.tile for space in self.spaces], len(self.tile_kinds))

    def _check_sites(self, letters: str) -> None:
        """Raise if caves or capitols lie where nobody would lay them; a map may have any."""
        boxes = content.load().sets.values()
        check_count("caves", self.caves, N_QUADRANTS * sum(box.caves for box in boxes))
        wanted = [name for box in boxes for name in box.capitols]
        check_count("capitols", self.capitols, len(wanted))
        if self.board and self.caves:
            caves = {place: cave_sites(letters, place) for place in range(N_QUADRANTS)}
            ground = f"a mountain {CAVE_DISTANCES[0]} hexes or more from all special spaces"
            check_sites("cave", "caves", self.caves, caves, ground)
        if self.board and self.capitols:
            castles = [cell for cell, letter in enumerate(letters) if letter == CASTLE_LETTER]
            ground = f"a castle of the quadrant {' or '.join(wanted)}"
            capitols = capitol_sites(self.board, castles, wanted)
            check_sites("capitol", "capitols", self.capitols, capitols, ground)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Kept: set-ups are keys of caches, which are asked many times for each position.
        return hash(tuple(getattr(self, name) for name in _FIELDS))

    def __getstate__(self) -> dict[str, object]:
        # Leave out what is cached: a Board cannot be pickled, and is made again when needed.
        return {name: getattr(self, name) for name in _FIELDS}

    @classmethod
    def first_game(cls, seats: tuple[str, ...] = ("red", "blue")) -> Setup:
        """Return the set-up the rule book recommends for the first game (R2.5)."""
        return cls(
            seats=seats,
            cards=("fishermen", "knights", "merchants"),
            board=("tavern", "paddock", "oasis", "farm"),
        )

    @classmethod
    def random(
        cls,
        seed: int,
        *,
        seats: int | tuple[str, ...] = 2,
        sets: tuple[str, ...] = ("base",),
        cards: tuple[str, ...] | None = None,
        board: tuple[str, ...] | None = None,
        island: str | None = None,
        caves: tuple[int, ...] | None = None,
        capitols: tuple[int, ...] | None = None,
        nomads: tuple[tuple[str, int], ...] | None = None,
        tasks: tuple[str, ...] | None = None,
        scouted: str | None = None,
        exclude_cards: tuple[str, ...] = (),
        options: Options = DEFAULT_OPTIONS,
    ) -> Setup:
        """Return a set-up with everything drawn that you do not give (R2.4).

        The base game is always among the sets.
        The same seed gives the same quadrants and the same start seat, whatever else you give.
        All other draws are independent of each other.
        """
        every = content.load()
        sets = content.with_base(sets)
        for name in sets:
            if name not in every.sets:
                message = f"{content.unknown_name('set', name, every.sets)}."
                raise NotationError(message, path=("sets",), token=name)
        check_names("card", "exclude_cards", exclude_cards, every.cards)
        if isinstance(seats, int):
            check_seat_count(seats)
            seats = SEATS[:seats]
        check_seats(seats)
        generator = draws_of(seed, "setup")
        quadrants = [name for name, item in every.quadrants.items() if item.set in sets]
        drawn_board = tuple(
            name + generator.choice(("", TURNED))
            for name in draw_names(generator, "quadrants", quadrants, N_QUADRANTS)
        )
        start = generator.randrange(len(seats))
        if cards is None:
            deck = [n for n, c in every.cards.items() if c.set in sets and n not in exclude_cards]
            cards = draw_names(generator, "cards", deck, CARDS_IN_PLAY)
        # Scouts comes last: which terrain goes depends on the deck.
        setup = cls(
            seats=seats,
            cards=tuple(name for name in cards if name != SCOUTS),
            board=drawn_board if board is None else board,
            island=draw_island(seed, sets) if island is None else island,
            start=start,
            options=options,
        )
        if scouted is None:
            scouted = draw_scouted(seed, setup.deck) if SCOUTS in cards else ""
        if caves is None:
            caves = draw_caves(seed, sets, "".join(setup.letters))
        if capitols is None:
            castles = [space.cell for space in setup.spaces if space.kind == "castle"]
            capitols = draw_capitols(seed, sets, setup.board, castles)
        return replace(
            setup,
            cards=cards,
            caves=caves,
            capitols=capitols,
            nomads=draw_nomads(seed, setup.nomad_cells) if nomads is None else nomads,
            tasks=draw_tasks(seed, setup.board) if tasks is None else tasks,
            scouted=scouted,
        )

    def shared(self) -> Setup:
        """Return the one of all equal set-ups whose board has been made."""
        return setup_of(self.start_position())

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """The board as 20 rows of 20 letters; then the island, if any, as 5 rows of 10.

        Joined together, the letters are in the order of the kernel's cells.
        """
        island = content.load().islands[self.island].grid if self.island else ()
        if self.map:
            return self.map + island
        parts = [placed_quadrant(name).grid for name in self.board]
        rows = tuple(
            left + right
            for half in (parts[:2], parts[2:])
            for left, right in zip(*half, strict=True)
        )
        return rows + island

    @cached_property
    def terrain(self) -> bytes:
        """The terrain code of each cell of the kernel."""
        cells = "".join(self.letters).translate(_CODES).encode("latin-1")
        return cells.ljust(N_CELLS, bytes([Terrain.VOID]))

    @cached_property
    def spaces(self) -> tuple[SpaceInfo, ...]:
        """The castles, locations and other spaces, by cell."""
        locations = self.locations or self._quadrant_locations()
        on_island = self._island_locations()
        tiles = {cell: kind for kind, cell in (*locations, *on_island, *self.nomads)}
        found = _SPACE.finditer("".join(self.letters))
        return tuple(
            SpaceInfo(match.start(), SPACE_LETTERS[match[0]], tiles.get(match.start()))
            for match in found
        )

    @cached_property
    def nomad_cells(self) -> tuple[int, ...]:
        """The cells of the nomad spaces, those without a tile included."""
        return tuple(space.cell for space in self.spaces if space.kind == "nomad")

    @cached_property
    def sets(self) -> tuple[str, ...]:
        """The boxes you need for this game, by its quadrants, tiles and cards."""
        every = content.load()
        used = {every.quadrants[name.removesuffix(TURNED)].set for name in self.board}
        used |= {every.tile(name).set for name in self.tile_kinds}
        used |= {every.cards[name].set for name in self.cards}
        used |= {every.tasks[name].set for name in self.tasks}
        if self.island:
            used.add(every.islands[self.island].set)
        if self.capitols:
            used |= {item.name for item in every.sets.values() if item.capitols}
        cards = {name for name, count in zip(TERRAIN_CARDS, self.deck, strict=True) if count}
        used |= {item.name for item in every.sets.values() if cards & {*item.deck}}
        # Houses come from the base game.
        return _in_order({*used, "base"}, every.sets)

    @cached_property
    def own_layouts(self) -> tuple[str, ...]:
        """The quadrants and the island in play that differ from the printed ones."""
        names = [name.removesuffix(TURNED) for name in self.board]
        every = content.load()
        grids: list[content.Quadrant | content.Island] = [every.quadrants[name] for name in names]
        if self.island:
            grids.append(every.islands[self.island])
        return tuple(item.name for item in grids if not item.official)

    def _quadrant_locations(self) -> Iterable[tuple[str, int]]:
        for place, name in enumerate(self.board):
            corner = place // 2 * QUADRANT_SIZE * SIZE + place % 2 * QUADRANT_SIZE
            for kind, row, col in placed_quadrant(name).locations:
                yield kind, corner + row * SIZE + col

    def _island_locations(self) -> Iterable[tuple[str, int]]:
        if self.island:
            for kind, row, col in content.load().islands[self.island].locations:
                yield kind, N_BOARD_CELLS + row * ISLAND_COLUMNS + col

    @cached_property
    def tile_kinds(self) -> tuple[str, ...]:
        """The kinds of tiles in play, in the order of `Content.tiles`; slot 1 is the first."""
        return _in_order({*self._board_tiles, *self.extra_tiles}, content.load().tiles)

    @cached_property
    def actions(self) -> frozenset[Action]:
        """What the tiles in play can do."""
        every = content.load()
        return frozenset([every.tile(kind).action for kind in self.tile_kinds])

    @cached_property
    def _board_tiles(self) -> frozenset[str]:
        """The kinds of tiles that the board brings into play."""
        every = content.load()
        tiles = {space.tile for space in self.spaces if space.tile}
        tiles |= {bonus.name for bonus in every.bonuses.values() if bonus.location in tiles}
        letters = {*"".join(self.letters)}
        there = {name for key, name in (TERRAIN_LETTERS | SPACE_LETTERS).items() if key in letters}
        if self.caves:
            there.add(CAVE)
        return frozenset(tiles | {row.name for row in every.commons.values() if row.needs in there})

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """The number of terrain cards of each kind the kernel knows (R2.4)."""
        counts = _all_cards(content.load())
        has_marsh = MARSH_LETTER in "".join(self.letters) or self.options.marsh_cards_always
        deck = []
        for name in TERRAIN_CARDS:
            marsh, _, terrain = name.rpartition("_")
            is_in = terrain != self.scouted and (has_marsh or not marsh)
            deck.append(counts[name] if is_in else 0)
        return tuple(deck)

    @cached_property
    def houses(self) -> int:
        """The settlements each player begins with."""
        return content.load().sets["base"].houses

    @cached_property
    def walls(self) -> int:
        """The stone walls for all players together."""
        return sum(item.walls for item in content.load().sets.values())

    @property
    def kernel_board(self) -> Board:
        """The kernel's board; equal set-ups share one."""
        # Not kept here: a board has its set-up, and the two would keep each other alive.
        return _compile(self, content.load())

    def start_position(self) -> Position:
        """Return a new position, before the first turn."""
        return Position(self.kernel_board, self.start)


_FIELDS = tuple(field.name for field in fields(Setup))


def setup_of(position: Position) -> Setup:
    """Return the set-up of the game that a position is from."""
    setup = position.board.source
    assert isinstance(setup, Setup)
    return setup


@lru_cache(maxsize=64)
def _compile(setup: Setup, every: content.Content) -> Board:
    scores = [every.cards[name].score for name in setup.cards]
    scores += [every.tasks[name].score for name in setup.tasks]
    return make_board(setup, scores)


@lru_cache(maxsize=8)
def _all_cards(every: content.Content) -> Counter[str]:
    """Return the terrain cards of all boxes."""
    counts: Counter[str] = Counter()
    for item in every.sets.values():
        counts.update(item.deck)
    return counts


def make_board(
    setup: Setup, scores: Sequence[int], rules: Sequence[tuple[int, int, int]] | None = None
) -> Board:
    """Return a board on which these cards and tasks count.

    ``rules`` are action, filter and terrain of each kind of tile, if they are not as printed.
    """
    every = content.load()
    slots = {name: slot for slot, name in enumerate(setup.tile_kinds, start=1)}
    tiles = [every.tile(name) for name in setup.tile_kinds]
    printed = [(t.action, t.filter, Terrain[(t.terrain or "void").upper()]) for t in tiles]
    return Board(
        terrain=setup.terrain,
        spaces=[(s.cell, _KINDS[s.kind], slots[s.tile] if s.tile else 0) for s in setup.spaces],
        tiles=printed if rules is None else rules,
        cards=scores,
        seats=len(setup.seats),
        deck=setup.deck,
        houses=setup.houses,
        walls=setup.walls,
        options=setup.options.bits(),
        permanent=[
            slots[row.name]
            for row in every.commons.values()
            if row.name in slots and row.action not in COMMON_ACTIONS
        ],
        bonus=[
            (slots.get(row.location, 0), slots[row.name])
            for row in every.bonuses.values()
            if row.name in slots
        ],
        caves=setup.caves,
        capitols=setup.capitols,
        scouted=Terrain[(setup.scouted or "void").upper()],
        source=setup,
    )


def _in_order(names: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    chosen = {*names}
    return tuple(name for name in known if name in chosen)
