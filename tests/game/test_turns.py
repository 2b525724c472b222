"""Turns told apart by the position, in random games of all sets."""

import random

from kbai import content
from kbai.game.setup import Setup
from kbai.game.steps import END, advance, next_steps
from kbai.game.turns import TurnMark


def questions(seed):
    """Yield seat, number of the turn and mark wherever a seat of a random game has a choice."""
    rng = random.Random(seed)
    sets = tuple(content.load().sets) if seed % 2 else ("base",)
    position = Setup.random(seed, seats=2 + seed % 4, sets=sets).start_position()
    turn = 0
    while not position.is_over:
        steps = next_steps(position)
        if not position.pending_draw and len(steps) > 1:
            yield position.actor, turn, TurnMark.of(position)
        step = rng.choice(steps)
        turn += step == END
        advance(position, step)


def test_a_seat_knows_at_each_choice_whether_a_new_turn_has_begun():
    counts = {True: 0, False: 0}
    for seed in [*range(24), 133, 179, 297]:  # the last: silos, and forts that draw from a new pile
        last = {}
        for seat, turn, mark in questions(seed):
            if seat in last:
                before, seen = last[seat]
                assert seen.is_same_turn(mark) == (turn == before), (seed, turn)
                counts[turn == before] += 1
            last[seat] = turn, mark
    assert min(counts.values()) > 500
