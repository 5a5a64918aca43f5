"""The lines to a board as ``run`` puts them together, in real time: a board on a pty, and the pins of a Pi."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from controller.adapters.board_lines import BoardLines, Rigs, rigs_of
from controller.adapters.evidence import Evidence
from controller.adapters.journal import Journal, JournalReader
from controller.adapters.lamps import THROW_AGAIN
from controller.adapters.mqtt.feed_publisher import FeedPublisher
from controller.adapters.mqtt.messages import Content, HealthMessage
from controller.cli.run import MachineTime
from controller.clock import Millis
from controller.ports import Publisher
from controller.ports.entries import ENTRIES, Entry, Heard
from controller.ports.updates import Command
from controller.referee.events import Device, MatchOpened, Pressed, ReedsChanged, TurnEnd
from controller.referee.orders import Face, SetRoll, Start, VoidThrow
from controller.rules import ruleset
from controller.service.inbox import Inbox
from controller.service.opening import found_in, open_or_resume
from controller.service.runtime import Service
from controller.settings import Settings, SettingsError, load
from firmware_bridge.clocks import monotonic_us
from firmware_bridge.frames import Frame, Splitter
from firmware_bridge.messages import Edge, Hello, Keyframe, LampMode, Press
from firmware_bridge.rig import Rig
from firmware_bridge.standin import StandIn
from tests.bridge.registers import Registers
from tests.service.no_camera import NoCamera

PATIENCE_S = 20.0
FULL = Rig.load("full")


def referee(folder: Path, inbox: Inbox, publishers: Sequence[Publisher], journal: Journal[Entry]) -> Service:
    rules = ruleset("short-wbgf")
    opened = open_or_resume(journal, MatchOpened(Millis(0), rules.name, rules, "White", "Black", TurnEnd.PRESS))
    return Service(
        opened.state,
        inbox=inbox,
        time=MachineTime(),
        journal=journal,
        camera=NoCamera(),
        publishers=publishers,
        evidence=Evidence(folder),
    )


class Wall:
    """Shows how the devices are."""

    def __init__(self) -> None:
        self.health: HealthMessage | None = None

    def hear(self, content: Content) -> None:
        if isinstance(content, HealthMessage):
            self.health = content


class Desk:
    """A board on a pty and the service that listens to it, both in real time while somebody waits for something."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.board = StandIn(FULL.slot_count, rig=FULL.fingerprint(), now_us=monotonic_us(), folder=folder)
        stack.callback(self.board.close)
        rigs = Rigs(FULL, self.board.port, None)
        self.wall = Wall()
        journal = stack.enter_context(Journal(folder / "j.sqlite", ENTRIES))
        self.inbox = Inbox()
        lines = BoardLines(rigs, self.inbox.post)
        self.service = referee(
            folder, self.inbox, [FeedPublisher("m", rigs.fitted, self.wall.hear), *lines.publishers], journal
        )
        stack.callback(self.service.handle)
        stack.enter_context(lines)
        self.service.announce()

    def wait(self, until: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not until():
            assert time.monotonic() < end
            self.board.advance(monotonic_us())
            self.service.handle(wait_s=0.005)


def test_a_board_on_a_serial_port_is_received_lit_and_recorded(tmp_path: Path) -> None:
    with ExitStack() as stack:
        desk = Desk(tmp_path, stack)
        board, service = desk.board, desk.service
        desk.wait(lambda: service.state.sight.reeds)
        board.set_slots([0, 1, 148])
        desk.wait(lambda: (0, 2, 6) in service.state.sight.reeds)
        for order in (Start(), SetRoll((Face(6), Face(3)))):
            desk.inbox.post(Command(order))
        white = FULL.lamp_number("white_turn")
        desk.wait(lambda: board.lamps.get(white) is LampMode.ON)
        board.press("pause")
        desk.wait(lambda: service.state.paused)
        # A board that starts again has its lamps dark until it is told anew.
        board.watchdog()
        assert board.lamps == {}
        desk.wait(lambda: board.lamps.get(white) is LampMode.ON)
        desk.inbox.post(Command(VoidThrow()))
        desk.wait(lambda: [buzz.pitch_hz for buzz in board.buzzes] == [THROW_AGAIN.pitch_hz])
        board.unplug()
        desk.wait(lambda: desk.wall.health and desk.wall.health.devices["reeds"].state == "lost")
        assert service.state.sight.reeds == ()
    with JournalReader(tmp_path / "j.sqlite", ENTRIES) as reader:
        events = [entry.event for entry in reader.entries()]
    felt = [event for event in events if isinstance(event, ReedsChanged) and event.closed]
    assert (26, 1, 6) in felt[-1].closed, "what lies in a tray is kept too"
    assert [event.button.value for event in events if isinstance(event, Pressed)] == ["pause"]
    heard = [chunk for event in events if isinstance(event, Heard) for chunk in event.chunks]
    said = [
        got.message
        for got in Splitter().feed(b"".join(bytes.fromhex(chunk) for _, chunk in heard))
        if isinstance(got, Frame)
    ]
    assert {Hello, Keyframe, Edge, Press} <= {type(message) for message in said}
    assert heard == sorted(heard, key=lambda chunk: chunk[0])
    # And a restart goes on from a journal that holds bytes.
    with Journal(tmp_path / "j.sqlite", ENTRIES) as journal:
        found = found_in(journal)
        assert found is not None
        assert found.state == service.state


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    pins = MockFactory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", pins)
    yield pins
    pins.reset()


def test_a_board_wired_to_the_pi_is_received_by_chain_and_pins_and_lit(tmp_path: Path, pins: MockFactory) -> None:
    settings = written(tmp_path, '[bridge]\nrig = "full_pi"\n')
    rigs = rigs_of(settings)
    assert rigs.board is not None
    assert rigs.fitted == {Device.REEDS, Device.BUTTONS}
    registers = Registers(pins)
    registers.occupied = {6, 7}
    inbox = Inbox()
    lines = BoardLines(rigs, inbox.post)
    with Journal(tmp_path / "j.sqlite", ENTRIES) as journal, lines:
        service = referee(tmp_path, inbox, lines.publishers, journal)

        def wait(until: Callable[[], object]) -> None:
            end = time.monotonic() + PATIENCE_S
            while not until():
                assert time.monotonic() < end
                service.handle(wait_s=0.005)

        wait(lambda: (1, 2, 6) in service.state.sight.reeds)
        for order in (Start(), SetRoll((Face(3), Face(6)))):
            inbox.post(Command(order))
        lamp = pins.pin(rigs.board.lamps["black_turn"])
        wait(lambda: lamp.state)
        pins.pin(rigs.board.buttons["pause"]).drive_low()
        wait(lambda: service.state.paused)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('[bridge]\nrig = "full"\n', "bridge.port: missing, the rig full is read by a microcontroller"),
        ('[bridge]\nrig = "full_pi"\nport = "/dev/ttyUSB0"\n', "bridge.port: got /dev/ttyUSB0, but the rig full_pi"),
        ('[bridge]\nrig = "full_pi"\n[buttons]\nwhite = 5\nblack = 6\n', "buttons: the rig full_pi has its own"),
    ],
)
def test_settings_and_rig_that_contradict_each_other_are_one_clear_line(tmp_path: Path, said: str, told: str) -> None:
    with pytest.raises(SettingsError) as caught:
        rigs_of(written(tmp_path, said))
    (line,) = caught.value.problems
    assert line.startswith(told)


def test_lamps_and_buzzer_of_the_settings_become_a_rig(tmp_path: Path) -> None:
    said = "[buttons]\nwhite = 5\nblack = 6\nlamp_white = 19\nlamp_ruling = 21\nbuzzer = 20\n"
    rig = rigs_of(written(tmp_path, said)).buttons
    assert rig is not None
    assert rig.lamps == {"white_turn": "GPIO19", "please_look": "GPIO21"}
    assert rig.buzzer is not None
    assert rig.buzzer.pin == "GPIO20"


def written(folder: Path, text: str) -> Settings:
    path = folder / "referee.toml"
    path.write_text(f'{text}[board]\nid = "t"\n')
    return load(path)
