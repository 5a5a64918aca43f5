"""The throw cases R01 to R14 as pictures: drawn frames, the real camera adapter and loop, the service, its ruling.

The dice are those of the virtual table: about 22 pixels across in 1280x720; a cocked one leans by 39 degrees or more.
What is expected is the ruling of the case itself, never merely that nothing wrong was said; where the dice lie is known
because the picture was drawn from it. ``tests/referee`` has the same cases as lists of events.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from controller.adapters.camera import CameraAdapter, tracker_of
from controller.clock import Millis
from controller.referee.dice import VoidReason
from controller.referee.events import Button, MatchOpened, Pressed, TurnEnd
from controller.referee.orders import CallKestum, Correct, Order, Start
from controller.referee.rulings import PlayRuling, PlayVerdict, Ruling, ThrowOutcome, ThrowRuling
from controller.referee.state import PauseReason, Phase, State
from controller.rules import Position, Roll, Ruleset, Side, house_rules, legal_plays, ruleset, start
from controller.service.replaying import Replay
from controller.simulator.actions import PlannedFault
from controller.simulator.camera import VirtualCamera
from controller.simulator.layout import Place
from controller.simulator.throws import Cup
from controller.simulator.world import Checker, Die, Hand, TableDieState, World
from vision.board.geometry import BoardPose, Frame
from vision.camera.motion import SceneWatch
from vision.checkers.reader import CheckerReader
from vision.dice.reader import DiceReader

pytestmark = pytest.mark.slow  # loads the networks

FRAME_MS = 200
LOOKS = 4


@dataclass(frozen=True)
class Instruments:
    """The camera and the readers; they keep nothing from one case to the next."""

    camera: VirtualCamera
    checkers: CheckerReader
    dice: DiceReader


@pytest.fixture(scope="module")
def instruments() -> Instruments:
    return Instruments(VirtualCamera(), CheckerReader(), DiceReader())


def laid(white: Position, rules: Ruleset) -> World:
    """The checkers of ``white`` (in White's own numbering) on the table, nothing else."""
    checkers = [
        Checker(Side.WHITE if count > 0 else Side.BLACK, Place(number), order)
        for number, count in enumerate(white.points, 1)
        for order in range(abs(count))
    ]
    assert len(checkers) == 2 * rules.game.checkers
    return World(tuple(checkers))


OPEN: list[Replay[Frame]] = []


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """End the camera loops of a case with it."""
    yield
    while OPEN:
        OPEN.pop().close()


@dataclass
class Table:
    """A board before the real camera adapter; time goes on from frame to frame."""

    instruments: Instruments
    rules: Ruleset
    world: World = field(init=False)
    rulings: list[Ruling] = field(default_factory=list)
    now: int = 1_000

    def __post_init__(self) -> None:
        camera = self.instruments.camera
        pose = BoardPose(camera.corners_px, camera.shape, camera.size)
        tracker = tracker_of(pose, None)
        sight = CameraAdapter(tracker, self.instruments.checkers, self.instruments.dice, SceneWatch)
        opened = MatchOpened(Millis(self.now), self.rules.name, self.rules, "White", "Black", TurnEnd.PRESS)
        self.replay = Replay(sight, opened)
        OPEN.append(self.replay)
        self.world = laid(start(self.rules.game), self.rules)
        # White is to throw; the case is about the throw, not about how one came there.
        self.order(Start())
        self.order(Correct(start(self.rules.game), Side.WHITE))
        self.finger(Side.BLACK)
        self.shows(self.world)

    @property
    def state(self) -> State:
        return self.replay.state

    def order(self, order: Order) -> str | None:
        """Give an order and return why it was refused."""
        rulings, answer = self.replay.order(order)
        self.rulings += rulings
        return answer.refused

    def finger(self, side: Side) -> None:
        self.now += 50
        self.rulings += self.replay.post(Pressed(Millis(self.now), Button(side.value)))

    def shows(self, *worlds: World, still: int = LOOKS) -> None:
        """One frame of each world, and the last one standing still for some more."""
        self.world = worlds[-1]
        for world in (*worlds, *[worlds[-1]] * still):
            self.now += FRAME_MS
            self.rulings += self.replay.see(self.instruments.camera.picture(world, self.now), Millis(self.now))

    def throws(
        self, side: Side, fault: PlannedFault | None = None, seed: int = 3, *, still: int = LOOKS
    ) -> tuple[Die, ...]:
        """Both dice roll and come to rest, lying wrong in the way of ``fault``."""
        cup = Cup(self.world, self.instruments.camera.layout, random.Random(seed))
        dice = cup.throw(side, (0, 1), fault)
        assert dice is not None
        self.shows(*self.rolling(dice), self.world.with_dice(dice), still=still)
        return dice

    def rolling(self, dice: tuple[Die, ...], frames: int = 2) -> Iterator[World]:
        cup = Cup(self.world, self.instruments.camera.layout, random.Random(8))
        for _ in range(frames):
            yield self.world.with_dice(cup.rolling(dice))

    def plays(self, notation: str | None = None) -> None:
        """The mover puts checkers: ``notation``, else any legal play."""
        state = self.state
        assert state.position is not None
        assert state.roll is not None
        assert state.turn is not None
        ends = legal_plays(state.position, state.roll, state.rules, first_turn=True)
        after = next(end for end, play in sorted(ends.items()) if notation in (None, str(play)))
        white = after if state.turn is Side.WHITE else after.turned(self.rules.game)
        self.shows(replace(laid(white, self.rules), dice=self.world.dice))

    @property
    def last(self) -> ThrowRuling:
        ruling = self.rulings[-1]
        assert isinstance(ruling, ThrowRuling)
        return ruling


def faces(dice: tuple[Die, ...]) -> list[int]:
    return sorted(die.face for die in dice)


def rules_of(name: str, options: str = "") -> Ruleset:
    return house_rules(f'inherits = "{name}"\n{options}', name) if options else ruleset(name)


VOID = [
    pytest.param("long-fnr", PlannedFault.OFF_BOARD, VoidReason.OFF_BOARD, id="R01 off the board"),
    pytest.param("long-fnr", PlannedFault.SPLIT_HALVES, VoidReason.SPLIT_HALVES, id="R02 different halves"),
    pytest.param("short-wbgf", PlannedFault.ON_CHECKER, VoidReason.ON_CHECKER, id="R03 on a checker"),
    pytest.param("short-wbgf", PlannedFault.COCKED, VoidReason.COCKED, id="R05 cocked"),
    pytest.param("short-wbgf", PlannedFault.WRONG_HALF, VoidReason.WRONG_HALF, id="R08 thrower's left half"),
]


@pytest.mark.parametrize(("name", "fault", "reason"), VOID)
def test_a_void_throw_is_called_and_the_next_one_is_read(
    instruments: Instruments, name: str, fault: PlannedFault, reason: VoidReason
) -> None:
    table = Table(instruments, ruleset(name))
    table.throws(Side.WHITE, fault)
    assert (table.last.outcome, table.last.reason) == (ThrowOutcome.RE_ROLL, reason)
    assert table.state.phase is Phase.TO_THROW
    table.shows(table.world.lifted(Side.WHITE))
    dice = table.throws(Side.WHITE, seed=11)
    assert table.last.outcome is ThrowOutcome.VALID
    assert sorted(table.last.values or ()) == faces(dice)
    assert len(table.rulings) == 2


def test_r06_a_die_on_the_bar_voids_the_throw(instruments: Instruments) -> None:
    table = Table(instruments, ruleset("short-wbgf"))
    cup = Cup(table.world, instruments.camera.layout, random.Random(3))
    dice = cup.throw(Side.WHITE, (0, 1))
    assert dice is not None
    on_bar = replace(dice[1], state=TableDieState.ON_BAR, u=0.5, v=0.42)
    table.shows(*table.rolling(dice), table.world.with_dice((dice[0], on_bar)))
    assert (table.last.outcome, table.last.reason) == (ThrowOutcome.RE_ROLL, VoidReason.ON_BAR)


VALID = [
    pytest.param("short-us", PlannedFault.ON_CHECKER, id="R04 flat on a checker stands"),
    pytest.param("long-fnr", PlannedFault.WRONG_HALF, id="R07 both in the left half"),
]


@pytest.mark.parametrize(("name", "fault"), VALID)
def test_a_throw_that_the_ruleset_allows_stands_with_its_numbers(
    instruments: Instruments, name: str, fault: PlannedFault
) -> None:
    table = Table(instruments, ruleset(name))
    dice = table.throws(Side.WHITE, fault)
    assert table.last.outcome is ThrowOutcome.VALID
    assert sorted(table.last.values or ()) == faces(dice)


def kestum_table(instruments: Instruments, options: str = "") -> tuple[Table, tuple[Die, ...]]:
    table = Table(instruments, rules_of("long-classic", options))
    dice = Cup(table.world, instruments.camera.layout, random.Random(3)).throw(Side.WHITE, (0, 1))
    assert dice is not None
    return table, dice


def test_r09_kestum_while_both_dice_roll_voids_the_throw(instruments: Instruments) -> None:
    table, dice = kestum_table(instruments)
    table.shows(*table.rolling(dice), still=0)
    table.order(CallKestum(Side.BLACK))
    assert (table.last.outcome, table.last.reason) == (ThrowOutcome.RE_ROLL, VoidReason.KESTUM)
    table.shows(table.world.with_dice(dice))
    assert len(table.rulings) == 1
    table.shows(table.world.lifted(Side.WHITE))
    again = table.throws(Side.WHITE, seed=11)
    assert table.state.roll is not None
    assert [table.state.roll.low, table.state.roll.high] == faces(again)


def test_r10_kestum_after_one_die_has_stopped_is_ignored(instruments: Instruments) -> None:
    table, dice = kestum_table(instruments)
    stopped = [world.with_dice((dice[0],)) for world in table.rolling(dice, frames=3)]
    table.shows(*stopped, still=0)
    assert table.order(CallKestum(Side.BLACK)) == "kestum_too_late"
    table.shows(table.world.with_dice(dice))
    assert table.last.outcome is ThrowOutcome.VALID
    assert sorted(table.last.values or ()) == faces(dice)


def test_r11_kestum_is_ignored_where_the_ruleset_has_none(instruments: Instruments) -> None:
    table, dice = kestum_table(instruments, 'kestum = "off"')
    table.shows(*table.rolling(dice), still=0)
    assert table.order(CallKestum(Side.BLACK)) == "no_kestum"
    table.shows(table.world.with_dice(dice))
    assert sorted(table.last.values or ()) == faces(dice)


def thrown_before_the_press(instruments: Instruments, name: str) -> tuple[Table, tuple[Die, ...]]:
    """White has thrown and played; Black throws before White presses."""
    table = Table(instruments, ruleset(name))
    table.throws(Side.WHITE)
    table.plays()
    early = table.throws(Side.BLACK, seed=5)
    assert table.state.turn is Side.WHITE
    table.finger(Side.WHITE)
    table.shows(table.world)
    play = next(ruling for ruling in table.rulings if isinstance(ruling, PlayRuling))
    assert play.verdict is PlayVerdict.ACCEPTED
    assert table.state.turn is Side.BLACK
    return table, early


def test_r12_a_throw_before_the_press_stands_where_the_ruleset_lets_it(instruments: Instruments) -> None:
    table, early = thrown_before_the_press(instruments, "short-wbgf")
    assert table.state.roll == Roll.of(*faces(early))


def test_r13_a_throw_before_the_press_is_void_where_the_ruleset_says_so(instruments: Instruments) -> None:
    table, _ = thrown_before_the_press(instruments, "short-ru")
    assert (table.last.outcome, table.last.reason) == (ThrowOutcome.RE_ROLL, VoidReason.PREMATURE)
    assert table.state.roll is None


def test_r14_a_valid_throw_that_is_thrown_again_stands_and_the_clock_waits(instruments: Instruments) -> None:
    table = Table(instruments, rules_of("short-wbgf", 'call_reroll = "opponent_agrees"'))
    first = table.throws(Side.WHITE)
    assert table.state.clock.running is Side.WHITE
    table.shows(table.world.lifted(Side.WHITE), still=1)
    second = table.throws(Side.WHITE, seed=11)
    assert faces(first) != faces(second)
    assert table.last.outcome is ThrowOutcome.VALID
    assert sorted(table.last.values or ()) == faces(first)
    assert sorted(table.last.rethrown or ()) == faces(second)
    assert table.state.paused is PauseReason.RETHROWN
    assert table.state.clock.running is None


def test_a_turn_pressed_while_hands_hid_the_throw_is_ruled_on_from_the_fingers_moment(instruments: Instruments) -> None:
    table = Table(instruments, ruleset("short-wbgf"))
    dice = Cup(table.world, instruments.camera.layout, random.Random(3)).throw(Side.WHITE, (0, 1))
    assert dice is not None
    before = start(table.rules.game)
    ends = legal_plays(before, Roll.of(*faces(dice)), table.rules, first_turn=True)
    after, play = min(ends.items(), key=lambda item: item[0])
    played = replace(laid(after, table.rules), dice=table.world.with_dice(dice).dice)
    hands = [Hand(Side.WHITE, u, 0.3) for u in (0.3, 0.6, 0.8)]
    table.shows(*table.rolling(dice), *(replace(played, hand=hand) for hand in hands), still=0)
    assert table.state.phase is Phase.TO_THROW
    table.finger(Side.WHITE)
    reserve = table.state.clock.reserve(Side.WHITE, Millis(table.now))
    table.shows(played)
    table.shows(played)
    ruling = table.rulings[-1]
    assert isinstance(ruling, PlayRuling)
    assert (ruling.verdict, ruling.play) == (PlayVerdict.ACCEPTED, play)
    assert table.state.turn is Side.BLACK
    assert table.state.clock.reserve(Side.WHITE, table.state.at) == reserve
