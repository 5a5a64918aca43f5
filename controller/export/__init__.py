"""Formats of a finished record."""

from controller.export.mat import mat
from controller.export.record import (
    ClockTimes,
    CubeAction,
    CubeRecord,
    ExportError,
    GameEnd,
    GameRecord,
    MatchRecord,
    RulingNote,
    TurnRecord,
)
from controller.export.sheet import clock_text, score_csv, score_sheet

__all__ = [
    "ClockTimes",
    "CubeAction",
    "CubeRecord",
    "ExportError",
    "GameEnd",
    "GameRecord",
    "MatchRecord",
    "RulingNote",
    "TurnRecord",
    "clock_text",
    "mat",
    "score_csv",
    "score_sheet",
]
