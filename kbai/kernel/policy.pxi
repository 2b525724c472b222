# Informed playouts: the best of a few sampled placements; and ratings of steps for the tree.


cdef void set_table(const BoardData* b, const State* s, const Policy* policy,
                    Table* t) noexcept nogil:
    cdef int i
    for i in range(s.n_seats):
        survey(b, &s.seats[i], &t.lands[i])
    value_tiles(s, policy, t)


cdef inline void value_tiles(const State* s, const Policy* policy, Table* t) noexcept nogil:
    """A tile is used once a turn: it is worth what the turns to come make of it."""
    cdef int i, supply = s.seats[0].supply
    for i in range(1, s.n_seats):
        if s.seats[i].supply < supply:
            supply = s.seats[i].supply
    t.tile = <int>(policy.tile * UNIT * supply / 3)


cdef inline void refresh_land(const BoardData* b, const State* s, Table* t,
                              int seat) noexcept nogil:
    if t.lands[seat].stale:
        survey(b, &s.seats[seat], &t.lands[seat])


cdef int best_hex(const BoardData* b, const State* s, Table* t, int seat, const Policy* policy,
                  const uint64_t* words, const uint8_t* index, int n, int total, Rng* rng,
                  int* worth) noexcept nogil:
    """The best of some hexes among ``total`` ones, or of all if they are few; with some noise."""
    cdef uint64_t x
    cdef int i, bit, value, best = NOWHERE, most = -10000
    cdef int noise = <int>(policy.temperature * UNIT)
    if total <= policy.candidates:
        for i in range(n):
            x = words[i]
            while x:
                bit = index[i] * 64 + kb_lowest(x)
                x &= x - 1
                value = worth_of(b, s, t, seat, bit) + random_below(rng, noise + 1)
                if value > most:
                    most = value
                    best = bit
    else:
        for i in range(policy.candidates):
            bit = pick_bit(rng, words, index, n, total)
            value = worth_of(b, s, t, seat, bit) + random_below(rng, noise + 1)
            if value > most:
                most = value
                best = bit
    worth[0] = most
    return best


cdef inline int best_of_board(const BoardData* b, const State* s, Table* t, int seat,
                              const Policy* policy, const uint64_t* hexes, Rng* rng,
                              int* worth) noexcept nogil:
    cdef int w, total = 0
    for w in range(WORDS):
        total += kb_count(hexes[w])
    return best_hex(b, s, t, seat, policy, hexes, EVERY_WORD, WORDS, total, rng, worth)


cdef int best_build(const BoardData* b, const State* s, Table* t, const Policy* policy,
                    const Mask* m, Rng* rng, int* choices, int* worth) noexcept nogil:
    """Like pick_build, but the best of the candidates."""
    cdef const Seat* p = &s.seats[s.mover]
    cdef uint64_t x[WORDS]
    cdef int i, w, total = 0
    for i in range(m.n):
        w = m.index[i]
        x[i] = s.free[w] & m.w[w] & p.near[w]
        total += kb_count(x[i])
    if total == 0 or s.outpost:
        total = 0
        for i in range(m.n):
            w = m.index[i]
            x[i] = s.free[w] & m.w[w]
            total += kb_count(x[i])
        if total == 0:
            return NOWHERE
    choices[0] = total
    return best_hex(b, s, t, s.mover, policy, x, m.index, m.n, total, rng, worth)


cdef void informed_mandatory(const BoardData* b, State* s, Table* t, const Policy* policy,
                             Rng* rng, Trace* trace) noexcept nogil:
    """The mandatory action, or what is left of it, on a board where it is plain."""
    cdef Seat* p = &s.seats[s.mover]
    cdef int bit, worth, choices = 0
    cdef int due = s.due if s.phase == PHASE_BUILD else 3 if p.supply > 3 else p.supply
    while s.phase < PHASE_POST:
        s.phase = PHASE_BUILD
        while due:
            bit = best_build(b, s, t, policy, &b.masks[s.terrain], rng, &choices, &worth)
            c_assert(bit != NOWHERE)
            place_house(b, s, p, bit >> 6, <uint64_t>1 << (bit & 63), bit)
            add_to_land(b, p, &t.lands[s.mover], bit)
            s.outpost = False
            if b.red:
                score_build(b, s, s.mover, bit)
                if b.red >> GOLD_FAMILIES & 1:
                    score_family(b, s, p, bit)
            note(trace, pack_step(STEP_BUILD, 0, b.cell_of[bit]))
            due -= 1
            if choices == 1:
                break
        s.due = due
        if due == 0:
            end_regular(s)
        if choices == 1:
            settle(b, s)
            random_draws(b, s, rng, trace)


