"""Reports to systemd: the service is ready, still lives, does this (sd_notify(3)).

Where no service manager listens, every call does nothing.
"""

import logging
import os
import socket
from collections.abc import Mapping
from typing import Self

from controller.adapters.mqtt.match_messages import waiting_for
from controller.locale import Lang
from controller.ports.updates import Update

logger = logging.getLogger(__name__)

SEND_WAIT_S = 0.5


class ServiceManager:
    """The link to the service manager that started this process; a context manager.

    ``alive`` is to be called by the very loop whose death should restart the service.
    """

    def __init__(self, address: str | None, watchdog_ms: int | None = None) -> None:
        """Report to the datagram socket at ``address`` (None: to nobody), which expects a sign each ``watchdog_ms``."""
        self._address = None if address is None else _socket_name(address)
        self._socket = None if address is None else socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        if self._socket is not None:
            self._socket.settimeout(SEND_WAIT_S)
        self._lost = False
        # Twice as often as asked, as systemd advises, so that one late sign does no harm.
        self._sign_each_ms = None if watchdog_ms is None else watchdog_ms // 2
        self._next_sign_ms: int | None = None
        self._status = ""

    @classmethod
    def of_process(cls, environ: Mapping[str, str] = os.environ, pid: int | None = None) -> Self:
        """Return the link that the environment of this process (or of ``pid``) names."""
        address = environ.get("NOTIFY_SOCKET") or None
        asked_of = environ.get("WATCHDOG_PID") or None
        period_us = environ.get("WATCHDOG_USEC") or None
        mine = asked_of is None or asked_of == str(os.getpid() if pid is None else pid)
        if address is None or period_us is None or not mine:
            return cls(address)
        return cls(address, int(period_us) // 1000)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Report that the service is stopping, and close the link."""
        self._send("STOPPING=1")
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def ready(self) -> None:
        """Report that the service has started and does its work."""
        self._send("READY=1")

    def alive(self, now_ms: int) -> None:
        """Report that the calling loop still turns; call it each time round, it sends no more often than needed.

        ``now_ms`` is monotonic time.
        """
        if self._sign_each_ms is None or (self._next_sign_ms is not None and now_ms < self._next_sign_ms):
            return
        self._next_sign_ms = now_ms + self._sign_each_ms
        self._send("WATCHDOG=1")

    def status(self, line: str) -> None:
        """Report in one line what the service does, as ``systemctl status`` shows it; a repeated line is sent once."""
        flat = " ".join(line.split())
        if flat != self._status:
            self._status = flat
            self._send(f"STATUS={flat}")

    def _send(self, message: str) -> None:
        if self._socket is None or self._address is None:
            return
        try:
            self._socket.sendto(message.encode(), self._address)
        except OSError as error:
            # A match is not stopped because nobody listens; systemd itself restarts a service that falls silent.
            if not self._lost:
                logger.warning("the service manager does not take messages: %s", error)
            self._lost = True
        else:
            if self._lost:
                logger.info("the service manager takes messages again")
            self._lost = False


class StatusLine:
    """Publishes what the referee waits for as the service's status."""

    def __init__(self, manager: ServiceManager, lang: Lang) -> None:
        self._manager = manager
        self._lang = lang

    def publish(self, update: Update) -> None:
        """Report what is awaited in the state of ``update``."""
        self._manager.status(getattr(waiting_for(update.state), self._lang.value))


def _socket_name(address: str) -> str:
    """Return the name as the kernel takes it: a leading @ stands for the abstract namespace."""
    return f"\0{address[1:]}" if address.startswith("@") else address
