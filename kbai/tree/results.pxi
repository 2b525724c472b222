# The result of a game, and what it teaches the nodes of its path.


cdef void score_game(Search* t, const State* s) noexcept nogil:
    """Score a finished game for every seat. The most gold wins, ties share (R9.3)."""
    cdef int gold[MAX_SEATS]
    cdef int shares[MAX_SHARES]
    cdef double* sums
    cdef int seat, i, margin, most = 0, second = 0, winners = 0
    for seat in range(t.n_seats):
        score_seat(t.board, s, seat, shares)
        gold[seat] = 0
        for i in range(t.n_shares):
            gold[seat] += shares[i]
            t.result.detail[seat * t.n_shares + i] = shares[i]
        if seat == 0 or gold[seat] > most:
            second = most
            most = gold[seat]
            winners = 1
        elif gold[seat] == most:
            second = most
            winners += 1
        elif seat == 1 or gold[seat] > second:
            second = gold[seat]
    for seat in range(t.n_seats):
        sums = &t.result.sums[seat * N_SUMS]
        margin = gold[seat] - (second if gold[seat] == most else most)
        sums[WIN] = 1.0 / winners if gold[seat] == most else 0
        sums[GOLD] = gold[seat]
        sums[GOLD_SQUARED] = gold[seat] * gold[seat]
        sums[MARGIN] = margin
        sums[MARGIN_SQUARED] = margin * margin
        margin = min(max(margin, -MAX_MARGIN), MAX_MARGIN)
        sums[UTILITY] = ((1 - t.params.margin_weight) * sums[WIN]
                         + t.params.margin_weight * t.squash[margin + MAX_MARGIN])
    t.result.has_detail = True


cdef inline double logistic(double x) noexcept nogil:
    return 1 / (1 + exp(-x))


cdef void guess_game(Search* t, const State* s) noexcept nogil:
    """Guess how a game ends, in place of playing it. Nobody knows the gold by card then.

    A margin that is spread by a normal distribution wins, and is squashed, as a logistic function
    of its mean would tell, with a wider scale.
    """
    cdef float gold[MAX_SEATS]
    cdef double* sums
    cdef double margin, best
    cdef double spread = t.params.spread[0] + t.params.spread[1] * houses_left(s)
    cdef double scale = sqrt(t.params.margin_scale ** 2 + (spread / PROBIT) ** 2)
    cdef int seat, i
    guess_gold(t.board, s, t.value, gold)
    for seat in range(t.n_seats):
        best = -MAX_MARGIN
        for i in range(t.n_seats):
            if i != seat:
                best = max(best, gold[i])
        margin = gold[seat] - best
        sums = &t.result.sums[seat * N_SUMS]
        sums[WIN] = logistic(margin * PROBIT / spread)
        sums[GOLD] = gold[seat]
        sums[GOLD_SQUARED] = gold[seat] * gold[seat] + spread * spread / 2
        sums[MARGIN] = margin
        sums[MARGIN_SQUARED] = margin * margin + spread * spread
        sums[UTILITY] = ((1 - t.params.margin_weight) * sums[WIN]
                         + t.params.margin_weight * logistic(margin / scale))
    t.result.has_detail = False


cdef void play_out(Search* t, State* s) noexcept nogil:
    if t.value != NULL and s.phase != PHASE_OVER:
        informed_turns(t.board, s, &t.params.policy, &t.rng, t.params.cut)
        if s.phase != PHASE_OVER:
            guess_game(t, s)
            return
    if s.phase != PHASE_OVER:
        if t.params.informed:
            informed_game(t.board, s, &t.params.policy, &t.rng, NULL)
        else:
            random_game(t.board, s, &t.rng, NULL)
    score_game(t, s)
    if t.holders != NULL:
        count_holders(t, s)


cdef void count_holders(Search* t, const State* s) noexcept nogil:
    cdef int seat, word, bit
    cdef uint64_t* counts = t.holders
    for seat in range(t.n_seats):
        for word in range(WORDS):
            for bit in range(64):
                counts[bit] += s.seats[seat].own[word] >> bit & 1
            counts += 64
    t.n_games += 1


cdef void clear_result(Search* t, Result* result) noexcept nogil:
    memset(result.sums, 0, t.n_seats * N_SUMS * sizeof(double))
    memset(result.detail, 0, t.n_seats * t.n_shares * sizeof(double))
    result.has_detail = True


cdef void add_means(Search* t, uint32_t index, double weight, Result* result) noexcept nogil:
    """Add the means of a node to a result; gold by card only if every part has it."""
    cdef Node* node = node_at(t, index)
    cdef const double* detail
    cdef int i
    for i in range(t.n_seats * N_SUMS):
        result.sums[i] += weight * sums_of(node)[i] / node.visits
    if node.detail == NOTHING or not result.has_detail:
        result.has_detail = False
        return
    detail = detail_at(t, node.detail)
    for i in range(t.n_seats * t.n_shares):
        result.detail[i] += weight * detail[1 + i] / detail[0]


