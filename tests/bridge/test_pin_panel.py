from collections.abc import Iterator
from pathlib import Path

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from firmware_bridge import messages as m
from firmware_bridge.clocks import Micros
from firmware_bridge.pins import PinError, PinPanel
from firmware_bridge.rig import Rig
from firmware_bridge.values import ButtonPress, CommandDone

RIG = Rig.load("camera_only")


class Pins(MockFactory):
    """Mock pins on which an edge is received at once: their real microseconds are none of the test's."""

    @staticmethod
    def ticks_diff(_later: float, _earlier: float) -> float:
        return 0.0


class Fingers:
    """The panel on mock pins, and a hand with a watch."""

    def __init__(self) -> None:
        self.now_us = Micros(0)
        self.pins = Pins()
        self.panel = PinPanel(RIG, now_us=lambda: self.now_us, pin_factory=self.pins)

    def contact(self, button: str, at_ms: float, *, closed: bool) -> None:
        self.now_us = Micros(round(1_000 * at_ms))
        pin = self.pins.pin(RIG.pins()[f"button {button}"])
        pin.drive_low() if closed else pin.drive_high()

    def reported(self, at_ms: float) -> list[tuple[str, float]]:
        self.now_us = Micros(round(1_000 * at_ms))
        return [(press.button, press.at_us / 1_000) for press in self.panel.poll() if isinstance(press, ButtonPress)]


@pytest.fixture
def fingers() -> Iterator[Fingers]:
    fingers = Fingers()
    yield fingers
    fingers.panel.close()


def test_five_bounces_are_one_press_with_the_time_of_the_first(fingers: Fingers) -> None:
    for number in range(5):
        fingers.contact("white", 1000 + number, closed=True)
        fingers.contact("white", 1000.4 + number, closed=False)
    fingers.contact("white", 1005, closed=True)
    assert fingers.reported(1006) == []
    assert fingers.reported(1009) == [("white", 1000)]
    assert fingers.reported(2000) == []


def test_a_press_too_short_for_a_poll_in_between_is_not_lost(fingers: Fingers) -> None:
    fingers.contact("black", 1000, closed=True)
    fingers.contact("black", 1060, closed=False)
    fingers.contact("black", 1100, closed=True)
    assert fingers.reported(1200) == [("black", 1000), ("black", 1100)]


def test_two_buttons_are_reported_in_the_order_of_the_fingers(fingers: Fingers) -> None:
    fingers.contact("black", 1000, closed=True)
    fingers.contact("white", 1001, closed=True)
    assert fingers.reported(1010) == [("black", 1000), ("white", 1001)]


class HeldDown(MockPin):
    """Pins of which GPIO17 is held at ground, whatever pulls it up."""

    def _change_state(self, value: object) -> object:
        return super()._change_state(value if self.info.name != "GPIO17" else False)


def test_a_button_held_while_the_program_starts_is_no_press() -> None:
    panel = PinPanel(RIG, now_us=lambda: Micros(5_000_000), pin_factory=MockFactory(pin_class=HeldDown))
    assert panel.held() == ("white",)
    assert panel.poll() == ()
    panel.close()


def test_lamps_and_refusals(fingers: Fingers) -> None:
    for command in (m.Lamp(RIG.lamp_number("refused"), m.LampMode.ON), m.Lamp(9, m.LampMode.ON), m.Brightness(9)):
        fingers.panel.send(command)
    done = [value.refusal for value in fingers.panel.poll() if isinstance(value, CommandDone)]
    assert done == [None, m.Refusal.BAD_VALUE, m.Refusal.UNKNOWN_COMMAND]
    assert fingers.pins.pin(19).state
    fingers.panel.send(m.Lamp(RIG.lamp_number("refused"), m.LampMode.OFF))
    assert not fingers.pins.pin(19).state


def test_pins_that_somebody_has_are_reported_in_one_line() -> None:
    pins = MockFactory()
    taken = gpiozero.LED(17, pin_factory=pins)
    with pytest.raises(PinError, match="the pins of rig camera_only cannot be used: pin GPIO17 is already in use"):
        PinPanel(RIG, pin_factory=pins)
    taken.close()


def test_a_computer_without_pins_says_what_to_do_and_nothing_else(recwarn: pytest.WarningsRecorder) -> None:
    # Nothing here has a pin of its own; on a real Pi this would open the factory.
    if Path("/proc/device-tree/system/linux,revision").exists():
        pytest.skip("this is a Raspberry Pi")
    with pytest.raises(PinError, match=r"cannot be used: .*Is this a Raspberry Pi.*pip install 'nardy-referee\[pi\]'"):
        PinPanel(RIG)
    assert [str(warning.message) for warning in recwarn] == []