cdef void informed_houses(const BoardData* b, State* s, Table* t, const Policy* policy, Rng* rng,
                          Trace* trace) noexcept nogil:
    """The mandatory action house by house, where reactions and choices may come between."""
    cdef uint64_t hexes[WORDS]
    cdef int bit, worth
    while s.phase < PHASE_POST:
        if may_choose(b, s):
            random_choice(b, s, rng, trace)
        elif targets(b, s, 0, NOWHERE, hexes):
            refresh_land(b, s, t, s.mover)
            bit = best_of_board(b, s, t, s.mover, policy, hexes, rng, &worth)
            note(trace, pack_step(STEP_BUILD, 0, b.cell_of[bit]))
            do_build(b, s, 0, bit)
            t.lands[s.mover].stale = True
        random_draws(b, s, rng, trace)


cdef void informed_build(const BoardData* b, State* s, Table* t, const Policy* policy, int slot,
                         Rng* rng, Trace* trace) noexcept nogil:
    """Build with a tile if the best place found is worth a house."""
    cdef uint64_t hexes[WORDS]
    cdef int bit, mask, choices, worth = 0
    if b.tiles[slot].filter > FILTER_SPECIAL_SIDE or s.n_scouts:
        if not targets(b, s, slot, NOWHERE, hexes):
            return
        bit = best_of_board(b, s, t, s.mover, policy, hexes, rng, &worth)
    else:
        mask = slot_mask(b, s, slot)
        if mask == NO_TERRAIN:
            return
        bit = best_build(b, s, t, policy, &b.masks[mask], rng, &choices, &worth)
    if bit == NOWHERE or worth < <int>(policy.least_build * UNIT):
        return
    note(trace, pack_step(STEP_BUILD, slot, b.cell_of[bit]))
    do_build(b, s, slot, bit)
    add_to_land(b, &s.seats[s.mover], &t.lands[s.mover], bit)
    random_draws(b, s, rng, trace)


cdef void informed_move(const BoardData* b, State* s, Table* t, const Policy* policy, int slot,
                        Rng* rng, Trace* trace) noexcept nogil:
    """The piece among a few that is missed least, to the best place found, if that gains."""
    cdef uint64_t hexes[WORDS]
    cdef uint64_t pieces[WORDS]
    cdef int i, bit, loss, worth = 0, source = NOWHERE, least = 10000
    list_pieces(b, &s.seats[s.mover], slot, pieces)
    for i in range(policy.candidates):
        bit = pick_any(rng, pieces)
        if bit == NOWHERE:
            return
        loss = loss_of(b, s, t, s.mover, bit)
        if loss < least:
            least = loss
            source = bit
    if not targets(b, s, slot, source, hexes):
        return
    bit = best_of_board(b, s, t, s.mover, policy, hexes, rng, &worth)
    if worth - least < <int>(policy.least_move * UNIT):
        return
    note(trace, pack_step(STEP_LIFT, slot, b.cell_of[source]))
    note(trace, pack_step(STEP_PUT, 0, b.cell_of[bit]))
    do_move(b, s, slot, source, bit)
    survey(b, &s.seats[s.mover], &t.lands[s.mover])
    random_draws(b, s, rng, trace)


cdef int worth_of_step(const BoardData* b, const State* s, Table* t, int seat,
                       uint32_t step) noexcept nogil:
    """What a step of any kind is worth to the seat that decides; ending a turn is worth 0."""
    cdef int kind = step >> 24
    cdef int slot = step >> 16 & 255
    cdef int bit = b.bit_of[step & 511]
    if kind == STEP_BUILD:
        return worth_of(b, s, t, seat, bit)
    if kind == STEP_LIFT:
        return UNIT - loss_of(b, s, t, seat, bit)
    if kind == STEP_PUT:
        return worth_of(b, s, t, seat, bit) - loss_of(b, s, t, seat, s.lift)
    if kind == STEP_REMOVE:
        if b.tiles[slot].action == ACTION_TEMPLE:
            return UNIT - loss_of(b, s, t, seat, bit)
        return worth_of_victim(b, s, t, bit)
    if kind == STEP_BACK:
        return -loss_of(b, s, t, seat, bit)
    if kind == STEP_TAKE or kind == STEP_DECLARE or kind == STEP_REPEAT:
        return UNIT
    return 0


cdef int worth_of_victim(const BoardData* b, const State* s, const Table* t,
                         int bit) noexcept nogil:
    """What the owner of a piece loses with it."""
    cdef int i
    for i in range(s.n_seats):
        if has_bit(s.seats[i].own, bit):
            return loss_of(b, s, t, i, bit)
    return 0


