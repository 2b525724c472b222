"""What standings say in sentences: what was played, who is stronger, and what went wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kbai.arena.results import GIVEN_UP
from kbai.arena.standings import Standings
from kbai.arena.summaries import Summary
from kbai.core.printable import printable
from kbai.report.numbers import decimal, percent, percent_range

KIND_NAMES = {"match": "Match", "round_robin": "Round robin", "gauntlet": "Gauntlet"}
# With fewer groups than this, nobody can say what pairing was worth.
MIN_GROUPS = 10
# How many of the games that could not be played are listed.
MAX_LOST = 3


def title(standings: Standings, names: Mapping[str, str]) -> str:
    """Return what was played; ``names`` are those of the bots, by label."""
    plan = standings.plan
    what = KIND_NAMES[plan.kind]
    if plan.kind == "gauntlet":
        what += f" of {names[plan.focus]} against {_count(len(plan.bots) - 1, 'other bot')}"
    elif plan.kind == "match":
        *others, last = names.values()
        what += f" between {', '.join(others)} and {last}"
    else:
        what += f" of {_count(len(plan.bots), 'bot')}"
    planned = len(plan.lineups) * plan.groups
    groups = _part(standings.groups, planned, "group")
    games = _part(standings.games, plan.n_games, "game")
    deals = f"sets {', '.join(plan.sets)}"
    if plan.positions:
        deals = f"from {_count(len(plan.positions), 'start position')}"
    choices = [f"Seed {plan.seed}", deals]
    for name, values in (
        ("board", plan.board),
        ("cards", plan.cards),
        ("without the cards", plan.exclude_cards),
        ("options", tuple("=".join(pair) for pair in plan.options)),
    ):
        if values:
            choices.append(f"{name} {', '.join(values)}")
    return f"{what}, {plan.seats} seats: {groups}, {games}.\n{'; '.join(choices)}."


def _part(done: int, planned: int, what: str) -> str:
    return _count(done, what) if done == planned else f"{done} of {_count(planned, what)}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def verdicts(standings: Standings, names: Mapping[str, str]) -> Iterator[str]:
    """Yield who is stronger, and how a sequential test went."""
    plan = standings.plan
    rows = {row.bot: row for row in standings.summaries}
    if plan.kind == "match":
        first = rows[plan.labels[0]]
        yield _duel(standings, first, names) if plan.seats == 2 else _against_all(rows, names)
    if standings.sprt is not None:
        reason = standings.sprt.reason[0].lower() + standings.sprt.reason[1:]
        text = f"Sequential test of {names[plan.labels[0]]}: {reason}"
        if standings.sprt.decision != "open" and standings.sprt.groups == standings.groups:
            text += "\nA test that stops early makes the numbers here lean towards its verdict."
        yield text


def _duel(standings: Standings, first: Summary, names: Mapping[str, str]) -> str:
    """Return the result of two bots."""
    one, other = (names[label] for label in standings.plan.labels)
    share, elo = first.share, standings.elo
    text = (
        f"{one} won {percent(share.value)} % of the points against {other} "
        f"({percent_range(share)}) over {_count(first.groups, 'group')} of 2 games.\n"
    )
    if share.low > first.fair:
        settled = f"{one} is stronger"
    elif share.high < first.fair:
        settled = f"{other} is stronger"
    else:
        settled = "it is not settled which one is stronger"
    assert elo is not None  # there are groups, and two bots in them
    value, low, high = (decimal(x, digits=0, signed=True) for x in (elo.value, elo.low, elo.high))
    return f"{text}That is {value} Elo ({low} to {high}): {settled}.{_pairing(first)}"


def _pairing(row: Summary) -> str:
    """Return what it was worth to play each deal from both sides."""
    factor = row.variance_factor
    if factor is None or row.groups < MIN_GROUPS:
        return ""
    if factor < 1.05:
        return "\nPairing made the interval no narrower than the same number of unpaired games."
    return f"\nPairing made the interval as narrow as {factor:.1f} times as many unpaired games."


def _against_all(rows: Mapping[str, Summary], names: Mapping[str, str]) -> str:
    """Return who is above and who is below the share of equally strong bots."""
    above = [names[bot] for bot, row in rows.items() if row.share.low > row.fair]
    below = [names[bot] for bot, row in rows.items() if row.share.high < row.fair]
    other = [names[bot] for bot in rows if names[bot] not in (*above, *below)]
    parts = [
        f"{what}: {', '.join(found)}"
        for what, found in (
            ("stronger than average", above),
            ("weaker", below),
            ("not settled", other),
        )
        if found
    ]
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def remarks(standings: Standings) -> Iterator[str]:
    """Yield, a line each, what is out of the ordinary."""
    plan, outcomes = standings.plan, standings.outcomes
    waiting = standings.games - len(standings.lost) - standings.groups * plan.seats
    if waiting:
        where = "an incomplete group and is" if waiting == 1 else "incomplete groups and are"
        verb = "belongs" if waiting == 1 else "belong"
        yield f"{_count(waiting, 'game')} {verb} to {where} not counted."
    if number := outcomes.get("given up"):
        verb = "was" if number == 1 else "were"
        yield (
            f"{_count(number, 'game')} {verb} given up; the bot that gave up is last, "
            f"with {GIVEN_UP} gold."
        )
    if number := outcomes.get("too long"):
        verb = "was" if number == 1 else "were"
        yield (
            f"{_count(number, 'game')} {verb} stopped after {plan.max_steps} steps and counted "
            "with the gold at that point."
        )
    if standings.lost:
        verb = "was" if len(standings.lost) == 1 else "were"
        yield f"{_count(len(standings.lost), 'game')} could not be played and {verb} not counted:"
        for game in standings.lost[:MAX_LOST]:
            yield f"  {game.id} {game.outcome}: {printable(game.reason)}"
        if len(standings.lost) > MAX_LOST:
            yield f"  and {len(standings.lost) - MAX_LOST} more"
