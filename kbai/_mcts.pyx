# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True, freethreading_compatible=True
"""Monte Carlo tree search on the kernel's states, without Python objects and without the GIL.

A node is a state of the game, an edge a step or a card drawn. No node holds its state: a visit
copies the root's and replays the steps of its path. Nodes, edges and the gold by card lie in three
arenas that grow up to the memory limit; a full tree grows no more, but visits go on.

Orders of the same steps lead to the same state. With ``merge`` a child is looked up by the hash of
its state before a node is made, and the tree is a graph without cycles: the number of the turn is
part of the key, and inside of a turn every step uses something up.

The value of an ending is exact. A node is proven if the game is over, or if all its edges lead to
proven nodes; its sums are then those of the best one for the seat that decides, or of the mean by
odds, and no visit walks on below it.
"""

from collections import Counter, namedtuple
from math import exp as exact_exp

cimport cython
from libc.math cimport expf, logf, sqrtf
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcpy, memmove, memset

from kbai._fast cimport (
    CARD_KINDS, MAX_CARDS, MAX_SEATS, MAX_SLOTS, MAX_STEPS, N_ALWAYS, N_CELLS, PHASE_OVER,
    STEP_BUILD, STEP_END, STEP_LIFT, STEP_PUT, WORDS, Board, BoardData, Policy, Position,
    Rng, State, cards_to_draw, deciding_seat, do_step, draw_random, informed_game, list_steps,
    random_game, rate_steps, score_seat, start_random, state_bytes, turn_card,
)

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    #define kb_prefetch(p) _mm_prefetch((const char*)(p), _MM_HINT_T0)
    #else
    #define kb_prefetch(p) __builtin_prefetch(p)
    #endif
    """
    void kb_prefetch(const void* p) noexcept nogil

cdef enum:
    NOTHING = 0  # index of no node, of no detail
    NO_EDGE = 0xFFFFFFFF
    MAX_PATH = 1024  # a longer way down ends in a playout
    MAX_SHARES = N_ALWAYS + MAX_CARDS  # parts of a seat's gold
    MAX_MARGIN = 200  # beyond it the squashed margin does not change
    LEAST_MEMORY = 1 << 20  # enough for the edges of any root
    CACHE_LINE = 64
    N_CHOICES = MAX_SLOTS * N_CELLS
    WIDE = 4000  # visits of a node from which on exploration grows
    DOUBT = 30  # visits that experience is weighed against
    PROVEN = -1  # Edge.bonus: leads to a proven node
    UNSURE = -1  # Node.sure

cdef enum:  # kinds of node
    DECISION
    CHANCE
    OVER

cdef enum:  # what is summed up for each seat
    UTILITY
    WIN
    GOLD
    GOLD_SQUARED
    MARGIN
    MARGIN_SQUARED
    N_SUMS

cdef enum:
    SELECT_PUCT
    SELECT_UCB
    SELECT_FLAT

cdef struct Node:  # followed by N_SUMS doubles for each seat
    uint64_t key  # of the state and the turn
    uint32_t visits
    uint32_t edges  # the first one
    uint32_t detail
    uint16_t n_edges  # 0: not expanded
    uint16_t n_tried  # a prefix of the edges has children
    uint16_t n_proven  # edges that are known to lead to a proven node
    uint16_t turn  # since the first root of the tree
    uint16_t sure_edge  # where the line begins that is sure to bring ...
    float sure  # ... this utility: only steps of the same seat, then a proven node; UNSURE: none
    uint8_t kind
    int8_t actor
    uint8_t proven

cdef struct Edge:
    int32_t step  # or -1 - card
    uint32_t child
    uint32_t visits
    float prior  # of a card: its odds
    float value  # mean utility of the seat that decides, copied from the child
    float bonus  # what visits elsewhere add to it, before the scale of the node; PROVEN
    uint32_t below  # the first edge of the child when it was last visited

cdef struct Arena:
    char* items
    size_t size  # of an item in bytes
    uint64_t n
    uint64_t room

cdef struct Result:  # of a game, or the mean of several
    double sums[MAX_SEATS * N_SUMS]
    double detail[MAX_SEATS * MAX_SHARES]
    bint has_detail

cdef struct Experience:  # with a step in all nodes of a tree
    float gain  # utility more than its nodes had in the mean
    float visits

cdef struct Params:
    Policy policy
    float experience
    float exploration
    float fpu
    double margin_weight
    float temperature
    int selection
    int horizon
    bint priors
    bint merge
    bint informed

cdef struct Search:
    const BoardData* board
    State state  # of the root
    Params params
    Rng rng
    Arena nodes
    Arena edges
    Arena details  # a count and the sums by seat and part
    uint32_t* table  # hash table of node indices
    uint64_t table_room
    uint64_t memory
    uint64_t bytes
    bint full
    uint32_t root
    int n_seats
    int n_shares
    double squash[2 * MAX_MARGIN + 1]
    Experience experience[MAX_SEATS][N_CHOICES]
    uint32_t steps[MAX_STEPS]
    float rates[MAX_STEPS]
    uint32_t path[MAX_PATH]
    uint32_t taken[MAX_PATH]  # the edge by which each node of the path was left
    Result result
    uint64_t* avoided  # keys of states in which the turn of the root must not end
    int n_avoided
    uint64_t* holders  # games that ended with a piece of a seat on a bit; NULL: not counted
    uint64_t n_games  # how many they are of


# --- arenas -------------------------------------------------------------------------------------

cdef inline Node* node_at(const Search* t, uint32_t i) noexcept nogil:
    return <Node*>(t.nodes.items + i * t.nodes.size)


cdef inline double* sums_of(Node* node) noexcept nogil:
    return <double*>(node + 1)


cdef inline Edge* edge_at(const Search* t, uint32_t i) noexcept nogil:
    return <Edge*>t.edges.items + i


cdef inline double* detail_at(const Search* t, uint32_t i) noexcept nogil:
    return <double*>(t.details.items + i * t.details.size)


cdef bint make_room(Search* t, Arena* arena, uint64_t more) noexcept nogil:
    """Room for some more items; False at the memory limit, and from then on the tree is full."""
    cdef uint64_t room = arena.n + more
    cdef uint64_t most = arena.room + (t.memory - t.bytes) // arena.size
    cdef void* items
    if room <= arena.room:
        return True
    # By a quarter, so that at the limit no arena has taken what the others need.
    room = min(room + arena.room // 4 + 1024, most, <uint64_t>NO_EDGE)
    if room < arena.n + more:
        t.full = True
        return False
    items = realloc(arena.items, room * arena.size)
    if items == NULL:
        t.full = True
        return False
    t.bytes += (room - arena.room) * arena.size
    arena.items = <char*>items
    arena.room = room
    return True


cdef void free_arenas(Search* t) noexcept nogil:
    free(t.nodes.items)
    free(t.edges.items)
    free(t.details.items)
    free(t.table)
    free(t.avoided)
    free(t.holders)


# --- keys ---------------------------------------------------------------------------------------

cdef inline uint64_t turned(uint64_t x, int by) noexcept nogil:
    return x << by | x >> (64 - by)


cdef inline uint64_t mix_word(uint64_t sum, uint64_t word) noexcept nogil:
    return turned(sum + word * <uint64_t>0xC2B2AE3D27D4EB4F, 31) * <uint64_t>0x9E3779B185EBCA87


cdef uint64_t hash_state(const State* s) noexcept nogil:
    """xxHash64 (Collet) without its care for odd lengths: four sums, none waits for another."""
    cdef const uint64_t* words = <const uint64_t*>s
    cdef size_t i = 0, n = state_bytes(s) // sizeof(uint64_t)
    cdef uint64_t a = 1, b = 2, c = 3, d = 4
    while i + 4 <= n:
        a = mix_word(a, words[i])
        b = mix_word(b, words[i + 1])
        c = mix_word(c, words[i + 2])
        d = mix_word(d, words[i + 3])
        i += 4
    while i < n:
        a = mix_word(a, words[i])
        i += 1
    a = turned(a, 1) + turned(b, 7) + turned(c, 12) + turned(d, 18) + n
    a = (a ^ a >> 33) * <uint64_t>0xC2B2AE3D27D4EB4F
    a = (a ^ a >> 29) * <uint64_t>0x165667B19E3779F9
    return a ^ a >> 32


cdef inline uint64_t key_in_turn(uint64_t state_hash, int turn) noexcept nogil:
    return state_hash + <uint64_t>turn * <uint64_t>0x9E3779B97F4A7C15


cdef void put_in_table(Search* t, uint32_t index) noexcept nogil:
    cdef uint64_t i = node_at(t, index).key & (t.table_room - 1)
    while t.table[i] != NOTHING:
        i = (i + 1) & (t.table_room - 1)
    t.table[i] = index


cdef void fill_table(Search* t) noexcept nogil:
    cdef uint32_t i
    memset(t.table, 0, t.table_room * sizeof(uint32_t))
    for i in range(1, <uint32_t>t.nodes.n):
        put_in_table(t, i)


cdef bint grow_table(Search* t) noexcept nogil:
    """At most half of the table is in use."""
    cdef uint64_t room = t.table_room * 2 if t.table_room else 1024
    cdef uint64_t more = (room - t.table_room) * sizeof(uint32_t)
    cdef void* table
    if 2 * (t.nodes.n + 1) <= t.table_room:
        return True
    table = realloc(t.table, room * sizeof(uint32_t)) if t.bytes + more <= t.memory else NULL
    if table == NULL:
        t.full = True
        return False
    t.table = <uint32_t*>table
    t.table_room = room
    t.bytes += more
    fill_table(t)
    return True


cdef uint32_t find_key(const Search* t, uint64_t key) noexcept nogil:
    cdef uint64_t i = key & (t.table_room - 1)
    if t.table_room == 0:
        return NOTHING
    while t.table[i] != NOTHING and node_at(t, t.table[i]).key != key:
        i = (i + 1) & (t.table_room - 1)
    return t.table[i]


# --- growing ------------------------------------------------------------------------------------

cdef uint32_t add_node(Search* t, const State* s, int turn) noexcept nogil:
    """The node of a state, found or new; NOTHING if the tree is full."""
    cdef uint64_t key = key_in_turn(hash_state(s), turn)
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
    node.kind = OVER if s.phase == PHASE_OVER else CHANCE if s.draw else DECISION
    if t.params.merge:
        put_in_table(t, index)
    return index


cdef void promote(Search* t, const Node* node) noexcept nogil:
    """Bring the likeliest of the edges not tried to their front."""
    cdef Edge* edges = edge_at(t, node.edges)
    cdef Edge first
    cdef int i, best = node.n_tried
    for i in range(node.n_tried + 1, node.n_edges):
        if edges[i].prior > edges[best].prior:
            best = i
    if best > node.n_tried:
        first = edges[node.n_tried]
        edges[node.n_tried] = edges[best]
        edges[best] = first


cdef inline int choice_of(uint32_t step) noexcept nogil:
    """The number of a choice of tile and hex; all steps of other kinds share the last one."""
    cdef int kind = step >> 24
    if kind != STEP_BUILD and kind != STEP_LIFT and kind != STEP_PUT:
        return N_CHOICES - 1
    return (step >> 16 & 255) * N_CELLS + (step & (N_CELLS - 1))


cdef void gather_experience(Search* t, Node* node, const Edge* edge) noexcept nogil:
    """What a step was good for here tells what it may be good for in other nodes."""
    cdef Experience* known = &t.experience[node.actor][choice_of(<uint32_t>edge.step)]
    known.gain += <float>(t.result.sums[node.actor * N_SUMS + UTILITY]
                          - mean_utility(node, node.actor))
    known.visits += 1


cdef void add_experience(Search* t, int seat, int n) noexcept nogil:
    """To what the steps bring by themselves; a few visits count for little."""
    cdef const Experience* known
    cdef int i
    for i in range(n):
        known = &t.experience[seat][choice_of(t.steps[i])]
        t.rates[i] += t.params.experience * known.gain / (known.visits + DOUBT)


cdef void set_priors(Search* t, const State* s, int n) noexcept nogil:
    """Softmax of what the steps bring; sorted only as far as they are tried."""
    cdef float best, total = 0
    cdef int i
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
    """Steps of equal priors are tried in any order."""
    cdef uint32_t step
    cdef int i, k
    for i in range(n - 1, 0, -1):
        k = <int>(<uint64_t>draw_random(&t.rng) * <uint64_t>(i + 1) >> 32)
        step = t.steps[i]
        t.steps[i] = t.steps[k]
        t.steps[k] = step


cdef void list_cards(Search* t, const State* s, int* n) noexcept nogil:
    """The cards that can come, with their odds."""
    cdef const uint8_t* counts = cards_to_draw(s)
    cdef int card, total = 0
    for card in range(CARD_KINDS):
        total += counts[card]
    n[0] = 0
    for card in range(CARD_KINDS):
        if counts[card]:
            t.steps[n[0]] = <uint32_t>(-1 - card)
            t.rates[n[0]] = <float>counts[card] / <float>total
            n[0] += 1


cdef void list_choices(Search* t, const State* s, int* n) noexcept nogil:
    """The legal steps, with their priors."""
    cdef int i
    n[0] = list_steps(t.board, s, t.steps)
    shuffle_steps(t, n[0])
    if t.params.priors:
        set_priors(t, s, n[0])
    else:
        for i in range(n[0]):
            t.rates[i] = <float>1 / <float>n[0]


cdef bint expand(Search* t, uint32_t index, const State* s) noexcept nogil:
    """Give a node its edges; False if it has none or they have no room."""
    cdef Node* node = node_at(t, index)
    cdef Edge* edges
    cdef int i, n = 0
    if node.kind == CHANCE:
        list_cards(t, s, &n)
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
        promote(t, node)
    return True


cdef bint may_expand(Search* t, uint32_t index, int depth) noexcept nogil:
    """Whether a node without edges may get some."""
    cdef const Node* root = node_at(t, t.root)
    if t.full or depth == MAX_PATH:
        return False
    if t.params.selection == SELECT_FLAT:
        return index == t.root
    return node_at(t, index).turn - root.turn <= t.params.horizon


# --- selection ----------------------------------------------------------------------------------

cdef inline double mean_utility(Node* node, int seat) noexcept nogil:
    return sums_of(node)[seat * N_SUMS + UTILITY] / node.visits if node.visits else 0


cdef inline bint has_untried(const Search* t, const Node* node) noexcept nogil:
    return node.n_tried < node.n_edges and not t.full


cdef inline void set_bonus(const Search* t, Edge* edge) noexcept nogil:
    """Kept in the edge, as selection looks at many more edges than are visited."""
    if t.params.selection == SELECT_UCB:
        edge.bonus = 1 / sqrtf(<float>edge.visits)
    else:
        edge.bonus = edge.prior / <float>(1 + edge.visits)


cdef uint32_t select_step(const Search* t, Node* node) noexcept nogil:
    """The edge to follow; NO_EDGE if there is none to learn from and the tree is full.

    A proven edge is no more to be learned from.
    """
    cdef const Edge* edges = edge_at(t, node.edges)
    cdef float scale, worth, top = -1
    cdef int i, best = -1
    if t.params.selection == SELECT_UCB:
        if has_untried(t, node):
            return node.edges + node.n_tried
        scale = t.params.exploration * sqrtf(logf(<float>max(node.visits, 1)))
    else:
        # More is tried where much is known: with a constant exploration the visits of a large tree
        # only confirm what a small one has found.
        scale = t.params.exploration * sqrtf(<float>node.visits) * (
            1 + logf(1 + <float>node.visits / WIDE))
    for i in range(node.n_tried):
        worth = edges[i].value + scale * edges[i].bonus
        if worth > top and edges[i].bonus != PROVEN:
            best = i
            top = worth
    if has_untried(t, node):
        i = node.n_tried
        worth = <float>mean_utility(node, node.actor) - t.params.fpu + scale * edges[i].prior
        if best < 0 or worth > top:
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
    """The card that is most behind its share of the visits."""
    cdef const Edge* edges = edge_at(t, node.edges)
    cdef double behind, top = 0
    cdef int i, best = -1, n = 1
    for i in range(node.n_edges):
        n += edges[i].visits
    for i in range(node.n_edges):
        behind = edges[i].prior * <double>n - edges[i].visits
        if best < 0 or behind > top:
            best = i
            top = behind
    return node.edges + best


cdef uint32_t select_edge(const Search* t, uint32_t index) noexcept nogil:
    cdef Node* node = node_at(t, index)
    if node.kind == CHANCE:
        return select_card(t, node)
    if t.params.selection == SELECT_FLAT:
        return select_least_visited(t, node)
    return select_step(t, node)


# --- results ------------------------------------------------------------------------------------

cdef void score_game(Search* t, const State* s) noexcept nogil:
    """What a finished game is worth to every seat; the most gold wins, ties share (R9.3)."""
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


cdef void play_out(Search* t, State* s) noexcept nogil:
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
    """Add the means of a node to a result; the gold by card only if all that is added has it."""
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
    """A proven node is its own result."""
    clear_result(t, &t.result)
    add_means(t, index, 1, &t.result)


cdef uint32_t best_proven(const Search* t, const Node* node) noexcept nogil:
    """The proven child that is best for the seat that decides, or NOTHING."""
    cdef const Edge* edges = edge_at(t, node.edges)
    cdef int i, best = -1
    for i in range(node.n_tried):
        if edges[i].bonus == PROVEN and (best < 0 or edges[i].value > edges[best].value):
            best = i
    return edges[best].child if best >= 0 else NOTHING


cdef void prove(Search* t, Node* node) noexcept nogil:
    """All edges of a node are proven: from now on its means are exact."""
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
    """What an edge is sure to bring the seat that decides before it, or UNSURE."""
    cdef Node* child = node_at(t, edge.child)
    if child.proven:
        return <float>mean_utility(child, seat)
    if child.kind == DECISION and child.actor == seat:
        return child.sure
    return UNSURE


cdef void prefer_sure(Search* t, const Node* node) noexcept nogil:
    """The seat that decides would rather take its sure line than what the visit came to.

    Without this the visits, which proven edges no longer get, would make a node look worse
    with every good line that is proven below it. In the last turn of a game, where the best line
    is all that counts, it makes the mean of a node follow its best line.
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
    """Take over into an edge what a visit changed in the node it leads to."""
    cdef Node* child = node_at(t, edge.child)
    cdef float sure
    edge.visits += 1
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
    """Add the result to the nodes of the path, from the last one up; prove what can be proven."""
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
        if node.kind == OVER:
            node.proven = True
        elif node.n_proven == node.n_edges and node.n_edges and not node.proven:
            prove(t, node)


