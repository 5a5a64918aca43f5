"""The frame around the turns: a game is set up, begins, ends and is scored; the next one or the match's end follows."""

from dataclasses import replace
from hashlib import sha256
from math import exp

from controller.fusion.evidence import Evidence
from controller.referee.dice import SURE
from controller.referee.events import Pressed, TurnEnd
from controller.referee.presses import SIDES, finger, handed_to, turn_ended
from controller.referee.rulings import PlayVerdict
from controller.referee.sight import whole, with_known_dice
from controller.referee.state import GameLog, Phase, Sight, State, Turn, TurnInPlay
from controller.rules import (
    ALL_ROLLS,
    Cube,
    GameResult,
    Play,
    Played,
    Position,
    PositionError,
    Side,
    TooManyEndsError,
    after_last_move,
    check_position,
    finished,
    first_to_move,
    last_move_due,
    left_over,
    legal_plays,
    legal_rest,
    match_over,
    match_winner,
    result,
    start,
)

LOOKS_TO_START = 2


LOG_SETUP_PRIOR = 7.0
"""A board that nearly shows the start position shows it: about a thousand to one against any other single position."""


def check_setup(state: State) -> State:
    """Begin the game when the start position is seen; else say which places differ from it."""
    if not whole(state.sight, LOOKS_TO_START):
        return state
    evidence = state.sight.evidence
    light, weight = _likeliest_colours(state, evidence, _colours(state))
    if weight < SURE:
        return replace(state, setup_faults=_differences(state, evidence, light), sets_kept=False)
    if _sets_swap(state) and light is state.light:
        return replace(state, setup_faults=(), sets_kept=True)
    return begin_game(replace(state, light=light, setup_faults=()))


def _sets_swap(state: State) -> bool:
    """Whether the players exchange their sets for the game that is being set up (003:L15)."""
    between = bool(state.finished) and state.game.starter is None
    return between and state.light is not None and state.rules.next_start == "swap_black"


def begin_as_it_lies(state: State) -> State:
    """Begin the game at the arbiter's word, whatever the camera says.

    Where the sets change hands, they are as they lie.
    """
    light = state.light or Side.WHITE
    if state.game.starter is not None or _sets_swap(state):
        light, _ = _likeliest_colours(state, state.sight.evidence, tuple(Side))
    return begin_game(replace(state, light=light, setup_faults=()))


def _likeliest_colours(state: State, evidence: Evidence, may: tuple[Side, ...]) -> tuple[Side, float]:
    """Return the side that most likely plays the lighter set, and how likely the start position then is."""
    return max(((side, _start_weight(state, evidence, side)) for side in may), key=lambda weighed: weighed[1])


def _colours(state: State) -> tuple[Side, ...]:
    """Who may play the lighter set: known from the first game on, unless colours change from game to game."""
    decided = state.game.starter is not None
    settled = state.light is not None and (decided or state.rules.next_start != "swap_black")
    return (state.light,) if settled and state.light else (Side.WHITE, Side.BLACK)


def _start_weight(state: State, evidence: Evidence, light: Side) -> float:
    """Probability of the start position with ``light`` playing the lighter set."""
    view = state.view(Side.WHITE, light)
    expected = view.counts(start(state.rules.game))
    here = evidence.log_likelihood(expected) + LOG_SETUP_PRIOR
    others = [w for counts, w in evidence.likeliest(view.checkers, view.checkers) if counts != expected]
    best = max(here, *others) if others else here
    return exp(here - best) / (exp(here - best) + sum(exp(w - best) for w in others))


def _differences(state: State, evidence: Evidence, light: Side) -> tuple[tuple[int, int, int], ...]:
    """Return (row, seen, expected) in White's signs for each place that differs."""
    view = state.view(Side.WHITE, light)
    expected = view.counts(start(state.rules.game)).rows()
    seen = evidence.likeliest(view.checkers, view.checkers, keep=1)[0][0].rows()
    sign = 1 if light is Side.WHITE else -1
    return tuple(
        (row, sign * got, sign * want)
        for row, (got, want) in enumerate(zip(seen, expected, strict=True))
        if got != want
    )


