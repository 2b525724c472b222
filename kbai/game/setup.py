"""The choices before turn 1 and the kernel board they make."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache

from kbai import content
from kbai._fast import (
    MAX_SPACES,
    MAX_TILE_KINDS,
    N_CELLS,
    Board,
    Option,
    Position,
    Space,
    Terrain,
)
from kbai.content import (
    CARD_TERRAINS,
    CASTLE_LETTER,
    CAVE,
    COMMON_ACTIONS,
    ISLAND_COLUMNS,
    LETTERS,
    LOCATION_LETTER,
    MARSH_LETTER,
    MOUNTAIN_LETTER,
    NOMAD_LETTER,
    QUADRANT_SIZE,
    SEA_LETTER,
    SPACE_LETTERS,
    TERRAIN_CARDS,
    TERRAIN_LETTERS,
)
from kbai.core.errors import NotationError, suggest_name
from kbai.core.seeds import derive_seed

SEATS: tuple[str, ...] = (
    "red",
    "blue",
    "green",
    "yellow",
    "white",
    "black",
    "orange",
    "purple",
)
N_SEATS = range(2, 6)
SIZE = 2 * QUADRANT_SIZE
# The cells of the island come after those of the board.
N_BOARD_CELLS = SIZE * SIZE
N_QUADRANTS = 4
CARDS_IN_PLAY = 3
# The kernel counts a seat's tiles of one kind in four bits.
MAX_SPACES_OF_A_KIND = 15
TURNED = "*"
# How far caves are from special spaces: the first distance that some mountain has (R6.7).
CAVE_DISTANCES = (3, 2)
# The card that needs a terrain to be taken out of the deck (R2.4).
SCOUTS = "scouts"


@dataclass(frozen=True, slots=True)
class Options:
    """The rule options; docs/forms.md says what each value means."""

    lords_need_presence: bool = False
    vacated_hex_counts: bool = True
    exhausted_card: str = "remove"
    exhausted_any_hex: bool = False
    lost_tiles_return: bool = False
    sword_targets: str = "each"
    sword_cancels_end: bool = False
    meeples_only_by_own_tile: bool = False
    canoe_self: bool = False
    island_knights: bool = False
    silo_is_special: bool = True
    crossroads_identical_any: bool = False
    marsh_cards_always: bool = False

    def __post_init__(self) -> None:
        for key in (f.name for f in fields(self)):
            object.__setattr__(self, key, _option_value(key, getattr(self, key)))

    @classmethod
    def parse(cls, values: Mapping[str, str | bool]) -> Options:
        """Return the options with these keys changed; the values may be text."""
        known = [f.name for f in fields(cls)]
        for key in values:
            if key not in known:
                message = f"{suggest_name('option', key, known)}."
                raise NotationError(message, path=("options", key), token=key)
        # Text becomes a value in __post_init__.
        return replace(cls(), **values)  # type: ignore[arg-type]

    def changed(self) -> dict[str, str]:
        """Return the options that are not at their default, in order, as text."""
        pairs = ((f.name, getattr(self, f.name), f.default) for f in fields(self))
        return {key: str(value).lower() for key, value, default in pairs if value != default}

    def bits(self) -> int:
        """Return the options as flags of the kernel; ``marsh_cards_always`` is in the deck."""
        flags = {
            Option.LORDS_NEED_PRESENCE: self.lords_need_presence,
            Option.VACATED_HEX_COUNTS: self.vacated_hex_counts,
            Option.EXHAUSTED_DISCARD: self.exhausted_card == "discard",
            Option.EXHAUSTED_ANY_HEX: self.exhausted_any_hex,
            Option.LOST_TILES_RETURN: self.lost_tiles_return,
            Option.SWORD_ONE: self.sword_targets == "one",
            Option.SWORD_CANCELS_END: self.sword_cancels_end,
            Option.MEEPLES_ONLY_BY_OWN_TILE: self.meeples_only_by_own_tile,
            Option.CANOE_SELF: self.canoe_self,
            Option.ISLAND_KNIGHTS: self.island_knights,
            Option.SILO_IS_SPECIAL: self.silo_is_special,
            Option.CROSSROADS_IDENTICAL_ANY: self.crossroads_identical_any,
        }
        return sum(int(flag) for flag, on in flags.items() if on)


# The options whose values are words; the others are true or false.
_WORD_OPTIONS = {"exhausted_card": ("remove", "discard"), "sword_targets": ("each", "one")}


def _option_value(key: str, value: object) -> str | bool:
    """Return a value an option can have, from the value itself or its text."""
    allowed: tuple[str | bool, ...] = _WORD_OPTIONS.get(key, (False, True))
    for choice in allowed:
        if str(value).strip().lower() == str(choice).lower():
            return choice
    words = " or ".join(repr(str(choice).lower()) for choice in allowed)
    raise NotationError(
        f"expected {words} for the option {key}, got {value!r}.",
        path=("options", key),
        token=str(value),
    )


DEFAULT_OPTIONS = Options()


@dataclass(frozen=True, slots=True)
class SpaceInfo:
    """A space that nobody builds on."""

    cell: int
    kind: str
    """``location``, ``castle``, ``nomad``, ``palace`` or ``silo``."""
    tile: str | None
    """The kind of location tile or nomad tile that lies there at the start."""


@dataclass(frozen=True)
class Setup:
    """Everything that is chosen before turn 1 and never changes, checked when it is made.

    Cards, tasks and extra tiles are kept in their canonical order, whatever lies on cells in the
    order of these, so equal tables have equal setups.

    >>> Setup.first_game().spaces[0]
    SpaceInfo(cell=58, kind='location', tile='paddock')
    """

    seats: tuple[str, ...]
    """In turn order."""
    cards: tuple[str, ...]
    board: tuple[str, ...] = ()
    """Top left, top right, bottom left, bottom right; ``oasis*`` is turned. Empty with a map."""
    map: tuple[str, ...] = ()
    """A board of one's own: 20 rows of 20 letters. Empty with quadrants."""
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
    """Kinds of tiles that are in play only because a seat has one without a space."""

    def __post_init__(self) -> None:
        _check_seats(self.seats)
        if self.start not in range(len(self.seats)):
            raise NotationError(
                f"expected the start seat as a number from 0 to {len(self.seats) - 1}, "
                f"got {self.start!r}.",
                path=("start",),
                token=str(self.start),
            )
        every = content.load()
        _check_names("card", "cards", self.cards, every.cards)
        _check_names("task", "tasks", self.tasks, every.tasks)
        _check_scouted(self.scouted, self.cards)
        gifts = [name for name in every.tiles if name not in every.commons]
        _check_names("tile", "extra_tiles", self.extra_tiles, gifts)
        _check_board(self.board, self.map, self.locations)
        if self.island and self.island not in every.islands:
            message = f"{suggest_name('island', self.island, every.islands)}."
            raise NotationError(message, path=("island",), token=self.island)
        letters = "".join(self.letters[:SIZE])
        _check_nomads(letters, self.nomads)
        _check_cells("cave", "caves", self.caves, letters, MOUNTAIN_LETTER, "a mountain")
        _check_cells("capitol", "capitols", self.capitols, letters, CASTLE_LETTER, "a castle")
        self._set("cards", _in_order(self.cards, every.cards))
        self._set("tasks", _in_order(self.tasks, every.tasks))
        for key in ("locations", "nomads"):
            self._set(key, tuple(sorted(getattr(self, key), key=lambda place: place[1])))
        for key in ("caves", "capitols"):
            self._set(key, tuple(sorted(getattr(self, key))))
        extra = (kind for kind in self.extra_tiles if kind not in self._board_tiles)
        self._set("extra_tiles", _in_order(extra, every.tiles))
        _check_limits(self)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def __getstate__(self) -> dict[str, object]:
        # Without what is cached: a Board cannot be pickled and is made again when asked for.
        return {f.name: getattr(self, f.name) for f in fields(self)}

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
        """Draw what is not given: quadrants, how they lie, cards and so on, who begins (R2.4).

        The same seed gives the same quadrants and start seat whatever is said about the rest,
        and whatever is drawn for a board is drawn by itself.
        """
        every = content.load()
        for name in sets:
            if name not in every.sets:
                message = f"{suggest_name('set', name, every.sets)}."
                raise NotationError(message, path=("sets",), token=name)
        _check_names("card", "exclude_cards", exclude_cards, every.cards)
        if isinstance(seats, int):
            _check_seat_count(seats)
            seats = SEATS[:seats]
        generator = random.Random(derive_seed(seed, "setup"))
        quadrants = [name for name, item in every.quadrants.items() if item.set in sets]
        drawn_board = tuple(
            name + generator.choice(("", TURNED))
            for name in _draw(generator, "quadrants", quadrants, N_QUADRANTS)
        )
        start = generator.randrange(len(seats))
        if cards is None:
            deck = [n for n, c in every.cards.items() if c.set in sets and n not in exclude_cards]
            cards = _draw(generator, "cards", deck, CARDS_IN_PLAY)
        # Scouts comes last: which terrain goes depends on the deck.
        setup = cls(
            seats=seats,
            cards=tuple(name for name in cards if name != SCOUTS),
            board=drawn_board if board is None else board,
            island=_draw_island(seed, sets) if island is None else island,
            start=start,
            options=options,
        )
        if scouted is None:
            scouted = _draw_scouted(setup, seed) if SCOUTS in cards else ""
        return replace(
            setup,
            cards=cards,
            caves=_dig_caves(setup, seed, sets) if caves is None else caves,
            capitols=_raise_capitols(setup, seed, sets) if capitols is None else capitols,
            nomads=_lay_nomads(setup, seed) if nomads is None else nomads,
            tasks=_draw_tasks(setup, seed) if tasks is None else tasks,
            scouted=scouted,
        )

    def shared(self) -> Setup:
        """Return the one setup among equal ones whose board and tables have been made."""
        return setup_of(self.start_position())

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """The board as 20 rows of 20 letters; then the island, if any, as 5 rows of 10.

        All letters in one string are in the order of the kernel's cells.
        """
        island = content.load().islands[self.island].grid if self.island else ()
        if self.map:
            return self.map + island
        parts = [_quadrant(name).grid for name in self.board]
        rows = tuple(
            left + right
            for half in (parts[:2], parts[2:])
            for left, right in zip(*half, strict=True)
        )
        return rows + island

    @cached_property
    def terrain(self) -> bytes:
        """The terrain code of each cell of the kernel."""
        codes = {letter: Terrain[name.upper()] for letter, name in TERRAIN_LETTERS.items()}
        codes |= dict.fromkeys(SPACE_LETTERS, Terrain.SPECIAL)
        codes[SEA_LETTER] = Terrain.VOID
        cells = bytes(codes[letter] for letter in "".join(self.letters))
        return cells.ljust(N_CELLS, bytes([Terrain.VOID]))

    @cached_property
    def spaces(self) -> tuple[SpaceInfo, ...]:
        """The castles, locations and other spaces, by cell."""
        locations = self.locations or self._quadrant_locations()
        on_island = self._island_locations()
        tiles = {cell: kind for kind, cell in (*locations, *on_island, *self.nomads)}
        return tuple(
            SpaceInfo(cell, SPACE_LETTERS[letter], tiles.get(cell))
            for cell, letter in enumerate("".join(self.letters))
            if letter in SPACE_LETTERS
        )

    @cached_property
    def nomad_cells(self) -> tuple[int, ...]:
        """The cells of the nomad spaces, those without a tile included."""
        return tuple(space.cell for space in self.spaces if space.kind == "nomad")

    @cached_property
    def sets(self) -> tuple[str, ...]:
        """The boxes this game needs, as its quadrants, tiles and cards say."""
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
        """The quadrants and the island in play that are not laid out like the printed ones."""
        names = [name.removesuffix(TURNED) for name in self.board]
        every = content.load()
        grids: list[content.Quadrant | content.Island] = [every.quadrants[name] for name in names]
        if self.island:
            grids.append(every.islands[self.island])
        return tuple(item.name for item in grids if not item.official)

    def _quadrant_locations(self) -> Iterable[tuple[str, int]]:
        for place, name in enumerate(self.board):
            corner = place // 2 * QUADRANT_SIZE * SIZE + place % 2 * QUADRANT_SIZE
            for kind, row, col in _quadrant(name).locations:
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
    def _board_tiles(self) -> frozenset[str]:
        """The kinds of tiles that are in play because of what the board has."""
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
        counts: Counter[str] = Counter()
        for item in content.load().sets.values():
            counts.update(item.deck)
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

    @cached_property
    def kernel_board(self) -> Board:
        """The kernel's board; equal setups share one."""
        return _compile(self, content.load())

    def start_position(self) -> Position:
        """Return a new position, before the first turn."""
        return Position(self.kernel_board, self.start)


