# Informed playouts: turns that follow the preferences of a seat; and ratings of steps for the tree.


cdef enum:
    ANY_VALUE = 0  # no preference is worth less


cdef inline int refuse(Rng* rng) noexcept nogil:
    """Not worth it: where a hex would be chosen only to be thrown away, the number is drawn."""
    next_random(rng)
    return NOWHERE


cdef inline int preferred_hex(const Preferences* prefs, uint64_t* hexes, int least,
                           Rng* rng) noexcept nogil:
    """One of some hexes, at least one; NOWHERE if it is worth less than asked for."""
    cdef uint32_t number = next_random(rng)
    return pick_of_few(hexes, number) if narrow(prefs, hexes, least) >= 0 else NOWHERE


cdef inline int preferred_hex_of_word(const Preferences* prefs, uint64_t hexes, int w, int least,
                           Rng* rng) noexcept nogil:
    """The same for the hexes of one word."""
    hexes = narrow_word_to(prefs, hexes, w, least)
    if hexes == 0:
        return refuse(rng)
    return w * 64 + kb_lowest(kb_select(hexes, random_below(rng, kb_count(hexes))))


cdef inline bint open_hexes(const State* s, const Seat* p, const Mask* m,
                            uint64_t* out) noexcept nogil:
    """The legal hexes of a mask to build on, adjacent if possible (R4.2); False if none."""
    cdef uint64_t beside[WORDS]
    if not kb_intersect(out, s.free, m.w):
        return False
    if not s.outpost and kb_intersect(beside, out, p.near):
        kb_copy(out, beside)
    return True


cdef inline int preferred_in_mask(const State* s, const Preferences* prefs, const Mask* m, int least,
                             Rng* rng) noexcept nogil:
    """A hex of a mask to build on, adjacent if possible (R4.2); NOWHERE if there is none or it is
    worth less than asked for."""
    cdef const Seat* p = &s.seats[s.mover]
    cdef uint64_t x[WORDS]
    cdef uint64_t hexes
    cdef int w
    if m.n == 1 and not s.outpost:
        w = m.index[0]
        hexes = s.free[w] & m.w[w]
        if hexes == 0:
            return NOWHERE
        if hexes & p.near[w]:
            hexes &= p.near[w]
        return preferred_hex_of_word(prefs, hexes, w, least, rng)
    return preferred_hex(prefs, x, least, rng) if open_hexes(s, p, m, x) else NOWHERE


cdef inline int preferred_target(const BoardData* b, const State* s, const Preferences* prefs, int slot,
                              int least, Rng* rng) noexcept nogil:
    """A legal hex of a slot to build on; NOWHERE if there is none or it is worth less than asked
    for."""
    cdef uint64_t hexes[WORDS]
    if not targets(b, s, slot, NOWHERE, hexes):
        return NOWHERE
    return preferred_hex(prefs, hexes, least, rng)


cdef void informed_mandatory(const BoardData* b, State* s, Preferences* prefs, Rng* rng,
                             Trace* trace) noexcept nogil:
    """The mandatory action, or what is left of it, as long as it is plain."""
    cdef Seat* p = <Seat*>kb_opaque(&s.seats[s.mover])
    cdef const Mask* m
    cdef uint64_t x[WORDS]
    cdef uint64_t hexes
    cdef int w, bit
    cdef int due = s.due if s.phase == PHASE_BUILD else houses_due(s, p)
    cdef bint last, only = False, interrupted = False
    while s.phase < PHASE_POST and is_plain(b, s):
        s.phase = PHASE_BUILD
        m = &b.masks[s.terrain]
        w = m.index[0]
        while due:
            if m.n == 1 and not s.outpost:
                hexes = s.free[w] & m.w[w]
                c_assert(hexes != 0)
                if hexes & p.near[w]:
                    hexes &= p.near[w]
                only = hexes & (hexes - 1) == 0
                hexes = narrow_word(prefs, hexes, w)
                hexes = kb_select(hexes, random_below(rng, kb_count(hexes)))
                bit = w * 64 + kb_lowest(hexes)
            else:
                open_hexes(s, p, m, x)
                only = count_and(x, x) == 1
                bit = preferred_hex(prefs, x, ANY_VALUE, rng)
                c_assert(bit != NOWHERE)
            last = place_house(b, s, p, bit >> 6, <uint64_t>1 << (bit & 63), bit)
            update_after_build(b, s, p, bit, prefs)
            s.outpost = False
            count_house(b, s, p, bit, trace)
            interrupted = is_interrupted(b, s, last)
            due -= 1
            if only or interrupted:
                break
        end_houses(b, s, due, only or interrupted, rng, trace)
        due = s.due


