"""The site: static pages, their texts, and the arbiter's sign-in. Everything that moves comes over MQTT instead."""

import asyncio
import inspect
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.adapters.mqtt.commands import CommandError, Reply, read_command
from controller.adapters.mqtt.messages import Texts
from controller.adapters.mqtt.steady_time import STEADY
from controller.adapters.mqtt.wire import MOST_BYTES, BoardTopics, read_json
from controller.adapters.pages.same_origin import SameOrigin
from controller.adapters.pages.sign_in import SignIn, sender_of
from controller.locale import Lang, catalogue, text
from controller.ports.updates import Command

logger = logging.getLogger(__name__)

STATIC = Path(str(files(__package__))) / "static"
COOKIE = "nardy_arbiter"
SESSION_S = 7 * 24 * 3600
"""So long a browser keeps the session: a tournament with its days of practice."""
BODY_S = 10.0
"""So long the body of a request may take."""
# Browsers count ws: to another port as foreign, so it is named. mqtt.js keeps its timers in a worker made of a blob, or
# a tab in the background would miss its keepalive.
POLICY = "; ".join(
    (
        "default-src 'self'",
        "connect-src 'self' ws: wss:",
        "worker-src 'self' blob:",
        "img-src 'self' data:",
        "frame-ancestors 'self'",
    )
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-cache"),
)

Obey = Callable[[Command], Reply | Awaitable[Reply]]
"""Takes a command to the referee and brings the answer; a plain function may block, it runs in a worker thread."""


@dataclass(frozen=True, slots=True)
class Live:
    """How the arbiter's panel reads the undelayed messages while viewers see a delayed match."""

    user: str
    password: str


@dataclass(frozen=True, slots=True)
class Place:
    """What the pages have to know: which board, which broker, which language first.

    ``websocket_url`` may hold ``{host}``, which stands for the host the page itself came from. ``live`` is needed only
    with a viewer delay. ``name`` is what people call the board; its id where that is empty. ``names`` are hosts by
    which the pages are opened, beside those of the local network.
    """

    board: BoardTopics
    websocket_url: str
    evidence: Path
    lang: Lang = Lang.EN
    live: Live | None = None
    name: str = ""
    names: tuple[str, ...] = ()


def site(place: Place, sign_in: SignIn, obey: Obey) -> Starlette:
    """Build the web application."""
    return Starlette(
        routes=[
            Route("/", _page("display.html")),
            Route("/arbiter", _page("arbiter.html")),
            Route("/texts/{lang}.json", _texts),
            Route("/api/config", _config(place)),
            Route("/api/session", _session(sign_in, place), methods=["GET", "POST", "DELETE"]),
            Route("/api/command", _command(sign_in, obey), methods=["POST"]),
            Route("/evidence/{name:path}", _evidence(sign_in, place.evidence)),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(_Headers), Middleware(SameOrigin, names=place.names)],
    )


class _Headers:
    """Adds the security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *HEADERS]
            await send(message)

        await self._app(scope, receive, with_headers)


def _page(name: str) -> Callable[[Request], Response]:
    return lambda _: FileResponse(STATIC / name, media_type="text/html")


def _texts(request: Request) -> Response:
    try:
        lang = Lang(request.path_params["lang"])
    except ValueError:
        return JSONResponse({"error": f"languages: {', '.join(lang.value for lang in Lang)}"}, 404)
    return JSONResponse({key: words for key, words in catalogue(lang).items() if key.startswith("page.")})


def _config(place: Place) -> Callable[[Request], Response]:
    def config(_: Request) -> Response:
        return JSONResponse(
            {
                "club": place.board.club,
                "board": place.board.board,
                "name": place.name or place.board.board,
                "prefix": place.board.prefix,
                "broker": place.websocket_url,
                "lang": place.lang.value,
                "langs": [lang.value for lang in Lang],
                # The pages count clocks on from the referee's time of day, not from their own.
                "utc_ms": STEADY.utc_ms(),
            }
        )

    return config


def _session(sign_in: SignIn, place: Place) -> Callable[[Request], Awaitable[Response]]:
    live = None if place.live is None else {"user": place.live.user, "password": place.live.password}

    async def session(request: Request) -> Response:
        token = request.cookies.get(COOKIE)
        if request.method == "GET":
            known = sign_in.knows(token)
            return JSONResponse({"open": known, "live": live if known else None})
        if request.method == "DELETE":
            sign_in.close(token or "")
            response = JSONResponse({"open": False, "live": None})
            response.delete_cookie(COOKIE)
            return response
        sender = sender_of(_host(request))
        if locked_s := -(-sign_in.locked_ms(sender, _now_ms()) // 1000):
            return _refused(429, _both("page.login.closed", seconds=locked_s))
        fields = await _json(request)
        pin = fields.get("pin") if isinstance(fields, dict) else None
        opened = sign_in.open_session(pin, sender, _now_ms()) if isinstance(pin, str) else None
        if opened is None:
            logger.warning("a wrong PIN from %s", sender)
            return _refused(403, _both("page.login.wrong"))
        response = JSONResponse({"open": True, "live": live})
        response.set_cookie(
            COOKIE,
            opened,
            max_age=SESSION_S,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return response

    return session


def _command(sign_in: SignIn, obey: Obey) -> Callable[[Request], Awaitable[Response]]:
    async def command(request: Request) -> Response:
        if not sign_in.knows(request.cookies.get(COOKIE)):
            return _refused(401, _both("page.login.needed"))
        try:
            order = read_command(await _json(request))
        except CommandError as wrong:
            return _refused(422, _both("page.command.unreadable", why=wrong))
        try:
            if inspect.iscoroutinefunction(obey):
                answer = await obey(order)
            else:
                answer = await run_in_threadpool(obey, order)
        except TimeoutError:
            logger.warning("the order %s was not answered in time", order.order.verb)
            return _refused(503, _both("page.order.unreached"))
        body = {"done": answer.done, "id": order.id, "texts": answer.texts.model_dump()}
        return JSONResponse(body, 200 if answer.done else 409 if answer.written else 202)

    return command


def _evidence(sign_in: SignIn, folder: Path) -> Callable[[Request], Response]:
    def evidence(request: Request) -> Response:
        if not sign_in.knows(request.cookies.get(COOKIE)):
            return _refused(401, _both("page.login.needed"))
        try:
            picture = (folder / request.path_params["name"]).resolve()
            found = picture.is_relative_to(folder.resolve()) and picture.is_file()
        except (OSError, ValueError):
            # A name that no file can have.
            found = False
        if not found:
            return _refused(404, _both("page.evidence.gone"))
        return FileResponse(picture)

    return evidence


async def _json(request: Request) -> object:
    """What was sent; None for what cannot be read, which is logged in one line."""
    body = b""
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MOST_BYTES:
                    break
        return read_json(body)
    except (ValueError, ClientDisconnect, TimeoutError) as wrong:
        logger.warning("what %s sent to %s cannot be read: %.80s", _host(request), request.url.path, wrong)
        return None


def _host(request: Request) -> str:
    return request.client.host if request.client else "somewhere"


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def _refused(code: int, texts: Texts) -> JSONResponse:
    return JSONResponse({"done": False, "texts": texts.model_dump()}, code)


def _both(key: str, **values: object) -> Texts:
    return Texts(en=text(Lang.EN, key, **values), ru=text(Lang.RU, key, **values))
