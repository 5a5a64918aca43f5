"""The rule behind each fault and where it is written; ``docs/rules-sources.md`` says what the short names mean."""

from dataclasses import dataclass
from enum import Enum

from controller.rules.ruleset import Ruleset


class FaultKind(Enum):
    """What can be wrong with a play; the values are keys of the texts below ``fault.``."""

    CHECKER_COUNT = "checker_count"
    """A side has more or fewer checkers than it may have."""
    OPPONENT_MOVED = "opponent_moved"
    """The opponent's checkers stand elsewhere, although none was hit there."""
    HIT_LEFT = "hit_left"
    """A checker that was hit on the way is not on the bar."""
    NO_CHECKER = "no_checker"
    """A play was entered that moves a checker from where there is none."""
    BACKWARDS = "backwards"
    """A checker went against its direction."""
    WRONG_DISTANCE = "wrong_distance"
    """A checker went a way that the dice do not give."""
    EXTRA_STEP = "extra_step"
    """A die was played more often than it was thrown."""
    BLOCKED_POINT = "blocked_point"
    """A step ends on a point that the opponent holds."""
    HEAD = "head"
    """Too many checkers left the head."""
    BLOCK_OF_SIX = "block_of_six"
    """Six points in a row are closed although the rule forbids it here."""
    BAR_FIRST = "bar_first"
    """Another checker moved while one waited on the bar."""
    BEAR_OFF_EARLY = "bear_off_early"
    """A checker was borne off before all were home."""
    BEAR_OFF_LOWER = "bear_off_lower"
    """A die took a checker off a lower point although higher ones are occupied."""
    BEAR_OFF_INEXACT = "bear_off_inexact"
    """Crazy nardy: a die took a checker off another point than its own."""
    HOME_MOVE = "home_move"
    """Crazy nardy: a checker moved inside the home once all were home."""
    DIE_NOT_USED = "die_not_used"
    """More dice could have been played."""
    LARGER_DIE = "larger_die"
    """Only one die could be played, and the smaller was."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A rule by its name (a key of the texts below ``rules.clause.``) and where it is written."""

    name: str
    source: str


_LONG: dict[FaultKind, Clause] = {
    FaultKind.CHECKER_COUNT: Clause("checkers", "000:118; 002:44; 003:48; 004:18"),
    FaultKind.OPPONENT_MOVED: Clause("no_hits", "000:127; 002:51; 003:56; 004:21"),
    FaultKind.HIT_LEFT: Clause("no_hits", "000:127; 002:51; 003:56; 004:21"),
    FaultKind.NO_CHECKER: Clause("checkers", "000:118; 002:44; 003:48; 004:18"),
    FaultKind.BACKWARDS: Clause("direction", "000:123; 002:45; 003:25; 004:20"),
    FaultKind.WRONG_DISTANCE: Clause("distance", "000:126; 003:59"),
    FaultKind.EXTRA_STEP: Clause("distance", "000:126; 003:59"),
    FaultKind.BLOCKED_POINT: Clause("blocked", "000:127; 002:51; 003:56,59; 004:21"),
    FaultKind.HEAD: Clause("head", "002:48; 003:11,50; 004:13; first turn 000:125"),
    FaultKind.BLOCK_OF_SIX: Clause("block", "002:52; 003:63; 004:15"),
    FaultKind.BEAR_OFF_EARLY: Clause("bear_off_home", "000:10; 002:56; 003:67; 004:16"),
    FaultKind.BEAR_OFF_LOWER: Clause("bear_off_higher", "000:11; 002:58; 003:72"),
    FaultKind.BEAR_OFF_INEXACT: Clause("bear_off_exact", "004:42"),
    FaultKind.HOME_MOVE: Clause("bear_off_exact", "004:42"),
    FaultKind.DIE_NOT_USED: Clause("full_move", "000:8-9; 002:53-54; 003:61"),
    FaultKind.LARGER_DIE: Clause("larger_die", "000:129; 002:55; 003:27"),
}
_SHORT: dict[FaultKind, Clause] = {
    FaultKind.CHECKER_COUNT: Clause("checkers", "001:2; BKR"),
    FaultKind.OPPONENT_MOVED: Clause("hits", "001:12; 004:29; BKR"),
    FaultKind.HIT_LEFT: Clause("hits", "001:12; 004:29; BKR"),
    FaultKind.NO_CHECKER: Clause("checkers", "001:2; BKR"),
    FaultKind.BACKWARDS: Clause("direction", "001:6; 004:28; BKR"),
    FaultKind.WRONG_DISTANCE: Clause("distance", "001:10; BKR"),
    FaultKind.EXTRA_STEP: Clause("distance", "001:10; BKR"),
    FaultKind.BLOCKED_POINT: Clause("blocked_short", "001:12; 004:29; BKR"),
    FaultKind.BAR_FIRST: Clause("bar", "001:12-13; 004:29; BKR"),
    FaultKind.BEAR_OFF_EARLY: Clause("bear_off_home", "001:15-16; BKR"),
    FaultKind.BEAR_OFF_LOWER: Clause("bear_off_higher", "001:15; BKR"),
    FaultKind.DIE_NOT_USED: Clause("full_move", "001:10; BKR"),
    FaultKind.LARGER_DIE: Clause("larger_die", "001:10; BKR"),
}
_BY_OPTION: dict[tuple[FaultKind, str], Clause] = {
    (FaultKind.BLOCK_OF_SIX, "home"): Clause("block_home", "000:47,127 (variant)"),
    (FaultKind.BLOCK_OF_SIX, "never"): Clause("block_never", "club rule"),
    (FaultKind.HEAD, "six_only"): Clause("head", "000:55"),
    (FaultKind.HEAD, "azeri"): Clause("head", "LUD Ses-Bes"),
    (FaultKind.HEAD, "seed003"): Clause("head", "003:11,50"),
}


def clause_of(kind: FaultKind, ruleset: Ruleset) -> Clause:
    """Return the rule that ``kind`` breaks under ``ruleset``.

    Raises KeyError for a fault that the ruleset's game cannot have.
    """
    option = {FaultKind.BLOCK_OF_SIX: ruleset.block, FaultKind.HEAD: ruleset.head_first}.get(kind, "")
    family = _SHORT if ruleset.game.opposed else _LONG
    return _BY_OPTION.get((kind, option)) or family[kind]


ALL_CLAUSES = frozenset(clause.name for table in (_LONG, _SHORT, _BY_OPTION) for clause in table.values())
"""Every clause's name, for the texts."""
