"""From reviewed games to what they say about a player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from kbai.core.intervals import Estimate
from kbai.review.results import MARKS
from kbai.search.params import Limit
from kbai.summary.cards import card_plays
from kbai.summary.comparing import Pair, PlayerGame, games_of, per_game, per_turn
from kbai.summary.facts import GameFacts, Phase
from kbai.summary.findings import card_findings, phase_findings, tile_findings
from kbai.summary.rates import Rate
from kbai.summary.results import GameRow, PhaseRow, Summary, WorstTurn
from kbai.summary.tiles import tile_plays

# How many of the worst turns are told.
WORST = 10


def summarize(games: Iterable[GameFacts], player: str, *, limit: Limit, seed: int) -> Summary:
    """Return what reviews of games say about a player who has a turn in at least one of them."""
    own = games_of(games, player)
    turns = [turn for game in own for turn in game.turns(own=True)]
    loss = per_turn(own, lambda turn: turn.loss)
    phases = [_phase_play(own, phase) for phase in Phase]
    cards = card_plays(own)
    tiles = tile_plays(own)
    built = per_turn(own, lambda turn: turn.built[1] - turn.built[0])
    unused = tile_findings(tiles, built)
    # What unused tiles have cost is no weakness with a card or in a phase.
    rest = [game.without_unused() for game in own] if unused else own
    return Summary(
        player=player,
        games=len(own),
        turns=len(turns),
        points=_points(own),
        marks=tuple(sum(turn.review.mark == mark for turn in turns) for mark, _ in MARKS),
        loss=loss.compared(),
        loss_gold=per_turn(own, lambda turn: turn.review.loss.gold.value).compared(),
        loss_per_game=per_game(own, lambda turn: turn.loss).own.measured().value,
        luck=_luck(own),
        phases=tuple(_phase_row(phase, pair, loss) for phase, pair, _ in phases if pair.own.count),
        cards=tuple(play.row for play in cards),
        tiles=tuple(play.row for play in tiles),
        built=built.compared(),
        findings=(
            *unused,
            *card_findings(cards, card_plays(rest)),
            *phase_findings([_phase_play(rest, phase) for phase in Phase]),
        ),
        worst=_worst(own),
        history=tuple(map(_game_row, own)),
        limit=limit,
        seed=seed,
    )


def _phase_play(games: Sequence[PlayerGame], phase: Phase) -> tuple[Phase, Pair, Pair]:
    """Return the losses in a phase and in the rest of the game."""
    inside = per_turn(games, lambda turn: turn.loss, lambda turn: turn.phase is phase)
    outside = per_turn(games, lambda turn: turn.loss, lambda turn: turn.phase is not phase)
    return phase, inside, outside


def _phase_row(phase: Phase, pair: Pair, loss: Pair) -> PhaseRow:
    share = pair.own.amount / loss.own.amount if loss.own.amount else 0.0
    return PhaseRow(phase, round(pair.own.count), pair.compared(), share)


def _points(games: Sequence[PlayerGame]) -> Estimate | None:
    rate = Rate()
    for game in games:
        if game.game.points is not None:
            for seat in game.seats:
                rate.add(game.number, game.game.points[seat])
    return rate.measured().estimate() if rate.count else None


def _luck(games: Sequence[PlayerGame]) -> Estimate:
    rate = Rate()
    for game in games:
        for seat in game.seats:
            rate.add(game.number, game.game.luck[seat])
    return rate.measured().estimate()


def _game_row(game: PlayerGame) -> GameRow:
    losses = [turn.loss for turn in game.turns(own=True)]
    points = game.game.points
    return GameRow(
        game=game.game.name,
        turns=len(losses),
        loss=fmean(losses),
        luck=fmean(game.game.luck[seat] for seat in game.seats),
        points=None if points is None else fmean(points[seat] for seat in game.seats),
    )


def _worst(games: Sequence[PlayerGame]) -> tuple[WorstTurn, ...]:
    """Return the turns with the gravest marks, and among these the largest losses."""
    marks = ["", *(mark for mark, _ in reversed(MARKS))]
    turns = [
        WorstTurn(game.game.name, turn)
        for game in games
        for turn in game.turns(own=True)
        if not turn.review.is_best
    ]
    turns.sort(key=lambda it: (-marks.index(it.turn.review.mark), -it.turn.loss))
    return tuple(turns[:WORST])
