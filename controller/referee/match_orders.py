"""What the arbiter orders about the match and its players, beside the play.

Score, length and clocks, penalties and awards, breaks and seats, claims, and a match that is put aside.
"""

from dataclasses import replace
from typing import assert_never

from controller.clock import Clock, Control, Millis, TimeMethod, late_points
from controller.referee.events import TurnEnd
from controller.referee.games import awarded, finish_game, match_ended
from controller.referee.orders import (
    Adjourn,
    AnswerClaim,
    AwardGame,
    AwardMatch,
    Claim,
    Draw,
    IntroduceClock,
    Late,
    OrderOfMatch,
    OrderRefusedError,
    Penalise,
    Resign,
    SetClock,
    SetLength,
    SetScore,
    Swap,
    TakeBreak,
    Warn,
)
from controller.referee.presses import BY_THE_REFEREE, paused, resumed
from controller.referee.resigning import conceded
from controller.referee.state import GameLog, PauseReason, Phase, State, TurnInPlay
from controller.rules import DRAWN, Ruleset, Score, Side

FORMULA_S_PER_POINT = 120
"""Reserve for a point where the ruleset has no clock of its own: two minutes (WBGF 3.5, US clock rules 2013, 2.1)."""
FORMULA_DELAY_S = 12
"""The delay that goes with it (the same)."""
LONGEST_MATCH = 99


def ordered_of_match(state: State, order: OrderOfMatch) -> State:
    """Carry an order out; raises OrderRefusedError with the key of the reason."""
    match order:
        case SetClock():
            return _set_clock(state, order)
        case SetScore():
            return _set_score(state, order)
        case SetLength():
            return _set_length(state, order)
        case IntroduceClock():
            return _introduce_clock(state, order)
        case Late():
            return _late(state, order)
        case Warn(side=side):
            return replace(state, warnings=(*state.warnings, side))
        case Penalise():
            return _penalise(state, order)
        case AwardGame():
            return _award_game(state, order)
        case AwardMatch():
            return _award_match(state, order)
        case Draw():
            return _draw(state)
        case TakeBreak():
            return _take_break(state, order)
        case Adjourn():
            return _adjourn(state)
        case Swap():
            return swap(state, order)
        case Claim():
            return _claim(state, order)
        case AnswerClaim():
            return _answer_claim(state)
        case _ as never:
            assert_never(never)


def _set_clock(state: State, order: SetClock) -> State:
    """Set one reserve or both."""
    asked = {Side.WHITE: order.white_ms, Side.BLACK: order.black_ms}
    reserves = {side: reserve for side, reserve in asked.items() if reserve is not None}
    _refuse(not reserves, "no_time_given")
    _refuse(min(reserves.values()) < 0, "no_such_time")
    clock, press = state.clock, state.in_play.press
    for side, reserve in reserves.items():
        clock = clock.with_reserve(side, reserve, state.at)
        if press is not None:
            # A press that is undone gives back the clock of before it, but no reserve that was set since.
            press = replace(press, clock_before=press.clock_before.with_reserve(side, reserve, press.at))
    return replace(state, clock=clock, in_play=replace(state.in_play, press=press))


def _set_score(state: State, order: SetScore) -> State:
    """Set the points of a match that goes on: games and resignations end it, not a slip of the finger."""
    score = order.score
    too_many = state.rules.play == "match" and max(score) >= state.rules.length
    _refuse(too_many or min(score) < 0, "no_such_score")
    return replace(state, score=score, game=replace(state.game, score=score))


def _set_length(state: State, order: SetLength) -> State:
    """Play the match to another number of points; nobody has them yet."""
    _refuse(state.rules.play != "match", "no_match_length")
    _refuse(not 1 <= order.points <= LONGEST_MATCH, "no_such_length")
    _refuse(order.points <= max(state.score), "length_is_reached")
    return replace(state, rules=replace(state.rules, length=order.points))


def _introduce_clock(state: State, order: IntroduceClock) -> State:
    """Bring a clock in before a game (US clock rules 2013, 1.1), with the time that the points still to win give.

    The opponent's press starts it, as in any game.
    """
    _refuse(state.clock.control.method is not TimeMethod.NONE, "clock_is_there")
    _refuse(state.phase not in {Phase.SETUP, Phase.OPENING}, "clock_between_games")
    given = [each for each in (order.reserve_ms, order.delay_ms) if each is not None]
    _refuse(bool(given) and min(given) < 0, "no_such_time")
    _refuse(order.reserve_ms is None and state.rules.play != "match", "say_the_reserve")
    rules = _with_clock(state.rules)
    reserve = Millis(rules.reserve_ms(scored=state.score)) if order.reserve_ms is None else order.reserve_ms
    method = TimeMethod(rules.clock)
    delay = Millis(rules.delay_s * 1000) if order.delay_ms is None else order.delay_ms
    clock = Clock.fresh(Control(method, delay), (Side.WHITE, Side.BLACK), reserve)
    return replace(state, rules=rules, clock=clock, turn_end=TurnEnd.PRESS)


def _with_clock(rules: Ruleset) -> Ruleset:
    """The ruleset with its own clock, else with the one of the formula."""
    if rules.clock != "none":
        return replace(rules, turn_end="clock")
    return replace(
        rules,
        turn_end="clock",
        clock="simple_delay",
        delay_s=FORMULA_DELAY_S,
        reserve_s_per_point=FORMULA_S_PER_POINT,
    )


