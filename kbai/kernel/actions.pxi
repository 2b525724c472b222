# Legal steps, the hexes they may use, and making them. Families: Action, Filter, Step.


# --- target filters -----------------------------------------------------------------------------

cdef bint beside_targets(const BoardData* b, const State* s, const Seat* p, const Mask* m,
                         int lifted, uint64_t* out) noexcept nogil:
    """Free hexes of a mask beside an own settlement other than the piece in hand.

    ``lifted`` is the bit of the piece in hand, which is still on the board, or NOWHERE.
    """
    cdef int i, w
    cdef uint64_t found = 0
    for w in range(WORDS):
        out[w] = s.free[w] & m.w[w] & p.near[w]
    if lifted != NOWHERE:  # drop the hexes that only the piece in hand is beside
        clear_sides(b, lifted, lonely_sides(p.rows, b.row[lifted], b.shear[lifted]), out)
    for i in range(m.n):
        found |= out[m.index[i]]
    return found != 0


cdef inline bint is_vacated(const BoardData* b, const State* s, const Seat* p, const Mask* m,
                            int lifted) noexcept nogil:
    """Whether the hex of the piece in hand counts as one beside an own settlement (R4.4)."""
    return (b.options & OPTION_VACATED_HEX_COUNTS and has_bit(m.w, lifted)
            and has_bit(p.near, lifted) and not has_bit(s.blocked, lifted))


cdef bint mask_targets(const BoardData* b, const State* s, const Seat* p, const Mask* m,
                       int lifted, bint anywhere, uint64_t* out) noexcept nogil:
    """Free hexes of a mask, adjacent if possible (R4.2, with a piece in hand R4.4); False if none.

    ``anywhere`` waives adjacency (outpost R7.1, temple bonus R6.4.1).
    """
    cdef int i, w
    cdef uint64_t found = beside_targets(b, s, p, m, lifted, out)
    cdef bint vacated = lifted != NOWHERE and is_vacated(b, s, p, m, lifted)
    if (found or vacated) and not anywhere:
        return found != 0
    for i in range(m.n):
        w = m.index[i]
        out[w] = s.free[w] & m.w[w]
        found |= out[w]
    return found != 0


cdef inline bint collect_free(const BoardData* b, const State* s, const uint32_t* rows,
                              uint64_t* out) noexcept nogil:
    """Set the bits of the free hexes among all ROWS; False if none."""
    cdef Walk walk = begin_walk(rows)
    cdef int r, bit
    cdef bint found = False
    while walk.rest:
        r = walk.row
        bit = b.at[r][kb_lowest(next_cell(&walk))]
        if has_bit(s.free, bit):
            set_bit(out, bit)
            found = True
    return found


cdef inline void find_land(const BoardData* b, const State* s, uint32_t* land) noexcept nogil:
    """The buildable hexes without a piece, as ROWS."""
    cdef int r, i
    memcpy(land, b.build_rows, ROWS * sizeof(uint32_t))
    for i in range(s.n_seats):
        for r in range(ROWS):
            land[r] &= ~s.seats[i].rows[r]


cdef inline bint find_line_ends(const BoardData* b, const State* s, const uint32_t* x, int last,
                                uint32_t* ends) noexcept nogil:
    """The land at the ends of three in a line; False if there is no such line."""
    # Plain loops over 24 or 28 rows become vector instructions, at a third of the cost.
    cdef uint32_t flat[ROWS]  # lowest cell of three in the row
    cdef uint32_t steep[ROWS + 4]  # uppermost cell of three from NW to SE, row r at r + 3
    cdef uint32_t slant[ROWS + 4]  # ... from NE to SW
    cdef uint32_t land[ROWS]
    cdef uint32_t lines = 0
    cdef int r
    for r in range(1, last):
        flat[r] = x[r] & x[r] >> 1 & x[r] >> 2
        steep[r + 3] = x[r] & x[r + 1] & x[r + 2]
        slant[r + 3] = x[r] & x[r + 1] << 1 & x[r + 2] << 2
        lines |= flat[r] | steep[r + 3] | slant[r + 3]
    if lines == 0:
        return False
    find_land(b, s, land)
    memset(ends, 0, ROWS * sizeof(uint32_t))
    memset(steep, 0, 16)
    memset(slant, 0, 16)
    memset(steep + last + 3, 0, 16)
    memset(slant + last + 3, 0, 16)
    for r in range(1, last):
        ends[r] = land[r] & (
            flat[r] >> 1 | flat[r] << 3
            | steep[r + 4] | slant[r + 4] << 1  # a line that begins one row below
            | steep[r] | slant[r] >> 3)  # a line that ended one row above
    return True


