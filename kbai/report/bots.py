"""The list of bots and their options, as text and for JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from kbai.bots.kinds import BotKind
from kbai.core.printable import printable_lines

WIDTH = 80


def bots_text(kinds: Iterable[BotKind]) -> str:
    """Return each bot with a line about it and a line about each of its options."""
    return printable_lines("\n".join(map(_describe, kinds)))


def _describe(kind: BotKind) -> str:
    pairs = {f"{option.name}={option.default_text}": option.summary for option in kind.options}
    width = max(map(len, pairs), default=0)
    lines = _wrap(kind.name.ljust(8), kind.summary, indent="")
    for pair, summary in pairs.items():
        lines += _wrap(pair.ljust(width + 1), summary, indent=" " * 4)
    for number, words in enumerate(kind.levels, start=1):
        lines += _wrap(f"level {number} ", words, indent=" " * 4)
    return "\n".join(lines)


def _wrap(name: str, text: str, *, indent: str) -> list[str]:
    """Put a text beside its name, in lines that fit the usual terminal."""
    room = " " * (len(indent) + len(name) + 1)
    return textwrap.wrap(text, WIDTH, initial_indent=f"{indent}{name} ", subsequent_indent=room)


def bots_dict(kinds: Iterable[BotKind]) -> dict[str, object]:
    """Return bots as ``kbai bots --format json`` prints them."""
    return {
        "bots": [
            {
                "name": kind.name,
                "summary": kind.summary,
                "program": kind.has_program,
                "options": [
                    {
                        "name": option.name,
                        "default": option.default,
                        "choices": list(option.choices) or None,
                        "summary": option.summary,
                    }
                    for option in kind.options
                ],
                "levels": list(kind.levels),
            }
            for kind in kinds
        ]
    }
