"""Quadrants, tiles and cards in the terminal."""

from __future__ import annotations

from dataclasses import replace

from drawings import SIGNS, every_mode, hex_at, plain

from kbai import content
from kbai.draw.terminal_content import draw_content, draw_legend, draw_letters, draw_quadrant
from kbai.draw.terminal_hexes import WIDTH


@every_mode
def test_quadrant_is_drawn_with_its_locations(mode: dict[str, bool]) -> None:
    quadrant = content.load().quadrants["tavern"]
    drawing = draw_quadrant(quadrant, **mode)
    lines = plain(drawing).splitlines()
    assert len(lines) == 12
    assert lines[0].split() == list("abcdefghij")
    assert hex_at(drawing, 6, 2) == hex_at(drawing, 6, 7) == " Ta "
    assert hex_at(drawing, 0, 0)[2] == SIGNS[mode["ascii"]]["F"]
    assert hex_at(drawing, 3, 3)[1:3] == ("##" if mode["ascii"] else "♜♜")


def test_letters_of_a_map_of_ones_own_are_drawn() -> None:
    drawing = draw_letters(["GCl", "Wkl"], locations={(0, 2): "barn", (1, 2): "farm"}, color=False)
    assert drawing.splitlines() == [
        "      a   b   c",
        " 1   „   ╱  Ba    1",
        " 2     ≈  ♜♜  Fa  2",
        "      a   b   c",
    ]


def test_legend_alone_names_terrains_and_castles() -> None:
    legend = draw_legend(color=False, ascii=True, letters="WkGTl")
    assert legend == "Legend      , grass  & forest  ~ water  ## castle"
    signs = {"n": ":: nomad space", "p": "@@ palace", "o": "() silo", "S": '" marsh'}
    for letter, sign in signs.items():
        assert draw_legend(color=False, ascii=True, letters=letter).endswith(f" {sign}")


@every_mode
def test_content_is_told_in_sections(mode: dict[str, bool]) -> None:
    every = content.load()
    text = plain(draw_content(every, **mode))
    assert [line for line in text.splitlines() if line.endswith("(Kingdom Builder)")] == [
        "Quadrants (Kingdom Builder)",
        "Locations (Kingdom Builder)",
        "Gold in every game (Kingdom Builder)",
        "Gold by card (Kingdom Builder)",
    ]
    assert [line for line in text.splitlines() if line.endswith("(Nomads)")] == [
        "Quadrants (Nomads)",
        "Locations (Nomads)",
        "Nomad tiles (Nomads)",
        "Gold in every game (Nomads)",
        "Gold by card (Nomads)",
    ]
    words = " ".join(text.split())
    for row in (*every.tiles.values(), *every.cards.values(), *every.rules.values()):
        assert f"{row.name} {row.text}" in words
    for line in text.splitlines():
        assert len(line) <= WIDTH
        assert line == line.rstrip()


def test_content_has_only_the_sections_that_are_filled() -> None:
    oasis = content.select(content.load(), names=["oasis"])
    text = draw_content(oasis, color=False)
    assert text.splitlines()[:3] == ["Quadrants (Kingdom Builder)", "", "oasis"]
    assert "Locations" in text
    assert "Gold" not in text
    miners = content.select(content.load(), names=["miners"], kind="cards")
    assert draw_content(miners, color=False).startswith("Gold by card")


def test_layout_that_is_not_the_printed_one_says_so() -> None:
    every = content.load()
    own = every.quadrants["barn"]._replace(official=False)
    text = draw_content(replace(every, quadrants={"barn": own}), color=False)
    assert "\nbarn (not as printed)\n" in text
