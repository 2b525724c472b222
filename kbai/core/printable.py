"""Foreign text, made fit to be printed.

Names of files, players and bots, reasons that programs give, and words of files can hold characters
that move the cursor, change colours, break lines or turn the direction of writing. Whatever prints
such text sends it through here first.
"""

from __future__ import annotations

import unicodedata

# Marks that join and split letters: names and emoji need them, and they move nothing.
_JOINERS = "\u200c\u200d"
_HARMFUL = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
# Longer messages say nothing more to anybody.
MAX_MESSAGE = 1_000


def printable(text: str) -> str:
    """Return a text on one line, with escapes such as ``\\x1b`` for what cannot be shown.

    >>> printable("Ann\\x1b[31m")
    'Ann\\\\x1b[31m'
    """
    return text if text.isprintable() else "".join(map(_show, text))


def printable_lines(text: str) -> str:
    """Return a text of several lines, each of them printable."""
    return "\n".join(map(printable, text.split("\n")))


def printable_message(text: str) -> str:
    """Return what is wrong in one line, cut in the middle if it is far too long."""
    return _cut(printable(_cut(text)))


def _cut(text: str) -> str:
    half = MAX_MESSAGE // 2
    return text if len(text) <= MAX_MESSAGE else f"{text[:half]}...{text[-half:]}"


def _show(character: str) -> str:
    if unicodedata.category(character) not in _HARMFUL or character in _JOINERS:
        return character
    return character.encode("unicode_escape").decode("ascii")
