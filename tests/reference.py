"""A plain rules engine for Kingdom Builder with all its sets, the yardstick for the fast one.

Every question is answered from the pieces on the board, straight from the definition in the
rules; the only things kept are the facts of a board that never change. `R4.2` and the like name
sections of the rules reference, `A1` to `A9` its amendments; text forms and bookkeeping follow
docs/forms.md.

A hex is a pair of axial coordinates (q, r), r being the row from the top; the island lies far
below the main board, so that nothing there is near anything here. Everything that enters or
leaves the public functions is text: cells like `c7`, steps like `barn:c7-`, positions like
`kb1 board=...`.

Tables say what there is: QUADRANTS, TILES, ACTIONS, STEPS, CARDS and GOLD. An action of several
steps is in `doing`, one repeated by a bazaar in `repeat`, interruptions by canoes in `reacting`.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

Hex = tuple[int, int]

SIZE = 20
ISLAND_ROW = 100  # where the island's rows begin; even, so that its odd rows are shifted too
ISLAND_ROWS = 5
ISLAND_COLUMNS = 10
HOUSES = 40
TILES_PER_SPACE = 2
CARDS_PER_TERRAIN = 5
MANDATORY_HOUSES = 3
MARSH_HOUSES = 2
DONATED_HOUSES = 3
RESETTLEMENT_STEPS = 4
WALLS_PER_QUARRY = 2
WALLS = 25
TREASURE_GOLD = 3
WARRIORS = 2
FIGURE_STEPS = 3
SILO_STEPS = 3
SCOUT_TOKENS = 2
TOKENS = 18  # A5: two of value 5 and eight of value 1, for all cathedrals together
CAVES = 4  # A7
CAPITOLS = 2
CAPITOL_QUADRANTS = ("harbor", "oracle")  # R8.4

TERRAINS = ("grass", "canyon", "desert", "flower", "forest")  # those with plain cards
MARSH_CARDS = {f"marsh_{terrain}": terrain for terrain in TERRAINS}  # card: its other half
TERRAIN_CARDS = (*TERRAINS, *MARSH_CARDS)
LAND = (*TERRAINS, "marsh", "farmland")  # R1.5 BUILD
NATURE = ("water", "mountain")
SPECIAL = ("castle", "location", "nomad", "palace", "silo")
BASE_TILES = (
    "oracle",
    "farm",
    "oasis",
    "tower",
    "tavern",
    "barn",
    "harbor",
    "paddock",
    "quarry",
    "caravan",
    "village",
    "garden",
)
CROSSROADS_TILES = (
    "lighthouse",
    "foresters_lodge",
    "barracks",
    "crossroads",
    "city_hall",
    "fort",
    "monastery",
    "wagon",
)
MARSHLANDS_TILES = ("temple", "refuge", "canoe", "fountain")
HARVEST_TILES = (
    "bazaar",
    "water_mill",
    "mountain_station",
    "scout_cabin",
    "cathedral",
    "watchtower",
    "university",
    "palisade",
)
ISLAND_TILES = ("rope_bridge", "tree_house")
TILES = BASE_TILES + CROSSROADS_TILES + MARSHLANDS_TILES + HARVEST_TILES + ISLAND_TILES
BONUS_OF = {f"{kind}_bonus": kind for kind in MARSHLANDS_TILES}  # R5.5
BONUS_TILES = tuple(BONUS_OF)
COMMON = ("farmland", "cave")  # actions everybody has
DONATIONS = {f"donation_{terrain}": terrain for terrain in TERRAINS + NATURE}
NOMAD_COUNTS = {
    **dict.fromkeys(DONATIONS, 1),  # R2.3
    "resettlement": 2,
    "outpost": 2,
    "sword": 2,
    "treasure": 2,
}
NOMAD_TILES = tuple(NOMAD_COUNTS)
KINDS = (*TILES, *BONUS_TILES, *COMMON, "silo", *NOMAD_TILES)
RED_CARDS = ("families", "shepherds", "ambassadors")
GOLD_SOURCES = ("treasure", *RED_CARDS, "rovers")  # R8.1: gold scored during the game
CARDS = (
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
    *RED_CARDS,
    "geologists",
    "messengers",
    "noblewomen",
    "vassals",
    "captains",
    "scouts",
    "rangers",
    "mayors",
    "travelers",
    "chainers",
    "homesteaders",
    "rovers",
)
TASKS = ("home_country", "fortress", "road", "place_of_refuge", "advance", "compass_points")
COLOURS = ("red", "blue", "green", "yellow", "white", "black", "orange", "purple")
OPTIONS = {  # name: allowed values, the default first
    "lords_need_presence": ("false", "true"),
    "vacated_hex_counts": ("true", "false"),
    "exhausted_card": ("remove", "discard"),
    "exhausted_any_hex": ("false", "true"),
    "lost_tiles_return": ("false", "true"),
    "sword_targets": ("each", "one"),
    "sword_cancels_end": ("false", "true"),
    "figure_moves": ("own_terrain", "any_terrain", "own_tile"),
    "canoe_self": ("false", "true"),
    "island_knights": ("false", "true"),
    "special_spaces": ("books", "all"),
    "crossroads_identical_any": ("false", "true"),
    "marsh_cards_always": ("false", "true"),
    "red_cards_any_turn": ("false", "true"),
    "move_tiles": ("each_step", "at_end"),
}
OLD_OPTIONS = {  # a key of before: the one that stands for it now, and what its values mean
    "meeples_only_by_own_tile": ("figure_moves", {"false": "any_terrain", "true": "own_tile"}),
    "silo_is_special": ("special_spaces", {"false": "books", "true": "all"}),
}
LETTERS = {
    "G": "grass",
    "C": "canyon",
    "D": "desert",
    "F": "flower",
    "T": "forest",
    "S": "marsh",
    "A": "farmland",
    "W": "water",
    "M": "mountain",
    "k": "castle",
    "l": "location",
    "n": "nomad",
    "p": "palace",
    "o": "silo",
}
SEA = "."  # in an island's drawing: no hex

# Each quadrant as printed: the kinds of its location spaces in reading order, and its hexes.
QUADRANTS = {
    "oracle": (
        ("oracle",),
        """
        GGGTTWGTTT
        GGGkTWGTTT
        GFFGTTWGGT
        FFCGTWFlTT
        FFFCCWFFWW
        MMCGGWWWDD
        CCCMGFFFDD
        CCkDMDFFCC
        WWWDDDDMCC
        WWWWDDDDDC""",
    ),
    "farm": (
        ("farm", "farm"),
        """
        DDCWWTTTGG
        DkCWTTTlGG
        CCCFFFTCFF
        CCFFWDDCCF
        CGGWFFDDCC
        GGlFWFWDDC
        GGGTFFWWDD
        GGTTMWWWDW
        GMTTWWWWWW
        TTTWWWWWWW""",
    ),
    "tavern": (
        ("tavern", "tavern"),
        """
        FDDMMDDCCC
        FFDDDMMCCC
        FFFFFFFMMM
        WWFkGGTTMM
        FFWWGGGTTC
        FCCWGTTCCC
        DFlCWTTlCG
        DDCWTTGGGG
        DDDWTTTGGG
        DDWWTTTGGG""",
    ),
    "tower": (
        ("tower", "tower"),
        """
        TTTTMMGMCC
        TMTTFGMMMC
        FFTFFFGGWM
        DFFFWlGWMM
        DDDDFWGWCC
        DCDDDWWCGC
        DDCDDWFkGC
        CClDWFFFGG
        DCWWWTTFGG
        DCCWTTTGGG""",
    ),
    "harbor": (
        ("harbor",),
        """
        GGTTTWGTTF
        GFTTWGTTFF
        GFFTWGGFFF
        FFTTWGMFDD
        CFkTWGDDDD
        CCTWGGMMDD
        CCWWWGDDDC
        WWGGWWlCMC
        WDkGWMWCCC
        WDDWWWWCCC""",
    ),
    "paddock": (
        ("paddock", "paddock"),
        """
        CCCDDWDDDD
        MMCDDWDDDD
        MMCMMWDDlF
        MCMMWMDFFF
        CCTTWMMCFF
        CTTWCCCMFF
        ClTTWFFFFF
        GGTWGkGFGT
        GGTTWGGGGT
        GGTTWGGGTT""",
    ),
    "oasis": (
        ("oasis", "oasis"),
        """
        DDCWWTTGGG
        DCWFFTTTGG
        DDWFFTTlFG
        WWWFGTFFFF
        WWWWGGGGFF
        WTTWGGCCDC
        WTCTWGCCDC
        WkCFWlDDCW
        WWCFWWWDDW
        WWWWWWWWWW""",
    ),
    "barn": (
        ("barn", "barn"),
        """
        CDDDDDDDDD
        CCCDDDDDCD
        MMMDMMlDDC
        CMMMMMFFCC
        CCCMMWFFFC
        GCCCMFFWTC
        GGlTFFWFFT
        GGTTFFGkTT
        GGGTTWGGTT
        GGGTWGGTTT""",
    ),
    "quarry": (
        ("quarry",),
        """
        GGGWWWMCCC
        GGWTDWWWCC
        GMWTlDDDWM
        FWTTCCDFFF
        FWGGCCDDMF
        FWnGCCDnFF
        FFWGCCCFFF
        DWGGCnTTFF
        DDWWGTTMTT
        DDDWWTMTTT""",
    ),
    "caravan": (
        ("caravan", "caravan"),
        """
        WWGGWWWFFF
        WGGTWWWFFF
        WWWGTWWDDF
        TTWnTWDMFF
        TTTWWWDDGG
        TTTTCDGGGG
        TTlCCCGGMG
        TCCCCGlDDG
        CMCCCFFFDD
        CCCFFFFDDD""",
    ),
    "village": (
        ("village", "village"),
        """
        DDDDDDDGGG
        DDDMDFFFGG
        DMDDDFWFGT
        CFWDnWFTTT
        CFFWWWFlCT
        CFFFWWFCCC
        CCClTWWFMC
        GCGGTWFCCC
        GGGGTTTTCM
        GGGTTTTTMM""",
    ),
    "garden": (
        ("garden", "garden"),
        """
        CCCWWWWDDD
        CCCWlFDDMD
        CCCCCCFDMD
        CGGCCMFMDD
        CGGGDMMFFF
        TFGlDDFFFF
        TTFFDMFGGF
        TTMFMTnGGG
        TMTTTTWWGG
        TTTTWWWGGG""",
    ),
    "lighthouse": (
        ("foresters_lodge", "lighthouse"),
        """
        TTTTWWFFFF
        TTTTWDFFFF
        CTTTTWDkDM
        CClTWDDDDW
        CCCCWWWWWW
        WWWWWWDDDW
        FFFFWGlDDD
        FMGWGGGGMC
        FGGWGGGCMC
        GGGWWWCCCC""",
    ),
    "barracks": (
        ("barracks", "crossroads"),
        """
        GGTTWWTTGG
        GGTTWTTCGG
        GFFTTTTCCG
        FFFlDTTCCC
        FFFFFDTlMC
        FFFDDMCCCC
        FFFMDDDCCC
        FFDDkDDCMC
        GGDDDWWDGG
        GGDWWWDDGG""",
    ),
    "city_hall": (
        ("city_hall", "fort"),
        """
        TTTTWWDDDD
        TTFFFGGDDD
        MMTFFlGMCD
        TTMMGGGCCM
        TTkFGMMCCC
        TTTFMMCCMC
        MMTFFFlCCC
        FFFMGGDWCM
        FFWGGGDDDD
        FGGGGGGDDD""",
    ),
    "monastery": (
        ("wagon", "monastery"),
        """
        MDDDMWMGGG
        DDDMWFFFGG
        DDDDWFFlGW
        MCDDWFFGWW
        MCCDDWFWWW
        MCCGGWWCCC
        CCCkGTTTCC
        CFGGGTTTCM
        FFFGTTTTlM
        FFTTTTMMMM""",
    ),
}

# Islands: the kinds of their location spaces in reading order, and their hexes.
ISLANDS = {}


# --- Geometry ---------------------------------------------------------------------------------

DIRECTIONS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))  # E NE NW W SW SE
DIAGONALS = ((1, -1), (0, 1))  # one direction of each of the two axes that are not rows


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


def distance(h: Hex, other: Hex) -> int:
    """R1.1"""
    q, r = h[0] - other[0], h[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


def on_island(h: Hex) -> bool:
    """R6.6"""
    return row_of(h) >= ISLAND_ROW


def quadrant_of(h: Hex) -> int | None:
    """R1.4; the island is not a quadrant (R6.6)."""
    return None if on_island(h) else 2 * (row_of(h) // 10) + column_of(h) // 10


def edges_of(h: Hex) -> set[str]:
    """R1.4: the edges of the main board on which the hex lies, two for a corner."""
    if on_island(h):
        return set()
    lies = {
        "top": row_of(h) == 0,
        "bottom": row_of(h) == SIZE - 1,
        "left": column_of(h) == 0,
        "right": column_of(h) == SIZE - 1,
    }
    return {edge for edge in lies if lies[edge]}


def on_inner_border(h: Hex) -> bool:
    """R1.4"""
    middle = (SIZE // 2 - 1, SIZE // 2)
    return not on_island(h) and (row_of(h) in middle or column_of(h) in middle)


def cell(h: Hex) -> str:
    """The name of a hex, docs/forms.md."""
    return name_in_row(row_of(h), chr(ord("a") + column_of(h)))


def name_in_row(row: int, column: str = "") -> str:
    """The name of a row, or of a hex in it: island rows have a tilde in front."""
    return f"~{column}{row - ISLAND_ROW + 1}" if row >= ISLAND_ROW else f"{column}{row + 1}"


def hex_of(name: str) -> Hex:
    """The hex of a cell like `c7` or `~b3`."""
    if name not in HEX_OF_CELL:
        raise ValueError(f"no such cell: {name!r}")
    return HEX_OF_CELL[name]


PLACES = [(r, c) for r in range(SIZE) for c in range(SIZE)]
ISLAND_PLACES = [(ISLAND_ROW + r, c) for r in range(ISLAND_ROWS) for c in range(ISLAND_COLUMNS)]
HEX_OF_CELL = {cell(at(r, c)): at(r, c) for r, c in PLACES + ISLAND_PLACES}
ROW_OF_NAME = {name_in_row(r): r for r, _ in PLACES + ISLAND_PLACES}


def by_cell(hexes) -> list[Hex]:
    """Sorted by row, then by column; within a row q grows with the column."""
    return sorted(hexes, key=lambda h: (h[1], h[0]))


# --- Boards -----------------------------------------------------------------------------------


@dataclass
class Board:
    """What never changes on a board; two boards are equal if their texts are."""

    text: str  # the tokens of the position line
    terrain: dict[Hex, str] = field(compare=False)
    locations: dict[Hex, str] = field(compare=False)  # location space: kind of its tiles
    neighbours: dict[Hex, tuple[Hex, ...]] = field(compare=False)
    land: dict[str, set[Hex]] = field(compare=False)  # terrain: its hexes
    special: set[Hex] = field(compare=False)  # R1.5
    usable: set[Hex] = field(compare=False)  # where a piece can stand at all
    buildable: set[Hex] = field(compare=False)  # R1.5 BUILD
    edge: set[Hex] = field(compare=False)  # R1.4, buildable or not
    coast: set[Hex] = field(compare=False)  # R6.6: island hexes beside the sea
    caves: set[Hex] = field(compare=False)  # R6.7
    capitols: set[Hex] = field(compare=False)  # R8.4


def make_board(
    text: str, terrain: dict[Hex, str], kinds: dict[Hex, str], caves: set[Hex], capitols: set[Hex]
) -> Board:
    """A board from the terrain of its hexes and the kinds of its location spaces."""
    land = {name: {h for h in terrain if terrain[h] == name} for name in LAND + NATURE + SPECIAL}
    if land["location"] != set(kinds):
        raise ValueError("every location space needs its kind, and nothing else has one")
    if (
        not caves <= land["mountain"]
        or not capitols <= land["castle"]
        or any(on_island(h) for h in caves | capitols)
    ):
        raise ValueError("caves are in mountains and capitols on castles of the main board")
    around = {
        h: tuple(n for n in (step_from(h, d) for d in DIRECTIONS) if n in terrain) for h in terrain
    }
    special = set().union(*(land[name] for name in SPECIAL))
    buildable = set().union(*(land[name] for name in LAND))
    coast = {h for h in terrain if on_island(h) and len(around[h]) < len(DIRECTIONS)}
    return Board(
        text,
        terrain,
        kinds,
        around,
        land,
        special,
        set(terrain) - special,
        buildable,
        {h for h in terrain if edges_of(h)},
        coast,
        caves,
        capitols,
    )


def add_drawing(table: dict, name: str, rows, locations: list[tuple[str, int, int]]) -> None:
    """A drawing given as rows of letters, with the kind, row and column of each location."""
    lines = ["".join(row.split()) for row in (rows.split() if isinstance(rows, str) else rows)]
    spaces = [
        (r, c) for r, line in enumerate(lines) for c, letter in enumerate(line) if letter == "l"
    ]
    kinds = {(r, c): kind for kind, r, c in locations}
    if sorted(kinds) != spaces or not set("".join(lines)) <= {*LETTERS, SEA}:
        raise ValueError(f"the drawing and the locations of {name} do not fit")
    table[name] = tuple(kinds[space] for space in spaces), "\n".join(lines)
    quadrant_board.cache_clear()
    whole_board.cache_clear()


def add_quadrant(name: str, rows, locations: list[tuple[str, int, int]]) -> None:
    """A quadrant that is not known here: 10 rows of letters; rows and columns from 0."""
    add_drawing(QUADRANTS, name, rows, locations)


def add_island(name: str, rows, locations: list[tuple[str, int, int]]) -> None:
    """An island: up to 5 rows of up to 10 letters, `.` where there is no hex."""
    add_drawing(ISLANDS, name, rows, locations)


@lru_cache(maxsize=512)
def quadrant_board(text: str) -> Board:
    """R1.1, R1.3: the board of four quadrants, `tavern,paddock,oasis*,farm`; * = turned."""
    names = text.split(",")
    if len(names) != 4:
        raise ValueError("a board has four quadrants")
    terrain, kinds = {}, {}
    for place, name in enumerate(names):
        plain, turned = name.removesuffix("*"), name.endswith("*")
        if plain not in QUADRANTS:
            raise ValueError(f"no such quadrant: {name!r}")
        tiles, drawing = QUADRANTS[plain]
        tiles = iter(tiles)
        for i, line in enumerate(drawing.split()):
            for j, letter in enumerate(line):
                r, c = (9 - i, 9 - j) if turned else (i, j)
                h = at(r + 10 * (place // 2), c + 10 * (place % 2))
                terrain[h] = LETTERS[letter]
                if letter == "l":
                    kinds[h] = next(tiles)
    ordered = {at(r, c): terrain[at(r, c)] for r, c in PLACES}
    return make_board(f"board={text}", ordered, kinds, set(), set())


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
    return make_board(text, {at(r, c): LETTERS[grid[r][c]] for r, c in PLACES}, kinds, set(), set())


@lru_cache(maxsize=512)
def whole_board(main: str, island: str, caves: str, capitols: str) -> Board:
    """R6.6, R6.7, R8.4: the main board, given by its tokens, with what the Queenies add."""
    pairs = read_pairs(main.split(), ("board", "map", "locations"))
    board = (
        quadrant_board(pairs["board"])
        if "board" in pairs
        else map_board(pairs["map"], pairs.get("locations", ""))
    )
    if not (island or caves or capitols):
        return board
    text, terrain, kinds = board.text, dict(board.terrain), dict(board.locations)
    if island:
        if island not in ISLANDS:
            raise ValueError(f"no such island: {island!r}")
        text += f" island={island}"
        tiles, drawing = ISLANDS[island]
        tiles = iter(tiles)
        for r, line in enumerate(drawing.split()):
            for c, letter in enumerate(line):
                if letter != SEA:
                    terrain[at(ISLAND_ROW + r, c)] = LETTERS[letter]
                if letter == "l":
                    kinds[at(ISLAND_ROW + r, c)] = next(tiles)
    in_caves, on_castles = read_cells(caves or "-"), read_cells(capitols or "-")
    if len(in_caves) > CAVES or len(on_castles) > CAPITOLS:
        raise ValueError("more caves or capitols than there are")
    if "board" in pairs:  # a map of one's own has no quadrants that could say where
        quadrants = [cave_sites(board, quadrant) for quadrant in range(4)]
        if not one_of_each(in_caves, quadrants):
            raise ValueError("one cave a quadrant, far from all special spaces")
        if not one_of_each(on_castles, capitol_sites(board, pairs["board"])):
            raise ValueError("one capitol on a castle of the harbor, one on one of the oracle")
    if caves:
        text += " caves=" + write_cells(in_caves)
    if capitols:
        text += " capitols=" + write_cells(on_castles)
    return make_board(text, terrain, kinds, in_caves, on_castles)


def cave_sites(board: Board, quadrant: int) -> set[Hex]:
    """R6.7, A7: the mountains of the quadrant as far from all special spaces as caves should be.

    Three hexes; two if there is no such mountain; then none.
    """
    mountains = {h for h in on_main(board.land["mountain"]) if quadrant_of(h) == quadrant}
    for least in (3, 2):
        far = {h for h in mountains if all(distance(h, s) >= least for s in board.special)}
        if far:
            return far
    return set()


def capitol_sites(board: Board, text: str) -> list[set[Hex]]:
    """R8.4, A7: the castles of each quadrant that has a capitol, by the names of the quadrants."""
    return [
        {h for h in on_main(board.land["castle"]) if quadrant_of(h) == place}
        for place, name in enumerate(text.split(","))
        if name.removesuffix("*") in CAPITOL_QUADRANTS
    ]


def one_of_each(hexes: set[Hex], groups: list[set[Hex]]) -> bool:
    """Whether each of the hexes is in one of the groups, and no two in the same."""
    return all(len(hexes & group) <= 1 for group in groups) and hexes <= set().union(*groups)


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

    cells: set[Hex] = field(default_factory=set)  # his houses
    tiles: dict[Hex, str] = field(default_factory=dict)  # space the tile came from: its kind
    used: dict[str, int] = field(default_factory=dict)  # kind: how many, never 0
    fresh: dict[str, int] = field(default_factory=dict)  # gained this round (R3.4, A3)
    lost: set[Hex] = field(default_factory=set)  # spaces taken from and lost (R5.2)
    gifts: dict[str, int] = field(default_factory=dict)  # tiles that came from no space
    supply: int = HOUSES
    nomads: dict[str, int] = field(default_factory=dict)  # nomad tiles, fresh ones included
    gold: dict[str, int] = field(default_factory=dict)  # source: scored during the game
    warriors: set[Hex] = field(default_factory=set)
    wagon: Hex | None = None
    ship: Hex | None = None
    hall: Hex | None = None  # the centre of the city hall
    tokens: int = 0  # of the cathedral
    temple: int = 0  # houses on temple tiles
    mayors: set[int] = field(default_factory=set)  # rows marked
    roved: set[int] = field(default_factory=set)  # quadrants built in this turn
    hidden: int = 1  # hidden cards in hand

    def figures(self) -> set[Hex]:
        """R1.6: where his warriors, wagon and ship stand."""
        return self.warriors | {h for h in (self.wagon, self.ship) if h is not None}

    def removable(self) -> set[Hex]:
        """R4.4.4, R7.1 Sword: houses and figures; a city hall stays."""
        return self.cells | self.figures()

    def settlements(self) -> set[Hex]:
        """R1.7: all that counts as an own settlement."""
        if self.hall is None:
            return self.removable()
        return self.removable() | hall_hexes(self.hall)

    def from_spaces(self, kind: str) -> int:
        """How many tiles of the kind he holds from spaces."""
        return list(self.tiles.values()).count(kind)

    def holds(self, kind: str) -> int:
        """How many tiles of the kind he has, in whatever state."""
        return (
            self.from_spaces(kind)
            + self.gifts.get(kind, 0)
            + self.nomads.get(kind, 0)
            + (self.from_spaces(BONUS_OF.get(kind, "")) >= 2)
        )  # R5.5


@dataclass
class State:
    """A position. `card`: a terrain card, `hidden`, `choose`, `replace`, `none`, or None."""

    board: Board
    cards: tuple[str, ...]
    options: dict[str, str]  # all of them
    seats: tuple[str, ...]  # in turn order
    start: str
    seat: dict[str, Seat]
    turn: str | None
    card: str | None
    phase: str = "pre"  # pre, build2, build1, build0, post, silo, over
    terrain: str | None = None  # of the turn, where the card does not tell it; or any
    lift: tuple[str, Hex] | None = None  # tile and the hex of the piece in hand
    final: bool = False  # last round fixed (R9.1)
    hand: dict[str, int] = field(default_factory=dict)  # face-up cards that are not played
    discard: dict[str, int] = field(default_factory=dict)
    removed: dict[str, int] = field(default_factory=dict)
    spent: dict[str, int] = field(default_factory=dict)
    held: list[tuple[tuple[str, ...], dict[str, int]]] = field(default_factory=list)
    nomads: dict[Hex, str] = field(default_factory=dict)  # nomad space: the tile laid there
    gone: set[Hex] = field(default_factory=set)  # nomad spaces whose tile is taken
    walls: set[Hex] = field(default_factory=set)
    doing: tuple[str, int | str] | None = None  # tile and steps left, next victim, or fort's card
    outpost: bool = False  # declared for the next placement
    built: set[Hex] = field(default_factory=set)  # this mandatory action's, with Families only
    moved: set[Hex] = field(default_factory=set)  # by this resettlement, with move_tiles=at_end
    tasks: tuple[str, ...] = ()
    scouted: str | None = None  # the terrain removed for Scouts (R2.4.7)
    repeat: str | None = None  # the kind a bazaar repeats; its first step is to come
    reacting: list[tuple[str, str]] = field(default_factory=list)  # taker and who is asked
    owed: int = 0  # temple houses to be built in this turn
    silos: int = 0  # silo actions the mover may still begin
    scouts: set[Hex] = field(default_factory=set)  # scout tokens, the mover's
    emptied: bool = field(default=False, compare=False)  # a supply was, this round; for events
    answered: tuple[tuple[int, str], ...] = field(default=(), compare=False)  # for events
    events: tuple[str, ...] = field(default=(), compare=False)

    @property
    def mover(self) -> Seat:
        """Whose turn it is."""
        return self.seat[self.turn]

    def option(self, key: str) -> bool:
        """Whether an option with the values true and false is on."""
        return self.options[key] == "true"

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


def hall_hexes(centre: Hex) -> set[Hex]:
    """R1.6: the seven hexes of a city hall."""
    return {centre, *(step_from(centre, d) for d in DIRECTIONS)}


def ready_kinds(state: State, name: str) -> dict[str, int]:
    """R3.3, R3.4, R7.1: how many tiles of each kind are neither used nor gained this round."""
    seat = state.seat[name]
    counts = Counter(seat.tiles.values())
    counts.update(bonus for bonus, kind in BONUS_OF.items() if counts[kind] >= 2)
    counts.update(seat.gifts)
    counts.update(seat.nomads)
    if state.board.land["farmland"]:
        counts["farmland"] += 1
    if state.board.caves:
        counts["cave"] += 1
    counts.subtract(seat.used)
    counts.subtract(seat.fresh)
    return {kind: number for kind, number in counts.items() if number}


def ready(state: State, kind: str, name: str | None = None) -> int:
    """How many tiles of the kind the seat, or else the mover, can use."""
    return ready_kinds(state, name or state.turn).get(kind, 0)


def in_turn(state: State, name: str) -> bool:
    """Whether it is a turn of the seat, with its cards turned up or about to be."""
    return name == state.turn and state.phase not in ("silo", "over")


def left_of(state: State, name: str, steps: int = 1) -> str:
    """The seat so many places to the left."""
    return state.seats[(state.seats.index(name) + steps) % len(state.seats)]


def others_from(state: State, name: str) -> list[str]:
    """All other seats, in turn order from the seat's left."""
    return [left_of(state, name, i) for i in range(1, len(state.seats))]


