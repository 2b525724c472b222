# The Nomads set: stone walls, nomad tiles, and the cards that score during the game.


# --- target filters -----------------------------------------------------------------------------

cdef bint crowd_targets(const BoardData* b, const State* s, const Seat* p,
                        uint64_t* out) noexcept nogil:
    """Buildable hexes beside three or more own settlements (R6.2, Village)."""
    cdef const uint32_t* x = &p.rows[0]
    cdef uint32_t crowd[ROWS]
    cdef uint32_t land[ROWS]
    cdef uint32_t ones, twos, fours
    cdef int r
    find_land(b, s, land)
    memset(out, 0, WORDS * sizeof(uint64_t))
    memset(crowd, 0, sizeof(crowd))
    for r in range(1, 29):
        add_neighbours(x, r, &ones, &twos, &fours)
        crowd[r] = land[r] & (fours | twos & ones)
    return collect_free(b, s, crowd, out)


cdef bint slide_targets(const BoardData* b, const State* s, int lifted,
                        uint64_t* out) noexcept nogil:
    """The last free buildable hex in each direction without a gap (R6.2, Caravan)."""
    cdef uint64_t land[WORDS]
    cdef int d, bit
    cdef bint found = False
    kb_intersect(land, s.free, b.masks[MASK_BUILD].w)
    memset(out, 0, WORDS * sizeof(uint64_t))
    for d in range(6):
        bit = lifted
        while has_bit(land, b.neighbour[bit][d]):
            bit = b.neighbour[bit][d]
        if bit != lifted:
            set_bit(out, bit)
            found = True
    return found


cdef bint step_targets(const BoardData* b, const State* s, int lifted, const Mask* m,
                       uint64_t* out) noexcept nogil:
    """Free hexes of a mask beside the piece (R7.1, Resettlement; Refuge; wagon and ship)."""
    kb_intersect(out, b.near[lifted], m.w)
    return kb_intersect(out, out, s.free)


# --- actions of several steps -------------------------------------------------------------------

cdef bint under_adjacency_rule(const BoardData* b, const State* s, int slot) noexcept nogil:
    """Whether a slot places a piece now for which an outpost may waive adjacency (R4.3, R7.1)."""
    cdef int action = b.tiles[slot].action
    if action == ACTION_BUILD:
        return b.tiles[slot].filter <= FILTER_SHORE
    if action == ACTION_FORT:
        return s.doing == slot
    if action == ACTION_WARRIOR:
        return s.seats[s.mover].figures[1] == NOWHERE
    if action == ACTION_WAGON or action == ACTION_SHIP:
        return not s.doing and s.seats[s.mover].figures[figure_of(action)] == NOWHERE
    return action == ACTION_DONATION or action == ACTION_CATHEDRAL


cdef bint may_declare(const BoardData* b, const State* s) noexcept nogil:
    """Whether there is a placement to use an outpost for."""
    cdef uint64_t hexes[WORDS]
    cdef int slot
    for slot in range(b.n_slots):
        # The outpost changes which hexes are legal, but not whether there are any.
        if (under_adjacency_rule(b, s, slot) and is_open(b, s, slot)
                and find_builds(b, s, slot, hexes)):
            return True
    return False


cdef int next_victim(const BoardData* b, const State* s, int seat) noexcept nogil:
    """The next seat in turn order with a piece to take; the mover if there is none."""
    cdef uint64_t pieces[WORDS]
    while True:
        seat = seat + 1 if seat + 1 < s.n_seats else 0
        if seat == s.mover or loose_pieces(b, &s.seats[seat], pieces):
            return seat


cdef bint removable(const BoardData* b, const State* s, uint64_t* out) noexcept nogil:
    """The pieces a sword may take next (R7.1)."""
    cdef uint64_t pieces[WORDS]
    cdef int seat, w
    memset(out, 0, WORDS * sizeof(uint64_t))
    if b.options & OPTION_SWORD_ONE:
        for seat in range(s.n_seats):
            if seat != s.mover and loose_pieces(b, &s.seats[seat], pieces):
                for w in range(WORDS):
                    out[w] |= pieces[w]
        return any_bit(out)
    seat = s.doing_left if s.doing else next_victim(b, s, s.mover)
    return seat != s.mover and loose_pieces(b, &s.seats[seat], out)


cdef bint may_go_on(const BoardData* b, const State* s) noexcept nogil:
    """Whether the action under way has a next step. It waits for cards and for a choice of half."""
    cdef uint64_t hexes[WORDS]
    cdef int action = b.tiles[s.doing].action
    if action == ACTION_SWORD:
        return s.doing_left != s.mover
    if s.draw:
        return action == ACTION_FORT or s.doing_left > 0
    if action == ACTION_FORT:
        return targets(b, s, s.doing, NOWHERE, hexes)
    if s.doing_left == 0 or (action == ACTION_SILO and s.doing_left == MOVING):
        return False
    if is_undecided(s) and (action == ACTION_WALL or action == ACTION_CATHEDRAL):
        return may_lay(b, s) if action == ACTION_WALL else has_house(s, s.doing)
    if action == ACTION_WALL:
        return may_lay(b, s) and targets(b, s, s.doing, NOWHERE, hexes)
    if action == ACTION_SCOUT:
        return targets(b, s, s.doing, NOWHERE, hexes)
    if action == ACTION_DONATION or action == ACTION_CATHEDRAL or (
            action == ACTION_SILO and s.doing_left < MOVING):
        return has_house(s, s.doing) and targets(b, s, s.doing, NOWHERE, hexes)
    return movable(b, s, s.doing, hexes)


