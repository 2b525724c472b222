# The Nomads set: stone walls, nomad tiles, and the cards that score during the game.


# --- target filters -----------------------------------------------------------------------------

cdef bint beside_targets(const State* s, const Seat* p, const Mask* m, uint64_t* out) noexcept nogil:
    """Free hexes of a mask beside an own settlement, strictly (R6.2, Quarry)."""
    cdef uint64_t found = 0
    cdef int w
    for w in range(WORDS):
        out[w] = s.free[w] & m.w[w] & p.near[w]
        found |= out[w]
    return found != 0


cdef bint crowd_targets(const BoardData* b, const State* s, const Seat* p,
                        uint64_t* out) noexcept nogil:
    """Buildable hexes beside three or more own settlements (R6.2, Village)."""
    cdef const uint32_t* x = &p.rows[0]
    cdef uint32_t crowd[ROWS]
    cdef uint32_t e, w, ne, nw, se, sw, odd_up, odd_down, two_up, two_down, two
    cdef int r
    memset(out, 0, WORDS * sizeof(uint64_t))
    for r in range(1, 29):
        # The six neighbours of all cells of the row at once, added bit by bit.
        e = x[r] >> 1
        w = x[r] << 1
        ne = x[r - 1] >> 1
        nw = x[r - 1]
        se = x[r + 1]
        sw = x[r + 1] << 1
        odd_up = e ^ ne ^ nw
        two_up = e & ne | e & nw | ne & nw
        odd_down = w ^ se ^ sw
        two_down = w & se | w & sw | se & sw
        two = odd_up & odd_down
        crowd[r] = ~x[r] & b.build_rows[r] & (
            two_up & two_down | two_up & two | two_down & two
            | (two_up | two_down | two) & (odd_up ^ odd_down))
    return collect_free(b, s, crowd, out)


cdef inline bint is_free_land(const BoardData* b, const State* s, int bit) noexcept nogil:
    return has_bit(s.free, bit) and has_bit(b.masks[MASK_BUILD].w, bit)


cdef bint slide_targets(const BoardData* b, const State* s, int lifted,
                        uint64_t* out) noexcept nogil:
    """The end of the way in each direction over free buildable hexes (R6.2, Caravan)."""
    cdef int d, bit
    cdef bint found = False
    memset(out, 0, WORDS * sizeof(uint64_t))
    for d in range(6):
        bit = lifted
        while is_free_land(b, s, b.neighbour[bit][d]):
            bit = b.neighbour[bit][d]
        if bit != lifted:
            set_bit(out, bit)
            found = True
    return found


cdef bint step_targets(const BoardData* b, const State* s, int lifted,
                       uint64_t* out) noexcept nogil:
    """Free buildable hexes beside the piece (R7.1, Resettlement)."""
    cdef int d, bit
    cdef bint found = False
    memset(out, 0, WORDS * sizeof(uint64_t))
    for d in range(6):
        bit = b.neighbour[lifted][d]
        if is_free_land(b, s, bit):
            set_bit(out, bit)
            found = True
    return found


# --- actions of several steps -------------------------------------------------------------------

cdef bint under_adjacency_rule(const BoardData* b, int slot) noexcept nogil:
    """Placements that an outpost may free from adjacency (R4.3, R7.1)."""
    cdef int action = b.tiles[slot].action
    return ((action == ACTION_BUILD or action == ACTION_DONATION)
            and b.tiles[slot].filter <= FILTER_EDGE)


cdef bint may_declare(const BoardData* b, const State* s) noexcept nogil:
    """Whether an outpost would have a placement to be used for."""
    cdef int slot, mask
    if s.outpost or s.seats[s.mover].supply == 0:
        return False
    for slot in range(b.n_slots):
        if under_adjacency_rule(b, slot) and is_open(b, s, slot):
            mask = slot_mask(b, s, slot)
            if mask != NO_TERRAIN and has_free(s, &b.masks[mask]):
                return True
    return False


cdef int next_victim(const State* s, int seat) noexcept nogil:
    """The next seat after one, in turn order before the mover, with a piece on the board."""
    while True:
        seat = seat + 1 if seat + 1 < s.n_seats else 0
        if seat == s.mover or any_bit(s.seats[seat].own):
            return seat


