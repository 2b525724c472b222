"""Answering the lines of an analysis: one JSON object for each position that is asked about."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from functools import lru_cache

from kbai.analyze.queries import Defaults, Id, Query, find_id, load_object, parse_query, read_query
from kbai.analyze.restrictions import allowed_and_avoided
from kbai.core.errors import QueryError, SearchError
from kbai.report.suggestion_json import OWNERSHIP, suggestion_dict
from kbai.rollouts.suggest import RolloutPlan, add_rollouts
from kbai.search.params import SearchParams
from kbai.search.suggest import suggest

# A game has about ten thousand bytes; no query needs more than this.
MAX_LINE = 1_000_000


@dataclass(frozen=True, slots=True)
class Settings:
    """How lines are answered."""

    defaults: Defaults
    params: SearchParams


@dataclass(frozen=True, slots=True)
class Question:
    """A line to be answered, or one turn of its game."""

    number: int
    """Of the line, from 1."""
    line: bytes
    turn: int | None = None
    """None: all that the line asks for."""
    index: int = 0
    """Of the answer among those of the line."""
    priority: int = 0
    is_suspect: bool = False
    """Whether a worker died while it had this one, so that it is to be tried alone."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a worker gets at once: sending lines one by one costs as much as a quick search."""

    questions: tuple[Question, ...]
    settings: Settings
    seconds: float
    """After so many a worker starts no further line."""

    @property
    def id(self) -> str:
        return ",".join(f"{question.number}:{question.index}" for question in self.questions)


@dataclass(frozen=True, slots=True)
class Reply:
    """What is to be written."""

    text: bytes
    """Whole lines."""
    has_failed: bool = False
    own_layouts: tuple[str, ...] = ()
    """What is in play and not laid out as printed."""


def answer_bundle(bundle: Bundle) -> list[Reply]:
    """Answer the first questions of a bundle, as many as there is time for."""
    end = time.monotonic() + bundle.seconds
    replies: list[Reply] = []
    for question in bundle.questions:
        if replies and time.monotonic() > end:
            break
        replies.append(answer(question, bundle.settings))
    return replies


def answer(question: Question, settings: Settings) -> Reply:
    """Search what a line asks for; an error is an answer, too."""
    line, defaults, params = question.line, settings.defaults, settings.params
    if question.turn is not None:
        return _answer_turn(question, _query_about_game(line, defaults), question.turn, params)
    try:
        if len(line) > MAX_LINE:
            raise QueryError(f"expected a line of at most {MAX_LINE:,} bytes, got more.")
        data = load_object(line)
    except QueryError as error:
        return failure(question, None, error)
    try:
        query = read_query(data, defaults)
    except QueryError as error:
        return failure(question, find_id(data), error)
    turns = query.turns or (None,)
    replies = [_answer_turn(question, query, turn, params) for turn in turns]
    return Reply(
        b"".join(reply.text for reply in replies),
        any(reply.has_failed for reply in replies),
        replies[0].own_layouts,
    )


# The turns of one game come one after the other.
_query_about_game = lru_cache(maxsize=4)(parse_query)


def _answer_turn(question: Question, query: Query, turn: int | None, params: SearchParams) -> Reply:
    try:
        data = answer_query(query, params, turn)
    except QueryError as error:
        return failure(question, query.id, error, turn)
    return Reply(_line(data), own_layouts=query.setup.own_layouts)


def answer_query(query: Query, params: SearchParams, turn: int | None = None) -> dict[str, object]:
    """Return the answer to a query, for one turn of its game if it has one."""
    position = query.position(turn)
    allow, avoid = allowed_and_avoided(query, position)
    try:
        suggestion = suggest(
            position,
            query.limit,
            seed=query.seed,
            params=params,
            top=query.top,
            allow=allow,
            avoid=avoid,
            with_ownership=OWNERSHIP in query.include,
        )
    except SearchError as error:
        raise QueryError(str(error), field="avoid" if avoid else "allow") from error
    if query.rollouts:
        suggestion = add_rollouts(suggestion, RolloutPlan(query.rollouts))
    return _head(query.id, turn) | suggestion_dict(suggestion, query.include)


def failure(question: Question, name: Id, error: QueryError, turn: int | None = None) -> Reply:
    """Return the answer that says what was wrong with a question."""
    about = {"field": error.field, "message": str(error), "line": question.number}
    return Reply(_line({**_head(name, turn), "error": about}), has_failed=True)


def _head(name: Id, turn: int | None) -> dict[str, object]:
    return {"id": name} if turn is None else {"id": name, "turn": turn}


def _line(data: dict[str, object]) -> bytes:
    return json.dumps(data, allow_nan=False).encode() + b"\n"
