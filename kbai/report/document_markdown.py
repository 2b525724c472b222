"""Documents as Markdown, for an issue or a wiki."""

from __future__ import annotations

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

# What Markdown, as GitHub reads it, would take for marks.
_MARKS = "\\`*_[]<>#|~&"
_ESCAPES = str.maketrans({mark: f"\\{mark}" for mark in _MARKS})


def document_markdown(document: Document) -> str:
    """Return a document as Markdown."""
    return "\n\n".join(map(_block_markdown, document.blocks))


def _block_markdown(block: Block) -> str:
    match block:
        case Heading(text, level):
            # One level down: the page it is pasted into has a title of its own.
            return f"{'#' * (level + 1)} {_escape(text.rstrip(':'))}"
        case Text(text):
            return "  \n".join(map(_escape, text.split("\n")))
        case Lines(lines):
            return "\n".join(["```", *map(printable, lines), "```"])
        case Table():
            return _table_markdown(block)
        case Terms(rows):
            return "\n".join(f"- {_escape(term)}: {_escape(text)}" for term, text in rows)
        case Picture(caption):
            return _escape(f"[{caption}]")


def _table_markdown(table: Table) -> str:
    lines = [
        [_escape(column.head) for column in table.columns],
        ["--:" if column.kind is Kind.NUMBER else ":--" for column in table.columns],
        *([_escape(cell) for cell in row.cells] for row in table.rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _escape(text: str) -> str:
    return printable(text).translate(_ESCAPES)
