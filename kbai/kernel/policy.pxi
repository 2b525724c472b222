# Where playouts build and move: a uniform legal hex, or one that the preferences of the seat like.
#
# All functions return a bit or NOWHERE, and change nothing but the random numbers.

cdef enum:
    ANY_VALUE = 0  # no hex is worth less


# --- to build: at random ------------------------------------------------------------------------

cdef inline uint64_t hexes_of_word(const State* s, const Seat* p, const Mask* m) noexcept nogil:
    """The legal hexes of a mask with one word, adjacent if possible (R4.2)."""
    cdef int w = m.index[0]
    cdef uint64_t hexes = s.free[w] & m.w[w]
    cdef uint64_t beside = hexes & p.near[w]
    return beside if beside else hexes


cdef inline int random_hex(const State* s, const Seat* p, const Mask* m, Rng* rng,
                           int* choices) noexcept nogil:
    """A uniform legal hex of a mask, adjacent if possible (R4.2), and among how many. Unlike
    mask_targets it looks only at the words of the mask."""
    cdef uint64_t x[WORDS]
    cdef uint64_t hexes
    cdef int i, w, total = 0
    if m.n == 1 and not s.outpost:
        hexes = hexes_of_word(s, p, m)
        choices[0] = kb_count(hexes)
        if hexes == 0:
            return NOWHERE
        return m.index[0] * 64 + kb_lowest(kb_select(hexes, random_below(rng, choices[0])))
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
    choices[0] = total
    return pick_bit(x, m.index, m.n, total, rng) if total else NOWHERE


cdef inline int random_target(const BoardData* b, const State* s, const Seat* p, int slot,
                              Rng* rng) noexcept nogil:
    """A uniform legal hex to build on with a tile."""
    cdef uint64_t hexes[WORDS]
    cdef int mask, choices = 0
    if b.tiles[slot].filter == FILTER_LINE_END and not s.n_scouts:
        if not line_end_targets(b, s, p, hexes):
            return NOWHERE
        return pick_of(hexes, next_random(rng))
    if b.tiles[slot].filter > FILTER_SPECIAL_SIDE or s.n_scouts:
        return pick_any(hexes, rng) if targets(b, s, slot, NOWHERE, hexes) else NOWHERE
    mask = slot_mask(b, s, slot)
    return random_hex(s, p, &b.masks[mask], rng, &choices) if mask != NO_TERRAIN else NOWHERE


# --- to build: by preferences -------------------------------------------------------------------

cdef inline int refuse(Rng* rng) noexcept nogil:
    """No hex is worth it. The number that would have chosen one is drawn all the same."""
    next_random(rng)
    return NOWHERE


cdef inline int preferred_of(const Preferences* prefs, int least, Rng* rng,
                             uint64_t* hexes) noexcept nogil:
    """One of some hexes, at least one; NOWHERE if it is worth less than `least`."""
    cdef uint32_t number = next_random(rng)
    return pick_of(hexes, number) if narrow(prefs, least, hexes) >= 0 else NOWHERE


cdef inline int preferred_in_word(const Preferences* prefs, uint64_t hexes, int w, int least,
                                  Rng* rng) noexcept nogil:
    """The same for the hexes of one word."""
    hexes = narrow_worthy(prefs, hexes, w, least)
    if hexes == 0:
        return refuse(rng)
    return w * 64 + kb_lowest(kb_select(hexes, random_below(rng, kb_count(hexes))))


cdef inline bint open_hexes(const State* s, const Seat* p, const Mask* m,
                            uint64_t* out) noexcept nogil:
    """The legal hexes of a mask, adjacent if possible (R4.2); False if none."""
    cdef uint64_t beside[WORDS]
    if not kb_intersect(out, s.free, m.w):
        return False
    if not s.outpost and kb_intersect(beside, out, p.near):
        kb_copy(out, beside)
    return True


cdef inline int preferred_hex(const State* s, const Seat* p, const Preferences* prefs,
                              const Mask* m, int least, Rng* rng) noexcept nogil:
    """A legal hex of a mask, adjacent if possible (R4.2); NOWHERE if there is none or it is worth
    less than `least`."""
    cdef uint64_t x[WORDS]
    cdef uint64_t hexes
    if m.n == 1 and not s.outpost:
        hexes = hexes_of_word(s, p, m)
        if hexes == 0:
            return NOWHERE
        return preferred_in_word(prefs, hexes, m.index[0], least, rng)
    return preferred_of(prefs, least, rng, x) if open_hexes(s, p, m, x) else NOWHERE


