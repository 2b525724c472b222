# Random numbers, and random bits of a board.

cdef inline void seed_random(Rng* rng, uint64_t seed) noexcept nogil:
    """Spread a seed over the state, so that seeds close to each other have nothing in common."""
    seed = (seed ^ seed >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    seed = (seed ^ seed >> 27) * <uint64_t>0x94D049BB133111EB
    rng.state = (seed ^ seed >> 31) | 3  # a generator that only multiplies needs an odd state


cdef inline uint32_t next_random(Rng* rng) noexcept nogil:
    """PCG MCG XSH RS 64/32 (O'Neill 2014): half the instructions of a 64-bit generator."""
    cdef uint64_t x = rng.state
    rng.state = x * <uint64_t>6364136223846793005
    return <uint32_t>((x ^ x >> 22) >> (22 + (x >> 61)))


cdef inline void skip_two(Rng* rng) noexcept nogil:
    """Draw two numbers that nobody asks for: both multiplications at once."""
    rng.state *= <uint64_t>6364136223846793005 * <uint64_t>6364136223846793005


cdef inline int random_below(Rng* rng, int n) noexcept nogil:
    """A number from 0 to n - 1. Its bias of at most n / 2**32 is far below a playout's noise."""
    return <int>(<uint64_t>next_random(rng) * <uint64_t>n >> 32)


cdef inline int pick_bit(const uint64_t* words, const uint8_t* index, int n, int total,
                         Rng* rng) noexcept nogil:
    """One of ``total`` set bits in n words, all equally likely; ``index`` numbers the words."""
    cdef int k = random_below(rng, total)
    cdef int i = 0
    cdef int here = kb_count(words[0])
    while k >= here:
        k -= here
        i += 1
        c_assert(i < n)
        here = kb_count(words[i])
    return index[i] * 64 + kb_lowest(kb_select(words[i], k))


cdef inline int total_of(uint64_t counts) noexcept nogil:
    """The sum of eight bytes."""
    counts = (counts & <uint64_t>0x00FF00FF00FF00FF) + (counts >> 8 & <uint64_t>0x00FF00FF00FF00FF)
    return <int>(counts * <uint64_t>0x0001000100010001 >> 48)


cdef inline uint32_t pick_with(const uint64_t* board, uint64_t counts, int total,
                               uint32_t number) noexcept nogil:
    """The bit of a board that a random number picks, given the counts of its words."""
    cdef int k = <int>(<uint64_t>number * <uint64_t>total >> 32)
    cdef int w = 0
    if total < 128:
        return kb_nth(board, kb_sums(counts), k)
    while k >= kb_count(board[w]):
        k -= kb_count(board[w])
        w += 1
    return w * 64 + <uint32_t>kb_lowest(kb_select(board[w], k))


cdef inline int pick_any(const uint64_t* board, Rng* rng) noexcept nogil:
    """One of the set bits of a board; NOWHERE if there is none."""
    cdef uint64_t counts = kb_counts(board)
    return pick_with(board, counts, total_of(counts), next_random(rng)) if counts else NOWHERE


cdef inline uint32_t pick_of(const uint64_t* board, uint32_t number) noexcept nogil:
    """The bit that pick_any would pick of a board that is not empty, given the random number."""
    cdef uint64_t counts = kb_counts(board)
    return pick_with(board, counts, total_of(counts), number)
