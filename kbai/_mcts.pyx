# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True, freethreading_compatible=True
"""Monte Carlo tree search on the kernel's states, without Python objects and without the GIL.

A node is a state of the game, and an edge is a step or a card drawn. Nodes do not store states: a
visit copies the state of the root and replays the steps of its path. Nodes, edges and gold by card
are in three arrays that grow up to the memory limit. A full tree grows no more, but visits go on.

Different orders of the same steps lead to the same state. With ``merge`` a child is looked up by
the hash of its state before a node is made, and the tree becomes a graph. It has no cycles, because
the number of the turn is part of the key and each step of a turn uses something up. The turns after
the present one are then plans (tree/plans.pxi): one node for what a seat has and its card, whatever
the others did.

The end of a game has an exact value. A node is proven if the game is over or all its edges lead to
proven nodes. Its sums are then those of the best child for the seat that decides, or the mean by
odds of the cards, and no visit goes below it. Plans are never proven.

Start reading with the structs below, then visit in tree/visits.pxi, selection.pxi and plans.pxi.
What Python can call is at the end of this file. Arguments come in one order: search, node, edge,
state, what the function is about.
"""

from array import array
from collections import Counter, namedtuple
from functools import lru_cache
from math import exp as exact_exp, isfinite

cimport cython
from libc.math cimport exp, expf, logf, sqrt, sqrtf
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcpy, memmove, memset

from kbai._fast cimport (
    CARD_KINDS, MAX_CARDS, MAX_SEATS, MAX_SLOTS, MAX_STEPS, N_ALWAYS, N_CELLS, PHASE_OVER,
    PHASE_PRE, STEP_BUILD, STEP_END, STEP_LIFT, STEP_PUT, WORDS, Board, BoardData, Policy, Position,
    Rng, Seat, State, can_step, cards_to_draw, count_prior_weights, count_value_weights,
    deciding_seat, do_step, draw_random, guess_gold, houses_left, informed_game, informed_turns,
    list_steps, policy_of, random_game, rate_by_model, rate_steps, score_seat, start_random,
    state_bytes, turn_card,
)

cdef extern from "bits.h" nogil:
    void* kb_align(void* p) noexcept

cdef extern from *:
    """
    #if defined(__linux__)
    #include <sys/mman.h>
    /* Address space, which is no memory before it is used, in large pages if the system has any. */
    static void* kb_reserve(size_t bytes) {
        const size_t page = (size_t)1 << 21;
        size_t skip;
        char* all = mmap(NULL, bytes + page, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (all == MAP_FAILED) return NULL;
        skip = -(size_t)all & (page - 1);
        if (skip) munmap(all, skip);
        munmap(all + skip + bytes, page - skip);
        madvise(all + skip, bytes, MADV_HUGEPAGE);
        return all + skip;
    }
    static void kb_give_back(void* p, size_t bytes) { munmap(p, bytes); }
    #define KB_RESERVES 1
    #else
    static void* kb_reserve(size_t bytes) { return malloc(bytes); }
    static void kb_give_back(void* p, size_t bytes) { (void)bytes; free(p); }
    #define KB_RESERVES 0
    #endif
    #if defined(_MSC_VER)
    #include <intrin.h>
    #define kb_prefetch(p) _mm_prefetch((const char*)(p), _MM_HINT_T0)
    #define kb_claim(flag) _InterlockedExchange((flag), 1)
    #define kb_release(flag) _InterlockedExchange((flag), 0)
    #else
    #define kb_prefetch(p) __builtin_prefetch(p)
    #define kb_claim(flag) __atomic_exchange_n((flag), 1, __ATOMIC_ACQUIRE)
    #define kb_release(flag) __atomic_store_n((flag), 0, __ATOMIC_RELEASE)
    #endif
    """
    void* kb_reserve(size_t bytes) noexcept nogil
    bint KB_RESERVES
    void kb_give_back(void* p, size_t bytes) noexcept nogil
    void kb_prefetch(const void* p) noexcept nogil
    bint kb_claim(long* flag) noexcept nogil  # whether it was claimed before
    void kb_release(long* flag) noexcept nogil

