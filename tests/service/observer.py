"""Somebody who watches the virtual table and sees everything as it is: a sight without the camera's errors."""

from collections.abc import Sequence
from pathlib import Path

from controller.clock import Millis
from controller.fusion.evidence import BoardLook
from controller.ports.sight import KnownPosition, Taken, Wanted
from controller.referee.events import DieSeen, DieState, Event, Half, Looked, RollingDice, Scene, SceneChanged
from controller.referee.rulings import DieAtRest
from controller.rules import Game
from controller.simulator.hardware import VirtualHardware
from controller.simulator.session import Watch
from controller.simulator.world import Die, TableDieState, World
from tests.referee.tabletop import sure

STATES = {
    TableDieState.FLAT: DieState.FLAT,
    TableDieState.COCKED: DieState.COCKED,
    TableDieState.ON_CHECKER: DieState.ON_CHECKER,
    TableDieState.ON_BAR: DieState.ON_BAR,
    TableDieState.ROLLING: DieState.MOVING,
    TableDieState.OFF_BOARD: DieState.OFF_BOARD,
}
LOOKS_AT_ONCE = 4


class Observer:
    """White plays the lighter checkers; a hand hides the points below it."""

    def __init__(self) -> None:
        self.scene: Scene | None = None
        self._seen: World | None = None
        self._looks = 0
        self.learnt: list[KnownPosition] = []

    def see(self, world: World, at: Millis, wanted: Wanted, /) -> Sequence[Event]:
        rolling = any(die.state is TableDieState.ROLLING for die in world.dice)
        still = world == self._seen
        self._seen = world
        scene = Scene.QUIET if still and not rolling and world.hand is None else Scene.MOVING
        if world.hand is not None and still:
            scene = Scene.HAND
        events: list[Event] = []
        if scene is not self.scene:
            self.scene, self._looks = scene, 0
            events.append(SceneChanged(at, scene))
        if rolling:
            events.append(
                RollingDice(at, tuple(seen(die) for die in world.dice if die.state is not TableDieState.IN_CUP))
            )
        if scene is Scene.QUIET and (self._looks < LOOKS_AT_ONCE or wanted.looks):
            self._looks += 1
            events.append(look(world, at))
        return events

    def learn(self, known: KnownPosition, /) -> None:
        self.learnt.append(known)

    def forget(self) -> None:
        self.learnt.clear()

    def taken(self, _at: Millis, _dice: Sequence[DieAtRest], /) -> Taken | None:
        return None


def observer(hardware: VirtualHardware, _game: Game, _home: Path) -> Watch[World]:
    return Watch(lambda: hardware.world, Observer())


def look(world: World, now: Millis) -> Looked:
    position = world.position()
    board = BoardLook(tuple(sure(count) for count in position.points), sure(position.bar[0]), sure(-position.bar[1]))
    return Looked(now, board, tuple(seen(die) for die in world.dice if die.thrown))


def seen(die: Die) -> DieSeen:
    faces = tuple(0.998 if face == die.face else 0.0004 for face in range(1, 7))
    inside = 0 <= die.u <= 1 and 0 <= die.v <= 1
    half = Half.NONE if not inside or 0.46 < die.u < 0.54 else Half.RIGHT if die.u > 0.5 else Half.LEFT
    return DieSeen(die.u, die.v, faces, ((STATES[die.state], 0.998), (DieState.UNSURE, 0.002)), half)  # type: ignore[arg-type] # six faces
