"""What to work on, in sentences with the numbers they rest on."""

from __future__ import annotations

import math
from collections.abc import Iterator

from kbai.core.intervals import Estimate
from kbai.report.numbers import decimal, percent
from kbai.summary.results import CardRow, Compared, Kind, PhaseRow, Summary, TileRow

# How many kinds of tile a sentence names.
NAMED = 3
# With fewer games than this, only what is large can be told from chance.
FEW = 20


def advice(summary: Summary) -> Iterator[str]:
    """Yield what to work on, the gravest first, or why nothing can be said."""
    texts = list(_findings(summary))
    if len(texts) > 1:
        texts = [f"{number}. {text}" for number, text in enumerate(texts, start=1)]
    yield from texts or [_nothing_text(summary)]
    if 1 < summary.games < FEW:
        few = f"There are only {summary.games} games"
        yield f"{few}: smaller weaknesses cannot be told from chance yet."


def _findings(summary: Summary) -> Iterator[str]:
    found = {kind: [each.name for each in summary.findings if each.kind == kind] for kind in Kind}
    tiles = {row.kind: row for row in summary.tiles}
    kinds = [tiles[name] for name in found[Kind.TILE]]
    if found[Kind.TILES]:
        yield _tiles_text(summary, tiles[found[Kind.TILES][0]], kinds)
    else:
        yield from (_tile_text(summary, row) for row in kinds)
    if found[Kind.SETTLEMENTS]:
        yield _settlements_text(summary)
    cards = {row.card: row for row in summary.cards}
    yield from (_card_text(summary, cards[name]) for name in found[Kind.CARD])
    phases = {str(row.phase): row for row in summary.phases}
    yield from (_phase_text(summary, phases[name]) for name in found[Kind.PHASE])


def overview(summary: Summary) -> str:
    """Say how much the player loses, compared with the others."""
    loss = summary.loss
    text = f"{summary.player} loses {percent(loss.own.value)} points of win % a turn"
    text += f"{_range(loss.own, 100.0)}, {percent(summary.loss_per_game)} a game"
    if loss.others is not None and loss.more is not None:
        more = loss.more
        text += f". The others in the same games lose {percent(loss.others.value)} a turn: "
        if more.low > 0:
            text += f"{percent(more.value)} less{_range(more, 100.0)}"
        elif more.high < 0:
            turned = Estimate(-more.value, -more.high, -more.low)
            text += f"{percent(turned.value)} more{_range(turned, 100.0)}"
        else:
            text += "the difference is within its interval"
    if summary.phases and summary.loss_per_game > 0:
        worst = max(summary.phases, key=lambda row: row.share)
        text += f". {100 * worst.share:.0f} % of the loss is in {_phase_name(worst)}"
    return f"{text}."


def method(summary: Summary) -> str:
    """Say what findings are beyond, and how many comparisons were made."""
    return (
        "Only what chance does not explain is named: beyond a 95 % interval from games, compared "
        "with the others in the same games, and corrected (Holm) for the number of comparisons: "
        f"{len(summary.tiles) + 1} of tiles and settlements, {len(summary.cards)} of cards, "
        f"{len(summary.phases)} of phases."
    )


def _nothing_text(summary: Summary) -> str:
    if summary.games < 2:
        return "Nothing can be said yet: one game has no intervals."
    if summary.loss.others is None:
        return "No tile or card stands out. Phases need turns of others to compare with."
    return "Nothing stands out: no tile, card or phase is beyond its interval."


def _tiles_text(summary: Summary, row: TileRow, kinds: list[TileRow]) -> str:
    text = f"Use more tiles. {_unused_text(summary, row, 'a tile')}"
    if kinds:
        text += f" Most of all: {_list([each.kind.replace('_', ' ') for each in kinds[:NAMED]])}."
    return text


def _tile_text(summary: Summary, row: TileRow) -> str:
    name = row.kind.replace("_", " ")
    return f"Use the {name} more often. {_unused_text(summary, row, 'one')}"


def _unused_text(summary: Summary, row: TileRow, what: str) -> str:
    unused = row.unused
    text = (
        f"In the {row.turns} turns with {what} ready, the best turn used "
        f"{decimal(unused.own.value, digits=2)} more than {summary.player} did"
        f"{_range(unused.own, 1.0, digits=2)}{_others_text(unused, digits=2)}."
    )
    cost, every = percent(row.cost), percent(summary.loss_per_game)
    return f"{text} These turns cost {cost} of the {every} points of win % lost a game."


def _settlements_text(summary: Summary) -> str:
    built = summary.built
    return (
        f"Build more settlements. The best turn built {decimal(built.own.value, digits=2)} more "
        f"than {summary.player} did{_range(built.own, 1.0, digits=2)}"
        f"{_others_text(built, digits=2)}."
    )


def _card_text(summary: Summary, row: CardRow) -> str:
    name = row.card.replace("_", " ")
    text = (
        f"Make more of {name}. In the {row.games} games with {name}, better turns would have "
        f"brought {decimal(row.gold.own.value)} gold more a game from there"
        f"{_range(row.gold.own, 1.0)}{_others_text(row.gold)}. In these games {summary.player} "
        f"loses {percent(row.loss.own.value)} points of win % a turn"
    )
    if row.without is not None:
        text += f", in the other games {percent(row.without.value)}"
    return f"{text}."


def _phase_text(summary: Summary, row: PhaseRow) -> str:
    assert row.loss.others is not None and row.loss.more is not None
    return (
        f"Take more time in {_phase_name(row)}. There {summary.player} loses "
        f"{percent(row.loss.own.value)} points of win % a turn, the others "
        f"{percent(row.loss.others.value)}: {percent(row.loss.more.value)} more"
        f"{_range(row.loss.more, 100.0)}, a larger difference than in the rest of the game."
    )


def _phase_name(row: PhaseRow) -> str:
    return {"opening": "the opening", "middle": "the middle of the game", "end": "the end"}[
        row.phase
    ]


def _others_text(compared: Compared, *, digits: int = 1) -> str:
    if compared.others is None:
        return ""
    return f"; for the others it is {decimal(compared.others.value, digits=digits)}"


def _range(estimate: Estimate, scale: float, *, digits: int = 1) -> str:
    """Return the ends of an interval in brackets; nothing if they are not known."""
    if not (math.isfinite(estimate.low) and math.isfinite(estimate.high)):
        return ""
    low, high = (decimal(scale * end, digits=digits) for end in (estimate.low, estimate.high))
    return f" ({low} to {high})"


def _list(names: list[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
