"""The rules of Kingdom Builder on integers; see _fast.pxd for the data model."""

from array import array
from collections.abc import Sequence
from enum import IntEnum, IntFlag
from typing import Self, TypedDict, final, type_check_only

N_CELLS: int  # 512: cells 0..399 are row * 20 + column, 400 + row * 10 + column is the island
MAX_SEATS: int  # 5
MAX_SPACES: int  # 64
MAX_TILE_KINDS: int  # 16, on one board
CARD_KINDS: int  # 10: terrain cards 0..4 by terrain, 5..9 the marsh cards
MAX_TOKENS: int  # 18: of all cathedrals together
STEP_FEATURES: dict[str, int]  # where each group of features begins, in order
N_STEP_FEATURES: int
SEAT_FEATURES: dict[str, int]
N_SEAT_FEATURES: int
N_HIDDEN_UNITS: int

class Terrain(IntEnum):
    GRASS = 0
    CANYON = 1
    DESERT = 2
    FLOWER = 3
    FOREST = 4
    MARSH = 5
    FARMLAND = 6
    WATER = 7
    MOUNTAIN = 8
    SPECIAL = 9  # a location, castle, ... space: never occupied
    VOID = 10  # no hex here

class Space(IntEnum):
    LOCATION = 0
    CASTLE = 1
    NOMAD = 2
    PALACE = 3
    SILO = 4

class Action(IntEnum):
    BUILD = 0  # one house from the supply
    MOVE = 1  # one own piece
    WALL = 2  # one or two stone walls
    FORT = 3  # draw a card, build one house on its terrain
    WARRIOR = 4  # place a warrior or take one back
    WAGON = 5  # place the wagon, move it up to three steps, or take it back
    SHIP = 6  # the same for the ship
    HALL = 7  # place the city hall
    CROSSROADS = 8  # one more card at the end of each turn; never used itself
    TEMPLE = 9  # takes an own house from the board, to build it again next turn
    CANOE = 10  # reacts to a last tile taken
    TEMPLE_BONUS = 11  # the first mandatory house may ignore adjacency; never used itself
    FOUNTAIN_BONUS = 12  # the fountain may build on mountains; never used itself
    BAZAAR = 13  # repeats another tile used this turn
    SCOUT = 14  # up to two scout tokens
    CATHEDRAL = 15  # takes a token, or builds a house for each token given back
    SILO = 16  # after the last turn: up to three builds or moves
    DONATION = 17  # from here on nomad tiles; this one: up to three houses
    RESETTLEMENT = 18  # up to four steps of own pieces
    OUTPOST = 19  # the next placement may ignore adjacency
    SWORD = 20  # removes a piece of each other seat
    TREASURE = 21  # pays gold when it is gained

class Filter(IntEnum):
    CARD = 0  # the terrain of the turn, adjacent if possible
    TERRAIN = 1  # a fixed terrain, adjacent if possible
    EDGE = 2  # buildable on the edge of the board, adjacent if possible
    LAND = 3  # buildable, adjacent if possible
    LAND_OR_MOUNTAIN = 4  # buildable or mountain, adjacent if possible
    WATERSIDE = 5  # buildable beside water, adjacent if possible
    FOOTHILL = 6  # buildable beside a mountain, adjacent if possible
    SPECIAL_SIDE = 7  # buildable beside a special space, adjacent if possible
    WATCH = 8  # buildable beside another seat's settlement, adjacent if possible
    SHORE = 9  # marsh or water, each adjacent if possible
    LINE_END = 10  # buildable, continuing a line of three or more own settlements
    JUMP = 11  # buildable, exactly two hexes away in a straight line
    CARD_BESIDE = 12  # the terrain of the turn, adjacent to an own settlement
    BESIDE = 13  # a fixed terrain, adjacent to an own settlement
    CROWD = 14  # buildable, adjacent to three or more own settlements
    LONELY = 15  # buildable, adjacent to exactly one own settlement and nobody else's
    SLIDE = 16  # buildable, at the end of a straight way over free buildable hexes
    STEP = 17  # buildable, adjacent to where the piece stands
    NEAREST = 18  # the nearest free buildable hex in each direction
    AREA = 19  # buildable, adjacent to the rest of the piece's settlement area
    CAVE = 20  # buildable beside a cave, for a piece beside a cave
    NONE = 21  # no hex to choose, or the action decides which

