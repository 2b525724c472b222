"""How the C library of the server keeps memory that is free."""

from __future__ import annotations

import ctypes

# The number of this setting in <malloc.h> of glibc.
_MMAP_THRESHOLD = -3
# Arrays of trees are larger, answers that are kept are smaller.
LARGE = 128 * 1024


def give_large_arrays_back() -> bool:
    """Let the system have large arrays back as soon as they are free; False if there is no way.

    Left alone, glibc takes them from the system only as long as none was freed. Then it keeps them
    between smaller things that stay, such as answers: holes that nothing fits into, more of them
    with every search.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return False  # another C library, which needs none of this
    return bool(mallopt(_MMAP_THRESHOLD, LARGE))
