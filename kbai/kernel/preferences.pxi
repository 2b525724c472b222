# Where a seat would rather build in a playout: sets of cells, the most valuable set first.
#
# A playout narrows the legal hexes: to those of the first set if there are any, then of these to
# those of the second set, and so on. It chooses at random among what is left. So all hexes are
# compared at the price of an AND for each set. The values of the sets are in weights.pxi.
#
# Each seat has its own Preferences. They are built once for a playout and then kept up to date
# piece by piece. In builds without NDEBUG each update is compared with sets built from scratch
# (check_preferences).

cdef enum:
    MAX_VALUE = 0x40000000  # more than all preferences together
    ASKS_NEW_ROW = 1  # bits of BoardData.asks: what the cards in play need kept up to date
    ASKS_BEST_ROW = 2
    ASKS_CROWD = 4
    ASKS_QUADRANT = 8


cdef struct Preferences:  # of one seat; first the boards, each on a cache line of its own
    uint64_t cells[N_PREFERENCES][WORDS]
    uint64_t sides[WORDS]  # all cells of those for the sides of special spaces: few hexes
    uint64_t once[WORDS]  # cells beside at least one own settlement
    uint64_t seen[WORDS]  # cells of the special spaces with an own settlement beside them ...
    uint64_t touched  # ... and these spaces
    int value[N_PREFERENCES]  # in eighths of gold
    Ranking ranking  # those with a value
    Py_ssize_t tile_at  # index of tiles in the ranking; one before the first if they are not in it
    const Ranking* off_sides  # the ranking without those for the sides of special spaces
    const uint64_t* away  # BoardData.away
    uint32_t untouched  # terrains with cards that no own settlement is beside, as bits
    int best_row  # settlements in the fullest row
    int quadrant[5]  # settlements in each quadrant, and outside of all
    uint64_t wanted  # spaces where the seat can gain a tile
    uint64_t left  # State.left_one when the cells of PREFER_TILE were last updated
    uint8_t unused[48]


# --- compiled with the board --------------------------------------------------------------------

cdef void widen(const BoardData* b, int hexes, uint64_t* cells) noexcept nogil:
    """Add all cells up to some hexes away."""
    cdef uint64_t old[WORDS]
    cdef int i, bit
    for i in range(hexes):
        memcpy(old, cells, sizeof(old))
        for bit in range(BITS):
            if has_bit(old, bit):
                kb_add(cells, b.near[bit])


cdef void build_distances(BoardData* b) noexcept nogil:
    """Fill the tables of what is near special spaces, quadrants and terrains."""
    cdef uint64_t ahead[WORDS]
    cdef uint64_t far[WORDS]
    cdef int bit, i, k, w
    for i in range(b.n_spaces):
        set_bit(b.ahead[i], b.space_bit[i])
        widen(b, 2, b.ahead[i])
    for k in range(4):
        memcpy(ahead, b.quadrant[k], sizeof(ahead))
        widen(b, 2, ahead)
        memcpy(far, ahead, sizeof(far))
        widen(b, 3, far)
        for i in range(16):
            if i >> k & 1:
                kb_add(b.quadrants[i], b.quadrant[k])
                kb_add(b.quadrants_ahead[i], ahead)
                kb_add(b.quadrants_far[i], far)
    for bit in range(BITS):
        for i in range(PLAIN_CARDS):
            for w in range(WORDS):
                if b.near[bit][w] & b.masks[i].w[w]:
                    b.terrains_beside[bit] |= 1 << i
        for i in range(1 << PLAIN_CARDS):
            if b.terrains_beside[bit] & i == 0:
                set_bit(b.away[i], bit)


cdef void add_untouched(const BoardData* b, int space, uint64_t* cells) noexcept nogil:
    """Add the cells near a special space that the seat has not reached to those of its preferences,
    SPACE_PREFERENCES boards in a row."""
    cdef const uint64_t* near = b.near[b.space_bit[space]]
    if b.space_kind[space] == SPACE_CASTLE:
        kb_add(cells + PREFER_CASTLE * WORDS, near)
        kb_add(cells + PREFER_CASTLE_AHEAD * WORDS, b.ahead[space])
    elif b.space_kind[space] >= SPACE_PALACE:
        kb_add(cells + PREFER_LINK * WORDS, near)
    if b.counted >> space & 1:
        kb_add(cells + PREFER_SPACE * WORDS, near)
        kb_add(cells + PREFER_SPACE_AHEAD * WORDS, b.ahead[space])


