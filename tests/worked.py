"""What the worked examples share: positions on the first-game board, maps, and both engines.

Cells of the rules are (row, column) from 0; `cells` turns them into notation.
"""

import re

import reference

from kbai import content
from kbai.game.steps import advance
from kbai.notation.actions import legal_steps, parse_step
from kbai.notation.positions import format_line, parse_position
from kbai.report.scores import score_rows

FIRST_GAME = "kb1 board=tavern,paddock,oasis,farm"

for island in content.load().islands.values():
    reference.add_island(island.name, island.grid, island.locations)


def cells(text: str) -> list[str]:
    """Return the cells of ``(row,column) (row,column) ...`` in notation, in board order."""
    pairs = sorted((int(r), int(c)) for r, c in re.findall(r"\((\d+),(\d+)\)", text))
    return [f"{chr(97 + c)}{r + 1}" for r, c in pairs]


def as_set(text: str) -> set[str]:
    return set(cells(text))


def line(
    red: str = "",
    blue: str = "",
    *,
    card: str = "flower",
    gifts: str = "",
    cards: str = "lords",
    tasks: str = "",
    options: str = "",
    phase: str = "",
) -> str:
    """Return a position on the first-game board with red to move."""

    def seat(name: str, where: str, extra: str = "") -> str:
        return f"{name}={','.join(cells(where)) or '-'}{extra}"

    words = [
        FIRST_GAME,
        f"cards={cards}",
        f"tasks={tasks}" if tasks else "",
        f"options={options}" if options else "",
        seat("red", red, f"/gifts={gifts}" if gifts else ""),
        seat("blue", blue),
        f"turn=red card={card}",
        f"phase={phase}" if phase else "",
    ]
    return " ".join(word for word in words if word)


def sea_with(*land: tuple[str, str], letter: str = "W") -> str:
    """A map of one letter with words of land laid on it, each at the cell of its first letter."""
    rows = [[letter] * 20 for _ in range(20)]
    for cell, word in land:
        row, column = int(cell[1:]) - 1, ord(cell[0]) - ord("a")
        rows[row][column : column + len(word)] = word
    return "map=" + "/".join("".join(row) for row in rows)


def grass_with(*other: tuple[str, str]) -> str:
    """A map of grass with words of other letters laid on it."""
    return sea_with(*other, letter="G")


class Table:
    """One position on both engines, which must agree on everything asked."""

    def __init__(self, text: str) -> None:
        self.position = parse_position(text)
        self.naive = reference.parse(format_line(self.position))
        assert reference.format(self.naive) == format_line(self.position)

    @property
    def steps(self) -> list[str]:
        steps = legal_steps(self.position)
        assert sorted(steps) == sorted(reference.legal(self.naive))
        return steps

    def targets(self, prefix: str = "") -> set[str]:
        """Return the cells of the steps that begin with a prefix; '' for the mandatory action."""
        if prefix:
            return {s.removeprefix(prefix).rstrip("-") for s in self.steps if s.startswith(prefix)}
        return {s for s in self.steps if re.fullmatch(r"~?[a-t]\d+", s)}

    def moves(self, tile: str, cell: str) -> set[str]:
        """Return where a tile may move the piece on a cell, which stays there."""
        return Table(self.line).play(f"{tile}:{cell}-").targets("-")

    def play(self, *steps: str) -> "Table":
        for step in steps:
            advance(self.position, parse_step(self.position, step))
            self.naive = reference.apply(self.naive, step)
            assert format_line(self.position) == reference.format(self.naive)
        return self

    def play_turn(self, card: str, houses: int = 3) -> "Table":
        """Turn up a card, build houses on the first cells offered, end the turn."""
        self.play(f"={card}")
        for _ in range(houses):
            self.play(min(self.targets()))
        return self.play("end")

    @property
    def gold(self) -> dict[str, dict[str, int]]:
        rows = score_rows(self.position)
        assert rows == reference.score(self.naive)
        return rows

    def gold_of(self, rule: str) -> tuple[int, ...]:
        """Return the gold of one rule, seat by seat."""
        return tuple(row[rule] for row in self.gold.values())

    def supply(self, seat: str) -> int:
        """Return the houses in supply; the lines of both engines, which are equal, have it."""
        return self.naive.seat[seat].supply

    @property
    def line(self) -> str:
        return format_line(self.position)
