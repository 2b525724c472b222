"""Processes by their number: whether they run, and what they do."""

import os
from pathlib import Path


def is_running(pid):
    """Tell whether a process is there; a dead one that nobody has reaped yet is not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return state(pid) != "Z"


def state(pid):
    """Return the letter that Linux has for what a process does, Z if it is gone; else nothing."""
    if not Path("/proc/self/stat").exists():
        return ""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):  # the second if it ends while we read
        return "Z"
    return text.rpartition(")")[2].split()[0]
