"""A file of lines that a run adds to, and that a run after it continues.

A line counts once its newline is there. What a killed process has left half written at the end is
cut off before the first line is added. Nothing keeps two processes from adding to the same file
where Python has no fcntl (Windows).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from kbai.core.errors import StoreError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_CHUNK = 1 << 16


class LineFile:
    """Whole lines that are there, and more to add; opened for this process alone."""

    def __init__(self, path: str) -> None:
        self.path = path
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        # A pipe would be waited for.
        flags |= getattr(os, "O_NONBLOCK", 0)
        try:
            self._file = os.open(path, flags, 0o666)
        except OSError as error:
            raise StoreError(f"could not open {path}: {error.strerror}.") from error
        try:
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                raise StoreError(f"{path}: expected a file to add to, this is not a regular one.")
            self._lock()
            self._end = self._end_of_lines()
        except BaseException:
            os.close(self._file)
            raise
        self._is_cut = False

    def _lock(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise StoreError(f"{self.path}: another process is adding to this file.") from error

    def _end_of_lines(self) -> int:
        """Return where the last whole line ends."""
        start = os.fstat(self._file).st_size
        while start:
            before = max(0, start - _CHUNK)
            with open(self._file, "rb", closefd=False) as reader:
                reader.seek(before)
                place = reader.read(start - before).rfind(b"\n")
            if place >= 0:
                return before + place + 1
            start = before
        return 0

    def lines(self) -> Iterator[bytes]:
        """Iterate over the whole lines that were there when the file was opened."""
        end, place = self._end, 0
        with open(self.path, "rb") as reader:
            while place < end and (line := reader.readline()):
                place += len(line)
                yield line

    def write(self, data: bytes) -> None:
        """Add whole lines."""
        try:
            if not self._is_cut:
                os.ftruncate(self._file, self._end)
                self._is_cut = True
            while data:  # once, unless the disk takes only a part; the next write then says why
                data = data[os.write(self._file, data) :]
        except OSError as error:
            raise StoreError(f"could not write to {self.path}: {error.strerror}.") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self.write(b"")  # what is half written, and was not missing after all
                os.fsync(self._file)
        finally:
            os.close(self._file)
