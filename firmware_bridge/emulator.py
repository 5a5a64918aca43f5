"""The real firmware, running in an emulated ATmega328P (yasimavr) in virtual time, its serial line on a real pty.

Needs the AVR compiler (Debian: ``gcc-avr avr-libc``) and the ``firmware`` extra. Where they are missing the stand-in
(standin.py) takes its place: both are a VirtualBoard and pass the same tests.
"""

import shutil
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from firmware_bridge.clocks import Micros
from firmware_bridge.messages import BAUD
from firmware_bridge.rig import Rig
from firmware_bridge.standin import StandIn
from firmware_bridge.values import ButtonName
from firmware_bridge.virtual_board import VirtualBoard, Wire, clean

CLOCK_HZ = 8_000_000
FIRMWARE = Path(__file__).parent / "firmware"
FINGER_US = 80_000
"""How long a button is held down."""
CYCLES_A_US = CLOCK_HZ // 1_000_000
SLICE_CYCLES = CLOCK_HZ // 1_000
EEPROM_BYTES = 1024
UCSR0A, RX_COMPLETE, TX_EMPTY_INTERRUPT = 0xC0, 1 << 7, 1 << 5

Tap = Callable[[Micros, int], None]
"""Gets each byte that the board has sent, with the moment at which it left."""


class EmulatorError(RuntimeError):
    """The firmware cannot be built or run here; the message says what is missing."""


def missing() -> str | None:
    """Return what keeps the emulator from working on this machine, or None."""
    if shutil.which("avr-gcc") is None:
        return "no AVR compiler: apt install gcc-avr avr-libc"
    if shutil.which("make") is None:
        return "no make: apt install make"
    if find_spec("yasimavr") is None:
        return "no yasimavr: pip install 'nardy-referee[firmware]'"
    if not (FIRMWARE / "Makefile").is_file():
        return "no firmware sources: they are in the project's source tree"
    return None


def build(target: Path, *, baud: int = BAUD) -> Path:
    """Build the firmware into the folder ``target`` and return the ELF file.

    Raises EmulatorError when it does not build, for instance because it outgrew half of flash or RAM.
    """
    # Make runs in the firmware's folder and takes no blanks in a name: a caller's folder may be any.
    with TemporaryDirectory() as place:
        command = ["make", "--no-print-directory", "-C", str(FIRMWARE), f"BUILD={place}"]
        if baud != BAUD:
            command.append(f"BAUD={baud}")
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # our own Makefile
        if done.returncode:
            msg = f"the firmware does not build: {done.stderr.strip() or done.stdout.strip()}"
            raise EmulatorError(msg)
        target.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(Path(place) / "board.elf", target))


def virtual_board(rig: Rig, *, now_us: Micros = Micros(0), folder: Path | None = None) -> VirtualBoard:
    """Return a board with the real firmware where that can be built and run, and the stand-in elsewhere.

    The real one dates things as finely as the steps in which it is advanced: at most 5 ms for a clock's sake.
    """
    if missing() is None:
        return Emulator(rig, now_us=now_us, folder=folder)
    return StandIn(rig.slot_count, rig=rig.fingerprint(), now_us=now_us, folder=folder)


