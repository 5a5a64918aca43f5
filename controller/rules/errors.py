"""The errors of the rules: wrong input from a program, a file or a keyboard, never an illegal play."""


class RulesError(ValueError):
    """Something that is no position, roll, play or ruleset; the message quotes what came in."""


class PositionError(RulesError):
    """A position that no board can show or that has the wrong number of checkers."""


class RollError(RulesError):
    """A roll that two dice cannot make."""


class NotationError(RulesError):
    """A text in none of the notations that were expected."""


class RulesetError(RulesError):
    """A ruleset with an unknown option, a value out of its range or an impossible combination."""


class CubeError(RulesError):
    """A cube action that the rules refuse; ``reason`` names why, as a key of the texts below ``order.``."""

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason
