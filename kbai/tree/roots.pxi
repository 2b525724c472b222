# Moving the root: keeps what can be reached from it.


cdef uint32_t find_root(Search* t, const State* s, int turns) noexcept nogil:
    """Find the most visited node of a state that is at most some turns away."""
    cdef uint64_t state_hash = hash_state(s)
    cdef int turn = node_at(t, t.root).turn
    cdef uint32_t i, best = NOTHING
    cdef const Node* node
    if t.params.merge:
        for i in range(turns + 1):
            best = find_key(t, key_in_turn(state_hash, turn + i))
            if best == NOTHING and t.params.merge and s.phase == PHASE_PRE and not s.draw:
                best = find_key(t, key_of_plan(s, turn + i))
            if best != NOTHING:
                break
        return best
    for i in range(1, <uint32_t>t.nodes.n):
        node = node_at(t, i)
        if not turn <= node.turn <= turn + turns:
            continue
        if node.key == key_in_turn(state_hash, node.turn) and (
                best == NOTHING or node.visits > node_at(t, best).visits):
            best = i
    return best


cdef void mark_reachable(const Search* t, uint32_t root, uint32_t* places,
                         uint32_t* waiting) noexcept nogil:
    """Mark in ``places`` a node and all that can be reached from it."""
    cdef uint32_t n = 1
    cdef const Node* node
    cdef const Edge* edges
    cdef int i
    waiting[0] = root
    places[root] = 1
    while n:
        n -= 1
        node = node_at(t, waiting[n])
        edges = edge_at(t, node.edges)
        for i in range(node.n_edges):
            if edges[i].child != NOTHING and not places[edges[i].child]:
                places[edges[i].child] = 1
                waiting[n] = edges[i].child
                n += 1


cdef int compare_words(const void* a, const void* b) noexcept nogil:
    cdef uint64_t x = (<const uint64_t*>a)[0]
    cdef uint64_t y = (<const uint64_t*>b)[0]
    return (x > y) - (x < y)


cdef void move_nodes(Search* t, uint32_t* places) noexcept nogil:
    """Close the gaps between the marked nodes, and note their new places."""
    cdef uint32_t i, n = 1
    for i in range(1, <uint32_t>t.nodes.n):
        if places[i]:
            places[i] = n
            memmove(node_at(t, n), node_at(t, i), t.nodes.size)
            n += 1
    t.nodes.n = n


cdef void move_edges(Search* t, const uint32_t* places, uint64_t* order) noexcept nogil:
    """Close the gaps between the edges of the nodes, whose order is another one."""
    cdef uint32_t i, m = 0, n = 0
    cdef Node* node
    cdef Edge* edges
    cdef int k
    for i in range(1, <uint32_t>t.nodes.n):
        if node_at(t, i).n_edges:
            order[m] = <uint64_t>node_at(t, i).edges << 32 | i
            m += 1
    qsort(order, m, sizeof(uint64_t), compare_words)
    for i in range(m):
        node = node_at(t, <uint32_t>order[i])
        edges = edge_at(t, n)
        memmove(edges, edge_at(t, node.edges), node.n_edges * sizeof(Edge))
        node.edges = n
        n += node.n_edges
        for k in range(node.n_edges):
            edges[k].child = places[edges[k].child]
    t.edges.n = n


cdef void move_details(Search* t, uint64_t* order) noexcept nogil:
    cdef uint32_t i, m = 0
    cdef Node* node
    for i in range(1, <uint32_t>t.nodes.n):
        if node_at(t, i).detail != NOTHING:
            order[m] = <uint64_t>node_at(t, i).detail << 32 | i
            m += 1
    qsort(order, m, sizeof(uint64_t), compare_words)
    for i in range(m):
        node = node_at(t, <uint32_t>order[i])
        memmove(detail_at(t, 1 + i), detail_at(t, node.detail), t.details.size)
        node.detail = 1 + i
    t.details.n = 1 + m


cdef bint keep_below(Search* t, uint32_t root) noexcept nogil:
    """Make a node the root and drop what cannot be reached from it; False without memory."""
    cdef uint32_t* places = <uint32_t*>calloc(t.nodes.n, sizeof(uint32_t))
    cdef uint64_t* order = <uint64_t*>malloc(t.nodes.n * sizeof(uint64_t))
    cdef bint is_done = places != NULL and order != NULL
    if is_done:
        mark_plans(t, node_at(t, root).turn, places)
        mark_reachable(t, root, places, <uint32_t*>order)
        move_nodes(t, places)
        move_edges(t, places, order)
        move_details(t, order)
        t.root = places[root]
        if t.params.merge:
            fill_table(t)
        t.full = False
    free(places)
    free(order)
    return is_done
