"""The kernel's data model: one BoardData per game, one State per moment of it.

Cells have two numbers. Outside the kernel a cell is row * 20 + column (400 + row * 10 + column on
the island). Inside it is a *bit*: the cells are numbered terrain by terrain, so that the cells of
one terrain fill one 64-bit word and seldom a second, and "free cells of this terrain beside my
settlements" is one AND of one or two words. Lines and areas need geometry, so every seat also
keeps its settlements in *rows*: sheared coordinates, in which the six neighbours are the same
shifts on every row, without a case for odd and even ones.
"""

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t

cpdef enum:
    N_CELLS = 512
    MAX_SEATS = 5
    MAX_SPACES = 64
    MAX_TILE_KINDS = 16  # on one board
    CARD_KINDS = 10  # terrain cards: five plain, five marsh

cdef enum:
    WORDS = 8  # 512 bits: 400 hexes and room for the island
    BITS = N_CELLS
    NOWHERE = 511  # stands for "off the board" in neighbour tables; never a cell
    ROWS = 32  # rows[2..21] the board, rows[24..28] the island, the others stay empty as margins
    BOARD_ROW = 2
    ISLAND_ROW = 24
    ISLAND_CELL = 400
    MAX_SLOTS = 17  # slot 0 is the mandatory action, 1..16 the tile kinds of the board
    MAX_CARDS = 32
    MAX_POOLS = 6
    MAX_AREAS = 64  # more than a seat has pieces
    MAX_STEPS = MAX_SLOTS * BITS
    NO_HAND = 255  # Seat.hand: no hidden card
    NO_TERRAIN = 255  # State.terrain: no card to build with
    NO_CARD = -1

cdef enum:  # terrains; the first five have cards
    GRASS
    CANYON
    DESERT
    FLOWER
    FOREST
    MARSH
    FARMLAND
    WATER
    MOUNTAIN
    SPECIAL
    VOID

cdef enum:  # masks of a board: one per terrain up to MOUNTAIN, then these
    MASK_BUILD = SPECIAL  # every buildable terrain
    MASK_EDGE  # buildable, on the edge of the board
    N_MASKS

cdef enum:  # special spaces
    SPACE_LOCATION
    SPACE_CASTLE
    SPACE_NOMAD
    N_SPACE_KINDS

cdef enum:  # what a tile lets its owner do
    ACTION_BUILD
    ACTION_MOVE
    ACTION_WALL
    ACTION_DONATION  # from here on nomad tiles: usable in one turn only
    ACTION_RESETTLEMENT
    ACTION_OUTPOST
    ACTION_SWORD
    ACTION_TREASURE
    N_ACTIONS

cdef enum:  # where it lets him do it
    FILTER_CARD
    FILTER_TERRAIN
    FILTER_EDGE
    FILTER_LINE_END
    FILTER_JUMP
    FILTER_CARD_BESIDE
    FILTER_CROWD
    FILTER_SLIDE
    FILTER_STEP
    FILTER_NONE
    N_FILTERS

cdef enum:  # scoring rules
    SCORE_CASTLES
    SCORE_FISHERMEN
    SCORE_MINERS
    SCORE_WORKERS
    SCORE_DISCOVERERS
    SCORE_KNIGHTS
    SCORE_HERMITS
    SCORE_CITIZENS
    SCORE_MERCHANTS
    SCORE_FARMERS
    SCORE_LORDS
    SCORE_TREASURE
    SCORE_FAMILIES
    SCORE_SHEPHERDS
    SCORE_AMBASSADORS
    N_SCORES

cdef enum:  # sources of gold during the game
    GOLD_TREASURE
    GOLD_FAMILIES
    GOLD_SHEPHERDS
    GOLD_AMBASSADORS
    N_GOLD

cdef enum:  # options, bits of BoardData.options
    OPTION_LORDS_NEED_PRESENCE = 1
    OPTION_VACATED_HEX_COUNTS = 2
    OPTION_EXHAUSTED_DISCARD = 4
    OPTION_EXHAUSTED_ANY_HEX = 8
    OPTION_LOST_TILES_RETURN = 16
    OPTION_SWORD_ONE = 32
    OPTION_SWORD_CANCELS_END = 64
    OPTIONS_ALL = 127

cdef enum:
    PHASE_PRE
    PHASE_BUILD
    PHASE_POST
    PHASE_OVER

cdef enum:
    DRAW_NONE
    DRAW_REVEAL
    DRAW_REPLACE

cdef enum:
    STEP_END
    STEP_BUILD
    STEP_LIFT
    STEP_PUT
    STEP_WALL
    STEP_DECLARE
    STEP_REMOVE
    STEP_STOP
    N_STEPS

cdef struct Mask:
    uint64_t w[WORDS]
    uint8_t n  # how many words are not 0 ...
    uint8_t index[WORDS]  # ... and which

cdef struct Tile:
    uint8_t action
    uint8_t filter
    uint8_t mask  # of FILTER_TERRAIN and FILTER_EDGE; FILTER_CARD takes the turn's

