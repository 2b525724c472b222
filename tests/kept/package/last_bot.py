"""The bot of docs/bots.md, as it stood there when these files were made."""

from kbai.bots import Bot, BotKind, BotOption, View


class Last(Bot):
    def __init__(self, back: int) -> None:
        self.back = back

    def choose(self, view: View) -> int:
        legal = view.position.legal()
        return legal[max(len(legal) - self.back, 0)]


LAST = BotKind(
    "last",
    lambda options: Last(int(options["back"])),
    "Takes the last legal step, or one near it.",
    options=(BotOption("back", 1, "How many steps from the end.", low=1, high=99),),
)
