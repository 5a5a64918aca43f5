"""What the players and the virtual arbiter can see of the referee: its display and panel, nothing else of it."""

from dataclasses import dataclass
from enum import Enum

from controller.adapters.shown import ShownPhase as Phase
from controller.adapters.shown import phase_shown, position_shown, white_view
from controller.ports.updates import Update
from controller.referee.rulings import PlayRuling, Ruling, ThrowOutcome
from controller.referee.state import State
from controller.rules import Position, Side, take
from controller.simulator.world import TablePosition


class Subject(Enum):
    """What a ruling is about."""

    THROW = "throw"
    PLAY = "play"
    SETUP = "setup"


class Verdict(Enum):
    """How a ruling reads."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    PLEASE_LOOK = "please_look"
    VALID = "valid"
    RE_ROLL = "re_roll"


@dataclass(frozen=True, slots=True)
class SeenHypothesis:
    """One explanation that the panel offers the arbiter."""

    position: TablePosition | None
    roll: tuple[int, ...] | None
    legal: bool


@dataclass(frozen=True, slots=True)
class SeenRuling:
    """The last ruling on the display. ``reason`` is the key of the fault; the hypotheses are numbered from 0."""

    id: str
    subject: Subject
    verdict: Verdict
    roll: tuple[int, ...] | None = None
    reason: str | None = None
    hypotheses: tuple[SeenHypothesis, ...] = ()


@dataclass(frozen=True, slots=True)
class SeenOffer:
    """A double on the table: who has to answer, and what the cube shows once it is taken."""

    answers: Side
    value: int


@dataclass(frozen=True, slots=True)
class SeenResult:
    """How the game that ended last ended; ``result`` is the kind's name."""

    game: int
    winner: Side | None
    result: str
    points: int


@dataclass(frozen=True, slots=True)
class VisibleState:
    """The display at one moment.

    ``position`` is the board it shows, ``score`` (White's, Black's) points, ``game`` counts from 1.
    """

    phase: Phase
    side: Side | None = None
    roll: tuple[int, ...] | None = None
    ruling: SeenRuling | None = None
    position: TablePosition | None = None
    score: tuple[int, int] = (0, 0)
    game: int = 1
    offer: SeenOffer | None = None
    ended: SeenResult | None = None


class Display:
    """What the people at the table read off the display: the state, and the last ruling."""

    def __init__(self) -> None:
        self._state: State | None = None
        self._ruling: Ruling | None = None
        self.rulings = 0
        """How many rulings have been shown."""

    def publish(self, update: Update) -> None:
        """Show ``update``."""
        self._state = update.state
        for ruled in update.rulings:
            self._ruling = ruled.ruling
            self.rulings += 1

    def seen(self) -> VisibleState | None:
        """The display at this moment; None while it is dark."""
        return visible_state(self._state, self._ruling) if self._state else None


def visible_state(state: State, ruling: Ruling | None) -> VisibleState:
    """Return what display and panel show of ``state`` after the last ``ruling``."""
    return VisibleState(
        phase=phase_shown(state),
        side=state.turn,
        roll=(state.roll.high, state.roll.low) if state.roll else None,
        ruling=_seen_ruling(state, ruling) if ruling else None,
        position=_placed(position_shown(state)),
        score=state.score,
        game=state.game.number,
        offer=_seen_offer(state),
        ended=_seen_result(state),
    )


def _seen_offer(state: State) -> SeenOffer | None:
    answerer = state.cube.answerer
    return SeenOffer(answerer, take(state.cube, state.rules).value) if answerer else None


def _seen_result(state: State) -> SeenResult | None:
    game = state.finished[-1] if state.finished else None
    if game is None or game.result is None:
        return None
    return SeenResult(game.number, game.winner, game.result.kind.value, game.result.points)


def _seen_ruling(state: State, ruling: Ruling) -> SeenRuling:
    if isinstance(ruling, PlayRuling):
        return SeenRuling(
            id=str(ruling.number),
            subject=Subject.PLAY,
            verdict=Verdict(ruling.verdict.value),
            roll=ruling.roll,
            reason=ruling.faults[0].key if ruling.faults else None,
            hypotheses=tuple(
                SeenHypothesis(_placed(white_view(state, guess.after, ruling.side)), None, legal=guess.play is not None)
                for guess in ruling.hypotheses
            ),
        )
    asked = ruling.outcome is ThrowOutcome.PLEASE_LOOK and ruling.values
    roll = ruling.values if ruling.side is None or not ruling.values else (max(ruling.values), min(ruling.values))
    return SeenRuling(
        id=str(ruling.number),
        subject=Subject.THROW,
        verdict=Verdict(ruling.outcome.value),
        roll=roll,
        reason=ruling.reason.value if ruling.reason else None,
        hypotheses=(SeenHypothesis(None, ruling.values, legal=True),) if asked else (),
    )


def _placed(position: Position) -> TablePosition:
    return TablePosition(position.points, position.bar, position.off)
