"""A plain rules engine for Kingdom Builder with Nomads, the yardstick for the fast one.

Every question is answered from the pieces on the board, straight from the definition in the
rules; the only things kept are the facts of a board that never change. `R4.2` and the like name
sections of the rules reference; text forms and bookkeeping follow docs/forms.md.

A hex is a pair of axial coordinates (q, r), r being the row from the top. Everything that enters
or leaves the public functions is text: cells like `c7`, steps like `barn:c7-`, positions like
`kb1 board=...`.

Another set of the game means more rows in QUADRANTS, TILES, ACTIONS, CARDS and GOLD; Nomads also
brought tiles for one turn (NOMAD_TILES), stone walls and actions of several steps (`doing`).
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

Hex = tuple[int, int]

SIZE = 20
HOUSES = 40
TILES_PER_SPACE = 2
CARDS_PER_TERRAIN = 5
MANDATORY_HOUSES = 3
DONATED_HOUSES = 3
RESETTLEMENT_STEPS = 4
WALLS_PER_QUARRY = 2
WALLS = 25
TREASURE_GOLD = 3

TERRAINS = ("grass", "canyon", "desert", "flower", "forest")
NATURE = ("water", "mountain")
SPECIAL = ("castle", "location", "nomad")
TILES = ("oracle", "farm", "oasis", "tower", "tavern", "barn", "harbor", "paddock",
         "quarry", "caravan", "village", "garden")
DONATIONS = {f"donation_{terrain}": terrain for terrain in TERRAINS + NATURE}
NOMAD_COUNTS = {**dict.fromkeys(DONATIONS, 1),  # R2.3
                "resettlement": 2, "outpost": 2, "sword": 2, "treasure": 2}
NOMAD_TILES = tuple(NOMAD_COUNTS)
RED_CARDS = ("families", "shepherds", "ambassadors")
GOLD_SOURCES = ("treasure", *RED_CARDS)  # R8.1: gold scored during the game
CARDS = ("fishermen", "miners", "workers", "discoverers", "knights", "hermits", "citizens",
         "merchants", "farmers", "lords", *RED_CARDS)
COLOURS = ("red", "blue", "green", "yellow", "white", "black", "orange", "purple")
OPTIONS = {  # name: allowed values, the default first
    "lords_need_presence": ("false", "true"),
    "vacated_hex_counts": ("true", "false"),
    "exhausted_card": ("remove", "discard"),
    "exhausted_any_hex": ("false", "true"),
    "lost_tiles_return": ("false", "true"),
    "sword_targets": ("each", "one"),
    "sword_cancels_end": ("false", "true"),
}
LETTERS = {"G": "grass", "C": "canyon", "D": "desert", "F": "flower", "T": "forest",
           "W": "water", "M": "mountain", "k": "castle", "l": "location",
           "n": "nomad"}

# Each quadrant as printed: the kinds of its location spaces in reading order, and its hexes.
QUADRANTS = {
    "oracle": (("oracle",), """
        GGGTTWGTTT
        GGGkTWGTTT
        GFFGTTWGGT
        FFCGTWFlTT
        FFFCCWFFWW
        MMCGGWWWDD
        CCCMGFFFDD
        CCkDMDFFCC
        WWWDDDDMCC
        WWWWDDDDDC"""),
    "farm": (("farm", "farm"), """
        DDCWWTTTGG
        DkCWTTTlGG
        CCCFFFTCFF
        CCFFWDDCCF
        CGGWFFDDCC
        GGlFWFWDDC
        GGGTFFWWDD
        GGTTMWWWDW
        GMTTWWWWWW
        TTTWWWWWWW"""),
    "tavern": (("tavern", "tavern"), """
        FDDMMDDCCC
        FFDDDMMCCC
        FFFFFFFMMM
        WWFkGGTTMM
        FFWWGGGTTC
        FCCWGTTCCC
        DFlCWTTlCG
        DDCWTTGGGG
        DDDWTTTGGG
        DDWWTTTGGG"""),
    "tower": (("tower", "tower"), """
        TTTTMMGMCC
        TMTTFGMMMC
        FFTFFFGGWM
        DFFFWlGWMM
        DDDDFWGWCC
        DCDDDWWCGC
        DDCDDWFkGC
        CClDWFFFGG
        DCWWWTTFGG
        DCCWTTTGGG"""),
    "harbor": (("harbor",), """
        GGTTTWGTTF
        GFTTWGTTFF
        GFFTWGGFFF
        FFTTWGMFDD
        CFkTWGDDDD
        CCTWGGMMDD
        CCWWWGDDDC
        WWGGWWlCMC
        WDkGWMWCCC
        WDDWWWWCCC"""),
    "paddock": (("paddock", "paddock"), """
        CCCDDWDDDD
        MMCDDWDDDD
        MMCMMWDDlF
        MCMMWMDFFF
        CCTTWMMCFF
        CTTWCCCMFF
        ClTTWFFFFF
        GGTWGkGFGT
        GGTTWGGGGT
        GGTTWGGGTT"""),
    "oasis": (("oasis", "oasis"), """
        DDCWWTTGGG
        DCWFFTTTGG
        DDWFFTTlFG
        WWWFGTFFFF
        WWWWGGGGFF
        WTTWGGCCDC
        WTCTWGCCDC
        WkCFWlDDCW
        WWCFWWWDDW
        WWWWWWWWWW"""),
    "barn": (("barn", "barn"), """
        CDDDDDDDDD
        CCCDDDDDCD
        MMMDMMlDDC
        CMMMMMFFCC
        CCCMMWFFFC
        GCCCMFFWTC
        GGlTFFWFFT
        GGTTFFGkTT
        GGGTTWGGTT
        GGGTWGGTTT"""),
    "quarry": (("quarry",), """
        GGGWWWMCCC
        GGWTDWWWCC
        GMWTlDDDWM
        FWTTCCDFFF
        FWGGCCDDMF
        FWnGCCDnFF
        FFWGCCCFFF
        DWGGCnTTFF
        DDWWGTTMTT
        DDDWWTMTTT"""),
    "caravan": (("caravan", "caravan"), """
        WWGGWWWFFF
        WGGTWWWFFF
        WWWGTWWDDF
        TTWnTWDMFF
        TTTWWWDDGG
        TTTTCDGGGG
        TTlCCCGGMG
        TCCCCGlDDG
        CMCCCFFFDD
        CCCFFFFDDD"""),
    "village": (("village", "village"), """
        DDDDDDDGGG
        DDDMDFFFGG
        DMDDDFWFGT
        CFWDnWFTTT
        CFFWWWFlCT
        CFFFWWFCCC
        CCClTWWFMC
        GCGGTWFCCC
        GGGGTTTTCM
        GGGTTTTTMM"""),
    "garden": (("garden", "garden"), """
        CCCWWWWDDD
        CCCWlFDDMD
        CCCCCCFDMD
        CGGCCMFMDD
        CGGGDMMFFF
        TFGlDDFFFF
        TTFFDMFGGF
        TTMFMTnGGG
        TMTTTTWWGG
        TTTTWWWGGG"""),
}


# --- Geometry ---------------------------------------------------------------------------------

DIRECTIONS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))  # E NE NW W SW SE


def at(row: int, column: int) -> Hex:
    """R1.1: the axial form of row and column, both from 0."""
    return column - (row - row % 2) // 2, row


def row_of(h: Hex) -> int:
    """R1.1"""
    return h[1]


def column_of(h: Hex) -> int:
    """R1.1"""
    q, r = h
    return q + (r - r % 2) // 2


def step_from(h: Hex, direction: Hex, times: int = 1) -> Hex:
    """R1.2: the hex so many steps away in a straight line, on the board or not."""
    return h[0] + times * direction[0], h[1] + times * direction[1]


def quadrant_of(h: Hex) -> int:
    """R1.4"""
    return 2 * (row_of(h) // 10) + column_of(h) // 10


def on_edge(h: Hex) -> bool:
    """R1.4"""
    return row_of(h) in (0, SIZE - 1) or column_of(h) in (0, SIZE - 1)


def cell(h: Hex) -> str:
    """The name of a hex, docs/forms.md."""
    return f"{chr(ord('a') + column_of(h))}{row_of(h) + 1}"


def hex_of(name: str) -> Hex:
    """The hex of a cell like `c7`."""
    if name not in HEX_OF_CELL:
        raise ValueError(f"no such cell: {name!r}")
    return HEX_OF_CELL[name]


HEX_OF_CELL = {cell(at(r, c)): at(r, c) for r in range(SIZE) for c in range(SIZE)}


def by_cell(hexes) -> list[Hex]:
    """Sorted by row, then by column; within a row q grows with the column."""
    return sorted(hexes, key=lambda h: (h[1], h[0]))


# --- Boards -----------------------------------------------------------------------------------

@dataclass
class Board:
    """What never changes on a board; two boards are equal if their texts are."""
    text: str                                            # the tokens of the position line
    terrain: dict[Hex, str] = field(compare=False)
    locations: dict[Hex, str] = field(compare=False)     # location space: kind of its tiles
    neighbours: dict[Hex, tuple[Hex, ...]] = field(compare=False)
    land: dict[str, set[Hex]] = field(compare=False)     # terrain: its hexes
    special: set[Hex] = field(compare=False)             # R1.5
    usable: set[Hex] = field(compare=False)              # where a piece can stand at all
    buildable: set[Hex] = field(compare=False)           # R1.5 BUILD
    edge: set[Hex] = field(compare=False)                # R1.4, buildable or not


def make_board(text: str, grid: list[str], kinds: dict[Hex, str]) -> Board:
    """A board from 20 rows of letters and the kinds of its location spaces."""
    terrain = {at(r, c): LETTERS[grid[r][c]] for r in range(SIZE) for c in range(SIZE)}
    land = {name: {h for h in terrain if terrain[h] == name}
            for name in TERRAINS + NATURE + SPECIAL}
    if land["location"] != set(kinds):
        raise ValueError("every location space needs its kind, and nothing else has one")
    around = {h: tuple(n for n in (step_from(h, d) for d in DIRECTIONS) if n in terrain)
              for h in terrain}
    special = set().union(*(land[name] for name in SPECIAL))
    buildable = set().union(*(land[name] for name in TERRAINS))
    return Board(text, terrain, kinds, around, land, special, set(terrain) - special, buildable,
                 {h for h in terrain if on_edge(h)})


@lru_cache(maxsize=512)
def quadrant_board(text: str) -> Board:
    """R1.1, R1.3: the board of four quadrants, `tavern,paddock,oasis*,farm`; * = turned."""
    names = text.split(",")
    if len(names) != 4:
        raise ValueError("a board has four quadrants")
    letters, kinds = {}, {}
    for place, name in enumerate(names):
        plain, turned = name.removesuffix("*"), name.endswith("*")
        if plain not in QUADRANTS:
            raise ValueError(f"no such quadrant: {name!r}")
        tiles, drawing = QUADRANTS[plain]
        tiles = iter(tiles)
        for i, line in enumerate(drawing.split()):
            for j, letter in enumerate(line):
                r, c = (9 - i, 9 - j) if turned else (i, j)
                r, c = r + 10 * (place // 2), c + 10 * (place % 2)
                letters[r, c] = letter
                if letter == "l":
                    kinds[at(r, c)] = next(tiles)
    grid = ["".join(letters[r, c] for c in range(SIZE)) for r in range(SIZE)]
    return make_board(f"board={text}", grid, kinds)


@lru_cache(maxsize=512)
def map_board(rows: str, locations: str) -> Board:
    """A board of one's own, docs/forms.md."""
    grid = rows.split("/")
    if len(grid) != SIZE or any(len(line) != SIZE or set(line) - set(LETTERS) for line in grid):
        raise ValueError("a map has 20 rows of 20 letters " + " ".join(LETTERS))
    kinds = dict(read_tile(word) for word in locations.split(",")) if locations else {}
    text = f"map={rows}"
    if kinds:
        text += " locations=" + write_tiles(kinds)
    return make_board(text, grid, kinds)


