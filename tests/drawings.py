"""Reading drawings of the terminal back: modes, signs, hexes and lines."""

from __future__ import annotations

import re

import pytest

MODES = {
    "ascii": {"color": False, "ascii": True},
    "unicode": {"color": False, "ascii": False},
    "color": {"color": True, "ascii": False},
    "color-ascii": {"color": True, "ascii": True},
}
SIGNS = {
    True: dict(zip("GCDFTSAWM", ',/.*&"=~^', strict=True)),
    False: dict(zip("GCDFTSAWM", "„╱·✿♣ψ≡≈▲", strict=True)),
}
every_mode = pytest.mark.parametrize("mode", MODES.values(), ids=MODES)


def plain(text: str) -> str:
    """Return a drawing without its colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def hex_at(drawing: str, row: int, col: int) -> str:
    """Return the four characters a hex is drawn with."""
    line = plain(drawing).splitlines()[row + 1]
    start = 3 + row % 2 * 2 + 4 * col
    return line[start : start + 4]


def line_of(drawing: str, label: str) -> str:
    """Return the line of a drawing that begins with a label."""
    lines = [line for line in plain(drawing).splitlines() if line.startswith(label)]
    assert len(lines) == 1, lines
    return lines[0]
