# The Crossroads set: several cards in hand, the fort, figures, the city hall.


# --- choosing the card --------------------------------------------------------------------------

cdef enum:
    MAX_CHOICES = CARD_KINDS * (FOREST + 2)


cdef bint may_choose(const BoardData* b, const State* s) noexcept nogil:
    """Whether the card or the half of the turn can be chosen now (R3.6)."""
    cdef int action = b.tiles[s.doing].action
    if not is_undecided(s) or s.draw or s.lift_slot or s.outpost or s.repeat or s.n_react:
        return False
    return not s.doing or action == ACTION_WALL or action == ACTION_CATHEDRAL


cdef int card_choices(const BoardData* b, const State* s, int card, int count,
                      uint32_t* out) noexcept nogil:
    """List the terrains as which a card, held ``count`` times, can be played: with a free hex."""
    cdef int terrain, n = 0
    for terrain in range(MARSH + 1):
        if card <= FOREST:
            if terrain != card and (count < 2 or terrain == MARSH or not (
                    b.options & OPTION_CROSSROADS_IDENTICAL_ANY)):
                continue
        elif terrain != card - MARSH and terrain != MARSH:
            continue
        if has_free(s, &b.masks[terrain]):
            out[n] = pack_step(STEP_CHOOSE, 0, card * 16 + terrain)
            n += 1
    return n


cdef int choice_steps(const BoardData* b, const State* s, uint32_t* out) noexcept nogil:
    """List what can be chosen; every card once if none has a free hex."""
    cdef int card, n = 0
    if not s.choosing:
        return card_choices(b, s, s.card, 1, out)
    for card in range(CARD_KINDS):
        if s.hand[card]:
            n += card_choices(b, s, card, s.hand[card], out + n)
    if n:
        return n
    for card in range(CARD_KINDS):
        if s.hand[card]:
            out[n] = pack_step(STEP_CHOOSE, 0, card * 16 + (card if card <= FOREST
                                                            else card - MARSH))
            n += 1
    return n


cdef void do_choose(const BoardData* b, State* s, int card, int terrain) noexcept nogil:
    if s.choosing:
        s.choosing = False
        s.hand[card] -= 1
        s.n_hand -= 1
        s.card = card
    s.terrain = terrain
    settle_all(b, s)


# --- pieces that are not houses -----------------------------------------------------------------

cdef inline int figure_of(int action) noexcept nogil:
    """The index of the figure of an action; the first of two for warriors."""
    return WAGON if action == ACTION_WAGON else SHIP if action == ACTION_SHIP else 0


cdef inline bint is_warrior(const Seat* p, int bit) noexcept nogil:
    return p.figures[0] == bit or p.figures[1] == bit


cdef void remove_hall(const BoardData* b, const Seat* p, uint64_t* pieces) noexcept nogil:
    if p.hall != NOWHERE:
        clear_bit(pieces, p.hall)
        kb_drop(pieces, b.near[p.hall])


cdef bint loose_pieces(const BoardData* b, const Seat* p, uint64_t* out) noexcept nogil:
    """All pieces but the city hall, which is never moved or removed (R4.4, R7.1)."""
    kb_copy(out, p.own)
    if b.figures:
        remove_hall(b, p, out)
    return any_bit(out)


cdef bint list_houses(const BoardData* b, const Seat* p, uint64_t* out) noexcept nogil:
    cdef int i
    loose_pieces(b, p, out)
    if b.figures:
        for i in range(FIGURES):
            if p.figures[i] != NOWHERE:
                clear_bit(out, p.figures[i])
    return any_bit(out)


cdef bint list_figures(const Seat* p, int action, uint64_t* out) noexcept nogil:
    """The figures of an action that are on the board."""
    cdef int first = figure_of(action)
    cdef int i
    memset(out, 0, WORDS * sizeof(uint64_t))
    for i in range(first, first + (2 if action == ACTION_WARRIOR else 1)):
        if p.figures[i] != NOWHERE:
            set_bit(out, p.figures[i])
    return any_bit(out)


