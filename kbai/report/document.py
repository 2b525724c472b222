"""Results as values: a document is a list of blocks and says nothing about how it looks.

`kbai.report.document_text`, `kbai.report.document_markdown` and `kbai.report.document_html` render
it. Every result has one function that makes its document, so all renderings say the same.
"""

# Without "from __future__ import annotations", on purpose: of a named tuple, each annotation that
# is a text would be compiled by itself, and every command would wait for it.

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What a column holds: numbers go to the right, the rest to the left; prose may be wrapped."""

    NUMBER = "number"
    NAME = "name"
    PROSE = "prose"


class Emphasis(StrEnum):
    """Why a row stands out."""

    TOTAL = "total"
    BEST = "best"
    PLAYED = "played"


class Heading(NamedTuple):
    """A title (level 1) or the caption of what follows (level 2).

    A colon at its end leads over to the next block; only plain text needs it.
    """

    text: str
    level: int = 2


class Text(NamedTuple):
    """A paragraph; line breaks in it stay."""

    text: str
    is_warning: bool = False


class Lines(NamedTuple):
    """Lines to be shown as they are, such as turns in the notation."""

    lines: tuple[str, ...]


class Column(NamedTuple):
    """The head of a column and what is below it."""

    head: str
    kind: Kind = Kind.NUMBER


class Row(NamedTuple):
    """A text for every column."""

    cells: tuple[str, ...]
    emphasis: tuple[Emphasis, ...] = ()


class Table(NamedTuple):
    """Rows of texts under their heads."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


class Terms(NamedTuple):
    """Terms and what they mean."""

    rows: tuple[tuple[str, str], ...]


class Picture(NamedTuple):
    """A drawing; where none can be shown, its caption stands for it."""

    caption: str
    svg: str


Block = Heading | Text | Lines | Table | Terms | Picture


class Section(NamedTuple):
    """Blocks that belong together, under a name by which a page finds them."""

    name: str
    blocks: tuple[Block, ...]


class Document(NamedTuple):
    """A result, ready to be rendered.

    >>> Document((Section("title", (Heading("Best turns for red:", level=1),)),)).title
    'Best turns for red'
    """

    sections: tuple[Section, ...]

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks in order."""
        return tuple(block for section in self.sections for block in section.blocks)

    @property
    def title(self) -> str:
        """The first heading, without the punctuation at its end."""
        return next(b.text.rstrip(":.") for b in self.blocks if isinstance(b, Heading))

    def section(self, name: str) -> tuple[Block, ...]:
        """Return the blocks of a section; none if the document does not have it."""
        return tuple(block for s in self.sections if s.name == name for block in s.blocks)


def document(*blocks: Block) -> Document:
    """Return a document that nobody takes apart."""
    return Document((Section("all", blocks),))


def number_table(head: Sequence[str], *rows: Sequence[str], names: Iterable[int] = (0,)) -> Table:
    """Return a table of numbers; the first column, or those in ``names``, holds names."""
    left = {*names}
    columns = (
        Column(text, Kind.NAME if index in left else Kind.NUMBER) for index, text in enumerate(head)
    )
    return Table(tuple(columns), tuple(Row(tuple(row)) for row in rows))
