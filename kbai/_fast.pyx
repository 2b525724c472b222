# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True, freethreading_compatible=True
"""The rules of Kingdom Builder on integers.

To start reading: _fast.pxd is the data model. Then kernel/state.pxi (what changes), actions.pxi
(what may be done), scoring.pxi; playout.pxi plays at random; geometry.pxi compiles a board.
This file is the Python face: it checks what comes in, converts, and calls.
"""

from enum import IntEnum, IntFlag

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

include "kernel/geometry.pxi"
include "kernel/state.pxi"
include "kernel/actions.pxi"
include "kernel/nomads.pxi"
include "kernel/crossroads.pxi"
include "kernel/marshlands.pxi"
include "kernel/harvest.pxi"
include "kernel/scoring.pxi"
include "kernel/weights.pxi"
include "kernel/step_values.pxi"
include "kernel/preferences.pxi"
include "kernel/random.pxi"
include "kernel/policy.pxi"
include "kernel/playout.pxi"
include "kernel/exports.pxi"
include "kernel/enums.pxi"
include "kernel/board_api.pxi"
include "kernel/position_api.pxi"
include "kernel/timing.pxi"
