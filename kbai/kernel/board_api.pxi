# Board: checks what comes from Python and computes all tables from it.


def _in_range(what, value, low, high):
    """Return an int from Python that may go into a C field."""
    try:
        number = to_int(value)
    except TypeError:
        raise TypeError(f"expected {what} as a whole number, got {value!r:.60}") from None
    if not low <= number <= high:
        raise ValueError(f"expected {what} from {low} to {high}, got {value!r:.60}")
    return number


def _listed(what, values, low, high):
    """Return a sequence from Python as a list that fits into a C array."""
    if not isinstance(values, (list, tuple)):
        raise TypeError(f"expected a list of {what}, got {values!r:.60}")
    if not low <= len(values) <= high:
        number = f"{low}" if low == high else f"{low} to {high}"
        raise ValueError(f"expected {number} {what}, got {len(values)}")
    return list(values)


cdef list _cells(const BoardData* b, const uint64_t* board):
    return sorted([b.cell_of[bit] for bit in range(BITS) if has_bit(board, bit)])


cdef list _counts(const uint8_t* counts):
    return [counts[i] for i in range(CARD_KINDS)]


# The filters that each action may have. The kernel asks a filter only for what its action needs.
_ACTION_FILTERS = {
    ACTION_BUILD: (FILTER_CARD, FILTER_TERRAIN, FILTER_EDGE, FILTER_LAND, FILTER_LAND_OR_MOUNTAIN,
                   FILTER_WATERSIDE, FILTER_FOOTHILL, FILTER_SPECIAL_SIDE, FILTER_WATCH,
                   FILTER_SHORE, FILTER_LINE_END, FILTER_BESIDE, FILTER_CROWD, FILTER_LONELY),
    ACTION_MOVE: (FILTER_CARD, FILTER_TERRAIN, FILTER_JUMP, FILTER_SLIDE, FILTER_STEP,
                  FILTER_NEAREST, FILTER_AREA, FILTER_CAVE),
    ACTION_WALL: (FILTER_CARD_BESIDE,),
    ACTION_WARRIOR: (FILTER_LAND,),
    ACTION_WAGON: (FILTER_LAND_OR_MOUNTAIN,),
    ACTION_SHIP: (FILTER_TERRAIN,),
    ACTION_CANOE: (FILTER_SHORE,),
    ACTION_CATHEDRAL: (FILTER_CARD,),
    ACTION_DONATION: (FILTER_TERRAIN,),
    ACTION_RESETTLEMENT: (FILTER_STEP,),
}
_FILTER_MASKS = {
    FILTER_EDGE: MASK_EDGE, FILTER_LAND: MASK_BUILD, FILTER_LAND_OR_MOUNTAIN: MASK_WAGON,
    FILTER_WATERSIDE: MASK_WATERSIDE, FILTER_FOOTHILL: MASK_FOOTHILL,
    FILTER_SPECIAL_SIDE: MASK_SPECIAL_SIDE,
}
_AREA_CARDS = {
    SCORE_HERMITS: NEEDS_AREAS, SCORE_CITIZENS: NEEDS_SIZES,
    SCORE_MERCHANTS: NEEDS_AREAS | NEEDS_SPACES,
    SCORE_GEOLOGISTS: NEEDS_SHAPES, SCORE_MESSENGERS: NEEDS_SHAPES,
}
# Location tiles that a bazaar does not repeat (R6.5.2); for crossroads see may_repeat.
_NOT_REPEATED = (ACTION_CROSSROADS, ACTION_CANOE, ACTION_TEMPLE_BONUS, ACTION_FOUNTAIN_BONUS,
                 ACTION_BAZAAR, ACTION_SILO)


