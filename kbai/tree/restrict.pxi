# Restricting the turns of the root: those to allow and those to avoid.


cdef bint is_avoided(const Search* t, const State* s, int turn) noexcept nogil:
    cdef uint64_t key = key_in_turn(hash_state(s), turn)
    cdef int i
    for i in range(t.n_avoided):
        if t.avoided[i] == key:
            return True
    return False


cdef bint is_in_turn(const Search* t, const State* s, int turn) noexcept nogil:
    """The same as is_inside, for a state."""
    cdef const Node* root = node_at(t, t.root)
    return (turn == root.turn and s.phase != PHASE_OVER and not s.draw
            and deciding_seat(s) == root.actor)


cdef bint can_end(Search* t, const State* s, int turn) noexcept nogil:
    """Whether the turn of the root can still end in a state that is not avoided."""
    cdef State next
    cdef uint32_t step
    cdef int i = 0
    if not is_in_turn(t, s, turn):
        return not is_avoided(t, s, turn)
    while i < list_steps(t.board, s, t.steps):  # listed again, since calls below overwrite it
        step = t.steps[i]
        memcpy(&next, s, state_bytes(s))
        do_step(t.board, &next, step)
        if can_end(t, &next, turn + (step >> 24 == STEP_END)):
            return True
        i += 1
    return False


cdef bint may_take(Search* t, uint32_t index, uint32_t taken, const State* s) noexcept nogil:
    """Whether an edge leads to any turn that is not avoided."""
    cdef const Edge* edge = edge_at(t, taken)
    cdef State next
    if edge.child != NOTHING or not is_inside(t, index):
        return True
    memcpy(&next, s, state_bytes(s))
    do_step(t.board, &next, <uint32_t>edge.step)
    return can_end(t, &next, turn_after(node_at(t, index), edge.step))


cdef void drop_edge(Search* t, Node* node, uint32_t taken) noexcept nogil:
    """Drop the edge that would be tried next. Others are left, or no visit would have come here."""
    node.n_edges -= 1
    edge_at(t, taken)[0] = edge_at(t, node.edges + node.n_edges)[0]
    if t.params.priors:
        promote(t, node, False)