cdef bint line_end_targets(const BoardData* b, const State* s, const Seat* p,
                           uint64_t* out) noexcept nogil:
    """Buildable hexes that continue a straight line of three own settlements (R6.1, Tavern)."""
    cdef uint32_t ends[ROWS]
    cdef bint found
    memset(out, 0, WORDS * sizeof(uint64_t))
    if b.n_rows < ISLAND_ROW + 4:
        found = find_line_ends(b, s, p.rows, ISLAND_ROW + 1, ends)
    else:
        found = find_line_ends(b, s, p.rows, ISLAND_ROW + 5, ends)
    return found and collect_free(b, s, ends, out)


cdef bint jump_targets(const BoardData* b, const State* s, int lifted,
                       uint64_t* out) noexcept nogil:
    """Buildable hexes exactly two away in a straight line (R6.1, Paddock)."""
    return kb_intersect(out, b.jump_cells[lifted], s.free)


cdef inline int actor(const State* s) noexcept nogil:
    """The seat that decides now: one that may react to a tile taken, or else the mover."""
    return s.react_next[s.n_react - 1] if s.n_react else s.mover


cdef inline bint waives_adjacency(const BoardData* b, const State* s, int slot) noexcept nogil:
    if slot == 0 and s.phase == PHASE_PRE and b.temple_bonus_slot and tile_count(
            s.seats[s.mover].ready, b.temple_bonus_slot):
        return True
    return s.outpost


cdef inline int slot_mask(const BoardData* b, const State* s, int slot) noexcept nogil:
    """The mask on which a slot builds, for filters that have one."""
    if b.tiles[slot].filter == FILTER_CARD or b.tiles[slot].filter == FILTER_CARD_BESIDE:
        return s.terrain
    return b.tiles[slot].mask


cdef bint plain_targets(const BoardData* b, const State* s, int slot, int lifted,
                        uint64_t* out) noexcept nogil:
    """The targets of a slot, with the pieces as they stand."""
    cdef const Seat* p = &s.seats[actor(s)]
    cdef int filter = b.tiles[slot].filter
    cdef int action = b.tiles[slot].action
    cdef int mask
    if filter <= FILTER_SPECIAL_SIDE and action <= ACTION_MOVE:  # asked for most often
        mask = slot_mask(b, s, slot)
        if mask == NO_TERRAIN:
            memset(out, 0, WORDS * sizeof(uint64_t))
            return False
        return mask_targets(b, s, p, &b.masks[mask], lifted, waives_adjacency(b, s, slot), out)
    if filter == FILTER_LINE_END:
        return line_end_targets(b, s, p, out)
    if filter == FILTER_JUMP:
        return jump_targets(b, s, lifted, out)
    if filter == FILTER_CROWD:
        return crowd_targets(b, s, p, out)
    if filter == FILTER_SLIDE:
        return slide_targets(b, s, lifted, out)
    if filter == FILTER_STEP:
        return step_targets(b, s, lifted, &b.masks[MASK_BUILD], out)
    if filter == FILTER_WATCH:
        return watch_targets(b, s, p, waives_adjacency(b, s, slot), out)
    if filter == FILTER_SHORE:
        return half_targets(b, s, p, MARSH, WATER, waives_adjacency(b, s, slot), out)
    if filter == FILTER_LONELY:
        return lonely_targets(b, s, p, out)
    if filter == FILTER_NEAREST:
        return nearest_targets(b, s, lifted, out)
    if filter == FILTER_AREA:
        return area_targets(b, s, p, lifted, out)
    if filter == FILTER_CAVE:
        return cave_targets(b, s, lifted, out)
    if action == ACTION_HALL:
        return hall_targets(b, s, p, out)
    if action == ACTION_SILO:
        return beside_targets(b, s, p, &b.masks[MASK_BUILD], lifted, out)
    if action == ACTION_FORT:
        return fort_targets(b, s, p, out)
    if action == ACTION_SCOUT:
        return scout_targets(s, p, out)
    mask = slot_mask(b, s, slot)
    if mask == NO_TERRAIN:
        memset(out, 0, WORDS * sizeof(uint64_t))
        return False
    if lifted != NOWHERE and (action == ACTION_WAGON or action == ACTION_SHIP):
        return step_targets(b, s, lifted, &b.masks[mask], out)
    if filter == FILTER_CARD_BESIDE or filter == FILTER_BESIDE:
        return beside_targets(b, s, p, &b.masks[mask], NOWHERE, out)
    return mask_targets(b, s, p, &b.masks[mask], lifted, waives_adjacency(b, s, slot), out)