cdef int any_preferred_target(const BoardData* b, const State* s, const Preferences* prefs,
                              int slot, int least, Rng* rng) noexcept nogil:
    """A legal hex to build on with a slot; NOWHERE if there is none or it is worth less."""
    cdef uint64_t hexes[WORDS]
    if not targets(b, s, slot, NOWHERE, hexes):
        return NOWHERE
    return preferred_of(prefs, least, rng, hexes)


cdef inline specialized find_preferred_target(const BoardData* b, const State* s, const Seat* p,
                                              const Preferences* prefs, int slot, int least,
                                              Rng* rng, bint simple, int* out) noexcept nogil:
    """The same for a tile, with a shorter way to what is most often asked for."""
    cdef uint64_t hexes[WORDS]
    cdef int mask
    out[0] = NOWHERE
    if b.tiles[slot].filter == FILTER_LINE_END and (simple or not s.n_scouts):
        if line_end_targets(b, s, p, hexes):
            out[0] = preferred_of(prefs, least, rng, hexes)
    elif b.tiles[slot].filter > FILTER_SPECIAL_SIDE or (not simple and s.n_scouts):
        out[0] = any_preferred_target(b, s, prefs, slot, least, rng)
    else:
        mask = slot_mask(b, s, slot)
        if mask != NO_TERRAIN:
            out[0] = preferred_hex(s, p, prefs, &b.masks[mask], least, rng)


# --- to move: at random -------------------------------------------------------------------------

cdef inline int pack_move(int source, int target) noexcept nogil:
    return source + BITS * target


cdef inline int free_jumps(const BoardData* b, const State* s, int source) noexcept nogil:
    """Which entries of the table of jumps are free, as bits. They ascend as the hexes do."""
    cdef int d, found = 0
    for d in range(6):
        found |= has_bit(s.free, b.jump[source][d]) << d
    return found


cdef inline int random_jump(const BoardData* b, const State* s, const Seat* p,
                            Rng* rng) noexcept nogil:
    """The move that random_move finds with a paddock, by a look at the table."""
    cdef int tries, source, found
    for tries in range(8):
        source = pick_any(p.own, rng)
        if source == NOWHERE:
            return NOWHERE
        found = free_jumps(b, s, source)
        if found:
            found = <int>kb_select(found, random_below(rng, kb_count(found)))
            return pack_move(source, b.jump[source][kb_lowest(found)])
    return NOWHERE


cdef int random_move(const BoardData* b, const State* s, const Seat* p, int slot,
                     Rng* rng) noexcept nogil:
    """A uniform piece among those that can move, by rejection, then a uniform target."""
    cdef uint64_t hexes[WORDS]
    cdef uint64_t room[WORDS]
    cdef const uint64_t* pieces = pieces_to_move(b, p, slot, room)
    cdef int tries, source
    for tries in range(8):
        source = pick_any(pieces, rng)
        if source == NOWHERE:
            return NOWHERE
        if targets(b, s, slot, source, hexes):
            return pack_move(source, pick_any(hexes, rng))
    return NOWHERE


# --- to move: by preferences --------------------------------------------------------------------

cdef inline int loss_of_cell(const BoardData* b, const Seat* p, const Preferences* prefs,
                             uint32_t bit) noexcept nogil:
    """What a piece is worth where it stands, as far as the preferences say."""
    cdef int loss = UNIT * b.cell_gold[bit]
    cdef uint32_t row
    if b.asks & (ASKS_NEW_ROW | ASKS_BEST_ROW):
        row = p.rows[b.row[bit]]
        if row & (row - 1) == 0:
            loss += prefs.value[PREFER_NEW_ROW]
        if kb_count(row) == prefs.best_row:  # which may have no value
            loss += prefs.value[PREFER_BEST_ROW]
    return loss


cdef inline uint64_t spare_pieces(const BoardData* b, const uint64_t* pieces,
                                  uint64_t* out) noexcept nogil:
    """The pieces that are hardly missed: not beside a special space and, if possible, on a hex that
    pays nothing. Return the sums of their words; a seat has less than 128."""
    if not kb_intersect(out, pieces, b.spare):
        kb_intersect(out, pieces, b.remote)
    return kb_sums(kb_counts(out))


