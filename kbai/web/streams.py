"""Answers that come line by line, and end when nobody reads them any more."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Callable

import anyio
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from kbai.core.errors import KbaiError
from kbai.core.printable import printable_message
from kbai.play.live import LiveGame
from kbai.web.reviews import Reviewer, StoppedError
from kbai.web.security import Refusal

JSON_LINES = "application/x-ndjson"
# How often a review that runs tells how far it is.
PROGRESS_S = 0.2


class Stream(StreamingResponse):
    """An answer that comes line by line, and tells when it is over, whatever ended it."""

    def __init__(self, lines: AsyncGenerator[bytes], on_end: Callable[[], None]) -> None:
        super().__init__(lines, media_type=JSON_LINES)
        self._lines = lines
        self._on_end = on_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._on_end()
            with anyio.CancelScope(shield=True):
                await self._lines.aclose()


class RunningReview:
    """A review in a thread of its own, which ends soon after somebody says so."""

    def __init__(self, reviewer: Reviewer, live: LiveGame, visits: int) -> None:
        if not reviewer.lock.acquire(blocking=False):
            raise Refusal(503, "kbai is reviewing another game; try again in a moment.")
        self._progress = 0, 0
        self._is_stopped = threading.Event()

        def run() -> dict[str, object]:
            try:
                return reviewer.review(live.game(), visits, self._tell)
            finally:
                reviewer.lock.release()

        self._task = asyncio.create_task(asyncio.to_thread(run))
        # Whoever goes away does not ask how it ended.
        self._task.add_done_callback(lambda task: task.cancelled() or task.exception())

    def _tell(self, done: int, total: int) -> None:
        self._progress = done, total
        if self._is_stopped.is_set():
            raise StoppedError

    def stop(self) -> None:
        """End the review after the searches that are running."""
        self._is_stopped.set()

    async def lines(self) -> AsyncGenerator[bytes]:
        """Yield how far it is, and at the end the review."""
        while not self._task.done():
            await asyncio.wait([self._task], timeout=PROGRESS_S)
            if not self._task.done():
                yield _line({"done": self._progress[0], "total": self._progress[1]})
        try:
            yield _line({"review": self._task.result()})
        except KbaiError as error:
            yield _line({"error": {"message": printable_message(str(error)), "field": None}})


def _line(data: dict[str, object]) -> bytes:
    return json.dumps(data, allow_nan=False).encode() + b"\n"