def read_tile(word: str, kinds: tuple[str, ...] = TILES) -> tuple[Hex, str]:
    """`tavern@c7` as space and kind."""
    kind, _, name = word.partition("@")
    if kind not in kinds:
        raise ValueError(f"no such tile: {word!r}")
    return hex_of(name), kind


def write_tiles(kinds: dict[Hex, str]) -> str:
    """Spaces and kinds, sorted by the cell of the space; `-` for none."""
    return ",".join(f"{kinds[space]}@{cell(space)}" for space in by_cell(kinds)) or "-"


# --- Positions --------------------------------------------------------------------------------

@dataclass
class Seat:
    """What one player has, docs/forms.md."""
    cells: set[Hex] = field(default_factory=set)           # his settlements
    tiles: dict[Hex, str] = field(default_factory=dict)    # space the tile came from: its kind
    used: dict[str, int] = field(default_factory=dict)     # kind: how many, never 0
    fresh: dict[str, int] = field(default_factory=dict)    # gained this turn (R3.4)
    lost: set[Hex] = field(default_factory=set)            # spaces taken from and lost (R5.2)
    gifts: dict[str, int] = field(default_factory=dict)    # tiles that came from no space
    supply: int = HOUSES
    nomads: dict[str, int] = field(default_factory=dict)   # nomad tiles, fresh ones included
    gold: dict[str, int] = field(default_factory=dict)     # source: scored during the game

    def holds(self, kind: str) -> int:
        """How many tiles of the kind he has, in whatever state."""
        return (list(self.tiles.values()).count(kind) + self.gifts.get(kind, 0)
                + self.nomads.get(kind, 0))

    def ready(self, kind: str) -> int:
        """R3.3, R3.4, R7.1: tiles of the kind neither used nor gained this turn."""
        return self.holds(kind) - self.used.get(kind, 0) - self.fresh.get(kind, 0)


