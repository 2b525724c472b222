"""Answers of an earlier run that was stopped: what is there is not answered again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from kbai.analyze.answers import Question, Settings
from kbai.analyze.queries import find_id, load_object
from kbai.compute.lines import LineFile
from kbai.core.errors import QueryError, StoreError


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """A line of the file with the answers."""

    path: str
    number: int
    line: bytes

    def check(self, question: Question, settings: Settings) -> bool:
        """Raise if this cannot be the answer to a question; return whether it is an error."""
        try:
            answer = json.loads(self.line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise self.misfit("an answer in JSON")
        try:
            query = load_object(question.line)
        except QueryError:
            query = {}
        name, turn = find_id(query), question.turn
        if (answer.get("id"), answer.get("turn", turn)) != (name, turn):
            what = "" if name is None else f", with the id {json.dumps(name)[:60]}"
            raise self.misfit(f"the answer to line {question.number} of the queries{what}")
        has_failed = "error" in answer
        seed = query.get("seed", settings.defaults.seed)
        if not has_failed and answer.get("seed") != seed:
            raise self.misfit(f"an answer with the seed {json.dumps(seed)[:60]}")
        return has_failed

    def misfit(self, expected: str) -> StoreError:
        """Return the error of a line that is something else."""
        return StoreError(f"{self.path}, line {self.number}: expected {expected}, got another.")


def known_answers(file: LineFile) -> Iterator[KnownAnswer]:
    """Iterate over the answers in a file."""
    for number, line in enumerate(file.lines(), start=1):
        yield KnownAnswer(file.path, number, line)
