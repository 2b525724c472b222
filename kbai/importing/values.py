"""Numbers, tables, lists and texts as Board Game Arena writes them: in more than one way each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_NUMBER = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_LARGEST = 10**18


def number(value: object) -> int | None:
    """Return a whole number that may be written as text; nothing if it is none."""
    if isinstance(value, str):
        return int(value) if _NUMBER.fullmatch(value) else None
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 2**53 else None
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST:
        return value
    return None


def flag(value: object) -> bool:
    """Tell whether a value says yes: ``true``, ``1`` or ``"1"``."""
    return value is True or number(value) == 1


def mapping(value: object) -> Mapping[str, Any]:
    """Return a table; an empty one for anything else, as an empty table is written ``[]``."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> Sequence[Any]:
    """Return a list, which may be written as a table with numbers for keys."""
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else ()


def one_line(value: object, longest: int) -> str:
    """Return a text without line breaks and control characters, cut where it is too long."""
    text = "".join(sign if sign.isprintable() else " " for sign in str(value)[: 20 * longest])
    return " ".join(text.split())[:longest].strip()
