"""When a turn is over, and what becomes of an illegal play after that."""

from enum import Enum

from controller.rules.ruleset import Ruleset


class Sign(Enum):
    """What a player can do that may end his turn; there is no touch-move rule, so nothing else does (003 line 23)."""

    CLOCK = "clock"
    DICE_LIFT = "dice_lift"
    DICE_HANDOVER = "dice_handover"
    BAR_TAP = "bar_tap"


def ends_turn(sign: Sign, ruleset: Ruleset) -> bool:
    """Whether ``sign`` completes the move, after which it cannot be changed (003 line 23; US 2008 4.5)."""
    return sign.value == ruleset.turn_ends_by


def lifted_early(sign: Sign, ruleset: Ruleset) -> bool:
    """Whether ``sign`` takes the dice off a turn that it does not end: a warning (003 line 21; Unified clock 3.4)."""
    return sign in {Sign.DICE_LIFT, Sign.DICE_HANDOVER} and not ends_turn(sign, ruleset)


class Since(Enum):
    """What the opponent has done since the illegal play was completed."""

    NOTHING = "nothing"
    VOID_THROW = "void_throw"
    THROW_BEFORE_PRESS = "throw_before_press"
    """He threw before the turn had ended, and the throw stands."""
    VALID_THROW = "valid_throw"
    VALID_DOUBLE = "valid_double"


class Remedy(Enum):
    """What becomes of an illegal play that somebody has pointed out."""

    CORRECT = "correct"
    """The same roll is played legally from the position before the turn."""
    STANDS = "stands"
    OPPONENT_MUST_SAY = "opponent_must_say"
    """An opponent who has noticed must say whether it stands or is corrected (WBGF 2.1 4.2 iii)."""
    OPPONENT_MAY_SAY = "opponent_may_say"
    """The opponent may stay silent, accept it or demand the correction; the referee speaks only when asked."""


def remedy(ruleset: Ruleset, since: Since) -> Remedy:
    """Return what becomes of an illegal play: only a valid throw or double made after the press closes it.

    UKBGF and WBGF 2.1 for ``legal_moves``; that a throw before the press does not count is the default where the texts
    are silent.
    """
    if since in {Since.VALID_THROW, Since.VALID_DOUBLE}:
        return Remedy.STANDS
    return {
        "legal_moves": Remedy.CORRECT,
        "responsible": Remedy.OPPONENT_MUST_SAY,
        "condone": Remedy.OPPONENT_MAY_SAY,
    }[ruleset.illegal]
