# The Harvest set: bazaar, scouts, watchtower, palisade, Mayors, silos. And the caves.


cdef bint watch_targets(const BoardData* b, const State* s, const Seat* p, bint anywhere,
                        uint64_t* out) noexcept nogil:
    """Buildable hexes beside another seat's settlement (R6.5.6, Watchtower)."""
    cdef Mask m
    cdef int i, w
    m.n = WORDS
    for w in range(WORDS):
        m.index[w] = w
        m.w[w] = 0
        for i in range(s.n_seats):
            if i != s.mover:
                m.w[w] |= s.seats[i].near[w]
        m.w[w] &= b.masks[MASK_BUILD].w[w]
    return mask_targets(b, s, p, &m, NOWHERE, anywhere, out)


cdef bint area_targets(const BoardData* b, const State* s, const Seat* p, int lifted,
                       uint64_t* out) noexcept nogil:
    """Buildable hexes beside the rest of the area that the piece was in (R6.5.8, Palisade)."""
    cdef uint64_t rest[WORDS]  # pieces that are not yet known to be in the area
    cdef uint64_t layer[WORDS]  # those that were found to be last
    cdef uint64_t pieces
    cdef uint32_t filled
    cdef int w
    kb_copy(rest, p.own)
    kb_clear(rest, lifted >> 6, <uint64_t>1 << (lifted & 63))
    memset(out, 0, WORDS * sizeof(uint64_t))
    kb_intersect(layer, rest, b.near[lifted])
    while True:
        kb_drop(rest, layer)
        filled = kb_filled_words(layer)
        while filled:
            w = kb_lowest(filled)
            filled &= filled - 1
            pieces = layer[w]
            while pieces:
                kb_add(out, b.near[w * 64 + kb_lowest(pieces)])
                pieces &= pieces - 1
        if not kb_intersect(layer, rest, out):
            break
    kb_intersect(out, out, b.masks[MASK_BUILD].w)
    return kb_intersect(out, out, s.free)


cdef bint cave_targets(const BoardData* b, const State* s, int lifted,
                       uint64_t* out) noexcept nogil:
    """Buildable hexes beside a cave, for a piece that is beside one (R6.7)."""
    cdef uint64_t found = 0
    cdef int w
    memset(out, 0, WORDS * sizeof(uint64_t))
    if not has_bit(b.cave_side, lifted):
        return False
    for w in range(WORDS):
        out[w] = s.free[w] & b.masks[MASK_CAVE_SIDE].w[w]
        found |= out[w]
    return found != 0


# --- scouts (R6.5.4) ----------------------------------------------------------------------------

cdef bint scout_targets(const State* s, const Seat* p, uint64_t* out) noexcept nogil:
    """Any free hex beside an own settlement; land, water or mountain."""
    cdef uint64_t found = 0
    cdef int w
    for w in range(WORDS):
        out[w] = s.free[w] & p.near[w]
        found |= out[w]
    return found != 0


cdef bint find_scouts(const BoardData* b, const State* s, int slot, uint64_t* out) noexcept nogil:
    """Where a scout may go. Before the first one, those of an earlier action are taken up."""
    cdef State view
    if s.doing or not s.n_scouts:
        return targets(b, s, slot, NOWHERE, out)
    copy_state(&view, s)
    take_up_scouts(b, &view)
    return targets(b, &view, slot, NOWHERE, out)


cdef void do_scout(const BoardData* b, State* s, int slot, int bit) noexcept nogil:
    if not s.doing and s.n_scouts:
        take_up_scouts(b, s)
    begin_or_count(b, s, slot, 2)
    set_bit(s.scouts, bit)
    clear_bit(s.free, bit)
    s.n_scouts += 1
    settle_all(b, s)


# --- bazaar (R6.5.2) ----------------------------------------------------------------------------

cdef bint may_repeat(const BoardData* b, const State* s, int slot) noexcept nogil:
    """Whether a tile used this turn can do something again."""
    cdef const Seat* p = &s.seats[s.mover]
    cdef uint64_t hexes[WORDS]
    cdef uint32_t kinds = STEP_KINDS[b.tiles[slot].action]
    cdef int kind
    if slot == b.crossroads_slot:
        return tile_count(p.ready, slot) > 0
    if not b.repeatable[slot] or tile_count(p.used, slot) == 0:
        return False
    while kinds:
        kind = kb_lowest(kinds)
        kinds &= kinds - 1
        if kind != STEP_TAKE and find_choices(b, s, slot, kind, hexes):  # as with ``repeat``
            return True
    return False


cdef void do_repeat(const BoardData* b, State* s, int slot, int other) noexcept nogil:
    """Make a tile ready again. A crossroads tile is only marked."""
    cdef Seat* p = &s.seats[s.mover]
    use_tile(b, s, p, slot)
    if other == b.crossroads_slot:
        p.ready -= one_tile(other)
        p.used += one_tile(other)
        return
    p.used -= one_tile(other)
    p.ready += one_tile(other)
    s.repeat = other


# --- Mayors (R8.8) ------------------------------------------------------------------------------

cdef void mark_row(const BoardData* b, State* s, Seat* p, int row) noexcept nogil:
    """Mark a row with a house from the supply if it is the first with four settlements."""
    cdef uint32_t marked = 0
    cdef int i
    if p.supply == 0 or kb_count(p.rows[row]) < 4:
        return
    for i in range(s.n_seats):
        marked |= s.seats[i].mayors
    if marked >> row & 1:
        return
    p.mayors |= <uint32_t>1 << row
    p.supply -= 1
    check_last_house(b, s, p)


# --- silos (R9.2) -------------------------------------------------------------------------------

cdef int silos_beside(const BoardData* b, const Seat* p) noexcept nogil:
    cdef uint64_t spaces = b.silos
    cdef int n = 0
    while spaces:
        n += has_bit(p.near, b.space_bit[kb_lowest(spaces)])
        spaces &= spaces - 1
    return n


cdef void seek_silo_seat(const BoardData* b, State* s) noexcept nogil:
    """Find the next seat with a silo, the mover first; end the game if there is none."""
    while True:
        s.silos = silos_beside(b, &s.seats[s.mover])
        if s.silos:
            return
        s.mover = s.mover + 1 if s.mover + 1 < s.n_seats else 0
        if s.mover == s.start:
            s.phase = PHASE_OVER
            return


cdef void next_silo_seat(const BoardData* b, State* s) noexcept nogil:
    s.silos = 0
    s.seats[s.mover].roved = 0
    s.mover = s.mover + 1 if s.mover + 1 < s.n_seats else 0
    if s.mover == s.start:
        s.phase = PHASE_OVER
    else:
        seek_silo_seat(b, s)


cdef void end_rounds(const BoardData* b, State* s) noexcept nogil:
    """End the last round; silo actions follow if there are silos."""
    s.phase = PHASE_OVER
    s.card = NO_CARD
    s.choosing = False
    s.terrain = NO_TERRAIN
    s.due = 0
    if b.silos:
        s.phase = PHASE_SILO
        seek_silo_seat(b, s)


cdef void begin_silo(State* s, int slot, int mode) noexcept nogil:
    """Count a step of a silo. The first one decides between builds and moves, up to three."""
    if s.doing:
        s.doing_left -= 1
    else:
        s.silos -= 1
        s.doing = slot
        s.doing_left = mode + 2
