"""A server in memory, for all tests of the board in the browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from web_client import Client

from kbai.web.app import make_app
from kbai.web.server import make_service


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "games"


@pytest.fixture
def client(folder: Path) -> Iterator[Client]:
    cache = str(folder.parent / "review.jsonl")
    service = make_service(str(folder), threads=1, memory=100, cache=cache)
    client = Client(make_app(service, "127.0.0.1"))
    yield client
    service.close()
    client.close()
