"""The tournament clock as a pure value; time is an argument."""

from controller.clock.clock import Clock, FlagFall
from controller.clock.control import (
    EXTRA_RESERVE_MS,
    ClockError,
    Control,
    Millis,
    TimeMethod,
    control_of,
    flag_points,
    late_points,
)

__all__ = [
    "EXTRA_RESERVE_MS",
    "Clock",
    "ClockError",
    "Control",
    "FlagFall",
    "Millis",
    "TimeMethod",
    "control_of",
    "flag_points",
    "late_points",
]
