"""CPU time of programs: it says how much they do, however busy the machine is."""

import time

try:
    import resource
except ImportError:  # Windows
    resource = None


def least(actions, holds, *, rounds):
    """Return the least CPU seconds of each action, in turns, after so many rounds.

    If ``holds`` says no to that, there are up to four times as many: what else a machine does at
    the time only adds to what a program takes, so more rounds come closer to the truth.
    """
    found = {}
    for number in range(4 * rounds):
        if number >= rounds and holds(found):
            break
        for name, action in actions.items():
            found[name] = min(of_children(action), found.get(name, float("inf")))
    return found


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
