"""What a summary says about a player."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kbai.core.intervals import Estimate
from kbai.search.params import Limit
from kbai.summary.facts import Phase, TurnFacts


@dataclass(frozen=True, slots=True)
class Compared:
    """A rate of the player, and how it differs from that of the others in the same games."""

    own: Estimate
    others: Estimate | None
    """None if no turns of others were reviewed."""
    more: Estimate | None
    """The player's minus the others', paired by game."""


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """The turns of a phase."""

    phase: Phase
    turns: int
    loss: Compared
    """Per turn, in win probability."""
    share: float
    """Of all the player's losses."""


@dataclass(frozen=True, slots=True)
class CardRow:
    """The games with a scoring card, or all games for a source of gold that is always there."""

    card: str
    games: int
    loss: Compared
    """Per turn, in games with it."""
    without: Estimate | None
    """The player's loss per turn in games without it; None if there are no such games."""
    gold: Compared
    """Gold from it that better turns would have brought, per game with it."""
    apart: Estimate
    """How much more gold than from the player's other sources, compared with the others."""


@dataclass(frozen=True, slots=True)
class TileRow:
    """The turns in which a kind of tile was ready."""

    kind: str
    turns: int
    played: float
    """Tiles used per turn."""
    best: float
    """Tiles that the best turn used, per turn."""
    unused: Compared
    """The best turn's minus the player's, per turn."""
    cost: float
    """Loss per game in turns whose best turn used more tiles of this kind, in win probability."""


class Kind(StrEnum):
    """What a finding is about."""

    TILES = "tiles"
    TILE = "tile"
    SETTLEMENTS = "settlements"
    CARD = "card"
    PHASE = "phase"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to work on: chance does not explain it, however many things were compared."""

    kind: Kind
    name: str
    chance: float
    """That noise alone gives as much, before the correction for the number of comparisons."""
    compared: int
    """The number of comparisons of its kind."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game."""

    game: str
    turns: int
    loss: float
    """Per turn, in win probability."""
    luck: float
    """By all cards of the turns that were reviewed."""
    points: float | None
    """The share of the victory; None if the game is not over."""


@dataclass(frozen=True, slots=True)
class WorstTurn:
    """A turn that cost much."""

    game: str
    turn: TurnFacts


@dataclass(frozen=True, slots=True)
class Summary:
    """All that is said about a player."""

    player: str
    games: int
    turns: int
    points: Estimate | None
    """Share of the victories; None if no game is over."""
    marks: tuple[int, ...]
    """How many of each of `kbai.review.results.MARKS`."""
    loss: Compared
    """Per turn, in win probability."""
    loss_gold: Compared
    """Per turn."""
    loss_per_game: float
    luck: Estimate
    """Per game, by all cards of the turns that were reviewed, in win probability."""
    phases: tuple[PhaseRow, ...]
    cards: tuple[CardRow, ...]
    """Those with the most gold to gain first."""
    tiles: tuple[TileRow, ...]
    """All kinds together, then each, those with the most unused tiles first; nothing if no tile
    was ever ready."""
    built: Compared
    """Settlements that the best turn built more, per turn."""
    findings: tuple[Finding, ...]
    """The gravest first; none if chance may explain everything."""
    worst: tuple[WorstTurn, ...]
    history: tuple[GameRow, ...]
    """The games in the order in which they were given."""
    limit: Limit
    seed: int
