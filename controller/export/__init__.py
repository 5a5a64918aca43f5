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
from controller.export.sheet import clock_text, csv_sheet, text_sheet

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
    "csv_sheet",
    "mat",
    "text_sheet",
]
