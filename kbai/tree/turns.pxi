# Whole turns of the root, and the line that most visits took.


cdef struct Way:  # how a node is reached from the root
    uint32_t parent
    uint32_t edge
    uint32_t visits
    bint is_seen


cdef inline bint is_inside(const Search* t, uint32_t index) noexcept nogil:
    """Whether the seat that decides at the root still decides, in the same turn."""
    cdef const Node* root = node_at(t, t.root)
    cdef const Node* node = node_at(t, index)
    return node.kind == DECISION and node.turn == root.turn and node.actor == root.actor


cdef uint32_t find_ends(const Search* t, Way* ways, uint32_t* waiting,
                        uint64_t* ends) noexcept nogil:
    """List the ends of the root's turn, as far as visits went, and the ways to them."""
    cdef uint32_t index, n = 1, n_ends = 0
    cdef const Node* node
    cdef const Edge* edge
    cdef Way* way
    cdef bint goes_on
    cdef int i
    waiting[0] = t.root
    ways[t.root].is_seen = True
    while n:
        n -= 1
        index = waiting[n]
        node = node_at(t, index)
        goes_on = False
        for i in range(node.n_edges if is_inside(t, index) else 0):
            edge = edge_at(t, node.edges + i)
            if edge.child == NOTHING:
                continue
            goes_on = True
            way = &ways[edge.child]
            if edge.visits > way.visits:
                way.parent = index
                way.edge = node.edges + i
                way.visits = edge.visits
            if not way.is_seen:
                way.is_seen = True
                waiting[n] = edge.child
                n += 1
        if not goes_on:
            ends[n_ends] = <uint64_t>(~node.visits) << 32 | index
            n_ends += 1
    return n_ends


cdef uint32_t best_edge(Search* t, const Node* node, const State* s) noexcept nogil:
    """The most visited legal edge, or the best one of a proven node; NO_EDGE if there is none."""
    cdef const Edge* edge
    cdef const Edge* best = NULL
    cdef int i, n = 0
    if node.is_plan and node.kind == DECISION:
        n = mark_legal(t, s)
    for i in range(node.n_edges):
        edge = edge_at(t, node.edges + i)
        if edge.visits == 0 or (n and not is_marked(t, edge.step)):
            continue
        if best == NULL or (edge.value > best.value if node.proven and node.kind == DECISION
                            else edge.visits > best.visits):
            best = edge
    clear_legal(t, n)
    if best != NULL and node.kind == CHANCE and not cards_to_draw(s)[-1 - best.step]:
        return NO_EDGE
    return NO_EDGE if best == NULL else <uint32_t>(best - edge_at(t, 0))