cdef bint removable(const BoardData* b, const State* s, int slot, uint64_t* out) noexcept nogil:
    """The pieces a sword may take next (R7.1)."""
    cdef int seat, w
    memset(out, 0, WORDS * sizeof(uint64_t))
    if b.options & OPTION_SWORD_ONE:
        for seat in range(s.n_seats):
            if seat != s.mover:
                for w in range(WORDS):
                    out[w] |= s.seats[seat].own[w]
        return any_bit(out)
    seat = s.doing_left if s.doing else next_victim(s, s.mover)
    if seat == s.mover:
        return False
    memcpy(out, s.seats[seat].own, WORDS * sizeof(uint64_t))
    return True


cdef bint may_go_on(const BoardData* b, const State* s) noexcept nogil:
    """Whether the action under way has a next step; it waits while a card is to be replaced."""
    cdef uint64_t hexes[WORDS]
    cdef int action = b.tiles[s.doing].action
    if action == ACTION_SWORD:
        return s.doing_left != s.mover
    if s.doing_left == 0:
        return False
    if s.draw:
        return True
    if action == ACTION_WALL:
        return may_lay(b, s) and targets(b, s, s.doing, NOWHERE, hexes)
    if action == ACTION_DONATION:
        return s.seats[s.mover].supply > 0 and targets(b, s, s.doing, NOWHERE, hexes)
    return movable(b, s, s.doing, hexes)


cdef inline bint may_lay(const BoardData* b, const State* s) noexcept nogil:
    cdef int w, n = 0
    for w in range(WORDS):
        n += kb_count(s.walls[w])
    return n < b.walls


cdef inline void begin_or_count(const BoardData* b, State* s, int slot, int steps) noexcept nogil:
    """Use the tile with the first of several steps, count down with the others."""
    if s.doing:
        s.doing_left -= 1
    else:
        use_tile(b, &s.seats[s.mover], slot)
        s.doing = slot
        s.doing_left = steps - 1


cdef void do_wall(const BoardData* b, State* s, int slot, int bit) noexcept nogil:
    begin_or_count(b, s, slot, 2)
    set_bit(s.walls, bit)
    clear_bit(s.free, bit)
    settle(b, s)


cdef void do_remove(const BoardData* b, State* s, int slot, int bit) noexcept nogil:
    """Take a piece of another seat off the board; its owner may lose tiles (R5.3)."""
    cdef int seat = 0
    cdef Seat* p
    while not has_bit(s.seats[seat].own, bit):
        seat += 1
    p = &s.seats[seat]
    if not s.doing:
        use_tile(b, &s.seats[s.mover], slot)
    if not b.options & OPTION_SWORD_ONE:
        s.doing = slot
        s.doing_left = next_victim(s, seat)
    take_piece(b, s, p, bit)
    p.supply += 1
    lose_tiles(b, s, p, bit)
    settle(b, s)


# --- cards that score during the game -----------------------------------------------------------

cdef void score_build(const BoardData* b, State* s, Seat* p, int slot, int bit) noexcept nogil:
    """The red cards in play for a house just built (R8.6)."""
    cdef const Mask* m = &b.masks[b.terrain[bit]]
    cdef uint64_t empty = 0
    cdef int i, w
    if b.red >> GOLD_SHEPHERDS & 1:
        for i in range(m.n):
            w = m.index[i]
            empty |= b.near[bit][w] & m.w[w] & s.free[w]
        if empty == 0:
            p.gold[GOLD_SHEPHERDS] += 2
    if b.red >> GOLD_AMBASSADORS & 1:
        for i in range(s.n_seats):
            if i != s.mover and has_bit(s.seats[i].near, bit):
                p.gold[GOLD_AMBASSADORS] += 1
                break
    if slot == 0 and b.red >> GOLD_FAMILIES & 1:
        score_family(b, s, p, bit)


cdef void score_family(const BoardData* b, State* s, Seat* p, int bit) noexcept nogil:
    """Families after each house of the mandatory action (R8.6)."""
    cdef int x = s.built[0]
    cdef int y = s.built[1]
    if s.n_built == 2:
        if in_a_line(b, x, y, bit) or in_a_line(b, x, bit, y) or in_a_line(b, y, x, bit):
            p.gold[GOLD_FAMILIES] += 2
        return
    # By cell, so that equal positions are equal however they came about.
    if s.n_built and b.cell_of[bit] < b.cell_of[x]:
        s.built[1] = x
        s.built[0] = bit
    else:
        s.built[s.n_built] = bit
    s.n_built += 1
