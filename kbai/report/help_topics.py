"""What ``kbai help TOPIC`` prints: texts from data/help, and lists made from the code."""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Callable
from dataclasses import fields
from importlib import resources

from kbai import content
from kbai.bots.registry import bot_kinds
from kbai.draw.terminal_content import draw_sets
from kbai.game.options import Options, option_values
from kbai.report.bots import bots_text

WIDTH = 80


def topic_text(name: str) -> str:
    """Return the text about a topic: that of its file, and its list if it has one."""
    text = _read(f"{name}.txt").rstrip("\n")
    return f"{text}\n\n{_LISTS[name]()}" if name in _LISTS else text


def option_texts() -> dict[str, str]:
    """Return a sentence about each rule option: what its other value means."""
    texts: dict[str, str] = tomllib.loads(_read("options.toml"))
    return texts


def _read(name: str) -> str:
    return (resources.files("kbai") / "data" / "help" / name).read_text("utf-8")


def _options_list() -> str:
    texts = option_texts()
    blocks = []
    for field in fields(Options):
        default = str(field.default).lower()
        others = [str(value).lower() for value in option_values(field.name)]
        others.remove(default)
        about = f"{', '.join(others)}: {texts[field.name]}"
        lines = textwrap.wrap(about, WIDTH - 4, break_on_hyphens=False)
        blocks.append("\n    ".join([f"{field.name}={default}", *lines]))
    return "\n\n".join(blocks)


def _bots_list() -> str:
    return bots_text(bot_kinds())


def _sets_list() -> str:
    every = content.load()
    # Without its heading: the topic has one.
    return draw_sets(every, every.sets, color=False, ascii=True).partition("\n\n")[2]


_LISTS: dict[str, Callable[[], str]] = {
    "bots": _bots_list,
    "options": _options_list,
    "sets": _sets_list,
}
