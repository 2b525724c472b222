# Informed playouts and the worth of steps.


cdef void informed_game(const BoardData* b, State* s, const Policy* policy, Rng* rng,
                        Trace* trace) noexcept nogil:
    random_game(b, s, rng, trace)


cdef void rate_steps(const BoardData* b, const State* s, const Policy* policy,
                     const uint32_t* steps, int n, float* out) noexcept nogil:
    """What each of some legal steps brings the seat that decides, roughly, in gold."""
    cdef int i
    for i in range(n):
        out[i] = 0
