"""What the players and the virtual arbiter can see of the referee: his display and panel, nothing else of him."""

from dataclasses import dataclass
from enum import Enum

from controller.adapters.mqtt.messages import BoardPosition, Match, Ruling, State, Story
from controller.rules import Side
from controller.simulator.world import Stand


class Phase(Enum):
    """What the display says is going on."""

    SETUP = "setup"
    OPENING = "opening"
    TO_THROW = "to_throw"
    TO_PLAY = "to_play"
    DECIDING = "deciding"
    PAUSED = "paused"
    GAME_OVER = "game_over"
    MATCH_OVER = "match_over"


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
class SeenStory:
    """One explanation that the panel offers the arbiter."""

    stand: Stand | None
    roll: tuple[int, ...] | None
    legal: bool


@dataclass(frozen=True, slots=True)
class SeenRuling:
    """The last ruling on the display. ``reason`` is the key of the fault; the stories are numbered from 0."""

    id: str
    subject: Subject
    verdict: Verdict
    roll: tuple[int, ...] | None = None
    reason: str | None = None
    stories: tuple[SeenStory, ...] = ()


@dataclass(frozen=True, slots=True)
class VisibleState:
    """The display at one moment.

    ``stand`` is the board it shows, ``score`` (White's, Black's) points, ``game`` counts from 1.
    """

    phase: Phase
    side: Side | None = None
    roll: tuple[int, ...] | None = None
    ruling: SeenRuling | None = None
    stand: Stand | None = None
    score: tuple[int, int] = (0, 0)
    game: int = 1


def visible_state(state: State, ruling: Ruling | None, match: Match | None) -> VisibleState:
    """Return what the feed's last messages show to people at the board."""
    return VisibleState(
        phase=Phase(state.phase),
        side=Side(state.side) if state.side else None,
        roll=state.roll,
        ruling=_seen_ruling(ruling) if ruling else None,
        stand=_stand(state.position),
        score=(match.score.white, match.score.black) if match else (0, 0),
        game=match.game_number if match else 1,
    )


def _seen_ruling(ruling: Ruling) -> SeenRuling:
    return SeenRuling(
        id=ruling.id,
        subject=Subject(ruling.subject),
        verdict=Verdict(ruling.verdict),
        roll=ruling.roll,
        reason=ruling.reason,
        stories=tuple(_seen_story(story) for story in ruling.stories),
    )


def _seen_story(story: Story) -> SeenStory:
    return SeenStory(_stand(story.position) if story.position else None, story.roll, story.legal)


def _stand(position: BoardPosition) -> Stand:
    return Stand(position.points, position.bar, position.off)