cdef void keep_grounded(const BoardData* b, const Seat* p, int slot,
                        uint64_t* pieces) noexcept nogil:
    """Drop the figures that may not stand where a slot leads: a ship stands on water, a wagon on
    anything else, a warrior on buildable hexes (R4.4.4)."""
    cdef int i, terrain = GRASS  # all but FILTER_TERRAIN lead to buildable hexes only
    if b.tiles[slot].filter == FILTER_TERRAIN:
        terrain = b.tiles[slot].mask
    for i in range(FIGURES):
        if p.figures[i] != NOWHERE and not (
                terrain == WATER if i == SHIP else terrain != WATER if i == WAGON
                else is_buildable(terrain)):
            clear_bit(pieces, p.figures[i])


cdef void list_pieces(const BoardData* b, const Seat* p, int slot, uint64_t* out) noexcept nogil:
    """The pieces that a slot may move, if they have a target (R4.4.4, R6.3.4, R6.3.5)."""
    cdef int action = b.tiles[slot].action
    cdef int w
    if action == ACTION_WAGON or action == ACTION_SHIP:
        list_figures(p, action, out)
    elif b.options & OPTION_FIGURES_BY_OWN_TILE:
        list_houses(b, p, out)
    else:
        loose_pieces(b, p, out)
        if b.figures and not b.options & OPTION_FIGURES_ANYWHERE:
            keep_grounded(b, p, slot, out)
    if b.tiles[slot].filter == FILTER_CAVE:
        for w in range(WORDS):
            out[w] &= b.cave_side[w]


cdef inline const uint64_t* pieces_to_move(const BoardData* b, const Seat* p, int slot,
                                           uint64_t* room) noexcept nogil:
    """The same for a tile that moves any piece. Copied to ``room`` only if it is not all pieces."""
    if b.tiles[slot].filter != FILTER_CAVE and (not b.figures or (
            p.hall == NOWHERE and b.options & OPTION_FIGURES_ANYWHERE)):
        return p.own
    list_pieces(b, p, slot, room)
    return room


cdef void set_figure(const BoardData* b, State* s, Seat* p, int i, int bit) noexcept nogil:
    """Note where a figure stands now, or that it is in the reserve. A warrior's block follows."""
    cdef uint16_t first
    p.figures[i] = bit
    if i < WAGON:
        if b.cell_of[p.figures[1]] < b.cell_of[p.figures[0]]:
            first = p.figures[1]
            p.figures[1] = p.figures[0]
            p.figures[0] = first
        refresh_free(b, s)


cdef int find_figure(const Seat* p, int bit) noexcept nogil:
    cdef int i
    for i in range(FIGURES):
        if p.figures[i] == bit:
            return i
    return FIGURES


cdef void relocate(const BoardData* b, State* s, Seat* p, int source, int target) noexcept nogil:
    """Move a piece that may be a figure. A warrior in hand blocks nothing (R6.3.3)."""
    cdef int i = find_figure(p, source)
    take_piece(b, s, p, source)
    if i < WAGON:
        set_figure(b, s, p, i, NOWHERE)
        i = find_figure(p, NOWHERE)
    set_piece(b, s, p, target)
    if i < FIGURES:
        set_figure(b, s, p, i, target)


cdef bint take_figure(const BoardData* b, State* s, Seat* p, int bit) noexcept nogil:
    """Take a piece off the board if it is a figure."""
    cdef int i = find_figure(p, bit)
    if i == FIGURES:
        return False
    take_piece(b, s, p, bit)
    set_figure(b, s, p, i, NOWHERE)
    return True


cdef void do_back(const BoardData* b, State* s, int slot, int bit) noexcept nogil:
    cdef Seat* p = &s.seats[s.mover]
    use_tile(b, s, p, slot)
    take_figure(b, s, p, bit)
    lose_tiles(b, s, p, bit)
    settle_all(b, s)


cdef void do_place(const BoardData* b, State* s, int slot, int bit) noexcept nogil:
    """Place a figure from the reserve. For the red cards it is a build (R6.3)."""
    cdef Seat* p = &s.seats[s.mover]
    cdef int i = figure_of(b.tiles[slot].action)
    use_tile(b, s, p, slot)
    s.outpost = False
    set_piece(b, s, p, bit)
    set_figure(b, s, p, i if p.figures[i] == NOWHERE else i + 1, bit)
    if b.red:
        score_build(b, s, s.mover, bit)
    if b.mayors:
        mark_row(b, s, p, b.row[bit])
    if gain_tiles(b, s, p, bit) and b.canoe_slot:
        interrupt(s, s.mover)
    settle_all(b, s)