# --- a visit ------------------------------------------------------------------------------------

cdef inline void follow(Search* t, State* s, int32_t step) noexcept nogil:
    if step < 0:
        turn_card(t.board, s, -1 - step)
    else:
        do_step(t.board, s, <uint32_t>step)


cdef inline void fetch(const Search* t, const Edge* edge) noexcept nogil:
    """Have the memory of a child on its way while the step there is made."""
    cdef const char* node = <const char*>node_at(t, edge.child)
    cdef const char* edges = <const char*>edge_at(t, edge.below)
    kb_prefetch(node)
    kb_prefetch(node + CACHE_LINE)
    kb_prefetch(edges)
    kb_prefetch(edges + CACHE_LINE)


cdef inline int turn_after(const Node* node, int32_t step) noexcept nogil:
    return node.turn + (step >= 0 and step >> 24 == STEP_END)


cdef uint32_t enter(Search* t, uint32_t index, uint32_t taken, const State* s) noexcept nogil:
    """The node an edge leads to, whose state this is; NOTHING if there is no room for it."""
    cdef Node* node = node_at(t, index)
    cdef int32_t step = edge_at(t, taken).step
    cdef uint32_t child = add_node(t, s, turn_after(node, step))
    node = node_at(t, index)
    if node.kind == CHANCE:
        if child == NOTHING:  # the quota counts it all the same
            edge_at(t, taken).visits += 1
    elif child != NOTHING:
        node.n_tried += 1
        if t.params.priors:
            promote(t, node)
    edge_at(t, taken).child = child
    return child


