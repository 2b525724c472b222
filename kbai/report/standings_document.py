"""Standings as documents: sentences, tables, and what their columns mean."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from kbai.arena.plan import Plan
from kbai.arena.ratings import Rating
from kbai.arena.standings import Standings
from kbai.arena.summaries import Summary
from kbai.core.intervals import Estimate
from kbai.core.printable import printable
from kbai.report.document import (
    Block,
    Document,
    Heading,
    Table,
    Terms,
    Text,
    document,
    number_table,
)
from kbai.report.numbers import (
    HALF_WIDTH,
    LEVEL_TEXT,
    decimal,
    half_width,
    percent,
    percent_range,
)
from kbai.report.standings_ranking import ranked
from kbai.report.standings_sentences import remarks, title, verdicts

PLACES = ("first", "second", "third", "fourth", "fifth")
# Longer names of bots are listed once, so that the tables stay narrow.
MAX_NAME = 24


def standings_document(standings: Standings) -> Document:
    """Return who is stronger, the tables, and what went wrong."""
    return document(*_blocks(standings))


def _blocks(standings: Standings) -> Iterator[Block]:
    names = _short_names(standings.plan)
    yield Text(title(standings, names))
    if any(names[label] != label for label in names):
        yield Terms(tuple((name, label) for label, name in names.items()))
    if not standings.groups:
        yield Text("No group is complete yet, so there is nothing to compare.")
    else:
        yield from map(Text, verdicts(standings, names))
        yield from _rank_blocks(standings, names)
        yield from _seat_blocks(standings, names)
    if standings.faults:
        yield Heading("Faults of the bots:")
        yield _fault_table(standings.faults, names)
    if standings.reasons:
        yield Heading("Why a bot first gave a game up:")
        yield Terms(tuple((names[label], why) for label, why in standings.reasons.items()))
    if lines := [*remarks(standings)]:
        yield Text("\n".join(lines), is_warning=True)
    if standings.groups:
        yield Terms(tuple(_terms(standings)))


def _short_names(plan: Plan) -> dict[str, str]:
    """Return what the tables call the bots, by label."""
    if all(len(label) <= MAX_NAME for label in plan.labels):
        return {label: printable(label) for label in plan.labels}
    return {label: f"bot {number}" for number, label in enumerate(plan.labels, start=1)}


def _rank_blocks(standings: Standings, names: Mapping[str, str]) -> Iterator[Block]:
    rated = len(standings.plan.bots) > 2
    for number, table in enumerate(ranked(standings)):
        if number:
            yield Text("These bots never met those above and cannot be compared with them:")
        yield _rank_table(table, names, rated=rated)
    seen = {row.bot for row in standings.summaries}
    unseen = [names[label] for label in standings.plan.labels if label not in seen]
    if unseen:
        yield Text(f"No complete group yet: {', '.join(unseen)}.")


def _rank_table(
    order: Iterable[tuple[Summary, Rating]], names: Mapping[str, str], *, rated: bool
) -> Table:
    head = ["", "bot", "games", "points", "share %", "interval", "equal"]
    head += ["gold", HALF_WIDTH, "margin", HALF_WIDTH]
    if rated:
        head += ["Elo", HALF_WIDTH]
    rows = []
    for rank, (row, rating) in enumerate(order, start=1):
        cells = [str(rank), names[row.bot], str(row.games), decimal(row.points)]
        cells += [percent(row.share.value), percent_range(row.share), percent(row.fair)]
        cells += [decimal(row.gold.value), half_width(row.gold)]
        cells += [decimal(row.margin.value, signed=True), half_width(row.margin)]
        if rated:
            cells += _elo_cells(rating.elo)
        rows.append(cells)
    return number_table(head, *rows, names=(1,))


def _elo_cells(elo: Estimate) -> tuple[str, str]:
    return decimal(elo.value, digits=0, signed=True), half_width(elo, digits=0)


def _seat_blocks(standings: Standings, names: Mapping[str, str]) -> Iterator[Block]:
    """Yield what each bot won when it moved first, second, ..."""
    rows = [row for table in ranked(standings) for row, _ in table]
    n_seats = standings.plan.seats
    games = sum(row.seats[0].games for row in rows)
    chance = 196 * math.sqrt((n_seats - 1) / n_seats**2 / games)
    lines = []
    for row in rows:
        cells = (percent(t.points / t.games) if t.games else "-" for t in row.seats)
        lines.append((names[row.bot], *cells))
    total = (math.fsum(row.seats[seat].points for row in rows) for seat in range(n_seats))
    lines.append(("all", *(percent(points / games) for points in total)))
    yield Heading("Share of the points by turn order, in %:")
    yield number_table(("bot", *PLACES[:n_seats]), *lines)
    yield Text(
        f"If turn order does not matter, 'all' is {percent(1 / n_seats)} everywhere, "
        f"give or take {chance:.1f} by chance."
    )


def _fault_table(faults: Mapping[str, Mapping[str, int]], names: Mapping[str, str]) -> Table:
    kinds = list(dict.fromkeys(kind for counts in faults.values() for kind in counts))
    rows = (
        (names[label], *(str(counts.get(kind, 0)) for kind in kinds))
        for label, counts in faults.items()
    )
    return number_table(("bot", *kinds), *rows)


def _terms(standings: Standings) -> Iterator[tuple[str, str]]:
    yield (
        "group",
        "one deal, played once in each rotation of the bots over the seats; it counts as one "
        "result, because its games share their luck",
    )
    yield "points", "1 per game for the most gold; a tie shares it"
    yield "share %", "the bot's share of the points in its games; bots are ranked by it"
    yield "equal", "the share it would have if all bots were equally strong"
    yield "margin", "the bot's gold minus the best opponent's"
    if len(standings.plan.bots) > 2:
        yield (
            "Elo",
            "strength, from how the seats rank by gold; 0 is the mean of the table, and 400 more "
            "means odds of ten to one",
        )
    if standings.sprt is not None:
        yield (
            "LLR",
            "log-likelihood ratio: how much better the first Elo explains the groups than the "
            "second",
        )
    yield "interval", f"{LEVEL_TEXT}, counted over groups; so are +/- and the ranges in brackets"
