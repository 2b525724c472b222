"""The page of a replay: it holds a log, the quadrants of the board and the state at the start."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kbai.core.errors import ImportedLogError
from kbai.importing.archive import Archive, unwrap_log
from kbai.importing.values import one_line

GAME = "kingdombuilder"
_PACKETS = re.compile(r"\bg_gamelogs\s*=\s*(?=[{\[])")
# The name of the game comes first, the state at the start is the first table after it.
_SETUP = re.compile(r"\bcompletesetup\s*\(\s*[\"']([^\"']{1,60})[\"'][^{]{0,2000}(?=\{)")
_TAG = re.compile(r"<li\b[^<>]{0,600}>")
_QUADRANT = re.compile(r"\bquadrant-([0-9]{1,3})\b")
_PLACE = re.compile(r"\bid\s*=\s*[\"']?quadrant-(top|bottom)-(left|right)\b")
_PLACES = (("top", "left"), ("top", "right"), ("bottom", "left"), ("bottom", "right"))


def parse_page(text: str) -> Archive:
    """Return what the page of a replay holds; raise `ImportedLogError` if it is another page."""
    setup = _SETUP.search(text)
    if setup and setup[1].lower() != GAME:
        name = one_line(setup[1], 60)
        raise ImportedLogError(f"this is the page of another game, {name!r}.")
    found = _PACKETS.search(text)
    if found is None:
        raise ImportedLogError(
            "expected the page of a replay, which holds the log of its table; this page has none."
        )
    try:
        data, _ = json.JSONDecoder().raw_decode(text, found.end())
    except (ValueError, RecursionError):
        raise ImportedLogError("the log in this page is cut off or damaged.") from None
    start = _table_at(text, setup.end()) if setup else {}
    return replace(unwrap_log(data), quadrants=_quadrants(text), start=start)


def _table_at(text: str, place: int) -> Mapping[str, Any]:
    try:
        value, _ = json.JSONDecoder().raw_decode(text, place)
    except (ValueError, RecursionError):
        return {}  # the log alone will do
    return value if isinstance(value, dict) else {}


def _quadrants(text: str) -> tuple[tuple[int, bool], ...]:
    """Return the quadrants as the markup of the board has them; none if it has not all four."""
    found = {}
    for tag in _TAG.findall(text):
        place, quadrant = _PLACE.search(tag), _QUADRANT.search(tag)
        if place and quadrant:
            found[place[1], place[2]] = int(quadrant[1]), "flipped" in tag
    return tuple(found[place] for place in _PLACES) if len(found) == len(_PLACES) else ()
