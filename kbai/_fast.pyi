"""The rules of Kingdom Builder on integers; see _fast.pxd for the data model."""

from collections.abc import Sequence
from enum import IntEnum, IntFlag
from typing import TypedDict, final

N_CELLS: int  # 512: cells 0..399 are row * 20 + column, 400 + row * 10 + column is the island
MAX_SEATS: int  # 5
MAX_SPACES: int  # 64
MAX_TILE_KINDS: int  # 16, on one board
CARD_KINDS: int  # 10: terrain cards 0..4 by terrain, 5..9 the marsh cards

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

class Action(IntEnum):
    BUILD = 0  # one house from the supply
    MOVE = 1  # one own piece
    WALL = 2  # one or two stone walls
    DONATION = 3  # this and the following are nomad tiles: up to three houses
    RESETTLEMENT = 4  # up to four steps of own pieces
    OUTPOST = 5  # the next placement may ignore adjacency
    SWORD = 6  # a piece of each other seat is removed
    TREASURE = 7  # gold when it is gained

class Filter(IntEnum):
    CARD = 0  # the terrain of the turn, adjacent if possible
    TERRAIN = 1  # a fixed terrain, adjacent if possible
    EDGE = 2  # buildable on the edge of the board, adjacent if possible
    LINE_END = 3  # buildable, continuing a line of three or more own settlements
    JUMP = 4  # buildable, exactly two hexes away in a straight line
    CARD_BESIDE = 5  # the terrain of the turn, adjacent to an own settlement
    CROWD = 6  # buildable, adjacent to three or more own settlements
    SLIDE = 7  # buildable, as far as a straight way over free buildable hexes goes
    STEP = 8  # buildable, adjacent to where the piece stands
    NONE = 9  # no hex to choose

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

class Gold(IntEnum):
    """Sources of gold during the game."""

    TREASURE = 0
    FAMILIES = 1
    SHEPHERDS = 2
    AMBASSADORS = 3

class Option(IntFlag):
    LORDS_NEED_PRESENCE = 1
    VACATED_HEX_COUNTS = 2
    EXHAUSTED_DISCARD = 4
    EXHAUSTED_ANY_HEX = 8
    LOST_TILES_RETURN = 16
    SWORD_ONE = 32
    SWORD_CANCELS_END = 64

class Phase(IntEnum):
    PRE = 0
    BUILD = 1
    POST = 2
    OVER = 3

class Draw(IntEnum):
    NONE = 0
    REVEAL = 1  # the mover's hand card is to be turned up
    REPLACE = 2  # an exhausted card is to be replaced from the draw pile

class Step(IntEnum):
    """Kinds of step. A step is ``kind << 24 | slot << 16 | cell``."""

    END = 0
    BUILD = 1  # slot 0: mandatory action; slot n: the board's n-th tile kind, counted from 1
    LIFT = 2  # cell: where the piece stands
    PUT = 3  # cell: where it goes; slot 0
    WALL = 4  # lay a stone wall
    DECLARE = 5  # the tile of this slot, an outpost, is used for the next placement; cell 0
    REMOVE = 6  # cell: where the piece of another seat stands
    STOP = 7  # no further step of the action under way; slot 0, cell 0

class SeatFields(TypedDict):
    cells: list[int]  # own settlements, sorted
    supply: int
    taken: list[int]  # indices into the board's spaces, sorted
    held: list[int]  # the part of taken whose tile is still there
    ready: list[int]  # number of tiles per tile kind of the board (index 0 = slot 1)
    fresh: list[int]
    used: list[int]
    gold: list[int]  # by Gold

class Fields(TypedDict):
    """All of a position in integers; seats are numbered in turn order."""

    mover: int
    start: int
    phase: int
    due: int  # houses of the mandatory action to go, in phase BUILD; otherwise 0
    card: int  # the card turned up, or -1
    draw: int
    any_terrain: bool
    lift: tuple[int, int] | None  # slot, cell
    doing: tuple[int, int] | None  # slot, steps left (for a sword: the seat it takes from next)
    outpost: bool  # declared for the next placement
    built: list[int]  # cells of the mandatory action so far, in phase BUILD with Families in play
    walls: list[int]  # cells
    gone: list[int]  # indices of nomad spaces whose tile has been taken
    final: bool
    # CARD_KINDS counts: draw pile and hidden hands of the seats not in held or no_card
    unseen: list[int]
    held: list[tuple[list[int], list[int]]]  # (counts, seats), oldest first
    no_card: list[int]
    discard: list[int]
    spent: list[int]
    seats: list[SeatFields]

@final
class Board:
    """What a game is played on: everything that does not change after set-up."""

    def __init__(
        self,
        *,
        terrain: bytes,  # N_CELLS Terrain codes
        spaces: Sequence[tuple[int, int, int]],  # (cell, Space, slot of its tiles or 0)
        tiles: Sequence[tuple[int, int, int]],  # slot 1, 2, ...: (Action, Filter, Terrain or VOID)
        cards: Sequence[int],  # Score rules in play besides CASTLES
        seats: int,
        deck: Sequence[int],  # CARD_KINDS counts
        houses: int = 40,
        walls: int = 25,
        options: int = 2,
        source: object = None,  # whatever it was compiled from; not looked into
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
    def options(self) -> int: ...
    def terrain(self, cell: int) -> int: ...
    def neighbours(self, cell: int) -> tuple[int, ...]: ...
    def spaces_beside(self, cell: int) -> tuple[int, ...]:
        """Return the indices of the spaces adjacent to a cell."""

@final
class Position:
    """A moment of a game as everybody at the table knows it, plus the mover's card."""

    def __init__(self, board: Board, start: int = 0) -> None:
        """Start a game: nobody has built, the start seat's card is to be turned up."""
    @classmethod
    def from_fields(cls, board: Board, fields: Fields) -> Position:
        """Build any position; ValueError if the fields contradict each other."""
    def fields(self) -> Fields: ...
    @property
    def board(self) -> Board: ...
    @property
    def mover(self) -> int: ...
    @property
    def phase(self) -> int: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def pending_draw(self) -> int: ...
    def draws(self) -> tuple[int, ...]:
        """Return the CARD_KINDS counts a pending draw is made from; all 0 when none is pending."""
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
    def score_detail(self) -> tuple[tuple[int, ...], ...]:
        """Return for each seat the gold by rule: CASTLES, TREASURE, then the board's cards."""
    def perft(self, depth: int) -> int:
        """Count the sequences of ``depth`` steps; a draw is a step, too."""
    def playout(self, seed: int) -> None:
        """Play at random to the end of the game."""
    def playout_steps(self, seed: int) -> list[int]:
        """Like playout, and return what was done: steps, and draws as ``-1 - card``."""
    def playouts(self, count: int, seed: int) -> tuple[list[int], list[int]]:
        """Play ``count`` copies to the end; return each seat's gold and games won or shared."""
    def check(self) -> None:
        """Recompute all that is kept incrementally; AssertionError if anything differs."""
