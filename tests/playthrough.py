"""Playthroughs for people: scenes of a game replayed and told step by step.

A file ``*.play`` has scenes. Each begins with a line ``== TITLE``; then come the start position in
any of its spellings, a line ``--``, and the actions, as many to a line as one likes. ``# ...``
among the actions is told again in front of the next one; ``!c7`` tells why ``c7`` is refused.

What an action did is read off the fields of the positions before and after it. No rule of the game
is known here.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import fill
from typing import TYPE_CHECKING

from kbai._fast import Draw, Phase, Position, Terrain
from kbai.content import TERRAIN_CARDS
from kbai.core.errors import IllegalActionError
from kbai.draw.terminal import draw_position
from kbai.game.cells import format_cell, format_row
from kbai.game.pieces import pieces_of
from kbai.game.setup import Setup, setup_of
from kbai.notation.actions import legal_actions
from kbai.notation.illegal import apply_action
from kbai.notation.positions import format_line, parse_position
from kbai.notation.schema import GOLD_SOURCES, doing_to_text, removed_cards
from kbai.notation.turns import Turn
from kbai.report.document_text import document_text
from kbai.report.scores import score_document

if TYPE_CHECKING:
    from kbai._fast import Fields, SeatFields  # only the stub has them

WIDTH = 100
INDENT = 4
LEGEND = "\n\nTerrain"  # what the signs mean is told below the first drawing and the last
SCENE, ACTIONS, COMMENT, REFUSED = "== ", "--", "#", "!"


def tell(text: str) -> str:
    """Return the story of a ``*.play`` file."""
    return "\n".join(_tell_file(text))


def _tell_file(text: str) -> Iterator[str]:
    head, *scenes = ("\n" + text).split(f"\n{SCENE}")
    yield from head.strip().splitlines()
    for scene in scenes:
        title, _, rest = scene.partition("\n")
        start, _, actions = rest.partition(f"\n{ACTIONS}\n")
        yield f"\n{'=' * WIDTH}\n{title}\n{'=' * WIDTH}\n"
        yield from _tell_scene(parse_position(start), actions)


def _tell_scene(position: Position, actions: str) -> Iterator[str]:
    yield _drawing(position)
    turn: list[str] = []
    listed = ""
    for word in _words(actions):
        if word.startswith("\n"):
            yield word
            continue
        # A refusal leaves the position as it was; the same list need not follow.
        if listed != (listed := format_line(position)):
            yield ""
            yield from legal_lines(position)
        if word.startswith(REFUSED):
            yield _refusal(position, word.removeprefix(REFUSED))
            continue
        before = position.copy()
        apply_action(position, word)
        yield f"> {word}"
        yield from consequence_lines(before, position)
        turn.append(word)
        if word == "end" and not position.is_over:
            cells = Turn(1, "red", "none", tuple(turn)).cells
            drawing, _, _ = _drawing(position, cells).partition(LEGEND)
            yield f"\n{drawing}"
            turn = []
    if turn:
        yield f"\n{_drawing(position)}"
    yield f"\n{document_text(score_document(position))}"


def _words(actions: str) -> Iterator[str]:
    """Iterate over the words of the actions; comments of several lines are one."""
    comment = ""
    for line in actions.splitlines():
        if line.startswith(COMMENT):
            comment += f"\n{line}"
            continue
        yield from [comment] * bool(comment) + line.split()
        comment = ""


def _drawing(position: Position, highlight: Sequence[int] = ()) -> str:
    picture = draw_position(position, color=False, ascii=True, highlight=highlight)
    return f"{format_line(position)}\n\n{picture}"


def _refusal(position: Position, word: str) -> str:
    try:
        apply_action(position.copy(), word)
    except IllegalActionError as error:
        return _wrap("! ", error.message)
    raise AssertionError(f"{word} is legal, but the file says it is not: {format_line(position)}")


def _wrap(label: str, text: str) -> str:
    indent = " " * max(len(label), INDENT)
    options = {"break_long_words": False, "break_on_hyphens": False}
    return fill(text, WIDTH, initial_indent=label, subsequent_indent=indent, **options)


# What can be done.


def legal_lines(position: Position) -> list[str]:
    """Return all that can come next, by tiles; pieces that can go to the same hexes together."""
    if position.pending_draw:
        return [_wrap("one of ", _counts(position.draws()))]
    groups: dict[str, list[str]] = {}
    actions = legal_actions(position)
    for action in actions:
        name, _, rest = action.rpartition(":")
        seat, at, cell = rest.rpartition("@")
        name, rest = (f"{name} {seat}{at}", cell) if at else (name, rest)
        groups.setdefault(name or ("build" if rest[-1].isdigit() else rest), []).append(rest)
    lines = [f"legal: {len(actions)}"]
    for name, rests in groups.items():
        if rests == [name]:
            lines.append(" " * INDENT + name)
            continue
        moves: dict[str, list[str]] = {}
        for rest in rests:
            source, _, target = rest.rpartition("-")
            moves.setdefault(source, []).append(target)
        together: dict[tuple[bool, str], list[str]] = {}
        for source, targets in moves.items():
            together.setdefault((bool(source), " ".join(targets)), []).append(source)
        for (moved, cells), sources in together.items():
            targets = cells.split()
            text = f"{' '.join(sources)} to {cells}" if moved else cells
            lines.append(_wrap(f"    {name} ({len(sources) * len(targets)}): ", text))
    return lines


# What was done.


def consequence_lines(before: Position, after: Position) -> list[str]:
    """Return what is different after an action: a line for each seat, the turn and the cards."""
    setup, old, new = setup_of(before), before.fields(), after.fields()
    told = {
        name: _seat_changes(before, setup, *seats)
        for name, *seats in zip(setup.seats, old["seats"], new["seats"], strict=True)
    }
    told["turn"] = _changes(_turn_texts(setup, old), _turn_texts(setup, new))
    told["turn"] += _list_changes(_turn_lists(setup, old), _turn_lists(setup, new))
    told["cards"] = _card_changes(_piles(setup, old), _piles(setup, new))
    width = max(map(len, told)) + 2
    return [
        _wrap(" " * INDENT + who.ljust(width), "; ".join(texts))
        for who, texts in told.items()
        if texts
    ] or [" " * INDENT + "nothing"]


def _changes(old: dict[str, str], new: dict[str, str]) -> list[str]:
    return [f"{key} {old[key]} -> {new[key]}" for key in old if old[key] != new[key]]


def _list_changes(old: dict[str, list[str]], new: dict[str, list[str]]) -> list[str]:
    return [
        f"{key} {sign}{' '.join(items)}"
        for key in old
        for sign, more, less in (("-", old[key], new[key]), ("+", new[key], old[key]))
        if (items := [item for item in more if item not in less])
    ]


def _seat_changes(
    position: Position, setup: Setup, old: "SeatFields", new: "SeatFields"
) -> list[str]:
    texts = _piece_changes(pieces_of(position.board, old), pieces_of(position.board, new))
    for key, verb, less in (("taken", "takes", old["taken"]), ("held", "loses", new["held"])):
        more = new["taken"] if key == "taken" else old["held"]
        spaces = (setup.spaces[index] for index in more if index not in less)
        texts += [f"{verb} {space.tile}@{format_cell(space.cell)}" for space in spaces]
    texts += _tile_changes(setup, old, new)
    gold = zip(GOLD_SOURCES, old["gold"], new["gold"], strict=True)
    texts += [f"{source} {now - was:+} gold" for source, was, now in gold if now != was]
    texts += _list_changes(_seat_lists(old), _seat_lists(new))
    return texts + _changes(_seat_texts(old), _seat_texts(new))


def _piece_changes(old: dict[int, str], new: dict[int, str]) -> list[str]:
    texts = []
    for name in dict.fromkeys([*old.values(), *new.values()]):
        gone = [format_cell(cell) for cell in sorted(old) if old[cell] == name != new.get(cell)]
        come = [format_cell(cell) for cell in sorted(new) if new[cell] == name != old.get(cell)]
        if len(gone) == len(come) == 1:
            texts.append(f"{name} {gone[0]} -> {come[0]}")
            continue
        texts += [f"{name} off {' '.join(gone)}"] if gone else []
        texts += [f"{name} on {' '.join(come)}"] if come else []
    return texts


def _tile_changes(setup: Setup, old: "SeatFields", new: "SeatFields") -> list[str]:
    texts = []
    for index, kind in enumerate(setup.tile_kinds):
        was, now = (
            Counter({state: seat[state][index] for state in ("ready", "used", "fresh")})
            for seat in (old, new)
        )
        states = zip_longest((was - now).elements(), (now - was).elements(), fillvalue="no tile")
        texts += [f"{kind}: {first} -> {second}" for first, second in states]
    return texts


def _seat_texts(seat: "SeatFields") -> dict[str, str]:
    return {key: str(seat[key]) for key in ("supply", "tokens", "temple", "hidden")}


def _seat_lists(seat: "SeatFields") -> dict[str, list[str]]:
    quadrants = [str(index + 1) for index in seat["roved"]]
    return {"mayors row": [*map(format_row, seat["mayors"])], "roved": quadrants}


def _turn_texts(setup: Setup, fields: "Fields") -> dict[str, str]:
    def name(what: type, value: int) -> str:
        return what(value).name.lower() if value >= 0 else "none"

    phase = name(Phase, fields["phase"])
    if fields["phase"] == Phase.BUILD:
        phase += f" with {fields['due']} to go"
    terrain = Terrain(fields["terrain"]) if fields["terrain"] >= 0 else None
    reacting = [f"{setup.seats[b]} asked for {setup.seats[a]}" for a, b in fields["reacting"]]
    return {
        "of": setup.seats[fields["mover"]],
        "phase": phase,
        "terrain": "any" if terrain is Terrain.SPECIAL else name(Terrain, fields["terrain"]),
        "to draw": name(Draw, fields["draw"]),
        "lifted": "none" if fields["lift"] is None else format_cell(fields["lift"][1]),
        "doing": "nothing" if fields["doing"] is None else doing_to_text(setup, fields["doing"]),
        "repeat": setup.tile_kinds[fields["repeat"] - 1] if fields["repeat"] else "nothing",
        "reacting": ", ".join(reacting) or "nobody",
        "outpost": "declared" if fields["outpost"] else "none",
        "owed": str(fields["owed"]),
        "silos": str(fields["silos"]),
        "last round": "yes" if fields["final"] else "no",
    }


def _turn_lists(setup: Setup, fields: "Fields") -> dict[str, list[str]]:
    gone = [setup.spaces[index] for index in fields["gone"]]
    keys = ("built", "moved", "scouts", "walls")
    return {key: [*map(format_cell, fields[key])] for key in keys} | {
        "off their spaces": [f"{space.tile}@{format_cell(space.cell)}" for space in gone]
    }


def _piles(setup: Setup, fields: "Fields") -> dict[str, Sequence[int]]:
    played = [int(card == fields["card"]) for card in range(len(TERRAIN_CARDS))]
    piles = {key: fields[key] for key in ("unseen", "hand", "discard", "spent")}
    for counts, seats in fields["held"]:
        piles["held by " + "+".join(setup.seats[seat] for seat in seats)] = counts
    return {"played": played} | piles | {"out of the game": removed_cards(setup, fields)}


def _card_changes(old: dict[str, Sequence[int]], new: dict[str, Sequence[int]]) -> list[str]:
    none = [0] * len(TERRAIN_CARDS)
    texts = []
    for pile in dict.fromkeys([*old, *new]):
        was, now = old.get(pile, none), new.get(pile, none)
        texts += [
            f"{pile} {name} {after - before:+}"
            for name, before, after in zip(TERRAIN_CARDS, was, now, strict=True)
            if after != before
        ]
    return texts


def _counts(counts: Sequence[int]) -> str:
    pairs = zip(TERRAIN_CARDS, counts, strict=True)
    return ", ".join(f"{name} ({count})" for name, count in pairs if count)
