# Pieces, tiles and cards: the changes of a State of which all actions are made.


cdef inline size_t state_size(const State* s) noexcept nogil:
    """Bytes of a state that are in use: without the seats that are not in play."""
    return sizeof(State) - (MAX_SEATS - s.n_seats) * sizeof(Seat)


cdef inline void copy_state(State* target, const State* source) noexcept nogil:
    memcpy(target, source, state_size(source))


# --- pieces -------------------------------------------------------------------------------------

cdef inline void set_piece_in(const BoardData* b, State* s, Seat* p, int word, uint64_t one,
                              int bit) noexcept nogil:
    """Put a piece on a bit, also given as a word and as that bit of it."""
    c_assert(has_bit(s.free, bit))
    kb_set(p.own, word, one)
    kb_clear(s.free, word, one)
    kb_add(p.near, b.near[bit])
    p.rows[b.row[bit]] |= b.shear_bit[bit]


cdef inline void set_piece(const BoardData* b, State* s, Seat* p, int bit) noexcept nogil:
    set_piece_in(b, s, p, bit >> 6, <uint64_t>1 << (bit & 63), bit)


cdef inline void take_piece(const BoardData* b, State* s, Seat* p, int bit) noexcept nogil:
    c_assert(has_bit(p.own, bit))
    clear_sides(b, bit, lonely_sides(p.rows, b.row[bit], b.shear[bit]), p.near)
    kb_clear(p.own, bit >> 6, <uint64_t>1 << (bit & 63))
    if not has_bit(s.blocked, bit):
        kb_set(s.free, bit >> 6, <uint64_t>1 << (bit & 63))
    p.rows[b.row[bit]] ^= b.shear_bit[bit]


# --- location tiles -----------------------------------------------------------------------------

cdef inline uint64_t one_tile(int slot) noexcept nogil:
    return <uint64_t>1 << (4 * (slot - 1))


cdef inline int tile_count(uint64_t tiles, int slot) noexcept nogil:
    return tiles >> (4 * (slot - 1)) & 15


cdef inline void use_tile(const BoardData* b, State* s, Seat* p, int slot) noexcept nogil:
    """Use a tile. A nomad tile leaves the game (R7.1), others rest until the end of the turn."""
    c_assert(tile_count(p.ready, slot) > 0)
    p.ready -= one_tile(slot)
    p.used += one_tile(slot) & ~b.nomad_tiles
    s.repeat = 0


cdef inline int turn_in_round(const State* s, int seat) noexcept nogil:
    """Return which turn of a round is a seat's, from 0."""
    return seat - s.start if seat >= s.start else seat - s.start + s.n_seats


cdef inline void add_tile(const BoardData* b, State* s, Seat* p, int slot) noexcept nogil:
    """Gain a tile. It rests until the next round (R3.4), except for a canoe (R6.4.3)."""
    if slot == b.canoe_slot or turn_in_round(s, <int>(p - &s.seats[0])) < turn_in_round(
            s, s.mover):
        p.ready += one_tile(slot)
    else:
        p.fresh += one_tile(slot)


cdef int tokens_left(const State* s) noexcept nogil:
    """Return how many tokens no seat has (R6.5.5)."""
    cdef int i, n = MAX_TOKENS
    for i in range(s.n_seats):
        n -= s.seats[i].tokens
    return n


cdef void gain_special(const BoardData* b, State* s, Seat* p, int slot, int held) noexcept nogil:
    """Gain a tile that does more than be counted; ``held`` are those of its kind, with it."""
    if b.tiles[slot].action == ACTION_TREASURE:
        p.gold[GOLD_TREASURE] += 3
        return
    add_tile(b, s, p, slot)
    if b.tiles[slot].action == ACTION_CATHEDRAL and tokens_left(s):
        p.tokens += 1
    if b.bonus[slot] and held == 2:
        add_tile(b, s, p, b.bonus[slot])


cdef bint take_tiles(const BoardData* b, State* s, Seat* p, uint64_t spaces) noexcept nogil:
    """Take a tile from each of some spaces. Return whether one was the last of its space."""
    cdef uint64_t space
    cdef int slot
    cdef bint last = False
    while spaces:
        space = spaces & (~spaces + 1)
        spaces ^= space
        if s.left_two & space:
            s.left_two ^= space
        else:
            s.left_one ^= space
            last = True
        slot = b.space_slot[kb_lowest(space)]
        p.taken |= space & b.locations
        p.held |= space & b.locations
        if b.gain[slot]:
            gain_special(b, s, p, slot, kb_count(p.held & b.slot_spaces[slot]))
        else:
            p.fresh += one_tile(slot)
    return last


