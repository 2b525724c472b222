"""The rules by number, as messages cite them: ``R3.2``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from kbai.core.errors import NotationError

LETTER = "R"


@dataclass(frozen=True, slots=True)
class Rule:
    """What a number stands for."""

    number: str
    heading: str
    text: str

    @property
    def section(self) -> str:
        """The number of its section: ``R3`` for ``R3.2``."""
        return self.number.partition(".")[0]

    @property
    def depth(self) -> int:
        """0 for a section, 1 for ``R3.2``, 2 for ``R4.4.1``."""
        return self.number.count(".")


@cache
def load_rules() -> dict[str, Rule]:
    """Return all rules by number, in order."""
    file = resources.files("kbai") / "data" / "help" / "rules.toml"
    rows = tomllib.loads(file.read_text("utf-8"))
    return {number: Rule(number, row["heading"], row["text"]) for number, row in rows.items()}


def find_rules(number: str) -> tuple[Rule, ...]:
    """Return the rule with a number, and the rules below it: ``R3`` is the whole section.

    >>> [rule.heading for rule in find_rules("r9")]
    ['End of the game', 'Last round', 'Silos', 'Winner']
    """
    rules = load_rules()
    wanted = LETTER + number.strip().upper().removeprefix(LETTER)
    if wanted not in rules:
        raise NotationError(_unknown(number, rules), token=number)
    below = f"{wanted}."
    return tuple(rule for rule in rules.values() if f"{rule.number}.".startswith(below))


def _unknown(number: str, rules: dict[str, Rule]) -> str:
    section = LETTER + number.strip().upper().removeprefix(LETTER).partition(".")[0]
    inside = [r.number for r in rules.values() if r.section == section and r.depth == 1]
    if inside:
        return f"there is no rule {number!r}; section {section} has {inside[0]} to {inside[-1]}."
    first, *_, last = (rule.number for rule in rules.values() if not rule.depth)
    return f"expected a rule such as R3.2, from sections {first} to {last}, got {number!r}."
