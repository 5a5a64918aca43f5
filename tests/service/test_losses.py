"""A match on which devices fail: the camera, then the reeds, each in the middle of a game, and both come back."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.adapters.journal import JournalReader
from controller.adapters.mqtt.feed_publisher import FeedPublisher
from controller.adapters.mqtt.messages import Content, HealthMessage, StateMessage
from controller.cli.compose import Demonstration
from controller.clock import Millis
from controller.ports.entries import ENTRIES, Ruled
from controller.ports.sight import Wanted
from controller.ports.updates import Update
from controller.referee.events import BoardChecked, BoardPlace, Device, DeviceChanged, Event, Scene, SceneChanged
from controller.referee.rulings import Judge, PlayRuling
from controller.rules import Game
from controller.simulator.account import account
from controller.simulator.hardware import VirtualHardware, stand_in
from controller.simulator.session import Watch
from controller.simulator.truth import compare
from controller.simulator.world import World
from firmware_bridge.emulator import missing, virtual_board
from tests.service.observer import Observer

pytestmark = pytest.mark.slow  # plays whole matches


class Clumsy(Observer):
    """The lens is covered through some turns, and the cable of the reeds is out through others."""

    dark = range(4, 9)
    cut = range(12, 17)

    def __init__(self) -> None:
        super().__init__()
        self._turn = 0
        self.sees = self.feels = True

    def watch(self, hardware: VirtualHardware, _game: Game, _home: Path) -> Watch[World]:
        self._board = hardware
        return Watch(lambda: hardware.world, self)

    def publish(self, update: Update, /) -> None:
        self._turn = len(update.state.game.turns)

    def see(self, world: World, at: Millis, wanted: Wanted, /) -> Sequence[Event]:
        if self.feels == (self._turn in self.cut):
            self.feels = not self.feels
            self._board.put_cable_back() if self.feels else self._board.pull_cable()
        events: list[Event] = []
        if self.sees == (self._turn in self.dark):
            self.sees = not self.sees
            events += self.changed(at)
        return [*events, *super().see(world, at, wanted)] if self.sees else events

    def changed(self, at: Millis) -> Sequence[Event]:
        return [DeviceChanged(at, Device.CAMERA, up=self.sees, why="" if self.sees else "no_frame")]


class LooksElsewhere(Clumsy):
    """The camera works, but somebody has turned it away."""

    def changed(self, at: Millis) -> Sequence[Event]:
        place = BoardChecked(at, BoardPlace.IN_PLACE if self.sees else BoardPlace.OUT_OF_VIEW)
        if self.sees:
            return [place]
        self.scene = Scene.UNREADABLE
        return [place, SceneChanged(at, Scene.UNREADABLE)]


class Listener:
    """Keeps what the arbiter reads about the devices, and what the display says people wait for."""

    def __init__(self) -> None:
        self.health: list[HealthMessage] = []
        self.waiting: set[str] = set()

    def hear(self, content: Content) -> None:
        if isinstance(content, HealthMessage):
            self.health.append(content)
        if isinstance(content, StateMessage) and content.waiting_for:
            self.waiting.add(content.waiting_for.en)


@pytest.mark.parametrize(("ruleset", "board"), [("short-wbgf", "firmware"), ("long-fnr", "stand-in")])
def test_a_game_survives_the_loss_of_camera_and_reeds_and_says_so(tmp_path: Path, ruleset: str, board: str) -> None:
    if board == "firmware" and (reason := missing()):
        pytest.skip(reason)
    ear = Listener()
    build = virtual_board if board == "firmware" else stand_in
    clumsy = Clumsy()
    with Demonstration(tmp_path, ruleset, clumsy.watch, seed=3, games=1, faults=False, build=build) as show:
        show.run(FeedPublisher(show.match_id, show.fitted, ear.hear), clumsy)
        record = account(show.state)
        assert compare(show.truth().account, record) == []
        assert record.games[0].winner is not None
    cameras = [(now.devices["camera"].state, now.devices["camera"].texts) for now in ear.health]
    reeds = [(now.devices["reeds"].state, now.devices["reeds"].texts) for now in ear.health]
    assert changes([state for state, _ in cameras]) == ["ok", "lost", "ok"]
    assert changes([state for state, _ in reeds]) == ["ok", "lost", "ok"]
    (dark,) = {(texts.en, texts.ru) for _, texts in cameras if texts}
    assert dark[0] == (
        "The camera is lost: no picture. The board sensors follow the checkers; the arbiter enters each throw."
    )
    assert dark[1] == ("Камера потеряна: нет изображения. За шашками следят датчики доски; броски вводит арбитр.")
    (cut,) = {texts.en for _, texts in reeds if texts}
    assert cut == "The board sensors are lost: its cable is out. The camera follows the checkers."
    assert "The camera is lost: the arbiter enters the throw" in ear.waiting
    assert judges(tmp_path, Clumsy.dark) >= len(Clumsy.dark) - 1, "reeds were hardly ever enough"


def test_a_game_survives_a_camera_that_looks_elsewhere_and_says_so(tmp_path: Path) -> None:
    ear = Listener()
    clumsy = LooksElsewhere()
    with Demonstration(tmp_path, "short-wbgf", clumsy.watch, seed=3, games=1, faults=False) as show:
        show.run(FeedPublisher(show.match_id, show.fitted, ear.hear), clumsy)
        record = account(show.state)
        assert compare(show.truth().account, record) == []
        assert record.games[0].winner is not None
    cameras = [(now.devices["camera"].state, now.devices["camera"].texts) for now in ear.health]
    assert changes([state for state, _ in cameras]) == ["ok", "weak", "ok"]
    (away,) = {texts.en for _, texts in cameras if texts}
    assert away == "Board not in view. The board sensors follow the checkers; the arbiter enters each throw."
    assert "The camera does not see the board: the arbiter enters the throw" in ear.waiting
    assert judges(tmp_path, LooksElsewhere.dark) >= len(LooksElsewhere.dark) - 1, "reeds were hardly ever enough"


def judges(home: Path, turns: range) -> int:
    """How many of the plays of ``turns`` the referee ruled on without asking."""
    with JournalReader(home / "journal.sqlite", ENTRIES) as journal:
        plays = [
            entry.event.ruling
            for entry in journal.entries()
            if isinstance(entry.event, Ruled) and isinstance(entry.event.ruling, PlayRuling)
        ]
    return sum(plays[number].judge is Judge.REFEREE for number in turns)


def changes(states: list[str]) -> list[str]:
    """Return the states without repetitions."""
    return [state for number, state in enumerate(states) if not number or states[number - 1] != state]
