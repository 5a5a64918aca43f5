"""Clock buttons, lamps and buzzer on the Pi's own pins, through gpiozero and whatever pin factory it finds.

Debouncing is ours (``Contact``), from the times of the edges: gpiozero's own drops edges on real pins and does nothing
on its mock pins. The microcontroller's is in C.
"""

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import assert_never

import gpiozero

from firmware_bridge import messages as m
from firmware_bridge.clocks import HostClock, Micros, monotonic_us
from firmware_bridge.rig import Rig
from firmware_bridge.values import ButtonName, ButtonPress, CommandDone, LinkValue

BLINK_S = 0.25
CLOSE_US = 3_000
"""A contact has to stay closed this long to count, so that a spark on a long cable is no press."""
OPEN_US = 20_000
"""A contact has to stay open this long before the next press can count; bounces on letting go are shorter."""


class PinError(RuntimeError):
    """The pins cannot be had; the message says why in one line."""


def unusable(what: str, error: Exception) -> str:
    """Return the line about ``what`` that cannot be had, with what to do where that is known."""
    cure = ""
    if isinstance(error, gpiozero.BadPinFactory | ImportError):
        # gpiozero's texts end with an exclamation mark.
        cure = " Is this a Raspberry Pi, and is its driver there? pip install 'nardy-referee[pi]'"
    return f"{what} cannot be used: {error}{cure}"


@dataclass(frozen=True, slots=True)
class Contact:
    """One contact, its steady state and the change that is still being watched.

    Pure: edges come with their times, and so does the question.
    """

    closed: bool = False
    """The steady state."""
    wavering_since_us: Micros | None = None
    """First edge away from the steady state; None while nothing is going on."""
    level: bool = False
    """Closed as of the last edge."""
    level_since_us: Micros = Micros(0)

    def edge(self, at_us: Micros, *, closed: bool) -> tuple["Contact", Micros | None]:
        """Return the contact after an edge at ``at_us``, and the time of a press that this made certain."""
        settled, pressed = self.settle(at_us)
        if closed == settled.level:
            return settled, pressed
        since = settled.wavering_since_us
        if since is None:
            since = at_us
        return replace(settled, level=closed, level_since_us=at_us, wavering_since_us=since), pressed

    def settle(self, now_us: Micros) -> tuple["Contact", Micros | None]:
        """Return the contact as it is known at ``now_us``, and the time of the press if one became certain.

        The press is dated to the first edge of its bouncing, not to the moment of certainty.
        """
        if self.wavering_since_us is None or now_us - self.level_since_us < self._patience_us():
            return self, None
        quiet = replace(self, closed=self.level, wavering_since_us=None)
        pressed = self.wavering_since_us if self.level and not self.closed else None
        return quiet, pressed

    def certain_at_us(self) -> Micros | None:
        """Return when ``settle`` will know more if no further edge comes; None when nothing is going on."""
        return None if self.wavering_since_us is None else Micros(self.level_since_us + self._patience_us())

    def _patience_us(self) -> int:
        return OPEN_US if self.closed and not self.level else CLOSE_US


