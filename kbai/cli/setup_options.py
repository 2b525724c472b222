"""The options that say how games are set up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from kbai.cli.completion import ALL_SETS, FAMILY_OF, TERRAINS, complete_content
from kbai.core.errors import NotationError, quote

# The option that an error of the set-up is about, by the first part of its path.
OPTION_OF = {
    "sets": "--sets",
    "seats": "--seats",
    "cards": "--cards",
    "exclude_cards": "--exclude-cards",
    "board": "--board",
    "island": "--island",
    "caves": "--caves",
    "capitols": "--capitols",
    "nomads": "--nomads",
    "tasks": "--tasks",
    "scouted": "--scouted",
    "options": "--option",
}


def parse_names(
    ctx: click.Context, param: click.Parameter, text: str | None
) -> tuple[str, ...] | None:
    """Return the names in a text; None if there is no text."""
    if text is None or ctx.resilient_parsing:
        return None
    names = split_names(param, text)
    if not names:
        raise click.BadParameter(f"expected names like 'a,b', got {quote(text)}.")
    return names


def split_names(param: click.Parameter, text: str) -> tuple[str, ...]:
    """Return the names in a text: those of the content as kbai calls them, others as they are."""
    family = FAMILY_OF.get(str(param.name))
    if family is None:
        return tuple(text.lower().replace(",", " ").split())
    from kbai import content
    from kbai.notation.names import name_meant

    words = content.join_names(text).lower().replace(",", " ").split()
    known = content.CARD_TERRAINS if family == TERRAINS else getattr(content.load(), family)
    try:
        return tuple(name_meant(word, known) for word in words)
    except NotationError as error:
        raise click.BadParameter(error.message) from error


def _parse_sets(ctx: click.Context, param: click.Parameter, text: str) -> tuple[str, ...]:
    if ctx.resilient_parsing:
        return ()
    if ALL_SETS not in text.lower().replace(",", " ").split():
        return split_names(param, text)
    from kbai import content

    return tuple(content.load().sets)


def _parse_pairs(
    _ctx: click.Context, _param: click.Parameter, texts: tuple[str, ...]
) -> dict[str, str]:
    pairs = {}
    for text in texts:
        key, equals, value = text.lower().partition("=")
        if not equals:
            message = f"expected an option like lost_tiles_return=true, got {quote(text)}."
            raise click.BadParameter(message)
        pairs[key.strip()] = value.strip()
    return pairs


sets_option = click.option(
    "--sets",
    shell_complete=complete_content,
    metavar="A,B,...",
    callback=_parse_sets,
    default="base",
    show_default=True,
    help=f"Sets to add to the base game, or '{ALL_SETS}'; see 'kbai help sets'.",
)
cards_option = click.option(
    "--cards",
    shell_complete=complete_content,
    metavar="A,B,...",
    callback=parse_names,
    help="Scoring cards.  [default: three at random]",
)
board_option = click.option(
    "--board",
    shell_complete=complete_content,
    metavar="A,B,C,D",
    callback=parse_names,
    help="The four quadrants; B* is B turned by 180 degrees.  [default: random]",
)
rules_option = click.option(
    "--option",
    "pairs",
    metavar="KEY=VALUE",
    callback=_parse_pairs,
    multiple=True,
    help="Rule option; repeatable; see 'kbai help options'.",
)


@contextmanager
def blamed_options() -> Iterator[None]:
    """Turn an error of the set-up into one of the option that is to blame."""
    try:
        yield
    except NotationError as error:
        hint = [OPTION_OF[str(error.path[0])]] if error.path else None
        context = click.get_current_context()
        raise click.BadParameter(error.message, ctx=context, param_hint=hint) from error
