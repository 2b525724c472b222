"""Rules as text, as dicts for JSON, and as the page docs/rules.md."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from kbai.content.rulebook import Rule

WIDTH = 80
PAGE_TOP = """# Rule numbers

Messages, comments and tests cite rules by number, such as R4.2. Here is what each number stands
for; `kbai rules R4.2` prints the same text. The rule books have the full wording.
[rulings.md](rulings.md) says what we decided where they are silent.
"""


def rules_text(rules: Iterable[Rule]) -> str:
    """Return rules with their headings and texts, wrapped."""
    return "\n\n".join(f"{rule.number} {rule.heading}\n{_wrapped(rule.text)}" for rule in rules)


def _wrapped(text: str) -> str:
    indent = "    "
    return textwrap.fill(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )


def rules_list(rules: Iterable[Rule]) -> str:
    """Return numbers and headings, a line each, indented by depth."""
    return "\n".join(f"{'  ' * rule.depth}{rule.number.ljust(6)} {rule.heading}" for rule in rules)


def rules_dict(rules: Iterable[Rule]) -> dict[str, dict[str, str]]:
    """Return headings and texts by number."""
    return {rule.number: {"heading": rule.heading, "text": rule.text} for rule in rules}


def rules_page(rules: Iterable[Rule]) -> str:
    """Return the page docs/rules.md."""
    return PAGE_TOP + "\n".join(map(_page_block, rules)) + "\n"


def _page_block(rule: Rule) -> str:
    if rule.depth:
        return f"- **{rule.number} {rule.heading}.** {rule.text}"
    return f"\n## {rule.number}: {rule.heading}\n\n{rule.text}\n"
