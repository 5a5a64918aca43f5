"""The tournament clock as a pure value; time is an argument."""

from controller.clock.clock import Clock, FlagFall
from controller.clock.control import ClockError, Control, Millis, TimeMethod, control_of
from controller.clock.penalty import FlagRule, MatchLost, PenaltyPoints, flag_penalty, late_penalty

__all__ = [
    "Clock",
    "ClockError",
    "Control",
    "FlagFall",
    "FlagRule",
    "MatchLost",
    "Millis",
    "PenaltyPoints",
    "TimeMethod",
    "control_of",
    "flag_penalty",
    "late_penalty",
]
