"""Checkers that stand where no play of the turn under way can have brought them: named when they are seen.

The referee only reports. Before the throw nothing may move at all; after it the opponent's checkers stay, but for blots
that are hit. Whoever is on turn is not refused for what was moved before they threw.
"""

from dataclasses import replace

from controller.fusion.evidence import BAR_DARK, BAR_LIGHT, POINTS, ROWS
from controller.referee.dice import LOOKS_TO_RULE
from controller.referee.events import Event, Ordered
from controller.referee.orders import Correct
from controller.referee.presses import CHANGED
from controller.referee.sight import whole
from controller.referee.state import Misplaced, MisplacedKind, Phase, PlaceOff, State
from controller.rules import Side, start

LOOKS_TO_NAME = 3
"""Quiet looks in a row before misplaced checkers are named: one more than a ruling needs, since a player who puts a
checker right at once needs no word about it."""


CLEARED = 0.5
"""Share of the checkers on the board that must be gone before it counts as cleared: no play takes off more than four,
and nobody bears off the opponent's."""


def watch_checkers(state: State, event: Event) -> State:
    """See whether checkers stand otherwise than the match and the turn under way allow."""
    corrected = isinstance(event, Ordered) and isinstance(event.order, Correct)
    if state.phase not in {Phase.TO_THROW, Phase.TO_PLAY, Phase.DECIDING} or state.position is None:
        return _with(state, None)
    looks = LOOKS_TO_RULE if corrected else LOOKS_TO_NAME
    if state.phase is Phase.DECIDING or not whole(state.sight, looks):
        return state
    return _with(state, _found(state, corrected=corrected))


def displaced_before_throw(state: State) -> bool:
    """Whether somebody moved checkers before the side on turn had thrown, and they have not been put back."""
    misplaced = state.sight.misplaced
    return misplaced is not None and misplaced.before_throw and misplaced.turn is state.turn


def _with(state: State, misplaced: Misplaced | None) -> State:
    if misplaced == state.sight.misplaced:
        return state
    return replace(state, sight=replace(state.sight, misplaced=misplaced))


def _found(state: State, *, corrected: bool) -> Misplaced | None:
    """What is misplaced now; what was so before keeps the turn in which it was seen first."""
    mover, position, light = state.turn, state.position, state.light
    if mover is None or position is None or light is None:
        return None
    view = state.view(mover, light)
    expected, seen = view.counts(position).rows(), _seen(state)
    everything = corrected or (state.phase is Phase.TO_THROW and not _may_have_played(state))
    off = _differences(seen, expected) if everything else _opponents(seen, expected, -view.sign)
    scores = state.sight.evidence.scores
    if not off or sum(scores[row].get(seen[row], 0.0) - scores[row].get(expected[row], 0.0) for row in off) < CHANGED:
        return None
    sign = 1 if light is Side.WHITE else -1
    places = tuple(PlaceOff(_of_the_rig(row, light), sign * seen[row], sign * expected[row]) for row in off)
    known = state.sight.misplaced
    if known is not None and known.turn is mover:
        return replace(known, kind=known.kind if known.places == places else _kind(state, seen), places=places)
    kind = MisplacedKind.CORRECTED if corrected else _kind(state, seen)
    return Misplaced(kind, places, mover, before_throw=state.phase is Phase.TO_THROW)


def _of_the_rig(row: int, light: Side) -> int:
    """The row with White's half of the bar first, whoever plays the lighter set."""
    return BAR_LIGHT + BAR_DARK - row if row >= POINTS and light is not Side.WHITE else row


def _seen(state: State) -> tuple[int, ...]:
    """The likeliest count of each place by itself."""
    scores = state.sight.evidence.scores
    return tuple(max(of, key=lambda count: of[count], default=0) if of else 0 for of in scores)


def _may_have_played(state: State) -> bool:
    """Whether the mover may have thrown and played before anybody could read the dice."""
    lying = state.sight.dice.without(state.sight.known_dice)
    return state.in_play.early_press is not None or any(die.on_board for die in lying)


def _differences(seen: tuple[int, ...], expected: tuple[int, ...]) -> list[int]:
    return [row for row in range(ROWS) if seen[row] != expected[row]]


def _opponents(seen: tuple[int, ...], expected: tuple[int, ...], sign: int) -> list[int]:
    """Rows where the opponent's checkers, which have ``sign``, differ by more than hits explain."""
    theirs = [max(0, sign * count) for count in seen]
    were = [max(0, sign * count) for count in expected]
    bar = BAR_LIGHT if sign > 0 else BAR_DARK
    blots = [row for row in range(POINTS) if were[row] == 1 and theirs[row] == 0]
    odd = [row for row in range(POINTS) if theirs[row] != were[row] and row not in blots]
    hit = theirs[bar] - were[bar]
    if odd or not 0 <= hit <= len(blots):
        return [*blots, *odd, *([bar] if hit else [])]
    return []


def _kind(state: State, seen: tuple[int, ...]) -> MisplacedKind:
    """Tell a board that was cleared, or set up anew, from single checkers."""
    mover, position, light = state.turn, state.position, state.light
    if mover is None or position is None or light is None:
        return MisplacedKind.MOVED
    expected = state.view(mover, light).counts(position)
    begin = start(state.rules.game)
    if any(seen == state.view(Side.WHITE, side).counts(begin).rows() for side in Side):
        return MisplacedKind.SET_UP_ANEW
    return MisplacedKind.CLEARED if _on_board(seen) < CLEARED * _on_board(expected.rows()) else MisplacedKind.MOVED


def _on_board(rows: tuple[int, ...]) -> int:
    return sum(map(abs, rows))
