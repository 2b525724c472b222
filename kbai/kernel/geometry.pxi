# Bits and rows, and the tables of a board: what is looked up later is computed here once.

cdef extern from "bits.h" nogil:
    int kb_count(uint64_t x) noexcept
    int kb_lowest(uint64_t x) noexcept
    int kb_highest(uint32_t x) noexcept
    uint64_t kb_select(uint64_t x, int k) noexcept
    uint64_t kb_narrowed(uint64_t x, uint64_t y) noexcept
    void kb_put(uint64_t* x, size_t word, uint64_t bits) noexcept
    uint64_t kb_or_else(uint64_t y, uint64_t x) noexcept
    uint64_t kb_deposit(uint64_t x, uint64_t mask) noexcept
    uint32_t kb_every_other(uint32_t x) noexcept
    uint64_t kb_unary(uint64_t numbers) noexcept
    uint64_t kb_from_unary(uint64_t x) noexcept
    uint64_t kb_sums(uint64_t numbers) noexcept
    int kb_heap(uint64_t sums, int k) noexcept
    uint64_t kb_counts(const uint64_t* x) noexcept
    uint32_t kb_nth(const uint64_t* x, uint64_t sums, int k) noexcept
    uint64_t kb_narrow_word(uint64_t x, const uint64_t* cells, const uint32_t* offsets,
                            Py_ssize_t i, Py_ssize_t end) noexcept
    uint64_t kb_narrow_worthy(uint64_t x, const uint64_t* cells, const uint32_t* offsets,
                              const int* values, Py_ssize_t i, Py_ssize_t end, int* spare) noexcept
    void kb_add(uint64_t* x, const uint64_t* y) noexcept
    void kb_copy(uint64_t* x, const uint64_t* y) noexcept
    void kb_set(uint64_t* x, size_t word, uint64_t bits) noexcept
    void kb_clear(uint64_t* x, size_t word, uint64_t bits) noexcept
    void kb_clear_sides(uint64_t* x, const uint16_t* neighbours, const uint8_t* side_at,
                        uint64_t sides) noexcept
    void kb_drop(uint64_t* x, const uint64_t* y) noexcept
    bint kb_intersect(uint64_t* out, const uint64_t* x, const uint64_t* y) noexcept
    bint kb_intersects(const uint64_t* x, const uint64_t* y) noexcept
    bint kb_narrow(uint64_t* x, const uint64_t* y) noexcept
    int kb_narrow_all(uint64_t* x, const uint64_t* cells, const uint32_t* offsets,
                      const int* values, Py_ssize_t i, Py_ssize_t end, int spare) noexcept
    void kb_crowd(uint64_t* once, uint64_t* twice, uint64_t* rest, const uint64_t* y) noexcept
    void* kb_opaque(void* p) noexcept
    void* kb_align(void* p) noexcept
    uint32_t kb_filled_words(const uint64_t* x) noexcept
    uint32_t kb_disjoint_words(const uint64_t* x, const uint64_t* y, const uint64_t* z) noexcept
    uint32_t kb_filled_rows(const uint32_t* rows) noexcept
    uint64_t kb_window(const uint32_t* rows, int q) noexcept
    uint32_t kb_between(const int* x, int low, int high) noexcept
    enum: KB_LANES
    bint KB_HAS_LANES  # whether this build can narrow them
    void kb_narrow_jumps(uint64_t* lanes, int* values_met, const uint32_t* pieces,
                         const uint64_t (*table)[4], const uint64_t* free_cells,
                         const uint64_t* cells, const uint32_t* offsets, const int* values,
                         Py_ssize_t i, Py_ssize_t rest, uint32_t terrains) noexcept
    bint KB_CHECKS  # whether this build has asserts
    void kb_check(bint condition) noexcept
    ctypedef void specialized "KB_SPECIALIZED void"  # what a function returns that is always inline

cdef extern from "<assert.h>" nogil:
    void c_assert "assert"(bint condition) noexcept


cdef inline void set_bit(uint64_t* board, int bit) noexcept nogil:
    board[bit >> 6] |= <uint64_t>1 << (bit & 63)


cdef inline void clear_bit(uint64_t* board, int bit) noexcept nogil:
    board[bit >> 6] &= ~(<uint64_t>1 << (bit & 63))


cdef inline bint has_bit(const uint64_t* board, int bit) noexcept nogil:
    return board[bit >> 6] >> (bit & 63) & 1


cdef inline int count_and(const uint64_t* a, const uint64_t* b) noexcept nogil:
    cdef int w, n = 0
    for w in range(WORDS):
        n += kb_count(a[w] & b[w])
    return n


