# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True, freethreading_compatible=True
"""The rules of Kingdom Builder on integers.

Start reading with _fast.pxd, the data model. Then follow the includes at the end of this file, for
a file uses little of those below it. To see how a step is made, read do_step in actions.pxi; how a
game is played to its end, play_turn in playout.pxi; what Python can call, position_api.pxi.

Arguments come in one order: board, state, seat, preferences or survey, policy, what the function is
about (rule, slot, cell), random numbers, trace, switches, output. Short names are b for BoardData,
s for State, p for Seat, m for Mask. Numbers such as R4.2 are those of the rules in docs/rules.md.
"""

from enum import IntEnum, IntFlag
from operator import index as to_int

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

# The rules.
include "kernel/geometry.pxi"
include "kernel/state.pxi"
include "kernel/actions.pxi"
include "kernel/nomads.pxi"
include "kernel/crossroads.pxi"
include "kernel/marshlands.pxi"
include "kernel/harvest.pxi"
include "kernel/scoring.pxi"

# Playouts, and what a search asks before it plays one.
include "kernel/weights.pxi"
include "kernel/step_values.pxi"
include "kernel/preferences.pxi"
include "kernel/features.pxi"
include "kernel/random.pxi"
include "kernel/policy.pxi"
include "kernel/playout.pxi"
include "kernel/outlook.pxi"

# What other modules call.
include "kernel/exports.pxi"
include "kernel/enums.pxi"
include "kernel/board_api.pxi"
include "kernel/position_api.pxi"
include "kernel/timing.pxi"