cdef enum:
    NOTHING = 0  # index of no node, of no detail
    NO_EDGE = 0xFFFFFFFF
    MAX_PATH = 1024  # a visit that goes deeper ends in a playout
    MAX_SHARES = N_ALWAYS + MAX_CARDS  # parts of a seat's gold
    MAX_MARGIN = 200  # larger margins are squashed to the same utility
    LEAST_MEMORY = 1 << 20  # enough for the edges of any root
    CACHE_LINE = 64
    N_CHOICES = MAX_SLOTS * N_CELLS
    WIDE = 4000  # visits of a node at which its exploration begins to grow
    KNOWN_VISITS = 64  # of a node whose best step can be told
    FAIR_PART = 4  # of the most visits: with fewer a step is not held for a better one
    DOUBT = 30  # visits after which experience counts half
    PROVEN = -1  # Edge.bonus: leads to a proven node
    UNSURE = -1  # Node.sure
    FEW_VISITS = 256  # most nodes have fewer
    CODE_WORDS = 1 << 12  # a bit for each result of code_of

cdef enum:  # kinds of node
    DECISION
    CHANCE
    OVER

cdef enum:  # sums for each seat
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

cdef double PROBIT = 1.7  # a logistic function of 1.7 x is nearly the normal distribution


cdef struct Node:  # followed by N_SUMS doubles for each seat
    uint64_t key  # of the state and the turn
    uint32_t visits
    uint32_t edges  # the first one
    uint32_t detail
    uint16_t n_edges  # 0: not expanded
    uint16_t n_tried  # the first so many edges have children
    uint16_t n_proven  # edges that are known to lead to a proven node
    uint16_t turn  # since the first root of the tree
    uint16_t sure_edge  # the first edge of a line that surely brings ...
    uint8_t is_promoted  # whether the first untried edge is known to be the best of them
    float sure  # ... this utility: steps of the same seat up to a proven node; UNSURE if none
    uint8_t kind
    int8_t actor
    uint8_t proven
    uint8_t is_plan  # see tree/plans.pxi

cdef struct Edge:
    int32_t step  # or -1 - card
    uint32_t child
    uint32_t visits
    float prior  # of a card: its odds
    float value  # mean utility of the seat that decides, copied from the child
    float bonus  # what exploration adds, before the scale of the node; or PROVEN
    uint32_t below  # the first edge of the child when it was last visited

cdef struct Arena:
    char* items
    size_t size  # of an item in bytes
    uint64_t n
    uint64_t room
    size_t reserved  # bytes of address space, if that is not from malloc

cdef struct Result:  # of a game, or the mean of several
    double sums[MAX_SEATS * N_SUMS]
    double detail[MAX_SEATS * MAX_SHARES]
    bint has_detail

cdef struct Experience:  # with a step in all nodes of a tree
    float gain  # sum of utility above the mean of its nodes
    float visits

cdef struct Params:
    Policy policy
    float experience
    float exploration
    float fpu
    double margin_weight
    double margin_scale
    double spread[2]  # of a guessed margin: at the end of a game, and more with all houses left
    float temperature
    int cut  # turns of a playout before gold is guessed
    int selection
    int horizon
    bint priors
    bint merge
    bint informed

cdef struct Follow:  # of the best turn known
    float share  # of the visits that begin with steps of it
    int length  # steps of it that could be made so far
    int wanted  # in this visit
    int made

cdef struct Search:
    const BoardData* board
    State state  # of the root
    Params params
    Rng rng
    Arena nodes
    Arena edges
    Arena details  # a count and the sums by seat and part
    uint64_t* table  # hash table: half of a node's key, then its index
    uint64_t table_room
    uint64_t memory
    uint64_t bytes
    bint full
    uint32_t root
    int n_seats
    int n_shares
    double squash[2 * MAX_MARGIN + 1]
    float scales[FEW_VISITS]  # of exploration, by the visits of a node
    float* prior  # weights of the model; NULL: none
    float* value
    Experience experience[MAX_SEATS][N_CHOICES]
    uint32_t steps[MAX_STEPS]
    uint64_t legal[CODE_WORDS]  # codes of the steps of a plan that are legal
    float rates[MAX_STEPS]
    uint32_t path[MAX_PATH]
    uint32_t taken[MAX_PATH]  # the edge that the visit took from each node of the path
    Result result
    uint64_t* avoided  # keys of states in which the turn of the root must not end
    int n_avoided
    Follow follow
    uint64_t* holders  # games that ended with a seat's piece on a bit; NULL: not counted
    uint64_t n_games  # games counted

