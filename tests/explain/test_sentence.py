"""What of a comparison goes into one sentence."""

import pytest

from kbai.core.intervals import Estimate
from kbai.explain.results import BETTER_PLAY, CHOICES, OPPONENTS, TILES, Names, Part
from kbai.explain.sentence import NOTHING, sentence_of


def part(name, gold, fact="", other="", *, clear=True, now=0, mostly=""):
    return Part(name, Estimate(gold, gold - 1, gold + 1), fact, other, clear, now, mostly)


def told(*parts, remark=""):
    return sentence_of(parts, Names("one", "two"), "blue", remark)


def test_the_largest_three_are_told_and_those_for_the_better_turn_first():
    golds = (1, -3, 2.5, 0.5)
    parts = [part(name, gold, "is so") for name, gold in zip("abcd", golds, strict=True)]
    assert told(*parts) == "+2.5 c: is so; +1.0 a: is so; -3.0 b: is so"


def test_numbers_that_speak_against_the_first_turn_are_no_puzzle():
    clear, rest = part("a", -1.0, other="is so"), part("b", 2.5, clear=False)
    assert told(clear, rest) == "-1.0 a: two is so; +2.5 from several smaller differences"
    assert told(clear, part("b", 0.5, clear=False)) == "-1.0 a: two is so"


def test_it_is_always_clear_which_turn_has_it():
    other = part("a", -3.0, other="is so")
    assert told(other, part("b", 1.0, "has it")) == "-3.0 a: two is so; +1.0 b: one has it"
    both = part(TILES, 0.2, "takes it", "keeps that", clear=False)
    assert told(both) == "one takes it, two keeps that"


@pytest.mark.parametrize(
    "given, expected",
    [
        (part("knights", 1.2), "+1.2 knights in later turns"),
        (part("knights", 1.2, now=-2), "+1.2 knights in later turns, though 2 gold less now"),
        (part("knights", -1.2, now=2), "-1.2 knights in later turns, though 2 gold more now"),
        # Whoever counts on the board finds another number.
        (part("farmers", -1.7, other="is so", now=-9), "-1.7 farmers: two is so (9 gold more now)"),
        (part("farmers", -1.7, now=-9), "-1.7 farmers (9 gold less now)"),
        (part("farmers", 1.7, "is so", now=3), "+1.7 farmers: is so"),
        # It is on the board, only there is no word for it.
        (part("place_of_refuge", 1.2, now=8), "+1.2 place of refuge (8 gold more now)"),
        (part(CHOICES, 0.4), "+0.4 choices"),
        (part(OPPONENTS, 0.4), "+0.4 because blue gets less"),
        (
            part(OPPONENTS, -0.4, mostly="road"),
            "-0.4 because blue gets more, mostly road",
        ),
        (part(BETTER_PLAY, 3.0), NOTHING),
        (part("knights", 1.2, clear=False), NOTHING),
    ],
)
def test_a_part_in_words(given, expected):
    assert told(given) == expected


def test_a_tile_is_told_whatever_else_there_is():
    parts = [part(name, 2.0, "is so") for name in "abc"]
    assert told(*parts, part(TILES, 0.5, "takes it")).endswith("; +0.5 tiles: takes it")
    assert told(*parts, part(TILES, 0.0, "takes it", clear=False)).endswith("; one takes it")


def test_what_everybody_sees_is_told_whatever_else_there_is():
    seen = part("castles", -0.2, other="reaches it", clear=False, now=-3)
    small = part("miners", 0.1, "has one more", clear=False, now=1)
    castles, miners = "castles: two reaches it (3 gold more now)", "one has one more"
    assert told(small, seen) == f"{castles}; miners: {miners} (1 gold more now)"
    assert told(part("a", 1.0, "is so"), seen) == f"+1.0 a: is so; {castles}"
    assert told(part("a", 1.0, "is so"), small) == "+1.0 a: is so"
    parts = [part(name, 2.0, "is so") for name in "abc"]
    assert told(*parts, seen).endswith(f"; {castles}")


def test_gold_that_stays_is_told_from_the_first():
    kept = part("shepherds", -0.1, other="scores 1 gold more at once", clear=False, now=-1)
    assert told(part("a", 1.0, "is so"), kept).endswith(
        "; shepherds: two scores 1 gold more at once"
    )


def test_a_remark_comes_last():
    assert told(part("a", 1.0, "is so"), remark="two has it") == "+1.0 a: is so; two has it"
    assert told(remark="two has it") == "two has it"
    assert told() == NOTHING
