"""The settings of one board: TOML file -> frozen values, and measured values back into the file.

An error names the file, the key, what came in and what is allowed.
"""

from controller.settings.model import (
    BoardSettings,
    BridgeSettings,
    ButtonSettings,
    CameraSettings,
    FeedSettings,
    JournalSettings,
    MatchSettings,
    PageSettings,
    Section,
    Settings,
)
from controller.settings.problems import SettingsError
from controller.settings.reading import language_of, load
from controller.settings.writing import Measured, lines_of, with_values, write_settings

__all__ = [
    "BoardSettings",
    "BridgeSettings",
    "ButtonSettings",
    "CameraSettings",
    "FeedSettings",
    "JournalSettings",
    "MatchSettings",
    "Measured",
    "PageSettings",
    "Section",
    "Settings",
    "SettingsError",
    "language_of",
    "lines_of",
    "load",
    "with_values",
    "write_settings",
]