cdef void build_untouched_cells(BoardData* b) noexcept nogil:
    """Fill the cells near special spaces for a seat that has reached none, and which spaces share
    any of these cells."""
    cdef int i, k
    for i in range(b.n_spaces):
        add_untouched(b, i, b.untouched_cells[0])
        for k in range(b.n_spaces):
            if k != i and kb_intersects(b.near[b.space_bit[i]], b.near[b.space_bit[k]]):
                b.shares_side[i] |= <uint64_t>1 << k
            if k != i and kb_intersects(b.ahead[i], b.ahead[k]):
                b.shares_ahead[i] |= <uint64_t>1 << k


cdef void build_jump_lanes(BoardData* b) noexcept nogil:
    """Fill the table of jumps in lanes. A jump off the board is a hex that is never there."""
    cdef uint64_t* lanes
    cdef uint64_t target
    cdef int bit, d
    for bit in range(BITS):
        lanes = b.jump_lanes[bit]
        for d in range(6):
            target = b.jump[bit][d]
            lanes[0] |= target >> 3 << 8 * d
            if target != NOWHERE:
                lanes[1] |= <uint64_t>1 << (8 * d + (target & 7))
                lanes[2] |= <uint64_t>b.terrains_beside[target] << 8 * d


cdef void build_preferences(BoardData* b) noexcept nogil:
    """Fill all that preferences look up."""
    cdef int bit, i
    build_distances(b)
    build_jump_lanes(b)
    build_untouched_cells(b)
    memcpy(b.fixed_cells[PREFER_HILLS - FIXED_PREFERENCES], b.mine, sizeof(b.mine))
    memcpy(b.fixed_cells[PREFER_EDGE - FIXED_PREFERENCES], b.traveler, sizeof(b.traveler))
    for bit in range(BITS):
        if b.cell_of[bit] != NOWHERE:
            set_bit(b.row_cells[b.row[bit]], bit)
        for i in range(WORDS):
            if b.near[bit][i] & b.noble[i]:
                set_bit(b.fixed_cells[PREFER_NOBLE - FIXED_PREFERENCES], bit)
        for i in range(3):
            if b.cell_gold[bit] > i:
                set_bit(b.fixed_cells[PREFER_CELL + i - FIXED_PREFERENCES], bit)
        if b.sides[bit] == 0:
            set_bit(b.remote, bit)
            if b.cell_gold[bit] == 0:
                set_bit(b.spare, bit)
    build_values(b)
    build_rankings(b)


cdef void build_values(BoardData* b) noexcept nogil:
    """Value the preferences by the cards in play. Those without cells on this board, two or three
    on most boards, get no value."""
    cdef int* value = &b.preference_value[0]
    cdef int i, k
    value[PREFER_CASTLE] = VALUE_OF_CASTLE if b.castles else 0
    value[PREFER_CASTLE_AHEAD] = VALUE_OF_CASTLE_AHEAD if b.castles else 0
    value[PREFER_LINK] = VALUE_OF_LINK if b.palace_spaces | b.silos else 0
    for i in range(PREFER_CELL, N_PREFERENCES):
        value[i] = VALUE_OF_CELL if any_bit(b.fixed_cells[i - FIXED_PREFERENCES]) else 0
    for i in range(b.n_asking):
        for k in range(N_WEIGHTS):
            if WEIGHTS[k].rule == b.asking[i]:
                value[WEIGHTS[k].preference] += WEIGHTS[k].value
    if value[PREFER_NEW_ROW]:
        b.asks |= ASKS_NEW_ROW
    if value[PREFER_BEST_ROW]:
        b.asks |= ASKS_BEST_ROW
    if value[PREFER_APART] or value[PREFER_CROWD]:
        b.asks |= ASKS_CROWD
    if value[PREFER_LORDS] or value[PREFER_FARMERS] or value[PREFER_HOME] or value[PREFER_ROVERS]:
        b.asks |= ASKS_QUADRANT


cdef void build_rankings(BoardData* b) noexcept nogil:
    """Rank the preferences without tiles. Doing it in every playout cost 350 instructions."""
    cdef int i
    clear_ranking(&b.ranking)
    clear_ranking(&b.ranking_off_sides)
    for i in range(N_PREFERENCES - 1, PREFER_TILE, -1):
        if b.preference_value[i] > 0:
            insert_preference(&b.ranking, i, b.preference_value[i])
            if i >= SIDE_PREFERENCES:
                insert_preference(&b.ranking_off_sides, i, b.preference_value[i])


cdef void clear_ranking(Ranking* ranking) noexcept nogil:
    """Rank nothing; before and behind it are the values at which rerank_tiles stops."""
    ranking.values[N_PREFERENCES - 1] = MAX_VALUE
    ranking.values[N_PREFERENCES] = 0
    ranking.begin = 0
    ranking.rest = 0
    ranking.total = 0


