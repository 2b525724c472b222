"""The Elo advantage of a bot over its opponents."""

from __future__ import annotations

import math
from collections.abc import Iterable

from kbai.arena.groups import Group, bot_in, common_fair
from kbai.core.intervals import Estimate, share_estimate

# An advantage of 400 Elo is odds of ten to one.
ELO_PER_NAT = 400 / math.log(10)


def elo_of_share(share: float, fair: float = 0.5) -> float:
    """Return the Elo of a bot that wins this share of the points with a ``fair`` share of seats.

    >>> round(elo_of_share(0.76))
    200
    """
    return ELO_PER_NAT * (math.log(share / (1 - share)) - math.log(fair / (1 - fair)))


def share_of_elo(elo: float, fair: float = 0.5) -> float:
    """Return the share of the points that a bot with this advantage wins on average."""
    return 1 / (1 + (1 - fair) / fair * math.exp(-elo / ELO_PER_NAT))


def elo_estimate(groups: Iterable[Group], bot: str) -> Estimate | None:
    """Return how much stronger a bot is than its opponents.

    The ends are those of `share_estimate`. Of a bot that won or lost everything the value is
    that of half a point less or more, and the end that would be infinite is as far from it as
    the other one. Nothing if there is no complete group or the bot has no opponents; the bot
    must have held the same share of the seats in all groups.
    """
    done = (bot_in(group, bot) for group in groups if group.is_complete)
    played = [part for part in done if part is not None]
    fair = common_fair(bot, [fair for _, fair in played])
    if fair is None:
        return None
    shares = [shares for shares, _ in played]
    share = share_estimate(shares)
    half_point = 0.5 / sum(map(len, shares))
    if share.value >= 1:
        value, low = elo_of_share(1 - half_point, fair), elo_of_share(share.low, fair)
        return Estimate(value, low, 2 * value - low)
    if share.value <= 0:
        value, high = elo_of_share(half_point, fair), elo_of_share(share.high, fair)
        return Estimate(value, 2 * value - high, high)
    return Estimate(*(elo_of_share(end, fair) for end in (share.value, share.low, share.high)))
