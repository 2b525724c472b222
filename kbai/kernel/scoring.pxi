# Gold at the end of the game. Family: Score.

cdef enum:  # bits of BoardData.needs_areas
    NEEDS_AREAS = 1
    NEEDS_SHAPES = 2  # also how far they reach and which mountains they touch
    NEEDS_SPACES = 4  # also which special spaces
    NEEDS_SIZES = 8  # also how large they are


cdef struct Areas:
    int count
    int largest
    uint64_t connected  # special spaces an area connects with another one
    int reach  # largest distance between two settlements of one area
    int mountains  # that an area connects with another one


cdef inline uint32_t up_to(uint32_t one) noexcept nogil:
    """All cells of a row up to one."""
    return one | (one - 1)


cdef inline void find_links(const uint32_t* x, int end, uint32_t* begins,
                            uint32_t* links) noexcept nogil:
    """Find where runs of adjacent settlements begin in each row, and the cells of the row above
    that link a run to one above it, one for each such pair."""
    cdef uint32_t met
    cdef int r
    begins[0] = 0
    links[0] = 0
    for r in range(1, end):
        begins[r] = x[r] & ~(x[r] << 1)
        met = (x[r] | x[r] << 1) & x[r - 1]  # NW and NE of a cell
        links[r] = met & ~((met & x[r]) << 1)
    memset(begins + end, 0, (ROWS - end) * sizeof(uint32_t))
    memset(links + end, 0, (ROWS - end) * sizeof(uint32_t))


cdef int largest_area(const Seat* p, const uint32_t* begins,
                      const uint8_t* labels) noexcept nogil:
    cdef uint8_t size[MAX_AREAS]
    cdef Walk walk = begin_walk(begins)
    cdef uint32_t one
    cdef uint8_t most = 0
    cdef int r, i = 0
    memset(size, 0, sizeof(size))
    while walk.rest:
        r = walk.row
        one = next_cell(&walk)
        i += 1
        size[labels[i]] += kb_count(p.rows[r] & ~(p.rows[r] + one))  # the carry clears the run
    for i in range(MAX_AREAS):
        most = max(most, size[i])
    return most


cdef uint64_t connected_spaces(const BoardData* b, const Seat* p, const uint32_t* begins,
                               const uint8_t* before, const uint8_t* labels) noexcept nogil:
    """The special spaces that an area connects with another one."""
    cdef uint64_t touches[MAX_AREAS]
    cdef uint32_t sides[ROWS]
    cdef Walk walk
    cdef uint32_t one
    cdef uint64_t found = 0
    cdef int r, i
    memset(touches, 0, sizeof(touches))
    for r in range(ROWS):
        sides[r] = p.rows[r] & b.work_rows[r]
    walk = begin_walk(sides)
    while walk.rest:
        r = walk.row
        one = next_cell(&walk)
        i = labels[before[r] + kb_count(begins[r] & up_to(one))]
        touches[i] |= b.beside[b.at[r][kb_lowest(one)]]
    for i in range(MAX_AREAS):
        found |= touches[i] if touches[i] & (touches[i] - 1) else 0
    return found


