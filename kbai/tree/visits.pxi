# A visit: down the tree, a game to its end, and back up.


cdef inline void make_step(Search* t, State* s, int32_t step) noexcept nogil:
    if step < 0:
        turn_card(t.board, s, -1 - step)
    else:
        do_step(t.board, s, <uint32_t>step)


cdef inline void fetch(const Search* t, const Edge* edge) noexcept nogil:
    """Load the memory of a child while the step to it is being made."""
    cdef const char* node = <const char*>node_at(t, edge.child)
    cdef const char* edges = <const char*>edge_at(t, edge.below)
    kb_prefetch(node)
    kb_prefetch(node + CACHE_LINE)
    kb_prefetch(node + 2 * CACHE_LINE)
    kb_prefetch(edges)
    kb_prefetch(edges + CACHE_LINE)


cdef inline int turn_after(const Node* node, int32_t step) noexcept nogil:
    return node.turn + (step >= 0 and step >> 24 == STEP_END)


cdef uint32_t enter(Search* t, uint32_t index, uint32_t taken, const State* s) noexcept nogil:
    """Make the node to which an edge leads, for this state; NOTHING if there is no room."""
    cdef Node* node = node_at(t, index)
    cdef int32_t step = edge_at(t, taken).step
    cdef uint32_t child = add_node(t, s, key_after(t, node, s, step), turn_after(node, step),
                                   leads_to_plans(t, node))
    node = node_at(t, index)
    if node.kind == CHANCE:
        if child == NOTHING:  # the card has had its visit all the same
            edge_at(t, taken).visits += 1
        if leads_to_plans(t, node):  # the next visit may lead to another plan
            return child
    elif child != NOTHING:
        node.n_tried += 1
        if t.params.priors:
            promote(t, node, False)
    edge_at(t, taken).child = child
    return child


cdef void visit(Search* t) noexcept nogil:
    cdef State room[2]
    cdef State* s = <State*>kb_align(room)  # loads across cache lines cost more
    cdef Node* node
    cdef uint32_t index = t.root, taken
    cdef int depth = 0
    begin_to_follow(t)
    memcpy(s, &t.state, state_bytes(&t.state))
    while True:
        t.path[depth] = index
        depth += 1
        node = node_at(t, index)
        if node.proven:
            take_means(t, index)
            break
        if node.is_plan and not fits(node, s):
            play_out(t, s)
            break
        if (node.visits == 0 and index != t.root) or node.kind == OVER:
            play_out(t, s)
            break
        if node.n_edges == 0 and not (may_expand(t, index, depth) and expand(t, index, s)):
            play_out(t, s)
            break
        taken = NO_EDGE
        if t.follow.made < t.follow.wanted:
            taken = follow_edge(t, index)
        if taken == NO_EDGE:
            taken = select_edge(t, index, s)
        if taken == NO_EDGE or depth == MAX_PATH:
            play_out(t, s)
            break
        if t.n_avoided and not may_take(t, index, taken, s):
            drop_edge(t, node, taken)
            depth -= 1
            continue
        t.taken[depth - 1] = taken
        fetch(t, edge_at(t, taken))
        make_step(t, s, edge_at(t, taken).step)
        index = edge_at(t, taken).child
        if index == NOTHING:
            index = enter(t, t.path[depth - 1], taken, s)
        if index == NOTHING:
            play_out(t, s)
            break
    back_up(t, depth)
