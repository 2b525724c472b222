# What a seat preferences for in a playout: sets of cells, the most valuable first.
#
# A placement is chosen by narrowing the legal hexes down: to those of the first preference if there are
# any, of these to those of the second preference, and so on; then at random. All hexes are looked at for
# the price of an AND for each preference; what an informed playout costs: docs/performance.md.

cdef enum:  # kinds of preferences
    PREFER_TILE  # beside a space with a tile to gain
    PREFER_CASTLE  # beside a castle not touched yet
    PREFER_SPACE  # beside any special space not touched yet: Merchants
    PREFER_LINK  # the same for palaces and silos
    PREFER_CASTLE_AHEAD  # one hex more away from a castle not touched yet
    PREFER_SPACE_AHEAD  # the same for any special space: Merchants
    PREFER_NEW_ROW  # in a row without an own settlement: Discoverers, Rangers
    PREFER_BEST_ROW  # in a row with the most own settlements: Knights, Mayors
    PREFER_ROW_AHEAD  # in a row beside one of those: Knights
    PREFER_LORDS  # in a quadrant that would be won
    PREFER_FARMERS  # in the quadrant with the fewest own settlements
    PREFER_FARM_AHEAD  # within two hexes of that quadrant
    PREFER_FARM_FAR  # within five
    PREFER_HOME  # in the one with the most: Homesteaders
    PREFER_ROVERS  # in one not built in during this turn
    PREFER_OTHERS  # beside another seat's settlement: Ambassadors
    PREFER_APART  # beside one own settlement at most: Hermits, Chainers
    PREFER_CROWD  # beside two or more: Citizens, Captains
    PREFER_HILLS  # beside a mountain: Geologists
    PREFER_EDGE  # on the edge: tasks
    PREFER_NOBLE  # beside a space of the Noblewomen
    PREFER_CELL  # where the cell itself pays one gold ...
    PREFER_CELL_2  # ... two
    PREFER_CELL_3
    N_PREFERENCES
    SIDE_PREFERENCES = PREFER_CASTLE_AHEAD  # those before are for the sides of special spaces
    CHANGING_PREFERENCES = PREFER_HILLS  # those before have cells that change
    MAX_VALUE = 0x40000000  # more than all preferences together
    VALUE_OF_CHOICE = 2 * UNIT  # what a free choice of hexes with a card to come is worth


cdef enum:  # bits of BoardData.asks: what the cards in play make worth following
    ASKS_NEW_ROW = 1
    ASKS_BEST_ROW = 2
    ASKS_CROWD = 4
    ASKS_QUADRANT = 8


cdef struct Preferences:  # of one seat
    uint64_t cells[N_PREFERENCES][WORDS]
    int value[N_PREFERENCES]  # in eighths of gold
    Ranking all  # those worth something
    Py_ssize_t tile_at  # where the preference for tiles is among them, or before all if it is not
    const Ranking* others  # the same without those for the sides of spaces ...
    uint64_t sides[WORDS]  # ... all of which lie here: most hexes do not
    const uint64_t* away  # BoardData.away
    uint32_t untouched  # terrains with cards that no own settlement is beside, as bits ...
    uint64_t apart[WORDS]  # ... and the cells that are beside none of them
    int best_row  # settlements in the fullest row
    int quadrant[5]  # settlements in each quadrant, and in none
    uint64_t once[WORDS]  # cells beside at least one own settlement
    uint64_t touched  # special spaces with an own settlement beside them ...
    uint64_t seen[WORDS]  # ... and their cells
    uint64_t wanted  # the spaces with a tile to gain
    uint64_t left  # the spaces with tiles left when the cells were built


cdef void widen(const BoardData* b, uint64_t* cells, int hexes) noexcept nogil:
    """Add all cells up to some hexes away."""
    cdef uint64_t old[WORDS]
    cdef int i, bit
    for i in range(hexes):
        memcpy(old, cells, sizeof(old))
        for bit in range(BITS):
            if has_bit(old, bit):
                kb_add(cells, b.near[bit])


