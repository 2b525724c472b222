"""Facts of made-up games, with weaknesses of one's choice."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from reviews import rough_review

from kbai.core.intervals import Estimate
from kbai.game.setup import Setup
from kbai.notation.games import record_game
from kbai.review.results import Change, TurnReview
from kbai.summary.facts import GameFacts, Phase, TileUse, TurnFacts

CARDS = ("fishermen", "miners", "workers", "knights", "lords", "farmers", "hermits", "merchants")
PLAYERS = ("Ann", "Ben")
# Turns of each player in each phase.
TURNS = 3

Weakness = Callable[[TurnFacts, Sequence[str]], TurnFacts]


@cache
def _template() -> TurnReview:
    start = Setup.random(1, seats=2).start_position()
    steps = start.copy().playout_steps(1)
    game = record_game(start, steps)
    return rough_review(replace(game, turns=game.turns[:1], result=None), visits=30).turns[0]


def made_up_games(
    count: int, seed: int = 1, *, weakness: Weakness = lambda turn, cards: turn
) -> list[GameFacts]:
    """Return games of Ann and Ben, who play alike but for a weakness of Ann."""
    return [_game(number, random.Random(f"{seed} {number}"), weakness) for number in range(count)]


def _game(number: int, generator: random.Random, weakness: Weakness) -> GameFacts:
    cards = tuple(generator.sample(CARDS, 3))
    turns = []
    for phase in Phase:
        for seat in (0, 1) * TURNS:
            turn = _turn(generator, seat, phase, cards)
            turns.append(weakness(turn, cards) if seat == 0 else turn)
    return GameFacts(
        name=f"game {number}",
        players=PLAYERS,
        cards=cards,
        turns=tuple(turns),
        luck=(luck := generator.gauss(0, 0.1), -luck),
        points=(0.5, 0.5),
    )


def _turn(generator: random.Random, seat: int, phase: Phase, cards: Sequence[str]) -> TurnFacts:
    loss = max(0.0, generator.gauss(-0.01, 0.05))
    gold = 20 * loss
    change = Change(Estimate(loss, 0.0, 2 * loss), Estimate(gold, 0.0, 2 * gold))
    review = replace(_template(), seat=seat, costs=(change, change), is_best=not loss, mark="")
    used = generator.random() < 0.8
    best = used if generator.random() < 0.9 else not used
    sources = {name: generator.gauss(0, 1) for name in ("castles", *cards)}
    return TurnFacts(review, phase, {"farm": TileUse(1, used, best)}, (3, 3), sources)


def lose_more(turn: TurnFacts, loss: float) -> TurnFacts:
    """Return a turn that cost so much more."""
    value = turn.loss + loss
    win = Estimate(value, 0.0, 2 * value)
    change = replace(turn.review.loss, win=win)
    return replace(turn, review=replace(turn.review, costs=(change, change), is_best=False))
