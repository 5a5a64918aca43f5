"""The doctor at real ports, boards on a pty, pins and cameras: one line each, exit code 1 where something is wrong."""

import json
import logging
import queue
import socket
import threading
import time
import tty
from collections.abc import Callable, Iterator
from dataclasses import replace
from fcntl import LOCK_EX, LOCK_NB, flock
from os import openpty, ttyname, write
from pathlib import Path

import cv2
import gpiozero
import numpy as np
import pytest
from click.testing import CliRunner, Result
from gpiozero.pins.mock import MockFactory, MockPin

from controller.cli.doctor import command
from controller.doctor import examination
from controller.doctor.judges import set_up
from controller.locale import Lang
from controller.rules import ruleset
from firmware_bridge import emulator
from firmware_bridge import messages as m
from firmware_bridge.clocks import Micros
from firmware_bridge.rig import Rig
from firmware_bridge.standin import StandIn
from firmware_bridge.virtual_board import VirtualBoard
from vision.camera.source import TimedFrame

pytestmark = pytest.mark.slow  # listens to a board in real time

FULL = Rig.load("full")
LONG = ruleset("long-fnr").game
CORNERS = "[[1100, 650], [170, 650], [240, 70], [1040, 70]]"
BRIDGE = 'port = "{port}"\nrig = "{rig}"'


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Listen until reeds have been told, and let the doctor's clock run fast.

    The counters, which come after five seconds, are for one test.
    """
    monkeypatch.setattr(examination, "LISTEN_US", 700_000)
    monkeypatch.setattr(examination, "monotonic_us", lambda: time.monotonic_ns() // 1_000 * Living.SPEED)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A folder in which the camera sees something grey."""
    (tmp_path / "frames").mkdir()
    for number in range(2):
        picture = np.full((720, 1280, 3), 120, np.uint8)
        cv2.imwrite(str(tmp_path / "frames" / f"{number}.png"), picture)
    return tmp_path


def visit(
    table: Path,
    bridge: str = "",
    *more: str,
    buttons: str = "",
    feed: str = "",
    journal: str = "journal/referee.sqlite",
    lens: str = "",
    lang: Lang = Lang.EN,
) -> Result:
    settings = table / "referee.toml"
    settings.write_text(
        "\n".join(
            [
                f'[board]\nid = "1"\ncorners = {CORNERS}',
                f'[camera]\nsource = "frames"\n{lens}',
                f"[bridge]\n{bridge}",
                f"[buttons]\n{buttons}",
                "[feed]",
                feed or "port = 0\nwebsocket_port = 0",
                "[pages]\nport = 0",
                f'[journal]\npath = "{journal}"',
            ]
        ),
        "utf-8",
    )
    return CliRunner().invoke(command(lang), ["--config", str(settings), *more])


def lines(result: Result, part: str) -> list[str]:
    return [line for line in result.output.splitlines() if line[10:21].strip() == part]


class Living:
    """Lets a virtual board live, faster than time passes if this machine can, until it is closed.

    The doctor's clock is the board's life, so that neither outruns the other.
    """

    SPEED = 10
    STEP_US = 10_000
    REST_S = STEP_US / 1_000_000 / SPEED

    def __init__(self, board: VirtualBoard, monkeypatch: pytest.MonkeyPatch) -> None:
        self.board = board
        self.life_us = Micros(0)
        monkeypatch.setattr(examination, "monotonic_us", lambda: self.life_us)
        self._deeds: queue.Queue[Callable[[], None]] = queue.Queue()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()

    def do(self, deed: Callable[[], None], rest_ms: int = 0) -> None:
        """Do something to the board between two of its moments, and let it live on for so long."""
        until_us = self.life_us + 1_000 * rest_ms
        self._deeds.put(deed)
        while not self._deeds.empty() or self.life_us < until_us:
            time.sleep(self.REST_S)

    def close(self) -> None:
        self._ended.set()
        self._thread.join()
        self.board.close()

    def _live(self) -> None:
        while not self._ended.wait(self.REST_S):
            self.life_us = Micros(self.life_us + self.STEP_US)
            while not self._deeds.empty():
                self._deeds.get()()
            self.board.advance(self.life_us)


@pytest.fixture(params=["stand-in", "firmware"])
def life(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Living]:
    """A board that lives."""
    home = tmp_path / "board"
    home.mkdir()
    made: VirtualBoard
    if request.param == "stand-in":
        made = StandIn(FULL.slot_count, rig=FULL.fingerprint(), folder=home)
    else:
        if reason := emulator.missing():
            pytest.skip(reason)
        made = emulator.Emulator(FULL, folder=home)
    living = Living(made, monkeypatch)
    yield living
    living.close()