cdef bint targets(const BoardData* b, const State* s, int slot, int lifted,
                  uint64_t* out) noexcept nogil:
    """All hexes where the actor may build with a slot or put the piece in hand; False if none."""
    if s.n_scouts or (b.figures and lifted != NOWHERE and is_warrior(&s.seats[s.mover], lifted)):
        return targets_in_view(b, s, slot, lifted, out)
    return plain_targets(b, s, slot, lifted, out)


cdef bint has_room(const BoardData* b, const State* s, int slot) noexcept nogil:
    """Whether a slot has more than six open hexes beside own settlements. No piece can be the only
    neighbour of all of them, so every piece can move and need not be asked."""
    cdef uint64_t hexes[WORDS]
    cdef int w, mask, n = 0
    if s.n_scouts:
        return False
    if b.tiles[slot].action == ACTION_SILO:
        mask = MASK_BUILD
    elif b.tiles[slot].action == ACTION_MOVE and b.tiles[slot].filter <= FILTER_SPECIAL_SIDE:
        mask = slot_mask(b, s, slot)
    else:
        return False
    if mask == NO_TERRAIN:
        return False
    beside_targets(b, s, &s.seats[s.mover], &b.masks[mask], NOWHERE, hexes)
    for w in range(WORDS):
        n += kb_count(hexes[w])
    return n > 6


cdef bint movable(const BoardData* b, const State* s, int slot, uint64_t* out) noexcept nogil:
    """The mover's pieces that a slot can move somewhere; False if none."""
    cdef uint64_t hexes[WORDS]
    cdef uint64_t candidates[WORDS]
    cdef uint64_t pieces
    cdef int w, bit
    cdef bint found = False
    list_pieces(b, &s.seats[s.mover], slot, candidates)
    if has_room(b, s, slot):
        memcpy(out, candidates, WORDS * sizeof(uint64_t))
        return any_bit(out)
    memset(out, 0, WORDS * sizeof(uint64_t))
    for w in range(WORDS):
        pieces = candidates[w]
        while pieces:
            bit = w * 64 + kb_lowest(pieces)
            pieces &= pieces - 1
            if targets(b, s, slot, bit, hexes):
                set_bit(out, bit)
                found = True
    return found


# --- legal steps --------------------------------------------------------------------------------

# The kinds of step of each action, as bits; 0 for a tile that is never used by itself.
cdef uint32_t[N_ACTIONS] STEP_KINDS = [
    1 << STEP_BUILD,  # BUILD
    1 << STEP_LIFT,  # MOVE
    1 << STEP_WALL,  # WALL
    1 << STEP_DECLARE | 1 << STEP_BUILD,  # FORT
    1 << STEP_BUILD | 1 << STEP_BACK,  # WARRIOR
    1 << STEP_BUILD | 1 << STEP_LIFT | 1 << STEP_BACK,  # WAGON
    1 << STEP_BUILD | 1 << STEP_LIFT | 1 << STEP_BACK,  # SHIP
    1 << STEP_BUILD,  # HALL
    0,  # CROSSROADS
    1 << STEP_REMOVE,  # TEMPLE
    1 << STEP_BUILD,  # CANOE
    0,  # TEMPLE_BONUS
    0,  # FOUNTAIN_BONUS
    1 << STEP_REPEAT,  # BAZAAR
    1 << STEP_SCOUT,  # SCOUT
    1 << STEP_BUILD | 1 << STEP_TAKE,  # CATHEDRAL
    1 << STEP_BUILD | 1 << STEP_LIFT,  # SILO
    1 << STEP_BUILD,  # DONATION
    1 << STEP_LIFT,  # RESETTLEMENT
    1 << STEP_DECLARE,  # OUTPOST
    1 << STEP_REMOVE,  # SWORD
    0,  # TREASURE
]


