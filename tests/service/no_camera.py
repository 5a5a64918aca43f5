"""A board before which no camera hangs."""

from collections.abc import Sequence

from controller.clock import Millis
from controller.ports.sight import Taken, Wanted
from controller.referee.events import DeviceChanged
from controller.referee.rulings import DieAtRest


class NoCamera:
    """Sees nothing and is never missed; keeps what was wanted of it."""

    def __init__(self) -> None:
        self.wanted: list[Wanted] = []

    def want(self, wanted: Wanted, /) -> None:
        self.wanted.append(wanted)

    def silence(self, _now: Millis, /) -> DeviceChanged | None:
        return None

    def taken(self, _at: Millis, _dice: Sequence[DieAtRest], /) -> Taken | None:
        return None
