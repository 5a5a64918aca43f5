"""The virtual table and the real service, moved on together by the table's own time."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol, Self

from controller.adapters.bridge import BridgeAdapter
from controller.adapters.camera import CameraAdapter, keeper_of
from controller.adapters.evidence import Evidence
from controller.adapters.journal import Journal
from controller.adapters.lamps import Lamps
from controller.adapters.mqtt.feed_publisher import FeedPublisher
from controller.adapters.mqtt.messages import Content
from controller.adapters.place_memory import PLACE_FILE, PlaceMemory
from controller.clock import Millis
from controller.ports import Publisher, Taken
from controller.ports.entries import ENTRIES
from controller.ports.updates import Update
from controller.referee.events import Device, Event, MatchOpened, turn_end_of
from controller.referee.rulings import DieAtRest, Ruling
from controller.referee.state import Phase, State
from controller.rules import Game, ruleset
from controller.service.opening import open_or_resume
from controller.service.runtime import Service
from controller.simulator.hardware import BuildsBoard, VirtualHardware, stand_in
from controller.simulator.pace import Pace
from controller.simulator.plan import QUICK, Tempo
from controller.simulator.table import VirtualTable
from controller.simulator.truth import Truth, truth_of
from controller.simulator.visible import VisibleState, visible_state
from firmware_bridge.values import LinkBack
from vision.camera.motion import SceneWatch
from vision.checkers.reader import CheckerReader
from vision.dice.reader import DiceReader

FRAME_MS = 200
"""Table time between two frames: five a second are enough for a board game."""


PATIENCE_MS = 300_000
"""Table time without any ruling after which nobody believes that there will be one."""


class StandstillError(RuntimeError):
    """Referee and players wait for each other: a fault of the program."""


class TableTime:
    """Time of the virtual table, in milliseconds."""

    def __init__(self) -> None:
        self._now = Millis(0)

    def now_ms(self) -> Millis:
        """The moment of the table."""
        return self._now

    def set(self, now: Millis) -> None:
        """Move on."""
        self._now = now


class DisplaySeen:
    """What the people at the table read off the display: the state, and the last ruling."""

    def __init__(self) -> None:
        self._state: State | None = None
        self._ruling: Ruling | None = None

    def publish(self, update: Update) -> None:
        """Show ``update``."""
        self._state = update.state
        for ruled in update.rulings:
            self._ruling = ruled.ruling

    def seen(self) -> VisibleState | None:
        """The display at this moment; None while it is dark."""
        return visible_state(self._state, self._ruling) if self._state else None


class Watcher(Protocol):
    """Somebody who watches the table and posts what he sees."""

    def watch(self, now: Millis, *, wanted: bool, post: Callable[[Event], None]) -> None:
        """Look at the table at ``now``."""
        ...

    def learn_from(self, before: Phase, state: State) -> None:
        """Learn what a change of phase taught about the board's look."""
        ...

    def pictures(self, at: Millis, dice: Sequence[DieAtRest]) -> Taken | None:
        """What was seen last at ``at``, with a close-up of each of ``dice``."""
        ...


class CameraWatcher(CameraAdapter):
    """The real eyes before the virtual camera."""

    def __init__(self, hardware: VirtualHardware, game: Game, home: Path) -> None:
        memory = PlaceMemory(home / PLACE_FILE, hardware.pose)
        checkers = CheckerReader(set_size=game.checkers)
        super().__init__(keeper_of(hardware.pose, memory), checkers, DiceReader(), SceneWatch, memory)
        self._hardware = hardware

    def watch(self, now: Millis, *, wanted: bool, post: Callable[[Event], None]) -> None:
        """Look through the camera."""
        self.see(self._hardware.frame(), now, wanted=wanted, post=post)


