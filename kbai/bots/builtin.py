"""The bots that come with kbai, and their options."""

from __future__ import annotations

import random
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from kbai.bots.external import ExternalBot
from kbai.bots.greedy import GreedyBot
from kbai.bots.kinds import BotKind, BotOption
from kbai.bots.protocol import Bot, View
from kbai.bots.python_bot import EXAMPLE, load_python_bot
from kbai.bots.search_bot import SearchBot
from kbai.bots.sight import ALL_CARDS, Sight
from kbai.search.params import Limit, SearchParams


class RandomBot(Bot):
    """Chooses among all legal steps with equal odds."""

    def choose(self, view: View) -> int:
        return random.Random(view.seed).choice(view.position.legal())


# Visits of a turn if you give neither visits nor seconds.
DEFAULT_VISITS = 4000
MCTS = SearchParams()
# `mcts` as it was in November 2026, for ever: what later versions are measured against. Every
# parameter has its value here, so that no default can change it.
MCTS1 = SearchParams(
    selection="puct",
    playout="informed",
    exploration=0.45,
    fpu=0.1,
    priors=True,
    prior_temperature=2.0,
    merge=True,
    horizon=99,
    margin_weight=0.85,
    margin_scale=15.0,
    experience=20.0,
    candidates=4,
    tile=0.6,
    least_build=0.5,
    least_move=0.5,
    model="none",
    cut=5,
    memory=1000,
    fair_share=0.25,
    clear=2.0,
)
FLAT = SearchParams(selection="flat", fair_share=0.5, clear=0.0)
UCT = SearchParams(
    selection="ucb", playout="random", exploration=0.7, priors=False, merge=False, margin_weight=0.0
)


@dataclass(frozen=True, slots=True)
class Level:
    """How well ``mcts`` plays against people. The weak ones see less; they do not blunder."""

    words: str
    visits: int
    sight: Sight = Sight()  # noqa: RUF009  (a frozen value)


# Each beats the one below it in 60 to 75 of 100 games of two (docs/strength.md).
LEVELS = (
    Level("plays for one card, and overlooks tiles", 50, Sight(cards=1, tiles=False)),
    Level("knows the cards, and overlooks tiles", 30, Sight(tiles=False)),
    Level("uses tiles, and plays for two cards", 40, Sight(cards=2)),
    Level("as level 3, thinks three times as long", 120, Sight(cards=2)),
    Level("sees all cards and all tiles", 150),
    Level("thinks three times as long as level 5", 500),
    Level("thinks four times as long as level 6", 2000),
    Level("thinks four times as long as level 7", 8000),
    Level("full strength, some seconds a turn", 100_000),
)
"""Level 1 first; 'kbai bots' lists them."""

_BUDGET_OPTIONS = (
    BotOption("visits", 0, "Visits per turn; 0: as many as the time allows.", high=1e9),
    BotOption(
        "seconds",
        0.0,
        f"Seconds per turn; without both, {DEFAULT_VISITS} visits.",
        high=1e6,
        other_name="time",
    ),
    BotOption("threads", 1, "Threads; each has its own tree.", low=1, high=256),
)
_MCTS_OPTIONS = (
    BotOption(
        "level", 0, f"Strength against people, 1 to {len(LEVELS)}; 0: not used.",
        high=len(LEVELS),
    ),
    BotOption(
        "cards", ALL_CARDS, "How many of the scoring cards it looks at.", high=ALL_CARDS,
    ),
    BotOption("tiles", True, "Whether it looks at what tiles can do."),
    BotOption("reuse", True, "Keep the tree from step to step."),
    BotOption(
        "share", 0.5, "Share of what is left of a turn's budget for a step.",
        low=0.01, high=1,
    ),
)  # fmt: skip


def _sight(sight: Sight, texts: Mapping[str, str]) -> Sight:
    """Return how much a bot sees: what its level says, unless its own options say less."""
    cards, tiles = int(texts.get("cards", ALL_CARDS)), texts.get("tiles", "true") == "true"
    return Sight(min(sight.cards, cards), sight.tiles and tiles)


def _search_kind(
    name: str,
    params: SearchParams,
    names: Iterable[str],
    *,
    options: tuple[BotOption, ...] = (),
    levels: tuple[Level, ...] = (),
    summary: str,
) -> BotKind:
    """Return a bot that searches; these fields of its parameters are options."""
    items = [item for item in fields(SearchParams) if item.name in names]
    own = {
        item.name: BotOption(item.name, getattr(params, item.name), **item.metadata)
        for item in items
    }

    def make(texts: Mapping[str, str]) -> Bot:
        level = int(texts.get("level", 0))
        base = levels[level - 1] if level else Level("", DEFAULT_VISITS)
        given: dict[str, Any] = {
            key: option.value(texts[key])
            for key, option in own.items()
            if texts[key] != option.default_text
        }
        sight = _sight(base.sight, texts)
        if not sight.tiles:
            given.setdefault("tile", 0.0)
        visits, seconds = int(texts["visits"]) or None, float(texts["seconds"]) or None
        return SearchBot(
            replace(params, **given),
            Limit(visits, seconds) if visits or seconds else Limit(base.visits),
            threads=int(texts["threads"]),
            share=float(texts.get("share", 0.5)),
            reuse=texts.get("reuse", "true") == "true",
            sight=sight,
        )

    every = (*_BUDGET_OPTIONS, *options, *own.values())
    return BotKind(name, make, summary, every, levels=tuple(level.words for level in levels))


def _make_external(options: Mapping[str, str]) -> Bot:
    return ExternalBot(
        shlex.split(options["program"]),
        time=float(options["time"]),
        start=float(options["start"]),
        on_fault=options["on_fault"],
        stderr=options["stderr"],
    )


BUILTIN = (
    BotKind(
        "random",
        lambda options: RandomBot(),
        "Chooses among all legal steps with equal odds.",
    ),
    BotKind(
        "greedy",
        lambda options: GreedyBot(),
        "Takes the most gold it can get at once; a tile counts as five gold.",
    ),
    _search_kind(
        "flat",
        FLAT,
        (),
        summary="Flat Monte Carlo: plays equally many games to the end after each step.",
    ),
    _search_kind(
        "uct",
        UCT,
        ("exploration",),
        summary="Plain UCT: a tree of steps, with random games from its leaves.",
    ),
    _search_kind(
        "mcts",
        MCTS,
        [item.name for item in fields(SearchParams)],
        options=_MCTS_OPTIONS,
        levels=LEVELS,
        summary="The strongest: a tree search with all that kbai knows.",
    ),
    _search_kind(
        "mcts1",
        MCTS1,
        (),
        summary="mcts as it was in November 2026: what later versions are measured against.",
    ),
    BotKind(
        "cmd",
        _make_external,
        "A program of your own that speaks JSON lines; see 'kbai help bots'.",
        options=(
            BotOption(
                "time", 1.0, "Seconds per answer.", low=0.01, high=86_400, other_name="seconds"
            ),
            BotOption(
                "start",
                5.0,
                "Extra seconds for the first answer after the program starts.",
                high=86_400,
            ),
            BotOption(
                "on_fault",
                "lose",
                "Without a legal answer: lose the game, or make a random step.",
                choices=("lose", "random"),
            ),
            BotOption(
                "stderr",
                "pass",
                "Stderr of the program: pass it on, or drop it.",
                choices=("pass", "drop"),
            ),
        ),
        has_program=True,
    ),
    BotKind(
        "py",
        lambda options: load_python_bot(options["program"]),
        "A class of your own in a Python file, as in 'py:bot.py:Bot'.",
        has_program=True,
        example=EXAMPLE,
    ),
)