cdef void insert_preference(Ranking* ranking, int preference, int value) noexcept nogil:
    """Rank one more preference, before those of the same value."""
    cdef Py_ssize_t k = N_PREFERENCES + ranking.begin - 1
    if k > 0:
        ranking.values[k - 1] = MAX_VALUE
    while ranking.values[k + 1] > value:
        ranking.offsets[k] = ranking.offsets[k + 1]
        ranking.values[k] = ranking.values[k + 1]
        k += 1
    ranking.offsets[k] = preference * WORDS
    ranking.values[k] = value
    ranking.begin -= 1
    ranking.rest -= value < VALUE_OF_CHOICE
    ranking.total += value


# --- built from the pieces as they stand --------------------------------------------------------

cdef void init_preferences(const BoardData* b, Preferences* prefs) noexcept nogil:
    """Build the preferences of a seat without pieces."""
    memcpy(prefs.value, b.preference_value, sizeof(prefs.value))
    memcpy(prefs.cells, b.untouched_cells, sizeof(b.untouched_cells))
    memcpy(prefs.cells[FIXED_PREFERENCES], b.fixed_cells, sizeof(b.fixed_cells))
    memset(prefs.seen, 0, sizeof(prefs.seen))
    memset(prefs.quadrant, 0, sizeof(prefs.quadrant))
    unrank_tiles(b, prefs)
    prefs.off_sides = &b.ranking_off_sides
    prefs.away = &b.away[0][0]
    prefs.wanted = 0
    prefs.touched = 0
    prefs.untouched = 0


cdef void build_all_cells(const BoardData* b, const State* s, const Seat* p,
                          Preferences* prefs) noexcept nogil:
    """Build what the pieces of a seat change, as far as a card asks for it."""
    update_space_cells(b, s, p, prefs)
    if b.asks & (ASKS_NEW_ROW | ASKS_BEST_ROW):
        build_row_cells(b, p, prefs)
    if b.asks & (ASKS_CROWD | ASKS_QUADRANT):
        build_piece_cells(b, p, prefs)


cdef void build_row_cells(const BoardData* b, const Seat* p, Preferences* prefs) noexcept nogil:
    cdef uint32_t rows = kb_filled_rows(p.rows)
    cdef int r
    prefs.best_row = 0
    memset(prefs.cells[PREFER_NEW_ROW], 255, sizeof(prefs.cells[0]))  # also bits without a cell
    memset(prefs.cells[PREFER_BEST_ROW], 0, sizeof(prefs.cells[0]))
    memset(prefs.cells[PREFER_ROW_AHEAD], 0, sizeof(prefs.cells[0]))
    while rows:
        r = kb_lowest(rows)
        rows &= rows - 1
        kb_drop(prefs.cells[PREFER_NEW_ROW], b.row_cells[r])
        add_to_row(b, prefs, r, kb_count(p.rows[r]))


cdef void build_piece_cells(const BoardData* b, const Seat* p, Preferences* prefs) noexcept nogil:
    """Build crowds and count the pieces by quadrant."""
    cdef uint32_t filled = kb_filled_words(p.own)
    cdef uint64_t x
    cdef int w, bit
    memset(prefs.quadrant, 0, sizeof(prefs.quadrant))
    memset(prefs.once, 0, sizeof(prefs.once))
    memset(prefs.cells[PREFER_CROWD], 0, sizeof(prefs.cells[0]))
    memset(prefs.cells[PREFER_APART], 255, sizeof(prefs.cells[0]))
    while filled:
        w = kb_lowest(filled)
        filled &= filled - 1
        x = p.own[w]
        while x:
            bit = w * 64 + kb_lowest(x)
            x &= x - 1
            if b.asks & ASKS_CROWD:
                add_to_crowd(b, prefs, bit)
            prefs.quadrant[b.quadrant_of[bit]] += 1


