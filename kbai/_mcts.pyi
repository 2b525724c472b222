"""The search tree on the kernel's states; see _mcts.pyx for how it works."""

from collections.abc import Sequence
from typing import NamedTuple, final

from kbai._fast import Board, Position

class SeatStats(NamedTuple):
    """Means over the visits of a node for one seat; exact if the node is proven."""

    utility: float
    win: float  # share of the victory: 1 / n for each of n winners
    gold: float
    gold_variance: float  # of one game, not of the mean
    margin: float  # own gold minus the best opponent's
    margin_variance: float

class RootEdge(NamedTuple):
    """A step that is legal at the root, or a card that may be drawn there."""

    step: int  # a step, or -1 - card
    visits: int  # of this edge; with merged orders its node may have more
    prior: float  # the odds of a card
    is_proven: bool
    sure: float  # utility that a line of the same seat surely brings; -1 if none is known
    seats: tuple[SeatStats, ...]  # of the node to which it leads; () if untried

class TurnNode(NamedTuple):
    """A way to finish the turn of the root: a state in which its seat has nothing left to decide.

    The turn has ended, a card is drawn next, another seat may react, or the game is over. If no
    visit went that far, it is the last state visited.
    """

    key: int  # of the state: the same in all trees, processes and builds
    steps: tuple[int, ...]  # the most visited way to it
    visits: int
    is_proven: bool
    seats: tuple[SeatStats, ...]  # () if there was no visit
    detail: tuple[tuple[float, ...], ...]  # mean gold by seat as in Position.score_detail, or ()
    detail_visits: int  # visits that detail is the mean of; after move_to fewer than visits

@final
class Tree:
    """A search tree for the seat that decides in a position.

    One thread at a time may use it; RuntimeError tells another one. All other keywords are fields
    of the kernel's Policy; informed playouts and priors need all of them.
    """

    def __init__(
        self,
        position: Position,
        *,
        seed: int,
        memory: int = 1073741824,  # limit in bytes, at least 2**20; a full tree grows no more
        playout: str = "informed",  # or random
        # puct: value + exploration * prior * sqrt(visits of the node) / (1 + visits of the edge),
        # and more exploration the more visits the node has;
        # ucb: value + exploration * sqrt(ln(visits of the node) / visits of the edge);
        # flat: the least visited step of the root, and no tree below it
        selection: str = "puct",
        exploration: float,
        fpu: float,  # an untried step counts as the node's mean minus this
        priors: bool,  # by the value of the steps; otherwise all are equal
        prior_temperature: float,  # of the softmax, in gold
        merge: bool,  # orders of the same steps share nodes, and so do future turns of a seat
        horizon: int,  # turns after that of the root that the tree covers
        margin_weight: float,  # of the squashed margin in the utility; the rest is the win share
        margin_scale: float,  # gold by which a margin is divided before it is squashed
        experience: float,  # gold in priors for a utility of 1 that a step gained elsewhere
        # Weights of a model (kbai/model): for priors, and to guess how a playout ends
        prior: Sequence[float] | None = None,
        value: Sequence[float] | None = None,
        # Standard deviation of a guessed margin: at the end, and what all houses left add to it
        spread: Sequence[float] = (0, 0),
        cut: int = 1,  # turns of a playout before gold is guessed
        **policy: float,
    ) -> None: ...
    @property
    def board(self) -> Board: ...
    @property
    def runs(self) -> int:
        """All visits of this tree, with those that move_to has dropped."""
    @property
    def visits(self) -> int:
        """Visits of the root."""
    @property
    def nodes(self) -> int: ...
    @property
    def bytes(self) -> int:
        """Memory that the tree takes."""
    @property
    def is_full(self) -> bool: ...
    @property
    def is_proven(self) -> bool:
        """Whether the value of the root is exact."""
    def run(self, visits: int) -> None:
        """Make some visits without the GIL. Two runs do the same as one with the sum of visits."""
    def move_to(self, position: Position) -> bool:
        """Make a position the root; False if the tree does not know it."""
    def restrict(self, allow: Sequence[Sequence[int]], avoid: Sequence[Sequence[int]]) -> None:
        """Search only turns that begin like ``allow`` and do not end like ``avoid``.

        Orders of the same steps are one turn. The steps must be legal and made by the seat that
        decides at the root, without a draw; after those of ``avoid`` it has nothing left to decide.
        An empty ``allow`` allows all. Call it before the first visit, and only with ``merge``.
        ValueError if no turn is left. Nodes made after ``move_to`` are not restricted.
        """
    def follow(self, share: float) -> None:
        """From now on begin this share of the visits with steps of the best turn known.

        Each of its steps ends as many of these beginnings as any other. ``move_to`` ends it.
        """
    def count_holders(self) -> None:
        """Count from now on which seat has a piece on which cell at the end of games."""
    def holders(self) -> tuple[int, tuple[dict[int, int], ...]]:
        """Return the games counted and, by seat and cell, those that ended with its piece there.

        Visits that end in a proven node play no game. ``move_to`` starts the count again.
        """
    def root(self) -> TurnNode:
        """Return what is known of the root, as a turn without steps."""
    def edges(self) -> list[RootEdge]:
        """Return the edges of the root, the most visited first, untried ones last."""
    def turns(self, limit: int) -> list[TurnNode]:
        """Return the most visited ways to finish the turn, and always the best proven one.

        If a card is drawn at the root or the game is over: the root alone, without steps.
        """
    def main_line(self, steps: Sequence[int], limit: int) -> list[int]:
        """Return what most visits did after some steps, with draws as ``-1 - card``."""