def copied(state: State) -> State:
    """A copy that shares nothing changeable but the board, without events."""
    return replace(
        state,
        events=(),
        options=dict(state.options),
        hand=dict(state.hand),
        discard=dict(state.discard),
        removed=dict(state.removed),
        spent=dict(state.spent),
        held=[(seats, dict(cards)) for seats, cards in state.held],
        gone=set(state.gone),
        walls=set(state.walls),
        built=set(state.built),
        moved=set(state.moved),
        reacting=list(state.reacting),
        scouts=set(state.scouts),
        seat={
            name: Seat(
                set(s.cells),
                dict(s.tiles),
                dict(s.used),
                dict(s.fresh),
                set(s.lost),
                dict(s.gifts),
                s.supply,
                dict(s.nomads),
                dict(s.gold),
                set(s.warriors),
                s.wagon,
                s.ship,
                s.hall,
                s.tokens,
                s.temple,
                set(s.mayors),
                set(s.roved),
                s.hidden,
            )
            for name, s in state.seat.items()
        },
    )


def new(
    board: list[str],
    cards: list[str],
    seats: list[str],
    start: str | None = None,
    options: dict[str, str] | None = None,
    nomads: dict[str, str] | None = None,
    *,
    island: str | None = None,
    caves: list[str] | None = None,
    capitols: list[str] | None = None,
    tasks: list[str] | None = None,
    scouted: str | None = None,
) -> State:
    """R2.4: the start of a game on four quadrants; the first card is still hidden.

    `nomads` has the tile on each nomad space by the cell of the space; others have none.
    """
    start = start or seats[0]
    main = "board=" + ",".join(board)
    return checked(
        State(
            whole_board(main, island or "", ",".join(caves or ()), ",".join(capitols or ())),
            in_order(cards, CARDS),
            full_options(options or {}),
            tuple(seats),
            start,
            {name: Seat() for name in seats},
            start,
            "hidden",
            nomads={hex_of(name): kind for name, kind in (nomads or {}).items()},
            tasks=in_order(tasks or (), TASKS),
            scouted=scouted,
        )
    )


