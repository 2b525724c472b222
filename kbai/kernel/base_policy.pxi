# Informed games of the base game: those of policy.pxi, number for number, on the ways of base.pxi,
# without what only other sets ask, and without a trace: saves a seventh of such a playout.

cdef inline int preferred_houses(const BoardData* b, State* s, Seat* p, Preferences* prefs, int t,
                              int due, Rng* rng) noexcept nogil:
    """What base_houses does, each house where it is preferred."""
    cdef uint64_t land = s.free[t] & b.land[t]
    cdef uint64_t wanted = s.left_one & ~p.taken
    cdef uint64_t built = land
    cdef uint64_t hexes, one, spaces
    cdef Rng local = rng[0]  # in a register
    cdef size_t bit, word = <size_t>t * 64
    cdef int first = due
    while due:
        hexes = land & p.near[t]
        if hexes == 0:
            if land == 0:
                break
            hexes = land
        hexes = narrow_word(prefs, hexes, t)
        one = kb_select(hexes, random_below(&local, kb_count(hexes)))
        land ^= one
        bit = word + <size_t>kb_lowest(one)
        add_near(b, p.near, bit)
        p.rows[b.row[bit]] |= b.shear_bit[bit]
        if b.sides[bit]:  # seldom: saves four instructions of a house
            spaces = b.touch[bit] & wanted
            if spaces:
                take_tiles(b, s, p, spaces)
                wanted = s.left_one & ~p.taken
            update_spaces_after_build(b, s, p, bit, prefs)
        update_cards_after_build(b, p, bit, prefs)
        due -= 1
    built ^= land
    p.own[t] |= built
    s.free[t] ^= built
    p.supply -= first - due
    if p.supply == 0:
        s.final = True
    rng[0] = local
    return due


cdef inline void preferred_mandatory(const BoardData* b, State* s, Seat* p, Preferences* prefs,
                                  Rng* rng) noexcept nogil:
    cdef int due = s.due if s.phase == PHASE_BUILD else 3 if p.supply > 3 else p.supply
    if s.phase >= PHASE_POST:
        return
    if b.land[s.terrain] == 0:  # more than one word
        informed_mandatory(b, s, prefs, rng, NULL)
        return
    due = preferred_houses(b, s, p, prefs, s.terrain, due, rng)
    s.due = due
    s.phase = PHASE_BUILD if due else PHASE_POST
    if s.free[s.terrain] & b.land[s.terrain] == 0:
        settle_all(b, s)
        random_draws(b, s, rng, NULL)
        informed_mandatory(b, s, prefs, rng, NULL)


cdef inline int find_build(const BoardData* b, const State* s, const Seat* p,
                           const Preferences* prefs, int slot, int least, Rng* rng) noexcept nogil:
    """Where to build with a tile; NOWHERE if it is not worth a house."""
    cdef uint64_t hexes[WORDS]
    cdef uint64_t land
    cdef int t = s.terrain if b.tiles[slot].filter == FILTER_CARD else b.tiles[slot].mask
    if b.tiles[slot].filter == FILTER_LINE_END:
        if not line_end_targets(b, s, p, hexes):
            return NOWHERE
        return preferred_hex(prefs, hexes, least, rng)
    if b.tiles[slot].filter > FILTER_SPECIAL_SIDE:
        return preferred_target(b, s, prefs, slot, least, rng)
    if t == NO_TERRAIN:
        return NOWHERE
    if t > FOREST or b.land[t] == 0:
        return preferred_in_mask(s, prefs, &b.masks[t], least, rng)
    land = s.free[t] & b.land[t]
    if land == 0:
        return NOWHERE
    return preferred_hex_of_word(prefs, land & p.near[t] or land, t, least, rng)


cdef inline void preferred_tile(const BoardData* b, State* s, Seat* p, Preferences* prefs, int least,
                             int slot, Rng* rng) noexcept nogil:
    """Build with a tile if the place found is worth a house."""
    cdef int bit = find_build(b, s, p, prefs, slot, least, rng)
    if bit == NOWHERE:
        return
    use_tile(b, s, p, slot)
    place_house(b, s, p, bit >> 6, <uint64_t>1 << (bit & 63), bit)
    update_after_build(b, s, p, bit, prefs)
    settle_simply(b, s, p, rng)


cdef inline void preferred_move(const BoardData* b, State* s, Seat* p, Preferences* prefs,
                             const Policy* policy, int slot, Rng* rng) noexcept nogil:
    """Move a piece if one is found that gains."""
    cdef uint32_t source, target
    cdef uint32_t found = find_move(b, s, p, prefs, policy, slot, rng)
    if found == NOWHERE:
        return
    source = found % BITS
    target = found // BITS
    use_tile(b, s, p, slot)
    take_piece(b, s, p, source)
    set_piece(b, s, p, target)
    lose_tiles(b, s, p, source)
    gain_tiles(b, s, p, target)
    update_after_move(b, s, p, source, target, prefs)
    settle_simply(b, s, p, rng)


cdef inline void preferred_tiles(const BoardData* b, State* s, Seat* p, Preferences* prefs,
                              const Policy* policy, int least, uint64_t plan,
                              Rng* rng) noexcept nogil:
    cdef int slot
    while plan:
        slot = kb_lowest(plan) // 4 + 1
        plan -= one_tile(slot)
        if tile_count(p.ready, slot) == 0:
            continue
        if b.tiles[slot].action == ACTION_MOVE:
            preferred_move(b, s, p, prefs, policy, slot, rng)
        elif p.supply:
            preferred_tile(b, s, p, prefs, least, slot, rng)


cdef void informed_base_game(const BoardData* b, State* s, Preferences* all_prefs,
                             const Policy* policy, Rng* rng) noexcept nogil:
    """All turns to the end of the game, the first of which may have begun."""
    cdef Seat* p = <Seat*>kb_opaque(&s.seats[s.mover])
    cdef Preferences* prefs
    cdef uint64_t before, after
    cdef bint is_built
    cdef int least = <int>(policy.least_build * UNIT)
    while s.phase < PHASE_SILO:
        if s.draw == DRAW_REVEAL:
            base_card(b, s, p, rng)
        if s.terrain == NO_TERRAIN:
            random_events(b, s, rng, NULL)
        prefs = <Preferences*>kb_opaque(&all_prefs[s.mover])
        update_at_turn_start(b, s, policy, all_prefs)
        before = 0
        after = 0
        if p.ready:
            order_tiles(p.ready, s.phase == PHASE_PRE, rng, &before, &after)
        # Tiles at one place in the code, not two, become part of it: 30 instructions of a turn.
        for is_built in range(2):
            if is_built:
                preferred_mandatory(b, s, p, prefs, rng)
                before = after
            preferred_tiles(b, s, p, prefs, policy, least, before, rng)
        p = end_base_turn(b, s, p)
