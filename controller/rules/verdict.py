"""The verdict on a play: legal, or every rule that it breaks."""

from dataclasses import dataclass

from controller.rules.cascade import TooManyEndsError, cascade_ends, sequence
from controller.rules.clauses import FaultKind, clause_of
from controller.rules.faults import Case, Finding, findings
from controller.rules.legal import head_limit, laws_of, legal_plays
from controller.rules.play import Play
from controller.rules.position import Position
from controller.rules.roll import Roll
from controller.rules.ruleset import Ruleset
from controller.rules.search import Ends
from controller.rules.setup import check_position


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
    check_position(before, ruleset.game)
    limit = head_limit(before, roll, ruleset, first_turn=first_turn, second_player=second_player)
    dice = sequence(roll, ruleset, throw)
    legal: Ends
    try:
        legal = legal_plays(before, roll, ruleset, first_turn=first_turn, second_player=second_player, throw=throw)
    except TooManyEndsError:
        legal = cascade_ends(before, dice, laws_of(ruleset, limit), toward=after)
    if after in legal:
        return Legal(legal[after], after)
    return illegal(Case(before, dice, after, ruleset, limit, legal))


def judge_rest(before: Position, dice: tuple[int, ...], after: Position, ruleset: Ruleset) -> Verdict:
    """Return whether the rest ``dice`` of a cascade, handed over to the mover of ``before``, may end at ``after``."""
    check_position(before, ruleset.game)
    limit = 1
    laws = laws_of(ruleset, limit)
    legal = cascade_ends(before, dice, laws, toward=after) or {before: Play(())}
    if after in legal:
        return Legal(legal[after], after)
    return illegal(Case(before, dice, after, ruleset, limit, legal))


def illegal(case: Case) -> Illegal:
    """Return the verdict on a ``case`` whose end is none of its legal ones."""
    likeness = sorted(case.legal, key=lambda end: (_distance(end, case.after), end))
    return Illegal(
        tuple(_fault(finding, case.ruleset) for finding in findings(case)),
        tuple(case.legal[end] for end in likeness),
    )


def _fault(finding: Finding, ruleset: Ruleset) -> Fault:
    clause = clause_of(finding.kind, ruleset)
    return Fault(finding.kind, clause.name, clause.source, f"rules.why.{finding.sentence}", finding.details)


def _distance(end: Position, seen: Position) -> int:
    counts = zip((*end.points, *end.bar, *end.off), (*seen.points, *seen.bar, *seen.off), strict=True)
    return sum(abs(a - b) for a, b in counts)