cdef void build_preferred(const BoardData* b, State* s, Preferences* prefs, int slot, int bit,
                          Rng* rng, Trace* trace) noexcept nogil:
    note(trace, pack_step(STEP_BUILD, slot, b.cell_of[bit]))
    do_build(b, s, slot, bit)
    update_after_build(b, s, &s.seats[s.mover], bit, prefs)
    random_draws(b, s, rng, trace)


cdef void informed_house(const BoardData* b, State* s, Preferences* prefs, Rng* rng,
                         Trace* trace) noexcept nogil:
    """The next house of a mandatory action that is not plain, or the choice before it."""
    cdef int bit
    if may_choose(b, s):
        random_choice(b, s, rng, trace)
        random_draws(b, s, rng, trace)
        return
    bit = preferred_target(b, s, prefs, 0, ANY_VALUE, rng)
    if bit == NOWHERE:
        random_draws(b, s, rng, trace)
    else:
        build_preferred(b, s, prefs, 0, bit, rng, trace)


cdef void informed_build(const BoardData* b, State* s, Preferences* prefs, const Policy* policy,
                         int slot, Rng* rng, Trace* trace) noexcept nogil:
    """Build with a tile if the place found is worth a house."""
    cdef int bit, mask
    cdef int least = <int>(policy.least_build * UNIT)
    if b.tiles[slot].filter > FILTER_SPECIAL_SIDE or s.n_scouts:
        bit = preferred_target(b, s, prefs, slot, least, rng)
    else:
        mask = slot_mask(b, s, slot)
        if mask == NO_TERRAIN:
            return
        bit = preferred_in_mask(s, prefs, &b.masks[mask], least, rng)
    if bit != NOWHERE:
        build_preferred(b, s, prefs, slot, bit, rng, trace)


cdef inline int loss_of_cell(const BoardData* b, const Preferences* prefs, const Seat* p,
                             uint32_t bit) noexcept nogil:
    """What the preferences say that a piece is worth where it stands."""
    cdef int loss = UNIT * b.cell_gold[bit]
    cdef uint32_t row
    if b.asks & (ASKS_NEW_ROW | ASKS_BEST_ROW):
        row = p.rows[b.row[bit]]
        if row & (row - 1) == 0:
            loss += prefs.value[PREFER_NEW_ROW]
        if kb_count(row) == prefs.best_row:  # which may be worth 0
            loss += prefs.value[PREFER_BEST_ROW]
    return loss


cdef inline uint32_t spare_pieces(const BoardData* b, const uint64_t* pieces,
                                  uint64_t* out) noexcept nogil:
    """Those of some pieces that are hardly missed: not beside a special space, if possible on a
    cell that is not paid. Return the words that have any, as bits."""
    if not kb_intersect(out, pieces, b.spare):
        kb_intersect(out, pieces, b.remote)
    return kb_filled_words(out)


cdef struct Shared:  # what the pieces that a tile moves have in common
    bint beside  # they are beside own settlements: without what only the piece in hand is beside
    uint64_t hexes[WORDS]
    uint64_t best[WORDS]  # of the hexes
    int worth  # of the best
    uint64_t alone[WORDS]  # pieces whose best targets may be others


cdef inline void drop_sharers(const BoardData* b, const uint64_t* best,
                              uint64_t* alone) noexcept nogil:
    """Of some pieces keep those that are beside all of the best targets."""
    cdef uint32_t filled = kb_filled_words(best)
    cdef uint64_t hexes
    cdef int w
    while filled:
        w = kb_lowest(filled)
        filled &= filled - 1
        hexes = best[w]
        while hexes:
            if not kb_intersect(alone, alone, b.near[w * 64 + kb_lowest(hexes)]):
                return
            hexes &= hexes - 1


