"""Charts as SVG: bars with intervals for a player and the others, and a value for each game.

The colours are variables of the page, for it can be light or dark.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from kbai.core.intervals import Estimate
from kbai.core.printable import printable

WIDTH = 560.0
_LABELS, _NUMBERS, _TOP, _BOTTOM = 130.0, 52.0, 6.0, 24.0
_ROW, _BAR, _SIZE = 40.0, 13.0, 13
_DOTS_HEIGHT, _LEFT, _RIGHT = 190.0, 38.0, 12.0
_STEPS = (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)


@dataclass(frozen=True, slots=True)
class Bars:
    """A row of a chart: a bar for the player, and one for the others if there are any."""

    label: str
    own: Estimate
    others: Estimate | None = None


@dataclass(frozen=True, slots=True)
class Dot:
    """The value of one game."""

    value: float
    tip: str


def draw_bars(rows: Sequence[Bars], *, title: str, scale: float = 1.0, digits: int = 1) -> str:
    """Draw bars from 0 on; a line across the end of a bar is its interval."""
    height = _TOP + _ROW * len(rows) + _BOTTOM
    step, low, high = _scale(_values(rows, scale))

    def x(value: float) -> float:
        inside = min(max(value, low), high)
        return _LABELS + (WIDTH - _LABELS - _NUMBERS) * (inside - low) / (high - low)

    parts = [f"<title>{escape(printable(title))}</title>"]
    for number in range(round((high - low) / step) + 1):
        tick = low + number * step
        parts.append(
            f'<path class="grid" d="M{x(tick):.1f},{_TOP:g}V{height - _BOTTOM:g}"/>'
            f'<text x="{x(tick):.1f}" y="{height - 7:g}" text-anchor="middle">{tick:g}</text>'
        )
    for index, row in enumerate(rows):
        top = _TOP + _ROW * index + (_ROW - 2 * _BAR) / 2
        if row.others is None:
            top += _BAR / 2
        parts.append(
            f'<text x="{_LABELS - 8:g}" y="{_TOP + _ROW * (index + 0.5) + 4:.1f}" '
            f'text-anchor="end">{escape(printable(row.label))}</text>'
        )
        for place, (css, value) in enumerate((("own", row.own), ("others", row.others))):
            if value is not None:
                parts.append(_bar(css, value, scale, digits, top + place * _BAR, x))
    return _svg(parts, height)


def draw_dots(dots: Sequence[Dot], *, title: str, mean: float) -> str:
    """Draw the values of games in their order, with a line at their mean."""
    step, low, high = _scale([0.0, *(dot.value for dot in dots)])
    bottom = _DOTS_HEIGHT - _BOTTOM

    def y(value: float) -> float:
        return bottom - (bottom - _TOP - 6) * (value - low) / (high - low)

    def x(index: int) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * (index + 0.5) / len(dots)

    parts = [f"<title>{escape(printable(title))}</title>"]
    for number in range(round((high - low) / step) + 1):
        tick = low + number * step
        parts.append(
            f'<path class="grid" d="M{_LEFT:g},{y(tick):.1f}H{WIDTH - _RIGHT:g}"/>'
            f'<text x="{_LEFT - 6:g}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>'
        )
    parts.append(f'<path class="mean" d="M{_LEFT:g},{y(mean):.1f}H{WIDTH - _RIGHT:g}"/>')
    every = max(1, -(-len(dots) // 12))
    for index, dot in enumerate(dots):
        parts.append(
            f'<circle class="own" cx="{x(index):.1f}" cy="{y(dot.value):.1f}" r="4">'
            f"<title>{escape(printable(dot.tip))}</title></circle>"
        )
        if index % every == 0:
            parts.append(
                f'<text x="{x(index):.1f}" y="{_DOTS_HEIGHT - 7:g}" text-anchor="middle">'
                f"{index + 1}</text>"
            )
    return _svg(parts, _DOTS_HEIGHT)


def _values(rows: Iterable[Bars], scale: float) -> list[float]:
    """Return what the axis must show: all values, and intervals that are not out of proportion."""
    estimates = [each for row in rows for each in (row.own, row.others) if each is not None]
    values = [0.0, *(scale * each.value for each in estimates)]
    most = 2 * max(map(abs, values))
    ends = (scale * end for each in estimates for end in (each.low, each.high))
    return [*values, *(end for end in ends if abs(end) <= most)]


def _scale(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the distance of the grid lines, and the ends of the axis rounded to them."""
    low, high = min(values), max(values)
    step = next((step for step in _STEPS if high - low <= 5 * step), _STEPS[-1])
    first, last = math.floor(low / step), math.ceil(high / step)
    return step, first * step, max(last, first + 1) * step


def _bar(
    css: str, value: Estimate, scale: float, digits: int, top: float, x: Callable[[float], float]
) -> str:
    start, end = sorted((x(0.0), x(scale * value.value)))
    middle = top + _BAR / 2
    parts = [
        f'<rect class="{css}" x="{start:.1f}" y="{top:.1f}" width="{max(end - start, 1):.1f}" '
        f'height="{_BAR - 2:g}"/>'
    ]
    right = end
    if math.isfinite(value.low) and math.isfinite(value.high):
        low, right = x(scale * value.low), max(end, x(scale * value.high))
        parts.append(
            f'<path class="whisker" d="M{low:.1f},{middle - 1:.1f}H{x(scale * value.high):.1f}"/>'
        )
    text = format(scale * value.value, f"z.{digits}f")
    parts.append(f'<text x="{right + 5:.1f}" y="{middle + 4:.1f}" font-size="11">{text}</text>')
    return "".join(parts)


def _svg(parts: Iterable[str], height: float) -> str:
    return (
        f'<svg class="curve chart" viewBox="0 0 {WIDTH:g} {height:g}" font-size="{_SIZE}" '
        f'role="img">{"".join(parts)}</svg>'
    )