cdef void build_distances(BoardData* b) noexcept nogil:
    """Compile what lies ahead of the special spaces, the quadrants and the terrains."""
    cdef uint64_t ahead[WORDS]
    cdef uint64_t far[WORDS]
    cdef int bit, i, k, w
    for i in range(b.n_spaces):
        set_bit(b.ahead[i], b.space_bit[i])
        widen(b, b.ahead[i], 2)
    for k in range(4):
        memcpy(ahead, b.quadrant[k], sizeof(ahead))
        widen(b, ahead, 2)
        memcpy(far, ahead, sizeof(far))
        widen(b, far, 3)
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


cdef void build_untouched_cells(BoardData* b) noexcept nogil:
    """Compile the cells beside the special spaces, none of which is touched, and which of the
    spaces share any."""
    cdef uint64_t both[WORDS]
    cdef int i, k
    for i in range(b.n_spaces):
        if b.space_kind[i] == SPACE_CASTLE:
            add_near(b, b.untouched_cells[PREFER_CASTLE], b.space_bit[i])
            kb_add(b.untouched_cells[PREFER_CASTLE_AHEAD], b.ahead[i])
        elif b.space_kind[i] >= SPACE_PALACE:
            add_near(b, b.untouched_cells[PREFER_LINK], b.space_bit[i])
        add_near(b, b.untouched_cells[PREFER_SPACE], b.space_bit[i])
        kb_add(b.untouched_cells[PREFER_SPACE_AHEAD], b.ahead[i])
        for k in range(b.n_spaces):
            if k != i and kb_intersect(both, b.near[b.space_bit[i]], b.near[b.space_bit[k]]):
                b.shares_side[i] |= <uint64_t>1 << k
            if k != i and kb_intersect(both, b.ahead[i], b.ahead[k]):
                b.shares_ahead[i] |= <uint64_t>1 << k


cdef void build_preferences(BoardData* b) noexcept nogil:
    """Compile the cells of the preferences that do not change."""
    cdef int bit, i
    build_distances(b)
    build_untouched_cells(b)
    memcpy(b.fixed_cells[PREFER_HILLS - CHANGING_PREFERENCES], b.mine, sizeof(b.mine))
    memcpy(b.fixed_cells[PREFER_EDGE - CHANGING_PREFERENCES], b.traveler, sizeof(b.traveler))
    for bit in range(BITS):
        if b.cell_of[bit] != NOWHERE:
            set_bit(b.row_cells[b.row[bit]], bit)
        for i in range(WORDS):
            if b.near[bit][i] & b.noble[i]:
                set_bit(b.fixed_cells[PREFER_NOBLE - CHANGING_PREFERENCES], bit)
        for i in range(3):
            if b.cell_gold[bit] > i:
                set_bit(b.fixed_cells[PREFER_CELL + i - CHANGING_PREFERENCES], bit)
        if b.sides[bit] == 0:
            set_bit(b.remote, bit)
            if b.cell_gold[bit] == 0:
                set_bit(b.spare, bit)
    build_preference_values(b)
    build_rankings(b)


# --- the cells that change ----------------------------------------------------------------------

cdef inline void update_sides(const BoardData* b, uint64_t* cells, int space,
                              uint64_t wanted) noexcept nogil:
    """The cells beside a space, after it has become one of those that are wanted, or is none."""
    cdef uint64_t others
    if wanted >> space & 1:
        add_near(b, cells, b.space_bit[space])
        return
    kb_drop(cells, b.near[b.space_bit[space]])
    others = wanted & b.shares_side[space]  # seldom any: half the cost of cell by cell
    while others:
        add_near(b, cells, b.space_bit[kb_lowest(others)])
        others &= others - 1


cdef inline void update_ahead(const BoardData* b, uint64_t* cells, int space,
                              uint64_t wanted) noexcept nogil:
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


