"""The HTML page of a suggestion: each of its turns on a board."""

from __future__ import annotations

from collections.abc import Iterator

from kbai._fast import Position
from kbai.draw import facts
from kbai.draw.svg import pieces_layer, turn_layer
from kbai.draw.svg_symbols import BEST
from kbai.explain.compare import compare
from kbai.explain.results import Names
from kbai.game.setup import setup_of
from kbai.report.document import Block, Heading, Lines, Terms, Text
from kbai.report.numbers import decimal, percent
from kbai.report.page import Page, View, render_page
from kbai.report.position_document import game_line, seats_table
from kbai.report.suggestion_document import (
    TERMS,
    TURNS,
    WHY,
    has_sources,
    sources_table,
    suggestion_document,
    win_interval,
)
from kbai.report.suggestion_json import WITH_REASONS, suggestion_dict
from kbai.report.turns import chosen_turn, main_line
from kbai.report.variants import variants_text
from kbai.report.why import why_table
from kbai.search.results import Suggestion, TurnChoice


def suggestion_page(suggestion: Suggestion) -> str:
    """Return a page with the turns of a suggestion, each on its board."""
    position = suggestion.position
    setup = setup_of(position)
    document = suggestion_document(suggestion)
    views = [
        _choice_view(suggestion, choice, rank)
        for rank, choice in enumerate(suggestion.turns, start=1)
    ]
    page = Page(
        title=document.title[0].upper() + document.title[1:],
        intro=(Text(". ".join([*_under_way(position), game_line(setup)])),),
        setup=setup,
        views=tuple(views) or (_final_view(position),),
        list_title="Turns",
        summary_title="What to expect of each turn",
        summary=(*document.section(TURNS), *document.section(WHY)),
        terms=document.section(TERMS),
        data=suggestion_dict(suggestion, WITH_REASONS),
    )
    return render_page(page)


def _under_way(position: Position) -> list[str]:
    """Return what the title does not say about the turn: what has happened in it so far."""
    text = facts.turn_text(setup_of(position), position.fields()).partition("; ")[2]
    return [text[0].upper() + text[1:]] if text else []


def _choice_view(suggestion: Suggestion, choice: TurnChoice, rank: int) -> View:
    position, count = suggestion.position, len(suggestion.turns)
    setup = setup_of(position)
    turn = chosen_turn(position, choice)
    win = percent(choice.seats[position.actor].win.value)
    pairs = zip(setup.seats, choice.seats, strict=True)
    gold = ", ".join(f"{seat} {decimal(outlook.gold.value)}" for seat, outlook in pairs)
    card = f"{turn.card}: " if choice.odds < 1 else ""
    first, *rest = main_line(position, choice)
    details: list[tuple[Block, ...]] = list(_reasons(suggestion, choice))
    if has_sources(choice):
        details.append((Heading("Where the gold comes from"), sources_table(setup, {"": choice})))
    details.append((Heading("Likely continuation"), Lines(tuple(turn.text for turn in rest))))
    details.append((Heading("On the table"), seats_table(position)))
    return View(
        id=f"turn-{rank}",
        seat=setup.seats[position.actor],
        number=str(rank),
        what=card + turn.summary,
        worth=f"{win} %",
        short=f"Suggestion {rank} of {count}",
        title=first.text,
        facts=Terms((
            ("Win %", f"{win} ({win_interval(choice, position.actor)})"),
            ("Gold", gold),
            ("Visits", f"{choice.visits:,}"),
            *((("As good", variants_text(choice)),) if choice.variants else ()),
        )),
        board=pieces_layer(position) + turn_layer(turn, kind=BEST),
        keys=((BEST, "the actions of the turn in order"),),
        details=tuple(details),
    )  # fmt: skip


def _reasons(suggestion: Suggestion, choice: TurnChoice) -> Iterator[tuple[Block, ...]]:
    """Yield what the first turn brings more than the second, or another one than the first."""
    position, turns = suggestion.position, suggestion.turns
    if position.pending_draw or len(turns) < 2:
        return
    one = turns.index(choice)
    two = 0 if one else 1
    why = compare(position, choice, turns[two], Names.of_list(one, two))
    if why is not None:
        yield Heading(f"Against turn {two + 1}"), Text(why.sentence), why_table(why)


def _final_view(position: Position) -> View:
    return View(
        id="board-1",
        seat=setup_of(position).seats[0],
        number="",
        what="",
        worth="",
        short="The end",
        title="The board at the end",
        facts=Terms(()),
        board=pieces_layer(position),
        keys=(),
        details=((Heading("On the table"), seats_table(position)),),
    )
