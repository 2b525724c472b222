"""Templates of pages, filled in: all pages share their style and how texts are escaped."""

from __future__ import annotations

import json
from importlib import resources

from kbai.core.printable import printable
from kbai.report.document_html import blocks_html


def render_template(name: str, *, data: object = None, definitions: str, **values: object) -> str:
    """Return a page from a template.

    ``data`` is put into the page as JSON; ``definitions`` are symbols of kbai's own. Texts among
    the other values are escaped; the filters ``svg`` and ``blocks`` are for what is not.
    """
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
    text: str = environment.get_template(name).render(
        style=Markup(_template("page.css")),
        script=Markup(_template("page.js")),
        data=None if data is None else Markup(_json(data)),
        definitions=Markup(definitions),
        **values,
    )
    return text.lstrip()


def _printable_value(value: object) -> object:
    """Return what a template shows; markup of kbai's own stays as it is."""
    return printable(value) if type(value) is str else value


def _template(name: str) -> str:
    return resources.files("kbai.report").joinpath("templates").joinpath(name).read_text("utf-8")


def _json(data: object) -> str:
    # A text must not end the script it is in.
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