cdef bint is_open(const BoardData* b, const State* s, int slot) noexcept nogil:
    """Whether order and tiles allow a slot to be used now (R3.1, R3.3)."""
    cdef int action = b.tiles[slot].action
    cdef bint outpost
    if s.draw or s.lift_slot or s.phase == PHASE_OVER:
        return False
    if s.n_react or action == ACTION_CANOE:
        return s.n_react > 0 and action == ACTION_CANOE
    if s.phase == PHASE_SILO or action == ACTION_SILO:
        return s.phase == PHASE_SILO and action == ACTION_SILO and (s.doing or s.silos)
    if s.outpost and not under_adjacency_rule(b, s, slot):
        return False
    outpost = (action == ACTION_OUTPOST and tile_count(s.seats[s.mover].ready, slot) > 0)
    if s.repeat:
        return slot == s.repeat or (outpost and under_adjacency_rule(b, s, s.repeat))
    if s.doing:
        return slot == s.doing or (outpost and under_adjacency_rule(b, s, s.doing))
    if slot == 0:
        return s.phase < PHASE_POST
    return tile_count(s.seats[s.mover].ready, slot) > 0 and (s.phase != PHASE_BUILD or outpost)


cdef inline bint has_house(const State* s, int slot) noexcept nogil:
    """Whether there is a house to build with a slot: in the supply or, if owed, on a temple."""
    if slot == 0 and s.owed:
        return True
    return s.seats[actor(s)].supply > 0


cdef bint find_builds(const BoardData* b, const State* s, int slot, uint64_t* out) noexcept nogil:
    """Where a slot can build or place its figure."""
    cdef const Seat* p = &s.seats[s.mover]
    cdef int action = b.tiles[slot].action
    if action == ACTION_WARRIOR:
        return p.figures[1] == NOWHERE and targets(b, s, slot, NOWHERE, out)
    if action == ACTION_WAGON or action == ACTION_SHIP:
        return (not s.doing and p.figures[figure_of(action)] == NOWHERE
                and targets(b, s, slot, NOWHERE, out))
    if action == ACTION_HALL:
        return p.hall == NOWHERE and targets(b, s, slot, NOWHERE, out)
    if action == ACTION_FORT and s.doing != slot:
        return False
    if action == ACTION_CATHEDRAL and p.tokens == 0:
        return False
    if action == ACTION_SILO and s.doing_left >= MOVING:
        return False
    return has_house(s, slot) and targets(b, s, slot, NOWHERE, out)


cdef inline bint may_move(const BoardData* b, const State* s, int action) noexcept nogil:
    """Whether a silo that is under way moves pieces; all other actions that can do."""
    return not (action == ACTION_SILO and s.doing and s.doing_left < MOVING)


cdef bint may_lift(const BoardData* b, const State* s, int slot, int bit) noexcept nogil:
    """Whether an open slot can move the piece on a bit, without a look at the other pieces."""
    cdef uint64_t hexes[WORDS]
    if s.outpost or not may_move(b, s, b.tiles[slot].action):
        return False
    list_pieces(b, &s.seats[s.mover], slot, hexes)
    return has_bit(hexes, bit) and targets(b, s, slot, bit, hexes)


