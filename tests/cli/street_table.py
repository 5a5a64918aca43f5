"""A virtual table in real time before ``nardy-referee run``: a camera stream, a board on a pty, the arbiter's panel.

It sees of the referee what a stranger sees: the feed's JSON. It knows of the program only what stands in the settings.
"""

import json
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from http.cookiejar import CookieJar
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

import cv2

from controller.adapters.shown import ShownPhase
from controller.rules import Side, ruleset
from controller.simulator.actions import Helped, Press, TableEntry
from controller.simulator.arbiter import command_of
from controller.simulator.camera import VirtualCamera
from controller.simulator.contacts import closed_slots
from controller.simulator.plan import QUICK
from controller.simulator.table import VirtualTable
from controller.simulator.truth import Truth, truth_of
from controller.simulator.visible import SeenHypothesis, SeenRuling, Subject, Verdict, VisibleState
from controller.simulator.world import TablePosition, World
from firmware_bridge.clocks import monotonic_us
from firmware_bridge.rig import Rig
from firmware_bridge.standin import StandIn
from tests.feed.listening import Listener

FRAME_S = 0.15
BOARD_S = 0.005
READ_S = 0.1
"""People look at the display once it has stopped changing."""
PIN = "271828"
BOUNDARY = "frame"


class Stream:
    """The newest picture as Motion JPEG over HTTP, as network cameras give it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._jpeg = b""
        self._ended = False
        stream = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={BOUNDARY}")
                self.end_headers()
                try:
                    for jpeg in stream.jpegs():
                        head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                        self.wfile.write(head.encode() + jpeg + b"\r\n")
                except OSError:
                    return

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/camera.mjpg"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def show(self, picture: Any) -> None:
        coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
        with self._changed:
            self._jpeg = coded
            self._changed.notify_all()

    def jpegs(self) -> Iterator[bytes]:
        shown = b""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._ended or self._jpeg is not shown)  # noqa: B023 - waited for at once
                if self._ended:
                    return
                shown = self._jpeg
            yield shown

    def close(self) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._server.shutdown()
        self._server.server_close()


class Panel:
    """The arbiter's panel, used as a browser uses it."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self._post("api/session", {"pin": PIN})

    def order(self, fields: dict[str, object]) -> None:
        self._post("api/command", fields)

    def _post(self, path: str, fields: dict[str, object]) -> None:
        body = json.dumps(fields).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self._address}{path}", body, headers)  # noqa: S310 - our own page
        with self._browser.open(request, timeout=10) as answer:
            assert answer.status == 200