def _late(state: State, order: Late) -> State:
    """Give the opponent what the lateness of ``order.side`` costs: points, or the match (Q22)."""
    _refuse(state.rules.play != "match", "no_match_to_be_late_for")
    _refuse(order.by_ms < 0, "no_such_time")
    points = late_points(order.by_ms, state.rules.length)
    if points is None:
        return match_ended(state, order.side.other, state)
    return awarded(state, order.side.other, points)


def _penalise(state: State, order: Penalise) -> State:
    """Give the opponent of ``order.side`` the points."""
    _refuse(state.rules.play != "match", "no_match_for_points")
    _refuse(order.points < 1, "no_such_points")
    return awarded(state, order.side.other, order.points)


def _award_game(state: State, order: AwardGame) -> State:
    """Score the game as if the other side had conceded it; whether there is contact does not matter."""
    return finish_game(state, order.side, conceded(state, Resign(order.side.other, order.kind)).result)


def _award_match(state: State, order: AwardMatch) -> State:
    """End the match for ``order.side`` at the score as it is."""
    _refuse(state.rules.play != "match", "no_match_to_award")
    return match_ended(state, order.side, state)


def _draw(state: State) -> State:
    """End the game without a winner."""
    _refuse(not state.rules.last_move, "no_draw")
    return finish_game(state, None, DRAWN)


def _take_break(state: State, order: TakeBreak) -> State:
    """Count a break of ``order.side`` and stop both clocks."""
    allowed = state.rules.breaks
    _refuse(bool(allowed) and state.breaks.count(order.side) >= allowed, "no_break_left")
    taken = replace(state, breaks=(*state.breaks, order.side))
    return replace(paused(taken, state.at), paused=PauseReason.BREAK)


def _adjourn(state: State) -> State:
    """Put the match aside: both clocks stand, and what happens on the board counts for nothing until it is resumed."""
    _refuse(state.phase is Phase.DECIDING or state.pressed_at is not None, "ruling_first")
    aside = replace(paused(state, state.at), paused=PauseReason.ADJOURNED)
    return replace(aside, in_play=_without_dice(state.in_play))


def taken_up(state: State) -> State:
    """An adjourned match as it goes on: the board is set up again, and the dice that lie there nobody saw roll."""
    seen = replace(
        state.sight.forgotten(), scene=state.sight.scene, reeds=state.sight.reeds, reeds_at=state.sight.reeds_at
    )
    return resumed(replace(state, sight=replace(seen, strange=True)))


def _without_dice(in_play: TurnInPlay) -> TurnInPlay:
    """The turn with its roll, whose dice will not lie there any more."""
    return replace(in_play, dice=(), own_dice=(), early_press=None, lifted_looks=0)


def swap(state: State, order: Swap) -> State:
    """Exchange names; or, between games, seats or the sets of checkers."""
    if order.what == "names":
        return replace(state, white=state.black, black=state.white)
    between = state.phase is Phase.SETUP and state.game.starter is None
    _refuse(not between, "between_games")
    if order.what == "colours":
        if state.light is None:
            why = "colours_are_seen"
            raise OrderRefusedError(why)
        return replace(state, light=state.light.other, setup_faults=())
    white, black = state.clock.stored_ms
    return replace(
        state,
        white=state.black,
        black=state.white,
        score=_turned(state.score),
        clock=replace(
            state.clock,
            stored_ms=(black, white),
            falls=tuple(replace(fall, side=fall.side.other) for fall in state.clock.falls),
        ),
        finished=tuple(_from_the_other_seat(log) for log in state.finished),
        game=_from_the_other_seat(state.game),
        fallen_flags=tuple(side.other for side in state.fallen_flags),
        warnings=tuple(side.other for side in state.warnings),
        breaks=tuple(side.other for side in state.breaks),
        ended=None,
    )


def _turned(score: Score) -> Score:
    return Score(score.black, score.white)


def _from_the_other_seat(log: GameLog) -> GameLog:
    """A game as if each player had sat in the other's seat: what they did stays theirs.

    Positions are in the mover's numbering, so they stay as they are.
    """
    return replace(
        log,
        openings=tuple((black, white) for white, black in log.openings),
        starter=log.starter and log.starter.other,
        turns=tuple(
            replace(
                turn,
                side=turn.side.other,
                white_ms=turn.black_ms,
                black_ms=turn.white_ms,
                cube=replace(turn.cube, owner=turn.cube.owner and turn.cube.owner.other),
            )
            for turn in log.turns
        ),
        winner=log.winner and log.winner.other,
        score=_turned(log.score),
        cube=tuple(replace(turned, side=turned.side.other) for turned in log.cube),
        penalty=_turned(log.penalty),
        after=log.after and _turned(log.after),
    )


def _claim(state: State, order: Claim) -> State:
    """Stop both clocks until the arbiter has answered ``order`` (US clock rules 2013, 5.2)."""
    _refuse(state.claim is not None, "answer_the_claim")
    _refuse(order.ruling is not None and not 1 <= order.ruling <= state.rulings, "no_such_ruling")
    stands = state.phase is Phase.MATCH_OVER or state.paused not in {None, *BY_THE_REFEREE}
    stopped = state if stands else replace(paused(state, state.at), paused=PauseReason.CLAIM)
    return replace(stopped, claim=order)


def _answer_claim(state: State) -> State:
    """Close the open claim and let the clock that was running run on; the answer itself is in the record."""
    _refuse(state.claim is None, "no_claim_open")
    answered = replace(state, claim=None)
    return resumed(answered) if state.paused is PauseReason.CLAIM else answered


def _refuse(hindered: bool, why: str) -> None:  # noqa: FBT001 - what is asked is whether
    if hindered:
        raise OrderRefusedError(why)
