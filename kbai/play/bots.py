"""The bots at the table."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

from kbai.bots.protocol import Bot, View
from kbai.bots.specs import make_bot
from kbai.core.seeds import derive_seed
from kbai.play.live import LiveGame, Waiting, play_step


class BotTable:
    """Makes the bots of a game when they are first asked, and closes them at the end."""

    def __init__(self) -> None:
        self._bots: dict[tuple[int, str], Bot] = {}
        self._last: dict[int, tuple[int, tuple[int, ...]]] = {}

    def __enter__(self) -> BotTable:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release what the bots hold, such as processes."""
        bots, self._bots = self._bots, {}
        for bot in bots.values():
            bot.close()

    def rest(self) -> None:
        """Let the bots forget what they found, which they do before their next turn anyway.

        Trees are large, and many games wait for a person, or for nobody any more.
        """
        for bot in self._bots.values():
            bot.begin()
        self._last.clear()

    def choose(self, live: LiveGame) -> int:
        """Return the step of the bot whose decision it is; `BotFault` if it gives up.

        A bot begins anew in each turn, so that it plays the same in a game that was resumed.
        """
        position = live.position()
        seat = position.actor
        spec = live.players[seat]
        key = (seat, spec)
        if key not in self._bots:
            self._bots[key] = make_bot(spec)
            self._last.pop(seat, None)
        bot = self._bots[key]
        cursor, typed = self._last.get(seat, (None, ()))
        if cursor != live.cursor or live.typed[: len(typed)] != typed:
            bot.begin()
        self._last[seat] = (live.cursor, live.typed)
        seed = derive_seed(live.seed, "bot", seat, live.number, len(live.typed))
        return bot.choose(View(position, seat, seed))


def let_bots_play(
    live: LiveGame, bots: BotTable, on_turn: Callable[[LiveGame], None] = lambda live: None
) -> LiveGame:
    """Play on until a person has to do something or the game is over.

    ``on_turn`` gets the game after each turn that was finished, to save it.
    """
    while live.waiting() is Waiting.BOT:
        after = play_step(live, bots.choose(live))
        if after.cursor != live.cursor:
            on_turn(after)
        live = after
    return live