class Score(IntEnum):
    CASTLES = 0
    FISHERMEN = 1
    MINERS = 2
    WORKERS = 3
    DISCOVERERS = 4
    KNIGHTS = 5
    HERMITS = 6
    CITIZENS = 7
    MERCHANTS = 8
    FARMERS = 9
    LORDS = 10
    TREASURE = 11
    FAMILIES = 12
    SHEPHERDS = 13
    AMBASSADORS = 14
    ROVERS = 15
    PALACES = 16
    CAPITOLS = 17
    GEOLOGISTS = 18
    MESSENGERS = 19
    NOBLEWOMEN = 20
    VASSALS = 21
    CAPTAINS = 22
    SCOUTS = 23
    RANGERS = 24
    MAYORS = 25
    TRAVELERS = 26
    CHAINERS = 27
    HOMESTEADERS = 28
    HOME_COUNTRY = 29  # from here on tasks
    FORTRESS = 30
    ROAD = 31
    PLACE_OF_REFUGE = 32
    ADVANCE = 33
    COMPASS_POINTS = 34

class Gold(IntEnum):
    """Sources of gold during the game."""

    TREASURE = 0
    FAMILIES = 1
    SHEPHERDS = 2
    AMBASSADORS = 3
    ROVERS = 4

class Option(IntFlag):
    LORDS_NEED_PRESENCE = 1
    VACATED_HEX_COUNTS = 2
    EXHAUSTED_DISCARD = 4
    EXHAUSTED_ANY_HEX = 8
    LOST_TILES_RETURN = 16
    SWORD_ONE = 32
    SWORD_CANCELS_END = 64
    FIGURES_BY_OWN_TILE = 128
    CANOE_SELF = 256
    ISLAND_KNIGHTS = 512
    ALL_SPACES_COUNT = 1024
    CROSSROADS_IDENTICAL_ANY = 2048
    FIGURES_ANYWHERE = 4096
    RED_ANY_TURN = 8192
    TILES_AT_END = 16384

class Phase(IntEnum):
    PRE = 0
    BUILD = 1
    POST = 2
    SILO = 3  # silo actions after the last turn
    OVER = 4

class Draw(IntEnum):
    NONE = 0
    REVEAL = 1  # the mover turns up a card of the hand
    REPLACE = 2  # a card from the draw pile replaces an exhausted one
    FORT = 3  # a card is drawn for the fort

class Step(IntEnum):
    """Kinds of step. A step is ``kind << 24 | slot << 16 | cell``."""

    END = 0
    BUILD = 1  # slot 0: mandatory action; slot n: the board's n-th tile kind, counted from 1
    LIFT = 2  # cell: where the piece stands
    PUT = 3  # cell: where it goes; slot 0
    WALL = 4  # lay a stone wall
    DECLARE = 5  # an outpost for the next placement, or a fort; cell 0
    REMOVE = 6  # cell: another seat's piece (sword) or the own house (temple) to remove
    STOP = 7  # no further step of the action under way; slot 0, cell 0
    CHOOSE = 8  # slot 0; cell: card * 16 + terrain
    BACK = 9  # cell: the figure that returns to the reserve
    TAKE = 10  # a cathedral token; cell 0
    REPEAT = 11  # slot: the bazaar's; cell: the slot to repeat
    SCOUT = 12  # place a scout token
    PASS = 13  # the seat that is asked does not react; slot 0, cell 0

@type_check_only
class Policy(TypedDict):
    """How informed playouts choose, in gold except for the first."""

    candidates: int  # pieces tried for a move
    tile: float  # value of a location tile for each turn that is left
    least_build: float  # a tile builds only where a house is worth this much
    least_move: float  # a tile moves a piece only if it gains this much

