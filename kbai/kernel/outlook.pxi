# What a seat will have at the end: a guess from what is on the board, by learned weights.
#
# A feature is a number that a seat has in a position, between turns. Its weight depends on how far
# the game is: a constant, something for each house that is left, and for its square. Their sum,
# and what hidden units make of the same features, is the gold that the seat will have.

cdef enum:
    N_POWERS = 3  # of the houses left

cdef enum:
    V_ALWAYS = 0
    V_SEATS = V_ALWAYS + 1  # three, four, five of them
    V_SUPPLY = V_SEATS + 3  # houses left
    V_BEHIND = V_SUPPLY + 1  # ... more than the seat with the fewest
    V_MOVED = V_BEHIND + 1  # has had its turn in this round
    V_CASTLES = V_MOVED + 1  # gold
    V_ROOM = V_CASTLES + 1  # n / (n + 3) for n free hexes of a terrain beside settlements, summed
    V_UNTOUCHED = V_ROOM + 1
    V_TILE_AHEAD = V_UNTOUCHED + 1  # spaces that one, two, three more houses reach
    V_CASTLE_AHEAD = V_TILE_AHEAD + 3
    V_WANTED = V_CASTLE_AHEAD + 3  # tiles that can still be gained
    V_TILES = V_WANTED + 1  # held, by class
    V_OTHER_GOLD = V_TILES + N_TILE_CLASSES  # treasure, palaces, capitols
    V_CARD = V_OTHER_GOLD + 3  # in play
    V_GOLD = V_CARD + N_SCORES  # by card
    V_CHANCES = V_GOLD + N_SCORES  # by card that pays for a hex: such free hexes beside settlements
    V_NEW_ROWS = V_CHANCES + N_SCORES  # Discoverers: rows that can be reached
    V_ROW_ROOM = V_NEW_ROWS + 1  # Knights: free hexes in the longest rows
    V_SPACES = V_ROW_ROOM + 1  # Merchants: touched, not connected; one, two, three houses ahead
    V_QUADRANTS = V_SPACES + 4  # Farmers: what the next two have more; the fewest is in reach
    V_LORDS = V_QUADRANTS + 3  # by difference from -3 to 3
    N_VALUES = V_LORDS + 7
    N_HIDDEN = 32
    MAX_TRAITS = 64 + 6 * MAX_CARDS
    N_GUESS_WEIGHTS = N_POWERS * N_VALUES + (N_VALUES + 4) * N_HIDDEN


cdef struct Traits:  # the features of a seat that are not 0
    int n
    uint16_t index[MAX_TRAITS]
    float value[MAX_TRAITS]


cdef struct Reach:  # how far special spaces are
    uint64_t touched  # spaces beside own settlements, as bits of their index ...
    uint64_t ahead[3]  # ... those that one, two, three more houses reach


cdef inline void put(Traits* x, int feature, float value) noexcept nogil:
    x.index[x.n] = feature
    x.value[x.n] = value
    x.n += 1


cdef inline void grow_rows(const uint32_t* x, uint32_t* out) noexcept nogil:
    """The neighbours of some cells, in rows."""
    cdef int r
    out[0] = 0
    out[ROWS - 1] = 0
    for r in range(1, ROWS - 1):
        out[r] = x[r] << 1 | x[r] >> 1 | x[r - 1] | x[r - 1] >> 1 | x[r + 1] | x[r + 1] << 1


cdef void find_reach(const BoardData* b, const State* s, const Seat* p,
                     Reach* reach) noexcept nogil:
    """Follow free hexes from the own settlements, one house after another."""
    cdef uint32_t free[ROWS]
    cdef uint32_t layer[ROWS]
    cdef uint32_t next[ROWS]
    cdef uint64_t left = 0
    cdef uint64_t rest
    cdef int r, i, k
    for r in range(ROWS):
        free[r] = b.build_rows[r]
    for i in range(s.n_seats):
        for r in range(ROWS):
            free[r] &= ~s.seats[i].rows[r]
    reach.touched = 0
    for i in range(b.n_spaces):
        if has_bit(p.near, b.space_bit[i]):
            reach.touched |= <uint64_t>1 << i
        else:
            left |= <uint64_t>1 << i
    memcpy(layer, p.rows, sizeof(layer))
    grow_rows(layer, next)
    for k in range(3):
        for r in range(ROWS):
            layer[r] = next[r] & free[r]
        grow_rows(layer, next)
        reach.ahead[k] = 0
        rest = left
        while rest:
            i = kb_lowest(rest)
            rest &= rest - 1
            if next[b.row[b.space_bit[i]]] & b.shear_bit[b.space_bit[i]]:
                reach.ahead[k] |= <uint64_t>1 << i
        left &= ~reach.ahead[k]


