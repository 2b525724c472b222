"""What a bot is, and the bots that come with kbai.

A bot of your own needs only the names of this module; docs/bots.md shows how.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kbai.bots.protocol import Bot, Faults, View
    from kbai.bots.registry import BotKind, BotOption, make_bot, register

__all__ = ["Bot", "BotKind", "BotOption", "Faults", "View", "make_bot", "register"]


def __getattr__(name: str) -> object:
    # On demand: the registry brings the search with it, and whoever needs one bot does not.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module("kbai.bots.registry"), name)
