"""Curves over the turns of a game."""

from __future__ import annotations

import re

from kbai.draw.svg_curves import Line, Moment, draw_curve


def test_a_curve_goes_through_its_values():
    lines = [Line("red", (0.0, 100.0), (0.0, 90.0), (10.0, 100.0)),
             Line("white", (100.0, 0.0), (90.0, 0.0), (100.0, 10.0))]  # fmt: skip
    moment = Moment("turn-1", "1", "first", "??", 1)
    drawing = draw_curve(lines, [moment], title="t", low=0, high=100)
    ways = re.findall(r'<path class="line" d="M([^"z]+)" fill="none" stroke="([^"]+)"', drawing)
    assert [way for way, _ in ways] == ["38.0,236.0L498.0,14.0", "38.0,14.0L498.0,236.0"]
    assert ">??</text>" in drawing and 'href="#turn-1"' in drawing