@dataclass
class State:
    """A position. `card` is a terrain, `hidden`, `replace`, `none`, or None when over."""
    board: Board
    cards: tuple[str, ...]
    options: dict[str, str]                 # all of them
    seats: tuple[str, ...]                  # in turn order
    start: str
    seat: dict[str, Seat]
    turn: str | None
    card: str | None
    phase: str = "pre"                      # pre, build2, build1, post, over
    any_terrain: bool = False               # option exhausted_any_hex at work this turn
    lift: tuple[str, Hex] | None = None     # tile and the hex of the piece in hand
    final: bool = False                     # last round fixed (R9.1)
    discard: dict[str, int] = field(default_factory=dict)
    removed: dict[str, int] = field(default_factory=dict)
    spent: dict[str, int] = field(default_factory=dict)
    held: list[tuple[tuple[str, ...], dict[str, int]]] = field(default_factory=list)
    nocard: set[str] = field(default_factory=set)
    nomads: dict[Hex, str] = field(default_factory=dict)  # nomad space: the tile laid there
    gone: set[Hex] = field(default_factory=set)           # nomad spaces whose tile is taken
    walls: set[Hex] = field(default_factory=set)
    doing: tuple[str, int | str] | None = None  # tile and steps left, or sword and next victim
    outpost: bool = False                       # declared for the next placement
    built: set[Hex] = field(default_factory=set)  # this mandatory action's, with Families only
    emptied: bool = field(default=False, compare=False)   # a supply was, this round; for events
    events: tuple[str, ...] = field(default=(), compare=False)

    @property
    def mover(self) -> Seat:
        """Whose turn it is."""
        return self.seat[self.turn]

    def note(self, event: str) -> None:
        """Record what happened in this step."""
        self.events += (event,)


def add(counts: dict[str, int], key: str, number: int = 1) -> None:
    """Change a count; counts of 0 are not kept, so that equal things compare equal."""
    counts[key] = counts.get(key, 0) + number
    if counts[key] < 0:
        raise ValueError(f"less than no {key}")
    if counts[key] == 0:
        del counts[key]


def copied(state: State) -> State:
    """A copy that shares nothing changeable but the board, without events."""
    return replace(
        state, events=(), options=dict(state.options), discard=dict(state.discard),
        removed=dict(state.removed), spent=dict(state.spent), nocard=set(state.nocard),
        held=[(seats, dict(cards)) for seats, cards in state.held],
        gone=set(state.gone), walls=set(state.walls), built=set(state.built),
        seat={name: Seat(set(s.cells), dict(s.tiles), dict(s.used), dict(s.fresh), set(s.lost),
                         dict(s.gifts), s.supply, dict(s.nomads), dict(s.gold))
              for name, s in state.seat.items()})


def new(board: list[str], cards: list[str], seats: list[str], start: str | None = None,
        options: dict[str, str] | None = None, nomads: dict[str, str] | None = None) -> State:
    """R2.4: the start of a game on four quadrants; the first card is still hidden.

    `nomads` has the tile on each nomad space by the cell of the space; others have none.
    """
    start = start or seats[0]
    return checked(State(quadrant_board(",".join(board)), in_order(cards, CARDS),
                         full_options(options or {}), tuple(seats), start,
                         {name: Seat() for name in seats}, start, "hidden",
                         nomads={hex_of(name): kind for name, kind in (nomads or {}).items()}))


def full_options(given: dict[str, str]) -> dict[str, str]:
    """All options, those not given at their defaults."""
    for key, value in given.items():
        if value not in OPTIONS.get(key, ()):
            raise ValueError(f"no such option: {key}:{value}")
    return {key: given.get(key, values[0]) for key, values in OPTIONS.items()}


def in_order(words, names: tuple[str, ...]) -> tuple[str, ...]:
    """The words in the order of the names."""
    for word in words:
        if word not in names:
            raise ValueError(f"unknown name: {word!r}")
    return tuple(sorted(words, key=names.index))


def checked(state: State) -> State:
    """The position itself; ValueError if it cannot be one."""
    if not 2 <= len(state.seats) <= 5 or not set(state.seats) <= set(COLOURS):
        raise ValueError("two to five seats, named by colour")
    if len(set(state.seats)) != len(state.seats) or state.start not in state.seats:
        raise ValueError("each seat once, and the start seat among them")
    if len(set(state.cards)) != len(state.cards):
        raise ValueError("each card once")
    pieces = [h for seat in state.seat.values() for h in seat.cells]
    if len(set(pieces)) != len(pieces) or not set(pieces) <= state.board.usable:
        raise ValueError("one piece per hex, none on a special space")
    for seat in state.seat.values():
        if seat.lost & set(seat.tiles) or any(
                seat.ready(kind) < 0 for kind in TILES + NOMAD_TILES):
            raise ValueError("tiles held, used, gained and lost do not fit together")
    if (state.phase == "over") != (state.turn is None) or (state.turn is None) != (
            state.card is None):
        raise ValueError("turn and card are needed unless the game is over")
    if state.turn is not None and state.turn not in state.seats:
        raise ValueError("the turn is nobody's")
    if any(number < 0 for number in unseen(state).values()) or pile(state) < 0:
        raise ValueError("more cards named than there are")
    check_nomads(state)
    return state


def check_nomads(state: State) -> None:
    """The part of `checked` that the Nomads set brought."""
    if not set(state.nomads) <= state.board.land["nomad"] or not set(
            state.nomads.values()) <= set(NOMAD_TILES) or not state.gone <= set(state.nomads):
        raise ValueError("nomad tiles lie on nomad spaces and are taken from there")
    pieces = set().union(*(seat.cells for seat in state.seat.values()))
    if len(state.walls) > WALLS or not state.walls <= state.board.usable - pieces:
        raise ValueError("at most 25 walls, one piece or wall per hex, none on a special space")
    for seat in state.seat.values():
        if "treasure" in seat.nomads:
            raise ValueError("a treasure is never held")
        if set(seat.gold) - {"treasure", *state.cards} or (
                "treasure" in seat.gold and not state.board.land["nomad"]):
            raise ValueError("gold from something that is not in play")
    if state.doing:
        kind, left = state.doing
        most = {"quarry": WALLS_PER_QUARRY, "resettlement": RESETTLEMENT_STEPS,
                **dict.fromkeys(DONATIONS, DONATED_HOUSES)}
        if state.phase not in ("pre", "post") or not (
                left in state.seats and left != state.turn if kind == "sword"
                else kind in most and 1 <= left < most[kind]):
            raise ValueError(f"nobody can be doing this: {kind}:{left}")
    if state.outpost and (state.phase == "over" or state.lift):
        raise ValueError("an outpost is for a placement")
    if state.built:
        due = {"build2": 2, "build1": 1}.get(state.phase, MANDATORY_HOUSES)
        if ("families" not in state.cards or len(state.built) > MANDATORY_HOUSES - due
                or not state.built <= state.mover.cells):
            raise ValueError("the houses of the mandatory action do not fit")


# --- The line form ----------------------------------------------------------------------------

def write_counts(counts: dict[str, int], names: tuple[str, ...] = TERRAINS) -> str:
    """`grass:2,desert:1`, terrains (or the given names) in their order."""
    return ",".join(f"{name}:{counts[name]}" for name in names if counts.get(name))


def read_counts(text: str, names: tuple[str, ...] = TERRAINS) -> dict[str, int]:
    """The reverse of write_counts."""
    counts = {}
    for word in text.split(","):
        name, _, number = word.partition(":")
        if name not in names or not number.isdigit():
            raise ValueError(f"no count of {', '.join(names)}: {word!r}")
        add(counts, name, int(number))
    return counts


def write_kinds(counts: dict[str, int]) -> str:
    """Kinds in their order, each as often as it counts."""
    return ",".join(kind for kind in TILES + NOMAD_TILES for _ in range(counts.get(kind, 0)))


