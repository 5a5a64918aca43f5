"""The virtual table and the real service, moved on together by the table's own time."""

import logging
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from controller.adapters.eyes import Eyes, open_eyes
from controller.adapters.feed.messages import Content, Match, Ruling
from controller.adapters.feed.messages import State as StateMessage
from controller.adapters.journal import Journal
from controller.adapters.nerves import Nerves
from controller.adapters.pictures import PictureFolder
from controller.clock import Millis
from controller.ports import Voice
from controller.referee.events import Device, MatchOpened, TurnEnd
from controller.referee.state import State
from controller.rules import ruleset
from controller.service.entries import ENTRIES
from controller.service.opening import open_or_resume
from controller.service.runtime import Service
from controller.simulator.hardware import VirtualHardware
from controller.simulator.plan import QUICK, Tempo
from controller.simulator.table import VirtualTable
from controller.simulator.truth import Truth, truth_of
from controller.simulator.visible import VisibleState, visible_state

logger = logging.getLogger(__name__)

FRAME_MS = 200
"""Table time between two frames: five a second are enough for a board game."""


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
    """What the people at the table read off the display: the last messages that make it up."""

    def __init__(self) -> None:
        self._state: StateMessage | None = None
        self._ruling: Ruling | None = None
        self._match: Match | None = None

    def publish(self, content: Content) -> None:
        """Take a message as the display takes it."""
        match content:
            case StateMessage():
                self._state = content
            case Ruling():
                self._ruling = content
            case Match():
                self._match = content
            case _:
                pass

    def seen(self) -> VisibleState | None:
        """The display at this moment; None while it is dark."""
        return visible_state(self._state, self._ruling, self._match) if self._state else None


class Demonstration:
    """A match at the virtual table in the folder ``home``; one that was interrupted there goes on. A context manager.

    Raises SimulatorError or JournalError when the folder holds another match or cannot be used.
    """

    def __init__(self, home: Path, name: str, *, seed: int, games: int, faults: bool, quick: bool) -> None:
        self._stack = ExitStack()
        self.evidence = home / "evidence"
        self.time = TableTime()
        self._display = DisplaySeen()
        self.voices: list[Voice] = [self._display]
        rules = ruleset(name)
        home.mkdir(parents=True, exist_ok=True)
        self._table = VirtualTable(
            rules, home / "table.jsonl", seed=seed, games=games, faults=faults, tempo=QUICK if quick else Tempo()
        )
        self._stack.callback(self._table.close)
        self._hardware = VirtualHardware(self._table, self.time.now_ms)
        self._stack.callback(self._hardware.close)
        self._nerves = Nerves(self._hardware.rig)
        self._eyes: Eyes = open_eyes(self._hardware.pose)
        journal = self._stack.enter_context(Journal(home / "journal.sqlite", ENTRIES))
        start = Millis(self._table.now_ms)
        match = MatchOpened(start, name, rules, "White", "Black", TurnEnd.PRESS)
        opened = open_or_resume(journal, match)
        self.time.set(opened.state.at)
        self.service = Service(
            opened.state,
            match_id=f"demo-{name}-{seed}",
            time=self.time,
            record=journal,
            voices=self.voices,
            pictures=PictureFolder(self.evidence, self._eyes.picture),
            fitted=frozenset({Device.CAMERA, Device.REEDS, Device.BUTTONS, Device.FEED}),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def truth(self) -> Truth:
        """What was really played."""
        return truth_of(self._table.entries)

    def run(self, *, speed: float | None, progress: Callable[[State], None]) -> None:
        """Play to the end: in real time times ``speed``, or as fast as the machine allows when it is None."""
        self.service.announce()
        started, began = time.monotonic(), self.time.now_ms()
        turns = _turns(self.service.state)
        while not self._table.done:
            self.step(Millis(self.time.now_ms() + FRAME_MS))
            if _turns(self.service.state) != turns:
                turns = _turns(self.service.state)
                progress(self.service.state)
            if speed is not None:
                ahead = (self.time.now_ms() - began) / 1000 / speed - (time.monotonic() - started)
                if ahead > 0:
                    time.sleep(ahead)
                elif ahead < -1:
                    # A machine that is too slow shows a slower match, not a jumping one.
                    started, began = time.monotonic(), self.time.now_ms()

    def step(self, now: Millis) -> None:
        """One frame: the people act, the devices tell, the camera sees, the referee rules."""
        self.time.set(now)
        self._table.show(self._display.seen())
        self._table.advance(now)
        for value in self._hardware.poll():
            for event in self._nerves.events(value):
                self.service.post(event)
        for command in self._hardware.commands():
            self.service.tell(command)
        self.service.handle()
        before = self.service.state.phase
        self._eyes.see(self._hardware.frame(), now, wanted=self.service.wants_looks, post=self.service.post)
        self.service.handle()
        self._eyes.learn_from(before, self.service.state)


def _turns(state: State) -> int:
    return sum(len(game.turns) for game in state.finished) + len(state.game.turns)
