# What a seat wishes for in a playout: sets of cells, the most valuable first.
#
# A placement is chosen by narrowing the legal hexes down: to those of the first wish if there are
# any, of these to those of the second wish, and so on; then at random. All hexes are looked at for
# the price of an AND for each wish; what an informed playout costs: docs/performance.md.

cdef enum:  # kinds of wishes
    WISH_TILE  # beside a space with a tile to gain
    WISH_CASTLE  # beside a castle not touched yet
    WISH_SPACE  # beside any special space not touched yet: Merchants
    WISH_LINK  # the same for palaces and silos
    WISH_CASTLE_AHEAD  # one hex more away from a castle not touched yet
    WISH_SPACE_AHEAD  # the same for any special space: Merchants
    WISH_NEW_ROW  # in a row without an own settlement: Discoverers, Rangers
    WISH_BEST_ROW  # in a row with the most own settlements: Knights, Mayors
    WISH_ROW_AHEAD  # in a row beside one of those: Knights
    WISH_LORDS  # in a quadrant that would be won
    WISH_FARMERS  # in the quadrant with the fewest own settlements
    WISH_FARM_AHEAD  # within two hexes of that quadrant
    WISH_FARM_FAR  # within five
    WISH_HOME  # in the one with the most: Homesteaders
    WISH_ROVERS  # in one not built in during this turn
    WISH_OTHERS  # beside another seat's settlement: Ambassadors
    WISH_APART  # beside one own settlement at most: Hermits, Chainers
    WISH_CROWD  # beside two or more: Citizens, Captains
    WISH_HILLS  # beside a mountain: Geologists
    WISH_EDGE  # on the edge: tasks
    WISH_NOBLE  # beside a space of the Noblewomen
    WISH_CELL  # where the cell itself pays one gold ...
    WISH_CELL_2  # ... two
    WISH_CELL_3
    N_WISHES
    SIDE_WISHES = WISH_CASTLE_AHEAD  # those before are for the sides of special spaces
    DYNAMIC_WISHES = WISH_HILLS  # those before have cells that change
    ALL_WORTH = 0x40000000  # more than all wishes together
    WORTH_OF_CHOICE = 2 * UNIT  # what a free choice of hexes with a card to come is worth


cdef enum:  # bits of BoardData.asks: what the cards in play make worth following
    ASKS_NEW_ROW = 1
    ASKS_BEST_ROW = 2
    ASKS_CROWD = 4
    ASKS_QUADRANT = 8


cdef struct Wishes:  # of one seat
    uint64_t cells[N_WISHES][WORDS]
    int worth[N_WISHES]  # in eighths of gold
    Order all  # those worth something
    Py_ssize_t tile_at  # where the wish for tiles is among them, or before all if it is not
    const Order* others  # the same without those for the sides of spaces ...
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
    uint64_t left  # the spaces with tiles left when the cells were painted


cdef void widen(const BoardData* b, uint64_t* cells, int hexes) noexcept nogil:
    """Add all cells up to some hexes away."""
    cdef uint64_t old[WORDS]
    cdef int i, bit
    for i in range(hexes):
        memcpy(old, cells, sizeof(old))
        for bit in range(BITS):
            if has_bit(old, bit):
                kb_add(cells, b.near[bit])


cdef void paint_distances(BoardData* b) noexcept nogil:
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


