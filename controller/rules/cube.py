"""The doubling cube."""

from dataclasses import dataclass, replace

from controller.rules.game import CubeError, Side
from controller.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Cube:
    """The cube of one game: its value, who owns it (None: centred) and how it got there.

    ``doubles`` counts what the players turned, ``automatic`` what ties of the opening throw turned.
    ``offered_by`` is the side whose double waits for an answer, ``beavered`` whether the opponent has turned the cube
    once more and keeps it, ``raccooned`` whether the doubler has turned it after that; it stays with the opponent.
    """

    value: int = 1
    owner: Side | None = None
    doubles: int = 0
    automatic: int = 0
    offered_by: Side | None = None
    beavered: bool = False
    raccooned: bool = False

    @property
    def answerer(self) -> Side | None:
        """Who has to take or pass; None while no double waits."""
        if self.offered_by is None:
            return None
        return self.offered_by if self.beavered and not self.raccooned else self.offered_by.other

    def tied(self, ruleset: Ruleset) -> "Cube":
        """Return the cube after a tie of the opening throw: twice the value while automatic doubles last."""
        if self.automatic >= ruleset.auto_double:
            return self
        return replace(self, value=2 * self.value, automatic=self.automatic + 1)


def raised(value: int, ruleset: Ruleset) -> int | None:
    """Return the face after ``value``, or None when the cube has no such face (000 line 62; 004 line 40)."""
    following = 2 * value if ruleset.cube_progression == "geometric" else value + 1
    return None if ruleset.cube_limit and following > ruleset.cube_limit else following


MOST_FACES = 12
"""So many faces of a cube without a limit are named: no match is long enough for the last."""


def faces(ruleset: Ruleset) -> tuple[int, ...]:
    """Return what the cube of ``ruleset`` may show, from 1 on.

    >>> from controller.rules import ruleset
    >>> faces(ruleset("short-wbgf"))
    (1, 2, 4, 8, 16, 32, 64)
    """
    values = [1]
    while len(values) < MOST_FACES and (following := raised(values[-1], ruleset)) is not None:
        values.append(following)
    return tuple(values)


def offer_refusal(
    cube: Cube, side: Side, ruleset: Ruleset, *, turn: Side, thrown: bool, crawford_game: bool = False
) -> str | None:
    """Return why ``side`` may not double now, as a key of the texts below ``order.``, or None if that is allowed.

    ``turn`` is the side to move and ``thrown`` whether its roll lies already (004 line 45).
    """
    refusals = (
        (not ruleset.cube, "no_cube"),
        (ruleset.play == "match" and ruleset.length == 1, "one_point_match"),
        (crawford_game, "crawford"),
        (cube.offered_by is not None, "answer_first"),
        (side is not turn, "not_your_turn"),
        (thrown, "after_the_throw"),
        (cube.owner not in {None, side}, "not_the_owner"),
        (raised(cube.value, ruleset) is None, "no_such_face"),
    )
    return next((reason for refused, reason in refusals if refused), None)


def offer(cube: Cube, side: Side, ruleset: Ruleset, *, turn: Side, thrown: bool, crawford_game: bool = False) -> Cube:
    """Return the cube with a double by ``side`` on the table; raises CubeError if the rules refuse it."""
    reason = offer_refusal(cube, side, ruleset, turn=turn, thrown=thrown, crawford_game=crawford_game)
    if reason:
        msg = f"{side.value} may not double: {reason} ({cube})"
        raise CubeError(msg, reason)
    return replace(cube, offered_by=side)


def take(cube: Cube, ruleset: Ruleset) -> Cube:
    """Return the cube after the offer is accepted: turned for it, for a beaver and a raccoon, and not the doubler's."""
    doubler = _offering(cube)
    turned = 1 + cube.beavered + cube.raccooned
    value = _turned(cube, turned, ruleset)
    if value is None:
        msg = f"the cube has no such face: {cube}"
        raise CubeError(msg, "no_such_face")
    return Cube(value, doubler.other, cube.doubles + turned, cube.automatic)


def _turned(cube: Cube, times: int, ruleset: Ruleset) -> int | None:
    """Return the face that is on top when the cube has been turned so often, or None when there is none."""
    value: int | None = cube.value
    for _ in range(times):
        value = None if value is None else raised(value, ruleset)
    return value


def beaver(cube: Cube, ruleset: Ruleset) -> Cube:
    """Return the cube with a beaver on the table: the doubler takes at twice the stake or passes (004 line 53).

    After a beaver it is the doubler's raccoon, where that is played: the cube stays with the opponent, who takes or
    passes (Backgammon FAQ).
    """
    _offering(cube)
    if not beaver_allowed(cube, ruleset):
        msg = f"ruleset {ruleset.name!r} has no beaver here: {cube}"
        raise CubeError(msg, "no_beaver")
    if _turned(cube, 2 + cube.beavered, ruleset) is None:
        msg = f"the cube has no such face: {cube}"
        raise CubeError(msg, "no_such_face")
    return replace(cube, beavered=True, raccooned=cube.beavered)


def beaver_allowed(cube: Cube, ruleset: Ruleset) -> bool:
    """Whether who has to answer may turn the cube once more, as a beaver or as a raccoon."""
    more = ruleset.raccoon and not cube.raccooned if cube.beavered else ruleset.beaver
    return cube.offered_by is not None and more


def passed(cube: Cube, ruleset: Ruleset) -> tuple[Side, int]:
    """Return who wins by a pass and the cube's value that counts.

    A passed double costs the value before it; a passed beaver, the value after the double (004 lines 45 and 53); a
    passed raccoon, that after the beaver.
    """
    doubler = _offering(cube)
    value = _turned(cube, cube.beavered + cube.raccooned, ruleset) or cube.value
    return doubler.other if cube.answerer is doubler else doubler, value


def _offering(cube: Cube) -> Side:
    if cube.offered_by is None:
        msg = f"no double waits for an answer: {cube}"
        raise CubeError(msg, "no_double_offered")
    return cube.offered_by
