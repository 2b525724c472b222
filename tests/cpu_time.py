"""CPU time of programs: it says how much they do, however busy the machine is."""

import time

try:
    import resource
except ImportError:  # Windows
    resource = None


def of_children(action):
    """Return the CPU seconds of the programs that an action runs to their end."""
    before = _used()
    action()
    return _used() - before


def _used():
    if resource is None:
        return time.perf_counter()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