cdef void build_quadrant_cells(const BoardData* b, const State* s, int seat,
                               Preferences* all_prefs) noexcept nogil:
    """Build where one more settlement helps with Lords, Farmers, Homesteaders and Rovers. Four bits
    say which quadrants these are, and their cells are looked up."""
    cdef Preferences* prefs = &all_prefs[seat]
    cdef const int* own = &prefs.quadrant[0]
    cdef int lead[4]
    cdef int i, k, fewest, most
    cdef uint32_t found
    if prefs.value[PREFER_LORDS]:
        memcpy(lead, own, sizeof(lead))
        for i in range(s.n_seats):
            if i != seat:
                for k in range(4):
                    lead[k] = min(lead[k], own[k] - all_prefs[i].quadrant[k])
        kb_copy(prefs.cells[PREFER_LORDS], b.quadrants[kb_between(lead, -2, 1)])
    if prefs.value[PREFER_FARMERS]:
        fewest = min(min(own[0], own[1]), min(own[2], own[3]))
        found = kb_between(own, fewest, fewest)
        kb_copy(prefs.cells[PREFER_FARMERS], b.quadrants[found])
        kb_copy(prefs.cells[PREFER_FARM_AHEAD], b.quadrants_ahead[found])
        kb_copy(prefs.cells[PREFER_FARM_FAR], b.quadrants_far[found])
    if prefs.value[PREFER_HOME]:
        most = max(max(own[0], own[1]), max(own[2], own[3]))
        kb_copy(prefs.cells[PREFER_HOME], b.quadrants[kb_between(own, most, most)])
    if prefs.value[PREFER_ROVERS]:
        kb_copy(prefs.cells[PREFER_ROVERS], b.quadrants[~s.seats[seat].roved & 15])


cdef void build_opponent_cells(const State* s, int seat, Preferences* prefs) noexcept nogil:
    cdef int i
    memset(prefs.cells[PREFER_OTHERS], 0, sizeof(prefs.cells[0]))
    for i in range(s.n_seats):
        if i != seat:
            kb_add(prefs.cells[PREFER_OTHERS], s.seats[i].near)


cdef inline uint32_t untouched_terrains(const BoardData* b, const State* s,
                                        const Seat* p) noexcept nogil:
    """The terrains with cards that no own settlement is beside, as bits: a card of these leaves a
    free choice of hexes (R4.2)."""
    cdef const Mask* m
    cdef uint32_t scattered = b.scattered
    cdef int i, k
    cdef uint32_t untouched = kb_disjoint_words(b.land, s.free, p.near)
    while scattered:
        i = kb_lowest(scattered)
        scattered &= scattered - 1
        m = &b.masks[i]
        for k in range(m.n):
            if m.w[m.index[k]] & s.free[m.index[k]] & p.near[m.index[k]]:
                untouched &= ~(<uint32_t>1 << i)
    return untouched


# --- kept up to date: special spaces ------------------------------------------------------------

cdef inline void update_sides(const BoardData* b, int space, uint64_t wanted,
                              uint64_t* cells) noexcept nogil:
    """Update the cells beside the wanted spaces after one space was added to them or removed."""
    cdef uint64_t others
    if wanted >> space & 1:
        kb_add(cells, b.near[b.space_bit[space]])
        return
    kb_drop(cells, b.near[b.space_bit[space]])
    others = wanted & b.shares_side[space]  # seldom any: half the cost of asking cell by cell
    while others:
        kb_add(cells, b.near[b.space_bit[kb_lowest(others)]])
        others &= others - 1


cdef inline void update_ahead(const BoardData* b, int space, uint64_t wanted,
                              uint64_t* cells) noexcept nogil:
    """The same for the cells within two hexes."""
    cdef uint64_t others
    if wanted >> space & 1:
        kb_add(cells, b.ahead[space])
        return
    kb_drop(cells, b.ahead[space])
    others = wanted & b.shares_ahead[space]
    while others:
        kb_add(cells, b.ahead[kb_lowest(others)])
        others &= others - 1


cdef void toggle_space(const BoardData* b, Preferences* prefs, int space) noexcept nogil:
    """The seat has reached a space, or has left it."""
    cdef uint64_t untouched
    prefs.touched ^= <uint64_t>1 << space
    prefs.seen[b.space_bit[space] >> 6] ^= <uint64_t>1 << (b.space_bit[space] & 63)
    untouched = ~prefs.touched
    if b.space_kind[space] == SPACE_CASTLE:
        update_sides(b, space, b.castles & untouched, prefs.cells[PREFER_CASTLE])
        update_ahead(b, space, b.castles & untouched, prefs.cells[PREFER_CASTLE_AHEAD])
    elif b.space_kind[space] >= SPACE_PALACE:
        update_sides(b, space, (b.palace_spaces | b.silos) & untouched, prefs.cells[PREFER_LINK])
    if prefs.value[PREFER_SPACE]:
        update_sides(b, space, b.counted & untouched, prefs.cells[PREFER_SPACE])
        update_ahead(b, space, b.counted & untouched, prefs.cells[PREFER_SPACE_AHEAD])


