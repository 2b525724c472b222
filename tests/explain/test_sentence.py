"""What of a comparison goes into one sentence."""

import pytest

from kbai.core.intervals import Estimate
from kbai.explain.results import BETTER_PLAY, CHOICES, OPPONENTS, TILES, Part
from kbai.explain.sentence import NOTHING, sentence_of


def part(name, gold, fact="", *, clear=True, now=0, mostly=""):
    return Part(name, Estimate(gold, gold - 1, gold + 1), fact, clear, now, mostly)


def told(*parts, remark=None):
    return sentence_of(parts, "blue", remark)


def test_the_largest_three_are_told_and_those_for_the_better_turn_first():
    golds = (1, -3, 2.5, 0.5)
    parts = [part(name, gold, "is so") for name, gold in zip("abcd", golds, strict=True)]
    assert told(*parts) == "+2.5 c: is so; +1.0 a: is so; -3.0 b: is so"
    worse = part("e", -2.6, clear=False)
    assert told(*parts, worse) == "-3.0 b: is so; +2.5 c: is so; +1.0 a: is so"


@pytest.mark.parametrize(
    "given, expected",
    [
        (part("knights", 1.2), "+1.2 knights in later turns"),
        (part("knights", 1.2), "+1.2 knights in later turns"),
        (part("knights", 1.2, now=-2), "+1.2 knights in later turns, though 2 less now"),
        (part("knights", -1.2, now=2), "-1.2 knights in later turns, though 2 more now"),
        # It is on the board, only there is no word for it.
        (part("place_of_refuge", 1.2, now=8), "+1.2 place of refuge"),
        (part(CHOICES, 0.4), "+0.4 choices"),
        (part(OPPONENTS, 0.4), "+0.4 as blue gets less"),
        (
            part(OPPONENTS, -0.4, mostly="road"),
            "-0.4 as blue gets more, mostly road",
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
    assert told(*parts, part(TILES, 0.0, "takes it", clear=False)).endswith("; takes it")


def test_what_everybody_sees_is_told_whatever_else_there_is():
    seen = part("castles", -0.2, "the other turn reaches it", clear=False, now=-3)
    small = part("miners", 0.1, "has one more", clear=False, now=1)
    assert told(small, seen) == "the other turn reaches it; has one more"
    assert told(part("a", 1.0, "is so"), seen) == "+1.0 a: is so; the other turn reaches it"
    assert told(part("a", 1.0, "is so"), small) == "+1.0 a: is so"
    parts = [part(name, 2.0, "is so") for name in "abc"]
    assert told(*parts, seen).endswith("; the other turn reaches it")


def test_a_remark_comes_last():
    assert told(part("a", 1.0, "is so"), remark="puts it there") == "+1.0 a: is so; puts it there"
    assert told(remark="puts 1 more house on the board") == "puts 1 more house on the board"
    assert told() == NOTHING
