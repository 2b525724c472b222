# The value of a step to a seat, in eighths of gold: rough and quick, for the priors of the tree.
#
# It counts the gold that the cards in play pay for the piece, and something for what may come of
# it: a tile, a quadrant nearly won. What the cards do not pay at once is guessed by hand. Nothing
# here decides what is legal or how a game ends.

cdef struct Land:  # what the values ask of a seat's settlements
    uint8_t label[BITS]  # the area of each own settlement; undefined for other cells
    uint8_t parent[MAX_AREAS]
    uint8_t size[MAX_AREAS]
    uint64_t touches[MAX_AREAS]  # special spaces beside an area
    uint64_t connected  # special spaces an area connects with another one
    int n_areas  # with those that were joined to others
    int largest
    int best_row
    int quadrant[4]


cdef struct Survey:  # of all seats
    Land lands[MAX_SEATS]
    int tile  # value of a location tile now


cdef const uint64_t* paying_cells(const BoardData* b, int rule) noexcept nogil:
    """The cells for which a card pays one gold whatever else is there; NULL if it asks for more."""
    if rule == SCORE_FISHERMEN:
        return b.fish
    if rule == SCORE_MINERS:
        return b.mine
    if rule == SCORE_WORKERS:
        return b.work
    if rule == SCORE_VASSALS:
        return b.vassal
    if rule == SCORE_SCOUTS:
        return b.scouted
    if rule == SCORE_TRAVELERS:
        return b.traveler
    return NULL


cdef void add_cell_gold(BoardData* b, const uint64_t* cells) noexcept nogil:
    cdef int bit
    for bit in range(BITS):
        b.cell_gold[bit] += has_bit(cells, bit)


cdef void build_cell_gold(BoardData* b) noexcept nogil:
    """Fill the table of what a cell pays by itself, and list the cards that ask for more."""
    cdef const uint64_t* cells
    cdef int i
    for i in range(b.n_cards):
        cells = paying_cells(b, b.cards[i])
        if cells != NULL:
            add_cell_gold(b, cells)
        else:
            b.asking[b.n_asking] = b.cards[i]
            b.n_asking += 1
    for i in range(b.n_capitols):
        add_cell_gold(b, b.capitol[i])
    for i in range(b.n_spaces):
        if b.space_kind[i] == SPACE_CASTLE:
            b.castles |= <uint64_t>1 << i
        elif b.space_kind[i] == SPACE_PALACE:
            b.palace_spaces |= <uint64_t>1 << i


# --- the land of a seat -------------------------------------------------------------------------

cdef inline int find_root(uint8_t* parent, int i) noexcept nogil:
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


cdef inline int areas_beside(const BoardData* b, Land* land, const uint64_t* own, int bit,
                             int* roots) noexcept nogil:
    """Find the own areas that a cell touches, at most three; return how many."""
    cdef int d, i, n, root, count = 0
    for d in range(6):
        n = b.neighbour[bit][d]
        if has_bit(own, n):
            root = find_root(land.parent, land.label[n])
            for i in range(count):
                if roots[i] == root:
                    break
            else:
                roots[count] = root
                count += 1
    return count


cdef void join_area(const BoardData* b, Land* land, const uint64_t* own, int bit) noexcept nogil:
    """Add a settlement: it begins an area, or joins all areas that it touches."""
    cdef int roots[6]
    cdef int i, area, n = areas_beside(b, land, own, bit, roots)
    if n == 0:
        area = land.n_areas
        c_assert(area < MAX_AREAS)
        land.n_areas += 1
        land.parent[area] = area
        land.size[area] = 0
        land.touches[area] = 0
    else:
        area = roots[0]
    land.label[bit] = area
    land.size[area] += 1
    land.touches[area] |= b.beside[bit]
    for i in range(1, n):
        land.parent[roots[i]] = area
        land.size[area] += land.size[roots[i]]
        land.touches[area] |= land.touches[roots[i]]
    land.largest = max(land.largest, <int>land.size[area])
    if land.touches[area] & (land.touches[area] - 1):
        land.connected |= land.touches[area]