cdef void paint_untouched(BoardData* b) noexcept nogil:
    """Compile the cells beside the special spaces, none of which is touched, and which of the
    spaces share any."""
    cdef uint64_t both[WORDS]
    cdef int i, k
    for i in range(b.n_spaces):
        if b.space_kind[i] == SPACE_CASTLE:
            add_near(b, b.space_cells[WISH_CASTLE], b.space_bit[i])
            kb_add(b.space_cells[WISH_CASTLE_AHEAD], b.ahead[i])
        elif b.space_kind[i] >= SPACE_PALACE:
            add_near(b, b.space_cells[WISH_LINK], b.space_bit[i])
        add_near(b, b.space_cells[WISH_SPACE], b.space_bit[i])
        kb_add(b.space_cells[WISH_SPACE_AHEAD], b.ahead[i])
        for k in range(b.n_spaces):
            if k != i and kb_meet(both, b.near[b.space_bit[i]], b.near[b.space_bit[k]]):
                b.shares_side[i] |= <uint64_t>1 << k
            if k != i and kb_meet(both, b.ahead[i], b.ahead[k]):
                b.shares_ahead[i] |= <uint64_t>1 << k


cdef void paint_wishes(BoardData* b) noexcept nogil:
    """Compile the cells of the wishes that do not change."""
    cdef int bit, i
    paint_distances(b)
    paint_untouched(b)
    memcpy(b.wish_cells[WISH_HILLS - DYNAMIC_WISHES], b.mine, sizeof(b.mine))
    memcpy(b.wish_cells[WISH_EDGE - DYNAMIC_WISHES], b.traveler, sizeof(b.traveler))
    for bit in range(BITS):
        if b.cell_of[bit] != NOWHERE:
            set_bit(b.row_cells[b.row[bit]], bit)
        for i in range(WORDS):
            if b.near[bit][i] & b.noble[i]:
                set_bit(b.wish_cells[WISH_NOBLE - DYNAMIC_WISHES], bit)
        for i in range(3):
            if b.cell_gold[bit] > i:
                set_bit(b.wish_cells[WISH_CELL + i - DYNAMIC_WISHES], bit)
        if b.sides[bit] == 0:
            set_bit(b.remote, bit)
            if b.cell_gold[bit] == 0:
                set_bit(b.spare, bit)
    set_worths(b)
    sort_wishes(b)


# --- the cells that change ----------------------------------------------------------------------

