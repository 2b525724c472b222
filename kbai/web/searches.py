"""The searches of the server: bounded in number, time and memory, and kept for a while.

All searches take turns, a slice at a time, so that everybody who waits sees something soon.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import replace

import anyio.to_thread

from kbai._fast import Position
from kbai.core.errors import KbaiError
from kbai.draw.svg import turn_layer
from kbai.draw.svg_symbols import BEST
from kbai.explain.compare import compare
from kbai.explain.results import Names
from kbai.game.cells import format_cell
from kbai.game.setup import setup_of
from kbai.game.steps import END
from kbai.notation.illegal import apply_action
from kbai.notation.positions import format_line
from kbai.report.numbers import estimate_dict
from kbai.report.suggestion_document import turn_terms
from kbai.report.suggestion_json import choice_dict, suggestion_dict
from kbai.report.turns import chosen_turn
from kbai.report.why import why_text
from kbai.search.evaluate import Amount
from kbai.search.params import SearchParams
from kbai.search.results import Suggestion
from kbai.web.live import Comparison, LiveSearch
from kbai.web.security import Refusal

MAX_SEARCHES = 4
# Searches that are over and can go on, should somebody ask for more.
MAX_KEPT = 2
# Answers for positions that were searched before.
MAX_ANSWERS = 300
MAX_SECONDS = 120.0
# The first slice is short, so that there is something to see at once. No slice is so long that
# whoever leaves is noticed late.
SLICES = (0.04, 0.1, 0.1, 0.15)
LAST_SLICE = 0.25
SEED = 1
# Part of the memory of a search that each side of a comparison gets.
COMPARED = 4


class Searches:
    """Runs and keeps searches."""

    def __init__(self, *, threads: int, memory: int) -> None:
        share = max(8, memory // (MAX_SEARCHES + MAX_KEPT + 2))
        self._params = SearchParams(memory=share)
        self._threads = threads
        self._turn = asyncio.Lock()
        self._n_running = 0
        self._kept: OrderedDict[str, LiveSearch] = OrderedDict()
        self._answers: OrderedDict[str, bytes] = OrderedDict()
        self._is_closed = False

    def close(self) -> None:
        """Let all searches end at once."""
        self._is_closed = True

    def known(self, line: str) -> bytes | None:
        """Return the last answer for a position, as a line of JSON."""
        return self._answers.get(line)

    def enter(self) -> None:
        """Take a place for a search; refuse if there is none. Call `leave` at its end."""
        if self._n_running >= MAX_SEARCHES:
            message = f"kbai is searching for {self._n_running} others; try again in a moment."
            raise Refusal(503, message)
        self._n_running += 1

    def leave(self) -> None:
        """Give the place of a search back."""
        self._n_running -= 1

    async def stream(
        self,
        position: Position,
        *,
        seconds: float,
        mine: Sequence[int] = (),
        is_gone: Callable[[], Awaitable[bool]],
    ) -> AsyncGenerator[bytes]:
        """Search for some seconds and yield what is known, as lines of JSON.

        With ``mine``, also what that turn costs against the best one.
        """
        line = format_line(position)
        search: LiveSearch | None = None
        try:
            search = self._kept.pop(line, None) or self._new(position)
            comparison = self._comparison(position, mine) if mine else None
            end = time.monotonic() + seconds
            number = 0
            while True:
                size = SLICES[number] if number < len(SLICES) else LAST_SLICE
                async with self._turn:
                    answer = await anyio.to_thread.run_sync(_slice, search, comparison, size)
                number += 1
                is_proven = search.is_done and comparison is None
                is_last = time.monotonic() >= end or is_proven or self._is_closed
                answer |= {"done": is_last, "proven": search.is_done}
                data = json.dumps(answer, allow_nan=False).encode() + b"\n"
                if comparison is None:
                    self._keep_answer(line, data)
                yield data
                if is_last or await is_gone():
                    return
        finally:
            if search is not None:
                self._kept[line] = search
                while len(self._kept) > MAX_KEPT:
                    self._kept.popitem(last=False)

    def _new(self, position: Position) -> LiveSearch:
        return LiveSearch(position, params=self._params, threads=self._threads, seed=SEED)

    def _comparison(self, position: Position, mine: Sequence[int]) -> Comparison:
        params = replace(self._params, memory=max(4, self._params.memory // COMPARED))
        return Comparison(position, mine, params=params, threads=self._threads, seed=SEED)

    def _keep_answer(self, line: str, data: bytes) -> None:
        self._answers[line] = data
        self._answers.move_to_end(line)
        while len(self._answers) > MAX_ANSWERS:
            self._answers.popitem(last=False)


def _slice(search: LiveSearch, comparison: Comparison | None, size: float) -> dict[str, object]:
    """Search for a moment, in a thread of its own, and return what is known by then."""
    search.run(size if comparison is None else size / 2)
    suggestion = search.suggestion()
    answer = live_dict(suggestion)
    if comparison is not None and suggestion.turns:
        comparison.run(suggestion.turns[0], size / 2)
        answer["mine"] = _mine_dict(suggestion, comparison)
    return answer


def live_dict(suggestion: Suggestion) -> dict[str, object]:
    """Return a suggestion with a picture of each turn."""
    data = suggestion_dict(suggestion)
    turns: list[dict[str, object]] = []
    for rank, choice in enumerate(suggestion.turns):
        turn = chosen_turn(suggestion.position, choice)
        turns.append({
            **choice_dict(suggestion.position, choice),
            "text": turn.summary,
            "svg": turn_layer(turn, kind=BEST),
            "cells": [format_cell(path[-1]) for path in turn.paths],
            "why": _why(suggestion, rank),
        })  # fmt: skip
    setup = setup_of(suggestion.position)
    seat = setup.seats[suggestion.position.actor]
    terms = dict(turn_terms(setup, seat))
    return {**data, "turns": turns, "rough": suggestion.is_rough, "terms": terms}


def _why(suggestion: Suggestion, rank: int) -> str:
    """Say why the first turn is better than another; beside the first one, than the second."""
    position, turns = suggestion.position, suggestion.turns
    other = max(rank, 1)
    if position.pending_draw or len(turns) <= other:
        return ""
    found = compare(position, turns[0], turns[other], Names.of_list(0, other))
    return "" if found is None else why_text(found)


def _mine_dict(suggestion: Suggestion, comparison: Comparison) -> dict[str, object] | None:
    mine, cost = comparison.mine, comparison.cost()
    if mine is None or cost is None:
        return None
    position, best = suggestion.position, suggestion.turns[0]
    names = Names("the best turn", "your turn")
    found = None if comparison.is_best else compare(position, best, mine, names)
    return {
        "best": comparison.is_best,
        "cost": _cost_dict(cost),
        "why": "" if found is None else why_text(found),
        **choice_dict(position, mine),
    }


def _cost_dict(cost: Amount) -> dict[str, object]:
    return {
        "win": estimate_dict(cost.win.estimate()),
        "gold": estimate_dict(cost.gold.estimate()),
    }


def steps_of(position: Position, actions: Sequence[str]) -> tuple[int, ...]:
    """Return the steps of some actions, with the end of the turn if they reach it."""
    after = position.copy()
    steps: list[int] = []
    for text in actions:
        steps += apply_action(after, text)
    if not steps:
        raise KbaiError("expected a turn to compare, got none.")
    if steps[-1] != END and after.is_legal(END):
        steps.append(END)
    return tuple(steps)
