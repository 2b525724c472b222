"""A tree of turns: the line that counts, and variations that leave it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kbai._fast import Position
from kbai.core.errors import KbaiError
from kbai.game.steps import end_of
from kbai.notation.turns import PlayedTurn

ROOT = -1
"""Stands for the start, before the first turn."""
# Far more than anybody plays by hand, and few enough for a file that can be read again.
MAX_NODES = 5_000


@dataclass(frozen=True, slots=True)
class Node:
    """A finished turn, and the node it was played after."""

    turn: PlayedTurn
    parent: int = ROOT


@dataclass(frozen=True, slots=True)
class TurnTree:
    """All turns that were played from a start, in the order in which they were added.

    A node is known by its place in ``nodes``, which never changes. Nothing is ever taken out.
    """

    start: Position
    """Before the first turn; do not change it."""
    nodes: tuple[Node, ...] = ()
    main: int = ROOT
    """The last node of the line that counts: the game, as its file has it."""
    first: int = 1
    """The number of the first turn."""

    def line(self, node: int) -> tuple[int, ...]:
        """Return the nodes from the first turn to this one."""
        found = []
        while node != ROOT:
            found.append(node)
            node = self.nodes[node].parent
        return tuple(reversed(found))

    def turns(self, node: int) -> tuple[PlayedTurn, ...]:
        """Return the turns from the first one to this node."""
        return tuple(self.nodes[index].turn for index in self.line(node))

    def children(self, node: int) -> tuple[int, ...]:
        """Return what was played after a node: the line that counts first, then as added."""
        found = [index for index, each in enumerate(self.nodes) if each.parent == node]
        main = {*self.line(self.main)}
        return tuple(sorted(found, key=lambda index: index not in main))

    def position(self, node: int) -> Position:
        """Return the position after a node."""
        return end_of(self.start, (step for turn in self.turns(node) for step in turn.steps))

    def next_number(self, node: int) -> int:
        """Return the number of the turn that comes after a node."""
        return self.first if node == ROOT else self.nodes[node].turn.number + 1

    def add(self, parent: int, turn: PlayedTurn) -> tuple[TurnTree, int]:
        """Return the tree with a turn after a node, and the node of that turn.

        A turn that is there already is not added again. The line that counts grows if the turn
        continues it; any other turn is a variation.
        """
        for index in self.children(parent):
            if self.nodes[index].turn.steps == turn.steps:
                return self._grown(self.nodes, parent, index), index
        if len(self.nodes) >= MAX_NODES:
            raise KbaiError(f"expected at most {MAX_NODES:,} turns with all variations, got more.")
        nodes = (*self.nodes, Node(turn, parent))
        return self._grown(nodes, parent, len(self.nodes)), len(self.nodes)

    def _grown(self, nodes: tuple[Node, ...], parent: int, node: int) -> TurnTree:
        return replace(self, nodes=nodes, main=node if parent == self.main else self.main)

    def promote(self, node: int) -> TurnTree:
        """Return the tree in which the line to a node, and what followed it, is what counts."""
        if node in self.line(self.main):
            return self
        after = self._after()
        while node in after:
            node = after[node][0]
        return replace(self, main=node)

    def variations(self) -> Iterator[tuple[int, ...]]:
        """Yield the variations, each as its nodes; a variation comes after what it leaves."""
        after = self._after()
        done = {*self.line(self.main)}
        for index in range(len(self.nodes)):
            if index in done:
                continue
            line = [index]
            while line[-1] in after:
                line.append(after[line[-1]][0])
            done.update(line)
            yield tuple(line)

    def _after(self) -> dict[int, list[int]]:
        """Return what was played after each node that has something after it."""
        found: dict[int, list[int]] = {}
        for index, node in enumerate(self.nodes):
            found.setdefault(node.parent, []).append(index)
        return found
