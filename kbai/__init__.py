"""An engine for the board game Kingdom Builder.

This is the library; docs/library.md shows how to use it. What it has is loaded when you first use
it, so that importing it costs next to nothing.

>>> import kbai
>>> position = kbai.Position(kbai.Setup.first_game()).turn_up("flower")
>>> suggestion = kbai.suggest(position, kbai.Limit(visits=1000), seed=7)
>>> suggestion.best.text
'n16 o15 p15'
"""

import os

# What type checkers take for true. To import `typing` for it would double the time of an import.
TYPE_CHECKING = False

try:
    from kbai._cpu import has_avx2, has_avx512
except ModuleNotFoundError as error:
    if error.name != "kbai._cpu":
        raise
    _folder = os.path.dirname(os.path.abspath(__path__[0]))
    raise ImportError(
        f"kbai is not compiled in {_folder}: run 'pip install -e .' there, "
        "or, if you have installed kbai, start Python in another folder.",
        name=error.name,
    ) from None

if TYPE_CHECKING:
    from kbai.api.games import Game, Turn, parse_game, read_game
    from kbai.api.matches import MatchResult, Standing, play_match
    from kbai.api.pictures import draw_svg
    from kbai.api.positions import Position, parse_position, read_position
    from kbai.api.reviews import Review, ReviewedTurn, SeatReview, review_game
    from kbai.api.scores import score
    from kbai.api.setups import Setup
    from kbai.api.suggestions import SuggestedTurn, Suggestion, suggest
    from kbai.api.values import Change, Outlook
    from kbai.core.errors import (
        ArenaError,
        BotError,
        ContentError,
        IllegalActionError,
        KbaiError,
        NotationError,
        ParallelError,
        ReviewError,
        SearchError,
        StoreError,
    )
    from kbai.core.intervals import Estimate
    from kbai.core.version import __version__
    from kbai.explain.results import Comparison
    from kbai.search.params import Limit

# The compiled modules are there several times where that pays, see setup.py; the first one found
# counts. KBAI_BASELINE keeps to those for AVX2, or, set to anything but avx2, to those that run
# everywhere.
_baseline = os.environ.get("KBAI_BASELINE")
if has_avx2() and _baseline in {None, "", "avx2"}:
    __path__.insert(0, os.path.join(__path__[0], "avx2"))
    if has_avx512() and not _baseline:
        __path__.insert(0, os.path.join(__path__[1], "avx512"))

__all__ = [
    "ArenaError",
    "BotError",
    "Change",
    "Comparison",
    "ContentError",
    "Estimate",
    "Game",
    "IllegalActionError",
    "KbaiError",
    "Limit",
    "MatchResult",
    "NotationError",
    "Outlook",
    "ParallelError",
    "Position",
    "Review",
    "ReviewError",
    "ReviewedTurn",
    "SearchError",
    "SeatReview",
    "Setup",
    "Standing",
    "StoreError",
    "SuggestedTurn",
    "Suggestion",
    "Turn",
    "__version__",
    "draw_svg",
    "parse_game",
    "parse_position",
    "play_match",
    "read_game",
    "read_position",
    "review_game",
    "score",
    "suggest",
]
# Where each name is at home, for `__getattr__`; the imports above say the same to type checkers.
_HOMES = {
    "kbai.api.games": ("Game", "Turn", "parse_game", "read_game"),
    "kbai.api.matches": ("MatchResult", "Standing", "play_match"),
    "kbai.api.pictures": ("draw_svg",),
    "kbai.api.positions": ("Position", "parse_position", "read_position"),
    "kbai.api.reviews": ("Review", "ReviewedTurn", "SeatReview", "review_game"),
    "kbai.api.scores": ("score",),
    "kbai.api.setups": ("Setup",),
    "kbai.api.suggestions": ("SuggestedTurn", "Suggestion", "suggest"),
    "kbai.api.values": ("Change", "Outlook"),
    "kbai.core.errors": (
        "ArenaError",
        "BotError",
        "ContentError",
        "IllegalActionError",
        "KbaiError",
        "NotationError",
        "ParallelError",
        "ReviewError",
        "SearchError",
        "StoreError",
    ),
    "kbai.core.intervals": ("Estimate",),
    "kbai.core.version": ("__version__",),
    "kbai.explain.results": ("Comparison",),
    "kbai.search.params": ("Limit",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


if not TYPE_CHECKING:  # who checks types must not believe that there is a name for everything

    def __getattr__(name: str) -> object:
        if name not in _HOME_OF:
            raise AttributeError(f"module 'kbai' has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(_HOME_OF[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
