"""A modelled chain of shift registers on mock pins."""

from gpiozero.pins.mock import MockFactory, MockSPIDevice


class Registers(MockSPIDevice):
    """Twenty 74HC165 in a row: a latch, and a shift with each rising clock. Its last serial input is grounded."""

    def __init__(self, pins: MockFactory) -> None:
        self.occupied: set[int] = set()
        self.plugged = True
        self.bits: list[bool] = []
        super().__init__(11, 10, 9, 8, clock_polarity=True, clock_phase=False, pin_factory=pins)

    def on_start(self) -> None:
        super().on_start()
        levels = [slot not in self.occupied for slot in range(160)] if self.plugged else [True] * 160
        for bit in [*levels, *([not self.plugged] * 8)]:
            self.tx_buf.append(bit)