cdef inline void find_shared(const BoardData* b, const State* s, const Seat* p,
                             const Preferences* prefs, int slot, const uint64_t* spare,
                             Shared* shared) noexcept nogil:
    """Narrow the targets that pieces share once, not for every one of them: most of what a move
    with a harbour or a barn costs."""
    cdef const Mask* m
    cdef int i, mask = slot_mask(b, s, slot)
    kb_copy(shared.alone, spare)
    shared.beside = False
    shared.worth = 0
    if (s.n_scouts or s.outpost or s.n_react or b.tiles[slot].filter > FILTER_SPECIAL_SIDE
            or mask == NO_TERRAIN):
        return
    m = &b.masks[mask]
    if not kb_intersect(shared.hexes, s.free, m.w):
        return
    shared.beside = kb_narrow(shared.hexes, p.near)
    kb_copy(shared.best, shared.hexes)
    shared.worth = narrow(prefs, shared.best, ANY_VALUE)
    if shared.beside:
        drop_sharers(b, shared.best, shared.alone)
    elif kb_intersect(shared.alone, shared.alone, m.w):
        kb_intersect(shared.alone, shared.alone, p.near)  # for a vacated hex may count
    if b.figures:
        for i in range(WAGON):
            set_bit(shared.alone, p.figures[i])


cdef inline bint targets_alone(const BoardData* b, const State* s, const Seat* p, int slot,
                               const Shared* shared, uint32_t piece,
                               uint64_t* out) noexcept nogil:
    """The targets of a piece that may have others than the rest; False if none."""
    if shared.beside and not (b.figures and is_warrior(p, piece)):
        kb_copy(out, shared.hexes)
        clear_sides(b, out, piece, lonely_sides(p.rows, b.row[piece], b.shear[piece]))
        if any_bit(out):
            return True
    return targets(b, s, slot, piece, out)


cdef int find_other_move(const BoardData* b, const State* s, const Seat* p, const Preferences* prefs,
                         const Policy* policy, int slot, Rng* rng) noexcept nogil:
    """Of some pieces that are hardly missed the one that gains most, if it gains, and 512 times
    where it goes; otherwise NOWHERE.

    A target is chosen only for that piece, with the number that was drawn for it. Once no piece
    can gain more, only the numbers are drawn: four of ten tries are.
    """
    cdef Shared shared
    cdef Rng local = rng[0]  # in a register
    cdef uint64_t room[WORDS]
    cdef uint64_t spare[WORDS]
    cdef uint64_t hexes[WORDS]
    cdef uint64_t best_hexes[WORDS]
    cdef uint32_t source, number, best_number = 0, best_source = NOWHERE
    cdef bint is_shared, best_is_shared = False
    cdef int tries, least, gain, most
    cdef int best = <int>(policy.least_move * UNIT) - 1
    cdef uint32_t filled = spare_pieces(b, pieces_to_move(b, p, slot, room), spare)
    cdef int total = count_filled(spare, filled)
    if total == 0:
        return NOWHERE
    find_shared(b, s, p, prefs, slot, spare, &shared)
    most = MAX_VALUE if kb_intersects(spare, shared.alone) else shared.worth
    for tries in range(policy.candidates):
        if best >= most:
            next_random(&local)
            next_random(&local)
            continue
        source = nth_bit(spare, filled, random_below(&local, total))
        if source == best_source:
            next_random(&local)
            continue
        is_shared = not has_bit(shared.alone, source)
        if not is_shared and not targets_alone(b, s, p, slot, &shared, source, hexes):
            continue
        number = next_random(&local)
        if is_shared and shared.worth <= best:
            continue
        least = best + 1 + loss_of_cell(b, prefs, p, source)
        gain = shared.worth - least if is_shared else narrow(prefs, hexes, least)
        if gain >= 0:
            best += 1 + gain
            best_source = source
            best_number = number
            best_is_shared = is_shared
            if not is_shared:
                kb_copy(best_hexes, hexes)
    rng[0] = local
    if best_source == NOWHERE:
        return NOWHERE
    if best_is_shared:
        kb_copy(best_hexes, shared.best)
        if shared.beside:
            # Without the hexes that only the piece to be moved is beside.
            clear_sides(b, best_hexes, best_source,
                        lonely_sides(p.rows, b.row[best_source], b.shear[best_source]))
    return best_source + BITS * pick_of_few(best_hexes, best_number)


