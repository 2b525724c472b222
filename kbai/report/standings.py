"""Standings as text, Markdown, CSV and for JSON.

Text and Markdown hold the same paragraphs and tables and explain themselves; CSV and JSON have
the numbers unrounded, shares from 0 to 1, and nothing where an end of an interval is infinite.
"""

from __future__ import annotations

import csv
import io
import json
import math
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kbai.arena.plan import Plan
from kbai.arena.ratings import Rating
from kbai.arena.results import GIVEN_UP, Result
from kbai.arena.standings import Standings
from kbai.arena.summaries import Summary
from kbai.core.intervals import Estimate
from kbai.report.scores import format_table

PLACES = ("first", "second", "third", "fourth", "fifth")
KIND_NAMES = {"match": "Match", "round_robin": "Round robin", "gauntlet": "Gauntlet"}
# Longer names of bots are listed once, so that the tables stay narrow.
MAX_NAME = 24
# How much a set of groups must have in it before it tells what pairing is worth.
MIN_GROUPS = 10
# What is told of games that could not be played.
MAX_LOST = 3
WIDTH = 100
UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of texts, the first of them the head; the first columns are to the left."""

    rows: tuple[tuple[str, ...], ...]
    names: int = 0
    """Which column has names; the others have numbers."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Words and what they mean."""

    rows: tuple[tuple[str, str], ...]


Block = str | Table | Terms


def format_standings(standings: Standings, form: str) -> str:
    """Return the standings in one of `FORMATS`."""
    return FORMATS[form](standings)


def standings_text(standings: Standings) -> str:
    """Return the standings for a terminal."""
    return "\n\n".join(map(_block_text, _blocks(standings)))


def standings_markdown(standings: Standings) -> str:
    """Return the standings for a web page or an issue."""
    return "\n\n".join(map(_block_markdown, _blocks(standings)))


def _block_text(block: Block) -> str:
    if isinstance(block, Table):
        return format_table(block.rows, block.names)
    if isinstance(block, Terms):
        width = max(len(word) for word, _ in block.rows) + 2
        return "\n".join(_wrap(f"{word.ljust(width)}{text}", width) for word, text in block.rows)
    return "\n".join(map(_wrap, block.split("\n")))