# --- city hall ----------------------------------------------------------------------------------

cdef bint hall_targets(const BoardData* b, const State* s, const Seat* p,
                       uint64_t* out) noexcept nogil:
    """Centres of seven free buildable hexes, one of them beside an own settlement (R6.3.6)."""
    cdef uint64_t land[WORDS]
    cdef uint64_t centres, beside
    cdef int w, k, d, bit
    cdef bint found = False
    memset(out, 0, WORDS * sizeof(uint64_t))
    for w in range(WORDS):
        land[w] = s.free[w] & b.masks[MASK_BUILD].w[w]
    for w in range(WORDS):
        centres = land[w] & b.hall_sites[w]  # rules out half of the hexes
        while centres:
            bit = w * 64 + kb_lowest(centres)
            centres &= centres - 1
            for d in range(6):
                if not has_bit(land, b.neighbour[bit][d]):
                    break
            else:
                beside = 0
                for k in range(WORDS):
                    beside |= b.near[bit][k] & p.near[k]
                if beside or has_bit(p.near, bit):
                    set_bit(out, bit)
                    found = True
    return found


cdef void do_hall(const BoardData* b, State* s, int slot, int bit) noexcept nogil:
    """Place seven settlements at once: first the pieces, then cards, rows and tiles (R3.8)."""
    cdef Seat* p = &s.seats[s.mover]
    cdef int d, r
    cdef bint last = False
    use_tile(b, s, p, slot)
    p.hall = bit
    set_piece(b, s, p, bit)
    for d in range(6):
        set_piece(b, s, p, b.neighbour[bit][d])
    if b.red:
        score_build(b, s, s.mover, bit)
        for d in range(6):
            score_build(b, s, s.mover, b.neighbour[bit][d])
    if b.mayors:
        for r in range(b.row[bit] - 1, b.row[bit] + 2):
            mark_row(b, s, p, r)
    last |= gain_tiles(b, s, p, bit)
    for d in range(6):
        last |= gain_tiles(b, s, p, b.neighbour[bit][d])
    if last and b.canoe_slot:
        interrupt(s, s.mover)
    settle_all(b, s)


# --- targets ------------------------------------------------------------------------------------

cdef bint half_targets(const BoardData* b, const State* s, const Seat* p, int one, int other,
                       bint anywhere, uint64_t* out) noexcept nogil:
    """Hexes of two terrains, each adjacent if possible (R6.4.3; R6.3.2 with a marsh card)."""
    cdef uint64_t more[WORDS]
    cdef int w
    cdef bint found = mask_targets(b, s, p, &b.masks[one], NOWHERE, anywhere, out)
    if mask_targets(b, s, p, &b.masks[other], NOWHERE, anywhere, more):
        found = True
        for w in range(WORDS):
            out[w] |= more[w]
    return found


cdef bint fort_targets(const BoardData* b, const State* s, const Seat* p,
                       uint64_t* out) noexcept nogil:
    """Hexes of the card drawn for the fort (R6.3.2)."""
    cdef int card = s.doing_left
    if card <= FOREST:
        return mask_targets(b, s, p, &b.masks[card], NOWHERE, s.outpost, out)
    return half_targets(b, s, p, card - MARSH, MARSH, s.outpost, out)


cdef bint targets_in_view(const BoardData* b, const State* s, int slot, int lifted,
                          uint64_t* out) noexcept nogil:
    """Targets when the actor sees other pieces than the board has.

    A warrior in hand blocks nothing (R6.3.3). Scouts count as settlements of the mover for the
    conditions of actions (R6.5.4), but not as part of an area (R1.9).
    """
    cdef State view
    cdef Seat* p = &view.seats[s.mover]
    cdef int w, bit
    cdef uint64_t scouts
    copy_state(&view, s)
    if b.figures and lifted != NOWHERE and is_warrior(p, lifted):
        set_figure(b, &view, p, 0 if p.figures[0] == lifted else 1, NOWHERE)
    if s.n_scouts and b.tiles[slot].filter != FILTER_AREA:
        for w in range(WORDS):
            scouts = s.scouts[w]
            while scouts:
                bit = w * 64 + kb_lowest(scouts)
                scouts &= scouts - 1
                set_bit(view.free, bit)
                set_piece(b, &view, p, bit)
    return plain_targets(b, &view, slot, lifted, out)