cdef void take_means(Search* t, uint32_t index) noexcept nogil:
    """Take the means of a proven node as the result of the visit."""
    clear_result(t, &t.result)
    add_means(t, index, 1, &t.result)


cdef uint32_t best_proven(const Search* t, const Node* node) noexcept nogil:
    """The best proven child for the seat that decides, or NOTHING."""
    cdef const Edge* edges = edge_at(t, node.edges)
    cdef int i, best = -1
    for i in range(node.n_tried):
        if edges[i].bonus == PROVEN and (best < 0 or edges[i].value > edges[best].value):
            best = i
    return edges[best].child if best >= 0 else NOTHING


cdef void prove(Search* t, Node* node) noexcept nogil:
    """Make the means of a node exact, now that all its edges are proven."""
    cdef const Edge* edges = edge_at(t, node.edges)
    cdef double* detail
    cdef int i
    clear_result(t, &t.result)
    if node.kind == DECISION:
        add_means(t, best_proven(t, node), 1, &t.result)
    else:
        for i in range(node.n_edges):
            add_means(t, edges[i].child, edges[i].prior, &t.result)
    for i in range(t.n_seats * N_SUMS):
        sums_of(node)[i] = t.result.sums[i] * node.visits
    if node.detail != NOTHING and t.result.has_detail:
        detail = detail_at(t, node.detail)
        for i in range(t.n_seats * t.n_shares):
            detail[1 + i] = t.result.detail[i] * detail[0]
    node.proven = True


cdef void add_detail(Search* t, Node* node) noexcept nogil:
    cdef double* detail
    cdef int i
    if node.detail == NOTHING:
        if t.full or not make_room(t, &t.details, 1):
            return
        node.detail = <uint32_t>t.details.n
        t.details.n += 1
        memset(detail_at(t, node.detail), 0, t.details.size)
    detail = detail_at(t, node.detail)
    detail[0] += 1
    for i in range(t.n_seats * t.n_shares):
        detail[1 + i] += t.result.detail[i]


cdef inline void add_result(Search* t, Node* node, bint with_detail) noexcept nogil:
    cdef double* sums = sums_of(node)
    cdef int i
    node.visits += 1
    for i in range(t.n_seats * N_SUMS):
        sums[i] += t.result.sums[i]
    if with_detail and t.result.has_detail:
        add_detail(t, node)


cdef inline float sure_utility(Search* t, const Edge* edge, int seat) noexcept nogil:
    """The utility that an edge surely brings the seat that takes it, or UNSURE."""
    cdef Node* child = node_at(t, edge.child)
    if child.proven:
        return <float>mean_utility(child, seat)
    if child.kind == DECISION and child.actor == seat:
        return child.sure
    return UNSURE


cdef void prefer_sure(Search* t, const Node* node) noexcept nogil:
    """Replace the result of a visit by the sure line of the seat that decides, if that is better.

    Proven edges get no more visits. Without this, each good line that is proven would make the
    nodes above it look worse. In the last turn of a game, where only the best line counts, it
    brings the mean of a node close to that line.
    """
    cdef uint32_t index = NOTHING
    if node.sure <= t.result.sums[node.actor * N_SUMS + UTILITY]:
        return
    while True:
        index = edge_at(t, node.edges + node.sure_edge).child
        node = node_at(t, index)
        if node.proven:
            break
    take_means(t, index)


cdef void note_edge(Search* t, Node* node, Edge* edge) noexcept nogil:
    """Copy to an edge what a visit changed in the node to which it leads."""
    cdef Node* child = node_at(t, edge.child)
    cdef float sure
    edge.visits += 1
    if edge.child == NOTHING:
        return
    edge.value = <float>mean_utility(child, node.actor)
    edge.below = child.edges
    if edge.bonus != PROVEN:
        set_bonus(t, edge)
        if child.proven:
            edge.bonus = PROVEN
            node.n_proven += 1
    if node.kind == DECISION:
        sure = sure_utility(t, edge, node.actor)
        if sure > node.sure:
            node.sure = sure
            node.sure_edge = <uint16_t>(edge - edge_at(t, node.edges))
        prefer_sure(t, node)


cdef void back_up(Search* t, int depth) noexcept nogil:
    """Add the result to the nodes of the path, the last one first, and prove what can be proven."""
    cdef int turn = node_at(t, t.root).turn
    cdef Node* node
    cdef int i
    for i in range(depth - 1, -1, -1):
        node = node_at(t, t.path[i])
        if i < depth - 1:
            if node.kind == DECISION:
                gather_experience(t, node, edge_at(t, t.taken[i]))
            note_edge(t, node, edge_at(t, t.taken[i]))
        # The gold by card is kept for the turn of the root and the nodes that end it.
        add_result(t, node, i == 0 or node_at(t, t.path[i - 1]).turn == turn)
        if node.kind == OVER and not node.is_plan:
            node.proven = True
        elif node.n_proven == node.n_edges and node.n_edges and not node.proven:
            prove(t, node)