cdef inline bint any_bit(const uint64_t* a) noexcept nogil:
    cdef int w
    cdef uint64_t all_words = 0
    for w in range(WORDS):
        all_words |= a[w]
    return all_words != 0


cdef enum:  # the six neighbours of a cell in kb_window
    SIDES = 0xC141800


cdef inline uint64_t lonely_sides(const uint32_t* rows, int r, int q) noexcept nogil:
    """The neighbours of a cell, as bits of its window, that have no settlement beside them except
    perhaps the one on the cell itself. In one register instead of row by row, which saves 45
    instructions of a move."""
    cdef uint64_t x = kb_window(rows + r - 2, q) & ~(<uint64_t>1 << 19)
    cdef uint64_t west = x << 1
    cdef uint64_t east = x >> 1
    return ~(west | east | (x | west) << 7 | (x | east) >> 7) & SIDES


cdef inline uint64_t single_sides(const uint32_t* rows, int r, int q) noexcept nogil:
    """The neighbours of a cell, as bits of its window, that have one settlement beside them."""
    cdef uint64_t x = kb_window(rows + r - 2, q)
    cdef uint64_t west = x << 1
    cdef uint64_t east = x >> 1
    cdef uint64_t here = west | east
    cdef uint64_t up = (x | west) << 7
    cdef uint64_t down = (x | east) >> 7
    cdef uint64_t more = (west & east | (x & west) << 7 | (x & east) >> 7 | up & down
                          | here & (up | down))
    return (here | up | down) & ~more & SIDES


cdef inline void clear_sides(const BoardData* b, int bit, uint64_t sides,
                             uint64_t* cells) noexcept nogil:
    """Clear some neighbours of a cell, given as bits of its window."""
    kb_clear_sides(cells, b.neighbour[bit], SIDE_AT, sides)


cdef struct Walk:  # over all cells of 32 rows: one loop with one end that nobody can foresee
    const uint32_t* rows
    uint32_t rest  # the cells of this row that are left; 0 at the end
    int row
    uint32_t below  # the rows that are not empty and come later, and the last one, which is empty


cdef inline Walk begin_walk(const uint32_t* rows) noexcept nogil:
    cdef Walk walk
    walk.rows = rows
    walk.below = kb_filled_rows(rows) | <uint32_t>1 << (ROWS - 1)
    walk.row = kb_lowest(walk.below)
    walk.rest = rows[walk.row]
    walk.below &= walk.below - 1
    return walk


cdef inline uint32_t next_cell(Walk* walk) noexcept nogil:
    """The next cell, of the row that ``walk`` had before. Then the row changes without a jump."""
    cdef uint32_t one = walk.rest & (~walk.rest + 1)
    cdef int row = kb_lowest(walk.below | <uint32_t>1 << (ROWS - 1))
    cdef uint32_t changes
    walk.rest ^= one
    changes = -<uint32_t>(walk.rest == 0)
    walk.rest |= walk.rows[row] & changes
    walk.row ^= (walk.row ^ row) & <int>changes
    walk.below &= walk.below + changes
    return one


cdef inline int count_own_neighbours(const uint32_t* rows, int row, int shear) noexcept nogil:
    return kb_count((rows[row - 1] >> shear & 3)
                    | (rows[row] >> (shear - 1) & 5) << 2
                    | (rows[row + 1] >> (shear - 1) & 3) << 5)


cdef inline void add_neighbours(const uint32_t* rows, int r, uint32_t* ones, uint32_t* twos,
                                uint32_t* fours) noexcept nogil:
    """Count the six neighbours of all cells of a row at once, as binary digits of the counts."""
    cdef uint32_t e = rows[r] >> 1
    cdef uint32_t w = rows[r] << 1
    cdef uint32_t ne = rows[r - 1] >> 1
    cdef uint32_t nw = rows[r - 1]
    cdef uint32_t se = rows[r + 1]
    cdef uint32_t sw = rows[r + 1] << 1
    cdef uint32_t odd_up = e ^ ne ^ nw
    cdef uint32_t two_up = e & ne | e & nw | ne & nw
    cdef uint32_t odd_down = w ^ se ^ sw
    cdef uint32_t two_down = w & se | w & sw | se & sw
    cdef uint32_t carry = odd_up & odd_down
    ones[0] = odd_up ^ odd_down
    twos[0] = two_up ^ two_down ^ carry
    fours[0] = two_up & two_down | two_up & carry | two_down & carry


