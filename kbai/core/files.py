"""Writing files so that an old one is there until the new one is complete."""

from __future__ import annotations

import contextlib
import os
import tempfile


def write_text(path: str, text: str) -> None:
    """Write a text in UTF-8 to a file: beside it first, then in its place.

    If that fails, on a full disk say, the file is as it was. Links are followed. A pipe or a
    device is written to as it is.
    """
    target = os.path.realpath(path)
    data = text.encode()
    if os.path.lexists(target) and not os.path.isfile(target):
        _write_in_place(target, data)
        return
    folder, name = os.path.split(target)
    try:
        number, beside = tempfile.mkstemp(dir=folder, prefix=f".{name[:50]}.", suffix=".tmp")
    except PermissionError:  # a folder that takes no new files
        _write_in_place(target, data)
        return
    try:
        with open(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, _mode_for(target))
        os.replace(beside, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(beside)
        raise


def _write_in_place(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)


def _mode_for(path: str) -> int:
    """Return the permissions of a file, or those of a new one."""
    try:
        return os.stat(path).st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