cdef bint find_choices(const BoardData* b, const State* s, int slot, int kind,
                       uint64_t* out) noexcept nogil:
    """The hexes for one kind of step of an open slot: to build on, to lift a piece from, ...

    False if the step is impossible. A step without a hex leaves ``out`` empty.
    """
    cdef int action = b.tiles[slot].action
    memset(out, 0, WORDS * sizeof(uint64_t))
    if kind == STEP_BUILD:
        return find_builds(b, s, slot, out)
    if s.outpost:  # a placement is to come
        return False
    if kind == STEP_LIFT:
        return may_move(b, s, action) and movable(b, s, slot, out)
    if kind == STEP_WALL:
        return may_lay(b, s) and targets(b, s, slot, NOWHERE, out)
    if kind == STEP_REMOVE:
        if action == ACTION_TEMPLE:
            return list_houses(b, &s.seats[s.mover], out)
        return removable(b, s, out)
    if kind == STEP_BACK:
        return not s.doing and list_figures(&s.seats[s.mover], action, out)
    if kind == STEP_SCOUT:
        return find_scouts(b, s, slot, out)
    if kind == STEP_TAKE:  # a repetition brings no token (R6.5.2)
        return not s.doing and not s.repeat and tokens_left(s)
    if kind == STEP_REPEAT:
        return False  # names no hex; slot_steps lists it
    if action == ACTION_FORT:
        return not s.doing and has_house(s, slot) and has_cards(s)
    return may_declare(b, s)


cdef inline bint may_end(const State* s) noexcept nogil:
    return ((s.phase == PHASE_POST or s.phase == PHASE_SILO) and not s.draw and not s.lift_slot
            and not s.doing and not s.outpost and not s.repeat and not s.n_react)


cdef inline bint may_stop(const BoardData* b, const State* s) noexcept nogil:
    """Whether the action under way may go on but need not (R6.2, R6.3, R6.5, R7.1, R9.2)."""
    cdef int action = b.tiles[s.doing].action
    return (s.doing > 0 and not s.draw and not s.lift_slot and not s.outpost and not s.n_react
            and action != ACTION_DONATION and action != ACTION_SWORD and action != ACTION_FORT)


cdef inline uint32_t pack_step(int kind, int slot, int cell) noexcept nogil:
    return <uint32_t>kind << 24 | <uint32_t>slot << 16 | <uint32_t>cell


cdef int pack_steps(const BoardData* b, int kind, int slot, const uint64_t* hexes,
                    uint32_t* out) noexcept nogil:
    cdef uint64_t x
    cdef int w, n = 0
    for w in range(WORDS):
        x = hexes[w]
        while x:
            out[n] = pack_step(kind, slot, b.cell_of[w * 64 + kb_lowest(x)])
            x &= x - 1
            n += 1
    return n


cdef int slot_steps(const BoardData* b, const State* s, int slot, uint32_t* out) noexcept nogil:
    """List the steps with which an open slot begins or goes on; return their number."""
    cdef uint64_t hexes[WORDS]
    cdef uint32_t kinds = STEP_KINDS[b.tiles[slot].action]
    cdef int kind, other, n = 0
    if kinds == 1 << STEP_REPEAT:
        for other in range(1, b.n_slots):
            if may_repeat(b, s, other):
                out[n] = pack_step(STEP_REPEAT, slot, other)
                n += 1
        return n
    while kinds:
        kind = kb_lowest(kinds)
        kinds &= kinds - 1
        if not find_choices(b, s, slot, kind, hexes):
            continue
        if kind == STEP_DECLARE or kind == STEP_TAKE:
            out[n] = pack_step(kind, slot, 0)
            n += 1
        else:
            n += pack_steps(b, kind, slot, hexes, out + n)
    return n


cdef int list_steps(const BoardData* b, const State* s, uint32_t* out) noexcept nogil:
    """List the legal steps, at most MAX_STEPS; return their number."""
    cdef uint64_t hexes[WORDS]
    cdef int slot, n = 0
    if s.lift_slot:
        targets(b, s, s.lift_slot, s.lift, hexes)
        return pack_steps(b, STEP_PUT, 0, hexes, out)
    for slot in range(b.n_slots):
        if is_open(b, s, slot):
            n += slot_steps(b, s, slot, out + n)
    if may_choose(b, s):
        n += choice_steps(b, s, out + n)
    if s.n_react:
        out[n] = pack_step(STEP_PASS, 0, 0)
        n += 1
    if may_stop(b, s):
        out[n] = pack_step(STEP_STOP, 0, 0)
        n += 1
    if may_end(s):
        out[n] = pack_step(STEP_END, 0, 0)
        n += 1
    return n


