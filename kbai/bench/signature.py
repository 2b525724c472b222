"""The speed of the search on fixed positions, and a signature of what it does there."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources

from kbai._fast import Position
from kbai.bench.profiles import cpu_seconds
from kbai.notation.positions import parse_position
from kbai.search.params import Limit, SearchParams
from kbai.search.searcher import Searcher

SEED = 1
VISITS = 4000
# Random playouts per visit: they take about as long.
PLAYOUTS = 2


@dataclass(frozen=True, slots=True)
class BenchRow:
    """The measurements of one position, in CPU seconds."""

    name: str
    visits: int
    visit_seconds: float
    playouts: int
    playout_seconds: float
    root_visits: tuple[tuple[int, int], ...]
    """Each step of the root and its visits, sorted."""


@dataclass(frozen=True, slots=True)
class Bench:
    """A whole run."""

    rows: tuple[BenchRow, ...]

    @property
    def visits_per_second(self) -> float:
        """The harmonic mean over the positions, as each has the same number of visits."""
        return sum(r.visits for r in self.rows) / sum(r.visit_seconds for r in self.rows)

    @property
    def playouts_per_second(self) -> float:
        """The same for random playouts."""
        return sum(r.playouts for r in self.rows) / sum(r.playout_seconds for r in self.rows)

    @property
    def signature(self) -> str:
        """A hash of the visits of the roots, the same as long as the search does the same."""
        text = repr([(row.name, row.root_visits) for row in self.rows])
        return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def bench_positions() -> Iterator[tuple[str, Position]]:
    """Iterate over the positions and their names."""
    folder = resources.files("kbai").joinpath("data").joinpath("positions")
    text = folder.joinpath("bench.toml").read_text("utf-8")
    for item in tomllib.loads(text)["position"]:
        yield item["name"], parse_position(item["line"])


def run_bench(
    visits: int = VISITS,
    params: SearchParams = SearchParams(),  # noqa: B008  (a frozen value)
    on_row: Callable[[BenchRow], None] = lambda row: None,
) -> Bench:
    """Search every position in one thread, always with the same seed."""
    rows = []
    for name, position in bench_positions():
        rows.append(_measure(name, position, visits, params))
        on_row(rows[-1])
    return Bench(tuple(rows))


def _measure(name: str, position: Position, visits: int, params: SearchParams) -> BenchRow:
    searcher = Searcher(params)
    searcher.look_at(position, SEED)
    return BenchRow(
        name=name,
        visits=visits,
        visit_seconds=cpu_seconds(lambda: searcher.run(Limit(visits))),
        playouts=PLAYOUTS * visits,
        playout_seconds=cpu_seconds(lambda: position.playouts(PLAYOUTS * visits, SEED)),
        root_visits=tuple(sorted((c.step, c.visits) for c in searcher.choices())),
    )
