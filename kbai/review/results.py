"""What a review of a game says: what every turn cost, how lucky its card was, and what remains."""

from __future__ import annotations

from dataclasses import dataclass

from kbai._fast import Position
from kbai.core.intervals import Estimate
from kbai.explain.evidence import Evidence
from kbai.notation.games import Game
from kbai.search.params import Limit
from kbai.search.results import Outlook, TurnChoice

# Marks and the win probability a turn must have cost for them, the gravest first.
MARKS = (("??", 0.2), ("?", 0.12), ("?!", 0.06))
# How many times as large as its interval reaches towards 0 a loss has to be for a mark: two and a
# half standard errors. Games are counted again and again until a mark is clear, and by chance a
# loss is above two standard errors once in so many looks far more often than in one.
CERTAIN = 1.3


@dataclass(frozen=True, slots=True)
class Change:
    """What a seat expects, or by how much that changed."""

    win: Estimate
    """In win probability, -1 to 1."""
    gold: Estimate


@dataclass(frozen=True, slots=True)
class TurnReview:
    """A turn, or a part of one: a card drawn on the way or another seat's reaction divides it.

    Positions are not to be changed. Tuples by seat have one item for each seat of the table.
    """

    number: int
    """Of the turn in the game file."""
    part: int
    """0 for the first part of a turn, and the only one of most."""
    seat: int
    """Who decides."""
    before: Position
    """Before the cards were turned up."""
    draws: tuple[int, ...]
    """The cards turned up, as chance steps; none if the card lay there already."""
    position: Position
    """In which the seat decides: `before` with the cards turned up."""
    played: tuple[int, ...]
    """The steps that were played from `position` on."""
    best: TurnChoice
    """The best turn found, and what is to be expected of it by searches that did not choose it;
    what was played, if nothing better was found."""
    candidates: tuple[TurnChoice, ...]
    """The turns that the search liked best, the best first, as it saw them; steps are those after
    `draws`."""
    outlooks: tuple[Outlook, ...]
    """By seat, what could be expected in `before`; without sources."""
    costs: tuple[Change, ...]
    """By seat: what the best turn would have brought it more than what was played. What is more
    than 0 for the one who decides is often less than 0 for the others. All 0 if `is_best`."""
    source_costs: tuple[float, ...]
    """By source of gold, in the order of `Position.score_detail`: what the best turn would have
    brought the one who decides more than what was played, by the playouts of the searches that
    compared them. Empty if it was not counted."""
    luck: tuple[Change, ...]
    """By seat: the value with the cards drawn, less the mean over those it could have been."""
    mark: str
    """One of `MARKS`, or nothing."""
    is_best: bool
    """Whether nothing better than what was played was found."""
    is_exact: bool
    """Whether all that can follow the two turns is known, so that the costs are no estimates."""
    games: int = 0
    """How many games were played on from the best turn, and as many from what was played: what is
    said of the turn rests on them as well; 0 if it rests on searches alone."""
    evidence: Evidence | None = None
    """What is known of the difference between the best turn and what was played, by source of gold;
    None if `is_best`, or if it was not counted."""

    @property
    def loss(self) -> Change:
        """What the turn cost the one who played it."""
        return self.costs[self.seat]


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """The sums of a seat over the turns that were reviewed, in win probability and gold.

    ``result = start + luck - loss + gain + rest`` in both.
    """

    seat: int
    turns: int
    """How many it decided."""
    loss: Change
    """What its own turns cost it."""
    loss_per_turn: Change
    marks: tuple[int, ...]
    """How many of each of `MARKS`, in their order."""
    luck: Change
    """By all cards, also those of others."""
    gain: Change
    """What the losses of the others brought it."""
    start: Change
    """What it could expect before the first turn."""
    result: Change
    """What came: its share of the victory and its gold, or, if the turns reviewed do not go to the
    end of the game, what it could expect after them."""
    adjusted: Change
    """The result less the luck."""
    rest: Change | None
    """What the other numbers leave open: searches of consecutive positions do not agree. None
    if turns in between were left out."""


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a game, or of some of its turns."""

    name: str
    """Of the file, and of the game in it if it has several."""
    game: Game
    turns: tuple[TurnReview, ...]
    final: tuple[Outlook, ...]
    """By seat, after the last turn that was reviewed; of a game that is over the result."""
    seats: tuple[SeatSummary, ...]
    limit: Limit
    """Of a turn, as it was asked for."""
    seed: int
    visits: int = 0
    """All that were made."""
    games: int = 0
    """All that were played on from turns of it."""
    problem: str = ""
    """Why the rest of the game could not be read, if it could not."""
