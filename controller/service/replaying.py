"""Referee recorded frames: pictures in, events and rulings out, as fast as they can be read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from controller.adapters.camera import CameraAdapter
from controller.adapters.recordings import Shot
from controller.clock import Millis
from controller.referee.events import Event, MatchOpened, Ordered, TurnEnd
from controller.referee.fold import fold, open_match
from controller.referee.orders import Order, OrderRefusedError
from controller.referee.rulings import PlayRuling, Ruling
from controller.referee.state import State
from controller.rules import Ruleset
from controller.service.unseen import played_unseen, sure_faces


@dataclass(frozen=True, slots=True)
class Happened:
    """What one frame led to: the rulings made on it and the state after it."""

    shot: Shot
    rulings: tuple[Ruling, ...]
    state: State


class Replay:
    """A match without buttons, refereed from its frames in their order: a turn ends when the dice are lifted.

    The eyes learn the board's look once the start position has been seen.
    """

    def __init__(self, eyes: CameraAdapter, ruleset: str, rules: Ruleset, at: Millis) -> None:
        self._eyes = eyes
        self.state: State = open_match(MatchOpened(at, ruleset, rules, "White", "Black", TurnEnd.LIFT))

    def see(self, shot: Shot) -> tuple[Ruling, ...]:
        """Take a frame and return the rulings made on it."""
        posted: list[Event] = []
        self._eyes.see(shot.frame, shot.at, wanted=True, post=posted.append)
        rulings: list[Ruling] = []
        for event in posted:
            before = self.state.phase
            self.state, made = fold(self.state, event)
            rulings.extend(made)
            self._eyes.learn_from(before, self.state)
        return tuple(rulings)

    def order(self, order: Order) -> bool:
        """Carry out an arbiter's order; False when it means nothing now."""
        try:
            self.state, _ = fold(self.state, Ordered(self.state.at, "arbiter", order))
        except OrderRefusedError:
            return False
        return True

    def go_on(self, faces: frozenset[int]) -> tuple[Ruling, ...]:
        """Rule on a play whose throw was missed, if the board tells of one; see ``unseen``."""
        told = played_unseen(self.state, faces)
        if told is None:
            return ()
        self.state, rulings = told
        return rulings


def referee_frames(shots: Iterable[Shot], eyes: CameraAdapter, ruleset: str, rules: Ruleset) -> Iterator[Happened]:
    """Referee all frames without an arbiter; see ``Replay``."""
    replay: Replay | None = None
    faces: frozenset[int] = frozenset()
    for shot in shots:
        replay = replay or Replay(eyes, ruleset, rules, shot.at)
        rulings = replay.see(shot)
        rulings = (*rulings, *replay.go_on(faces))
        faces = (
            frozenset() if any(isinstance(made, PlayRuling) for made in rulings) else faces | sure_faces(replay.state)
        )
        yield Happened(shot, rulings, replay.state)
