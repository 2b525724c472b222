"""Suggestions as documents: the turns, where their gold comes from, and the likely continuation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kbai._fast import Position
from kbai.core.points import points_of
from kbai.explain.words import plural
from kbai.game.setup import Setup, setup_of
from kbai.notation.turns import cards_shown
from kbai.report.document import (
    Column,
    Document,
    Emphasis,
    Heading,
    Kind,
    Lines,
    Row,
    Section,
    Table,
    Terms,
    Text,
)
from kbai.report.numbers import (
    EXACT,
    HALF_WIDTH,
    LEVEL_TEXT,
    decimal,
    half_width,
    percent,
    percent_range,
)
from kbai.report.scores import TOTAL
from kbai.report.suggestion_json import BETTER_PLAY, sources_dict
from kbai.report.turns import chosen_turn, main_line
from kbai.report.variants import variants_text
from kbai.report.why import why_first, why_text
from kbai.search.results import Suggestion, TurnChoice

WIN = "win %"
GAMES = "games"
TURNS, WHY, TERMS = "turns", "why", "terms"
"""Sections that pages show, too."""


def suggestion_document(suggestion: Suggestion) -> Document:
    """Return the turns, why the first one is the best, and what would follow it."""
    return Document(tuple(_sections(suggestion)))


def _sections(suggestion: Suggestion) -> Iterator[Section]:
    position = suggestion.position
    if position.is_over:
        yield Section("title", (Heading(_final_text(suggestion), level=1),))
        return
    best = suggestion.turns[0]
    setup = setup_of(position)
    card = f" after {chosen_turn(position, best).card}" if best.odds < 1 else ""
    yield Section("title", (Heading(_title(suggestion), level=1),))
    yield Section(TURNS, (turns_table(position, suggestion.turns),))
    why = why_first(suggestion)
    if why is not None:
        second = suggestion.turns[1]
        is_played_on = bool(second.games) or not best.games
        yield Section(WHY, (Text(why_text(why, is_played_on=is_played_on)),))
    if has_sources(best):
        caption = f"Where the gold comes from if the first turn{card} is played:"
        yield Section("sources", (Heading(caption), sources_table(setup, {"": best})))
    line = Lines(tuple(turn.text for turn in main_line(position, best)))
    yield Section("continuation", (Heading(f"Likely continuation{card}:"), line))
    seat = setup.seats[position.actor]
    terms = turn_terms(
        setup,
        seat,
        has_games=any(turn.games for turn in suggestion.turns),
        has_variants=any(turn.variants for turn in suggestion.turns),
        has_why=why is not None,
    )
    yield Section(TERMS, (Terms(terms), Text(about_chances(seat))))


def _final_text(suggestion: Suggestion) -> str:
    """Tell who has won a game that is over."""
    seats = setup_of(suggestion.position).seats
    gold = dict(zip(seats, suggestion.position.scores(), strict=True))
    points = points_of(list(gold.values()))
    winners = [seat for seat, point in zip(seats, points, strict=True) if point]
    verb = "has" if len(winners) == 1 else "have"
    score = ", ".join(f"{seat} {amount}" for seat, amount in gold.items())
    return f"The game is over: {' and '.join(winners)} {verb} won ({score})."


def _title(suggestion: Suggestion) -> str:
    """Tell whose turns these are, and how long the search was."""
    position = suggestion.position
    seat = setup_of(position).seats[position.actor]
    games = sum(choice.games for choice in suggestion.turns)
    played = f", {plural(games, 'game')}" if games else ""
    searched = f"{plural(suggestion.visits, 'visit')}{played}, seed {suggestion.seed}"
    if position.pending_draw:
        return f"{seat} turns up a card next. The best turn for each card ({searched}):"
    if position.actor != position.mover:
        return f"Best reactions for {seat} ({searched}):"
    return f"Best turns for {seat} with {cards_shown(position)} ({searched}):"


def turns_table(
    position: Position,
    choices: Sequence[TurnChoice],
    *,
    best: tuple[int, ...] | None = None,
    played: tuple[int, ...] | None = None,
) -> Table:
    """Return turns and what to expect of each; those with these steps stand out."""
    has_draw = position.pending_draw
    first = (Column("card", Kind.NAME), Column("odds %")) if has_draw else (Column(""),)
    numbers = (WIN, "interval", *setup_of(position).seats, "margin", HALF_WIDTH, "visits")
    has_games = any(choice.games for choice in choices)
    if has_games:
        numbers += (GAMES,)
    rows = []
    for rank, choice in enumerate(choices, start=1):
        turn = chosen_turn(position, choice)
        own = choice.seats[position.actor]
        cells = (
            *((turn.card, percent(choice.odds)) if has_draw else (str(rank),)),
            turn.summary,
            percent(own.win.value),
            win_interval(choice, position.actor),
            *(decimal(outlook.gold.value) for outlook in choice.seats),
            decimal(own.margin.value, signed=True),
            half_width(own.margin),
            f"{choice.visits:,}",
            *((f"{choice.games:,}",) if has_games else ()),
        )
        shown = ((Emphasis.BEST, best), (Emphasis.PLAYED, played))
        rows.append(Row(cells, tuple(emphasis for emphasis, it in shown if choice.steps == it)))
        if choice.variants:
            blank = ("",) * len(numbers)
            rows.append(Row((*("",) * len(first), variants_text(choice), *blank)))
    columns = (*first, Column("turn", Kind.PROSE), *map(Column, numbers))
    return Table(columns, tuple(rows))


def win_interval(choice: TurnChoice, seat: int) -> str:
    """Return the interval of a seat's chance of winning."""
    return EXACT if choice.is_proven else percent_range(choice.seats[seat].win)


