"""A comparison in one sentence: "+3.1 merchants: links the oasis at h13 to the castle at l12"."""

from __future__ import annotations

from collections.abc import Sequence

from kbai.explain.results import BETTER_PLAY, CHOICES, OPPONENTS, TILES, Names, Part

# More parts than that are no sentence.
MOST = 3
# From so much gold on, everybody sees at once what a turn has on the board: a castle is that much.
SEEN = 3
# Gold that is scored at once stays, whatever comes: there a little is told, too.
KEPT = ("treasure", "families", "shepherds", "ambassadors", "rovers")
NOTHING = "no clear difference"
ANY = "the best opponent"
"""Who gets more or less, if no single seat does."""


def sentence_of(parts: Sequence[Part], names: Names, rival: str, remark: str = "") -> str:
    """Return the largest parts that are clear; ``rival`` is who the best opponent is.

    What everybody sees on the board is told even if nobody can say in gold what it is worth: a
    ``remark``, a tile that is taken or kept, a castle or a card that differs by much. It always
    says which turn has it.
    """
    clear = [part for part in parts if part.is_clear and part.name != BETTER_PLAY]
    clear = sorted(clear, key=lambda part: -abs(part.gold.value))[:MOST]
    # What speaks for the turn that is better comes first.
    margin = sum(part.gold.value for part in parts)
    clear.sort(key=lambda part: part.gold.value * margin < 0)
    told = [*clear, *_seen(parts, clear, bool(remark))]
    texts = []
    is_other_named = False
    for part in told:
        facts = names.facts(part, is_first_named=is_other_named or not part.is_clear)
        is_other_named |= bool(part.other)
        texts.append(_part_text(part, facts, rival))
    lead = sum(part.gold.value for part in clear)
    if lead * margin < 0:  # else these numbers would seem to say that the order is wrong
        texts.insert(len(clear), f"{margin - lead:+.1f} from several smaller differences")
    return "; ".join([*texts, *([remark] if remark else [])]) or NOTHING


def _seen(parts: Sequence[Part], clear: Sequence[Part], has_remark: bool) -> list[Part]:
    """Return what is seen on the board besides the parts that are clear."""
    others = [part for part in parts if part not in clear and (part.fact or part.other)]
    tiles = [part for part in others if part.name == TILES]
    least = SEEN if clear or tiles or has_remark else 1  # better a little than nothing
    seen = [part for part in others
            if abs(part.now) >= (1 if part.name in KEPT else least)]  # fmt: skip
    return tiles + sorted(seen, key=lambda part: -abs(part.now))[:MOST]


def _part_text(part: Part, facts: str, rival: str) -> str:
    if part.is_clear:
        text = f"{part.gold.value:+.1f} {_name(part, rival)}" + (f": {facts}" if facts else "")
        # Whoever counts on the board finds another number.
        is_far = part.now * part.gold.value > 0 and abs(part.now - part.gold.value) >= SEEN
        return f"{text} ({_now(part, has_fact=bool(facts))})" if is_far else text
    if not part.now:
        return facts
    name = part.name.replace("_", " ")
    if part.name in KEPT:  # the fact says how much it is
        return f"{name}: {facts}"
    return f"{name}: {facts} ({_now(part, has_fact=True)})"


def _now(part: Part, *, has_fact: bool) -> str:
    """Return what a part is on the board: of the turn that has the fact, or else of the first."""
    is_more = has_fact or part.now > 0
    return f"{abs(part.now)} gold {'more' if is_more else 'less'} now"


def _name(part: Part, rival: str) -> str:
    name = part.name.replace("_", " ")
    if part.name == OPPONENTS:
        mostly = f", mostly {part.mostly.replace('_', ' ')}" if part.mostly else ""
        return f"because {rival} gets {'less' if part.gold.value > 0 else 'more'}{mostly}"
    if part.fact or part.other or part.name in (TILES, CHOICES) or part.now * part.gold.value > 0:
        return name
    if not part.now:
        return f"{name} in later turns"  # the boards do not show it yet
    return f"{name} in later turns, though {_now(part, has_fact=False)}"