include "tree/memory.pxi"
include "tree/keys.pxi"
include "tree/plans.pxi"
include "tree/growth.pxi"
include "tree/selection.pxi"
include "tree/follow.pxi"
include "tree/results.pxi"
include "tree/visits.pxi"
include "tree/restrict.pxi"
include "tree/roots.pxi"
include "tree/turns.pxi"


# --- for Python ---------------------------------------------------------------------------------

SeatStats = namedtuple("SeatStats", "utility win gold gold_variance margin margin_variance",
                       module=__name__)
RootEdge = namedtuple("RootEdge", "step visits prior is_proven sure seats", module=__name__)
TurnNode = namedtuple("TurnNode", "key steps visits is_proven seats detail detail_visits",
                      module=__name__)
_SELECTIONS = {"puct": SELECT_PUCT, "ucb": SELECT_UCB, "flat": SELECT_FLAT}
_PLAYOUTS = {"random": False, "informed": True}


def _one_of(what, value, choices):
    if value not in choices:
        raise ValueError(f"expected {what} of {', '.join(choices)}, got {value!r}")
    return choices[value]


def _above(what, value, low):
    if not value > low or not isfinite(value):
        raise ValueError(f"expected {what} above {low}, got {value!r}")
    return value


def _finite(what, value):
    if not isfinite(value):
        raise ValueError(f"expected a finite number for {what}, got {value!r}")
    return value


cdef float* _weights(what, values, int count) except? NULL:
    """Copy the weights of a model; NULL if there are none."""
    cdef float* found
    cdef int i
    if values is None:
        return NULL
    if len(values) != count:
        raise ValueError(f"expected {count} weights for {what}, got {len(values)}")
    found = <float*>malloc(count * sizeof(float))
    if found == NULL:
        raise MemoryError("no memory for the weights of a model")
    for i in range(count):
        found[i] = values[i]
    return found


cdef double _variance(double sum, double squares, double n):
    return max(squares / n - (sum / n) ** 2, 0.0)


cdef class Tree


@cython.final
cdef class _Use:
    """The right to use a tree, for one thread at a time; another one is told."""

    cdef Tree tree

    def __cinit__(self, Tree tree not None):
        self.tree = tree

    def __enter__(self):
        if kb_claim(&self.tree.is_used):
            raise RuntimeError("this tree is in use: only one thread at a time may use a tree")
        if self.tree.search.root == NOTHING:
            kb_release(&self.tree.is_used)
            raise ValueError("expected a tree with a root, got one that was not made completely")

    def __exit__(self, *_):
        kb_release(&self.tree.is_used)


