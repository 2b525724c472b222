# Plans: future turns, with one node whatever the other seats do until then.
#
# A tree of states cannot see far: after each turn of another seat a seat would start from nothing.
# But what a seat can do with its next card hardly depends on the others. So a future turn has one
# node for a seat's own pieces and cards. It has the steps that were legal when it was made, and a
# visit looks at those that are legal in its own game. When the turn has come, its nodes are
# settled: they become nodes of states. It is not shown that plans gain anything (docs/strength.md).


cdef inline uint64_t hash_step(int32_t step) noexcept nogil:
    """A number to be summed over the steps of a turn, so that their order does not matter."""
    cdef uint64_t x = mix_word(5, <uint32_t>step)
    return x ^ x >> 29


cdef uint64_t hash_seat(const State* s, int seat) noexcept nogil:
    """Hash what a seat has and its cards at the start of its turn, but nothing of the others."""
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
    """The key of a future turn at its start."""
    return key_in_turn(hash_seat(s, deciding_seat(s)), turn)


cdef inline bint leads_to_plans(const Search* t, const Node* node) noexcept nogil:
    """Whether the children of a node are plans: it is one, or it is after the root's turn."""
    return t.params.merge and (node.is_plan or node.turn != node_at(t, t.root).turn)


cdef uint64_t key_after(const Search* t, const Node* node, const State* s,
                        int32_t step) noexcept nogil:
    """The key of the state, or of the plan, to which a step or a card leads."""
    cdef int turn = turn_after(node, step)
    if not leads_to_plans(t, node):
        return key_in_turn(hash_state(s), turn)
    if node.kind == CHANCE and not s.draw and s.phase == PHASE_PRE:
        return key_of_plan(s, turn)
    return node.key + hash_step(step)


cdef inline bint fits(const Node* node, const State* s) noexcept nogil:
    """Whether a plan can be used here. Another seat may have ended the game, for example."""
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
    """List the legal steps in ``steps`` and mark them; return their number."""
    cdef int i, code, n = list_steps(t.board, s, t.steps)
    for i in range(n):
        code = code_of(<int32_t>t.steps[i])
        t.legal[code >> 6] |= <uint64_t>1 << (code & 63)
    return n


cdef void clear_legal(Search* t, int n) noexcept nogil:
    cdef int i
    for i in range(n):
        t.legal[code_of(<int32_t>t.steps[i]) >> 6] = 0


cdef inline bint is_legal(const Search* t, uint32_t edge, const State* s) noexcept nogil:
    return can_step(t.board, s, <uint32_t>edge_at(t, edge).step)


cdef uint32_t select_planned(Search* t, Node* node, const State* s) noexcept nogil:
    """The same as select_step for a plan: only for the steps that are still legal.

    Most of them are. What is the best of all and legal is the best of those that are legal, so the
    others need not be listed: only the untried edge to come next, and the edge to take.
    """
    cdef uint32_t found
    cdef int n, untried = -1
    if has_untried(t, node):
        # Looking at all untried edges each time took 3 % of a visit.
        untried = node.n_tried if node.is_promoted else best_untried(t, node, False)
    if untried < 0 or is_legal(t, node.edges + untried, s):
        bring_forward(t, node, untried)
        node.is_promoted = True
        found = select_step(t, node, False)
        if found == NO_EDGE or found == node.edges + node.n_tried or is_legal(t, found, s):
            return found
    n = mark_legal(t, s)
    found = select_step(t, node, True)
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
    """The same as select_card for a plan: the odds may differ from visit to visit."""
    set_odds(t, node, s)
    return select_card(t, node)


cdef inline bint is_of(const Node* node, const State* s) noexcept nogil:
    """Whether a node can become that of a state in a turn that has come. If another order of steps
    has settled it, perhaps not: two pieces that swap places make the same plan, but a different
    piece is in hand on the way."""
    return fits(node, s) and (node.is_plan or node.key == key_in_turn(hash_state(s), node.turn))


cdef bint renew_edges(Search* t, uint32_t index, const State* s) noexcept nogil:
    """Give a plan the steps that are legal now, and keep what is known of them."""
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
            # The end of a game had another result then, because the others had other pieces.
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
    """Turn a plan into the node of a state that has come, and the nodes below it up to the end of
    the turn; False without memory."""
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
    """Settle the plans for the cards that may come next; False without memory."""
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
    """Settle the plans for a state that has come; False without memory."""
    cdef const Node* node = node_at(t, root)
    if root == t.root or not t.params.merge:
        return True
    if node.kind == CHANCE:
        return settle_cards(t, root, s)
    # Before silos no card is drawn. There a future turn begins with the node of a state, and only
    # the nodes below it are plans.
    if node.is_plan or (node.turn != node_at(t, t.root).turn and node.n_proven == 0):
        return settle(t, root, s)
    return True


cdef void mark_plans(const Search* t, int turn, uint32_t* places) noexcept nogil:
    """Mark the plans for later turns, because nobody knows which can still be reached. Not if the
    tree takes more than half of the memory."""
    cdef uint32_t i
    if 2 * (t.nodes.n * t.nodes.size + t.edges.n * t.edges.size) > t.memory:
        return
    for i in range(1, <uint32_t>t.nodes.n):
        if node_at(t, i).is_plan and node_at(t, i).turn > turn:
            places[i] = 1


cdef uint32_t find_child(const Search* t, const Node* node, const Edge* edge,
                         const State* s) noexcept nogil:
    """The node to which an edge leads, if it fits the state after it."""
    cdef uint32_t child = edge.child
    if child == NOTHING and node.kind == CHANCE and t.params.merge:
        child = find_key(t, key_after(t, node, s, edge.step))
    if child != NOTHING and node_at(t, child).is_plan and not fits(node_at(t, child), s):
        return NOTHING
    return child