cdef void visit(Search* t) noexcept nogil:
    cdef State s
    cdef Node* node
    cdef uint32_t index = t.root, taken
    cdef int depth = 0
    memcpy(&s, &t.state, state_bytes(&t.state))
    while True:
        t.path[depth] = index
        depth += 1
        node = node_at(t, index)
        if node.proven:
            take_means(t, index)
            break
        if (node.visits == 0 and index != t.root) or node.kind == OVER:
            play_out(t, &s)
            break
        if node.n_edges == 0 and not (may_expand(t, index, depth) and expand(t, index, &s)):
            play_out(t, &s)
            break
        taken = select_edge(t, index)
        if taken == NO_EDGE or depth == MAX_PATH:
            play_out(t, &s)
            break
        if t.n_avoided and not may_follow(t, index, taken, &s):
            drop_edge(t, node, taken)
            depth -= 1
            continue
        t.taken[depth - 1] = taken
        fetch(t, edge_at(t, taken))
        follow(t, &s, edge_at(t, taken).step)
        index = edge_at(t, taken).child
        if index == NOTHING:
            index = enter(t, t.path[depth - 1], taken, &s)
        if index == NOTHING:
            play_out(t, &s)
            break
    back_up(t, depth)


# --- turns to allow or avoid --------------------------------------------------------------------

