# What may be done (targets, legal steps) and doing it. Families: Action, Filter, Step.


# --- target filters -----------------------------------------------------------------------------

cdef bint mask_targets(const BoardData* b, const State* s, const Seat* p, const Mask* m,
                       int lifted, uint64_t* out) noexcept nogil:
    """Adjacent if possible (R4.2), with a piece in hand or none (R4.4); False if there is nothing.

    ``lifted`` is the bit of the piece in hand, which is still on the board, or NOWHERE. A declared
    outpost waives adjacency (R7.1).
    """
    cdef int i, w, d, n
    cdef bint vacated = False
    cdef uint64_t found = 0
    memset(out, 0, WORDS * sizeof(uint64_t))
    for i in range(m.n):
        w = m.index[i]
        out[w] = s.free[w] & m.w[w] & p.near[w]
    if lifted != NOWHERE:
        for d in range(6):
            n = b.neighbour[lifted][d]
            if has_bit(out, n) and count_own_neighbours(p.rows, b.row[n], b.shear[n]) == 1:
                clear_bit(out, n)  # the piece in hand is its only own neighbour
        vacated = (b.options & OPTION_VACATED_HEX_COUNTS and has_bit(m.w, lifted)
                   and has_bit(p.near, lifted))
    for i in range(m.n):
        found |= out[m.index[i]]
    if (found or vacated) and not s.outpost:
        return found != 0
    for i in range(m.n):
        w = m.index[i]
        out[w] = s.free[w] & m.w[w]
        found |= out[w]
    return found != 0


cdef inline bint collect_free(const BoardData* b, const State* s, const uint32_t* rows,
                              uint64_t* out) noexcept nogil:
    """Set the bits of the free hexes of some rows; False if there is none."""
    cdef uint32_t hexes
    cdef int r, bit
    cdef bint found = False
    for r in range(BOARD_ROW, b.n_rows - 3):
        hexes = rows[r]
        while hexes:
            bit = b.at[r][kb_lowest(hexes)]
            hexes &= hexes - 1
            if has_bit(s.free, bit):
                set_bit(out, bit)
                found = True
    return found


cdef bint line_end_targets(const BoardData* b, const State* s, const Seat* p,
                           uint64_t* out) noexcept nogil:
    """Buildable hexes that continue a straight line of three own settlements (R6.1, Tavern)."""
    # Plain loops over all rows, 28 of them, become vector instructions: a third of the cost.
    cdef const uint32_t* x = &p.rows[0]
    cdef uint32_t flat[ROWS]  # lowest cell of three in the row
    cdef uint32_t steep[ROWS + 4]  # uppermost cell of three from NW to SE, row r at r + 3
    cdef uint32_t slant[ROWS + 4]  # ... from NE to SW
    cdef uint32_t ends[ROWS]
    cdef uint32_t lines = 0
    cdef int r
    memset(out, 0, WORDS * sizeof(uint64_t))
    for r in range(1, 29):
        flat[r] = x[r] & x[r] >> 1 & x[r] >> 2
        steep[r + 3] = x[r] & x[r + 1] & x[r + 2]
        slant[r + 3] = x[r] & x[r + 1] << 1 & x[r + 2] << 2
        lines |= flat[r] | steep[r + 3] | slant[r + 3]
    if lines == 0:
        return False
    memset(steep, 0, 16)
    memset(slant, 0, 16)
    memset(steep + 32, 0, 16)
    memset(slant + 32, 0, 16)
    for r in range(1, 29):
        ends[r] = ~x[r] & b.build_rows[r] & (
            flat[r] >> 1 | flat[r] << 3
            | steep[r + 4] | slant[r + 4] << 1  # the line begins one row below
            | steep[r] | slant[r] >> 3)  # it ended one row above
    return collect_free(b, s, ends, out)


