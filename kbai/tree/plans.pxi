# Turns to come: nodes that a seat's own pieces and cards name, whatever the others do until then.
#
# A tree of states cannot see far: after every turn of another seat a seat would begin anew. But
# what it may do with its next card depends little on them. So such a turn is one node for all of
# their turns, with the steps that were legal when it was made; a visit looks at those that
# are legal in its own game. When a turn has come, its nodes are settled: from then on they
# are those of states. What that brings is not settled: docs/strength.md.


cdef inline uint64_t hash_step(int32_t step) noexcept nogil:
    """Added up over the steps of a turn, so that their order does not matter."""
    cdef uint64_t x = mix_word(5, <uint32_t>step)
    return x ^ x >> 29


cdef uint64_t hash_seat(const State* s, int seat) noexcept nogil:
    """What a seat has and the cards of its turn, at its start: not what the others have."""
    cdef const Seat* p = &s.seats[seat]
    cdef uint64_t a = 6, b = seat
    cdef int i
    for i in range(WORDS):
        a = mix_word(a, p.own[i])
    a = mix_word(a, p.ready)
    a = mix_word(a, p.fresh)
    a = mix_word(a, p.taken)
    a = mix_word(a, p.held)
    for i in range(CARD_KINDS):
        b = b * 11 + s.hand[i]
    a = mix_word(a, b)
    b = <uint64_t>p.hall << 32 | <uint64_t>p.supply << 24 | p.temple << 16 | p.tokens << 8 | s.final
    a = mix_word(a, b)
    memcpy(&b, p.figures, sizeof(b))
    a = mix_word(a, b)
    a = mix_word(a, <uint64_t>p.mayors << 32 | <uint8_t>s.card << 8 | s.terrain)
    return a ^ a >> 32


cdef uint64_t key_of_plan(const State* s, int turn) noexcept nogil:
    """The key of a seat's turn to come at its start."""
    return key_in_turn(hash_seat(s, deciding_seat(s)), turn)


cdef inline bint leads_to_plans(const Search* t, const Node* node) noexcept nogil:
    """Whether what comes after a node is not its state with a step made: see the top."""
    return t.params.merge and (node.is_plan or node.turn != node_at(t, t.root).turn)


cdef uint64_t key_after(const Search* t, const Node* node, int32_t step,
                        const State* s) noexcept nogil:
    """The key of the state to which a step or a card leads, or of what a plan knows of it."""
    cdef int turn = turn_after(node, step)
    if not leads_to_plans(t, node):
        return key_in_turn(hash_state(s), turn)
    if node.kind == CHANCE and not s.draw and s.phase == PHASE_PRE:
        return key_of_plan(s, turn)
    return node.key + hash_step(step)


cdef inline bint fits(const Node* node, const State* s) noexcept nogil:
    """Whether a node of a plan is of any use here: another seat may have ended the game, say."""
    return node.kind == kind_of(s) and (node.kind != DECISION or node.actor == deciding_seat(s))


cdef inline int code_of(int32_t step) noexcept nogil:
    """A step as a small number: kind, slot and cell."""
    return (step >> 24 & 15) << 14 | (step >> 16 & 31) << 9 | (step & (N_CELLS - 1))


cdef inline bint is_marked(const Search* t, int32_t step) noexcept nogil:
    cdef int code = code_of(step)
    return t.legal[code >> 6] >> (code & 63) & 1


cdef inline void unmark(Search* t, int32_t step) noexcept nogil:
    cdef int code = code_of(step)
    t.legal[code >> 6] &= ~(<uint64_t>1 << (code & 63))


cdef int mark_legal(Search* t, const State* s) noexcept nogil:
    """Mark the legal steps; they are in ``steps``, and how many is returned."""
    cdef int i, code, n = list_steps(t.board, s, t.steps)
    for i in range(n):
        code = code_of(<int32_t>t.steps[i])
        t.legal[code >> 6] |= <uint64_t>1 << (code & 63)
    return n


cdef void clear_legal(Search* t, int n) noexcept nogil:
    cdef int i
    for i in range(n):
        t.legal[code_of(<int32_t>t.steps[i]) >> 6] = 0


cdef uint32_t select_planned(Search* t, Node* node, const State* s) noexcept nogil:
    """The same for a node of a plan, some steps of which the others may have made impossible."""
    cdef int n = mark_legal(t, s)
    cdef uint32_t found = select_step(t, node, True)
    clear_legal(t, n)
    return found


cdef void set_odds(Search* t, const Node* node, const State* s) noexcept nogil:
    cdef Edge* edges = edge_at(t, node.edges)
    cdef const uint8_t* counts = cards_to_draw(s)
    cdef int i, total = 0
    for i in range(CARD_KINDS):
        total += counts[i]
    for i in range(node.n_edges):
        edges[i].prior = <float>counts[-1 - edges[i].step] / <float>total


cdef uint32_t select_planned_card(Search* t, const Node* node, const State* s) noexcept nogil:
    """The card that is most behind its share, which is not the same in every visit."""
    set_odds(t, node, s)
    return select_card(t, node)


