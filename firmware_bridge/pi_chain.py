"""The reeds of a board wired straight to the Pi: the chain of shift registers on SPI 0, through gpiozero.

The same chain, the same end mark and the same debouncing as in the firmware (chain.c, reeds.c), at half its pace.
"""

import time

import gpiozero

from firmware_bridge.clocks import HostClock, Micros, monotonic_us
from firmware_bridge.pins import PinError, quiet_search, unusable
from firmware_bridge.rig import Rig
from firmware_bridge.values import LinkValue, ReedFrame, SensorsBack, SensorsLost

SCAN_US = 5_000
AGREEING_SCANS = 3
LOST_US = 3_000_000
"""As on the wire: the reeds count as lost when no good scan came for this long."""
SPI_MODE = 0b10
"""The clock rests high: a falling edge samples a bit, the rising edge that follows shifts the registers."""


class PiChain:
    """The slots of a rig whose controller is the Pi. Emptied like a BoardLink: by ``poll``, or by a Pump."""

    def __init__(
        self,
        rig: Rig,
        *,
        now_us: HostClock = monotonic_us,
        pin_factory: gpiozero.Factory | None = None,
    ) -> None:
        """Claim the pins and SPI 0.

        Raises PinError when the rig has no chain, there are no pins or another program has them.
        """
        if rig.controller != "pi" or rig.chain is None:
            msg = f"rig {rig.name} has no chain of reeds on the Pi's own pins"
            raise PinError(msg)
        self._registers = rig.chain.registers
        self._now_us = now_us
        self._due_us = now_us()
        self._good_us = self._due_us
        self._lost = False
        self._steady: int | None = None
        # Vertical counters, one bit a slot: bits 0 and 1 of how many scans in a row have differed.
        self._low = self._high = 0
        self._load: gpiozero.OutputDevice | None = None
        self._spi: gpiozero.SPIDevice | None = None
        try:
            with quiet_search():
                self._load = gpiozero.OutputDevice(rig.chain.load, initial_value=True, pin_factory=pin_factory)
                self._spi = _ChainSpi(port=0, device=0, pin_factory=pin_factory)
        except (gpiozero.GPIOZeroError, OSError, ImportError) as error:
            self.close()
            raise PinError(unusable(f"the chain of rig {rig.name}", error)) from error

    def poll(self, wait_ms: int = 0) -> tuple[LinkValue, ...]:
        """Scan if a scan is due, after waiting up to ``wait_ms`` of real time for it, and return what it showed."""
        if wait_ms and (left_us := self._due_us - self._now_us()) > 0:
            time.sleep(min(left_us, 1_000 * wait_ms) / 1_000_000)
        now_us = self._now_us()
        if now_us < self._due_us:
            return ()
        self._due_us = Micros(max(self._due_us + SCAN_US, now_us))
        scan = self._scan()
        if scan is None:
            if self._lost or now_us - self._good_us <= LOST_US:
                return ()
            self._lost = True
            self._steady = None
            return (SensorsLost(now_us),)
        self._good_us = now_us
        back: tuple[LinkValue, ...] = (SensorsBack(now_us),) if self._lost else ()
        self._lost = False
        return (*back, *self._debounced(scan, now_us))

    def close(self) -> None:
        """Let pins and port go."""
        for device in (self._load, self._spi):
            if device is not None:
                device.close()

    def _scan(self) -> int | None:
        """Return the closed slots as bits, or None when the end mark is wrong."""
        assert self._load is not None  # noqa: S101  # the constructor has claimed them
        assert self._spi is not None  # noqa: S101
        self._load.off()
        self._load.on()
        *levels, end = self._spi.read(self._registers + 1)
        if end:
            return None
        # The first bit of the chain is the highest of the first byte; a closed reed reads low.
        backwards = int.from_bytes(bytes(levels), "big")
        return int(f"{backwards:0{8 * self._registers}b}"[::-1], 2) ^ ((1 << 8 * self._registers) - 1)

    def _debounced(self, scan: int, now_us: Micros) -> tuple[ReedFrame, ...]:
        if self._steady is None:
            self._steady, self._low, self._high = scan, 0, 0
            return (ReedFrame(now_us, _slots(scan)),)
        differs = scan ^ self._steady
        self._high = (self._high ^ self._low) & differs
        self._low = ~self._low & differs
        changed = self._high & self._low
        if not changed:
            return ()
        self._high &= ~changed
        self._low &= ~changed
        self._steady ^= changed
        return (ReedFrame(Micros(now_us - (AGREEING_SCANS - 1) * SCAN_US), _slots(self._steady)),)


class _ChainSpi(gpiozero.SPIDevice):  # type: ignore[misc]  # gpiozero has no types
    """Reads bytes; a device that only sends needs no more."""

    def __init__(self, **spi: object) -> None:
        super().__init__(**spi)
        self._spi.clock_mode = SPI_MODE

    def read(self, count: int) -> list[int]:
        """Return the next ``count`` bytes of the chain."""
        return list(self._spi.transfer([0] * count))


def _slots(bits: int) -> tuple[int, ...]:
    return tuple(slot for slot in range(bits.bit_length()) if bits >> slot & 1)