cdef bint is_legal_without_hex(const BoardData* b, const State* s, uint32_t step) noexcept nogil:
    """Whether a step that names neither a hex nor a tile is legal."""
    cdef uint32_t steps[MAX_CHOICES]
    cdef int kind = step >> 24
    cdef int i
    if kind == STEP_CHOOSE:
        if may_choose(b, s):
            for i in range(choice_steps(b, s, steps)):
                if steps[i] == step:
                    return True
        return False
    if step != pack_step(kind, 0, 0):
        return False
    if kind == STEP_END:
        return may_end(s)
    if kind == STEP_STOP:
        return may_stop(b, s)
    return s.n_react > 0


cdef bint is_legal_step(const BoardData* b, const State* s, uint32_t step) noexcept nogil:
    cdef int kind = step >> 24
    cdef int slot = step >> 16 & 255
    cdef int cell = step & 65535
    cdef int bit
    cdef uint64_t hexes[WORDS]
    if kind == STEP_END or kind == STEP_STOP or kind == STEP_CHOOSE or kind == STEP_PASS:
        return is_legal_without_hex(b, s, step)
    if cell >= BITS or slot >= b.n_slots or kind >= N_STEPS:
        return False
    bit = b.bit_of[cell]
    if kind == STEP_PUT:
        return (slot == 0 and bit != NOWHERE and s.lift_slot
                and targets(b, s, s.lift_slot, s.lift, hexes) and has_bit(hexes, bit))
    if not STEP_KINDS[b.tiles[slot].action] >> kind & 1 or not is_open(b, s, slot):
        return False
    if kind == STEP_REPEAT:
        return 0 < cell < b.n_slots and may_repeat(b, s, cell)
    if kind == STEP_LIFT:
        return bit != NOWHERE and may_lift(b, s, slot, bit)
    if not find_choices(b, s, slot, kind, hexes):
        return False
    if kind == STEP_DECLARE or kind == STEP_TAKE:
        return cell == 0
    return bit != NOWHERE and has_bit(hexes, bit)


# --- doing it -----------------------------------------------------------------------------------

cdef inline void check_last_house(const BoardData* b, State* s, const Seat* p) noexcept nogil:
    """Fix the last round if no house is left in the supply or on a temple tile (R9.1)."""
    if p.supply == 0 and p.temple == 0 and not b.options & OPTION_SWORD_CANCELS_END:
        s.final = True


cdef inline bint place_house(const BoardData* b, State* s, Seat* p, int word, uint64_t one,
                             int bit) noexcept nogil:
    """Place a house from the supply, with what follows up to the tiles in the order of R3.8.

    Return whether it took the last tile of a space.
    """
    set_piece_in(b, s, p, word, one, bit)
    p.supply -= 1
    check_last_house(b, s, p)
    return gain_tiles(b, s, p, bit)


cdef inline int houses_due(const State* s, const Seat* p) noexcept nogil:
    """The regular houses of a mandatory action that begins now (R3.2)."""
    cdef int n = 2 if s.terrain == MARSH else 3
    return n if p.supply > n else p.supply


cdef inline void begin_build(const BoardData* b, State* s, Seat* p, int slot) noexcept nogil:
    """Use the tile, or count what is under way."""
    cdef int action = b.tiles[slot].action
    if action == ACTION_DONATION:
        begin_or_count(b, s, slot, 3 if p.supply > 3 else p.supply)
    elif action == ACTION_SILO:
        begin_silo(s, slot, 0)
    elif action == ACTION_CATHEDRAL:
        begin_or_count(b, s, slot, p.tokens)
        p.tokens -= 1
    elif action == ACTION_FORT:
        end_action(b, s)
    else:
        use_tile(b, s, p, slot)


