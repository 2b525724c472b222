"""Which games a match or tournament consists of: bots, line-ups, deals and rotations.

A *group* is one deal (set-up and the order of all cards), played once in every rotation of the
bots over the seats. Statistics count groups, because the games of one are not independent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb
from typing import Any

from kbai import content
from kbai._fast import Position
from kbai.arena.play import MAX_STEPS
from kbai.bots.specs import BotSpec, parse_spec
from kbai.compute.journal import canonical, content_id
from kbai.core.errors import ArenaError, ShapeError, quote, suggest_name
from kbai.core.hashes import blake2b
from kbai.core.seeds import derive_seed
from kbai.core.shapes import ListOf, Row, Table, Text, Whole
from kbai.game.options import Options
from kbai.game.seats import N_SEATS
from kbai.game.setup import Setup
from kbai.notation.positions import parse_position

KINDS = ("match", "round_robin", "gauntlet")
# A plan keeps its line-ups in memory; 80 bots on five seats would have 24 million.
MAX_LINEUPS = 100_000
# Of groups, steps and the like.
MAX_COUNT = 10**9

_NAMES = ListOf(Text())
SHAPE = Table(
    {
        "bots": _NAMES,
        "seats": Whole(),
        "groups": Whole(high=MAX_COUNT),
        "seed": Whole(),
    },
    optional={
        "kind": Text(),
        "focus": Text(),
        "sets": _NAMES,
        "board": _NAMES,
        "cards": _NAMES,
        "exclude_cards": _NAMES,
        "options": ListOf(Row((Text(), Text()))),
        "max_steps": Whole(high=MAX_COUNT),
        "quadrants": Text(),
        "positions": _NAMES,
    },
)
"""A plan in the header of a journal: one key for each field of `Plan`."""


@dataclass(frozen=True)
class Plan:
    """All that determines the games of a match or tournament; equal plans give equal games."""

    bots: tuple[BotSpec, ...]
    """A bot may appear twice."""
    seats: int
    groups: int
    """Deals for each line-up. Each line-up has its own: groups of one deal would not be
    independent, and their intervals would be too narrow."""
    seed: int
    kind: str = "match"
    focus: str = ""
    """In a gauntlet, the label of the bot that plays in every game."""
    sets: tuple[str, ...] = (content.BASE,)
    """The base game is always among them."""
    board: tuple[str, ...] = ()
    """The same for all deals; if empty, drawn for each, like the cards."""
    cards: tuple[str, ...] = ()
    exclude_cards: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    """Rule options that differ from their defaults."""
    max_steps: int = MAX_STEPS
    quadrants: str = ""
    """A hash of the user's own quadrants, if there are any."""
    positions: tuple[str, ...] = ()
    """Lines of start positions, which the deals use in turn; random set-ups if there are none."""

    def __post_init__(self) -> None:
        options = Options.parse(dict(self.options)).changed()
        object.__setattr__(self, "options", tuple(options.items()))
        object.__setattr__(self, "sets", content.with_base(self.sets))
        self._check()
        self._check_positions()
        self.setup(0, 0)  # says what is wrong with sets, board and cards

    def _check(self) -> None:
        if self.kind not in KINDS:
            raise ArenaError(f"{suggest_name('kind of tournament', self.kind, KINDS)}.")
        if self.seats not in N_SEATS:
            raise ArenaError(f"expected {N_SEATS[0]} to {N_SEATS[-1]} seats, got {self.seats}.")
        if self.groups < 1:
            raise ArenaError(f"expected at least one group, got {self.groups}.")
        if self.max_steps < 1:
            raise ArenaError(f"expected at least one step a game, got {self.max_steps}.")
        if self.kind == "match" and len(self.bots) != self.seats:
            found = f"got {len(self.bots)}"
            raise ArenaError(f"expected a bot for each of {self.seats} seats, {found}.")
        if len(self.bots) < self.seats:
            raise ArenaError(
                f"expected at least {self.seats} bots for {self.seats} seats, got {len(self.bots)}."
            )
        n_bots, size = len(self.bots), self.seats
        count = comb(n_bots - 1, size - 1) if self.kind == "gauntlet" else comb(n_bots, size)
        if count > MAX_LINEUPS:
            raise ArenaError(
                f"expected at most {MAX_LINEUPS:,} line-ups, got {count:,} "
                f"of {n_bots} bots on {size} seats."
            )
        if self.kind == "gauntlet" and self.focus not in self.labels:
            raise ArenaError(f"{suggest_name('bot of this gauntlet', self.focus, self.labels)}.")
        if self.kind != "gauntlet" and self.focus:
            raise ArenaError(f"expected a focus only in a gauntlet, got {quote(self.focus)}.")

    def _check_positions(self) -> None:
        for number, start in enumerate(map(_parse_line, self.positions), start=1):
            which = f"start position {number}"
            if start.board.seats != self.seats:
                found = f"{which} has {start.board.seats}"
                raise ArenaError(f"expected start positions with {self.seats} seats; {found}.")
            if start.is_over:
                raise ArenaError(f"{which}: expected a game that goes on, got one that is over.")

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Unique names of the bots: a second bot of the same spec is ``greedy#2``."""
        seen: Counter[str] = Counter()
        names = []
        for spec in map(str, self.bots):
            seen[spec] += 1
            names.append(spec if seen[spec] == 1 else f"{spec}#{seen[spec]}")
        return tuple(names)

    @cached_property
    def lineups(self) -> tuple[tuple[str, ...], ...]:
        """Who meets whom, by label."""
        if self.kind == "gauntlet":
            others = [label for label in self.labels if label != self.focus]
            return tuple((self.focus, *rest) for rest in combinations(others, self.seats - 1))
        return tuple(combinations(self.labels, self.seats))

    @property
    def n_games(self) -> int:
        return len(self.lineups) * self.groups * self.seats

    def keys(self) -> Iterator[GameKey]:
        """Yield the games group by group, so that a run that stops early has whole groups."""
        for deal in range(self.groups):
            for lineup in range(len(self.lineups)):
                for rotation in range(self.seats):
                    yield GameKey(lineup, deal, rotation)

    def spec_of(self, label: str) -> BotSpec:
        """Return the spec of a bot by its label."""
        return self.bots[self.labels.index(label)]

    @cached_property
    def digest(self) -> str:
        """A hash of all that determines a game except who plays which deal."""
        return digest_of(self.to_dict())

    def start(self, lineup: int, deal: int) -> Position:
        """Return the position from which one deal of a line-up is played."""
        if self.positions:
            return _parse_line(self.positions[deal % len(self.positions)]).copy()
        return self.setup(lineup, deal).start_position()

    def setup(self, lineup: int, deal: int) -> Setup:
        """Return the random set-up of one deal of a line-up."""
        return Setup.random(
            derive_seed(self.seed, "setup", lineup, deal),
            seats=self.seats,
            sets=self.sets,
            cards=self.cards or None,
            board=self.board or None,
            exclude_cards=self.exclude_cards,
            options=Options.parse(dict(self.options)),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as the header of a journal has it."""
        texts = {"bots": [str(spec) for spec in self.bots]}
        data = asdict(self) | texts | {"options": [list(pair) for pair in self.options]}
        if not self.positions:
            del data["positions"]  # as in journals from before there were any
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Plan:
        """Return the plan in a header; ArenaError if the journal is of something else."""
        known = SHAPE.keys.keys() | SHAPE.optional.keys()
        if not known >= data.keys() or not SHAPE.keys.keys() <= data.keys():
            raise ArenaError("expected the journal of a match or tournament.")
        try:
            SHAPE.check(data)
        except ShapeError as error:
            raise ArenaError(f"the header has no plan of a match: {error}.") from None
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in data.items()
        }
        values["bots"] = tuple(parse_spec(text) for text in data["bots"])
        values["options"] = tuple((key, value) for key, value in data.get("options", ()))
        return cls(**values)


@lru_cache(maxsize=1024)
def _parse_line(line: str) -> Position:
    """Return the position on a line, not to be changed; all rotations of a deal use it."""
    return parse_position(line)


def digest_of(data: Mapping[str, Any]) -> str:
    """Return a hash of all that determines a game except who plays which deal."""
    left_out = ("bots", "groups", "kind", "focus")
    return content_id({key: value for key, value in data.items() if key not in left_out})


_canonical_names = lru_cache(maxsize=1024)(canonical)


@dataclass(frozen=True, slots=True)
class GameKey:
    """One game of a plan."""

    lineup: int
    deal: int
    rotation: int

    def id(self, plan: Plan, digest: str | None = None) -> str:
        """Return its id, a hash of all that determines the game.

        ``digest`` is that of the plan as a journal has it, which may spell some options in an
        older way.
        """
        # As `content_id` of the three would be, but a journal asks for many ids.
        bots = _canonical_names(self.bots(plan))
        place = f"[{self.lineup},{self.deal},{self.rotation}]"
        text = f'["{digest or plan.digest}",{bots},{place}]'
        return blake2b(text.encode(), digest_size=16).hexdigest()[:16]

    def bots(self, plan: Plan) -> tuple[str, ...]:
        """Return the labels by seat."""
        labels = plan.lineups[self.lineup]
        return (*labels[self.rotation :], *labels[: self.rotation])
