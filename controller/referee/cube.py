"""The doubling cube: offers and answers, and whether the cube on the table is as it is in the match.

The camera only reports; it never turns the cube.
"""

from dataclasses import replace

from controller.clock import Millis
from controller.referee.events import CubeSeen, CubeSide, Looked
from controller.referee.games import finish_game
from controller.referee.orders import Beaver, OrderRefusedError, Pass, SetCube, Take
from controller.referee.presses import GIVEN_BACK_MS, handed_to
from controller.referee.state import CubeDoubt, CubeTurned, Phase, State
from controller.rules import (
    Cube,
    CubeError,
    Ruleset,
    Side,
    beaver,
    drop,
    faces,
    offer,
    offer_refusal,
    passed,
    raised,
    take,
)

LOOKS_TO_NOTE = 4
"""Quiet looks in a row that must show the same difference. A convention: as many as are taken at once."""


NOTE_AFTER_MS = 10_000
"""So long the difference must last. A convention: who takes a double may think first and turn the cube then."""


OF_SIDE = {Side.WHITE: CubeSide.NEAR, Side.BLACK: CubeSide.FAR, None: CubeSide.MIDDLE}
"""Where an owner keeps the cube: White sits at p1..p12."""


UNTURNED = 64
"""What a cube shows before the first double: it has no 1."""


def offer_cube(state: State, side: Side) -> State:
    """Put a double on the table: before the throw, on one's own turn, by the owner (004:L45).

    The opponent thinks about it on their own time: the clock is handed over as if the player had pressed, and already
    where they have. The answer hands it back.
    """
    if state.phase not in {Phase.TO_THROW, Phase.TO_PLAY} or state.turn is None:
        why = "no_game_for_a_cube"
        raise OrderRefusedError(why)
    cube = state.cube
    thrown = state.phase is Phase.TO_PLAY
    crawford = state.crawford_game
    why_not = offer_refusal(cube, side, state.rules, turn=state.turn, thrown=thrown, crawford_game=crawford)
    if why_not:
        raise OrderRefusedError(why_not)
    offered = offer(cube, side, state.rules, turn=state.turn, thrown=thrown, crawford_game=crawford)
    value = raised(cube.value, state.rules) or cube.value
    early = state.in_play.early_press
    at = state.at if early is None else Millis(max(early, state.at - GIVEN_BACK_MS))
    state = replace(
        state, clock=handed_to(state.clock, side.other, at), in_play=replace(state.in_play, early_press=None)
    )
    return _with_cube(state, offered, CubeTurned(len(state.game.turns), side, "double", value))


def answer_cube(state: State, order: Take | Beaver | Pass) -> State:
    """Take the offered cube, turn it once more, or pass and lose the game at the value before."""
    offered_by, turn, position = state.cube.offered_by, state.turn, state.position
    if offered_by is None or turn is None or position is None:
        why = "no_double_offered"
        raise OrderRefusedError(why)
    match order:
        case Take():
            taken = take(state.cube, state.rules)
            taker = state.cube.answerer or offered_by.other
            state = replace(state, clock=handed_to(state.clock, turn, state.at))
            return _with_cube(state, taken, CubeTurned(len(state.game.turns), taker, "take", taken.value))
        case Beaver():
            return _beavered(state)
        case Pass():
            winner, value = passed(state.cube, state.rules)
            return finish_game(state, winner, drop(position, winner.other, turn, state.rules, value))


def _beavered(state: State) -> State:
    """Turn the offered cube once more: now the other side has to answer (004:L53)."""
    by = state.cube.answerer
    try:
        cube = beaver(state.cube, state.rules)
    except CubeError as refused:
        raise OrderRefusedError(refused.reason) from refused
    if by is None:
        why = "no_double_offered"
        raise OrderRefusedError(why)
    value = take(cube, state.rules).value
    state = replace(state, clock=handed_to(state.clock, by.other, state.at))
    return _with_cube(state, cube, CubeTurned(len(state.game.turns), by, "beaver", value))


