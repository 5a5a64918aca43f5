"""What people at the table see on the clock case and hear from it."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from controller.adapters.lamps import FLAG_FALLEN, PLAY_REFUSED, THROW_AGAIN, Lamps
from controller.adapters.mqtt import messages as feed
from firmware_bridge.messages import Buzz, Command, Lamp, LampMode
from firmware_bridge.rig import Rig

POINTS = (0,) * 24


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


def state(side: feed.SideName | None) -> feed.State:
    return feed.State(phase="to_play", side=side, position=feed.BoardPosition(points=POINTS))


def clock(running: feed.SideName | None, flag: feed.SideName | None = None) -> feed.Clock:
    return feed.Clock(
        running=running, white_ms=1, black_ms=1, asof_mono_ms=0, asof_utc=datetime.fromtimestamp(0, UTC), flag=flag
    )


def ruling(verdict: feed.Verdict, subject: str = "play") -> feed.Ruling:
    return feed.Ruling.model_validate({"id": "1", "subject": subject, "verdict": verdict, "turn": 1, "side": "white"})


def test_the_lamp_of_the_side_whose_time_runs_is_lit() -> None:
    shown, lamps = case()
    lamps.publish(state("white"))
    assert shown.burning() == {"white_turn"}
    lamps.publish(clock("white"))
    assert shown.burning() == {"white_turn"}
    # White has pressed, and his play is still looked at.
    lamps.publish(clock("black"))
    assert shown.burning() == {"black_turn"}
    lamps.publish(clock(None))
    assert shown.burning() == {"white_turn"}
    lamps.publish(state(None))
    assert shown.burning() == set()


@pytest.mark.parametrize(
    ("verdict", "lamp", "sounds"),
    [
        ("accepted", {"accepted"}, []),
        ("refused", {"refused"}, [PLAY_REFUSED]),
        ("re_roll", {"refused"}, [THROW_AGAIN]),
        ("please_look", {"please_look"}, []),
        ("valid", set(), []),
    ],
)
def test_each_ruling_has_its_lamp_and_its_sound(verdict: feed.Verdict, lamp: set[str], sounds: list[Buzz]) -> None:
    shown, lamps = case()
    lamps.publish(ruling("accepted"))
    lamps.publish(ruling(verdict))
    assert shown.burning() == lamp
    assert shown.sounds == sounds


def test_a_fallen_flag_sounds_once() -> None:
    shown, lamps = case()
    for flag in (None, "white", "white"):
        lamps.publish(clock("white", flag))  # type: ignore[arg-type] # a side's name
    assert shown.sounds == [FLAG_FALLEN]


def test_a_case_with_one_lamp_for_rulings_lights_it_for_a_refusal_too() -> None:
    shown = Case(Rig.load("full").model_copy(update={"lamps": {"please_look": "PD7"}, "buzzer": None}))
    lamps = Lamps(shown.rig, shown.send)
    lamps.publish(ruling("refused"))
    assert shown.burning() == {"please_look"}
    lamps.publish(ruling("accepted"))
    assert shown.burning() == set()
    assert shown.sounds == []


def test_a_board_that_started_again_is_told_everything_again() -> None:
    shown, lamps = case()
    lamps.publish(state("black"))
    lamps.publish(ruling("please_look"))
    shown.lit.clear()
    lamps.again()
    assert shown.lit["black_turn"] is LampMode.ON
    assert shown.lit["please_look"] is LampMode.BLINK