cdef void do_build(const BoardData* b, State* s, int slot, int bit) noexcept nogil:
    cdef int seat = actor(s)
    cdef Seat* p = <Seat*>kb_opaque(&s.seats[seat])
    cdef bint last, regular = True
    if slot == 0:
        if s.phase == PHASE_PRE:
            s.phase = PHASE_BUILD
            s.due = houses_due(s, p)
        regular = s.due > 0
    else:
        begin_build(b, s, p, slot)
    s.outpost = False
    if not regular:  # a house from a temple, built as if from the supply
        s.owed -= 1
        p.temple -= 1
        p.supply += 1
    if s.phase == PHASE_SILO:
        set_piece(b, s, p, bit)
        p.supply -= 1
        last = False
    else:
        last = place_house(b, s, p, bit >> 6, <uint64_t>1 << (bit & 63), bit)
    if b.red and pays_at_once(b, s, seat):
        score_build(b, s, seat, bit)
        if slot == 0 and regular and b.red >> GOLD_FAMILIES & 1:
            score_family(b, s, p, bit)
    if b.mayors:
        mark_row(b, s, p, b.row[bit])
    if slot == 0:
        s.due -= regular
        if s.due == 0:
            end_regular(s)
    if s.doing and b.tiles[s.doing].action == ACTION_CATHEDRAL and p.tokens == 0:
        end_action(b, s)  # unless the house itself has gained a token
    if last and b.canoe_slot:
        interrupt(s, seat)
    settle(b, s)


cdef void do_move(const BoardData* b, State* s, int slot, int source,
                  int target) noexcept nogil:
    """Move a piece. The tile used may be lost by the move itself (R5.3)."""
    cdef Seat* p = <Seat*>kb_opaque(&s.seats[s.mover])
    cdef int action = b.tiles[slot].action
    cdef bint last
    if action == ACTION_MOVE:
        use_tile(b, s, p, slot)
    elif action == ACTION_SILO:
        begin_silo(s, slot, MOVING)
    else:
        begin_or_count(b, s, slot, 4 if action == ACTION_RESETTLEMENT else 3)
    if b.figures:
        relocate(b, s, p, source, target)
    else:
        take_piece(b, s, p, source)
        set_piece(b, s, p, target)
    if b.mayors:
        mark_row(b, s, p, b.row[target])
    if waits_for_end(b, slot):
        note_move(b, s, slot, source, target)
    elif s.phase != PHASE_SILO:
        lose_tiles(b, s, p, source)
        last = gain_tiles(b, s, p, target)
        if last and b.canoe_slot:
            interrupt(s, s.mover)
    settle(b, s)


cdef inline bint waits_for_end(const BoardData* b, int slot) noexcept nogil:
    """Whether a move of several steps wins and loses tiles only where it ends (R5.1)."""
    cdef int action = b.tiles[slot].action
    return b.options & OPTION_TILES_AT_END and (
        action == ACTION_RESETTLEMENT or action == ACTION_WAGON or action == ACTION_SHIP)


cdef void note_move(const BoardData* b, State* s, int slot, int source, int target) noexcept nogil:
    """Remember the piece that such a move has moved, and end the move if it cannot go on."""
    cdef int i = 0
    if b.tiles[slot].action == ACTION_RESETTLEMENT:
        while i < s.n_moved and s.moved[i] != source:
            i += 1
        if i == s.n_moved:
            c_assert(i < MAX_MOVED)
            s.n_moved += 1
        # By cell, so that equal positions are equal however they came about.
        while i and b.cell_of[s.moved[i - 1]] > b.cell_of[target]:
            s.moved[i] = s.moved[i - 1]
            i -= 1
        while i + 1 < s.n_moved and b.cell_of[s.moved[i + 1]] < b.cell_of[target]:
            s.moved[i] = s.moved[i + 1]
            i += 1
        s.moved[i] = target
    if s.doing == 0 or not may_go_on(b, s):
        end_move(b, s, slot)


cdef void end_move(const BoardData* b, State* s, int slot) noexcept nogil:
    """Lose and gain the tiles of such a move, now that it is over."""
    cdef Seat* p = &s.seats[s.mover]
    cdef uint64_t spaces = 0
    cdef int i
    if b.tiles[slot].action == ACTION_RESETTLEMENT:
        for i in range(s.n_moved):
            spaces |= b.touch[s.moved[i]]
            s.moved[i] = 0
        s.n_moved = 0
    else:
        spaces = b.touch[p.figures[figure_of(b.tiles[slot].action)]]
    s.doing = 0
    s.doing_left = 0
    lose_tiles_of(b, s, p, p.held)
    if take_tiles(b, s, p, spaces & s.left_one & ~p.taken) and b.canoe_slot:
        interrupt(s, s.mover)


