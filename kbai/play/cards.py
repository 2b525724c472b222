"""The cards that kbai turns up in a game, from a seed."""

from __future__ import annotations

import random

from kbai._fast import Position
from kbai.core.seeds import derive_seed


def drawn_next(position: Position, seed: int, turn: int, number: int) -> int:
    """Return the card to turn up now: draw ``number``, from 0, of a turn.

    It depends on the seed, on the place in the game, and on which cards can come. So a game that
    is resumed goes on with the same cards, and a turn that is taken back does not bring others.
    """
    counts = position.draws()
    generator = random.Random(derive_seed(seed, "card", turn, number))
    return generator.choices(range(len(counts)), counts)[0]
