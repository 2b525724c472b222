"""A client that talks to the application directly, without a socket."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

HOST = "127.0.0.1:8000"


@dataclass
class Answer:
    """What came back."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    chunks: list[bytes] = field(default_factory=list)

    @property
    def body(self) -> bytes:
        return b"".join(self.chunks)

    def json(self) -> Any:
        return json.loads(self.body)

    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.body.splitlines()]

    @property
    def sentence(self) -> str:
        """What is wrong with the request."""
        return str(self.json()["error"]["message"])


class Client:
    """Sends requests one after the other, or several at once."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.runner = asyncio.Runner()

    def close(self) -> None:
        self.runner.close()

    def get(self, path: str, **options: Any) -> Answer:
        return self.runner.run(self.send("GET", path, **options))

    def post(self, path: str, body: object, **options: Any) -> Answer:
        return self.runner.run(self.send("POST", path, body, **options))

    def together(self, *requests: Any) -> list[Answer]:
        async def run() -> list[Answer]:
            return await asyncio.gather(*requests)

        return self.runner.run(run())

    async def send(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        headers: dict[str, str] | None = None,
        leave_after: int | None = None,
    ) -> Answer:
        """Send a request; ``leave_after`` so many parts of the answer the client goes away."""
        data = body if isinstance(body, bytes) else b"" if body is None else _encode(body)
        all_headers = {"host": HOST, "content-length": str(len(data))}
        if method == "POST":
            all_headers["content-type"] = "application/json"
        all_headers |= headers or {}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "path": path.partition("?")[0],
            "raw_path": path.encode("utf-8", "replace"),
            "query_string": path.partition("?")[2].encode(),
            "root_path": "",
            "scheme": "http",
            "server": ("127.0.0.1", 8000),
            "client": ("127.0.0.1", 50000),
            "headers": [(k.encode("latin-1"), v.encode("latin-1")) for k, v in all_headers.items()],
        }
        answer = Answer()
        sent, gone = False, asyncio.Event()

        async def receive() -> dict[str, object]:
            nonlocal sent
            if not sent:
                sent = True
                return {"type": "http.request", "body": data, "more_body": False}
            await gone.wait()
            return {"type": "http.disconnect"}

        async def take(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                answer.headers = {k.decode(): v.decode() for k, v in message["headers"]}
            elif message.get("body"):
                answer.chunks.append(message["body"])
                if leave_after is not None and len(answer.chunks) >= leave_after:
                    gone.set()

        await self.app(scope, receive, take)
        return answer


def _encode(body: object) -> bytes:
    return json.dumps(body).encode()