cdef void toggle_space(const BoardData* b, Preferences* prefs, int i) noexcept nogil:
    """A space is touched now that was not, or the other way round."""
    prefs.touched ^= <uint64_t>1 << i
    prefs.seen[b.space_bit[i] >> 6] ^= <uint64_t>1 << (b.space_bit[i] & 63)
    if b.space_kind[i] == SPACE_CASTLE:
        update_sides(b, prefs.cells[PREFER_CASTLE], i, b.castles & ~prefs.touched)
        update_ahead(b, prefs.cells[PREFER_CASTLE_AHEAD], i, b.castles & ~prefs.touched)
    elif b.space_kind[i] >= SPACE_PALACE:
        update_sides(b, prefs.cells[PREFER_LINK], i, (b.palace_spaces | b.silos) & ~prefs.touched)
    if prefs.value[PREFER_SPACE]:
        update_sides(b, prefs.cells[PREFER_SPACE], i, ~prefs.touched)
        update_ahead(b, prefs.cells[PREFER_SPACE_AHEAD], i, ~prefs.touched)


cdef inline void build_tile_cells(const BoardData* b, const State* s, const Seat* p,
                             Preferences* prefs) noexcept nogil:
    """The sides of the spaces with a tile to gain."""
    cdef uint64_t changed = prefs.wanted
    prefs.left = s.left_one
    prefs.wanted = s.left_one & ~p.taken
    changed ^= prefs.wanted
    while changed:
        update_sides(b, prefs.cells[PREFER_TILE], kb_lowest(changed), prefs.wanted)
        changed &= changed - 1


cdef inline void join_sides(Preferences* prefs) noexcept nogil:
    """The sides of all the special spaces that are worth reaching."""
    kb_copy(prefs.sides, prefs.cells[PREFER_TILE])
    kb_add(prefs.sides, prefs.cells[PREFER_CASTLE])
    if prefs.value[PREFER_SPACE]:
        kb_add(prefs.sides, prefs.cells[PREFER_SPACE])
    if prefs.value[PREFER_LINK]:
        kb_add(prefs.sides, prefs.cells[PREFER_LINK])


cdef void build_space_cells(const BoardData* b, const State* s, const Seat* p,
                       Preferences* prefs) noexcept nogil:
    """What has changed of these since the last time. Rebuilt they were 13 % of an informed
    playout."""
    cdef uint64_t changed
    cdef int i, w
    build_tile_cells(b, s, p, prefs)
    for i in range(b.spaces.n):
        w = b.spaces.index[i]
        changed = (p.near[w] & b.spaces.w[w]) ^ prefs.seen[w]
        while changed:
            toggle_space(b, prefs, b.space_at[w * 64 + kb_lowest(changed)])
            changed &= changed - 1
    join_sides(prefs)


cdef void update_touched_spaces(const BoardData* b, const State* s, const Seat* p, uint64_t spaces,
                       Preferences* prefs) noexcept nogil:
    """The same if some spaces are touched for the first time and nothing else has changed but
    tiles. They need not be looked for: saves 20 instructions of each time."""
    if not b.simple:  # silos may be touched, too, and spaces left
        build_space_cells(b, s, p, prefs)
        return
    build_tile_cells(b, s, p, prefs)
    while spaces:
        toggle_space(b, prefs, kb_lowest(spaces))
        spaces &= spaces - 1
    join_sides(prefs)


cdef inline void update_rows_after_move(const BoardData* b, const Seat* p, int source, int target,
                             Preferences* prefs) noexcept nogil:
    """A piece has come from one row to another. Only if it leaves the fullest row, all of them
    are looked at anew."""
    cdef int n = kb_count(p.rows[source])
    if b.asks & ASKS_BEST_ROW and n + 1 == prefs.best_row:
        build_row_cells(b, p, prefs)
        return
    if n == 0:
        kb_add(prefs.cells[PREFER_NEW_ROW], b.row_cells[source])
    kb_drop(prefs.cells[PREFER_NEW_ROW], b.row_cells[target])
    if b.asks & ASKS_BEST_ROW:
        add_to_row(b, prefs, target, kb_count(p.rows[target]))


