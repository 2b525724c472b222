"""Workers for what lasts long."""

from __future__ import annotations

from kbai.compute.pools import PoolFactory, threads
from kbai.compute.processes import processes


def pool_of(count: int) -> PoolFactory:
    """Return one worker in this process, or several in processes of their own."""
    return processes(count) if count > 1 else threads(count)
