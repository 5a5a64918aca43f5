"""The rules of nardy as pure values."""

from controller.rules.cascade import TooManyEndsError, left_over
from controller.rules.clauses import FaultKind
from controller.rules.cube import Cube, beaver, offer, offer_refusal, passed, raised, take
from controller.rules.errors import CubeError, NotationError, PositionError, RollError, RulesError, RulesetError
from controller.rules.game import Game, Side
from controller.rules.legal import legal_plays, legal_rest
from controller.rules.match import Crawford, MatchScore, NextStart, Player
from controller.rules.opening import Started, Tie, opening, presses_first
from controller.rules.options import allowed, varied
from controller.rules.play import ALL_ROLLS, BAR, OFF, Play, Roll, Step
from controller.rules.position import Position, arranged, check_position, start
from controller.rules.presets import house_rules, presets, ruleset
from controller.rules.result import (
    DRAWN,
    GameResult,
    Kind,
    Resignation,
    ResignError,
    after_last_move,
    contact,
    drop,
    finished,
    last_move_due,
    resign_kinds,
    resignation,
    result,
    worth,
)
from controller.rules.ruleset import Ruleset
from controller.rules.turn import Remedy, Sign, Since, ends_turn, lifted_early, remedy
from controller.rules.verdict import Fault, Illegal, Legal, Verdict, judge, judge_rest, judge_steps

__all__ = [
    "ALL_ROLLS",
    "BAR",
    "DRAWN",
    "OFF",
    "Crawford",
    "Cube",
    "CubeError",
    "Fault",
    "FaultKind",
    "Game",
    "GameResult",
    "Illegal",
    "Kind",
    "Legal",
    "MatchScore",
    "NextStart",
    "NotationError",
    "Play",
    "Player",
    "Position",
    "PositionError",
    "Remedy",
    "ResignError",
    "Resignation",
    "Roll",
    "RollError",
    "RulesError",
    "Ruleset",
    "RulesetError",
    "Side",
    "Sign",
    "Since",
    "Started",
    "Step",
    "Tie",
    "TooManyEndsError",
    "Verdict",
    "after_last_move",
    "allowed",
    "arranged",
    "beaver",
    "check_position",
    "contact",
    "drop",
    "ends_turn",
    "finished",
    "house_rules",
    "judge",
    "judge_rest",
    "judge_steps",
    "last_move_due",
    "left_over",
    "legal_plays",
    "legal_rest",
    "lifted_early",
    "offer",
    "offer_refusal",
    "opening",
    "passed",
    "presets",
    "presses_first",
    "raised",
    "remedy",
    "resign_kinds",
    "resignation",
    "result",
    "ruleset",
    "start",
    "take",
    "varied",
    "worth",
]
