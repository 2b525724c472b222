"""Reading pages of kbai: whether they are whole, and what is on them."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

PAGE_GAME = """\
Board: tavern,paddock,oasis,farm
Cards: fishermen,knights,merchants
Seats: red,blue
Players: Ann <ann@example.org>, Bob

1 red flower: n16 o15 o17
2 blue canyon: c6 b6 d7
3 red grass: farm:l16 l15 m15 m17
"""
VOID = {"meta", "link", "br", "hr", "img", "input"}


class Reader(HTMLParser):
    """Reads a page; complains about a tag that is not closed by its own."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, (tag, self.open[-3:], self.getpos())
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.append((self.open[-1], data))

    def all(self, tag: str, css: str = "") -> list[dict[str, str | None]]:
        """Return the attributes of all such elements, of this class if one is given."""
        return [attrs for name, attrs in self.tags
                if name == tag and css in (attrs.get("class") or "").split() + [""]]  # fmt: skip


def read(text: str) -> Reader:
    """Read a page and check that it is whole and needs nothing else."""
    assert text.startswith("<!DOCTYPE html>")
    page = Reader(text)
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert [name for name, count in Counter(ids).items() if count > 1] == []
    links = [attrs[key] or "" for _, attrs in page.tags for key in ("href", "src") if key in attrs]
    assert {link[0] for link in links if link != "data:,"} == {"#"}
    assert {link[1:] for link in links if link != "data:,"} <= {*ids}
    assert {name for name in re.findall(r"url\(#([^)]+)\)", text)} <= {*ids}
    code = "".join(data for tag, data in page.texts if tag in ("style", "script"))
    assert ".board" in code and not re.search(r"@import|https?:|url\(", code)
    return page


def articles(text: str) -> dict[str, str]:
    """Return the views of a page by their ids."""
    found = re.findall(r'<article class="[^"]*" id="([^"]+)".*?</article>', text, re.S)
    return {name: re.search(rf'<article class="[^"]*" id="{name}".*?</article>', text, re.S)[0]
            for name in found}  # fmt: skip