def setup_of(position: Position) -> Setup:
    """Return the set-up of the game that a position is from."""
    setup = position.board.source
    assert isinstance(setup, Setup)
    return setup


@lru_cache(maxsize=64)
def _compile(setup: Setup, every: content.Content) -> Board:
    kinds = {name: Space[name.upper()] for name in SPACE_LETTERS.values()}
    slots = {name: slot for slot, name in enumerate(setup.tile_kinds, start=1)}
    tiles = [every.tile(name) for name in setup.tile_kinds]
    return Board(
        terrain=setup.terrain,
        spaces=[(s.cell, kinds[s.kind], slots[s.tile] if s.tile else 0) for s in setup.spaces],
        tiles=[(t.action, t.filter, Terrain[(t.terrain or "void").upper()]) for t in tiles],
        cards=[
            *(every.cards[name].score for name in setup.cards),
            *(every.tasks[name].score for name in setup.tasks),
        ],
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


def _quadrant(text: str) -> content.Quadrant:
    quadrant = content.load().quadrants[text.removesuffix(TURNED)]
    return quadrant.turned() if text.endswith(TURNED) else quadrant


def _in_order(names: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    chosen = {*names}
    return tuple(name for name in known if name in chosen)


def _draw(generator: random.Random, what: str, names: list[str], count: int) -> tuple[str, ...]:
    if len(names) < count:
        raise NotationError(f"expected at least {count} {what} to draw from, got {len(names)}.")
    return tuple(generator.sample(names, count))


def _lay_nomads(setup: Setup, seed: int) -> tuple[tuple[str, int], ...]:
    """Draw a nomad tile for each nomad space (R2.4); whatever else is drawn does not matter."""
    pool = [tile.name for tile in content.load().nomads.values() for _ in range(tile.count)]
    generator = random.Random(derive_seed(seed, "nomads"))
    drawn = _draw(generator, "nomad tiles", pool, len(setup.nomad_cells))
    return tuple(zip(drawn, setup.nomad_cells, strict=True))


def _draw_island(seed: int, sets: tuple[str, ...]) -> str:
    """Draw the side of the island that lies up; none if its box is not in use."""
    sides = [name for name, item in content.load().islands.items() if item.set in sets]
    return random.Random(derive_seed(seed, "island")).choice(sides) if sides else ""


def _draw_tasks(setup: Setup, seed: int) -> tuple[str, ...]:
    """Draw a task for each quadrant of a box that has tasks (R2.4)."""
    every = content.load()
    boxes = {task.set for task in every.tasks.values()}
    count = sum(_quadrant(name).set in boxes for name in setup.board)
    return _draw(random.Random(derive_seed(seed, "tasks")), "tasks", [*every.tasks], count)


def _draw_scouted(setup: Setup, seed: int) -> str:
    """Turn up the top card of the deck and return its terrain, of a marsh card the other (R2.4)."""
    terrains = [name.rpartition("_")[2] for name in TERRAIN_CARDS]
    return random.Random(derive_seed(seed, "scouted")).choices(terrains, setup.deck)[0]


def _raise_capitols(setup: Setup, seed: int, sets: tuple[str, ...]) -> tuple[int, ...]:
    """Draw a castle for the capitol of each quadrant that has one (R8.4)."""
    every = content.load()
    wanted = {name for box in sets for name in every.sets[box].capitols}
    generator = random.Random(derive_seed(seed, "capitols"))
    capitols = []
    for place, name in enumerate(setup.board):
        if name.removesuffix(TURNED) in wanted:
            castles = [s.cell for s in setup.spaces if s.kind == "castle"]
            here = [cell for cell in castles if quadrant_of(cell) == place]
            capitols += generator.sample(here, min(len(here), 1))
    return tuple(capitols)


def _dig_caves(setup: Setup, seed: int, sets: tuple[str, ...]) -> tuple[int, ...]:
    """Draw mountains for the caves of each quadrant, away from all special spaces (R6.7)."""
    count = sum(content.load().sets[box].caves for box in sets)
    generator = random.Random(derive_seed(seed, "caves"))
    caves = []
    for place in range(N_QUADRANTS if count else 0):
        for apart in CAVE_DISTANCES:
            free = cave_cells(setup, place, apart)
            if free:
                caves += generator.sample(free, min(len(free), count))
                break
    return tuple(caves)


def cave_cells(setup: Setup, place: int, apart: int) -> list[int]:
    """Return the mountains of a quadrant at least this far from every special space."""
    letters = "".join(setup.letters[:SIZE])
    spaces = [space.cell for space in setup.spaces if space.cell < N_BOARD_CELLS]
    return [
        cell
        for cell, letter in enumerate(letters)
        if letter == MOUNTAIN_LETTER
        and quadrant_of(cell) == place
        and all(distance(cell, space) >= apart for space in spaces)
    ]


def quadrant_of(cell: int) -> int:
    """Return the place of the quadrant a cell of the board is in, 0 to 3 (R1.4)."""
    return 2 * (cell // SIZE // QUADRANT_SIZE) + cell % SIZE // QUADRANT_SIZE


def distance(first: int, second: int) -> int:
    """Return how many steps lie between two cells of the board (R1.1)."""
    rows = second // SIZE - first // SIZE
    # Along the rows, odd ones lie half a hex to the right.
    slant = _slant(second) - _slant(first)
    return max(abs(rows), abs(slant), abs(slant + rows))


def _slant(cell: int) -> int:
    row, col = divmod(cell, SIZE)
    return col - row // 2


def _check_seat_count(count: int) -> None:
    if count not in N_SEATS:
        raise NotationError(
            f"expected {N_SEATS[0]} to {N_SEATS[-1]} seats, got {count}.",
            path=("seats",),
            token=str(count),
        )


def _check_seats(seats: tuple[str, ...]) -> None:
    _check_names("seat", "seats", seats, SEATS)
    _check_seat_count(len(seats))


def _check_names(
    what: str,
    key: str,
    names: tuple[str, ...],
    known: Collection[str],
    strip: Callable[[str], str] = str,
) -> None:
    """Raise unless all names are known and none is there twice."""
    seen: set[str] = set()
    for index, text in enumerate(names):
        name = strip(text)
        if name not in known:
            message = f"{suggest_name(what, name, known)}."
            raise NotationError(message, path=(key, index), token=text)
        if name in seen:
            message = f"expected each {what} once, got {name!r} twice."
            raise NotationError(message, path=(key, index), token=text)
        seen.add(name)


def _check_board(
    board: tuple[str, ...], rows: tuple[str, ...], locations: tuple[tuple[str, int], ...]
) -> None:
    if rows:
        if board:
            raise NotationError("expected a board or a map, got both.", path=("map",))
        _check_map(rows)
        _check_locations(rows, locations)
        return
    if not board:
        raise NotationError("expected a board of four quadrants or a map, got neither.")
    if locations:
        raise NotationError(
            "expected locations only with a map, as quadrants have their own; got "
            f"{_place_name(*locations[0])!r}.",
            path=("locations", 0),
            token=_place_name(*locations[0]),
        )
    if len(board) != N_QUADRANTS:
        raise NotationError(
            f"expected {N_QUADRANTS} quadrants, got {len(board)}: {', '.join(board)}.",
            path=("board",),
        )
    known = content.load().quadrants
    _check_names("quadrant", "board", board, known, strip=lambda text: text.removesuffix(TURNED))


def _check_map(rows: tuple[str, ...]) -> None:
    if len(rows) != SIZE:
        raise NotationError(f"expected {SIZE} rows in the map, got {len(rows)}.", path=("map",))
    for index, row in enumerate(rows):
        for letter in row:
            if letter not in LETTERS:
                raise NotationError(
                    f"expected letters {' '.join(LETTERS)} in row {index + 1} of the map, "
                    f"got {letter!r}.",
                    path=("map", index),
                    token=letter,
                )
        if len(row) != SIZE:
            raise NotationError(
                f"expected {SIZE} letters in row {index + 1} of the map, got {len(row)}.",
                path=("map", index),
                token=row,
            )


def _check_locations(rows: tuple[str, ...], locations: tuple[tuple[str, int], ...]) -> None:
    letters = "".join(rows)
    known = content.load().locations
    named: set[int] = set()
    for index, (kind, cell) in enumerate(locations):
        place = _place_name(kind, cell)
        problem = ""
        if kind not in known:
            problem = suggest_name("location", kind, known)
        elif cell not in range(len(letters)) or letters[cell] != LOCATION_LETTER:
            problem = f"expected a location on a cell marked 'l' in the map, got {place!r}"
        elif cell in named:
            problem = f"expected one location on each cell, got {place!r} as a second"
        if problem:
            raise NotationError(f"{problem}.", path=("locations", index), token=place)
        named.add(cell)
    for cell, letter in enumerate(letters):
        if letter == LOCATION_LETTER and cell not in named:
            raise NotationError(
                f"expected the kind of every location of the map, "
                f"got none for the 'l' on {_cell_name(cell)}.",
                path=("locations",),
            )


def _check_nomads(letters: str, nomads: tuple[tuple[str, int], ...]) -> None:
    """Raise unless each nomad tile lies on a nomad space of its own and is in the box (R2.3)."""
    known = content.load().nomads
    laid: Counter[str] = Counter()
    named: set[int] = set()
    for index, (kind, cell) in enumerate(nomads):
        place = _place_name(kind, cell)
        problem = ""
        if kind not in known:
            problem = suggest_name("nomad tile", kind, known)
        elif cell not in range(len(letters)) or letters[cell] != NOMAD_LETTER:
            cells = [_cell_name(c) for c, letter in enumerate(letters) if letter == NOMAD_LETTER]
            where = f"there are {', '.join(cells)}" if cells else "this board has none"
            problem = f"expected a nomad tile on a nomad space, got {place!r}; {where}"
        elif cell in named:
            problem = f"expected one nomad tile on each space, got {place!r} as a second"
        elif laid[kind] == known[kind].count:
            problem = f"expected at most {known[kind].count} {kind} tiles, got {place!r} once more"
        if problem:
            raise NotationError(f"{problem}.", path=("nomads", index), token=place)
        named.add(cell)
        laid[kind] += 1


def _check_cells(
    what: str, key: str, cells: tuple[int, ...], letters: str, letter: str, ground: str
) -> None:
    """Raise unless all cells are of the board, have this letter, and none is there twice."""
    for index, cell in enumerate(cells):
        problem = ""
        if cell not in range(len(letters)) or letters[cell] != letter:
            problem = f"expected {ground} of the board for a {what}, got {_cell_name(cell)!r}"
        elif cell in cells[:index]:
            problem = f"expected one {what} on each cell, got {_cell_name(cell)!r} twice"
        if problem:
            raise NotationError(f"{problem}.", path=(key, index), token=_cell_name(cell))


def _check_scouted(scouted: str, cards: tuple[str, ...]) -> None:
    """Raise unless the card Scouts has its terrain, and only then (R2.4)."""
    if SCOUTS in cards and not scouted:
        raise NotationError(
            f"expected the terrain taken out for the card {SCOUTS!r} "
            f"({', '.join(CARD_TERRAINS)}), got none.",
            path=("scouted",),
        )
    if scouted and SCOUTS not in cards:
        raise NotationError(
            f"expected a terrain taken out only with the card {SCOUTS!r}, got {scouted!r}.",
            path=("scouted",),
            token=scouted,
        )
    if scouted and scouted not in CARD_TERRAINS:
        message = f"{suggest_name('terrain with cards', scouted, CARD_TERRAINS)}."
        raise NotationError(message, path=("scouted",), token=scouted)


def _check_limits(setup: Setup) -> None:
    """Raise if the kernel has no room for this board."""
    if len(setup.spaces) > MAX_SPACES:
        raise NotationError(
            f"expected at most {MAX_SPACES} castles, locations and other spaces, "
            f"got {len(setup.spaces)}.",
            path=("map",),
        )
    if len(setup.tile_kinds) > MAX_TILE_KINDS:
        raise NotationError(
            f"expected at most {MAX_TILE_KINDS} kinds of tiles, got {len(setup.tile_kinds)}.",
            path=("locations",),
        )
    for kind, count in Counter(s.tile for s in setup.spaces if s.tile).items():
        if count > MAX_SPACES_OF_A_KIND:
            raise NotationError(
                f"expected at most {MAX_SPACES_OF_A_KIND} locations of a kind, "
                f"got {count} of {kind!r}.",
                path=("locations",),
                token=kind,
            )


def _place_name(kind: str, cell: int) -> str:
    return f"{kind}@{_cell_name(cell)}"


def _cell_name(cell: int) -> str:
    # Text forms live in notation.py, a floor above; errors need the name here.
    if cell >= N_BOARD_CELLS:
        row, col = divmod(cell - N_BOARD_CELLS, ISLAND_COLUMNS)
        return f"~{chr(ord('a') + col)}{row + 1}"
    return f"{chr(ord('a') + cell % SIZE)}{cell // SIZE + 1}"
