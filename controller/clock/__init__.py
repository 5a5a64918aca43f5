"""The tournament clock as a pure value; time is an argument."""

from controller.clock.clock import Clock, FlagFall
from controller.clock.control import ClockError, Control, Millis, TimeMethod, control_of, match_reserve_ms, reserve_of

__all__ = [
    "Clock",
    "ClockError",
    "Control",
    "FlagFall",
    "Millis",
    "TimeMethod",
    "control_of",
    "match_reserve_ms",
    "reserve_of",
]
