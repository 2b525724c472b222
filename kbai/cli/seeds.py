"""Seeds that nobody has given: a random one is used and printed on stderr."""

from __future__ import annotations

import secrets

import click


def draw_seed() -> int:
    """Return a random seed, short enough to be copied by hand."""
    return secrets.randbelow(2**32)


def tell_seed(seed: int) -> None:
    """Print a seed that was drawn, so that the same result can be had again."""
    click.echo(f"seed: {seed}", err=True)
