"""The JSON objects that requests bring, and what is wrong with them."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kbai.analyze.queries import load_object
from kbai.core.errors import QueryError, quote
from kbai.core.texts import MAX_LOG
from kbai.web.security import MAX_BODY, Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

# How long a client may take to send its body.
PATIENCE_S = 20.0
# A position has a few kilobytes.
MAX_TEXT = 100_000
# Actions of one turn.
MAX_ACTIONS = 200

Body = Mapping[str, object]


async def read_body(request: Request, limit: int = 1_000_000) -> Body:
    """Return the object that a request brings."""
    data = b""
    try:
        async with asyncio.timeout(PATIENCE_S):
            async for chunk in request.stream():
                data += chunk
                if len(data) > limit:
                    message = f"expected a body of at most {limit:,} bytes, got more."
                    raise Refusal(413, message)
    except TimeoutError:
        raise Refusal(408, "expected the whole body of the request, got a part of it.") from None
    return load_object(data)


async def read_large_body(request: Request) -> Body:
    """Return the object of a request that may bring a whole log."""
    return await read_body(request, MAX_BODY)


def text_of(body: Body, key: str, *, default: str | None = None, limit: int = MAX_TEXT) -> str:
    """Return a text."""
    value = body.get(key, default)
    if not isinstance(value, str):
        raise QueryError(f"expected text for {key!r}, got {quote(value)}.", field=key)
    if len(value) > limit:
        message = f"expected at most {limit:,} characters for {key!r}, got {len(value):,}."
        raise QueryError(message, field=key)
    try:
        value.encode()
    except UnicodeEncodeError:
        message = f"expected whole characters for {key!r}, got half of one."
        raise QueryError(message, field=key) from None
    return value


def log_of(body: Body, key: str) -> str:
    """Return a text that may be a whole log."""
    return text_of(body, key, limit=MAX_LOG)


def whole_number(body: Body, key: str, low: int, high: int, default: int | None = None) -> int:
    """Return a whole number."""
    value = body.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        message = f"expected a whole number from {low} to {high} for {key!r}, got {quote(value)}."
        raise QueryError(message, field=key)
    return value


def seconds_of(body: Body, key: str, default: float, high: float) -> float:
    """Return a time in seconds."""
    value = body.get(key, default)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 < value <= high or not math.isfinite(value):  # type: ignore[operator,arg-type]
        message = f"expected more than 0 and at most {high:g} for {key!r}, got {quote(value)}."
        raise QueryError(message, field=key)
    return float(value)  # type: ignore[arg-type]


def flag_of(body: Body, key: str, default: bool = False) -> bool:
    """Return a choice of yes or no."""
    value = body.get(key, default)
    if not isinstance(value, bool):
        raise QueryError(f"expected true or false for {key!r}, got {quote(value)}.", field=key)
    return value


def texts_of(body: Body, key: str, limit: int = MAX_ACTIONS) -> tuple[str, ...]:
    """Return a list of short texts; without the key an empty one."""
    value = body.get(key, [])
    if not isinstance(value, list) or len(value) > limit:
        message = f"expected a list of at most {limit} texts for {key!r}, got {quote(value)}."
        raise QueryError(message, field=key)
    for item in value:
        if not isinstance(item, str) or len(item) > 200:
            message = f"expected short texts in {key!r}, got {quote(item)}."
            raise QueryError(message, field=key)
    return tuple(value)


def one_of(body: Body, key: str, names: Sequence[str]) -> str:
    """Return one of some names."""
    value = body.get(key)
    if value not in names:
        message = f"expected one of {', '.join(names)} for {key!r}, got {quote(value)}."
        raise QueryError(message, field=key)
    return str(value)
