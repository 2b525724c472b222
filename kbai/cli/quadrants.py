"""Quadrants of the user's own: where they are read, and what is said when they are in play."""

from __future__ import annotations

import os
from collections.abc import Iterable

import click

from kbai.cli.notes import print_note


def use_quadrants(ctx: click.Context, _param: click.Parameter, folder: str | None) -> None:
    """Add the quadrants of the configuration folder and of ``--quadrants`` to the content."""
    if ctx.resilient_parsing:
        return
    from kbai import content

    usual = os.path.join(click.get_app_dir("kbai"), "quadrants")
    folders = [usual] if os.path.isdir(usual) else []
    if folder is not None:
        folders.append(folder)
    found = tuple(map(content.read_folder, folders))
    content.use_quadrants(*found)
    ctx.meta[use_quadrants.__qualname__] = found


def quadrants_in_use() -> tuple[tuple[tuple[str, str], ...], ...]:
    """Return what `use_quadrants` has read, for workers that need it too."""
    found: tuple[tuple[tuple[str, str], ...], ...]
    found = click.get_current_context().meta.get(use_quadrants.__qualname__, ())
    return found


def note_layouts(own_layouts: Iterable[str]) -> None:
    """Say on stderr, once for each command, which layouts are not the printed ones."""
    names = ", ".join(own_layouts)
    meta = click.get_current_context().meta
    if names and not meta.get(note_layouts.__qualname__):
        meta[note_layouts.__qualname__] = True
        print_note(f"not laid out as printed: {names}.")