cdef inline bint gain_tiles(const BoardData* b, State* s, Seat* p, int bit) noexcept nogil:
    """Take a tile from every space beside a cell just entered (R5.1, R5.2, R7.1).

    Return whether one of them was the last of its space.
    """
    cdef uint64_t spaces = b.touch[bit] & s.left_one & ~p.taken
    return take_tiles(b, s, p, spaces) if spaces else False


cdef inline void drop_tile(Seat* p, int slot) noexcept nogil:
    """Lose one of equal tiles: a used one first, then a fresh one (R5.3)."""
    if tile_count(p.used, slot):
        p.used -= one_tile(slot)
    elif tile_count(p.fresh, slot):
        p.fresh -= one_tile(slot)
    else:
        p.ready -= one_tile(slot)


cdef inline void lose_tiles_of(const BoardData* b, State* s, Seat* p,
                               uint64_t spaces) noexcept nogil:
    """Lose the tiles of those of some spaces that have no settlement beside them (R5.3)."""
    cdef uint64_t space
    cdef int i, slot
    while spaces:
        space = spaces & (~spaces + 1)
        spaces ^= space
        i = kb_lowest(space)
        if has_bit(p.near, b.space_bit[i]):
            continue
        p.held ^= space
        slot = b.space_slot[i]
        drop_tile(p, slot)
        if b.bonus[slot] and kb_count(p.held & b.slot_spaces[slot]) == 1:
            drop_tile(p, b.bonus[slot])
        if b.tiles[slot].action == ACTION_CATHEDRAL and not (
                tile_count(p.ready, slot) or tile_count(p.fresh, slot)
                or tile_count(p.used, slot)):
            p.tokens = 0
        if b.options & OPTION_LOST_TILES_RETURN:
            if s.left_one & space:
                s.left_two |= space
            s.left_one |= space


cdef inline void lose_tiles(const BoardData* b, State* s, Seat* p, int bit) noexcept nogil:
    """Lose the tiles of spaces that have no settlement beside them after a piece left (R5.3)."""
    lose_tiles_of(b, s, p, b.touch[bit] & p.held)


# --- terrain cards ------------------------------------------------------------------------------

cdef void reshuffle(State* s) noexcept nogil:
    """Make the discard pile the draw pile (R3.7). Hands of the old pile become a pool."""
    cdef int i, k
    c_assert(s.pile == 0)
    if s.totals[0]:
        k = s.n_pools
        c_assert(k < MAX_POOLS)
        s.n_pools += 1
        memcpy(s.pools[k], s.pools[0], CARD_KINDS)
        s.totals[k] = s.totals[0]
        for i in range(s.n_seats):
            s.seats[i].hands[k] = s.seats[i].hands[0]
            s.seats[i].hands[0] = 0
    memcpy(s.pools[0], s.discard, CARD_KINDS)
    memset(s.discard, 0, CARD_KINDS)
    s.totals[0] = 0
    for i in range(CARD_KINDS):
        s.totals[0] += s.pools[0][i]
    s.pile = s.totals[0]


cdef bint has_cards(const State* s) noexcept nogil:
    """Whether a card can be drawn, if necessary after a reshuffle."""
    cdef int i, n = s.pile
    for i in range(CARD_KINDS):
        n += s.discard[i]
    return n > 0


cdef bint refill_pile(State* s) noexcept nogil:
    if has_cards(s):
        reshuffle(s)
    return s.pile > 0


cdef inline bint fill_pile(State* s) noexcept nogil:
    """Make sure that a card can be drawn; False if both piles are empty."""
    return s.pile > 0 or refill_pile(s)


cdef void drop_pool(State* s, int k) noexcept nogil:
    """Forget a pool whose cards have all been turned up."""
    cdef int i, seat
    s.n_pools -= 1
    for i in range(k, s.n_pools):
        memcpy(s.pools[i], s.pools[i + 1], CARD_KINDS)
        s.totals[i] = s.totals[i + 1]
        for seat in range(s.n_seats):
            s.seats[seat].hands[i] = s.seats[seat].hands[i + 1]
    memset(s.pools[s.n_pools], 0, CARD_KINDS)
    s.totals[s.n_pools] = 0
    for seat in range(s.n_seats):
        s.seats[seat].hands[s.n_pools] = 0


