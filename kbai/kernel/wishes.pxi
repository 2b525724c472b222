# What a seat wishes for in a playout: sets of cells, the most valuable first.
#
# A placement is chosen by narrowing the legal hexes down: to those of the first wish if there are
# any, of these to those of the second wish, and so on; then at random. All hexes are looked at for
# the price of an AND for each wish; an informed playout costs three or four random ones.

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
    DYNAMIC_WISHES = WISH_HILLS  # those before have cells that change
    WORTH_OF_CHOICE = 2 * UNIT  # what a free choice of hexes with a card to come is worth


cdef struct Wishes:  # of one seat
    uint64_t cells[DYNAMIC_WISHES][WORDS]
    int worth[N_WISHES]  # in eighths of gold
    # Those worth something, the best first.
    const uint64_t* sets[N_WISHES]
    int worths[N_WISHES]
    int n
    int n_first  # those worth more than a free choice of hexes with a card to come
    const uint64_t* away  # BoardData.away
    uint32_t untouched  # terrains with cards that no own settlement is beside, as bits
    int best_row  # settlements in the fullest row
    int quadrant[4]  # settlements in each quadrant
    uint64_t once[WORDS]  # cells beside at least one own settlement
    uint64_t touched  # special spaces with an own settlement beside them
    uint64_t left  # the spaces with tiles left when the cells were painted


cdef inline void add_cells(uint64_t* cells, const uint64_t* more) noexcept nogil:
    cdef int w
    for w in range(WORDS):
        cells[w] |= more[w]


cdef void widen(const BoardData* b, uint64_t* cells, int hexes) noexcept nogil:
    """Add all cells up to some hexes away."""
    cdef uint64_t old[WORDS]
    cdef int i, bit
    for i in range(hexes):
        memcpy(old, cells, sizeof(old))
        for bit in range(BITS):
            if has_bit(old, bit):
                add_cells(cells, b.near[bit])


cdef void paint_distances(BoardData* b) noexcept nogil:
    """Compile what lies ahead of the special spaces, the quadrants and the terrains."""
    cdef int bit, i, w
    for i in range(b.n_spaces):
        set_bit(b.ahead[i], b.space_bit[i])
        widen(b, b.ahead[i], 2)
    for i in range(4):
        memcpy(b.quadrant_ahead[i], b.quadrant[i], sizeof(b.quadrant[i]))
        widen(b, b.quadrant_ahead[i], 2)
        memcpy(b.quadrant_far[i], b.quadrant_ahead[i], sizeof(b.quadrant[i]))
        widen(b, b.quadrant_far[i], 3)
    for bit in range(BITS):
        for i in range(PLAIN_CARDS):
            for w in range(WORDS):
                if b.near[bit][w] & b.masks[i].w[w]:
                    b.terrains_beside[bit] |= 1 << i
            if not b.terrains_beside[bit] >> i & 1:
                set_bit(b.away[i], bit)


cdef void paint_wishes(BoardData* b) noexcept nogil:
    """Compile the cells of the wishes that do not change."""
    cdef int bit, i
    paint_distances(b)
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


# --- the cells that change ----------------------------------------------------------------------

cdef inline void add_near(const BoardData* b, uint64_t* cells, int bit) noexcept nogil:
    add_cells(cells, b.near[bit])


cdef void paint_spaces(const BoardData* b, const State* s, const Seat* p,
                       Wishes* wishes) noexcept nogil:
    """The sides of the special spaces that are worth reaching."""
    cdef uint64_t wanted = s.left_one & ~p.taken
    cdef uint64_t space
    cdef int i, bit
    memset(wishes.cells[WISH_TILE], 0, 6 * WORDS * sizeof(uint64_t))
    wishes.left = s.left_one
    wishes.touched = 0
    for i in range(b.n_spaces):
        bit = b.space_bit[i]
        space = <uint64_t>1 << i
        if wanted & space and b.space_slot[i]:
            add_near(b, wishes.cells[WISH_TILE], bit)
        if has_bit(p.near, bit):
            wishes.touched |= space
            continue
        if b.space_kind[i] == SPACE_CASTLE:
            add_near(b, wishes.cells[WISH_CASTLE], bit)
            add_cells(wishes.cells[WISH_CASTLE_AHEAD], b.ahead[i])
        elif b.space_kind[i] >= SPACE_PALACE:
            add_near(b, wishes.cells[WISH_LINK], bit)
        add_near(b, wishes.cells[WISH_SPACE], bit)
        add_cells(wishes.cells[WISH_SPACE_AHEAD], b.ahead[i])


