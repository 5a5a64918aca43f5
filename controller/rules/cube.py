"""The doubling cube."""

from dataclasses import dataclass, replace

from controller.rules.game import CubeError, Side
from controller.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Cube:
    """The cube of one game: its value, who owns it (None: centred) and how it got there.

    ``doubles`` counts what the players turned, ``automatic`` what ties of the opening throw turned.
    ``offered_by`` is the side whose double waits for an answer, ``beavered`` whether a beaver waits.
    """

    value: int = 1
    owner: Side | None = None
    doubles: int = 0
    automatic: int = 0
    offered_by: Side | None = None
    beavered: bool = False

    def tied(self, ruleset: Ruleset) -> "Cube":
        """Return the cube after a tie of the opening throw: twice the value while automatic doubles last."""
        if self.automatic >= ruleset.auto_double:
            return self
        return replace(self, value=2 * self.value, automatic=self.automatic + 1)


def raised(value: int, ruleset: Ruleset) -> int | None:
    """Return the face after ``value``, or None when the cube has no such face (000 line 62; 004 line 40)."""
    following = 2 * value if ruleset.cube_progression == "geometric" else value + 1
    return None if ruleset.cube_limit and following > ruleset.cube_limit else following


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
    """Return the cube after the offer, or the beaver, is accepted: turned once (or twice) and owned by the taker."""
    doubler = _offering(cube)
    value = raised(cube.value, ruleset)
    turned = 1
    if value is not None and cube.beavered:
        value, turned = raised(value, ruleset), 2
    if value is None:
        msg = f"the cube has no such face: {cube}"
        raise CubeError(msg, "no_such_face")
    return Cube(value, doubler.other, cube.doubles + turned, cube.automatic)


def beaver(cube: Cube, ruleset: Ruleset) -> Cube:
    """Return the cube with a beaver on the table: the doubler takes at twice the stake or passes (004 line 53)."""
    _offering(cube)
    if not ruleset.beaver or cube.beavered:
        msg = f"ruleset {ruleset.name!r} has no beaver here: {cube}"
        raise CubeError(msg, "no_beaver")
    value = raised(cube.value, ruleset)
    if value is None or raised(value, ruleset) is None:
        msg = f"the cube has no such face: {cube}"
        raise CubeError(msg, "no_such_face")
    return replace(cube, beavered=True)


def passed(cube: Cube, ruleset: Ruleset) -> tuple[Side, int]:
    """Return who wins by a pass and the cube's value that counts.

    A passed double costs the value before it; a passed beaver, the value after the double (004 lines 45 and 53).
    """
    doubler = _offering(cube)
    if cube.beavered:
        return doubler.other, raised(cube.value, ruleset) or cube.value
    return doubler, cube.value


def _offering(cube: Cube) -> Side:
    if cube.offered_by is None:
        msg = f"no double waits for an answer: {cube}"
        raise CubeError(msg, "no_double_offered")
    return cube.offered_by