def read_kinds(text: str, kinds: tuple[str, ...] = TILES) -> dict[str, int]:
    """The reverse of write_kinds."""
    counts = {}
    for kind in words_of(text):
        if kind not in kinds:
            raise ValueError(f"no such tile: {kind!r}")
        add(counts, kind)
    return counts


def words_of(text: str) -> list[str]:
    """The words of a list with commas; `-` is the empty list."""
    return [] if text == "-" else text.split(",")


def write_cells(hexes: set[Hex]) -> str:
    """The cells, sorted; `-` for none."""
    return ",".join(cell(h) for h in by_cell(hexes)) or "-"


def read_cells(text: str) -> set[Hex]:
    """The reverse of write_cells; no cell comes twice."""
    cells = [hex_of(word) for word in words_of(text)]
    if len(set(cells)) != len(cells):
        raise ValueError(f"a cell twice: {text}")
    return set(cells)


def default_final(state: State) -> bool:
    """docs/forms.md: the last round is taken as fixed if a seat has no house left."""
    return state.options["sword_cancels_end"] == "false" and a_supply_is_empty(state)


def a_supply_is_empty(state: State) -> bool:
    """R9.1"""
    return any(seat.supply == 0 for seat in state.seat.values())


def write_seat(state: State, name: str) -> str:
    """The token of one seat, docs/forms.md."""
    board, seat = state.board, state.seat[name]
    parts = [f"{name}=" + write_cells(seat.cells)]
    if seat.tiles or any(touches(board, space, seat.cells) for space in board.locations):
        parts.append("tiles=" + write_tiles(seat.tiles))
    if seat.used:
        parts.append("used=" + write_kinds(seat.used))
    if seat.fresh:
        parts.append("fresh=" + write_kinds(seat.fresh))
    if seat.lost:
        parts.append("lost=" + write_tiles({h: board.locations[h] for h in seat.lost}))
    if seat.nomads:
        parts.append("nomads=" + write_kinds(seat.nomads))
    if seat.gifts:
        parts.append("gifts=" + write_kinds(seat.gifts))
    if seat.supply != HOUSES - len(seat.cells):
        parts.append(f"supply={seat.supply}")
    if seat.gold:
        parts.append("gold=" + write_counts(seat.gold, GOLD_SOURCES))
    return "/".join(parts)


def format(state: State) -> str:
    """The canonical line of a position, docs/forms.md; what has its default is left out."""
    words = ["kb1", state.board.text]
    if state.nomads:
        words.append("nomads=" + write_tiles(state.nomads))
    words.append("cards=" + (",".join(state.cards) or "-"))
    changed = [f"{key}:{state.options[key]}" for key in OPTIONS
               if state.options[key] != OPTIONS[key][0]]
    if changed:
        words.append("options=" + ",".join(changed))
    if state.start != state.seats[0]:
        words.append(f"start={state.start}")
    words += [write_seat(state, name) for name in state.seats]
    if state.phase != "over":
        words += [f"turn={state.turn}", f"card={state.card}"]
    if state.phase != "pre":
        words.append(f"phase={state.phase}")
    if state.any_terrain:
        words.append("terrain=any")
    if state.lift:
        words.append(f"lift={state.lift[0]}@{cell(state.lift[1])}")
    if state.doing:
        words.append(f"doing={state.doing[0]}:{state.doing[1]}")
    if state.outpost:
        words.append("outpost=true")
    if state.built:
        words.append("built=" + write_cells(state.built))
    if state.final != default_final(state):
        words.append("final=" + ("true" if state.final else "false"))
    for key in ("walls", "gone"):
        if getattr(state, key):
            words.append(f"{key}=" + write_cells(getattr(state, key)))
    for key in ("discard", "removed", "spent"):
        if getattr(state, key):
            words.append(f"{key}=" + write_counts(getattr(state, key)))
    if state.held:
        words.append("held=" + "/".join(
            "+".join(seats) + ":" + write_counts(cards) for seats, cards in state.held))
    if state.nocard:
        words.append("nocard=" + ",".join(n for n in state.seats if n in state.nocard))
    return " ".join(words)


LINE_KEYS = ("board", "map", "locations", "nomads", "cards", "options", "start", "turn", "card",
             "phase", "terrain", "lift", "doing", "outpost", "built", "final", "walls", "gone",
             "discard", "removed", "spent", "held", "nocard")
SEAT_KEYS = ("tiles", "used", "fresh", "lost", "nomads", "gifts", "supply", "gold")


def read_pairs(words: list[str], keys: tuple[str, ...]) -> dict[str, str]:
    """`key=value` words as a dict; each key is one of `keys` and comes once."""
    pairs = {}
    for word in words:
        key, sign, value = word.partition("=")
        if not sign or key not in keys or key in pairs or not value:
            raise ValueError(f"cannot read {word!r}")
        pairs[key] = value
    return pairs


def choice(value: str, *allowed: str) -> str:
    """The value itself if it is allowed."""
    if value not in allowed:
        raise ValueError(f"{value!r} is none of {', '.join(allowed)}")
    return value


def read_seat(board: Board, text: str) -> Seat:
    """What stands behind `NAME=`; the default of `tiles` comes later."""
    cells, *rest = text.split("/")
    pairs = read_pairs(rest, SEAT_KEYS)
    seat = Seat(read_cells(cells))
    for key in ("tiles", "lost"):
        spaces = dict(read_tile(word) for word in words_of(pairs.get(key, "-")))
        if any(board.locations.get(space) != kind for space, kind in spaces.items()):
            raise ValueError(f"no such location space: {pairs[key]}")
        setattr(seat, key, spaces if key == "tiles" else set(spaces))
    kinds = {"used": TILES, "fresh": TILES + NOMAD_TILES, "nomads": NOMAD_TILES, "gifts": TILES}
    for key in kinds:
        setattr(seat, key, read_kinds(pairs.get(key, "-"), kinds[key]))
    if "gold" in pairs:
        seat.gold = read_counts(pairs["gold"], GOLD_SOURCES)
    seat.supply = int(pairs.get("supply", HOUSES - len(seat.cells)))
    if not 0 <= seat.supply <= HOUSES - len(seat.cells):
        raise ValueError(f"impossible supply: {seat.supply}")
    return seat


