# Pieces, tiles and cards: the changes of a State that every action is made of.


cdef inline size_t state_size(const State* s) noexcept nogil:
    """Bytes of a state that are in use: seats not in play are never looked at."""
    return sizeof(State) - (MAX_SEATS - s.n_seats) * sizeof(Seat)


cdef inline void copy_state(State* target, const State* source) noexcept nogil:
    memcpy(target, source, state_size(source))


# --- pieces -------------------------------------------------------------------------------------

cdef inline void set_piece_in(const BoardData* b, State* s, Seat* p, int word, uint64_t one,
                              int bit) noexcept nogil:
    """Put a piece on a bit, given also as its word and alone in it."""
    cdef int w
    c_assert(has_bit(s.free, bit))
    p.own[word] |= one
    s.free[word] ^= one
    for w in range(WORDS):
        p.near[w] |= b.near[bit][w]
    p.rows[b.row[bit]] |= <uint32_t>1 << b.shear[bit]


cdef inline void set_piece(const BoardData* b, State* s, Seat* p, int bit) noexcept nogil:
    set_piece_in(b, s, p, bit >> 6, <uint64_t>1 << (bit & 63), bit)


cdef void take_piece(const BoardData* b, State* s, Seat* p, int bit) noexcept nogil:
    cdef int d, n
    c_assert(has_bit(p.own, bit))
    clear_bit(p.own, bit)
    set_bit(s.free, bit)
    p.rows[b.row[bit]] &= ~(<uint32_t>1 << b.shear[bit])
    for d in range(6):
        n = b.neighbour[bit][d]
        if n != NOWHERE and not has_own_neighbour(p.rows, b.row[n], b.shear[n]):
            clear_bit(p.near, n)


# --- location tiles -----------------------------------------------------------------------------

cdef inline uint64_t one_tile(int slot) noexcept nogil:
    return <uint64_t>1 << (4 * (slot - 1))


cdef inline int tile_count(uint64_t tiles, int slot) noexcept nogil:
    return tiles >> (4 * (slot - 1)) & 15


cdef inline void use_tile(const BoardData* b, Seat* p, int slot) noexcept nogil:
    """A used nomad tile is out of the game (R7.1), any other waits for the end of the turn."""
    c_assert(tile_count(p.ready, slot) > 0)
    p.ready -= one_tile(slot)
    p.used += one_tile(slot) & ~b.nomad_tiles


cdef inline void gain_tiles(const BoardData* b, State* s, Seat* p, int bit) noexcept nogil:
    """Take a tile from every space beside a cell just entered (R5.1, R5.2, R7.1)."""
    cdef uint64_t spaces = b.touch[bit] & s.left_one & ~p.taken
    cdef uint64_t space
    cdef int slot
    while spaces:
        space = spaces & (~spaces + 1)
        spaces ^= space
        if s.left_two & space:
            s.left_two ^= space
        else:
            s.left_one ^= space
        slot = b.space_slot[kb_lowest(space)]
        if b.tiles[slot].action == ACTION_TREASURE:
            p.gold[GOLD_TREASURE] += 3
            continue
        p.fresh += one_tile(slot)
        p.taken |= space & b.locations
        p.held |= space & b.locations


cdef inline void lose_tiles(const BoardData* b, State* s, Seat* p, int bit) noexcept nogil:
    """Lose the tiles of spaces that a piece leaving a cell leaves without a settlement (R5.3)."""
    cdef uint64_t spaces = b.touch[bit] & p.held
    cdef uint64_t space, tile
    cdef int i
    while spaces:
        space = spaces & (~spaces + 1)
        spaces ^= space
        i = kb_lowest(space)
        if has_bit(p.near, b.space_bit[i]):
            continue
        p.held ^= space
        tile = one_tile(b.space_slot[i])
        if tile_count(p.used, b.space_slot[i]):
            p.used -= tile
        elif tile_count(p.fresh, b.space_slot[i]):
            p.fresh -= tile
        else:
            p.ready -= tile
        if b.options & OPTION_LOST_TILES_RETURN:
            if s.left_one & space:
                s.left_two |= space
            s.left_one |= space


# --- terrain cards ------------------------------------------------------------------------------

cdef void reshuffle(State* s) noexcept nogil:
    """Make the discard pile the draw pile (R3.7); hands of the old pile become a pool apart."""
    cdef int i, k
    c_assert(s.pile == 0)
    if s.totals[0]:
        k = s.n_pools
        c_assert(k < MAX_POOLS)
        s.n_pools += 1
        memcpy(s.pools[k], s.pools[0], CARD_KINDS)
        s.totals[k] = s.totals[0]
        for i in range(s.n_seats):
            if s.seats[i].hand == 0:
                s.seats[i].hand = k
    memcpy(s.pools[0], s.discard, CARD_KINDS)
    memset(s.discard, 0, CARD_KINDS)
    s.totals[0] = 0
    for i in range(CARD_KINDS):
        s.totals[0] += s.pools[0][i]
    s.pile = s.totals[0]


cdef inline bint fill_pile(State* s) noexcept nogil:
    """Make sure that a card can be drawn; False if both piles are empty."""
    cdef int i, n = 0
    if s.pile:
        return True
    for i in range(CARD_KINDS):
        n += s.discard[i]
    if n:
        reshuffle(s)
    return n > 0