cdef inline void change_sides(const BoardData* b, uint64_t* cells, int space,
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


cdef inline void change_ahead(const BoardData* b, uint64_t* cells, int space,
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


cdef void touch_space(const BoardData* b, Wishes* wishes, int i) noexcept nogil:
    """A space is touched now that was not, or the other way round."""
    wishes.touched ^= <uint64_t>1 << i
    wishes.seen[b.space_bit[i] >> 6] ^= <uint64_t>1 << (b.space_bit[i] & 63)
    if b.space_kind[i] == SPACE_CASTLE:
        change_sides(b, wishes.cells[WISH_CASTLE], i, b.castles & ~wishes.touched)
        change_ahead(b, wishes.cells[WISH_CASTLE_AHEAD], i, b.castles & ~wishes.touched)
    elif b.space_kind[i] >= SPACE_PALACE:
        change_sides(b, wishes.cells[WISH_LINK], i, (b.palace_spaces | b.silos) & ~wishes.touched)
    if wishes.worth[WISH_SPACE]:
        change_sides(b, wishes.cells[WISH_SPACE], i, ~wishes.touched)
        change_ahead(b, wishes.cells[WISH_SPACE_AHEAD], i, ~wishes.touched)


cdef inline void paint_tiles(const BoardData* b, const State* s, const Seat* p,
                             Wishes* wishes) noexcept nogil:
    """The sides of the spaces with a tile to gain."""
    cdef uint64_t changed = wishes.wanted
    wishes.left = s.left_one
    wishes.wanted = s.left_one & ~p.taken
    changed ^= wishes.wanted
    while changed:
        change_sides(b, wishes.cells[WISH_TILE], kb_lowest(changed), wishes.wanted)
        changed &= changed - 1


cdef inline void join_sides(Wishes* wishes) noexcept nogil:
    """The sides of all the special spaces that are worth reaching."""
    kb_copy(wishes.sides, wishes.cells[WISH_TILE])
    kb_add(wishes.sides, wishes.cells[WISH_CASTLE])
    if wishes.worth[WISH_SPACE]:
        kb_add(wishes.sides, wishes.cells[WISH_SPACE])
    if wishes.worth[WISH_LINK]:
        kb_add(wishes.sides, wishes.cells[WISH_LINK])


cdef void paint_spaces(const BoardData* b, const State* s, const Seat* p,
                       Wishes* wishes) noexcept nogil:
    """What has changed of these since the last time. Painted anew they were 13 % of an informed
    playout."""
    cdef uint64_t changed
    cdef int i, w
    paint_tiles(b, s, p, wishes)
    for i in range(b.spaces.n):
        w = b.spaces.index[i]
        changed = (p.near[w] & b.spaces.w[w]) ^ wishes.seen[w]
        while changed:
            touch_space(b, wishes, b.space_at[w * 64 + kb_lowest(changed)])
            changed &= changed - 1
    join_sides(wishes)


cdef void reach_spaces(const BoardData* b, const State* s, const Seat* p, uint64_t spaces,
                       Wishes* wishes) noexcept nogil:
    """The same if some spaces are touched for the first time and nothing else has changed but
    tiles. They need not be looked for: saves 20 instructions of each time."""
    if not b.simple:  # silos may be touched, too, and spaces left
        paint_spaces(b, s, p, wishes)
        return
    paint_tiles(b, s, p, wishes)
    while spaces:
        touch_space(b, wishes, kb_lowest(spaces))
        spaces &= spaces - 1
    join_sides(wishes)


cdef inline void change_rows(const BoardData* b, const Seat* p, int source, int target,
                             Wishes* wishes) noexcept nogil:
    """A piece has come from one row to another. Only if it leaves the fullest row, all of them
    are looked at anew."""
    cdef int n = kb_count(p.rows[source])
    if b.asks & ASKS_BEST_ROW and n + 1 == wishes.best_row:
        paint_rows(b, p, wishes)
        return
    if n == 0:
        kb_add(wishes.cells[WISH_NEW_ROW], b.row_cells[source])
    kb_drop(wishes.cells[WISH_NEW_ROW], b.row_cells[target])
    if b.asks & ASKS_BEST_ROW:
        add_to_row(b, wishes, target, kb_count(p.rows[target]))


cdef void paint_rows(const BoardData* b, const Seat* p, Wishes* wishes) noexcept nogil:
    cdef uint32_t rows = kb_rows(p.rows)
    cdef int r
    wishes.best_row = 0
    memset(wishes.cells[WISH_NEW_ROW], 255, WORDS * sizeof(uint64_t))  # also no cells
    memset(wishes.cells[WISH_BEST_ROW], 0, 2 * WORDS * sizeof(uint64_t))
    while rows:
        r = kb_lowest(rows)
        rows &= rows - 1
        kb_drop(wishes.cells[WISH_NEW_ROW], b.row_cells[r])
        add_to_row(b, wishes, r, kb_count(p.rows[r]))


cdef inline void add_to_row(const BoardData* b, Wishes* wishes, int r, int n) noexcept nogil:
    """A row has n own settlements, one more than before."""
    if n < wishes.best_row:
        return
    if n > wishes.best_row:
        wishes.best_row = n
        kb_copy(wishes.cells[WISH_BEST_ROW], b.row_cells[r])
        kb_copy(wishes.cells[WISH_ROW_AHEAD], b.row_cells[r - 1])
    else:
        kb_add(wishes.cells[WISH_BEST_ROW], b.row_cells[r])
        kb_add(wishes.cells[WISH_ROW_AHEAD], b.row_cells[r - 1])
    kb_add(wishes.cells[WISH_ROW_AHEAD], b.row_cells[r + 1])


cdef void paint_quadrants(const BoardData* b, const State* s, int seat,
                          Wishes* all_wishes) noexcept nogil:
    """Where a settlement more helps with Lords, Farmers, Homesteaders and Rovers. Which quadrants
    these are is told by four bits, and their cells are looked up."""
    cdef Wishes* wishes = &all_wishes[seat]
    cdef const int* own = &wishes.quadrant[0]
    cdef int lead[4]
    cdef int i, k, fewest, most
    cdef uint32_t found
    if wishes.worth[WISH_LORDS]:
        memcpy(lead, own, sizeof(lead))
        for i in range(s.n_seats):
            if i != seat:
                for k in range(4):
                    lead[k] = min(lead[k], own[k] - all_wishes[i].quadrant[k])
        kb_copy(wishes.cells[WISH_LORDS], b.quadrants[kb_between(lead, -2, 1)])
    if wishes.worth[WISH_FARMERS]:
        fewest = min(min(own[0], own[1]), min(own[2], own[3]))
        found = kb_between(own, fewest, fewest)
        kb_copy(wishes.cells[WISH_FARMERS], b.quadrants[found])
        kb_copy(wishes.cells[WISH_FARM_AHEAD], b.quadrants_ahead[found])
        kb_copy(wishes.cells[WISH_FARM_FAR], b.quadrants_far[found])
    if wishes.worth[WISH_HOME]:
        most = max(max(own[0], own[1]), max(own[2], own[3]))
        kb_copy(wishes.cells[WISH_HOME], b.quadrants[kb_between(own, most, most)])
    if wishes.worth[WISH_ROVERS]:
        kb_copy(wishes.cells[WISH_ROVERS], b.quadrants[~s.seats[seat].roved & 15])


cdef void paint_others(const State* s, int seat, Wishes* wishes) noexcept nogil:
    cdef int i
    memset(wishes.cells[WISH_OTHERS], 0, WORDS * sizeof(uint64_t))
    for i in range(s.n_seats):
        if i != seat:
            kb_add(wishes.cells[WISH_OTHERS], s.seats[i].near)


cdef inline void add_to_crowd(const BoardData* b, Wishes* wishes, int bit) noexcept nogil:
    """Cells beside two or more own settlements, and the others."""
    kb_crowd(wishes.once, wishes.cells[WISH_CROWD], wishes.cells[WISH_APART], b.near[bit])


cdef inline void move_in_crowd(const BoardData* b, const Seat* p, int source, int target,
                               Wishes* wishes) noexcept nogil:
    """A piece has gone from a cell to another one. What it was beside is crowded no more where one
    settlement is left: cells with none were not."""
    cdef int w
    add_to_crowd(b, wishes, target)
    clear_sides(b, wishes.cells[WISH_CROWD], source,
                single_sides(p.rows, b.row[source], b.shear[source]))
    for w in range(WORDS):
        wishes.cells[WISH_APART][w] = ~wishes.cells[WISH_CROWD][w]
    kb_copy(wishes.once, p.near)


cdef void paint_pieces(const BoardData* b, const Seat* p, Wishes* wishes) noexcept nogil:
    """What every piece adds to: crowds and quadrants."""
    cdef uint32_t filled = kb_filled(p.own)
    cdef uint64_t x
    cdef int w, bit
    memset(wishes.quadrant, 0, sizeof(wishes.quadrant))
    memset(wishes.once, 0, sizeof(wishes.once))
    memset(wishes.cells[WISH_CROWD], 0, WORDS * sizeof(uint64_t))
    memset(wishes.cells[WISH_APART], 255, WORDS * sizeof(uint64_t))
    while filled:
        w = kb_lowest(filled)
        filled &= filled - 1
        x = p.own[w]
        while x:
            bit = w * 64 + kb_lowest(x)
            x &= x - 1
            if b.asks & ASKS_CROWD:
                add_to_crowd(b, wishes, bit)
            wishes.quadrant[b.quadrant_of[bit]] += 1


cdef inline uint32_t untouched_terrains(const BoardData* b, const State* s,
                                        const Seat* p) noexcept nogil:
    """Those whose cards leave a free choice of hexes, as no own settlement is beside them."""
    cdef const Mask* m
    cdef uint32_t scattered = b.scattered
    cdef int i, k
    cdef uint32_t untouched = kb_apart(b.land, s.free, p.near)
    while scattered:
        i = kb_lowest(scattered)
        scattered &= scattered - 1
        m = &b.masks[i]
        for k in range(m.n):
            if m.w[m.index[k]] & s.free[m.index[k]] & p.near[m.index[k]]:
                untouched &= ~(<uint32_t>1 << i)
    return untouched


cdef inline void set_untouched(const BoardData* b, Wishes* wishes,
                               uint32_t untouched) noexcept nogil:
    """A seat would rather keep a free choice: the cells of `away` are preferred after the wishes
    that are worth more."""
    wishes.untouched = untouched
    kb_copy(wishes.apart, b.away[untouched])


# --- what they are worth ------------------------------------------------------------------------

cdef void set_worths(BoardData* b) noexcept nogil:
    """Compile what the cards in play make of the wishes; the tiles follow turn by turn."""
    cdef int i, rule
    cdef int* worth = &b.wish_worth[0]
    # What this board has no cells for is no wish: most boards have two or three of these.
    worth[WISH_CASTLE] = 3 * UNIT if b.castles else 0
    worth[WISH_CASTLE_AHEAD] = UNIT if b.castles else 0
    worth[WISH_LINK] = 2 * UNIT if b.palace_spaces | b.silos else 0
    for i in range(WISH_CELL, N_WISHES):
        worth[i] = UNIT if any_bit(b.wish_cells[i - DYNAMIC_WISHES]) else 0
    for i in range(b.n_asking):
        rule = b.asking[i]
        if rule == SCORE_DISCOVERERS:
            worth[WISH_NEW_ROW] += UNIT
        elif rule == SCORE_RANGERS:
            worth[WISH_NEW_ROW] += 2 * UNIT
        elif rule == SCORE_KNIGHTS:
            worth[WISH_BEST_ROW] += 2 * UNIT
            worth[WISH_ROW_AHEAD] += 3 * UNIT // 2
        elif rule == SCORE_MAYORS:
            worth[WISH_BEST_ROW] += UNIT
        elif rule == SCORE_MERCHANTS:
            worth[WISH_SPACE] += 3 * UNIT
            worth[WISH_SPACE_AHEAD] += UNIT // 2
        elif rule == SCORE_LORDS:
            worth[WISH_LORDS] += 3 * UNIT
        elif rule == SCORE_FARMERS:
            worth[WISH_FARMERS] += 5 * UNIT
            worth[WISH_FARM_AHEAD] += 2 * UNIT
            worth[WISH_FARM_FAR] += UNIT
        elif rule == SCORE_HOMESTEADERS:
            worth[WISH_HOME] += UNIT
        elif rule == SCORE_ROVERS:
            worth[WISH_ROVERS] += UNIT
        elif rule == SCORE_AMBASSADORS:
            worth[WISH_OTHERS] += UNIT
        elif rule == SCORE_HERMITS or rule == SCORE_CHAINERS:
            worth[WISH_APART] += UNIT
        elif rule == SCORE_CITIZENS or rule == SCORE_CAPTAINS or rule == SCORE_SHEPHERDS:
            worth[WISH_CROWD] += UNIT // 2
        elif rule == SCORE_GEOLOGISTS:
            worth[WISH_HILLS] += UNIT
        elif rule == SCORE_COMPASS_POINTS or rule == SCORE_ADVANCE:
            worth[WISH_EDGE] += UNIT // 2
        elif rule == SCORE_NOBLEWOMEN:
            worth[WISH_NOBLE] += UNIT
    if worth[WISH_NEW_ROW]:
        b.asks |= ASKS_NEW_ROW
    if worth[WISH_BEST_ROW]:
        b.asks |= ASKS_BEST_ROW
    if worth[WISH_APART] or worth[WISH_CROWD]:
        b.asks |= ASKS_CROWD
    if worth[WISH_LORDS] or worth[WISH_FARMERS] or worth[WISH_HOME] or worth[WISH_ROVERS]:
        b.asks |= ASKS_QUADRANT


cdef void sort_wishes(BoardData* b) noexcept nogil:
    """Compile the order of the wishes other than tiles, which are not worth anything yet. Set up
    by every playout it was 350 instructions of it."""
    cdef int i
    c_assert(sizeof(b.wish_worth) == N_WISHES * sizeof(int))
    c_assert(sizeof(b.wish_cells) == (N_WISHES - DYNAMIC_WISHES) * WORDS * sizeof(uint64_t))
    clear_order(&b.wishes)
    clear_order(&b.other_wishes)
    for i in range(N_WISHES - 1, WISH_TILE, -1):
        if b.wish_worth[i] > 0:
            add_wish(&b.wishes, i, b.wish_worth[i])
            if i >= SIDE_WISHES:
                add_wish(&b.other_wishes, i, b.wish_worth[i])


cdef void clear_order(Order* order) noexcept nogil:
    """None, but before and behind them what revalue_tiles stops at."""
    order.worths[N_WISHES - 1] = ALL_WORTH
    order.worths[N_WISHES] = 0
    order.begin = 0
    order.rest = 0
    order.all_worth = 0


cdef void add_wish(Order* order, int wish, int worth) noexcept nogil:
    """Before those of the same worth."""
    cdef Py_ssize_t k = N_WISHES + order.begin - 1
    order.worths[k - 1] = ALL_WORTH
    while order.worths[k + 1] > worth:
        order.sets[k] = order.sets[k + 1]
        order.worths[k] = order.worths[k + 1]
        k += 1
    order.sets[k] = wish * WORDS
    order.worths[k] = worth
    order.begin -= 1
    order.rest -= worth < WORTH_OF_CHOICE
    order.all_worth += worth


cdef void start_wishes(const BoardData* b, Wishes* wishes) noexcept nogil:
    """Those of a seat that has nothing on the board."""
    memcpy(wishes.worth, b.wish_worth, sizeof(wishes.worth))
    memcpy(wishes.cells, b.space_cells, sizeof(b.space_cells))
    memcpy(wishes.cells[DYNAMIC_WISHES], b.wish_cells, sizeof(b.wish_cells))
    memset(wishes.seen, 0, sizeof(wishes.seen))
    memset(wishes.quadrant, 0, sizeof(wishes.quadrant))
    forget_tiles(b, wishes)
    wishes.others = &b.other_wishes
    wishes.away = &b.away[0][0]
    wishes.wanted = 0
    wishes.touched = 0
    set_untouched(b, wishes, 0)


cdef inline void forget_tiles(const BoardData* b, Wishes* wishes) noexcept nogil:
    """Tiles are worth nothing."""
    memcpy(&wishes.all, &b.wishes, sizeof(Order))
    wishes.tile_at = N_WISHES + b.wishes.begin - 1


cdef inline void revalue_tiles(const BoardData* b, Wishes* wishes, int worth) noexcept nogil:
    """Tiles change their worth with every turn: only their wish goes to another place among the
    others, which are where they are without it or one before."""
    cdef Order* order = &wishes.all
    cdef const Order* without = &b.wishes
    cdef Py_ssize_t k = wishes.tile_at
    wishes.worth[WISH_TILE] = worth
    if worth <= 0:
        forget_tiles(b, wishes)
        return
    while without.worths[k + 1] > worth:
        order.sets[k] = without.sets[k + 1]
        order.worths[k] = without.worths[k + 1]
        k += 1
    while without.worths[k] <= worth:
        order.sets[k] = without.sets[k]
        order.worths[k] = without.worths[k]
        k -= 1
    wishes.tile_at = k
    order.sets[k] = WISH_TILE * WORDS
    order.worths[k] = worth
    order.begin = without.begin - 1
    order.rest = without.rest - (worth < WORTH_OF_CHOICE)
    order.all_worth = without.all_worth + worth


# --- through a game -----------------------------------------------------------------------------

cdef void paint_all(const BoardData* b, const State* s, int seat, Wishes* wishes) noexcept nogil:
    """Anew from the pieces as they stand, as far as a card asks for it."""
    cdef const Seat* p = &s.seats[seat]
    paint_spaces(b, s, p, wishes)
    if b.asks & (ASKS_NEW_ROW | ASKS_BEST_ROW):
        paint_rows(b, p, wishes)
    if b.asks & (ASKS_CROWD | ASKS_QUADRANT):
        paint_pieces(b, p, wishes)


cdef inline int turns_left(const State* s) noexcept nogil:
    """Roughly, from the seat with the fewest houses."""
    cdef int i, supply = s.seats[0].supply
    for i in range(1, s.n_seats):
        supply = min(supply, <int>s.seats[i].supply)
    return supply // 3


cdef inline void begin_wishes(const BoardData* b, const State* s, const Policy* policy,
                              Wishes* all_wishes) noexcept nogil:
    """At the start of a turn: what others have changed, and what a tile is worth."""
    cdef Wishes* wishes = &all_wishes[s.mover]
    cdef int tile = <int>(policy.tile * UNIT * turns_left(s))
    if wishes.left != s.left_one:
        paint_spaces(b, s, &s.seats[s.mover], wishes)
    if tile != wishes.worth[WISH_TILE]:
        revalue_tiles(b, wishes, tile)
    if b.asks & ASKS_QUADRANT:
        paint_quadrants(b, s, s.mover, all_wishes)
    if wishes.worth[WISH_OTHERS]:
        paint_others(s, s.mover, wishes)
    set_untouched(b, wishes, untouched_terrains(b, s, &s.seats[s.mover]))


cdef inline void follow_wishes(const BoardData* b, const State* s, const Seat* p, int bit,
                               Wishes* wishes) noexcept nogil:
    """A piece was put on a cell."""
    follow_spaces(b, s, p, bit, wishes)
    follow_cards(b, p, bit, wishes)


cdef inline void follow_spaces(const BoardData* b, const State* s, const Seat* p, int bit,
                               Wishes* wishes) noexcept nogil:
    if b.beside[bit] & ~wishes.touched:
        reach_spaces(b, s, p, b.beside[bit] & ~wishes.touched, wishes)


cdef inline void follow_cards(const BoardData* b, const Seat* p, int bit,
                              Wishes* wishes) noexcept nogil:
    cdef int asks = b.asks
    if asks & ASKS_NEW_ROW:
        kb_drop(wishes.cells[WISH_NEW_ROW], b.row_cells[b.row[bit]])
    if asks & ASKS_BEST_ROW:
        add_to_row(b, wishes, b.row[bit], kb_count(p.rows[b.row[bit]]))
    if asks & ASKS_CROWD:
        add_to_crowd(b, wishes, bit)
    wishes.quadrant[b.quadrant_of[bit]] += 1  # whoever asks: to look would cost as much
    if wishes.untouched & b.terrains_beside[bit]:
        set_untouched(b, wishes, wishes.untouched & ~<uint32_t>b.terrains_beside[bit])


cdef inline void follow_move(const BoardData* b, const State* s, const Seat* p, int source,
                             int target, Wishes* wishes) noexcept nogil:
    """A piece was moved: what paint_all does, as far as the two cells change anything. Only if no
    other seat builds or takes pieces in this turn. All anew was 9 % of an informed playout."""
    cdef int asks = b.asks
    if (b.sides[source] | b.sides[target]) or wishes.left != s.left_one:
        paint_spaces(b, s, p, wishes)
    if asks & (ASKS_NEW_ROW | ASKS_BEST_ROW) and b.row[source] != b.row[target]:
        change_rows(b, p, b.row[source], b.row[target], wishes)
    if asks & ASKS_CROWD:
        move_in_crowd(b, p, source, target, wishes)
    wishes.quadrant[b.quadrant_of[source]] -= 1
    wishes.quadrant[b.quadrant_of[target]] += 1


cdef inline uint64_t keep_apart(const Wishes* wishes, uint64_t x, int w) noexcept nogil:
    """Of the hexes of one word rather those that are not beside an untouched terrain. All these
    terrains at once, and only if that leaves nothing one by one."""
    cdef uint32_t untouched = wishes.untouched
    cdef uint64_t y = x & wishes.apart[w]
    if y:
        return y
    while untouched:
        y = x & wishes.away[(untouched & (~untouched + 1)) * WORDS + w]
        if y:
            x = y
        untouched &= untouched - 1
    return x


cdef inline uint64_t narrow_word(const Wishes* wishes, uint64_t x, int w) noexcept nogil:
    """Narrow the hexes of one word down, wish by wish, until one is left."""
    cdef const Order* order = &wishes.all if x & wishes.sides[w] else wishes.others
    cdef const uint64_t* cells = &wishes.cells[0][w]
    cdef Py_ssize_t k = order.begin
    cdef Py_ssize_t rest = order.rest
    cdef uint64_t y
    if x & (x - 1) == 0:
        return x
    while k != rest:
        y = x & cells[order.sets[N_WISHES + k]]
        if y:
            x = y
            if x & (x - 1) == 0:
                return x
        k += 1
    x = keep_apart(wishes, x, w)
    while k:
        y = x & cells[order.sets[N_WISHES + k]]
        if y:
            x = y
            if x & (x - 1) == 0:
                return x
        k += 1
    return x


cdef inline uint64_t narrow_worthy(const Wishes* wishes, uint64_t x, int w,
                                   int least) noexcept nogil:
    """The same, or nothing if the wishes granted are worth less than asked for: from what all are
    worth together those not granted are taken off, so that it shows soon."""
    cdef const Order* order = &wishes.all if x & wishes.sides[w] else wishes.others
    cdef const uint64_t* cells = &wishes.cells[0][w]
    cdef Py_ssize_t k = order.begin
    cdef Py_ssize_t rest = order.rest
    cdef int spare = order.all_worth - least
    cdef uint64_t y
    if spare < 0:
        return 0
    while k != rest:
        y = x & cells[order.sets[N_WISHES + k]]
        if y:
            x = y
        else:
            spare -= order.worths[N_WISHES + k]
            if spare < 0:
                return 0
        k += 1
    x = keep_apart(wishes, x, w)
    while k:
        y = x & cells[order.sets[N_WISHES + k]]
        if y:
            x = y
        else:
            spare -= order.worths[N_WISHES + k]
            if spare < 0:
                return 0
        k += 1
    return x


cdef inline int narrow(const Wishes* wishes, uint64_t* x, int least) noexcept nogil:
    """The same for a whole board; return what the wishes granted are worth above what is asked for,
    below 0 if less."""
    cdef const Order* order = &wishes.all if kb_meets(x, wishes.sides) else wishes.others
    cdef const uint64_t* cells = &wishes.cells[0][0]
    cdef const uint32_t* sets = &order.sets[N_WISHES]
    cdef const int* worths = &order.worths[N_WISHES]
    cdef uint32_t untouched = wishes.untouched
    cdef int spare = order.all_worth - least
    if spare < 0:
        return spare
    spare = kb_grant(x, cells, sets, worths, order.begin, order.rest, spare)
    if spare < 0:
        return spare
    if not kb_narrow(x, wishes.apart):
        while untouched:
            kb_narrow(x, wishes.away + (untouched & (~untouched + 1)) * WORDS)
            untouched &= untouched - 1
    return kb_grant(x, cells, sets, worths, order.rest, 0, spare)
