# What is known of a step before any game is played after it: the features of the learned prior.
#
# A feature has a number, and kbai/model/features.py has its name. Its weight depends on how far the
# game is: it is a sum of a constant and of something for each turn that is left. One code serves
# the search, which wants the weighted sum, and the training, which wants the features themselves.

cdef enum:
    N_TILE_CLASSES = N_FILTERS + N_ACTIONS  # by filter if the tile builds or moves, else by action
    FULL_GAME = 13  # turns of a seat with 40 houses

cdef enum:  # where the features of a group begin
    F_KIND = 0  # of the step
    F_BUILD_BY = F_KIND + N_STEPS  # builds with a tile
    F_LIFT_BY = F_BUILD_BY + N_TILE_CLASSES
    F_FIRST = F_LIFT_BY + N_TILE_CLASSES  # uses a tile before the mandatory action
    F_READY = F_FIRST + 1  # ends the turn with so many tiles unused
    F_GAIN = F_READY + 1  # gains a tile
    F_SECOND = F_GAIN + N_TILE_CLASSES  # ... of which the seat has one already
    F_LAST = F_SECOND + 1  # ... the last one there
    F_CASTLE = F_LAST + 1
    F_LINK = F_CASTLE + 1  # reaches a palace or silo
    F_CASTLE_AHEAD = F_LINK + 1  # comes within two hexes of a castle ...
    F_TILE_AHEAD = F_CASTLE_AHEAD + 1  # ... of a tile to gain ...
    F_SPACE_AHEAD = F_TILE_AHEAD + 1  # ... of any special space, with Merchants
    F_TOUCHED = F_SPACE_AHEAD + 1  # 1, 2, 3 terrains that leave no free choice any more
    F_BESIDE = F_TOUCHED + 3  # 0, 1, 2, 3 or more own settlements
    F_FREE = F_BESIDE + 4  # free hexes around ...
    F_FRESH = F_FREE + 1  # ... that are beside no own settlement yet
    F_OTHERS = F_FRESH + 1  # beside another seat's settlement
    F_EDGE = F_OTHERS + 1
    F_CAPITOL = F_EDGE + 1
    F_PAYS = F_CAPITOL + 1  # by card: the hex pays
    F_OPENS = F_PAYS + N_SCORES  # by card: fresh hexes around that pay
    F_WORTH = F_OPENS + N_SCORES  # by card that asks for more than the hex: what it may bring
    F_ROWS_AHEAD = F_WORTH + N_SCORES  # Discoverers: empty rows beside
    F_KNIGHTS = F_ROWS_AHEAD + 1  # the row is the longest, ties, is one behind, more
    F_HERMITS = F_KNIGHTS + 4  # beside 0, 1, 2, 3 areas
    F_CITIZENS = F_HERMITS + 4  # joins areas; grows the largest
    F_MERCHANTS = F_CITIZENS + 2  # beside a space; grows an area that touches one; links
    F_FARMERS = F_MERCHANTS + 3  # the fewest alone, tied, one more, more
    F_FARM_AHEAD = F_FARMERS + 4  # within two hexes of the quadrant with the fewest
    F_FARM_FAR = F_FARM_AHEAD + 1  # ... five
    F_LORDS = F_FARM_FAR + 1  # more than others by -3 or less ... 2 or more
    F_LOSES = F_LORDS + 6  # by card: what lifting a piece loses
    F_LOSES_CELL = F_LOSES + N_SCORES
    F_LOSES_CASTLE = F_LOSES_CELL + 1
    F_LOSES_TILE = F_LOSES_CASTLE + 1
    F_LEAVES = F_LOSES_TILE + 1  # 0, 1, 2, 3 or more own settlements beside
    F_TERRAINS = F_LEAVES + 4  # with cards, beside the piece that is lifted
    F_VALUE = F_TERRAINS + 1  # of steps of other kinds
    N_FEATURES = F_VALUE + 1


cdef struct Sink:  # where features go
    const float* weights  # of each feature now; NULL: none
    float* out  # the features themselves; NULL: not wanted
    float sum


cdef struct Outlook:  # what the features of all steps share
    Survey survey
    uint64_t castle_ahead[WORDS]
    uint64_t tile_ahead[WORDS]
    uint64_t space_ahead[WORDS]
    uint64_t others[WORDS]  # cells beside settlements of other seats
    uint32_t untouched
    int fewest  # settlements in the quadrant with the fewest ...
    int fewest_set  # ... and which quadrants these are, as bits


cdef inline void emit(Sink* sink, int feature, float value) noexcept nogil:
    if sink.out != NULL:
        sink.out[feature] += value
    else:
        sink.sum += sink.weights[feature] * value


