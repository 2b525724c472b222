"""Pictures: well-formed, complete, and made of what is defined in them."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from mixed import MIXED_LINE, mixed_position
from positions import NOMADS_END, NOMADS_LINE, random_positions

from kbai import content
from kbai._fast import Position
from kbai.cli import main
from kbai.content import TERRAIN_CARDS
from kbai.draw import svg_icons
from kbai.draw.cell_texts import cell_texts
from kbai.draw.svg import (
    board_layer,
    draw_picture,
    last_layer,
    middle,
    names_layer,
    pieces_layer,
    turn_layer,
)
from kbai.draw.svg_panel import PANEL_WIDTH, draw_panel
from kbai.draw.svg_symbols import LAST, LIFTED, PLAYED, piece_id, symbols
from kbai.game import pieces
from kbai.game.cells import CELL_NAMES
from kbai.game.seats import SEATS
from kbai.game.setup import Setup, setup_of
from kbai.notation.names import parse_cell
from kbai.notation.positions import parse_position
from kbai.notation.turns import parse_turn

SVG = "{http://www.w3.org/2000/svg}"
FIRST = "kb1 board=tavern,paddock,oasis,farm cards=fishermen,knights,merchants "
GAME = """\
Board: tavern,paddock,oasis,farm
Cards: fishermen,knights,merchants
Seats: red,blue

