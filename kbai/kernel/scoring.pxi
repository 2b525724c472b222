# Gold at the end of the game. Family: Score.

cdef struct Areas:
    int count
    int largest
    uint64_t connected  # special spaces an area connects with another one


cdef inline int find_root(uint8_t* parent, int i) noexcept nogil:
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


cdef void find_areas(const BoardData* b, const Seat* p, Areas* areas) noexcept nogil:
    """Settlement areas (R1.9), row by row from the top, each cell from left to right.

    Of the neighbours already seen, W and NW touch each other, and so do NW and NE: only W and NE
    without NW between them can join two areas that were apart until now.
    """
    cdef uint8_t labels[ROWS][32]  # by row and shear; 0: no settlement
    cdef uint8_t* here
    cdef uint8_t* above
    cdef uint8_t parent[MAX_AREAS]
    cdef int size[MAX_AREAS]
    cdef uint64_t touches[MAX_AREAS]
    cdef int r, i, k, n = 0, joined = 0
    cdef size_t q, label
    cdef uint32_t x, beside
    memset(labels, 0, sizeof(labels))
    for r in range(BOARD_ROW, b.n_rows - 3):
        above = labels[r - 1]
        here = labels[r]
        x = p.rows[r]
        beside = b.work_rows[r]
        while x:
            q = kb_lowest(x)
            x &= x - 1
            label = above[q]  # NW
            if label == 0:
                label = here[q - 1]  # W
                i = above[q + 1]  # NE
                if label == 0:
                    label = i
                elif i:
                    i = find_root(parent, i)
                    k = find_root(parent, label)
                    if i != k:
                        parent[i] = k
                        joined += 1
                if label == 0:
                    n += 1
                    c_assert(n < MAX_AREAS)
                    label = n
                    parent[n] = n
                    size[n] = 0
                    touches[n] = 0
            here[q] = label
            size[label] += 1
            if beside >> q & 1:
                touches[label] |= b.beside[b.at[r][q]]
    areas.count = n - joined
    areas.largest = 0
    areas.connected = 0
    for i in range(1, n + 1):
        k = find_root(parent, i)
        if k != i:
            size[k] += size[i]
            touches[k] |= touches[i]
    for i in range(1, n + 1):
        if parent[i] == i:
            if size[i] > areas.largest:
                areas.largest = size[i]
            if touches[i] & (touches[i] - 1):
                areas.connected |= touches[i]


cdef int best_row(const Seat* p) noexcept nogil:
    cdef int r, n, best = 0
    for r in range(BOARD_ROW, BOARD_ROW + 20):
        n = kb_count(p.rows[r])
        if n > best:
            best = n
    return best


cdef int rows_settled(const BoardData* b, const Seat* p) noexcept nogil:
    cdef int r, n = 0
    for r in range(BOARD_ROW, b.n_rows - 3):
        n += p.rows[r] != 0
    return n


cdef int fewest_in_a_quadrant(const BoardData* b, const Seat* p) noexcept nogil:
    cdef int i, n, fewest = BITS
    for i in range(4):
        n = count_and(p.own, b.quadrant[i])
        if n < fewest:
            fewest = n
    return fewest


cdef int lords(const BoardData* b, const State* s, int seat) noexcept nogil:
    """12 for the most settlements in a quadrant, 6 for the second-highest count (R8.5)."""
    cdef int i, k, n, own, higher, level, gold = 0
    for i in range(4):
        own = count_and(s.seats[seat].own, b.quadrant[i])
        if own == 0 and b.options & OPTION_LORDS_NEED_PRESENCE:
            continue
        # Seats above this one count as one step, however many they are, if they are level.
        higher = 0
        level = -1
        for k in range(s.n_seats):
            n = count_and(s.seats[k].own, b.quadrant[i])
            if n > own and n != level:
                higher += 1
                level = n
        if higher == 0:
            gold += 12
        elif higher == 1:
            gold += 6
    return gold


cdef int score_rule(const BoardData* b, const State* s, int seat, int rule,
                    const Areas* areas) noexcept nogil:
    """One seat's gold by one rule (R8.3, R8.5, R8.6); ``areas`` for those that ask for them."""
    cdef const Seat* p = &s.seats[seat]
    if rule == SCORE_CASTLES:
        return 3 * count_and(p.near, b.castle)
    if rule == SCORE_FISHERMEN:
        return count_and(p.own, b.fish)
    if rule == SCORE_MINERS:
        return count_and(p.own, b.mine)
    if rule == SCORE_WORKERS:
        return count_and(p.own, b.work)
    if rule == SCORE_DISCOVERERS:
        return rows_settled(b, p)
    if rule == SCORE_KNIGHTS:
        return 2 * best_row(p)
    if rule == SCORE_HERMITS:
        return areas.count
    if rule == SCORE_CITIZENS:
        return areas.largest // 2
    if rule == SCORE_MERCHANTS:
        return 4 * kb_count(areas.connected)
    if rule == SCORE_FARMERS:
        return 3 * fewest_in_a_quadrant(b, p)
    if rule == SCORE_LORDS:
        return lords(b, s, seat)
    return p.gold[rule - SCORE_TREASURE]  # scored when it happened (R8.1)


cdef void score_seat(const BoardData* b, const State* s, int seat, int* out) noexcept nogil:
    """Gold of a seat: castles, treasure, then one entry per card in play."""
    cdef Areas areas
    cdef int i
    if b.needs_areas:
        find_areas(b, &s.seats[seat], &areas)
    else:
        memset(&areas, 0, sizeof(Areas))
    out[0] = score_rule(b, s, seat, SCORE_CASTLES, &areas)
    out[1] = s.seats[seat].gold[GOLD_TREASURE]
    for i in range(b.n_cards):
        out[i + 2] = score_rule(b, s, seat, b.cards[i], &areas)


cdef int total_gold(const BoardData* b, const State* s, int seat) noexcept nogil:
    cdef int detail[MAX_CARDS + 2]
    cdef int i, total = 0
    score_seat(b, s, seat, detail)
    for i in range(b.n_cards + 2):
        total += detail[i]
    return total
