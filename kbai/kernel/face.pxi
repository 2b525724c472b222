# Board and Position: the only part of the kernel that touches Python objects.

Terrain = IntEnum("Terrain", {
    "GRASS": GRASS, "CANYON": CANYON, "DESERT": DESERT, "FLOWER": FLOWER, "FOREST": FOREST,
    "MARSH": MARSH, "FARMLAND": FARMLAND, "WATER": WATER, "MOUNTAIN": MOUNTAIN,
    "SPECIAL": SPECIAL, "VOID": VOID,
}, module=__name__)
Space = IntEnum("Space", {
    "LOCATION": SPACE_LOCATION, "CASTLE": SPACE_CASTLE, "NOMAD": SPACE_NOMAD,
}, module=__name__)
Action = IntEnum("Action", {
    "BUILD": ACTION_BUILD, "MOVE": ACTION_MOVE, "WALL": ACTION_WALL,
    "DONATION": ACTION_DONATION, "RESETTLEMENT": ACTION_RESETTLEMENT,
    "OUTPOST": ACTION_OUTPOST, "SWORD": ACTION_SWORD, "TREASURE": ACTION_TREASURE,
}, module=__name__)
Filter = IntEnum("Filter", {
    "CARD": FILTER_CARD, "TERRAIN": FILTER_TERRAIN, "EDGE": FILTER_EDGE,
    "LINE_END": FILTER_LINE_END, "JUMP": FILTER_JUMP, "CARD_BESIDE": FILTER_CARD_BESIDE,
    "CROWD": FILTER_CROWD, "SLIDE": FILTER_SLIDE, "STEP": FILTER_STEP, "NONE": FILTER_NONE,
}, module=__name__)
Score = IntEnum("Score", {
    "CASTLES": SCORE_CASTLES, "FISHERMEN": SCORE_FISHERMEN, "MINERS": SCORE_MINERS,
    "WORKERS": SCORE_WORKERS, "DISCOVERERS": SCORE_DISCOVERERS, "KNIGHTS": SCORE_KNIGHTS,
    "HERMITS": SCORE_HERMITS, "CITIZENS": SCORE_CITIZENS, "MERCHANTS": SCORE_MERCHANTS,
    "FARMERS": SCORE_FARMERS, "LORDS": SCORE_LORDS, "TREASURE": SCORE_TREASURE,
    "FAMILIES": SCORE_FAMILIES, "SHEPHERDS": SCORE_SHEPHERDS, "AMBASSADORS": SCORE_AMBASSADORS,
}, module=__name__)
Gold = IntEnum("Gold", {
    "TREASURE": GOLD_TREASURE, "FAMILIES": GOLD_FAMILIES, "SHEPHERDS": GOLD_SHEPHERDS,
    "AMBASSADORS": GOLD_AMBASSADORS,
}, module=__name__)
Option = IntFlag("Option", {
    "LORDS_NEED_PRESENCE": OPTION_LORDS_NEED_PRESENCE,
    "VACATED_HEX_COUNTS": OPTION_VACATED_HEX_COUNTS,
    "EXHAUSTED_DISCARD": OPTION_EXHAUSTED_DISCARD,
    "EXHAUSTED_ANY_HEX": OPTION_EXHAUSTED_ANY_HEX,
    "LOST_TILES_RETURN": OPTION_LOST_TILES_RETURN,
    "SWORD_ONE": OPTION_SWORD_ONE,
    "SWORD_CANCELS_END": OPTION_SWORD_CANCELS_END,
}, module=__name__)
Phase = IntEnum("Phase", {
    "PRE": PHASE_PRE, "BUILD": PHASE_BUILD, "POST": PHASE_POST, "OVER": PHASE_OVER,
}, module=__name__)
Draw = IntEnum("Draw", {
    "NONE": DRAW_NONE, "REVEAL": DRAW_REVEAL, "REPLACE": DRAW_REPLACE,
}, module=__name__)
Step = IntEnum("Step", {
    "END": STEP_END, "BUILD": STEP_BUILD, "LIFT": STEP_LIFT, "PUT": STEP_PUT,
    "WALL": STEP_WALL, "DECLARE": STEP_DECLARE, "REMOVE": STEP_REMOVE, "STOP": STEP_STOP,
}, module=__name__)