cdef void build_row_cells(const BoardData* b, const Seat* p, Preferences* prefs) noexcept nogil:
    cdef uint32_t rows = kb_filled_rows(p.rows)
    cdef int r
    prefs.best_row = 0
    memset(prefs.cells[PREFER_NEW_ROW], 255, WORDS * sizeof(uint64_t))  # also no cells
    memset(prefs.cells[PREFER_BEST_ROW], 0, 2 * WORDS * sizeof(uint64_t))
    while rows:
        r = kb_lowest(rows)
        rows &= rows - 1
        kb_drop(prefs.cells[PREFER_NEW_ROW], b.row_cells[r])
        add_to_row(b, prefs, r, kb_count(p.rows[r]))


cdef inline void add_to_row(const BoardData* b, Preferences* prefs, int r, int n) noexcept nogil:
    """A row has n own settlements, one more than before."""
    if n < prefs.best_row:
        return
    if n > prefs.best_row:
        prefs.best_row = n
        kb_copy(prefs.cells[PREFER_BEST_ROW], b.row_cells[r])
        kb_copy(prefs.cells[PREFER_ROW_AHEAD], b.row_cells[r - 1])
    else:
        kb_add(prefs.cells[PREFER_BEST_ROW], b.row_cells[r])
        kb_add(prefs.cells[PREFER_ROW_AHEAD], b.row_cells[r - 1])
    kb_add(prefs.cells[PREFER_ROW_AHEAD], b.row_cells[r + 1])


cdef void build_quadrant_cells(const BoardData* b, const State* s, int seat,
                          Preferences* all_prefs) noexcept nogil:
    """Where a settlement more helps with Lords, Farmers, Homesteaders and Rovers. Which quadrants
    these are is told by four bits, and their cells are looked up."""
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
    memset(prefs.cells[PREFER_OTHERS], 0, WORDS * sizeof(uint64_t))
    for i in range(s.n_seats):
        if i != seat:
            kb_add(prefs.cells[PREFER_OTHERS], s.seats[i].near)


cdef inline void add_to_crowd(const BoardData* b, Preferences* prefs, int bit) noexcept nogil:
    """Cells beside two or more own settlements, and the others."""
    kb_crowd(prefs.once, prefs.cells[PREFER_CROWD], prefs.cells[PREFER_APART], b.near[bit])


cdef inline void update_crowd_after_move(const BoardData* b, const Seat* p, int source, int target,
                               Preferences* prefs) noexcept nogil:
    """A piece has gone from a cell to another one. What it was beside is crowded no more where one
    settlement is left: cells with none were not."""
    cdef int w
    add_to_crowd(b, prefs, target)
    clear_sides(b, prefs.cells[PREFER_CROWD], source,
                single_sides(p.rows, b.row[source], b.shear[source]))
    for w in range(WORDS):
        prefs.cells[PREFER_APART][w] = ~prefs.cells[PREFER_CROWD][w]
    kb_copy(prefs.once, p.near)


cdef void build_piece_cells(const BoardData* b, const Seat* p, Preferences* prefs) noexcept nogil:
    """What every piece adds to: crowds and quadrants."""
    cdef uint32_t filled = kb_filled_words(p.own)
    cdef uint64_t x
    cdef int w, bit
    memset(prefs.quadrant, 0, sizeof(prefs.quadrant))
    memset(prefs.once, 0, sizeof(prefs.once))
    memset(prefs.cells[PREFER_CROWD], 0, WORDS * sizeof(uint64_t))
    memset(prefs.cells[PREFER_APART], 255, WORDS * sizeof(uint64_t))
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