@type_check_only
class SeatFields(TypedDict):
    cells: list[int]  # own houses, sorted
    warriors: list[int]  # cells, sorted
    wagon: int  # cell, -1: in the reserve
    ship: int
    hall: int  # centre of the city hall, -1: not placed
    tokens: int  # of the cathedral
    temple: int  # houses on temple tiles
    mayors: list[int]  # rows marked: 0..19, on the island 20..24
    roved: list[int]  # quadrants built in during this turn, 0..3
    hidden: int  # hidden cards in hand
    supply: int
    taken: list[int]  # indices of the board's spaces, sorted
    held: list[int]  # those of taken whose tile the seat still has
    ready: list[int]  # number of tiles of each tile kind of the board (index 0 = slot 1)
    fresh: list[int]
    used: list[int]
    gold: list[int]  # by Gold

@type_check_only
class Fields(TypedDict):
    """All of a position in integers; seats are numbered in turn order."""

    mover: int
    start: int
    phase: int
    due: int  # houses of the mandatory action still to build, in phase BUILD; otherwise 0
    card: int  # the card played; -1: none; -2: one of several is still to be chosen
    hand: list[int]  # CARD_KINDS counts: the mover's other cards that lie face up
    draw: int
    terrain: int  # of the turn, a Terrain; SPECIAL: any buildable; -1: none, or not chosen yet
    lift: tuple[int, int] | None  # slot, cell
    # slot, steps left. For a sword the seat it takes from next; for a fort -1 or the card drawn;
    # for a cathedral the tokens left; for a silo the builds left, or four more than the moves
    doing: tuple[int, int] | None
    repeat: int  # slot that a bazaar repeats, before its first step; 0: none
    reacting: list[tuple[int, int]]  # interruptions, outermost first: taker, next seat to ask
    owed: int  # temple houses that the mover builds this turn
    silos: int  # silo actions the mover may still begin
    scouts: list[int]  # cells of scout tokens
    outpost: bool  # declared for the next placement
    built: list[int]  # cells of the mandatory action so far, in phase BUILD with Families in play
    moved: list[int]  # cells of the pieces a resettlement has moved, if tiles wait for its end
    walls: list[int]  # cells
    gone: list[int]  # indices of nomad spaces whose tile has been taken
    final: bool
    unseen: list[int]  # CARD_KINDS counts: the draw pile and hidden cards that are not in held
    # (counts, seats), oldest first; a seat once for each of its cards
    held: list[tuple[list[int], list[int]]]
    discard: list[int]
    spent: list[int]
    seats: list[SeatFields]

@final
class Board:
    """What a game is played on: all that does not change after set-up."""

    def __init__(
        self,
        *,
        terrain: bytes,  # N_CELLS Terrain codes
        spaces: Sequence[tuple[int, int, int]],  # (cell, Space, slot of its tiles or 0)
        tiles: Sequence[tuple[int, int, int]],  # slot 1, 2, ...: (Action, Filter, Terrain or VOID)
        cards: Sequence[int],  # Score rules in play besides CASTLES .. CAPITOLS: cards, then tasks
        seats: int,
        deck: Sequence[int],  # CARD_KINDS counts
        houses: int = 40,
        walls: int = 25,
        options: int = 1026,
        permanent: Sequence[int] = (),  # slots of actions everybody always has: farmland, cave
        # (slot of a location tile, slot of its bonus tile); 0: the location is not on the board
        bonus: Sequence[tuple[int, int]] = (),
        caves: Sequence[int] = (),  # cells
        capitols: Sequence[int] = (),  # cells of castles
        scouted: int = 10,  # Terrain of the card SCOUTS, VOID without it
        source: object = None,  # whatever it was made from; the kernel does not look at it
    ) -> None: ...
    @property
    def source(self) -> object: ...
    @property
    def seats(self) -> int: ...
    @property
    def houses(self) -> int: ...
    @property
    def spaces(self) -> tuple[tuple[int, int, int], ...]: ...
    @property
    def tiles(self) -> tuple[tuple[int, int, int], ...]: ...
    @property
    def cards(self) -> tuple[int, ...]: ...
    @property
    def deck(self) -> tuple[int, ...]: ...
    @property
    def is_simple(self) -> bool:
        """Whether there is nothing more than the base game has."""
    @property
    def options(self) -> int: ...
    def terrain(self, cell: int) -> int: ...
    def neighbours(self, cell: int) -> tuple[int, ...]: ...
    def spaces_beside(self, cell: int) -> tuple[int, ...]:
        """Return the indices of the spaces adjacent to a cell."""

