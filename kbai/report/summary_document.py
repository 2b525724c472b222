"""Summaries of a player's reviews as documents: what to work on, and the tables it rests on.

docs/review.md explains the columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kbai.core.intervals import Estimate
from kbai.explain.sentence import NOTHING
from kbai.game.setup import setup_of
from kbai.report.document import (
    Column,
    Document,
    Emphasis,
    Heading,
    Kind,
    Lines,
    Row,
    Section,
    Table,
    Terms,
    Text,
)
from kbai.report.numbers import HALF_WIDTH, LEVEL_TEXT, decimal, half_width, percent, reach
from kbai.report.review_document import limit_text
from kbai.report.summary_sentences import advice, method, overview
from kbai.report.turns import chosen_turn, played_turn
from kbai.report.why import why_best
from kbai.review.results import MARKS
from kbai.summary.results import Compared, Summary, WorstTurn
from kbai.summary.tiles import EVERY

ADVICE, ALL, PHASES, CARDS, TILES, WORST, TERMS = (
    "advice", "all", "phases", "cards", "tiles", "worst", "terms",
)  # fmt: skip
"""Sections that pages show, too."""
PLAYER, OTHERS, MORE = "player", "others", "more"


def summary_document(summary: Summary) -> Document:
    """Return what the reviews of a player's games say."""
    return Document(tuple(_sections(summary)))


def _sections(summary: Summary) -> Iterator[Section]:
    yield Section("title", (Heading(_title(summary), level=1),))
    texts = (*advice(summary), overview(summary), method(summary))
    yield Section(ADVICE, (Heading("What to work on:"), *map(Text, texts)))
    yield Section(ALL, (Heading("All turns:"), _overall_table(summary)))
    yield Section(PHASES, (Heading("By phase of the game:"), _phase_table(summary)))
    if summary.cards:
        yield Section(CARDS, (Heading("By scoring card in play:"), _card_table(summary)))
    if summary.tiles:
        yield Section(TILES, (Heading("By kind of tile:"), _tile_table(summary)))
    if summary.worst:
        blocks = (_worst_table(summary), Lines(tuple(map(_why_line, summary.worst))))
        yield Section(WORST, (Heading("The worst turns:"), *blocks))
    yield Section(TERMS, (Terms(tuple(_terms(summary))),))


def _title(summary: Summary) -> str:
    games, turns = _count(summary.games, "game"), _count(summary.turns, "turn")
    how = f"{limit_text(summary.limit)} a turn, seed {summary.seed}"
    return f"{summary.player}: {games}, {turns} ({how})"


def _count(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number} {what}s"


def _overall_table(summary: Summary) -> Table:
    rows = [
        ("loss a turn, win %", *_compared(summary.loss, scale=100.0)),
        ("loss a turn, gold", *_compared(summary.loss_gold)),
        ("settlements not built a turn", *_compared(summary.built, digits=2)),
    ]
    alone = [("luck a game, win %", summary.luck, True)]
    if summary.points is not None:
        alone.append(("games won, %", summary.points, False))
    rows += [
        (name, percent(value.value, signed=signed), half_width(value, scale=100.0), "", "", "", "")
        for name, value, signed in alone
    ]
    rows += [
        (f"turns marked {mark}", str(count), *[""] * 5)
        for (mark, _), count in zip(MARKS, summary.marks, strict=True)
    ]
    return _table(("", Kind.NAME), *_heads(PLAYER), rows=rows)


def _phase_table(summary: Summary) -> Table:
    rows = [
        (
            row.phase,
            str(row.turns),
            *_compared(row.loss, scale=100.0),
            f"{100 * row.share:.0f}",
        )
        for row in summary.phases
    ]
    return _table(("phase", Kind.NAME), "turns", *_heads("loss"), "of all %", rows=rows)


def _card_table(summary: Summary) -> Table:
    rows = [
        (
            row.card.replace("_", " "),
            str(row.games),
            *_value(row.gold.own),
            *_value(row.gold.others)[:1],
            *_value(row.apart, signed=True),
            *_value(row.loss.own, scale=100.0),
            *_value(row.loss.others, scale=100.0)[:1],
            *_value(row.without, scale=100.0)[:1],
        )
        for row in summary.cards
    ]
    gold = ("gold", HALF_WIDTH, OTHERS, "apart", HALF_WIDTH)
    loss = ("loss", HALF_WIDTH, OTHERS, "without")
    return _table(("card", Kind.NAME), "games", *gold, *loss, rows=rows)


