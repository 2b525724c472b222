"""What each worker of a local Dask cluster loads first: it ends without a word."""

from __future__ import annotations

import os
from typing import Any


def dask_setup(worker: Any) -> None:
    """Drop what a worker prints from the moment it closes.

    Its connections may be gone by then, and Dask prints a traceback about it. Nobody needs it: all
    results have arrived, or Ctrl-C was pressed.
    """
    close = worker.close

    async def close_quietly(*arguments: Any, **options: Any) -> Any:
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 2)
        os.close(silent)
        return await close(*arguments, **options)

    worker.close = close_quietly
