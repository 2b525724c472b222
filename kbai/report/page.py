"""A page as values, and how it becomes one HTML file that needs nothing else.

A page has views, one of them open: a board and what there is to say about it. All boards of a page
belong to one game, so the page holds what never changes only once. Whatever is a table or a
sentence is a block of `kbai.report.document`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kbai.content import load
from kbai.draw import facts
from kbai.draw.svg import board_layer, board_size, names_layer
from kbai.draw.svg_panel import Sign, board_signs, sign_scale
from kbai.draw.svg_symbols import symbols
from kbai.game.setup import Setup
from kbai.report.document import Block, Picture, Terms
from kbai.report.rendering import render_template


@dataclass(frozen=True, slots=True)
class View:
    """A board and what there is to say about it; an item of the list."""

    id: str
    seat: str
    number: str
    what: str
    """In the list: what was played."""
    worth: str
    """In the list: what it is worth, or what it lost."""
    short: str
    """Between the buttons."""
    title: str
    facts: Terms
    board: str
    """SVG on top of what never changes."""
    keys: tuple[Sign, ...]
    """What the marks on this board mean."""
    details: tuple[tuple[Block, ...], ...]
    """Groups of blocks below the board, side by side where there is room."""
    mark: str = ""
    x: float = 0.0
    """Where it is on the curves."""


@dataclass(frozen=True, slots=True)
class Page:
    """What a page shows: title, board, list, curves, and the accounting last."""

    title: str
    intro: tuple[Block, ...]
    setup: Setup
    views: tuple[View, ...]
    list_title: str
    worst_title: str = ""
    worst: tuple[int, ...] = ()
    """Views that the list begins with, before it has all of them."""
    summary_title: str = ""
    summary: tuple[Block, ...] = ()
    curves: tuple[Picture, ...] = ()
    terms: tuple[Block, ...] = ()
    """What the words of the page mean."""
    data: Mapping[str, object] | None = None
    """What ``--format json`` prints."""
    first: int = 0
    """The view that is open at the beginning."""


def render_page(page: Page) -> str:
    """Return the page as HTML."""
    setup = page.setup
    width, height = board_size(setup)
    return render_template(
        "page.html",
        page=page,
        data=page.data,
        definitions=symbols(setup),
        board=board_layer(setup),
        names=names_layer(setup),
        width=f"{width:g}",
        height=f"{height:g}",
        ratio=f"{width / height:.3f}",
        signs=[(name, text, sign_scale(name)) for name, text in board_signs(setup)],
        cards=Terms(tuple(_card_texts(setup))),
    )


def _card_texts(setup: Setup) -> list[tuple[str, str]]:
    every = load()
    texts = [(name, every.cards[name].text) for name in setup.cards]
    texts += [(name.replace("_", " "), every.tasks[name].text) for name in setup.tasks]
    return [*texts, *(row for row in facts.set_up_texts(setup) if row[0] == "Scouted")]
