"""What Tab offers for names: cards, quadrants, sets, seats and bots.

The names of bots are repeated here, so that completion need not import the search; a test compares.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

BOTS = ("random", "greedy", "flat", "uct", "mcts", "mcts1", "cmd", "py")
LEVELS = tuple(f"mcts:level={number}" for number in range(1, 10))
ALL_SETS = "all"
TERRAINS = "terrains"
# The part of the content that an option takes names of.
FAMILY_OF = {
    "sets": "sets",
    "set_name": "sets",
    "cards": "cards",
    "exclude_cards": "cards",
    "board": "quadrants",
    "island": "islands",
    "tasks": "tasks",
    "scouted": TERRAINS,
}


def complete_list(known: Iterable[str], start: str) -> list[CompletionItem]:
    """Return what the last name of a list ``a,b,c`` can become, with the names before it.

    >>> [item.value for item in complete_list(["farm", "tavern", "tower"], "tower,t")]
    ['tower,tavern']
    """
    before, comma, last = start.rpartition(",")
    taken = {name.rstrip("*") for name in before.split(",")}
    return [
        _item(f"{before}{comma}{name}")
        for name in known
        if name.startswith(last.lower()) and name not in taken
    ]


def complete_content(
    _ctx: click.Context, param: click.Parameter, start: str
) -> list[CompletionItem]:
    """Return names of the content for an option of `FAMILY_OF`."""
    from kbai import content

    family = FAMILY_OF[str(param.name)]
    if family == TERRAINS:
        return complete_list(content.CARD_TERRAINS, start)
    names = [*getattr(content.load(), family)]
    return complete_list([ALL_SETS, *names] if family == "sets" else names, start)


def complete_things(
    _ctx: click.Context, _param: click.Parameter, start: str
) -> list[CompletionItem]:
    """Return the names of all things in the boxes."""
    from kbai import content

    every = content.load()
    families = every.quadrants, every.islands, every.tiles, every.cards, every.tasks
    names = dict.fromkeys(name for family in families for name in family)
    return [_item(name) for name in names if name.startswith(start.lower())]


def complete_card(_ctx: click.Context, _param: click.Parameter, start: str) -> list[CompletionItem]:
    """Return terrain cards."""
    from kbai.content import TERRAIN_CARDS

    return [_item(name) for name in TERRAIN_CARDS if name.startswith(start.lower())]


def complete_seats(
    _ctx: click.Context, _param: click.Parameter, start: str
) -> list[CompletionItem]:
    """Return how many seats there may be, or their colours."""
    from kbai.game.seats import N_SEATS, SEATS

    numbers = [] if "," in start else [*map(str, N_SEATS)]
    return complete_list([*numbers, *SEATS], start)


def complete_bot(_ctx: click.Context, _param: click.Parameter, start: str) -> list[CompletionItem]:
    """Return the bots of kbai and those of other packages; the levels once ``mcts`` is meant."""
    from importlib.metadata import entry_points

    others = sorted({entry.name for entry in entry_points(group="kbai.bots")} - {*BOTS})
    levels = LEVELS if start else ()
    return [_item(name) for name in (*BOTS, *others, *levels) if name.startswith(start)]


def _item(text: str) -> CompletionItem:
    from click.shell_completion import CompletionItem

    return CompletionItem(text)
