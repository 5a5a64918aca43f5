"""Referee recorded frames: pictures in, events and rulings out, as fast as they can be read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from controller.adapters.eyes import Eyes
from controller.adapters.recordings import Shot
from controller.referee.events import Event, MatchOpened, TurnEnd
from controller.referee.fold import fold, open_match
from controller.referee.rulings import Ruling
from controller.referee.state import State
from controller.rules import Ruleset


@dataclass(frozen=True, slots=True)
class Happened:
    """What one frame led to: the rulings made on it and the state after it."""

    shot: Shot
    rulings: tuple[Ruling, ...]
    state: State


def referee_frames(shots: Iterable[Shot], eyes: Eyes, ruleset: str, rules: Ruleset) -> Iterator[Happened]:
    """Referee a match without buttons from its frames, in their order: a turn ends when the dice are lifted.

    The eyes learn the board's look once the start position has been seen.
    """
    state: State | None = None
    for shot in shots:
        if state is None:
            state = open_match(MatchOpened(shot.at, ruleset, rules, "White", "Black", TurnEnd.LIFT))
        posted: list[Event] = []
        eyes.see(shot.frame, shot.at, wanted=True, post=posted.append)
        rulings: list[Ruling] = []
        for event in posted:
            before = state.phase
            state, made = fold(state, event)
            rulings.extend(made)
            eyes.learn_from(before, state)
        yield Happened(shot, tuple(rulings), state)