cdef inline int tile_class(const BoardData* b, int slot) noexcept nogil:
    cdef int action = b.tiles[slot].action
    if action == ACTION_BUILD or action == ACTION_MOVE:
        return b.tiles[slot].filter
    return N_FILTERS + action


cdef const State* without_lifted(const BoardData* b, const State* s, State* bare) noexcept nogil:
    """The state without the piece in hand, which the rules leave where it was until it is put."""
    if not s.lift_slot:
        return s
    copy_state(bare, s)
    take_piece(b, bare, &bare.seats[s.mover], s.lift)
    return bare


cdef void look_out(const BoardData* b, const State* s, int seat, const Policy* policy,
                   Outlook* o) noexcept nogil:
    cdef const Seat* p = &s.seats[seat]
    cdef uint64_t wanted = s.left_one & ~p.taken
    cdef bint merchants = b.preference_value[PREFER_SPACE] != 0
    cdef int i, n
    for i in range(s.n_seats):
        survey_land(b, &s.seats[i], &o.survey.lands[i])
    o.survey.tile = <int>(policy.tile * UNIT * turns_left(s))
    memset(o.castle_ahead, 0, sizeof(o.castle_ahead))
    memset(o.tile_ahead, 0, sizeof(o.tile_ahead))
    memset(o.space_ahead, 0, sizeof(o.space_ahead))
    memset(o.others, 0, sizeof(o.others))
    for i in range(b.n_spaces):
        if has_bit(p.near, b.space_bit[i]) or kb_intersects(p.own, b.ahead[i]):
            continue
        if b.castles >> i & 1:
            kb_add(o.castle_ahead, b.ahead[i])
        if wanted >> i & 1:
            kb_add(o.tile_ahead, b.ahead[i])
        if merchants and b.counted >> i & 1:
            kb_add(o.space_ahead, b.ahead[i])
    for i in range(s.n_seats):
        if i != seat:
            kb_add(o.others, s.seats[i].near)
    o.untouched = untouched_terrains(b, s, p)
    o.fewest = 99
    o.fewest_set = 0
    for i in range(4):
        n = o.survey.lands[seat].quadrant[i]
        if n < o.fewest:
            o.fewest = n
            o.fewest_set = 0
        if n == o.fewest:
            o.fewest_set |= 1 << i


cdef void space_features(const BoardData* b, const State* s, const Seat* p, int bit,
                         Sink* sink) noexcept nogil:
    cdef uint64_t spaces = b.touch[bit] & s.left_one & ~p.taken
    cdef int i, slot
    while spaces:
        i = kb_lowest(spaces)
        spaces &= spaces - 1
        slot = b.space_slot[i]
        emit(sink, F_GAIN + tile_class(b, slot), 1)
        if tile_count(p.ready, slot) + tile_count(p.fresh, slot) + tile_count(p.used, slot):
            emit(sink, F_SECOND, 1)
        if not s.left_two >> i & 1:
            emit(sink, F_LAST, 1)
    spaces = b.sides[bit] & (b.castles | b.palace_spaces | b.silos)
    while spaces:
        i = kb_lowest(spaces)
        spaces &= spaces - 1
        if not has_bit(p.near, b.space_bit[i]):
            emit(sink, F_CASTLE if b.castles >> i & 1 else F_LINK, 1)


cdef void quadrant_features(const BoardData* b, const State* s, int seat, const Outlook* o,
                            int rule, int bit, Sink* sink) noexcept nogil:
    cdef const int* own = &o.survey.lands[seat].quadrant[0]
    cdef int k = b.quadrant_of[bit]
    cdef int i, n, other = 0
    if rule == SCORE_FARMERS:
        if has_bit(b.quadrants_ahead[o.fewest_set], bit):
            emit(sink, F_FARM_AHEAD, 1)
        elif has_bit(b.quadrants_far[o.fewest_set], bit):
            emit(sink, F_FARM_FAR, 1)
    if k == NO_QUADRANT:
        return
    if rule == SCORE_LORDS:
        for i in range(s.n_seats):
            if i != seat:
                other = max(other, o.survey.lands[i].quadrant[k])
        n = own[k] - other
        emit(sink, F_LORDS + (0 if n < -3 else 5 if n > 2 else n + 3), 1)
    elif rule == SCORE_FARMERS:
        n = own[k] - o.fewest
        if n == 0:
            n = 0 if o.fewest_set & (o.fewest_set - 1) == 0 else 1
        else:
            n = 2 if n == 1 else 3
        emit(sink, F_FARMERS + n, 1)


