"""Laws of a match that hold whatever happens, checked after each event from the events and what everybody can see.

They keep their own books: who had how much time, what was undone, what was won. Nothing here asks the referee whether
it was right.
"""

from dataclasses import dataclass, field
from typing import Any

from controller.clock import EXTRA_RESERVE_MS, Clock, TimeMethod
from controller.referee.events import (
    LATE_MS,
    BoardChecked,
    Button,
    Device,
    DeviceChanged,
    Event,
    Looked,
    Ordered,
    Pressed,
    ReedsChanged,
    Restarted,
    RollingDice,
    Scene,
    SceneChanged,
    SlotDoubted,
    Ticked,
)
from controller.referee.fold import fold
from controller.referee.orders import (
    Beaver,
    CallKestum,
    Confirm,
    Correct,
    Double,
    OrderRefusedError,
    Pass,
    Pause,
    Refuse,
    Resign,
    SetRoll,
    SetScore,
    Start,
    Take,
    Undo,
    VoidThrow,
)
from controller.referee.presses import GIVEN_BACK_MS
from controller.referee.state import PauseReason, Phase, State
from controller.rules import Position, Side, check_position
from tests.referee.tabletop import Table

LEAVES_THE_RESERVES = (
    Beaver, CallKestum, Confirm, Correct, Double, Pass, Pause, Refuse, Resign, SetRoll, SetScore, Start, Take,
    VoidThrow,
)  # fmt: skip
"""Orders that move no more time than what happens at the table does; the others may set clocks, or take that back."""
SIDE_OF = {Button.WHITE: Side.WHITE, Button.BLACK: Side.BLACK}
SAYS_NOTHING_OF_TIME = (BoardChecked, DeviceChanged, ReedsChanged, RollingDice, SceneChanged, SlotDoubted, Ticked)
"""Events that move no clock unless something is ruled, or a flag falls."""
IN_A_TURN = {Phase.TO_THROW, Phase.TO_PLAY, Phase.DECIDING}


@dataclass
class WatchedTable(Table):
    """A table at which every event is checked against the laws."""

    finished_turns: int = 0
    finished_games: int = 0
    flags: int = 0
    _time: "TimeBook" = field(init=False)
    _undo: "UndoBook" = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._time, self._undo = TimeBook(), UndoBook()

    def happens(self, event: Event) -> None:
        """Fold one event and check what it changed."""
        before = self.state
        super().happens(event)
        after = self.state
        self.finished_turns += turns_of(after) > turns_of(before)
        self.finished_games += len(after.finished) > len(before.finished)
        fallen = after.flag is not None and before.flag is None
        self.flags += fallen or len(after.fallen_flags) > len(before.fallen_flags)
        check_counts(after)
        check_clock(after)
        check_phase(after)
        check_results(before, event, after)
        check_quiet(before, event, after)
        self._time.check(before, event, after)
        self._undo.note(before, event, after)

    def check_undo(self) -> None:
        """See what an order to take back would do now, without giving it."""
        self._undo.check(self.state)


def turns_of(state: State) -> int:
    """Turns that stand in the whole match."""
    return sum(len(game.turns) for game in state.games)


def check_counts(state: State) -> None:
    """Each side has all its checkers, on points, bar and beside the board, in every position of the match."""
    turns = [(turn.before, turn.after) for game in state.games for turn in game.turns[-2:]]
    for position in (position for pair in turns for position in pair):
        assert checkers(position) == (state.rules.game.checkers,) * 2
    if state.position is not None:
        check_position(state.position, state.rules.game)
        assert checkers(state.position) == (state.rules.game.checkers,) * 2


def checkers(position: Position) -> tuple[int, int]:
    """The mover's and the opponent's checkers."""
    own = sum(count for count in position.points if count > 0) + position.bar[0] + position.off[0]
    other = sum(-count for count in position.points if count < 0) + position.bar[1] + position.off[1]
    return own, other


def check_clock(state: State) -> None:
    """A clock runs only while somebody has a turn, and then theirs, or the opponent's after a press or a double."""
    clock = state.clock
    if state.paused or state.phase is Phase.MATCH_OVER:
        assert clock.running is None
    if state.phase in {Phase.SETUP, Phase.OPENING, Phase.MATCH_OVER}:
        assert clock.turn is None
    if state.phase is Phase.DECIDING and clock.turn:
        assert state.paused
    if state.paused is PauseReason.PLEASE_LOOK:
        assert state.phase is Phase.DECIDING
    if clock.turn is None or state.turn is None:
        return
    offered = state.cube.answerer is state.turn.other
    over = state.pressed_at is not None or offered
    assert clock.turn is (state.turn.other if over else state.turn)