def set_cube(state: State, order: SetCube) -> State:
    """Let the cube show what the arbiter says; the players' doubles before stay in the record."""
    in_game = state.phase in {Phase.OPENING, Phase.TO_THROW, Phase.TO_PLAY, Phase.DECIDING}
    refusals = (
        (not state.rules.cube, "no_cube"),
        (not in_game, "no_game_for_a_cube"),
        (state.cube.offered_by is not None, "answer_first"),
        (order.value not in faces(state.rules), "no_such_cube"),
        (order.value == 1 and order.owner is not None, "cube_of_nobody"),
    )
    why = next((why for refused, why in refusals if refused), None)
    if why:
        raise OrderRefusedError(why)
    doubles = max(1, state.cube.doubles) if order.owner else 0
    return replace(state, cube=Cube(order.value, order.owner, doubles, state.cube.automatic))


def _with_cube(state: State, cube: Cube, turned: CubeTurned) -> State:
    return replace(state, cube=cube, game=replace(state.game, cube=(*state.game.cube, turned)))


def watch_cube(state: State, event: Looked) -> State:
    """See whether the doubling cube is as it is in the match, while it can be turned and no double waits."""
    if state.phase is Phase.DECIDING:
        # What is decided is a play or a throw: the cube stays as doubtful as it was.
        return state
    played = state.rules.cube and state.phase in {Phase.OPENING, Phase.TO_THROW, Phase.TO_PLAY}
    doubt = None
    if played and state.cube.offered_by is None and not state.crawford_game:
        doubt = _after_look(state.sight.cube_doubt, event.cube, state.cube, state.rules, event.at)
    if doubt == state.sight.cube_doubt:
        return state
    return replace(state, sight=replace(state.sight, cube_doubt=doubt))


def _after_look(
    doubt: CubeDoubt | None, seen: CubeSeen | None, cube: Cube, rules: Ruleset, at: Millis
) -> CubeDoubt | None:
    """What is doubtful about the cube after one more quiet look; a look that does not show it changes nothing."""
    if seen is None:
        return doubt
    odd = _difference(seen, cube, rules)
    if odd is None:
        return None if _tells(seen, doubt) else doubt
    if doubt is None:
        return CubeDoubt(odd, at)
    if doubt.seen != odd:
        return doubt if _leaves_open(seen, odd, doubt.seen) else CubeDoubt(odd, at)
    looks = doubt.looks + 1
    lasting = doubt.lasting or (looks >= LOOKS_TO_NOTE and at - doubt.since >= NOTE_AFTER_MS)
    return replace(doubt, looks=looks, lasting=lasting)


def shown(cube: Cube, rules: Ruleset) -> int | None:
    """The number that should be on top; None where the cube has no such face, or none but the players know which."""
    if rules.cube_progression != "geometric" or cube.value > UNTURNED:
        return None
    return UNTURNED if cube.value == 1 else cube.value


def _difference(seen: CubeSeen, cube: Cube, rules: Ruleset) -> CubeSeen | None:
    expected = shown(cube, rules)
    value = seen.value if expected is not None and seen.value != expected else None
    side = seen.side if seen.side not in {CubeSide.BETWEEN, OF_SIDE[cube.owner]} else CubeSide.BETWEEN
    return None if value is None and side is CubeSide.BETWEEN else CubeSeen(value, side)


def _leaves_open(seen: CubeSeen, odd: CubeSeen, doubted: CubeSeen) -> bool:
    """Whether a look shows less of what is doubtful, and nothing else."""
    return (odd.value == doubted.value or seen.value is None) and (
        odd.side is doubted.side or seen.side is CubeSide.BETWEEN
    )


def _tells(seen: CubeSeen, doubt: CubeDoubt | None) -> bool:
    """Whether a look without a difference shows what was doubtful to be right, and does not just leave it open."""
    if doubt is None:
        return True
    return (doubt.seen.value is None or seen.value is not None) and (
        doubt.seen.side is CubeSide.BETWEEN or seen.side is not CubeSide.BETWEEN
    )