cdef void find_areas(const BoardData* b, const Seat* p, Areas* areas) noexcept nogil:
    """Find settlement areas (R1.9): runs of adjacent settlements in a row, which links between two
    rows join. Each run has the label of its area. A link gives one label to all runs of two areas,
    as vectors, without asking whether they are the same."""
    cdef uint32_t begins[ROWS]
    cdef uint32_t links[ROWS]
    cdef uint8_t before[ROWS]  # runs in the rows above
    cdef uint8_t labels[MAX_AREAS]  # of the runs from 1 on
    cdef Walk walk
    cdef uint32_t one
    cdef uint8_t label, other
    cdef int r, i, n = 0, joined = 0
    if b.n_rows < ISLAND_ROW + 4:
        find_links(p.rows, ISLAND_ROW + 1, begins, links)
    else:
        find_links(p.rows, ISLAND_ROW + 5, begins, links)
    for r in range(ROWS):
        before[r] = n
        n += kb_count(begins[r])
    c_assert(n < MAX_AREAS)
    for i in range(MAX_AREAS):
        labels[i] = i
    walk = begin_walk(links)
    while walk.rest:
        r = walk.row
        one = next_cell(&walk)
        label = labels[before[r] + kb_count(begins[r] & up_to(one))]
        other = labels[before[r - 1] + kb_count(begins[r - 1] & up_to(one))]
        joined += label != other
        for i in range(MAX_AREAS):
            labels[i] = label if labels[i] == other else labels[i]
    areas.count = n - joined
    areas.largest = 0
    areas.connected = 0
    areas.reach = 0
    areas.mountains = 0
    if b.needs_areas & NEEDS_SHAPES:
        measure_areas(b, p, labels, n, areas)
    if b.needs_areas & NEEDS_SPACES:
        areas.connected = connected_spaces(b, p, begins, before, labels)
    if b.needs_areas & NEEDS_SIZES:
        areas.largest = largest_area(p, begins, labels)


cdef inline uint32_t drop_run(uint32_t x) noexcept nogil:
    """A row without its lowest run, which the carry clears."""
    return x & (x + (x & (~x + 1)))


cdef void measure_areas(const BoardData* b, const Seat* p, const uint8_t* labels, int n,
                        Areas* areas) noexcept nogil:
    """Measure how far areas reach (Messengers) and find the mountains they touch (Geologists,
    R8.7), given the labels of the runs.

    The distance of two hexes is their largest difference along the three axes. So the reach of an
    area is its largest extent along one of them.
    """
    cdef int low[MAX_AREAS][3]
    cdef int high[MAX_AREAS][3]
    cdef uint64_t hills[MAX_AREAS][HILL_WORDS]
    cdef uint64_t connected[HILL_WORDS]
    cdef uint32_t rest, run
    cdef int r, i, k, first, last, touched, number = 0
    for i in range(n + 1):
        for k in range(3):
            low[i][k] = BITS
            high[i][k] = -1
        for k in range(HILL_WORDS):
            hills[i][k] = 0
    for r in range(BOARD_ROW, b.n_rows - 3):
        rest = p.rows[r]
        while rest:
            run = rest
            rest = drop_run(rest)
            run ^= rest
            first = kb_lowest(run)
            last = kb_highest(run)
            number += 1
            i = labels[number]
            low[i][0] = min(low[i][0], r)
            high[i][0] = r
            low[i][1] = min(low[i][1], first)
            high[i][1] = max(high[i][1], last)
            low[i][2] = min(low[i][2], r + first)
            high[i][2] = max(high[i][2], r + last)
            while run:
                for k in range(b.hill_words):
                    hills[i][k] |= b.hills[b.at[r][kb_lowest(run)]][k]
                run &= run - 1
    memset(connected, 0, sizeof(connected))
    for i in range(1, n + 1):
        if high[i][0] < 0:
            continue  # joined to another one
        touched = 0
        for k in range(3):
            areas.reach = max(areas.reach, high[i][k] - low[i][k])
        for k in range(HILL_WORDS):
            touched += kb_count(hills[i][k])
        if touched > 1:
            for k in range(HILL_WORDS):
                connected[k] |= hills[i][k]
    for k in range(HILL_WORDS):
        areas.mountains += kb_count(connected[k])


cdef int best_row(const BoardData* b, const Seat* p) noexcept nogil:
    cdef int r, n, best = 0
    cdef int end = ROWS if b.options & OPTION_ISLAND_KNIGHTS else BOARD_ROW + 20
    for r in range(BOARD_ROW, end):
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
        # Seats with the same higher count are one step above, however many they are.
        higher = 0
        level = -1
        for k in range(s.n_seats):
            if k == seat:
                continue
            n = count_and(s.seats[k].own, b.quadrant[i])
            if n > own and n != level:
                higher += 1
                level = n
        if higher == 0:
            gold += 12
        elif higher == 1:
            gold += 6
    return gold


