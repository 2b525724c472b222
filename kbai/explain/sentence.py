"""A comparison in one sentence: "+3.1 merchants: links the oasis at h13 to the castle at l12"."""

from __future__ import annotations

from collections.abc import Sequence

from kbai.explain.results import BETTER_PLAY, CHOICES, OPPONENTS, TILES, Part

# More parts than that are no sentence.
MOST = 3
# From so much gold on, everybody sees at once what a turn has on the board: a castle is that much.
SEEN = 3
NOTHING = "no clear difference"
ANY = "the best opponent"
"""Who gets more or less, if no single seat does."""


def sentence_of(parts: Sequence[Part], rival: str, remark: str | None = None) -> str:
    """Return the largest parts that are clear; ``rival`` is who the best opponent is.

    What everybody sees on the board is told even if nobody can say in gold what it is worth: a
    ``remark``, a tile that is taken or kept, a castle or a card that differs by much.
    """
    told = [part for part in parts if part.is_clear and part.name != BETTER_PLAY]
    told = sorted(told, key=lambda part: -abs(part.gold.value))[:MOST]
    # What speaks for the turn that is better comes first.
    margin = sum(part.gold.value for part in parts)
    told.sort(key=lambda part: part.gold.value * margin < 0)
    told += [part for part in parts if part.name == TILES and part.fact and part not in told]
    least = SEEN if told or remark else 1  # better a little than nothing
    seen = [part for part in parts
            if part not in told and part.fact and abs(part.now) >= least]  # fmt: skip
    told += sorted(seen, key=lambda part: -abs(part.now))[:MOST]
    texts = [_part_text(part, rival) for part in told]
    return "; ".join([*texts, *([remark] if remark else [])]) or NOTHING


def _part_text(part: Part, rival: str) -> str:
    if not part.is_clear:
        return part.fact
    fact = f": {part.fact}" if part.fact else ""
    return f"{part.gold.value:+.1f} {_name(part, rival)}{fact}"


def _name(part: Part, rival: str) -> str:
    name = part.name.replace("_", " ")
    if part.name == OPPONENTS:
        mostly = f", mostly {part.mostly.replace('_', ' ')}" if part.mostly else ""
        return f"as {rival} gets {'less' if part.gold.value > 0 else 'more'}{mostly}"
    if part.fact or part.name in (TILES, CHOICES) or part.now * part.gold.value > 0:
        return name
    if not part.now:
        return f"{name} in later turns"  # the boards do not show it yet
    return f"{name} in later turns, though {abs(part.now)} {'more' if part.now > 0 else 'less'} now"
