"""What a player makes of tiles: those that the best turn used and the played one did not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kbai.summary.comparing import Pair, PlayerGame, per_game, per_turn
from kbai.summary.facts import TileUse, TurnFacts
from kbai.summary.results import TileRow

EVERY = "all tiles"


@dataclass(frozen=True, slots=True)
class TilePlay:
    """The row of a kind of tile, and what it rests on."""

    row: TileRow
    unused: Pair


def tile_plays(games: Sequence[PlayerGame]) -> list[TilePlay]:
    """Return all tiles together, then each kind, those with the most unused tiles first.

    Nothing if no tile was ever ready.
    """
    kinds = dict.fromkeys(
        kind for game in games for turn in game.turns(own=True) for kind in turn.tiles
    )
    if not kinds:
        return []
    found = [_tile_play(games, (kind,), kind) for kind in kinds]
    found.sort(key=lambda play: -play.unused.own.amount)
    return [_tile_play(games, tuple(kinds), EVERY), *found]


def _tile_play(games: Sequence[PlayerGame], kinds: tuple[str, ...], name: str) -> TilePlay:
    def uses(turn: TurnFacts) -> list[TileUse]:
        return [turn.tiles[kind] for kind in kinds if kind in turn.tiles]

    def is_ready(turn: TurnFacts) -> bool:
        return any(kind in turn.tiles for kind in kinds)

    def unused(turn: TurnFacts) -> float:
        return sum(use.best - use.played for use in uses(turn))

    pair = per_turn(games, unused, is_ready)
    played = per_turn(games, lambda turn: sum(use.played for use in uses(turn)), is_ready)
    cost = per_game(games, lambda turn: turn.loss if unused(turn) > 0 else 0.0)
    rate = played.own.measured().value
    row = TileRow(
        kind=name,
        turns=round(pair.own.count),
        played=rate,
        best=rate + pair.own.measured().value,
        unused=pair.compared(),
        cost=cost.own.measured().value,
    )
    return TilePlay(row, pair)