cdef void survey_land(const BoardData* b, const Seat* p, Land* land) noexcept nogil:
    cdef uint64_t own[WORDS]
    cdef uint64_t x
    cdef int w, k
    land.n_areas = 0
    land.largest = 0
    land.connected = 0
    land.best_row = best_row(b, p)
    for k in range(4):
        land.quadrant[k] = count_and(p.own, b.quadrant[k])
    if not b.needs_areas:
        return
    memset(own, 0, sizeof(own))
    for w in range(WORDS):
        x = p.own[w]
        while x:
            join_area(b, land, own, w * 64 + kb_lowest(x))
            own[w] |= x & (~x + 1)
            x &= x - 1


# --- placing a piece ----------------------------------------------------------------------------

cdef int value_of_spaces(const BoardData* b, const State* s, const Seat* p, const Survey* t,
                         int bit) noexcept nogil:
    """For tiles, castles and palaces beside a cell that the seat has not reached yet."""
    cdef uint64_t spaces = b.touch[bit] & s.left_one & ~p.taken
    cdef int value = t.tile * kb_count(spaces)
    spaces = b.sides[bit] & (b.castles | b.palace_spaces | b.silos)
    while spaces:
        if not has_bit(p.near, b.space_bit[kb_lowest(spaces)]):
            value += 3 * UNIT if spaces & (~spaces + 1) & b.castles else 2 * UNIT
        spaces &= spaces - 1
    return value


cdef int value_in_quadrant(const State* s, int seat, const Survey* t, int rule,
                           int k) noexcept nogil:
    """For Farmers, Lords and Homesteaders: one more settlement in a quadrant."""
    cdef const int* own = &t.lands[seat].quadrant[0]
    cdef int i, other = 0, level = 0
    if rule == SCORE_LORDS:
        for i in range(s.n_seats):
            if i != seat and t.lands[i].quadrant[k] > other:
                other = t.lands[i].quadrant[k]
        i = own[k] - other
        return (6 * UNIT if i == 0 or i == -1 else 2 * UNIT if i == 1 or i == -2
                else UNIT if i == -3 else 2)
    if rule == SCORE_HOMESTEADERS:
        for i in range(4):
            if own[i] > own[k]:
                return 2
        return UNIT
    for i in range(4):
        if own[i] < own[k]:
            return 2 if own[i] + 1 == own[k] else 0
        level += own[i] == own[k]
    return 3 * UNIT // level


cdef int value_in_areas(const BoardData* b, const Seat* p, Land* land, int rule,
                        int bit) noexcept nogil:
    """For Hermits, Citizens and Merchants."""
    cdef int roots[6]
    cdef int i, size = 1
    cdef int n = areas_beside(b, land, p.own, bit, roots) if has_bit(p.near, bit) else 0
    cdef uint64_t touched
    if rule == SCORE_HERMITS:
        return UNIT * (1 - n)
    if rule == SCORE_CITIZENS:
        for i in range(n):
            size += land.size[roots[i]]
        return UNIT // 2 * (size - land.largest) if size > land.largest else 0
    touched = b.beside[bit]
    for i in range(n):
        touched |= land.touches[roots[i]]
    if touched & (touched - 1):
        return 4 * UNIT * kb_count(touched & ~land.connected)
    return UNIT // 2 if b.beside[bit] else 0


cdef int value_at_once(const BoardData* b, const State* s, const Seat* p, int rule,
                       int bit) noexcept nogil:
    """For the red cards, which pay during the game."""
    cdef int i
    if rule == SCORE_SHEPHERDS:
        return 0 if has_empty_neighbour(b, s, bit) else 2 * UNIT
    if rule == SCORE_AMBASSADORS:
        for i in range(s.n_seats):
            if &s.seats[i] != p and has_bit(s.seats[i].near, bit):
                return UNIT
        return 0
    if rule == SCORE_ROVERS:
        i = b.quadrant_of[bit]
        return UNIT if i != NO_QUADRANT and not p.roved >> i & 1 else 0
    if s.n_built == 2:
        return 2 * UNIT * (in_a_line(b, s.built[0], s.built[1], bit)
                           or in_a_line(b, s.built[0], bit, s.built[1])
                           or in_a_line(b, s.built[1], s.built[0], bit))
    return UNIT // 2 if s.n_built and has_bit(b.near[bit], s.built[0]) else 0