cdef bint in_a_line(const BoardData* b, int x, int y, int z) noexcept nogil:
    """Whether y lies between x and z, all three side by side on a straight line (R1.2)."""
    cdef int d
    for d in range(6):
        if b.neighbour[y][d] == x and b.neighbour[y][OPPOSITE[d]] == z:
            return True
    return False


# In sheared rows a step is the same on every row: (row, shear) per direction of R1.1.
cdef int[6] ROW_STEP = [0, 0, -1, -1, 1, 1]
cdef int[6] SHEAR_STEP = [1, -1, 1, 0, 0, -1]
cdef int[6] OPPOSITE = [1, 0, 5, 4, 3, 2]
# The direction of each neighbour in kb_window.
cdef uint8_t[28] SIDE_AT = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0,
                            0, 0, 5, 4]


cdef bint is_buildable(int terrain) noexcept nogil:
    """Whether houses may be built on a terrain (R1.5)."""
    return terrain <= FARMLAND


cdef int cell_row(int cell) noexcept nogil:
    if cell < ISLAND_CELL:
        return BOARD_ROW + cell // 20
    return ISLAND_ROW + (cell - ISLAND_CELL) // 10


cdef int cell_shear(int cell) noexcept nogil:
    """Axial column (R1.1), moved right so that each cell has room for three shifts either way."""
    cdef int r, c
    if cell < ISLAND_CELL:
        r = cell // 20
        c = cell % 20
    else:
        r = (cell - ISLAND_CELL) // 10
        c = (cell - ISLAND_CELL) % 10
    return c - r // 2 + 10


cdef void number_cells(BoardData* b, const uint8_t* terrain) noexcept nogil:
    """Give each cell its bit. A terrain with cards fills a word of its own, then shares others."""
    cdef int cell, t, k
    cdef int filled[WORDS]
    cdef int spill = FOREST + 1  # the first word for everything else
    memset(filled, 0, sizeof(filled))
    for k in range(BITS):
        b.bit_of[k] = NOWHERE
        b.cell_of[k] = NOWHERE
        b.terrain[k] = VOID
    for t in range(VOID):
        for cell in range(ISLAND_CELL + 50):
            if terrain[cell] != t:
                continue
            if t <= FOREST and filled[t] < 64:
                k = t
            else:
                while filled[spill] == 64 or (spill == WORDS - 1 and filled[spill] == 63):
                    spill = (spill + 1) % WORDS  # an unusual map: fill up the terrains' words
                k = spill
            b.bit_of[cell] = k * 64 + filled[k]
            b.cell_of[k * 64 + filled[k]] = cell
            b.terrain[k * 64 + filled[k]] = t
            filled[k] += 1


cdef void insert_sorted(uint16_t* numbers, int n, int number) noexcept nogil:
    """Insert a number into n ascending ones."""
    while n and numbers[n - 1] > number:
        numbers[n] = numbers[n - 1]
        n -= 1
    numbers[n] = number


cdef void connect_cells(BoardData* b) noexcept nogil:
    """Fill the tables of rows, neighbours and jumps."""
    cdef int bit, cell, d, r, q, n
    for r in range(ROWS):
        for q in range(32):
            b.at[r][q] = NOWHERE
    for bit in range(BITS):
        b.row[bit] = 1  # bits without a cell lie in the empty margin
        b.shear[bit] = 1
        cell = b.cell_of[bit]
        if cell != NOWHERE:
            b.row[bit] = cell_row(cell)
            b.shear[bit] = cell_shear(cell)
            b.shear_bit[bit] = <uint32_t>1 << b.shear[bit]
            b.at[b.row[bit]][b.shear[bit]] = bit
            if b.n_rows < b.row[bit] + 4:
                b.n_rows = b.row[bit] + 4
    for bit in range(BITS):
        for d in range(6):
            b.neighbour[bit][d] = NOWHERE
            b.jump[bit][d] = NOWHERE
            if b.cell_of[bit] == NOWHERE:
                continue
            r = b.row[bit] + ROW_STEP[d]
            q = b.shear[bit] + SHEAR_STEP[d]
            n = b.at[r][q]
            if n != NOWHERE:
                b.neighbour[bit][d] = n
                set_bit(b.near[bit], n)
            r += ROW_STEP[d]
            q += SHEAR_STEP[d]
            if 0 <= r < ROWS and 0 <= q < 32 and b.at[r][q] != NOWHERE and is_buildable(
                    b.terrain[b.at[r][q]]):
                insert_sorted(b.jump[bit], d, b.at[r][q])
                set_bit(b.jump_cells[bit], b.at[r][q])
        b.kin[bit] = b.near[bit][bit >> 6]


