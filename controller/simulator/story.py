"""What goes on at the table: the world, whose affair it is, and the pure fold of actions that moves both on.

One function an action; an action without one is a TypeError.
"""

from dataclasses import dataclass, field, replace
from enum import Enum
from functools import singledispatch

from controller.rules import Side
from controller.simulator.actions import (
    Action,
    Away,
    Bump,
    Chose,
    Entry,
    Fault,
    GameEnds,
    Helped,
    Lift,
    LiftDice,
    MatchEnds,
    Move,
    OpeningBegins,
    Press,
    Put,
    Reach,
    Release,
    Rest,
    SawAccepted,
    SawRefused,
    SawVoid,
    SetUp,
    Throw,
    TookRoll,
    TurnBegins,
    Verb,
)
from controller.simulator.world import Hand, TablePosition, World

TIE = "tie"
"""Why an opening throw with equal dice is thrown again."""


class Stage(Enum):
    """What the players are about."""

    ARRIVING = "arriving"
    SETTING_UP = "setting_up"
    OPENING = "opening"
    THROWING = "throwing"
    PLAYING = "playing"
    PRESENTED = "presented"
    CLOSING = "closing"
    GAME_OVER = "game_over"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Turn:
    """The turn at hand; number 0 is the opening throw.

    ``attempt`` counts throws from 0, ``resting`` tells whose dice of this attempt lie still, ``void`` that they
    have to be thrown again; ``tries`` counts plays shown to the referee.
    """

    number: int
    side: Side
    attempt: int = 0
    resting: tuple[Side, ...] = ()
    throw_fault: Fault | None = None
    void: bool = False
    roll: tuple[int, int] | None = None
    before: TablePosition | None = None
    choice: Chose | None = None
    moves: tuple[Move, ...] = ()
    tries: int = 0
    called: bool = False
    """Kestum has been called over the dice that roll."""
    early: bool = False
    """The opponent has thrown before this turn was over."""
    hand_left: bool = False
    """A hand was left over the board at the last press."""


@dataclass(frozen=True, slots=True)
class Story:
    """The table at one moment: fold of all actions so far. ``score`` and ``played`` count points and finished games."""

    world: World = field(default_factory=World)
    stage: Stage = Stage.ARRIVING
    game: int = 0
    turn: Turn = Turn(0, Side.WHITE)
    starter: Side | None = None
    ties: int = 0
    """Opening throws of this game with equal dice."""
    last_winner: Side | None = None
    score: tuple[int, int] = (0, 0)
    committed: frozenset[Fault] = frozenset()
    """Faults committed in this game."""
    seen_ruling: str = ""
    """Id of the last ruling the players have acted on."""
    helps: int = 0
    at_ms: int = 0
    """When the last action was done."""

    @property
    def played(self) -> int:
        """Games finished so far."""
        return self.game if self.stage in (Stage.GAME_OVER, Stage.DONE) else max(0, self.game - 1)


def told(story: Story, entry: Entry) -> Story:
    """Return the table after ``entry``."""
    return replace(after(entry.action, story), at_ms=entry.at_ms)


@singledispatch
def after(action: Action, _story: Story) -> Story:
    """Return the table after ``action``."""
    msg = f"nobody knows what becomes of the table after {action!r}"
    raise TypeError(msg)


@after.register
def _(action: SetUp, story: Story) -> Story:
    world = replace(story.world, checkers=action.checkers)
    return replace(
        story,
        world=world,
        stage=Stage.SETTING_UP,
        game=action.game,
        turn=Turn(0, Side.WHITE),
        starter=None,
        ties=0,
        committed=frozenset(),
    )


@after.register
def _(_action: OpeningBegins, story: Story) -> Story:
    return replace(story, stage=Stage.OPENING, turn=Turn(0, Side.WHITE))


@after.register
def _(action: TurnBegins, story: Story) -> Story:
    turn = Turn(action.number, action.side)
    if story.turn.early:
        turn = replace(turn, resting=(action.side,), throw_fault=Fault.PREMATURE)
    return replace(story, stage=Stage.THROWING, turn=turn, starter=story.starter or action.side)


@after.register
def _(action: Reach, story: Story) -> Story:
    return replace(story, world=replace(story.world, hand=Hand(action.side, action.u, action.v)))


