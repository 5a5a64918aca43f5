"""The verdict on a play: legal, or every rule that it breaks."""

from dataclasses import dataclass

from controller.rules.cascade import TooManyEndsError, cascade_ends, cascade_way, sequence
from controller.rules.clauses import FaultKind, clause_of
from controller.rules.explanation import Seen, opponent_places, places
from controller.rules.faults import Case, Finding, findings
from controller.rules.game import POINTS
from controller.rules.legal import head_limit, laws_of, legal_plays, legal_rest
from controller.rules.play import BAR, OFF, Play, Roll, place_name
from controller.rules.position import Position, check_position
from controller.rules.ruleset import Ruleset
from controller.rules.steps import UNLIMITED, Ends


@dataclass(frozen=True, slots=True)
class Fault:
    """One rule that a play breaks.

    ``fault.<key>`` is its text in a few words, ``why`` the key of a sentence that ``values`` fill in, and
    ``rules.clause.<clause>`` the rule itself; ``source`` says where it is written.
    """

    fault: FaultKind
    clause: str
    source: str
    why: str
    details: tuple[tuple[str, str | int], ...]

    @property
    def key(self) -> str:
        """The fault's name, such as ``blocked_point``."""
        return self.fault.value

    @property
    def values(self) -> dict[str, str | int]:
        """What fills in the sentence ``why``."""
        return dict(self.details)


@dataclass(frozen=True, slots=True)
class Legal:
    """The play that leads to what was seen; ``end`` is that position."""

    play: Play
    end: Position


@dataclass(frozen=True, slots=True)
class Illegal:
    """Every fault found, the plainest first, and all legal plays, those first that end most like what was seen.

    ``played`` is what most likely was played, None where no steps of the dice lead there.
    """

    faults: tuple[Fault, ...]
    would_be_legal: tuple[Play, ...]
    played: Play | None = None


Verdict = Legal | Illegal


def judge(
    before: Position,
    roll: Roll,
    after: Position,
    ruleset: Ruleset,
    *,
    first_turn: bool = False,
    second_player: bool = False,
    throw: int | None = None,
) -> Verdict:
    """Return whether a turn from ``before`` with ``roll`` may end at ``after``, both in the mover's numbering.

    ``after`` may be anything that a board can show, such as too many checkers; ``before`` is a position of the game.
    The other arguments are those of ``legal_plays``. In crazy nardy a double is judged up to where the side got stuck.
    Raises PositionError if ``before`` cannot stand in the ruleset's game, and TooManyEndsError where a cascade over an
    open board has more ways than can be looked through.

    >>> from controller.rules import Game, Position, Roll, ruleset, start
    >>> two_off_the_head = Position.parse("...........o.....AA....M....")
    >>> verdict = judge(start(Game.LONG), Roll(6, 5), two_off_the_head, ruleset("long-fnr"), first_turn=True)
    >>> [fault.key for fault in verdict.faults], [str(play) for play in verdict.would_be_legal]
    (['head'], ['24/18 18/13'])
    """
    turn = _Turn.of(before, roll, ruleset, first_turn=first_turn, second_player=second_player, throw=throw)
    return turn.judge(after)


def judge_steps(
    before: Position,
    roll: Roll,
    play: Play,
    ruleset: Ruleset,
    *,
    first_turn: bool = False,
    second_player: bool = False,
    throw: int | None = None,
) -> Verdict:
    """Return the verdict on ``play`` as somebody wrote it.

    A checker may be written over several dice at once and hits need no mark; the physical order of the steps is free
    (text 002 line 48), so what counts is where the mover's checkers end.
    Raises PositionError if ``before`` cannot stand in the ruleset's game.
    """
    turn = _Turn.of(before, roll, ruleset, first_turn=first_turn, second_player=second_player, throw=throw)
    mine = list(places(before))
    for step in play.steps:
        mine[step.source] -= 1
        mine[step.target] += 1
    seen = Seen(tuple(mine), None, before.off[1])
    legal = turn.some_ends()
    if min(mine) < 0:
        details = (("point", place_name(max(place for place in (OFF, *POINTS, BAR) if mine[place] < 0))),)
        return turn.verdict(seen, (Finding(FaultKind.NO_CHECKER, FaultKind.NO_CHECKER.value, details),))
    ends = [end for end in legal if places(end) == seen.mine]
    if not ends and turn.listed is None:
        return turn.judge(_with_mine(before, seen.mine))
    if not ends:
        return turn.illegal(seen)
    # Two ways of one checker can hit differently: the places that were entered decide, marked or not.
    touched = {step.target for step in play.steps}
    left_standing = [-min(before.at(point), 0) if point not in touched else 0 for point in POINTS]
    end = min(ends, key=lambda end: sum(abs(a - b) for a, b in zip(opponent_places(end), left_standing, strict=False)))
    return Legal(legal[end], end)