@cython.final
cdef class Tree:
    """A search tree for the seat that decides in a position."""

    cdef long is_used
    cdef Search search
    cdef readonly Board board
    cdef readonly object runs

    def __dealloc__(self):
        free_memory(&self.search)

    def __init__(self, Position position not None, *, seed, memory=1 << 30, playout="informed",
                 selection="puct", exploration, fpu, priors, prior_temperature, merge, horizon,
                 margin_weight, margin_scale, experience, prior=None, value=None, spread=(0, 0),
                 cut=1, **policy):
        cdef Search* t = &self.search
        cdef Params* params = &t.params
        cdef bytes squashed
        if self.board is not None:
            raise TypeError("a tree is made once")
        params.selection = _one_of("a selection", selection, _SELECTIONS)
        params.informed = _one_of("a playout", playout, _PLAYOUTS)
        params.exploration = _finite("exploration", exploration)
        params.fpu = _finite("fpu", fpu)
        params.priors = priors
        params.experience = _finite("experience", experience)
        params.temperature = _above("a temperature", prior_temperature, 0)
        params.merge = merge
        params.horizon = min(_above("a horizon", horizon, -1), 1 << 20)
        params.margin_weight = _finite("margin_weight", margin_weight)
        params.margin_scale = _above("a scale", margin_scale, 0)
        params.spread = [_finite("a spread", part) for part in spread]
        params.cut = min(_above("a cut", cut, 0), 1 << 20)
        self._set_policy(policy)
        t.prior = _weights("prior", prior, count_prior_weights())
        t.value = _weights("value", value, count_value_weights())
        if t.value != NULL:
            _above("a spread", params.spread[0], 0)
        squashed = _squashed(margin_scale)
        memcpy(t.squash, <const char*>squashed, sizeof(t.squash))
        t.bytes = sizeof(t.experience)
        t.memory = _above("a memory of bytes", memory, LEAST_MEMORY - 1)
        start_random(&t.rng, seed & 0xFFFFFFFFFFFFFFFF)
        self.board = position.board
        self.runs = 0
        self._plant(position)

    cdef int _set_policy(self, dict values) except -1:
        """Set the fields of Policy by name: all of them, or none if nothing uses them."""
        cdef Params* params = &self.search.params
        cdef Policy policy = params.policy
        unknown = set(values) - set(policy)
        if unknown:
            raise TypeError(f"no parameter of a tree: {', '.join(sorted(unknown))}")
        if values or params.informed or params.priors:
            params.policy = policy_of(values)
        return 0

    cdef int _plant(self, Position position) except -1:
        """Make the arenas and the first root."""
        cdef Search* t = &self.search
        cdef int visits
        for visits in range(FEW_VISITS):
            t.scales[visits] = scale_of_exploration(t, visits)
        t.board = self.board.data
        t.n_seats = t.board.n_seats
        t.n_shares = N_ALWAYS + t.board.n_cards
        t.nodes.size = sizeof(Node) + t.n_seats * N_SUMS * sizeof(double)
        t.edges.size = sizeof(Edge)
        t.details.size = (1 + t.n_seats * t.n_shares) * sizeof(double)
        t.nodes.n = t.details.n = 1  # index 0 is nothing
        memcpy(&t.state, &position.state, state_bytes(&position.state))
        t.root = add_node(t, &t.state, key_in_turn(hash_state(&t.state), 0), 0, False)
        if t.root == NOTHING:
            raise MemoryError("no memory for a tree")
        expand(t, t.root, &t.state)
        return 0

    def run(self, visits):
        """Make some visits without the GIL. Two runs do the same as one with the sum of visits."""
        cdef int64_t _, n = visits
        with _Use(self):
            with nogil:
                for _ in range(n):
                    visit(&self.search)
            self.runs += max(n, 0)

    def move_to(self, Position position not None):
        """Make a position the root; False if the tree does not know it."""
        with _Use(self):
            return self._move_to(position)

    cdef bint _move_to(self, Position position) except -1:
        cdef Search* t = &self.search
        cdef uint32_t root
        if position.board is not self.board and position.board != self.board:
            return False
        root = find_root(t, &position.state, 2 * t.n_seats)
        if root == NOTHING or not settle_root(t, root, &position.state) or (
                root != t.root and not keep_below(t, root)):
            return False
        memcpy(&t.state, &position.state, state_bytes(&position.state))
        t.n_avoided = 0
        memset(&t.follow, 0, sizeof(t.follow))
        if t.holders != NULL:
            self._count_holders()
        if node_at(t, t.root).n_edges == 0:
            expand(t, t.root, &t.state)
        return True

    def restrict(self, allow, avoid):
        """Search only turns that begin like ``allow`` and do not end like ``avoid``."""
        allow, avoid = [*map(tuple, allow)], [*map(tuple, avoid)]
        with _Use(self):
            self._restrict(allow, avoid)

    cdef int _restrict(self, list allow, list avoid) except -1:
        cdef Search* t = &self.search
        cdef State s
        cdef int turn
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
                begins.append(steps)
        if not begins:
            raise ValueError("no turn is left")
        return self._keep_only(begins)

    cdef int _replay(self, steps, State* s) except -1:
        """Make steps from the root; return the turn to which they lead."""
        cdef Search* t = &self.search
        cdef int turn = node_at(t, t.root).turn
        memcpy(s, &t.state, state_bytes(&t.state))
        for step in steps:
            if not (0 <= step < 1 << 32 and can_step(t.board, s, step)):
                raise ValueError(f"expected a legal step in a turn, got {step!r:.60}")
            do_step(t.board, s, step)
            turn += step >> 24 == STEP_END
        return turn

    cdef int _keep_only(self, list begins) except -1:
        """Remove all edges that lead away from ``begins``."""
        cdef Search* t = &self.search
        cdef State s
        cdef uint32_t index
        cdef int turn
        kept = {}
        for steps in begins:
            for n in range(len(steps)):
                # Orders of the same steps are one turn: here another beginning may be complete.
                if any(not Counter(other) - Counter(steps[:n]) for other in begins):
                    break
                turn = self._replay(steps[:n], &s)
                index = add_node(t, &s, key_in_turn(hash_state(&s), turn), turn, False)
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
            promote(t, node, False)
        return 0

    def follow(self, share):
        """Begin this share of the visits with steps of the best turn known."""
        with _Use(self):
            self.search.follow.share = _finite("a share", share)

    def count_holders(self):
        """Count from now on which seat has a piece on which cell at the end of games."""
        with _Use(self):
            self._count_holders()

    cdef int _count_holders(self) except -1:
        cdef Search* t = &self.search
        free(t.holders)
        t.holders = <uint64_t*>calloc(t.n_seats * N_CELLS, sizeof(uint64_t))
        if t.holders == NULL:
            raise MemoryError("no memory to count pieces")
        t.n_games = 0
        return 0

    def holders(self):
        """Return the games counted and, by seat and cell, those that ended with its piece there."""
        cdef Search* t = &self.search
        cdef int seat, bit
        found = []
        with _Use(self):
            if t.holders == NULL:
                return 0, ()
            for seat in range(t.n_seats):
                found.append({t.board.cell_of[bit]: t.holders[seat * N_CELLS + bit]
                              for bit in range(N_CELLS) if t.holders[seat * N_CELLS + bit]})
            return t.n_games, tuple(found)

    @property
    def visits(self):
        with _Use(self):
            return node_at(&self.search, self.search.root).visits

    @property
    def nodes(self):
        with _Use(self):
            return self.search.nodes.n - 1

    @property
    def bytes(self):
        with _Use(self):
            return self.search.bytes

    @property
    def is_full(self):
        with _Use(self):
            return bool(self.search.full)

    @property
    def is_proven(self):
        with _Use(self):
            return bool(node_at(&self.search, self.search.root).proven)

    cdef tuple _stats(self, uint32_t index):
        """The means of a node by seat."""
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
        """Return what is known of the root, as a turn without steps."""
        with _Use(self):
            return self._turn(self.search.root, ())

    def edges(self):
        """Return the edges of the root, the most visited first, untried ones last."""
        with _Use(self):
            found = self._edges()
        found.sort(key=lambda edge: -edge.visits)
        return found

    cdef list _edges(self):
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
        return found

    def turns(self, limit):
        """Return the most visited ways to finish the turn, and always the best proven one."""
        cdef int64_t most = limit
        if most < 0:
            raise ValueError(f"expected a number of turns, got {limit}")
        with _Use(self):
            return self._turns(most)

    cdef list _turns(self, int64_t limit):
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
            found = [<uint32_t>ends[i] for i in range(<uint32_t>min(<int64_t>n, limit))]
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
        """Return what most visits did after some steps, with draws as ``-1 - card``."""
        with _Use(self):
            return self._main_line(tuple(steps), limit)

    cdef list _main_line(self, tuple steps, limit):
        cdef Search* t = &self.search
        cdef State s
        cdef uint32_t index = t.root, edge
        line = []
        memcpy(&s, &t.state, state_bytes(&t.state))
        for step in steps:
            index = self._child_by(index, step)
            if index == NOTHING:
                return line
            make_step(t, &s, step)
        while len(line) < limit:
            edge = best_edge(t, node_at(t, index), &s)
            if edge == NO_EDGE:
                break
            line.append(edge_at(t, edge).step)
            make_step(t, &s, edge_at(t, edge).step)
            index = find_child(t, node_at(t, index), edge_at(t, edge), &s)
            if index == NOTHING:
                break
        return line

    cdef uint32_t _child_by(self, uint32_t index, int32_t step) except? NOTHING:
        cdef Search* t = &self.search
        cdef const Node* node = node_at(t, index)
        cdef int i
        for i in range(node.n_edges):
            if edge_at(t, node.edges + i).step == step:
                return edge_at(t, node.edges + i).child
        return NOTHING


@lru_cache(maxsize=16)  # every tree needs one, and most have the same
def _squashed(scale):
    """The utilities of all margins, as the bytes of a C array."""
    margins = range(-MAX_MARGIN, MAX_MARGIN + 1)
    # Rounded, so that nothing depends on the last bits of a C library.
    return array("d", [round(_squash(margin / scale), 9) for margin in margins]).tobytes()


def _squash(margin):
    """The logistic function, also for large numbers."""
    return 1 / (1 + exact_exp(-margin)) if margin > -700 else 0.0