cdef inline void update_tile_cells(const BoardData* b, const State* s, const Seat* p,
                                   Preferences* prefs) noexcept nogil:
    """Update the sides of the spaces where the seat can gain a tile."""
    cdef uint64_t changed = prefs.wanted
    prefs.left = s.left_one
    prefs.wanted = s.left_one & ~p.taken
    changed ^= prefs.wanted
    while changed:
        update_sides(b, kb_lowest(changed), prefs.wanted, prefs.cells[PREFER_TILE])
        changed &= changed - 1


cdef inline void join_sides(Preferences* prefs) noexcept nogil:
    """Join the sides of all special spaces that are worth reaching."""
    kb_copy(prefs.sides, prefs.cells[PREFER_TILE])
    kb_add(prefs.sides, prefs.cells[PREFER_CASTLE])
    if prefs.value[PREFER_SPACE]:
        kb_add(prefs.sides, prefs.cells[PREFER_SPACE])
    if prefs.value[PREFER_LINK]:
        kb_add(prefs.sides, prefs.cells[PREFER_LINK])


cdef void update_space_cells(const BoardData* b, const State* s, const Seat* p,
                             Preferences* prefs) noexcept nogil:
    """Update what has changed near special spaces. Built from scratch each time, these cells took
    13 % of an informed playout."""
    cdef uint64_t changed
    cdef int i, w
    update_tile_cells(b, s, p, prefs)
    for i in range(b.spaces.n):
        w = b.spaces.index[i]
        changed = (p.near[w] & b.spaces.w[w]) ^ prefs.seen[w]
        while changed:
            toggle_space(b, prefs, b.space_at[w * 64 + kb_lowest(changed)])
            changed &= changed - 1
    join_sides(prefs)


cdef void update_reached_spaces(const BoardData* b, const State* s, const Seat* p,
                                Preferences* prefs, uint64_t spaces) noexcept nogil:
    """The same after a house has reached these spaces. They need not be looked for, which saves
    20 instructions each time."""
    if not b.simple:  # silos may be among them, and spaces may have been left
        update_space_cells(b, s, p, prefs)
        return
    update_tile_cells(b, s, p, prefs)
    while spaces:
        toggle_space(b, prefs, kb_lowest(spaces))
        spaces &= spaces - 1
    join_sides(prefs)


# --- kept up to date: rows and crowds -----------------------------------------------------------

cdef inline void add_to_row(const BoardData* b, Preferences* prefs, int row,
                            int n) noexcept nogil:
    """A row has n own settlements, one more than before."""
    if n < prefs.best_row:
        return
    if n > prefs.best_row:
        prefs.best_row = n
        kb_copy(prefs.cells[PREFER_BEST_ROW], b.row_cells[row])
        kb_copy(prefs.cells[PREFER_ROW_AHEAD], b.row_cells[row - 1])
    else:
        kb_add(prefs.cells[PREFER_BEST_ROW], b.row_cells[row])
        kb_add(prefs.cells[PREFER_ROW_AHEAD], b.row_cells[row - 1])
    kb_add(prefs.cells[PREFER_ROW_AHEAD], b.row_cells[row + 1])


cdef inline void update_rows_after_move(const BoardData* b, const Seat* p, Preferences* prefs,
                                        int source, int target) noexcept nogil:
    """A piece has moved from one row to another. Only if it leaves the fullest row, all rows are
    looked at again."""
    cdef int n = kb_count(p.rows[source])
    if b.asks & ASKS_BEST_ROW and n + 1 == prefs.best_row:
        build_row_cells(b, p, prefs)
        return
    if n == 0:
        kb_add(prefs.cells[PREFER_NEW_ROW], b.row_cells[source])
    kb_drop(prefs.cells[PREFER_NEW_ROW], b.row_cells[target])
    if b.asks & ASKS_BEST_ROW:
        add_to_row(b, prefs, target, kb_count(p.rows[target]))


cdef inline void add_to_crowd(const BoardData* b, Preferences* prefs, int bit) noexcept nogil:
    kb_crowd(prefs.once, prefs.cells[PREFER_CROWD], prefs.cells[PREFER_APART], b.near[bit])


cdef inline void update_crowd_after_move(const BoardData* b, const Seat* p, Preferences* prefs,
                                         int source, int target) noexcept nogil:
    """A piece has moved. The cells it was beside are crowded no more if one settlement is left
    beside them; with none left they were not crowded before."""
    cdef int w
    add_to_crowd(b, prefs, target)
    clear_sides(b, source, single_sides(p.rows, b.row[source], b.shear[source]),
                prefs.cells[PREFER_CROWD])
    for w in range(WORDS):
        prefs.cells[PREFER_APART][w] = ~prefs.cells[PREFER_CROWD][w]
    kb_copy(prefs.once, p.near)


