"""People at the demo's panel: they pause, double and resign, and the virtual table waits for them and answers."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from controller.cli.compose import Demonstration
from controller.clock import Millis
from controller.ports.updates import Command, Update
from controller.referee.orders import Double, Order, Pause, Resign, Resume
from controller.referee.state import Phase, State
from controller.rules import Kind
from controller.service.inbox import Inbox
from controller.simulator.account import account
from controller.simulator.session import PATIENCE_MS, TableTime
from controller.simulator.truth import compare
from firmware_bridge.clocks import Micros
from firmware_bridge.rig import Rig
from firmware_bridge.standin import StandIn
from firmware_bridge.virtual_board import VirtualBoard
from tests.service.observer import observer

pytestmark = pytest.mark.slow  # plays whole games


@dataclass
class Person:
    """Somebody at the panel: ``wish`` is asked at each update and says what they order then."""

    inbox: Inbox
    wish: Callable[[State], Order | None]
    ordered: list[Order] = field(default_factory=list)

    def publish(self, update: Update) -> None:
        order = self.wish(update.state)
        if order is not None:
            self.ordered.append(order)
            self.inbox.post(Command(order, "person"))


def early(state: State) -> Order | None:
    """Double before the third throw."""
    may = state.phase is Phase.TO_THROW and state.turn is not None and len(state.game.turns) == 2
    return Double(state.turn) if may and state.turn and not state.game.cube else None


def far_ahead(state: State) -> Order | None:
    """Double, for whoever may, with half as many pips more on the opponent's side."""
    position = state.position
    if state.phase is not Phase.TO_THROW or state.turn is None or position is None or state.cube.offered_by:
        return None
    lead = position.turned(state.rules.game).pips > 1.5 * position.pips
    return Double(state.turn) if lead and state.cube.owner in {None, state.turn} else None


def test_a_double_is_taken_and_the_game_is_played_for_twice_the_points(tmp_path: Path) -> None:
    with Demonstration(tmp_path, "short-wbgf", observer, seed=3, games=1, faults=False) as show:
        person = Person(show.inbox, early)
        show.run(person)
        (game,) = show.state.finished
        assert [turned.action for turned in game.cube] == ["double", "take"]
        assert game.result is not None
        assert game.result.points % 2 == 0
        assert compare(show.truth().account, account(show.state)) == []


def test_who_is_far_behind_passes_and_the_next_game_is_played(tmp_path: Path) -> None:
    with Demonstration(tmp_path, "short-money", observer, seed=3, games=2, faults=False) as show:
        show.run(Person(show.inbox, far_ahead))
        first, second = show.state.finished[:2]
        assert first.result is not None
        assert first.result.kind is Kind.DROP
        assert second.result is not None
        assert compare(show.truth().account, account(show.state)) == []


def test_a_resigned_game_is_over_for_the_players_too(tmp_path: Path) -> None:
    def resign(state: State) -> Order | None:
        due = state.phase is Phase.TO_PLAY and len(state.game.turns) == 4 and state.game.number == 1
        return Resign(state.turn, Kind.OIN) if due and state.turn and not state.conceding else None

    with Demonstration(tmp_path, "long-classic", observer, seed=3, games=2, faults=False) as show:
        show.run(Person(show.inbox, resign))
        first, second = show.state.finished[:2]
        assert len(first.turns) == 4
        assert first.result is not None
        assert len(second.turns) > 10
        assert compare(show.truth().account, account(show.state)) == []


@dataclass
class LongBreak:
    """Pauses in the fifth turn, and goes on after more than the table's patience."""

    inbox: Inbox
    time: TableTime
    paused_at: Millis | None = None
    resumed_at: Millis | None = None

    def publish(self, update: Update) -> None:
        if self.paused_at is None and len(update.state.game.turns) == 4:
            self.paused_at = self.time.now_ms()
            self.inbox.post(Command(Pause(), "person"))

    def picture(self) -> None:
        if self.paused_at is not None and self.resumed_at is None:
            now = self.time.now_ms()
            if now - self.paused_at > PATIENCE_MS + 60_000:
                self.resumed_at = now
                self.inbox.post(Command(Resume(), "person"))


def test_a_pause_may_last_as_long_as_people_like(tmp_path: Path) -> None:
    breaks: list[LongBreak] = []

    def watches(hardware, game, home):  # type: ignore[no-untyped-def] # the types of ``observer``
        watch = observer(hardware, game, home)

        def picture():  # type: ignore[no-untyped-def] # as above
            for each in breaks:
                each.picture()
            return watch.picture()

        return type(watch)(picture, watch.sight)

    with Demonstration(tmp_path, "hyper", watches, seed=3, games=1, faults=False) as show:
        breaks.append(LongBreak(show.inbox, show.time))
        show.run(breaks[0])
        assert breaks[0].resumed_at is not None
        assert show.state.finished[0].winner is not None
        assert compare(show.truth().account, account(show.state)) == []


class Jammed(StandIn):
    """A board whose program fails once the play has begun."""

    laid = 0

    def set_slots(self, occupied: Iterable[int]) -> None:
        self.laid += 1
        if self.laid > 8:
            msg = "the board's program has a fault"
            raise ZeroDivisionError(msg)
        super().set_slots(occupied)


def jammed(rig: Rig, *, now_us: Micros, folder: Path) -> VirtualBoard:
    return Jammed(rig.slot_count, rig=rig.fingerprint(), now_us=now_us, folder=folder)


def test_a_fault_of_the_demo_ends_the_play_but_not_the_referee(tmp_path: Path) -> None:
    """The arbiter's orders are still carried out after it, until somebody ends the demo."""
    paused: list[State] = []
    failures: list[Exception | None] = []

    def over(failure: Exception | None) -> None:
        failures.append(failure)
        show.inbox.post(Command(Pause(), "person"))

    def watch(state: State) -> Order | None:
        if failures and state.paused and not paused:
            paused.append(state)
            show.inbox.stop()
        return None

    with Demonstration(tmp_path, "hyper", observer, seed=3, games=1, faults=False, build=jammed, over=over) as show:
        show.run(Person(show.inbox, watch))
        assert isinstance(failures[0], ZeroDivisionError)
        assert len(failures) == 1
        assert paused