cdef void paint_rows(const BoardData* b, const Seat* p, Wishes* wishes) noexcept nogil:
    cdef int r, w, n
    wishes.best_row = 0
    memset(wishes.cells[WISH_NEW_ROW], 0, 3 * WORDS * sizeof(uint64_t))
    for r in range(BOARD_ROW, b.n_rows - 3):
        n = kb_count(p.rows[r])
        if n == 0:
            for w in range(WORDS):
                wishes.cells[WISH_NEW_ROW][w] |= b.row_cells[r][w]
        else:
            add_to_row(b, wishes, r, n)


cdef inline void add_to_row(const BoardData* b, Wishes* wishes, int r, int n) noexcept nogil:
    """A row has n own settlements, one more than before."""
    if n < wishes.best_row:
        return
    if n > wishes.best_row:
        wishes.best_row = n
        memset(wishes.cells[WISH_BEST_ROW], 0, 2 * WORDS * sizeof(uint64_t))
    add_cells(wishes.cells[WISH_BEST_ROW], b.row_cells[r])
    add_cells(wishes.cells[WISH_ROW_AHEAD], b.row_cells[r - 1])
    add_cells(wishes.cells[WISH_ROW_AHEAD], b.row_cells[r + 1])


cdef inline void add_quadrant(const BoardData* b, Wishes* wishes, int wish, int k) noexcept nogil:
    add_cells(wishes.cells[wish], b.quadrant[k])


cdef void paint_quadrants(const BoardData* b, const State* s, int seat,
                          Wishes* all_wishes) noexcept nogil:
    """Where a settlement more helps with Lords, Farmers, Homesteaders and Rovers."""
    cdef Wishes* wishes = &all_wishes[seat]
    cdef int* own = &wishes.quadrant[0]
    cdef int i, k, other, fewest = BITS, most = -1
    memset(wishes.cells[WISH_LORDS], 0, 6 * WORDS * sizeof(uint64_t))
    for k in range(4):
        fewest = min(fewest, own[k])
        most = max(most, own[k])
    for k in range(4):
        if wishes.worth[WISH_LORDS]:
            other = 0
            for i in range(s.n_seats):
                if i != seat:
                    other = max(other, all_wishes[i].quadrant[k])
            if -3 < own[k] - other < 2:
                add_quadrant(b, wishes, WISH_LORDS, k)
        if wishes.worth[WISH_FARMERS] and own[k] == fewest:
            add_quadrant(b, wishes, WISH_FARMERS, k)
            add_cells(wishes.cells[WISH_FARM_AHEAD], b.quadrant_ahead[k])
            add_cells(wishes.cells[WISH_FARM_FAR], b.quadrant_far[k])
        if wishes.worth[WISH_HOME] and own[k] == most:
            add_quadrant(b, wishes, WISH_HOME, k)
        if wishes.worth[WISH_ROVERS] and not s.seats[seat].roved >> k & 1:
            add_quadrant(b, wishes, WISH_ROVERS, k)


cdef void paint_others(const State* s, int seat, Wishes* wishes) noexcept nogil:
    cdef int i, w
    memset(wishes.cells[WISH_OTHERS], 0, WORDS * sizeof(uint64_t))
    for i in range(s.n_seats):
        if i != seat:
            for w in range(WORDS):
                wishes.cells[WISH_OTHERS][w] |= s.seats[i].near[w]


cdef inline void add_to_crowd(const BoardData* b, Wishes* wishes, int bit) noexcept nogil:
    """Cells beside two or more own settlements, and the others."""
    cdef int w
    for w in range(WORDS):
        wishes.cells[WISH_CROWD][w] |= wishes.once[w] & b.near[bit][w]
        wishes.cells[WISH_APART][w] = ~wishes.cells[WISH_CROWD][w]
        wishes.once[w] |= b.near[bit][w]


cdef void paint_crowds(const BoardData* b, const Seat* p, Wishes* wishes) noexcept nogil:
    cdef uint64_t x
    cdef int w
    memset(wishes.once, 0, sizeof(wishes.once))
    memset(wishes.cells[WISH_CROWD], 0, WORDS * sizeof(uint64_t))
    memset(wishes.cells[WISH_APART], 255, WORDS * sizeof(uint64_t))
    for w in range(WORDS):
        x = p.own[w]
        while x:
            add_to_crowd(b, wishes, w * 64 + kb_lowest(x))
            x &= x - 1


cdef void list_untouched(const BoardData* b, const State* s, const Seat* p,
                         Wishes* wishes) noexcept nogil:
    """The terrains whose cards leave a free choice of hexes, as no own settlement is beside them.

    A seat would rather keep that choice: the cells of `away` are preferred after the wishes that
    are worth more.
    """
    cdef const Mask* m
    cdef uint64_t beside
    cdef int i, k
    wishes.untouched = 0
    for i in range(PLAIN_CARDS):
        m = &b.masks[i]
        beside = 0
        for k in range(m.n):
            beside |= m.w[m.index[k]] & s.free[m.index[k]] & p.near[m.index[k]]
        wishes.untouched |= (beside == 0) << i