cdef inline uint32_t untouched_terrains(const BoardData* b, const State* s,
                                        const Seat* p) noexcept nogil:
    """Those whose cards leave a free choice of hexes, as no own settlement is beside them."""
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


cdef inline void set_untouched(const BoardData* b, Preferences* prefs,
                               uint32_t untouched) noexcept nogil:
    """A seat would rather keep a free choice: the cells of `away` are preferred after the preferences
    that are worth more."""
    prefs.untouched = untouched
    kb_copy(prefs.apart, b.away[untouched])


# --- what they are worth ------------------------------------------------------------------------

cdef void build_preference_values(BoardData* b) noexcept nogil:
    """Compile what the cards in play make of the preferences; the tiles follow turn by turn."""
    cdef int i, rule
    cdef int* worth = &b.preference_value[0]
    # What this board has no cells for is no preference: most boards have two or three of these.
    worth[PREFER_CASTLE] = 3 * UNIT if b.castles else 0
    worth[PREFER_CASTLE_AHEAD] = UNIT if b.castles else 0
    worth[PREFER_LINK] = 2 * UNIT if b.palace_spaces | b.silos else 0
    for i in range(PREFER_CELL, N_PREFERENCES):
        worth[i] = UNIT if any_bit(b.fixed_cells[i - CHANGING_PREFERENCES]) else 0
    for i in range(b.n_asking):
        rule = b.asking[i]
        if rule == SCORE_DISCOVERERS:
            worth[PREFER_NEW_ROW] += UNIT
        elif rule == SCORE_RANGERS:
            worth[PREFER_NEW_ROW] += 2 * UNIT
        elif rule == SCORE_KNIGHTS:
            worth[PREFER_BEST_ROW] += 2 * UNIT
            worth[PREFER_ROW_AHEAD] += 3 * UNIT // 2
        elif rule == SCORE_MAYORS:
            worth[PREFER_BEST_ROW] += UNIT
        elif rule == SCORE_MERCHANTS:
            worth[PREFER_SPACE] += 3 * UNIT
            worth[PREFER_SPACE_AHEAD] += UNIT // 2
        elif rule == SCORE_LORDS:
            worth[PREFER_LORDS] += 3 * UNIT
        elif rule == SCORE_FARMERS:
            worth[PREFER_FARMERS] += 5 * UNIT
            worth[PREFER_FARM_AHEAD] += 2 * UNIT
            worth[PREFER_FARM_FAR] += UNIT
        elif rule == SCORE_HOMESTEADERS:
            worth[PREFER_HOME] += UNIT
        elif rule == SCORE_ROVERS:
            worth[PREFER_ROVERS] += UNIT
        elif rule == SCORE_AMBASSADORS:
            worth[PREFER_OTHERS] += UNIT
        elif rule == SCORE_HERMITS or rule == SCORE_CHAINERS:
            worth[PREFER_APART] += UNIT
        elif rule == SCORE_CITIZENS or rule == SCORE_CAPTAINS or rule == SCORE_SHEPHERDS:
            worth[PREFER_CROWD] += UNIT // 2
        elif rule == SCORE_GEOLOGISTS:
            worth[PREFER_HILLS] += UNIT
        elif rule == SCORE_COMPASS_POINTS or rule == SCORE_ADVANCE:
            worth[PREFER_EDGE] += UNIT // 2
        elif rule == SCORE_NOBLEWOMEN:
            worth[PREFER_NOBLE] += UNIT
    if worth[PREFER_NEW_ROW]:
        b.asks |= ASKS_NEW_ROW
    if worth[PREFER_BEST_ROW]:
        b.asks |= ASKS_BEST_ROW
    if worth[PREFER_APART] or worth[PREFER_CROWD]:
        b.asks |= ASKS_CROWD
    if worth[PREFER_LORDS] or worth[PREFER_FARMERS] or worth[PREFER_HOME] or worth[PREFER_ROVERS]:
        b.asks |= ASKS_QUADRANT