@dataclass(frozen=True, slots=True)
class _Turn:
    """Everything about a turn but its end."""

    before: Position
    dice: tuple[int, ...]
    ruleset: Ruleset
    limit: int
    listed: Ends | None
    """All legal ends, None where they are too many to list."""

    @classmethod
    def of(
        cls,
        before: Position,
        roll: Roll,
        ruleset: Ruleset,
        *,
        first_turn: bool,
        second_player: bool,
        throw: int | None,
    ) -> "_Turn":
        check_position(before, ruleset.game)
        limit = head_limit(before, roll, ruleset, first_turn=first_turn, second_player=second_player)
        listed: Ends | None
        try:
            listed = legal_plays(before, roll, ruleset, first_turn=first_turn, second_player=second_player, throw=throw)
        except TooManyEndsError:
            listed = None
        return cls(before, sequence(roll, ruleset, throw), ruleset, limit, listed)

    def some_ends(self) -> Ends:
        """Return all legal ends, or a few of a boundless cascade."""
        if self.listed is not None:
            return self.listed
        return cascade_ends(self.before, self.dice, laws_of(self.ruleset, self.limit), most=_FOLLOWED)

    def judge(self, after: Position) -> Verdict:
        """Return the verdict on the end ``after``."""
        if self.listed is None:
            way = cascade_way(self.before, self.dice, laws_of(self.ruleset, self.limit), after)
            return self.illegal(Seen.of(after)) if way is None else Legal(way, after)
        return Legal(self.listed[after], after) if after in self.listed else self.illegal(Seen.of(after))

    def illegal(self, seen: Seen) -> Illegal:
        """Return the verdict on an end that is not legal."""
        case = Case(self.before, self.dice, seen, self.ruleset, self.limit, self.some_ends())
        return self.verdict(seen, *findings(case))

    def verdict(self, seen: Seen, found: tuple[Finding, ...], played: Play | None = None) -> Illegal:
        """Return the verdict with the faults ``found`` of ``played``."""
        legal = self.some_ends()
        likeness = sorted(legal, key=lambda end: (_distance(end, seen), end))
        faults = tuple(_fault(finding, self.ruleset) for finding in found)
        return Illegal(faults, tuple(legal[end] for end in likeness), played)


_FOLLOWED = 20
"""Positions followed from one number of a boundless cascade to the next, to say what would have been legal."""


def _with_mine(before: Position, mine: tuple[int, ...]) -> Position:
    """Return ``before`` with the mover's checkers at the places ``mine``; long games, where nothing is hit."""
    points = tuple(mine[point] or min(before.at(point), 0) for point in POINTS)
    return Position(points, (mine[BAR], 0), (mine[OFF], before.off[1]))


def judge_rest(before: Position, dice: tuple[int, ...], after: Position, ruleset: Ruleset) -> Verdict:
    """Return whether the rest ``dice`` of a cascade, handed over to the mover of ``before``, may end at ``after``."""
    check_position(before, ruleset.game)
    limit = UNLIMITED if ruleset.head == "unlimited" else 1
    listed: Ends | None
    try:
        listed = legal_rest(before, dice, ruleset)
    except TooManyEndsError:
        listed = None
    return _Turn(before, dice, ruleset, limit, listed).judge(after)


def _fault(finding: Finding, ruleset: Ruleset) -> Fault:
    clause = clause_of(finding.kind, ruleset)
    return Fault(finding.kind, clause.name, clause.source, f"rules.why.{finding.sentence}", finding.details)


def _distance(end: Position, seen: Seen) -> int:
    theirs = opponent_places(end)
    mine = sum(abs(a - b) for a, b in zip(places(end), seen.mine, strict=True))
    return mine + sum(abs(a - b) for a, b in zip(theirs, seen.theirs or theirs, strict=True))
