"""The requests of the page: each is read, handed to a function, and answered with JSON."""

from __future__ import annotations

import asyncio
import json
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from importlib import resources

import anyio
import anyio.to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from kbai._fast import Position
from kbai.content import load
from kbai.core.errors import KbaiError, PlacedError, QueryError, quote, suggest_name
from kbai.core.printable import printable_message
from kbai.game.seats import N_SEATS, SEATS
from kbai.game.setup import setup_of
from kbai.notation.illegal import apply_action
from kbai.notation.positions import format_line, parse_position
from kbai.play.files import format_live, parse_live
from kbai.play.live import LiveGame
from kbai.web import bodies
from kbai.web.bodies import Body, read_body, read_large_body
from kbai.web.catalogue import catalogue
from kbai.web.changes import BOT, CHANGES, players_of
from kbai.web.editing import (
    Edited,
    deck_list,
    edit,
    editable,
    laid_out,
    location_list,
    random_data,
)
from kbai.web.games import Games, game_dict, new_seed
from kbai.web.reviews import VISITS, Reviewer
from kbai.web.searches import MAX_SECONDS, Searches, steps_of
from kbai.web.security import Guard, Guarded, Refusal
from kbai.web.streams import RunningReview, Stream
from kbai.web.views import scene_dict, view_dict

USUAL_SECONDS = 8.0
TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
# Bots that think at once; others wait for them.
MAX_BOTS = 2


@dataclass(frozen=True, slots=True)
class Service:
    """What the requests share."""

    searches: Searches
    games: Games
    reviewer: Reviewer

    def close(self) -> None:
        """End all searches, so that the server can stop."""
        self.searches.close()
        self.games.close()


def make_app(service: Service, host: str) -> ASGIApp:
    """Return the application of a server that is bound to a host."""
    pages = _Pages()
    handlers = _Handlers(service)
    routes = [
        Route("/", pages.index),
        Route("/static/{name}", pages.file),
        Route("/api/catalogue", handlers.catalogue),
        Route("/api/scene", handlers.scene, methods=["POST"]),
        Route("/api/view", handlers.view, methods=["POST"]),
        Route("/api/edit", handlers.edit, methods=["POST"]),
        Route("/api/random", handlers.random, methods=["POST"]),
        Route("/api/why", handlers.why, methods=["POST"]),
        Route("/api/suggest", handlers.suggest, methods=["POST"]),
        Route("/api/games", handlers.list_games, methods=["GET"]),
        Route("/api/games", handlers.add_game, methods=["POST"]),
        Route("/api/games/{id}", handlers.show_game, methods=["GET"]),
        Route("/api/games/{id}", handlers.change_game, methods=["POST"]),
        Route("/api/games/{id}/file", handlers.game_file, methods=["GET"]),
        Route("/api/games/{id}/review", handlers.review, methods=["POST"]),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers={
            KbaiError: _answer_error,
            Refusal: _answer_refusal,
            HTTPException: _answer_http_error,
            Exception: _answer_bug,
        },
    )
    return Guarded(app, Guard(host))


