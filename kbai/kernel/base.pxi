# Random games of the base game: those of playout.pxi, number for number, without what only other
# sets ask, and without a trace: saves a fifth of a base playout.
#
# BoardData.simple says that a board has nothing but this: cards of five terrains, tiles that build
# or move one house, and no gold before the end.

cdef inline void settle_simply(const BoardData* b, State* s, const Seat* p,
                               Rng* rng) noexcept nogil:
    """What settle and random_draws do, where nearly always there is nothing to do."""
    if s.terrain > FOREST or s.free[s.terrain] & b.land[s.terrain] == 0 or p.supply < 3:
        settle_all(b, s)
        random_draws(b, s, rng, NULL)


cdef inline int base_houses(const BoardData* b, State* s, Seat* p, int t, int due,
                            Rng* rng) noexcept nogil:
    """Up to ``due`` houses on a terrain that fills one word, as long as it has a free hex; return
    how many are not built. What only the end of it shows is written once, not for each house."""
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
        one = kb_select(hexes, random_below(&local, kb_count(hexes)))
        land ^= one
        bit = word + <size_t>kb_lowest(one)
        add_near(b, p.near, bit)
        p.rows[b.row[bit]] |= b.shear_bit[bit]
        spaces = b.touch[bit] & wanted
        if spaces:
            take_tiles(b, s, p, spaces)
            wanted = s.left_one & ~p.taken
        due -= 1
    built ^= land
    p.own[t] |= built
    s.free[t] ^= built
    p.supply -= first - due
    if p.supply == 0:
        s.final = True
    rng[0] = local
    return due


cdef inline void base_mandatory(const BoardData* b, State* s, Seat* p, Rng* rng) noexcept nogil:
    cdef int due = s.due if s.phase == PHASE_BUILD else 3 if p.supply > 3 else p.supply
    if s.phase >= PHASE_POST:
        return
    if b.land[s.terrain] == 0:  # more than one word
        random_mandatory(b, s, rng, NULL)
        return
    due = base_houses(b, s, p, s.terrain, due, rng)
    s.due = due
    s.phase = PHASE_BUILD if due else PHASE_POST
    if s.free[s.terrain] & b.land[s.terrain] == 0:
        settle_all(b, s)
        random_draws(b, s, rng, NULL)
        random_mandatory(b, s, rng, NULL)


cdef inline void base_line_end(const BoardData* b, State* s, Seat* p, int slot,
                               Rng* rng) noexcept nogil:
    """Build with a tavern, as random_build does."""
    cdef uint64_t hexes[WORDS]
    cdef int bit
    if line_end_targets(b, s, p, hexes):
        bit = pick_of_few(hexes, next_random(rng))
        use_tile(b, s, p, slot)
        place_house(b, s, p, bit >> 6, <uint64_t>1 << (bit & 63), bit)
        settle_simply(b, s, p, rng)


cdef inline void base_build(const BoardData* b, State* s, Seat* p, int slot,
                            Rng* rng) noexcept nogil:
    """Build with a tile."""
    cdef int t = b.tiles[slot].mask
    if b.tiles[slot].filter == FILTER_LINE_END:
        base_line_end(b, s, p, slot, rng)
        return
    if b.tiles[slot].filter > FILTER_TERRAIN:
        random_build(b, s, slot, rng, NULL)
        return
    if b.tiles[slot].filter == FILTER_CARD:
        t = s.terrain
    if t > FOREST or b.land[t] == 0:
        random_build(b, s, slot, rng, NULL)
    elif s.free[t] & b.land[t]:
        use_tile(b, s, p, slot)
        base_houses(b, s, p, t, 1, rng)
        settle_simply(b, s, p, rng)


cdef inline int free_jumps(const BoardData* b, const State* s, int source) noexcept nogil:
    """Which entries of the table of jumps are free, as bits: they ascend as the hexes do."""
    cdef int d, n, found = 0
    for d in range(6):
        n = b.jump[source][d]
        found |= has_bit(s.free, n) << d
    return found


