# Position: checks what comes from Python, converts, and calls the kernel.


cdef list _indices(uint64_t spaces):
    return [i for i in range(MAX_SPACES) if spaces >> <int>i & 1]


cdef list _tiles(const BoardData* b, uint64_t tiles):
    return [tile_count(tiles, slot) for slot in range(1, b.n_slots)]


cdef int _check_fields(what, fields, dict usual) except -1:
    """Check that there is a value for each key, and a list where there is usually one."""
    if not isinstance(fields, dict):
        raise TypeError(f"expected {what} as a dict, got {fields!r:.60}")
    for key, value in usual.items():
        if key not in fields:
            raise ValueError(f"expected a value for {key!r} of {what}, got none")
        if isinstance(value, list) and not isinstance(fields[key], (list, tuple)):
            raise TypeError(f"expected a list for {key!r} of {what}, got {fields[key]!r:.60}")
    return 0


cdef Policy policy_of(values) except *:
    """The policy that a dict describes."""
    cdef Policy policy
    if not isinstance(values, dict):
        raise TypeError(f"expected a policy as a dict, got {values!r:.60}")
    policy = values
    _in_range("candidates", values["candidates"], 0, 1000)
    for key in ("tile", "least_build", "least_move"):
        if not 0 <= values[key] <= 1000:
            raise ValueError(f"expected {key} from 0 to 1000, got {values[key]!r:.60}")
    return policy


