"""The kernel's data model: one BoardData for a game, one State for each moment of it.

Cells have two numbers. Outside the kernel a cell is row * 20 + column (400 + row * 10 + column on
the island). Inside it is a *bit*. Bits are numbered terrain by terrain, so that the cells of one
terrain fill one 64-bit word and seldom a second. "Free cells of this terrain beside my settlements"
is then an AND of one or two words. Lines and areas need geometry, so each seat also keeps its
settlements in *rows*: sheared coordinates, in which the six neighbours are the same shifts on every
row, whether it is odd or even.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

cpdef enum:
    N_CELLS = 512
    MAX_SEATS = 5
    MAX_SPACES = 64
    MAX_TILE_KINDS = 16  # on one board
    CARD_KINDS = 10  # terrain cards: five plain, five marsh
    MAX_TOKENS = 18  # for all cathedrals together

cdef enum:
    PLAIN_CARDS = 5
    WORDS = 8  # 512 bits: 400 hexes and room for the island
    BITS = N_CELLS
    NOWHERE = 511  # "off the board" in tables of neighbours; never a cell
    ROWS = 32  # 2..21 are the board, 24..28 the island; the others are margins and stay empty
    BOARD_ROW = 2
    ISLAND_ROW = 24
    ISLAND_CELL = 400
    MAX_SLOTS = 17  # slot 0 is the mandatory action, 1..16 the tile kinds of the board
    MAX_CARDS = 32
    N_ALWAYS = 4  # scored without a card: castles, treasure, palaces, capitols
    MAX_POOLS = 12  # the draw pile, and at most two older piles for each seat's hand
    MAX_REACT = 32
    MAX_CAPITOLS = 8
    FIGURES = 4  # of a seat: two warriors, the wagon, the ship
    WAGON = 2
    SHIP = 3
    HILL_WORDS = 3  # room for more mountains than 450 hexes can hold
    MAX_AREAS = 64  # more than a seat has pieces
    MAX_STEPS = MAX_SLOTS * BITS
    NO_TERRAIN = 255  # State.terrain: no card to build with
    NO_CARD = -1
    NO_QUADRANT = 4
    TO_DRAW = 255  # State.doing_left of a fort whose card is not drawn yet
    MOVING = 4  # added to State.doing_left if a silo moves pieces
    MAX_MOVED = 4  # pieces of a resettlement

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
    MASK_WAGON  # buildable or mountain
    MASK_WATERSIDE  # buildable, beside water
    MASK_FOOTHILL  # buildable, beside a mountain
    MASK_SPECIAL_SIDE  # buildable, beside a special space
    MASK_CAVE_SIDE  # buildable, beside a cave
    N_MASKS

cdef enum:  # special spaces
    SPACE_LOCATION
    SPACE_CASTLE
    SPACE_NOMAD
    SPACE_PALACE
    SPACE_SILO
    N_SPACE_KINDS

cdef enum:  # what a tile lets its owner do
    ACTION_BUILD
    ACTION_MOVE
    ACTION_WALL
    ACTION_FORT
    ACTION_WARRIOR
    ACTION_WAGON
    ACTION_SHIP
    ACTION_HALL
    ACTION_CROSSROADS
    ACTION_TEMPLE
    ACTION_CANOE
    ACTION_TEMPLE_BONUS
    ACTION_FOUNTAIN_BONUS
    ACTION_BAZAAR
    ACTION_SCOUT
    ACTION_CATHEDRAL
    ACTION_SILO
    ACTION_DONATION  # from here on nomad tiles: usable in one turn only
    ACTION_RESETTLEMENT
    ACTION_OUTPOST
    ACTION_SWORD
    ACTION_TREASURE
    N_ACTIONS

cdef enum:  # where the tile may be used; up to SHORE adjacent if possible
    FILTER_CARD
    FILTER_TERRAIN
    FILTER_EDGE
    FILTER_LAND
    FILTER_LAND_OR_MOUNTAIN
    FILTER_WATERSIDE
    FILTER_FOOTHILL
    FILTER_SPECIAL_SIDE  # the last one with a fixed mask
    FILTER_WATCH
    FILTER_SHORE
    FILTER_LINE_END
    FILTER_JUMP
    FILTER_CARD_BESIDE
    FILTER_BESIDE
    FILTER_CROWD
    FILTER_LONELY
    FILTER_SLIDE
    FILTER_STEP
    FILTER_NEAREST
    FILTER_AREA
    FILTER_CAVE
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
    SCORE_ROVERS
    SCORE_PALACES
    SCORE_CAPITOLS
    SCORE_GEOLOGISTS
    SCORE_MESSENGERS
    SCORE_NOBLEWOMEN
    SCORE_VASSALS
    SCORE_CAPTAINS
    SCORE_SCOUTS
    SCORE_RANGERS
    SCORE_MAYORS
    SCORE_TRAVELERS
    SCORE_CHAINERS
    SCORE_HOMESTEADERS
    SCORE_HOME_COUNTRY  # from here on tasks
    SCORE_FORTRESS
    SCORE_ROAD
    SCORE_PLACE_OF_REFUGE
    SCORE_ADVANCE
    SCORE_COMPASS_POINTS
    N_SCORES

cdef enum:  # sources of gold during the game
    GOLD_TREASURE
    GOLD_FAMILIES
    GOLD_SHEPHERDS
    GOLD_AMBASSADORS
    GOLD_ROVERS
    N_GOLD

cdef enum:  # options, bits of BoardData.options
    OPTION_LORDS_NEED_PRESENCE = 1
    OPTION_VACATED_HEX_COUNTS = 2
    OPTION_EXHAUSTED_DISCARD = 4
    OPTION_EXHAUSTED_ANY_HEX = 8
    OPTION_LOST_TILES_RETURN = 16
    OPTION_SWORD_ONE = 32
    OPTION_SWORD_CANCELS_END = 64
    OPTION_FIGURES_BY_OWN_TILE = 128
    OPTION_CANOE_SELF = 256
    OPTION_ISLAND_KNIGHTS = 512
    OPTION_ALL_SPACES_COUNT = 1024
    OPTION_CROSSROADS_IDENTICAL_ANY = 2048
    OPTION_FIGURES_ANYWHERE = 4096
    OPTION_RED_ANY_TURN = 8192
    OPTION_TILES_AT_END = 16384
    OPTIONS_ALL = 32767

cdef enum:
    PHASE_PRE
    PHASE_BUILD
    PHASE_POST
    PHASE_SILO
    PHASE_OVER

cdef enum:
    DRAW_NONE
    DRAW_REVEAL
    DRAW_REPLACE
    DRAW_FORT

cdef enum:
    STEP_END
    STEP_BUILD
    STEP_LIFT
    STEP_PUT
    STEP_WALL
    STEP_DECLARE
    STEP_REMOVE
    STEP_STOP
    STEP_CHOOSE
    STEP_BACK
    STEP_TAKE
    STEP_REPEAT
    STEP_SCOUT
    STEP_PASS
    N_STEPS

cdef struct Mask:
    uint64_t w[WORDS]
    uint8_t n  # number of words that are not 0 ...
    uint8_t index[WORDS]  # ... and which they are

cdef struct Tile:
    uint8_t action
    uint8_t filter
    uint8_t mask  # for filters with a fixed one; FILTER_CARD takes that of the turn

cdef enum:  # preferences: the hexes on which an informed playout would rather build
    PREFER_TILE  # beside a space where the seat can gain a tile
    PREFER_CASTLE  # beside a castle that the seat has not reached yet
    PREFER_SPACE  # beside any special space not reached yet: Merchants
    PREFER_LINK  # beside a palace or silo not reached yet
    PREFER_CASTLE_AHEAD  # within two hexes of a castle not reached yet
    PREFER_SPACE_AHEAD  # within two hexes of any special space not reached yet: Merchants
    PREFER_NEW_ROW  # in a row without an own settlement: Discoverers, Rangers
    PREFER_BEST_ROW  # in a row with the most own settlements: Knights, Mayors
    PREFER_ROW_AHEAD  # in a row beside one of those: Knights
    PREFER_LORDS  # in a quadrant that the seat may win
    PREFER_FARMERS  # in the quadrant with the fewest own settlements
    PREFER_FARM_AHEAD  # within two hexes of that quadrant
    PREFER_FARM_FAR  # within five
    PREFER_HOME  # in the quadrant with the most own settlements: Homesteaders
    PREFER_ROVERS  # in a quadrant not built in during this turn
    PREFER_OTHERS  # beside another seat's settlement: Ambassadors
    PREFER_APART  # beside one own settlement at most: Hermits, Chainers
    PREFER_CROWD  # beside two or more: Citizens, Captains
    PREFER_HILLS  # beside a mountain: Geologists
    PREFER_EDGE  # on the edge of the board: tasks
    PREFER_NOBLE  # beside a space of the Noblewomen
    PREFER_CELL  # where the hex itself pays at least one gold ...
    PREFER_CELL_2  # ... two
    PREFER_CELL_3  # ... three
    N_PREFERENCES
    SIDE_PREFERENCES = PREFER_CASTLE_AHEAD  # those before this one: beside special spaces
    SPACE_PREFERENCES = PREFER_NEW_ROW  # those before this one: special spaces
    FIXED_PREFERENCES = PREFER_HILLS  # from here on their cells never change
    N_FIXED_PREFERENCES = N_PREFERENCES - FIXED_PREFERENCES

cdef struct Ranking:  # some preferences, the most valuable first; the last has the highest index
    uint32_t offsets[N_PREFERENCES]  # where the cells of each one begin in Preferences.cells
    int values[N_PREFERENCES + 1]  # in eighths of gold
    Py_ssize_t begin  # index of the first one less N_PREFERENCES, so that a loop ends at 0
    Py_ssize_t rest  # the same for the first one that is worth less than a free choice of hexes
    int total  # value of all of them together

cdef struct BoardData:
    # What each placement looks up, one cache line for a cell.
    uint64_t near[BITS][WORDS]  # the neighbours of a cell ...
    uint64_t kin[BITS]  # ... and those in its own word alone
    uint64_t touch[BITS]  # spaces with tiles beside a cell, as bits of their index
    uint64_t beside[BITS]  # special spaces beside a cell that count for Workers and Merchants
    uint64_t sides[BITS]  # all special spaces beside it
    uint16_t neighbour[BITS][6]  # E, W, NE, NW, SE, SW; NOWHERE off the board
    uint16_t jump[BITS][6]  # buildable hexes two away in the same directions, ascending
    uint64_t jump_cells[BITS][WORDS]  # the same as a set
    uint64_t jump_lanes[BITS][4]  # the same as lanes (bits.h)
    uint8_t row[BITS]
    uint8_t shear[BITS]  # bit number in its row
    uint32_t shear_bit[BITS]  # that bit alone
    uint8_t terrain[BITS]
    Mask masks[N_MASKS]
    uint64_t land[FOREST + 1]  # the word of a terrain with cards; 0 if it has more than one
    uint8_t scattered  # terrains with cards that have more than one word, as bits
    uint64_t castle[WORDS]
    uint64_t palace[WORDS]
    uint64_t noble[WORDS]  # spaces that pay for Noblewomen
    uint64_t fish[WORDS]  # not water, beside water
    uint64_t mine[WORDS]  # not mountain, beside a mountain
    uint64_t work[WORDS]  # beside a special space that counts for Workers
    uint64_t scouted[WORDS]  # for the card Scouts: beside its terrain, but not of it
    uint64_t traveler[WORDS]  # on the edge of the board, whatever the terrain
    uint64_t edges[4][WORDS]  # the same for each side: top, bottom, left, right
    uint64_t vassal[WORDS]  # on an inner border
    uint64_t cave_side[WORDS]  # beside a cave
    uint64_t hall_sites[WORDS]  # buildable with six buildable neighbours
    uint64_t capitol[MAX_CAPITOLS][WORDS]  # within two hexes of each capitol
    uint64_t quadrant[4][WORDS]
    uint64_t locations  # location spaces, as bits of their index
    uint64_t nomads  # nomad spaces on which a tile was laid
    uint64_t nomad_tiles  # the four bits of every nomad tile's slot
    uint64_t canoe_tiles  # the four bits of the canoe's slot
    uint64_t permanent  # one tile of each action that everybody always has
    uint64_t silos  # silo spaces, as bits of their index
    uint64_t counted  # spaces that count for Workers and Merchants
    uint64_t slot_spaces[MAX_SLOTS]  # the spaces whose tiles are of a slot
    uint64_t open[WORDS]  # cells that a piece can ever stand on
    uint32_t build_rows[ROWS]  # MASK_BUILD in rows
    uint32_t work_rows[ROWS]  # work in rows
    uint16_t at[ROWS][32]  # the bit at a row and shear; NOWHERE off the board
    uint16_t bit_of[BITS]  # cell -> bit; NOWHERE where there is no hex
    uint16_t cell_of[BITS]
    uint64_t hills[BITS][HILL_WORDS]  # the mountains that a cell touches or is part of ...
    uint8_t hill_words  # ... and how many words of these are in use
    uint16_t area[BITS]  # number of the terrain area of a cell of the main board ...
    uint16_t area_size[BITS]  # ... and how many cells each area has
    uint16_t space_bit[MAX_SPACES]
    uint8_t space_at[BITS]  # the space on a special cell
    Mask spaces  # all of them
    uint8_t space_kind[MAX_SPACES]
    uint8_t space_slot[MAX_SPACES]
    uint64_t castles  # castle spaces, as bits of their index
    uint64_t palace_spaces
    uint8_t cell_gold[BITS]  # what the cards in play pay for the cell of a settlement alone
    uint8_t asking[MAX_CARDS]  # the cards in play that ask for more than the cell
    uint8_t n_asking
    # For kernel/preferences.pxi, as the cards in play make it.
    int preference_value[N_PREFERENCES]  # in eighths of gold; tiles get theirs during the game
    Ranking ranking  # the preferences with a value, without tiles ...
    Ranking ranking_off_sides  # ... and without those for the sides of special spaces
    uint8_t asks  # what has to be kept up to date, ASKS_ bits
    uint64_t fixed_cells[N_FIXED_PREFERENCES][WORDS]
    uint64_t untouched_cells[SPACE_PREFERENCES][WORDS]  # while a seat has reached no space
    uint64_t row_cells[ROWS][WORDS]
    uint64_t ahead[MAX_SPACES][WORDS]  # within two hexes of a special space
    uint64_t shares_side[MAX_SPACES]  # special spaces that share a neighbour with this one ...
    uint64_t shares_ahead[MAX_SPACES]  # ... or a cell within two hexes
    # For each set of quadrants: their cells, the cells within two hexes, and within five.
    uint64_t quadrants[16][WORDS]
    uint64_t quadrants_ahead[16][WORDS]
    uint64_t quadrants_far[16][WORDS]
    uint64_t away[1 << PLAIN_CARDS][WORDS]  # for each set of terrains: the cells beside none
    uint64_t remote[WORDS]  # cells that are beside no special space ...
    uint64_t spare[WORDS]  # ... and pay nothing
    uint8_t terrains_beside[BITS]  # the terrains with cards beside a cell, as bits
    uint8_t quadrant_of[BITS]
    uint8_t bonus[MAX_SLOTS]  # slot of the bonus tile of a location kind, or 0
    uint8_t gain[MAX_SLOTS]  # whether gaining a tile of this slot does more than count it
    uint8_t repeatable[MAX_SLOTS]  # by a bazaar
    Tile tiles[MAX_SLOTS]
    uint8_t cards[MAX_CARDS]
    uint8_t deck[CARD_KINDS]
    uint8_t n_rows  # rows to look at: up to three behind the last one that has cells
    uint8_t n_spaces
    uint8_t n_slots  # slot 0 included
    uint8_t n_cards
    uint8_t n_seats
    uint8_t houses
    uint8_t walls
    uint8_t n_capitols
    # Slots of the tiles that the kernel asks for by name; 0 if they are not on this board.
    uint8_t canoe_slot
    uint8_t crossroads_slot
    uint8_t cathedral_slot
    uint8_t scout_slot
    uint8_t silo_slot
    uint8_t temple_bonus_slot
    uint8_t fountain_bonus_slot
    uint8_t figures  # whether there are figures or city halls
    uint8_t mayors  # whether rows are marked
    uint8_t marsh  # whether there is a marsh hex
    uint8_t palaces  # whether there are any
    uint8_t tidies  # whether the end of a turn does more than discard a card and draw one
    uint8_t plain  # whether mandatory actions are always plain, see is_plain
    # Cards of five terrains, tiles that build or move one house, no gold before the end: nothing
    # more than the base game has.
    uint8_t simple
    uint8_t needs_areas  # whether a card in play asks for settlement areas, NEEDS_ bits
    uint8_t red  # cards in play that score during the game, as bits by source of gold
    uint16_t options

cdef struct Seat:
    uint64_t own[WORDS]  # own settlements: houses, figures, the hexes of the city hall
    uint64_t near[WORDS]  # all cells beside one of them
    uint32_t rows[ROWS]  # own settlements again, in rows
    uint64_t ready  # tiles by slot, four bits each (slot 1 in the lowest); nomad tiles, too
    uint64_t fresh  # gained this round, before the own turn in it is over
    uint64_t used  # used this turn
    uint64_t taken  # location spaces from which this seat has ever taken a tile ...
    uint64_t held  # ... and those whose tile it still has
    uint32_t mayors  # rows marked
    uint16_t gold[N_GOLD]  # during the game, by source
    uint16_t figures[FIGURES]  # bits; NOWHERE: in the reserve; the two warriors sorted by cell
    uint16_t hall  # bit of the city hall's centre, NOWHERE: not placed
    uint8_t supply
    uint8_t temple  # houses on temple tiles
    uint8_t tokens  # of the cathedral
    uint8_t roved  # quadrants built in during this turn, as bits
    uint8_t n_hidden  # hidden cards ...
    uint8_t hands[MAX_POOLS]  # ... and the pools they are in
    uint8_t unused[47]  # so that the boards of each seat begin on a cache line

cdef struct State:
    uint64_t free[WORDS]  # cells a piece could stand on now
    uint64_t walls[WORDS]  # stone walls
    uint64_t blocked[WORDS]  # cells beside a warrior
    uint64_t scouts[WORDS]  # scout tokens, the mover's
    uint64_t left_one  # spaces with at least one tile left
    uint64_t left_two  # location spaces with both tiles left
    # Hidden cards by where they came from. pools[0] is the draw pile and the hands dealt from it;
    # a reshuffle leaves the hands of the old pile in a pool of their own, oldest first from 1.
    uint8_t pools[MAX_POOLS][CARD_KINDS]
    uint8_t totals[MAX_POOLS]
    uint8_t discard[CARD_KINDS]
    uint8_t spent[CARD_KINDS]  # replaced this turn, to be discarded at its end
    uint8_t hand[CARD_KINDS]  # the mover's cards that are turned up, without the one played
    uint8_t n_hand
    uint8_t choosing  # whether one of several cards is still to be chosen
    uint8_t n_pools
    uint8_t pile  # cards in the draw pile: totals[0] less the hands in it
    uint8_t n_seats
    uint8_t start
    uint8_t mover
    uint8_t phase
    uint8_t due  # houses still to build in PHASE_BUILD
    uint8_t draw
    int8_t card  # played, -1: none
    uint8_t terrain  # mask of the turn's terrain, NO_TERRAIN without a card
    uint8_t final  # the last round is fixed
    uint8_t lift_slot  # 0: nothing lifted
    uint16_t lift  # bit of the lifted piece
    uint16_t built[2]  # the first houses of the mandatory action, for Families, sorted by cell
    uint8_t n_built
    uint8_t n_moved
    uint16_t moved[MAX_MOVED]  # pieces of a resettlement, if tiles wait for its end, by cell
    uint8_t doing  # slot of an action of several steps that is under way, or 0
    # Steps that are left; for a sword the seat it takes from, for a fort its card
    uint8_t doing_left
    uint8_t outpost  # declared for the next placement
    uint8_t repeat  # slot that a bazaar repeats, before its first step; or 0
    uint8_t owed  # temple houses to be built in this turn
    uint8_t silos  # silo actions the mover may still begin
    uint8_t n_scouts
    uint8_t n_react  # interruptions by canoes that are under way, the outermost first
    uint8_t react_taker[MAX_REACT]
    uint8_t react_next[MAX_REACT]  # the seat that is asked next
    uint8_t unused[40]  # see Seat
    Seat seats[MAX_SEATS]  # at the end, so that a copy can stop after the seats in play

cdef struct Rng:
    uint64_t state

cdef struct Trace:
    int32_t* steps  # packed steps, and cards drawn as -1 - card
    int n
    int room

cdef struct Policy:  # how informed playouts choose, in gold except for the first
    int candidates  # pieces tried for a move
    float tile  # value of a location tile for each turn that is left
    float least_build  # a tile builds only where a house is worth this much
    float least_move  # a tile moves a piece only if it gains this much

cdef Policy policy_of(values) except *

cdef class Board:
    cdef void* memory
    cdef BoardData* data
    cdef readonly object source
    cdef int bit(self, cell) except -1
    cdef int _set_tiles(self, tiles, permanent, bonus) except -1
    cdef int _set_spaces(self, codes, spaces) except -1
    cdef int _set_cards(self, cards, int scouted) except -1

cdef class Position:
    cdef readonly Board board
    cdef State state
    cdef int _lay(self, cells, uint64_t* board, what) except -1
    cdef int _set_piece(self, Seat* p, cell) except -1
    cdef bint _has_action(self, int action) except -1
    cdef int _set_figures(self, Seat* p, seat) except -1
    cdef int _set_seat(self, Seat* p, seat) except -1
    cdef int _set_hands(self, fields) except -1
    cdef int _set_turn(self, fields) except -1
    cdef bint _has_terrain(self, int terrain) except -1
    cdef uint64_t _spaces(self, indices) except? 0
    cdef uint64_t _nibbles(self, counts) except? 0
    cdef int _check_tiles(self, const Seat* p) except -1
    cdef int _check_spaces(self, int seat) except -1
    cdef int _set_left(self) except -1
    cdef int _set_pool(self, int k, counts) except -1
    cdef int _check_deck(self) except -1
    cdef int _set_doing(self, slot, left) except -1
    cdef int _set_action(self, fields) except -1
    cdef int _set_moved(self, cells) except -1
    cdef int _set_lift(self, slot, cell) except -1
    cdef dict _seat_fields(self, const Seat* p)

# What the tree calls, a few times for each visit.
cdef size_t state_bytes(const State* s) noexcept nogil
cdef int deciding_seat(const State* s) noexcept nogil
cdef const uint8_t* cards_to_draw(const State* s) noexcept nogil
cdef void turn_card(const BoardData* b, State* s, int card) noexcept nogil
cdef int list_steps(const BoardData* b, const State* s, uint32_t* out) noexcept nogil
cdef bint can_step(const BoardData* b, const State* s, uint32_t step) noexcept nogil
cdef void do_step(const BoardData* b, State* s, uint32_t step) noexcept nogil
cdef void score_seat(const BoardData* b, const State* s, int seat, int* out) noexcept nogil
cdef void start_random(Rng* rng, uint64_t seed) noexcept nogil
cdef uint32_t draw_random(Rng* rng) noexcept nogil
cdef void random_game(const BoardData* b, State* s, Rng* rng, Trace* trace) noexcept nogil
cdef void informed_game(const BoardData* b, State* s, const Policy* policy, Rng* rng,
                        Trace* trace) noexcept nogil
cdef void rate_steps(const BoardData* b, const State* s, const Policy* policy,
                     const uint32_t* steps, int n, float* out) noexcept nogil
cdef int count_prior_weights() noexcept nogil
cdef void rate_by_model(const BoardData* b, const State* state, const Policy* policy,
                        const float* weights, const uint32_t* steps, int n,
                        float* out) noexcept nogil
cdef int count_value_weights() noexcept nogil
cdef float houses_left(const State* s) noexcept nogil
cdef void guess_gold(const BoardData* b, const State* s, const float* weights,
                     float* out) noexcept nogil
cdef void informed_turns(const BoardData* b, State* s, const Policy* policy, Rng* rng,
                         int turns) noexcept nogil
