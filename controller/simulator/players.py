"""The virtual players: what they do next, as a pure function of the table and of what the display shows.

They keep to the house rules of any club: dice stay until the referee has accepted the play, a hand
moves one checker at a time, nobody throws before the display says so.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from controller.adapters.shown import ShownPhase as Phase
from controller.rules import Cube, Side, after_last_move, finished, last_move_due, result, start
from controller.simulator.actions import (
    Action,
    Answers,
    Away,
    Bump,
    GameEnds,
    Helped,
    Lift,
    LiftDice,
    MatchEnds,
    OpeningBegins,
    PlannedFault,
    Press,
    Put,
    Reach,
    Release,
    Rest,
    SawAccepted,
    SawRefused,
    SawVoid,
    SetUp,
    Throw,
    TookRoll,
    TurnBegins,
    Verb,
)
from controller.simulator.arbiter import overrule, play_help, setup_help, throw_help, thrown_faces
from controller.simulator.choice import corrected, first_choice
from controller.simulator.crossing import position_of, table_position
from controller.simulator.layout import BAR, OFF, Place
from controller.simulator.plan import Habits
from controller.simulator.table_state import TIE, Stage, TableState
from controller.simulator.throws import Cup
from controller.simulator.visible import SeenOffer, SeenRuling, Subject, Verdict, VisibleState
from controller.simulator.world import POINTS, Checker, TableDieState, TablePosition, View

THROW_FAULTS = frozenset(
    {
        PlannedFault.COCKED,
        PlannedFault.SPLIT_HALVES,
        PlannedFault.WRONG_HALF,
        PlannedFault.OFF_BOARD,
        PlannedFault.ON_CHECKER,
        PlannedFault.ON_BAR,
        PlannedFault.KESTUM,
    }
)
UNDER_WAY = frozenset({Stage.OPENING, Stage.THROWING, Stage.PLAYING, Stage.PRESENTED})
DROP_LEAD = 0.25
"""By this share of the doubler's pips a player may be behind and still take. A convention: they do not reckon odds."""
JITTER, JITTER_ALONG = 0.04, 0.012
"""How far from the ideal spot people put a checker, in diameters across and along the point."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What somebody is going to do, ``delay_ms`` after they could have begun."""

    action: Action
    delay_ms: int


def intent(state: TableState, seen: VisibleState | None, habits: Habits) -> Intent | None:
    """Return what happens next at the table, None while everybody waits.

    ``seen`` is None while the referee's display is dark; then and in a pause nobody acts.
    """
    if seen is None or seen.phase is Phase.PAUSED:
        return None
    if state.world.pressed is not None:
        return Intent(Release(state.world.pressed), habits.tempo.button)
    if seen.offer is not None:
        answered = state.turn.answered == seen.offer.value
        return None if answered else Intent(_answer(state, seen.offer, habits), habits.tempo.arbiter)
    if _ended_by_word(state, seen) and seen.ended is not None:
        end = seen.ended
        return Intent(GameEnds(end.winner, end.result, end.points), habits.tempo.look)
    return _STAGES[state.stage](state, seen, habits)


def _answer(state: TableState, offer: SeenOffer, habits: Habits) -> Answers:
    """Take the double, or pass it when far behind in the race."""
    mine, theirs = (
        position_of(state.world.position(), side, habits.ruleset.game).pips
        for side in (offer.answers, offer.answers.other)
    )
    return Answers(offer.answers, takes=mine <= theirs * (1 + DROP_LEAD), value=offer.value)


def _ended_by_word(state: TableState, seen: VisibleState) -> bool:
    """Tell whether the game at the table has ended by a word, not by a play: a double passed, a resignation, a flag."""
    ended = seen.ended is not None and seen.ended.game == state.game
    return ended and state.stage in UNDER_WAY and _news(state, seen, Subject.PLAY) is None


def _arriving(state: TableState, _seen: VisibleState, habits: Habits) -> Intent:
    lifting = _lift(state, tuple(Side), habits)
    if lifting is not None:
        return lifting
    if state.world.hand is None:
        return Intent(Reach(Side.WHITE, 0.5, 0.3), habits.tempo.reach)
    return Intent(SetUp(state.game + 1, _start_checkers(state.game + 1, habits)), habits.tempo.carry)