def _wrap(line: str, indent: int = 0) -> str:
    return "\n".join(
        textwrap.wrap(
            line,
            WIDTH,
            subsequent_indent=" " * indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
    )


def _block_markdown(block: Block) -> str:
    if isinstance(block, Table):
        return _table_markdown(block)
    if isinstance(block, Terms):
        return "\n".join(f"- {_escape(word)}: {_escape(text)}" for word, text in block.rows)
    return _escape(block)


def _table_markdown(table: Table) -> str:
    head, *rows = table.rows
    rule = [":--" if column == table.names else "--:" for column in range(len(head))]
    lines = [list(head), rule, *([_escape(text) for text in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _escape(text: str) -> str:
    for sign in "\\|*_`<#":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\n", "  \n")


def _blocks(standings: Standings) -> Iterator[Block]:
    """Yield what is to be told, in order."""
    names = _short_names(standings.plan)
    yield _title(standings, names)
    if any(names[label] != label for label in names):
        yield Terms(tuple((name, label) for label, name in names.items()))
    if not standings.groups:
        yield "No group is complete yet, so there is nothing to compare."
    else:
        yield from _verdicts(standings, names)
        yield from _rank_blocks(standings, names)
        yield from _seat_blocks(standings, names)
    if standings.faults:
        yield "Faults of the bots:"
        yield _fault_table(standings.faults, names)
    yield from _remarks(standings)
    if standings.groups:
        yield _legend(standings)


def _short_names(plan: Plan) -> dict[str, str]:
    """Return how the bots are called in the tables."""
    if all(len(label) <= MAX_NAME for label in plan.labels):
        return {label: label for label in plan.labels}
    return {label: f"bot {number}" for number, label in enumerate(plan.labels, start=1)}


def _title(standings: Standings, names: Mapping[str, str]) -> str:
    plan = standings.plan
    what = KIND_NAMES[plan.kind]
    if plan.kind == "gauntlet":
        what += f" of {names[plan.focus]} against {_count(len(plan.bots) - 1, 'other bot')}"
    elif plan.kind == "match":
        *others, last = names.values()
        what += f" of {', '.join(others)} and {last}"
    else:
        what += f" of {_count(len(plan.bots), 'bot')}"
    planned = len(plan.lineups) * plan.groups
    lines = [
        f"{what} on {plan.seats} seats: {_part(standings.groups, planned, 'group')}, "
        f"{_part(standings.games, plan.n_games, 'game')}.",
        f"Seed {plan.seed}; sets {', '.join(plan.sets)}",
    ]
    for name, values in (
        ("board", plan.board),
        ("cards", plan.cards),
        ("without the cards", plan.exclude_cards),
        ("options", tuple("=".join(pair) for pair in plan.options)),
    ):
        if values:
            lines[-1] += f"; {name} {', '.join(values)}"
    return "\n".join([lines[0], f"{lines[1]}."])


def _part(done: int, planned: int, what: str) -> str:
    return _count(done, what) if done == planned else f"{done} of {_count(planned, what)}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


# --- sentences ----------------------------------------------------------------------------------


def _verdicts(standings: Standings, names: Mapping[str, str]) -> Iterator[str]:
    plan = standings.plan
    rows = {row.bot: row for row in standings.summaries}
    if plan.kind == "match":
        first = rows[plan.labels[0]]
        yield _duel(standings, first, names) if plan.seats == 2 else _against_all(rows, names)
    if standings.sprt is not None:
        reason = standings.sprt.reason[0].lower() + standings.sprt.reason[1:]
        text = f"Sequential test of {names[plan.labels[0]]}: {reason}"
        if standings.sprt.decision != "open" and standings.sprt.groups == standings.groups:
            text += "\nA test that ends early makes the numbers here lean to the side it ended on."
        yield text


def _duel(standings: Standings, first: Summary, names: Mapping[str, str]) -> str:
    """Return the result of two bots in words."""
    one, other = (names[label] for label in standings.plan.labels)
    share, elo = first.share, standings.elo
    text = (
        f"{one} won {_percent(share.value)} % of the points against {other} ({_range(share)}) "
        f"over {_count(first.groups, 'group')} of 2 games.\n"
    )
    if share.low > first.fair:
        settled = f"{one} is the stronger one"
    elif share.high < first.fair:
        settled = f"{other} is the stronger one"
    else:
        settled = "which of them is stronger is not settled"
    assert elo is not None  # there are groups, and two bots in them
    ends = f"{_signed(elo.low, 0)} to {_signed(elo.high, 0)}"
    text += f"That is {_signed(elo.value, 0)} Elo ({ends}): {settled}."
    return f"{text}{_pairing(first)}"


def _pairing(row: Summary) -> str:
    """Return what it was worth to play each deal from both sides."""
    factor = row.variance_factor
    if factor is None or row.groups < MIN_GROUPS:
        return ""
    if factor < 1.05:
        return "\nPairing made the interval no narrower than as many unpaired games would."
    return (
        f"\nPairing made the interval as narrow as {factor:.1f} times as many unpaired games would."
    )


def _against_all(rows: Mapping[str, Summary], names: Mapping[str, str]) -> str:
    """Return who is above and below the share that equal bots would have, in words."""
    above = [names[bot] for bot, row in rows.items() if row.share.low > row.fair]
    below = [names[bot] for bot, row in rows.items() if row.share.high < row.fair]
    other = [names[bot] for bot in rows if names[bot] not in (*above, *below)]
    parts = [
        f"{what}: {', '.join(found)}"
        for what, found in (
            ("Better than equal bots would be", above),
            ("worse", below),
            ("not settled", other),
        )
        if found
    ]
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def _remarks(standings: Standings) -> Iterator[str]:
    """Yield what is out of the ordinary."""
    plan, outcomes = standings.plan, standings.outcomes
    lines = []
    waiting = standings.games - len(standings.lost) - standings.groups * plan.seats
    if waiting:
        verb = "is in a group that is" if waiting == 1 else "are in groups that are"
        lines.append(f"{_count(waiting, 'game')} {verb} not complete, and not counted.")
    if number := outcomes.get("given up"):
        verb = "was" if number == 1 else "were"
        lines.append(
            f"{_count(number, 'game')} {verb} given up; the bot that did is last, "
            f"with {GIVEN_UP} gold."
        )
    if number := outcomes.get("too long"):
        verb = "was" if number == 1 else "were"
        lines.append(
            f"{_count(number, 'game')} {verb} broken off after {plan.max_steps} steps and counted "
            "with the gold of that moment."
        )
    if standings.lost:
        verb = "was" if len(standings.lost) == 1 else "were"
        lines.append(f"{_count(len(standings.lost), 'game')} could not be played and {verb} not "
                     "counted:")  # fmt: skip
        lines += [f"  {game.id} {game.outcome}: {game.reason}"
                  for game in standings.lost[:MAX_LOST]]  # fmt: skip
        if len(standings.lost) > MAX_LOST:
            lines.append(f"  and {len(standings.lost) - MAX_LOST} more")
    if lines:
        yield "\n".join(lines)


# --- tables -------------------------------------------------------------------------------------


def _ranked(standings: Standings) -> list[list[tuple[Summary, Rating]]]:
    """Return the bots in tables of those that can be compared, the best first."""
    rows = {row.bot: row for row in standings.summaries}
    tables = ([(rows[rating.bot], rating) for rating in ratings] for ratings in standings.ratings)
    return [
        # By share; of those with the same, the one with more Elo, which is the order they are in.
        sorted(table, key=lambda pair: -round(pair[0].share.value / pair[0].fair, 9))
        for table in tables
    ]


def _rank_blocks(standings: Standings, names: Mapping[str, str]) -> Iterator[Block]:
    rated = len(standings.plan.bots) > 2
    for number, table in enumerate(_ranked(standings)):
        if number:
            yield "These bots never met those above and cannot be compared with them:"
        yield _rank_table(table, names, rated=rated)
    seen = {row.bot for row in standings.summaries}
    unseen = [names[label] for label in standings.plan.labels if label not in seen]
    if unseen:
        yield f"No complete group yet: {', '.join(unseen)}."


def _legend(standings: Standings) -> Terms:
    """Return what the columns mean."""
    rows = [
        ("group", "one deal, played once in each rotation of the bots over the seats; it counts as "
         "a whole, for its games are not independent"),
        ("points", "one a game for the most gold, shared equally by those who have it"),
        ("share %", "of the points of its games; the bots are ranked by it"),
        ("equal", "the share that equal bots would have"),
        ("margin", "gold more than the best other seat had"),
    ]  # fmt: skip
    if len(standings.plan.bots) > 2:
        rows.append((
            "Elo", "strength, from the order of all seats by gold; 0 is the mean of the table, "
            "400 more are odds of ten to one"
        ))  # fmt: skip
    if standings.sprt is not None:
        rows.append((
            "LLR", "logarithm of how much likelier the groups are with the first Elo than with "
            "the second"
        ))  # fmt: skip
    rows.append(("interval", "95 of 100 such intervals hold the true value; so with +/- and (...)"))
    return Terms(tuple(rows))


def _rank_table(
    order: Iterable[tuple[Summary, Rating]], names: Mapping[str, str], *, rated: bool
) -> Table:
    head = ["", "bot", "games", "points", "share %", "interval", "equal"]
    head += ["gold", "+/-", "margin", "+/-"]
    if rated:
        head += ["Elo", "+/-"]
    lines = [tuple(head)]
    for rank, (row, rating) in enumerate(order, start=1):
        cells = [str(rank), names[row.bot], str(row.games), f"{row.points:.1f}"]
        cells += [_percent(row.share.value), _range(row.share), _percent(row.fair)]
        cells += [f"{row.gold.value:.1f}", _half(row.gold, 1)]
        cells += [_signed(row.margin.value, 1), _half(row.margin, 1)]
        if rated:
            cells += [_signed(rating.elo.value, 0), _half(rating.elo, 0)]
        lines.append(tuple(cells))
    return Table(tuple(lines), names=1)


def _seat_blocks(standings: Standings, names: Mapping[str, str]) -> Iterator[Block]:
    """Yield what each bot won as the first to move, the second, ..."""
    rows = [row for table in _ranked(standings) for row, _ in table]
    n_seats = standings.plan.seats
    games = sum(row.seats[0].games for row in rows)
    chance = 196 * math.sqrt((n_seats - 1) / n_seats**2 / games)
    yield "Share of the points in % by turn order:"
    lines = [("bot", *PLACES[:n_seats])]
    for row in rows:
        cells = (_percent(t.points / t.games) if t.games else "-" for t in row.seats)
        lines.append((names[row.bot], *cells))
    total = (math.fsum(row.seats[seat].points for row in rows) for seat in range(n_seats))
    lines.append(("all", *(_percent(points / games) for points in total)))
    yield Table(tuple(lines))
    yield (
        f"If turn order does not matter, 'all' is {_percent(1 / n_seats)} everywhere, "
        f"give or take {chance:.1f} by chance."
    )


def _fault_table(faults: Mapping[str, Mapping[str, int]], names: Mapping[str, str]) -> Table:
    kinds = list(dict.fromkeys(kind for counts in faults.values() for kind in counts))
    rows = [
        (names[label], *(str(counts.get(kind, 0)) for kind in kinds))
        for label, counts in faults.items()
    ]
    return Table((("bot", *kinds), *rows))


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _range(share: Estimate) -> str:
    return f"{_percent(share.low)}-{_percent(share.high)}"


def _signed(value: float, digits: int) -> str:
    return f"{round(value, digits) + 0.0:+.{digits}f}"  # + 0.0: never -0.0


def _half(estimate: Estimate, digits: int) -> str:
    half = (estimate.high - estimate.low) / 2
    return f"{half:.{digits}f}" if math.isfinite(half) else UNKNOWN


# --- for programs -------------------------------------------------------------------------------


def standings_csv(standings: Standings) -> str:
    """Return a row for each bot."""
    rows = [_flat(row) for row in _bot_dicts(standings)]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else ["bot"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().rstrip("\n")


def _flat(row: Mapping[str, object]) -> dict[str, object]:
    """Return a dict without dicts in it: ``share.low`` becomes ``share_low``."""
    flat: dict[str, object] = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            inner = _flat(value).items()
            flat |= {key if name == "value" else f"{key}_{name}": item for name, item in inner}
        elif isinstance(value, list):
            flat |= _flat({f"{key}_{number}": item for number, item in enumerate(value, start=1)})
        else:
            flat[key] = value
    return flat


def standings_json(standings: Standings) -> str:
    """Return the standings as one JSON object."""
    return json.dumps(standings_dict(standings), indent=2, allow_nan=False)


def standings_dict(standings: Standings) -> dict[str, object]:
    """Return the standings as ``--format json`` prints them."""
    plan, sprt = standings.plan, standings.sprt
    return {
        "plan": plan.to_dict(),
        "games": standings.games,
        "games_planned": plan.n_games,
        "groups": standings.groups,
        "groups_planned": len(plan.lineups) * plan.groups,
        "bots": _bot_dicts(standings),
        "elo": standings.elo and _estimate_dict(standings.elo),
        "sprt": sprt and {
            "decision": sprt.decision,
            "groups": sprt.groups,
            "llr": sprt.llr,
            "low": sprt.low,
            "high": sprt.high,
            "reason": sprt.reason,
        },
        "outcomes": dict(standings.outcomes),
        "faults": {label: dict(counts) for label, counts in standings.faults.items()},
        "lost": [
            {"id": game.id, "outcome": game.outcome, "reason": game.reason, "bots": list(game.bots)}
            for game in standings.lost
        ],
    }  # fmt: skip


def _bot_dicts(standings: Standings) -> list[dict[str, object]]:
    return [
        _bot_dict(row, rating, number, rank)
        for number, table in enumerate(_ranked(standings), start=1)
        for rank, (row, rating) in enumerate(table, start=1)
    ]


def _bot_dict(row: Summary, rating: Rating, table: int, rank: int) -> dict[str, object]:
    return {
        "table": table,
        "rank": rank,
        "bot": row.bot,
        "groups": row.groups,
        "games": row.games,
        "points": row.points,
        "share": _estimate_dict(row.share),
        "fair": row.fair,
        "gold": _estimate_dict(row.gold),
        "margin": _estimate_dict(row.margin),
        "rating": _estimate_dict(rating.elo),
        "variance_factor": row.variance_factor,
        "seat": [
            {"games": t.games, "wins": t.wins, "ties": t.ties, "points": t.points, "gold": t.gold}
            for t in row.seats
        ],
    }


def _estimate_dict(estimate: Estimate) -> dict[str, float | None]:
    ends = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {key: end if math.isfinite(end) else None for key, end in ends.items()}


FORMATS: dict[str, Callable[[Standings], str]] = {
    "text": standings_text,
    "markdown": standings_markdown,
    "csv": standings_csv,
    "json": standings_json,
}


def games_text(results: Sequence[Result]) -> str:
    """Return a list of games: id, deal, bots and gold by seat, and what was the matter."""
    rows = [["game", "deal", "turns", "bots and gold"]]
    for game in results:
        seats = ", ".join(f"{b} {g}" for b, g in zip(game.bots, game.gold, strict=True))
        matter = "" if game.outcome == "over" else f" ({game.outcome})"
        rows.append([game.id, str(game.deal), str(game.turns), f"{seats}{matter}"])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        f"{id.ljust(widths[0])}  {deal.rjust(widths[1])}  {turns.rjust(widths[2])}  {seats}"
        for id, deal, turns, seats in rows
    )