def test_a_board_that_is_well_ends_with_nothing_to_do(
    table: Path, life: Living, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examination, "LISTEN_US", m.STAT_US + 300_000)
    life.do(lambda: life.board.set_slots(set_up(FULL, LONG)), rest_ms=50)
    result = visit(table, BRIDGE.format(port=life.board.port, rig="full"))
    assert result.exit_code == 0, result.output
    assert "firmware 0.1.0, 160 slots" in lines(result, "board")[0]
    assert lines(result, "reeds") == ["ok        reeds      As in the start position."]
    assert lines(result, "line")[0].startswith("ok")
    assert lines(result, "camera")[0].startswith("ok")
    assert result.output.endswith("Everything that is fitted works.\n")


def test_reeds_that_lie_and_a_chain_that_is_out_are_reported(table: Path, life: Living) -> None:
    life.do(lambda: life.board.set_slots({*set_up(FULL, LONG), FULL.slots["p2"][0]}), rest_ms=50)
    bridge = BRIDGE.format(port=life.board.port, rig="full")
    stuck = visit(table, bridge)
    assert stuck.exit_code == 1
    assert "Closed though nothing lies there in the start position: Point 2, reed 1" in lines(stuck, "reeds")[0]
    life.do(life.board.break_chain)
    silent = visit(table, bridge, lang=Lang.RU)
    assert silent.exit_code == 1
    (line,) = lines(silent, "герконы")
    assert line.startswith("НЕПОЛАДКА герконы    Сдвиговые регистры не отвечают: проверьте разъёмы между контроллером")


@pytest.mark.parametrize("life", ["stand-in"], indirect=True)
def test_a_board_that_started_after_a_hang_is_reported(table: Path, life: Living) -> None:
    # Its program has to run before it can hang.
    life.do(lambda: None, rest_ms=300)
    life.do(life.board.watchdog, rest_ms=800)
    result = visit(table, BRIDGE.format(port=life.board.port, rig="full"))
    assert any("program had hung" in line for line in lines(result, "board")), result.output
    assert result.exit_code == 0, "it works again"


class Foreign(StandIn):
    """A board whose Hello says something else."""

    change: Callable[[m.Hello], m.Hello] = staticmethod(lambda hello: hello)

    def _hello(self) -> m.Hello:
        return self.change(super()._hello())


@pytest.mark.parametrize(
    ("change", "grade", "words"),
    [
        (lambda hello: replace(hello, major=0), "FAULT", "another version: `make -C firmware_bridge/firmware flash"),
        (lambda hello: replace(hello, slots=80), "FAULT", "built for another number of slots"),
        (lambda hello: replace(hello, rig=1), "FAULT", "built from other pins than the rig full has"),
        (lambda hello: replace(hello, minor=7), "note", "speaks protocol 1.7, this program 1.0"),
        (lambda hello: replace(hello, reset_cause=m.ResetCause.BROWN_OUT), "note", "supply had sunk below 2.7 V"),
    ],
)
def test_a_board_with_the_wrong_firmware_is_reported_with_the_cure(
    table: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[m.Hello], m.Hello],
    grade: str,
    words: str,
) -> None:
    home = tmp_path / "board"
    home.mkdir()
    made = Foreign(FULL.slot_count, rig=FULL.fingerprint(), folder=home)
    made.change = change  # type: ignore[method-assign] # an attribute
    living = Living(made, monkeypatch)
    result = visit(table, BRIDGE.format(port=made.port, rig="full"))
    living.close()
    told = next(line for line in lines(result, "board") if words in line)
    assert told.startswith(grade)
    assert result.exit_code == (grade == "FAULT")


@pytest.fixture
def taken_port() -> str:
    """A serial port that another program holds."""
    _, slave = openpty()
    tty.setraw(slave)
    flock(slave, LOCK_EX | LOCK_NB)
    return ttyname(slave)


def test_a_port_that_is_absent_is_a_file_or_is_taken_is_reported(table: Path, taken_port: str) -> None:
    absent = visit(table, BRIDGE.format(port="/dev/serial/by-id/usb-none", rig="full"))
    assert "No device at /dev/serial/by-id/usb-none." in lines(absent, "board")[0]
    file = visit(table, BRIDGE.format(port=table / "referee.toml", rig="full"))
    assert "is not a serial port" in lines(file, "board")[0]
    taken = visit(table, BRIDGE.format(port=taken_port, rig="full"))
    assert f"Another program has {taken_port}" in lines(taken, "board")[0]
    assert {absent.exit_code, file.exit_code, taken.exit_code} == {1}


def test_another_device_on_the_port_is_reported(table: Path) -> None:
    master, slave = openpty()
    tty.setraw(slave)
    ended = threading.Event()

    def chatter() -> None:
        while not ended.wait(0.01):
            write(master, b"$GPGGA,123519,4807.038,N,01131.000,E,1,08\r\n")

    talker = threading.Thread(target=chatter)
    talker.start()
    result = visit(table, BRIDGE.format(port=ttyname(slave), rig="full"))
    ended.set()
    talker.join()
    assert "Something answers on" in lines(result, "board")[0]
    assert result.exit_code == 1