class Demonstration:
    """A match at the virtual table in the folder ``home``; one that was interrupted there goes on. A context manager.

    Raises SimulatorError or JournalError when the folder holds another match or cannot be used.
    """

    def __init__(
        self,
        home: Path,
        name: str,
        *,
        seed: int,
        games: int,
        faults: bool,
        quick: bool,
        watcher: Callable[[VirtualHardware, Game, Path], Watcher] = CameraWatcher,
        build: BuildsBoard = stand_in,
    ) -> None:
        self._stack = ExitStack()
        self.evidence = home / "evidence"
        self.time = TableTime()
        self._display = DisplaySeen()
        self.publishers: list[Publisher] = [self._display]
        rules = ruleset(name)
        home.mkdir(parents=True, exist_ok=True)
        self._table = VirtualTable(
            rules, home / "table.jsonl", seed=seed, games=games, faults=faults, tempo=QUICK if quick else Tempo()
        )
        self._stack.callback(self._table.close)
        self._hardware = VirtualHardware(self._table, self.time.now_ms, home, build=build)
        self._stack.callback(self._hardware.close)
        self._nerves = BridgeAdapter(self._hardware.rig)
        self._lamps = Lamps(self._hardware.rig, self._hardware.send)
        self.publishers += [self._nerves, self._lamps]
        self._watcher = watcher(self._hardware, rules.game, home)
        journal = self._stack.enter_context(Journal(home / "journal.sqlite", ENTRIES))
        start = Millis(self._table.now_ms)
        match = MatchOpened(start, name, rules, "", "", turn_end_of(rules))
        opened = open_or_resume(journal, match)
        self.time.set(opened.state.at)
        self._match_id = f"demo-{name}-{seed}"
        self.service = Service(
            opened.state,
            time=self.time,
            journal=journal,
            publishers=self.publishers,
            evidence=Evidence(self.evidence),
            pictures=self._watcher,
            last_ruled=opened.last_ruled,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def publish_to(self, send: Callable[[Content], None]) -> None:
        """Send the feed's messages to ``send`` from now on."""
        fitted = frozenset({Device.CAMERA, Device.REEDS, Device.BUTTONS, Device.FEED})
        self.publishers.append(FeedPublisher(self._match_id, fitted, send))

    def truth(self) -> Truth:
        """What was really played."""
        return truth_of(self._table.entries)

    def run(
        self, *, speed: float | None, progress: Callable[[State], None], stopped: Callable[[], bool] = lambda: False
    ) -> None:
        """Play to the end, or until ``stopped``: in real time times ``speed``, as fast as the machine allows when None.

        Raises StandstillError when referee and players wait for each other.
        """
        self.service.announce()
        turns = _turns(self.service.state)
        rulings, ruled_at = self.service.state.rulings, self.time.now_ms()
        for now in Pace(FRAME_MS, speed).frames(self.time.now_ms()):
            if self._table.done or stopped():
                return
            self.step(Millis(now))
            if self.service.state.rulings != rulings:
                rulings, ruled_at = self.service.state.rulings, self.time.now_ms()
            if now - ruled_at > PATIENCE_MS:
                state = self.service.state
                msg = f"the virtual table stands still in phase {state.phase.value}, turn {_turns(state) + 1}"
                raise StandstillError(msg)
            if _turns(self.service.state) != turns:
                turns = _turns(self.service.state)
                progress(self.service.state)

    def step(self, now: Millis) -> None:
        """One frame: the people act, the devices tell, the camera sees, the referee rules."""
        self.time.set(now)
        self._table.show(self._display.seen())
        self._table.advance(now)
        for value in self._hardware.poll():
            if isinstance(value, LinkBack):
                self._lamps.again()
            for event in self._nerves.events(value):
                self.service.post(event)
        for command in self._hardware.commands():
            self.service.order(command)
        self.service.handle()
        before = self.service.state.phase
        self._watcher.watch(now, wanted=self.service.wants_looks, post=self.service.post)
        self.service.handle()
        self._watcher.learn_from(before, self.service.state)


def _turns(state: State) -> int:
    return sum(len(game.turns) for game in state.finished) + len(state.game.turns)
