"""``kbai serve``."""

from __future__ import annotations

import sys

import click

from kbai.cli.notes import print_note
from kbai.cli.options import quadrants_option

MISSING = (
    "the board in the browser needs more packages; in the source folder of kbai: "
    "pip install '.[web]'."
)


@click.command("serve")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Where to listen. Anything else than this machine lets others use your kbai.",
)
@click.option(
    "--port",
    default=8000,
    show_default=True,
    type=click.IntRange(0, 65535),
    metavar="N",
    help="Port; 0 takes a free one.",
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option(
    "--games",
    "folder",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Folder that keeps your games.  [default: kbai/games in your data folder]",
)
@click.option("--threads", type=click.IntRange(1, 256), metavar="N", help="Number of threads of a "
              "search.  [default: one per core]")  # fmt: skip
@click.option(
    "--memory",
    type=click.IntRange(100, 10**6),
    default=1000,
    show_default=True,
    metavar="MB",
    help="Memory limit of all searches together, in MB.",
)
@quadrants_option
def command(
    host: str, port: int, no_browser: bool, folder: str | None, threads: int | None, memory: int
) -> None:
    """Open the analysis board in your browser.

    Set up a board by clicking, watch suggestions refine, step through games, review them, and play
    against bots. Prints the address first. The server answers this machine only, unless --host says
    otherwise. Ctrl-C ends it.
    """
    from kbai.cli.run_review import usual_cache

    try:
        from kbai.web.security import is_loopback
        from kbai.web.server import (
            address_for_others,
            address_of,
            listen,
            make_folder,
            make_service,
            serve,
            usual_folder,
        )
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("starlette", "uvicorn", "anyio"):
            raise click.ClickException(MISSING) from None
        raise
    if folder:
        make_folder(folder)
    listener = listen(host, port)
    address = address_of(listener, host)
    click.echo(address)
    if not is_loopback(host):
        print_note("whoever can reach this address can use your kbai; there is no password.")
        others = address_for_others(listener, host)
        if others:
            print_note(f"on another device of your network, open {others}")
    if sys.stderr.isatty():
        print_note("Ctrl-C ends the server.")
    if not no_browser:
        import webbrowser

        webbrowser.open(address)
    service = make_service(
        folder or usual_folder(), threads=threads, memory=memory, cache=usual_cache()
    )
    serve(listener, host, service)
