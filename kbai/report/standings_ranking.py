"""The order of the bots in standings."""

from __future__ import annotations

from kbai.arena.ratings import Rating
from kbai.arena.standings import Standings
from kbai.arena.summaries import Summary


def ranked(standings: Standings) -> list[list[tuple[Summary, Rating]]]:
    """Return the bots, best first, in one table for each set that can be compared."""
    rows = {row.bot: row for row in standings.summaries}
    tables = ([(rows[rating.bot], rating) for rating in ratings] for ratings in standings.ratings)
    return [
        # By share. The sort is stable, so bots with the same share stay in the order of their Elo.
        sorted(table, key=lambda pair: -round(pair[0].share.value / pair[0].fair, 9))
        for table in tables
    ]
