# Memory of the tree: arrays of nodes, edges and gold by card that grow up to a limit.


cdef inline Node* node_at(const Search* t, uint32_t i) noexcept nogil:
    return <Node*>(t.nodes.items + i * t.nodes.size)


cdef inline double* sums_of(Node* node) noexcept nogil:
    return <double*>(node + 1)


cdef inline Edge* edge_at(const Search* t, uint32_t i) noexcept nogil:
    return <Edge*>t.edges.items + i


cdef inline double* detail_at(const Search* t, uint32_t i) noexcept nogil:
    return <double*>(t.details.items + i * t.details.size)


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
    items = realloc(arena.items, room * arena.size)
    if items == NULL:
        t.full = True
        return False
    t.bytes += (room - arena.room) * arena.size
    arena.items = <char*>items
    arena.room = room
    return True


cdef void free_memory(Search* t) noexcept nogil:
    free(t.nodes.items)
    free(t.edges.items)
    free(t.details.items)
    free(t.table)
    free(t.avoided)
    free(t.holders)
    free(t.prior)
    free(t.value)