cdef bint is_edge(int cell) noexcept nogil:
    """Whether a cell is on the edge of the board (R1.4). The island has none (R6.1, Tower)."""
    return cell < ISLAND_CELL and (cell // 20 in (0, 19) or cell % 20 in (0, 19))


cdef bint touches_terrain(const BoardData* b, int bit, int terrain) noexcept nogil:
    cdef int d, n
    for d in range(6):
        n = b.neighbour[bit][d]
        if n != NOWHERE and b.terrain[n] == terrain:
            return True
    return False


cdef bint touches_water(const BoardData* b, int bit) noexcept nogil:
    """Beside a water hex, or on the coast of the island (R6.6)."""
    cdef int d
    if b.cell_of[bit] >= ISLAND_CELL:
        for d in range(6):
            if b.neighbour[bit][d] == NOWHERE:
                return True
    return touches_terrain(b, bit, WATER)


cdef bint is_inland(const BoardData* b, int bit) noexcept nogil:
    """Whether all six neighbours are buildable."""
    cdef int d, n
    for d in range(6):
        n = b.neighbour[bit][d]
        if n == NOWHERE or not is_buildable(b.terrain[n]):
            return False
    return True


cdef void build_borders(BoardData* b, int bit, int cell) noexcept nogil:
    """Edges and inner borders of the main board (R1.4)."""
    cdef int r = cell // 20
    cdef int c = cell % 20
    b.quadrant_of[bit] = r // 10 * 2 + c // 10
    set_bit(b.quadrant[b.quadrant_of[bit]], bit)
    if is_edge(cell):
        set_bit(b.traveler, bit)
    if r == 0:
        set_bit(b.edges[0], bit)
    if r == 19:
        set_bit(b.edges[1], bit)
    if c == 0:
        set_bit(b.edges[2], bit)
    if c == 19:
        set_bit(b.edges[3], bit)
    if r == 9 or r == 10 or c == 9 or c == 10:
        set_bit(b.vassal, bit)


cdef int flood(const BoardData* b, int bit, int label, uint16_t* number) noexcept nogil:
    """Number the terrain area of a cell and return its size. Cells without a number have 0."""
    cdef uint16_t stack[BITS]
    cdef int d, n, size = 1, top = 1
    stack[0] = bit
    number[bit] = label
    while top:
        top -= 1
        bit = stack[top]
        for d in range(6):
            n = b.neighbour[bit][d]
            if n != NOWHERE and number[n] == 0 and b.terrain[n] == b.terrain[bit]:
                number[n] = label
                stack[top] = n
                top += 1
                size += 1
    return size


cdef void find_terrain_areas(BoardData* b) noexcept nogil:
    """Find the areas of one terrain: all of them for Home country, mountains for Geologists."""
    cdef uint16_t number[BITS]
    cdef int bit, d, n, size, label = 0, hills = 0
    memset(number, 0, sizeof(number))
    for bit in range(BITS):
        if b.terrain[bit] >= SPECIAL or number[bit]:
            continue
        label += 1
        size = flood(b, bit, label, number)
        if b.cell_of[bit] < ISLAND_CELL:  # tasks count on the main board only
            b.area_size[label] = size
        if b.terrain[bit] == MOUNTAIN:
            for n in range(BITS):
                if number[n] != label:
                    continue
                b.hills[n][hills >> 6] |= <uint64_t>1 << (hills & 63)
                for d in range(6):
                    if b.neighbour[n][d] != NOWHERE:
                        b.hills[b.neighbour[n][d]][hills >> 6] |= <uint64_t>1 << (hills & 63)
            hills += 1
    b.hill_words = (hills + 63) // 64
    memcpy(b.area, number, sizeof(number))


cdef void build_cave(BoardData* b, int bit) noexcept nogil:
    cdef int d, n
    for d in range(6):
        n = b.neighbour[bit][d]
        if n != NOWHERE:
            set_bit(b.cave_side, n)
            if is_buildable(b.terrain[n]):
                set_bit(b.masks[MASK_CAVE_SIDE].w, n)


cdef void build_capitol(BoardData* b, int bit) noexcept nogil:
    """The hexes within two of a capitol (R8.4), without the castle, which nobody settles."""
    cdef int d, n, w
    for d in range(6):
        n = b.neighbour[bit][d]
        if n != NOWHERE:
            set_bit(b.capitol[b.n_capitols], n)
            for w in range(WORDS):
                b.capitol[b.n_capitols][w] |= b.near[n][w]
    clear_bit(b.capitol[b.n_capitols], bit)
    b.n_capitols += 1


cdef void build_scouted(BoardData* b, int terrain) noexcept nogil:
    cdef int bit
    for bit in range(BITS):
        if b.terrain[bit] < SPECIAL and b.terrain[bit] != terrain and touches_terrain(
                b, bit, terrain):
            set_bit(b.scouted, bit)


cdef void index_mask(Mask* m) noexcept nogil:
    """Note which words of a mask are not 0."""
    cdef int w
    m.n = 0
    for w in range(WORDS):
        if m.w[w] != 0:
            m.index[m.n] = w
            m.n += 1


cdef void index_masks(BoardData* b) noexcept nogil:
    cdef int t
    for t in range(N_MASKS):
        index_mask(&b.masks[t])
    index_mask(&b.spaces)
    for t in range(FOREST + 1):
        b.land[t] = b.masks[t].w[t] if b.masks[t].n == 1 else 0
        b.scattered |= (b.land[t] == 0) << t


cdef bint counts_for(const BoardData* b, int space, int rule) noexcept nogil:
    """Whether a special space counts for Workers or Merchants, Noblewomen, or Place of refuge: if
    the rule books list its kind, or all do by option (R8.2). Palaces have gold of their own, so
    Noblewomen never pay for them."""
    cdef int kind = b.space_kind[space]
    if kind == SPACE_PALACE:
        return rule == SCORE_WORKERS or (
            rule == SCORE_PLACE_OF_REFUGE and b.options & OPTION_ALL_SPACES_COUNT)
    return kind != SPACE_SILO or b.options & OPTION_ALL_SPACES_COUNT


cdef void build_space(BoardData* b, int i) noexcept nogil:
    cdef uint64_t space = <uint64_t>1 << i
    cdef int bit = b.space_bit[i]
    cdef int kind = b.space_kind[i]
    cdef int d, n
    if kind == SPACE_CASTLE:
        set_bit(b.castle, bit)
    elif kind == SPACE_LOCATION:
        b.locations |= space
    elif kind == SPACE_PALACE:
        set_bit(b.palace, bit)
    elif kind == SPACE_SILO:
        b.silos |= space
    elif b.space_slot[i]:
        b.nomads |= space
    if counts_for(b, i, SCORE_NOBLEWOMEN):
        set_bit(b.noble, bit)
    if counts_for(b, i, SCORE_WORKERS):
        b.counted |= space
    if b.space_slot[i]:
        b.slot_spaces[b.space_slot[i]] |= space
    b.space_at[bit] = i
    set_bit(b.spaces.w, bit)
    for d in range(6):
        n = b.neighbour[bit][d]
        if n == NOWHERE:
            continue
        b.sides[n] |= space
        if is_buildable(b.terrain[n]):
            set_bit(b.masks[MASK_SPECIAL_SIDE].w, n)
        if b.space_slot[i]:
            b.touch[n] |= space
        if b.counted & space:
            b.beside[n] |= space
            set_bit(b.work, n)
            b.work_rows[b.row[n]] |= <uint32_t>1 << b.shear[n]


cdef void build_masks(BoardData* b) noexcept nogil:
    """Fill the masks that depend on terrain and spaces alone."""
    cdef int bit, cell, t, i
    for bit in range(BITS):
        cell = b.cell_of[bit]
        if cell == NOWHERE:
            continue
        t = b.terrain[bit]
        if t < SPECIAL:
            set_bit(b.open, bit)
            set_bit(b.masks[t].w, bit)
        if is_buildable(t):
            set_bit(b.masks[MASK_BUILD].w, bit)
            set_bit(b.masks[MASK_WAGON].w, bit)
            b.build_rows[b.row[bit]] |= <uint32_t>1 << b.shear[bit]
            if is_edge(cell):
                set_bit(b.masks[MASK_EDGE].w, bit)
            if is_inland(b, bit):
                set_bit(b.hall_sites, bit)
            if touches_water(b, bit):
                set_bit(b.masks[MASK_WATERSIDE].w, bit)
            if touches_terrain(b, bit, MOUNTAIN):
                set_bit(b.masks[MASK_FOOTHILL].w, bit)
        if t == MOUNTAIN:
            set_bit(b.masks[MASK_WAGON].w, bit)
        if t == MARSH:
            b.marsh = True
        if t != WATER and touches_water(b, bit):
            set_bit(b.fish, bit)
        if t != MOUNTAIN and touches_terrain(b, bit, MOUNTAIN):
            set_bit(b.mine, bit)
        b.quadrant_of[bit] = NO_QUADRANT
        if cell < ISLAND_CELL:
            build_borders(b, bit, cell)
    for i in range(b.n_spaces):
        build_space(b, i)
    find_terrain_areas(b)