cdef bint is_avoided(const Search* t, const State* s, int turn) noexcept nogil:
    cdef uint64_t key = key_in_turn(hash_state(s), turn)
    cdef int i
    for i in range(t.n_avoided):
        if t.avoided[i] == key:
            return True
    return False


cdef bint is_in_turn(const Search* t, const State* s, int turn) noexcept nogil:
    """As `is_inside`, of a state."""
    cdef const Node* root = node_at(t, t.root)
    return (turn == root.turn and s.phase != PHASE_OVER and not s.draw
            and deciding_seat(s) == root.actor)


cdef bint can_end(Search* t, const State* s, int turn) noexcept nogil:
    """Whether the turn of the root can end from here in a state that is not to be avoided."""
    cdef State next
    cdef uint32_t step
    cdef int i = 0
    if not is_in_turn(t, s, turn):
        return not is_avoided(t, s, turn)
    while i < list_steps(t.board, s, t.steps):  # anew, as the calls below write over it
        step = t.steps[i]
        memcpy(&next, s, state_bytes(s))
        do_step(t.board, &next, step)
        if can_end(t, &next, turn + (step >> 24 == STEP_END)):
            return True
        i += 1
    return False


cdef bint may_follow(Search* t, uint32_t index, uint32_t taken, const State* s) noexcept nogil:
    """Whether an edge leads to anything else than turns to be avoided."""
    cdef const Edge* edge = edge_at(t, taken)
    cdef State next
    if edge.child != NOTHING or not is_inside(t, index):
        return True
    memcpy(&next, s, state_bytes(s))
    do_step(t.board, &next, <uint32_t>edge.step)
    return can_end(t, &next, turn_after(node_at(t, index), edge.step))


