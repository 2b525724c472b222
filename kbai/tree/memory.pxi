# Memory of the tree: arrays of nodes, edges and gold by card that grow up to a limit.


cdef enum:
    LARGE = 1 << 22  # bytes of an array that is worth large pages


cdef inline Node* node_at(const Search* t, uint32_t i) noexcept nogil:
    return <Node*>(t.nodes.items + i * t.nodes.size)


cdef inline double* sums_of(Node* node) noexcept nogil:
    return <double*>(node + 1)


cdef inline Edge* edge_at(const Search* t, uint32_t i) noexcept nogil:
    return <Edge*>t.edges.items + i


cdef inline double* detail_at(const Search* t, uint32_t i) noexcept nogil:
    return <double*>(t.details.items + i * t.details.size)


cdef void reserve(Arena* arena, size_t bytes) noexcept nogil:
    """Move an arena to address space for all that it can become, where it grows without moving. In
    small pages a large tree waits for their addresses; moved pages do not stay large."""
    cdef void* items = kb_reserve(bytes)
    if items != NULL:
        memcpy(items, arena.items, arena.n * arena.size)
        free(arena.items)
        arena.items = <char*>items
        arena.reserved = bytes


cdef bint make_room(Search* t, Arena* arena, uint64_t more) noexcept nogil:
    """Make room for some more items; False at the memory limit, when the tree becomes full."""
    cdef uint64_t room = arena.n + more
    cdef uint64_t most = arena.room + (t.memory - t.bytes) // arena.size
    cdef uint64_t extra = arena.room
    cdef void* items
    if room <= arena.room:
        return True
    # Twice as much, because growing copies. Large arenas grow by a quarter, so that none takes what
    # the others need before the limit is reached.
    if arena.room * arena.size > t.memory // 64:
        extra //= 4
    room = min(room + extra + 1024, most, <uint64_t>NO_EDGE)
    if room < arena.n + more:
        t.full = True
        return False
    if KB_RESERVES and room * arena.size > LARGE and not arena.reserved:
        reserve(arena, (t.memory | (LARGE - 1)) + 1)
    items = arena.items if arena.reserved else realloc(arena.items, room * arena.size)
    if items == NULL:
        t.full = True
        return False
    t.bytes += (room - arena.room) * arena.size
    arena.items = <char*>items
    arena.room = room
    return True


cdef inline void* take_memory(size_t bytes) noexcept nogil:
    return kb_reserve(bytes) if bytes >= LARGE else malloc(bytes)


cdef inline void return_memory(void* p, size_t bytes) noexcept nogil:
    if bytes >= LARGE:
        kb_give_back(p, bytes)
    else:
        free(p)


cdef void free_arena(const Arena* arena) noexcept nogil:
    if arena.reserved:
        kb_give_back(arena.items, arena.reserved)
    else:
        free(arena.items)


cdef void free_memory(Search* t) noexcept nogil:
    free_arena(&t.nodes)
    free_arena(&t.edges)
    free_arena(&t.details)
    return_memory(t.table, t.table_room * sizeof(uint64_t))
    free(t.avoided)
    free(t.holders)
    free(t.prior)
    free(t.value)