cdef inline bint may_lay(const BoardData* b, const State* s) noexcept nogil:
    cdef int w, n = 0
    for w in range(WORDS):
        n += kb_count(s.walls[w])
    return n < b.walls


cdef inline void begin_or_count(const BoardData* b, State* s, int slot, int steps) noexcept nogil:
    """Use the tile with the first of several steps, count down with each other one."""
    if s.doing:
        s.doing_left -= 1
    else:
        use_tile(b, s, &s.seats[s.mover], slot)
        s.doing = slot
        s.doing_left = steps - 1
    if s.doing_left == 0 and b.tiles[slot].action != ACTION_CATHEDRAL:  # it may gain a token
        s.doing = 0


cdef void do_wall(const BoardData* b, State* s, int slot, int bit) noexcept nogil:
    begin_or_count(b, s, slot, 2)
    set_bit(s.walls, bit)
    clear_bit(s.free, bit)
    settle_all(b, s)


cdef void do_remove(const BoardData* b, State* s, int slot, int bit) noexcept nogil:
    """Take another seat's piece off the board. Its owner may lose tiles (R5.3)."""
    cdef int seat = 0
    cdef Seat* p
    while not has_bit(s.seats[seat].own, bit):
        seat += 1
    p = &s.seats[seat]
    if not s.doing:
        use_tile(b, s, &s.seats[s.mover], slot)
    if not b.options & OPTION_SWORD_ONE:
        s.doing = slot
        s.doing_left = next_victim(b, s, seat)
    if not b.figures or not take_figure(b, s, p, bit):
        take_piece(b, s, p, bit)
        p.supply += 1
    lose_tiles(b, s, p, bit)
    settle_all(b, s)


# --- cards that score during the game -----------------------------------------------------------

cdef bint has_empty_neighbour(const BoardData* b, const State* s, int bit) noexcept nogil:
    """Whether a neighbour of the same terrain has no piece and no wall (R8.6, Shepherds)."""
    cdef const Mask* m = &b.masks[b.terrain[bit]]
    cdef uint64_t empty, found = 0
    cdef int i, k, w
    for i in range(m.n):
        w = m.index[i]
        empty = s.free[w]
        if b.figures or s.n_scouts:  # a hex that only a warrior or a scout blocks is empty
            empty = ~s.walls[w]
            for k in range(s.n_seats):
                empty &= ~s.seats[k].own[w]
        found |= b.near[bit][w] & m.w[w] & empty
    return found != 0


cdef inline bint pays_at_once(const BoardData* b, const State* s, int seat) noexcept nogil:
    """Whether red cards pay a seat now: in its own turn, by option also for canoes and silos
    (R8.6)."""
    return (seat == s.mover and s.phase != PHASE_SILO) or b.options & OPTION_RED_ANY_TURN


cdef void score_build(const BoardData* b, State* s, int seat, int bit) noexcept nogil:
    """Score the red cards for a piece just built, except Families (R8.6, R8.8)."""
    cdef Seat* p = <Seat*>kb_opaque(&s.seats[seat])
    cdef int i
    if b.red >> GOLD_SHEPHERDS & 1 and not has_empty_neighbour(b, s, bit):
        p.gold[GOLD_SHEPHERDS] += 2
    if b.red >> GOLD_AMBASSADORS & 1:
        for i in range(s.n_seats):
            if i != seat and has_bit(s.seats[i].near, bit):
                p.gold[GOLD_AMBASSADORS] += 1
                break
    if b.red >> GOLD_ROVERS & 1 and b.quadrant_of[bit] != NO_QUADRANT:
        if not p.roved >> b.quadrant_of[bit] & 1:
            p.roved |= 1 << b.quadrant_of[bit]
            p.gold[GOLD_ROVERS] += 1


cdef void score_family(const BoardData* b, State* s, Seat* p, int bit) noexcept nogil:
    """Score Families after a house of the mandatory action (R8.6)."""
    cdef int x = s.built[0]
    cdef int y = s.built[1]
    if s.n_built == 2:
        if in_a_line(b, x, y, bit) or in_a_line(b, x, bit, y) or in_a_line(b, y, x, bit):
            p.gold[GOLD_FAMILIES] += 2
        return
    # Sorted by cell, so that a position does not depend on the order of its steps.
    if s.n_built and b.cell_of[bit] < b.cell_of[x]:
        s.built[1] = x
        s.built[0] = bit
    else:
        s.built[s.n_built] = bit
    s.n_built += 1
