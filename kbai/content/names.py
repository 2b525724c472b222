"""Names in the languages of the rule books; kbai's own names are English."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping

LANGUAGES = ("en", "nl", "de", "es")
# By language; the first one is the usual name.
Names = Mapping[str, tuple[str, ...]]

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def fold(text: str) -> str:
    """Return a name without what may be left out or written otherwise.

    >>> fold("Forester's Lodge"), fold("Händler"), fold("city_hall")
    ('foresterslodge', 'handler', 'cityhall')
    """
    plain = unicodedata.normalize("NFKD", text.lower().replace("ß", "ss"))
    return "".join(sign for sign in plain if sign.isascii() and sign.isalnum())


def in_language(names: Mapping[str, Names], name: str, language: str) -> str:
    """Return the usual name of a row in a language; its English one if there is none."""
    own = names.get(name, {})
    return (own.get(language) or own.get("en") or (name.replace("_", " "),))[0]


class NameIndex:
    """Finds rows by their names in any language."""

    def __init__(self, names: Mapping[str, Names]) -> None:
        self.aliases: dict[str, set[str]] = {}
        """The rows that each name as it is written may mean."""
        self._rows: dict[str, dict[str, int]] = {}  # how usual a name is for a row, 0 the most
        phrases = set()
        for row, languages in names.items():
            texts = [(row.replace("_", " "), 0)]
            texts += [(text, rank) for own in languages.values() for rank, text in enumerate(own)]
            for text, rank in texts:
                self.aliases.setdefault(text, set()).add(row)
                for spelling in (text.lower(), text.lower().translate(_UMLAUTS)):
                    ranks = self._rows.setdefault(fold(spelling), {})
                    ranks[row] = min(rank, ranks.get(row, rank))
                    if " " in text:
                        phrases |= {spelling, _without_accents(spelling)}
        longest_first = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
        pattern = "|".join(map(_phrase_pattern, longest_first))
        self._phrases = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)

    def find(self, text: str, known: Collection[str]) -> list[str]:
        """Return the known rows that a text names: one, none, or several that share the name.

        Of several, those come first for which the name is the usual one.
        """
        ranks = self._rows.get(fold(text), {})
        return sorted((row for row in ranks if row in known), key=lambda row: ranks[row])

    def is_usual(self, text: str, row: str) -> bool:
        """Tell whether a row has this name in the first place."""
        return self._rows[fold(text)][row] == 0

    def join(self, text: str) -> str:
        """Return a text in which names of several words are one word each, of the same length.

        >>> NameIndex({"city_hall": {}}).join("City Hall: c7")
        'City_Hall: c7'
        """
        return self._phrases.sub(lambda match: re.sub(r"\s", "_", match[0]), text)

    def aliases_of(self, known: Iterable[str]) -> dict[str, str]:
        """Return what else rows are called, for those who misspell it."""
        wanted = {*known}
        return {
            alias.lower(): next(iter(rows & wanted))
            for alias, rows in self.aliases.items()
            if len(rows & wanted) == 1
        }


def _without_accents(text: str) -> str:
    return "".join(
        sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign)
    )


def _phrase_pattern(phrase: str) -> str:
    words = (re.escape(word).replace("'", "['’]?") for word in phrase.split())
    return r"\s".join(words)
