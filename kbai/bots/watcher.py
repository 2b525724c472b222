"""A watcher that ends a program when this process is gone, even by `kill -9`.

Programs that read their stdin notice it, but some do not. The watcher is a small shell that waits
at a pipe. The system closes our end of it however we end.
"""

from __future__ import annotations

import contextlib
import os
import subprocess

# It reads which process group to watch, and then that the program was ended, or that we were.
_SCRIPT = 'read -r group && ! read -r done && kill -s KILL -- "-$group"'


class Watcher:
    """Watches over one process group; without POSIX it does nothing."""

    def __init__(self) -> None:
        self._shell: subprocess.Popen[bytes] | None = None
        if os.name == "posix":
            self._shell = subprocess.Popen(
                ["/bin/sh", "-c", _SCRIPT],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                # Signals for our process group must not end it before us.
                start_new_session=True,
            )

    def watch(self, group: int) -> None:
        """Watch over a process group."""
        self._tell(b"%d\n" % group)

    def end(self) -> None:
        """End without killing anything: the group is gone."""
        self._tell(b"done\n")
        shell, self._shell = self._shell, None
        if shell is not None:
            assert shell.stdin is not None
            with contextlib.suppress(OSError):
                shell.stdin.close()
            shell.wait()

    def _tell(self, line: bytes) -> None:
        if self._shell is not None:
            assert self._shell.stdin is not None
            with contextlib.suppress(OSError):  # somebody killed the watcher
                self._shell.stdin.write(line)
                self._shell.stdin.flush()
