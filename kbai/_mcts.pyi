"""The search tree on the kernel's states; see _mcts.pyx for how it works."""

from collections.abc import Sequence
from typing import NamedTuple, final

from kbai._fast import Board, Position

class SeatStats(NamedTuple):
    """Means over the visits of a node for one seat; of a proven node exact."""

    utility: float
    win: float  # share of the victory, 1 / n for each of n winners
    gold: float
    gold_variance: float  # of one game, not of the mean
    margin: float  # own gold less the most of another seat
    margin_variance: float

class RootEdge(NamedTuple):
    """A step that is legal at the root, or a card that may be drawn there."""

    step: int  # a step, or -1 - card
    visits: int  # by this edge; with merged orders its node may have more
    prior: float  # of a card: its odds
    is_proven: bool
    sure: float  # utility that a line of the same seat is sure to bring it; -1 if none is known
    seats: tuple[SeatStats, ...]  # of the node it leads to; () if it was not tried

class TurnNode(NamedTuple):
    """A way to finish the turn of the root: a state at which its seat has no more to decide.

    The turn has ended, a card is to be drawn, another seat has to react, or the game is over.
    Where no visit went as far, the last state that was visited.
    """

    key: int  # of the state: the same in all trees, processes and builds
    steps: tuple[int, ...]  # one way there, the most visited
    visits: int
    is_proven: bool
    seats: tuple[SeatStats, ...]  # () without a visit
    detail: tuple[tuple[float, ...], ...]  # mean gold by seat as in Position.score_detail, or ()
    detail_visits: int  # visits in the mean of detail; fewer than visits after move_to

@final
class Tree:
    """A search tree for the seat that decides in a position.

    Not to be used by two threads at once. Every other keyword is a field of the kernel's Policy;
    informed playouts and priors need all of them.
    """

    def __init__(
        self,
        position: Position,
        *,
        seed: int,
        memory: int = 1073741824,  # bytes, at least 2**20; a full tree grows no more
        playout: str = "informed",  # or random
        # puct: value + exploration * prior * sqrt(visits of the node) / (1 + visits of the edge),
        # and more exploration the more visits the node has;
        # ucb: value + exploration * sqrt(ln(visits of the node) / visits of the edge);
        # flat: the least visited step of the root, and no tree below it
        selection: str = "puct",
        exploration: float,
        fpu: float,  # how much worse than the node's mean a step is thought that was not tried
        priors: bool,  # by the worth of the steps; otherwise all are equal
        prior_temperature: float,  # of the softmax, in gold
        merge: bool,  # orders of steps, and turns to come of a seat, share nodes
        horizon: int,  # turns after the root's that the tree covers
        margin_weight: float,  # of the squashed margin in the utility; the rest is the win share
        margin_scale: float,  # gold by which a margin is divided before it is squashed
        experience: float,  # gold in priors for a utility of 1 that a step gained elsewhere
        **policy: float,
    ) -> None: ...
    @property
    def board(self) -> Board: ...
    @property
    def runs(self) -> int:
        """Visits made by this tree, also those that were forgotten since."""
    @property
    def visits(self) -> int:
        """Visits of the root."""
    @property
    def nodes(self) -> int: ...
    @property
    def bytes(self) -> int:
        """Memory of the arenas."""
    @property
    def is_full(self) -> bool: ...
    @property
    def is_proven(self) -> bool:
        """Whether the value of the root is exact."""
    def run(self, visits: int) -> None:
        """Make some visits, without the GIL; two runs make one of the sum of their visits."""
    def move_to(self, position: Position) -> bool:
        """Make a position that the tree knows its root; False if it does not know it."""
    def restrict(self, allow: Sequence[Sequence[int]], avoid: Sequence[Sequence[int]]) -> None:
        """Search only turns that begin with the steps of ``allow`` and do not end as ``avoid``.

        Orders of the same steps are one turn. Steps must be legal and be made by the seat that
        decides at the root, without a draw; those of ``avoid`` lead to where it decides no more.
        An empty ``allow`` is no restriction. Only before the first visit, and with ``merge``;
        ValueError if no turn is left. ``move_to`` ends it for the nodes that are made from then on.
        """
    def count_holders(self) -> None:
        """Count from now on which seat has a piece on which cell at the end of a game."""
    def holders(self) -> tuple[int, tuple[dict[int, int], ...]]:
        """Return how many games were counted, and for each seat and cell how many ended so.

        Visits that end in a proven node play no game. ``move_to`` begins to count anew.
        """
    def root(self) -> TurnNode:
        """Return what is known of the root, as a turn without a step."""
    def edges(self) -> list[RootEdge]:
        """Return the edges of the root, the most visited first; those not tried come last."""
    def turns(self, limit: int) -> list[TurnNode]:
        """Return the most visited ways to finish the turn, and the best proven one in any case.

        Of a root with a draw pending, or at the end of a game: the root alone, without steps.
        """
    def main_line(self, steps: Sequence[int], limit: int) -> list[int]:
        """Return what most visits did after some steps: steps, and draws as ``-1 - card``."""