def check_phase(state: State) -> None:
    """What a phase promises is there."""
    under_way = state.phase in {Phase.TO_PLAY, Phase.DECIDING}
    # An opening throw that is played waits for the sets to be exchanged where it decides about them too.
    waits = state.phase is Phase.SETUP and state.game.starter is not None
    assert (state.roll is not None) == under_way or state.phase is Phase.MATCH_OVER or waits
    if under_way or state.phase is Phase.TO_THROW:
        assert state.turn is not None
        assert state.position is not None
        assert state.light is not None
    if state.cube.offered_by is not None and state.phase is not Phase.MATCH_OVER:
        assert state.phase is Phase.TO_THROW
    if state.rules.play == "match" and max(state.score) >= state.rules.length:
        assert state.phase is Phase.MATCH_OVER


def check_results(before: State, event: Event, after: State) -> None:
    """Games that are over stay so, and points that were won stay won, unless the arbiter says otherwise."""
    if isinstance(event, Ordered):
        return
    assert after.finished[: len(before.finished)] == before.finished, "a game that was over is not"
    assert all(new >= old for new, old in zip(after.score, before.score, strict=True)), "points are lost"
    assert len(after.game.turns) >= len(before.game.turns) or after.game.number != before.game.number
    if before.phase is Phase.MATCH_OVER:
        in_time = isinstance(event, Pressed) and before.flag is not None and event.at < before.flag.at_ms
        assert after.phase is Phase.MATCH_OVER or in_time, "a match that was over goes on"


def check_quiet(before: State, event: Event, after: State) -> None:
    """What says nothing about turns and time leaves the clock alone, delay and all."""
    if isinstance(event, SAYS_NOTHING_OF_TIME) and after.rulings == before.rulings and after.phase is before.phase:
        flags = after.fallen_flags == before.fallen_flags
        assert after.clock == before.clock or not flags, f"{event.kind} changes the clock"
    free = after.clock.delay_left(after.at)
    assert 0 <= free <= before.clock.control.delay_ms or after.clock.control != before.clock.control


Reserves = dict[Side, int]


