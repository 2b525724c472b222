"""Tables as text: in aligned columns, and folded where the terminal is narrow.

A table that is too wide first wraps its prose. If that is not enough, the prose goes on a second
line below each row, and its heads below the heads; so do other columns that do not fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kbai.core.printable import printable
from kbai.report.document import Column, Kind, Table
from kbai.report.numbers import HALF_WIDTH

GAP = "  "
# Prose is not wrapped to less than this.
_LEAST = 12
# Lines after the first one of a row begin here.
_INDENT = 6


class _Band(NamedTuple):
    """Columns that share a line, and the width of each."""

    columns: tuple[int, ...]
    widths: tuple[int, ...]
    indent: int = 0


def table_text(table: Table, width: int | None = None) -> str:
    """Return a table in aligned columns, not wider than ``width`` if that is possible."""
    lines = [tuple(column.head for column in table.columns), *(row.cells for row in table.rows)]
    cells = [tuple(map(printable, line)) for line in lines]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    bands = _bands(table.columns, cells, widths, width)
    shown = (
        line for row in cells for band in bands for line in _band_lines(table.columns, row, band)
    )
    return "\n".join(shown)


def _bands(
    columns: Sequence[Column],
    cells: Sequence[tuple[str, ...]],
    widths: list[int],
    width: int | None,
) -> list[_Band]:
    everything = tuple(range(len(columns)))
    if width is None or _total(widths) <= width:
        return [_Band(everything, tuple(widths))]
    prose = [i for i in everything if columns[i].kind is Kind.PROSE]
    least = [
        min(size, max(_LEAST, _longest_word(cells, i))) if i in prose else size
        for i, size in enumerate(widths)
    ]
    if _total(least) <= width:
        return [_Band(everything, tuple(_shrunk(widths, least, width)))]
    # An interval stays beside its number.
    glued = {i for i in everything if columns[i].head == HALF_WIDTH}
    numbers = [i for i in everything if i not in prose]
    return [
        *_folded(numbers, glued, widths, least, width, 0),
        *_folded(prose, set(), widths, least, width, _INDENT),
    ]


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _longest_word(cells: Sequence[tuple[str, ...]], column: int) -> int:
    return max((len(word) for row in cells for word in row[column].split()), default=0)


def _shrunk(widths: Sequence[int], least: Sequence[int], width: int) -> list[int]:
    """Take from the widest column that can give, until the table fits."""
    sizes = [*widths]
    while _total(sizes) > width:
        widest = max(range(len(sizes)), key=lambda i: (sizes[i] > least[i], sizes[i]))
        sizes[widest] -= 1
    return sizes


def _folded(
    columns: list[int],
    glued: set[int],
    widths: list[int],
    least: list[int],
    width: int,
    indent: int,
) -> Iterator[_Band]:
    """Fill one line after the other; all but the very first one are indented."""
    while columns:
        n = 1
        while n < len(columns) and _total([least[i] for i in columns[: n + 1]]) <= width - indent:
            n += 1
        if n > 1 and n < len(columns) and columns[n] in glued:
            n -= 1
        own, columns = columns[:n], columns[n:]
        lows = [least[i] for i in own]
        room = max(width - indent, _total(lows))
        yield _Band(tuple(own), tuple(_shrunk([widths[i] for i in own], lows, room)), indent)
        indent = _INDENT


def _band_lines(columns: Sequence[Column], row: tuple[str, ...], band: _Band) -> Iterator[str]:
    """Return the lines of a row; more than one if prose is wrapped, none if nothing is in it."""
    if not any(row[i] for i in band.columns):
        return
    wrapped = [
        _wrap(row[i], size) if columns[i].kind is Kind.PROSE else [row[i]]
        for i, size in zip(band.columns, band.widths, strict=True)
    ]
    for number in range(max(map(len, wrapped))):
        texts = (parts[number] if number < len(parts) else "" for parts in wrapped)
        placed = (
            text.rjust(size) if columns[i].kind is Kind.NUMBER else text.ljust(size)
            for text, i, size in zip(texts, band.columns, band.widths, strict=True)
        )
        yield (" " * band.indent + GAP.join(placed)).rstrip()


def _wrap(text: str, width: int) -> list[str]:
    if len(text) <= width:
        return [text]
    import textwrap  # here, because few tables need it

    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]
