# Random games to the end, on masks instead of lists of steps.

cdef inline void seed_random(Rng* rng, uint64_t seed) noexcept nogil:
    """Spread a seed over the state, so that neighbouring seeds have nothing in common."""
    seed = (seed ^ seed >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    seed = (seed ^ seed >> 27) * <uint64_t>0x94D049BB133111EB
    rng.state = (seed ^ seed >> 31) | 3  # the multiplier alone wants an odd state


cdef inline uint32_t next_random(Rng* rng) noexcept nogil:
    """PCG MCG XSH RS 64/32 (O'Neill 2014): half the instructions of a 64-bit generator."""
    cdef uint64_t x = rng.state
    rng.state = x * <uint64_t>6364136223846793005
    return <uint32_t>((x ^ x >> 22) >> (22 + (x >> 61)))


cdef inline int random_below(Rng* rng, int n) noexcept nogil:
    """A number from 0 to n - 1; the bias of at most n / 2**32 is far below any playout's noise."""
    return <int>(<uint64_t>next_random(rng) * <uint64_t>n >> 32)


cdef inline void note(Trace* trace, int step) noexcept nogil:
    if trace != NULL and trace.n < trace.room:
        trace.steps[trace.n] = step
        trace.n += 1


cdef inline int pick_bit(Rng* rng, const uint64_t* words, const uint8_t* index, int n,
                         int total) noexcept nogil:
    """A uniform one of ``total`` set bits in n words; index says which word each one is."""
    cdef int k = random_below(rng, total)
    cdef int i = 0
    cdef int here = kb_count(words[0])
    while k >= here:
        k -= here
        i += 1
        c_assert(i < n)
        here = kb_count(words[i])
    return index[i] * 64 + kb_lowest(kb_select(words[i], k))


cdef uint8_t[WORDS] EVERY_WORD = [0, 1, 2, 3, 4, 5, 6, 7]


cdef inline int pick_any(Rng* rng, const uint64_t* board) noexcept nogil:
    cdef int w, total = 0
    for w in range(WORDS):
        total += kb_count(board[w])
    if total == 0:
        return NOWHERE
    return pick_bit(rng, board, EVERY_WORD, WORDS, total)


cdef inline int count_filled(const uint64_t* board, uint32_t filled) noexcept nogil:
    """The set bits in some words of a board."""
    cdef int total = 0
    while filled:
        total += kb_count(board[kb_lowest(filled)])
        filled &= filled - 1
    return total


cdef inline uint32_t nth_bit(const uint64_t* board, uint32_t filled, int k) noexcept nogil:
    """The k-th set bit in some words of a board, counted from 0."""
    cdef uint32_t w = kb_lowest(filled)
    cdef int here = kb_count(board[w])
    while k >= here:
        k -= here
        filled &= filled - 1
        c_assert(filled != 0)
        w = kb_lowest(filled)
        here = kb_count(board[w])
    return w * 64 + <uint32_t>kb_lowest(kb_select(board[w], k))


cdef inline uint32_t pick_of_few(const uint64_t* board, uint32_t number) noexcept nogil:
    """A set bit, of at least one, by a random number, as pick_any does. It looks only at the words
    that have any: if these are one or two, that is half the cost."""
    cdef uint32_t filled = kb_filled_words(board)
    cdef int total = count_filled(board, filled)
    return nth_bit(board, filled, <int>(<uint64_t>number * <uint64_t>total >> 32))


cdef inline int hexes_of_mask(const State* s, const Seat* p, const Mask* m,
                              uint64_t* out) noexcept nogil:
    """The legal hexes of a mask to build on, adjacent if possible (R4.2): a word of ``out`` for
    each of the mask's. The same as mask_targets, but it looks only at the words of the terrain.
    Return how many there are.
    """
    cdef int i, w, total = 0
    for i in range(m.n):
        w = m.index[i]
        out[i] = s.free[w] & m.w[w] & p.near[w]
        total += kb_count(out[i])
    if total == 0 or s.outpost:
        total = 0
        for i in range(m.n):
            w = m.index[i]
            out[i] = s.free[w] & m.w[w]
            total += kb_count(out[i])
    return total


cdef inline int pick_build(const State* s, const Seat* p, const Mask* m, Rng* rng,
                           int* choices) noexcept nogil:
    """A uniform legal hex of a mask to build on, and among how many; NOWHERE if none."""
    cdef uint64_t x[WORDS]
    choices[0] = hexes_of_mask(s, p, m, x)
    return pick_bit(rng, x, m.index, m.n, choices[0]) if choices[0] else NOWHERE


cdef inline void random_card(const BoardData* b, State* s, Rng* rng, Trace* trace) noexcept nogil:
    """Turn up the pending card."""
    cdef int pool = draw_pool(s)
    cdef int k = random_below(rng, s.totals[pool])
    cdef int card = 0
    while k >= s.pools[pool][card]:
        k -= s.pools[pool][card]
        card += 1
    note(trace, -1 - card)
    show_card(b, s, card)


cdef void random_choice(const BoardData* b, State* s, Rng* rng, Trace* trace) noexcept nogil:
    """Choose the card or the half of the turn."""
    cdef uint32_t steps[MAX_CHOICES]
    cdef uint32_t step
    step = steps[random_below(rng, choice_steps(b, s, steps))]
    note(trace, step)
    do_step(b, s, step)


cdef void random_reaction(const BoardData* b, State* s, Rng* rng, Trace* trace) noexcept nogil:
    """React to a tile taken, or not: the odds of a coin."""
    cdef uint64_t hexes[WORDS]
    cdef uint32_t step = pack_step(STEP_PASS, 0, 0)
    if next_random(rng) & 1:
        targets(b, s, b.canoe_slot, NOWHERE, hexes)
        step = pack_step(STEP_BUILD, b.canoe_slot, b.cell_of[pick_any(rng, hexes)])
    note(trace, step)
    do_step(b, s, step)


cdef void random_events(const BoardData* b, State* s, Rng* rng, Trace* trace) noexcept nogil:
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
    """Cards replaced, reactions, a choice of card: seldom there is anything to do."""
    if s.draw or s.n_react:
        random_events(b, s, rng, trace)


cdef void random_build(const BoardData* b, State* s, int slot, Rng* rng,
                       Trace* trace) noexcept nogil:
    """Build with a tile."""
    cdef const Seat* p = <const Seat*>kb_opaque(&s.seats[s.mover])
    cdef uint64_t hexes[WORDS]
    cdef int bit, choices = 0
    if b.tiles[slot].filter > FILTER_SPECIAL_SIDE or s.n_scouts:
        if not targets(b, s, slot, NOWHERE, hexes):
            return
        bit = pick_any(rng, hexes)
    else:
        if slot_mask(b, s, slot) == NO_TERRAIN:
            return
        bit = pick_build(s, p, &b.masks[slot_mask(b, s, slot)], rng, &choices)
    if bit == NOWHERE:
        return
    note(trace, pack_step(STEP_BUILD, slot, b.cell_of[bit]))
    do_build(b, s, slot, bit)
    random_draws(b, s, rng, trace)


cdef void random_step(const BoardData* b, State* s, const uint32_t* steps, int n, Rng* rng,
                      Trace* trace) noexcept nogil:
    cdef uint32_t step = steps[random_below(rng, n)]
    note(trace, step)
    do_step(b, s, step)
    random_draws(b, s, rng, trace)


cdef void random_action(const BoardData* b, State* s, int slot, Rng* rng,
                        Trace* trace) noexcept nogil:
    """An action of several steps, each uniform among the legal ones."""
    cdef uint32_t steps[MAX_STEPS]
    cdef int n
    if not is_open(b, s, slot):
        return
    n = slot_steps(b, s, slot, steps)
    while n:
        random_step(b, s, steps, n, rng, trace)
        n = list_steps(b, s, steps) if s.doing or s.lift_slot or s.repeat else 0


cdef inline bint is_plain(const BoardData* b, const State* s) noexcept nogil:
    """Whether the houses of the mandatory action that are left are built on one terrain and
    nothing but a canoe comes between them, on this board or at least now."""
    return b.plain or not (b.mayors or s.owed or s.n_scouts or s.terrain >= MASK_BUILD
                           or waives_adjacency(b, s, 0))


cdef void random_house(const BoardData* b, State* s, Rng* rng, Trace* trace) noexcept nogil:
    """The next house of a mandatory action that is not plain, or the choice before it."""
    cdef uint64_t hexes[WORDS]
    cdef int bit
    if may_choose(b, s):
        random_choice(b, s, rng, trace)
    elif targets(b, s, 0, NOWHERE, hexes):
        bit = pick_any(rng, hexes)
        note(trace, pack_step(STEP_BUILD, 0, b.cell_of[bit]))
        do_build(b, s, 0, bit)
    random_draws(b, s, rng, trace)


cdef inline void count_house(const BoardData* b, State* s, Seat* p, int bit,
                             Trace* trace) noexcept nogil:
    """A house of a plain mandatory action was placed."""
    if b.red:
        score_build(b, s, s.mover, bit)
        if b.red >> GOLD_FAMILIES & 1:
            score_family(b, s, p, bit)
    note(trace, pack_step(STEP_BUILD, 0, b.cell_of[bit]))


cdef inline bint is_interrupted(const BoardData* b, State* s, bint last) noexcept nogil:
    """Whether somebody may react to a house, for it took the last tile of a space."""
    if last and b.canoe_slot:
        interrupt(s, s.mover)
        return True
    return False


cdef inline void end_houses(const BoardData* b, State* s, int due, bint to_settle, Rng* rng,
                            Trace* trace) noexcept nogil:
    """A plain mandatory action is over or interrupted, or has taken the last hex of its terrain."""
    s.due = due
    if due == 0:
        end_regular(s)
    if to_settle:
        settle(b, s)
        random_draws(b, s, rng, trace)


cdef inline void random_mandatory(const BoardData* b, State* s, Rng* rng,
                                  Trace* trace) noexcept nogil:
    """The mandatory action, or what is left of it, as long as it is plain.

    What do_build would do up to three times, without what that would check anew for every house:
    where there was a second hex to choose, the terrain cannot be exhausted. And a terrain in one
    word, as nearly all are, keeps its mask in a register. Saves a quarter of a playout.
    """
    cdef Seat* p = <Seat*>kb_opaque(&s.seats[s.mover])
    cdef const Mask* m
    cdef int w, bit, choices = 0
    cdef int due = s.due if s.phase == PHASE_BUILD else houses_due(s, p)
    cdef uint64_t land, hexes
    cdef bint last, interrupted = False
    while s.phase < PHASE_POST and is_plain(b, s):
        s.phase = PHASE_BUILD
        m = &b.masks[s.terrain]
        w = m.index[0]
        land = m.w[w] if m.n == 1 and not s.outpost else 0
        while due:
            if land:
                hexes = s.free[w] & land
                if hexes & p.near[w]:
                    hexes &= p.near[w]
                c_assert(hexes != 0)
                choices = kb_count(hexes)
                hexes = kb_select(hexes, random_below(rng, choices))
                bit = w * 64 + kb_lowest(hexes)
                last = place_house(b, s, p, w, hexes, bit)
            else:
                bit = pick_build(s, p, m, rng, &choices)
                c_assert(bit != NOWHERE)
                last = place_house(b, s, p, bit >> 6, <uint64_t>1 << (bit & 63), bit)
                s.outpost = False
                land = m.w[w] if m.n == 1 else 0
            count_house(b, s, p, bit, trace)
            interrupted = is_interrupted(b, s, last)
            due -= 1
            if choices == 1 or interrupted:
                break
        end_houses(b, s, due, choices == 1 or interrupted, rng, trace)
        due = s.due


cdef void random_move(const BoardData* b, State* s, int slot, Rng* rng,
                      Trace* trace) noexcept nogil:
    """A uniform piece among those that can move (by rejection), then a uniform target."""
    cdef uint64_t hexes[WORDS]
    cdef uint64_t room[WORDS]
    cdef const Seat* p = <const Seat*>kb_opaque(&s.seats[s.mover])
    cdef const uint64_t* pieces = pieces_to_move(b, p, slot, room)
    cdef int tries, source, target
    for tries in range(8):
        source = pick_any(rng, pieces)
        if source == NOWHERE:
            return
        if targets(b, s, slot, source, hexes):
            target = pick_any(rng, hexes)
            note(trace, pack_step(STEP_LIFT, slot, b.cell_of[source]))
            note(trace, pack_step(STEP_PUT, 0, b.cell_of[target]))
            do_move(b, s, slot, source, target)
            random_draws(b, s, rng, trace)
            return


cdef void random_tiles(const BoardData* b, State* s, uint64_t plan, Rng* rng,
                       Trace* trace) noexcept nogil:
    """Use the planned tiles, four bits a slot, as far as they are still there and have a target.

    An outpost is declared last, for the mandatory action; after that it would have no use.
    """
    cdef const Seat* p = <const Seat*>kb_opaque(&s.seats[s.mover])
    cdef int slot, outpost = 0
    while plan:
        slot = kb_lowest(plan) // 4 + 1
        plan -= one_tile(slot)
        if b.tiles[slot].action == ACTION_OUTPOST:
            outpost = slot
            continue
        if tile_count(p.ready, slot) == 0:
            continue
        if b.tiles[slot].action == ACTION_MOVE:
            random_move(b, s, slot, rng, trace)
        elif b.tiles[slot].action != ACTION_BUILD:
            random_action(b, s, slot, rng, trace)
        elif p.supply:
            random_build(b, s, slot, rng, trace)
    if outpost and s.phase == PHASE_PRE:
        random_action(b, s, outpost, rng, trace)


cdef inline void plan_tiles(uint64_t tiles, Rng* rng, uint64_t* before,
                            uint64_t* after) noexcept nogil:
    """Each tile with probability 1/2, before or after the mandatory action."""
    cdef uint64_t tile
    cdef uint32_t coins = next_random(rng)
    before[0] = 0
    after[0] = 0
    while tiles:
        tile = <uint64_t>1 << (kb_lowest(tiles) & ~3)
        tiles -= tile
        if coins & 1:
            if coins & 2:
                before[0] += tile
            else:
                after[0] += tile
        coins = coins >> 2 or next_random(rng)


cdef void random_turn(const BoardData* b, State* s, Rng* rng, Trace* trace) noexcept nogil:
    """The rest of a turn."""
    cdef uint64_t tiles, before = 0, after = 0
    if s.draw == DRAW_REVEAL:
        random_card(b, s, rng, trace)
    if s.terrain == NO_TERRAIN:  # more cards, one to replace, a choice
        random_events(b, s, rng, trace)
    tiles = s.seats[s.mover].ready
    if tiles:
        plan_tiles(tiles, rng, &before, &after)
        if s.phase == PHASE_BUILD:  # too late for before
            after += before
        elif before:
            random_tiles(b, s, before, rng, trace)
    random_mandatory(b, s, rng, trace)
    while s.phase < PHASE_POST:
        random_house(b, s, rng, trace)
        random_mandatory(b, s, rng, trace)
    if after:
        random_tiles(b, s, after, rng, trace)
    note(trace, pack_step(STEP_END, 0, 0))
    end_turn(b, s)


cdef void finish_action(const BoardData* b, State* s, Rng* rng, Trace* trace) noexcept nogil:
    """Bring what is under way at the start of a playout to its end."""
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


cdef void random_game(const BoardData* b, State* s, Rng* rng, Trace* trace) noexcept nogil:
    if s.lift_slot or s.doing or s.outpost or s.repeat or s.n_react:
        finish_action(b, s, rng, trace)
    if b.simple and trace == NULL:
        base_game(b, s, rng)
    while s.phase < PHASE_SILO:
        random_turn(b, s, rng, trace)
    while s.phase != PHASE_OVER:
        random_silos(b, s, rng, trace)