cdef struct Shared:  # what the pieces that a tile can move have in common
    bint beside  # their targets are beside own settlements, but not beside the moved one alone
    uint64_t hexes[WORDS]  # their targets
    uint64_t best[WORDS]  # the preferred ones
    int value  # of these
    uint64_t alone[WORDS]  # pieces whose preferred targets may be others


cdef inline void keep_beside_all(const BoardData* b, const uint64_t* best,
                                 uint64_t* pieces) noexcept nogil:
    """Keep the pieces that are beside every preferred target."""
    cdef uint32_t filled = kb_filled_words(best)
    cdef uint64_t hexes
    cdef int w
    while filled:
        w = kb_lowest(filled)
        filled &= filled - 1
        hexes = best[w]
        while hexes:
            if not kb_intersect(pieces, pieces, b.near[w * 64 + kb_lowest(hexes)]):
                return
            hexes &= hexes - 1


cdef inline void find_shared(const BoardData* b, const State* s, const Seat* p,
                             const Preferences* prefs, int slot, const uint64_t* spare,
                             Shared* shared) noexcept nogil:
    """Narrow the targets that the pieces share once instead of once for each piece. That is most of
    what a move with a harbour or a barn costs."""
    cdef const Mask* m
    cdef uint64_t hexes
    cdef int i, w, mask = slot_mask(b, s, slot)
    kb_copy(shared.alone, spare)
    shared.beside = False
    shared.value = 0
    if (s.n_scouts or s.outpost or s.n_react or b.tiles[slot].filter > FILTER_SPECIAL_SIDE
            or mask == NO_TERRAIN):
        return
    m = &b.masks[mask]
    if m.n == 1:
        w = m.index[0]
        hexes = s.free[w] & m.w[w]
        if hexes == 0:
            return
        shared.beside = hexes & p.near[w] != 0
        hexes = kb_narrowed(hexes, p.near[w])
        kb_put(shared.hexes, w, hexes)
        shared.value = value_in_word(prefs, &hexes, w)
        kb_put(shared.best, w, hexes)
    else:
        if not kb_intersect(shared.hexes, s.free, m.w):
            return
        shared.beside = kb_narrow(shared.hexes, p.near)
        kb_copy(shared.best, shared.hexes)
        shared.value = narrow(prefs, ANY_VALUE, shared.best)
    if shared.beside:
        keep_beside_all(b, shared.best, shared.alone)
    elif kb_intersect(shared.alone, shared.alone, m.w):
        kb_intersect(shared.alone, shared.alone, p.near)  # the hex that they leave may count (R4.4)
    if b.figures:
        for i in range(WAGON):
            set_bit(shared.alone, p.figures[i])


cdef inline bint targets_alone(const BoardData* b, const State* s, const Seat* p, int slot,
                               const Shared* shared, uint32_t piece,
                               uint64_t* out) noexcept nogil:
    """The targets of a piece that may have others than the rest; False if none."""
    if shared.beside and not (b.figures and is_warrior(p, piece)):
        kb_copy(out, shared.hexes)
        clear_sides(b, piece, lonely_sides(p.rows, b.row[piece], b.shear[piece]), out)
        if any_bit(out):
            return True
    return targets(b, s, slot, piece, out)