# --- what they are worth ------------------------------------------------------------------------

cdef void set_worths(const BoardData* b, Wishes* wishes) noexcept nogil:
    """What the cards in play make of the wishes; the tiles follow turn by turn."""
    cdef int i, rule
    memset(wishes.worth, 0, sizeof(wishes.worth))
    wishes.away = &b.away[0][0]
    wishes.worth[WISH_CASTLE] = 3 * UNIT
    wishes.worth[WISH_CASTLE_AHEAD] = UNIT
    wishes.worth[WISH_LINK] = 2 * UNIT
    wishes.worth[WISH_CELL] = UNIT
    wishes.worth[WISH_CELL_2] = UNIT
    wishes.worth[WISH_CELL_3] = UNIT
    for i in range(b.n_asking):
        rule = b.asking[i]
        if rule == SCORE_DISCOVERERS:
            wishes.worth[WISH_NEW_ROW] += UNIT
        elif rule == SCORE_RANGERS:
            wishes.worth[WISH_NEW_ROW] += 2 * UNIT
        elif rule == SCORE_KNIGHTS:
            wishes.worth[WISH_BEST_ROW] += 2 * UNIT
            wishes.worth[WISH_ROW_AHEAD] += 3 * UNIT // 2
        elif rule == SCORE_MAYORS:
            wishes.worth[WISH_BEST_ROW] += UNIT
        elif rule == SCORE_MERCHANTS:
            wishes.worth[WISH_SPACE] += 3 * UNIT
            wishes.worth[WISH_SPACE_AHEAD] += UNIT // 2
        elif rule == SCORE_LORDS:
            wishes.worth[WISH_LORDS] += 3 * UNIT
        elif rule == SCORE_FARMERS:
            wishes.worth[WISH_FARMERS] += 5 * UNIT
            wishes.worth[WISH_FARM_AHEAD] += 2 * UNIT
            wishes.worth[WISH_FARM_FAR] += UNIT
        elif rule == SCORE_HOMESTEADERS:
            wishes.worth[WISH_HOME] += UNIT
        elif rule == SCORE_ROVERS:
            wishes.worth[WISH_ROVERS] += UNIT
        elif rule == SCORE_AMBASSADORS:
            wishes.worth[WISH_OTHERS] += UNIT
        elif rule == SCORE_HERMITS or rule == SCORE_CHAINERS:
            wishes.worth[WISH_APART] += UNIT
        elif rule == SCORE_CITIZENS or rule == SCORE_CAPTAINS or rule == SCORE_SHEPHERDS:
            wishes.worth[WISH_CROWD] += UNIT // 2
        elif rule == SCORE_GEOLOGISTS:
            wishes.worth[WISH_HILLS] += UNIT
        elif rule == SCORE_COMPASS_POINTS or rule == SCORE_ADVANCE:
            wishes.worth[WISH_EDGE] += UNIT // 2
        elif rule == SCORE_NOBLEWOMEN:
            wishes.worth[WISH_NOBLE] += UNIT


cdef void sort_wishes(const BoardData* b, Wishes* wishes) noexcept nogil:
    cdef int i, k
    wishes.n = 0
    for i in range(N_WISHES):
        if wishes.worth[i] <= 0:
            continue
        k = wishes.n
        while k and wishes.worths[k - 1] < wishes.worth[i]:
            wishes.sets[k] = wishes.sets[k - 1]
            wishes.worths[k] = wishes.worths[k - 1]
            k -= 1
        if i < DYNAMIC_WISHES:
            wishes.sets[k] = &wishes.cells[i][0]
        else:
            wishes.sets[k] = &b.wish_cells[i - DYNAMIC_WISHES][0]
        wishes.worths[k] = wishes.worth[i]
        wishes.n += 1


# --- through a game -----------------------------------------------------------------------------

cdef inline bint asks_for_quadrants(const Wishes* wishes) noexcept nogil:
    return (wishes.worth[WISH_LORDS] | wishes.worth[WISH_FARMERS] | wishes.worth[WISH_HOME]
            | wishes.worth[WISH_ROVERS]) != 0


