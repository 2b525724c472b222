"""Set-ups: what is chosen before the first turn."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import cast, final

from kbai.content import join_names, load
from kbai.game.options import Options
from kbai.game.setup import Setup as GameSetup
from kbai.notation.names import name_meant
from kbai.notation.schema import setup_from_dict, setup_to_dict


@final
class Setup:
    """What is chosen before the first turn: the board, the cards, who plays.

    It is checked when you make it, and never changes. Names are those of the text forms
    (docs/forms.md); cells are texts such as ``"c7"``, tiles on cells such as ``"outpost@c7"``.
    Several names are a list, or one text: ``"lords knights"``.

    >>> import kbai
    >>> setup = kbai.Setup(
    ...     board=["tavern", "paddock", "oasis*", "farm"], cards=["lords", "knights", "miners"]
    ... )
    >>> setup.cards
    ('miners', 'knights', 'lords')
    """

    __slots__ = ("_setup",)
    _setup: GameSetup

    def __init__(
        self,
        *,
        cards: Sequence[str],
        board: Sequence[str] = (),
        seats: Sequence[str] = ("red", "blue"),
        start: str = "",
        tasks: Sequence[str] = (),
        nomads: Sequence[str] = (),
        island: str = "",
        caves: Sequence[str] = (),
        capitols: Sequence[str] = (),
        scouted: str = "",
        map: Sequence[str] = (),
        locations: Sequence[str] = (),
        options: Mapping[str, str | bool] | None = None,
    ) -> None:
        """Make a set-up; `NotationError` says what is wrong with it."""
        lists = {
            "board": board,
            "map": map,
            "locations": locations,
            "caves": caves,
            "capitols": capitols,
            "nomads": nomads,
            "cards": cards,
            "tasks": tasks,
        }
        values: dict[str, object] = {key: [*names_in(value)] for key, value in lists.items()}
        values |= {"island": island, "scouted": scouted, "start": start, "options": options}
        given = {key: value for key, value in values.items() if value or key == "cards"}
        self._setup = setup_from_dict(given, [name.lower() for name in names_in(seats)])

    @classmethod
    def first_game(cls, *, seats: Sequence[str] = ("red", "blue")) -> Setup:
        """Return the set-up that the rule book recommends for the first game."""
        return wrap_setup(GameSetup.first_game(names_in(seats)))

    @classmethod
    def random(
        cls,
        seed: int,
        *,
        seats: int | Sequence[str] = 2,
        sets: Sequence[str] = ("base",),
        board: Sequence[str] = (),
        cards: Sequence[str] = (),
        exclude_cards: Sequence[str] = (),
        options: Mapping[str, str | bool] | None = None,
    ) -> Setup:
        """Draw a set-up from these sets; the same seed gives the same one.

        What you name in ``board`` and ``cards`` is not drawn. ``seats`` is a number of players
        or their colours. Names are those of any language that game files may use.

        >>> import kbai
        >>> kbai.Setup.random(1, cards=["Fischer", "mijnwerkers", "caballeros"]).cards
        ('fishermen', 'miners', 'knights')
        """
        every = load()
        return wrap_setup(
            GameSetup.random(
                seed,
                seats=seats if isinstance(seats, int) else names_in(seats),
                sets=names_meant(sets, every.sets),
                board=names_meant(board, every.quadrants) or None,
                cards=names_meant(cards, every.cards) or None,
                exclude_cards=names_meant(exclude_cards, every.cards),
                options=Options.parse(options or {}),
            )
        )

    @property
    def seats(self) -> tuple[str, ...]:
        """The colours of the players, in turn order."""
        return self._setup.seats

    @property
    def start(self) -> str:
        """Who begins."""
        return self._setup.seats[self._setup.start]

    @property
    def cards(self) -> tuple[str, ...]:
        """The scoring cards."""
        return self._setup.cards

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks of Crossroads."""
        return self._setup.tasks

    @property
    def board(self) -> tuple[str, ...]:
        """Top left, top right, bottom left, bottom right; ``oasis*`` is turned. None with a map."""
        return self._setup.board

    @property
    def map(self) -> tuple[str, ...]:
        """A board of your own as 20 rows of 20 letters; empty with quadrants."""
        return self._setup.map

    @property
    def locations(self) -> tuple[str, ...]:
        """The locations of a map, such as ``"tower@c7"``."""
        return self._texts("locations")

    @property
    def nomads(self) -> tuple[str, ...]:
        """The nomad tiles and their spaces, such as ``"outpost@c7"``."""
        return self._texts("nomads")

    @property
    def island(self) -> str:
        """The island beside the board; empty without one."""
        return self._setup.island

    @property
    def caves(self) -> tuple[str, ...]:
        """The cells with a cave."""
        return self._texts("caves")

    @property
    def capitols(self) -> tuple[str, ...]:
        """The cells with a capitol."""
        return self._texts("capitols")

    @property
    def scouted(self) -> str:
        """The terrain that the card Scouts takes out of the deck; empty without that card."""
        return self._setup.scouted

    @property
    def options(self) -> dict[str, str | bool]:
        """The rule options that differ from the usual rules."""
        return cast("dict[str, str | bool]", self.to_dict().get("options", {}))

    def to_dict(self) -> dict[str, object]:
        """Return what differs from the defaults, by the keys of a position's text form."""
        return {**setup_to_dict(self._setup), "seats": list(self._setup.seats)}

    def _texts(self, key: str) -> tuple[str, ...]:
        return tuple(cast("list[str]", setup_to_dict(self._setup).get(key, [])))

    def __eq__(self, other: object) -> bool:
        return self._setup == other._setup if isinstance(other, Setup) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._setup)

    def __repr__(self) -> str:
        values = ", ".join(f"{key}={value!r}" for key, value in self.to_dict().items())
        return f"kbai.Setup({values})"

    def __reduce__(self) -> tuple[object, ...]:
        return wrap_setup, (self._setup,)


def names_in(names: Sequence[str]) -> tuple[str, ...]:
    """Return names from a list of them, or from one text."""
    if isinstance(names, str):
        names = join_names(names).replace(",", " ").split()
    return tuple(names)


def names_meant(names: Sequence[str], known: Collection[str]) -> tuple[str, ...]:
    """Return names as kbai calls them, from a list in any language or from one text."""
    return tuple(name_meant(name, known) for name in names_in(names))


def wrap_setup(setup: GameSetup) -> Setup:
    """Return the library's value of a set-up."""
    wrapped = Setup.__new__(Setup)
    wrapped._setup = setup
    return wrapped


def inner_setup(setup: Setup) -> GameSetup:
    """Return what the rest of kbai works with."""
    if not isinstance(setup, Setup):
        raise TypeError(f"expected a kbai.Setup, got {setup!r:.60}.")
    return setup._setup
