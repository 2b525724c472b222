"""``kbai help``."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from kbai.cli import COMMANDS

# The topics, and what each is about; their texts are in data/help.
TOPICS = {
    "notation": "How to write cells, actions and turns.",
    "files": "How to write down positions and games.",
    "options": "Rule options and their values.",
    "sets": "The base game and its expansions.",
    "bots": "How to name a bot and its options.",
    "queries": "Queries and answers of 'kbai analyze'.",
    "config": "Defaults of your own for options.",
    "exit-codes": "What the exit codes mean.",
}


def _complete(ctx: click.Context, _param: click.Parameter, start: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in (*TOPICS, *COMMANDS) if name.startswith(start)]


@click.command("help")
@click.argument("topic", metavar="[TOPIC]", required=False, shell_complete=_complete)
@click.pass_context
def command(ctx: click.Context, topic: str | None) -> None:
    """Explain a topic or a command.

    TOPIC is a topic or the name of a command; without it, lists them all. If a message cites a
    rule, such as (R3.2), 'kbai rules R3.2' prints that rule.
    """
    name = topic and topic.strip().lower()
    if not name:
        click.echo(_overview(ctx))
    elif name in TOPICS:
        from kbai.report.help_topics import topic_text

        click.echo(topic_text(name))
    else:
        click.echo(_command_help(ctx, name))


def _overview(ctx: click.Context) -> str:
    formatter = ctx.make_formatter()
    with formatter.section("Topics"):
        formatter.write_dl(list(TOPICS.items()))
    with formatter.section("Commands"):
        formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])
    formatter.write_paragraph()
    formatter.write_text("'kbai help NAME' explains a topic or a command.")
    return formatter.getvalue().rstrip("\n")


def _command_help(ctx: click.Context, name: str) -> str:
    group = ctx.find_root()
    found = isinstance(group.command, click.Group) and group.command.get_command(group, name)
    if not found:
        from kbai.core.errors import suggest_name

        ctx.fail(f"{suggest_name('topic or command', name, TOPICS | COMMANDS)}.")
    with click.Context(found, info_name=name, parent=group) as inner:
        return found.get_help(inner)