1 red flower: n16 o15 o17
2 blue canyon: c6 b6 d7
3 red grass: farm:l16 l15 m15 m17
"""


def uses(text: str) -> list[tuple[str, float, float]]:
    """Return what a picture uses, and where."""
    root = ElementTree.fromstring(text)
    found = [use for use in root.iter(f"{SVG}use") if use.get("x")]
    return [(use.get("href", "")[1:], float(use.get("x", 0)), float(use.get("y", 0)))
            for use in found]  # fmt: skip


def layer_uses(text: str) -> Counter[str]:
    return Counter(re.findall(r'<use href="#([^"]+)"', text))


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, ["show", *arguments], input=text)


def assert_whole(text: str) -> None:
    """Check that a picture is XML, defines what it uses, once, and needs nothing from outside."""
    root = ElementTree.fromstring(text)
    names = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(names) == len(set(names))
    assert set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text)) <= {
        pair for name in names for pair in ((name, ""), ("", name))
    }
    assert re.findall(r'(?:href|src)="(?!#)', text) == []
    assert text.count("http") == 1  # the namespace


def test_every_position_of_random_games_has_a_whole_picture():
    for number, position in enumerate(random_positions(9, share=0.02)):
        text = draw_picture(position)
        assert_whole(text)
        drawn = [name for name, _, _ in uses(text)]
        found = pieces.all_pieces(position.board, position.fields())
        houses = sum(name == pieces.HOUSE for _, name in found.values())
        assert sum(name.endswith("-house") for name in drawn) == houses
        if number == 40:
            break


def test_every_hex_is_drawn_once_as_its_terrain_or_space():
    position = parse_position(f"{FIRST} red=- blue=- turn=red card=flower")
    setup = setup_of(position)
    counts = layer_uses(board_layer(setup))
    letters = Counter("".join(setup.letters))
    assert counts["hex-flower"] == letters["F"]
    assert counts["hex-mountain"] == letters["M"]
    assert counts["space-castle"] == letters["k"]
    ground = sum(n for name, n in counts.items() if name.startswith(("hex-", "space-")))
    assert ground == 400
    assert counts["tile-farm"] == 2


def test_odd_rows_lie_half_a_hex_to_the_right_and_hexes_touch():
    assert middle(parse_cell("a2"))[0] - middle(parse_cell("a1"))[0] == 20
    assert middle(parse_cell("b1"))[0] - middle(parse_cell("a1"))[0] == 40
    assert middle(parse_cell("a3"))[0] == middle(parse_cell("a1"))[0]
    # The island is below the board.
    assert middle(parse_cell("~a1"))[1] > middle(parse_cell("a20"))[1] + 46


def test_pieces_stand_on_their_hexes():
    position = mixed_position(MIXED_LINE)
    drawn = uses(draw_picture(position))
    for name, cell in (
        (piece_id("red", pieces.HOUSE), "a13"),
        (piece_id("red", pieces.HOUSE), "~b3"),
        (piece_id("red", pieces.WARRIOR), "f13"),
        (piece_id("red", pieces.WAGON), "n11"),
        (piece_id("red", pieces.HALL), "d17"),
        ("red-ground", "e17"),
        ("red-scout", "a12"),
        (piece_id("blue", pieces.HOUSE), "l2"),
        ("wall", "t20"),
        ("wall", "~d3"),
        ("cave", "n11"),
        ("capitol", "m8"),
        ("plate", "q2"),
    ):
        assert (name, *middle(parse_cell(cell))) in drawn, (name, cell)


def test_a_location_shows_how_many_tiles_are_left():
    def pips(position: Position) -> tuple[int, int]:
        counts = layer_uses(pieces_layer(position))
        return counts["pip"], counts["no-pip"]

    assert pips(parse_position(f"{FIRST} red=- blue=- turn=red card=flower")) == (16, 0)
    taken = f"{FIRST} red=b7/tiles=tavern@c7 blue=- turn=red card=flower"
    assert pips(parse_position(taken)) == (15, 1)


def test_a_nomad_tile_that_is_gone_is_not_drawn():
    there = layer_uses(pieces_layer(parse_position(NOMADS_LINE)))
    gone = layer_uses(pieces_layer(parse_position(NOMADS_LINE + NOMADS_END)))
    assert gone["plate"] == 2
    assert there["plate"] > gone["plate"]


def test_a_piece_in_hand_is_circled():
    line = f"{FIRST} red=b2,b3/gifts=barn blue=- turn=red card=flower"
    in_hand = parse_position(f"{line} lift=barn@b2")
    assert layer_uses(pieces_layer(parse_position(line)))[LIFTED] == 0
    assert layer_uses(pieces_layer(in_hand))[LIFTED] == 1
    assert ">piece in hand<" in draw_picture(in_hand)


def test_every_hex_has_its_name_for_clicks_and_a_tip():
    setup = setup_of(parse_position(f"{FIRST} red=- blue=- turn=red card=flower"))
    layer = ElementTree.fromstring(f"<svg xmlns='{SVG[1:-1]}'>{board_layer(setup)}</svg>")
    hexes = [use for use in layer.iter(f"{SVG}use") if use.get("data-cell")]
    assert [use.get("data-cell") for use in hexes] == [*CELL_NAMES[:400]]
    tips = {use.get("data-cell"): use[0].text for use in hexes}
    assert (tips["a1"], tips["c7"], tips["l3"]) == ("a1: flower", "c7: tavern", "l3: mountain")


def test_nothing_but_hexes_takes_clicks():
    position = mixed_position(MIXED_LINE)
    turn = parse_turn("2 red flower: a5 barn:b2-b6 end")
    layers = pieces_layer(position), last_layer(turn), turn_layer(turn, kind=PLAYED)
    for layer in (*layers, names_layer(setup_of(position))):
        rest = ElementTree.fromstring(f"<svg xmlns='{SVG[1:-1]}'>{layer}</svg>")
        while rest.get("pointer-events") != "none":
            (rest,) = rest


def test_the_tip_of_a_hex_says_what_stands_there():
    texts = cell_texts(mixed_position(MIXED_LINE))
    told = {name: texts[parse_cell(name)] for name in ("f13", "e17", "t20", "n11", "m8", "a12")}
    assert told == {
        "f13": "f13: flower, warrior of red",
        "e17": "e17: forest, city hall of red",
        "t20": "t20: canyon, stone wall",
        "n11": "n11: mountain with a cave, wagon of red",
        "m8": "m8: castle with a capitol",
        "a12": "a12: water, scout of red",
    }
    taken = parse_position(f"{FIRST} red=b7/tiles=tavern@c7 blue=- turn=red card=flower")
    assert cell_texts(taken)[parse_cell("c7")] == "c7: tavern, 1 tile left"


def test_cards_are_hexes_with_their_names_and_numbers():
    position = mixed_position(MIXED_LINE)
    text = draw_picture(position)
    for name, count in zip(TERRAIN_CARDS, position.fields()["unseen"], strict=True):
        assert (f">{name.replace('_', ' ')} {count}</text>" in text) == bool(count)
    hexes = layer_uses(text[text.index(">Unseen<") : text.index(">Signs<")])
    assert hexes["hex-marsh"] == sum(n > 0 for n in position.fields()["unseen"][5:])


def test_no_text_of_the_panel_reaches_the_edge_or_another_one():
    # Wider than the letters of any font that a picture asks for are on average.
    wide = 0.62
    for seed in range(8):
        setup = Setup.random(seed, seats=5, sets=tuple(content.load().sets))
        panel = draw_panel(setup.start_position(), last=None, numbered=None, label="")[0]
        texts = re.findall(r'<text x="([^"]+)" y="([^"]+)"([^>]*)>([^<]*)<', panel)
        rows: dict[str, list[tuple[float, float]]] = {}
        for x, y, style, written in texts:
            size = 14 if "font-size" in style else 12.5
            end = float(x) + len(written) * wide * size * (1.1 if "bold" in style else 1)
            rows.setdefault(y, []).append((float(x), end))
        for row in rows.values():
            ends = [end for _, end in sorted(row)]
            starts = [start for start, _ in sorted(row)][1:]
            assert all(
                end < start for end, start in zip(ends, [*starts, PANEL_WIDTH - 12], strict=True)
            )


def test_the_last_turn_is_outlined_and_the_next_one_numbered():
    position = parse_position(f"{FIRST} red=b2,b3/gifts=barn blue=- turn=red card=flower")
    text = draw_picture(
        position,
        last=parse_turn("1 blue flower: c3 d4"),
        numbered=parse_turn("2 red flower: a5 barn:b2-b6 end"),
        label="Suggested",
    )
    assert_whole(text)
    places = uses(text)
    assert [place for place in places if place[0] == LAST] == [
        (LAST, *middle(parse_cell("c3"))),
        (LAST, *middle(parse_cell("d4"))),
    ]
    assert [place for place in places if place[0] == PLAYED] == [
        (PLAYED, *middle(parse_cell("a5"))),
        (PLAYED, *middle(parse_cell("b6"))),
    ]
    assert text.count("marker-end") == 1
    assert ">Suggested<" in text


@pytest.mark.parametrize(
    "name", sorted({*content.load().tiles, *content.load().locations, *content.load().nomads})
)
def test_every_tile_and_action_of_the_boxes_has_a_drawing(name):
    assert name in svg_icons.TILES or name.startswith("donation_")


def test_no_two_tiles_look_the_same():
    assert len(set(svg_icons.TILES.values())) == len(svg_icons.TILES)


def test_seats_differ_in_their_marks():
    marks = set()
    for seat in SEATS:
        other = "red" if seat != "red" else "blue"
        line = f"{FIRST} {seat}=- {other}=- turn={seat} card=flower"
        text = symbols(setup_of(parse_position(line)))
        house = re.search(rf'<g id="{seat}-house">.*?</g>', text)
        assert house
        marks.add(re.findall(r' d="([^"]+)"', house[0])[-1])
    assert len(marks) == len(SEATS)


# The command.


def test_show_writes_a_picture_of_a_position(tmp_path):
    path = tmp_path / "board.svg"
    result = run("--svg", str(path))
    assert (result.exit_code, result.output) == (0, "")
    assert_whole(path.read_text("utf-8"))


def test_show_writes_a_picture_of_the_turn_asked_for_to_stdout():
    result = run("-", "--turn", "2", "--svg", "-", text=GAME)
    assert result.exit_code == 0
    assert_whole(result.stdout)
    drawn = uses(result.stdout)
    assert ("red-house", *middle(parse_cell("n16"))) in drawn
    assert (PLAYED, *middle(parse_cell("c6"))) in drawn
    assert (LAST, *middle(parse_cell("o17"))) in drawn
    assert "blue-house" not in [name for name, _, _ in drawn]


def test_a_path_that_cannot_be_written_is_refused(tmp_path):
    result = run("--svg", str(tmp_path / "nowhere" / "board.svg"))
    assert result.exit_code == 2
    assert "expected a file to write" in result.stderr
    assert "No such file or directory" in result.stderr
    result = run("--svg", str(tmp_path))
    assert result.exit_code == 2


def test_asking_whether_a_path_can_be_written_leaves_nothing_behind(tmp_path):
    path = tmp_path / "board.svg"
    result = run("nowhere.kbg", "--svg", str(path))
    assert result.exit_code == 1
    assert not path.exists()