cdef inline void take_hidden_card(State* s, Seat* p) noexcept nogil:
    """Draw a card that nobody else sees (R3.1)."""
    if fill_pile(s):
        s.pile -= 1
        p.hands[0] += 1
        p.n_hidden += 1


cdef inline int draw_pool(const State* s) noexcept nogil:
    """The pool from which a card is drawn now. A hand turns up its oldest cards first."""
    cdef int k
    if s.draw == DRAW_REVEAL:
        for k in range(1, s.n_pools):
            if s.seats[s.mover].hands[k]:
                return k
    return 0


cdef inline bint has_free(const State* s, const Mask* m) noexcept nogil:
    cdef int i, w
    for i in range(m.n):
        w = m.index[i]
        if s.free[w] & m.w[w]:
            return True
    return False


cdef inline int other_half(const State* s) noexcept nogil:
    """The half of the marsh card that is not the terrain of the turn."""
    return MARSH if s.terrain != MARSH else s.card - MARSH


cdef bint has_free_half(const BoardData* b, const State* s, int card) noexcept nogil:
    """Whether a card has a free hex; a marsh card on either half."""
    if card <= FOREST:
        return has_free(s, &b.masks[card])
    return has_free(s, &b.masks[card - MARSH]) or has_free(s, &b.masks[MARSH])


cdef void exhaust_card(const BoardData* b, State* s) noexcept nogil:
    """The turn's terrain has no free hex left (R3.5)."""
    if s.card > FOREST and s.terrain != NO_TERRAIN and has_free(
            s, &b.masks[other_half(s)]):
        s.terrain = other_half(s)
        return
    if b.options & OPTION_EXHAUSTED_ANY_HEX:
        s.terrain = MASK_BUILD
        return
    if b.options & OPTION_EXHAUSTED_DISCARD:
        s.spent[s.card] += 1
    s.card = NO_CARD
    s.terrain = NO_TERRAIN
    if fill_pile(s):
        s.draw = DRAW_REPLACE


cdef inline bint is_undecided(const State* s) noexcept nogil:
    """Whether the card or the half of a marsh card is still to be chosen (R3.6)."""
    return s.terrain == NO_TERRAIN and (s.choosing or s.card != NO_CARD)


cdef inline void forget_family(State* s) noexcept nogil:
    """Forget the houses of the mandatory action, which is over."""
    s.n_built = 0
    s.built[0] = 0
    s.built[1] = 0


cdef inline void end_regular(State* s) noexcept nogil:
    """The regular houses are built; temple houses may be owed (R6.4.1)."""
    s.due = 0
    forget_family(s)
    if s.owed == 0:
        s.phase = PHASE_POST


cdef bint is_void(const BoardData* b, const State* s) noexcept nogil:
    """Whether the mandatory action has nothing left to build, or nowhere (R3.2, R3.5)."""
    if s.seats[s.mover].supply == 0 and s.owed == 0:
        return True
    if s.terrain == NO_TERRAIN:
        return s.draw == DRAW_NONE and not is_undecided(s)
    return s.terrain == MASK_BUILD and not has_free(s, &b.masks[MASK_BUILD])


cdef void settle_all(const BoardData* b, State* s) noexcept nogil:
    cdef Seat* p
    if s.n_react and ask_next(b, s):
        return
    if s.terrain < MASK_BUILD:
        if not has_free(s, &b.masks[s.terrain]):
            exhaust_card(b, s)
    elif s.terrain == NO_TERRAIN and s.card != NO_CARD and not has_free_half(b, s, s.card):
        exhaust_card(b, s)
    if s.phase < PHASE_POST:
        p = &s.seats[s.mover]
        if is_void(b, s):
            p.temple -= s.owed
            p.supply += s.owed
            s.owed = 0
            end_regular(s)
        elif s.phase == PHASE_BUILD and s.due > p.supply:  # a marker took a house (R8.8, Mayors)
            s.due = p.supply
            if s.due == 0:
                end_regular(s)
    if s.doing and b.tiles[s.doing].action == ACTION_CATHEDRAL:
        s.doing_left = s.seats[s.mover].tokens  # a build may have gained one
    if s.doing and not may_go_on(b, s):
        end_action(b, s)
        if s.n_react:  # to a tile that the end of a move has taken
            settle_all(b, s)