class TimeBook:
    """Who had how much time.

    Between two events only the side whose clock runs pays, first with its delay, then with its reserve. What an event
    itself moves in the reserves (a press that counts from the finger, a press undone) has its bounds here.
    """

    def __init__(self) -> None:
        self.first_look: int | None = None
        """When the first look since the scene last moved was taken."""
        self.fingers: dict[Side, int] = {}
        """When each side pressed first in the turn under way."""
        self.ran_since_press = 0
        """How long the opponent's clock has run for a press that is still to be ruled on."""
        self.out_of_time: set[Side] = set()
        """Sides that have been seen to use up their time."""

    def check(self, before: State, event: Event, after: State) -> None:
        """Check what ``event`` has done to both reserves."""
        self._see(before, event, after)
        had, left = reserves(before), reserves(after)
        restarted = isinstance(event, Restarted)
        passed = 0 if restarted else after.at - before.at
        expected = after_time(before, had, passed)
        for side in Side:
            if expected[side] <= 0 and before.clock.running is side:
                self.out_of_time.add(side)
        if before.in_play.press and before.clock.running and before.clock.running is not before.turn:
            self.ran_since_press += passed
        self._check_flag(before, event, after)
        moved = {side: left[side] - max(0, expected[side]) for side in Side}
        for side in Side:
            if self._set_by_the_rules(side, before, event, after):
                if left[side] > 0:
                    self.out_of_time.discard(side)
                continue
            most = self._may_gain(side, before, event, after)
            least = self._may_lose(side, before, event, after)
            assert moved[side] <= most, f"{side.value} is given {moved[side]} ms, at most {most} may be"
            assert -moved[side] <= least, f"{-moved[side]} ms are taken from {side.value}, at most {least} may be"
        self._check_sum(before, event, after, moved, expected)
        self._forget(before, after)

    def _see(self, before: State, event: Event, after: State) -> None:
        match event:
            case SceneChanged(scene=scene) if scene is not Scene.QUIET:
                self.first_look = None
            case DeviceChanged(device=Device.CAMERA, up=False):
                self.first_look = None
            case Looked(at=at):
                self.first_look = at if self.first_look is None else self.first_look
            case Restarted():
                self.first_look = None
                self.fingers.clear()
            case Pressed(button=button) if button in SIDE_OF:
                self.fingers.setdefault(SIDE_OF[button], self._finger(before, event, after))

    @staticmethod
    def _finger(before: State, event: Pressed, after: State) -> int:
        """When the press counts."""
        return max(event.at, max(before.at, after.at) - LATE_MS)

    def _forget(self, before: State, after: State) -> None:
        if after.in_play.press is None:
            self.ran_since_press = 0
        elif before.in_play.press is None:
            self.ran_since_press = after.at - after.in_play.press.at
        if (after.turn, after.game.number, len(after.game.turns)) != (
            before.turn,
            before.game.number,
            len(before.game.turns),
        ):
            self.fingers.clear()

    def _set_by_the_rules(self, side: Side, before: State, event: Event, after: State) -> bool:
        """Whether somebody says what the clock shows: the arbiter, or the rules after a flag that cost points."""
        if isinstance(event, Ordered) and not isinstance(event.order, LEAVES_THE_RESERVES):
            return True
        if after.fallen_flags.count(side) > before.fallen_flags.count(side):
            assert reserves(after)[side] <= EXTRA_RESERVE_MS
            return True
        return False

    def _lateness(self, before: State, event: Event, after: State) -> int:
        """How long before now the thing happened that may change who pays."""
        now, bounds = after.at, [0]
        if isinstance(event, Pressed):
            bounds.append(now - self._finger(before, event, after))
        pressed = self.fingers.get(before.turn) if before.turn else None
        if pressed is not None and before.phase is Phase.TO_THROW:
            # A press before the throw was read: back to the finger, if the camera saw nothing, else to the first look.
            seen = now if self.first_look is None else self.first_look
            bounds.append(now - pressed if before.blind else min(now - pressed, now - seen + GIVEN_BACK_MS))
        bounds.append(self._won_before(before, event, after))
        return max(bounds)

    def _won_before(self, before: State, event: Event, after: State) -> int:
        """How long ago the last checker was borne off: at the first look that shows it."""
        won = isinstance(event, Looked) and len(after.finished) > len(before.finished)
        return after.at - self.first_look if won and self.first_look is not None else 0

    def _may_gain(self, side: Side, before: State, event: Event, after: State) -> int:
        late = both_ways(before.clock) * self._lateness(before, event, after)
        undone = self._undone(before, side) if before.turn is side.other or both_ways(before.clock) > 1 else 0
        return max(late, undone) + bonus(before.clock)

    def _may_lose(self, side: Side, before: State, event: Event, after: State) -> int:
        late = both_ways(before.clock) * self._lateness(before, event, after)
        undone = self._undone(before, side) if before.turn is side or both_ways(before.clock) > 1 else 0
        return max(late, undone) + bonus(before.clock)

    def _undone(self, before: State, side: Side) -> int:
        """What a press that is undone moves in the reserve of ``side``.

        The opponent gets back what has run for it. The mover pays for that, but for the time that the referee needs.
        """
        if before.in_play.press is None or before.turn is None:
            return 0
        paid = max(0, self.ran_since_press - GIVEN_BACK_MS)
        if both_ways(before.clock) > 1:
            return self.ran_since_press + paid
        return paid if before.turn is side else self.ran_since_press

    def _check_sum(self, before: State, event: Event, after: State, moved: Reserves, expected: Reserves) -> None:
        """Where there is no delay: what one side is given the other pays, but for the bounds that are stated."""
        method = before.clock.control.method
        if method not in {TimeMethod.SUDDEN_DEATH, TimeMethod.HOURGLASS}:
            return
        if any(self._set_by_the_rules(side, before, event, after) for side in Side):
            return
        overdrawn = -min(0, *expected.values())
        given = sum(moved.values())
        assert given >= -overdrawn, f"{-given} ms are taken from both sides that did not pass"
        paused_late = LATE_MS if isinstance(event, Pressed) else 0
        last_checker = self._won_before(before, event, after)
        undone = GIVEN_BACK_MS if before.in_play.press and not after.in_play.press else 0
        most = max(paused_late, last_checker, undone)
        assert given <= most, f"{given} ms are given to both sides, at most {most} may be"

    def _check_flag(self, before: State, event: Event, after: State) -> None:
        """No flag counts without its own player having had the time, and none over a press in time."""
        new = [after.flag.side] if after.flag and not before.flag else []
        new += [side for side in Side if after.fallen_flags.count(side) > before.fallen_flags.count(side)]
        for side in new:
            assert side in self.out_of_time, f"the flag of {side.value} falls with time left"
        if isinstance(event, Pressed) and before.flag is not None and before.phase is Phase.MATCH_OVER:
            in_time = event.at < before.flag.at_ms and max(before.at, event.at) - event.at <= LATE_MS
            ran = before.ended is not None and before.ended.clock.running is before.flag.side
            if in_time and ran and SIDE_OF.get(event.button) is before.flag.side:
                assert after.phase is not Phase.MATCH_OVER, "a press in time is not heard"