cdef int rows_with_one(const BoardData* b, const Seat* p) noexcept nogil:
    cdef int r, n = 0
    for r in range(BOARD_ROW, b.n_rows - 3):
        n += p.rows[r] != 0 and p.rows[r] & (p.rows[r] - 1) == 0
    return n


cdef int most_in_a_quadrant(const BoardData* b, const Seat* p) noexcept nogil:
    cdef int i, n, most = 0
    for i in range(4):
        n = count_and(p.own, b.quadrant[i])
        if n > most:
            most = n
    return most


cdef int count_settled(const Seat* p, int rule) noexcept nogil:
    """Count settlements by their own neighbours: three or more (Captains), two (Chainers), or six
    on the main board (Fortress)."""
    cdef uint32_t ones, twos, fours, found
    cdef int r, n = 0
    for r in range(1, BOARD_ROW + 20 if rule == SCORE_FORTRESS else 30):
        add_neighbours(&p.rows[0], r, &ones, &twos, &fours)
        if rule == SCORE_CAPTAINS:
            found = fours | twos & ones
        elif rule == SCORE_CHAINERS:
            found = twos & ~ones & ~fours
        else:
            found = fours & twos
        n += kb_count(p.rows[r] & found)
    return n


cdef int most_beside(const BoardData* b, const State* s, int seat,
                     const uint64_t* spaces) noexcept nogil:
    """5 gold for each of some spaces beside which nobody has more settlements (R8.3, R8.7)."""
    cdef uint64_t x
    cdef int w, i, own, bit, gold = 0
    for w in range(WORDS):
        x = spaces[w]
        while x:
            bit = w * 64 + kb_lowest(x)
            x &= x - 1
            own = count_and(s.seats[seat].own, b.near[bit])
            if own == 0:
                continue
            for i in range(s.n_seats):
                if count_and(s.seats[i].own, b.near[bit]) > own:
                    break
            else:
                gold += 5
    return gold


cdef int capitols(const BoardData* b, const Seat* p) noexcept nogil:
    cdef int i, gold = 0
    for i in range(b.n_capitols):
        gold += count_and(p.own, b.capitol[i])
    return gold


cdef bint has_whole_area(const BoardData* b, const Seat* p) noexcept nogil:
    """Whether a seat has settled a whole terrain area (R8.9, Home country)."""
    cdef uint16_t settled[BITS]
    cdef uint64_t x
    cdef int w, area
    memset(settled, 0, sizeof(settled))
    for w in range(WORDS):
        x = p.own[w]
        while x:
            area = b.area[w * 64 + kb_lowest(x)]
            x &= x - 1
            settled[area] += 1
            if settled[area] == b.area_size[area]:
                return True
    return False


cdef bint has_road(const Seat* p) noexcept nogil:
    """Whether seven settlements lie on a diagonal (R8.9): in sheared rows a column or a slant."""
    cdef uint32_t steep, slant
    cdef int r, k
    for r in range(BOARD_ROW, BOARD_ROW + 20 - 6):
        steep = slant = p.rows[r]
        for k in range(1, 7):
            steep &= p.rows[r + k]
            slant &= p.rows[r + k] << k
        if steep or slant:
            return True
    return False


cdef bint has_refuge(const BoardData* b, const Seat* p) noexcept nogil:
    """Whether six own settlements surround a special space that counts (R8.9)."""
    cdef int i
    for i in range(b.n_spaces):
        if (b.cell_of[b.space_bit[i]] < ISLAND_CELL and counts_for(b, i, SCORE_PLACE_OF_REFUGE)
                and count_and(p.own, b.near[b.space_bit[i]]) == 6):
            return True
    return False


