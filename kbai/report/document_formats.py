"""The formats in which every command that prints a document can print it."""

from __future__ import annotations

from collections.abc import Callable

from kbai.report.document import Document
from kbai.report.document_markdown import document_markdown
from kbai.report.document_text import document_text

DOCUMENT_FORMATS: dict[str, Callable[[Document, int | None], str]] = {
    "text": document_text,
    "markdown": lambda document, _width: document_markdown(document),
}


def format_document(document: Document, form: str, width: int | None = None) -> str:
    """Return a document in one of `DOCUMENT_FORMATS`, text for a terminal of this width."""
    return DOCUMENT_FORMATS[form](document, width)
