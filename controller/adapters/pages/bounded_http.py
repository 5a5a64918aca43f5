"""Connections that cost little: nobody holds one open without asking for something, and nobody holds them all."""

import asyncio
from ipaddress import ip_address

from uvicorn.protocols.http.h11_impl import H11Protocol

from controller.adapters.pages.sign_in import sender_of

REQUEST_S = 10.0
"""So long a connection may be open without a whole request head: no browser takes a tenth of it."""

CONNECTIONS = 120
"""So many connections one address may hold. A browser holds six to one host; behind a router sit twenty of them."""


class BoundedHttp(H11Protocol):
    """uvicorn's own protocol, with a time for the head of a request and a number of connections for each sender.

    Connections of this machine are not counted: behind a proxy on it are all the others.
    """

    _check: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's own
        """Take the connection, or drop it where its sender has too many."""
        super().connection_made(transport)
        sender = _sender_of(self)
        if sender is not None and sum(_sender_of(other) == sender for other in self.connections) > CONNECTIONS:
            transport.abort()
            return
        self._expect_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        if self._check is not None:
            self._check.cancel()
        super().connection_lost(exc)

    def _expect_request(self) -> None:
        self._check = self.loop.call_later(REQUEST_S, self._check_request, self.cycle)

    def _check_request(self, last: object) -> None:
        """Hang up where no request was begun since ``last`` and none is being answered."""
        answered = last is None or getattr(last, "response_complete", True)
        if self.cycle is last and answered:
            self.transport.close()
        else:
            self._expect_request()


def _sender_of(connection: object) -> str | None:
    """Whose connection it is; None for this machine's own."""
    client = connection.client if isinstance(connection, BoundedHttp) else None
    if client is None or ip_address(client[0].partition("%")[0]).is_loopback:
        return None
    return sender_of(client[0])