cdef void build_rankings(BoardData* b) noexcept nogil:
    """Compile the order of the preferences other than tiles, which are not worth anything yet. Set up
    by every playout it was 350 instructions of it."""
    cdef int i
    c_assert(sizeof(b.preference_value) == N_PREFERENCES * sizeof(int))
    c_assert(sizeof(b.fixed_cells) == (N_PREFERENCES - CHANGING_PREFERENCES) * WORDS * sizeof(uint64_t))
    clear_ranking(&b.ranking)
    clear_ranking(&b.ranking_off_sides)
    for i in range(N_PREFERENCES - 1, PREFER_TILE, -1):
        if b.preference_value[i] > 0:
            insert_preference(&b.ranking, i, b.preference_value[i])
            if i >= SIDE_PREFERENCES:
                insert_preference(&b.ranking_off_sides, i, b.preference_value[i])


cdef void clear_ranking(Ranking* order) noexcept nogil:
    """None, but before and behind them what revalue_tiles stops at."""
    order.values[N_PREFERENCES - 1] = MAX_VALUE
    order.values[N_PREFERENCES] = 0
    order.begin = 0
    order.rest = 0
    order.total = 0


cdef void insert_preference(Ranking* order, int kind, int worth) noexcept nogil:
    """Before those of the same worth."""
    cdef Py_ssize_t k = N_PREFERENCES + order.begin - 1
    order.values[k - 1] = MAX_VALUE
    while order.values[k + 1] > worth:
        order.offsets[k] = order.offsets[k + 1]
        order.values[k] = order.values[k + 1]
        k += 1
    order.offsets[k] = kind * WORDS
    order.values[k] = worth
    order.begin -= 1
    order.rest -= worth < VALUE_OF_CHOICE
    order.total += worth


cdef void init_preferences(const BoardData* b, Preferences* prefs) noexcept nogil:
    """Those of a seat that has nothing on the board."""
    memcpy(prefs.value, b.preference_value, sizeof(prefs.value))
    memcpy(prefs.cells, b.untouched_cells, sizeof(b.untouched_cells))
    memcpy(prefs.cells[CHANGING_PREFERENCES], b.fixed_cells, sizeof(b.fixed_cells))
    memset(prefs.seen, 0, sizeof(prefs.seen))
    memset(prefs.quadrant, 0, sizeof(prefs.quadrant))
    drop_tiles(b, prefs)
    prefs.others = &b.ranking_off_sides
    prefs.away = &b.away[0][0]
    prefs.wanted = 0
    prefs.touched = 0
    set_untouched(b, prefs, 0)


cdef inline void drop_tiles(const BoardData* b, Preferences* prefs) noexcept nogil:
    """Tiles are worth nothing."""
    memcpy(&prefs.all, &b.ranking, sizeof(Ranking))
    prefs.tile_at = N_PREFERENCES + b.ranking.begin - 1


cdef inline void rerank_tiles(const BoardData* b, Preferences* prefs, int worth) noexcept nogil:
    """Tiles change their worth with every turn: only their preference goes to another place among the
    others, which are where they are without it or one before."""
    cdef Ranking* order = &prefs.all
    cdef const Ranking* without = &b.ranking
    cdef Py_ssize_t k = prefs.tile_at
    prefs.value[PREFER_TILE] = worth
    if worth <= 0:
        drop_tiles(b, prefs)
        return
    while without.values[k + 1] > worth:
        order.offsets[k] = without.offsets[k + 1]
        order.values[k] = without.values[k + 1]
        k += 1
    while without.values[k] <= worth:
        order.offsets[k] = without.offsets[k]
        order.values[k] = without.values[k]
        k -= 1
    prefs.tile_at = k
    order.offsets[k] = PREFER_TILE * WORDS
    order.values[k] = worth
    order.begin = without.begin - 1
    order.rest = without.rest - (worth < VALUE_OF_CHOICE)
    order.total = without.total + worth