cdef int value_in_shape(const BoardData* b, const Seat* p, int rule, int bit) noexcept nogil:
    """For cards that ask how settlements lie to each other, and for tasks; mere hints."""
    cdef int i, n, row = b.row[bit]
    if rule == SCORE_RANGERS:
        n = kb_count(p.rows[row])
        return 2 * UNIT if n == 0 else -2 * UNIT if n == 1 else 0
    if rule == SCORE_MAYORS:
        n = kb_count(p.rows[row])
        return 0 if p.mayors >> row & 1 or n > 3 else 4 * UNIT if n == 3 else n
    if rule == SCORE_NOBLEWOMEN:
        for i in range(WORDS):
            if b.near[bit][i] & b.noble[i]:
                return UNIT
        return 0
    if rule == SCORE_GEOLOGISTS:
        n = 0
        for i in range(HILL_WORDS):
            n += b.hills[bit][i] != 0
        return UNIT * n
    if rule == SCORE_COMPASS_POINTS or rule == SCORE_ADVANCE:
        n = 0
        for i in range(4):
            if has_bit(b.edges[i], bit):
                n += rule == SCORE_ADVANCE or count_and(p.own, b.edges[i]) == 0
        return UNIT * n
    n = count_own_neighbours(p.rows, row, b.shear[bit])
    if rule == SCORE_CAPTAINS:
        return UNIT * n // 2 if n < 3 else UNIT * (n + 1) // 2
    if rule == SCORE_CHAINERS:
        return UNIT if n == 1 else UNIT // 2 if n == 2 else -UNIT if n > 2 else 0
    if rule == SCORE_MESSENGERS:
        return UNIT if n == 1 else 0
    return 0


cdef int value_of_piece(const BoardData* b, const State* s, int seat, Survey* t,
                        int bit) noexcept nogil:
    """The value of a piece on a free cell."""
    cdef const Seat* p = &s.seats[seat]
    cdef Land* land = &t.lands[seat]
    cdef int i, n, rule
    cdef int value = UNIT * b.cell_gold[bit]
    if b.sides[bit]:
        value += value_of_spaces(b, s, p, t, bit)
    for i in range(b.n_asking):
        rule = b.asking[i]
        if rule == SCORE_DISCOVERERS:
            value += UNIT * (p.rows[b.row[bit]] == 0)
        elif rule == SCORE_KNIGHTS:
            n = kb_count(p.rows[b.row[bit]]) + 1 - land.best_row
            value += 2 * UNIT if n > 0 else UNIT // 2 if n == 0 else 0
        elif rule <= SCORE_MERCHANTS:
            value += value_in_areas(b, p, land, rule, bit)
        elif rule <= SCORE_LORDS or rule == SCORE_HOMESTEADERS:
            if b.quadrant_of[bit] != NO_QUADRANT:
                value += value_in_quadrant(s, seat, t, rule, b.quadrant_of[bit])
        elif rule <= SCORE_ROVERS:
            if pays_at_once(b, s, seat):
                value += value_at_once(b, s, p, rule, bit)
        else:
            value += value_in_shape(b, p, rule, bit)
    return value


# --- taking a piece away ------------------------------------------------------------------------

cdef int loss_of_spaces(const BoardData* b, const Seat* p, const Survey* t,
                        int bit) noexcept nogil:
    """For castles and tiles at spaces that only this piece is beside."""
    cdef uint64_t spaces = b.beside[bit]
    cdef uint64_t space
    cdef int loss = 0
    while spaces:
        space = spaces & (~spaces + 1)
        spaces ^= space
        if count_and(p.own, b.near[b.space_bit[kb_lowest(space)]]) == 1:
            if space & b.castles:
                loss += 3 * UNIT
            elif space & p.held:
                loss += t.tile
    return loss