# --- kept up to date: the ranking ---------------------------------------------------------------

cdef inline void unrank_tiles(const BoardData* b, Preferences* prefs) noexcept nogil:
    """Take tiles out of the ranking: they have no value."""
    memcpy(&prefs.ranking, &b.ranking, sizeof(Ranking))
    prefs.tile_at = N_PREFERENCES + b.ranking.begin - 1


cdef inline void rerank_tiles(const BoardData* b, Preferences* prefs, int value) noexcept nogil:
    """Give tiles another value, as every turn does. Only they change their place; each of the
    others stays or moves by one."""
    cdef Ranking* ranking = &prefs.ranking
    cdef const Ranking* without = &b.ranking
    cdef Py_ssize_t k = prefs.tile_at
    prefs.value[PREFER_TILE] = value
    if value <= 0:
        unrank_tiles(b, prefs)
        return
    while without.values[k + 1] > value:
        ranking.offsets[k] = without.offsets[k + 1]
        ranking.values[k] = without.values[k + 1]
        k += 1
    while without.values[k] <= value:
        ranking.offsets[k] = without.offsets[k]
        ranking.values[k] = without.values[k]
        k -= 1
    prefs.tile_at = k
    ranking.offsets[k] = PREFER_TILE * WORDS
    ranking.values[k] = value
    ranking.begin = without.begin - 1
    ranking.rest = without.rest - (value < VALUE_OF_CHOICE)
    ranking.total = without.total + value


# --- updates ------------------------------------------------------------------------------------

cdef inline void update_at_turn_start(const BoardData* b, const State* s, Preferences* all_prefs,
                                      const Policy* policy) noexcept nogil:
    """Catch up with what the other seats have done, and with what a tile is worth now."""
    cdef Preferences* prefs = &all_prefs[s.mover]
    cdef int tile = <int>(policy.tile * UNIT * turns_left(s))
    if prefs.left != s.left_one:
        update_space_cells(b, s, &s.seats[s.mover], prefs)
    if tile != prefs.value[PREFER_TILE]:
        rerank_tiles(b, prefs, tile)
    if b.asks & ASKS_QUADRANT:
        build_quadrant_cells(b, s, s.mover, all_prefs)
    if prefs.value[PREFER_OTHERS]:
        build_opponent_cells(s, s.mover, prefs)
    prefs.untouched = untouched_terrains(b, s, &s.seats[s.mover])
    check_preferences(b, s, s.mover, prefs)


cdef inline void update_spaces_after_build(const BoardData* b, const State* s, const Seat* p,
                                           Preferences* prefs, int bit) noexcept nogil:
    cdef uint64_t reached = b.sides[bit] & ~prefs.touched
    if reached:
        update_reached_spaces(b, s, p, prefs, reached)


cdef inline void update_cards_after_build(const BoardData* b, const Seat* p, Preferences* prefs,
                                          int bit) noexcept nogil:
    cdef int asks = b.asks
    if asks & ASKS_NEW_ROW:
        kb_drop(prefs.cells[PREFER_NEW_ROW], b.row_cells[b.row[bit]])
    if asks & ASKS_BEST_ROW:
        add_to_row(b, prefs, b.row[bit], kb_count(p.rows[b.row[bit]]))
    if asks & ASKS_CROWD:
        add_to_crowd(b, prefs, bit)
    prefs.quadrant[b.quadrant_of[bit]] += 1  # to ask whether a card asks would cost as much
    prefs.untouched &= ~<uint32_t>b.terrains_beside[bit]


cdef inline void update_after_build(const BoardData* b, const State* s, const Seat* p,
                                    Preferences* prefs, int bit) noexcept nogil:
    """The seat has a piece more."""
    update_spaces_after_build(b, s, p, prefs, bit)
    update_cards_after_build(b, p, prefs, bit)
    check_preferences(b, s, s.mover, prefs)


cdef inline void update_after_move(const BoardData* b, const State* s, const Seat* p,
                                   Preferences* prefs, int source, int target) noexcept nogil:
    """A piece of the mover has moved; only for boards on which no other seat builds or loses pieces
    in this turn. Built from scratch each time, this took 9 % of an informed playout."""
    cdef int asks = b.asks
    if (b.sides[source] | b.sides[target]) or prefs.left != s.left_one:
        update_space_cells(b, s, p, prefs)
    if asks & (ASKS_NEW_ROW | ASKS_BEST_ROW) and b.row[source] != b.row[target]:
        update_rows_after_move(b, p, prefs, b.row[source], b.row[target])
    if asks & ASKS_CROWD:
        update_crowd_after_move(b, p, prefs, source, target)
    prefs.quadrant[b.quadrant_of[source]] -= 1
    prefs.quadrant[b.quadrant_of[target]] += 1
    check_preferences(b, s, s.mover, prefs)