def full_options(given: dict[str, str]) -> dict[str, str]:
    """All options, those not given at their defaults; an old key stands for its new one."""
    named = {}
    for key, value in given.items():
        new_key, meaning = OLD_OPTIONS.get(key, (key, {}))
        new_value = meaning.get(value) if meaning else value
        if new_value not in OPTIONS.get(new_key, ()) or new_key in named:
            raise ValueError(f"no such option, or one twice: {key}:{value}")
        named[new_key] = new_value
    return {key: named.get(key, values[0]) for key, values in OPTIONS.items()}


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
    if len(set(state.cards)) != len(state.cards) or len(set(state.tasks)) != len(state.tasks):
        raise ValueError("each card and task once")
    if ("scouts" in state.cards) != (state.scouted in TERRAINS) or (
        state.scouted is not None and "scouts" not in state.cards
    ):
        raise ValueError("Scouts need a scouted terrain, nothing else does")
    if (state.phase == "over") != (state.turn is None) or (state.phase in ("silo", "over")) != (
        state.card is None
    ):
        raise ValueError("turn and card are needed unless the game is over")
    if state.turn is not None and state.turn not in state.seats:
        raise ValueError("the turn is nobody's")
    check_pieces(state)
    for name, seat in state.seat.items():
        if seat.lost & set(seat.tiles) or any(n < 0 for n in ready_kinds(state, name).values()):
            raise ValueError("tiles held, used, gained and lost do not fit together")
        if "treasure" in seat.nomads:
            raise ValueError("a treasure is never held")
        if set(seat.gold) - {"treasure", *state.cards} or (
            "treasure" in seat.gold and not state.board.land["nomad"]
        ):
            raise ValueError("gold from something that is not in play")
    if any(number < 0 for number in unseen(state).values()) or pile(state) < 0:
        raise ValueError("more cards named than there are")
    if (
        not set(state.nomads) <= state.board.land["nomad"]
        or not set(state.nomads.values()) <= set(NOMAD_TILES)
        or not state.gone <= set(state.nomads)
    ):
        raise ValueError("nomad tiles lie on nomad spaces and are taken from there")
    check_actions(state)
    return state


def check_pieces(state: State) -> None:
    """R1.6: one piece, wall or scout per hex, none on a special space; no more than there are."""
    pieces = [*state.walls, *state.scouts]
    for seat in state.seat.values():
        pieces += [*seat.cells, *seat.warriors]
        pieces += [h for h in (seat.wagon, seat.ship) if h is not None]
        pieces += hall_hexes(seat.hall) if seat.hall is not None else []
        houses = len(seat.cells) + len(seat.mayors) + seat.temple + seat.supply
        if houses > HOUSES or seat.supply < 0 or len(seat.warriors) > WARRIORS:
            raise ValueError("more pieces than there are")
    if len(set(pieces)) != len(pieces) or not set(pieces) <= state.board.usable:
        raise ValueError("one piece per hex, none on a special space")
    if len(state.walls) > WALLS or len(state.scouts) > SCOUT_TOKENS or tokens_left(state) < 0:
        raise ValueError("more walls, scouts or tokens than there are")


def check_actions(state: State) -> None:
    """Whether what is under way can be."""
    if state.doing:
        kind, left = state.doing
        most = {
            "quarry": WALLS_PER_QUARRY,
            "resettlement": RESETTLEMENT_STEPS,
            "wagon": FIGURE_STEPS,
            "lighthouse": FIGURE_STEPS,
            "scout_cabin": SCOUT_TOKENS,
            "silo_build": SILO_STEPS,
            "silo_move": SILO_STEPS,
            "cathedral": TOKENS + 1,  # a tile gained on the way may bring the first one back
            **dict.fromkeys(DONATIONS, DONATED_HOUSES),
        }
        if kind == "sword":
            fits = left in others_from(state, state.turn)
        elif kind == "fort":
            fits = left in ("draw", *TERRAIN_CARDS)
        else:
            fits = kind in most and 1 <= left < most[kind]
        if not fits or state.phase not in ("pre", "post", "silo"):
            raise ValueError(f"nobody can be doing this: {kind}:{left}")
    if state.outpost and (state.phase == "over" or state.lift):
        raise ValueError("an outpost is for a placement")
    if state.built and ("families" not in state.cards or not state.built <= state.mover.cells):
        raise ValueError("the houses of the mandatory action do not fit")
    resettling = at_end(state) and state.doing is not None and state.doing[0] == "resettlement"
    if bool(state.moved) != resettling or (
        resettling and not state.moved <= state.mover.removable()
    ):
        raise ValueError("the pieces moved so far do not fit the resettlement")


# --- The line form ----------------------------------------------------------------------------


def write_counts(counts: dict[str, int], names: tuple[str, ...] = TERRAIN_CARDS) -> str:
    """`grass:2,desert:1`, terrain cards (or the given names) in their order."""
    return ",".join(f"{name}:{counts[name]}" for name in names if counts.get(name))


def read_counts(text: str, names: tuple[str, ...] = TERRAIN_CARDS) -> dict[str, int]:
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
    return ",".join(kind for kind in KINDS for _ in range(counts.get(kind, 0)))


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
    return not state.option("sword_cancels_end") and a_supply_is_empty(state)


def a_supply_is_empty(state: State) -> bool:
    """R9.1: somebody has built his last house, and none waits on a temple tile."""
    return any(seat.supply == 0 and seat.temple == 0 for seat in state.seat.values())


def default_hidden(state: State, name: str, nocard: bool) -> int:
    """docs/forms.md: one hidden card, but none once the mover's cards are turned up."""
    return 0 if nocard or (in_turn(state, name) and state.card != "hidden") else 1


def default_tokens(seat: Seat) -> int:
    """docs/forms.md"""
    return 1 if seat.from_spaces("cathedral") else 0


def default_supply(seat: Seat) -> int:
    """docs/forms.md"""
    return HOUSES - len(seat.cells) - len(seat.mayors) - seat.temple


def default_owed(state: State) -> int:
    """docs/forms.md: all temple houses until the mandatory action is done."""
    return state.mover.temple if in_mandatory(state) else 0


def in_mandatory(state: State) -> bool:
    """Whether the mandatory action is still to come or under way."""
    return state.phase == "pre" or state.phase.startswith("build")


def silos_beside(state: State, name: str) -> int:
    """R9.2: the silos with an own settlement beside them."""
    own = state.seat[name].settlements()
    return sum(touches(state.board, silo, own) for silo in state.board.land["silo"])


def default_silos(state: State) -> int:
    """docs/forms.md"""
    return silos_beside(state, state.turn) if state.phase == "silo" else 0


def without_card(state: State) -> list[str]:
    """docs/forms.md: the seats without a hand card; of the mover, `card` tells it."""
    return [
        name for name in state.seats if state.seat[name].hidden == 0 and not in_turn(state, name)
    ]


def write_seat(state: State, name: str) -> str:
    """The token of one seat, docs/forms.md."""
    board, seat = state.board, state.seat[name]
    parts = [f"{name}=" + write_cells(seat.cells)]
    own = seat.settlements()
    if seat.tiles or any(touches(board, space, own) for space in board.locations):
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
    if seat.warriors:
        parts.append("warriors=" + write_cells(seat.warriors))
    for key in ("wagon", "ship", "hall"):
        if getattr(seat, key) is not None:
            parts.append(f"{key}=" + cell(getattr(seat, key)))
    if seat.tokens != default_tokens(seat):
        parts.append(f"tokens={seat.tokens}")
    if seat.temple:
        parts.append(f"temple={seat.temple}")
    if seat.mayors:
        parts.append("mayors=" + ",".join(name_in_row(row) for row in sorted(seat.mayors)))
    if seat.roved:
        parts.append("roved=" + ",".join(str(k + 1) for k in sorted(seat.roved)))
    if seat.hidden != default_hidden(state, name, name in without_card(state)):
        parts.append(f"hidden={seat.hidden}")
    if seat.supply != default_supply(seat):
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
    if state.tasks:
        words.append("tasks=" + ",".join(state.tasks))
    if state.scouted:
        words.append(f"scouted={state.scouted}")
    changed = [
        f"{key}:{state.options[key]}" for key in OPTIONS if state.options[key] != OPTIONS[key][0]
    ]
    if changed:
        words.append("options=" + ",".join(changed))
    if state.start != state.seats[0]:
        words.append(f"start={state.start}")
    words += [write_seat(state, name) for name in state.seats]
    if state.turn is not None:
        words += write_turn(state)
    elif state.phase != "pre":
        words.append(f"phase={state.phase}")
    if state.final != default_final(state):
        words.append("final=" + ("true" if state.final else "false"))
    for key in ("walls", "gone"):
        if getattr(state, key):
            words.append(f"{key}=" + write_cells(getattr(state, key)))
    for key in ("discard", "removed", "spent"):
        if getattr(state, key):
            words.append(f"{key}=" + write_counts(getattr(state, key)))
    if state.held:
        words.append(
            "held="
            + "/".join("+".join(seats) + ":" + write_counts(cards) for seats, cards in state.held)
        )
    if without_card(state):
        words.append("nocard=" + ",".join(without_card(state)))
    return " ".join(words)


def write_turn(state: State) -> list[str]:
    """The tokens about the turn under way."""
    words = [f"turn={state.turn}"]
    if state.card is not None:
        words.append(f"card={state.card}")
    if state.hand:
        words.append("hand=" + write_counts(state.hand))
    if state.phase != "pre":
        words.append(f"phase={state.phase}")
    if state.terrain:
        words.append(f"terrain={state.terrain}")
    if state.lift:
        words.append(f"lift={state.lift[0]}@{cell(state.lift[1])}")
    if state.doing:
        words.append(f"doing={state.doing[0]}:{state.doing[1]}")
    if state.repeat:
        words.append(f"repeat={state.repeat}")
    if state.outpost:
        words.append("outpost=true")
    if state.reacting:
        words.append("reacting=" + ",".join(f"{taker}:{who}" for taker, who in state.reacting))
    if state.built:
        words.append("built=" + write_cells(state.built))
    if state.moved:
        words.append("moved=" + write_cells(state.moved))
    if state.owed != default_owed(state):
        words.append(f"owed={state.owed}")
    if state.silos != default_silos(state):
        words.append(f"silos={state.silos}")
    if state.scouts:
        words.append("scouts=" + write_cells(state.scouts))
    return words


LINE_KEYS = (
    "board",
    "map",
    "locations",
    "island",
    "caves",
    "capitols",
    "nomads",
    "cards",
    "tasks",
    "scouted",
    "options",
    "start",
    "turn",
    "card",
    "hand",
    "phase",
    "terrain",
    "lift",
    "doing",
    "repeat",
    "outpost",
    "reacting",
    "built",
    "moved",
    "owed",
    "silos",
    "scouts",
    "final",
    "walls",
    "gone",
    "discard",
    "removed",
    "spent",
    "held",
    "nocard",
)
SEAT_KEYS = (
    "tiles",
    "used",
    "fresh",
    "lost",
    "nomads",
    "gifts",
    "warriors",
    "wagon",
    "ship",
    "hall",
    "tokens",
    "temple",
    "mayors",
    "roved",
    "hidden",
    "supply",
    "gold",
)
PHASES = ("pre", "build2", "build1", "build0", "post", "silo", "over")


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
    """What stands behind `NAME=`; the defaults of tiles, tokens and hidden come later."""
    cells, *rest = text.split("/")
    pairs = read_pairs(rest, SEAT_KEYS)
    seat = Seat(read_cells(cells))
    for key in ("tiles", "lost"):
        spaces = dict(read_tile(word) for word in words_of(pairs.get(key, "-")))
        if any(board.locations.get(space) != kind for space, kind in spaces.items()):
            raise ValueError(f"no such location space: {pairs[key]}")
        setattr(seat, key, spaces if key == "tiles" else set(spaces))
    kinds = {
        "used": (*TILES, *BONUS_TILES, *COMMON),
        "nomads": NOMAD_TILES,
        "fresh": TILES + BONUS_TILES + NOMAD_TILES,
        "gifts": TILES + BONUS_TILES,
    }
    for key in kinds:
        setattr(seat, key, read_kinds(pairs.get(key, "-"), kinds[key]))
    seat.warriors = read_cells(pairs.get("warriors", "-"))
    for key in ("wagon", "ship", "hall"):
        if key in pairs:
            setattr(seat, key, hex_of(pairs[key]))
    if "gold" in pairs:
        seat.gold = read_counts(pairs["gold"], GOLD_SOURCES)
    seat.temple = int(pairs.get("temple", 0))
    seat.mayors = {ROW_OF_NAME[word] for word in words_of(pairs.get("mayors", "-"))}
    seat.roved = {int(word) - 1 for word in words_of(pairs.get("roved", "-"))}
    seat.supply = int(pairs.get("supply", default_supply(seat)))
    if not 0 <= seat.supply <= default_supply(seat):
        raise ValueError(f"impossible supply: {seat.supply}")
    return seat


