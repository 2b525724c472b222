"""A page as values, and how it becomes one HTML file that needs nothing else.

A page has views, one of them open: a board and what there is to say about it. All boards of a page
belong to one game, so the page holds what never changes only once. Whatever is a table or a
sentence is a block of `kbai.report.document`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from kbai.content import load
from kbai.core.printable import printable
from kbai.draw import facts
from kbai.draw.svg import board_layer, board_size, names_layer
from kbai.draw.svg_panel import Sign, board_signs, sign_scale
from kbai.draw.svg_symbols import symbols
from kbai.game.setup import Setup
from kbai.report.document import Block, Picture, Terms
from kbai.report.document_html import blocks_html


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
    # Imported here because it takes longer to load than most commands take to run.
    from jinja2 import (  # type: ignore[import-not-found,unused-ignore]
        Environment,
        PackageLoader,
        StrictUndefined,
    )
    from markupsafe import Markup  # type: ignore[import-not-found,unused-ignore]

    environment = Environment(
        loader=PackageLoader("kbai.report", "templates"),
        autoescape=True,
        finalize=_printable_value,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["svg"] = Markup
    environment.filters["blocks"] = lambda blocks: Markup(blocks_html(blocks))
    setup = page.setup
    width, height = board_size(setup)
    text: str = environment.get_template("page.html").render(
        page=page,
        style=Markup(_template("page.css")),
        script=Markup(_template("page.js")),
        data=None if page.data is None else Markup(_json(page.data)),
        definitions=Markup(symbols(setup)),
        board=Markup(board_layer(setup)),
        names=Markup(names_layer(setup)),
        width=f"{width:g}",
        height=f"{height:g}",
        ratio=f"{width / height:.3f}",
        signs=[(name, text, sign_scale(name)) for name, text in board_signs(setup)],
        cards=Terms(tuple(_card_texts(setup))),
    )
    return text.lstrip()


def _printable_value(value: object) -> object:
    """Return what a template shows; markup of kbai's own stays as it is."""
    return printable(value) if type(value) is str else value


def _template(name: str) -> str:
    return resources.files("kbai.report").joinpath("templates").joinpath(name).read_text("utf-8")


def _json(data: Mapping[str, object]) -> str:
    # A text must not end the script it is in.
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _card_texts(setup: Setup) -> list[tuple[str, str]]:
    every = load()
    texts = [(name, every.cards[name].text) for name in setup.cards]
    texts += [(name.replace("_", " "), every.tasks[name].text) for name in setup.tasks]
    return [*texts, *(row for row in facts.set_up_texts(setup) if row[0] == "Scouted")]