cdef void informed_step(const BoardData* b, State* s, Table* t, const Policy* policy,
                        const uint32_t* steps, int n, Rng* rng, Trace* trace) noexcept nogil:
    """The best of a few of some steps."""
    cdef uint32_t step, best = steps[0]
    cdef int i, value, most = -10000
    cdef int seat = actor(s)
    cdef int noise = <int>(policy.temperature * UNIT)
    refresh_land(b, s, t, seat)
    for i in range(n if n < policy.candidates else policy.candidates):
        step = steps[i if n <= policy.candidates else random_below(rng, n)]
        value = worth_of_step(b, s, t, seat, step) + random_below(rng, noise + 1)
        if value > most:
            most = value
            best = step
    note(trace, best)
    do_step(b, s, best)
    for i in range(s.n_seats):
        t.lands[i].stale = True
    random_draws(b, s, rng, trace)


cdef void informed_action(const BoardData* b, State* s, Table* t, const Policy* policy, int slot,
                          Rng* rng, Trace* trace) noexcept nogil:
    """An action of several steps."""
    cdef uint32_t steps[MAX_STEPS]
    cdef int n
    if not is_open(b, s, slot):
        return
    n = slot_steps(b, s, slot, steps)
    while n:
        informed_step(b, s, t, policy, steps, n, rng, trace)
        n = list_steps(b, s, steps) if s.doing or s.lift_slot or s.repeat else 0
    refresh_land(b, s, t, s.mover)


cdef void informed_tiles(const BoardData* b, State* s, Table* t, const Policy* policy,
                         uint64_t plan, Rng* rng, Trace* trace) noexcept nogil:
    """Use the planned tiles, as random_tiles does, where it pays."""
    cdef int slot, action, outpost = 0
    while plan:
        slot = kb_lowest(plan) // 4 + 1
        plan -= one_tile(slot)
        action = b.tiles[slot].action
        if action == ACTION_OUTPOST:
            outpost = slot
            continue
        if tile_count(s.seats[s.mover].ready, slot) == 0:
            continue
        refresh_land(b, s, t, s.mover)
        if action == ACTION_MOVE:
            informed_move(b, s, t, policy, slot, rng, trace)
        elif action != ACTION_BUILD:
            if next_random(rng) & 1:
                informed_action(b, s, t, policy, slot, rng, trace)
        elif s.seats[s.mover].supply:
            informed_build(b, s, t, policy, slot, rng, trace)
    if outpost and s.phase == PHASE_PRE:
        informed_action(b, s, t, policy, outpost, rng, trace)


cdef void informed_turn(const BoardData* b, State* s, Table* t, const Policy* policy, Rng* rng,
                        Trace* trace) noexcept nogil:
    """The rest of a turn: each tile before or after the mandatory action, by a coin."""
    cdef uint64_t tiles, tile, before = 0, after = 0
    cdef uint32_t coins
    if s.draw == DRAW_REVEAL:
        random_card(b, s, rng, trace)
    if s.terrain == NO_TERRAIN:
        random_events(b, s, rng, trace)
    value_tiles(s, policy, t)
    refresh_land(b, s, t, s.mover)
    tiles = s.seats[s.mover].ready
    if tiles:
        coins = next_random(rng)
        while tiles:
            tile = one_tile(kb_lowest(tiles) // 4 + 1)
            tiles -= tile
            if coins & 1 and s.phase == PHASE_PRE:
                before += tile
            else:
                after += tile
            coins = coins >> 1 or next_random(rng)
        if before:
            informed_tiles(b, s, t, policy, before, rng, trace)
    if not b.plain:
        informed_houses(b, s, t, policy, rng, trace)
    informed_mandatory(b, s, t, policy, rng, trace)
    if after:
        informed_tiles(b, s, t, policy, after, rng, trace)
    note(trace, pack_step(STEP_END, 0, 0))
    end_turn(b, s)


cdef void informed_game(const BoardData* b, State* s, const Policy* policy, Rng* rng,
                        Trace* trace) noexcept nogil:
    """Play to the end of the game."""
    cdef Table t
    if s.lift_slot or s.doing or s.outpost or s.repeat or s.n_react:
        finish_action(b, s, rng, trace)
    if s.phase < PHASE_SILO:
        set_table(b, s, policy, &t)
    while s.phase < PHASE_SILO:
        informed_turn(b, s, &t, policy, rng, trace)
    while s.phase != PHASE_OVER:
        random_silos(b, s, rng, trace)


cdef void rate_steps(const BoardData* b, const State* s, const Policy* policy,
                     const uint32_t* steps, int n, float* out) noexcept nogil:
    """What each of some legal steps brings the seat that decides, roughly, in gold."""
    cdef Table t
    cdef int i
    set_table(b, s, policy, &t)
    for i in range(n):
        out[i] = <float>worth_of_step(b, s, &t, actor(s), steps[i]) / UNIT
