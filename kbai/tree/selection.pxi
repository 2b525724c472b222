# Choosing the edge that a visit takes.


cdef inline double mean_utility(Node* node, int seat) noexcept nogil:
    return sums_of(node)[seat * N_SUMS + UTILITY] / node.visits if node.visits else 0


cdef inline bint has_untried(const Search* t, const Node* node) noexcept nogil:
    return node.n_tried < node.n_edges and not t.full


cdef inline void set_bonus(const Search* t, Edge* edge) noexcept nogil:
    """Store the bonus in the edge, because selection looks at many more edges than it visits."""
    if t.params.selection == SELECT_UCB:
        edge.bonus = 1 / sqrtf(<float>edge.visits)
    else:
        edge.bonus = edge.prior / <float>(1 + edge.visits)


cdef float scale_of_exploration(const Search* t, uint32_t visits) noexcept nogil:
    """What the bonus of an edge is multiplied by, in a node with so many visits."""
    if t.params.selection == SELECT_UCB:
        return t.params.exploration * sqrtf(logf(<float>max(visits, <uint32_t>1)))
    # Nodes with many visits explore more. With constant exploration the visits of a large tree
    # only confirm what a small one has found.
    return t.params.exploration * sqrtf(<float>visits) * (
        1 + logf(1 + <float>visits / WIDE))


cdef uint32_t select_step(Search* t, Node* node, bint is_plan) noexcept nogil:
    """The edge to take; NO_EDGE if all are proven, since these teach nothing, and none is new."""
    cdef const Edge* edges = edge_at(t, node.edges)
    cdef float scale, value, top = -1
    cdef int i, best = -1
    cdef bint has_new = has_untried(t, node) and (not is_plan or promote(t, node, True))
    if t.params.selection == SELECT_UCB and has_new:
        return node.edges + node.n_tried
    scale = (t.scales[node.visits] if node.visits < FEW_VISITS
             else scale_of_exploration(t, node.visits))
    for i in range(node.n_tried):
        value = edges[i].value + scale * edges[i].bonus
        if value > top and edges[i].bonus != PROVEN and (
                not is_plan or is_marked(t, edges[i].step)):
            best = i
            top = value
    if has_new:
        i = node.n_tried
        value = <float>mean_utility(node, node.actor) - t.params.fpu + scale * edges[i].prior
        if best < 0 or value > top:
            best = i
    return NO_EDGE if best < 0 else node.edges + best


cdef uint32_t select_least_visited(const Search* t, const Node* node) noexcept nogil:
    cdef const Edge* edges = edge_at(t, node.edges)
    cdef int i, least = 0
    if has_untried(t, node):
        return node.edges + node.n_tried
    for i in range(1, node.n_tried):
        if edges[i].visits < edges[least].visits:
            least = i
    return node.edges + least if node.n_tried else NO_EDGE


cdef uint32_t select_card(const Search* t, const Node* node) noexcept nogil:
    """The card that lacks most visits of its share."""
    cdef const Edge* edges = edge_at(t, node.edges)
    cdef double behind, top = 0
    cdef int i, best = -1, n = 1
    for i in range(node.n_edges):
        n += edges[i].visits
    for i in range(node.n_edges):
        behind = edges[i].prior * <double>n - edges[i].visits
        if edges[i].prior > 0 and (best < 0 or behind > top):
            best = i
            top = behind
    return NO_EDGE if best < 0 else node.edges + best


cdef uint32_t select_edge(Search* t, uint32_t index, const State* s) noexcept nogil:
    cdef Node* node = node_at(t, index)
    if node.kind == CHANCE:
        return select_planned_card(t, node, s) if node.is_plan else select_card(t, node)
    if t.params.selection == SELECT_FLAT:
        return select_least_visited(t, node)
    return select_planned(t, node, s) if node.is_plan else select_step(t, node, False)
