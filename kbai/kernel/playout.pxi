# Playouts: games to their end, on masks instead of lists of steps.
#
# There is one algorithm with two switches, and four games that set them (at the end of this file):
#
#   informed  The preferences of the seat choose. Otherwise all choices are uniform, and there are
#             no preferences.
#   simple    The board has nothing but what the base game has (BoardData.simple), and nobody asks
#             for a trace. What only other sets need is left out, and what the houses of a turn
#             share is written once.
#
# Functions that return `specialized` become part of each of these games, where the switches are
# constants. So no playout asks for what it does not need, which makes those of the base game a
# fifth cheaper. A seed leads to the same game with and without a trace, simple or not:
# tests/kernel/test_variants.py.


cdef inline void note(Trace* trace, int step) noexcept nogil:
    if trace != NULL and trace.n < trace.room:
        trace.steps[trace.n] = step
        trace.n += 1


# --- cards and reactions ------------------------------------------------------------------------

cdef inline int random_kind(const State* s, int pool, Rng* rng) noexcept nogil:
    """The kind of a random card of a pool."""
    cdef int k = random_below(rng, s.totals[pool])
    cdef int card = 0
    while k >= s.pools[pool][card]:
        k -= s.pools[pool][card]
        card += 1
    return card


cdef inline int random_plain_kind(State* s, Rng* rng) noexcept nogil:
    """The same for the draw pile if it has eight kinds at most and less than 128 cards, without a
    jump for each kind. The card leaves the pile, whose counts are read and written as one word."""
    cdef uint64_t counts
    cdef int card
    memcpy(&counts, s.pools[0], sizeof(counts))
    card = kb_heap(kb_sums(counts), random_below(rng, s.totals[0]))
    counts -= <uint64_t>1 << 8 * card
    memcpy(s.pools[0], &counts, sizeof(counts))
    s.totals[0] -= 1
    return card


cdef inline void random_card(const BoardData* b, State* s, Rng* rng, Trace* trace) noexcept nogil:
    """Turn up the pending card."""
    cdef int card = random_kind(s, draw_pool(s), rng)
    note(trace, -1 - card)
    show_card(b, s, card)


cdef void random_choice(const BoardData* b, State* s, Rng* rng, Trace* trace) noexcept nogil:
    """Choose the card of the turn, or the half of it."""
    cdef uint32_t steps[MAX_CHOICES]
    cdef uint32_t step = steps[random_below(rng, choice_steps(b, s, steps))]
    note(trace, step)
    do_step(b, s, step)


cdef void random_reaction(const BoardData* b, State* s, Rng* rng, Trace* trace) noexcept nogil:
    """React to a tile taken, or not, by a coin."""
    cdef uint64_t hexes[WORDS]
    cdef uint32_t step = pack_step(STEP_PASS, 0, 0)
    if next_random(rng) & 1:
        targets(b, s, b.canoe_slot, NOWHERE, hexes)
        step = pack_step(STEP_BUILD, b.canoe_slot, b.cell_of[pick_any(hexes, rng)])
    note(trace, step)
    do_step(b, s, step)


cdef void random_events(const BoardData* b, State* s, Rng* rng, Trace* trace) noexcept nogil:
    """All that happens before the seat can go on with its turn."""
    while True:
        if s.draw:
            random_card(b, s, rng, trace)
        elif s.n_react:
            random_reaction(b, s, rng, trace)
        elif may_choose(b, s):
            random_choice(b, s, rng, trace)
        else:
            return


cdef inline void random_draws(const BoardData* b, State* s, Rng* rng, Trace* trace) noexcept nogil:
    """The same after a step, when there is seldom anything."""
    if s.draw or s.n_react:
        random_events(b, s, rng, trace)


cdef inline void close_simple_step(const BoardData* b, State* s, const Seat* p,
                                   Rng* rng) noexcept nogil:
    """What settle and random_draws do on a simple board: nearly always nothing."""
    if s.terrain > FOREST or s.free[s.terrain] & b.land[s.terrain] == 0 or p.supply < 3:
        settle_all(b, s)
        random_draws(b, s, rng, NULL)


