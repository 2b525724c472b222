"""Standard streams that the caller has closed, as in ``kbai show >&-``."""

from __future__ import annotations

import errno
import io
import os
import sys


class _Closed(io.RawIOBase):
    """A stream that says on the first write that it is closed."""

    def writable(self) -> bool:
        return True

    def write(self, _data: object, /) -> int:
        raise OSError(errno.EBADF, "stdout is closed")


def open_closed_streams() -> None:
    """Give the program streams that it can use, whatever the caller has closed.

    A result that nobody can read is an error; what is said on stderr may get lost.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # Otherwise the next file would get this number, and what is printed would go there.
            os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Closed()), encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")
