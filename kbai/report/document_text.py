"""Documents as text for a terminal."""

from __future__ import annotations

from kbai.core.printable import printable
from kbai.report.document import (
    Block,
    Document,
    Heading,
    Lines,
    Picture,
    Table,
    Terms,
    Text,
)
from kbai.report.table_text import GAP, table_text

WIDTH = 100
"""Sentences are wrapped to this width, or to that of a narrower terminal."""


def document_text(document: Document, width: int | None = None) -> str:
    """Return a document as plain text, blank lines between its blocks.

    ``width`` is that of the terminal; without it, tables and turns are as wide as they need to be.
    """
    return "\n\n".join(_block_text(block, width) for block in document.blocks)


def _block_text(block: Block, width: int | None) -> str:
    room = min(width or WIDTH, WIDTH)
    match block:
        case Heading(text):
            return printable(text) if width is None else _wrap(printable(text), width)
        case Text(text):
            return "\n".join(_wrap(printable(line), room) for line in text.split("\n"))
        case Lines(lines):
            shown = [f"{GAP}{printable(line)}" for line in lines]
            return "\n".join(line if width is None else _wrap(line, width, 6) for line in shown)
        case Table():
            return table_text(block, width)
        case Terms(rows):
            return _terms_text(rows, room)
        case Picture(caption):
            return f"[{printable(caption)}]"


def _terms_text(rows: tuple[tuple[str, str], ...], width: int) -> str:
    rows = tuple((printable(term), printable(text)) for term, text in rows)
    # A term as long as 'red, blue, green, yellow, white' must not leave its text a narrow strip.
    longest = max((len(term) for term, _ in rows if len(term) < width / 3), default=0)
    indent = longest + len(GAP)
    return "\n".join(
        _wrap(f"{term.ljust(longest)}{GAP}{text}", width, indent) for term, text in rows
    )


def _wrap(line: str, width: int, indent: int = 0) -> str:
    import textwrap  # here, because few documents need it

    return "\n".join(
        textwrap.wrap(
            line,
            width,
            subsequent_indent=" " * indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
    )