cdef void drop_edge(Search* t, Node* node, uint32_t taken) noexcept nogil:
    """Forget the edge that is to be tried next; there are others, or nobody had come here."""
    node.n_edges -= 1
    edge_at(t, taken)[0] = edge_at(t, node.edges + node.n_edges)[0]
    if t.params.priors:
        promote(t, node)


# --- another root -------------------------------------------------------------------------------

cdef uint32_t find_root(Search* t, const State* s, int turns) noexcept nogil:
    """The most visited node of a state that is at most some turns away."""
    cdef uint64_t state_hash = hash_state(s)
    cdef int turn = node_at(t, t.root).turn
    cdef uint32_t i, best = NOTHING
    cdef const Node* node
    if t.params.merge:
        for i in range(turns + 1):
            best = find_key(t, key_in_turn(state_hash, turn + i))
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
    """Mark in ``places`` what can be reached from a node, itself included."""
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
    """Close the gaps between the nodes that are marked, and note their new places."""
    cdef uint32_t i, n = 1
    for i in range(1, <uint32_t>t.nodes.n):
        if places[i]:
            places[i] = n
            memmove(node_at(t, n), node_at(t, i), t.nodes.size)
            n += 1
    t.nodes.n = n


cdef void move_edges(Search* t, const uint32_t* places, uint64_t* order) noexcept nogil:
    """Close the gaps between the edges of the nodes, which were given out in another order."""
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
    """Forget what cannot be reached from a node and make it the root; False without memory."""
    cdef uint32_t* places = <uint32_t*>calloc(t.nodes.n, sizeof(uint32_t))
    cdef uint64_t* order = <uint64_t*>malloc(t.nodes.n * sizeof(uint64_t))
    cdef bint is_done = places != NULL and order != NULL
    if is_done:
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


# --- whole turns --------------------------------------------------------------------------------