cdef int find_jump(const BoardData* b, const State* s, const Seat* p, const Preferences* prefs,
                   const Policy* policy, Rng* rng) noexcept nogil:
    """What find_other_move finds, with a paddock, half of all moves: the targets are looked up."""
    cdef Rng local = rng[0]  # in a register
    cdef uint64_t spare[WORDS]
    cdef uint64_t hexes[WORDS]
    cdef uint64_t best_hexes[WORDS]
    cdef uint32_t source, number, best_number = 0, best_source = NOWHERE
    cdef int loss, tries, gain
    cdef int best = <int>(policy.least_move * UNIT) - 1
    cdef uint32_t filled = spare_pieces(b, p.own, spare)
    cdef int total = count_filled(spare, filled)
    if total == 0:
        return NOWHERE
    for tries in range(policy.candidates):
        source = nth_bit(spare, filled, random_below(&local, total))
        if source == best_source:
            next_random(&local)
            continue
        if not kb_intersect(hexes, b.jump_cells[source], s.free):
            continue
        number = next_random(&local)
        loss = loss_of_cell(b, prefs, p, source)
        gain = narrow(prefs, hexes, best + 1 + loss)
        if gain >= 0:
            best += 1 + gain
            best_source = source
            best_number = number
            kb_copy(best_hexes, hexes)
    rng[0] = local
    if best_source == NOWHERE:
        return NOWHERE
    return best_source + BITS * pick_of_few(best_hexes, best_number)


cdef inline int find_move(const BoardData* b, const State* s, const Seat* p, const Preferences* prefs,
                          const Policy* policy, int slot, Rng* rng) noexcept nogil:
    if b.tiles[slot].filter == FILTER_JUMP and not b.figures and not s.n_scouts:
        return find_jump(b, s, p, prefs, policy, rng)
    return find_other_move(b, s, p, prefs, policy, slot, rng)


cdef void informed_move(const BoardData* b, State* s, Preferences* prefs, const Policy* policy,
                        int slot, Rng* rng, Trace* trace) noexcept nogil:
    """Move a piece if one is found that gains."""
    cdef int found = find_move(b, s, &s.seats[s.mover], prefs, policy, slot, rng)
    cdef int source = found % BITS
    cdef int target = found // BITS
    if found == NOWHERE:
        return
    note(trace, pack_step(STEP_LIFT, slot, b.cell_of[source]))
    note(trace, pack_step(STEP_PUT, 0, b.cell_of[target]))
    do_move(b, s, slot, source, target)
    if b.simple:
        update_after_move(b, s, &s.seats[s.mover], source, target, prefs)
    else:
        build_all_cells(b, s, s.mover, prefs)
    random_draws(b, s, rng, trace)


cdef void informed_action(const BoardData* b, State* s, Preferences* prefs, int slot, Rng* rng,
                          Trace* trace) noexcept nogil:
    """An action of several steps: houses by preference, the rest at random."""
    cdef uint32_t steps[MAX_STEPS]
    cdef int n, bit
    if not is_open(b, s, slot):
        return
    n = slot_steps(b, s, slot, steps)
    while n:
        bit = NOWHERE
        slot = steps[0] >> 16 & 255  # a bazaar goes on with another tile
        if steps[0] >> 24 == STEP_BUILD and not ACTION_FORT <= b.tiles[slot].action <= ACTION_HALL:
            bit = preferred_target(b, s, prefs, slot, ANY_VALUE, rng)
        if bit != NOWHERE:
            build_preferred(b, s, prefs, slot, bit, rng, trace)
        else:
            random_step(b, s, steps, n, rng, trace)
        n = list_steps(b, s, steps) if s.doing or s.lift_slot or s.repeat else 0
    build_all_cells(b, s, s.mover, prefs)


