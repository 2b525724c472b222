# The Marshlands set: temple, refuge bonus, fountain, and the canoe, which interrupts other turns.


cdef bint nearest_targets(const BoardData* b, const State* s, int lifted,
                          uint64_t* out) noexcept nogil:
    """The nearest free buildable hex in each direction, over anything (R6.4.2, Refuge bonus)."""
    cdef uint64_t land[WORDS]
    cdef int d, r, q, bit
    cdef bint found = False
    # By rows, because the way may lead over water. It never leads from the board to the island.
    cdef int low = BOARD_ROW if b.row[lifted] < ISLAND_ROW else ISLAND_ROW
    cdef int high = ISLAND_ROW - 2 if b.row[lifted] < ISLAND_ROW else ROWS
    kb_intersect(land, s.free, b.masks[MASK_BUILD].w)
    memset(out, 0, WORDS * sizeof(uint64_t))
    for d in range(6):
        r = b.row[lifted] + ROW_STEP[d]
        q = b.shear[lifted] + SHEAR_STEP[d]
        while low <= r < high and 0 <= q < 32:
            bit = b.at[r][q]
            if has_bit(land, bit):  # NOWHERE never is
                set_bit(out, bit)
                found = True
                break
            r += ROW_STEP[d]
            q += SHEAR_STEP[d]
    return found


cdef bint lonely_targets(const BoardData* b, const State* s, const Seat* p,
                         uint64_t* out) noexcept nogil:
    """Beside exactly one own settlement and nobody else's (R6.4.4, Fountain)."""
    cdef const uint32_t* x = &p.rows[0]
    cdef uint32_t lonely[ROWS]
    cdef uint32_t ones, twos, fours
    cdef uint64_t land, found = 0
    cdef int r, w, k, seat = actor(s)
    memset(out, 0, WORDS * sizeof(uint64_t))
    memset(lonely, 0, sizeof(lonely))
    for r in range(1, 29):
        add_neighbours(x, r, &ones, &twos, &fours)
        lonely[r] = ~x[r] & ones & ~twos & ~fours
    collect_free(b, s, lonely, out)
    for w in range(WORDS):
        land = b.masks[MASK_BUILD].w[w]
        if b.fountain_bonus_slot and tile_count(p.ready, b.fountain_bonus_slot):
            land |= b.masks[MOUNTAIN].w[w]
        for k in range(s.n_seats):
            if k != seat:
                land &= ~s.seats[k].near[w]
        out[w] &= land
        found |= out[w]
    return found != 0


cdef void do_temple(const BoardData* b, State* s, int slot, int bit) noexcept nogil:
    """Put an own house from the board on the tile (R6.4.1)."""
    cdef Seat* p = &s.seats[s.mover]
    use_tile(b, s, p, slot)
    take_piece(b, s, p, bit)
    p.temple += 1
    lose_tiles(b, s, p, bit)
    settle_all(b, s)


# --- canoe (R6.4.3) -----------------------------------------------------------------------------

cdef void interrupt(State* s, int taker) noexcept nogil:
    """Let the others react to a last tile taken, the taker's left neighbour first."""
    c_assert(s.n_react < MAX_REACT)
    s.react_taker[s.n_react] = taker
    s.react_next[s.n_react] = taker + 1 if taker + 1 < s.n_seats else 0
    s.n_react += 1


cdef void end_interruption(State* s) noexcept nogil:
    s.n_react -= 1
    s.react_taker[s.n_react] = 0
    s.react_next[s.n_react] = 0


cdef void ask_another(const BoardData* b, State* s) noexcept nogil:
    """Go on with the next seat of the innermost interruption, or end it."""
    cdef int top = s.n_react - 1
    cdef int seat = s.react_next[top]
    if seat != s.react_taker[top]:
        seat = seat + 1 if seat + 1 < s.n_seats else 0
        s.react_next[top] = seat
        if seat != s.react_taker[top] or b.options & OPTION_CANOE_SELF:
            return
    end_interruption(s)


cdef bint ask_next(const BoardData* b, State* s) noexcept nogil:
    """Find the next seat with a choice; False if all interruptions are over."""
    cdef const Seat* p
    while s.n_react:
        p = &s.seats[s.react_next[s.n_react - 1]]
        if tile_count(p.ready, b.canoe_slot) and p.supply and (
                has_free(s, &b.masks[MARSH]) or has_free(s, &b.masks[WATER])):
            return True
        ask_another(b, s)
    return False


cdef void do_pass(const BoardData* b, State* s) noexcept nogil:
    ask_another(b, s)
    settle_all(b, s)
