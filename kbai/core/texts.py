"""Texts from outside: how much is read, from which bytes, and how it is shown."""

from __future__ import annotations

import os
from typing import BinaryIO

from kbai.core.errors import NotationError

# A position has a few kilobytes, a game some tens. Reading far more would cost seconds and
# gigabytes before anything is found to be wrong with it.
MAX_POSITION = 1_000_000
MAX_GAME = 1_000_000
# A file may hold many positions, one a line.
MAX_FILE = 4_000_000
# The log of a long game with many moves taken back has some megabytes.
MAX_LOG = 8_000_000


def check_length(text: str, limit: int, what: str) -> None:
    """Raise if a text is too long to be read as what it is meant to be."""
    if len(text) > limit:
        raise NotationError(f"expected {what} of at most {limit:,} characters, got {len(text):,}.")


def read_file(path: str | os.PathLike[str], limit: int, name: str | None = None) -> str:
    """Return the text of a file; ``name`` is what errors call it."""
    with open(path, "rb") as stream:
        return read_stream(stream, limit, os.fspath(path) if name is None else name)


def read_stream(stream: BinaryIO, limit: int, name: str) -> str:
    """Return the text of a stream, which is read no further than the limit."""
    data = stream.read(limit + 1)
    if len(data) > limit:
        raise NotationError(f"expected at most {limit:,} bytes, got more.", file=name)
    return decode_text(data, name)


def decode_text(data: bytes, name: str | None = None) -> str:
    """Return the text of a file's bytes; an error says where they are no text."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        raise NotationError(
            f"expected text in UTF-8, got the byte 0x{data[error.start]:02x}.",
            file=name,
            line=before.count(b"\n") + 1,
            column=error.start - before.rfind(b"\n"),
        ) from error