def _setting_up(state: TableState, seen: VisibleState, habits: Habits) -> Intent | None:
    tempo = habits.tempo
    if state.world.hand is not None:
        return Intent(Away(), tempo.away)
    begins = _who_begins(state, habits)
    if seen.phase is Phase.OPENING:
        return Intent(OpeningBegins(), tempo.look)
    if seen.phase is Phase.TO_THROW and seen.side is not None:
        return Intent(TurnBegins(begins or seen.side, 1), tempo.look)
    asked = seen.ruling is not None and seen.ruling.verdict is Verdict.PLEASE_LOOK
    return Intent(setup_help(state, seen, habits), tempo.arbiter if asked else tempo.patience)


def _who_begins(state: TableState, habits: Habits) -> Side | None:
    """Return who has to begin without an opening throw; None when dice or the referee's lot decide."""
    if state.last_winner is None:
        return None
    return {"winner": state.last_winner, "loser": state.last_winner.other}.get(habits.ruleset.next_start)


def _opening(state: TableState, seen: VisibleState, habits: Habits) -> Intent | None:
    tempo, turn = habits.tempo, state.turn
    for side in (Side.WHITE, Side.BLACK):
        if side not in turn.resting:
            return _throw(state, side, (0,), habits) if seen.phase is Phase.OPENING or turn.resting else None
    faces = thrown_faces(state)
    if faces is None:
        return None
    news = _news(state, seen, Subject.THROW)
    if news and (news.verdict is Verdict.RE_ROLL or (faces[0] == faces[1] and news.verdict is Verdict.VALID)):
        return Intent(SawVoid(news.id, news.reason or TIE), tempo.look)
    winner = Side.WHITE if faces[0] > faces[1] else Side.BLACK
    if faces[0] != faces[1] and seen.side is winner:
        if seen.phase is Phase.TO_PLAY and _same(seen.roll, faces):
            return Intent(TookRoll(news.id if news else state.seen_ruling, winner, _ordered(faces)), tempo.look)
        if seen.phase is Phase.TO_THROW and habits.ruleset.opening_dice == "reroll":
            return Intent(TurnBegins(winner, 1), tempo.look)
    if faces[0] != faces[1] and seen.phase is Phase.SETUP:
        # The winner would also get the white set: these players go on with the sets as they lie.
        return Intent(Helped(Verb.START), tempo.arbiter)
    return _ask_about_throw(state, seen, habits)


def _throwing(state: TableState, seen: VisibleState, habits: Habits) -> Intent | None:
    tempo, turn = habits.tempo, state.turn
    if turn.side not in turn.resting:
        may = seen.phase is Phase.TO_THROW and seen.side is turn.side
        return _throw(state, turn.side, (0, 1), habits) if may else _clear(state, tuple(Side), habits)
    news = _news(state, seen, Subject.THROW)
    if news and news.verdict is Verdict.RE_ROLL:
        # The ruling on a call comes while the dice still roll: they are let come to rest before they are taken up.
        called = turn.throw_fault is PlannedFault.KESTUM
        return Intent(SawVoid(news.id, news.reason or ""), tempo.press if called else tempo.look)
    faces = thrown_faces(state)
    if faces and seen.phase is Phase.TO_PLAY and seen.side is turn.side and _same(seen.roll, faces):
        return Intent(TookRoll(news.id if news else state.seen_ruling, turn.side, _ordered(faces)), tempo.look)
    return _ask_about_throw(state, seen, habits)


def _ask_about_throw(state: TableState, seen: VisibleState, habits: Habits) -> Intent:
    """Call the arbiter: at once when the display asks or shows another roll, after a while when it shows nothing."""
    news = _news(state, seen, Subject.THROW)
    asks = seen.phase is Phase.DECIDING or (news is not None and news.verdict is Verdict.PLEASE_LOOK)
    misread = seen.phase is Phase.TO_PLAY
    help_ = Helped(Verb.VOID_THROW) if misread else throw_help(state)
    return Intent(help_, habits.tempo.arbiter if asks or misread else habits.tempo.patience)