def begin_game(state: State) -> State:
    """The board is set up: the opening throw comes, unless it was thrown or the rules say who starts (000:L121)."""
    fixed = state.game.starter or _fixed_starter(state)
    state = replace(state, ended=None, sets_kept=False)
    # What lies there already belongs to the game before.
    state = with_known_dice(state, state.sight.dice.tracks)
    if fixed is None:
        return replace(state, phase=Phase.OPENING, turn=None, position=None)
    game = replace(state.game, starter=fixed)
    # An opening throw whose dice are played was thrown before the sets changed hands.
    phase = Phase.TO_PLAY if state.in_play.roll else Phase.TO_THROW
    return replace(state, phase=phase, turn=fixed, position=start(state.rules.game), game=game)


def _fixed_starter(state: State) -> Side | None:
    """Who starts where no dice decide it; None where they do."""
    last = state.finished[-1] if state.finished else None
    match first_to_move(state.rules, Played(last.starter, last.winner) if last else None):
        case Side() as side:
            return side
        case "random":
            return _drawn_by_lot(state)
        case "throw":
            return None


def _drawn_by_lot(state: State) -> Side:
    """A coin for each game of the match: every bit of a digest of the match's own number is as good as any."""
    if state.seed is None:
        # Journals from before matches had a number are replayed as they were played.
        return Side.WHITE if state.at % 2 else Side.BLACK
    digest = sha256(f"{state.seed}:{state.game.number}".encode()).digest()
    return Side.WHITE if digest[0] % 2 else Side.BLACK


def can_stand(state: State, after: Position) -> bool:
    """Whether the game can go on from ``after`` (in the mover's numbering), or end with it."""
    try:
        check_position(after, state.rules.game)
    except PositionError:
        return False
    # The opponent has nothing left only while the mover has the last turn.
    return (after.off[1] == state.rules.game.checkers) is (state.first_home is not None)


def ends_game(state: State, after: Position) -> bool:
    """Whether the game is over when the mover has borne off everything with ``after``."""
    if not finished(after, state.rules):
        return False
    began = state.game.starter is state.turn
    return state.first_home is not None or not last_move_due(after, state.rules, winner_began=began)


def finish_turn(state: State, after: Position, play: Play | None, verdict: PlayVerdict) -> State:
    """Record the turn and give it to the opponent, or end the game when the mover has borne off the last checker."""
    if state.turn is None or state.position is None or (state.roll is None and after != state.position):
        msg = "no turn is under way"
        raise ValueError(msg)
    mover = state.turn
    turn = Turn(
        len(state.game.turns) + 1,
        mover,
        state.roll,
        play,
        verdict,
        state.position,
        after,
        state.in_play.voids,
        state.in_play.refused,
        state.clock.reserve(Side.WHITE, state.at),
        state.clock.reserve(Side.BLACK, state.at),
        state.in_play.rest,
        state.cube,
    )
    rest, costs_delay = _handed_over(state, after, play), state.in_play.delay_claimed
    # Who has played the rest of a cascade throws their own dice next.
    following = mover if state.in_play.rest else mover.other
    state = replace(state, game=replace(state.game, turns=(*state.game.turns, turn)), done=None)
    if state.first_home is not None:
        outcome = after_last_move(after.turned(state.rules.game), state.rules, state.cube)
        return finish_game(state, state.first_home if outcome.points else None, outcome)
    if ends_game(state, after):
        return finish_game(state, mover, result(after, state.rules, state.cube))
    if finished(after, state.rules):
        state = replace(state, first_home=mover)
    clock = handed_to(state.clock, following, state.at)
    return replace(
        with_known_dice(state, state.in_play.dice),
        phase=Phase.TO_PLAY if rest else Phase.TO_THROW,
        turn=following,
        position=after if following is mover else after.turned(state.rules.game),
        in_play=TurnInPlay(turn.roll, rest=rest) if rest else TurnInPlay(),
        clock=clock.forfeit_delay(state.at) if costs_delay and following is not mover else clock,
    )


