"""The seats at the table: their names, and how many there can be."""

from __future__ import annotations

SEATS: tuple[str, ...] = (
    "red",
    "blue",
    "green",
    "yellow",
    "white",
    "black",
    "orange",
    "purple",
)
N_SEATS = range(2, 6)
