"""What to work on: weaknesses that chance does not explain.

Everything is compared with the others in the same games. They meet the same boards, cards and
phases, and are reviewed by the same searches, so what searches find too much or too little in some
card or phase is no weakness of one player. A weakness must also stand out from the rest of what
the player does, so that one who loses everywhere is not told a list of all cards.

Every number that is named has an interval above 0. But among many comparisons some look large by
chance. So each family of them (tiles, cards, phases) is corrected by Holm's method.
"""

from __future__ import annotations

from collections.abc import Sequence

from kbai.core.uncertainty import Measured
from kbai.summary.cards import CardPlay
from kbai.summary.comparing import Pair
from kbai.summary.facts import Phase
from kbai.summary.rates import TAIL, beyond_chance, chance_of_more
from kbai.summary.results import Finding, Kind
from kbai.summary.tiles import TilePlay

# What is smaller is nothing to work on, however certain: gold per game, tiles and settlements per
# turn, and win probability per turn.
LEAST_GOLD = 2.0
LEAST_TILES = 0.1
LEAST_SETTLEMENTS = 0.1
LEAST_LOSS = 0.005
SETTLEMENTS = "settlements"


def tile_findings(plays: Sequence[TilePlay], built: Pair) -> list[Finding]:
    """Return which tiles are left unused, or else whether too few settlements are built."""
    pairs = [play.unused for play in plays]
    chances = [
        max(chance_of_more(pair.own.measured()), chance_of_more(pair.more()))
        for pair in (*pairs, built)
    ]
    *tiles, settlements = zip(chances, beyond_chance(chances), strict=True)
    found = []
    for play, (chance, is_found) in zip(plays, tiles, strict=True):
        if is_found and play.row.unused.own.value >= LEAST_TILES:
            kind = Kind.TILES if play is plays[0] else Kind.TILE
            found.append(Finding(kind, play.row.kind, chance, len(chances)))
    chance, is_found = settlements
    # Most tiles build: who uses too few of them also builds too little.
    if not found and is_found and built.own.measured().value >= LEAST_SETTLEMENTS:
        found.append(Finding(Kind.SETTLEMENTS, SETTLEMENTS, chance, len(chances)))
    return found


def card_findings(plays: Sequence[CardPlay], other: Sequence[CardPlay]) -> list[Finding]:
    """Return the cards with which the player gives away more gold than with others.

    ``other`` has the same cards without the turns that other findings are about.
    """
    left = {play.row.card: play for play in other}
    chances = [_card_chance(left[play.row.card]) if play.row.card in left else 1.0
               for play in plays]  # fmt: skip
    return [
        Finding(Kind.CARD, play.row.card, chance, len(chances))
        for play, chance, is_found in zip(plays, chances, beyond_chance(chances), strict=True)
        if is_found and play.row.gold.own.value >= LEAST_GOLD
    ]


def _card_chance(play: CardPlay) -> float:
    own, apart = play.gold.own.measured(), play.gold.apart_from(play.rest)
    if not are_positive(own, apart):
        return 1.0
    if play.gold.others.count:
        return chance_of_more(play.gold.more_if_alike())
    # Some cards bring more gold than others. Without others to compare with, losses have to tell.
    return 1.0 if play.more_loss is None else chance_of_more(play.more_loss)


def phase_findings(plays: Sequence[tuple[Phase, Pair, Pair]]) -> list[Finding]:
    """Return the phases in which the player loses more, each given with the rest of the game.

    Everybody loses more in some phases than in others, so without others nothing is found.
    """
    plays = [play for play in plays if play[1].others.count and play[2].others.count]
    chances = [
        max(chance_of_more(pair.more()), chance_of_more(pair.apart_from(rest)))
        for _, pair, rest in plays
    ]
    return [
        Finding(Kind.PHASE, phase, chance, len(chances))
        for (phase, pair, _), chance, is_found in zip(
            plays, chances, beyond_chance(chances), strict=True
        )
        if is_found and pair.more().value >= LEAST_LOSS
    ]


def are_positive(*tests: Measured) -> bool:
    """Tell whether each of several things is above its interval, taken alone."""
    return all(chance_of_more(test) <= TAIL for test in tests)