def parse(line: str) -> State:
    """The position of a canonical line, docs/forms.md."""
    head, *words = line.split()
    if head != "kb1":
        raise ValueError("a position line begins with kb1")
    colours = {
        w.partition("=")[0]: w.partition("=")[2] for w in words if w.partition("=")[0] in COLOURS
    }
    pairs = read_pairs([w for w in words if w.partition("=")[0] not in COLOURS], LINE_KEYS)
    if ("board" in pairs) == ("map" in pairs) or "cards" not in pairs:
        raise ValueError("needed: cards, and one of board and map")
    main = " ".join(f"{key}={pairs[key]}" for key in ("board", "map", "locations") if key in pairs)
    board = whole_board(main, *(pairs.get(key, "") for key in ("island", "caves", "capitols")))
    seats = tuple(colours)
    options = dict(word.split(":") for word in words_of(pairs.get("options", "-")))
    state = State(
        board,
        in_order(words_of(pairs["cards"]), CARDS),
        full_options(options),
        seats,
        pairs.get("start", seats[0] if seats else ""),
        {name: read_seat(board, text) for name, text in colours.items()},
        pairs.get("turn"),
        pairs.get("card"),
    )
    state.tasks = in_order(words_of(pairs.get("tasks", "-")), TASKS)
    state.scouted = pairs.get("scouted")
    state.nomads = dict(read_tile(word, NOMAD_TILES) for word in words_of(pairs.get("nomads", "-")))
    for key in ("built", "moved", "walls", "gone", "scouts"):
        setattr(state, key, read_cells(pairs.get(key, "-")))
    read_turn(state, pairs)
    state.final = default_final(state)
    if "final" in pairs:
        state.final = choice(pairs["final"], "true", "false") == "true"
    state.emptied = a_supply_is_empty(state)
    for key in ("hand", "discard", "removed", "spent"):
        if key in pairs:
            setattr(state, key, read_counts(pairs[key]))
    for group in pairs["held"].split("/") if "held" in pairs else ():
        names, _, cards = group.partition(":")
        state.held.append((in_order(names.split("+"), seats), read_counts(cards)))
    nocard = in_order(words_of(pairs.get("nocard", "-")), seats)
    own_pairs = {name: read_pairs(colours[name].split("/")[1:], SEAT_KEYS) for name in seats}
    for name, seat in state.seat.items():
        default = default_hidden(state, name, name in nocard)
        seat.hidden = int(own_pairs[name].get("hidden", default))
    checked(state)
    first = seats.index(state.start)
    for name in seats[first:] + seats[:first]:
        seat = state.seat[name]
        if "tiles" not in own_pairs[name]:
            give_default_tiles(state, seat)
        seat.tokens = int(own_pairs[name].get("tokens", default_tokens(seat)))
    return checked(state)


def read_turn(state: State, pairs: dict[str, str]) -> None:
    """The tokens about the turn under way, but for the cards in hand."""
    if state.card is not None:
        choice(state.card, *TERRAIN_CARDS, "hidden", "choose", "replace", "none")
    state.phase = choice(pairs.get("phase", "pre"), *PHASES)
    if "terrain" in pairs:
        state.terrain = choice(pairs["terrain"], *TERRAINS, "marsh", "any")
    if "lift" in pairs:
        h, kind = read_tile(pairs["lift"], KINDS)
        state.lift = kind, h
    if "doing" in pairs:
        kind, _, left = pairs["doing"].partition(":")
        state.doing = kind, left if kind in ("sword", "fort") else int(left)
    if "repeat" in pairs:
        state.repeat = choice(pairs["repeat"], *TILES)
    state.outpost = "outpost" in pairs and choice(pairs["outpost"], "true") == "true"
    for word in words_of(pairs.get("reacting", "-")):
        taker, who = word.split(":")
        state.reacting.append((choice(taker, *state.seats), choice(who, *state.seats)))
    if state.turn is not None:
        state.owed = int(pairs.get("owed", default_owed(state)))
        state.silos = int(pairs.get("silos", default_silos(state)))


def give_default_tiles(state: State, seat: Seat) -> None:
    """docs/forms.md: without `tiles`, one from every space beside a settlement, if any is left."""
    for space, kind in state.board.locations.items():
        if (
            space not in seat.lost
            and touches(state.board, space, seat.settlements())
            and tiles_left(state, space) > 0
        ):
            seat.tiles[space] = kind


# --- Terrain cards ----------------------------------------------------------------------------


def halves(card: str) -> tuple[str, ...]:
    """R2.1: the terrains a card shows."""
    return ("marsh", MARSH_CARDS[card]) if card in MARSH_CARDS else (card,)


def deck(state: State) -> dict[str, int]:
    """R2.4.6, R2.4.7: the cards the game was set up with."""
    marsh = state.option("marsh_cards_always") or state.board.land["marsh"]
    counts = {
        **dict.fromkeys(TERRAINS, CARDS_PER_TERRAIN),
        **dict.fromkeys(MARSH_CARDS, 1 if marsh else 0),
    }
    return {card: 0 if state.scouted in halves(card) else counts[card] for card in TERRAIN_CARDS}


def unseen(state: State) -> dict[str, int]:
    """docs/forms.md: per terrain card how many are not named anywhere."""
    counts = deck(state)
    for pile_ in (
        state.hand,
        state.discard,
        state.removed,
        state.spent,
        *(cards for _, cards in state.held),
    ):
        for card, number in pile_.items():
            counts[card] -= number
    for card in (state.card, state.doing[1] if state.doing else None):  # the fort's card too
        if card in counts:
            counts[card] -= 1
    return counts


def hidden_hands(state: State) -> list[str]:
    """R2.6: who holds hidden cards among the unseen ones, as often as he holds one."""
    grouped = [name for seats, _ in state.held for name in seats]
    return [
        name for name in state.seats for _ in range(state.seat[name].hidden - grouped.count(name))
    ]


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
        cards = {card: number for card, number in unseen(state).items() if number}
        state.held.append((tuple(hands), cards))
        state.note("held group")
    state.discard = {}
    state.note("reshuffle")
    return True


def draw_due(state: State) -> bool:
    """Whether the next step is a card that is turned up."""
    return state.card in ("hidden", "replace") or state.doing == ("fort", "draw")


def draws(state: State) -> dict[str, int]:
    """The cards that can be turned up now, with their counts; empty if none is due."""
    if not draw_due(state):
        return {}
    counts = unseen(state)
    if state.card == "hidden":  # those dealt before the last reshuffle come first, oldest first
        for seats, cards in reversed(state.held):
            if state.turn in seats:
                counts = cards
    return {card: counts[card] for card in TERRAIN_CARDS if counts.get(card, 0) > 0}


def turn_up(state: State, card: str) -> None:
    """R3.1, R3.5, R6.3.2: a hand card at the start of a turn, a replacement, the fort's card."""
    if state.card == "replace":
        state.note("replaced")
        if state.doing:
            state.note("replaced in action")
        play_card(state, card)
    elif state.card == "hidden":
        take_from_group(state, card)
        add(state.hand, card)
        state.mover.hidden -= 1
        if state.mover.hidden == 0:
            sort_hand(state)
    else:
        state.doing = "fort", card
        if card in MARSH_CARDS:
            state.note("fort marsh")


def take_from_group(state: State, card: str) -> None:
    """docs/forms.md: a hidden card dealt before the last reshuffle is one of its group's."""
    for place, (seats, cards) in enumerate(state.held):
        if state.turn in seats:
            seats = list(seats)
            seats.remove(state.turn)
            add(cards, card, -1)
            state.held[place : place + 1] = [(tuple(seats), cards)] if seats else []
            return


def sort_hand(state: State) -> None:
    """R3.6: with all cards up, either there is nothing to choose among them or there is."""
    kinds = list(state.hand)
    alike = len(kinds) == 1 and (
        sum(state.hand.values()) == 1 or not state.option("crossroads_identical_any")
    )
    if alike:
        add(state.hand, kinds[0], -1)
        play_card(state, kinds[0])
    else:
        state.card = "choose"


def play_card(state: State, card: str) -> None:
    """R3.6: the card is played; where there is no marsh, a marsh card has only its other half."""
    state.card, state.terrain = card, None
    if card in MARSH_CARDS and not state.board.land["marsh"]:
        state.terrain = MARSH_CARDS[card]


def turns_terrain_name(state: State) -> str | None:
    """R3.6: the terrain of the turn, `any`, or None if it is not chosen or there is no card."""
    return state.terrain or (state.card if state.card in TERRAINS else None)


def to_choose(state: State) -> bool:
    """R3.6: whether a card, or the half of the card, is still to be chosen."""
    return state.card == "choose" or (state.card in MARSH_CARDS and state.terrain is None)


def choose_steps(state: State) -> set[str]:
    """R3.6: the cards and halves to choose from, those without a free hex only if need be."""
    if not to_choose(state):
        return set()
    kinds = state.hand if state.card == "choose" else {state.card: 1}
    options = [(kind, half) for kind in kinds for half in halves(kind)]
    if state.option("crossroads_identical_any"):
        options += [
            (kind, name)
            for kind, number in kinds.items()
            for name in TERRAINS
            if number >= 2 and kind != name
        ]
    free = free_hexes(state)
    possible = [(kind, name) for kind, name in options if free & state.board.land[name]]
    return {
        choose_step(kind, name)
        for kind, name in possible or [(kind, halves(kind)[-1]) for kind in kinds]
    }


def choose_step(kind: str, terrain: str) -> str:
    """`choose:flower`, or with the terrain where the card does not tell it."""
    return f"choose:{kind}" if kind == terrain else f"choose:{kind}/{terrain}"


def choose(state: State, text: str) -> None:
    """R3.6: the card of the turn, its half, or the terrain named for two equal cards."""
    kind, _, terrain = text.partition("/")
    if state.card == "choose":
        state.note("choose card")
        add(state.hand, kind, -1)
    if kind in MARSH_CARDS:
        state.note("choose half")
    elif terrain:
        state.note("named any")
    state.card, state.terrain = kind, terrain or None
    if not free_hexes(state) & state.board.land[terrain or kind]:
        state.note("two cards exhausted")


def check_exhaustion(state: State, when: str) -> None:
    """R3.5: a card without a free hex of its terrain is replaced (or stands for any terrain)."""
    if state.card not in TERRAIN_CARDS or state.terrain == "any":
        return
    free, terrain = free_hexes(state), turns_terrain_name(state)
    if terrain and free & state.board.land[terrain]:
        return
    if state.card in MARSH_CARDS:
        left = [half for half in halves(state.card) if free & state.board.land[half]]
        if left and terrain:
            state.terrain = left[0]
            state.note("half exhausted")
        if left:
            return
        state.note("exhausted marsh card")
    state.note(f"exhausted {when}")
    if state.option("exhausted_any_hex"):
        state.terrain = "any"
        state.note("any terrain")
        return
    gone = state.removed if state.options["exhausted_card"] == "remove" else state.spent
    add(gone, state.card)
    state.card, state.terrain = "none", None
    if can_draw(state):
        state.card = "replace"
    else:
        state.note("no card")


# --- Where a piece may go ---------------------------------------------------------------------


def touches(board: Board, h: Hex, pieces: set[Hex]) -> bool:
    """R1.1: whether one of the pieces is adjacent to the hex."""
    return any(n in pieces for n in board.neighbours[h])


def all_settlements(state: State, but: str | None = None) -> set[Hex]:
    """R1.7: everybody's settlements, but for those of one seat."""
    return set().union(*(seat.settlements() for name, seat in state.seat.items() if name != but))


def free_hexes(state: State, lifted: Hex | None = None) -> set[Hex]:
    """R1.8 FREE, with the lifted piece off the board, and so without its block (R4.4.1)."""
    free = state.board.usable - state.walls - state.scouts - (all_settlements(state) - {lifted})
    for seat in state.seat.values():
        for warrior in seat.warriors - {lifted}:
            free.difference_update(state.board.neighbours[warrior])
    return free


class Table(NamedTuple):
    """What an action looks at: who acts, his settlements and scouts, the free hexes, the piece."""

    state: State
    who: str
    own: set[Hex]
    free: set[Hex]
    lifted: Hex | None

    @property
    def open_land(self) -> set[Hex]:
        """Free hexes that can be built on."""
        return self.free & self.state.board.buildable

    def beside(self, hexes: set[Hex], pieces: set[Hex]) -> set[Hex]:
        """Those of the hexes with one of the pieces beside them."""
        return {h for h in hexes if touches(self.state.board, h, pieces)}


def turns_terrain(table: Table) -> set[Hex]:
    """R3.2, Oracle, Barn, Quarry, Cathedral: the turn's terrain; any by exhausted_any_hex."""
    terrain = turns_terrain_name(table.state)
    if terrain == "any":
        return table.open_land
    return table.free & table.state.board.land[terrain] if terrain else set()


def one_terrain(*terrains: str) -> Callable[[Table], set[Hex]]:
    """R6.1 Farm, Oasis, Harbor, R6.2 Garden and others: always the same terrain."""
    return lambda table: set().union(
        *(table.free & table.state.board.land[terrain] for terrain in terrains)
    )


def edge_of_board(table: Table) -> set[Hex]:
    """R6.1 Tower: buildable hexes on the edge, of any terrain."""
    return table.open_land & table.state.board.edge


def end_of_line(table: Table) -> set[Hex]:
    """R6.1 Tavern: three own settlements in a straight line begin right beside the hex."""
    return {
        h
        for h in table.open_land
        if any(all(step_from(h, d, i) in table.own for i in (1, 2, 3)) for d in DIRECTIONS)
    }


def two_away(table: Table) -> set[Hex]:
    """R6.1 Paddock: two hexes in one direction, whatever lies between."""
    return {step_from(table.lifted, d, 2) for d in DIRECTIONS} & table.open_land


def one_away(table: Table) -> set[Hex]:
    """R7.1 Resettlement, R6.4.2 Refuge: one step, to a buildable hex."""
    return {step_from(table.lifted, d) for d in DIRECTIONS} & table.open_land


def nearest_away(table: Table) -> set[Hex]:
    """R6.4.2 Refuge bonus: in one direction the nearest free buildable hex, over anything."""
    land, ends = table.open_land, set()
    for d in DIRECTIONS:
        line = (step_from(table.lifted, d, i) for i in range(1, SIZE))
        ends.update([h for h in line if h in land][:1])
    return ends


def end_of_slide(table: Table) -> set[Hex]:
    """R6.2 Caravan: in one direction over free buildable hexes, the full way."""
    passable, ends = table.open_land, set()
    for d in DIRECTIONS:
        way = 0
        while step_from(table.lifted, d, way + 1) in passable:
            way += 1
        if way > 0:
            ends.add(step_from(table.lifted, d, way))
    return ends


def between_three(table: Table) -> set[Hex]:
    """R6.2 Village: buildable hexes beside three own settlements or more."""
    return {
        h
        for h in table.open_land
        if sum(n in table.own for n in table.state.board.neighbours[h]) >= 3
    }