cdef inline specialized reveal_card(const BoardData* b, State* s, Seat* p, Rng* rng, Trace* trace,
                                    bint simple) noexcept nogil:
    """Turn up the card of the turn."""
    if simple and p.hands[0]:  # otherwise it is from before a reshuffle
        show_only_card(s, p, random_plain_kind(s, rng))
        if s.free[s.terrain] & b.land[s.terrain] == 0 or p.supply < 3:
            settle(b, s)
    else:
        random_card(b, s, rng, trace)


# --- the mandatory action -----------------------------------------------------------------------

cdef inline specialized build_in_word(const BoardData* b, State* s, Seat* p, Preferences* prefs,
                                      int t, Rng* rng, bint informed,
                                      int* due) noexcept nogil:
    """Build up to ``due`` houses on a terrain that fills one word, as long as it has a free hex; on
    simple boards only. What only the end shows is written once, not for each house.

    Each house waits for the one before it: from the hexes beside settlements to the one chosen, and
    from that to the hexes beside it. So these are kept in a register, and nothing else is asked on
    that way.
    """
    cdef uint64_t land = s.free[t] & b.land[t]
    cdef uint64_t beside = p.near[t]
    cdef uint64_t wanted = s.left_one & ~p.taken
    cdef uint64_t built = land
    cdef uint64_t hexes, one, spaces = 0
    cdef Rng local = rng[0]  # in a register
    cdef size_t bit, word = <size_t>t * 64
    cdef int _, n = kb_count(land)
    if n > due[0]:
        n = due[0]
    for _ in range(n):
        hexes = kb_or_else(land & beside, land)
        if informed:
            hexes = narrow_word(prefs, hexes, t)
        one = kb_select(hexes, random_below(&local, kb_count(hexes)))
        land ^= one
        bit = word + <size_t>kb_lowest(one)
        # The small table stays in the cache, unless the preferences take its place.
        beside |= b.near[bit][t] if informed else b.kin[bit]
        kb_add(p.near, b.near[bit])
        p.rows[b.row[bit]] |= b.shear_bit[bit]
        if not informed:
            spaces |= b.touch[bit]
            continue
        if b.sides[bit]:  # seldom: saves four instructions of a house
            spaces = b.touch[bit] & wanted
            if spaces:
                take_tiles(b, s, p, spaces)
                wanted = s.left_one & ~p.taken
            update_spaces_after_build(b, s, p, prefs, bit)
        update_cards_after_build(b, p, prefs, bit)
    if not informed and spaces & wanted:
        take_tiles(b, s, p, spaces & wanted)
    due[0] -= n
    built ^= land
    kb_set(p.own, t, built)
    kb_clear(s.free, t, built)
    p.supply -= n
    if p.supply == 0:
        s.final = True
    rng[0] = local
    if informed:
        check_preferences(b, s, s.mover, prefs)


cdef inline bint is_plain(const BoardData* b, const State* s) noexcept nogil:
    """Whether the houses that are left of the mandatory action go on one terrain and only a canoe
    can come between them, on this board or at least now."""
    return b.plain or not (b.mayors or s.owed or s.n_scouts or s.terrain >= MASK_BUILD
                           or waives_adjacency(b, s, 0))


cdef inline void count_house(const BoardData* b, State* s, Seat* p, int bit,
                             Trace* trace) noexcept nogil:
    """What a house of a plain mandatory action pays at once."""
    if b.red:
        score_build(b, s, s.mover, bit)
        if b.red >> GOLD_FAMILIES & 1:
            score_family(b, s, p, bit)
    note(trace, pack_step(STEP_BUILD, 0, b.cell_of[bit]))


cdef inline bint is_interrupted(const BoardData* b, State* s, bint last) noexcept nogil:
    """Whether somebody may react to a house, because it took the last tile of a space."""
    if last and b.canoe_slot:
        interrupt(s, s.mover)
        return True
    return False