cdef struct Way:  # how a node is reached from the root
    uint32_t parent
    uint32_t edge
    uint32_t visits
    bint is_seen


cdef inline bint is_inside(const Search* t, uint32_t index) noexcept nogil:
    """Whether the seat that decides at the root still does, in the same turn."""
    cdef const Node* root = node_at(t, t.root)
    cdef const Node* node = node_at(t, index)
    return node.kind == DECISION and node.turn == root.turn and node.actor == root.actor


cdef uint32_t find_ends(const Search* t, Way* ways, uint32_t* waiting,
                        uint64_t* ends) noexcept nogil:
    """List the ends of the root's turn, as far as it was walked, and the ways there."""
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


cdef uint32_t best_edge(const Search* t, const Node* node) noexcept nogil:
    """The most visited edge, of a proven node the best one; NO_EDGE if none has a child."""
    cdef const Edge* edge
    cdef const Edge* best = NULL
    cdef int i
    for i in range(node.n_edges):
        edge = edge_at(t, node.edges + i)
        if edge.child == NOTHING:
            continue
        if best == NULL or (edge.value > best.value if node.proven and node.kind == DECISION
                            else edge.visits > best.visits):
            best = edge
    return NO_EDGE if best == NULL else <uint32_t>(best - edge_at(t, 0))


# --- the face -----------------------------------------------------------------------------------

SeatStats = namedtuple("SeatStats", "utility win gold gold_variance margin margin_variance",
                       module=__name__)
RootEdge = namedtuple("RootEdge", "step visits prior is_proven sure seats", module=__name__)
TurnNode = namedtuple("TurnNode", "key steps visits is_proven seats detail detail_visits",
                      module=__name__)
SELECTIONS = {"puct": SELECT_PUCT, "ucb": SELECT_UCB, "flat": SELECT_FLAT}
PLAYOUTS = {"random": False, "informed": True}


def _one_of(what, value, choices):
    if value not in choices:
        raise ValueError(f"expected {what} of {', '.join(choices)}, got {value!r}")
    return choices[value]


def _above(what, value, low):
    if not value > low:
        raise ValueError(f"expected {what} above {low}, got {value!r}")
    return value


cdef double _variance(double sum, double squares, double n):
    return max(squares / n - (sum / n) ** 2, 0.0)


