"""Variations in a game file: comments after the game, which every reader of the game skips.

::

    # Variation 1 after turn 6
    #   7 red flower: n16 o15 p15
    #   8 blue grass: h8 i8 j8
    # Variation 2 after turn 7 of variation 1
    #   8 blue grass: a1 a2 a3

Turn 0 is the start. A variation that leaves another one says which.
"""

from __future__ import annotations

import re

from kbai.core.errors import PlacedError
from kbai.notation.turns import format_turn, parse_turn, play_turn
from kbai.play.tree import ROOT, TurnTree

_TITLE = re.compile(r"#\s*Variation (\d+) after turn (\d+)(?: of variation (\d+))?\s*", re.I)
_TURN = re.compile(r"#\s+(\d+ .*)")


def format_variations(tree: TurnTree) -> str:
    """Return the comments that keep the variations of a tree; an empty text if it has none."""
    home: dict[int, int] = {}
    lines = []
    for name, nodes in enumerate(tree.variations(), start=1):
        parent = tree.nodes[nodes[0]].parent
        of = f" of variation {home[parent]}" if parent in home else ""
        lines.append(f"# Variation {name} after turn {tree.next_number(parent) - 1}{of}")
        lines += [f"#   {format_turn(tree.nodes[node].turn)}" for node in nodes]
        home |= dict.fromkeys(nodes, name)
    return "\n".join(lines) + "\n" if lines else ""


def add_variations(tree: TurnTree, text: str) -> tuple[TurnTree, list[str]]:
    """Return the tree with the variations of a game file, and what of them could not be read."""
    known = {(0, tree.first - 1): ROOT}
    known |= {(0, tree.nodes[node].turn.number): node for node in tree.line(tree.main)}
    problems: list[str] = []
    name, cursor = 0, None
    for number, line in enumerate(text.splitlines(), start=1):
        title, turn = _TITLE.fullmatch(line), _TURN.fullmatch(line)
        if title:
            name = int(title[1])
            cursor = known.get((int(title[3] or 0), int(title[2])))
            if cursor is None:
                problems.append(f"line {number}: expected a variation after a turn of the game.")
        elif turn and cursor is not None:
            try:
                added = tree.add(cursor, play_turn(tree.position(cursor), parse_turn(turn[1])))
            except PlacedError as error:
                problems.append(f"line {number}: {error.message}")
                cursor = None
                continue
            # The line that counts is what the file says it is.
            main = tree.main
            tree, cursor = TurnTree(tree.start, added[0].nodes, main, tree.first), added[1]
            known[name, tree.nodes[cursor].turn.number] = cursor
        elif not line.startswith("#"):
            name, cursor = 0, None
    return tree, problems


def strip_variations(text: str) -> str:
    """Return the text of a game file without the comments that keep its variations."""
    kept = []
    is_inside = False
    for line in text.splitlines():
        is_inside = bool(_TITLE.fullmatch(line)) or (is_inside and bool(_TURN.fullmatch(line)))
        if not is_inside:
            kept.append(line)
    return "\n".join(kept) + "\n"