# --- through a game -----------------------------------------------------------------------------

cdef void build_all_cells(const BoardData* b, const State* s, int seat, Preferences* prefs) noexcept nogil:
    """Anew from the pieces as they stand, as far as a card asks for it."""
    cdef const Seat* p = &s.seats[seat]
    build_space_cells(b, s, p, prefs)
    if b.asks & (ASKS_NEW_ROW | ASKS_BEST_ROW):
        build_row_cells(b, p, prefs)
    if b.asks & (ASKS_CROWD | ASKS_QUADRANT):
        build_piece_cells(b, p, prefs)


cdef inline int turns_left(const State* s) noexcept nogil:
    """Roughly, from the seat with the fewest houses."""
    cdef int i, supply = s.seats[0].supply
    for i in range(1, s.n_seats):
        supply = min(supply, <int>s.seats[i].supply)
    return supply // 3


cdef inline void update_at_turn_start(const BoardData* b, const State* s, const Policy* policy,
                              Preferences* all_prefs) noexcept nogil:
    """At the start of a turn: what others have changed, and what a tile is worth."""
    cdef Preferences* prefs = &all_prefs[s.mover]
    cdef int tile = <int>(policy.tile * UNIT * turns_left(s))
    if prefs.left != s.left_one:
        build_space_cells(b, s, &s.seats[s.mover], prefs)
    if tile != prefs.value[PREFER_TILE]:
        rerank_tiles(b, prefs, tile)
    if b.asks & ASKS_QUADRANT:
        build_quadrant_cells(b, s, s.mover, all_prefs)
    if prefs.value[PREFER_OTHERS]:
        build_opponent_cells(s, s.mover, prefs)
    set_untouched(b, prefs, untouched_terrains(b, s, &s.seats[s.mover]))


cdef inline void update_after_build(const BoardData* b, const State* s, const Seat* p, int bit,
                               Preferences* prefs) noexcept nogil:
    """A piece was put on a cell."""
    update_spaces_after_build(b, s, p, bit, prefs)
    update_cards_after_build(b, p, bit, prefs)


cdef inline void update_spaces_after_build(const BoardData* b, const State* s, const Seat* p, int bit,
                               Preferences* prefs) noexcept nogil:
    if b.beside[bit] & ~prefs.touched:
        update_touched_spaces(b, s, p, b.beside[bit] & ~prefs.touched, prefs)


cdef inline void update_cards_after_build(const BoardData* b, const Seat* p, int bit,
                              Preferences* prefs) noexcept nogil:
    cdef int asks = b.asks
    if asks & ASKS_NEW_ROW:
        kb_drop(prefs.cells[PREFER_NEW_ROW], b.row_cells[b.row[bit]])
    if asks & ASKS_BEST_ROW:
        add_to_row(b, prefs, b.row[bit], kb_count(p.rows[b.row[bit]]))
    if asks & ASKS_CROWD:
        add_to_crowd(b, prefs, bit)
    prefs.quadrant[b.quadrant_of[bit]] += 1  # whoever asks: to look would cost as much
    if prefs.untouched & b.terrains_beside[bit]:
        set_untouched(b, prefs, prefs.untouched & ~<uint32_t>b.terrains_beside[bit])


cdef inline void update_after_move(const BoardData* b, const State* s, const Seat* p, int source,
                             int target, Preferences* prefs) noexcept nogil:
    """A piece was moved: what build_all_cells does, as far as the two cells change anything. Only if no
    other seat builds or takes pieces in this turn. All anew was 9 % of an informed playout."""
    cdef int asks = b.asks
    if (b.sides[source] | b.sides[target]) or prefs.left != s.left_one:
        build_space_cells(b, s, p, prefs)
    if asks & (ASKS_NEW_ROW | ASKS_BEST_ROW) and b.row[source] != b.row[target]:
        update_rows_after_move(b, p, b.row[source], b.row[target], prefs)
    if asks & ASKS_CROWD:
        update_crowd_after_move(b, p, source, target, prefs)
    prefs.quadrant[b.quadrant_of[source]] -= 1
    prefs.quadrant[b.quadrant_of[target]] += 1