cdef inline specialized build_plain_houses(const BoardData* b, State* s, Preferences* prefs,
                                           Rng* rng, Trace* trace,
                                           bint informed) noexcept nogil:
    """The mandatory action, or what is left of it, as long as it is plain.

    Houses of one terrain share everything but the hex. Nothing settles between them: while a hex of
    the terrain is left, it cannot be exhausted. Saves a quarter of a playout.
    """
    cdef Seat* p = <Seat*>kb_opaque(&s.seats[s.mover])
    cdef const Mask* m
    cdef uint64_t x[WORDS]
    cdef uint64_t hexes
    cdef int w, bit, choices = 0
    cdef int due = s.due if s.phase == PHASE_BUILD else houses_due(s, p)
    cdef bint last, one_word, only = False, interrupted = False
    while s.phase < PHASE_POST and is_plain(b, s):
        s.phase = PHASE_BUILD
        m = &b.masks[s.terrain]
        w = m.index[0]
        one_word = m.n == 1 and not s.outpost
        while due:
            if one_word:
                hexes = hexes_of_word(s, p, m)
                c_assert(hexes != 0)
                only = hexes & (hexes - 1) == 0
                if informed:
                    hexes = narrow_word(prefs, hexes, w)
                hexes = kb_select(hexes, random_below(rng, kb_count(hexes)))
                bit = w * 64 + kb_lowest(hexes)
                last = place_house(b, s, p, w, hexes, bit)
            else:
                if informed:
                    open_hexes(s, p, m, x)
                    only = count_and(x, x) == 1
                    bit = preferred_of(prefs, ANY_VALUE, rng, x)
                else:
                    bit = random_hex(s, p, m, rng, &choices)
                    only = choices == 1
                c_assert(bit != NOWHERE)
                last = place_house(b, s, p, bit >> 6, <uint64_t>1 << (bit & 63), bit)
                s.outpost = False
                one_word = m.n == 1
            if informed:
                update_after_build(b, s, p, prefs, bit)
            count_house(b, s, p, bit, trace)
            interrupted = is_interrupted(b, s, last)
            due -= 1
            if only or interrupted:
                break
        s.due = due
        if due == 0:
            end_regular(s)
        if only or interrupted:
            settle(b, s)
            random_draws(b, s, rng, trace)
        due = s.due


cdef void random_plain_houses(const BoardData* b, State* s, Rng* rng, Trace* trace) noexcept nogil:
    build_plain_houses(b, s, NULL, rng, trace, False)


cdef void informed_plain_houses(const BoardData* b, State* s, Preferences* prefs, Rng* rng,
                                Trace* trace) noexcept nogil:
    build_plain_houses(b, s, prefs, rng, trace, True)


cdef void build_preferred(const BoardData* b, State* s, Preferences* prefs, int slot, int bit,
                          Rng* rng, Trace* trace) noexcept nogil:
    note(trace, pack_step(STEP_BUILD, slot, b.cell_of[bit]))
    do_build(b, s, slot, bit)
    update_after_build(b, s, &s.seats[s.mover], prefs, bit)
    random_draws(b, s, rng, trace)


cdef void build_odd_house(const BoardData* b, State* s, Preferences* prefs, Rng* rng,
                          Trace* trace) noexcept nogil:
    """The next house of a mandatory action that is not plain, or the choice before it."""
    cdef uint64_t hexes[WORDS]
    cdef int bit
    if may_choose(b, s):
        random_choice(b, s, rng, trace)
    elif prefs != NULL:
        bit = any_preferred_target(b, s, prefs, 0, ANY_VALUE, rng)
        if bit != NOWHERE:
            build_preferred(b, s, prefs, 0, bit, rng, trace)
    elif targets(b, s, 0, NOWHERE, hexes):
        bit = pick_any(hexes, rng)
        note(trace, pack_step(STEP_BUILD, 0, b.cell_of[bit]))
        do_build(b, s, 0, bit)
    random_draws(b, s, rng, trace)


cdef inline specialized build_mandatory(const BoardData* b, State* s, Seat* p, Preferences* prefs,
                                        Rng* rng, Trace* trace, bint informed,
                                        bint simple) noexcept nogil:
    """The mandatory action, or what is left of it, as far as one terrain goes."""
    cdef int due
    if simple:
        if s.phase >= PHASE_POST:
            return
        if b.land[s.terrain]:
            due = s.due if s.phase == PHASE_BUILD else 3 if p.supply > 3 else p.supply
            build_in_word(b, s, p, prefs, s.terrain, rng, informed, &due)
            s.due = due
            s.phase = PHASE_BUILD if due else PHASE_POST
            if s.free[s.terrain] & b.land[s.terrain]:
                return
            settle_all(b, s)
            random_draws(b, s, rng, NULL)
    if informed:
        informed_plain_houses(b, s, prefs, rng, trace)
    else:
        random_plain_houses(b, s, rng, trace)


