"""Clock buttons, lamps and buzzer on the Pi's own pins, through gpiozero and whatever pin factory it finds.

Debouncing is ours (debounce.py), from the times of the edges: gpiozero's own drops edges on real pins and does nothing
on its mock pins.
"""

import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import assert_never

import gpiozero

from firmware_bridge import messages as m
from firmware_bridge.debounce import Contact
from firmware_bridge.link import monotonic_ms
from firmware_bridge.rig import Rig
from firmware_bridge.values import ButtonName, ButtonPress, CommandDone, LinkValue

BLINK_S = 0.25


class PinError(RuntimeError):
    """The pins cannot be had; the message says why in one line."""


def unusable(what: str, error: Exception) -> str:
    """Return the line about ``what`` that cannot be had, with what to do where that is known."""
    cure = ""
    if isinstance(error, gpiozero.BadPinFactory | ImportError):
        # gpiozero's words end with an exclamation mark.
        cure = " Is this a Raspberry Pi, and is its driver there? pip install 'nardy-referee[pi]'"
    return f"{what} cannot be used: {error}{cure}"


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
        now_ms: Callable[[], float] = monotonic_ms,
        pin_factory: gpiozero.Factory | None = None,
    ) -> None:
        """Claim the pins.

        Raises PinError when there are none or another program has them.
        """
        self._now_ms = now_ms
        self._lock = threading.Lock()
        self._edge = threading.Event()
        self._contacts: dict[ButtonName, Contact] = {}
        self._pressed: list[tuple[float, ButtonName]] = []
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
            wavering = any(contact.certain_at_ms() is not None for contact in self._contacts.values())
        # While a contact wavers nothing more may come, so the wait is short.
        if self._edge.wait(min(wait_ms, 1) / 1000 if wavering else wait_ms / 1000):
            self._edge.clear()
        now_ms = self._now_ms()
        with self._lock:
            for name, contact in self._contacts.items():
                self._contacts[name], at_ms = contact.settle(now_ms)
                self._add(name, at_ms)
            # Both buttons may become certain in one call: the order is that of the fingers.
            found, self._pressed = sorted(self._pressed), []
            done, self._done = self._done, []
        return (*(self._press(at_ms, name) for at_ms, name in found), *done)

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
            self._done.append(CommandDone(int(self._now_ms()), command, refusal))
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
        # gpiozero tells how long ago the edge was, by the kernel's time stamp where the factory has one; None when the
        # contact has bounced back meanwhile.
        at_ms = self._now_ms() - (age_s or 0.0) * 1000
        with self._lock:
            self._contacts[name], pressed_ms = self._contacts[name].edge(at_ms, closed=closed)
            self._add(name, pressed_ms)
        self._edge.set()

    def _add(self, name: ButtonName, at_ms: float | None) -> None:
        if at_ms is not None:
            self._pressed.append((at_ms, name))

    def _press(self, at_ms: float, name: ButtonName) -> ButtonPress:
        self._count += 1
        return ButtonPress(round(at_ms), name, self._count)

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
