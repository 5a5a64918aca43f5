"""What people at the table see on the clock case and hear from it."""

from dataclasses import dataclass, field, replace

import pytest

from controller.adapters.lamps import FLAG_FALLEN, PLAY_REFUSED, THROW_AGAIN, Lamps
from controller.clock import Clock, Control, Millis, TimeMethod
from controller.ports.entries import Ruled
from controller.ports.updates import Update
from controller.referee.rulings import Judge, PlayRuling, PlayVerdict, ThrowOutcome, ThrowRuling
from controller.referee.state import State
from controller.rules import Game, Side, ruleset, start
from firmware_bridge.messages import Buzz, Command, Lamp, LampMode
from firmware_bridge.rig import Rig
from tests.referee.tabletop import Table


@dataclass
class Case:
    """A clock case with lamps."""

    rig: Rig
    lit: dict[str, LampMode] = field(default_factory=dict)
    sounds: list[Buzz] = field(default_factory=list)

    def send(self, command: Command) -> None:
        match command:
            case Lamp(lamp=number, mode=mode):
                self.lit[list(self.rig.lamps)[number]] = LampMode(mode)
            case Buzz():
                self.sounds.append(command)

    def burning(self) -> set[str]:
        return {lamp for lamp, mode in self.lit.items() if mode is not LampMode.OFF}


def case(rig: str = "full") -> tuple[Case, Lamps]:
    case = Case(Rig.load(rig))
    return case, Lamps(case.rig, case.send)


BEFORE = Table(ruleset("short-wbgf")).state
SECOND = Millis(1_000)


def state(turn: Side | None = None, running: Side | None = None, at: int = 0) -> State:
    """A match with a second on each clock."""
    clock = Clock.fresh(Control(TimeMethod.SIMPLE_DELAY, Millis(0)), (Side.WHITE, Side.BLACK), SECOND)
    if running:
        clock = clock.start(running, Millis(0))
    return replace(BEFORE, turn=turn, clock=clock, at=Millis(at))


def play(verdict: PlayVerdict) -> Update:
    here = start(Game.SHORT)
    ruling = PlayRuling(1, Millis(0), Side.WHITE, (2, 1), verdict, Judge.REFEREE, here, here, "")
    return Update(BEFORE, state(), (Ruled(Millis(0), ruling),))


def throw(outcome: ThrowOutcome) -> Update:
    ruling = ThrowRuling(1, Millis(0), Side.WHITE, outcome, Judge.REFEREE, None, None, ())
    return Update(BEFORE, state(), (Ruled(Millis(0), ruling),))


def test_the_lamp_of_the_side_whose_time_runs_is_lit() -> None:
    shown, lamps = case()
    lamps.publish(Update(None, state(Side.WHITE)))
    assert shown.burning() == {"white_turn"}
    lamps.publish(Update(None, state(Side.WHITE, running=Side.WHITE)))
    assert shown.burning() == {"white_turn"}
    # White has pressed, and the play is still looked at.
    lamps.publish(Update(None, state(Side.WHITE, running=Side.BLACK)))
    assert shown.burning() == {"black_turn"}
    lamps.publish(Update(None, state(Side.WHITE)))
    assert shown.burning() == {"white_turn"}
    lamps.publish(Update(None, state()))
    assert shown.burning() == set()


@pytest.mark.parametrize(
    ("update", "lamp", "sounds"),
    [
        (play(PlayVerdict.ACCEPTED), {"accepted"}, []),
        (play(PlayVerdict.REFUSED), {"refused"}, [PLAY_REFUSED]),
        (play(PlayVerdict.PLEASE_LOOK), {"please_look"}, []),
        (throw(ThrowOutcome.RE_ROLL), {"refused"}, [THROW_AGAIN]),
        (throw(ThrowOutcome.PLEASE_LOOK), {"please_look"}, []),
        (throw(ThrowOutcome.VALID), set(), []),
    ],
)
def test_each_ruling_has_its_lamp_and_its_sound(update: Update, lamp: set[str], sounds: list[Buzz]) -> None:
    shown, lamps = case()
    lamps.publish(play(PlayVerdict.ACCEPTED))
    lamps.publish(update)
    assert shown.burning() == lamp
    assert shown.sounds == sounds


def test_a_fallen_flag_sounds_once() -> None:
    shown, lamps = case()
    for at in (500, 1_500, 2_500):
        lamps.publish(Update(None, state(Side.WHITE, running=Side.WHITE, at=at)))
    assert shown.sounds == [FLAG_FALLEN]


def test_a_case_with_one_lamp_for_rulings_lights_it_for_a_refusal_too() -> None:
    shown = Case(Rig.load("full").model_copy(update={"lamps": {"please_look": "PD7"}, "buzzer": None}))
    lamps = Lamps(shown.rig, shown.send)
    lamps.publish(play(PlayVerdict.REFUSED))
    assert shown.burning() == {"please_look"}
    lamps.publish(play(PlayVerdict.ACCEPTED))
    assert shown.burning() == set()
    assert shown.sounds == []


def test_a_board_that_started_again_gets_everything_again() -> None:
    shown, lamps = case()
    lamps.publish(play(PlayVerdict.PLEASE_LOOK))
    lamps.publish(Update(None, state(Side.BLACK)))
    shown.lit.clear()
    lamps.again()
    assert shown.lit["black_turn"] is LampMode.ON
    assert shown.lit["please_look"] is LampMode.BLINK
