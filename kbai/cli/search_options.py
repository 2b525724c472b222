"""The options of a search, for every command that searches."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from kbai.cli.options import Command, NumberOption, seed_option, workers_option, yields

if TYPE_CHECKING:
    from kbai.search.params import Limit, SearchParams

# The library has these numbers too; it is not imported for them (see options.py), a test compares.
MAX_VISITS = 10**9
MAX_SECONDS = 1e6
MAX_TOP = 100
MEMORY = 1000

ABOUT_VISITS = "Number of simulations; the same number gives the same answer."
ABOUT_TIME = "How long to search."


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """The values of the search options; those that a command does not take are at their default."""

    visits: int | None = None
    seconds: float | None = None
    threads: int | None = None
    workers: int | None = None
    memory: int = MEMORY
    top: int = 5
    seed: int | None = None

    @property
    def limit(self) -> Limit:
        """When to stop searching."""
        from kbai.search.params import Limit

        return Limit(self.visits, self.seconds)

    @property
    def params(self) -> SearchParams:
        """How to search."""
        from kbai.search.params import SearchParams

        return SearchParams(memory=self.memory)


def search_options(
    *names: str,
    visits: int | None = None,
    seconds: float | None = None,
    seed: int | None = None,
    about: dict[str, str] | None = None,
) -> Callable[[Command], Command]:
    """Add the search options with these names, passed as one value ``search``.

    ``visits`` or ``seconds`` is the limit if the user gives neither; ``about`` has help texts.
    """
    defaults = {
        "visits": visits and f"{visits}{'; no limit with --time' if 'time' in names else ''}",
        "time": seconds and f"{seconds:g}; no limit with --visits",
    }
    texts = {"visits": ABOUT_VISITS, "time": ABOUT_TIME} | (about or {})
    for name, default in defaults.items():
        texts[name] += f"  [default: {default}]" if default else ""

    def add(command: Command) -> Command:
        @wraps(command)
        def gathered(**values: Any) -> object:
            keys = {field.name for field in fields(SearchOptions)} & values.keys()
            chosen = {key: values.pop(key) for key in keys}
            for name, rival in (("visits", "seconds"), ("seconds", "visits")):
                if rival in chosen and yields(name, rival):
                    chosen[name] = None
            if chosen["visits"] is None and chosen.get("seconds") is None:
                chosen |= {"visits": visits, "seconds": seconds}
            return command(search=SearchOptions(**chosen), **values)

        for name in reversed(names):
            gathered = _make_option(name, texts, seed)(gathered)
        return gathered  # type: ignore[return-value]

    return add


def _make_option(
    name: str, texts: dict[str, str], seed: int | None
) -> Callable[[Command], Command]:
    match name:
        case "visits":
            return _number_option("--visits", click.IntRange(1, MAX_VISITS), texts[name])
        case "time":
            kind = _Seconds(0, MAX_SECONDS, min_open=True)
            # The second name is that of bots, queries and the library.
            return _number_option("--time", kind, texts[name], "SECONDS", "--seconds")
        case "threads":
            text = "Number of threads, each with its own tree.  "
            text += "[default: one per core; 1 with --visits]"
            return _number_option("--threads", click.IntRange(1, 256), text)
        case "memory":
            text = "Memory limit of the trees, in MB."
            return _number_option("--memory", click.IntRange(1, 10**6), text, "MB", default=MEMORY)
        case "top":
            text = "Number of turns to list, each a different idea."
            return _number_option("--top", click.IntRange(1, MAX_TOP), text, default=5)
        case "seed":
            return seed_option(seed)
        case _:
            return workers_option


class _Seconds(click.FloatRange):
    """A number of seconds; click's own range lets a NaN through."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"expected a number of seconds, got {value!r}.", param, ctx)
        return number


def _number_option(
    flag: str,
    kind: click.ParamType[float],
    text: str,
    metavar: str = "N",
    *other_flags: str,
    default: int | None = None,
) -> Callable[[Command], Command]:
    return click.option(
        flag,
        *other_flags,
        [flag, *other_flags][-1].removeprefix("--"),
        cls=NumberOption,
        metavar=metavar,
        type=kind,
        default=default,
        show_default=default is not None,
        help=text,
    )


def rollout_options(*, games: str, none: str) -> Callable[[Command], Command]:
    """Add ``--rollouts`` and ``--no-rollouts``; the texts say what is played on."""

    def add(command: Command) -> Command:
        for option in (
            click.option("--no-rollouts", is_flag=True, help=none),
            click.option("--rollouts", cls=NumberOption, type=click.IntRange(1, 10**6), metavar="N",
                         help=games),
        ):  # fmt: skip
            command = option(command)
        return command

    return add