# --- tiles --------------------------------------------------------------------------------------

cdef void random_step(const BoardData* b, State* s, const uint32_t* steps, int n, Rng* rng,
                      Trace* trace) noexcept nogil:
    cdef uint32_t step = steps[random_below(rng, n)]
    note(trace, step)
    do_step(b, s, step)
    random_draws(b, s, rng, trace)


cdef void use_action(const BoardData* b, State* s, Preferences* prefs, int slot, Rng* rng,
                     Trace* trace) noexcept nogil:
    """An action of several steps, each uniform among the legal ones; with preferences they choose
    the hexes for houses."""
    cdef uint32_t steps[MAX_STEPS]
    cdef int n, bit
    if not is_open(b, s, slot):
        return
    n = slot_steps(b, s, slot, steps)
    while n:
        bit = NOWHERE
        slot = steps[0] >> 16 & 255  # a bazaar goes on with another tile
        if (prefs != NULL and steps[0] >> 24 == STEP_BUILD
                and not ACTION_FORT <= b.tiles[slot].action <= ACTION_HALL):
            bit = any_preferred_target(b, s, prefs, slot, ANY_VALUE, rng)
        if bit != NOWHERE:
            build_preferred(b, s, prefs, slot, bit, rng, trace)
        else:
            random_step(b, s, steps, n, rng, trace)
        n = list_steps(b, s, steps) if s.doing or s.lift_slot or s.repeat else 0
    if prefs != NULL:
        build_all_cells(b, s, &s.seats[s.mover], prefs)


cdef inline specialized build_with_tile(const BoardData* b, State* s, Seat* p, Preferences* prefs,
                                        const Policy* policy, int slot, Rng* rng, Trace* trace,
                                        bint informed, bint simple) noexcept nogil:
    """Build with a tile; with preferences only if the hex found is worth a house."""
    cdef int bit
    if informed:
        find_preferred_target(b, s, p, prefs, slot, <int>(policy.least_build * UNIT), rng, simple,
                              &bit)
    else:
        bit = random_target(b, s, p, slot, rng)
    if bit == NOWHERE:
        return
    if simple:
        use_tile(b, s, p, slot)
        place_house(b, s, p, bit >> 6, <uint64_t>1 << (bit & 63), bit)
    else:
        note(trace, pack_step(STEP_BUILD, slot, b.cell_of[bit]))
        do_build(b, s, slot, bit)
    if informed:
        update_after_build(b, s, p, prefs, bit)
    if simple:
        close_simple_step(b, s, p, rng)
    else:
        random_draws(b, s, rng, trace)


cdef inline specialized move_with_tile(const BoardData* b, State* s, Seat* p, Preferences* prefs,
                                       const Policy* policy, int slot, Rng* rng, Trace* trace,
                                       bint informed, bint simple) noexcept nogil:
    """Move a piece; with preferences only if one is found that gains."""
    cdef uint32_t found, source, target
    if b.tiles[slot].filter == FILTER_JUMP and (simple or not (b.figures or s.n_scouts)):
        if informed:
            if KB_HAS_LANES and policy.candidates <= KB_LANES:
                found = find_jump_at_once(b, s, p, prefs, policy, rng)
            else:
                found = find_jump(b, s, p, prefs, policy, rng)
        else:
            found = random_jump(b, s, p, rng)
    elif informed:
        found = find_other_move(b, s, p, prefs, policy, slot, rng)
    else:
        found = random_move(b, s, p, slot, rng)
    if found == NOWHERE:
        return
    source = found % BITS
    target = found // BITS
    if simple:
        use_tile(b, s, p, slot)
        take_piece(b, s, p, source)
        set_piece(b, s, p, target)
        lose_tiles(b, s, p, source)
        gain_tiles(b, s, p, target)
    else:
        note(trace, pack_step(STEP_LIFT, slot, b.cell_of[source]))
        note(trace, pack_step(STEP_PUT, 0, b.cell_of[target]))
        do_move(b, s, slot, source, target)
    if informed:
        if simple or b.simple:
            update_after_move(b, s, p, prefs, source, target)
        else:
            build_all_cells(b, s, p, prefs)
    if simple:
        close_simple_step(b, s, p, rng)
    else:
        random_draws(b, s, rng, trace)


