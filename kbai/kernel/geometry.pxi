# Bits, rows and the compilation of a board.

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #include <assert.h>

    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline int kb_count(uint64_t x) { return (int)__popcnt64(x); }
    static __inline int kb_lowest(uint64_t x) {
        unsigned long i; _BitScanForward64(&i, x); return (int)i;
    }
    #else
    static inline int kb_count(uint64_t x) { return __builtin_popcountll(x); }
    static inline int kb_lowest(uint64_t x) { return __builtin_ctzll(x); }
    #endif

    /* The k-th set bit of x, counted from 0, alone in its word. */
    #if defined(__BMI2__)
    #include <immintrin.h>
    static inline uint64_t kb_select(uint64_t x, int k) {
        return _pdep_u64((uint64_t)1 << k, x);
    }
    #else
    static inline uint64_t kb_select(uint64_t x, int k) {
        /* Most choices are among a few hexes: dropping bits one by one is then the shortest. */
        if (k >= 8) {
            /* Counts per byte, summed upwards; then the byte; then at most seven bits by hand. */
            int shift;
            uint64_t s = x - ((x >> 1) & 0x5555555555555555u);
            s = (s & 0x3333333333333333u) + ((s >> 2) & 0x3333333333333333u);
            s = ((s + (s >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u;
            /* A byte of the difference keeps its top bit where the sum is above k. */
            shift = kb_lowest(((s | 0x8080808080808080u)
                               - (uint64_t)(k + 1) * 0x0101010101010101u)
                              & 0x8080808080808080u) & ~7;
            k -= (int)((s << 8) >> shift) & 0xff;
            x = x >> shift << shift;
        }
        for (; k > 0; k--) x &= x - 1;
        return x & (~x + 1);
    }
    #endif
    """
    int kb_count(uint64_t x) noexcept nogil
    int kb_lowest(uint64_t x) noexcept nogil
    uint64_t kb_select(uint64_t x, int k) noexcept nogil

cdef extern from "<assert.h>" nogil:
    void c_assert "assert"(bint condition) noexcept nogil


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


cdef inline bint has_own_neighbour(const uint32_t* rows, int row, int shear) noexcept nogil:
    """Tell whether a cell has a settlement of these rows beside it (R1.1)."""
    return ((rows[row - 1] >> shear & 3)
            | (rows[row] >> (shear - 1) & 5)
            | (rows[row + 1] >> (shear - 1) & 3)) != 0


cdef inline int count_own_neighbours(const uint32_t* rows, int row, int shear) noexcept nogil:
    return kb_count((rows[row - 1] >> shear & 3)
                    | (rows[row] >> (shear - 1) & 5) << 2
                    | (rows[row + 1] >> (shear - 1) & 3) << 5)


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


cdef bint is_buildable(int terrain) noexcept nogil:
    """R1.5."""
    return terrain <= FARMLAND


cdef int cell_row(int cell) noexcept nogil:
    if cell < ISLAND_CELL:
        return BOARD_ROW + cell // 20
    return ISLAND_ROW + (cell - ISLAND_CELL) // 10


cdef int cell_shear(int cell) noexcept nogil:
    """Axial column (R1.1), moved right so that every cell has room for three shifts either way."""
    cdef int r, c
    if cell < ISLAND_CELL:
        r = cell // 20
        c = cell % 20
    else:
        r = (cell - ISLAND_CELL) // 10
        c = (cell - ISLAND_CELL) % 10
    return c - r // 2 + 10


cdef void number_cells(BoardData* b, const uint8_t* terrain) noexcept nogil:
    """Give every cell its bit: each card terrain its own word while that lasts, then the rest."""
    cdef int cell, t, k
    cdef int filled[WORDS]
    cdef int spill = FOREST + 1  # first word for what has no word of its own
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
                    spill = (spill + 1) % WORDS  # an odd map: fill up the words of the terrains
                k = spill
            b.bit_of[cell] = k * 64 + filled[k]
            b.cell_of[k * 64 + filled[k]] = cell
            b.terrain[k * 64 + filled[k]] = t
            filled[k] += 1


cdef void connect_cells(BoardData* b) noexcept nogil:
    """Fill the tables of rows, neighbours and jumps."""
    cdef int bit, cell, d, r, q, n
    for r in range(ROWS):
        for q in range(32):
            b.at[r][q] = NOWHERE
    for bit in range(BITS):
        b.row[bit] = 1  # what is no cell lies in the empty margin
        b.shear[bit] = 1
        cell = b.cell_of[bit]
        if cell != NOWHERE:
            b.row[bit] = cell_row(cell)
            b.shear[bit] = cell_shear(cell)
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
            if 0 <= r < ROWS and 0 <= q < 32:
                b.jump[bit][d] = b.at[r][q]


cdef bint is_edge(int cell) noexcept nogil:
    """R1.4; the island has no edge in this sense (R6.1, Tower)."""
    return cell < ISLAND_CELL and (cell // 20 in (0, 19) or cell % 20 in (0, 19))


cdef bint touches_terrain(const BoardData* b, int bit, int terrain) noexcept nogil:
    cdef int d, n
    for d in range(6):
        n = b.neighbour[bit][d]
        if n != NOWHERE and b.terrain[n] == terrain:
            return True
    return False


cdef void paint_masks(BoardData* b) noexcept nogil:
    """Fill every mask that depends on terrain and spaces alone."""
    cdef int bit, cell, t, d, n, i, w
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
            b.build_rows[b.row[bit]] |= <uint32_t>1 << b.shear[bit]
            if is_edge(cell):
                set_bit(b.masks[MASK_EDGE].w, bit)
        if t != WATER and touches_terrain(b, bit, WATER):
            set_bit(b.fish, bit)
        if t != MOUNTAIN and touches_terrain(b, bit, MOUNTAIN):
            set_bit(b.mine, bit)
        if cell < ISLAND_CELL:
            set_bit(b.quadrant[cell // 200 * 2 + cell % 20 // 10], bit)
    for i in range(b.n_spaces):
        bit = b.space_bit[i]
        if b.space_kind[i] == SPACE_CASTLE:
            set_bit(b.castle, bit)
        elif b.space_kind[i] == SPACE_LOCATION:
            b.locations |= <uint64_t>1 << i
        elif b.space_slot[i]:
            b.nomads |= <uint64_t>1 << i
        for d in range(6):
            n = b.neighbour[bit][d]
            if n == NOWHERE:
                continue
            b.beside[n] |= <uint64_t>1 << i
            if b.space_slot[i]:
                b.touch[n] |= <uint64_t>1 << i
            set_bit(b.work, n)
            b.work_rows[b.row[n]] |= <uint32_t>1 << b.shear[n]
    for t in range(N_MASKS):
        b.masks[t].n = 0
        for w in range(WORDS):
            if b.masks[t].w[w] != 0:
                b.masks[t].index[b.masks[t].n] = w
                b.masks[t].n += 1
