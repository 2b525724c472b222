"""What a bot says about itself: its name, its options, how it is made."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kbai.bots.protocol import Bot


@dataclass(frozen=True, slots=True)
class BotOption:
    """An option of a bot. The type of its default is the type of its values."""

    name: str
    default: bool | int | float | str
    summary: str
    choices: tuple[str, ...] = ()
    """The values of an option whose values are words."""
    low: float = 0
    high: float = math.inf
    other_name: str = ""
    """A second name that specs may use; kbai prints the first."""

    def parse(self, text: str) -> str:
        """Return a value in its canonical spelling; ValueError says what was expected."""
        if isinstance(self.default, bool):
            return _one_of(text, ("false", "true"))
        if isinstance(self.default, str):
            return _one_of(text, self.choices)
        kind = type(self.default)
        what = f"{'a number' if kind is float else 'a whole number'} from {self.low:g}"
        if math.isfinite(self.high):
            what += f" to {self.high:g}"
        try:
            value = kind(text)
        except (ValueError, OverflowError):
            raise ValueError(what) from None
        if not (self.low <= value <= self.high and math.isfinite(value)):
            raise ValueError(what)
        return str(value)

    def value(self, text: str) -> bool | int | float | str:
        """Return the value of a text that `parse` returned."""
        return text == "true" if isinstance(self.default, bool) else type(self.default)(text)

    @property
    def default_text(self) -> str:
        """The default in its canonical spelling."""
        return str(self.default).lower() if isinstance(self.default, bool) else str(self.default)


def _one_of(text: str, choices: tuple[str, ...]) -> str:
    word = text.strip().lower()
    if word not in choices:
        raise ValueError(" or ".join(map(repr, choices)))
    return word


@dataclass(frozen=True, slots=True)
class BotKind:
    """A bot that specs can name."""

    name: str
    make: Callable[[Mapping[str, str]], Bot]
    """Gets all options in their canonical spelling; a program under the key ``program``."""
    summary: str
    options: tuple[BotOption, ...] = ()
    has_program: bool = False
    """Whether a program and its arguments follow the options."""
    example: str = "python3 bot.py"
    """Such a program, for messages."""
    levels: tuple[str, ...] = ()
    """What the values of its option ``level`` mean, from 1 on."""
