# Keys of states, and the table in which nodes are found by them.


cdef inline uint64_t turned(uint64_t x, int by) noexcept nogil:
    return x << by | x >> (64 - by)


cdef inline uint64_t mix_word(uint64_t sum, uint64_t word) noexcept nogil:
    return turned(sum + word * <uint64_t>0xC2B2AE3D27D4EB4F, 31) * <uint64_t>0x9E3779B185EBCA87


cdef uint64_t hash_state(const State* s) noexcept nogil:
    """xxHash64 (Collet) for whole words only: four sums that do not wait for each other."""
    cdef const uint64_t* words = <const uint64_t*>s
    cdef size_t i = 0, n = state_bytes(s) // sizeof(uint64_t)
    cdef uint64_t a = 1, b = 2, c = 3, d = 4
    while i + 4 <= n:
        a = mix_word(a, words[i])
        b = mix_word(b, words[i + 1])
        c = mix_word(c, words[i + 2])
        d = mix_word(d, words[i + 3])
        i += 4
    while i < n:
        a = mix_word(a, words[i])
        i += 1
    a = turned(a, 1) + turned(b, 7) + turned(c, 12) + turned(d, 18) + n
    a = (a ^ a >> 33) * <uint64_t>0xC2B2AE3D27D4EB4F
    a = (a ^ a >> 29) * <uint64_t>0x165667B19E3779F9
    return a ^ a >> 32


cdef inline uint64_t key_in_turn(uint64_t state_hash, int turn) noexcept nogil:
    return state_hash + <uint64_t>turn * <uint64_t>0x9E3779B97F4A7C15


cdef void put_in_table(Search* t, uint32_t index) noexcept nogil:
    cdef uint64_t key = node_at(t, index).key
    cdef uint64_t i = key & (t.table_room - 1)
    while t.table[i] != NOTHING:
        i = (i + 1) & (t.table_room - 1)
    t.table[i] = key >> 32 << 32 | index


cdef void fill_table(Search* t) noexcept nogil:
    cdef uint32_t i
    memset(t.table, 0, t.table_room * sizeof(uint64_t))
    for i in range(1, <uint32_t>t.nodes.n):
        put_in_table(t, i)


cdef bint grow_table(Search* t) noexcept nogil:
    """Make sure that at most half of the table is in use; False if there is no memory."""
    cdef uint64_t room = t.table_room * 2 if t.table_room else 1024
    cdef uint64_t more = (room - t.table_room) * sizeof(uint64_t)
    cdef void* table
    if 2 * (t.nodes.n + 1) <= t.table_room:
        return True
    table = take_memory(room * sizeof(uint64_t)) if t.bytes + more <= t.memory else NULL
    if table == NULL:
        t.full = True
        return False
    return_memory(t.table, t.table_room * sizeof(uint64_t))
    t.table = <uint64_t*>table
    t.table_room = room
    t.bytes += more
    fill_table(t)
    return True


cdef uint32_t find_key(const Search* t, uint64_t key) noexcept nogil:
    cdef uint64_t i = key & (t.table_room - 1)
    cdef uint64_t entry
    if t.table_room == 0:
        return NOTHING
    while True:
        entry = t.table[i]
        # A node is asked for its key only if half of it fits: in a large tree none is in a cache.
        if entry == NOTHING or ((entry ^ key) >> 32 == 0
                                and node_at(t, <uint32_t>entry).key == key):
            return <uint32_t>entry
        i = (i + 1) & (t.table_room - 1)