def reserves(state: State) -> Reserves:
    """What each side has left now."""
    return {side: state.clock.reserve(side, state.at) for side in Side}


def after_time(state: State, had: Reserves, passed: int) -> Reserves:
    """Each side's reserve once ``passed`` ms have gone by and nothing has happened; below zero where time is over."""
    left = dict(had)
    side, method = state.clock.running, state.clock.control.method
    if side is None or method is TimeMethod.NONE:
        return left
    free = state.clock.delay_left(state.at) if method is TimeMethod.SIMPLE_DELAY else 0
    left[side] -= max(0, passed - free)
    if method is TimeMethod.HOURGLASS:
        left[side.other] += min(passed, had[side])
    return left


def bonus(clock: Clock[Side]) -> int:
    """What the end of a turn may move in a reserve by itself: an increment, or a delay that is given back."""
    gives = {TimeMethod.FISCHER, TimeMethod.BRONSTEIN, TimeMethod.BRONSTEIN_CREDIT}
    return clock.control.delay_ms if clock.control.method in gives else 0


def both_ways(clock: Clock[Side]) -> int:
    """How often a moment counts that one side pays instead of the other: an hourglass also runs back."""
    return 2 if clock.control.method is TimeMethod.HOURGLASS else 1


Essentials = dict[str, Any]


def essentials(state: State) -> Essentials:
    """What matters of a state when it has come back: everything of the game but clocks, sensors and rulings."""
    return {
        "turn": state.turn,
        "position": state.position,
        "roll": state.roll,
        "rest": state.in_play.rest,
        "turns": state.game.turns,
        "game": state.game.number,
        "starter": state.game.starter,
        "cube": (state.cube.value, state.cube.owner),
        "turned": [turned for turned in state.game.cube if turned.action != "double"],
        "first home": state.first_home,
        "finished": state.finished,
        "winner": None,
    }


class UndoBook:
    """What the state was before each finished turn of the game, and before the game or the match ended."""

    def __init__(self) -> None:
        self.before_turn: dict[tuple[int, int], Essentials] = {}
        self.before_end: Essentials | None = None
        self.score: tuple[int, int] | None = None
        """The score before the end; None once somebody has set another."""
        self.ordered = False
        """Whether something was ordered since a turn, a game or the match ended: then that is taken back first."""

    def note(self, before: State, event: Event, after: State) -> None:
        """Keep what ``event`` has ended."""
        ordered = isinstance(event, Ordered)
        ended = len(after.finished) > len(before.finished)
        over = after.phase is Phase.MATCH_OVER and before.phase is not Phase.MATCH_OVER
        if ended or over:
            self.before_end, self.score = essentials(before), tuple(before.score)
            self.ordered = ordered
        elif after.phase not in {Phase.SETUP, Phase.MATCH_OVER}:
            self.before_end = None
        if after.game.number == before.game.number and len(after.game.turns) == len(before.game.turns) + 1:
            self.before_turn[after.game.number, len(after.game.turns)] = essentials(before)
            self.ordered = ordered
            if over:
                self.before_end = None
        self.ordered = self.ordered or ordered

    def check(self, state: State) -> None:
        """Take the last turn, game or match back on a state of its own, and see that all is as it was."""
        if self.ordered:
            return
        try:
            undone, _ = fold(state, Ordered(state.at, "arbiter", Undo()))
        except OrderRefusedError:
            assert self.before_end is None, "the end of a game cannot be taken back"
            assert state.phase not in IN_A_TURN or not state.game.turns, "a turn cannot be taken back"
            return
        now = essentials(undone)
        if state.phase in {Phase.SETUP, Phase.MATCH_OVER}:
            if self.before_end is not None:
                same(now, self.before_end)
                assert self.score is None or tuple(undone.score) == self.score
        elif (known := self.before_turn.get((state.game.number, len(state.game.turns)))) is not None:
            same(now, known)
        assert undone.phase is not Phase.MATCH_OVER
        assert undone.winner is None
        running = undone.clock.running
        assert running is None or running is undone.turn or undone.cube.offered_by is not None


def same(now: Essentials, before: Essentials) -> None:
    """Fail with what is not as it was."""
    other = [name for name in now if now[name] != before[name]]
    assert not other, f"not as it was: {', '.join(other)}"
