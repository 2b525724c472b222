"""The list of bots and their options, as text and for JSON."""

from __future__ import annotations

from collections.abc import Iterable

from kbai.bots.kinds import BotKind


def bots_text(kinds: Iterable[BotKind]) -> str:
    """Return each bot with a line about it and a line about each of its options."""
    return "\n".join(map(_describe, kinds))


def _describe(kind: BotKind) -> str:
    lines = [f"{kind.name.ljust(8)} {kind.summary}"]
    pairs = [f"{option.name}={option.default_text}" for option in kind.options]
    width = max(map(len, pairs), default=0)
    for pair, option in zip(pairs, kind.options, strict=True):
        lines.append(f"         {pair.ljust(width)}  {option.summary}")
    return "\n".join(lines)


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
            }
            for kind in kinds
        ]
    }