def wall_sites(table: Table) -> set[Hex]:
    """R6.2 Quarry: the turn's terrain, strictly beside an own settlement; 25 walls in all."""
    if len(table.state.walls) >= WALLS:
        return set()
    return table.beside(turns_terrain(table), table.own)


def buildable(table: Table) -> set[Hex]:
    """R6.3.3 Barracks: any buildable hex."""
    return table.open_land


def drivable(table: Table) -> set[Hex]:
    """R6.3.4 Wagon: buildable or mountain."""
    return table.open_land | table.free & table.state.board.land["mountain"]


def drive(table: Table) -> set[Hex]:
    """R6.3.4 Wagon: one step."""
    return {step_from(table.lifted, d) for d in DIRECTIONS} & drivable(table)


def sail(table: Table) -> set[Hex]:
    """R6.3.5 Lighthouse: one step of the ship."""
    return (
        {step_from(table.lifted, d) for d in DIRECTIONS}
        & table.free
        & (table.state.board.land["water"])
    )


def hall_sites(table: Table) -> set[Hex]:
    """R6.3.6 City hall: centres; seven free buildable hexes, one of them beside an own one."""
    land = table.open_land
    return {h for h in land if hall_hexes(h) <= land and table.beside(hall_hexes(h), table.own)}


def fort_half(number: int) -> Callable[[Table], set[Hex]]:
    """R6.3.2 Fort: the terrain drawn, of a marsh card either half."""

    def allows(table: Table) -> set[Hex]:
        names = halves(table.state.doing[1])[number : number + 1]
        return one_terrain(*names)(table)

    return allows


def lonely(table: Table) -> set[Hex]:
    """R6.4.4 Fountain: beside exactly one own settlement and nobody else's."""
    state, land = table.state, table.open_land
    if ready(state, "fountain_bonus"):
        land = land | table.free & state.board.land["mountain"]
    others = all_settlements(state, but=table.who)
    return {
        h
        for h in land
        if not touches(state.board, h, others)
        and sum(n in table.own for n in state.board.neighbours[h]) == 1
    }


def beside_water(table: Table) -> set[Hex]:
    """R6.5.3 Water mill; the island's coast lies by the water (R6.6)."""
    board = table.state.board
    return table.beside(table.open_land, board.land["water"]) | table.open_land & board.coast


def beside_mountain(table: Table) -> set[Hex]:
    """R6.5.3 Mountain station"""
    return table.beside(table.open_land, table.state.board.land["mountain"])


def beside_others(table: Table) -> set[Hex]:
    """R6.5.6 Watchtower: beside a settlement of another player."""
    return table.beside(table.open_land, all_settlements(table.state, but=table.who))


def beside_special(table: Table) -> set[Hex]:
    """R6.5.7 University: beside a special space, whatever is left on it."""
    return table.beside(table.open_land, table.state.board.special)


def beside_area(table: Table) -> set[Hex]:
    """R6.5.8 Palisade: beside another piece of the area the piece comes from; no scouts."""
    own = table.state.seat[table.who].settlements()
    area = next(a for a in areas(table.state.board, own) if table.lifted in a)
    return table.beside(table.open_land, area - {table.lifted})


def cave_to_cave(table: Table) -> set[Hex]:
    """R6.7: a piece beside a cave goes beside any cave."""
    caves = table.state.board.caves
    if not touches(table.state.board, table.lifted, caves):
        return set()
    return table.beside(table.open_land, caves)


def farmland_beside(table: Table) -> set[Hex]:
    """R6.5.1: farmland, strictly beside an own settlement."""
    return table.beside(table.free & table.state.board.land["farmland"], table.own)


def scout_sites(table: Table) -> set[Hex]:
    """R6.5.4 Scout cabin: anywhere a piece can stand, beside an own settlement or scout."""
    return table.beside(table.free, table.own)


def beside_own(table: Table) -> set[Hex]:
    """R9.2 Silo: strictly beside an own settlement."""
    return table.beside(table.open_land, table.own)


class Action(NamedTuple):
    """R6: whether it moves a piece or places one, what it allows, whether R4.2 applies.

    Of several alternatives one is chosen first, so that R4.2 applies to each of them alone.
    """

    moves: bool
    allows: tuple[Callable[[Table], set[Hex]], ...]
    adjacent_if_possible: bool
    needs_house: bool = True  # R4.5: of those that do not move a piece


def builds(*allows: Callable[[Table], set[Hex]]) -> Action:
    """A house, adjacent if possible."""
    return Action(False, allows, True)


def builds_by_condition(allows: Callable[[Table], set[Hex]]) -> Action:
    """A house where a condition of its own holds (R4.3)."""
    return Action(False, (allows,), False)


def places(allows: Callable[[Table], set[Hex]], adjacent_if_possible: bool) -> Action:
    """Something that is not a house of the supply."""
    return Action(False, (allows,), adjacent_if_possible, needs_house=False)


def moves(allows: Callable[[Table], set[Hex]]) -> Action:
    """A piece goes where it need not be adjacent, or has a condition of its own (R4.3)."""
    return Action(True, (allows,), False)


def moves_adjacent(allows: Callable[[Table], set[Hex]]) -> Action:
    """A piece goes where it is adjacent if possible."""
    return Action(True, (allows,), True)


ACTIONS = {
    "mandatory": builds(turns_terrain),
    "oracle": builds(turns_terrain),
    "farm": builds(one_terrain("grass")),
    "oasis": builds(one_terrain("desert")),
    "tower": builds(edge_of_board),
    "tavern": builds_by_condition(end_of_line),
    "barn": moves_adjacent(turns_terrain),
    "harbor": moves_adjacent(one_terrain("water")),
    "paddock": moves(two_away),
    "quarry": places(wall_sites, False),
    "caravan": moves(end_of_slide),
    "village": builds_by_condition(between_three),
    "garden": builds(one_terrain("flower")),
    **{kind: builds(one_terrain(terrain)) for kind, terrain in DONATIONS.items()},
    "resettlement": moves(one_away),
    "foresters_lodge": builds(one_terrain("forest")),
    "monastery": builds(one_terrain("canyon")),
    "fort": builds(fort_half(0), fort_half(1)),
    "barracks": places(buildable, True),
    "wagon": places(drivable, True),
    "wagon step": moves(drive),
    "lighthouse": places(one_terrain("water"), True),
    "lighthouse step": moves(sail),
    "city_hall": places(hall_sites, False),
    "refuge": moves(one_away),
    "refuge_bonus": moves(nearest_away),
    "canoe": builds(one_terrain("marsh"), one_terrain("water")),
    "canoe_bonus": builds(one_terrain("marsh"), one_terrain("water")),
    "fountain": builds_by_condition(lonely),
    "water_mill": builds(beside_water),
    "mountain_station": builds(beside_mountain),
    "watchtower": builds(beside_others),
    "university": builds(beside_special),
    "cathedral": builds(turns_terrain),
    "scout_cabin": places(scout_sites, False),
    "palisade": moves(beside_area),
    "rope_bridge": moves_adjacent(one_terrain("canyon")),
    "tree_house": moves_adjacent(one_terrain("forest")),
    "farmland": builds_by_condition(farmland_beside),
    "cave": moves(cave_to_cave),
    "silo": builds_by_condition(beside_own),
    "silo step": moves(beside_own),
}


def targets(state: State, name: str, lifted: Hex | None = None, who: str | None = None) -> set[Hex]:
    """R4.2, R4.4: where the mover (or who reacts) may place a piece, or put the lifted one.

    A declared outpost, or the temple bonus, waives the adjacency rule and nothing else.
    """
    who = who or state.turn
    action, own = ACTIONS[name], state.seat[who].settlements() - {lifted}
    if who == state.turn:
        own |= state.scouts
    table = Table(state, who, own, free_hexes(state, lifted), lifted)
    found = set()
    for allows in action.allows:
        allowed = allows(table) & footing(state, state.seat[who], lifted)
        if not state.option("vacated_hex_counts"):
            allowed = allowed - {lifted}
        if (
            action.adjacent_if_possible
            and not state.outpost
            and not (name == "mandatory" and temple_bonus(state))
        ):
            allowed = table.beside(allowed, own) or allowed
        found |= allowed
    return found - {lifted}  # R4.4.3: never back where it came from


def footing(state: State, seat: Seat, lifted: Hex | None) -> set[Hex]:
    """A1: where the lifted piece may stand, whatever moves it; houses and new pieces anywhere."""
    board = state.board
    if lifted is None or state.options["figure_moves"] == "any_terrain":
        return board.usable
    return board.usable & figure_terrain(board, seat, lifted)


def figure_terrain(board: Board, seat: Seat, h: Hex) -> set[Hex]:
    """A1: a ship stands on water, a wagon on anything else, a warrior on buildable land."""
    if h == seat.ship:
        return board.land["water"]
    if h == seat.wagon:
        return board.usable - board.land["water"]
    return board.buildable if h in seat.warriors else board.usable


def temple_bonus(state: State) -> bool:
    """R6.4.1: the first house of the mandatory action need not be adjacent."""
    return state.phase == "pre" and ready(state, "temple_bonus") > 0


def legal(state: State) -> set[str]:
    """R3.1-R3.3: the steps the mover, or who reacts, can choose from; none while a card is due."""
    if state.phase == "over" or draw_due(state):
        return set()
    if state.reacting:
        who = state.reacting[-1][1]
        return {f"pass:{who}", *(f"canoe:{who}@{cell(h)}" for h in canoe_sites(state, who))}
    if state.lift:
        kind, h = state.lift
        return {"-" + cell(to) for to in targets(state, moving_action(kind), h)}
    if state.phase == "silo":
        return silo_steps(state)
    steps = adjacency_steps(state)
    if state.outpost:
        return steps
    if steps and ready(state, "outpost"):
        steps.add("outpost")
    if state.doing:  # R3.3: an action once begun is finished before another begins
        steps |= tile_steps(state, state.doing[0])
        if state.doing[0] in ("quarry", "cathedral"):
            steps |= choose_steps(state)
        if state.doing[0] in STOPPED:
            steps.add("stop")
        return steps
    if state.repeat:
        return steps | tile_steps(state, state.repeat)
    if state.phase in ("pre", "post"):  # R3.2: the mandatory action is one block
        for kind in ready_kinds(state, state.turn):
            steps |= tile_steps(state, kind)
    steps |= choose_steps(state)
    if state.phase == "post":
        steps.add("end")
    return steps


# What can be stopped after the first step, and the event that tells it.
STOPPED = {
    "quarry": "walls stopped",
    "resettlement": "resettlement stopped",
    "wagon": "wagon stopped",
    "lighthouse": "ship stopped",
    "scout_cabin": "scouts stopped",
    "cathedral": "cathedral stopped",
    "silo_build": "silo stopped",
    "silo_move": "silo stopped",
}


def adjacency_steps(state: State) -> set[str]:
    """R4.3, R7.1 Outpost: the steps that place a new piece under R4.2."""
    if state.doing:
        return placing_steps(state, state.doing[0])
    if state.repeat:
        return placing_steps(state, state.repeat)
    steps = set()
    if in_mandatory(state) and house_due(state):
        steps |= {cell(h) for h in targets(state, "mandatory")}
    if state.phase in ("pre", "post"):
        for kind in ready_kinds(state, state.turn):
            steps |= placing_steps(state, kind)
    return steps


def house_due(state: State) -> bool:
    """R3.2, R6.4.1: whether the next house of the mandatory action is there."""
    if state.phase == "build0":
        return state.owed > 0
    return state.mover.supply > 0 or (state.phase == "pre" and state.owed > 0)


def placing_steps(state: State, kind: str) -> set[str]:
    """The steps of a tile that place a new piece under R4.2; neither moves nor taking back."""
    if kind not in ACTIONS or not ACTIONS[kind].adjacent_if_possible or ACTIONS[kind].moves:
        return set()
    seat = state.mover
    if kind == "canoe" or (kind == "fort" and not state.doing):
        return set()
    none_left = {
        "barracks": len(seat.warriors) == WARRIORS,
        "wagon": seat.wagon is not None,
        "lighthouse": seat.ship is not None,
        "cathedral": seat.tokens == 0,
    }
    return set() if none_left.get(kind) else placements(state, kind)


def placements(state: State, kind: str) -> set[str]:
    """The steps that place something with a tile."""
    if ACTIONS[kind].needs_house and state.mover.supply == 0:  # R4.5
        return set()
    return {f"{kind}:{cell(h)}" for h in targets(state, kind)}


def lifts(state: State, kind: str) -> set[str]:
    """The steps that lift a piece that then can go somewhere."""
    return {
        f"{kind}:{cell(h)}-" for h in movable(state, kind) if targets(state, moving_action(kind), h)
    }


def moving_action(kind: str) -> str:
    """The entry of ACTIONS for a move; some kinds place pieces as well."""
    return f"{kind} step" if kind in ("wagon", "lighthouse", "silo") else kind


def movable(state: State, kind: str) -> set[Hex]:
    """R4.4.4, A1: which own pieces the tile can move."""
    seat = state.mover
    if kind == "wagon":
        return {seat.wagon}
    if kind == "lighthouse":
        return {seat.ship}
    return seat.cells if state.options["figure_moves"] == "own_tile" else seat.removable()


def tile_steps(state: State, kind: str) -> set[str]:
    """R6, R7.1: the steps that begin the action of a tile, or go on with it."""
    if kind in STEPS:
        return STEPS[kind](state)
    if kind not in ACTIONS or kind == "canoe":  # these modify something, or react
        return set()
    return lifts(state, kind) if ACTIONS[kind].moves else placements(state, kind)


def sword_steps(state: State) -> set[str]:
    """R7.1 Sword"""
    return {
        f"sword:{name}@{cell(h)}" for name in victims(state) for h in state.seat[name].removable()
    }


def fort_steps(state: State) -> set[str]:
    """R6.3.2: first the card, then the house."""
    if state.doing:
        return placements(state, "fort")
    card_left = pile(state) > 0 or state.discard
    return {"fort"} if state.mover.supply > 0 and card_left else set()


def barracks_steps(state: State) -> set[str]:
    """R6.3.3: place a warrior, or take one back."""
    return placing_steps(state, "barracks") | {
        f"barracks:back@{cell(h)}" for h in state.mover.warriors
    }


def wagon_steps(state: State) -> set[str]:
    """R6.3.4"""
    return vehicle_steps(state, "wagon", state.mover.wagon)


def ship_steps(state: State) -> set[str]:
    """R6.3.5"""
    return vehicle_steps(state, "lighthouse", state.mover.ship)