@cython.boundscheck(True)  # of lists from Python
@cython.final
cdef class Board:
    """What a game is played on: everything that does not change after set-up."""

    def __cinit__(self):
        # The tables have a cache line for each cell only if they start on one.
        self.memory = calloc(1, sizeof(BoardData) + 64)
        if self.memory == NULL:
            raise MemoryError("no memory for a board")
        self.data = <BoardData*>((<uintptr_t>self.memory + 63) & ~<uintptr_t>63)

    def __dealloc__(self):
        free(self.memory)

    def __init__(self, *, terrain, spaces, tiles, cards, seats, deck, houses=40, walls=25,
                 options=OPTION_VACATED_HEX_COUNTS, permanent=(), bonus=(), caves=(), capitols=(),
                 scouted=VOID, source=None):
        cdef BoardData* b = self.data
        cdef bytes codes
        cdef int i
        if b.n_seats:
            raise TypeError("a board is made once")
        memset(b, 0, sizeof(BoardData))  # an attempt may have failed
        if not isinstance(terrain, (bytes, bytearray)):
            raise TypeError(f"expected {BITS} terrain codes as bytes, got {terrain!r:.60}")
        codes = bytes(terrain)
        if len(codes) != BITS or max(codes) > VOID:
            raise ValueError(f"expected {BITS} terrain codes up to {VOID}, got {len(codes)}")
        spaces = [_listed("parts of a space", space, 3, 3)
                  for space in _listed("spaces", spaces, 0, MAX_SPACES)]
        tiles = [_listed("parts of a tile", tile, 3, 3)
                 for tile in _listed("tile kinds", tiles, 0, MAX_TILE_KINDS)]
        cards = _listed("cards", cards, 0, MAX_CARDS)
        deck = _listed("counts of cards", deck, CARD_KINDS, CARD_KINDS)
        capitols = _listed("capitols", capitols, 0, MAX_CAPITOLS)
        if any([code != VOID for code in codes[ISLAND_CELL + 50:]]):
            raise ValueError(f"expected no hex beyond cell {ISLAND_CELL + 49}")
        b.options = _in_range("options", options, 0, OPTIONS_ALL)
        if b.options & OPTION_FIGURES_BY_OWN_TILE and b.options & OPTION_FIGURES_ANYWHERE:
            raise ValueError("expected figures moved by their own tile or onto any terrain")
        number_cells(b, codes)
        connect_cells(b)
        self._set_tiles(tiles, permanent, bonus)
        self._set_spaces(codes, spaces)
        build_masks(b)
        for cell in caves:
            if self.terrain(cell) != MOUNTAIN:
                raise ValueError(f"expected a mountain for a cave, got {cell}")
            build_cave(b, b.bit_of[cell])
        for cell in capitols:
            if not has_bit(b.castle, self.bit(cell)):
                raise ValueError(f"expected a castle for a capitol, got {cell}")
            build_capitol(b, b.bit_of[cell])
        index_masks(b)
        self._set_cards(cards, _in_range("a terrain", scouted, 0, VOID))
        for i in range(CARD_KINDS):
            b.deck[i] = _in_range("a count", deck[i], 0, 200)
        _in_range("cards", sum(deck), 0, 200)
        b.houses = _in_range("houses", houses, 1, 40)
        b.walls = _in_range("walls", walls, 0, 25)
        b.palaces = any_bit(b.palace)
        b.tidies = (b.scout_slot or b.crossroads_slot or b.red >> GOLD_ROVERS & 1
                    or b.options & OPTION_EXHAUSTED_DISCARD) != 0
        b.plain = not (b.canoe_slot or b.mayors or b.scout_slot or any(deck[MARSH:])
                       or any([tile[0] == ACTION_TEMPLE for tile in tiles])
                       or b.temple_bonus_slot)
        b.simple = (
            b.plain and not b.tidies and not b.red and not b.silos
            and not b.options & (OPTION_EXHAUSTED_ANY_HEX | OPTION_SWORD_CANCELS_END)
            and all([tile[0] in (ACTION_BUILD, ACTION_MOVE) for tile in tiles]))
        build_cell_gold(b)
        build_preferences(b)
        self.source = source
        b.n_seats = _in_range("seats", seats, 2, MAX_SEATS)

    cdef int _set_tiles(self, tiles, permanent, bonus) except -1:
        cdef BoardData* b = self.data
        cdef int slot, action, other
        b.n_slots = len(tiles) + 1
        b.tiles[0].filter = FILTER_CARD
        for slot, (action, tile_filter, tile_terrain) in enumerate(tiles, 1):
            b.tiles[slot].action = _in_range("an action", action, 0, N_ACTIONS - 1)
            b.tiles[slot].filter = _in_range("a filter", tile_filter, 0, N_FILTERS - 1)
            if tile_filter in (FILTER_TERRAIN, FILTER_BESIDE):
                b.tiles[slot].mask = _in_range("a tile's terrain", tile_terrain, 0, MOUNTAIN)
            else:
                b.tiles[slot].mask = _FILTER_MASKS.get(tile_filter, 0)
            allowed = _ACTION_FILTERS.get(action, (FILTER_NONE,))
            if tile_filter not in allowed:
                raise ValueError(f"expected a filter {allowed} for the action {action}, "
                                 f"got {tile_filter}")
            b.gain[slot] = action in (ACTION_TREASURE, ACTION_CATHEDRAL)
            b.repeatable[slot] = action < ACTION_DONATION and action not in _NOT_REPEATED
            if action >= ACTION_DONATION:
                b.nomad_tiles |= 15 * one_tile(slot)
            elif action == ACTION_CANOE:
                b.canoe_slot = slot
                b.canoe_tiles = 15 * one_tile(slot)
            elif action == ACTION_CROSSROADS:
                b.crossroads_slot = slot
            elif action == ACTION_CATHEDRAL:
                b.cathedral_slot = slot
            elif action == ACTION_SCOUT:
                b.scout_slot = slot
            elif action == ACTION_SILO:
                b.silo_slot = slot
            elif action == ACTION_TEMPLE_BONUS:
                b.temple_bonus_slot = slot
            elif action == ACTION_FOUNTAIN_BONUS:
                b.fountain_bonus_slot = slot
            elif ACTION_WARRIOR <= action <= ACTION_HALL:
                b.figures = True
        for slot in permanent:
            b.permanent |= one_tile(<int>_in_range("a slot", slot, 1, b.n_slots - 1))
            b.repeatable[slot] = False
        for slot, other in bonus:
            _in_range("a slot", slot, 0, b.n_slots - 1)
            _in_range("a slot", other, 1, b.n_slots - 1)
            b.repeatable[other] = False
            if slot:
                b.bonus[slot] = other
                b.gain[slot] = True
        if b.canoe_slot:  # a tile gained in another seat's turn is ready at once
            memset(b.gain, True, sizeof(b.gain))
        return 0

    cdef int _set_spaces(self, codes, spaces) except -1:
        cdef BoardData* b = self.data
        cdef int i, cell, kind, slot
        b.n_spaces = len(spaces)
        special = sum([1 for code in codes if code == SPECIAL])
        if special != b.n_spaces or len(set([space[0] for space in spaces])) != special:
            raise ValueError(f"expected one space for each of {special} special cells")
        for i, (cell, kind, slot) in enumerate(spaces):
            _in_range("a cell", cell, 0, BITS - 1)
            if codes[cell] != SPECIAL:
                raise ValueError(f"expected a special cell for a space, got {cell}")
            b.space_bit[i] = b.bit_of[cell]
            b.space_kind[i] = _in_range("a kind of space", kind, 0, N_SPACE_KINDS - 1)
            b.space_slot[i] = _in_range("a slot", slot, kind == SPACE_LOCATION, b.n_slots - 1)
            if slot and (kind == SPACE_NOMAD) != (b.tiles[slot].action >= ACTION_DONATION):
                raise ValueError("expected nomad tiles on nomad spaces and only there")
            if kind == SPACE_SILO and not b.silo_slot:
                raise ValueError("expected the action of the silos among the tiles")
        if b.canoe_slot and sum([space[2] == b.canoe_slot for space in spaces]) >= MAX_REACT // 2:
            raise ValueError(f"expected fewer than {MAX_REACT // 2} canoe spaces")
        return 0

    cdef int _set_cards(self, cards, int scouted) except -1:
        cdef BoardData* b = self.data
        cdef int i, card
        b.n_cards = len(cards)
        for i, card in enumerate(cards):
            b.cards[i] = _in_range("a card", card, 1, N_SCORES - 1)
            if card in (SCORE_PALACES, SCORE_CAPITOLS):
                raise ValueError("expected cards, got what is scored without one")
            b.needs_areas |= _AREA_CARDS.get(card, 0)
            b.mayors |= card == SCORE_MAYORS
            if SCORE_TREASURE < card <= SCORE_ROVERS:
                b.red |= 1 << (card - SCORE_TREASURE)
        if (scouted != VOID) != (SCORE_SCOUTS in cards):
            raise ValueError("expected a terrain for the card SCOUTS and only with it")
        if scouted != VOID:
            build_scouted(b, scouted)
        return 0

    @property
    def seats(self):
        return self.data.n_seats

    @property
    def houses(self):
        return self.data.houses

    @property
    def is_simple(self):
        return bool(self.data.simple)

    @property
    def options(self):
        return self.data.options

    @property
    def spaces(self):
        cdef BoardData* b = self.data
        return tuple([(b.cell_of[b.space_bit[i]], b.space_kind[i], b.space_slot[i])
                      for i in range(b.n_spaces)])

    @property
    def tiles(self):
        cdef BoardData* b = self.data
        return tuple([(b.tiles[i].action, b.tiles[i].filter,
                       b.tiles[i].mask if b.tiles[i].filter in (FILTER_TERRAIN, FILTER_BESIDE)
                       else VOID)
                      for i in range(1, b.n_slots)])

    @property
    def cards(self):
        return tuple([self.data.cards[i] for i in range(self.data.n_cards)])

    @property
    def deck(self):
        return tuple(_counts(self.data.deck))

    cdef int bit(self, cell) except -1:
        """The bit of a cell from Python."""
        cdef int bit = self.data.bit_of[<int>_in_range("a cell", cell, 0, BITS - 1)]
        if bit == NOWHERE:
            raise ValueError(f"expected a cell of the board, got {cell!r}")
        return bit

    def terrain(self, cell):
        """Return the Terrain code of a cell, VOID where there is no hex."""
        cdef int bit = self.data.bit_of[<int>_in_range("a cell", cell, 0, BITS - 1)]
        return self.data.terrain[bit]

    def neighbours(self, cell):
        """Return the neighbours of a cell, sorted."""
        return tuple(_cells(self.data, self.data.near[self.bit(cell)]))

    def spaces_beside(self, cell):
        """Return the indices of the spaces adjacent to a cell."""
        cdef BoardData* b = self.data
        cdef int bit = self.bit(cell)
        return tuple([i for i in range(b.n_spaces) if has_bit(b.near[b.space_bit[i]], bit)])

    def __eq__(self, other):
        if not isinstance(other, Board):
            return NotImplemented
        return memcmp(self.data, (<Board>other).data, sizeof(BoardData)) == 0

    def __hash__(self):
        return hash((self.spaces, self.cards, self.seats))