cdef void area_features(const BoardData* b, const Seat* p, Land* land, int rule, int bit,
                        Sink* sink) noexcept nogil:
    cdef int roots[6]
    cdef int i, size = 1
    cdef int n = areas_beside(b, land, p.own, bit, roots) if has_bit(p.near, bit) else 0
    cdef uint64_t touched = 0
    if rule == SCORE_HERMITS:
        emit(sink, F_HERMITS + min(n, 3), 1)
    elif rule == SCORE_CITIZENS:
        for i in range(n):
            size += land.size[roots[i]]
        if n > 1:
            emit(sink, F_CITIZENS, 1)
        if size > land.largest:
            emit(sink, F_CITIZENS + 1, 1)
            emit(sink, F_WORTH + rule, <float>(size - land.largest) / 2)
    else:
        for i in range(n):
            touched |= land.touches[roots[i]]
        if b.beside[bit]:
            emit(sink, F_MERCHANTS, 1)
        if touched:
            emit(sink, F_MERCHANTS + 1, 1)
        touched |= b.beside[bit]
        if touched & (touched - 1):
            emit(sink, F_WORTH + rule, <float>(4 * kb_count(touched & ~land.connected)))
            if touched & ~land.connected:
                emit(sink, F_MERCHANTS + 2, 1)


cdef void piece_features(const BoardData* b, const State* s, int seat, Outlook* o, int bit,
                         Sink* sink) noexcept nogil:
    """Of a piece on a free cell."""
    cdef const Seat* p = &s.seats[seat]
    cdef Land* land = &o.survey.lands[seat]
    cdef const uint64_t* cells
    cdef const uint64_t* build = &b.masks[MASK_BUILD].w[0]
    cdef int fresh[6]
    cdef int i, k, n, rule, row = b.row[bit], n_free = 0, n_fresh = 0
    if b.sides[bit]:
        space_features(b, s, p, bit, sink)
    if has_bit(o.castle_ahead, bit):
        emit(sink, F_CASTLE_AHEAD, 1)
    if has_bit(o.tile_ahead, bit):
        emit(sink, F_TILE_AHEAD, 1)
    if has_bit(o.space_ahead, bit):
        emit(sink, F_SPACE_AHEAD, 1)
    n = kb_count(b.terrains_beside[bit] & o.untouched)
    if n:
        emit(sink, F_TOUCHED + min(n, 3) - 1, 1)
    emit(sink, F_BESIDE + min(count_own_neighbours(p.rows, row, b.shear[bit]), 3), 1)
    for i in range(6):
        k = b.neighbour[bit][i]
        if has_bit(s.free, k) and has_bit(build, k):
            n_free += 1
            if not has_bit(p.near, k):
                fresh[n_fresh] = k
                n_fresh += 1
    emit(sink, F_FREE, <float>n_free / 6)
    emit(sink, F_FRESH, <float>n_fresh / 6)
    if has_bit(o.others, bit):
        emit(sink, F_OTHERS, 1)
    if has_bit(b.traveler, bit):
        emit(sink, F_EDGE, 1)
    for i in range(b.n_capitols):
        if has_bit(b.capitol[i], bit):
            emit(sink, F_CAPITOL, 1)
    for i in range(b.n_cards):
        rule = b.cards[i]
        cells = paying_cells(b, rule)
        if cells != NULL:
            if has_bit(cells, bit):
                emit(sink, F_PAYS + rule, 1)
            n = 0
            for k in range(n_fresh):
                n += has_bit(cells, fresh[k])
            if n:
                emit(sink, F_OPENS + rule, <float>n / 6)
        elif rule == SCORE_DISCOVERERS:
            emit(sink, F_WORTH + rule, p.rows[row] == 0)
            n = (p.rows[row - 1] == 0 and b.build_rows[row - 1] != 0) + (
                p.rows[row + 1] == 0 and b.build_rows[row + 1] != 0)
            emit(sink, F_ROWS_AHEAD, n)
        elif rule == SCORE_KNIGHTS:
            n = land.best_row - kb_count(p.rows[row]) - 1
            emit(sink, F_KNIGHTS + (0 if n < 0 else min(n + 1, 3)), 1)
        elif rule == SCORE_HERMITS or rule == SCORE_CITIZENS or rule == SCORE_MERCHANTS:
            area_features(b, p, land, rule, bit, sink)
        elif rule == SCORE_FARMERS or rule == SCORE_LORDS:
            quadrant_features(b, s, seat, o, rule, bit, sink)
        elif rule == SCORE_HOMESTEADERS:
            if b.quadrant_of[bit] != NO_QUADRANT:
                emit(sink, F_WORTH + rule,
                     <float>value_in_quadrant(s, seat, &o.survey, rule, b.quadrant_of[bit]) / UNIT)
        elif rule <= SCORE_ROVERS:
            if pays_at_once(b, s, seat):
                emit(sink, F_WORTH + rule, <float>value_at_once(b, s, p, rule, bit) / UNIT)
        else:
            emit(sink, F_WORTH + rule, <float>value_in_shape(b, p, rule, bit) / UNIT)