cdef inline uint64_t keep_apart(const Preferences* prefs, uint64_t x, int w) noexcept nogil:
    """Of the hexes of one word rather those that are not beside an untouched terrain. All these
    terrains at once, and only if that leaves nothing one by one."""
    cdef uint32_t untouched = prefs.untouched
    cdef uint64_t y = x & prefs.apart[w]
    if y:
        return y
    while untouched:
        y = x & prefs.away[(untouched & (~untouched + 1)) * WORDS + w]
        if y:
            x = y
        untouched &= untouched - 1
    return x


cdef inline uint64_t narrow_word(const Preferences* prefs, uint64_t x, int w) noexcept nogil:
    """Narrow the hexes of one word down, preference by preference, until one is left."""
    cdef const Ranking* order = &prefs.all if x & prefs.sides[w] else prefs.others
    cdef const uint64_t* cells = &prefs.cells[0][w]
    cdef Py_ssize_t k = order.begin
    cdef Py_ssize_t rest = order.rest
    cdef uint64_t y
    if x & (x - 1) == 0:
        return x
    while k != rest:
        y = x & cells[order.offsets[N_PREFERENCES + k]]
        if y:
            x = y
            if x & (x - 1) == 0:
                return x
        k += 1
    x = keep_apart(prefs, x, w)
    while k:
        y = x & cells[order.offsets[N_PREFERENCES + k]]
        if y:
            x = y
            if x & (x - 1) == 0:
                return x
        k += 1
    return x


cdef inline uint64_t narrow_word_to(const Preferences* prefs, uint64_t x, int w,
                                   int least) noexcept nogil:
    """The same, or nothing if the preferences granted are worth less than asked for: from what all are
    worth together those not granted are taken off, so that it shows soon."""
    cdef const Ranking* order = &prefs.all if x & prefs.sides[w] else prefs.others
    cdef const uint64_t* cells = &prefs.cells[0][w]
    cdef Py_ssize_t k = order.begin
    cdef Py_ssize_t rest = order.rest
    cdef int spare = order.total - least
    cdef uint64_t y
    if spare < 0:
        return 0
    while k != rest:
        y = x & cells[order.offsets[N_PREFERENCES + k]]
        if y:
            x = y
        else:
            spare -= order.values[N_PREFERENCES + k]
            if spare < 0:
                return 0
        k += 1
    x = keep_apart(prefs, x, w)
    while k:
        y = x & cells[order.offsets[N_PREFERENCES + k]]
        if y:
            x = y
        else:
            spare -= order.values[N_PREFERENCES + k]
            if spare < 0:
                return 0
        k += 1
    return x


cdef inline int narrow(const Preferences* prefs, uint64_t* x, int least) noexcept nogil:
    """The same for a whole board; return what the preferences granted are worth above what is asked for,
    below 0 if less."""
    cdef const Ranking* order = &prefs.all if kb_intersects(x, prefs.sides) else prefs.others
    cdef const uint64_t* cells = &prefs.cells[0][0]
    cdef const uint32_t* sets = &order.offsets[N_PREFERENCES]
    cdef const int* values = &order.values[N_PREFERENCES]
    cdef uint32_t untouched = prefs.untouched
    cdef int spare = order.total - least
    if spare < 0:
        return spare
    spare = kb_narrow_all(x, cells, sets, values, order.begin, order.rest, spare)
    if spare < 0:
        return spare
    if not kb_narrow(x, prefs.apart):
        while untouched:
            kb_narrow(x, prefs.away + (untouched & (~untouched + 1)) * WORDS)
            untouched &= untouched - 1
    return kb_narrow_all(x, cells, sets, values, order.rest, 0, spare)
