"""Notes about damaged lines of journals."""

from __future__ import annotations

from kbai.cli.notes import print_note
from kbai.compute.journal import Damage

# More notes than this say nothing new.
MAX_NOTES = 5


class DamageNotes:
    """Prints a note on stderr for each damaged line, but not for thousands."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, damage: Damage) -> None:
        """Note that a line is left out."""
        self.count += 1
        if self.count <= MAX_NOTES:
            print_note(f"{damage}; it is left out.")
        elif self.count == MAX_NOTES + 1:
            print_note(f"{damage.path}: more lines are left out.")
