# For benchmarks: a loop in C where calls from Python would cost as much as the work.


def count_gold(positions, rounds):
    """Count the gold of every seat in some positions, ``rounds`` times over; return the sum."""
    cdef list kept = list(positions)
    cdef int64_t n = len(kept), times = rounds, total = 0
    cdef int64_t i, k
    cdef int seat
    cdef Position position
    cdef const State** states = <const State**>malloc((n + 1) * sizeof(State*))
    cdef const BoardData** boards = <const BoardData**>malloc((n + 1) * sizeof(BoardData*))
    try:
        if states == NULL or boards == NULL:
            raise MemoryError("no memory for the positions to be counted")
        for i in range(n):
            position = <Position?>kept[i]
            states[i] = &position.state
            boards[i] = position.board.data
        with nogil:
            for k in range(times):
                for i in range(n):
                    for seat in range(states[i].n_seats):
                        total += total_gold(boards[i], states[i], seat)
    finally:
        free(states)
        free(boards)
    return total
