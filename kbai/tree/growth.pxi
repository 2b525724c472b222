# How the tree grows: new nodes, and their edges with priors.


cdef uint32_t add_node(Search* t, const State* s, uint64_t key, int turn,
                       bint is_plan) noexcept nogil:
    """Find the node of a key or make it; NOTHING if the tree is full."""
    cdef uint32_t index
    cdef Node* node
    if t.params.merge:
        index = find_key(t, key)
        if index != NOTHING:
            return index
    if t.full or not make_room(t, &t.nodes, 1) or (
            t.params.merge and not grow_table(t)):
        return NOTHING
    index = <uint32_t>t.nodes.n
    t.nodes.n += 1
    node = node_at(t, index)
    memset(node, 0, t.nodes.size)
    node.key = key
    node.turn = turn
    node.actor = deciding_seat(s)
    node.sure = UNSURE
    node.is_plan = is_plan
    node.kind = kind_of(s)
    if t.params.merge:
        put_in_table(t, index)
    return index


cdef inline int kind_of(const State* s) noexcept nogil:
    return OVER if s.phase == PHASE_OVER else CHANCE if s.draw else DECISION


cdef int best_untried(const Search* t, const Node* node, bint is_plan) noexcept nogil:
    """The untried edge with the highest prior, in a plan the highest of the marked ones; -1 if none
    is left."""
    cdef const Edge* edges = edge_at(t, node.edges)
    cdef float top = -1
    cdef int i, best = -1
    for i in range(node.n_tried, node.n_edges):
        if edges[i].prior > top and (not is_plan or is_marked(t, edges[i].step)):
            best = i
            top = edges[i].prior
    return best


cdef inline void bring_forward(Search* t, const Node* node, int i) noexcept nogil:
    """Make an untried edge the first of them."""
    cdef Edge* edges = edge_at(t, node.edges)
    cdef Edge first
    if i > node.n_tried:
        first = edges[node.n_tried]
        edges[node.n_tried] = edges[i]
        edges[i] = first


cdef bint promote(Search* t, Node* node, bint is_plan) noexcept nogil:
    """Make the best untried edge the first of them. False if there is none."""
    cdef int best = best_untried(t, node, is_plan)
    bring_forward(t, node, best)
    node.is_promoted = not is_plan
    return best >= 0


cdef inline int choice_of(uint32_t step) noexcept nogil:
    """The number of a choice of tile and hex. All other steps share the last number."""
    cdef int kind = step >> 24
    if kind != STEP_BUILD and kind != STEP_LIFT and kind != STEP_PUT:
        return N_CHOICES - 1
    return (step >> 16 & 255) * N_CELLS + (step & (N_CELLS - 1))


cdef void gather_experience(Search* t, Node* node, const Edge* edge) noexcept nogil:
    """Note what a step gained here: it may gain as much in other nodes."""
    cdef Experience* known = &t.experience[node.actor][choice_of(<uint32_t>edge.step)]
    known.gain += <float>(t.result.sums[node.actor * N_SUMS + UTILITY]
                          - mean_utility(node, node.actor))
    known.visits += 1


cdef void add_experience(Search* t, int seat, int n) noexcept nogil:
    """Add experience to the values of the steps. A few visits count for little."""
    cdef const Experience* known
    cdef int i
    for i in range(n):
        known = &t.experience[seat][choice_of(t.steps[i])]
        t.rates[i] += t.params.experience * known.gain / (known.visits + DOUBT)


cdef void set_priors(Search* t, const State* s, int n) noexcept nogil:
    """Set the priors to the softmax of the values of the steps."""
    cdef float best, total = 0
    cdef int i
    if t.prior != NULL:
        rate_by_model(t.board, s, &t.params.policy, t.prior, t.steps, n, t.rates)
    else:
        rate_steps(t.board, s, &t.params.policy, t.steps, n, t.rates)
    add_experience(t, deciding_seat(s), n)
    best = t.rates[0]
    for i in range(1, n):
        best = max(best, t.rates[i])
    for i in range(n):
        t.rates[i] = expf((t.rates[i] - best) / t.params.temperature)
        total += t.rates[i]
    for i in range(n):
        t.rates[i] /= total


cdef void shuffle_steps(Search* t, int n) noexcept nogil:
    """Shuffle the steps, so that those with equal priors are tried in random order."""
    cdef uint32_t step
    cdef int i, k
    for i in range(n - 1, 0, -1):
        k = <int>(<uint64_t>draw_random(&t.rng) * <uint64_t>(i + 1) >> 32)
        step = t.steps[i]
        t.steps[i] = t.steps[k]
        t.steps[k] = step


cdef void list_cards(Search* t, const State* s, bint is_plan, int* n) noexcept nogil:
    """List the cards that can be drawn, with their odds."""
    cdef const uint8_t* counts = cards_to_draw(s)
    cdef int card, total = 0
    for card in range(CARD_KINDS):
        total += counts[card]
    n[0] = 0
    for card in range(CARD_KINDS):
        if counts[card] or (is_plan and t.board.deck[card]):
            t.steps[n[0]] = <uint32_t>(-1 - card)
            t.rates[n[0]] = <float>counts[card] / <float>total
            n[0] += 1


cdef void rate_choices(Search* t, const State* s, int n) noexcept nogil:
    """Set the priors of the listed steps."""
    cdef int i
    if t.params.priors:
        set_priors(t, s, n)
    else:
        for i in range(n):
            t.rates[i] = <float>1 / <float>n


cdef void list_choices(Search* t, const State* s, int* n) noexcept nogil:
    """List the legal steps, with their priors."""
    n[0] = list_steps(t.board, s, t.steps)
    shuffle_steps(t, n[0])
    rate_choices(t, s, n[0])


cdef bint expand(Search* t, uint32_t index, const State* s) noexcept nogil:
    """Give a node its edges; False if it has none or there is no room."""
    cdef Node* node = node_at(t, index)
    cdef Edge* edges
    cdef int i, n = 0
    if node.kind == CHANCE:
        list_cards(t, s, node.is_plan, &n)
    elif node.kind == DECISION:
        list_choices(t, s, &n)
    if n == 0 or not make_room(t, &t.edges, n):
        return False
    node.edges = <uint32_t>t.edges.n
    t.edges.n += n
    node.n_edges = n
    edges = edge_at(t, node.edges)
    memset(edges, 0, n * sizeof(Edge))
    for i in range(n):
        edges[i].step = <int32_t>t.steps[i]
        edges[i].prior = t.rates[i]
    if node.kind == DECISION and t.params.priors:
        promote(t, node, False)
    return True


cdef bint may_expand(Search* t, uint32_t index, int depth) noexcept nogil:
    """Whether a node without edges may be expanded."""
    cdef const Node* root = node_at(t, t.root)
    if t.full or depth == MAX_PATH:
        return False
    if t.params.selection == SELECT_FLAT:
        return index == t.root
    return node_at(t, index).turn - root.turn <= t.params.horizon
