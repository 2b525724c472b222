# Functions for the tree that are inline inside the kernel: here they can be called from outside.


cdef size_t state_bytes(const State* s) noexcept nogil:
    return state_size(s)


cdef int deciding_seat(const State* s) noexcept nogil:
    return actor(s)


cdef bint can_step(const BoardData* b, const State* s, uint32_t step) noexcept nogil:
    return is_legal_step(b, s, step)


cdef const uint8_t* cards_to_draw(const State* s) noexcept nogil:
    """The CARD_KINDS counts from which a card is drawn now."""
    return s.pools[draw_pool(s)]


cdef void turn_card(const BoardData* b, State* s, int card) noexcept nogil:
    show_card(b, s, card)


cdef void start_random(Rng* rng, uint64_t seed) noexcept nogil:
    seed_random(rng, seed)


cdef uint32_t draw_random(Rng* rng) noexcept nogil:
    return next_random(rng)


cdef int count_prior_weights() noexcept nogil:
    return 2 * N_FEATURES


cdef int count_value_weights() noexcept nogil:
    return N_GUESS_WEIGHTS