def vehicle_steps(state: State, kind: str, where: Hex | None) -> set[str]:
    """R6.3.4, R6.3.5: place it, or move it, or take it back."""
    if where is None:
        return placing_steps(state, kind)
    steps = lifts(state, kind)
    if not state.doing:
        steps.add(f"{kind}:back@{cell(where)}")
    return steps


def hall_steps(state: State) -> set[str]:
    """R6.3.6: once per game."""
    return placements(state, "city_hall") if state.mover.hall is None else set()


def temple_steps(state: State) -> set[str]:
    """R6.4.1: any own house."""
    return {f"temple:{cell(h)}" for h in state.mover.cells}


def bazaar_steps(state: State) -> set[str]:
    """R6.5.2: the kinds used this turn whose action is possible again."""
    steps = {
        f"bazaar:{kind}"
        for kind in state.mover.used
        if kind in TILES
        and kind not in ("bazaar", "canoe", "crossroads")
        and tile_steps(replace(state, repeat=kind), kind)
    }
    if ready(state, "crossroads"):
        steps.add("bazaar:crossroads")
    return steps


def scout_steps(state: State) -> set[str]:
    """R6.5.4: at the beginning all scouts are taken up."""
    return placements(state if state.doing else replace(state, scouts=set()), "scout_cabin")


def cathedral_steps(state: State) -> set[str]:
    """R6.5.5, A5, A9: take a token if one is left, but not with a bazaar, or build for tokens."""
    steps = placing_steps(state, "cathedral")
    if not state.doing and not state.repeat and tokens_left(state) > 0:
        steps.add("cathedral:take")
    return steps


def tokens_left(state: State) -> int:
    """A5: the tokens nobody has; those given back and those lost are among them."""
    return TOKENS - sum(seat.tokens for seat in state.seat.values())


def silo_steps(state: State) -> set[str]:
    """R9.2: a silo builds or moves; nothing is mixed."""
    if state.doing:
        return {*tile_steps(state, state.doing[0]), "stop"}
    steps = {"end"}
    if state.silos > 0:
        steps |= placements(state, "silo") | lifts(state, "silo")
    return steps


STEPS = {
    "sword": sword_steps,
    "fort": fort_steps,
    "barracks": barracks_steps,
    "wagon": wagon_steps,
    "lighthouse": ship_steps,
    "city_hall": hall_steps,
    "temple": temple_steps,
    "bazaar": bazaar_steps,
    "scout_cabin": scout_steps,
    "cathedral": cathedral_steps,
    "silo_build": lambda state: placements(state, "silo"),
    "silo_move": lambda state: lifts(state, "silo"),
}


def victims(state: State) -> list[str]:
    """R7.1 Sword: who may lose a piece next; docs/forms.md has the order."""
    if state.doing:
        return [state.doing[1]]
    others = others_with_piece(state)
    return others if state.options["sword_targets"] == "one" else others[:1]


def others_with_piece(state: State) -> list[str]:
    """The other seats with a house or figure on the board, in turn order from the mover's left."""
    return [name for name in others_from(state, state.turn) if state.seat[name].removable()]


def canoe_sites(state: State, who: str) -> set[Hex]:
    """R6.4.3: where the seat could build in reaction, if it has a canoe and a house."""
    if ready(state, "canoe", who) < 1 or state.seat[who].supply == 0:
        return set()
    return targets(state, "canoe", who=who)


# --- What a step does -------------------------------------------------------------------------


def build(state: State, name: str, h: Hex) -> None:
    """R3.8 for a house from the supply."""
    seat = state.seat[name]
    seat.cells.add(h)
    seat.supply -= 1
    arrive(state, name, {h}, built=True)


def arrive(state: State, name: str, hexes: set[Hex], built: bool, tiles: bool = True) -> None:
    """R3.8: what follows from pieces that have just been built or put down on the hexes.

    Without `tiles` neither is gained nor lost yet, for the action goes on (A8).
    """
    if any(on_island(h) for h in hexes):
        state.note("island build")
    if built:
        for h in by_cell(hexes):
            red_cards(state, name, h)
    marked = mark_rows(state, name, hexes)
    if built or marked:
        check_last_house(state, name)
    if tiles and state.phase != "silo":  # R9.2: no tiles any more
        exchange_tiles(state, name, hexes, built)


def exchange_tiles(state: State, name: str, hexes: set[Hex], built: bool) -> None:
    """R3.8: tiles are lost, unless the pieces are new ones, and gained."""
    if not built:
        lose_tiles(state, name)
    if gain_tiles(state, name, hexes):  # R6.4.3: whoever has a canoe may react
        state.reacting.append((name, left_of(state, name)))


def red_cards(state: State, name: str, h: Hex) -> None:
    """R8.6, R8.8, A2: gold for a piece just built in one's own turn, by option in any."""
    when = "" if in_turn(state, name) else "silo" if state.phase == "silo" else "canoe"
    for source, gold in red_gold(state, name, h).items():
        if when and not state.option("red_cards_any_turn"):
            state.note(f"unpaid {source} {when}")
            continue
        if when:
            state.note(f"paid {source} {when}")
        if source == "rovers":
            state.seat[name].roved.add(quadrant_of(h))
        score_now(state, name, source, gold)


def red_gold(state: State, name: str, h: Hex) -> dict[str, int]:
    """R8.6, R8.8 Shepherds, Ambassadors, Rovers: what a piece just built is worth."""
    around, same = state.board.neighbours[h], state.board.land[state.board.terrain[h]]
    taken = all_settlements(state) | state.walls  # a scout leaves its hex empty
    quadrant = quadrant_of(h)
    gold = {
        "shepherds": 0 if same & set(around) - taken else 2,
        "ambassadors": 1 if touches(state.board, h, all_settlements(state, but=name)) else 0,
        "rovers": 0 if quadrant is None or quadrant in state.seat[name].roved else 1,
    }
    return {source: gold[source] for source in gold if gold[source] and source in state.cards}


def score_now(state: State, name: str, source: str, gold: int) -> None:
    """R8.1: gold scored during the game."""
    add(state.seat[name].gold, source, gold)
    state.note(source)


def mark_rows(state: State, name: str, hexes: set[Hex]) -> bool:
    """R8.8 Mayors: a house of the supply marks a row with four own settlements, first come."""
    if "mayors" not in state.cards:
        return False
    seat, before = state.seat[name], state.seat[name].supply
    for row in sorted({row_of(h) for h in hexes}):
        marked = any(row in other.mayors for other in state.seat.values())
        four = sum(row_of(h) == row for h in seat.settlements()) >= 4
        if four and not marked and seat.supply > 0:
            seat.mayors.add(row)
            seat.supply -= 1
            state.note("mayor")
            if seat.supply == 0:
                state.note("mayor empties supply")
    return seat.supply < before


def check_last_house(state: State, name: str) -> None:
    """R9.1: the last house fixes the last round, unless one waits on a temple tile."""
    seat = state.seat[name]
    if seat.supply > 0:
        return
    if seat.temple > 0:
        state.note("temple delays end")
        return
    if not state.option("sword_cancels_end"):
        state.final = True
    state.emptied = True
    state.note("supply empty")


def use(state: State, kind: str) -> None:
    """R3.3, R7.1: a location tile is used for this turn, a nomad tile leaves the game."""
    if kind == state.repeat:
        state.repeat = None
    add(
        state.mover.nomads if kind in NOMAD_TILES else state.mover.used,
        kind,
        -1 if kind in NOMAD_TILES else 1,
    )


def one_of(state: State, kind: str, steps: int) -> None:
    """docs/forms.md: one of at most so many steps; the tile is used with the first one."""
    if state.doing:
        steps = state.doing[1]
    else:
        use(state, kind)
    state.doing = (kind, steps - 1) if steps > 1 else None


def settle_doing(state: State) -> None:
    """docs/forms.md: an action that cannot go on ends by itself, unless it waits for a card."""
    if not state.doing or draw_due(state):
        return
    kind = state.doing[0]
    if tile_steps(state, kind) or waits_for_choice(state, kind):
        return
    if kind in DONATIONS:
        state.note("donation short")
    elif kind == "fort":
        state.note("fort nothing")
        add(state.discard, state.doing[1])
    elif at_end(state) and kind in STEP_BY_STEP:
        end_moving(state, kind)
    state.doing = None


def waits_for_choice(state: State, kind: str) -> bool:
    """docs/forms.md: a wall or cathedral house could follow once the terrain is chosen."""
    if not to_choose(state):
        return False
    return (
        kind == "quarry"
        and len(state.walls) < WALLS
        or kind == "cathedral"
        and state.mover.supply > 0
    )


def use_outpost(state: State, what: str) -> None:
    """R7.1 Outpost: it was declared for this one placement."""
    if state.outpost:
        state.outpost = False
        state.note(f"outpost {what}")


def build_with_tile(state: State, kind: str, h: Hex) -> None:
    """R6: one house, with the tile or the action of its own."""
    if kind == "farmland":
        state.note("farmland")
    elif kind == "fountain" and h in state.board.land["mountain"]:
        state.note("fountain on mountain")
    use(state, kind)
    use_outpost(state, "tile")
    build(state, state.turn, h)


def donate(state: State, kind: str, h: Hex) -> None:
    """R7.1 Donation: one of three houses, or of as many as the supply has at the first one."""
    due = min(DONATED_HOUSES, state.mover.supply)
    if due < DONATED_HOUSES and not state.doing:
        state.note("donation short")
    one_of(state, kind, due)
    use_outpost(state, "donation")
    build(state, state.turn, h)


def lay_wall(state: State, h: Hex) -> None:
    """R6.2 Quarry: one or two walls, which belong to nobody."""
    state.note("wall")
    if state.doing:
        state.note("second wall")
    one_of(state, "quarry", WALLS_PER_QUARRY)
    state.walls.add(h)


def begin_fort(state: State) -> None:
    """R6.3.2: a card is to be drawn, from a new pile if need be."""
    use(state, "fort")
    state.note("fort")
    can_draw(state)
    state.doing = "fort", "draw"


def build_fort(state: State, h: Hex) -> None:
    """R6.3.2: the house ends the action, and the card is discarded."""
    add(state.discard, state.doing[1])
    state.doing = None
    use_outpost(state, "fort")
    build(state, state.turn, h)


FIGURES = {"barracks": "warrior", "wagon": "wagon", "lighthouse": "ship"}


def place_figure(state: State, kind: str, h: Hex) -> None:
    """R6.3.3-R6.3.5: from the reserve; it counts as a build."""
    use(state, kind)
    use_outpost(state, "figure")
    seat, figure = state.mover, FIGURES[kind]
    if figure == "warrior":
        seat.warriors.add(h)
        taken = all_settlements(state) | state.walls | state.scouts
        if set(state.board.neighbours[h]) & state.board.usable - taken:
            state.note("blocked")
    else:
        setattr(seat, figure, h)
    state.note(f"{figure} placed")
    note_mountain(state, figure, h)
    arrive(state, state.turn, {h}, built=True)


def note_mountain(state: State, figure: str, h: Hex) -> None:
    """For the events."""
    if figure == "wagon" and h in state.board.land["mountain"]:
        state.note("wagon on mountain")


def take_back(state: State, kind: str, h: Hex) -> None:
    """R6.3.3-R6.3.5: back to the reserve."""
    use(state, kind)
    take_off(state.mover, h)
    state.note(f"{FIGURES[kind]} back")
    lose_tiles(state, state.turn)


def take_off(seat: Seat, h: Hex) -> str:
    """A house or figure leaves the board; what it was."""
    if h in seat.cells:
        seat.cells.remove(h)
        return "house"
    if h in seat.warriors:
        seat.warriors.remove(h)
        return "warrior"
    figure = "wagon" if seat.wagon == h else "ship"
    setattr(seat, figure, None)
    return figure


def place_hall(state: State, h: Hex) -> None:
    """R6.3.6: all seven hexes at once."""
    use(state, "city_hall")
    state.note("hall placed")
    state.mover.hall = h
    arrive(state, state.turn, hall_hexes(h), built=True)


def to_temple(state: State, h: Hex) -> None:
    """R6.4.1: the house waits on the tile for the next turn."""
    use(state, "temple")
    state.note("temple")
    state.mover.cells.remove(h)
    state.mover.temple += 1
    lose_tiles(state, state.turn)


def repeat_with_bazaar(state: State, kind: str) -> None:
    """R6.5.2: the tile is ready once more; a crossroads gives one more card at the end."""
    use(state, "bazaar")
    state.note("bazaar")
    state.note(f"bazaar {kind}")
    if kind == "crossroads":
        use(state, kind)
    else:
        add(state.mover.used, kind, -1)
        state.repeat = kind


def send_scout(state: State, h: Hex) -> None:
    """R6.5.4: up to two scouts; at the beginning all that lie on the board are taken up."""
    state.note("second scout" if state.doing else "scout")
    if not state.doing and state.scouts:
        state.note("scouts taken up")
        state.scouts = set()
    one_of(state, "scout_cabin", SCOUT_TOKENS)
    state.scouts.add(h)


def take_token(state: State) -> None:
    """R6.5.5"""
    use(state, "cathedral")
    state.note("cathedral take")
    state.mover.tokens += 1


def build_cathedral(state: State, h: Hex) -> None:
    """R6.5.5: a house for a token; while tokens are left another one may follow."""
    state.note("cathedral second" if state.doing else "cathedral build")
    if not state.doing:
        use(state, "cathedral")
    use_outpost(state, "cathedral")
    seat = state.mover
    seat.tokens -= 1
    build(state, state.turn, h)
    state.doing = ("cathedral", seat.tokens) if seat.tokens else None


def strike(state: State, name: str, h: Hex) -> None:
    """R7.1 Sword: a piece goes back to its owner; then the next seat is to lose one."""
    if not state.doing:
        use(state, "sword")
    victim = state.seat[name]
    state.note("sword")
    tiles = len(victim.tiles)
    if take_off(victim, h) == "house":
        if victim.supply == 0:
            state.note("supply back")
        victim.supply += 1
    else:
        state.note("sword takes figure")
    lose_tiles(state, name)
    if len(victim.tiles) < tiles:
        state.note("sword takes tile")
    order = others_from(state, state.turn)
    others = [n for n in others_with_piece(state) if order.index(n) > order.index(name)]
    each = state.options["sword_targets"] == "each"
    state.doing = ("sword", others[0]) if each and others else None