cdef inline bint is_of(const Node* node, const State* s) noexcept nogil:
    """Whether a node can be that of a state in a turn that has come. One that was settled for
    another order of steps need not: two pieces moved to each other's places make the same plan, but
    with another one in hand on the way."""
    return fits(node, s) and (node.is_plan or node.key == key_in_turn(hash_state(s), node.turn))


cdef bint renew_edges(Search* t, uint32_t index, const State* s) noexcept nogil:
    """Give a node of a plan the steps that are legal now, with what is known of them."""
    cdef Node* node = node_at(t, index)
    cdef const Edge* old
    cdef Edge* edges
    cdef State next
    cdef int i, k = 0, n = mark_legal(t, s)
    if not make_room(t, &t.edges, n):
        clear_legal(t, n)
        return False
    old = edge_at(t, node.edges)
    edges = edge_at(t, <uint32_t>t.edges.n)
    memset(edges, 0, n * sizeof(Edge))
    for i in range(node.n_tried):
        if is_marked(t, old[i].step):
            memcpy(&next, s, state_bytes(s))
            do_step(t.board, &next, <uint32_t>old[i].step)
            # The end of a game was worth something else, as the others had other pieces.
            if next.phase != PHASE_OVER and is_of(node_at(t, old[i].child), &next):
                edges[k] = old[i]
                unmark(t, old[i].step)
                k += 1
    node.n_tried = k
    rate_choices(t, s, n)
    for i in range(n):
        if is_marked(t, <int32_t>t.steps[i]):
            edges[k].step = <int32_t>t.steps[i]
            edges[k].prior = t.rates[i]
            k += 1
    clear_legal(t, n)
    node.edges = <uint32_t>t.edges.n
    node.n_edges = n
    t.edges.n += n
    promote(t, node, False)
    return True


cdef bint settle(Search* t, uint32_t index, const State* s) noexcept nogil:
    """Make a node of a plan the one of a state, now that it has come to it, and so with the nodes
    below it up to the end of the turn; False without memory."""
    cdef Node* node = node_at(t, index)
    cdef const Edge* edge
    cdef State next
    cdef int i
    node.key = key_in_turn(hash_state(s), node.turn)
    node.is_plan = False
    if node.kind == CHANCE:
        set_odds(t, node, s)
    if node.kind != DECISION or node.n_edges == 0:
        return True
    if not renew_edges(t, index, s):
        return False
    for i in range(node_at(t, index).n_tried):
        edge = edge_at(t, node_at(t, index).edges + i)
        if node_at(t, edge.child).is_plan:  # not reached in another order before
            memcpy(&next, s, state_bytes(s))
            do_step(t.board, &next, <uint32_t>edge.step)
            if not settle(t, edge.child, &next):
                return False
    return True


cdef bint settle_cards(Search* t, uint32_t index, const State* s) noexcept nogil:
    """Settle what is planned for the cards that may come next; False without memory."""
    cdef Edge* edge
    cdef State next
    cdef uint32_t plan
    cdef int i
    for i in range(node_at(t, index).n_edges):
        edge = edge_at(t, node_at(t, index).edges + i)
        if edge.child != NOTHING or edge.prior == 0:
            continue
        memcpy(&next, s, state_bytes(s))
        make_step(t, &next, edge.step)
        if next.draw or next.phase != PHASE_PRE:
            continue
        plan = find_key(t, key_of_plan(&next, node_at(t, index).turn))
        if plan == NOTHING or not fits(node_at(t, plan), &next):
            continue
        edge.child = plan
        if not settle(t, plan, &next):
            return False
    return True


cdef bint settle_root(Search* t, uint32_t root, const State* s) noexcept nogil:
    """Settle what was planned for a state that has come about; False without memory."""
    cdef const Node* node = node_at(t, root)
    if root == t.root or not t.params.merge:
        return True
    if node.kind == CHANCE:
        return settle_cards(t, root, s)
    # Where no card is drawn between, before silos, a turn to come begins with a node of its state,
    # and only those below it are planned.
    if node.is_plan or (node.turn != node_at(t, t.root).turn and node.n_proven == 0):
        return settle(t, root, s)
    return True


cdef void mark_plans(const Search* t, int turn, uint32_t* places) noexcept nogil:
    """Mark the turns to come after some turn, unless they take up half of the memory: which of
    them can still be reached nobody knows."""
    cdef uint32_t i
    if 2 * (t.nodes.n * t.nodes.size + t.edges.n * t.edges.size) > t.memory:
        return
    for i in range(1, <uint32_t>t.nodes.n):
        if node_at(t, i).is_plan and node_at(t, i).turn > turn:
            places[i] = 1


cdef uint32_t find_child(const Search* t, const Node* node, const Edge* edge,
                         const State* s) noexcept nogil:
    """The node that an edge has led to, if it is one that fits the state after it."""
    cdef uint32_t child = edge.child
    if child == NOTHING and node.kind == CHANCE and t.params.merge:
        child = find_key(t, key_after(t, node, edge.step, s))
    if child != NOTHING and node_at(t, child).is_plan and not fits(node_at(t, child), s):
        return NOTHING
    return child