def _throw(state: TableState, side: Side, numbers: tuple[int, ...], habits: Habits) -> Intent:
    """Return the next motion towards a throw: old dice go first, then the cup comes, the dice roll and rest."""
    tempo, turn, world = habits.tempo, state.turn, state.world
    over_the_half = (0.77 if side is Side.WHITE else 0.23, 0.3 if side is Side.WHITE else 0.7)
    rolling = any(die.state is TableDieState.ROLLING for die in world.dice_of(side))
    others = tuple(player for player in (side, side.other) if player not in turn.resting)
    if not rolling and (world.hand is None or (world.hand.side, world.hand.u, world.hand.v) != (side, *over_the_half)):
        clearing = _clear(state, others, habits)
        return clearing or Intent(Reach(side, *over_the_half), tempo.throw)
    fault = None
    if turn.number and not turn.attempt:
        fault = habits.due_fault(state.game, turn.number, state.committed, THROW_FAULTS)
    occasion = (state.game, turn.number, turn.attempt, side.value, "throw")
    cup = Cup(world.lifted(side), habits.layout, habits.rng(*occasion))
    dice = cup.throw(side, numbers, fault)
    if dice is None:
        fault, dice = None, cup.throw(side, numbers)
    if dice is None:
        msg = f"no room for {side.value}'s dice on the table"
        raise RuntimeError(msg)
    if rolling and fault is PlannedFault.KESTUM and not turn.called:
        # The thrower's hand is gone by then: dice under it would be seen by nobody.
        return Intent(Away(), tempo.away) if world.hand else Intent(Helped(Verb.KESTUM), tempo.call)
    return (
        Intent(Rest(side, dice, fault), tempo.roll) if rolling else Intent(Throw(side, cup.rolling(dice)), tempo.lift)
    )


def _throw_early(state: TableState, habits: Habits) -> Intent | None:
    """Return the next motion of the opponent's throw before the mover has ended the turn; None when none is due."""
    tempo, turn, world = habits.tempo, state.turn, state.world
    premature = frozenset({PlannedFault.PREMATURE})
    if turn.choice is None or turn.choice.wrong or turn.tries > 1:
        return None
    if habits.due_fault(state.game, turn.number, state.committed, premature) is None:
        return None
    if any(turn.choice.end.count(player, OFF) == habits.ruleset.game.checkers for player in Side):
        return None
    side = turn.side.other
    cup = Cup(world.lifted(side), habits.layout, habits.rng(state.game, turn.number, "early"))
    dice = cup.throw(side, (0, 1))
    if dice is None:
        return None
    over_the_half = (0.77 if side is Side.WHITE else 0.23, 0.3 if side is Side.WHITE else 0.7)
    if any(die.state is TableDieState.ROLLING for die in world.dice_of(side)):
        return Intent(Rest(side, dice, PlannedFault.PREMATURE), tempo.roll)
    if world.hand is None or (world.hand.side, world.hand.u, world.hand.v) != (side, *over_the_half):
        return Intent(Away(), tempo.away) if world.hand else Intent(Reach(side, *over_the_half), tempo.throw)
    return Intent(Throw(side, cup.rolling(dice)), tempo.lift)


def _playing(state: TableState, _seen: VisibleState, habits: Habits) -> Intent | None:
    tempo, turn, world = habits.tempo, state.turn, state.world
    if turn.choice is None:
        bumped = frozenset({PlannedFault.BUMPED_CAMERA})
        if habits.due_fault(state.game, turn.number, state.committed, bumped):
            return Intent(_bump(state.game, habits), tempo.think)
        chosen = corrected(state, habits) if turn.tries else first_choice(state, habits)
        return Intent(chosen, tempo.think)
    if world.held is not None or turn.moves:
        return _carry(state, habits)
    early = _throw_early(state, habits)
    if early is not None:
        return early
    if habits.ruleset.ends_by_press:
        fault = habits.due_fault(state.game, turn.number, state.committed, frozenset({PlannedFault.HAND_IN_VIEW}))
        if fault is not None and not turn.choice.wrong:
            return _press_with_hand(state, fault, habits)
        if world.hand is not None:
            return Intent(Away(), tempo.away)
        return Intent(Press(turn.side), tempo.press)
    lifting = _lift(state, (turn.side,), habits, ends_turn=True)
    if lifting is None:
        return Intent(LiftDice(turn.side, ends_turn=True), tempo.press)
    # After an early throw everybody looks at its dice for a moment.
    return replace(lifting, delay_ms=tempo.press) if turn.early and world.hand is None else lifting