cdef int loss_of(const BoardData* b, const State* s, int seat, const Survey* t,
                 int bit) noexcept nogil:
    """What a seat gives up with one of its pieces. For areas only the neighbours count."""
    cdef const Seat* p = &s.seats[seat]
    cdef const Land* land = &t.lands[seat]
    cdef int i, n, rule, row = b.row[bit]
    cdef int loss = UNIT * b.cell_gold[bit]
    if b.beside[bit]:
        loss += loss_of_spaces(b, p, t, bit)
    for i in range(b.n_asking):
        rule = b.asking[i]
        if rule == SCORE_DISCOVERERS:
            loss += UNIT * (p.rows[row] & (p.rows[row] - 1) == 0)
        elif rule == SCORE_KNIGHTS:
            loss += 2 * UNIT * (kb_count(p.rows[row]) == land.best_row)
        elif rule == SCORE_HERMITS or rule == SCORE_CITIZENS or rule == SCORE_MERCHANTS:
            n = count_own_neighbours(p.rows, row, b.shear[bit])
            if rule == SCORE_HERMITS:
                loss += UNIT * (1 - n)
            else:
                loss += UNIT // 2 * n if rule == SCORE_CITIZENS else UNIT * n
        elif rule == SCORE_FARMERS or rule == SCORE_LORDS:
            if b.quadrant_of[bit] != NO_QUADRANT:
                loss += value_in_quadrant(s, seat, t, rule, b.quadrant_of[bit])
    return loss


# --- ratings ------------------------------------------------------------------------------------

cdef inline int turns_left(const State* s) noexcept nogil:
    """Estimate the turns that are left from the smallest supply."""
    cdef int i, supply = s.seats[0].supply
    for i in range(1, s.n_seats):
        supply = min(supply, <int>s.seats[i].supply)
    return supply // 3


cdef int value_of_victim(const BoardData* b, const State* s, const Survey* t,
                         int bit) noexcept nogil:
    """What the owner of a piece loses with it."""
    cdef int i
    for i in range(s.n_seats):
        if has_bit(s.seats[i].own, bit):
            return loss_of(b, s, i, t, bit)
    return 0


cdef int value_of_step(const BoardData* b, const State* s, int seat, Survey* t,
                       uint32_t step) noexcept nogil:
    """The value of a step of any kind to the seat that decides; 0 for ending a turn."""
    cdef int kind = step >> 24
    cdef int slot = step >> 16 & 255
    cdef int bit = b.bit_of[step & 511]
    if kind == STEP_BUILD:
        return value_of_piece(b, s, seat, t, bit)
    if kind == STEP_LIFT:
        return UNIT - loss_of(b, s, seat, t, bit)
    if kind == STEP_PUT:
        return value_of_piece(b, s, seat, t, bit) - loss_of(b, s, seat, t, s.lift)
    if kind == STEP_REMOVE:
        if b.tiles[slot].action == ACTION_TEMPLE:
            return UNIT - loss_of(b, s, seat, t, bit)
        return value_of_victim(b, s, t, bit)
    if kind == STEP_BACK:
        return -loss_of(b, s, seat, t, bit)
    if kind == STEP_TAKE or kind == STEP_DECLARE or kind == STEP_REPEAT:
        return UNIT
    return 0


cdef void rate_steps(const BoardData* b, const State* s, const Policy* policy,
                     const uint32_t* steps, int n, float* out) noexcept nogil:
    """Estimate what each of some legal steps brings the seat that decides, in gold."""
    cdef Survey t
    cdef int i
    for i in range(s.n_seats):
        survey_land(b, &s.seats[i], &t.lands[i])
    t.tile = <int>(policy.tile * UNIT * turns_left(s))
    for i in range(n):
        out[i] = <float>value_of_step(b, s, actor(s), &t, steps[i]) / UNIT