cdef bint jump_targets(const BoardData* b, const State* s, int lifted,
                       uint64_t* out) noexcept nogil:
    """Buildable hexes exactly two away in a straight line (R6.1, Paddock)."""
    cdef int d, n
    cdef bint found = False
    memset(out, 0, WORDS * sizeof(uint64_t))
    for d in range(6):
        n = b.jump[lifted][d]
        if is_free_land(b, s, n):
            set_bit(out, n)
            found = True
    return found


cdef inline int slot_mask(const BoardData* b, const State* s, int slot) noexcept nogil:
    """The mask a slot builds on, for the filters that have one."""
    if b.tiles[slot].filter == FILTER_CARD or b.tiles[slot].filter == FILTER_CARD_BESIDE:
        return s.terrain
    return b.tiles[slot].mask


cdef bint targets(const BoardData* b, const State* s, int slot, int lifted,
                  uint64_t* out) noexcept nogil:
    """All hexes the mover may build on with a slot, or put the piece in hand on; False if none."""
    cdef const Seat* p = &s.seats[s.mover]
    cdef int filter = b.tiles[slot].filter
    cdef int mask
    if filter == FILTER_LINE_END:
        return line_end_targets(b, s, p, out)
    if filter == FILTER_JUMP:
        return jump_targets(b, s, lifted, out)
    if filter == FILTER_CROWD:
        return crowd_targets(b, s, p, out)
    if filter == FILTER_SLIDE:
        return slide_targets(b, s, lifted, out)
    if filter == FILTER_STEP:
        return step_targets(b, s, lifted, out)
    mask = slot_mask(b, s, slot)
    if mask == NO_TERRAIN:
        memset(out, 0, WORDS * sizeof(uint64_t))
        return False
    if filter == FILTER_CARD_BESIDE:
        return beside_targets(s, p, &b.masks[mask], out)
    return mask_targets(b, s, p, &b.masks[mask], lifted, out)


cdef bint movable(const BoardData* b, const State* s, int slot, uint64_t* out) noexcept nogil:
    """The mover's pieces that a slot can move somewhere; False if none."""
    cdef const Seat* p = &s.seats[s.mover]
    cdef uint64_t hexes[WORDS]
    cdef uint64_t pieces
    cdef int w, bit
    cdef bint found = False
    memset(out, 0, WORDS * sizeof(uint64_t))
    for w in range(WORDS):
        pieces = p.own[w]
        while pieces:
            bit = w * 64 + kb_lowest(pieces)
            pieces &= pieces - 1
            if targets(b, s, slot, bit, hexes):
                set_bit(out, bit)
                found = True
    return found


# --- legal steps --------------------------------------------------------------------------------

cdef bint is_open(const BoardData* b, const State* s, int slot) noexcept nogil:
    """Whether a slot may be used now, as far as order and tiles go (R3.1, R3.3)."""
    cdef int action = b.tiles[slot].action
    cdef bint held = slot > 0 and tile_count(s.seats[s.mover].ready, slot) > 0
    if s.draw or s.lift_slot or s.phase == PHASE_OVER:
        return False
    if s.outpost and not under_adjacency_rule(b, slot):
        return False
    if s.doing:
        return slot == s.doing or (
            held and action == ACTION_OUTPOST and b.tiles[s.doing].action == ACTION_DONATION)
    if slot == 0:
        return s.phase < PHASE_POST
    return held and (s.phase != PHASE_BUILD or action == ACTION_OUTPOST)


cdef int step_kind(const BoardData* b, int slot) noexcept nogil:
    """The kind of step an action begins with."""
    cdef int action = b.tiles[slot].action
    if action == ACTION_BUILD or action == ACTION_DONATION:
        return STEP_BUILD
    if action == ACTION_MOVE or action == ACTION_RESETTLEMENT:
        return STEP_LIFT
    if action == ACTION_WALL:
        return STEP_WALL
    if action == ACTION_SWORD:
        return STEP_REMOVE
    return STEP_DECLARE


