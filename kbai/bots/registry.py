"""The bots by name: the registry, and specs such as ``cmd:time=2.0 python3 bot.py``."""

from __future__ import annotations

import math
import random
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from importlib import metadata
from typing import Any

from kbai.bots.external import ExternalBot
from kbai.bots.greedy import GreedyBot
from kbai.bots.protocol import Bot, Faults, View
from kbai.bots.search_bot import SearchBot
from kbai.core.errors import BotError, quote, suggest_name
from kbai.search.params import Limit, SearchParams

__all__ = [
    "Bot",
    "BotKind",
    "BotOption",
    "BotSpec",
    "Faults",
    "View",
    "bot_kinds",
    "kinds_to_dict",
    "make_bot",
    "parse_spec",
    "register",
]

ENTRY_POINTS = "kbai.bots"
_OPTIONS_WORD = re.compile(r"\w+=\S*", re.ASCII)


@dataclass(frozen=True, slots=True)
class BotOption:
    """An option of a bot. The type of its default is the type of its values."""

    name: str
    default: bool | int | float | str
    summary: str
    choices: tuple[str, ...] = ()
    """The values an option can have whose values are words."""
    low: float = 0
    high: float = math.inf

    def parse(self, text: str) -> str:
        """Return a value in its one spelling; raise ValueError with what was expected."""
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
        """Return the value of a text that `parse` has returned."""
        return text == "true" if isinstance(self.default, bool) else type(self.default)(text)

    @property
    def default_text(self) -> str:
        """The default as it would be written."""
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
    """Is handed all options, in their one spelling; a program under the key ``program``."""
    summary: str
    options: tuple[BotOption, ...] = ()
    has_program: bool = False
    """Whether a program and its arguments follow the options."""


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot and its options; as a string the canonical spec.

    >>> str(parse_spec("CMD: time=2 python3  bot.py"))
    'cmd:time=2.0 python3 bot.py'
    """

    name: str
    options: tuple[tuple[str, str], ...] = ()
    """Those that are not at their default, sorted by name."""
    program: str = ""

    def __str__(self) -> str:
        pairs = ",".join(f"{key}={value}" for key, value in self.options)
        rest = " ".join(filter(None, (pairs, self.program)))
        return f"{self.name}:{rest}" if rest else self.name


_KINDS: dict[str, BotKind] = {}


def register(
    name: str,
    make: Callable[[Mapping[str, str]], Bot],
    *,
    options: tuple[BotOption, ...] = (),
    summary: str,
    has_program: bool = False,
) -> None:
    """Make a bot known by a name."""
    if name in _KINDS:
        raise ValueError(f"there is a bot {name!r} already")
    _KINDS[name] = BotKind(name, make, summary, options, has_program)


def bot_kinds() -> tuple[BotKind, ...]:
    """Return all bots: kbai's own, then those of other packages by name."""
    others = sorted({entry.name for entry in _entries()} - {*_KINDS})
    return (*_KINDS.values(), *map(find_kind, others))


def find_kind(name: str) -> BotKind:
    """Return the bot of this name; packages are asked only for names that kbai does not know."""
    if name in _KINDS:
        return _KINDS[name]
    for entry in _entries():
        if entry.name == name:
            return _load_entry(entry)
    known = (*_KINDS, *sorted({entry.name for entry in _entries()}))
    raise BotError(f"{suggest_name('bot', name, known)}.")


def _entries() -> metadata.EntryPoints:
    return metadata.entry_points(group=ENTRY_POINTS)


def _load_entry(entry: metadata.EntryPoint) -> BotKind:
    what = f"the bot {entry.name!r} at {entry.value!r}"
    try:
        kind: object = entry.load()
    except Exception as error:  # whatever an installed package may raise
        raise BotError(f"expected to load {what}, got {type(error).__name__}: {error}.") from error
    if not isinstance(kind, BotKind) or kind.name != entry.name:
        raise BotError(f"expected a BotKind called like it for {what}, got {quote(kind)}.")
    return kind


def parse_spec(text: str) -> BotSpec:
    """Return the spec a text means: ``NAME`` or ``NAME:KEY=VALUE,...``."""
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
        raise BotError(f"expected a program as in '{kind.name}:python3 bot.py', got none.")
    program = shlex.join(words)
    if not program.isprintable():
        raise BotError(f"expected a program on one line, got {quote(program)}.")
    return program


def _parse_pairs(kind: BotKind, text: str) -> tuple[tuple[str, str], ...]:
    known = {option.name: option for option in kind.options}
    found: dict[str, str] = {}
    for pair in text.split(",") if text else ():
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not equals:
            raise BotError(f"expected options like 'key=value' for {kind.name}, got {quote(pair)}.")
        option = known.get(key.lower())
        if option is None:
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
    """Return a new bot; whoever asked for it closes it."""
    if isinstance(spec, str):
        spec = parse_spec(spec)
    kind = find_kind(spec.name)
    options = {option.name: option.default_text for option in kind.options} | dict(spec.options)
    if kind.has_program:
        options["program"] = spec.program
    bot = kind.make(options)
    bot.spec = str(spec)
    return bot


