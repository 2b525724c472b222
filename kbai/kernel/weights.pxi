# What the playout policy knows: the value of each preference, in eighths of gold.
#
# No value was fitted. "Rules" is what the card pays for one more house on such a hex. "By hand" is
# a guess that was never compared with another one. "Ranking" was chosen among a few values by how
# well playouts then rank the turns of a position (docs/strength.md, "What playouts know").
# The values that depend on the search are in Policy: a tile, and when a tile is worth using.

cdef enum:
    UNIT = 8  # of one gold
    # A hex beside a terrain that the seat has not reached takes away the free choice that a card of
    # that terrain would leave (R4.2). Ranking; leaves that count it play no better.
    VALUE_OF_CHOICE = 2 * UNIT
    VALUE_OF_CASTLE = 3 * UNIT  # rules
    VALUE_OF_LINK = 2 * UNIT  # a palace or a silo; by hand
    VALUE_OF_CASTLE_AHEAD = UNIT  # ranking
    VALUE_OF_CELL = UNIT  # rules; for each gold that the hex itself pays
    N_WEIGHTS = 23


cdef struct Weight:
    uint8_t rule  # of a card or task in play
    uint8_t preference
    uint8_t value


cdef Weight[N_WEIGHTS] WEIGHTS = [
    Weight(SCORE_DISCOVERERS, PREFER_NEW_ROW, UNIT),  # rules
    Weight(SCORE_RANGERS, PREFER_NEW_ROW, 2 * UNIT),  # rules
    Weight(SCORE_KNIGHTS, PREFER_BEST_ROW, 2 * UNIT),  # rules
    Weight(SCORE_KNIGHTS, PREFER_ROW_AHEAD, 3 * UNIT // 2),  # ranking
    Weight(SCORE_MAYORS, PREFER_BEST_ROW, UNIT),  # rules: 4 for the fourth house
    Weight(SCORE_MERCHANTS, PREFER_SPACE, 3 * UNIT),  # by hand: 4, but it must be connected
    Weight(SCORE_MERCHANTS, PREFER_SPACE_AHEAD, UNIT // 2),  # ranking
    Weight(SCORE_LORDS, PREFER_LORDS, 3 * UNIT),  # by hand: 12 or 6 for a quadrant
    Weight(SCORE_FARMERS, PREFER_FARMERS, 5 * UNIT),  # ranking: 3 by the rules
    Weight(SCORE_FARMERS, PREFER_FARM_AHEAD, 2 * UNIT),  # ranking
    Weight(SCORE_FARMERS, PREFER_FARM_FAR, UNIT),  # ranking
    Weight(SCORE_HOMESTEADERS, PREFER_HOME, UNIT),  # rules
    Weight(SCORE_ROVERS, PREFER_ROVERS, UNIT),  # rules
    Weight(SCORE_AMBASSADORS, PREFER_OTHERS, UNIT),  # rules
    Weight(SCORE_HERMITS, PREFER_APART, UNIT),  # rules, for a hex beside none
    Weight(SCORE_CHAINERS, PREFER_APART, UNIT),  # by hand
    Weight(SCORE_CITIZENS, PREFER_CROWD, UNIT // 2),  # rules, in the largest area
    Weight(SCORE_CAPTAINS, PREFER_CROWD, UNIT // 2),  # by hand
    Weight(SCORE_SHEPHERDS, PREFER_CROWD, UNIT // 2),  # by hand
    Weight(SCORE_GEOLOGISTS, PREFER_HILLS, UNIT),  # by hand
    Weight(SCORE_COMPASS_POINTS, PREFER_EDGE, UNIT // 2),  # by hand
    Weight(SCORE_ADVANCE, PREFER_EDGE, UNIT // 2),  # by hand
    Weight(SCORE_NOBLEWOMEN, PREFER_NOBLE, UNIT),  # by hand
]