def has_sources(choice: TurnChoice) -> bool:
    """Return whether the search counted where the gold comes from."""
    return bool(choice.seats[0].sources)


def sources_table(setup: Setup, choices: Mapping[str, TurnChoice]) -> Table:
    """Return where the gold of every seat comes from after each of some turns, by their names."""
    columns = {
        f"{seat} {name}".strip(): choice.seats[index]
        for index, seat in enumerate(setup.seats)
        for name, choice in choices.items()
    }
    sources = [sources_dict(setup, outlook) for outlook in columns.values()]
    names = dict.fromkeys(name for gold in sources for name in gold)
    rows = [Row((name, *(decimal(gold.get(name, 0.0)) for gold in sources))) for name in names]
    totals = (decimal(outlook.gold.value) for outlook in columns.values())
    wins = (percent(outlook.win.value) for outlook in columns.values())
    return Table(
        (Column("", Kind.NAME), *map(Column, columns)),
        (*rows, Row((TOTAL, *totals), (Emphasis.TOTAL,)), Row((WIN, *wins))),
    )


def about_chances(seat: str) -> str:
    """Tell what a chance of winning means, and what it does not mean."""
    return (
        f"A {WIN} is how often {seat} would win if strong players played on from there. "
        "It does not know who sits at your table, nor which cards will come. "
        "Its interval says how far off it may be: in 95 of 100 positions it holds what such games "
        "say. "
        "That doubt is about the position and much the same for all turns: which turn is better "
        "is known far more closely."
    )


def turn_terms(
    setup: Setup,
    seat: str,
    *,
    has_games: bool = False,
    has_variants: bool = False,
    has_why: bool = False,
) -> tuple[tuple[str, str], ...]:
    """Return what the columns of `turns_table` mean for the seat that decides."""
    about_variants = (
        ("or ...", "makes no clear difference; at the end by how much the margin changes at worst"),
    )
    about_why = (
        (
            "why",
            "what 1 brings more to the margin than 2; after a colon, what differs on the board",
        ),
    )
    about_games = ((GAMES, "played on from this turn, with the same cards for all turns"),)
    order = (
        f"by {WIN}, then by margin; turns that were not played on come last, by visits"
        if has_games
        else "by visits; a turn with fewer stands higher only if it is clearly better"
    )
    return (
        ("order", order),
        *(about_variants if has_variants else ()),
        (WIN, f"{seat}'s chance of winning; a tie counts as a share"),
        (
            "interval",
            f"{LEVEL_TEXT}, with what searches misjudge; '{EXACT}' if all that can follow was seen",
        ),
        (
            ", ".join(setup.seats),
            "gold at the end of the game, as strong players would play it",
        ),
        ("margin", f"{seat}'s gold minus the best opponent's"),
        (HALF_WIDTH, f"for the number to its left: {LEVEL_TEXT}, with what searches misjudge"),
        (BETTER_PLAY, "gold that strong players make beyond the simulations"),
        ("visits", "simulations that began with this turn; better turns get more of them"),
        *(about_games if has_games else ()),
        *(about_why if has_why else ()),
    )