cdef inline void end_action(const BoardData* b, State* s) noexcept nogil:
    """End the action under way and discard the card of a fort (R3.7)."""
    if b.tiles[s.doing].action == ACTION_FORT:
        s.discard[s.doing_left] += 1
    elif waits_for_end(b, s.doing):
        end_move(b, s, s.doing)
    s.doing = 0
    s.doing_left = 0


cdef void do_declare(const BoardData* b, State* s, int slot) noexcept nogil:
    """Declare an outpost for the next placement, or a fort, which draws a card next."""
    cdef bint outpost = b.tiles[slot].action == ACTION_OUTPOST
    cdef int repeat = s.repeat
    use_tile(b, s, &s.seats[s.mover], slot)
    if outpost:
        s.outpost = True
        s.repeat = repeat  # the placement to come may be that of a bazaar
        return
    fill_pile(s)
    s.doing = slot
    s.doing_left = TO_DRAW
    s.draw = DRAW_FORT


cdef void do_step(const BoardData* b, State* s, uint32_t step) noexcept nogil:
    """Make a legal step."""
    cdef int kind = step >> 24
    cdef int slot = step >> 16 & 255
    cdef int bit = b.bit_of[step & 65535]
    cdef int action = b.tiles[slot].action
    if kind == STEP_BUILD:
        if ACTION_WARRIOR <= action <= ACTION_SHIP:
            do_place(b, s, slot, bit)
        elif action == ACTION_HALL:
            do_hall(b, s, slot, bit)
        else:
            do_build(b, s, slot, bit)
    elif kind == STEP_LIFT:
        s.lift_slot = slot
        s.lift = bit
    elif kind == STEP_PUT:
        slot = s.lift_slot
        s.lift_slot = 0
        do_move(b, s, slot, s.lift, bit)
        s.lift = 0
    elif kind == STEP_WALL:
        do_wall(b, s, slot, bit)
    elif kind == STEP_REMOVE:
        if action == ACTION_TEMPLE:
            do_temple(b, s, slot, bit)
        else:
            do_remove(b, s, slot, bit)
    elif kind == STEP_DECLARE:
        do_declare(b, s, slot)
    elif kind == STEP_STOP:
        end_action(b, s)
        if s.n_react:
            settle_all(b, s)
    elif kind == STEP_CHOOSE:
        do_choose(b, s, step >> 4 & 15, step & 15)
    elif kind == STEP_BACK:
        do_back(b, s, slot, bit)
    elif kind == STEP_TAKE:
        use_tile(b, s, &s.seats[s.mover], slot)
        s.seats[s.mover].tokens += 1
    elif kind == STEP_REPEAT:
        do_repeat(b, s, slot, step & 65535)
    elif kind == STEP_SCOUT:
        do_scout(b, s, slot, bit)
    elif kind == STEP_PASS:
        do_pass(b, s)
    else:
        finish_turn(b, s)


cdef void finish_turn(const BoardData* b, State* s) noexcept nogil:
    """End a turn, or a seat's silo actions."""
    if s.phase == PHASE_SILO:
        next_silo_seat(b, s)
    else:
        end_turn(b, s, False)


cdef uint64_t count_sequences(const BoardData* b, const State* s, int depth) noexcept nogil:
    """Perft: count the sequences of ``depth`` steps and draws."""
    cdef uint32_t steps[MAX_STEPS]
    cdef State child
    cdef uint64_t total = 0
    cdef int i, n
    if depth == 0:
        return 1
    memset(&child, 0, sizeof(State))
    if s.draw:
        for i in range(CARD_KINDS):
            if s.pools[draw_pool(s)][i]:
                copy_state(&child, s)
                show_card(b, &child, i)
                total += count_sequences(b, &child, depth - 1)
        return total
    n = list_steps(b, s, steps)
    if depth == 1:
        return n
    for i in range(n):
        copy_state(&child, s)
        do_step(b, &child, steps[i])
        total += count_sequences(b, &child, depth - 1)
    return total