def parse(line: str) -> State:
    """The position of a canonical line, docs/forms.md."""
    head, *words = line.split()
    if head != "kb1":
        raise ValueError("a position line begins with kb1")
    colours = {w.partition("=")[0]: w.partition("=")[2] for w in words
               if w.partition("=")[0] in COLOURS}
    pairs = read_pairs([w for w in words if w.partition("=")[0] not in COLOURS], LINE_KEYS)
    if ("board" in pairs) == ("map" in pairs) or "cards" not in pairs:
        raise ValueError("needed: cards, and one of board and map")
    board = (quadrant_board(pairs["board"]) if "board" in pairs
             else map_board(pairs["map"], pairs.get("locations", "")))
    seats = tuple(colours)
    options = dict(word.split(":") for word in words_of(pairs.get("options", "-")))
    state = State(board, in_order(words_of(pairs["cards"]), CARDS), full_options(options), seats,
                  pairs.get("start", seats[0] if seats else ""),
                  {name: read_seat(board, text) for name, text in colours.items()},
                  pairs.get("turn"), pairs.get("card"))
    if state.card is not None:
        choice(state.card, *TERRAINS, "hidden", "replace", "none")
    state.phase = choice(pairs.get("phase", "pre"), "pre", "build2", "build1", "post", "over")
    state.any_terrain = "terrain" in pairs and choice(pairs["terrain"], "any") == "any"
    if "lift" in pairs:
        h, kind = read_tile(pairs["lift"], (*TILES, "resettlement"))
        state.lift = kind, h
    if "doing" in pairs:
        kind, _, left = pairs["doing"].partition(":")
        state.doing = kind, left if kind == "sword" else int(left)
    state.outpost = "outpost" in pairs and choice(pairs["outpost"], "true") == "true"
    state.nomads = dict(read_tile(word, NOMAD_TILES)
                        for word in words_of(pairs.get("nomads", "-")))
    for key in ("built", "walls", "gone"):
        setattr(state, key, read_cells(pairs.get(key, "-")))
    state.final = default_final(state)
    if "final" in pairs:
        state.final = choice(pairs["final"], "true", "false") == "true"
    state.emptied = a_supply_is_empty(state)
    for key in ("discard", "removed", "spent"):
        if key in pairs:
            setattr(state, key, read_counts(pairs[key]))
    for group in pairs["held"].split("/") if "held" in pairs else ():
        names, _, cards = group.partition(":")
        state.held.append((in_order(names.split("+"), seats), read_counts(cards)))
    state.nocard = set(in_order(words_of(pairs.get("nocard", "-")), seats))
    checked(state)
    first = seats.index(state.start)
    for name in seats[first:] + seats[:first]:
        if "/tiles=" not in colours[name]:
            give_default_tiles(state, state.seat[name])
    return checked(state)


def give_default_tiles(state: State, seat: Seat) -> None:
    """docs/forms.md: without `tiles`, one from every space beside a settlement, if any is left."""
    for space, kind in state.board.locations.items():
        if (space not in seat.lost and touches(state.board, space, seat.cells)
                and tiles_left(state, space) > 0):
            seat.tiles[space] = kind


# --- Terrain cards ----------------------------------------------------------------------------

def unseen(state: State) -> dict[str, int]:
    """docs/forms.md: per terrain the cards not named anywhere."""
    piles = [state.discard, state.removed, state.spent, *(cards for _, cards in state.held)]
    return {terrain: CARDS_PER_TERRAIN - sum(p.get(terrain, 0) for p in piles)
            - (state.card == terrain) for terrain in TERRAINS}


def hidden_hands(state: State) -> list[str]:
    """The seats whose hand card is one of the unseen ones, R2.6."""
    grouped = {name for seats, _ in state.held for name in seats}
    return [name for name in state.seats
            if name not in grouped and name not in state.nocard
            and (name != state.turn or state.card == "hidden")]


def pile(state: State) -> int:
    """docs/forms.md: the size of the draw pile."""
    return sum(unseen(state).values()) - len(hidden_hands(state))


def can_draw(state: State) -> bool:
    """R3.7: whether a card can be drawn; an empty draw pile is made anew from the discards."""
    if pile(state) > 0:
        return True
    if not state.discard:
        return False
    hands = hidden_hands(state)
    if hands:  # all that is still unseen is in these hands
        cards = {terrain: number for terrain, number in unseen(state).items() if number}
        state.held.append((tuple(hands), cards))
        state.note("held group")
    state.discard = {}
    state.note("reshuffle")
    return True


def draws(state: State) -> dict[str, int]:
    """The cards that can be turned up now, with their counts; empty if none is due."""
    if state.card not in ("hidden", "replace"):
        return {}
    counts = unseen(state)
    if state.card == "hidden":
        for seats, cards in state.held:
            if state.turn in seats:
                counts = cards
    return {terrain: counts[terrain] for terrain in TERRAINS if counts.get(terrain, 0) > 0}


def turn_up(state: State, terrain: str) -> None:
    """R3.1, R3.5: the hand card at the start of a turn, or the replacement of an exhausted one."""
    if state.card == "replace":
        state.note("replaced")
        if state.doing:
            state.note("replaced in action")
    else:
        groups = []
        for seats, cards in state.held:
            if state.turn in seats:
                seats = tuple(name for name in seats if name != state.turn)
                add(cards, terrain, -1)
            if seats:
                groups.append((seats, cards))
        state.held = groups
    state.card = terrain
    check_exhaustion(state, "at reveal")


def check_exhaustion(state: State, when: str) -> None:
    """R3.5: a card without a free hex of its terrain is replaced (or stands for any terrain)."""
    if state.card not in TERRAINS or state.any_terrain:
        return
    if free_hexes(state) & state.board.land[state.card]:
        return
    state.note(f"exhausted {when}")
    if state.options["exhausted_any_hex"] == "true":
        state.any_terrain = True
        state.note("any terrain")
        return
    gone = state.removed if state.options["exhausted_card"] == "remove" else state.spent
    add(gone, state.card)
    state.card = "none"
    if can_draw(state):
        state.card = "replace"
    else:
        state.note("no card")


# --- Where a piece may go ---------------------------------------------------------------------

def touches(board: Board, h: Hex, pieces: set[Hex]) -> bool:
    """R1.1: whether one of the pieces is adjacent to the hex."""
    return any(n in pieces for n in board.neighbours[h])


def free_hexes(state: State, lifted: Hex | None = None) -> set[Hex]:
    """R1.8 FREE, with the lifted piece off the board (R4.4.1); no warriors block here."""
    free = state.board.usable - state.walls
    for seat in state.seat.values():
        free -= seat.cells
    if lifted is not None:
        free.add(lifted)
    return free


class Table(NamedTuple):
    """What an action looks at: the mover's settlements and the free hexes, the piece lifted."""
    state: State
    own: set[Hex]
    free: set[Hex]
    lifted: Hex | None


def turns_terrain(table: Table) -> set[Hex]:
    """R3.2, Oracle, Barn, Quarry: the card's terrain, or any after option exhausted_any_hex."""
    board, card = table.state.board, table.state.card
    if table.state.any_terrain:
        return table.free & board.buildable
    return table.free & board.land[card] if card in TERRAINS else set()


def one_terrain(terrain: str) -> Callable[[Table], set[Hex]]:
    """R6.1 Farm, Oasis, Harbor, R6.2 Garden, R7.1 Donation: always the same terrain."""
    return lambda table: table.free & table.state.board.land[terrain]


def edge_of_board(table: Table) -> set[Hex]:
    """R6.1 Tower: buildable hexes on the edge, of any terrain."""
    return table.free & table.state.board.buildable & table.state.board.edge


def end_of_line(table: Table) -> set[Hex]:
    """R6.1 Tavern: three own settlements in a straight line begin right beside the hex."""
    return {h for h in table.free & table.state.board.buildable
            if any(all(step_from(h, d, i) in table.own for i in (1, 2, 3)) for d in DIRECTIONS)}


def two_away(table: Table) -> set[Hex]:
    """R6.1 Paddock: two hexes in one direction, whatever lies between."""
    return {step_from(table.lifted, d, 2) for d in DIRECTIONS} & table.free & (
        table.state.board.buildable)


def one_away(table: Table) -> set[Hex]:
    """R7.1 Resettlement: one step, to a buildable hex."""
    return {step_from(table.lifted, d) for d in DIRECTIONS} & table.free & (
        table.state.board.buildable)