cdef inline specialized use_tiles(const BoardData* b, State* s, Seat* p, Preferences* prefs,
                                  const Policy* policy, uint64_t plan, Rng* rng, Trace* trace,
                                  bint informed, bint simple) noexcept nogil:
    """Use the planned tiles, four bits a slot, as far as they are still there and have a target.

    An outpost is declared last, for the mandatory action; after that it would have no use.
    """
    cdef int slot, action, outpost = 0
    while plan:
        slot = kb_lowest(plan) // 4 + 1
        plan -= one_tile(slot)
        action = b.tiles[slot].action
        if not simple and action == ACTION_OUTPOST:
            outpost = slot
            continue
        if tile_count(p.ready, slot) == 0:
            continue
        if action == ACTION_MOVE:
            move_with_tile(b, s, p, prefs, policy, slot, rng, trace, informed, simple)
        elif not simple and action != ACTION_BUILD:
            if not informed or next_random(rng) & 1:
                use_action(b, s, prefs, slot, rng, trace)
        elif p.supply:
            build_with_tile(b, s, p, prefs, policy, slot, rng, trace, informed, simple)
    if outpost and s.phase == PHASE_PRE:
        use_action(b, s, prefs, outpost, rng, trace)


cdef inline bint plan_at_once(uint64_t tiles, uint32_t coins, int faces) noexcept nogil:
    """Whether one random number with ``faces`` bits for each tile is enough, and no kind of tile is
    there more than three times. Nearly always."""
    return (tiles & <uint64_t>0xCCCCCCCCCCCCCCCC == 0
            and <uint64_t>coins >> faces * kb_count(kb_unary(tiles)) != 0)


cdef inline void plan_some_tiles(uint64_t tiles, bint is_early, Rng* rng, uint64_t* before,
                                 uint64_t* after) noexcept nogil:
    """Use each tile with probability 1/2, before or after the mandatory action."""
    cdef uint64_t tile, used, each = kb_unary(tiles)
    cdef uint32_t coins = next_random(rng)
    before[0] = 0
    after[0] = 0
    if plan_at_once(tiles, coins, 2):
        used = kb_deposit(kb_every_other(coins), each)
        if is_early:
            before[0] = kb_from_unary(used & kb_deposit(kb_every_other(coins >> 1), each))
        after[0] = kb_from_unary(used) - before[0]
        return
    while tiles:
        tile = <uint64_t>1 << (kb_lowest(tiles) & ~3)
        tiles -= tile
        if coins & 1:
            if coins & 2 and is_early:
                before[0] += tile
            else:
                after[0] += tile
        coins = coins >> 2 or next_random(rng)


cdef inline void plan_all_tiles(uint64_t tiles, bint is_early, Rng* rng, uint64_t* before,
                                uint64_t* after) noexcept nogil:
    """Use each tile before or after the mandatory action, by a coin."""
    cdef uint64_t tile
    cdef uint32_t coins = next_random(rng)
    before[0] = 0
    after[0] = 0
    if plan_at_once(tiles, coins, 1):
        if is_early:
            before[0] = kb_from_unary(kb_deposit(coins, kb_unary(tiles)))
        after[0] = tiles - before[0]
        return
    while tiles:
        tile = <uint64_t>1 << (kb_lowest(tiles) & ~3)
        tiles -= tile
        if coins & 1 and is_early:
            before[0] += tile
        else:
            after[0] += tile
        coins = coins >> 1 or next_random(rng)


# --- turns and games ----------------------------------------------------------------------------