cdef int score_task(const BoardData* b, const Seat* p, int rule) noexcept nogil:
    """The gold of a task: all or nothing (R8.9)."""
    cdef int i, most = 0, fewest = BITS
    if rule == SCORE_HOME_COUNTRY:
        return 5 * has_whole_area(b, p)
    if rule == SCORE_FORTRESS:
        return 6 * (count_settled(p, rule) > 0)
    if rule == SCORE_ROAD:
        return 7 * has_road(p)
    if rule == SCORE_PLACE_OF_REFUGE:
        return 8 * has_refuge(b, p)
    for i in range(4):
        most = max(most, count_and(p.own, b.edges[i]))
        fewest = min(fewest, count_and(p.own, b.edges[i]))
    return 9 * (most >= 7) if rule == SCORE_ADVANCE else 10 * (fewest > 0)


cdef int score_rule(const BoardData* b, const State* s, int seat, int rule,
                    const Areas* areas) noexcept nogil:
    """A seat's gold by one rule (R8.3-R8.9). Some rules look at ``areas``."""
    cdef const Seat* p = &s.seats[seat]
    if rule == SCORE_FISHERMEN:
        return count_and(p.own, b.fish)
    if rule == SCORE_MINERS:
        return count_and(p.own, b.mine)
    if rule == SCORE_WORKERS:
        return count_and(p.own, b.work)
    if rule == SCORE_DISCOVERERS:
        return rows_settled(b, p)
    if rule == SCORE_KNIGHTS:
        return 2 * best_row(b, p)
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
    if rule <= SCORE_ROVERS:
        return p.gold[rule - SCORE_TREASURE]  # scored when it happened (R8.1)
    if rule == SCORE_GEOLOGISTS:
        return 2 * areas.mountains
    if rule == SCORE_MESSENGERS:
        return 2 * (areas.reach + 1) if areas.reach else 0
    if rule == SCORE_NOBLEWOMEN:
        return most_beside(b, s, seat, b.noble)
    if rule == SCORE_VASSALS:
        return count_and(p.own, b.vassal)
    if rule == SCORE_CAPTAINS or rule == SCORE_CHAINERS:
        return count_settled(p, rule)
    if rule == SCORE_SCOUTS:
        return count_and(p.own, b.scouted)
    if rule == SCORE_RANGERS:
        return 2 * rows_with_one(b, p)
    if rule == SCORE_MAYORS:
        return 4 * kb_count(p.mayors)
    if rule == SCORE_TRAVELERS:
        return count_and(p.own, b.traveler)
    if rule == SCORE_HOMESTEADERS:
        return most_in_a_quadrant(b, p)
    return score_task(b, p, rule)


cdef void score_seat(const BoardData* b, const State* s, int seat, int* out) noexcept nogil:
    """A seat's gold: what is always scored, then an entry for each card and task in play."""
    cdef Areas areas
    cdef int i, w
    if b.needs_areas:
        find_areas(b, &s.seats[seat], &areas)
    else:
        memset(&areas, 0, sizeof(Areas))
    out[0] = 0
    for i in range(b.spaces.n):  # mostly one word of the eight
        w = b.spaces.index[i]
        out[0] += 3 * kb_count(s.seats[seat].near[w] & b.castle[w])
    out[1] = s.seats[seat].gold[GOLD_TREASURE]
    out[2] = most_beside(b, s, seat, b.palace) if b.palaces else 0
    out[3] = capitols(b, &s.seats[seat]) if b.n_capitols else 0
    for i in range(b.n_cards):
        out[N_ALWAYS + i] = score_rule(b, s, seat, b.cards[i], &areas)


cdef int total_gold(const BoardData* b, const State* s, int seat) noexcept nogil:
    cdef int detail[MAX_CARDS + N_ALWAYS]
    cdef int i, total = 0
    score_seat(b, s, seat, detail)
    for i in range(b.n_cards + N_ALWAYS):
        total += detail[i]
    return total