def end_of_slide(table: Table) -> set[Hex]:
    """R6.2 Caravan: in one direction over free buildable hexes, the full way."""
    passable, ends = table.free & table.state.board.buildable, set()
    for d in DIRECTIONS:
        way = 0
        while step_from(table.lifted, d, way + 1) in passable:
            way += 1
        if way > 0:
            ends.add(step_from(table.lifted, d, way))
    return ends


def between_three(table: Table) -> set[Hex]:
    """R6.2 Village: buildable hexes beside three own settlements or more."""
    board = table.state.board
    return {h for h in table.free & board.buildable
            if sum(n in table.own for n in board.neighbours[h]) >= 3}


def wall_sites(table: Table) -> set[Hex]:
    """R6.2 Quarry: the turn's terrain, strictly beside an own settlement; 25 walls in all."""
    if len(table.state.walls) >= WALLS:
        return set()
    return {h for h in turns_terrain(table) if touches(table.state.board, h, table.own)}


class Action(NamedTuple):
    """R6.1: whether it moves a piece or builds one, what it allows, whether R4.2 applies."""
    moves: bool
    allows: Callable[[Table], set[Hex]]
    adjacent_if_possible: bool
    needs_house: bool = True  # R4.5: of those that do not move a piece


ACTIONS = {
    "mandatory": Action(False, turns_terrain, True),
    "oracle": Action(False, turns_terrain, True),
    "farm": Action(False, one_terrain("grass"), True),
    "oasis": Action(False, one_terrain("desert"), True),
    "tower": Action(False, edge_of_board, True),
    "tavern": Action(False, end_of_line, False),
    "barn": Action(True, turns_terrain, True),
    "harbor": Action(True, one_terrain("water"), True),
    "paddock": Action(True, two_away, False),
    "quarry": Action(False, wall_sites, False, needs_house=False),
    "caravan": Action(True, end_of_slide, False),
    "village": Action(False, between_three, False),
    "garden": Action(False, one_terrain("flower"), True),
    **{kind: Action(False, one_terrain(terrain), True) for kind, terrain in DONATIONS.items()},
    "resettlement": Action(True, one_away, False),
}


def targets(state: State, name: str, lifted: Hex | None = None) -> set[Hex]:
    """R4.2, R4.4: where the mover may build, or put the lifted piece, with this action.

    A declared outpost waives the adjacency rule, nothing else (R7.1).
    """
    action, own = ACTIONS[name], state.mover.cells - {lifted}
    allowed = action.allows(Table(state, own, free_hexes(state, lifted), lifted))
    if state.options["vacated_hex_counts"] == "false":
        allowed = allowed - {lifted}
    if action.adjacent_if_possible and not state.outpost:
        allowed = {h for h in allowed if touches(state.board, h, own)} or allowed
    return allowed - {lifted}  # R4.4.3: never back where it came from


def legal(state: State) -> set[str]:
    """R3.1-R3.3: the steps the mover can choose from; none while a card is due."""
    if state.phase == "over" or state.card in ("hidden", "replace"):
        return set()
    if state.lift:
        return {"-" + cell(h) for h in targets(state, *state.lift)}
    steps = adjacency_steps(state)
    if state.outpost:
        return steps
    if steps and state.mover.ready("outpost"):
        steps.add("outpost")
    if state.doing:  # R3.3: an action once begun is finished before another begins
        steps |= tile_steps(state, state.doing[0])
        if state.doing[0] in ("quarry", "resettlement"):
            steps.add("stop")
        return steps
    if state.phase in ("pre", "post"):  # R3.2: the mandatory action is one block
        for kind in TILES + NOMAD_TILES:
            if state.mover.ready(kind) > 0:
                steps |= tile_steps(state, kind)
    if state.phase == "post":
        steps.add("end")
    return steps


def adjacency_steps(state: State) -> set[str]:
    """R4.3, R7.1 Outpost: the steps that build a house under R4.2."""
    kinds = [kind for kind in TILES + NOMAD_TILES if kind in ACTIONS
             and not ACTIONS[kind].moves and ACTIONS[kind].adjacent_if_possible]
    steps = set()
    if state.doing:
        if state.doing[0] in kinds:
            steps |= tile_steps(state, state.doing[0])
        return steps
    if state.phase != "post" and state.mover.supply > 0:
        steps |= {cell(h) for h in targets(state, "mandatory")}
    if state.phase in ("pre", "post"):
        for kind in kinds:
            if state.mover.ready(kind) > 0:
                steps |= tile_steps(state, kind)
    return steps


def tile_steps(state: State, kind: str) -> set[str]:
    """R6.1, R7.1: the steps that begin the action of a tile, or go on with it."""
    seat = state.mover
    if kind == "sword":
        return {f"sword:{name}@{cell(h)}" for name in victims(state)
                for h in state.seat[name].cells}
    if kind == "outpost":  # modifies another action
        return set()
    action = ACTIONS[kind]
    if action.moves:
        return {f"{kind}:{cell(h)}-" for h in seat.cells if targets(state, kind, h)}
    if action.needs_house and seat.supply == 0:  # R4.5
        return set()
    return {f"{kind}:{cell(h)}" for h in targets(state, kind)}


def victims(state: State) -> list[str]:
    """R7.1 Sword: who may lose a house next; docs/forms.md has the order."""
    if state.doing:
        return [state.doing[1]]
    others = others_with_house(state)
    return others if state.options["sword_targets"] == "one" else others[:1]


def others_with_house(state: State) -> list[str]:
    """The other seats that have a house on the board, in turn order from the mover's left."""
    place = state.seats.index(state.turn)
    return [name for name in state.seats[place + 1:] + state.seats[:place]
            if state.seat[name].cells]


# --- What a step does -------------------------------------------------------------------------

def build(state: State, h: Hex) -> None:
    """R3.8 for a house from the supply; the last one fixes the last round (R9.1)."""
    seat = state.mover
    seat.cells.add(h)
    seat.supply -= 1
    red_cards(state, h)
    if seat.supply == 0:
        if state.options["sword_cancels_end"] == "false":
            state.final = True
        state.emptied = True
        state.note("supply empty")
    gain_tiles(state, h)


def red_cards(state: State, h: Hex) -> None:
    """R8.6 Shepherds, Ambassadors: gold for a house just built."""
    around, same = state.board.neighbours[h], state.board.land[state.board.terrain[h]]
    if "shepherds" in state.cards and not free_hexes(state) & same & set(around):
        score_now(state, "shepherds", 2)
    if "ambassadors" in state.cards and any(
            n in seat.cells for name, seat in state.seat.items() if name != state.turn
            for n in around):
        score_now(state, "ambassadors", 1)


def score_now(state: State, source: str, gold: int) -> None:
    """R8.1: gold scored during the game."""
    add(state.mover.gold, source, gold)
    state.note(source)


def use(state: State, kind: str) -> None:
    """R3.3, R7.1: a location tile is used for this turn, a nomad tile leaves the game."""
    add(state.mover.nomads if kind in NOMAD_TILES else state.mover.used, kind,
        -1 if kind in NOMAD_TILES else 1)


def one_of(state: State, kind: str, steps: int) -> None:
    """docs/forms.md: one of at most so many steps; the tile is used with the first one."""
    if state.doing:
        steps = state.doing[1]
    else:
        use(state, kind)
    state.doing = (kind, steps - 1) if steps > 1 else None