cdef void drop_pool(State* s, int k) noexcept nogil:
    """Forget a pool whose cards have all been turned up."""
    cdef int i
    s.n_pools -= 1
    for i in range(k, s.n_pools):
        memcpy(s.pools[i], s.pools[i + 1], CARD_KINDS)
        s.totals[i] = s.totals[i + 1]
    memset(s.pools[s.n_pools], 0, CARD_KINDS)
    s.totals[s.n_pools] = 0
    for i in range(s.n_seats):
        if s.seats[i].hand != NO_HAND and s.seats[i].hand > k:
            s.seats[i].hand -= 1


cdef inline void take_hidden_card(State* s, Seat* p) noexcept nogil:
    """Draw a card that nobody else sees (R3.1)."""
    if fill_pile(s):
        s.pile -= 1
        p.hand = 0
    else:
        p.hand = NO_HAND


cdef inline int draw_pool(const State* s) noexcept nogil:
    """The pool a pending draw is made from."""
    if s.draw == DRAW_REVEAL:
        return s.seats[s.mover].hand
    return 0


cdef inline bint has_free(const State* s, const Mask* m) noexcept nogil:
    cdef int i, w
    for i in range(m.n):
        w = m.index[i]
        if s.free[w] & m.w[w]:
            return True
    return False


cdef void replace_card(const BoardData* b, State* s) noexcept nogil:
    """The turn's terrain has no free hex left (R3.5)."""
    if b.options & OPTION_EXHAUSTED_ANY_HEX:
        s.terrain = MASK_BUILD
        return
    if b.options & OPTION_EXHAUSTED_DISCARD:
        s.spent[s.card] += 1
    s.card = NO_CARD
    s.terrain = NO_TERRAIN
    if fill_pile(s):
        s.draw = DRAW_REPLACE


cdef inline void forget_family(State* s) noexcept nogil:
    """The mandatory action is over: nothing remembers its houses any more."""
    s.n_built = 0
    s.built[0] = 0
    s.built[1] = 0


cdef inline void settle(const BoardData* b, State* s) noexcept nogil:
    """Close a step: exhausted terrain (R3.5), then what has become void (R3.2) or has no next step."""
    if s.terrain < MASK_BUILD and not has_free(s, &b.masks[s.terrain]):
        replace_card(b, s)
    if s.phase < PHASE_POST and (
            s.seats[s.mover].supply == 0
            or (s.terrain == NO_TERRAIN and s.draw == DRAW_NONE)
            or (s.terrain == MASK_BUILD and not has_free(s, &b.masks[MASK_BUILD]))):
        s.phase = PHASE_POST
        s.due = 0
        forget_family(s)
    if s.doing and not may_go_on(b, s):
        s.doing = 0
        s.doing_left = 0


cdef inline void show_card(const BoardData* b, State* s, int card) noexcept nogil:
    """Turn up the pending card."""
    cdef int k = draw_pool(s)
    c_assert(s.draw != DRAW_NONE and s.pools[k][card] > 0)
    s.pools[k][card] -= 1
    s.totals[k] -= 1
    if s.draw == DRAW_REVEAL:
        s.seats[s.mover].hand = NO_HAND
        if k and s.totals[k] == 0:
            drop_pool(s, k)
    else:
        s.pile -= 1
    s.draw = DRAW_NONE
    s.card = card
    s.terrain = card
    settle(b, s)


cdef inline void begin_turn(const BoardData* b, State* s) noexcept nogil:
    s.phase = PHASE_PRE
    s.card = NO_CARD
    s.terrain = NO_TERRAIN
    s.draw = DRAW_NONE if s.seats[s.mover].hand == NO_HAND else DRAW_REVEAL
    settle(b, s)


cdef bint nobody_can_build(const BoardData* b, const State* s) noexcept nogil:
    """Stalemate (docs/forms.md): no terrain that has a card left in the game has a free hex."""
    cdef int i, k, n
    for i in range(CARD_KINDS):
        n = s.discard[i]
        for k in range(s.n_pools):
            n += s.pools[k][i]
        if n and has_free(s, &b.masks[MASK_BUILD if b.options & OPTION_EXHAUSTED_ANY_HEX else i]):
            return False
    return True


cdef inline void end_turn(const BoardData* b, State* s) noexcept nogil:
    """R3.1, end of turn; R9.1 for the end of the game."""
    cdef Seat* p = &s.seats[s.mover]
    cdef bint idle = s.terrain >= MASK_BUILD  # no card, or any terrain for want of the card's
    cdef bint ends
    cdef int i
    if s.card != NO_CARD:
        s.discard[s.card] += 1
    if b.options & OPTION_EXHAUSTED_DISCARD:
        for i in range(CARD_KINDS):
            s.discard[i] += s.spent[i]
            s.spent[i] = 0
    take_hidden_card(s, p)
    p.ready = ((p.ready + p.used) & ~b.nomad_tiles) + p.fresh
    p.fresh = 0
    p.used = 0
    s.mover = s.mover + 1 if s.mover + 1 < s.n_seats else 0
    if idle and s.mover == s.start and nobody_can_build(b, s):
        s.final = True
    ends = s.final
    if b.options & OPTION_SWORD_CANCELS_END:
        for i in range(s.n_seats):
            ends |= s.seats[i].supply == 0
    if ends and s.mover == s.start:
        s.phase = PHASE_OVER
        s.card = NO_CARD
        s.terrain = NO_TERRAIN
        s.due = 0
    else:
        begin_turn(b, s)
