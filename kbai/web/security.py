"""What keeps other sites and programs out: hosts, origins, sizes, numbers, and headers.

A page of another site can send requests to a server on this machine, and a name that such a site
owns can be made to mean this machine (DNS rebinding). So a request must name a host and an origin
that are ours.
"""

from __future__ import annotations

import ipaddress
import json
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kbai.core.errors import quote

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "::1")
# Requests under way at once, streams among them.
MAX_REQUESTS = 64
# A saved log of Board Game Arena may have eight megabytes; as JSON text it has more.
MAX_BODY = 20_000_000
MAX_PATH = 200

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}


class Refusal(Exception):
    """Why a request is not answered, with its status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def is_loopback(host: str) -> bool:
    """Tell whether a server bound to a host is reached from this machine only."""
    if host in LOOPBACK:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def split_host(value: str) -> str:
    """Return the host of a Host header, without its port and brackets."""
    if value.startswith("["):
        return value[1:].partition("]")[0]
    return value.rpartition(":")[0] if ":" in value else value


@dataclass(frozen=True, slots=True)
class Guard:
    """Decides which requests are answered by a server bound to ``host``."""

    host: str

    def is_ours(self, value: str) -> bool:
        """Tell whether a Host header names this server, not a name somebody else owns."""
        name = split_host(value).lower()
        if name in LOOPBACK or name == self.host.lower():
            return True
        if is_loopback(self.host):
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name == socket.gethostname().lower()
        return True  # an address cannot be made to mean another machine

    def check(self, scope: Scope) -> None:
        """Raise a `Refusal` for a request that must not be answered."""
        if len(scope["path"]) > MAX_PATH:
            raise Refusal(414, f"expected an address of at most {MAX_PATH} characters, got more.")
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        hosts = headers.get("host", [])
        if len(hosts) != 1 or not self.is_ours(hosts[0]):
            named = quote(hosts[0]) if hosts else "none"
            raise Refusal(403, f"expected a request to this machine by its own name, got {named}.")
        for origin in headers.get("origin", []):
            if origin != f"http://{hosts[0]}":
                raise Refusal(403, f"expected a request of kbai's own page, got {quote(origin)}.")
        for site in headers.get("sec-fetch-site", []):
            if site not in ("same-origin", "none"):
                raise Refusal(403, "expected a request of kbai's own page, got another site's.")
        if scope["method"] == "POST":
            kind = headers.get("content-type", [""])[0].partition(";")[0].strip().lower()
            if kind != "application/json":
                raise Refusal(415, f"expected a body of application/json, got {quote(kind)}.")
        length = headers.get("content-length", ["0"])[0]
        if not (length.isascii() and length.isdecimal()):
            raise Refusal(400, f"expected the length of the body, got {quote(length)}.")
        if len(length) > 12 or int(length) > MAX_BODY:
            raise Refusal(413, f"expected a body of at most {MAX_BODY:,} bytes, got more.")


class Guarded:
    """An application behind a guard: what it refuses gets a status and a sentence."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self._app = app
        self._guard = guard
        self._n_requests = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(
                        (name.encode(), value.encode())
                        for name, value in HEADERS.items()
                        if name.encode() not in present
                    ),
                ]
            await send(message)

        try:
            self._guard.check(scope)
            if self._n_requests >= MAX_REQUESTS:
                raise Refusal(503, "kbai has too many requests at once; try again in a moment.")
        except Refusal as refusal:
            await _refuse(refusal, send_with_headers)
            return
        self._n_requests += 1
        try:
            await self._app(scope, receive, send_with_headers)
        finally:
            self._n_requests -= 1


async def _refuse(refusal: Refusal, send: Send) -> None:
    body = json.dumps({"error": {"message": refusal.message, "field": None}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    headers.append((b"connection", b"close"))  # its body is not read
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
