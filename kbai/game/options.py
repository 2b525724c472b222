"""The rule options: where rule books or players differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache

from kbai._fast import Option
from kbai.core.errors import NotationError, quote, suggest_name


@dataclass(frozen=True, slots=True)
class Options:
    """The rule options; ``kbai help options`` says what each value means."""

    lords_need_presence: bool = False
    vacated_hex_counts: bool = True
    exhausted_card: str = "remove"
    exhausted_any_hex: bool = False
    lost_tiles_return: bool = False
    sword_targets: str = "each"
    sword_cancels_end: bool = False
    figure_moves: str = "own_terrain"
    canoe_self: bool = False
    island_knights: bool = False
    special_spaces: str = "books"
    crossroads_identical_any: bool = False
    marsh_cards_always: bool = False
    red_cards_any_turn: bool = False
    move_tiles: str = "each_step"

    def __post_init__(self) -> None:
        for key in (f.name for f in fields(self)):
            object.__setattr__(self, key, _option_value(key, getattr(self, key)))

    @classmethod
    def parse(cls, values: Mapping[str, str | bool]) -> Options:
        """Return the default options with some values changed; values may be text.

        Keys of older versions are read, too.
        """
        known = [f.name for f in fields(cls)]
        given: dict[str, str | bool] = {}
        for old, setting in values.items():
            key, value = _renamed(old, setting)
            if key not in known:
                message = f"{suggest_name('option', key, known)}."
                raise NotationError(message, path=("options", key), token=key)
            if key in given:
                message = f"expected the option {key} once, but {old} is its old name."
                raise NotationError(message, path=("options", old), token=old)
            given[key] = value
        # __post_init__ turns text into values.
        return replace(cls(), **given)  # type: ignore[arg-type]

    def changed(self) -> dict[str, str]:
        """Return the options that differ from their default, in order, as text."""
        pairs = ((f.name, getattr(self, f.name), f.default) for f in fields(self))
        return {key: str(value).lower() for key, value, default in pairs if value != default}

    @lru_cache(maxsize=64)  # noqa: B019  (values, of which there are few)
    def bits(self) -> int:
        """Return the kernel's flags; ``marsh_cards_always`` only changes the deck and has none."""
        flags = {
            Option.LORDS_NEED_PRESENCE: self.lords_need_presence,
            Option.VACATED_HEX_COUNTS: self.vacated_hex_counts,
            Option.EXHAUSTED_DISCARD: self.exhausted_card == "discard",
            Option.EXHAUSTED_ANY_HEX: self.exhausted_any_hex,
            Option.LOST_TILES_RETURN: self.lost_tiles_return,
            Option.SWORD_ONE: self.sword_targets == "one",
            Option.SWORD_CANCELS_END: self.sword_cancels_end,
            Option.FIGURES_BY_OWN_TILE: self.figure_moves == "own_tile",
            Option.CANOE_SELF: self.canoe_self,
            Option.ISLAND_KNIGHTS: self.island_knights,
            Option.ALL_SPACES_COUNT: self.special_spaces == "all",
            Option.CROSSROADS_IDENTICAL_ANY: self.crossroads_identical_any,
            Option.FIGURES_ANYWHERE: self.figure_moves == "any_terrain",
            Option.RED_ANY_TURN: self.red_cards_any_turn,
            Option.TILES_AT_END: self.move_tiles == "at_end",
        }
        return sum(int(flag) for flag, on in flags.items() if on)


# The options whose values are words; the others are true or false.
_WORD_OPTIONS = {
    "exhausted_card": ("remove", "discard"),
    "sword_targets": ("each", "one"),
    "figure_moves": ("own_terrain", "any_terrain", "own_tile"),
    "special_spaces": ("books", "all"),
    "move_tiles": ("each_step", "at_end"),
}
# The options of older versions that were true or false: their names now, and what false and true
# mean.
_OLD_OPTIONS = {
    "meeples_only_by_own_tile": ("figure_moves", ("any_terrain", "own_tile")),
    "silo_is_special": ("special_spaces", ("books", "all")),
}


def _renamed(key: str, value: str | bool) -> tuple[str, str | bool]:
    """Return an option of an older version under the name and value it has now."""
    if key not in _OLD_OPTIONS:
        return key, value
    name, meanings = _OLD_OPTIONS[key]
    return name, meanings[_option_value(key, value) is True]


def option_values(key: str) -> tuple[str | bool, ...]:
    """Return the values that an option can have."""
    return _WORD_OPTIONS.get(key, (False, True))


def _option_value(key: str, value: object) -> str | bool:
    """Return the value of an option, from the value itself or its text."""
    allowed = option_values(key)
    for choice in allowed:
        if str(value).strip().lower() == str(choice).lower():
            return choice
    words = " or ".join(repr(str(choice).lower()) for choice in allowed)
    raise NotationError(
        f"expected {words} for the option {key}, got {quote(value)}.",
        path=("options", key),
        token=str(value),
    )


DEFAULT_OPTIONS = Options()