def test_a_rig_that_contradicts_itself_is_reported_and_the_rest_is_looked_at(table: Path) -> None:
    mine = (Path(__file__).parents[2] / "hardware" / "rig" / "full.toml").read_text("utf-8")
    (table / "mine.toml").write_text(mine.replace('black = "PC1"', 'black = "PC0"'), "utf-8")
    result = visit(table, BRIDGE.format(port="/dev/ttyUSB0", rig="mine.toml"))
    assert any("pin PC0 is used twice" in line for line in lines(result, "settings"))
    assert lines(result, "camera")
    assert result.exit_code == 1


def test_after_a_visit_the_rest_of_the_program_is_received_again(table: Path, caplog: pytest.LogCaptureFixture) -> None:
    CliRunner().invoke(command(Lang.EN), ["--config", str(table / "referee.toml")])
    logging.getLogger("controller.service").warning("the broker refuses us")
    assert "the broker refuses us" in caplog.text


def test_settings_that_cannot_be_read_are_all_that_is_reported(table: Path) -> None:
    (table / "referee.toml").write_text("[board]\nid = 1\n[camera]\nfps = 0\n", "utf-8")
    result = CliRunner().invoke(command(Lang.EN), ["--config", str(table / "referee.toml")])
    assert [line[:20] for line in result.output.splitlines()[:-1]] == ["FAULT     settings   "[:20]] * 2
    assert result.exit_code == 1


class Grounded(MockPin):
    """A pin of which one, GPIO6, is tied to ground, whatever pulls it up."""

    def _change_state(self, value: object) -> object:
        return super()._change_state(value if self.info.name != "GPIO6" else False)


@pytest.mark.parametrize(
    ("pin", "told"),
    [
        (13, "ok        buttons    Connected, none is pressed: White's button, Black's button."),
        (6, "FAULT     buttons    Pressed although nobody touches them: Black's button. A wire"),
    ],
)
def test_a_button_that_is_held_by_its_wires_is_reported(
    table: Path, monkeypatch: pytest.MonkeyPatch, pin: int, told: str
) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", MockFactory(pin_class=Grounded))
    result = visit(table, buttons=f"white = 5\nblack = {pin}")
    (line,) = lines(result, "buttons")
    assert line.startswith(told)
    assert result.exit_code == told.startswith("FAULT")