def _in_range(what, value, low, high):
    """Return an int from Python that may go into a C field."""
    if not low <= value <= high:
        raise ValueError(f"expected {what} from {low} to {high}, got {value!r}")
    return value


cdef list _cells(const BoardData* b, const uint64_t* board):
    return sorted([b.cell_of[bit] for bit in range(BITS) if has_bit(board, bit)])


cdef list _indices(uint64_t spaces):
    return [i for i in range(MAX_SPACES) if spaces >> <int>i & 1]


cdef list _tiles(const BoardData* b, uint64_t tiles):
    return [tile_count(tiles, slot) for slot in range(1, b.n_slots)]


cdef list _counts(const uint8_t* counts):
    return [counts[i] for i in range(CARD_KINDS)]


# Where each action may be done; the kernel asks a filter only for what its action needs.
ACTION_FILTERS = {
    ACTION_BUILD: (FILTER_CARD, FILTER_TERRAIN, FILTER_EDGE, FILTER_LINE_END, FILTER_CROWD),
    ACTION_MOVE: (FILTER_CARD, FILTER_TERRAIN, FILTER_JUMP, FILTER_SLIDE, FILTER_STEP),
    ACTION_WALL: (FILTER_CARD_BESIDE,),
    ACTION_DONATION: (FILTER_TERRAIN,),
    ACTION_RESETTLEMENT: (FILTER_STEP,),
    ACTION_OUTPOST: (FILTER_NONE,),
    ACTION_SWORD: (FILTER_NONE,),
    ACTION_TREASURE: (FILTER_NONE,),
}


@cython.final
cdef class Board:
    """What a game is played on: everything that does not change after set-up."""

    def __cinit__(self):
        # One cache line per cell is only true if the tables start on one.
        self.memory = calloc(1, sizeof(BoardData) + 64)
        if self.memory == NULL:
            raise MemoryError("no memory for a board")
        self.data = <BoardData*>((<uintptr_t>self.memory + 63) & ~<uintptr_t>63)

    def __dealloc__(self):
        free(self.memory)

    def __init__(self, *, terrain, spaces, tiles, cards, seats, deck, houses=40, walls=25,
                 options=OPTION_VACATED_HEX_COUNTS, source=None):
        cdef BoardData* b = self.data
        cdef bytes codes = bytes(terrain)
        cdef int i, cell, kind, slot
        if b.n_seats:
            raise TypeError("a board is made once")
        if len(codes) != BITS or max(codes) > VOID:
            raise ValueError(f"expected {BITS} terrain codes, got {len(codes)} up to {max(codes)}")
        if any([code != VOID for code in codes[ISLAND_CELL + 50:]]):
            raise ValueError(f"expected no hex beyond cell {ISLAND_CELL + 49}")
        _in_range("spaces", len(spaces), 0, MAX_SPACES)
        _in_range("tile kinds", len(tiles), 0, MAX_TILE_KINDS)
        _in_range("cards", len(cards), 0, MAX_CARDS)
        number_cells(b, codes)
        connect_cells(b)
        b.n_slots = len(tiles) + 1
        b.tiles[0].filter = FILTER_CARD
        for i, (action, tile_filter, tile_terrain) in enumerate(tiles):
            b.tiles[i + 1].action = _in_range("an action", action, 0, N_ACTIONS - 1)
            b.tiles[i + 1].filter = _in_range("a filter", tile_filter, 0, N_FILTERS - 1)
            if tile_filter == FILTER_EDGE:
                b.tiles[i + 1].mask = MASK_EDGE
            elif tile_filter == FILTER_TERRAIN:
                b.tiles[i + 1].mask = _in_range("a tile's terrain", tile_terrain, 0, MOUNTAIN)
            if tile_filter not in ACTION_FILTERS[action]:
                raise ValueError(f"expected a filter {ACTION_FILTERS[action]} for the action "
                                 f"{action}, got {tile_filter}")
            if action >= ACTION_DONATION:
                b.nomad_tiles |= <uint64_t>15 << (4 * i)
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
        paint_masks(b)
        b.n_cards = len(cards)
        for i, card in enumerate(cards):
            b.cards[i] = _in_range("a card", card, 1, N_SCORES - 1)
            b.needs_areas |= card in (SCORE_HERMITS, SCORE_CITIZENS, SCORE_MERCHANTS)
            if card > SCORE_TREASURE:
                b.red |= 1 << <int>(card - SCORE_TREASURE)
        if len(deck) != CARD_KINDS or sum(deck) > 200:
            raise ValueError(f"expected {CARD_KINDS} counts of at most 200 cards, got {deck!r}")
        for i in range(CARD_KINDS):
            b.deck[i] = _in_range("a count", deck[i], 0, 200 if i <= FOREST else 0)
        b.houses = _in_range("houses", houses, 1, 40)
        b.walls = _in_range("walls", walls, 0, 25)
        b.options = _in_range("options", options, 0, OPTIONS_ALL)
        self.source = source
        b.n_seats = _in_range("seats", seats, 2, MAX_SEATS)

    @property
    def seats(self):
        return self.data.n_seats

    @property
    def houses(self):
        return self.data.houses

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
                       b.tiles[i].mask if b.tiles[i].filter == FILTER_TERRAIN else VOID)
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
        return tuple(_indices(self.data.beside[self.bit(cell)]))

    def __eq__(self, other):
        if not isinstance(other, Board):
            return NotImplemented
        return memcmp(self.data, (<Board>other).data, sizeof(BoardData)) == 0

    def __hash__(self):
        return hash((self.spaces, self.cards, self.seats))


