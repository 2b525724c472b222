"""``kbai rules``."""

from __future__ import annotations

import json

import click

from kbai.cli.options import format_option


@click.command("rules")
@click.argument("numbers", metavar="[NUMBER]...", nargs=-1)
@format_option("text", "json")
def command(numbers: tuple[str, ...], form: str) -> None:
    """Look up the rules that messages cite.

    NUMBER is a rule such as R3.2, or a section such as R3 with all its rules. Without a number,
    lists all rules by their headings. If a message ends in (R3.2), 'kbai rules R3.2' says what
    that rule is.
    """
    from kbai.content.rulebook import find_rules, load_rules
    from kbai.report.rules import rules_dict, rules_list, rules_text

    chosen = [rule for number in numbers for rule in find_rules(number)]
    rules = tuple(dict.fromkeys(chosen)) or tuple(load_rules().values())
    if form == "json":
        click.echo(json.dumps(rules_dict(rules), indent=2))
    else:
        click.echo(rules_text(rules) if numbers else rules_list(rules))
