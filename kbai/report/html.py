"""A page as values, and how it becomes one HTML file that needs nothing else.

A page has views, of which one is open: a board with what is told about it. All boards of a page
are of one game, so what never changes is in the page once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from kbai.content import load
from kbai.draw import facts
from kbai.draw.svg import board_layer, board_size
from kbai.draw.svg_panel import Sign, board_signs, sign_scale
from kbai.draw.svg_symbols import symbols
from kbai.game.setup import Setup

# How a column is set: numbers to the right, names to the left, long texts in several lines.
NUMBER, NAME, TEXT = "number", "name", "text"


@dataclass(frozen=True, slots=True)
class Row:
    """Texts for the columns of a table."""

    cells: tuple[str, ...]
    css: str = ""
    """Classes: ``total``, ``is-best``, ``is-played``."""


@dataclass(frozen=True, slots=True)
class Rows:
    """A table."""

    head: tuple[str, ...]
    classes: tuple[str, ...]
    body: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A table or some lines under a title."""

    title: str
    rows: Rows | None = None
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Curve:
    """A drawing over the turns."""

    title: str
    drawing: str
    """SVG."""


@dataclass(frozen=True, slots=True)
class View:
    """A board and what is told about it; an item of the list."""

    id: str
    seat: str
    number: str
    what: str
    """In the list."""
    worth: str
    short: str
    """Between the buttons."""
    title: str
    facts: tuple[tuple[str, str], ...]
    board: str
    """SVG on top of what never changes."""
    keys: tuple[Sign, ...]
    """What the marks on this board mean."""
    parts: tuple[Part, ...]
    mark: str = ""
    x: float = 0.0
    """Where it is on the curves."""


@dataclass(frozen=True, slots=True)
class Page:
    """What a page shows."""

    title: str
    lines: tuple[str, ...]
    setup: Setup
    views: tuple[View, ...]
    list_title: str
    data: Mapping[str, object] | None = None
    """What ``--format json`` prints."""
    problem: str = ""
    summary_title: str = ""
    summary: Rows | None = None
    check: Rows | None = None
    """How results came about."""
    curves: tuple[Curve, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    """Words of the page and what they mean."""
    first: int = 0
    """The view that is open at the beginning."""


def render_page(page: Page) -> str:
    """Return the page as HTML."""
    # Here, because it takes longer to load than most commands take to run.
    from jinja2 import (  # type: ignore[import-not-found,unused-ignore]
        Environment,
        PackageLoader,
        StrictUndefined,
    )
    from markupsafe import Markup  # type: ignore[import-not-found,unused-ignore]

    environment = Environment(
        loader=PackageLoader("kbai.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["svg"] = Markup
    setup = page.setup
    width, height = board_size(setup)
    text: str = environment.get_template("page.html").render(
        page=page,
        style=Markup(_template("page.css")),
        script=Markup(_template("page.js")),
        data=None if page.data is None else Markup(_json(page.data)),
        definitions=Markup(symbols(setup)),
        board=Markup(board_layer(setup)),
        width=f"{width:g}",
        height=f"{height:g}",
        signs=[(name, text, sign_scale(name)) for name, text in board_signs(setup)],
        cards=_card_texts(setup),
    )
    return text.lstrip()


def _template(name: str) -> str:
    return resources.files("kbai.report").joinpath("templates").joinpath(name).read_text("utf-8")


def _json(data: Mapping[str, object]) -> str:
    # A text must not end the script it stands in.
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _card_texts(setup: Setup) -> list[tuple[str, str]]:
    every = load()
    texts = [(name, every.cards[name].text) for name in setup.cards]
    texts += [(name.replace("_", " "), every.tasks[name].text) for name in setup.tasks]
    return [*texts, *(row for row in facts.set_up_texts(setup) if row[0] == "Scouted")]