class Feed:
    """The display of a viewer: the feed's last messages."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._read = 0
        self._changed_at = 0.0
        self._last: dict[str, dict[str, Any]] = {}
        self.rulings: list[dict[str, Any]] = []
        self._seen: VisibleState | None = None

    def seen(self) -> VisibleState | None:
        """What the display shows, once it has been still for a moment; None while it is dark."""
        heard = self._listener.heard[self._read :]
        self._read += len(heard)
        for topic, payload, _ in heard:
            if payload:
                self._last[topic] = json.loads(payload)
                if topic == "ruling":
                    self.rulings.append(self._last[topic])
        if heard:
            self._changed_at = time.monotonic()
        elif time.monotonic() - self._changed_at > READ_S and "state" in self._last and "match" in self._last:
            self._seen = self._shown()
        return self._seen

    def _shown(self) -> VisibleState:
        state, match, ruling = self._last["state"], self._last["match"], self._last.get("ruling")
        return VisibleState(
            phase=ShownPhase(state["phase"]),
            side=Side(state["side"]) if state["side"] else None,
            roll=tuple(state["roll"]) if state["roll"] else None,
            ruling=_ruling(ruling) if ruling else None,
            position=_table_position(state["position"]),
            score=(match["score"]["white"], match["score"]["black"]),
            game=match["game_number"],
        )


def _ruling(ruling: dict[str, Any]) -> SeenRuling:
    hypotheses = tuple(
        SeenHypothesis(
            _table_position(guess["position"]) if guess["position"] else None,
            tuple(guess["roll"]) if guess["roll"] else None,
            guess["legal"],
        )
        for guess in ruling["hypotheses"]
    )
    roll = tuple(ruling["roll"]) if ruling["roll"] else None
    return SeenRuling(
        ruling["id"], Subject(ruling["subject"]), Verdict(ruling["verdict"]), roll, ruling["reason"], hypotheses
    )


def _table_position(position: dict[str, Any]) -> TablePosition:
    return TablePosition(tuple(position["points"]), tuple(position["bar"]), tuple(position["off"]))


class StreetTable:
    """The table with its devices, in real time; a context manager."""

    def __init__(self, folder: Path, name: str, seed: int) -> None:
        self._stack = ExitStack()
        self._name = name
        self.table = VirtualTable(ruleset(name), folder / "table.jsonl", seed=seed, games=1, faults=True, tempo=QUICK)
        self._stack.callback(self.table.close)
        self._camera = VirtualCamera(layout=self.table.habits.layout)
        self._camera.picture(self.table.world, 0)
        self._rig = Rig.load("full")
        self._board = StandIn(self._rig.slot_count, rig=self._rig.fingerprint(), now_us=monotonic_us(), folder=folder)
        self._stack.callback(self._board.close)
        self._line = threading.Lock()
        self._stream = Stream()
        self._stack.callback(self._stream.close)
        self._stopped = threading.Event()
        self._helped: list[Helped] = []
        self._begun = time.monotonic()
        self.table.listen(self._follow)
        self._lay(self.table.world)

    def __enter__(self) -> Self:
        for what in (self._run_board, self._run_camera):
            thread = threading.Thread(target=what, daemon=True)
            thread.start()
            self._stack.callback(thread.join)
        self._stack.callback(self._stopped.set)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def settings(self, folder: Path, feed_port: int, websocket_port: int, page_port: int) -> Path:
        """Write the settings of this board as its owner would."""
        corners = ", ".join(f"[{x:.1f}, {y:.1f}]" for x, y in self._camera.corners_px)
        shape = self._camera.shape
        file = folder / "referee.toml"
        file.write_text(f"""
[board]
id = "7"
corners = [{corners}]
bar = [{shape.bar[0]:.4f}, {shape.bar[1]:.4f}]
checker = {shape.checker:.3f}
thickness = {shape.thickness:.3f}
[camera]
source = "{self._stream.url}"
[bridge]
rig = "full"
port = "{self._board.port}"
[match]
ruleset = "{self._name}"
[feed]
port = {feed_port}
websocket_port = {websocket_port}
[pages]
port = {page_port}
arbiter_pin = "{PIN}"
[journal]
path = "{folder / "match.sqlite"}"
""")
        return file

    def play(self, feed: Feed, panel: Panel, *, turns: int, patience_s: float) -> Truth:
        """Play until so many turns are over, and return what was played."""
        end = time.monotonic() + patience_s
        while (truth := truth_of(self.table.entries)).account.games == () or len(truth.account.games[-1].turns) < turns:
            assert time.monotonic() < end, f"the match stands still: {feed.seen()}"
            self.table.show(feed.seen())
            self.table.advance(int(1000 * (time.monotonic() - self._begun)))
            for helped in self._helped:
                panel.order(_fields(helped))
            self._helped.clear()
            time.sleep(0.02)
        return truth

    def _follow(self, entry: TableEntry, world: World) -> None:
        self._lay(world)
        if isinstance(entry.action, Press):
            with self._line:
                self._board.press(entry.action.side.value)
        if isinstance(entry.action, Helped):
            self._helped.append(entry.action)

    def _lay(self, world: World) -> None:
        with self._line:
            self._board.set_slots(closed_slots(world, self._rig))

    def _run_board(self) -> None:
        while not self._stopped.wait(BOARD_S):
            with self._line:
                self._board.advance(monotonic_us())

    def _run_camera(self) -> None:
        while not self._stopped.wait(FRAME_S):
            moment = int(1000 * (time.monotonic() - self._begun))
            self._stream.show(self._camera.picture(self.table.world, moment))


def _fields(helped: Helped) -> dict[str, object]:
    """An order as the panel writes it."""
    order = asdict(command_of(helped).order)
    if "ruling" in order:
        order["ruling"] = str(order["ruling"])
    return {key: value.value if isinstance(value, Side) else value for key, value in order.items()}
