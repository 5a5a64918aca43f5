"""The web server: the site in a thread of its own, on a port that is surely ours."""

import logging
import os
import socket
import threading
import time
from typing import Self

import uvicorn

from controller.adapters.pages.bounded_http import BoundedHttp
from controller.adapters.pages.sign_in import SignIn
from controller.adapters.pages.site import Obey, Place, site
from controller.locale import LocalizedError

logger = logging.getLogger(__name__)

START_S = 10.0
STOP_S = 5.0


class PagesError(LocalizedError, RuntimeError):
    """The pages cannot be served."""


class Pages:
    """Serves the pages; ``start`` and ``stop``, or a context manager. ``sign_in`` opens the arbiter's panel.

    Port 0 means any free one.
    """

    def __init__(self, place: Place, sign_in: SignIn, obey: Obey, *, host: str = "127.0.0.1", port: int = 8080) -> None:
        self._host = host
        self._port = port
        self._app = site(place, sign_in, obey)
        self._socket: socket.socket | None = None
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """Address of the display on this machine, ending in a slash."""
        host = "localhost" if self._host in {"0.0.0.0", "::", "127.0.0.1"} else self._host  # noqa: S104 - compared, not bound
        return f"http://{host}:{self._port}/"

    @property
    def arbiter_url(self) -> str:
        """Address of the arbiter's panel on this machine."""
        return f"{self.url}arbiter"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Listen and return once the pages can be opened.

        Raises PagesError when the port is taken or the server does not come up.
        """
        try:
            listening = socket.create_server(
                (self._host, self._port), family=socket.AF_INET6 if ":" in self._host else socket.AF_INET
            )
        except OSError as wrong:
            why = os.strerror(wrong.errno or 0)
            raise PagesError("pages_taken", host=self._host, port=self._port, why=why) from wrong
        self._socket, self._port = listening, listening.getsockname()[1]
        server = uvicorn.Server(
            uvicorn.Config(
                self._app,
                http=BoundedHttp,
                log_level="warning",
                access_log=False,
                lifespan="off",
                timeout_graceful_shutdown=1,
                server_header=False,
            )
        )
        self._server = server
        self._thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, name="pages", daemon=True)
        self._thread.start()
        deadline = time.monotonic() + START_S
        while not server.started:
            if not self._thread.is_alive() or time.monotonic() > deadline:
                self.stop()
                raise PagesError("pages_not_started", host=self._host, port=self._port)
            time.sleep(0.01)
        logger.info("pages at %s", self.url)

    def stop(self) -> None:
        """Stop serving; harmless when not serving."""
        if self._server is not None:
            self._server.should_exit = True
        if self._thread is not None:
            self._thread.join(STOP_S)
            self._thread = None
        if self._socket is not None:
            self._socket.close()
            self._socket = None