def passed_without_throw(state: State, event: Pressed) -> State | None:
    """The state in which a closed-out player's press has ended their turn; None where it is another press.

    No throw could enter a checker, so none is needed. Dice that lie there are nobody's throw.
    """
    mover, position = state.turn, state.position
    if mover is None or position is None or SIDES.get(event.button) is not mover or state.turn_end is not TurnEnd.PRESS:
        return None
    waits = state.phase is Phase.TO_THROW and state.paused is None and state.cube.offered_by is None
    if not waits or not _closed_out(state, position):
        return None
    pressed = turn_ended(state, finger(state, event))
    lying = tuple(track for track in state.sight.dice.tracks if track.on_board)
    return finish_turn(with_known_dice(pressed, lying), position, Play(()), PlayVerdict.ACCEPTED)


def _closed_out(state: State, position: Position) -> bool:
    """Whether the mover has a checker on the bar that no throw can bring in."""
    turn = {"first_turn": state.first_turn, "second_player": state.second_player}
    return position.bar[0] > 0 and all(
        legal_plays(position, roll, state.rules, **turn).keys() == {position} for roll in ALL_ROLLS
    )


def _handed_over(state: State, after: Position, play: Play | None) -> tuple[int, ...]:
    """The dice that the opponent goes on with where the mover got stuck in a doubles cascade (004:L42).

    What they cannot play either lapses, and so does the rest of a play that nobody can name.
    """
    if state.roll is None or play is None or state.in_play.rest:
        return ()
    rest = left_over(state.roll, play, after, state.rules, throw=state.throws + 1)
    theirs = after.turned(state.rules.game)
    try:
        return rest if rest and legal_rest(theirs, rest, state.rules).keys() != {theirs} else ()
    except TooManyEndsError:
        return rest


def unfinished_turn(state: State) -> State:
    """The state without anything that belongs to the turn under way but whose it is and from where."""
    withdrawn = (state.cube.offered_by is not None) + state.cube.beavered + state.cube.raccooned
    return replace(
        state,
        game=replace(state.game, cube=state.game.cube[: len(state.game.cube) - withdrawn]),
        in_play=TurnInPlay(voids=state.in_play.voids),
        ruling=None,
        cube=replace(state.cube, offered_by=None, beavered=False, raccooned=False),
        sight=replace(state.sight, early_dice=(), asked=False),
    )


def awarded(state: State, side: Side, points: int) -> State:
    """Give ``side`` points beside those of a game, which may win the match."""
    before, score, game = state, state.score.plus(side, points), state.game
    if state.phase is Phase.SETUP:
        game = replace(game, score=score)
    else:
        game = replace(game, penalty=game.penalty.plus(side, points))
    state = replace(state, score=score, game=game)
    winner = match_winner(state.rules, score)
    return state if winner is None else match_ended(state, winner, before)


def match_ended(state: State, winner: Side, before: State) -> State:
    """End the match where it stands, the game under way too; ``before`` is what comes back if that is taken back."""
    stopped = state.clock.stopped(state.at)
    ended = replace(before, ended=None)
    return replace(state, phase=Phase.MATCH_OVER, winner=winner, clock=stopped, paused=None, ended=ended, done=None)


def next_game(state: State) -> State:
    """The match that was taken for won goes on: its next game is set up."""
    game = GameLog(state.game.number + 1, score=state.score)
    return replace(state, phase=Phase.SETUP, winner=None, game=game)


def finish_game(state: State, winner: Side | None, outcome: GameResult) -> State:
    """Score the game, ``winner`` None being a draw; set up the next one unless the match is won."""
    score = state.score.plus(winner, outcome.points)
    game = replace(state.game, winner=winner, result=outcome, after=score)
    over = match_over(state.rules, score)
    return replace(
        state,
        score=score,
        finished=(*state.finished, game),
        game=game if over else GameLog(game.number + 1, score=score),
        phase=Phase.MATCH_OVER if over else Phase.SETUP,
        winner=winner if over else None,
        clock=state.clock.stopped(state.at),
        turn=None,
        position=None,
        in_play=TurnInPlay(),
        cube=Cube(),
        first_home=None,
        paused=None,
        done=None,
        # A game that is awarded before it begins does not hide the end of the one before.
        ended=replace(
            state, ended=state.ended if state.phase is Phase.SETUP else None, clock=state.clock.pause(state.at)
        ),
        sight=Sight(
            scene=state.sight.scene,
            reeds=state.sight.reeds,
            evidence=Evidence(),
            false_dice=state.sight.false_dice,
            thrown=state.sight.thrown,
            dice_colours=state.sight.dice_colours,
        ),
    )