cdef void lift_features(const BoardData* b, const State* s, int seat, const Outlook* o, int bit,
                        Sink* sink) noexcept nogil:
    """Of a piece of the seat that is taken away."""
    cdef const Seat* p = &s.seats[seat]
    cdef const Land* land = &o.survey.lands[seat]
    cdef uint64_t spaces = b.beside[bit]
    cdef int i, n, rule, row = b.row[bit]
    cdef int beside = count_own_neighbours(p.rows, row, b.shear[bit])
    if b.cell_gold[bit]:
        emit(sink, F_LOSES_CELL, b.cell_gold[bit])
    while spaces:
        i = kb_lowest(spaces)
        spaces &= spaces - 1
        if count_and(p.own, b.near[b.space_bit[i]]) == 1:
            if b.castles >> i & 1:
                emit(sink, F_LOSES_CASTLE, 1)
            elif p.held >> i & 1:
                emit(sink, F_LOSES_TILE, 1)
    emit(sink, F_LEAVES + min(beside, 3), 1)
    emit(sink, F_TERRAINS, kb_count(b.terrains_beside[bit]))
    for i in range(b.n_asking):
        rule = b.asking[i]
        if rule == SCORE_DISCOVERERS:
            emit(sink, F_LOSES + rule, p.rows[row] & (p.rows[row] - 1) == 0)
        elif rule == SCORE_KNIGHTS:
            emit(sink, F_LOSES + rule, kb_count(p.rows[row]) == land.best_row)
        elif rule == SCORE_HERMITS or rule == SCORE_CITIZENS or rule == SCORE_MERCHANTS:
            emit(sink, F_LOSES + rule, beside)
        elif rule == SCORE_FARMERS or rule == SCORE_LORDS:
            if b.quadrant_of[bit] != NO_QUADRANT:
                n = value_in_quadrant(s, seat, &o.survey, rule, b.quadrant_of[bit])
                emit(sink, F_LOSES + rule, <float>n / UNIT)


cdef void step_features(const BoardData* b, const State* s, Outlook* o, uint32_t step,
                        Sink* sink) noexcept nogil:
    """Of a legal step of any kind. A piece in hand is off the board in ``s``."""
    cdef int kind = step >> 24
    cdef int slot = step >> 16 & 255
    cdef int bit = b.bit_of[step & 511]
    cdef int seat = actor(s)
    emit(sink, F_KIND + kind, 1)
    if slot and s.phase == PHASE_PRE:
        emit(sink, F_FIRST, 1)
    if kind == STEP_BUILD:
        if slot:
            emit(sink, F_BUILD_BY + tile_class(b, slot), 1)
        piece_features(b, s, seat, o, bit, sink)
    elif kind == STEP_LIFT:
        emit(sink, F_LIFT_BY + tile_class(b, slot), 1)
        lift_features(b, s, seat, o, bit, sink)
    elif kind == STEP_PUT:
        piece_features(b, s, seat, o, bit, sink)
    elif kind == STEP_END:
        emit(sink, F_READY, kb_count(s.seats[seat].ready))
    else:
        emit(sink, F_VALUE, <float>value_of_step(b, s, seat, &o.survey, step) / UNIT)


cdef void blend_weights(const State* s, const float* weights, float* out) noexcept nogil:
    """The weights of features at this moment of the game."""
    cdef float left = <float>turns_left(s) / FULL_GAME
    cdef int i
    for i in range(N_FEATURES):
        out[i] = weights[i] + left * weights[N_FEATURES + i]


cdef void rate_by_model(const BoardData* b, const State* state, const Policy* policy,
                        const float* weights, const uint32_t* steps, int n,
                        float* out) noexcept nogil:
    """The same as rate_steps, by learned weights: 2 * N_FEATURES of them."""
    cdef State bare
    cdef Outlook o
    cdef Sink sink
    cdef float now[N_FEATURES]
    cdef const State* s = without_lifted(b, state, &bare)
    cdef int i
    look_out(b, s, actor(s), policy, &o)
    blend_weights(s, weights, now)
    sink.weights = now
    sink.out = NULL
    for i in range(n):
        sink.sum = 0
        step_features(b, s, &o, steps[i], &sink)
        out[i] = sink.sum
