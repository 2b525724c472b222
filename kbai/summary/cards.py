"""What a player makes of each scoring card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kbai.core.uncertainty import Measured
from kbai.summary.comparing import Pair, PlayerGame, per_game, per_turn
from kbai.summary.facts import GameFacts, TurnFacts
from kbai.summary.rates import difference
from kbai.summary.results import CardRow


@dataclass(frozen=True, slots=True)
class CardPlay:
    """The row of a card, and what it rests on."""

    row: CardRow
    gold: Pair
    rest: Pair
    """Gold from the mean of all other sources in the same games."""
    more_loss: Measured | None
    """Per turn, with the card against without; None if it is in every game."""


def card_plays(games: Sequence[PlayerGame]) -> list[CardPlay]:
    """Return the sources of gold, those with the most to gain first."""
    names = dict.fromkeys(
        name for game in games for turn in game.turns(own=True) for name in turn.sources
    )
    found = [_card_play(games, name) for name in names]
    return sorted(found, key=lambda play: -play.row.gold.own.value)


def _card_play(games: Sequence[PlayerGame], name: str) -> CardPlay:
    def has_it(game: GameFacts) -> bool:
        return any(name in turn.sources for turn in game.turns)

    def of_others(turn: TurnFacts) -> float:
        rest = [gold for source, gold in turn.sources.items() if source != name]
        return sum(rest) / len(rest) if rest else 0.0

    inside = [game for game in games if has_it(game.game)]
    outside = [game for game in games if not has_it(game.game)]
    loss, without = (per_turn(part, lambda turn: turn.loss) for part in (inside, outside))
    more_loss = difference(loss.own, without.own) if outside else None
    gold = per_game(inside, lambda turn: turn.sources.get(name, 0.0))
    rest = per_game(inside, of_others)
    row = CardRow(
        card=name,
        games=len(inside),
        loss=loss.compared(),
        without=without.own.measured().estimate() if outside else None,
        gold=gold.compared(),
        apart=gold.apart_from(rest).estimate(),
    )
    return CardPlay(row, gold, rest, more_loss)
