"""The verdict on a play: legal, or every rule that it breaks."""

from dataclasses import dataclass

from controller.rules.cascade import TooManyEndsError, cascade_ends, sequence
from controller.rules.clauses import FaultKind, clause_of
from controller.rules.faults import Case, Finding, findings
from controller.rules.legal import head_limit, laws_of, legal_plays
from controller.rules.play import BAR, Play, place_name
from controller.rules.position import Position
from controller.rules.roll import Roll
from controller.rules.ruleset import Ruleset
from controller.rules.search import UNLIMITED, Ends
from controller.rules.setup import check_position
from controller.rules.story import Seen, opponent_places, places


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
    """Every fault found, the plainest first, and all legal plays, those first that end most like what was seen."""

    faults: tuple[Fault, ...]
    would_be_legal: tuple[Play, ...]


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
    Raises PositionError if ``before`` cannot stand in the ruleset's game.

    >>> from controller.rules import Game, Position, Roll, ruleset, start
    >>> two_off_the_head = Position.parse("...........o.....AA....M....")
    >>> verdict = judge(start(Game.LONG), Roll(6, 5), two_off_the_head, ruleset("long-fnr"), first_turn=True)
    >>> [fault.key for fault in verdict.faults], [str(play) for play in verdict.would_be_legal]
    (['head'], ['24/18 18/13'])
    """
    turn = _Turn.of(before, roll, ruleset, first_turn=first_turn, second_player=second_player, throw=throw)
    legal = turn.ends(toward=after)
    return Legal(legal[after], after) if after in legal else turn.illegal(Seen.of(after), legal)


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
    """Return the verdict on ``play`` as somebody wrote or told it.

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
    legal = turn.ends(toward=None)
    if min(mine) < 0:
        details = (("point", next(place_name(place) for place in range(BAR, -1, -1) if mine[place] < 0)),)
        return turn.verdict(legal, seen, (Finding(FaultKind.NO_CHECKER, FaultKind.NO_CHECKER.value, details),))
    ends = [end for end in legal if places(end) == seen.mine]
    if not ends:
        return turn.illegal(seen, legal)
    # Two ways of one checker can hit differently: the told places decide, marked or not.
    touched = {step.target for step in play.steps}
    left_standing = [-min(before.at(point), 0) if point not in touched else 0 for point in range(1, 25)]
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

    def ends(self, toward: Position | None) -> Ends:
        """Return the legal ends, of a boundless cascade those that are likest to ``toward``."""
        if self.listed is not None:
            return self.listed
        return cascade_ends(self.before, self.dice, laws_of(self.ruleset, self.limit), toward=toward or self.before)

    def illegal(self, seen: Seen, legal: Ends) -> Illegal:
        """Return the verdict on an end that is none of the ``legal`` ones."""
        return self.verdict(legal, seen, findings(Case(self.before, self.dice, seen, self.ruleset, self.limit, legal)))

    def verdict(self, legal: Ends, seen: Seen, found: tuple[Finding, ...]) -> Illegal:
        """Return the verdict with the faults ``found``."""
        likeness = sorted(legal, key=lambda end: (_distance(end, seen), end))
        return Illegal(tuple(_fault(finding, self.ruleset) for finding in found), tuple(legal[end] for end in likeness))


def judge_rest(before: Position, dice: tuple[int, ...], after: Position, ruleset: Ruleset) -> Verdict:
    """Return whether the rest ``dice`` of a cascade, handed over to the mover of ``before``, may end at ``after``."""
    check_position(before, ruleset.game)
    laws = laws_of(ruleset, UNLIMITED if ruleset.head == "unlimited" else 1)
    legal = cascade_ends(before, dice, laws, toward=after) or {before: Play(())}
    if after in legal:
        return Legal(legal[after], after)
    return _Turn(before, dice, ruleset, laws.head_limit, legal).illegal(Seen.of(after), legal)


def _fault(finding: Finding, ruleset: Ruleset) -> Fault:
    clause = clause_of(finding.kind, ruleset)
    return Fault(finding.kind, clause.name, clause.source, f"rules.why.{finding.sentence}", finding.details)


def _distance(end: Position, seen: Seen) -> int:
    theirs = opponent_places(end)
    mine = sum(abs(a - b) for a, b in zip(places(end), seen.mine, strict=True))
    return mine + sum(abs(a - b) for a, b in zip(theirs, seen.theirs or theirs, strict=True))