# --- self-check ---------------------------------------------------------------------------------

cdef inline void check_preferences(const BoardData* b, const State* s, int seat,
                                   const Preferences* prefs) noexcept nogil:
    """In builds with asserts: abort if updates have led to other preferences than the pieces do."""
    if KB_CHECKS:
        check_ranking(b, prefs)
        if is_always_up_to_date(b):
            check_space_cells(b, s, &s.seats[seat], prefs)
            check_row_cells(b, &s.seats[seat], prefs)
            check_piece_cells(b, &s.seats[seat], prefs)


cdef bint is_always_up_to_date(const BoardData* b) noexcept nogil:
    """Whether updates know of every change. On some boards playouts put up with less: pieces that
    come and go in another seat's turn, by canoes and swords."""
    cdef int slot
    for slot in range(1, b.n_slots):
        if b.tiles[slot].action == ACTION_SWORD:
            return False
    return not b.canoe_slot


cdef bint have_same_cells(const uint64_t* x, const uint64_t* y) noexcept nogil:
    return memcmp(x, y, WORDS * sizeof(uint64_t)) == 0


cdef void check_space_cells(const BoardData* b, const State* s, const Seat* p,
                            const Preferences* prefs) noexcept nogil:
    cdef uint64_t cells[SPACE_PREFERENCES][WORDS]
    cdef uint64_t sides[WORDS]
    cdef bint is_touched
    cdef int i, space
    memset(cells, 0, sizeof(cells))
    memset(sides, 0, sizeof(sides))
    for space in range(b.n_spaces):
        is_touched = has_bit(p.near, b.space_bit[space])
        kb_check(is_touched == <bint>(prefs.touched >> space & 1))
        kb_check(is_touched == has_bit(prefs.seen, b.space_bit[space]))
        if not is_touched:
            add_untouched(b, space, cells[0])
        if prefs.wanted >> space & 1:
            kb_add(cells[PREFER_TILE], b.near[b.space_bit[space]])
    if b.simple:  # other sets have tiles that are gained without a change of spaces
        kb_check(prefs.wanted == s.left_one & ~p.taken)
    for i in range(SPACE_PREFERENCES):
        if i == PREFER_TILE or prefs.value[i]:
            kb_check(have_same_cells(prefs.cells[i], cells[i]))
            if i < SIDE_PREFERENCES:
                kb_add(sides, cells[i])
    kb_check(have_same_cells(prefs.sides, sides))


cdef void check_row_cells(const BoardData* b, const Seat* p,
                          const Preferences* prefs) noexcept nogil:
    cdef Preferences built
    build_row_cells(b, p, &built)
    if b.asks & ASKS_NEW_ROW:
        kb_check(have_same_cells(prefs.cells[PREFER_NEW_ROW], built.cells[PREFER_NEW_ROW]))
    if b.asks & ASKS_BEST_ROW:
        kb_check(prefs.best_row == built.best_row)
        kb_check(have_same_cells(prefs.cells[PREFER_BEST_ROW], built.cells[PREFER_BEST_ROW]))
        kb_check(have_same_cells(prefs.cells[PREFER_ROW_AHEAD], built.cells[PREFER_ROW_AHEAD]))


cdef void check_piece_cells(const BoardData* b, const Seat* p,
                            const Preferences* prefs) noexcept nogil:
    cdef Preferences built
    build_piece_cells(b, p, &built)
    if b.asks & ASKS_CROWD:
        kb_check(have_same_cells(prefs.cells[PREFER_CROWD], built.cells[PREFER_CROWD]))
        kb_check(have_same_cells(prefs.cells[PREFER_APART], built.cells[PREFER_APART]))
        kb_check(have_same_cells(prefs.once, built.once))
    if b.asks & ASKS_QUADRANT:
        kb_check(memcmp(prefs.quadrant, built.quadrant, sizeof(built.quadrant)) == 0)


cdef void check_ranking(const BoardData* b, const Preferences* prefs) noexcept nogil:
    cdef Ranking built = b.ranking
    cdef size_t first, n
    if prefs.value[PREFER_TILE] > 0:
        insert_preference(&built, PREFER_TILE, prefs.value[PREFER_TILE])
    n = <size_t>-built.begin
    first = N_PREFERENCES - n
    kb_check(prefs.ranking.begin == built.begin)
    kb_check(prefs.ranking.rest == built.rest)
    kb_check(prefs.ranking.total == built.total)
    kb_check(memcmp(&prefs.ranking.offsets[first], &built.offsets[first],
                    n * sizeof(uint32_t)) == 0)
    kb_check(memcmp(&prefs.ranking.values[first], &built.values[first], n * sizeof(int)) == 0)