cdef void informed_tiles(const BoardData* b, State* s, Preferences* prefs, const Policy* policy,
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
        if action == ACTION_MOVE:
            informed_move(b, s, prefs, policy, slot, rng, trace)
        elif action != ACTION_BUILD:
            if next_random(rng) & 1:
                informed_action(b, s, prefs, slot, rng, trace)
        elif s.seats[s.mover].supply:
            informed_build(b, s, prefs, policy, slot, rng, trace)
    if outpost and s.phase == PHASE_PRE:
        informed_action(b, s, prefs, outpost, rng, trace)


cdef inline void order_tiles(uint64_t tiles, bint is_early, Rng* rng, uint64_t* before,
                             uint64_t* after) noexcept nogil:
    """Each tile before or after the mandatory action, by a coin."""
    cdef uint64_t tile
    cdef uint32_t coins = next_random(rng)
    before[0] = 0
    after[0] = 0
    while tiles:
        tile = <uint64_t>1 << (kb_lowest(tiles) & ~3)
        tiles -= tile
        if coins & 1 and is_early:
            before[0] += tile
        else:
            after[0] += tile
        coins = coins >> 1 or next_random(rng)


cdef void informed_turn(const BoardData* b, State* s, Preferences* all_prefs, const Policy* policy,
                        Rng* rng, Trace* trace) noexcept nogil:
    """The rest of a turn."""
    cdef Preferences* prefs = &all_prefs[s.mover]
    cdef uint64_t before = 0, after = 0
    if s.draw == DRAW_REVEAL:
        random_card(b, s, rng, trace)
    if s.terrain == NO_TERRAIN:
        random_events(b, s, rng, trace)
    update_at_turn_start(b, s, policy, all_prefs)
    if s.seats[s.mover].ready:
        order_tiles(s.seats[s.mover].ready, s.phase == PHASE_PRE, rng, &before, &after)
        if before:
            informed_tiles(b, s, prefs, policy, before, rng, trace)
    informed_mandatory(b, s, prefs, rng, trace)
    while s.phase < PHASE_POST:
        informed_house(b, s, prefs, rng, trace)
        informed_mandatory(b, s, prefs, rng, trace)
    if after:
        informed_tiles(b, s, prefs, policy, after, rng, trace)
    note(trace, pack_step(STEP_END, 0, 0))
    end_turn(b, s)


cdef void informed_game(const BoardData* b, State* s, const Policy* policy, Rng* rng,
                        Trace* trace) noexcept nogil:
    """Play to the end of the game."""
    cdef Preferences prefs[MAX_SEATS]
    cdef int i
    if s.lift_slot or s.doing or s.outpost or s.repeat or s.n_react:
        finish_action(b, s, rng, trace)
    if s.phase < PHASE_SILO:
        for i in range(s.n_seats):
            init_preferences(b, &prefs[i])
            build_all_cells(b, s, i, &prefs[i])
    if b.simple and trace == NULL:
        informed_base_game(b, s, &prefs[0], policy, rng)
    while s.phase < PHASE_SILO:
        informed_turn(b, s, &prefs[0], policy, rng, trace)
    while s.phase != PHASE_OVER:
        random_silos(b, s, rng, trace)


# --- ratings ------------------------------------------------------------------------------------

cdef int value_of_victim(const BoardData* b, const State* s, const Survey* t,
                         int bit) noexcept nogil:
    """What the owner of a piece loses with it."""
    cdef int i
    for i in range(s.n_seats):
        if has_bit(s.seats[i].own, bit):
            return loss_of(b, s, t, i, bit)
    return 0


cdef int value_of_step(const BoardData* b, const State* s, Survey* t, int seat,
                       uint32_t step) noexcept nogil:
    """What a step of any kind is worth to the seat that decides; ending a turn is worth 0."""
    cdef int kind = step >> 24
    cdef int slot = step >> 16 & 255
    cdef int bit = b.bit_of[step & 511]
    if kind == STEP_BUILD:
        return value_of_piece(b, s, t, seat, bit)
    if kind == STEP_LIFT:
        return UNIT - loss_of(b, s, t, seat, bit)
    if kind == STEP_PUT:
        return value_of_piece(b, s, t, seat, bit) - loss_of(b, s, t, seat, s.lift)
    if kind == STEP_REMOVE:
        if b.tiles[slot].action == ACTION_TEMPLE:
            return UNIT - loss_of(b, s, t, seat, bit)
        return value_of_victim(b, s, t, bit)
    if kind == STEP_BACK:
        return -loss_of(b, s, t, seat, bit)
    if kind == STEP_TAKE or kind == STEP_DECLARE or kind == STEP_REPEAT:
        return UNIT
    return 0


cdef void rate_steps(const BoardData* b, const State* s, const Policy* policy,
                     const uint32_t* steps, int n, float* out) noexcept nogil:
    """What each of some legal steps brings the seat that decides, roughly, in gold."""
    cdef Survey t
    cdef int i
    for i in range(s.n_seats):
        survey_land(b, &s.seats[i], &t.lands[i])
    t.tile = <int>(policy.tile * UNIT * turns_left(s))
    for i in range(n):
        out[i] = <float>value_of_step(b, s, &t, actor(s), steps[i]) / UNIT
