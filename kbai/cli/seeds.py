"""Seeds that nobody has given: a random one is used and printed on stderr."""

from __future__ import annotations

import os

import click


def draw_seed() -> int:
    """Return a random seed, short enough to be copied by hand."""
    return int.from_bytes(os.urandom(4), "little")


def tell_seed(seed: int) -> None:
    """Print a seed that was drawn, so that the same result can be had again."""
    click.echo(f"seed: {seed}", err=True)