cdef bint find_choices(const BoardData* b, const State* s, int slot, uint64_t* out) noexcept nogil:
    """The hexes an open slot can be used on: to build, of pieces to lift, ...; False if none.

    A declaration has no hex: then ``out`` is empty and only the answer counts.
    """
    cdef int kind = step_kind(b, slot)
    memset(out, 0, WORDS * sizeof(uint64_t))
    if kind == STEP_BUILD:
        return s.seats[s.mover].supply > 0 and targets(b, s, slot, NOWHERE, out)
    if kind == STEP_LIFT:
        return movable(b, s, slot, out)
    if kind == STEP_WALL:
        return may_lay(b, s) and targets(b, s, slot, NOWHERE, out)
    if kind == STEP_REMOVE:
        return removable(b, s, slot, out)
    return may_declare(b, s)


cdef inline bint may_end(const State* s) noexcept nogil:
    return (s.phase == PHASE_POST and not s.draw and not s.lift_slot and not s.doing
            and not s.outpost)


cdef inline bint may_stop(const BoardData* b, const State* s) noexcept nogil:
    """Whether the action under way could go on but need not (R6.2, R7.1)."""
    cdef int action = b.tiles[s.doing].action
    return (s.doing > 0 and not s.draw and not s.lift_slot
            and (action == ACTION_WALL or action == ACTION_RESETTLEMENT))


cdef inline uint32_t pack_step(int kind, int slot, int cell) noexcept nogil:
    return <uint32_t>kind << 24 | <uint32_t>slot << 16 | <uint32_t>cell


cdef int pack_steps(const BoardData* b, int kind, int slot, const uint64_t* hexes,
                    uint32_t* out) noexcept nogil:
    cdef uint64_t x
    cdef int w, n = 0
    for w in range(WORDS):
        x = hexes[w]
        while x:
            out[n] = pack_step(kind, slot, b.cell_of[w * 64 + kb_lowest(x)])
            x &= x - 1
            n += 1
    return n


cdef int slot_steps(const BoardData* b, const State* s, int slot, uint32_t* out) noexcept nogil:
    """Write down the steps an open slot begins or goes on with; return their number."""
    cdef uint64_t hexes[WORDS]
    cdef int kind = step_kind(b, slot)
    if not find_choices(b, s, slot, hexes):
        return 0
    if kind == STEP_DECLARE:
        out[0] = pack_step(kind, slot, 0)
        return 1
    return pack_steps(b, kind, slot, hexes, out)


cdef int list_steps(const BoardData* b, const State* s, uint32_t* out) noexcept nogil:
    """Write down the legal steps, at most MAX_STEPS; return their number."""
    cdef uint64_t hexes[WORDS]
    cdef int slot, n = 0
    if s.lift_slot:
        targets(b, s, s.lift_slot, s.lift, hexes)
        return pack_steps(b, STEP_PUT, 0, hexes, out)
    for slot in range(b.n_slots):
        if is_open(b, s, slot):
            n += slot_steps(b, s, slot, out + n)
    if may_stop(b, s):
        out[n] = pack_step(STEP_STOP, 0, 0)
        n += 1
    if may_end(s):
        out[n] = pack_step(STEP_END, 0, 0)
        n += 1
    return n


cdef bint is_legal_step(const BoardData* b, const State* s, uint32_t step) noexcept nogil:
    cdef int kind = step >> 24
    cdef int slot = step >> 16 & 255
    cdef int cell = step & 65535
    cdef int bit
    cdef uint64_t hexes[WORDS]
    if kind == STEP_END or kind == STEP_STOP:
        return step == pack_step(kind, 0, 0) and (
            may_end(s) if kind == STEP_END else may_stop(b, s))
    if cell >= BITS or slot >= b.n_slots or kind >= N_STEPS:
        return False
    bit = b.bit_of[cell]
    if kind == STEP_PUT:
        return (slot == 0 and bit != NOWHERE and s.lift_slot
                and targets(b, s, s.lift_slot, s.lift, hexes) and has_bit(hexes, bit))
    if kind != step_kind(b, slot) or not is_open(b, s, slot) or not find_choices(b, s, slot, hexes):
        return False
    return cell == 0 if kind == STEP_DECLARE else bit != NOWHERE and has_bit(hexes, bit)