def _bump(game: int, habits: Habits) -> Bump:
    """Knock against the camera's arm: nobody could read the board at its old place, and it stays in view."""
    rng = habits.rng(game, "bump")

    def either(low: float, high: float) -> float:
        return round(rng.choice((-1, 1)) * rng.uniform(low, high), 4)

    return Bump(View(either(0.004, 0.012), either(0.002, 0.008), either(0.1, 0.4), either(0.1, 0.3), either(0.4, 1.5)))


def _press_with_hand(state: TableState, fault: PlannedFault, habits: Habits) -> Intent:
    """Forget one hand over a stack while the other presses the clock."""
    hand = state.world.hand
    place = _crowded(state.world.position(), state.turn.side)
    u, v = _spot(habits, place, 2, state.turn.side)
    if hand is None or (hand.u, hand.v) != (u, v):
        return Intent(Reach(state.turn.side, u, v), habits.tempo.reach)
    return Intent(Press(state.turn.side, fault), habits.tempo.press)


def _crowded(position: TablePosition, side: Side) -> Place:
    """Return the point with the most checkers of ``side``."""
    return max(POINTS, key=lambda place: (position.count(side, place), -place))


def _carry(state: TableState, habits: Habits) -> Intent:
    """Return the next motion of the hand that carries checkers."""
    tempo, turn, world = habits.tempo, state.turn, state.world
    move = turn.moves[0]
    if world.held is None:
        index = world.top(move.side, move.source)
        u, v = _spot(habits, move.source, world.checkers[index].order, move.side)
        if world.hand is None or (world.hand.u, world.hand.v) != (u, v):
            return Intent(Reach(turn.side, u, v), tempo.reach)
        return Intent(Lift(index), tempo.lift)
    order = world.heights()[move.side, move.target]
    left = len(turn.moves)
    rng = habits.rng(state.game, turn.number, turn.tries, left, "put")
    checker = _laid(move.side, move.target, order, rng)
    u, v = _spot(habits, move.target, order, move.side)
    return Intent(Put(world.held, checker, u, v), tempo.carry)


def _presented(state: TableState, seen: VisibleState, habits: Habits) -> Intent | None:
    tempo, turn = habits.tempo, state.turn
    news = _news(state, seen, Subject.PLAY)
    if news and news.verdict in (Verdict.ACCEPTED, Verdict.REFUSED):
        overruling = overrule(state, seen, news)
        if overruling is not None:
            return Intent(overruling, tempo.arbiter)
        accepted = news.verdict is Verdict.ACCEPTED
        return Intent(SawAccepted(news.id) if accepted else SawRefused(news.id), tempo.look)
    if state.world.hand is not None:
        return Intent(Away(), tempo.forget_hand if turn.hand_left else tempo.away)
    if seen.phase in {Phase.TO_THROW, Phase.TO_PLAY} and seen.side is turn.side.other:
        # The arbiter has set board and turn, or the opponent's early throw is ruled on already.
        return Intent(SawAccepted(news.id if news else state.seen_ruling), tempo.arbiter)
    help_ = play_help(state, seen) if news else None
    if help_ is not None:
        return Intent(help_, tempo.arbiter)
    if seen.phase is Phase.TO_PLAY and habits.ruleset.ends_by_press:
        return Intent(Press(turn.side), tempo.patience)
    return None


def _closing(state: TableState, _seen: VisibleState, habits: Habits) -> Intent:
    turn, rules = state.turn, habits.ruleset
    clearing = _clear(state, (turn.side,) if turn.early else tuple(Side), habits)
    if clearing is not None:
        return clearing
    mine = position_of(state.world.position(), turn.side, rules.game)
    theirs = position_of(state.world.position(), turn.side.other, rules.game)
    cube = Cube(state.taken, doubles=1) if state.taken else Cube()
    for _ in range(0 if state.taken else state.ties):
        cube = cube.tied(rules)
    if finished(theirs, rules):
        end = after_last_move(theirs, rules, cube)
        return Intent(GameEnds(turn.side.other if end.points else None, end.kind.value, end.points), 0)
    if finished(mine, rules) and not last_move_due(mine, rules, winner_began=state.starter is turn.side):
        end = result(mine, rules, cube)
        return Intent(GameEnds(turn.side, end.kind.value, end.points), 0)
    return Intent(TurnBegins(turn.side.other, turn.number + 1), 0)


