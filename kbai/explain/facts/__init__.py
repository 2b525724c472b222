"""What is different on the board after two turns, by source of gold; one file an idea.

A fact says what the first of two kingdoms has that the second has not, as the rest of a sentence
that begins with the turn: "links the oasis at h13 to the castle at l12". It is true on the board as
it stands after the turns, whatever anybody forecasts.
"""

from __future__ import annotations

from collections.abc import Callable

from kbai.explain.facts.areas import citizens, hermits, messengers
from kbai.explain.facts.at_once import ambassadors, families, rovers, shepherds, treasure
from kbai.explain.facts.castles import castles
from kbai.explain.facts.counted import (
    capitols,
    captains,
    chainers,
    fishermen,
    miners,
    scouts,
    travelers,
    vassals,
    workers,
)
from kbai.explain.facts.links import geologists, merchants
from kbai.explain.facts.majorities import noblewomen, palaces
from kbai.explain.facts.quadrants import farmers, homesteaders, lords
from kbai.explain.facts.rows import discoverers, knights, mayors, rangers
from kbai.explain.facts.tasks import (
    advance,
    compass_points,
    fortress,
    home_country,
    place_of_refuge,
    road,
)
from kbai.explain.kingdom import Kingdom

Finder = Callable[[Kingdom, Kingdom], str | None]

FINDERS: dict[str, Finder] = {
    finder.__name__: finder
    for finder in (
        castles,
        treasure,
        palaces,
        capitols,
        fishermen,
        miners,
        workers,
        discoverers,
        knights,
        hermits,
        citizens,
        merchants,
        farmers,
        lords,
        families,
        shepherds,
        ambassadors,
        rovers,
        geologists,
        messengers,
        noblewomen,
        vassals,
        captains,
        scouts,
        rangers,
        mayors,
        travelers,
        chainers,
        homesteaders,
        home_country,
        fortress,
        road,
        place_of_refuge,
        advance,
        compass_points,
    )
}
"""By the name of the source, as `kbai.game.sources` has it."""


def fact_of(source: str, first: Kingdom, second: Kingdom) -> str | None:
    """Return what the first kingdom has for a source of gold and the second has not, if any."""
    return FINDERS[source](first, second)