cdef struct BoardData:
    # What every placement looks up, one cache line a cell.
    uint64_t near[BITS][WORDS]  # the neighbours of a cell
    uint64_t touch[BITS]  # the spaces with tiles beside a cell, as bits of their index
    uint64_t beside[BITS]  # all special spaces beside a cell
    uint16_t neighbour[BITS][6]  # E, W, NE, NW, SE, SW; NOWHERE off the board
    uint16_t jump[BITS][6]  # two hexes away in the same directions
    uint8_t row[BITS]
    uint8_t shear[BITS]  # bit number in its row
    uint8_t terrain[BITS]
    Mask masks[N_MASKS]
    uint64_t castle[WORDS]
    uint64_t fish[WORDS]  # not water, beside water
    uint64_t mine[WORDS]  # not mountain, beside a mountain
    uint64_t work[WORDS]  # beside a special space
    uint64_t quadrant[4][WORDS]
    uint64_t locations  # location spaces, as bits of their index
    uint64_t nomads  # nomad spaces on which a tile was laid
    uint64_t nomad_tiles  # the four bits of every nomad tile's slot
    uint64_t open[WORDS]  # cells a piece may ever stand on
    uint32_t build_rows[ROWS]  # MASK_BUILD in rows
    uint32_t work_rows[ROWS]  # work in rows
    uint16_t at[ROWS][32]  # the bit at a row and shear; NOWHERE off the board
    uint16_t bit_of[BITS]  # cell -> bit; NOWHERE where there is no hex
    uint16_t cell_of[BITS]
    uint16_t space_bit[MAX_SPACES]
    uint8_t space_kind[MAX_SPACES]
    uint8_t space_slot[MAX_SPACES]
    Tile tiles[MAX_SLOTS]
    uint8_t cards[MAX_CARDS]
    uint8_t deck[CARD_KINDS]
    uint8_t n_rows  # rows to look at, with three of margin behind the last one that has cells
    uint8_t n_spaces
    uint8_t n_slots  # slot 0 included
    uint8_t n_cards
    uint8_t n_seats
    uint8_t houses
    uint8_t walls
    uint8_t needs_areas  # a card in play asks for settlement areas
    uint8_t red  # cards in play that score during the game, bits by source of gold
    uint8_t options

cdef struct Seat:
    uint64_t own[WORDS]  # own settlements
    uint64_t near[WORDS]  # all cells adjacent to one of them
    uint32_t rows[ROWS]  # own settlements again, in rows
    uint64_t ready  # tiles by slot, four bits each (slot 1 in the lowest); nomad tiles, too
    uint64_t fresh  # gained this turn
    uint64_t used  # used this turn
    uint64_t taken  # location spaces this seat has ever taken a tile from
    uint64_t held  # those it still holds the tile of
    uint16_t gold[N_GOLD]  # during the game, by source
    uint8_t supply
    uint8_t hand  # pool its hidden card is in, NO_HAND: it has none

cdef struct State:
    uint64_t free[WORDS]  # cells a piece could stand on now
    uint64_t walls[WORDS]  # stone walls
    uint64_t left_one  # spaces with at least one tile left
    uint64_t left_two  # location spaces with both
    # Hidden cards by where they came from. pools[0] is the draw pile and the hands dealt from it;
    # a reshuffle leaves the hands of the old pile in a pool of their own, oldest first from 1.
    uint8_t pools[MAX_POOLS][CARD_KINDS]
    uint8_t totals[MAX_POOLS]
    uint8_t discard[CARD_KINDS]
    uint8_t spent[CARD_KINDS]  # replaced this turn, to be discarded at its end
    uint8_t n_pools
    uint8_t pile  # cards in the draw pile: totals[0] less the hands in it
    uint8_t n_seats
    uint8_t start
    uint8_t mover
    uint8_t phase
    uint8_t due  # houses to go in PHASE_BUILD
    uint8_t draw
    int8_t card  # turned up, -1: none
    uint8_t terrain  # mask of the turn's terrain, NO_TERRAIN without a card
    uint8_t final  # the last round is fixed
    uint8_t lift_slot  # 0: nothing lifted
    uint16_t lift  # bit of the lifted piece
    uint16_t built[2]  # first houses of the mandatory action, for Families, by cell
    uint8_t n_built
    uint8_t doing  # slot of an action of several steps that is under way, or 0
    uint8_t doing_left  # steps that may or must follow; for a sword the seat it takes from
    uint8_t outpost  # declared for the next placement
    Seat seats[MAX_SEATS]  # last, so that a copy may stop at the seats in play

cdef class Board:
    cdef void* memory
    cdef BoardData* data
    cdef readonly object source
    cdef int bit(self, cell) except -1

cdef class Position:
    cdef readonly Board board
    cdef State state
    cdef uint64_t _spaces(self, indices) except? 0
    cdef uint64_t _nibbles(self, counts) except? 0
    cdef int _check_tiles(self, const Seat* p) except -1
    cdef int _set_left(self) except -1
    cdef int _set_pool(self, int k, counts) except -1
    cdef int _check_deck(self) except -1
    cdef int _set_lift(self, slot, cell) except -1
    cdef int _set_action(self, fields) except -1
