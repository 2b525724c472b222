"""Documents as text for a terminal."""

from __future__ import annotations

import textwrap

from kbai.core.printable import printable
from kbai.report.document import (
    Block,
    Document,
    Heading,
    Kind,
    Lines,
    Picture,
    Table,
    Terms,
    Text,
)

WIDTH = 100
"""Sentences are wrapped to this width. Tables are as wide as they need to be."""
GAP = "  "


def document_text(document: Document) -> str:
    """Return a document as plain text, blank lines between its blocks."""
    return "\n\n".join(map(_block_text, document.blocks))


def _block_text(block: Block) -> str:
    match block:
        case Heading(text):
            return printable(text)
        case Text(text):
            return "\n".join(_wrap(printable(line)) for line in text.split("\n"))
        case Lines(lines):
            return "\n".join(f"{GAP}{printable(line)}" for line in lines)
        case Table():
            return table_text(block)
        case Terms(rows):
            return _terms_text(rows)
        case Picture(caption):
            return f"[{printable(caption)}]"


def table_text(table: Table) -> str:
    """Return a table in aligned columns."""
    lines = [tuple(column.head for column in table.columns), *(row.cells for row in table.rows)]
    lines = [tuple(map(printable, line)) for line in lines]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        GAP.join(
            text.rjust(width) if column.kind is Kind.NUMBER else text.ljust(width)
            for text, width, column in zip(line, widths, table.columns, strict=True)
        ).rstrip()
        for line in lines
    )


def _terms_text(rows: tuple[tuple[str, str], ...]) -> str:
    rows = tuple((printable(term), printable(text)) for term, text in rows)
    indent = max(len(term) for term, _ in rows) + len(GAP)
    return "\n".join(_wrap(f"{term.ljust(indent)}{text}", indent) for term, text in rows)


def _wrap(line: str, indent: int = 0) -> str:
    return "\n".join(
        textwrap.wrap(
            line,
            WIDTH,
            subsequent_indent=" " * indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
    )