def settle_doing(state: State) -> None:
    """docs/forms.md: an action that cannot go on ends by itself, unless a card is due."""
    if state.doing and state.card not in ("hidden", "replace") and not tile_steps(
            state, state.doing[0]):
        if state.doing[0] in DONATIONS:
            state.note("donation short")
        state.doing = None


def use_outpost(state: State, what: str) -> None:
    """R7.1 Outpost: it was declared for this one placement."""
    if state.outpost:
        state.outpost = False
        state.note(f"outpost {what}")


def donate(state: State, kind: str, h: Hex) -> None:
    """R7.1 Donation: one of three houses, or of as many as the supply has at the first one."""
    due = min(DONATED_HOUSES, state.mover.supply)
    if due < DONATED_HOUSES and not state.doing:
        state.note("donation short")
    one_of(state, kind, due)
    use_outpost(state, "donation")
    build(state, h)


def lay_wall(state: State, h: Hex) -> None:
    """R6.2 Quarry: one or two walls, which belong to nobody."""
    state.note("wall")
    if state.doing:
        state.note("second wall")
    one_of(state, "quarry", WALLS_PER_QUARRY)
    state.walls.add(h)


def strike(state: State, name: str, h: Hex) -> None:
    """R7.1 Sword: a house goes back to its owner's supply; then the next seat is to lose one."""
    if not state.doing:
        use(state, "sword")
    victim = state.seat[name]
    state.note("sword")
    if victim.supply == 0:
        state.note("supply back")
    tiles = len(victim.tiles)
    victim.cells.remove(h)
    victim.supply += 1
    lose_tiles(state, name)
    if len(victim.tiles) < tiles:
        state.note("sword takes tile")
    others = [n for n in others_with_house(state) if turns_until(state, n) > turns_until(
        state, name)]
    each = state.options["sword_targets"] == "each"
    state.doing = ("sword", others[0]) if each and others else None


def turns_until(state: State, name: str) -> int:
    """How far from the mover the seat sits, to his left."""
    return (state.seats.index(name) - state.seats.index(state.turn)) % len(state.seats)


def move(state: State, h: Hex, to: Hex) -> None:
    """R3.8 for a move: tiles are lost first, then gained."""
    state.mover.cells.remove(h)
    state.mover.cells.add(to)
    lose_tiles(state, state.turn)
    gain_tiles(state, to)


def tiles_left(state: State, space: Hex) -> int:
    """R2.2, R5.3: two tiles less those taken; lost ones come back only by option."""
    left = TILES_PER_SPACE - sum(space in seat.tiles for seat in state.seat.values())
    if state.options["lost_tiles_return"] == "false":
        left -= sum(space in seat.lost for seat in state.seat.values())
    return left


def gain_tiles(state: State, h: Hex) -> None:
    """R5.1, R5.2, R7.1: one tile from every location or nomad space beside the hex."""
    seat, locations = state.mover, state.board.locations
    for space in by_cell(n for n in state.board.neighbours[h] if n in locations):
        kind = locations[space]
        if space in seat.tiles:
            continue
        if space in seat.lost:
            state.note("not again")
        elif tiles_left(state, space) < 1:
            state.note("no tile left")
        else:
            seat.tiles[space] = kind
            add(seat.fresh, kind)
            state.note(f"gain {kind}")
            if seat.holds(kind) == 2:
                state.note(f"second {kind}")
    for space in by_cell(n for n in state.board.neighbours[h] if n in state.nomads):
        if space in state.gone:
            continue
        kind = state.nomads[space]
        state.gone.add(space)
        state.note(f"gain {kind}")
        if kind == "treasure":
            score_now(state, "treasure", TREASURE_GOLD)
        else:
            add(seat.nomads, kind)
            add(seat.fresh, kind)


def lose_tiles(state: State, name: str) -> None:
    """R5.3: a tile goes when no own settlement is beside its space any more."""
    seat = state.seat[name]
    for space in by_cell(seat.tiles):
        if touches(state.board, space, seat.cells):
            continue
        kind = seat.tiles.pop(space)
        seat.lost.add(space)
        state.note(f"lose {kind}")
        # Equal tiles are interchangeable: the least useful one goes.
        if seat.used.get(kind):
            add(seat.used, kind, -1)
            state.note(f"lose used {kind}")
        elif seat.fresh.get(kind):
            add(seat.fresh, kind, -1)
            state.note(f"lose fresh {kind}")


def phase_name(phase: str) -> str:
    """When in the turn, for the events."""
    return {"pre": "before", "post": "after"}.get(phase, "in build")


def mandatory_house(state: State, h: Hex) -> None:
    """R3.2: one of three houses, or of as many as the supply has at the first one."""
    if state.phase == "pre":
        due = min(MANDATORY_HOUSES, state.mover.supply)
        if due < MANDATORY_HOUSES:
            state.note("short mandatory")
    else:
        due = int(state.phase.removeprefix("build"))
    use_outpost(state, "mandatory")
    build(state, h)
    if "families" in state.cards:
        state.built.add(h)
    state.phase = f"build{due - 1}" if due > 1 else "post"
    if state.phase == "post":
        if three_in_line(state.built):
            score_now(state, "families", 2)
        state.built = set()
    check_exhaustion(state, phase_name(state.phase))


def three_in_line(hexes: set[Hex]) -> bool:
    """R8.6 Families: exactly three hexes, consecutive on a straight line."""
    return any(hexes == {step_from(h, d, i) for i in range(3)} for h in hexes for d in DIRECTIONS)


def stalemate(state: State) -> bool:
    """docs/forms.md: no hex is free of any terrain that has a card left in the game."""
    left = [t for t in TERRAINS if state.removed.get(t, 0) < CARDS_PER_TERRAIN]
    free = free_hexes(state)
    if state.options["exhausted_any_hex"] == "true":
        return not left or not free & state.board.buildable
    return not any(state.board.terrain[h] in left for h in free)


def end_turn(state: State) -> None:
    """R3.1, R3.7, R9.1: cards away, a new card for the mover, the next seat or the end."""
    seat = state.mover
    idle = state.card == "none" or state.any_terrain
    if state.card in TERRAINS:
        add(state.discard, state.card)
    for terrain, number in state.spent.items():
        add(state.discard, terrain, number)
    state.spent, state.card = {}, "none"
    if not can_draw(state):
        state.nocard.add(state.turn)
        state.note("no card")
    for kind in NOMAD_TILES:  # R7.1: used or not, it was for this turn only
        state.events += seat.ready(kind) * ("nomad expired",)
    seat.nomads = {kind: number for kind, number in seat.fresh.items() if kind in NOMAD_TILES}
    seat.used, seat.fresh = {}, {}
    state.any_terrain = False
    state.turn = state.seats[(state.seats.index(state.turn) + 1) % len(state.seats)]
    if idle and state.turn == state.start and stalemate(state):
        state.final = True
        state.note("stalemate")
    ended = state.final or supplies_end_it(state)
    if ended and state.turn == state.start:
        state.turn, state.card, state.phase = None, None, "over"
        state.note("game over")
    else:
        state.card = "none" if state.turn in state.nocard else "hidden"
        state.nocard.discard(state.turn)  # of the mover, `card` tells it
        state.phase = "pre"