def test_ports_that_are_taken_and_brokers_out_of_reach_are_reported(table: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        taken = visit(table, feed=f"port = {port}\nwebsocket_port = 0")
        address = 'broker = "mqtt://127.0.0.1:{}"\nwebsocket_url = "ws://127.0.0.1:9001/mqtt"'
        there = visit(table, feed=address.format(port))
    gone = visit(table, feed=address.format(port))
    assert f"127.0.0.1:{port} cannot be used" in lines(taken, "broker")[0]
    assert lines(there, "broker") == [f"ok        broker     mqtt://127.0.0.1:{port} answers."]
    assert "is out of reach: Connection refused" in lines(gone, "broker")[0]
    assert (taken.exit_code, there.exit_code, gone.exit_code) == (1, 0, 1)


def test_an_address_of_another_machine_is_reported_with_the_cure(table: Path) -> None:
    # 192.0.2.0/24 is kept for documents (RFC 5737): no machine has it.
    result = visit(table, feed='host = "192.0.2.1"\nport = 0\nwebsocket_port = 0')
    assert "Give an address of this machine" in lines(result, "broker")[0]
    assert result.exit_code == 1


def test_a_camera_that_is_absent_or_hangs_is_reported(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (table / "frames").rename(table / "gone")
    assert "cannot be opened" in lines(visit(table), "camera")[0]
    monkeypatch.setattr(examination, "PICTURE_S", 0.2)
    hangs = threading.Event()

    def silent() -> Iterator[TimedFrame]:
        hangs.wait()
        yield from ()

    look = examination.look_through_camera
    (told,) = look("0", (1280, 720), silent, lambda _: None)  # type: ignore[arg-type, return-value] # no pose
    hangs.set()
    assert told.key == "camera.silent"


def test_json_reports_the_same(table: Path) -> None:
    result = visit(table, BRIDGE.format(port="/dev/none", rig="full"), "--json")
    told = json.loads(result.output)
    assert told["faults"] == 1
    (board,) = [finding for finding in told["findings"] if finding["part"] == "board"]
    assert (board["grade"], board["key"]) == ("fault", "board.no_port")
    assert board["text"].startswith("No device at /dev/none.")
    assert result.exit_code == 1


def test_a_walk_receives_every_reed_and_button_and_ends_by_itself(table: Path, life: Living) -> None:
    # The emulated chip lives slowly: there a register's reeds are closed at once.
    together = 8 if isinstance(life.board, emulator.Emulator) else 1

    def stroll() -> None:
        life.do(lambda: None, rest_ms=500)
        for first in range(0, 160, together):
            closed = range(first, first + together)
            life.do(lambda closed=closed: life.board.set_slots(closed), rest_ms=12)  # type: ignore[misc] # those of now
        for button in FULL.buttons:
            life.do(lambda button=button: life.board.press(button), rest_ms=150)  # type: ignore[misc] # the button of now

    walker = threading.Thread(target=stroll)
    walker.start()
    result = visit(table, BRIDGE.format(port=life.board.port, rig="full"), "--walk", "--idle", "20")
    walker.join()
    assert result.exit_code == 0, result.output
    assert "Closed: Point 15, reed 5 from the rail" in result.output
    assert "Pressed: pause" in result.output
    assert result.output.endswith("All 160 reeds have answered.\n")


@pytest.mark.parametrize("life", ["stand-in"], indirect=True)
def test_a_walk_names_what_never_answered(table: Path, life: Living) -> None:
    dead = FULL.slots["p7"][2]

    def stroll() -> None:
        life.do(lambda: None, rest_ms=500)
        life.do(lambda: life.board.set_slots(set(range(160)) - {dead}))

    walker = threading.Thread(target=stroll)
    walker.start()
    result = visit(table, BRIDGE.format(port=life.board.port, rig="full"), "--walk", "--idle", "2", lang=Lang.RU)
    walker.join()
    assert result.exit_code == 1
    assert "ни разу не ответили: 1. Пункт 7, геркон 3 от борта." in result.output
    assert "Ни разу не нажаты: кнопка чёрных, пауза, кнопка белых." in result.output


def test_a_walk_over_a_board_that_is_not_there_accuses_no_reed(table: Path) -> None:
    bridge = BRIDGE.format(port="/dev/serial/by-id/usb-none", rig="full")
    result = visit(table, bridge, "--walk", "--idle", "1")
    (line,) = [line for line in result.output.splitlines() if line.startswith("FAULT")]
    assert "No device at /dev/serial/by-id/usb-none." in line
    assert result.exit_code == 1


def test_a_walk_over_a_silent_port_is_reported(table: Path) -> None:
    _, slave = openpty()
    tty.setraw(slave)
    result = visit(table, BRIDGE.format(port=ttyname(slave), rig="full"), "--walk", "--idle", "1", lang=Lang.RU)
    (line,) = [line for line in result.output.splitlines() if line.startswith("НЕПОЛАДКА")]
    assert "никто не отвечает" in line
    assert result.exit_code == 1


@pytest.mark.parametrize("settings", ["[board", '[board]\nid = "1"\n[bridge]\nrig = "none.toml"', None])
def test_a_walk_with_settings_that_cannot_be_used_is_a_finding_too(table: Path, settings: str | None) -> None:
    config = table / "mine.toml"
    if settings is not None:
        config.write_text(settings, "utf-8")
    result = CliRunner().invoke(command(Lang.EN), ["--config", str(config), "--walk", "--json"])
    (told,) = json.loads(result.output)["findings"]
    assert (told["part"], told["grade"]) == ("settings", "fault")
    assert result.exit_code == 1


def test_a_walk_without_pins_says_what_to_install(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    result = visit(table, 'rig = "camera_only"', "--walk")
    (line,) = lines(result, "buttons")
    assert "pip install 'nardy-referee[pi]'" in line
    assert result.exit_code == 1


def test_a_journal_that_cannot_be_one_is_reported_before_the_match(table: Path) -> None:
    (table / "folder").mkdir()
    (table / "letter.sqlite").write_text("Dear Sir")
    assert "folder is a folder: put a file in it into journal.path" in lines(visit(table, journal="folder"), "disk")[1]
    assert "letter.sqlite is not a journal" in lines(visit(table, journal="letter.sqlite"), "disk")[1]
    assert "may not write at" in lines(visit(table, journal="letter.sqlite/referee.sqlite"), "disk")[0]
    (table / "new.sqlite").touch()
    for journal in ("journal/referee.sqlite", "new.sqlite"):
        assert [line[:5] for line in lines(visit(table, journal=journal), "disk")] != ["FAULT"]
        assert len(lines(visit(table, journal=journal), "disk")) == 1


def test_a_lens_that_cannot_be_read_is_reported(table: Path) -> None:
    (line,) = lines(visit(table, lens='lens = "gone.json"'), "camera")
    assert line.startswith("FAULT")
    assert "gone.json is not a lens file" in line
    assert "calibrate --lens" in line
