"""Golden counts of step sequences, agreed between the kernel and the reference engine."""

from concurrent.futures import ProcessPoolExecutor

import pytest
import reference
from places import TESTS

from kbai.notation.positions import format_line, parse_position

GOLDEN = [
    (int(depth), int(count), line)
    for depth, count, line in (
        row.split(maxsplit=2)
        for row in (TESTS / "perft.txt").read_text().splitlines()
        if not row.startswith("#")
    )
]


def count_naively(golden: tuple[int, int, str]) -> int:
    depth, _, line = golden
    return reference.perft(reference.parse(line), depth)


@pytest.mark.parametrize("depth, count, line", GOLDEN)
def test_the_kernel_counts_the_golden_number(depth, count, line):
    position = parse_position(line)
    assert format_line(position) == line
    assert position.perft(depth) == count >= 100_000


@pytest.mark.slow
def test_the_reference_counts_the_same():
    with ProcessPoolExecutor() as pool:
        assert list(pool.map(count_naively, GOLDEN)) == [count for _, count, _ in GOLDEN]
