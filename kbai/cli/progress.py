"""The progress bar of all commands, on stderr, shown on a terminal only."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from kbai.core.printable import printable

if TYPE_CHECKING:
    from kbai.search.params import Limit

# How often the bar is drawn if nothing happens: its clock goes on, however long a game takes.
TICK_S = 1.0
# A bar for work that is over sooner would only flicker.
AFTER_S = 0.5
# A terminal shows '^C' behind the bar; if that broke the line, the bar would be there twice.
MAX_WIDTH = 100
ROOM = 6

SHARE = "{percentage:3.0f}%|{bar}| {desc} [{elapsed}<{remaining}]"
COUNT = "{l_bar}{bar}| {n_fmt}/{total_fmt} [{elapsed}<{remaining}, {rate_noinv_fmt}{postfix}]"
# For work of unknown length, such as what comes through a pipe.
OPEN = "{desc} [{elapsed}]"


class Bar:
    """What a command tells of its progress; None: nobody sees it."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar

    def advance(self, amount: float = 1, text: str = "") -> None:
        """Add to what is done, and show a text beside it."""
        if self._bar is None:
            return
        if text:
            tell = self._bar.set_postfix_str if self._bar.unit else self._bar.set_description_str
            tell(printable(text), refresh=False)
        self._bar.update(amount)

    def expect(self, amount: int) -> None:
        """Add to what there is to do."""
        if self._bar is not None:
            self._bar.total += amount

    def paused(self) -> AbstractContextManager[None]:
        """Return a context in which the command may print."""
        if self._bar is None:
            return nullcontext()
        paused: AbstractContextManager[None] = self._bar.external_write_mode(file=sys.stdout)
        return paused


@contextmanager
def progress_bar(
    total: float | None,
    *,
    done: int = 0,
    unit: str = "",
    after_s: float = 0.0,
    is_hidden: bool = False,
) -> Iterator[Bar]:
    """Show how much of ``total`` is done; with a unit as a count, otherwise as a share.

    The bar vanishes at the end, but Ctrl-C leaves it where it is.
    """
    if is_hidden or not sys.stderr.isatty():
        yield Bar(None)
        return
    from tqdm import tqdm  # type: ignore[import-untyped]

    with (
        tqdm(
            total=total,
            initial=done,
            unit=unit and f" {unit}",
            bar_format=OPEN if total is None else COUNT if unit else SHARE,
            delay=after_s,
            leave=False,
            ncols=_width(),
            smoothing=0.1,  # results come in bundles: the rate of the last one says little
            mininterval=0.2,
            miniters=0,  # any progress is worth it
            file=sys.stderr,
        ) as bar,
        _ticking(bar),
    ):
        try:
            yield Bar(bar)
        except KeyboardInterrupt:
            bar.leave = True  # with what the terminal has put behind it
            raise


def watch_search(bar: Bar, limit: Limit) -> Callable[[int], None]:
    """Return what a search tells its visits to; the bar has a total of 1."""
    start = time.monotonic()
    shown = 0.0

    def show(visits: int) -> None:
        nonlocal shown
        used = visits / limit.visits if limit.visits else 0.0
        if limit.seconds:
            used = max(used, (time.monotonic() - start) / limit.seconds)
        used = min(used, 1.0)
        bar.advance(used - shown, f"{visits:,} visits")
        shown = used

    return show


def watch_share(bar: Bar) -> Callable[[float, str], None]:
    """Return what a job tells the share that is done to; the bar has a total of 1."""
    shown = 0.0

    def show(share: float, text: str) -> None:
        nonlocal shown
        bar.advance(share - shown, text)
        shown = share

    return show


@contextmanager
def _ticking(bar: Any) -> Iterator[None]:
    """Draw a bar again now and then, though nothing has happened."""
    is_over = threading.Event()

    def tick() -> None:
        while not is_over.wait(TICK_S):
            bar.refresh()

    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _width() -> int:
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):  # it is no terminal
        columns = 0
    return min(columns or MAX_WIDTH, MAX_WIDTH) - ROOM