def _game_over(state: TableState, seen: VisibleState, habits: Habits) -> Intent | None:
    rules = habits.ruleset
    enough = rules.play == "match" and max(state.score) >= rules.length
    if state.played >= habits.games or enough or rules.play == "single" or seen.phase is Phase.MATCH_OVER:
        return Intent(MatchEnds(), habits.tempo.look)
    if seen.phase in (Phase.GAME_OVER, Phase.SETUP):
        return _arriving(state, seen, habits)
    return None


def _done(_story: TableState, _seen: VisibleState, _habits: Habits) -> None:
    return None


_STAGES: dict[Stage, Callable[[TableState, VisibleState, Habits], Intent | None]] = {
    Stage.ARRIVING: _arriving,
    Stage.SETTING_UP: _setting_up,
    Stage.OPENING: _opening,
    Stage.THROWING: _throwing,
    Stage.PLAYING: _playing,
    Stage.PRESENTED: _presented,
    Stage.CLOSING: _closing,
    Stage.GAME_OVER: _game_over,
    Stage.DONE: _done,
}


def _news(state: TableState, seen: VisibleState, subject: Subject) -> SeenRuling | None:
    """Return the ruling on the display if it is about ``subject`` and the players have not acted on it yet."""
    ruling = seen.ruling
    return ruling if ruling and ruling.subject is subject and ruling.id != state.seen_ruling else None


def _lift(state: TableState, sides: tuple[Side, ...], habits: Habits, *, ends_turn: bool = False) -> Intent | None:
    """Return the next motion that takes the dice of ``sides`` up, None when none is out."""
    world, tempo = state.world, habits.tempo
    for side in sides:
        die = next((die for die in world.dice_of(side) if die.state is not TableDieState.IN_CUP), None)
        if die is None:
            continue
        if world.hand is None or (world.hand.u, world.hand.v) != (die.u, die.v):
            return Intent(Reach(side, die.u, die.v), tempo.reach)
        return Intent(LiftDice(side, ends_turn), tempo.lift)
    return None


def _clear(state: TableState, sides: tuple[Side, ...], habits: Habits) -> Intent | None:
    """Return the next motion that takes the dice of ``sides`` up and the hand away, None when all is clear."""
    lifting = _lift(state, sides, habits)
    if lifting is None and state.world.hand is not None:
        return Intent(Away(), habits.tempo.away)
    return lifting


def _same(roll: tuple[int, ...] | None, faces: tuple[int, int]) -> bool:
    return roll is not None and sorted(roll) == sorted(faces)


def _ordered(faces: tuple[int, int]) -> tuple[int, int]:
    return (max(faces), min(faces))


def _spot(habits: Habits, place: Place, order: int, side: Side) -> tuple[float, float]:
    spot = habits.layout.spot(place, order, of_white=side is Side.WHITE)
    return spot.u, spot.v


def _laid(side: Side, place: Place, order: int, rng: Random) -> Checker:
    """Return a checker laid down by hand: nearly where it belongs, turned anyhow."""
    across, along = JITTER * rng.uniform(-1.0, 1.0), JITTER_ALONG * rng.uniform(-1.0, 1.0)
    return Checker(side, place, order, round(across, 4), round(along, 4), round(rng.uniform(0.0, 360.0), 1))


def _start_checkers(game: int, habits: Habits) -> tuple[Checker, ...]:
    rng = habits.rng(game, "set up")
    position = table_position(start(habits.ruleset.game), Side.WHITE, habits.ruleset.game)
    return tuple(
        _laid(side, place, order, rng)
        for side in Side
        for place in (*POINTS, BAR, OFF)
        for order in range(position.count(side, place))
    )
