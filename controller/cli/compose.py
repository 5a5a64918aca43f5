"""The one place where a referee is put together. ``run`` and ``demo`` differ in the devices that they plug in."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Self, TypeVar

from controller.adapters.camera import open_camera
from controller.adapters.evidence import Evidence
from controller.adapters.journal import Journal
from controller.adapters.place_memory import PLACE_FILE, PlaceMemory
from controller.clock import Millis
from controller.ports import Journal as KeepsEntries
from controller.ports import PictureStore, Publisher, Time
from controller.ports.entries import ENTRIES
from controller.ports.sight import Sight
from controller.referee.events import Device, MatchOpened, turn_end_of
from controller.referee.state import State
from controller.rules import Game, ruleset
from controller.service.camera_loop import CameraLoop
from controller.service.inbox import Inbox
from controller.service.opening import Opened, open_or_resume
from controller.service.runtime import TURN_S, Service
from controller.simulator.hardware import BuildsBoard, VirtualHardware, stand_in
from controller.simulator.plan import QUICK, Tempo
from controller.simulator.session import TableFrames, TableTime, Watch
from controller.simulator.table import VirtualTable
from controller.simulator.truth import Truth, truth_of
from vision.board.geometry import Frame

PictureT = TypeVar("PictureT")

TABLE_FILE = "table.jsonl"
JOURNAL_FILE = "journal.sqlite"

LEAVING_S = 2.0
"""So long the end waits for the look that is under way; a camera that gives nothing is not waited for."""


@dataclass(frozen=True, slots=True)
class Devices(Generic[PictureT]):
    """What is plugged in: real devices, or those of the virtual table.

    ``lines`` are listened to while its context is entered. ``turn_s`` is how long the owner thread waits for something
    to happen before it looks at ``time``; None for a time that goes on only when something happens.
    """

    time: Time
    frames: Iterable[tuple[PictureT, int]]
    sight: Sight[PictureT]
    fitted: frozenset[Device]
    lines: AbstractContextManager[object]
    publishers: tuple[Publisher, ...]
    turn_s: float | None = TURN_S


class Referee(Generic[PictureT]):
    """A service with its camera loop and its publishers around one board."""

    def __init__(
        self,
        devices: Devices[PictureT],
        opened: Opened,
        *,
        inbox: Inbox,
        journal: KeepsEntries,
        evidence: PictureStore,
        publishers: Sequence[Publisher] = (),
    ) -> None:
        self._devices = devices
        self._loop = CameraLoop(devices.frames, devices.sight, devices.time, inbox.post, inbox.stop)
        self._service = Service(
            opened.state,
            inbox=inbox,
            time=devices.time,
            journal=journal,
            camera=self._loop,
            publishers=(*devices.publishers, *publishers),
            evidence=evidence,
            last_ruled=opened.last_ruled,
        )

    @property
    def state(self) -> State:
        """The match as it stands."""
        return self._service.state

    def run(self, each_turn: Callable[[], None] = lambda: None) -> None:
        """Referee in this thread until the inbox is told to stop, or the pictures end."""
        with ExitStack() as stack:
            # Undone in reverse: the camera ends, the lines end and hand over their last bytes, the service keeps them.
            stack.callback(self._service.handle)
            stack.enter_context(self._devices.lines)
            stack.callback(self._loop.stop, LEAVING_S)
            self._loop.start()
            self._service.run(each_turn, turn_s=self._devices.turn_s)


Watches = Callable[[VirtualHardware, Game, Path], Watch[PictureT]]
"""Puts up what watches the virtual table; the folder is for what is remembered between two runs."""


def virtual_camera(hardware: VirtualHardware, game: Game, home: Path) -> Watch[Frame]:
    """Put up a virtual camera over the table, and behind it the same readers as behind a real one."""
    memory = PlaceMemory(home / PLACE_FILE, hardware.pose)
    return Watch(hardware.frame, open_camera(hardware.pose, game, memory))


class Demonstration(Generic[PictureT]):
    """A match at the virtual table in the folder ``home``; one that was interrupted there goes on. A context manager.

    Raises SimulatorError or JournalError when the folder holds another match or cannot be used.
    """

    def __init__(
        self,
        home: Path,
        name: str,
        watches: Watches[PictureT],
        *,
        seed: int,
        games: int,
        faults: bool,
        tempo: Tempo = QUICK,
        speed: float | None = None,
        build: BuildsBoard = stand_in,
        players: tuple[str, str] = ("", ""),
        over: Callable[[Exception | None], None] | None = None,
    ) -> None:
        """``over`` see ``TableFrames``: with it, the table stays when the match is over, until the inbox is stopped."""
        self._stack = ExitStack()
        self.inbox = Inbox()
        self.time = TableTime()
        self.evidence = home / "evidence"
        home.mkdir(parents=True, exist_ok=True)
        rules = ruleset(name)
        self._table = VirtualTable(rules, home / TABLE_FILE, seed=seed, games=games, faults=faults, tempo=tempo)
        self._stack.callback(self._table.close)
        hardware = VirtualHardware(self._table, self.time.now_ms, home, build=build)
        self._stack.callback(hardware.close)
        watch = watches(hardware, rules.game, home)
        self._journal = self._stack.enter_context(Journal(home / JOURNAL_FILE, ENTRIES))
        match = MatchOpened(Millis(self._table.now_ms), name, rules, *players, turn_end_of(rules), seed=seed)
        self._opened = open_or_resume(self._journal, match)
        self.time.set(self._opened.state.at)
        self._watched = over is not None
        self._frames = TableFrames(
            self._table, hardware, watch.picture, time=self.time, inbox=self.inbox, speed=speed, over=over
        )
        self._devices = Devices(
            self.time,
            self._frames,
            watch.sight,
            frozenset(Device),
            nullcontext(),
            (self._frames.display, self._frames.bridge, self._frames.lamps),
            turn_s=None,
        )
        self.match_id = f"demo-{name}-{seed}"
        self.fitted = self._devices.fitted
        self._referee: Referee[PictureT] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def state(self) -> State:
        """The match as it stands."""
        return self._referee.state if self._referee else self._opened.state

    def truth(self) -> Truth:
        """What was really played."""
        return truth_of(self._table.entries)

    def run(self, *publishers: Publisher) -> None:
        """Play to the end, or until the inbox is told to stop.

        Raises StandstillError when referee and players wait for each other, and nobody watches.
        """
        self._referee = Referee(
            self._devices,
            self._opened,
            inbox=self.inbox,
            journal=self._journal,
            evidence=Evidence(self.evidence),
            publishers=publishers,
        )
        self._referee.run()
        if self._frames.failure is not None and not self._watched:
            raise self._frames.failure