@contextmanager
def quiet_search() -> Iterator[None]:
    """Let gpiozero look for a pin factory without a warning for each that it does not find."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gpiozero.PinFactoryFallback)
        yield


class PinPanel:
    """The panel of a rig whose controller is the Pi. Emptied like a BoardLink: by ``poll``, or by a Pump."""

    def __init__(
        self,
        rig: Rig,
        *,
        now_us: HostClock = monotonic_us,
        pin_factory: gpiozero.Factory | None = None,
    ) -> None:
        """Claim the pins.

        Raises PinError when there are none or another program has them.
        """
        self._now_us = now_us
        self._lock = threading.Lock()
        self._edge = threading.Event()
        self._contacts: dict[ButtonName, Contact] = {}
        self._pressed: list[tuple[Micros, ButtonName]] = []
        self._done: list[LinkValue] = []
        self._count = 0
        self._devices: list[gpiozero.Device] = []
        try:
            with quiet_search():
                self._claim(rig, pin_factory)
        except (gpiozero.GPIOZeroError, OSError, ImportError) as error:
            self.close()
            raise PinError(unusable(f"the pins of rig {rig.name}", error)) from error

    def _claim(self, rig: Rig, factory: gpiozero.Factory | None) -> None:
        for name, pin in rig.buttons.items():
            self._add_button(name, gpiozero.Button(pin, pull_up=True, bounce_time=None, pin_factory=factory))
        self._lamps = [self._kept(gpiozero.LED(pin, pin_factory=factory)) for pin in rig.lamps.values()]
        self._buzzer = self._kept(gpiozero.Buzzer(rig.buzzer.pin, pin_factory=factory)) if rig.buzzer else None

    def held(self) -> tuple[ButtonName, ...]:
        """Return the buttons that are down, or whose wires touch."""
        with self._lock:
            return tuple(name for name, contact in self._contacts.items() if contact.level)

    def poll(self, wait_ms: int = 0) -> tuple[LinkValue, ...]:
        """Return the presses that became certain since the last call, waiting up to ``wait_ms`` for an edge.

        A press is certain 3 ms after its last bounce.
        """
        with self._lock:
            wavering = any(contact.certain_at_us() is not None for contact in self._contacts.values())
        # While a contact wavers nothing more may come, so the wait is short.
        if self._edge.wait(min(wait_ms, 1) / 1000 if wavering else wait_ms / 1000):
            self._edge.clear()
        now_us = self._now_us()
        with self._lock:
            for name, contact in self._contacts.items():
                self._contacts[name], at_us = contact.settle(now_us)
                self._add(name, at_us)
            # Both buttons may become certain in one call: the order is that of the fingers.
            found, self._pressed = sorted(self._pressed), []
            done, self._done = self._done, []
        return (*(self._press(at_us, name) for at_us, name in found), *done)

    def send(self, command: m.Command) -> None:
        """Carry out a command of the wire on the Pi's pins; a CommandDone comes from the next ``poll``.

        The buzzer of this build has one pitch, and its lamps one brightness.
        """
        refusal = None
        match command:
            case m.Lamp(lamp=lamp, mode=mode):
                refusal = self._light(lamp, mode)
            case m.Buzz(length_ms=length_ms):
                self._buzz(length_ms)
            case m.SelfTest():
                for device in self._lamps:
                    device.blink(BLINK_S, BLINK_S, n=1)
                self._buzz(100)
            case m.Brightness():
                refusal = m.Refusal.UNKNOWN_COMMAND
            case _ as never:
                assert_never(never)
        with self._lock:
            self._done.append(CommandDone(self._now_us(), command, refusal))
        self._edge.set()

    def close(self) -> None:
        """Let the pins go."""
        for device in self._devices:
            device.close()
        self._devices.clear()

    def _kept(self, device: gpiozero.Device) -> gpiozero.Device:
        self._devices.append(device)
        return device

    def _add_button(self, name: ButtonName, button: gpiozero.Button) -> None:
        self._kept(button)
        self._contacts[name] = Contact(closed=button.is_pressed, level=button.is_pressed)
        button.when_activated = lambda: self._on_edge(name, button.active_time, closed=True)
        button.when_deactivated = lambda: self._on_edge(name, button.inactive_time, closed=False)

    def _on_edge(self, name: ButtonName, age_s: float | None, *, closed: bool) -> None:
        # gpiozero gives how long ago the edge was, by the kernel's time stamp where the factory has one; None when the
        # contact has bounced back meanwhile.
        at_us = Micros(self._now_us() - round((age_s or 0.0) * 1_000_000))
        with self._lock:
            self._contacts[name], pressed_us = self._contacts[name].edge(at_us, closed=closed)
            self._add(name, pressed_us)
        self._edge.set()

    def _add(self, name: ButtonName, at_us: Micros | None) -> None:
        if at_us is not None:
            self._pressed.append((at_us, name))

    def _press(self, at_us: Micros, name: ButtonName) -> ButtonPress:
        self._count += 1
        return ButtonPress(at_us, name, self._count)

    def _light(self, lamp: int, mode: int) -> m.Refusal | None:
        if lamp >= len(self._lamps) or mode not in set(m.LampMode):
            return m.Refusal.BAD_VALUE
        match m.LampMode(mode):
            case m.LampMode.OFF:
                self._lamps[lamp].off()
            case m.LampMode.ON:
                self._lamps[lamp].on()
            case m.LampMode.BLINK:
                self._lamps[lamp].blink(BLINK_S, BLINK_S)
            case _ as never:
                assert_never(never)
        return None

    def _buzz(self, length_ms: int) -> None:
        if self._buzzer is None:
            return
        if length_ms:
            self._buzzer.blink(length_ms / 1000, 0, n=1)
        else:
            self._buzzer.off()