class _Json(JSONResponse):
    """JSON in ASCII: half of a character, which a text may hold, cannot be written in UTF-8."""

    def render(self, content: object) -> bytes:
        """Return the bytes of an answer."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


async def _answer_error(request: Request, error: Exception) -> Response:
    about: dict[str, object] = {"message": printable_message(str(error)), "field": None}
    if isinstance(error, QueryError):
        about["field"] = error.field
    if isinstance(error, PlacedError):
        about |= {"path": [str(part) for part in error.path], "token": error.token}
    return _Json({"error": about}, 400)


async def _answer_refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return _sentence(error.message, error.status)


async def _answer_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentences = {
        404: "there is nothing at this address.",
        405: "this address takes no such method.",
    }
    message = sentences.get(error.status_code, "the request cannot be answered.")
    return _sentence(message, error.status_code)


async def _answer_bug(request: Request, error: Exception) -> Response:
    return _sentence("kbai has made a mistake; its terminal says which.", 500)


def _sentence(message: str, status: int) -> Response:
    about = {"message": printable_message(message), "field": None}
    return _Json({"error": about}, status)


class _Pages:
    """The files of the page, all of them in memory."""

    def __init__(self) -> None:
        folder = resources.files("kbai.web") / "static"
        self._files = {
            path.name: path.read_bytes()
            for path in folder.iterdir()
            if path.name.rpartition(".")[2] in TYPES
        }

    async def index(self, request: Request) -> Response:
        return self._answer("index.html")

    async def file(self, request: Request) -> Response:
        return self._answer(request.path_params["name"])

    def _answer(self, name: str) -> Response:
        if name not in self._files:
            raise HTTPException(404)
        kind = TYPES[name.rpartition(".")[2]]
        return Response(self._files[name], media_type=kind)


class _Handlers:
    """The requests of `/api`."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._thinking = asyncio.Semaphore(MAX_BOTS)

    async def catalogue(self, request: Request) -> Response:
        return Response(_catalogue(), media_type="application/json")

    async def scene(self, request: Request) -> Response:
        position = _position_of(await read_body(request))
        return _Json(scene_dict(setup_of(position)))

    async def view(self, request: Request) -> Response:
        body = await read_body(request)
        position = _position_of(body)
        for text in bodies.texts_of(body, "actions"):
            apply_action(position, text)
        return _Json(view_dict(position))

    async def edit(self, request: Request) -> Response:
        """Check what somebody set up; text is read in any spelling."""
        body = await read_large_body(request)
        # In a thread: a whole log takes a while.
        return _Json(await anyio.to_thread.run_sync(_edited, body))

    async def random(self, request: Request) -> Response:
        """Draw a board and cards."""
        body = await read_body(request)
        data = random_data(
            bodies.whole_number(body, "seed", 0, 2**63, new_seed()),
            sets=_sets_of(body),
            seats=_seats_of(body),
        )
        return _Json(_edited_dict(edit(data)))

    async def why(self, request: Request) -> Response:
        """Say why an action is not possible; an empty text if it is."""
        body = await read_body(request)
        position = _position_of(body)
        try:
            apply_action(position, bodies.text_of(body, "action", limit=200))
        except KbaiError as error:
            return _Json({"message": printable_message(str(error))})
        return _Json({"message": ""})

    async def suggest(self, request: Request) -> Response:
        """Search a position, and stream what is known by and by."""
        body = await read_body(request)
        position = _position_of(body)
        seconds = bodies.seconds_of(body, "seconds", USUAL_SECONDS, MAX_SECONDS)
        actions = bodies.texts_of(body, "mine")
        mine = steps_of(position, actions) if actions else ()
        searches = self._service.searches
        if bodies.flag_of(body, "known"):
            known = searches.known(format_line(position))
            return Response(known or b"null", media_type="application/json")
        searches.enter()
        lines = searches.stream(
            position, seconds=seconds, mine=mine, is_gone=request.is_disconnected
        )
        return Stream(lines, searches.leave)

    async def list_games(self, request: Request) -> Response:
        rows = await anyio.to_thread.run_sync(self._service.games.listed)
        return _Json({"games": rows})

    async def add_game(self, request: Request) -> Response:
        """Open a text as a game, or begin one at a position."""
        body = await read_large_body(request)
        text = bodies.log_of(body, "text")
        told = bodies.flag_of(body, "told", True)
        players = players_of(body) if "players" in body else None

        def add() -> tuple[str, LiveGame, list[str]]:
            live, problems = parse_live(text, seed=new_seed(), players=players, told=told)
            id = self._service.games.add(live)
            return id, self._service.games.find(id).live, problems

        id, live, problems = await anyio.to_thread.run_sync(add)
        return _Json({**game_dict(id, live), "problems": problems})

    async def show_game(self, request: Request) -> Response:
        id = request.path_params["id"]
        table = await anyio.to_thread.run_sync(self._service.games.find, id)
        return _Json(game_dict(id, table.live))

    async def change_game(self, request: Request) -> Response:
        """Do something in a game, and save it."""
        body = await read_body(request)
        id = request.path_params["id"]
        name = bodies.one_of(body, "do", [*CHANGES])
        change = CHANGES[name]

        def act() -> LiveGame:
            table = self._service.games.find(id)
            with table.lock:
                before = table.live
                try:
                    change(table, body)
                    self._service.games.save(id, table)
                except BaseException:
                    table.live = before
                    raise
                return table.live

        async with self._thinking if name == BOT else nullcontext():
            live = await anyio.to_thread.run_sync(act)
        return _Json(game_dict(id, live))

    async def game_file(self, request: Request) -> Response:
        id = request.path_params["id"]
        table = await anyio.to_thread.run_sync(self._service.games.find, id)
        headers = {"content-disposition": 'attachment; filename="game.kbg"'}
        return Response(format_live(table.live), media_type="text/plain", headers=headers)

    async def review(self, request: Request) -> Response:
        """Review a game, and stream how far it is; then the review itself."""
        body = await read_body(request)
        visits = VISITS[bodies.one_of(body, "depth", [*VISITS])]
        id = request.path_params["id"]
        table = await anyio.to_thread.run_sync(self._service.games.find, id)
        running = RunningReview(self._service.reviewer, table.live, visits)
        return Stream(running.lines(), running.stop)


@cache
def _catalogue() -> bytes:
    return json.dumps(catalogue()).encode()


def _edited(body: Body) -> dict[str, object]:
    if "text" in body:
        live, _ = parse_live(bodies.log_of(body, "text"), seed=1, told=True)
        return _edited_dict(Edited(live.position(), ()))
    data = body.get("data")
    if not isinstance(data, dict):
        message = f"expected the keys of a position as 'data', got {quote(data)}."
        raise QueryError(message, field="data")
    edited = edit(data)
    if bodies.flag_of(body, "lay_out"):
        edited = edit(laid_out(edited.position, new_seed(), _sets_of(body)))
    return _edited_dict(edited)


def _edited_dict(edited: Edited) -> dict[str, object]:
    position = edited.position
    return {
        "data": editable(position),
        "problems": [problem.to_dict() for problem in edited.problems],
        "spaces": location_list(position),
        "deck": deck_list(position),
        "view": view_dict(position),
    }


def _position_of(body: Body) -> Position:
    """Return the position of a request, in any spelling; it may be changed."""
    return parse_position(bodies.text_of(body, "position")).copy()


def _sets_of(body: Body) -> tuple[str, ...]:
    known = load().sets
    sets = bodies.texts_of(body, "sets", len(known)) or ("base",)
    for name in sets:
        if name not in known:
            raise QueryError(f"{suggest_name('set', name, known)}.", field="sets")
    return sets


def _seats_of(body: Body) -> tuple[str, ...]:
    return bodies.texts_of(body, "seats", N_SEATS[-1]) or SEATS[:2]