def supplies_end_it(state: State) -> bool:
    """R9.1, option sword_cancels_end: at the end of a round the supplies alone decide."""
    if state.options["sword_cancels_end"] == "false" or state.turn != state.start:
        return False
    empty = a_supply_is_empty(state)
    if state.emptied and not empty:
        state.note("end cancelled")
    state.emptied = False
    return empty


def check_void(state: State) -> None:
    """docs/forms.md: without house, card or hex the (rest of the) mandatory action lapses."""
    if state.phase in ("post", "over"):
        return
    nowhere = state.any_terrain and not free_hexes(state) & state.board.buildable
    if state.mover.supply == 0 or state.card == "none" or nowhere:
        state.phase, state.built = "post", set()
        state.note("mandatory void")


def after(state: State, step: str) -> State:
    """The position after a step that is known to be possible."""
    state = copied(state)
    if step == "end":
        end_turn(state)
    elif step.startswith("="):
        turn_up(state, step[1:])
    elif step == "outpost":
        use(state, "outpost")
        state.outpost = True
    elif step == "stop":
        state.note("walls stopped" if state.doing[0] == "quarry" else "resettlement stopped")
        state.doing = None
    elif step.startswith("-"):
        kind, h = state.lift
        state.lift = None
        if kind == "resettlement":
            one_of(state, kind, RESETTLEMENT_STEPS)
            if not state.doing:
                state.note("resettlement four")
        else:
            use(state, kind)
        move(state, h, hex_of(step[1:]))
        check_exhaustion(state, phase_name(state.phase))
    elif step.endswith("-"):  # the tile counts as used only when the piece is put down
        kind, _, name = step[:-1].partition(":")
        state.lift = kind, hex_of(name)
    elif ":" in step:
        kind, _, name = step.partition(":")
        if kind == "sword":
            name, _, place = name.partition("@")
            strike(state, name, hex_of(place))
        elif kind == "quarry":
            lay_wall(state, hex_of(name))
        elif kind in DONATIONS:
            donate(state, kind, hex_of(name))
        else:
            use(state, kind)
            use_outpost(state, "tile")
            build(state, hex_of(name))
        check_exhaustion(state, phase_name(state.phase))
    else:
        mandatory_house(state, hex_of(step))
    settle_doing(state)
    check_void(state)
    return state


def all_steps(state: State) -> set[str]:
    """The mover's choices, or the cards that can be turned up."""
    return {"=" + terrain for terrain in draws(state)} or legal(state)


def apply(state: State, step: str) -> State:
    """The position after a step; the given one stays as it is."""
    if step not in all_steps(state):
        raise ValueError(f"not possible here: {step}")
    return after(state, step)


def over(state: State) -> bool:
    """R9.1"""
    return state.phase == "over"


def perft(state: State, depth: int) -> int:
    """The number of sequences of so many steps, cards turned up being steps too."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(all_steps(state))
    return sum(perft(after(state, step), depth - 1) for step in all_steps(state))


# --- Scoring ----------------------------------------------------------------------------------

def areas(board: Board, pieces: set[Hex]) -> list[set[Hex]]:
    """R1.9: the connected groups of one player's settlements."""
    found, left = [], set(pieces)
    while left:
        area, border = set(), [left.pop()]
        while border:
            h = border.pop()
            area.add(h)
            for n in board.neighbours[h]:
                if n in left:
                    left.remove(n)
                    border.append(n)
        found.append(area)
    return found


def per_row(pieces: set[Hex]) -> list[int]:
    """R1.2: how many of the pieces stand in each row."""
    return [sum(row_of(h) == r for h in pieces) for r in range(SIZE)]


def per_quadrant(pieces: set[Hex]) -> list[int]:
    """R1.4: how many of the pieces stand in each quadrant."""
    return [sum(quadrant_of(h) == k for h in pieces) for k in range(4)]


def castles(state: State, name: str) -> int:
    """R8.3: 3 for each castle with an own settlement beside it."""
    cells = state.seat[name].cells
    return 3 * sum(touches(state.board, h, cells) for h in state.board.land["castle"])


def beside(board: Board, pieces: set[Hex], terrain: str) -> int:
    """R8.5 Fishermen, Miners: pieces beside the terrain but not on it."""
    return sum(h not in board.land[terrain] and touches(board, h, board.land[terrain])
               for h in pieces)


def fishermen(state: State, name: str) -> int:
    """R8.5"""
    return beside(state.board, state.seat[name].cells, "water")


def miners(state: State, name: str) -> int:
    """R8.5"""
    return beside(state.board, state.seat[name].cells, "mountain")


def workers(state: State, name: str) -> int:
    """R8.5: settlements beside a special space, each once."""
    return sum(touches(state.board, h, state.board.special) for h in state.seat[name].cells)


def discoverers(state: State, name: str) -> int:
    """R8.5: rows with a settlement."""
    return sum(number > 0 for number in per_row(state.seat[name].cells))


def knights(state: State, name: str) -> int:
    """R8.5: twice the settlements of the fullest row."""
    return 2 * max(per_row(state.seat[name].cells))


def hermits(state: State, name: str) -> int:
    """R8.5: one for each area."""
    return len(areas(state.board, state.seat[name].cells))


def citizens(state: State, name: str) -> int:
    """R8.5: half the largest area, rounded down."""
    return max((len(a) for a in areas(state.board, state.seat[name].cells)), default=0) // 2


def merchants(state: State, name: str) -> int:
    """R8.5: 4 for each special space that an own area connects with another one."""
    connected = set()
    for area in areas(state.board, state.seat[name].cells):
        touched = {space for space in state.board.special if touches(state.board, space, area)}
        if len(touched) > 1:
            connected |= touched
    return 4 * len(connected)


def farmers(state: State, name: str) -> int:
    """R8.5: 3 for each settlement in the quadrant with the fewest."""
    return 3 * min(per_quadrant(state.seat[name].cells))


def lords(state: State, name: str) -> int:
    """R8.5: in each quadrant 12 for the highest count, 6 for the second highest distinct one."""
    counts = {n: per_quadrant(seat.cells) for n, seat in state.seat.items()}
    gold = 0
    for k in range(4):
        ranking = sorted({counts[n][k] for n in counts}, reverse=True)
        mine = counts[name][k]
        if mine == 0 and state.options["lords_need_presence"] == "true":
            continue
        gold += dict(zip(ranking, (12, 6), strict=False)).get(mine, 0)
    return gold


def scored_already(source: str) -> Callable[[State, str], int]:
    """R8.1: red cards and treasures scored during the game."""
    return lambda state, name: state.seat[name].gold.get(source, 0)


GOLD = {
    "fishermen": fishermen, "miners": miners, "workers": workers, "discoverers": discoverers,
    "knights": knights, "hermits": hermits, "citizens": citizens, "merchants": merchants,
    "farmers": farmers, "lords": lords,
    **{source: scored_already(source) for source in GOLD_SOURCES},
}


def score(state: State) -> dict[str, dict[str, int]]:
    """R8.1: each seat's gold as if the game ended now, by source and in total."""
    result = {}
    for name in state.seats:
        gold = {"castles": castles(state, name)}
        sources = ("treasure", *state.cards) if state.board.land["nomad"] else state.cards
        gold.update((source, GOLD[source](state, name)) for source in sources)
        gold["total"] = sum(gold.values())
        result[name] = gold
    return result
