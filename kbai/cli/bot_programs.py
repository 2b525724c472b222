"""Programs and files of bots: looked for before anybody plays."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterable

from kbai.bots.specs import BotSpec, make_bot
from kbai.core.errors import BotError


def check_programs(bots: Iterable[BotSpec]) -> None:
    """Refuse a program or a class that does not exist before it loses games."""
    for spec in bots:
        if spec.name == "py":
            make_bot(spec).close()
            continue
        program = next(iter(shlex.split(spec.program)), "")
        if program and shutil.which(program) is None:
            raise BotError(f"{spec}: there is no program {program!r} that can be run.")