class Emulator(VirtualBoard):
    """A VirtualBoard with the real firmware on it. One CPU second runs about four seconds of its life."""

    def __init__(
        self,
        rig: Rig,
        elf: Path | None = None,
        *,
        baud: int = BAUD,
        now_us: Micros = Micros(0),
        wire: Wire = clean,
        back: Wire = clean,
        tap: Tap | None = None,
        folder: Path | None = None,
    ) -> None:
        """Power the board on at ``now_us``, building the firmware first unless ``elf`` is given.

        ``wire`` may spoil what the board sends, ``back`` what the host sends; ``tap`` gets what was sent before that.
        ``folder`` takes what the board needs on the disk; without one that is a temporary folder.
        Raises EmulatorError.
        """
        if (reason := missing()) or rig.chain is None:
            raise EmulatorError(reason or f"rig {rig.name} has no chain of reeds")
        super().__init__(rig.slot_count, now_us=now_us, wire=wire, back=back, folder=folder)
        self._rig = rig
        self._tap = tap
        self._elf = elf or build(Path(self.port).parent / "firmware", baud=baud)
        self._byte_cycles = CLOCK_HZ * 10 // baud + 40
        self._held: dict[str, int] = {}
        self._eeprom = bytes(range(16)) + b"\xff" * (EEPROM_BYTES - 16)
        self._level = "H"
        self._hang_pc: int | None = None
        self._device: Any = None
        self.plug_in()

    @property
    def cycle(self) -> int:
        """Cycles since the power came on."""
        return int(self._loop.cycle())

    # -- what hands do ----------------------------------------------------------------------------------------------

    def press(self, button: ButtonName) -> None:
        """Press and hold for 80 ms, from now."""
        self.hold(button, FINGER_US)

    def hold(self, button: ButtonName, length_us: int) -> None:
        """Press and hold for ``length_us``, from now."""
        pin = self._rig.buttons[button]
        self._held[pin] = self._now_us + length_us
        self._set_pin(pin, "L")

    def unplug(self) -> None:
        """Pull the cable: power goes, the port vanishes, only the EEPROM remembers."""
        if self._device is not None:
            self._eeprom = bytes(self._nvm().read(0, EEPROM_BYTES))
        self._device = None
        self._pty.unplug()

    def plug_in(self) -> None:
        """Put the cable in: the port is there again and the board starts."""
        self._pty.plug_in()
        self._power_on()

    def watchdog(self) -> None:
        """Make the program hang with interrupts off, as a crash would; the watchdog bites half a second later."""
        self._probe.write_sreg(self._probe.read_sreg() & 0x7F)
        self._hang_pc = self._symbol("__stop_program")
        self._probe.write_pc(self._hang_pc)

    def close(self) -> None:
        """Take the board away for good."""
        self._device = None
        self._pty.close()

    def lamp_level(self, lamp: str) -> str:
        """Return the level of a lamp's pin now, "H" or "L"."""
        pin = self._device.find_pin(self._rig.pins()[f"lamp {lamp}"])
        return "H" if pin.digital_state() else "L"

    # -- what time does ---------------------------------------------------------------------------------------------

    def advance(self, now_us: Micros) -> None:
        """Let time pass until ``now_us``, a millisecond at a time."""
        if self._device is None:
            self._now_us = now_us
            return
        while True:
            self._now_us = self._lived_until()
            left = (now_us - self._born_us) * CYCLES_A_US - self.cycle
            # Also when no time passes the host's bytes are taken: they wait in the emulated line.
            self._inbox += self._take()
            if left <= 0:
                break
            self._release(self._now_us)
            before = self.cycle
            self._loop.run(min(left, self._deliver()))
            if self.cycle == before:
                msg = f"the emulated board stopped: {self._device.state()}"
                raise EmulatorError(msg)
            self._drain()
            self._heed_reset()
        self._now_us = now_us

    # -- the emulated board -----------------------------------------------------------------------------------------

    def _power_on(self) -> None:
        from yasimavr.device_library import load_device  # noqa: PLC0415  # optional
        from yasimavr.lib import core  # noqa: PLC0415
        from yasimavr.utils.uart import UART_IO  # noqa: PLC0415

        self._born_us = self._now_us
        self._device = load_device("atmega328p")
        # A program that hangs is for the watchdog to find, not for the emulator.
        self._device.set_option(core.Device.Option.InfiniteLoopDetect, False)  # noqa: FBT003
        self._loop = core.SimLoop(self._device)
        self._loop.set_fast_mode(True)
        program = core.Firmware.read_elf(str(self._elf))
        program.frequency = CLOCK_HZ
        self._device.load_firmware(program)
        self._nvm().program(self._eeprom, 0)
        self._uart = UART_IO(self._device, 0)
        self._probe = core.DeviceDebugProbe(self._device)
        self._inbox = bytearray()
        self._wire_chain(core)
        for pin in self._rig.buttons.values():
            self._set_pin(pin, "L" if pin in self._held else "H")

    def _wire_chain(self, core: Any) -> None:  # yasimavr has no types worth the name
        chain = self._rig.chain
        assert chain is not None  # noqa: S101  # the constructor has refused a rig without one
        self._output = self._device.find_pin(chain.output)
        self._position = 0
        self._latched: list[str] = []
        changed = core.Wire.SignalId.DigitalChange

        def on_pin(signal: Any, tag: int) -> None:
            if signal.sigid != changed:
                return
            high = bool(signal.data.as_uint())
            if tag == _LOAD and not high:
                # A closed reed pulls its input low; after the last slot comes the grounded end mark.
                levels = ["L" if slot in self._occupied else "H" for slot in range(self.slots)]
                self._latched = ["H"] * self.slots if self._chain_broken else levels
                self._position = 0
            elif tag == _CLOCK and high:
                self._position += 1
            else:
                return
            end = "H" if self._chain_broken else "L"
            level = self._latched[self._position] if self._position < len(self._latched) else end
            if level != self._level:
                self._level = level
                self._output.set_external_state(level)

        self._level = "H"
        self._output.set_external_state("H")
        self._hook = core.CallableSignalHook(on_pin)
        self._device.find_pin(chain.load).signal().connect(self._hook, _LOAD)
        self._device.find_pin(chain.clock).signal().connect(self._hook, _CLOCK)

    def _set_pin(self, pin: str, level: str) -> None:
        if self._device is not None:
            self._device.find_pin(pin).set_external_state(level)

    def _release(self, now_us: Micros) -> None:
        for pin in [pin for pin, until_us in self._held.items() if now_us >= until_us]:
            del self._held[pin]
            self._set_pin(pin, "H")

    def _deliver(self) -> int:
        """Put the host's next byte on the emulated line if it may come now; return the cycles to run.

        yasimavr 0.1.6 reads the receiver wrongly when a second byte is waiting in it or the sender's register is
        written meanwhile (both share one address), so bytes come one by one and not while the board sends. A real
        line is not so careful; the firmware's receive interrupt empties both places of the receiver.
        """
        if not self._inbox:
            return SLICE_CYCLES
        status, control = bytes(self._probe.read_data(UCSR0A, 2))
        if not status & RX_COMPLETE and not control & TX_EMPTY_INTERRUPT:
            self._uart.write(self._inbox[:1])
            del self._inbox[:1]
        return self._byte_cycles

    def _heed_reset(self) -> None:
        """Show the pins their levels again after a watchdog reset: yasimavr's ports forget them."""
        if self._hang_pc is not None and not self._hang_pc <= self._probe.read_pc() <= self._hang_pc + 2:
            self._hang_pc = None
            for pin in self._rig.buttons.values():
                level = "L" if pin in self._held else "H"
                self._set_pin(pin, "L" if level == "H" else "H")
                self._set_pin(pin, level)

    def _drain(self) -> None:
        if count := self._uart.available():
            data = bytearray(count)
            self._uart.readinto(data)
            if self._tap is not None:
                at_us = self._lived_until()
                for byte in data:
                    self._tap(at_us, byte)
            self._pty.write(self._wire(bytes(data)))

    def _lived_until(self) -> Micros:
        return Micros(self._born_us + self.cycle // CYCLES_A_US)

    def _nvm(self) -> Any:
        from yasimavr.lib import arch_avr, core  # noqa: PLC0415

        request = core.ctlreq_data_t()
        request.index = int(arch_avr.ArchAVR_Core.ArchAVR_NVM.EEPROM)
        _, request = self._device.ctlreq(core.IOCTL_CORE, core.CTLREQ_CORE_NVM, request)
        return request.data.value(core.NonVolatileMemory)

    def _symbol(self, name: str) -> int:
        nm = shutil.which("avr-nm") or "avr-nm"
        listing = subprocess.run([nm, str(self._elf)], capture_output=True, text=True, check=True).stdout  # noqa: S603
        return next(int(line.split()[0], 16) for line in listing.splitlines() if line.split()[-1] == name)


_LOAD, _CLOCK = 1, 2