# --- doing it -----------------------------------------------------------------------------------

cdef inline void place_house(const BoardData* b, State* s, Seat* p, int word, uint64_t one,
                             int bit) noexcept nogil:
    """A house from the supply, with its consequences up to the tiles in the order of R3.8."""
    set_piece_in(b, s, p, word, one, bit)
    p.supply -= 1
    if p.supply == 0 and not b.options & OPTION_SWORD_CANCELS_END:
        s.final = True
    gain_tiles(b, s, p, bit)


cdef inline int houses_due(const Seat* p) noexcept nogil:
    """Houses of a mandatory action that begins now (R3.2)."""
    return 3 if p.supply > 3 else p.supply


cdef inline void do_build(const BoardData* b, State* s, int slot, int bit) noexcept nogil:
    cdef Seat* p = &s.seats[s.mover]
    if slot == 0:
        if s.phase == PHASE_PRE:
            s.phase = PHASE_BUILD
            s.due = houses_due(p)
    elif b.tiles[slot].action == ACTION_DONATION:
        begin_or_count(b, s, slot, houses_due(p))
    else:
        use_tile(b, p, slot)
    s.outpost = False
    place_house(b, s, p, bit >> 6, <uint64_t>1 << (bit & 63), bit)
    if b.red:
        score_build(b, s, p, slot, bit)
    if slot == 0:
        s.due -= 1
        if s.due == 0:
            s.phase = PHASE_POST
            forget_family(s)
    settle(b, s)


cdef inline void do_move(const BoardData* b, State* s, int slot, int source,
                         int target) noexcept nogil:
    """Move a piece; the tile used may be the one that is lost by it (R5.3)."""
    cdef Seat* p = &s.seats[s.mover]
    if b.tiles[slot].action == ACTION_RESETTLEMENT:
        begin_or_count(b, s, slot, 4)
    else:
        use_tile(b, p, slot)
    take_piece(b, s, p, source)
    set_piece(b, s, p, target)
    lose_tiles(b, s, p, source)
    gain_tiles(b, s, p, target)
    settle(b, s)


cdef void do_step(const BoardData* b, State* s, uint32_t step) noexcept nogil:
    """Make a legal step."""
    cdef int kind = step >> 24
    cdef int slot = step >> 16 & 255
    cdef int bit = b.bit_of[step & 65535]
    if kind == STEP_BUILD:
        do_build(b, s, slot, bit)
    elif kind == STEP_LIFT:
        s.lift_slot = slot
        s.lift = bit
    elif kind == STEP_PUT:
        slot = s.lift_slot
        s.lift_slot = 0
        do_move(b, s, slot, s.lift, bit)
        s.lift = 0
    elif kind == STEP_WALL:
        do_wall(b, s, slot, bit)
    elif kind == STEP_REMOVE:
        do_remove(b, s, slot, bit)
    elif kind == STEP_DECLARE:
        use_tile(b, &s.seats[s.mover], slot)
        s.outpost = True
    elif kind == STEP_STOP:
        s.doing = 0
        s.doing_left = 0
    else:
        end_turn(b, s)


cdef uint64_t count_sequences(const BoardData* b, const State* s, int depth) noexcept nogil:
    """Perft: the number of sequences of ``depth`` steps and draws."""
    cdef uint32_t steps[MAX_STEPS]
    cdef State child
    cdef uint64_t total = 0
    cdef int i, n
    if depth == 0:
        return 1
    memset(&child, 0, sizeof(State))
    if s.draw:
        for i in range(CARD_KINDS):
            if s.pools[draw_pool(s)][i]:
                copy_state(&child, s)
                show_card(b, &child, i)
                total += count_sequences(b, &child, depth - 1)
        return total
    n = list_steps(b, s, steps)
    if depth == 1:
        return n
    for i in range(n):
        copy_state(&child, s)
        do_step(b, &child, steps[i])
        total += count_sequences(b, &child, depth - 1)
    return total
