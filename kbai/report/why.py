"""Why one turn is better than another: as a sentence, as a table and as a dict for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kbai.game.steps import end_of
from kbai.report.document import Column, Emphasis, Kind, Row, Table
from kbai.report.numbers import HALF_WIDTH, decimal, estimate_dict, half_width

if TYPE_CHECKING:
    from kbai.explain.results import Comparison, Names, Part
    from kbai.review.results import TurnReview
    from kbai.search.results import Suggestion

# What rounds to nothing needs no row, unless there is something to see on the board.
LEAST = 0.05


def why_first(suggestion: Suggestion) -> Comparison | None:
    """Return the first turn against the second; None if there are no two to choose from."""
    position, turns = suggestion.position, suggestion.turns
    if position.pending_draw or len(turns) < 2:
        return None
    from kbai.explain.compare import compare  # which takes long to load
    from kbai.explain.results import Names

    return compare(position, turns[0], turns[1], Names.of_list(0, 1))


def why_best(review: TurnReview) -> Comparison | None:
    """Return the best turn against what was played; None if there is nothing to say."""
    if review.evidence is None:
        return None
    from kbai.explain.compare import explained  # which takes long to load
    from kbai.explain.results import Names

    position = review.position
    ends = end_of(position, review.best.steps), end_of(position, review.played)
    return explained(position, ends, review.evidence, Names("the best turn", "the played turn"))


def why_text(comparison: Comparison, *, is_played_on: bool = True) -> str:
    """Return the sentence of a comparison, with which turns it compares.

    A turn that wins more often may bring less gold, or be better in nothing that is clear; then the
    sentence is not why it is better. The same holds if the second was not played on while the first
    was: then that is why it is below.
    """
    from kbai.explain.results import BETTER_PLAY
    from kbai.explain.sentence import NOTHING

    first, second = comparison.names.first, comparison.names.second
    between = f"Between {first} and {second} there is {NOTHING}"
    if comparison.sentence == NOTHING:
        return f"{between}."
    clear = [part for part in comparison.parts if part.is_clear and part.name != BETTER_PLAY]
    if not clear:
        # What is seen on the board is no reason, and may even speak for the second turn.
        return f"{between} in gold; what differs: {comparison.sentence}."
    if comparison.margin.value > 0 and any(part.gold.value > 0 for part in clear):
        head = f"Why {first} rather than {second}"
    elif is_played_on:
        head = f"{first} compared with {second}".capitalize()
    else:
        head = f"{first} compared with {second}, which was not played on".capitalize()
    return f"{head}, in gold: {comparison.sentence}."


def why_table(comparison: Comparison) -> Table:
    """Return the parts of a comparison."""
    columns = (
        Column("gold from", Kind.NAME),
        Column("more"),
        Column(HALF_WIDTH),
        Column("on the board", Kind.PROSE),
    )
    shown = [
        part
        for part in comparison.parts
        if part.fact or part.other or abs(part.gold.value) >= LEAST
    ]
    total = ("margin", decimal(comparison.margin.value, signed=True),
             half_width(comparison.margin), "")  # fmt: skip
    rows = (_part_row(part, comparison.names) for part in shown)
    return Table(columns, (*rows, Row(total, (Emphasis.TOTAL,))))


def _part_row(part: Part, names: Names) -> Row:
    return Row((
        part.name.replace("_", " "),
        decimal(part.gold.value, signed=True),
        half_width(part.gold),
        names.facts(part),
    ))  # fmt: skip


def why_dict(comparison: Comparison | None) -> dict[str, object] | None:
    """Return a comparison with all its numbers."""
    if comparison is None:
        return None
    return {
        "sentence": comparison.sentence,
        "margin": estimate_dict(comparison.margin),
        "games": comparison.games,
        "parts": [
            {
                "name": part.name,
                "gold": estimate_dict(part.gold),
                "clear": part.is_clear,
                "now": part.now,
                "fact": comparison.names.facts(part) or None,
                "mostly": part.mostly or None,
            }
            for part in comparison.parts
        ],
    }
