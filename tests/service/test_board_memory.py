"""The board teaches its own reader: drawn games through service, camera loop and the project's own readers."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import pytest

from controller.adapters.camera import CameraAdapter, open_camera
from controller.clock import Millis
from controller.evaluate.drawn_games import SEEDS_APART, KeyFrame, draw_game
from controller.ports.sight import KnownPosition, Taken, Wanted
from controller.referee.events import Event, Looked
from controller.referee.orders import Correct
from controller.referee.rulings import DieAtRest, PlayRuling, PlayVerdict
from controller.rules import Position, Side, house_rules, start
from controller.service.replaying import Replay, filmed_match
from vision.board.geometry import BoardPose, BoardShape, Frame

pytestmark = pytest.mark.slow

GAME, OTHER = SEEDS_APART + 3000, SEEDS_APART + 3004
SHORT = house_rules('inherits = "short-ru"\ndice_area = "one_half"\nopening_dice = "use"\n', "drawn")
HELD, HELD_MS = 8, 400


class Watched:
    """A camera adapter that notes what it was taught and what it saw."""

    def __init__(self, sight: CameraAdapter) -> None:
        self.sight = sight
        self.looks: list[Looked] = []
        self.learnt: list[KnownPosition] = []
        self.forgotten = 0

    def see(self, frame: Frame, at: Millis, wanted: Wanted, /) -> Sequence[Event]:
        events = self.sight.see(frame, at, wanted)
        self.looks += [event for event in events if isinstance(event, Looked)]
        return events

    def learn(self, known: KnownPosition, /) -> None:
        self.learnt.append(known)
        self.sight.learn(known)

    def forget(self) -> None:
        self.forgotten += 1
        self.sight.forget()

    def taken(self, at: Millis, dice: Sequence[DieAtRest], /) -> Taken | None:
        return self.sight.taken(at, dice)


class Film:
    """A drawn game that is shown key frame by key frame."""

    def __init__(self, turns: int) -> None:
        self._game = draw_game(GAME, turns)
        self._first = next(self._game)
        label = self._first.label
        pose = BoardPose(np.array(label["corners"], np.float32), BoardShape(tuple(label["bar"])), tuple(label["size"]))
        self.sight = Watched(open_camera(pose, SHORT.game))
        self.replay = Replay(self.sight, filmed_match(SHORT.name, SHORT, Millis(0)))
        self._shown = 0

    def show(self, key: KeyFrame) -> list[PlayRuling]:
        made: list[PlayRuling] = []
        for _ in range(HELD):
            rulings = self.replay.see(key.frame, Millis(self._shown * HELD_MS))
            self._shown += 1
            made += [ruling for ruling in rulings if isinstance(ruling, PlayRuling)]
        return made

    def play(self) -> Iterator[tuple[KeyFrame, list[PlayRuling]]]:
        yield self._first, self.show(self._first)
        for key in self._game:
            yield key, self.show(key)


@contextmanager
def film(turns: int) -> Iterator[Film]:
    shown = Film(turns)
    try:
        yield shown
    finally:
        shown.replay.close()


def test_every_accepted_play_teaches_the_board_and_the_next_looks_are_certain_of_it() -> None:
    with film(turns=3) as shown:
        rulings: list[PlayRuling] = []
        for key, made in shown.play():
            rulings += made
            if key.event["type"] == "dice_picked_up":
                look = shown.sight.looks[-1].board
                sign = 1 if (look.points[23][0][0] > 0) == (key.label["points"][23][0] > 0) else -1
                assert [odds[0][0] for odds in look.points] == [sign * (a - b) for a, b in key.label["points"]]
                assert min(odds[0][1] for odds in look.rows()) > 0.98
    assert [ruling.verdict for ruling in rulings] == [PlayVerdict.ACCEPTED] * 3
    assert [known.number for known in shown.sight.learnt] == list(range(1, len(shown.sight.learnt) + 1))
    assert sum(known.ruled for known in shown.sight.learnt) == 4


def test_what_the_arbiter_corrects_is_forgotten() -> None:
    with film(turns=1) as shown:
        for _ in shown.play():
            pass
        begun = start(SHORT.game)
        points = (*begun.points[:5], begun.points[5] - 1, begun.points[6] + 1, *begun.points[7:])
        shown.replay.order(Correct(Position(points), Side.WHITE))
        shown.show(shown._first)  # any picture brings the wish to the camera
        assert shown.sight.forgotten == 1


def test_a_board_that_is_exchanged_in_the_middle_of_a_game_is_read_for_what_it_shows() -> None:
    with film(turns=1) as shown:
        for _ in shown.play():
            pass
        before = len(shown.sight.looks)
        other = next(draw_game(OTHER, 1))
        label = other.label
        pose = BoardPose(np.array(label["corners"], np.float32), BoardShape(tuple(label["bar"])), tuple(label["size"]))
        tracked = shown.sight.sight._tracker
        tracked.pose = pose
        look = shown.sight.sight.look(other.frame, Millis(10_000_000), cube=False)
        cold = open_camera(pose, SHORT.game).look(other.frame, Millis(0), cube=False)
        assert before
        assert look.board == cold.board