cdef inline specialized play_turn(const BoardData* b, State* s, Preferences* all_prefs,
                                  const Policy* policy, Rng* rng, Trace* trace, bint informed,
                                  bint simple) noexcept nogil:
    """The rest of a turn."""
    cdef Seat* p = <Seat*>kb_opaque(&s.seats[s.mover])
    cdef Preferences* prefs = NULL
    cdef uint64_t plan = 0, after = 0
    cdef bint is_built
    if s.draw == DRAW_REVEAL:
        reveal_card(b, s, p, rng, trace, simple)
    if s.terrain == NO_TERRAIN:  # more cards, one to replace, a choice
        random_events(b, s, rng, trace)
    if informed:
        prefs = <Preferences*>kb_opaque(&all_prefs[s.mover])
        update_at_turn_start(b, s, all_prefs, policy)
    if p.ready:
        if informed:
            plan_all_tiles(p.ready, s.phase == PHASE_PRE, rng, &plan, &after)
        else:
            plan_some_tiles(p.ready, s.phase != PHASE_BUILD, rng, &plan, &after)
    # A loop, so that the code of tiles is here once: that saves 30 instructions of a turn.
    for is_built in range(2):
        if is_built:
            build_mandatory(b, s, p, prefs, rng, trace, informed, simple)
            while not simple and s.phase < PHASE_POST:
                build_odd_house(b, s, prefs, rng, trace)
                build_mandatory(b, s, p, prefs, rng, trace, informed, simple)
            plan = after
        use_tiles(b, s, p, prefs, policy, plan, rng, trace, informed, simple)
    note(trace, pack_step(STEP_END, 0, 0))
    end_turn(b, s, simple)


cdef void finish_action(const BoardData* b, State* s, Rng* rng, Trace* trace) noexcept nogil:
    """Finish what is under way at the start of a playout."""
    cdef uint32_t steps[MAX_STEPS]
    random_events(b, s, rng, trace)
    while s.lift_slot or s.doing or s.outpost or s.repeat:
        random_step(b, s, steps, list_steps(b, s, steps), rng, trace)
        random_events(b, s, rng, trace)


cdef void random_silos(const BoardData* b, State* s, Rng* rng, Trace* trace) noexcept nogil:
    """The silo actions of a seat: each silo builds or moves as often as it can, or is left."""
    cdef uint32_t steps[MAX_STEPS]
    cdef int n
    while s.silos and next_random(rng) & 1:
        n = slot_steps(b, s, b.silo_slot, steps)
        if n == 0:
            break
        random_step(b, s, steps, n, rng, trace)
        while s.lift_slot or s.doing:
            random_step(b, s, steps, list_steps(b, s, steps), rng, trace)
    note(trace, pack_step(STEP_END, 0, 0))
    finish_turn(b, s)


cdef void simple_random_game(const BoardData* b, State* s, Rng* rng) noexcept nogil:
    while s.phase < PHASE_SILO:
        play_turn(b, s, NULL, NULL, rng, NULL, False, True)


cdef void simple_informed_game(const BoardData* b, State* s, Preferences* all_prefs,
                               const Policy* policy, Rng* rng) noexcept nogil:
    while s.phase < PHASE_SILO:
        play_turn(b, s, all_prefs, policy, rng, NULL, True, True)


cdef void random_game(const BoardData* b, State* s, Rng* rng, Trace* trace) noexcept nogil:
    """Play to the end of the game at random."""
    if s.lift_slot or s.doing or s.outpost or s.repeat or s.n_react:
        finish_action(b, s, rng, trace)
    if b.simple and trace == NULL:
        simple_random_game(b, s, rng)
    while s.phase < PHASE_SILO:
        play_turn(b, s, NULL, NULL, rng, trace, False, False)
    while s.phase != PHASE_OVER:
        random_silos(b, s, rng, trace)


cdef void informed_game(const BoardData* b, State* s, const Policy* policy, Rng* rng,
                        Trace* trace) noexcept nogil:
    """Play to the end of the game by the preferences of each seat."""
    cdef Preferences room[MAX_SEATS + 1]
    cdef Preferences* prefs = <Preferences*>kb_align(room)
    cdef int i
    if s.lift_slot or s.doing or s.outpost or s.repeat or s.n_react:
        finish_action(b, s, rng, trace)
    if s.phase < PHASE_SILO:
        for i in range(s.n_seats):
            init_preferences(b, &prefs[i])
            build_all_cells(b, s, &s.seats[i], &prefs[i])
    if b.simple and trace == NULL:
        simple_informed_game(b, s, prefs, policy, rng)
    while s.phase < PHASE_SILO:
        play_turn(b, s, prefs, policy, rng, trace, True, False)
    while s.phase != PHASE_OVER:
        random_silos(b, s, rng, trace)