def put_down(state: State, to: Hex) -> None:
    """R4.4: the lifted piece; the tile counts as used only now."""
    kind, h = state.lift
    state.lift = None
    passing = at_end(state) and kind in STEP_BY_STEP
    if passing and state.doing:
        note_passing(state, h, to)
    if kind == "resettlement":
        one_of(state, kind, RESETTLEMENT_STEPS)
        if not state.doing:
            state.note("resettlement four")
    elif kind in FIGURES:
        one_of(state, kind, FIGURE_STEPS)
        state.note(f"{FIGURES[kind]} moved")
    elif kind == "silo":
        silo_step(state, "silo_move")
    else:
        use(state, kind)
        if kind in ("cave", "refuge_bonus"):
            state.note(kind.replace("_", " "))
    piece = take_off(state.mover, h)
    if piece == "house":
        state.mover.cells.add(to)
    elif piece == "warrior":
        state.mover.warriors.add(to)
    else:
        setattr(state.mover, piece, to)
    if piece != "house" and kind not in FIGURES:
        state.note(f"{piece} moved by tile")
        if to not in figure_terrain(state.board, state.mover, to):
            state.note(f"{piece} off its terrain")
    note_mountain(state, piece, to)
    arrive(state, state.turn, {to}, built=False, tiles=not passing)
    if passing:
        if kind == "resettlement":
            state.moved = state.moved - {h} | {to}
        if not state.doing or not tile_steps(state, kind):
            end_moving(state, kind)


STEP_BY_STEP = ("resettlement", "wagon", "lighthouse")  # moves of several steps


def at_end(state: State) -> bool:
    """A8: whether moves of several steps gain and lose tiles only where they end."""
    return state.options["move_tiles"] == "at_end"


def end_moving(state: State, kind: str) -> None:
    """A8: a move of several steps is over; now tiles are lost and gained."""
    seat = state.mover
    hexes = {"wagon": {seat.wagon}, "lighthouse": {seat.ship}}.get(kind, state.moved)
    state.doing, state.moved = None, set()
    exchange_tiles(state, state.turn, hexes, built=False)


def stop(state: State) -> None:
    """R3.3: an action that could go on is over."""
    kind = state.doing[0]
    state.note(STOPPED[kind])
    state.doing = None
    if at_end(state) and kind in STEP_BY_STEP:
        end_moving(state, kind)


def note_passing(state: State, h: Hex, to: Hex) -> None:
    """For the events, before a further step of a move that looks at tiles only at its end."""
    seat, board = state.mover, state.board
    on_the_way = state.moved or {seat.wagon, seat.ship}
    missed = {n for n in board.neighbours[h] if to_be_had(state, seat, n)}
    if h in on_the_way and missed - set(board.neighbours[to]):
        state.note("tile passed")
    own = seat.settlements()
    if any(
        not touches(board, space, own) and to in board.neighbours[space] for space in seat.tiles
    ):
        state.note("tile kept on the way")


def to_be_had(state: State, seat: Seat, space: Hex) -> bool:
    """R5.1, R5.2, R7.1: whether a settlement beside the space would take a tile there."""
    if space in state.board.locations:
        return space not in {*seat.tiles, *seat.lost} and tiles_left(state, space) > 0
    return space in state.nomads and space not in state.gone


def silo_step(state: State, what: str) -> None:
    """R9.2: one of up to three builds, or moves, of a silo."""
    state.note(what.replace("_", " "))
    left = SILO_STEPS
    if state.doing:
        left = state.doing[1]
    else:
        state.silos -= 1
    state.doing = (what, left - 1) if left > 1 else None


def build_at_silo(state: State, h: Hex) -> None:
    """R9.2"""
    silo_step(state, "silo_build")
    build(state, state.turn, h)


def tiles_left(state: State, space: Hex) -> int:
    """R2.2, R5.3: two tiles less those taken; lost ones come back only by option."""
    left = TILES_PER_SPACE - sum(space in seat.tiles for seat in state.seat.values())
    if not state.option("lost_tiles_return"):
        left -= sum(space in seat.lost for seat in state.seat.values())
    return left


def gain_tiles(state: State, name: str, hexes: set[Hex]) -> bool:
    """R5.1, R5.2, R7.1: one tile from every location or nomad space beside the hexes.

    True if a last location tile or a nomad tile was among them, which calls the canoes.
    """
    seat, locations, calls = state.seat[name], state.board.locations, False
    around = {n for h in hexes for n in state.board.neighbours[h]}
    for space in by_cell(n for n in around if n in locations):
        kind = locations[space]
        if space in seat.tiles:
            continue
        if space in seat.lost:
            state.note("not again")
        elif tiles_left(state, space) < 1:
            state.note("no tile left")
        else:
            take_tile(state, name, space)
            if seat.holds(kind) == 2:
                state.note(f"second {kind}")
            calls |= tiles_left(state, space) == 0
    for space in by_cell(n for n in around if n in state.nomads):
        if space in state.gone:
            continue
        kind, calls = state.nomads[space], True
        state.gone.add(space)
        state.note(f"gain {kind}")
        if kind == "treasure":
            score_now(state, name, "treasure", TREASURE_GOLD)
        else:
            add(seat.nomads, kind)
            keep_fresh(state, name, kind)
    return calls


def take_tile(state: State, name: str, space: Hex) -> None:
    """R5.1, R5.5, R6.5.5: a location tile, with what comes along with it."""
    seat, kind = state.seat[name], state.board.locations[space]
    seat.tiles[space] = kind
    keep_fresh(state, name, kind)
    state.note(f"gain {kind}")
    if kind == "cathedral" and tokens_left(state) == 0:
        state.note("token not gained")
    elif kind == "cathedral":
        seat.tokens += 1
        if name == state.turn and state.doing and state.doing[0] == "cathedral":
            state.doing = "cathedral", seat.tokens
    bonus = f"{kind}_bonus"
    if bonus in BONUS_OF and seat.from_spaces(kind) == 2:
        keep_fresh(state, name, bonus)
        state.note(f"gain {bonus}")
        state.note("bonus gained")


def keep_fresh(state: State, name: str, kind: str) -> None:
    """R3.4, A3: not usable in the round it was gained, so not until the own turn in it is over.

    A canoe is (R6.4.3), and so is what comes after the own turn, for the next one is a round later.
    """
    if kind == "canoe":
        return
    rounds = [state.start, *others_from(state, state.start)]
    if rounds.index(name) >= rounds.index(state.turn):
        add(state.seat[name].fresh, kind)
    if name != state.turn:
        what = "nomad" if kind in NOMAD_TILES else "tile"
        early = rounds.index(name) > rounds.index(state.turn)
        state.note(f"{what} for next round" if early else f"{what} after own turn")


def lose_tiles(state: State, name: str) -> None:
    """R5.3: a tile goes when no own settlement is beside its space any more."""
    seat = state.seat[name]
    own = seat.settlements()
    for space in by_cell(seat.tiles):
        if touches(state.board, space, own):
            continue
        kind = seat.tiles.pop(space)
        seat.lost.add(space)
        lose_kind(state, seat, kind)
        bonus = f"{kind}_bonus"
        if bonus in BONUS_OF and seat.from_spaces(kind) == 1:  # R5.5
            lose_kind(state, seat, bonus)
            state.note("bonus lost")
        if kind == "cathedral" and not seat.holds(kind) and seat.tokens:  # R5.4
            seat.tokens = 0
            state.note("tokens lost")


def lose_kind(state: State, seat: Seat, kind: str) -> None:
    """R5.3: equal tiles are interchangeable: the least useful one goes."""
    state.note(f"lose {kind}")
    if seat.used.get(kind):
        add(seat.used, kind, -1)
        state.note(f"lose used {kind}")
    elif seat.fresh.get(kind):
        add(seat.fresh, kind, -1)
        state.note(f"lose fresh {kind}")


def ask_canoes(state: State) -> None:
    """R6.4.3: on to the next seat that can react; an entry that has nobody left is over."""
    while state.reacting:
        taker, who = state.reacting[-1]
        asked = who != taker or state.option("canoe_self")
        if asked and canoe_sites(state, who):
            return
        ask_next(state)


def ask_next(state: State) -> None:
    """R6.4.3: to the left; the taker comes last, if at all."""
    taker, who = state.reacting.pop()
    depth = len(state.reacting)
    if who != taker:
        state.reacting.append((taker, left_of(state, who)))
    else:
        state.answered = tuple(a for a in state.answered if a[0] < depth)


def react(state: State, who: str, h: Hex) -> None:
    """R6.4.3: a house on marsh or water, in the middle of somebody's turn."""
    answer = len(state.reacting) - 1, who
    happened = {
        "canoe": True,
        "canoe nested": len(state.reacting) > 1,
        "canoe twice": answer in state.answered,
        "canoe own turn": who == state.turn,
        "canoe self": who == state.reacting[-1][0],
        "canoe interrupts mandatory": state.phase.startswith("build"),
    }
    for event in happened:
        if happened[event]:
            state.note(event)
    state.answered += (answer,)
    add(state.seat[who].used, "canoe")
    build(state, who, h)


def phase_name(phase: str) -> str:
    """When in the turn, for the events."""
    return {"pre": "before", "post": "after"}.get(phase, "in build")


def mandatory_house(state: State, h: Hex) -> None:
    """R3.2, R6.4.1: first the houses of the supply, then those that waited on temple tiles."""
    if state.phase == "pre":
        note_first_house(state, h)
    use_outpost(state, "mandatory")
    if state.phase == "build0" or state.mover.supply == 0:
        temple_house(state, h)
        return
    if state.phase == "pre":
        due = min(houses_due(state), state.mover.supply)
        if due < houses_due(state):
            state.note("short mandatory")
    else:
        due = int(state.phase.removeprefix("build"))
    build(state, state.turn, h)
    if "families" in state.cards:
        state.built.add(h)
    if due > 1:
        state.phase = f"build{due - 1}"
        return
    if three_in_line(state.built):
        score_now(state, state.turn, "families", 2)
    end_regular_houses(state)


def houses_due(state: State) -> int:
    """R3.2: three houses, but only two on marsh."""
    return MARSH_HOUSES if turns_terrain_name(state) == "marsh" else MANDATORY_HOUSES


def end_regular_houses(state: State) -> None:
    """R6.4.1: temple houses follow, if any are owed."""
    state.phase, state.built = "build0" if state.owed else "post", set()


def note_first_house(state: State, h: Hex) -> None:
    """For the events, before the first house of the mandatory action."""
    if turns_terrain_name(state) == "marsh":
        state.note("marsh two")
    if temple_bonus(state) and not state.outpost:
        own = state.mover.settlements() | state.scouts
        allowed = targets(state, "mandatory")
        if not touches(state.board, h, own) and any(touches(state.board, n, own) for n in allowed):
            state.note("temple bonus")


def temple_house(state: State, h: Hex) -> None:
    """R6.4.1: a house that waited on a temple tile."""
    seat = state.mover
    seat.temple -= 1
    state.owed -= 1
    seat.cells.add(h)
    state.note("temple built")
    arrive(state, state.turn, {h}, built=True)
    state.phase = "build0" if state.owed else "post"


def three_in_line(hexes: set[Hex]) -> bool:
    """R8.6 Families: exactly three hexes, consecutive on a straight line."""
    return any(hexes == {step_from(h, d, i) for i in range(3)} for h in hexes for d in DIRECTIONS)


def stalemate(state: State) -> bool:
    """docs/forms.md: no hex is free of any terrain that has a card left in the game."""
    if any(seat.temple for seat in state.seat.values()):
        return False
    left = [card for card, number in deck(state).items() if state.removed.get(card, 0) < number]
    free = free_hexes(state)
    if state.option("exhausted_any_hex"):
        return not left or not free & state.board.buildable
    return not any(free & state.board.land[half] for card in left for half in halves(card))


def end_turn(state: State) -> None:
    """R3.1, R3.7, R9.1: cards away, new cards for the mover, the next seat or the end."""
    seat = state.mover
    idle = state.card == "none" or state.terrain == "any"
    if state.card in TERRAIN_CARDS:
        add(state.discard, state.card)
    for cards in (state.hand, state.spent):
        for card, number in cards.items():
            add(state.discard, card, number)
    state.hand, state.spent, state.card, state.terrain = {}, {}, "none", None
    for _ in range(1 + seat.holds("crossroads") + seat.used.get("crossroads", 0)):
        if can_draw(state):
            seat.hidden += 1
    if seat.hidden == 0:
        state.note("no card")
    for kind, number in ready_kinds(state, state.turn).items():
        if kind in NOMAD_TILES:  # R7.1: used or not, it was for this turn only
            state.events += number * ("nomad expired",)
    seat.nomads = {kind: number for kind, number in seat.fresh.items() if kind in NOMAD_TILES}
    seat.used = {kind: number for kind, number in seat.used.items() if kind == "canoe"}
    seat.fresh, state.scouts, state.owed = {}, set(), 0
    for other in state.seat.values():
        other.roved = set()
    state.turn = left_of(state, state.turn)
    if idle and state.turn == state.start and stalemate(state):
        state.final = True
        state.note("stalemate")
    ended = state.final or supplies_end_it(state)
    if ended and state.turn == state.start:
        begin_silos(state, [state.start, *others_from(state, state.start)])
    else:
        begin_turn(state)


def begin_turn(state: State) -> None:
    """R3.1; canoes are ready again only now (R6.4.3)."""
    seat = state.mover
    seat.used.pop("canoe", None)
    state.card = "hidden" if seat.hidden else "none"
    state.phase, state.owed = "pre", seat.temple
    if seat.hidden > 1:
        state.note("second card")
    if seat.hidden > 2:
        state.note("third card")


def begin_silos(state: State, names: list[str]) -> None:
    """R9.2: the next of the seats that has a silo; after the last one the game is over."""
    state.card = None
    for name in names:
        state.silos = silos_beside(state, name)
        if state.silos:
            state.turn, state.phase = name, "silo"
            return
        if state.board.land["silo"]:
            state.note("silo seat skipped")
    state.turn, state.phase, state.silos = None, "over", 0
    state.note("game over")


def end_silos(state: State) -> None:
    """R9.2: on to the seats that come later in turn order; a turn ends, for Rovers too (A2)."""
    state.mover.roved = set()
    order = [state.start, *others_from(state, state.start)]
    begin_silos(state, order[order.index(state.turn) + 1 :])


def supplies_end_it(state: State) -> bool:
    """R9.1, option sword_cancels_end: at the end of a round the supplies alone decide."""
    if not state.option("sword_cancels_end") or state.turn != state.start:
        return False
    empty = a_supply_is_empty(state)
    if state.emptied and not empty:
        state.note("end cancelled")
    state.emptied = False
    return empty


