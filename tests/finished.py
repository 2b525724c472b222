"""Finished games and groups for the tests of statistics."""

from kbai.arena.groups import FinishedGame, Group
from kbai.core.intervals import Estimate

WIN, TIE, LOSS = (60, 50), (50, 50), (50, 60)


def game(*golds: int, bots: str = "ABCDE") -> FinishedGame:
    return FinishedGame(tuple(zip(bots, golds, strict=False)))


def pair(first: tuple[int, int], second: tuple[int, int]) -> Group:
    """Return both games of a deal, with the gold of A and B; B begins the second."""
    (a1, b1), (a2, b2) = first, second
    return Group((FinishedGame((("A", a1), ("B", b1))), FinishedGame((("B", b2), ("A", a2)))), 2)


def single(*golds: int, bots: str = "ABCDE") -> Group:
    return Group((game(*golds, bots=bots),), 1)


def pentanomial(*counts: int) -> list[Group]:
    """Return groups by A's points: 0, 0.5, 1, 1.5 and 2."""
    kinds = [(LOSS, LOSS), (LOSS, TIE), (LOSS, WIN), (TIE, WIN), (WIN, WIN)]
    return [pair(*kind) for kind, count in zip(kinds, counts, strict=True) for _ in range(count)]


def covers(estimate: Estimate | None, truth: float) -> bool:
    assert estimate is not None
    return estimate.low <= truth <= estimate.high
