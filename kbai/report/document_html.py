"""Documents as HTML: parts of a page, without a style of their own."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape as escape_marks

from kbai.core.printable import printable
from kbai.report.document import (
    Block,
    Column,
    Document,
    Heading,
    Lines,
    Picture,
    Row,
    Table,
    Terms,
    Text,
)


def document_html(document: Document) -> str:
    """Return a document as elements that can stand anywhere in a page."""
    return blocks_html(document.blocks)


def blocks_html(blocks: Iterable[Block]) -> str:
    """Return blocks one after the other; titles are ``h2``, captions ``h3``."""
    return "\n".join(map(_block_html, blocks))


def _block_html(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level + 1}>{escape(text.rstrip(':'))}</h{level + 1}>"
        case Text(text, is_warning):
            css = ' class="warning"' if is_warning else ""
            lines = "<br>".join(map(escape, text.split("\n")))
            return f"<p{css}>{lines}</p>"
        case Lines(shown):
            return "\n".join(f"<p>{escape(line)}</p>" for line in shown)
        case Table():
            return _table_html(block)
        case Terms(rows):
            pairs = (f"<dt>{escape(term)}</dt><dd>{escape(text)}</dd>" for term, text in rows)
            return f'<dl class="terms">{"".join(pairs)}</dl>'
        case Picture(caption, svg):
            return f"<h3>{escape(caption)}</h3>{svg}"


def escape(text: str) -> str:
    """Return foreign text as HTML shows it."""
    return escape_marks(printable(text))


def _table_html(table: Table) -> str:
    head = "".join(f'<th class="{c.kind}">{escape(c.head)}</th>' for c in table.columns)
    rows = "\n".join(_row_html(table.columns, row) for row in table.rows)
    # Wide tables scroll by themselves, not with the whole page.
    return (
        f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n</table></div>"
    )


def _row_html(columns: tuple[Column, ...], row: Row) -> str:
    css = " ".join(f"is-{emphasis}" for emphasis in row.emphasis)
    cells = "".join(
        f'<td class="{column.kind}">{escape(cell)}</td>'
        for column, cell in zip(columns, row.cells, strict=True)
    )
    return f'<tr class="{css}">{cells}</tr>' if css else f"<tr>{cells}</tr>"
