"""The rules of nardy as pure values."""

from controller.rules.errors import (
    CubeError,
    NotationError,
    PositionError,
    RollError,
    RulesError,
    RulesetError,
)
from controller.rules.game import Game, Side
from controller.rules.legal import legal_plays
from controller.rules.play import BAR, OFF, Play, Step
from controller.rules.position import Position
from controller.rules.presets import house_rules, presets, ruleset
from controller.rules.roll import ALL_ROLLS, Roll
from controller.rules.ruleset import Ruleset
from controller.rules.setup import arranged, check_position, start

__all__ = [
    "ALL_ROLLS",
    "BAR",
    "OFF",
    "CubeError",
    "Game",
    "NotationError",
    "Play",
    "Position",
    "PositionError",
    "Roll",
    "RollError",
    "RulesError",
    "Ruleset",
    "RulesetError",
    "Side",
    "Step",
    "arranged",
    "check_position",
    "house_rules",
    "legal_plays",
    "presets",
    "ruleset",
    "start",
]