# --- narrowing ----------------------------------------------------------------------------------

cdef inline uint64_t keep_apart(const Preferences* prefs, uint64_t x, int w) noexcept nogil:
    """Keep of the hexes of one word those that are not beside an untouched terrain: beside none of
    these terrains if possible, otherwise terrain by terrain."""
    cdef uint32_t untouched = prefs.untouched
    cdef uint64_t y = x & prefs.away[untouched * WORDS + w]
    if y:
        return y
    while untouched:
        x = kb_or_else(x & prefs.away[(untouched & (~untouched + 1)) * WORDS + w], x)
        untouched &= untouched - 1
    return x


cdef inline uint64_t narrow_word(const Preferences* prefs, uint64_t x, int w) noexcept nogil:
    """Narrow the hexes of one word, preference by preference. To stop when one hex is left, or to
    leave out those that have none, would save instructions, but nobody can foresee when."""
    cdef const Ranking* ranking = &prefs.ranking
    cdef const uint64_t* cells = &prefs.cells[0][w]
    cdef const uint32_t* offsets = &ranking.offsets[N_PREFERENCES]
    x = kb_narrow_word(x, cells, offsets, ranking.begin, ranking.rest)
    x = keep_apart(prefs, x, w)
    return kb_narrow_word(x, cells, offsets, ranking.rest, 0)


cdef inline uint64_t narrow_worthy(const Preferences* prefs, uint64_t x, int w,
                                   int least) noexcept nogil:
    """The same, or 0 if the preferences met are worth less than `least`. What is not met is
    subtracted from the value of all."""
    cdef const Ranking* ranking = &prefs.ranking if x & prefs.sides[w] else prefs.off_sides
    cdef const uint64_t* cells = &prefs.cells[0][w]
    cdef const uint32_t* offsets = &ranking.offsets[N_PREFERENCES]
    cdef const int* values = &ranking.values[N_PREFERENCES]
    cdef int spare = ranking.total - least
    if spare < 0:
        return 0
    x = kb_narrow_worthy(x, cells, offsets, values, ranking.begin, ranking.rest, &spare)
    if spare < 0:
        return 0
    x = keep_apart(prefs, x, w)
    x = kb_narrow_worthy(x, cells, offsets, values, ranking.rest, 0, &spare)
    return 0 if spare < 0 else x


cdef inline int value_in_word(const Preferences* prefs, uint64_t* hexes, int w) noexcept nogil:
    """Narrow the hexes of one word, at least one, and return the value of the preferences met."""
    cdef const Ranking* ranking = &prefs.ranking if hexes[0] & prefs.sides[w] else prefs.off_sides
    cdef const uint64_t* cells = &prefs.cells[0][w]
    cdef const uint32_t* offsets = &ranking.offsets[N_PREFERENCES]
    cdef const int* values = &ranking.values[N_PREFERENCES]
    cdef int spare = ranking.total
    cdef uint64_t x = hexes[0]
    x = kb_narrow_worthy(x, cells, offsets, values, ranking.begin, ranking.rest, &spare)
    x = keep_apart(prefs, x, w)
    hexes[0] = kb_narrow_worthy(x, cells, offsets, values, ranking.rest, 0, &spare)
    return spare


cdef inline int narrow(const Preferences* prefs, int least, uint64_t* x) noexcept nogil:
    """The same for a whole board. Return the value of the preferences met above `least`; below 0 if
    it is less."""
    cdef const Ranking* ranking = (
        &prefs.ranking if kb_intersects(x, prefs.sides) else prefs.off_sides)
    cdef const uint64_t* cells = &prefs.cells[0][0]
    cdef const uint32_t* offsets = &ranking.offsets[N_PREFERENCES]
    cdef const int* values = &ranking.values[N_PREFERENCES]
    cdef uint32_t untouched = prefs.untouched
    cdef int spare = ranking.total - least
    if spare < 0:
        return spare
    spare = kb_narrow_all(x, cells, offsets, values, ranking.begin, ranking.rest, spare)
    if spare < 0:
        return spare
    if not kb_narrow(x, prefs.away + untouched * WORDS):
        while untouched:
            kb_narrow(x, prefs.away + (untouched & (~untouched + 1)) * WORDS)
            untouched &= untouched - 1
    return kb_narrow_all(x, cells, offsets, values, ranking.rest, 0, spare)
