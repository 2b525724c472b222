"""Notes on stderr, beside the result."""

from __future__ import annotations

import click


def print_note(text: str) -> None:
    """Print a note; what it quotes may come from anywhere."""
    from kbai.core.printable import printable_message

    click.echo(f"note: {printable_message(text)}", err=True)