@cython.final
cdef class Tree:
    """A search tree for the seat that decides in a position."""

    cdef Search search
    cdef readonly Board board
    cdef readonly object runs

    def __cinit__(self):
        memset(&self.search, 0, sizeof(Search))

    def __dealloc__(self):
        free_arenas(&self.search)

    def __init__(self, Position position not None, *, seed, memory=1 << 30, playout="informed",
                 selection="puct", exploration, fpu, priors, prior_temperature, merge, horizon,
                 margin_weight, margin_scale, experience, **policy):
        cdef Search* t = &self.search
        cdef Params* params = &t.params
        cdef int margin
        if self.board is not None:
            raise TypeError("a tree is made once")
        params.selection = _one_of("a selection", selection, SELECTIONS)
        params.informed = _one_of("a playout", playout, PLAYOUTS)
        params.exploration = exploration
        params.fpu = fpu
        params.priors = priors
        params.experience = experience
        params.temperature = _above("a temperature", prior_temperature, 0)
        params.merge = merge
        params.horizon = min(_above("a horizon", horizon, -1), 1 << 20)
        params.margin_weight = margin_weight
        self._set_policy(policy)
        _above("a scale", margin_scale, 0)
        for margin in range(-MAX_MARGIN, MAX_MARGIN + 1):
            # Rounded, so that the last bits of a C library decide nothing.
            t.squash[margin + MAX_MARGIN] = round(_squash(margin / margin_scale), 9)
        t.bytes = sizeof(t.experience)
        t.memory = _above("a memory of bytes", memory, LEAST_MEMORY - 1)
        start_random(&t.rng, seed & 0xFFFFFFFFFFFFFFFF)
        self.board = position.board
        self.runs = 0
        self._plant(position)

    cdef int _set_policy(self, dict values) except -1:
        """The fields of Policy by name: all of them, or none if nothing asks for it."""
        cdef Params* params = &self.search.params
        cdef Policy policy = params.policy
        unknown = set(values) - set(policy)
        if unknown:
            raise TypeError(f"no parameter of a tree: {', '.join(sorted(unknown))}")
        if values or params.informed or params.priors:
            params.policy = values
        return 0

    cdef int _plant(self, Position position) except -1:
        """Make the arenas and the first root."""
        cdef Search* t = &self.search
        t.board = self.board.data
        t.n_seats = t.board.n_seats
        t.n_shares = N_ALWAYS + t.board.n_cards
        t.nodes.size = sizeof(Node) + t.n_seats * N_SUMS * sizeof(double)
        t.edges.size = sizeof(Edge)
        t.details.size = (1 + t.n_seats * t.n_shares) * sizeof(double)
        t.nodes.n = t.details.n = 1  # index 0 is nothing
        memcpy(&t.state, &position.state, state_bytes(&position.state))
        t.root = add_node(t, &t.state, 0)
        if t.root == NOTHING:
            raise MemoryError("no memory for a tree")
        expand(t, t.root, &t.state)
        return 0

    def run(self, visits):
        """Make some visits, without the GIL; two runs make one of the sum of their visits."""
        cdef int64_t i, n = visits
        with nogil:
            for i in range(n):
                visit(&self.search)
        self.runs += max(n, 0)

    def move_to(self, Position position not None):
        """Make a position that the tree knows its root; False if it does not know it."""
        cdef Search* t = &self.search
        cdef uint32_t root
        if position.board is not self.board and position.board != self.board:
            return False
        root = find_root(t, &position.state, 2 * t.n_seats)
        if root == NOTHING or (root != t.root and not keep_below(t, root)):
            return False
        memcpy(&t.state, &position.state, state_bytes(&position.state))
        t.n_avoided = 0
        if t.holders != NULL:
            self.count_holders()
        if node_at(t, t.root).n_edges == 0:
            expand(t, t.root, &t.state)
        return True

    def restrict(self, allow, avoid):
        """Search only turns that begin with the steps of ``allow`` and do not end as ``avoid``."""
        cdef Search* t = &self.search
        cdef State s
        cdef int turn = node_at(t, t.root).turn
        if node_at(t, t.root).visits or not t.params.merge:
            raise ValueError("expected a tree that merges orders, before its first visit")
        free(t.avoided)
        t.n_avoided = 0
        t.avoided = <uint64_t*>malloc((len(avoid) + 1) * sizeof(uint64_t))
        if t.avoided == NULL:
            raise MemoryError("no memory for turns to avoid")
        for steps in avoid:
            turn = self._replay(steps, &s)
            t.avoided[t.n_avoided] = key_in_turn(hash_state(&s), turn)
            t.n_avoided += 1
        begins = []
        for steps in allow or [()]:
            turn = self._replay(steps, &s)
            if can_end(t, &s, turn):
                begins.append(tuple(steps))
        if not begins:
            raise ValueError("no turn is left")
        self._keep_only(begins)

    cdef int _replay(self, steps, State* s) except -1:
        """Make steps from the root on; return the turn they lead to."""
        cdef Search* t = &self.search
        cdef int turn = node_at(t, t.root).turn
        memcpy(s, &t.state, state_bytes(&t.state))
        for step in steps:
            do_step(t.board, s, step)
            turn += step >> 24 == STEP_END
        return turn

    cdef int _keep_only(self, list begins) except -1:
        """Leave the nodes before the ends of ``begins`` no other edges than those on the way."""
        cdef Search* t = &self.search
        cdef State s
        cdef uint32_t index
        cdef int turn
        kept = {}
        for steps in begins:
            for n in range(len(steps)):
                # Orders of the same steps are one turn: another one may be over with its part.
                if any(not Counter(other) - Counter(steps[:n]) for other in begins):
                    break
                turn = self._replay(steps[:n], &s)
                index = add_node(t, &s, turn)
                if index == NOTHING or not (node_at(t, index).n_edges or expand(t, index, &s)):
                    raise MemoryError("no memory for a tree")
                kept.setdefault(index, set()).add(steps[n])
        for index, wanted in kept.items():
            self._keep_edges(node_at(t, index), wanted)
        return 0

    cdef int _keep_edges(self, Node* node, set steps) except -1:
        cdef Search* t = &self.search
        cdef Edge* edges = edge_at(t, node.edges)
        cdef float total = 0
        cdef int i, n = 0
        for i in range(node.n_edges):
            if edges[i].step in steps:
                edges[n] = edges[i]
                total += edges[n].prior
                n += 1
        node.n_edges = n
        for i in range(n):
            edges[i].prior = edges[i].prior / total if total > 0 else <float>1 / <float>n
        if t.params.priors:
            promote(t, node)
        return 0

    def count_holders(self):
        """Count from now on which seat has a piece on which cell at the end of a game."""
        cdef Search* t = &self.search
        free(t.holders)
        t.holders = <uint64_t*>calloc(t.n_seats * N_CELLS, sizeof(uint64_t))
        if t.holders == NULL:
            raise MemoryError("no memory to count pieces")
        t.n_games = 0

    def holders(self):
        """Return how many games were counted, and by seat in how many it had a piece on each cell."""
        cdef Search* t = &self.search
        cdef int seat, bit
        if t.holders == NULL:
            return 0, ()
        found = []
        for seat in range(t.n_seats):
            found.append({t.board.cell_of[bit]: t.holders[seat * N_CELLS + bit]
                          for bit in range(N_CELLS) if t.holders[seat * N_CELLS + bit]})
        return t.n_games, tuple(found)

    @property
    def visits(self):
        return node_at(&self.search, self.search.root).visits

    @property
    def nodes(self):
        return self.search.nodes.n - 1

    @property
    def bytes(self):
        return self.search.bytes

    @property
    def is_full(self):
        return bool(self.search.full)

    @property
    def is_proven(self):
        return bool(node_at(&self.search, self.search.root).proven)

    cdef tuple _stats(self, uint32_t index):
        """The means of a node, seat by seat."""
        cdef Node* node = node_at(&self.search, index)
        cdef double* sums
        cdef double n = node.visits
        cdef int seat
        if node.visits == 0:
            return ()
        seats = []
        for seat in range(self.search.n_seats):
            sums = sums_of(node) + seat * N_SUMS
            seats.append(SeatStats(
                sums[UTILITY] / n, sums[WIN] / n,
                sums[GOLD] / n, _variance(sums[GOLD], sums[GOLD_SQUARED], n),
                sums[MARGIN] / n, _variance(sums[MARGIN], sums[MARGIN_SQUARED], n)))
        return tuple(seats)

    cdef tuple _detail(self, uint32_t index):
        """The mean gold of a node by seat and card."""
        cdef Search* t = &self.search
        cdef const double* detail = detail_at(t, index)
        cdef int seat, i
        return tuple([
            tuple([detail[1 + seat * t.n_shares + i] / detail[0] for i in range(t.n_shares)])
            for seat in range(t.n_seats)]) if index != NOTHING else ()

    cdef object _turn(self, uint32_t index, tuple steps):
        cdef const Node* node = node_at(&self.search, index)
        key = key_in_turn(node.key, -<int>node.turn)
        return TurnNode(key, steps, node.visits, bool(node.proven), self._stats(index),
                        self._detail(node.detail),
                        int(detail_at(&self.search, node.detail)[0]) if node.detail else 0)

    def root(self):
        """Return what is known of the root, as a turn without a step."""
        return self._turn(self.search.root, ())

    def edges(self):
        """Return the edges of the root, the most visited first; those not tried come last."""
        cdef Search* t = &self.search
        cdef const Node* root = node_at(t, t.root)
        cdef const Edge* edge
        cdef float sure
        cdef int i
        found = []
        for i in range(root.n_edges):
            edge = edge_at(t, root.edges + i)
            # A node may have been proven by way of another edge into it.
            sure = UNSURE
            if edge.child != NOTHING and root.kind == DECISION:
                sure = sure_utility(t, edge, root.actor)
            found.append(RootEdge(edge.step, edge.visits, edge.prior,
                                  bool(edge.child and node_at(t, edge.child).proven), sure,
                                  self._stats(edge.child) if edge.child != NOTHING else ()))
        found.sort(key=lambda edge: -edge.visits)
        return found

    def turns(self, limit):
        """Return the most visited ways to finish the turn, and the best proven one in any case."""
        cdef Search* t = &self.search
        cdef Way* ways = <Way*>calloc(t.nodes.n, sizeof(Way))
        cdef uint64_t* ends = <uint64_t*>malloc(t.nodes.n * sizeof(uint64_t))
        cdef uint32_t* waiting = <uint32_t*>malloc(t.nodes.n * sizeof(uint32_t))
        cdef uint32_t n, i, best
        try:
            if ways == NULL or ends == NULL or waiting == NULL:
                raise MemoryError("no memory for a list of turns")
            n = find_ends(t, ways, waiting, ends)
            qsort(ends, n, sizeof(uint64_t), compare_words)
            found = [<uint32_t>ends[i] for i in range(min(n, <uint32_t>limit))]
            best = self._best_proven(ends, n)
            if best != NOTHING and best not in found:
                found.append(best)
            return [self._turn(index, self._way_to(ways, index)) for index in found]
        finally:
            free(ways)
            free(ends)
            free(waiting)

    cdef uint32_t _best_proven(self, const uint64_t* ends, uint32_t n):
        cdef Search* t = &self.search
        cdef int actor = node_at(t, t.root).actor
        cdef uint32_t i, index, best = NOTHING
        for i in range(n):
            index = <uint32_t>ends[i]
            if node_at(t, index).proven and (
                    best == NOTHING or mean_utility(node_at(t, index), actor)
                    > mean_utility(node_at(t, best), actor)):
                best = index
        return best

    cdef tuple _way_to(self, const Way* ways, uint32_t index):
        steps = []
        while index != self.search.root:
            steps.append(edge_at(&self.search, ways[index].edge).step)
            index = ways[index].parent
        return tuple(reversed(steps))

    def main_line(self, steps, limit):
        """Return what most visits did after some steps: steps, and draws as ``-1 - card``."""
        cdef Search* t = &self.search
        cdef uint32_t index = t.root, edge
        line = []
        for step in steps:
            index = self._child_by(index, step)
            if index == NOTHING:
                return line
        while len(line) < limit:
            edge = best_edge(t, node_at(t, index))
            if edge == NO_EDGE:
                break
            line.append(edge_at(t, edge).step)
            index = edge_at(t, edge).child
        return line

    cdef uint32_t _child_by(self, uint32_t index, int32_t step) except? NOTHING:
        cdef Search* t = &self.search
        cdef const Node* node = node_at(t, index)
        cdef int i
        for i in range(node.n_edges):
            if edge_at(t, node.edges + i).step == step:
                return edge_at(t, node.edges + i).child
        return NOTHING


def _squash(margin):
    """The logistic curve, for large numbers as well."""
    return 1 / (1 + exact_exp(-margin)) if margin > -700 else 0.0
