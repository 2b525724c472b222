"""Bots that are classes in a Python file: ``py:FILE.py:CLASS``."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shlex
import sys
from collections.abc import Callable
from types import ModuleType

from kbai.bots.protocol import Bot, Faults, View
from kbai.core.errors import BotError, BotFault, quote, suggest_name

EXAMPLE = "bot.py:Bot"
# Whatever somebody's code may raise; Ctrl-C is ours.
FOREIGN_ERRORS = (Exception, SystemExit)


class PythonBot(Bot):
    """Asks an object of somebody's own class; an exception or an illegal step costs the game."""

    def __init__(self, program: str, inner: Bot) -> None:
        self.program = program
        self.inner = inner
        self.faults = Faults()
        self.must_begin = False

    def begin(self) -> None:
        # Its own `begin` is called when it is asked: only then can it give up the game.
        self.must_begin = True

    def choose(self, view: View) -> int:
        try:
            if self.must_begin and hasattr(self.inner, "begin"):
                self.inner.begin()
            self.must_begin = False
            step = self.inner.choose(view)
        except FOREIGN_ERRORS as error:
            self.faults += Faults(crash=1)
            raise BotFault(f"{self.program}: {_reason(error)}.") from error
        if isinstance(step, bool) or not isinstance(step, int) or step not in view.position.legal():
            self.faults += Faults(illegal=1)
            raise BotFault(f"{self.program}: expected a legal step, got {quote(step)}.")
        return step

    def close(self) -> None:
        if not hasattr(self.inner, "close"):
            return
        try:
            self.inner.close()
        except FOREIGN_ERRORS as error:
            raise BotError(f"could not close {self.program!r}: {_reason(error)}.") from error


def load_python_bot(program: str) -> PythonBot:
    """Return a bot of the class that ``FILE.py:CLASS`` names, made without arguments."""
    words = shlex.split(program)
    file, colon, name = words[0].rpartition(":")
    if len(words) != 1 or not colon or not file or not name:
        raise BotError(f"expected a file and a class as in 'py:{EXAMPLE}', got {quote(program)}.")
    try:
        made = _find_class(_load_module(file), file, name)()
    except BotError:
        raise
    except FOREIGN_ERRORS as error:
        raise BotError(f"could not make a bot of {program!r}: {_reason(error)}.") from error
    if not callable(getattr(made, "choose", None)):
        raise BotError(f"expected a class with a method 'choose', got {program!r}.")
    return PythonBot(program, made)


def _find_class(module: ModuleType, file: str, name: str) -> Callable[[], Bot]:
    found: Callable[[], Bot] | None = getattr(module, name, None)
    if found is None:
        classes = [key for key, value in vars(module).items() if isinstance(value, type)]
        raise BotError(f"{file}: {suggest_name('class', name, classes)}.")
    return found


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _load_module(file: str) -> ModuleType:
    """Return the module of a file, loaded once; it may import what lies beside it."""
    path = os.path.abspath(file)
    name = f"kbai_bot_{hashlib.blake2b(path.encode(), digest_size=8).hexdigest()}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is no Python file")
    module = importlib.util.module_from_spec(spec)
    folder = os.path.dirname(path)
    if folder not in sys.path:
        sys.path.append(folder)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
