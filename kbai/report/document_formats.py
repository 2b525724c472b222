"""The formats in which every command that prints a document can print it."""

from __future__ import annotations

from collections.abc import Callable

from kbai.report.document import Document
from kbai.report.document_markdown import document_markdown
from kbai.report.document_text import document_text

DOCUMENT_FORMATS: dict[str, Callable[[Document], str]] = {
    "text": document_text,
    "markdown": document_markdown,
}


def format_document(document: Document, form: str) -> str:
    """Return a document in one of `DOCUMENT_FORMATS`."""
    return DOCUMENT_FORMATS[form](document)