@final
class Position:
    """A moment of a game as everybody at the table knows it, with the mover's cards."""

    def __new__(cls, board: Board, start: int = 0) -> Self:
        """Start a game: nobody has built, and the start seat turns up its card."""
    @classmethod
    def from_fields(cls, board: Board, fields: Fields) -> Position:
        """Build any position; ValueError if the fields contradict each other."""
    def fields(self) -> Fields: ...
    @property
    def board(self) -> Board: ...
    @property
    def mover(self) -> int: ...
    @property
    def actor(self) -> int:
        """The seat that decides now: one that may react, or else the mover."""
    @property
    def phase(self) -> int: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def pending_draw(self) -> int: ...
    @property
    def shown(self) -> tuple[int, ...]:
        """The mover's cards that lie face up, with the one played, as counts."""
    @property
    def hidden(self) -> int:
        """The number of cards that the mover has not turned up."""
    def draws(self) -> tuple[int, ...]:
        """Return the CARD_KINDS counts from which a card is drawn now; all 0 if none is."""
    def draw(self, card: int) -> None:
        """Turn up a card; ValueError if it cannot come."""
    def legal(self) -> list[int]:
        """Return the legal steps, sorted; empty while a draw is pending or the game is over."""
    def is_legal(self, step: int) -> bool: ...
    def apply(self, step: int) -> None:
        """Make a step; ValueError if it is not legal."""
    def copy(self) -> Position: ...
    def scores(self) -> tuple[int, ...]:
        """Return each seat's gold if the game ended now."""
    def untouched(self) -> tuple[int, ...]:
        """Return for each seat how many terrains it has no settlement beside.

        A card of these leaves a free choice of hexes (R4.2).
        """
    def score_detail(self) -> tuple[tuple[int, ...], ...]:
        """Return for each seat: CASTLES, TREASURE, PALACES, CAPITOLS, then the board's cards."""
    def perft(self, depth: int) -> int:
        """Count the sequences of ``depth`` steps, where a draw is also a step."""
    def playout(self, seed: int) -> None:
        """Play at random to the end of the game."""
    def playout_steps(self, seed: int, policy: Policy | None = None) -> list[int]:
        """Play to the end and return the steps, with draws as ``-1 - card``.

        At random, or informed if there is a policy.
        """
    def ratings(self, policy: Policy) -> dict[int, float]:
        """Return the legal steps with the gold that each one brings, as a policy estimates it."""
    def step_features(
        self, policy: Policy
    ) -> tuple[list[int], array[int], array[int], array[float]]:
        """Return the legal steps, and their features as three arrays.

        Where the features of each step begin, with the end of the last one; their numbers; and
        their values. Features that are 0 are left out.
        """
    def seat_features(self) -> tuple[array[float], ...]:
        """Return the features of every seat."""
    def playouts(
        self, count: int, seed: int, policy: Policy | None = None
    ) -> tuple[list[int], list[int]]:
        """Play ``count`` copies to the end; return each seat's gold and its games won or tied."""
    def guess(self, weights: Sequence[float]) -> tuple[float, ...]:
        """Return the gold that each seat will have at the end, by the weights of a model."""
    @property
    def houses_left(self) -> float:
        """The houses of the seat that has the fewest, as a part of 40."""
    def check(self) -> None:
        """Recompute all that steps update; AssertionError if anything differs."""

def count_gold(positions: Sequence[Position], rounds: int) -> int:
    """Count the gold of every seat in some positions, ``rounds`` times over; return the sum.

    For benchmarks: the loop is in C.
    """