cdef int find_other_move(const BoardData* b, const State* s, const Seat* p,
                         const Preferences* prefs, const Policy* policy, int slot,
                         Rng* rng) noexcept nogil:
    """Try some pieces that are hardly missed, and return the move that gains most, if any gains.

    A target is chosen only for the best piece, with the number that was drawn when it was tried.
    Once no piece can gain more, only the numbers are drawn, which is so in four of ten tries.
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
    cdef uint64_t sums = spare_pieces(b, pieces_to_move(b, p, slot, room), spare)
    cdef int total = sums >> 56
    if total == 0:
        return NOWHERE
    find_shared(b, s, p, prefs, slot, spare, &shared)
    most = MAX_VALUE if kb_intersects(spare, shared.alone) else shared.value
    for tries in range(policy.candidates):
        if best >= most:
            skip_two(&local)
            continue
        source = kb_nth(spare, sums, random_below(&local, total))
        if source == best_source:
            next_random(&local)
            continue
        is_shared = not has_bit(shared.alone, source)
        if not is_shared and not targets_alone(b, s, p, slot, &shared, source, hexes):
            continue
        number = next_random(&local)
        if is_shared and shared.value <= best:
            continue
        least = best + 1 + loss_of_cell(b, p, prefs, source)
        gain = shared.value - least if is_shared else narrow(prefs, least, hexes)
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
        # Without the hexes that only the moved piece is beside.
        if shared.beside and kb_intersects(best_hexes, b.near[best_source]):
            clear_sides(b, best_source,
                        lonely_sides(p.rows, b.row[best_source], b.shear[best_source]), best_hexes)
    return pack_move(best_source, pick_of(best_hexes, best_number))


cdef int find_jump_at_once(const BoardData* b, const State* s, const Seat* p,
                           const Preferences* prefs, const Policy* policy,
                           Rng* rng) noexcept nogil:
    """What find_jump finds with up to four candidates. Their targets are narrowed all at once."""
    cdef const Ranking* ranking = &prefs.ranking
    cdef Rng local = rng[0]  # in a register
    cdef uint64_t spare[WORDS]
    cdef uint64_t lanes[KB_LANES]
    cdef uint32_t pieces[KB_LANES]
    cdef uint32_t numbers[KB_LANES]
    cdef int values[KB_LANES]
    cdef uint64_t sums = spare_pieces(b, p.own, spare)
    cdef int i, n = 0, total = sums >> 56
    cdef int gain, least = <int>(policy.least_move * UNIT), best = least * KB_LANES - 1
    if total == 0:
        return NOWHERE
    for i in range(policy.candidates):
        pieces[n] = kb_nth(spare, sums, random_below(&local, total))
        if kb_intersects(b.jump_cells[pieces[n]], s.free):
            numbers[n] = next_random(&local)
            n += 1
    rng[0] = local
    if n == 0:
        return NOWHERE
    for i in range(n, KB_LANES):
        pieces[i] = pieces[0]
    kb_narrow_jumps(lanes, values, pieces, b.jump_lanes, s.free, &prefs.cells[0][0],
                    &ranking.offsets[N_PREFERENCES], &ranking.values[N_PREFERENCES],
                    ranking.begin, ranking.rest, prefs.untouched)
    for i in range(KB_LANES):  # of equal ones the first
        gain = values[i] - loss_of_cell(b, p, prefs, pieces[i])
        best = max(best, gain * KB_LANES + KB_LANES - 1 - i)
    if best < least * KB_LANES:
        return NOWHERE
    i = KB_LANES - 1 - (best & (KB_LANES - 1))
    lanes[0] = kb_select(lanes[i], <uint64_t>numbers[i] * <uint64_t>kb_count(lanes[i]) >> 32)
    return pack_move(pieces[i], b.jump[pieces[i]][kb_lowest(lanes[0]) >> 3])


cdef int find_jump(const BoardData* b, const State* s, const Seat* p, const Preferences* prefs,
                   const Policy* policy, Rng* rng) noexcept nogil:
    """What find_other_move finds with a paddock, which makes half of all moves: the targets are
    looked up."""
    cdef Rng local = rng[0]  # in a register
    cdef uint64_t spare[WORDS]
    cdef uint64_t hexes[WORDS]
    cdef uint64_t best_hexes[WORDS]
    cdef uint32_t source, number, best_number = 0, best_source = NOWHERE
    cdef int loss, tries, gain
    cdef int best = <int>(policy.least_move * UNIT) - 1
    cdef uint64_t sums = spare_pieces(b, p.own, spare)
    cdef int total = sums >> 56
    if total == 0:
        return NOWHERE
    for tries in range(policy.candidates):
        source = kb_nth(spare, sums, random_below(&local, total))
        if source == best_source:
            next_random(&local)
            continue
        if not kb_intersect(hexes, b.jump_cells[source], s.free):
            continue
        number = next_random(&local)
        loss = loss_of_cell(b, p, prefs, source)
        gain = narrow(prefs, best + 1 + loss, hexes)
        if gain >= 0:
            best += 1 + gain
            best_source = source
            best_number = number
            kb_copy(best_hexes, hexes)
    rng[0] = local
    if best_source == NOWHERE:
        return NOWHERE
    return pack_move(best_source, pick_of(best_hexes, best_number))