def check_void(state: State) -> None:
    """docs/forms.md: without house, card or hex the (rest of the) mandatory action lapses."""
    if not in_mandatory(state):
        return
    seat = state.mover
    nowhere = state.terrain == "any" and not free_hexes(state) & state.board.buildable
    if (seat.supply == 0 and state.owed == 0) or state.card == "none" or nowhere:
        if state.owed:  # R6.4.1: what cannot be built goes back
            state.note("temple returned")
        seat.supply += state.owed
        seat.temple -= state.owed
        state.phase, state.built, state.owed = "post", set(), 0
        state.note("mandatory void")
    elif state.phase in ("build2", "build1"):  # a marker or canoe may have taken a house
        due = min(int(state.phase.removeprefix("build")), seat.supply)
        if due:
            state.phase = f"build{due}"
        else:
            end_regular_houses(state)


PLACING = {
    "quarry": lay_wall,
    "fort": build_fort,
    "city_hall": place_hall,
    "temple": to_temple,
    "scout_cabin": send_scout,
    "cathedral": build_cathedral,
    "silo": build_at_silo,
}


def act(state: State, kind: str, rest: str) -> None:
    """A step `KIND:...` of a tile or of an action everybody has."""
    if kind == "sword":
        name, _, place = rest.partition("@")
        strike(state, name, hex_of(place))
    elif kind == "bazaar":
        repeat_with_bazaar(state, rest)
    elif rest == "take":
        take_token(state)
    elif rest.startswith("back@"):
        take_back(state, kind, hex_of(rest.removeprefix("back@")))
    elif kind in FIGURES:
        place_figure(state, kind, hex_of(rest))
    elif kind in DONATIONS:
        donate(state, kind, hex_of(rest))
    elif kind in PLACING:
        PLACING[kind](state, hex_of(rest))
    else:
        build_with_tile(state, kind, hex_of(rest))


def after(state: State, step: str) -> State:
    """The position after a step that is known to be possible."""
    state = copied(state)
    kind, colon, rest = step.partition(":")
    if step == "end" and state.phase == "silo":
        end_silos(state)
    elif step == "end":
        end_turn(state)
    elif step.startswith("="):
        turn_up(state, step[1:])
    elif step == "outpost":
        use(state, "outpost")
        state.outpost = True
    elif step == "stop":
        stop(state)
    elif step == "fort":
        begin_fort(state)
    elif kind == "choose":
        choose(state, rest)
    elif kind == "pass":
        state.note("canoe pass")
        ask_next(state)
    elif kind == "canoe":
        who, _, place = rest.partition("@")
        react(state, who, hex_of(place))
    elif step.startswith("-"):
        put_down(state, hex_of(step[1:]))
    elif step.endswith("-"):  # the tile counts as used only when the piece is put down
        state.lift = kind, hex_of(rest[:-1])
    elif colon:
        act(state, kind, rest)
    else:
        mandatory_house(state, hex_of(step))
    settle(state, "at reveal" if step.startswith("=") else phase_name(state.phase))
    return state


def settle(state: State, when: str) -> None:
    """What follows by itself; reactions come before everything else."""
    ask_canoes(state)
    if state.reacting or state.phase == "over":
        return
    check_exhaustion(state, when)
    settle_doing(state)
    if state.reacting:  # the end of a move has called the canoes (A8)
        settle(state, when)
    else:
        check_void(state)


def all_steps(state: State) -> set[str]:
    """The mover's choices, or the cards that can be turned up."""
    return {"=" + card for card in draws(state)} or legal(state)


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
    """R1.9: the connected groups of one player's settlements, or of any hexes."""
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


def own_pieces(state: State, name: str) -> set[Hex]:
    """R8.1: what scores at the end."""
    return state.seat[name].settlements()


def on_main(pieces: set[Hex]) -> set[Hex]:
    """R6.6: those that are not on the island."""
    return {h for h in pieces if not on_island(h)}


def per_row(pieces: set[Hex]) -> list[int]:
    """R1.2, R6.6: how many of the pieces stand in each row that has any, island rows too."""
    return list(Counter(row_of(h) for h in pieces).values())


def per_quadrant(pieces: set[Hex]) -> list[int]:
    """R1.4: how many of the pieces stand in each quadrant."""
    return [sum(quadrant_of(h) == k for h in pieces) for k in range(4)]


def neighbours_among(board: Board, h: Hex, pieces: set[Hex]) -> int:
    """How many of the pieces are adjacent to the hex."""
    return sum(n in pieces for n in board.neighbours[h])


BOOKS = {  # A4: the special spaces each card or task names in the rule books
    "workers": ("location", "castle", "nomad", "palace"),
    "merchants": ("location", "castle", "nomad", "palace"),
    "noblewomen": ("location", "castle", "nomad"),
    "place_of_refuge": ("location", "castle", "nomad"),
}


def scoring_spaces(state: State, source: str) -> set[Hex]:
    """R8.2, A4: the special spaces that count for the card or task."""
    names = SPECIAL if state.options["special_spaces"] == "all" else BOOKS[source]
    return set().union(*(state.board.land[name] for name in names))


def castles(state: State, name: str) -> int:
    """R8.3: 3 for each castle with an own settlement beside it."""
    own = own_pieces(state, name)
    return 3 * sum(touches(state.board, h, own) for h in state.board.land["castle"])


def majority(state: State, name: str, spaces: set[Hex]) -> int:
    """R8.3: 5 for each space where nobody has more settlements beside it; at least one."""
    gold = 0
    for space in spaces:
        counts = {
            n: neighbours_among(state.board, space, own_pieces(state, n)) for n in state.seats
        }
        if counts[name] > 0 and counts[name] == max(counts.values()):
            gold += 5
    return gold


def palaces(state: State, name: str) -> int:
    """R8.3"""
    return majority(state, name, state.board.land["palace"])


def capitols(state: State, name: str) -> int:
    """R8.4: 1 for each own settlement within two hexes, each capitol by itself."""
    return sum(
        distance(h, capitol) <= 2
        for capitol in state.board.capitols
        for h in own_pieces(state, name)
    )


def beside(board: Board, pieces: set[Hex], terrain: str) -> int:
    """R8.5 Fishermen, Miners, R8.7 Scouts: pieces beside the terrain but not on it."""
    shore = board.coast if terrain == "water" else set()
    return sum(
        h not in board.land[terrain] and (h in shore or touches(board, h, board.land[terrain]))
        for h in pieces
    )


def fishermen(state: State, name: str) -> int:
    """R8.5; the island's coast lies by the water (R6.6)."""
    return beside(state.board, own_pieces(state, name), "water")


def miners(state: State, name: str) -> int:
    """R8.5"""
    return beside(state.board, own_pieces(state, name), "mountain")


def workers(state: State, name: str) -> int:
    """R8.5: settlements beside a special space, each once."""
    spaces = scoring_spaces(state, "workers")
    return sum(touches(state.board, h, spaces) for h in own_pieces(state, name))


def discoverers(state: State, name: str) -> int:
    """R8.5: rows with a settlement."""
    return len(per_row(own_pieces(state, name)))


def knights(state: State, name: str) -> int:
    """R8.5: twice the settlements of the fullest row; island rows only by option (R6.6)."""
    own = own_pieces(state, name)
    return 2 * max(per_row(own if state.option("island_knights") else on_main(own)), default=0)


def hermits(state: State, name: str) -> int:
    """R8.5: one for each area."""
    return len(areas(state.board, own_pieces(state, name)))


def citizens(state: State, name: str) -> int:
    """R8.5: half the largest area, rounded down."""
    return max((len(a) for a in areas(state.board, own_pieces(state, name))), default=0) // 2


def merchants(state: State, name: str) -> int:
    """R8.5: 4 for each special space that an own area connects with another one."""
    spaces, connected = scoring_spaces(state, "merchants"), set()
    for area in areas(state.board, own_pieces(state, name)):
        touched = {s for s in spaces if touches(state.board, s, area)}
        if len(touched) > 1:
            connected |= touched
    return 4 * len(connected)


def farmers(state: State, name: str) -> int:
    """R8.5: 3 for each settlement in the quadrant with the fewest."""
    return 3 * min(per_quadrant(own_pieces(state, name)))


def lords(state: State, name: str) -> int:
    """R8.5: in each quadrant 12 for the highest count, 6 for the second highest distinct one."""
    counts = {n: per_quadrant(own_pieces(state, n)) for n in state.seats}
    gold = 0
    for k in range(4):
        ranking = sorted({counts[n][k] for n in counts}, reverse=True)
        mine = counts[name][k]
        if mine == 0 and state.option("lords_need_presence"):
            continue
        gold += dict(zip(ranking, (12, 6), strict=False)).get(mine, 0)
    return gold


def geologists(state: State, name: str) -> int:
    """R8.7: 2 for each mountain that an own area connects with another one."""
    mountains, connected = areas(state.board, state.board.land["mountain"]), set()
    for area in areas(state.board, own_pieces(state, name)):
        touched = {
            i
            for i, mountain in enumerate(mountains)
            if any(h in mountain or touches(state.board, h, mountain) for h in area)
        }
        if len(touched) > 1:
            connected |= touched
    return 2 * len(connected)


def messengers(state: State, name: str) -> int:
    """R8.7: twice the hexes from one end to the other of the area that reaches farthest."""
    far = max(
        (
            distance(h, other)
            for area in areas(state.board, own_pieces(state, name))
            for h in area
            for other in area
        ),
        default=0,
    )
    return 2 * (far + 1) if far else 0


def noblewomen(state: State, name: str) -> int:
    """R8.7: special spaces score like palaces, palaces themselves only once."""
    return majority(state, name, scoring_spaces(state, "noblewomen") - state.board.land["palace"])


def vassals(state: State, name: str) -> int:
    """R8.7: settlements where quadrants meet."""
    return sum(on_inner_border(h) for h in own_pieces(state, name))


def captains(state: State, name: str) -> int:
    """R8.7: settlements with three own ones or more beside them."""
    own = own_pieces(state, name)
    return sum(neighbours_among(state.board, h, own) >= 3 for h in own)


def scouts(state: State, name: str) -> int:
    """R8.7: settlements beside the removed terrain, but not on it."""
    own, terrain = own_pieces(state, name), state.board.land[state.scouted]
    return sum(h not in terrain and touches(state.board, h, terrain) for h in own)


def rangers(state: State, name: str) -> int:
    """R8.8: 2 for each row with exactly one settlement."""
    return 2 * per_row(own_pieces(state, name)).count(1)


def mayors(state: State, name: str) -> int:
    """R8.8: 4 for each row marked."""
    return 4 * len(state.seat[name].mayors)


def travelers(state: State, name: str) -> int:
    """R8.8: settlements on the edge of the main board."""
    return len(own_pieces(state, name) & state.board.edge)


def chainers(state: State, name: str) -> int:
    """R8.8: settlements with exactly two own ones beside them."""
    own = own_pieces(state, name)
    return sum(neighbours_among(state.board, h, own) == 2 for h in own)


def homesteaders(state: State, name: str) -> int:
    """R8.8: the settlements in the quadrant with the most."""
    return max(per_quadrant(own_pieces(state, name)))


def home_country(state: State, name: str) -> bool:
    """R8.9: a whole terrain area of the main board."""
    own = on_main(own_pieces(state, name))
    return any(
        area <= own
        for terrain in LAND + NATURE
        for area in areas(state.board, on_main(state.board.land[terrain]))
    )


def all_around(state: State, name: str, h: Hex) -> bool:
    """R8.9 Fortress, Place of refuge: own settlements on all six sides."""
    return neighbours_among(state.board, h, own_pieces(state, name)) == len(DIRECTIONS)


def fortress(state: State, name: str) -> bool:
    """R8.9"""
    return any(all_around(state, name, h) for h in on_main(own_pieces(state, name)))


def road(state: State, name: str) -> bool:
    """R8.9: seven in a straight line that is not a row."""
    own = on_main(own_pieces(state, name))
    return any(all(step_from(h, d, i) in own for i in range(7)) for h in own for d in DIAGONALS)


def place_of_refuge(state: State, name: str) -> bool:
    """R8.9"""
    spaces = on_main(scoring_spaces(state, "place_of_refuge"))
    return any(all_around(state, name, space) for space in spaces)


def per_edge(state: State, name: str) -> list[int]:
    """R8.9: the settlements on each edge that has any; a corner belongs to two."""
    return list(Counter(e for h in own_pieces(state, name) for e in edges_of(h)).values())


def advance(state: State, name: str) -> bool:
    """R8.9: seven on one edge."""
    return max(per_edge(state, name), default=0) >= 7


def compass_points(state: State, name: str) -> bool:
    """R8.9: one on each of the four edges."""
    return len(per_edge(state, name)) == 4


def scored_already(source: str) -> Callable[[State, str], int]:
    """R8.1: red cards and treasures scored during the game."""
    return lambda state, name: state.seat[name].gold.get(source, 0)


def task(fulfilled: Callable[[State, str], bool], gold: int) -> Callable[[State, str], int]:
    """R8.9: gold for a task that is fulfilled, once."""
    return lambda state, name: gold if fulfilled(state, name) else 0


GOLD = {
    "castles": castles,
    "palaces": palaces,
    "capitols": capitols,
    "fishermen": fishermen,
    "miners": miners,
    "workers": workers,
    "discoverers": discoverers,
    "knights": knights,
    "hermits": hermits,
    "citizens": citizens,
    "merchants": merchants,
    "farmers": farmers,
    "lords": lords,
    "geologists": geologists,
    "messengers": messengers,
    "noblewomen": noblewomen,
    "vassals": vassals,
    "captains": captains,
    "scouts": scouts,
    "rangers": rangers,
    "mayors": mayors,
    "travelers": travelers,
    "chainers": chainers,
    "homesteaders": homesteaders,
    **{source: scored_already(source) for source in GOLD_SOURCES},
    "home_country": task(home_country, 5),
    "fortress": task(fortress, 6),
    "road": task(road, 7),
    "place_of_refuge": task(place_of_refuge, 8),
    "advance": task(advance, 9),
    "compass_points": task(compass_points, 10),
}


def sources_in_play(state: State) -> list[str]:
    """R8.1: what gives gold in this game."""
    sources = ["castles"]
    if state.board.land["nomad"]:
        sources.append("treasure")
    if state.board.land["palace"]:
        sources.append("palaces")
    if state.board.capitols:
        sources.append("capitols")
    return [*sources, *state.cards, *state.tasks]


def score(state: State) -> dict[str, dict[str, int]]:
    """R8.1: each seat's gold as if the game ended now, by source and in total."""
    result = {}
    for name in state.seats:
        gold = {source: GOLD[source](state, name) for source in sources_in_play(state)}
        gold["total"] = sum(gold.values())
        result[name] = gold
    return result