def _tile_table(summary: Summary) -> Table:
    rows = [
        Row(
            (
                row.kind.replace("_", " "),
                str(row.turns),
                decimal(row.played, digits=2),
                decimal(row.best, digits=2),
                *_compared(row.unused, digits=2),
                percent(row.cost),
            ),
            (Emphasis.BEST,) if row.kind == EVERY else (),
        )
        for row in summary.tiles
    ]
    heads = ("turns", "used", "best", *_heads("unused"), "cost a game")
    columns = (Column("tile", Kind.NAME), *map(Column, heads))
    return Table(columns, tuple(rows))


def _worst_table(summary: Summary) -> Table:
    columns = (
        Column("turn"),
        Column("", Kind.NAME),
        Column("seat", Kind.NAME),
        Column("card", Kind.NAME),
        Column("played", Kind.PROSE),
        Column("best", Kind.PROSE),
        *map(Column, ("loss", HALF_WIDTH, "gold")),
        Column("game", Kind.NAME),
    )
    return Table(columns, tuple(map(_worst_row, summary.worst)))


def _why_line(worst: WorstTurn) -> str:
    review = worst.turn.review
    mark = f" {review.mark}" if review.mark else ""
    return f"turn {review.number}{mark}, {worst.game}: {why_worst(worst)}"


def _worst_row(worst: WorstTurn) -> Row:
    review = worst.turn.review
    played, best = played_turn(review), chosen_turn(review.position, review.best)
    return Row((
        str(review.number),
        review.mark,
        setup_of(review.position).seats[review.seat],
        played.card,
        played.summary,
        best.summary,
        percent(review.loss.win.value),
        reach(review.loss.win, scale=100.0),
        decimal(review.loss.gold.value),
        worst.game,
    ))  # fmt: skip


def why_worst(worst: WorstTurn) -> str:
    """Return why the best turn was better: the tiles that only it used, gold and what to see."""
    parts = [f"leaves {_list(worst.turn.unused)} unused"] if worst.turn.unused else []
    why = why_best(worst.turn.review)
    if why is not None:
        parts.append(why.sentence)
    return "; ".join(parts) or NOTHING


def _list(kinds: Sequence[str]) -> str:
    *first, last = (kind.replace("_", " ") for kind in kinds)
    return f"{', '.join(first)} and {last}" if first else last


def _heads(first: str) -> tuple[str, ...]:
    return (first, HALF_WIDTH, OTHERS, HALF_WIDTH, MORE, HALF_WIDTH)


def _compared(compared: Compared, *, scale: float = 1.0, digits: int = 1) -> tuple[str, ...]:
    return (
        *_value(compared.own, scale=scale, digits=digits),
        *_value(compared.others, scale=scale, digits=digits),
        *_value(compared.more, scale=scale, digits=digits, signed=True),
    )


def _value(
    estimate: Estimate | None, *, scale: float = 1.0, digits: int = 1, signed: bool = False
) -> tuple[str, str]:
    if estimate is None:
        return "", ""
    value = decimal(scale * estimate.value, digits=digits, signed=signed)
    return value, half_width(estimate, scale=scale, digits=digits)


def _table(first: tuple[str, Kind], *heads: str, rows: Sequence[tuple[str, ...]]) -> Table:
    return Table((Column(*first), *map(Column, heads)), tuple(map(Row, rows)))


def _terms(summary: Summary) -> Iterator[tuple[str, str]]:
    yield (
        "loss",
        "what the played turns cost against the best ones found, in points of win % a turn",
    )
    yield HALF_WIDTH, f"for the number to its left: {LEVEL_TEXT}, by how much games differ"
    if summary.loss.others is not None:
        yield OTHERS, "the same for all other players in the same games"
        yield MORE, "the player's number minus that of the others, paired by game"
    yield "phase", "a third of the game, by the settlements of whoever has built the most"
    if summary.cards:
        yield "gold", "gold from this card that better turns would have brought, a game with it"
        yield (
            "apart",
            "how much more that is than from the player's other cards, both minus the others' gold",
        )
        yield "without", "the player's loss in games without the card"
    if summary.tiles:
        yield "used, best", "tiles used in a turn that begins with such a tile ready; by best turns"
        yield "unused", "tiles that the best turn used and the played one did not, a turn"
        yield "cost", "loss in turns with unused tiles, in points of win % a game"
