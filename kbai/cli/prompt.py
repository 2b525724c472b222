"""Lines that a person types: with editing and Tab on a terminal, as they come from a pipe."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

# Longer lines are cut; nobody means them.
MAX_LINE = 2_000
DELIMITERS = " \t,"


def is_terminal() -> bool:
    """Tell whether a person types and reads here."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def read_line(prompt: str) -> str:
    """Return the next line without its end; EOFError at the end of the input."""
    if is_terminal():
        return input(prompt)[:MAX_LINE]
    line = sys.stdin.readline() if sys.stdin is not None else ""
    if not line:
        raise EOFError
    return line.rstrip("\n")[:MAX_LINE]


@contextlib.contextmanager
def completion(find: Callable[[list[str]], list[str]]) -> Iterator[None]:
    """Let Tab complete words on a terminal; ``find`` gets the words before and returns all."""
    if sys.stdin is not None and hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    if not is_terminal():
        yield
        return
    try:
        import readline
    except ImportError:  # Windows
        yield
        return
    found: list[str] = []

    def complete(text: str, state: int) -> str | None:
        if state == 0:
            before = readline.get_line_buffer()[: readline.get_begidx()]
            words = find(before.replace(",", " ").split())
            found[:] = [word + " " for word in words if word.startswith(text.lower())]
        return found[state] if state < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(DELIMITERS)
    is_libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(None)