cdef void farmer_traits(const BoardData* b, const Seat* p, const uint64_t* room,
                        Traits* x) noexcept nogil:
    cdef int i, n, fewest = 0, first = BITS, second = BITS, third = BITS
    for i in range(4):
        n = count_and(p.own, b.quadrant[i])
        if n < first:
            third = second
            second = first
            first = n
            fewest = i
        elif n < second:
            third = second
            second = n
        elif n < third:
            third = n
    put(x, V_QUADRANTS, <float>min(second - first, 4) / 4)
    put(x, V_QUADRANTS + 1, <float>min(third - first, 6) / 6)
    put(x, V_QUADRANTS + 2, kb_intersects(room, b.quadrant[fewest]))


cdef void lord_traits(const BoardData* b, const State* s, int seat, Traits* x) noexcept nogil:
    cdef int i, k, n, other
    for i in range(4):
        n = count_and(s.seats[seat].own, b.quadrant[i])
        other = 0
        for k in range(s.n_seats):
            if k != seat:
                other = max(other, count_and(s.seats[k].own, b.quadrant[i]))
        put(x, V_LORDS + min(max(n - other, -3), 3) + 3, 1)


cdef void card_traits(const BoardData* b, const State* s, int seat, int rule, int gold,
                      const uint64_t* room, const Reach* reach, Traits* x) noexcept nogil:
    cdef const Seat* p = &s.seats[seat]
    cdef const uint64_t* cells
    cdef int i, n, best
    put(x, V_CARD + rule, 1)
    put(x, V_GOLD + rule, <float>gold / 10)
    cells = paying_cells(b, rule)
    if cells != NULL:
        put(x, V_CHANCES + rule, <float>count_and(room, cells) / 10)
    elif rule == SCORE_DISCOVERERS:
        n = 0
        for i in range(BOARD_ROW, BOARD_ROW + 20):
            if p.rows[i] == 0:
                n += kb_intersects(room, b.row_cells[i])
        put(x, V_NEW_ROWS, <float>n / 10)
    elif rule == SCORE_KNIGHTS:
        best = gold // 2
        n = 0
        for i in range(BOARD_ROW, BOARD_ROW + 20):
            if best and kb_count(p.rows[i]) >= best - 1:
                n = max(n, count_and(room, b.row_cells[i]) - 2 * (best - kb_count(p.rows[i])))
        put(x, V_ROW_ROOM, <float>n / 10)
    elif rule == SCORE_MERCHANTS:
        put(x, V_SPACES, <float>(kb_count(reach.touched & b.counted) - gold // 4) / 10)
        for i in range(3):
            put(x, V_SPACES + 1 + i, <float>kb_count(reach.ahead[i] & b.counted) / 10)
    elif rule == SCORE_FARMERS:
        farmer_traits(b, p, room, x)
    elif rule == SCORE_LORDS:
        lord_traits(b, s, seat, x)


cdef void find_traits(const BoardData* b, const State* s, int seat, Traits* x) noexcept nogil:
    """The features of a seat. One may be there several times."""
    cdef const Seat* p = &s.seats[seat]
    cdef int gold[MAX_CARDS + N_ALWAYS]
    cdef uint64_t room[WORDS]
    cdef uint64_t wanted = s.left_one & ~p.taken
    cdef uint64_t tiles
    cdef Reach reach
    cdef const Mask* m
    cdef float part = 0
    cdef int i, k, n, least = p.supply
    x.n = 0
    put(x, V_ALWAYS, 1)
    for i in range(s.n_seats):
        least = min(least, <int>s.seats[i].supply)
    if s.n_seats > 2:
        put(x, V_SEATS + s.n_seats - 3, 1)
    put(x, V_SUPPLY, <float>p.supply / 40)
    put(x, V_BEHIND, <float>(p.supply - least) / 10)
    put(x, V_MOVED, turn_in_round(s, seat) < turn_in_round(s, s.mover))
    score_seat(b, s, seat, gold)
    put(x, V_CASTLES, <float>gold[0] / 10)
    kb_intersect(room, s.free, p.near)
    kb_intersect(room, room, b.masks[MASK_BUILD].w)
    for i in range(PLAIN_CARDS):
        m = &b.masks[i]
        n = 0
        for k in range(m.n):
            n += kb_count(m.w[m.index[k]] & room[m.index[k]])
        part += <float>n / <float>(n + 3)
    put(x, V_ROOM, part)
    put(x, V_UNTOUCHED, kb_count(untouched_terrains(b, s, p)))
    find_reach(b, s, p, &reach)
    for i in range(3):
        put(x, V_TILE_AHEAD + i, kb_count(reach.ahead[i] & wanted))
        put(x, V_CASTLE_AHEAD + i, kb_count(reach.ahead[i] & b.castles))
    put(x, V_WANTED, <float>kb_count(wanted) / 4)
    tiles = p.ready + p.fresh + p.used
    for i in range(1, b.n_slots):
        n = tile_count(tiles, i)
        if n:
            put(x, V_TILES + tile_class(b, i), n)
    for i in range(1, N_ALWAYS):
        if gold[i]:
            put(x, V_OTHER_GOLD + i - 1, <float>gold[i] / 10)
    for i in range(b.n_cards):
        card_traits(b, s, seat, b.cards[i], gold[N_ALWAYS + i], room, &reach, x)


cdef float houses_left(const State* s) noexcept nogil:
    """The houses of the seat that has the fewest, as a part of all."""
    cdef int i, least = s.seats[0].supply
    for i in range(1, s.n_seats):
        least = min(least, <int>s.seats[i].supply)
    return <float>least / 40


cdef float guess_seat(const Traits* x, float left, const float* weights) noexcept nogil:
    """The gold at the end: a linear part whose weights depend on the houses left, and a layer of
    hidden units. In the order of the features, so that every build sums alike."""
    cdef const float* inner = weights + N_POWERS * N_VALUES
    cdef const float* row
    cdef float hidden[N_HIDDEN]
    cdef float sum = 0, value
    cdef int i, k, f
    row = inner + N_VALUES * N_HIDDEN  # bias, left, left squared
    for k in range(N_HIDDEN):
        hidden[k] = row[k] + left * row[N_HIDDEN + k] + left * left * row[2 * N_HIDDEN + k]
    for i in range(x.n):
        f = x.index[i]
        value = x.value[i]
        sum += value * (weights[f] + left * (weights[N_VALUES + f]
                                             + left * weights[2 * N_VALUES + f]))
        row = inner + f * N_HIDDEN
        for k in range(N_HIDDEN):
            hidden[k] += value * row[k]
    row = inner + (N_VALUES + 3) * N_HIDDEN
    for k in range(N_HIDDEN):
        sum += max(hidden[k], <float>0) * row[k]
    return sum


cdef void guess_gold(const BoardData* b, const State* s, const float* weights,
                     float* out) noexcept nogil:
    """The gold of each seat at the end, by N_GUESS_WEIGHTS weights."""
    cdef float left = houses_left(s)
    cdef Traits x
    cdef int i
    for i in range(s.n_seats):
        find_traits(b, s, i, &x)
        out[i] = guess_seat(&x, left, weights)


cdef void informed_turns(const BoardData* b, State* s, const Policy* policy, Rng* rng,
                         int turns) noexcept nogil:
    """Play some turns by the preferences of each seat, the one under way included."""
    cdef Preferences prefs[MAX_SEATS]
    cdef int i
    if s.lift_slot or s.doing or s.outpost or s.repeat or s.n_react:
        finish_action(b, s, rng, NULL)
    if s.phase < PHASE_SILO:
        for i in range(s.n_seats):
            init_preferences(b, &prefs[i])
            build_all_cells(b, s, &s.seats[i], &prefs[i])
    if b.simple:
        while s.phase < PHASE_SILO and turns > 0:
            play_turn(b, s, &prefs[0], policy, rng, NULL, True, True)
            turns -= 1
    while s.phase < PHASE_SILO and turns > 0:
        play_turn(b, s, &prefs[0], policy, rng, NULL, True, False)
        turns -= 1
    while s.phase == PHASE_SILO and turns > 0:
        random_silos(b, s, rng, NULL)
