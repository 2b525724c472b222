"""``kbai play``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from kbai.cli.completion import complete_bot, complete_seats
from kbai.cli.new_setup import is_setup_given, make_setup, new_setup_options, parse_seats
from kbai.cli.options import drawing_options, input_argument
from kbai.cli.search_options import SearchOptions, search_options
from kbai.cli.seeds import draw_seed, tell_seed
from kbai.core.errors import KbaiError
from kbai.game.seats import SEATS

if TYPE_CHECKING:
    from kbai.play.live import LiveGame

DEFAULT_BOT = "mcts:level=5"


def _parse_bots(
    ctx: click.Context, _param: click.Parameter, texts: tuple[str, ...]
) -> tuple[str, ...]:
    if ctx.resilient_parsing:
        return ()
    from kbai.bots.specs import parse_spec
    from kbai.cli.bot_programs import check_programs
    from kbai.core.errors import BotError

    try:
        specs = [parse_spec(text) for text in texts]
        check_programs(specs)
        return tuple(map(str, specs))
    except BotError as error:
        raise click.BadParameter(str(error)) from error


@click.command("play")
@input_argument
@click.option(
    "--bot",
    "bots",
    metavar="SPEC",
    multiple=True,
    callback=_parse_bots,
    shell_complete=complete_bot,
    help="Bot to play against, such as mcts:level=3; repeatable: one for all other seats, or one "
    f"for each, in turn order.  [default: {DEFAULT_BOT}; with --told none]",
)
@click.option(
    "--seat",
    "own",
    metavar="SEAT",
    multiple=True,
    type=click.Choice(SEATS, case_sensitive=False),
    help="Your colour; repeatable, if several people sit here.  [default: the first seat]",
)
@click.option(
    "--told",
    is_flag=True,
    help="The box is on your table: you turn up the cards and type them.",
)
@click.option(
    "--save",
    "path",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="File that keeps the game after every turn.  [default: INPUT if it is an unfinished "
    "game, else game-SEED.kbg]",
)
@click.option(
    "--seats",
    shell_complete=complete_seats,
    metavar="N|A,B,...",
    callback=parse_seats,
    help="Number of seats of a new game, or their colours in turn order.  "
    "[default: you and the bots]",
)
@new_setup_options
@search_options("time", "visits", "threads", "seed", seconds=3, about={
    "time": "How long to search for a hint.",
    "visits": "Number of simulations for a hint.",
})  # fmt: skip
@drawing_options
def command(
    source: str | None,
    bots: tuple[str, ...],
    own: tuple[str, ...],
    told: bool,
    path: str | None,
    seats: tuple[str, ...] | None,
    search: SearchOptions,
    color: bool | None,
    ascii: bool,
    **chosen: Any,
) -> None:
    """Play against bots.

    INPUT is a position or a game to go on with; without it, a new game is set up, by the options of
    'kbai new'. You type cells (c7 d7 e8), tiles by name (tavern c7), and Enter to end your turn; ?
    lists what is possible, and help lists the commands, such as undo, hint and score. The game is
    kept in a file after every turn, and 'kbai play FILE' goes on with it. Ctrl-C leaves.
    """
    from kbai.cli.drawing import drawing_style
    from kbai.cli.run_play import Table
    from kbai.compute.pools import count_cores

    seed = search.seed
    number = draw_seed() if seed is None else seed
    if source is None:
        seats = seats or _default_seats(bots, own)
        setup = make_setup(number, seats, **chosen)
        if seed is None:
            tell_seed(number)
        from kbai.play.live import begin

        players = _players(setup.seats, bots, own, told=told)
        live = begin(setup.start_position(), players=players, seed=number, told=told)
        kept = ""
    else:
        if seats is not None or is_setup_given(*chosen):
            raise click.UsageError("--seats and the options of a set-up do not work with INPUT.")
        live, kept = _read(source, number, bots, own, told=told)
    table = Table(
        live,
        path or kept or _new_name(live.seed),
        limit=search.limit,
        threads=search.threads or (count_cores() if search.visits is None else 1),
        style=drawing_style(color, ascii),
    )
    if path and path != source and os.path.lexists(path):
        what = f"{click.format_filename(path)} exists"
        raise KbaiError(f"{what}; name another file, or go on with it: kbai play {path}")
    table.run()


def _default_seats(bots: tuple[str, ...], own: tuple[str, ...]) -> tuple[str, ...]:
    """Return the seats of a new game: those of the people, and the first others for the bots."""
    count = max(2, len(bots) + max(len({*own}), 1))
    others = [seat for seat in SEATS if seat not in own]
    chosen = {*own, *others[: count - len({*own})]}
    return tuple(seat for seat in SEATS if seat in chosen)


def _players(
    seats: tuple[str, ...], bots: tuple[str, ...], own: tuple[str, ...], *, told: bool
) -> tuple[str, ...]:
    """Return who sits where: people where they asked to, bots on all other seats."""
    for seat in own:
        if seat not in seats:
            raise click.UsageError(f"--seat {seat} is not in this game ({', '.join(seats)}).")
    if told and not bots:
        return ("",) * len(seats)
    people = own or seats[:1]
    others = [seat for seat in seats if seat not in people]
    specs = bots or (DEFAULT_BOT,)
    if len(specs) == 1:
        specs = specs * len(others)
    if len(specs) != len(others):
        message = f"expected one --bot or {len(others)}, one for each other seat, got {len(bots)}."
        raise click.UsageError(message)
    by_seat = dict(zip(others, specs, strict=True))
    return tuple(by_seat.get(seat, "") for seat in seats)


def _read(
    source: str, seed: int, bots: tuple[str, ...], own: tuple[str, ...], *, told: bool
) -> tuple[LiveGame, str]:
    """Return the game that INPUT holds, to go on with, and its file if it can be kept there."""
    from kbai.cli.notes import print_note
    from kbai.cli.reading import STDIN, note_own, read_text
    from kbai.notation.positions import is_game
    from kbai.play.files import has_own_comments, parse_live

    text, name = read_text(source)
    live, problems = parse_live(text, seed=seed, told=told or None, file=name)
    note_own(live.tree.start)
    for problem in problems:
        print_note(f"{name}: {problem}")
    if bots or own or not (any(live.players) or live.told):
        players = _players(live.seats, bots, own, told=live.told)
        live, _ = parse_live(text, seed=seed, players=players, told=told or None, file=name)
    is_kept = name is not None and source != STDIN and is_game(text)
    if is_kept and has_own_comments(text):
        print_note(f"{name} has comments that kbai cannot keep; the game goes on in another file.")
        is_kept = False
    return live, source if is_kept else ""


def _new_name(seed: int) -> str:
    from kbai.play.files import free_name

    return free_name("", seed)
