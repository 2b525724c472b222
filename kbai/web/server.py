"""Running the server: where it listens, and how it stops."""

from __future__ import annotations

import errno
import logging
import os
import socket
import sys
from collections.abc import Callable
from types import FrameType

import uvicorn

from kbai.compute.pools import count_cores
from kbai.core.errors import KbaiError
from kbai.web.app import Service, make_app
from kbai.web.games import Games
from kbai.web.memory import give_large_arrays_back
from kbai.web.reviews import Reviewer
from kbai.web.searches import Searches

# How long requests under way may take once Ctrl-C was pressed. Searches end after the slice they
# are at, a fraction of a second on a quiet machine.
GRACE_S = 10
# What another port helps against: somebody else listens there, or only the system may.
_BUSY = (errno.EADDRINUSE, errno.EACCES)


class _Server(uvicorn.Server):
    """A server whose searches end when it is told to stop, so that no stream holds it up."""

    def __init__(self, config: uvicorn.Config, on_exit: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_exit = on_exit

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._on_exit()
        # That requests are cut off from now on is what was asked for.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        super().handle_exit(sig, frame)


def usual_folder() -> str:
    """Return the folder in which games are kept unless another one is named."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~")
    else:
        base = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return os.path.join(base, "kbai", "games")


def make_folder(path: str) -> None:
    """Make the folder that somebody named for their games, unless it is there."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        message = f"expected a folder for games, got {path!r}: {error.strerror}."
        raise KbaiError(message) from error


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to an address; port 0 takes a free one."""
    try:
        is_name = bool(host.encode("idna"))
    except UnicodeError:
        is_name = False
    if not is_name:  # without a name the system would listen at all its addresses
        raise KbaiError(f"expected an address to listen at, got {host!r}.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()  # whoever reads the address may connect at once
    except OSError as error:
        listener.close()
        reason = error.strerror or str(error)
        hint = "; --port 0 takes a free port" if port and error.errno in _BUSY else ""
        message = f"expected an address to listen at, got {host}:{port}: {reason}{hint}."
        raise KbaiError(message) from None
    return listener


def address_of(listener: socket.socket, host: str) -> str:
    """Return the address to open in a browser."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    shown = f"[{shown}]" if ":" in shown else shown
    return f"http://{shown}:{listener.getsockname()[1]}/"


def address_for_others(listener: socket.socket, host: str) -> str:
    """Return the address for other devices of the network, if the server listens to all; or ''."""
    if host != "0.0.0.0":
        return ""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: the system only chooses by which of its addresses it would go out.
            probe.connect(("10.255.255.255", 1))
        except OSError:
            return ""
        own = probe.getsockname()[0]
    return "" if own.startswith("127.") else f"http://{own}:{listener.getsockname()[1]}/"


def make_service(
    folder: str, *, threads: int | None = None, memory: int = 1000, cache: str | None = None
) -> Service:
    """Return what the requests share; games are kept in a folder, searches of reviews in a file."""
    count = threads or count_cores()
    reviewer = Reviewer(workers=count, cache=cache)
    return Service(Searches(threads=count, memory=memory), Games(folder), reviewer)


def serve(listener: socket.socket, host: str, service: Service) -> None:
    """Answer requests until Ctrl-C."""
    config = uvicorn.Config(
        make_app(service, host),
        log_level="warning",
        access_log=False,
        lifespan="off",
        http="h11",
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
        h11_max_incomplete_event_size=64 * 1024,
    )
    give_large_arrays_back()
    server = _Server(config, service.close)
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        pass  # the server told it to its searches, and is done
    finally:
        service.close()
        listener.close()
