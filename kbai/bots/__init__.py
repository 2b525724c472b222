"""What a bot is, and the bots that come with kbai.

A bot of your own needs only the names of this module; docs/bots.md shows how.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kbai.bots.kinds import BotKind, BotOption
    from kbai.bots.protocol import Bot, Faults, View
    from kbai.bots.registry import register
    from kbai.bots.specs import make_bot

__all__ = ["Bot", "BotKind", "BotOption", "Faults", "View", "make_bot", "register"]

_MODULES = {
    "Bot": "protocol",
    "BotKind": "kinds",
    "BotOption": "kinds",
    "Faults": "protocol",
    "View": "protocol",
    "make_bot": "specs",
    "register": "registry",
}


def __getattr__(name: str) -> object:
    # On demand: the registry imports the search, and a bot of your own may not need it.
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