cdef inline void settle(const BoardData* b, State* s) noexcept nogil:
    """Close a step: first reactions (R3.8), then exhausted terrain (R3.5), then what has become
    void (R3.2) or has no next step. Most often there is nothing, so look for that first."""
    if (s.n_react or s.doing or s.terrain >= MASK_BUILD or not has_free(s, &b.masks[s.terrain])
            or (s.phase < PHASE_POST and s.seats[s.mover].supply < 3)):
        settle_all(b, s)


cdef void play_card(const BoardData* b, State* s, int card) noexcept nogil:
    """Play a card. The half of a marsh card is chosen later, if there is a choice (R2.4, R3.6)."""
    s.card = card
    s.terrain = card if card <= FOREST else NO_TERRAIN if b.marsh else card - MARSH


cdef void play_hand(const BoardData* b, State* s) noexcept nogil:
    """All cards of the hand are turned up. If there is no choice, play one of them at once."""
    cdef int card = 0
    while s.hand[card] == 0:
        card += 1
    if s.n_hand > 1 and (s.hand[card] < s.n_hand
                         or b.options & OPTION_CROSSROADS_IDENTICAL_ANY):
        s.choosing = True
        return
    s.hand[card] -= 1
    s.n_hand -= 1
    play_card(b, s, card)


cdef void add_to_hand(const BoardData* b, State* s, int card) noexcept nogil:
    """Turn up one of several cards (R3.6)."""
    s.hand[card] += 1
    s.n_hand += 1
    if s.seats[s.mover].n_hidden == 0:
        s.draw = DRAW_NONE
        play_hand(b, s)


cdef void turn_up(const BoardData* b, State* s, int k, int card) noexcept nogil:
    """Turn up a card of the mover's hand."""
    cdef Seat* p = &s.seats[s.mover]
    p.hands[k] -= 1
    p.n_hidden -= 1
    if k and s.totals[k] == 0:
        drop_pool(s, k)
    if p.n_hidden or s.n_hand:
        add_to_hand(b, s, card)
    else:
        s.draw = DRAW_NONE
        play_card(b, s, card)


cdef void show_any_card(const BoardData* b, State* s, int card) noexcept nogil:
    cdef int k = draw_pool(s)
    c_assert(s.draw != DRAW_NONE and s.pools[k][card] > 0)
    s.pools[k][card] -= 1
    s.totals[k] -= 1
    if s.draw == DRAW_REVEAL:
        turn_up(b, s, k, card)
    else:
        s.pile -= 1
        if s.draw == DRAW_FORT:
            s.doing_left = card
        else:
            play_card(b, s, card)
        s.draw = DRAW_NONE
    settle_all(b, s)


cdef inline void show_only_card(State* s, Seat* p, int card) noexcept nogil:
    """Turn up the only card of a hand, which has left the present pile and is no marsh card."""
    p.hands[0] = 0
    p.n_hidden = 0
    s.draw = DRAW_NONE
    s.card = card
    s.terrain = card


cdef inline void show_card(const BoardData* b, State* s, int card) noexcept nogil:
    """Turn up the pending card."""
    cdef Seat* p = &s.seats[s.mover]
    if s.draw != DRAW_REVEAL or p.hands[0] != 1 or p.n_hidden != 1 or s.n_hand or card > FOREST:
        show_any_card(b, s, card)
        return
    c_assert(s.pools[0][card] > 0)
    s.pools[0][card] -= 1
    s.totals[0] -= 1
    show_only_card(s, p, card)
    settle(b, s)


cdef inline specialized begin_turn(const BoardData* b, State* s, bint simple) noexcept nogil:
    """Begin a turn. For ``simple`` see playout.pxi."""
    cdef Seat* p = <Seat*>kb_opaque(&s.seats[s.mover])
    s.phase = PHASE_PRE
    s.card = NO_CARD
    s.terrain = NO_TERRAIN
    s.draw = DRAW_REVEAL if p.n_hidden else DRAW_NONE
    if not simple:
        s.choosing = False
        s.owed = p.temple
        if b.canoe_slot:  # only these are used in the turns of others (R6.4.3)
            p.ready += p.used & b.canoe_tiles
            p.used &= ~b.canoe_tiles
    if s.draw == DRAW_NONE or p.supply == 0:  # otherwise nothing can be void yet
        settle(b, s)


