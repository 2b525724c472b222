"""Texts from files."""

from __future__ import annotations

import os
from pathlib import Path

from kbai.core.errors import NotationError


def read_text(path: str | os.PathLike[str]) -> tuple[str, str]:
    """Return the text of a file and the name that errors call it by."""
    name = os.fspath(path)
    return decode_text(Path(name).read_bytes(), name), name


def decode_text(data: bytes, name: str) -> str:
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