@cython.final
cdef class Position:
    """A moment of a game as everybody at the table knows it, plus the mover's card."""

    def __cinit__(self, Board board not None, start=0):
        cdef State* s = &self.state
        cdef BoardData* b = board.data
        cdef int i
        self.board = board
        memset(s, 0, sizeof(State))
        memcpy(s.free, b.open, sizeof(s.free))
        s.left_one = b.locations | b.nomads
        s.left_two = b.locations
        memcpy(s.pools[0], b.deck, CARD_KINDS)
        s.n_pools = 1
        for i in range(CARD_KINDS):
            s.totals[0] += b.deck[i]
        s.pile = s.totals[0]
        s.n_seats = b.n_seats
        for i in range(s.n_seats):
            s.seats[i].supply = b.houses
            take_hidden_card(s, &s.seats[i])
        s.start = _in_range("a seat", start, 0, s.n_seats - 1)
        s.mover = s.start
        begin_turn(b, s)

    @classmethod
    def from_fields(cls, Board board not None, fields):
        """Build any position; ValueError if the fields contradict each other."""
        cdef Position self = Position(board, fields["start"])
        cdef State* s = &self.state
        cdef BoardData* b = board.data
        cdef Seat* p
        cdef int i, k, bit
        _in_range("seats", len(fields["seats"]), s.n_seats, s.n_seats)
        memset(s.totals, 0, sizeof(s.totals))
        memset(s.pools, 0, sizeof(s.pools))
        s.left_one = s.left_two = 0
        for i, seat in enumerate(fields["seats"]):
            p = &s.seats[i]
            p.hand = 0
            p.supply = _in_range("a supply", seat["supply"], 0, b.houses)
            if p.supply + len(seat["cells"]) > b.houses:
                raise ValueError(f"expected at most {b.houses} houses, got "
                                 f"{p.supply} + {len(seat['cells'])}")
            for cell in seat["cells"]:
                bit = board.bit(cell)
                if not has_bit(s.free, bit):
                    raise ValueError(f"expected a free cell for a settlement, got {cell!r}")
                set_piece(b, s, p, bit)
            p.taken = self._spaces(seat["taken"])
            p.held = self._spaces(seat["held"])
            if p.held & ~p.taken:
                raise ValueError("expected a tile held to have been taken")
            p.ready = self._nibbles(seat["ready"])
            p.fresh = self._nibbles(seat["fresh"])
            p.used = self._nibbles(seat["used"])
            self._check_tiles(p)
            for k in range(N_GOLD):
                p.gold[k] = _in_range("gold", seat["gold"][k], 0, 10000)
        self._set_left()
        s.left_one |= b.nomads
        for i in fields["gone"]:
            _in_range("a space", i, 0, b.n_spaces - 1)
            if not b.nomads >> i & 1:
                raise ValueError(f"expected a nomad space with a tile, got {i}")
            s.left_one &= ~(<uint64_t>1 << i)
        for cell in fields["walls"]:
            bit = board.bit(cell)
            if not has_bit(s.free, bit):
                raise ValueError(f"expected a free cell for a wall, got {cell!r}")
            set_bit(s.walls, bit)
            clear_bit(s.free, bit)
        _in_range("walls", len(fields["walls"]), 0, b.walls)
        s.n_pools = 1 + _in_range("held groups", len(fields["held"]), 0, s.n_seats)
        for i in fields["no_card"]:
            s.seats[<int>_in_range("a seat", i, 0, s.n_seats - 1)].hand = NO_HAND
        for k, (counts, seats) in enumerate(fields["held"]):
            self._set_pool(k + 1, counts)
            if s.totals[k + 1] != len(seats) or not seats:
                raise ValueError(f"expected as many cards as seats in a held group, got {counts!r}")
            for i in seats:
                p = &s.seats[<int>_in_range("a seat", i, 0, s.n_seats - 1)]
                if p.hand != 0:
                    raise ValueError(f"expected each hand in one place, got seat {i} twice")
                p.hand = k + 1
        self._set_pool(0, fields["unseen"])
        s.mover = _in_range("a seat", fields["mover"], 0, s.n_seats - 1)
        s.phase = _in_range("a phase", fields["phase"], PHASE_PRE, PHASE_OVER)
        s.draw = _in_range("a draw", fields["draw"], DRAW_NONE, DRAW_REPLACE)
        s.card = _in_range("a card", fields["card"], NO_CARD, FOREST)
        if s.card != NO_CARD and (s.draw or s.phase == PHASE_OVER):
            raise ValueError("expected no card while one is drawn or the game is over")
        if s.draw and s.phase == PHASE_OVER:
            raise ValueError("expected no draw after the game")
        p = &s.seats[s.mover]
        if s.phase != PHASE_OVER and s.draw != DRAW_REVEAL:
            if p.hand > 0 and p.hand != NO_HAND:
                raise ValueError("expected the mover's hand to have been turned up")
            p.hand = NO_HAND
        elif s.draw == DRAW_REVEAL and p.hand == NO_HAND:
            raise ValueError("expected a hidden card to turn up")
        if s.phase == PHASE_OVER and s.mover != s.start:
            raise ValueError("expected the start seat to be next after the last round")
        s.terrain = NO_TERRAIN if s.card == NO_CARD else s.card
        if fields["any_terrain"]:
            if not b.options & OPTION_EXHAUSTED_ANY_HEX or s.card == NO_CARD:
                raise ValueError("expected any_terrain only with its option and a card")
            s.terrain = MASK_BUILD
        s.pile = 0
        k = s.totals[0]
        for i in range(s.n_seats):
            k -= s.seats[i].hand == 0
        if k < 0 or (k == 0 and s.draw == DRAW_REPLACE):
            raise ValueError("expected more unseen cards than hidden hands need")
        s.pile = k
        for i in range(CARD_KINDS):
            s.discard[i] = _in_range("a count", fields["discard"][i], 0, 200)
            s.spent[i] = _in_range("a count", fields["spent"][i], 0, 200)
        self._check_deck()
        s.final = bool(fields["final"])
        s.due = _in_range("houses due", fields["due"], s.phase == PHASE_BUILD,
                          3 if s.phase == PHASE_BUILD else 0)
        if s.due > p.supply:
            raise ValueError("expected no more houses due than the supply has")
        self._set_action(fields)
        if s.phase != PHASE_OVER:
            settled = self.copy()
            settle(b, &(<Position>settled).state)
            if settled != self:
                raise ValueError("expected nothing left to happen by itself: a card replaced, the "
                                 "mandatory action void, an action without a next step")
        return self

    cdef uint64_t _spaces(self, indices) except? 0:
        cdef uint64_t spaces = 0
        for i in indices:
            _in_range("a space", i, 0, self.board.data.n_spaces - 1)
            if self.board.data.space_kind[<int>i] != SPACE_LOCATION:
                raise ValueError(f"expected a location space, got {i}")
            spaces |= <uint64_t>1 << <int>i
        return spaces

    cdef uint64_t _nibbles(self, counts) except? 0:
        cdef uint64_t tiles = 0
        cdef int slot
        _in_range("tile counts", len(counts), self.board.data.n_slots - 1,
                  self.board.data.n_slots - 1)
        for slot, n in enumerate(counts, 1):
            tiles |= <uint64_t>_in_range("a count", n, 0, 15) << (4 * (slot - 1))
        return tiles

    cdef int _check_tiles(self, const Seat* p) except -1:
        """As many tiles as spaces held, or more: gifts have no space."""
        cdef BoardData* b = self.board.data
        cdef int i, slot, n, spaces
        for slot in range(1, b.n_slots):
            n = (tile_count(p.ready, slot) + tile_count(p.fresh, slot)
                 + tile_count(p.used, slot))
            spaces = sum([p.held >> <int>i & 1 for i in range(b.n_spaces)
                          if b.space_slot[i] == slot])
            _in_range("tiles of a kind", n, spaces, 15)
            if p.used & b.nomad_tiles or (n and b.tiles[slot].action == ACTION_TREASURE):
                raise ValueError("expected no used nomad tile and no treasure in hand")
        for i in range(b.n_spaces):
            if p.held >> i & 1 and not has_bit(p.near, b.space_bit[i]):
                raise ValueError("expected a settlement beside the space of a tile held")
        return 0

    cdef int _set_left(self) except -1:
        """Tiles left are two less those taken, or those held if lost ones go back (R5.3)."""
        cdef BoardData* b = self.board.data
        cdef State* s = &self.state
        cdef int i, k, gone
        for i in range(b.n_spaces):
            if b.space_kind[i] != SPACE_LOCATION:
                continue
            gone = 0
            for k in range(s.n_seats):
                if b.options & OPTION_LOST_TILES_RETURN:
                    gone += s.seats[k].held >> i & 1
                else:
                    gone += s.seats[k].taken >> i & 1
            _in_range("tiles taken from a space", gone, 0, 2)
            if gone < 2:
                s.left_one |= <uint64_t>1 << i
            if gone < 1:
                s.left_two |= <uint64_t>1 << i
        return 0

    cdef int _set_pool(self, int k, counts) except -1:
        cdef int i
        _in_range("card counts", len(counts), CARD_KINDS, CARD_KINDS)
        _in_range("cards", sum(counts), 0, 200)
        for i in range(CARD_KINDS):
            self.state.pools[k][i] = _in_range("a count", counts[i], 0, 200)
            self.state.totals[k] += self.state.pools[k][i]
        return 0

    cdef int _check_deck(self) except -1:
        """No more cards of a kind than the deck has; the rest is out of the game."""
        cdef State* s = &self.state
        cdef int i, k, n
        for i in range(CARD_KINDS):
            n = s.discard[i] + s.spent[i] + (s.card == i)
            for k in range(s.n_pools):
                n += s.pools[k][i]
            _in_range("cards of a kind", n, 0, self.board.data.deck[i])
        return 0

    cdef int _set_action(self, fields) except -1:
        """What is under way within the turn."""
        cdef State* s = &self.state
        cdef BoardData* b = self.board.data
        cdef uint32_t steps[MAX_STEPS]
        if fields["doing"] is not None:
            slot, left = fields["doing"]
            s.doing = _in_range("a slot", slot, 1, b.n_slots - 1)
            limits = {ACTION_WALL: (1, 1), ACTION_DONATION: (1, 2), ACTION_RESETTLEMENT: (1, 3),
                      ACTION_SWORD: (0, s.n_seats - 1)}.get(b.tiles[s.doing].action)
            if limits is None or s.phase == PHASE_BUILD or s.phase == PHASE_OVER:
                raise ValueError("expected an action of several steps outside the mandatory one")
            s.doing_left = _in_range("steps left", left, limits[0], limits[1])
            if b.tiles[s.doing].action == ACTION_SWORD and not any_bit(
                    s.seats[s.doing_left].own):
                raise ValueError("expected a seat with a piece for the sword")
        s.outpost = bool(fields["outpost"])
        if fields["built"]:
            if not b.red >> GOLD_FAMILIES & 1 or s.phase != PHASE_BUILD:
                raise ValueError("expected houses built only during a mandatory action, "
                                 "with Families")
            _in_range("houses built", len(fields["built"]), 0, 2)
            for cell in sorted(fields["built"]):
                s.built[s.n_built] = self.board.bit(cell)
                if not has_bit(s.seats[s.mover].own, s.built[s.n_built]):
                    raise ValueError(f"expected an own house built, got {cell!r}")
                s.n_built += 1
        if fields["lift"] is not None:
            self._set_lift(fields["lift"][0], fields["lift"][1])
        if s.outpost and (s.lift_slot or not list_steps(b, s, steps)):
            raise ValueError("expected a placement to come for the outpost")
        return 0

    cdef int _set_lift(self, slot, cell) except -1:
        cdef State* s = &self.state
        cdef uint64_t hexes[WORDS]
        cdef int tile = _in_range("a slot", slot, 1, self.board.data.n_slots - 1)
        cdef int bit = self.board.bit(cell)
        if (step_kind(self.board.data, tile) != STEP_LIFT or not is_open(self.board.data, s, tile)
                or not has_bit(s.seats[s.mover].own, bit)):
            raise ValueError(f"expected a ready move tile and an own piece to lift, got {cell}")
        if not targets(self.board.data, s, tile, bit, hexes):
            raise ValueError(f"expected a piece that can move, got {cell}")
        s.lift_slot = tile
        s.lift = bit
        return 0

    def fields(self):
        """Return all of the position in integers."""
        cdef State* s = &self.state
        cdef BoardData* b = self.board.data
        cdef int i, k
        seats = [{
            "cells": _cells(b, s.seats[i].own),
            "supply": s.seats[i].supply,
            "taken": _indices(s.seats[i].taken),
            "held": _indices(s.seats[i].held),
            "ready": _tiles(b, s.seats[i].ready),
            "fresh": _tiles(b, s.seats[i].fresh),
            "used": _tiles(b, s.seats[i].used),
            "gold": [s.seats[i].gold[k] for k in range(N_GOLD)],
        } for i in range(s.n_seats)]
        return {
            "mover": s.mover,
            "start": s.start,
            "phase": s.phase,
            "due": s.due,
            "card": s.card,
            "draw": s.draw,
            "any_terrain": s.terrain == MASK_BUILD,
            "lift": (s.lift_slot, b.cell_of[s.lift]) if s.lift_slot else None,
            "doing": (s.doing, s.doing_left) if s.doing else None,
            "outpost": bool(s.outpost),
            "built": sorted([b.cell_of[s.built[k]] for k in range(s.n_built)]),
            "walls": _cells(b, s.walls),
            "gone": _indices(b.nomads & ~s.left_one),
            "final": bool(s.final),
            "unseen": _counts(s.pools[0]),
            "held": [(_counts(s.pools[k]), [i for i in range(s.n_seats) if s.seats[i].hand == k])
                     for k in range(1, s.n_pools)],
            "no_card": [i for i in range(s.n_seats) if s.seats[i].hand == NO_HAND
                        and (i != s.mover or s.phase == PHASE_OVER)],
            "discard": _counts(s.discard),
            "spent": _counts(s.spent),
            "seats": seats,
        }

    @property
    def mover(self):
        return self.state.mover

    @property
    def phase(self):
        return self.state.phase

    @property
    def is_over(self):
        return self.state.phase == PHASE_OVER

    @property
    def pending_draw(self):
        return self.state.draw

    def draws(self):
        """Return the CARD_KINDS counts a pending draw is made from; all 0 when none is pending."""
        if not self.state.draw:
            return (0,) * CARD_KINDS
        return tuple(_counts(self.state.pools[draw_pool(&self.state)]))

    def draw(self, card):
        """Turn up a card; ValueError if it cannot come."""
        _in_range("a card", card, 0, CARD_KINDS - 1)
        if not self.draws()[card]:
            raise ValueError(f"expected a card that can come now, got {card}")
        show_card(self.board.data, &self.state, card)

    def legal(self):
        """Return the legal steps, sorted; empty while a draw is pending or the game is over."""
        cdef uint32_t steps[MAX_STEPS]
        cdef int i, n
        n = list_steps(self.board.data, &self.state, steps)
        return sorted([steps[i] for i in range(n)])

    def is_legal(self, step):
        """Tell whether a step is legal now."""
        return 0 <= step < 1 << 32 and is_legal_step(self.board.data, &self.state, step)

    def apply(self, step):
        """Make a step; ValueError if it is not legal."""
        if not self.is_legal(step):
            raise ValueError(f"expected a legal step, got {step!r}")
        do_step(self.board.data, &self.state, step)

    def copy(self):
        """Return an independent copy."""
        cdef Position other = Position.__new__(Position, self.board)
        copy_state(&other.state, &self.state)
        return other

    def __eq__(self, other):
        if not isinstance(other, Position):
            return NotImplemented
        return (memcmp(&self.state, &(<Position>other).state, state_size(&self.state)) == 0
                and self.board == (<Position>other).board)

    def __hash__(self):
        return hash((<char*>&self.state)[:state_size(&self.state)])

    def scores(self):
        """Return each seat's gold if the game ended now."""
        cdef int i
        return tuple([total_gold(self.board.data, &self.state, i)
                      for i in range(self.state.n_seats)])

    def score_detail(self):
        """Return for each seat the gold by rule: CASTLES, TREASURE, then the board's cards."""
        cdef int gold[MAX_CARDS + 2]
        cdef int i, k
        rows = []
        for i in range(self.state.n_seats):
            score_seat(self.board.data, &self.state, i, gold)
            rows.append(tuple([gold[k] for k in range(self.board.data.n_cards + 2)]))
        return tuple(rows)

    def perft(self, depth):
        """Count the sequences of ``depth`` steps; a draw is a step, too."""
        cdef int levels = _in_range("a depth", depth, 0, 100)
        cdef uint64_t n
        with nogil:
            n = count_sequences(self.board.data, &self.state, levels)
        return n

    def playout(self, seed):
        """Play at random to the end of the game."""
        cdef Rng rng
        seed_random(&rng, seed & 0xFFFFFFFFFFFFFFFF)
        random_game(self.board.data, &self.state, &rng, NULL)

    def playout_steps(self, seed):
        """Like playout, and return what was done: steps, and draws as ``-1 - card``."""
        cdef Rng rng
        cdef Trace trace
        cdef int i
        # 40 turns of a seat at most if each builds one house, each with two steps for each tile.
        trace.room = 100000
        trace.n = 0
        trace.steps = <int32_t*>malloc(trace.room * sizeof(int32_t))
        if trace.steps == NULL:
            raise MemoryError("no memory for the steps of a playout")
        seed_random(&rng, seed & 0xFFFFFFFFFFFFFFFF)
        random_game(self.board.data, &self.state, &rng, &trace)
        steps = [trace.steps[i] for i in range(trace.n)]
        free(trace.steps)
        return steps

    def playouts(self, count, seed):
        """Play ``count`` copies to the end; return each seat's gold and games won or shared."""
        cdef int64_t gold[MAX_SEATS]
        cdef int64_t wins[MAX_SEATS]
        cdef int scores[MAX_SEATS]
        cdef State s
        cdef Rng rng
        cdef int64_t n = count
        cdef int64_t i
        cdef int k, best
        cdef int n_seats = self.state.n_seats
        memset(gold, 0, sizeof(gold))
        memset(wins, 0, sizeof(wins))
        memset(&s, 0, sizeof(s))
        seed_random(&rng, seed & 0xFFFFFFFFFFFFFFFF)
        with nogil:
            for i in range(n):
                copy_state(&s, &self.state)
                random_game(self.board.data, &s, &rng, NULL)
                best = 0
                for k in range(n_seats):
                    scores[k] = total_gold(self.board.data, &s, k)
                    gold[k] += scores[k]
                    if scores[k] > best:
                        best = scores[k]
                for k in range(n_seats):
                    wins[k] += scores[k] == best
        return [gold[k] for k in range(n_seats)], [wins[k] for k in range(n_seats)]

    def check(self):
        """Recompute all that is kept incrementally; AssertionError if anything differs."""
        rebuilt = Position.from_fields(self.board, self.fields())
        if rebuilt != self:
            raise AssertionError(f"kept {self.fields()}, recomputed {rebuilt.fields()}")
