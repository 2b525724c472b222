# Visits that begin with steps of the best turn known.
#
# A turn can have many steps. By the time a search knows the first one, it has hardly looked at the
# last. So some visits follow the best turn for a while before they choose freely, and every step of
# it gets as many of them as any other.


cdef void begin_to_follow(Search* t) noexcept nogil:
    """Draw how many steps of the best turn the next visit makes before it chooses freely."""
    t.follow.made = t.follow.wanted = 0
    if t.follow.share > 0 and draw_random(&t.rng) < t.follow.share * <double>(1 << 32):
        t.follow.wanted = 1 + <int>(
            <uint64_t>draw_random(&t.rng) * <uint64_t>(t.follow.length + 1) >> 32)


cdef uint32_t best_known(const Search* t, uint32_t index) noexcept nogil:
    """The edge with the highest mean, of those with a fair part of the visits; NO_EDGE if it cannot
    be told, or needs no more visits.

    The most visited one would stay so: who is followed is visited.
    """
    cdef const Node* node = node_at(t, index)
    cdef const Edge* edges = edge_at(t, node.edges)
    cdef uint32_t most = 0
    cdef int i, best = -1
    if not is_inside(t, index) or node.visits < KNOWN_VISITS:
        return NO_EDGE
    for i in range(node.n_tried):
        most = max(most, edges[i].visits)
    for i in range(node.n_tried):
        if FAIR_PART * edges[i].visits >= most and (
                best < 0 or edges[i].value > edges[best].value):
            best = i
    return NO_EDGE if best < 0 or edges[best].bonus == PROVEN else node.edges + best


cdef uint32_t follow_edge(Search* t, uint32_t index) noexcept nogil:
    """The next step of the best turn; NO_EDGE where it is not known any more.

    Steps that are no choice do not count.
    """
    cdef uint32_t taken = best_known(t, index)
    if taken == NO_EDGE:
        t.follow.length = t.follow.wanted = t.follow.made
    elif node_at(t, index).n_edges > 1:
        t.follow.made += 1
        t.follow.length = max(t.follow.length, t.follow.made)
    return taken