cdef void paint_all(const BoardData* b, const State* s, int seat, Wishes* wishes) noexcept nogil:
    """Anew from the pieces as they stand, as far as a card asks for it."""
    cdef const Seat* p = &s.seats[seat]
    cdef int k
    paint_spaces(b, s, p, wishes)
    if wishes.worth[WISH_NEW_ROW] or wishes.worth[WISH_BEST_ROW]:
        paint_rows(b, p, wishes)
    if wishes.worth[WISH_APART] or wishes.worth[WISH_CROWD]:
        paint_crowds(b, p, wishes)
    if asks_for_quadrants(wishes):
        for k in range(4):
            wishes.quadrant[k] = count_and(p.own, b.quadrant[k])


cdef inline int turns_left(const State* s) noexcept nogil:
    """Roughly, from the seat with the fewest houses."""
    cdef int i, supply = s.seats[0].supply
    for i in range(1, s.n_seats):
        supply = min(supply, <int>s.seats[i].supply)
    return supply // 3


cdef void begin_wishes(const BoardData* b, const State* s, const Policy* policy,
                       Wishes* all_wishes) noexcept nogil:
    """At the start of a turn: what others have changed, and what a tile is worth."""
    cdef Wishes* wishes = &all_wishes[s.mover]
    cdef int tile = <int>(policy.tile * UNIT * turns_left(s))
    if wishes.left != s.left_one:
        paint_spaces(b, s, &s.seats[s.mover], wishes)
    if tile != wishes.worth[WISH_TILE]:
        wishes.worth[WISH_TILE] = tile
        sort_wishes(b, wishes)
    if asks_for_quadrants(wishes):
        paint_quadrants(b, s, s.mover, all_wishes)
    if wishes.worth[WISH_OTHERS]:
        paint_others(s, s.mover, wishes)
    list_untouched(b, s, &s.seats[s.mover], wishes)
    wishes.n_first = 0
    while wishes.n_first < wishes.n and wishes.worths[wishes.n_first] >= WORTH_OF_CHOICE:
        wishes.n_first += 1


cdef inline void follow_wishes(const BoardData* b, const State* s, const Seat* p, int bit,
                               Wishes* wishes) noexcept nogil:
    """A piece was put on a cell."""
    cdef int w, r = b.row[bit]
    if b.beside[bit] & ~wishes.touched:
        paint_spaces(b, s, p, wishes)
    if wishes.worth[WISH_NEW_ROW]:
        for w in range(WORDS):
            wishes.cells[WISH_NEW_ROW][w] &= ~b.row_cells[r][w]
    if wishes.worth[WISH_BEST_ROW]:
        add_to_row(b, wishes, r, kb_count(p.rows[r]))
    if wishes.worth[WISH_APART] or wishes.worth[WISH_CROWD]:
        add_to_crowd(b, wishes, bit)
    if b.quadrant_of[bit] != NO_QUADRANT:
        wishes.quadrant[b.quadrant_of[bit]] += 1
    wishes.untouched &= ~<uint32_t>b.terrains_beside[bit]


cdef inline uint64_t narrow_to(uint64_t x, uint64_t cells) noexcept nogil:
    return x & cells if x & cells else x


cdef inline uint64_t narrow_word(const Wishes* wishes, uint64_t x, int w,
                                 int* worth) noexcept nogil:
    """Narrow the hexes of one word down, wish by wish; tell what the wishes granted are worth."""
    cdef uint64_t untouched = wishes.untouched
    cdef int k
    worth[0] = 0
    for k in range(wishes.n + 1):
        if k == wishes.n_first:
            while untouched:
                x = narrow_to(x, wishes.away[kb_lowest(untouched) * WORDS + w])
                untouched &= untouched - 1
        if k < wishes.n and x & wishes.sets[k][w]:
            worth[0] += wishes.worths[k]
            x &= wishes.sets[k][w]
    return x


cdef inline bint narrow_words(uint64_t* x, const uint64_t* cells, const uint8_t* index,
                              int n) noexcept nogil:
    """Narrow n words down to some cells, if they have any of them."""
    cdef uint64_t y[WORDS]
    cdef uint64_t found = 0
    cdef int i
    for i in range(n):
        y[i] = x[i] & cells[index[i]]
        found |= y[i]
    if found:
        memcpy(x, y, n * sizeof(uint64_t))
    return found != 0


cdef int narrow(const Wishes* wishes, uint64_t* x, const uint8_t* index, int n) noexcept nogil:
    """Narrow n words down, wish by wish; return what the wishes granted are worth."""
    cdef uint64_t untouched = wishes.untouched
    cdef int k, worth = 0
    for k in range(wishes.n + 1):
        if k == wishes.n_first:
            while untouched:
                narrow_words(x, wishes.away + kb_lowest(untouched) * WORDS, index, n)
                untouched &= untouched - 1
        if k < wishes.n and narrow_words(x, wishes.sets[k], index, n):
            worth += wishes.worths[k]
    return worth