cdef bint nobody_can_build(const BoardData* b, const State* s) noexcept nogil:
    """Stalemate (docs/forms.md): no terrain that has a card left in the game has a free hex."""
    cdef int i, k, n
    for i in range(s.n_seats):
        if s.seats[i].temple:
            return False
    for i in range(CARD_KINDS):
        n = s.discard[i]
        for k in range(s.n_pools):
            n += s.pools[k][i]
        if n == 0:
            continue
        if b.options & OPTION_EXHAUSTED_ANY_HEX:
            if has_free(s, &b.masks[MASK_BUILD]):
                return False
        elif has_free_half(b, s, i):
            return False
    return True


cdef void refresh_free(const BoardData* b, State* s) noexcept nogil:
    """Recompute what warriors block (R6.3.3) and what is free."""
    cdef int i, k, w
    memset(s.blocked, 0, sizeof(s.blocked))
    for i in range(s.n_seats):
        for k in range(WAGON):
            if s.seats[i].figures[k] != NOWHERE:
                for w in range(WORDS):
                    s.blocked[w] |= b.near[s.seats[i].figures[k]][w]
    for w in range(WORDS):
        s.free[w] = b.open[w] & ~(s.blocked[w] | s.walls[w] | s.scouts[w])
        for i in range(s.n_seats):
            s.free[w] &= ~s.seats[i].own[w]


cdef void take_up_scouts(const BoardData* b, State* s) noexcept nogil:
    memset(s.scouts, 0, sizeof(s.scouts))
    s.n_scouts = 0
    refresh_free(b, s)


cdef void draw_more_cards(const BoardData* b, State* s, Seat* p) noexcept nogil:
    """Draw the cards beyond the first at the end of a turn (R6.3.7). A crossroads tile is only used
    if a bazaar has repeated it (R6.5.2)."""
    cdef int i, slot = b.crossroads_slot
    for i in range(tile_count(p.ready, slot) + tile_count(p.fresh, slot)
                   + 2 * tile_count(p.used, slot)):
        take_hidden_card(s, p)


cdef void discard_hand(State* s) noexcept nogil:
    """Discard all cards turned up, not only the one played (R3.6)."""
    cdef int i
    for i in range(CARD_KINDS):
        s.discard[i] += s.hand[i]
        s.hand[i] = 0
    s.n_hand = 0


cdef void tidy_up(const BoardData* b, State* s, Seat* p) noexcept nogil:
    """Do what only some games need at the end of a turn, before the next card is drawn."""
    cdef int i
    if s.n_scouts:
        take_up_scouts(b, s)
    if s.n_hand:
        discard_hand(s)
    if b.options & OPTION_EXHAUSTED_DISCARD:
        for i in range(CARD_KINDS):
            s.discard[i] += s.spent[i]
            s.spent[i] = 0
    if b.red >> GOLD_ROVERS & 1:
        for i in range(s.n_seats):
            s.seats[i].roved = 0
    if b.crossroads_slot:
        draw_more_cards(b, s, p)


cdef bint is_last_round(const BoardData* b, State* s) noexcept nogil:
    """Whether the game ends with the round that ends now (R9.1), or by stalemate."""
    cdef int i
    # The last turn had no card, or any terrain for want of the card's.
    if s.terrain >= MASK_BUILD and not is_undecided(s) and nobody_can_build(b, s):
        s.final = True
    if b.options & OPTION_SWORD_CANCELS_END:
        for i in range(s.n_seats):
            if s.seats[i].supply == 0 and s.seats[i].temple == 0:
                return True
    return s.final


cdef inline specialized end_turn(const BoardData* b, State* s, bint simple) noexcept nogil:
    """End a turn (R3.1), and perhaps the game (R9.1). For ``simple`` see playout.pxi."""
    cdef Seat* p = <Seat*>kb_opaque(&s.seats[s.mover])
    cdef uint64_t used = p.used
    if s.card != NO_CARD:
        s.discard[s.card] += 1
    if not simple and (b.tidies or s.n_hand):
        tidy_up(b, s, p)
    take_hidden_card(s, p)
    if simple:
        p.ready += p.used + p.fresh
    else:
        p.ready = ((p.ready + p.used) & ~b.nomad_tiles) + p.fresh
    p.fresh = 0
    p.used = 0
    if not simple and b.canoe_slot:  # used ones wait for the start of the next turn
        p.used = used & b.canoe_tiles
        p.ready -= p.used
    s.mover = s.mover + 1 if s.mover + 1 < s.n_seats else 0
    if s.mover == s.start and (
            s.final or s.terrain >= MASK_BUILD
            or (not simple and b.options & OPTION_SWORD_CANCELS_END)) and is_last_round(b, s):
        end_rounds(b, s)
    else:
        begin_turn(b, s, simple)