def kinds_to_dict(kinds: tuple[BotKind, ...]) -> dict[str, object]:
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


class RandomBot(Bot):
    """Takes every legal step with the same odds."""

    def choose(self, view: View) -> int:
        return random.Random(view.seed).choice(view.position.legal())


# Visits of a turn when nothing is said about them.
DEFAULT_VISITS = 4000
MCTS = SearchParams()
FLAT = SearchParams(selection="flat", fair_share=0.5, clear=0.0)
UCT = SearchParams(
    selection="ucb", playout="random", exploration=0.7, priors=False, merge=False, margin_weight=0.0
)


@dataclass(frozen=True, slots=True)
class Level:
    """How well ``mcts`` plays against people."""

    visits: int
    params: SearchParams = MCTS


LEVELS = (
    Level(30, UCT),
    Level(120, UCT),
    Level(500, UCT),
    Level(30),
    Level(120),
    Level(500),
    Level(2000),
    Level(8000),
    Level(32_000),
)
"""From 1 on; see 'kbai help bots'."""

_BUDGET_OPTIONS = (
    BotOption("visits", 0, "Visits of a whole turn; 0: as many as the time allows.", high=1e9),
    BotOption(
        "seconds", 0.0, f"Seconds of a whole turn; without both {DEFAULT_VISITS} visits.", high=1e6
    ),
    BotOption("threads", 1, "Threads, each with a tree of its own.", low=1, high=256),
)
_MCTS_OPTIONS = (
    BotOption(
        "level", 0, f"For people: 1 to {len(LEVELS)}, visits and ways to search.", high=len(LEVELS)
    ),
    BotOption("reuse", True, "Whether what is known is kept from step to step."),
    BotOption(
        "share", 0.5, "The share of what is left of a turn that its next step has.",
        low=0.01, high=1,
    ),
)  # fmt: skip


def _register_search(
    name: str,
    params: SearchParams,
    names: Iterable[str],
    *,
    options: tuple[BotOption, ...] = (),
    summary: str,
) -> None:
    """Register a bot that searches; these fields of its parameters are options."""
    items = [item for item in fields(SearchParams) if item.name in names]
    own = {
        item.name: BotOption(item.name, getattr(params, item.name), **item.metadata)
        for item in items
    }

    def make(texts: Mapping[str, str]) -> Bot:
        level = int(texts.get("level", 0))
        base = LEVELS[level - 1] if level else Level(DEFAULT_VISITS, params)
        given: dict[str, Any] = {
            key: option.value(texts[key])
            for key, option in own.items()
            if texts[key] != option.default_text
        }
        visits, seconds = int(texts["visits"]) or None, float(texts["seconds"]) or None
        return SearchBot(
            replace(base.params, **given),
            Limit(visits, seconds) if visits or seconds else Limit(base.visits),
            threads=int(texts["threads"]),
            share=float(texts.get("share", 0.5)),
            reuse=texts.get("reuse", "true") == "true",
        )

    register(name, make, options=(*_BUDGET_OPTIONS, *options, *own.values()), summary=summary)


def _make_external(options: Mapping[str, str]) -> Bot:
    return ExternalBot(
        shlex.split(options["program"]),
        time=float(options["time"]),
        start=float(options["start"]),
        on_fault=options["on_fault"],
        stderr=options["stderr"],
    )


register(
    "random",
    lambda options: RandomBot(),
    summary="Takes every legal step with the same odds.",
)
register(
    "greedy",
    lambda options: GreedyBot(),
    summary="Takes the most gold it can get at once; a tile counts as five gold.",
)
_register_search(
    "flat",
    FLAT,
    (),
    summary="Flat Monte Carlo: plays games to their end after each step, equally many.",
)
_register_search(
    "uct",
    UCT,
    ("exploration",),
    summary="Plain UCT: a tree of steps, and random games from its leaves.",
)
_register_search(
    "mcts",
    MCTS,
    [item.name for item in fields(SearchParams)],
    options=_MCTS_OPTIONS,
    summary="The strong one: a tree search with all that kbai knows.",
)
register(
    "cmd",
    _make_external,
    summary="A program of your own that reads and writes JSON lines; see 'kbai help bots'.",
    options=(
        BotOption("time", 1.0, "Seconds for an answer.", low=0.01, high=86_400),
        BotOption("start", 5.0, "Seconds more for the first answer after a start.", high=86_400),
        BotOption(
            "on_fault",
            "lose",
            "After an illegal or no answer: lose the game, or make a random step.",
            choices=("lose", "random"),
        ),
        BotOption(
            "stderr",
            "pass",
            "What the program writes to stderr: pass it on, or drop it.",
            choices=("pass", "drop"),
        ),
    ),
    has_program=True,
)
