"""Specs such as ``mcts:visits=1000`` or ``cmd:time=2.0 python3 bot.py``, and bots made of them."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

from kbai.bots.kinds import BotKind
from kbai.bots.protocol import Bot
from kbai.bots.registry import find_kind
from kbai.core.errors import BotError, quote, suggest_name

_OPTIONS_WORD = re.compile(r"\w+=\S*", re.ASCII)


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot and its options; its string is the canonical spec.

    >>> str(parse_spec("CMD: time=2 python3  bot.py"))
    'cmd:time=2.0 python3 bot.py'
    """

    name: str
    options: tuple[tuple[str, str], ...] = ()
    """Those that differ from their defaults, sorted by name."""
    program: str = ""

    def __str__(self) -> str:
        pairs = ",".join(f"{key}={value}" for key, value in self.options)
        rest = " ".join(filter(None, (pairs, self.program)))
        return f"{self.name}:{rest}" if rest else self.name


def parse_spec(text: str) -> BotSpec:
    """Parse ``NAME`` or ``NAME:KEY=VALUE,...``."""
    name, _, rest = text.strip().partition(":")
    kind = find_kind(name.strip().lower())
    pairs, program = rest.strip(), ""
    if kind.has_program:
        first, _, others = pairs.partition(" ")
        pairs, program = (first, others) if _OPTIONS_WORD.fullmatch(first) else ("", pairs)
        program = _parse_program(kind, program)
    return BotSpec(kind.name, _parse_pairs(kind, pairs), program)


def _parse_program(kind: BotKind, text: str) -> str:
    try:
        words = shlex.split(text)
    except ValueError as error:
        reason = str(error).lower()
        raise BotError(f"expected a program, got {quote(text)}: {reason}.") from error
    if not words or not words[0]:
        raise BotError(f"expected a program as in '{kind.name}:{kind.example}', got none.")
    program = shlex.join(words)
    if not program.isprintable():
        raise BotError(f"expected a program on one line, got {quote(program)}.")
    return program


def _parse_pairs(kind: BotKind, text: str) -> tuple[tuple[str, str], ...]:
    known = {option.name: option for option in kind.options}
    named = {option.other_name: option for option in kind.options} | known
    found: dict[str, str] = {}
    for pair in text.split(",") if text else ():
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not equals:
            raise BotError(f"expected options like 'key=value' for {kind.name}, got {quote(pair)}.")
        option = named.get(key.lower())
        if option is None or not key:
            raise BotError(f"{suggest_name(f'option of {kind.name}', key, known)}.")
        if option.name in found:
            raise BotError(f"expected the option {option.name} of {kind.name} once, got it twice.")
        try:
            found[option.name] = option.parse(value)
        except ValueError as error:
            where = f"the option {option.name} of {kind.name}"
            raise BotError(f"expected {error} for {where}, got {quote(value)}.") from None
    changed = {key: value for key, value in found.items() if value != known[key].default_text}
    return tuple(sorted(changed.items()))


def make_bot(spec: BotSpec | str) -> Bot:
    """Return a new bot; the caller closes it."""
    if isinstance(spec, str):
        spec = parse_spec(spec)
    kind = find_kind(spec.name)
    options = {option.name: option.default_text for option in kind.options} | dict(spec.options)
    if kind.has_program:
        options["program"] = spec.program
    bot = kind.make(options)
    bot.spec = str(spec)
    return bot