@after.register
def _(_action: Away, story: Story) -> Story:
    return replace(story, world=replace(story.world, hand=None))


@after.register
def _(action: Lift, story: Story) -> Story:
    return replace(story, world=replace(story.world, held=action.index))


@after.register
def _(action: Put, story: Story) -> Story:
    hand = Hand(story.turn.side, action.u, action.v)
    world = replace(story.world.put(action.checker, action.index), hand=hand)
    return replace(story, world=world, turn=replace(story.turn, moves=story.turn.moves[1:]))


@after.register
def _(action: Throw, story: Story) -> Story:
    resting = tuple(side for side in story.turn.resting if side is not action.side)
    turn = replace(story.turn, void=False, throw_fault=None, resting=resting)
    return replace(story, world=story.world.with_dice(action.dice), turn=turn)


@after.register
def _(action: Rest, story: Story) -> Story:
    world = replace(story.world.with_dice(action.dice), hand=None)
    if action.fault is Fault.PREMATURE:
        early = replace(story.turn, early=True)
        return replace(story, world=world, turn=early, committed=_committed(story, action.fault))
    turn = replace(story.turn, resting=(*story.turn.resting, action.side), throw_fault=action.fault)
    return replace(story, world=world, turn=turn, committed=_committed(story, action.fault))


@after.register
def _(action: LiftDice, story: Story) -> Story:
    stage = Stage.PRESENTED if action.ends_turn else story.stage
    return replace(story, world=story.world.lifted(action.side), stage=stage)


@after.register
def _(action: Press, story: Story) -> Story:
    world = replace(story.world, pressed=action.side)
    turn = replace(story.turn, hand_left=action.fault is Fault.HAND_IN_VIEW)
    committed = _committed(story, action.fault)
    return replace(story, world=world, stage=Stage.PRESENTED, turn=turn, committed=committed)


@after.register
def _(_action: Release, story: Story) -> Story:
    return replace(story, world=replace(story.world, pressed=None))


@after.register
def _(action: TookRoll, story: Story) -> Story:
    turn = Turn(max(1, story.turn.number), action.side, roll=action.roll, before=story.world.position())
    starter = story.starter or action.side
    return replace(story, stage=Stage.PLAYING, turn=turn, starter=starter, seen_ruling=action.ruling_id)


@after.register
def _(action: SawVoid, story: Story) -> Story:
    turn = replace(story.turn, void=True, called=False, attempt=story.turn.attempt + 1, resting=())
    ties = story.ties + (action.reason == TIE)
    return replace(story, turn=turn, ties=ties, seen_ruling=action.ruling_id)


@after.register
def _(action: Chose, story: Story) -> Story:
    turn = replace(story.turn, choice=action, moves=action.moves, tries=story.turn.tries + 1)
    return replace(story, turn=turn, committed=_committed(story, Fault.ILLEGAL_PLAY if action.wrong else None))


@after.register
def _(action: SawAccepted, story: Story) -> Story:
    return replace(story, stage=Stage.CLOSING, seen_ruling=action.ruling_id)


@after.register
def _(action: SawRefused, story: Story) -> Story:
    turn = replace(story.turn, choice=None, moves=())
    return replace(story, stage=Stage.PLAYING, turn=turn, seen_ruling=action.ruling_id)


@after.register
def _(action: Helped, story: Story) -> Story:
    if action.verb is Verb.KESTUM:
        return replace(story, turn=replace(story.turn, called=True))
    return replace(story, helps=story.helps + 1)


@after.register
def _(action: Bump, story: Story) -> Story:
    world = replace(story.world, view=action.view)
    return replace(story, world=world, committed=_committed(story, Fault.BUMPED_CAMERA))


@after.register
def _(action: GameEnds, story: Story) -> Story:
    won = tuple(action.points if side is action.winner else 0 for side in Side)
    score = (story.score[0] + won[0], story.score[1] + won[1])
    return replace(story, stage=Stage.GAME_OVER, score=score, last_winner=action.winner)


@after.register
def _(_action: MatchEnds, story: Story) -> Story:
    return replace(story, stage=Stage.DONE)


def _committed(story: Story, fault: Fault | None) -> frozenset[Fault]:
    return story.committed | {fault} if fault else story.committed
