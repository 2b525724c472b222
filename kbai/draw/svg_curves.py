"""Curves over the turns of a game as SVG: one line for each seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from kbai.draw.svg_symbols import seat_color

WIDTH, HEIGHT = 560.0, 260.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 38.0, 62.0, 14.0, 24.0
_SIZE = 13
# Space between the names of the seats at the right end.
_APART = 15.0
# Each seat has its own dashes and its house on the line, because not everybody sees colours.
_DASHES = ("", "9 4", "3 3", "12 4 3 4", "16 5")
# Distance of two houses on a line.
_HOUSES = 90.0


@dataclass(frozen=True, slots=True)
class Line:
    """What a seat could expect at each moment, with the interval."""

    seat: str
    values: tuple[float, ...]
    lows: tuple[float, ...]
    highs: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """A place on the axis: what it links to, and what it shows."""

    target: str
    """The id of an element of the page."""
    label: str
    tip: str
    mark: str = ""
    seat: int = 0
    """Whose line the mark belongs to."""


def moment_x(index: int, count: int) -> float:
    """Return where a moment is; ``count`` is the number of values of a line."""
    return _LEFT + (WIDTH - _LEFT - _RIGHT) * index / max(count - 1, 1)


def draw_curve(
    lines: Sequence[Line], moments: Sequence[Moment], *, title: str, low: float, high: float
) -> str:
    """Draw the lines; if they have one value more than there are moments, it is the end."""
    count = len(lines[0].values)
    step, low, high = _scale(low, high)
    parts = [f"<title>{escape(title)}</title>", _grid(low, high, step)]
    parts.append(_axis(moments, count))

    def point(index: int, value: float) -> str:
        return f"{moment_x(index, count):.1f},{_y(value, low, high):.1f}"

    for line in lines:
        over = [point(i, value) for i, value in enumerate(line.highs)]
        under = [point(i, value) for i, value in enumerate(line.lows)]
        band = "L".join([*over, *reversed(under)])
        # With many seats the bands overlap.
        faint = 0.16 if len(lines) == 2 else 0.06
        parts.append(f'<path d="M{band}z" fill="{seat_color(line.seat)}" opacity="{faint}"/>')
    for index, line in enumerate(lines):
        way = "M" + "L".join(point(i, value) for i, value in enumerate(line.values))
        dashes = _DASHES[index % len(_DASHES)]
        parts.append(
            f'<path d="{way}" class="under" stroke-dasharray="{dashes}"/>'
            f'<path class="line" d="{way}" fill="none" '
            f'stroke="{seat_color(line.seat)}" stroke-width="2.6" stroke-dasharray="{dashes}"/>'
        )
    for index, line in enumerate(lines):
        parts += [
            f'<use href="#{line.seat}-house" transform="translate({x:.1f} '
            f'{_y(line.values[place], low, high):.1f}) scale(.42)"/>'
            for place, x in _house_places(count, index / len(lines))
        ]
    parts += [_names(lines, low, high), '<path class="cursor" d="M0,8V236"/>']
    for index, moment in enumerate(moments):
        if moment.mark:
            x = moment_x(index, count)
            y = max(_y(lines[moment.seat].values[index], low, high) - 7, 11)
            parts.append(f'<text class="mark" x="{x:.1f}" y="{y:.1f}">{escape(moment.mark)}</text>')
    parts += [_link(index, moment, count) for index, moment in enumerate(moments)]
    return (
        f'<svg class="curve" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" font-size="{_SIZE}" role="img">'
        f"{''.join(parts)}</svg>"
    )


def _house_places(count: int, shift: float) -> list[tuple[int, float]]:
    """Return the moments at which a line has its house; the houses of other lines lie between."""
    step = max(1, round(_HOUSES * (count - 1) / (WIDTH - _LEFT - _RIGHT)))
    return [(place, moment_x(place, count)) for place in range(int(shift * step), count - 1, step)]


def _scale(low: float, high: float) -> tuple[float, float, float]:
    """Return the distance of the grid lines, and the ends of the axis rounded to them."""
    step = next(step for step in (1, 2, 5, 10, 20, 25, 50, 100, 200, 500) if high - low <= 6 * step)
    return step, step * (low // step), -step * (-high // step)


def _y(value: float, low: float, high: float) -> float:
    return HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * (value - low) / ((high - low) or 1)


def _grid(low: float, high: float, step: float) -> str:
    parts = []
    for number in range(round((high - low) / step) + 1):
        y = _y(low + number * step, low, high)
        parts.append(
            f'<path class="grid" d="M{_LEFT:g},{y:.1f}H{WIDTH - _RIGHT:g}"/>'
            f'<text x="{_LEFT - 6:g}" y="{y + 4:.1f}" text-anchor="end">'
            f"{low + number * step:g}</text>"
        )
    return "".join(parts)


def _axis(moments: Sequence[Moment], count: int) -> str:
    every = max(1, -(-len(moments) // 12))
    return "".join(
        f'<text x="{moment_x(index, count):.1f}" y="{HEIGHT - 7:g}" text-anchor="middle">'
        f"{escape(moment.label)}</text>"
        for index, moment in enumerate(moments)
        if index % every == 0
    )


def _names(lines: Sequence[Line], low: float, high: float) -> str:
    """Name the lines at their right ends, so that no two names overlap."""
    ordered = sorted(lines, key=lambda line: -line.values[-1])
    places: list[float] = []
    for line in ordered:
        least = places[-1] + _APART if places else 0.0
        places.append(max(_y(line.values[-1], low, high), least))
    lowest = HEIGHT - _BOTTOM
    for index in reversed(range(len(places))):
        places[index] = min(places[index], lowest)
        lowest = places[index] - _APART
    x = WIDTH - _RIGHT + 4
    return "".join(
        f'<use href="#{line.seat}-house" transform="translate({x + 6:g} {y:.1f}) scale(.5)"/>'
        f'<text x="{x + 15:g}" y="{y + 4:.1f}">{line.seat}</text>'
        for line, y in zip(ordered, places, strict=True)
    )


def _link(index: int, moment: Moment, count: int) -> str:
    width = (WIDTH - _LEFT - _RIGHT) / max(count - 1, 1)
    x = moment_x(index, count) - width / 2
    return (
        f'<a href="#{moment.target}" data-open="{moment.target}" tabindex="-1"><rect x="{x:.1f}" '
        f'y="0" width="{width:.1f}" height="{HEIGHT:g}" fill="transparent"/>'
        f"<title>{escape(moment.tip)}</title></a>"
    )
