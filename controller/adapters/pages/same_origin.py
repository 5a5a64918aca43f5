"""Refuses what another site's page, or a name that somebody else's DNS points here, would change through a browser."""

import socket
from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.locale import Lang, text

LOCAL = (".local", ".lan", ".home.arpa", ".localhost")
"""Ends of names that no public DNS gives out (RFC 6762, RFC 8375, RFC 6761; ``lan`` by habit)."""

READS = frozenset({"GET", "HEAD", "OPTIONS"})


class SameOrigin:
    """Lets through what only reads, what comes from a page of the same host and port, and what comes from no page.

    A browser names the page in ``Origin``, and in ``Sec-Fetch-Site`` whether it is of this site. Programs send neither.
    ``Host`` has to be an address, a name of the local network, this machine's own or one of ``names``: a page of
    another site whose name is made to lead here is of the same origin to the browser.
    """

    def __init__(self, app: ASGIApp, names: Collection[str] = ()) -> None:
        self._app = app
        self._names = {name.lower() for name in (*names, socket.gethostname())}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 403 to what is refused, hand on the rest."""
        if scope["type"] == "http" and scope["method"] not in READS and not self._same(Headers(scope=scope)):
            texts = {lang.value: text(lang, "page.foreign") for lang in Lang}
            await JSONResponse({"done": False, "texts": texts}, 403)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _same(self, headers: Headers) -> bool:
        if headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
            return False
        host = headers.get("host", "").lower()
        try:
            name = urlsplit(f"//{host}").hostname or ""
            origin = urlsplit(headers.get("origin") or f"//{host}").netloc.lower()
        except ValueError:
            return False
        return origin == host and self._is_ours(name)

    def _is_ours(self, name: str) -> bool:
        if "." not in name or name in self._names or name.endswith(LOCAL):
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return True