cdef inline void base_jump(const BoardData* b, State* s, Seat* p, int slot,
                           Rng* rng) noexcept nogil:
    """Move with a paddock, as random_move does."""
    cdef int tries, source, target, found
    for tries in range(8):
        source = pick_any(rng, p.own)
        if source == NOWHERE:
            return
        found = free_jumps(b, s, source)
        if found:
            found = <int>kb_select(found, random_below(rng, kb_count(found)))
            target = b.jump[source][kb_lowest(found)]
            use_tile(b, s, p, slot)
            take_piece(b, s, p, source)
            set_piece(b, s, p, target)
            lose_tiles(b, s, p, source)
            gain_tiles(b, s, p, target)
            settle_simply(b, s, p, rng)
            return


cdef void base_tiles(const BoardData* b, State* s, Seat* p, uint64_t plan, Rng* rng) noexcept nogil:
    cdef int slot
    while plan:
        slot = kb_lowest(plan) // 4 + 1
        plan -= one_tile(slot)
        if tile_count(p.ready, slot) == 0:
            continue
        if b.tiles[slot].filter == FILTER_JUMP:
            base_jump(b, s, p, slot, rng)
        elif b.tiles[slot].action == ACTION_MOVE:
            random_move(b, s, slot, rng, NULL)
        elif p.supply:
            base_build(b, s, p, slot, rng)


cdef inline void base_card(const BoardData* b, State* s, Seat* p, Rng* rng) noexcept nogil:
    """Turn up the card of the turn."""
    cdef int k, card = 0
    if p.hands[0] == 0:  # a card from before a reshuffle
        random_card(b, s, rng, NULL)
        return
    k = random_below(rng, s.totals[0])
    while k >= s.pools[0][card]:
        k -= s.pools[0][card]
        card += 1
    s.pools[0][card] -= 1
    s.totals[0] -= 1
    p.hands[0] = 0
    p.n_hidden = 0
    s.draw = DRAW_NONE
    s.card = card
    s.terrain = card
    if s.free[card] & b.land[card] == 0 or p.supply < 3:
        settle(b, s)
        random_draws(b, s, rng, NULL)


cdef inline Seat* end_base_turn(const BoardData* b, State* s, Seat* p) noexcept nogil:
    """Return the next seat."""
    if s.card != NO_CARD:
        s.discard[s.card] += 1
    if fill_pile(s):
        s.pile -= 1
        p.hands[0] = 1
        p.n_hidden = 1
    p.ready += p.used + p.fresh
    p.fresh = 0
    p.used = 0
    s.mover = s.mover + 1 if s.mover + 1 < s.n_seats else 0
    if s.mover == s.start and (s.final or s.terrain > FOREST) and is_last_round(b, s):
        end_rounds(b, s)
        return p
    p = <Seat*>kb_opaque(&s.seats[s.mover])
    s.phase = PHASE_PRE
    s.card = NO_CARD
    s.terrain = NO_TERRAIN
    s.draw = DRAW_REVEAL
    if p.n_hidden == 0 or p.supply == 0:
        s.draw = DRAW_REVEAL if p.n_hidden else DRAW_NONE
        settle(b, s)
    return p


cdef void base_game(const BoardData* b, State* s, Rng* rng) noexcept nogil:
    """All turns to the end of the game, the first of which may have begun."""
    cdef Seat* p = <Seat*>kb_opaque(&s.seats[s.mover])
    cdef uint64_t before, after
    while s.phase < PHASE_SILO:
        if s.draw == DRAW_REVEAL:
            base_card(b, s, p, rng)
        if s.terrain == NO_TERRAIN:
            random_events(b, s, rng, NULL)
        after = 0
        if p.ready:
            plan_tiles(p.ready, rng, &before, &after)
            if s.phase == PHASE_BUILD:
                after += before
            elif before:
                base_tiles(b, s, p, before, rng)
        base_mandatory(b, s, p, rng)
        if after:
            base_tiles(b, s, p, after, rng)
        p = end_base_turn(b, s, p)
