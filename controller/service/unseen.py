"""A throw that nobody read, inferred from the play that followed it: how a recording goes on without an arbiter.

At a real table the referee asks. A recording cannot answer, so the likeliest roll is taken: one whose legal end is what
the board shows now, and that agrees with the dice seen on the way. It is set as an arbiter would set it; an ordinary
ruling on the play follows.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.referee.dice import LOOKS_TO_RULE, SURE
from controller.referee.orders import Face, Order, SetRoll
from controller.referee.sight import whole
from controller.referee.state import Phase, State
from controller.rules import ALL_ROLLS, Position, Roll, Side, legal_plays, start

FITS = 6.0
"""Log-likelihood by which an end may fit what is seen worse than the likeliest board, and still be what is seen. A
convention: half of ``CHANGED``."""

CHANGED = 12.0
"""Log-likelihood by which the position before must fit worse: somebody has surely moved. As much as two looks weigh
that agree on another count on one place."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A play that explains the board, and the roll it needs."""

    mover: Side
    roll: Roll
    misfit: float


def orders_for_unseen(state: State, faces: frozenset[int]) -> tuple[Order, ...]:
    """Return the orders that set a throw which was missed and has been played since; none where nothing shows one.

    ``faces`` were seen on dice since the turn began. The turn must be over: no die is left on the board.
    """
    waiting = state.phase in {Phase.OPENING, Phase.TO_THROW}
    lying = any(track.on_board for track in state.sight.dice.tracks)
    if not waiting or lying or state.light is None or not whole(state.sight, LOOKS_TO_RULE):
        return ()
    guesses = list(_guesses(state))
    if not guesses:
        return ()
    best = min(guesses, key=lambda guess: (guess.misfit, -len(faces & {guess.roll.high, guess.roll.low})))
    return tuple(_orders(state, best))


def _guesses(state: State) -> Iterator[Guess]:
    """Every roll whose legal play explains a board that has changed."""
    evidence, rules = state.sight.evidence, state.rules
    if state.light is None:
        return
    sides = (state.turn,) if state.turn else (Side.WHITE, Side.BLACK)
    for mover in sides:
        view = state.view(mover, state.light)
        before: Position = state.position if state.position is not None and state.turn else start(rules.game)
        best = evidence.likeliest(view.checkers, view.checkers, keep=1)[0][1]
        if best - evidence.log_likelihood(view.counts(before)) < CHANGED:
            continue
        for roll in ALL_ROLLS:
            opening = state.phase is Phase.OPENING
            if opening and rules.opening_dice == "use" and roll.high == roll.low:
                continue
            ends = legal_plays(
                before,
                roll,
                rules,
                first_turn=opening or state.first_turn,
                second_player=not opening and state.second_player,
            )
            misfit = min(best - evidence.log_likelihood(view.counts(end)) for end in ends)
            if misfit < FITS:
                yield Guess(mover, roll, round(misfit, 3))


def _orders(state: State, guess: Guess) -> Iterator[SetRoll]:
    """The guessed roll, and before it the opening throw that its mover must have won."""
    high, low = guess.roll.high, guess.roll.low
    if state.phase is Phase.OPENING:
        again = state.rules.opening_dice == "reroll"
        won, lost = (2, 1) if again else (high, low)
        first, second = (won, lost) if guess.mover is Side.WHITE else (lost, won)
        yield SetRoll((Face(first), Face(second)))
        if not again:
            return
    yield SetRoll((Face(high), Face(low)))


def sure_faces(state: State) -> frozenset[int]:
    """Faces that dice on the board surely show now."""
    tracks = state.sight.dice.tracks
    return frozenset(track.face[0] for track in tracks if track.on_board and track.face[1] >= SURE)
