"""A comparison in one sentence: "+3.1 merchants: links the oasis at h13 to the castle at l12"."""

from __future__ import annotations

from collections.abc import Sequence

from kbai.explain.results import BETTER_PLAY, OPPONENTS, TILES, Part

# More parts than that are no sentence.
MOST = 3
NOTHING = "no clear difference"
ANY = "the best opponent"
"""Who gets more or less, if no single seat does."""


def sentence_of(parts: Sequence[Part], rival: str) -> str:
    """Return the largest parts that are clear; ``rival`` is who the best opponent is.

    A tile that is taken or kept is told even if nobody can say in gold what it is worth.
    """
    clear = [part for part in parts if part.is_clear and part.name != BETTER_PLAY]
    clear.sort(key=lambda part: -abs(part.gold.value))
    texts = [_part_text(part, rival) for part in clear[:MOST]]
    taken = [part for part in parts if part.name == TILES and part.fact and not part.is_clear]
    texts += [part.fact for part in taken[: MOST - len(texts)]]
    return "; ".join(texts) or NOTHING


def _part_text(part: Part, rival: str) -> str:
    fact = f": {part.fact}" if part.fact else ""
    return f"{part.gold.value:+.1f} {_name(part, rival)}{fact}"


def _name(part: Part, rival: str) -> str:
    if part.name == OPPONENTS:
        mostly = f", mostly {part.mostly.replace('_', ' ')}" if part.mostly else ""
        return f"as {rival} gets {'less' if part.gold.value > 0 else 'more'}{mostly}"
    return part.name.replace("_", " ")
