"""What to play: searching a position for its best turns."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from kbai._fast import Position as KernelPosition
from kbai.analyze.restrictions import begin_steps, whole_steps
from kbai.api.positions import Position, kernel_of, wrap_position
from kbai.api.values import Outlook
from kbai.compute.pools import count_cores
from kbai.core.errors import SearchError
from kbai.core.intervals import Estimate
from kbai.explain.compare import compare
from kbai.explain.results import Comparison, Names
from kbai.game.setup import Setup, setup_of
from kbai.notation.turns import record_turn
from kbai.report.document_html import document_html
from kbai.report.document_text import document_text
from kbai.report.suggestion_document import suggestion_document
from kbai.report.suggestion_json import WITH_REASONS, sources_dict, suggestion_dict
from kbai.report.turns import chosen_turn, main_line
from kbai.search import results
from kbai.search.params import Limit, SearchParams
from kbai.search.suggest import suggest as search

DEFAULT_LIMIT = Limit(seconds=5.0)
MAX_SEED = 2**32


@dataclass(frozen=True, slots=True)
class SuggestedTurn:
    """A turn, and what to expect of it; it prints as its text."""

    text: str
    """As `Position.play` takes it: ``"n16 o15 p15"``."""
    card: str
    """The card it is for."""
    odds: float
    """How likely that card is, if it is still to be turned up; otherwise 1."""
    outlooks: dict[str, Outlook]
    """By seat."""
    seat: str
    """Who plays it."""
    visits: int
    """How many simulations began with it."""
    is_exact: bool
    """Whether the search has seen everything that can follow, so that nothing is an estimate."""
    variants: tuple[str, ...]
    """Turns that are the same idea: they differ in a detail that makes no clear difference."""
    line: tuple[str, ...]
    """This turn and its likely continuation, ``"red flower: n16 o15 p15"`` and so on."""

    @property
    def win(self) -> Estimate:
        """The chance of winning of the seat that plays it."""
        return self.outlooks[self.seat].win

    @property
    def gold(self) -> Estimate:
        """The gold of the seat that plays it, at the end of the game."""
        return self.outlooks[self.seat].gold

    @property
    def margin(self) -> Estimate:
        """That gold minus the best opponent's."""
        return self.outlooks[self.seat].margin

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The best turns of a position; it prints as a table, and a notebook shows one."""

    position: Position
    turns: tuple[SuggestedTurn, ...]
    """The best first. If a card is still to be turned up: the best for each card, the likeliest
    card first."""
    visits: int
    """How many simulations the search made."""
    seed: int
    """With as many visits and threads it gives the same answer again."""
    threads: int
    is_interrupted: bool
    """Whether Ctrl-C ended the search."""
    is_full: bool
    """Whether the search ran out of memory, and could only look closer at what it knew."""
    _found: results.Suggestion = field(repr=False, compare=False)

    @property
    def best(self) -> SuggestedTurn:
        """The first of the turns."""
        if not self.turns:
            raise SearchError("expected a search with at least one visit, got one without.")
        return self.turns[0]

    def why(self, first: int = 0, second: int = 1) -> Comparison | None:
        """Return why one of the turns is better than another, by their places in `turns`.

        None if there is nothing to compare: the card is still to be turned up, or the search was
        too short to count where gold comes from.
        """
        turns, count = self._found.turns, len(self._found.turns)
        if not 0 <= first < count or not 0 <= second < count:
            raise SearchError(f"expected two of {count} turns, got {first} and {second}.")
        position = self._found.position
        if position.pending_draw:
            return None
        return compare(position, turns[first], turns[second], Names.of_list(first, second))

    def to_dict(self) -> dict[str, object]:
        """Return what ``kbai suggest --format json`` prints; docs/analysis.md lists the keys."""
        return suggestion_dict(self._found, WITH_REASONS)

    def to_html(self) -> str:
        """Return a page with the turns on their boards, as ``kbai suggest --html`` writes it."""
        from kbai.report.suggestion_page import suggestion_page

        return suggestion_page(self._found)

    def __str__(self) -> str:
        return document_text(suggestion_document(self._found))

    def _repr_html_(self) -> str:
        return document_html(suggestion_document(self._found))


def suggest(
    position: Position,
    limit: Limit = DEFAULT_LIMIT,
    *,
    seed: int | None = None,
    threads: int | None = None,
    memory: int = SearchParams().memory,
    top: int = 5,
    allow: Sequence[str] = (),
    avoid: Sequence[str] = (),
    on_progress: Callable[[int], None] | None = None,
) -> Suggestion:
    """Search a position and return its best turns, at most ``top`` different ideas.

    Without a seed a random one is used; the result has it. The same seed, number of visits and
    threads give the same answer. ``threads`` is 1 with a limit of visits, otherwise the number of
    cores; ``memory`` is the limit of the trees in MB.

    With ``allow`` only turns that begin so are searched; those in ``avoid`` are left out.
    ``on_progress`` is called with the visits so far. Ctrl-C ends the search early.
    """
    kernel = kernel_of(position)
    if kernel.is_over:
        raise SearchError("expected a position to search, got one of a game that is over.")
    if top < 1:
        raise SearchError(f"expected at least one turn to list, got {top}.")
    if kernel.pending_draw and (allow or avoid):
        raise SearchError("expected a position with a known card for turns to allow or avoid.")
    default_threads = count_cores() if limit.visits is None else 1
    found = search(
        kernel,
        limit,
        seed=secrets.randbelow(MAX_SEED) if seed is None else seed,
        threads=default_threads if threads is None else threads,
        params=SearchParams(memory=memory),
        top=top,
        allow=[begin_steps(kernel, text) for text in allow],
        avoid=[whole_steps(kernel, text) for text in avoid],
        on_progress=on_progress or (lambda visits: None),
    )
    return Suggestion(
        position=wrap_position(found.position),
        turns=tuple(suggested_turn(kernel, choice) for choice in found.turns),
        visits=found.visits,
        seed=found.seed,
        threads=found.threads,
        is_interrupted=found.is_interrupted,
        is_full=found.is_full,
        _found=found,
    )


def suggested_turn(position: KernelPosition, choice: results.TurnChoice) -> SuggestedTurn:
    """Return a turn that a search has found from a position."""
    setup = setup_of(position)
    turn = chosen_turn(position, choice)
    pairs = zip(setup.seats, choice.seats, strict=True)
    return SuggestedTurn(
        text=turn.summary,
        card=turn.card,
        odds=choice.odds,
        outlooks={seat: public_outlook(setup, outlook) for seat, outlook in pairs},
        seat=setup.seats[position.actor],
        visits=choice.visits,
        is_exact=choice.is_proven,
        variants=tuple(record_turn(position, each.steps).summary for each in choice.variants),
        line=tuple(turn.text for turn in main_line(position, choice)),
    )


def public_outlook(setup: Setup, outlook: results.Outlook) -> Outlook:
    """Return an outlook with its sources by name."""
    return Outlook(outlook.win, outlook.gold, outlook.margin, sources_dict(setup, outlook))