@cython.boundscheck(True)  # of lists from Python
@cython.final
cdef class Position:
    """A moment of a game as everybody at the table knows it, with the mover's cards."""

    def __cinit__(self, Board board not None, start=0):
        cdef State* s = &self.state
        cdef BoardData* b = board.data
        cdef int i, k
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
            s.seats[i].ready = b.permanent
            for k in range(FIGURES):
                s.seats[i].figures[k] = NOWHERE
            s.seats[i].hall = NOWHERE
            take_hidden_card(s, &s.seats[i])
        s.start = _in_range("a seat", start, 0, s.n_seats - 1)
        s.mover = s.start
        begin_turn(b, s, False)

    @classmethod
    def from_fields(cls, Board board not None, fields):
        """Build any position; ValueError if the fields contradict each other."""
        cdef dict usual = Position(board).fields()
        _check_fields("a position", fields, usual)
        cdef Position self = Position(board, fields["start"])
        cdef State* s = &self.state
        cdef BoardData* b = board.data
        cdef int i
        s.left_one = s.left_two = 0
        for i, seat in enumerate(_listed("seats", fields["seats"], s.n_seats, s.n_seats)):
            _check_fields("a seat", seat, usual["seats"][0])
            self._set_seat(&s.seats[i], seat)
        self._set_left()
        s.left_one |= b.nomads
        for space in fields["gone"]:
            i = _in_range("a space", space, 0, b.n_spaces - 1)
            if not b.nomads >> i & 1:
                raise ValueError(f"expected a nomad space with a tile, got {i}")
            s.left_one &= ~(<uint64_t>1 << i)
        _in_range("walls", len(fields["walls"]), 0, b.walls)
        self._lay(fields["walls"], s.walls, "a wall")
        s.n_scouts = _in_range("scouts", len(fields["scouts"]), 0, 2 if b.scout_slot else 0)
        self._lay(fields["scouts"], s.scouts, "a scout")
        refresh_free(b, s)
        self._set_turn(fields)
        self._set_hands(fields)
        self._set_action(fields)
        for i in range(s.n_seats):
            self._check_spaces(i)
        if tokens_left(s) < 0:
            raise ValueError(f"expected at most {MAX_TOKENS} tokens in all")
        if s.phase != PHASE_OVER:
            settled = self.copy()
            settle(b, &(<Position>settled).state)
            if settled != self:
                raise ValueError("expected nothing left to happen by itself: a card replaced, the "
                                 "mandatory action void, an action without a next step, a "
                                 "reaction nobody can make")
        return self

    cdef int _lay(self, cells, uint64_t* board, what) except -1:
        """Lay walls or scouts on free cells."""
        cdef int bit
        for cell in cells:
            bit = self.board.bit(cell)
            if not has_bit(self.state.free, bit):
                raise ValueError(f"expected a free cell for {what}, got {cell!r}")
            set_bit(board, bit)
            clear_bit(self.state.free, bit)
        return 0

    cdef int _set_piece(self, Seat* p, cell) except -1:
        """Put a piece on an empty cell. A warrior beside it does not matter (R6.3.3)."""
        cdef int bit = self.board.bit(cell)
        if not has_bit(self.state.free, bit):
            raise ValueError(f"expected a free cell for a settlement, got {cell!r}")
        set_piece(self.board.data, &self.state, p, bit)
        return bit

    cdef bint _has_action(self, int action) except -1:
        cdef int slot
        return any([self.board.data.tiles[slot].action == action
                    for slot in range(1, self.board.data.n_slots)])

    cdef int _set_figures(self, Seat* p, seat) except -1:
        """Set figures and the city hall. Warriors do not block anything yet."""
        cdef BoardData* b = self.board.data
        cdef int i, d, bit
        warriors = sorted(seat["warriors"])
        _in_range("warriors", len(warriors), 0, 2 * self._has_action(ACTION_WARRIOR))
        for i in range(len(warriors)):
            p.figures[i] = self._set_piece(p, warriors[i])
        for key, action in (("wagon", ACTION_WAGON), ("ship", ACTION_SHIP)):
            if seat[key] >= 0:
                if not self._has_action(action):
                    raise ValueError(f"expected no {key} without its tile")
                p.figures[figure_of(action)] = self._set_piece(p, seat[key])
        if seat["hall"] >= 0:
            if not self._has_action(ACTION_HALL):
                raise ValueError("expected no city hall without its tile")
            bit = self._set_piece(p, seat["hall"])
            p.hall = bit
            for d in range(6):
                if b.neighbour[bit][d] == NOWHERE:
                    raise ValueError("expected six neighbours of the city hall's centre")
                self._set_piece(p, b.cell_of[b.neighbour[bit][d]])
            for d in range(7):
                if b.terrain[bit if d == 6 else b.neighbour[bit][d]] > FARMLAND:
                    raise ValueError("expected a city hall on buildable hexes")
        return 0

    cdef int _set_seat(self, Seat* p, seat) except -1:
        cdef BoardData* b = self.board.data
        cdef State* s = &self.state
        cdef int i, k
        cdef uint32_t row
        p.n_hidden = 0
        memset(p.hands, 0, sizeof(p.hands))
        p.supply = _in_range("a supply", seat["supply"], 0, b.houses)
        p.temple = _in_range("houses on temples", seat["temple"], 0,
                             b.houses * self._has_action(ACTION_TEMPLE))
        p.tokens = _in_range("tokens", seat["tokens"], 0, MAX_TOKENS if b.cathedral_slot else 0)
        houses = p.supply + p.temple + len(seat["cells"]) + len(seat["mayors"])
        if houses > b.houses:
            raise ValueError(f"expected at most {b.houses} houses, got {houses}")
        for cell in seat["cells"]:
            self._set_piece(p, cell)
        self._set_figures(p, seat)
        p.taken = self._spaces(seat["taken"])
        p.held = self._spaces(seat["held"])
        if p.held & ~p.taken:
            raise ValueError("expected a tile held to have been taken")
        p.ready = self._nibbles(seat["ready"])
        p.fresh = self._nibbles(seat["fresh"])
        p.used = self._nibbles(seat["used"])
        self._check_tiles(p)
        for k, gold in enumerate(_listed("sources of gold", seat["gold"], N_GOLD, N_GOLD)):
            p.gold[k] = _in_range("gold", gold, 0, 10000)
        for number in seat["mayors"]:
            i = _in_range("a row", number, 0, 24 if b.mayors else -1)
            row = <uint32_t>1 << (BOARD_ROW + i if i < 20 else ISLAND_ROW + i - 20)
            for k in range(s.n_seats):
                if s.seats[k].mayors & row:
                    raise ValueError(f"expected each row marked once, got {i} twice")
            p.mayors |= row
        for number in seat["roved"]:
            i = _in_range("a quadrant", number, 0, 3 if b.red >> GOLD_ROVERS & 1 else -1)
            p.roved |= 1 << i
        return 0

    cdef int _set_hands(self, fields) except -1:
        """Set the pools from which the hidden cards come."""
        cdef State* s = &self.state
        cdef Seat* p
        cdef int i, k
        memset(s.totals, 0, sizeof(s.totals))
        memset(s.pools, 0, sizeof(s.pools))
        groups = [_listed("parts of a held group", group, 2, 2)
                  for group in _listed("held groups", fields["held"], 0, 2 * s.n_seats)]
        s.n_pools = 1 + len(groups)
        self._set_pool(0, fields["unseen"])
        for i in range(s.n_seats):
            s.seats[i].n_hidden = _in_range("hidden cards", fields["seats"][i]["hidden"], 0, 100)
            s.seats[i].hands[0] = s.seats[i].n_hidden
        for k, (counts, seats) in enumerate(groups, 1):
            self._set_pool(k, counts)
            if not seats or s.totals[k] != len(_listed("seats", seats, 0, 200)):
                raise ValueError(f"expected as many cards as hands in a held group, got {counts!r}")
            for seat in seats:
                i = _in_range("a seat", seat, 0, s.n_seats - 1)
                p = &s.seats[i]
                if p.hands[0] == 0:
                    raise ValueError(f"expected no more cards held than hidden, got seat {i}")
                p.hands[0] -= 1
                p.hands[k] += 1
        k = s.totals[0]
        for i in range(s.n_seats):
            k -= s.seats[i].hands[0]
        if k < 0 or (k == 0 and s.draw > DRAW_REVEAL):
            raise ValueError("expected more unseen cards than hidden hands need")
        s.pile = k
        p = &s.seats[s.mover]
        if s.phase < PHASE_SILO and (s.draw == DRAW_REVEAL) != (p.n_hidden > 0):
            raise ValueError("expected hidden cards of the mover if and only if one is turned up")
        for i, n in enumerate(_listed("card counts", fields["discard"], CARD_KINDS, CARD_KINDS)):
            s.discard[i] = _in_range("a count", n, 0, 200)
        for i, n in enumerate(_listed("card counts", fields["spent"], CARD_KINDS, CARD_KINDS)):
            s.spent[i] = _in_range("a count", n, 0, 200)
        return 0

    cdef int _set_turn(self, fields) except -1:
        """Set whose turn it is, how far it has come, and the cards turned up."""
        cdef State* s = &self.state
        cdef BoardData* b = self.board.data
        cdef Seat* p
        cdef int i, terrain
        s.mover = _in_range("a seat", fields["mover"], 0, s.n_seats - 1)
        p = &s.seats[s.mover]
        s.phase = _in_range("a phase", fields["phase"], PHASE_PRE, PHASE_OVER)
        if s.phase == PHASE_SILO and not b.silos:
            raise ValueError("expected silos for their phase")
        s.draw = _in_range("a draw", fields["draw"], DRAW_NONE, DRAW_FORT)
        s.choosing = fields["card"] == -2
        s.card = _in_range("a card", -1 if s.choosing else fields["card"], NO_CARD, CARD_KINDS - 1)
        if s.draw in (DRAW_REVEAL, DRAW_REPLACE) and (s.card != NO_CARD or s.choosing):
            raise ValueError("expected no card while one is drawn")
        if s.phase >= PHASE_SILO and (s.draw or s.card != NO_CARD or s.choosing):
            raise ValueError("expected no card after the last turn")
        if s.phase == PHASE_OVER and s.mover != s.start:
            raise ValueError("expected the start seat to be next after the last round")
        for i, n in enumerate(_listed("card counts", fields["hand"], CARD_KINDS, CARD_KINDS)):
            s.hand[i] = _in_range("a count", n, 0, 200)
        s.n_hand = _in_range("cards", sum(fields["hand"]), 0, 200)
        if s.n_hand and s.phase >= PHASE_SILO:
            raise ValueError("expected no cards turned up after the last turn")
        if s.choosing and s.n_hand < 2:
            raise ValueError("expected several cards to choose from")
        terrain = _in_range("a terrain", fields["terrain"], -1, SPECIAL)
        s.terrain = NO_TERRAIN
        if terrain == SPECIAL:
            if not b.options & OPTION_EXHAUSTED_ANY_HEX or s.card == NO_CARD:
                raise ValueError("expected any terrain only with its option and a card")
            s.terrain = MASK_BUILD
        elif terrain >= 0:
            if s.card == NO_CARD or not self._has_terrain(terrain):
                raise ValueError(f"expected a terrain of the card played, got {terrain}")
            s.terrain = terrain
        elif s.card != NO_CARD and (s.card <= FOREST or not b.marsh):
            raise ValueError("expected the terrain of the card")
        s.final = bool(fields["final"])
        s.due = _in_range("houses due", fields["due"], 0, 3 if s.phase == PHASE_BUILD else 0)
        s.owed = _in_range("houses owed", fields["owed"], 0,
                           p.temple if s.phase < PHASE_POST else 0)
        if s.phase == PHASE_BUILD and s.due == 0 and s.owed == 0:
            raise ValueError("expected houses to build")
        if s.due > p.supply and not fields["reacting"]:  # then it is put right afterwards
            raise ValueError("expected no more houses due than the supply has")
        s.silos = _in_range("silos", fields["silos"], 0,
                            b.n_spaces if s.phase == PHASE_SILO else 0)
        return 0

    cdef bint _has_terrain(self, int terrain) except -1:
        """Whether the card played can stand for a terrain."""
        cdef State* s = &self.state
        if s.card > FOREST:
            return terrain == s.card - MARSH or (terrain == MARSH and self.board.data.marsh)
        return terrain == s.card or (
            self.board.data.options & OPTION_CROSSROADS_IDENTICAL_ANY and terrain <= FOREST
            and s.hand[s.card] > 0)

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
        cdef int n_kinds = self.board.data.n_slots - 1
        for slot, n in enumerate(_listed("tile counts", counts, n_kinds, n_kinds), 1):
            tiles |= <uint64_t>_in_range("a count", n, 0, 15) << (4 * (slot - 1))
        return tiles

    cdef int _check_tiles(self, const Seat* p) except -1:
        """Check that there is a tile for each space held. There may be more, as gifts."""
        cdef BoardData* b = self.board.data
        cdef int i, slot, n, spaces
        for slot in range(1, b.n_slots):
            n = (tile_count(p.ready, slot) + tile_count(p.fresh, slot)
                 + tile_count(p.used, slot))
            spaces = kb_count(p.held & b.slot_spaces[slot])
            for i in range(1, b.n_slots):
                if b.bonus[i] == slot:
                    spaces += kb_count(p.held & b.slot_spaces[i]) > 1
            spaces += tile_count(b.permanent, slot)
            most = spaces if tile_count(b.permanent, slot) else 15
            if b.tiles[slot].action == ACTION_SILO:
                most = 0
            _in_range("tiles of a kind", n, spaces, most)
            if slot == b.canoe_slot and tile_count(p.fresh, slot):
                raise ValueError("expected canoe tiles to be ready when they are gained")
            if p.used & b.nomad_tiles or (n and b.tiles[slot].action == ACTION_TREASURE):
                raise ValueError("expected no used nomad tile and no treasure in hand")
        return 0

    cdef int _check_spaces(self, int seat) except -1:
        """Check for a settlement beside the space of each tile; silos may leave them (R9.2), and so
        may a move under way if tiles wait for its end."""
        cdef BoardData* b = self.board.data
        cdef State* s = &self.state
        cdef const Seat* p = &s.seats[seat]
        cdef int i
        if (b.silos and s.phase >= PHASE_SILO) or (
                seat == s.mover and s.doing and waits_for_end(b, s.doing)):
            return 0
        for i in range(b.n_spaces):
            if p.held >> i & 1 and not has_bit(p.near, b.space_bit[i]):
                raise ValueError("expected a settlement beside the space of a tile held")
        return 0

    cdef int _set_left(self) except -1:
        """Set the tiles left: two minus those taken, or held if lost tiles return (R5.3)."""
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
        for i, n in enumerate(_listed("card counts", counts, CARD_KINDS, CARD_KINDS)):
            self.state.pools[k][i] = _in_range("a count", n, 0, 200)
        self.state.totals[k] = _in_range("cards", sum(counts), 0, 200)
        return 0

    cdef int _check_deck(self) except -1:
        """Check that there are no more cards of a kind than in the deck."""
        cdef State* s = &self.state
        cdef int i, k, n
        for i in range(CARD_KINDS):
            n = s.discard[i] + s.spent[i] + (s.card == i) + s.hand[i]
            if s.doing and self.board.data.tiles[s.doing].action == ACTION_FORT:
                n += s.doing_left == i
            for k in range(s.n_pools):
                n += s.pools[k][i]
            _in_range("cards of a kind", n, 0, self.board.data.deck[i])
        return 0

    cdef int _set_doing(self, slot, left) except -1:
        """Set an action of several steps that is under way."""
        cdef State* s = &self.state
        cdef BoardData* b = self.board.data
        cdef int action
        s.doing = _in_range("a slot", slot, 1, b.n_slots - 1)
        action = b.tiles[s.doing].action
        limits = {ACTION_WALL: (1, 1), ACTION_DONATION: (1, 2), ACTION_RESETTLEMENT: (1, 3),
                  ACTION_SWORD: (0, s.n_seats - 1), ACTION_WAGON: (1, 2), ACTION_SHIP: (1, 2),
                  ACTION_FORT: (-1, CARD_KINDS - 1), ACTION_SCOUT: (1, 1),
                  ACTION_CATHEDRAL: (s.seats[s.mover].tokens, s.seats[s.mover].tokens),
                  ACTION_SILO: (1, 6)}.get(action)
        if limits is None or s.phase == PHASE_BUILD or s.phase == PHASE_OVER or (
                (s.phase == PHASE_SILO) != (action == ACTION_SILO)):
            raise ValueError("expected an action of several steps outside the mandatory one")
        _in_range("steps left", left, limits[0], limits[1])
        if action == ACTION_FORT:
            if (left < 0) != (s.draw == DRAW_FORT):
                raise ValueError("expected a card to be drawn for the fort, or one drawn")
            left = TO_DRAW if left < 0 else left
        elif action == ACTION_SILO and left in (3, MOVING):
            raise ValueError("expected one or two more steps of a silo")
        s.doing_left = left
        if action == ACTION_SWORD and not any_bit(s.seats[s.doing_left].own):
            raise ValueError("expected a seat with a piece for the sword")
        if action == ACTION_SCOUT and s.n_scouts != 1:
            raise ValueError("expected one scout before the second")
        return 0

    cdef int _set_action(self, fields) except -1:
        """Set what is under way within the turn."""
        cdef State* s = &self.state
        cdef BoardData* b = self.board.data
        cdef uint32_t steps[MAX_STEPS]
        cdef int taker, seat
        if fields["doing"] is not None:
            slot, left = _listed("parts of 'doing'", fields["doing"], 2, 2)
            self._set_doing(slot, left)
        elif s.draw == DRAW_FORT:
            raise ValueError("expected a fort for which a card is drawn")
        self._check_deck()
        if fields["repeat"]:
            s.repeat = _in_range("a slot", fields["repeat"], 1, b.n_slots - 1)
            if not b.repeatable[s.repeat] or s.doing or not tile_count(
                    s.seats[s.mover].ready, s.repeat) or s.phase == PHASE_BUILD:
                raise ValueError("expected a tile that a bazaar repeats")
        for asked in _listed("reactions", fields["reacting"], 0, MAX_REACT):
            taker, seat = [_in_range("a seat", number, 0, s.n_seats - 1)
                           for number in _listed("seats of a reaction", asked, 2, 2)]
            if not b.canoe_slot or s.phase >= PHASE_SILO:
                raise ValueError("expected canoes for a reaction")
            s.react_taker[s.n_react] = taker
            s.react_next[s.n_react] = seat
            if taker == seat and not b.options & OPTION_CANOE_SELF:
                raise ValueError("expected another seat than the taker to react")
            s.n_react += 1
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
        self._set_moved(fields["moved"])
        if fields["lift"] is not None:
            slot, cell = _listed("parts of 'lift'", fields["lift"], 2, 2)
            self._set_lift(slot, cell)
        if (s.outpost or s.repeat) and (s.lift_slot and s.outpost
                                        or not list_steps(b, s, steps)):
            raise ValueError("expected a step to come for the outpost or the bazaar")
        return 0

    cdef int _set_moved(self, cells) except -1:
        """Set the pieces that a resettlement has moved so far, one a step at most."""
        cdef State* s = &self.state
        cdef BoardData* b = self.board.data
        cdef uint64_t pieces[WORDS]
        cdef bint is_asked = s.doing and waits_for_end(b, s.doing) and (
            b.tiles[s.doing].action == ACTION_RESETTLEMENT)
        _in_range("pieces moved", len(set(cells)), is_asked,
                  MAX_MOVED - s.doing_left if is_asked else 0)
        loose_pieces(b, &s.seats[s.mover], pieces)
        for cell in sorted(set(cells)):
            s.moved[s.n_moved] = self.board.bit(cell)
            if not has_bit(pieces, s.moved[s.n_moved]):
                raise ValueError(f"expected an own piece moved, got {cell!r}")
            s.n_moved += 1
        return 0

    cdef int _set_lift(self, slot, cell) except -1:
        cdef State* s = &self.state
        cdef uint64_t hexes[WORDS]
        cdef int tile = _in_range("a slot", slot, 1, self.board.data.n_slots - 1)
        cdef int bit = self.board.bit(cell)
        if (not STEP_KINDS[self.board.data.tiles[tile].action] >> STEP_LIFT & 1
                or not is_open(self.board.data, s, tile)):
            raise ValueError(f"expected a ready move tile to lift with, got {slot}")
        if not (find_choices(self.board.data, s, tile, STEP_LIFT, hexes) and has_bit(hexes, bit)):
            raise ValueError(f"expected an own piece that can move, got {cell}")
        s.lift_slot = tile
        s.lift = bit
        return 0

    cdef dict _seat_fields(self, const Seat* p):
        cdef BoardData* b = self.board.data
        cdef uint64_t houses[WORDS]
        cdef int i
        list_houses(b, p, houses)
        places = [b.cell_of[p.figures[i]] if p.figures[i] != NOWHERE else -1
                  for i in range(FIGURES)]
        return {
            "cells": _cells(b, houses),
            "warriors": [cell for cell in places[:WAGON] if cell >= 0],
            "wagon": places[WAGON],
            "ship": places[SHIP],
            "hall": b.cell_of[p.hall] if p.hall != NOWHERE else -1,
            "tokens": p.tokens,
            "temple": p.temple,
            "mayors": [i - BOARD_ROW if i < ISLAND_ROW else i - ISLAND_ROW + 20
                       for i in range(ROWS) if p.mayors >> i & 1],
            "roved": [i for i in range(4) if p.roved >> i & 1],
            "hidden": p.n_hidden,
            "supply": p.supply,
            "taken": _indices(p.taken),
            "held": _indices(p.held),
            "ready": _tiles(b, p.ready),
            "fresh": _tiles(b, p.fresh),
            "used": _tiles(b, p.used),
            "gold": [p.gold[i] for i in range(N_GOLD)],
        }

    def fields(self):
        """Return all of the position in integers."""
        cdef State* s = &self.state
        cdef BoardData* b = self.board.data
        cdef int i, k
        doing = None
        if s.doing:
            fort = b.tiles[s.doing].action == ACTION_FORT
            doing = (s.doing, -1 if fort and s.doing_left == TO_DRAW else s.doing_left)
        return {
            "mover": s.mover,
            "start": s.start,
            "phase": s.phase,
            "due": s.due,
            "card": -2 if s.choosing else s.card,
            "hand": _counts(s.hand),
            "draw": s.draw,
            "terrain": -1 if s.terrain == NO_TERRAIN else s.terrain,
            "lift": (s.lift_slot, b.cell_of[s.lift]) if s.lift_slot else None,
            "doing": doing,
            "repeat": s.repeat,
            "outpost": bool(s.outpost),
            "reacting": [(s.react_taker[k], s.react_next[k]) for k in range(s.n_react)],
            "owed": s.owed,
            "silos": s.silos,
            "scouts": _cells(b, s.scouts),
            "built": sorted([b.cell_of[s.built[k]] for k in range(s.n_built)]),
            "moved": [b.cell_of[s.moved[k]] for k in range(s.n_moved)],
            "walls": _cells(b, s.walls),
            "gone": _indices(b.nomads & ~s.left_one),
            "final": bool(s.final),
            "unseen": _counts(s.pools[0]),
            "held": [(_counts(s.pools[k]),
                      [i for i in range(s.n_seats) for _ in range(s.seats[i].hands[k])])
                     for k in range(1, s.n_pools)],
            "discard": _counts(s.discard),
            "spent": _counts(s.spent),
            "seats": [self._seat_fields(&s.seats[i]) for i in range(s.n_seats)],
        }

    @property
    def mover(self):
        return self.state.mover

    @property
    def actor(self):
        """The seat that decides now: one that may react, or else the mover."""
        return actor(&self.state)

    @property
    def phase(self):
        return self.state.phase

    @property
    def is_over(self):
        return self.state.phase == PHASE_OVER

    @property
    def pending_draw(self):
        return self.state.draw

    @property
    def shown(self):
        """The mover's cards that lie face up, with the one played, as counts."""
        cdef const State* s = &self.state
        cdef int card
        return tuple([s.hand[card] + (s.card == card and not s.choosing)
                      for card in range(CARD_KINDS)])

    @property
    def hidden(self):
        """The number of cards that the mover has not turned up."""
        return self.state.seats[self.state.mover].n_hidden

    def draws(self):
        """Return the CARD_KINDS counts from which a card is drawn now; all 0 if none is."""
        if not self.state.draw:
            return (0,) * CARD_KINDS
        return tuple(_counts(self.state.pools[draw_pool(&self.state)]))

    def draw(self, card):
        """Turn up a card; ValueError if it cannot come."""
        card = _in_range("a card", card, 0, CARD_KINDS - 1)
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

    def untouched(self):
        """Return for each seat how many terrains it has no settlement beside."""
        cdef int i
        return tuple([kb_count(untouched_terrains(self.board.data, &self.state,
                                                  &self.state.seats[i]))
                      for i in range(self.state.n_seats)])

    def score_detail(self):
        """Return for each seat: CASTLES, TREASURE, PALACES, CAPITOLS, then the board's cards."""
        cdef int gold[MAX_CARDS + N_ALWAYS]
        cdef int i, k
        rows = []
        for i in range(self.state.n_seats):
            score_seat(self.board.data, &self.state, i, gold)
            rows.append(tuple([gold[k] for k in range(self.board.data.n_cards + N_ALWAYS)]))
        return tuple(rows)

    def perft(self, depth):
        """Count the sequences of ``depth`` steps, where a draw is also a step."""
        cdef int levels = _in_range("a depth", depth, 0, 100)
        cdef uint64_t n
        cdef State s
        memset(&s, 0, sizeof(s))
        copy_state(&s, &self.state)  # another thread may go on with this position
        with nogil:
            n = count_sequences(self.board.data, &s, levels)
        return n

    def playout(self, seed):
        """Play at random to the end of the game."""
        cdef Rng rng
        seed_random(&rng, seed & 0xFFFFFFFFFFFFFFFF)
        random_game(self.board.data, &self.state, &rng, NULL)

    def playout_steps(self, seed, policy=None):
        """Play to the end and return the steps, with draws as ``-1 - card``.

        At random, or informed if there is a policy.
        """
        cdef Rng rng
        cdef Trace trace
        cdef Policy informed
        cdef int i
        if policy is not None:
            informed = policy_of(policy)
        # At most 40 turns of a seat if each builds one house, with two steps for each tile.
        trace.room = 100000
        trace.n = 0
        trace.steps = <int32_t*>malloc(trace.room * sizeof(int32_t))
        if trace.steps == NULL:
            raise MemoryError("no memory for the steps of a playout")
        seed_random(&rng, seed & 0xFFFFFFFFFFFFFFFF)
        if policy is None:
            random_game(self.board.data, &self.state, &rng, &trace)
        else:
            informed_game(self.board.data, &self.state, &informed, &rng, &trace)
        steps = [trace.steps[i] for i in range(trace.n)]
        free(trace.steps)
        return steps

    def ratings(self, policy):
        """Return the legal steps with the gold that each one brings, as a policy estimates it."""
        cdef uint32_t steps[MAX_STEPS]
        cdef float values[MAX_STEPS]
        cdef Policy informed = policy_of(policy)
        cdef int i, n = list_steps(self.board.data, &self.state, steps)
        rate_steps(self.board.data, &self.state, &informed, steps, n, values)
        return {steps[i]: values[i] for i in range(n)}

    def step_features(self, policy):
        """Return the legal steps, and their features as three arrays."""
        cdef uint32_t steps[MAX_STEPS]
        cdef float row[N_FEATURES]
        cdef Policy informed = policy_of(policy)
        cdef State bare
        cdef const State* s = without_lifted(self.board.data, &self.state, &bare)
        cdef int i, k, n = list_steps(self.board.data, &self.state, steps)
        cdef Outlook o
        cdef Sink sink
        from array import array  # here, because only who trains a model needs it
        look_out(self.board.data, s, actor(s), &informed, &o)
        sink.out = row
        begins, numbers, values = array("i", [0]), array("h"), array("f")
        for i in range(n):
            memset(row, 0, sizeof(row))
            step_features(self.board.data, s, &o, steps[i], &sink)
            for k in range(N_FEATURES):
                if row[k]:
                    numbers.append(k)
                    values.append(row[k])
            begins.append(len(numbers))
        return [steps[i] for i in range(n)], begins, numbers, values

    def seat_features(self):
        """Return the features of every seat."""
        cdef Traits x
        cdef int seat, k
        from array import array
        found = []
        for seat in range(self.state.n_seats):
            find_traits(self.board.data, &self.state, seat, &x)
            row = array("f", bytes(N_VALUES * sizeof(float)))
            for k in range(x.n):
                row[x.index[k]] += x.value[k]
            found.append(row)
        return tuple(found)

    @property
    def houses_left(self):
        return houses_left(&self.state)

    def guess(self, weights):
        """Return the gold that each seat will have at the end, by the weights of a model."""
        cdef float gold[MAX_SEATS]
        cdef float given[N_GUESS_WEIGHTS]
        cdef int i
        if len(weights) != N_GUESS_WEIGHTS:
            raise ValueError(f"expected {N_GUESS_WEIGHTS} weights, got {len(weights)}")
        for i in range(N_GUESS_WEIGHTS):
            given[i] = weights[i]
        guess_gold(self.board.data, &self.state, given, gold)
        return tuple([gold[i] for i in range(self.state.n_seats)])

    def playouts(self, count, seed, policy=None):
        """Play ``count`` copies to the end; return each seat's gold and its games won or tied.

        At random, or informed if there is a policy.
        """
        cdef Policy informed
        cdef bint at_random = policy is None
        cdef int64_t gold[MAX_SEATS]
        cdef int64_t wins[MAX_SEATS]
        cdef int scores[MAX_SEATS]
        cdef State start
        cdef State room[2]
        cdef State* s = <State*>kb_align(room)
        cdef Rng rng
        cdef int64_t n = _in_range("a number of games", count, 0, 1 << 62)
        cdef int64_t i
        cdef int k, best
        cdef int n_seats = self.state.n_seats
        memset(gold, 0, sizeof(gold))
        memset(wins, 0, sizeof(wins))
        memset(room, 0, sizeof(room))
        memset(&start, 0, sizeof(start))
        seed_random(&rng, seed & 0xFFFFFFFFFFFFFFFF)
        if not at_random:
            informed = policy_of(policy)
        copy_state(&start, &self.state)  # another thread may go on with this position
        with nogil:
            for i in range(n):
                copy_state(s, &start)
                if at_random:
                    random_game(self.board.data, s, &rng, NULL)
                else:
                    informed_game(self.board.data, s, &informed, &rng, NULL)
                best = 0
                for k in range(n_seats):
                    scores[k] = total_gold(self.board.data, s, k)
                    gold[k] += scores[k]
                    if scores[k] > best:
                        best = scores[k]
                for k in range(n_seats):
                    wins[k] += scores[k] == best
        return [gold[k] for k in range(n_seats)], [wins[k] for k in range(n_seats)]

    def check(self):
        """Recompute all that steps update; AssertionError if anything differs."""
        rebuilt = Position.from_fields(self.board, self.fields())
        if rebuilt != self:
            raise AssertionError(f"kept {self.fields()}, recomputed {rebuilt.fields()}")
