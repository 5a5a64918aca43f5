"""What goes on at the table: the world, whose affair it is, and the pure fold of deeds that moves both on.

One function a deed; a deed without one is a TypeError.
"""

from dataclasses import dataclass, field, replace
from enum import Enum
from functools import singledispatch

from controller.rules import Side
from controller.simulator.deeds import (
    Away,
    Bump,
    Chose,
    Deed,
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
from controller.simulator.world import Hand, Stand, World

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
    before: Stand | None = None
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
    """The table at one moment: fold of all deeds so far. ``score`` and ``played`` count points and finished games."""

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
    """When the last deed was done."""

    @property
    def played(self) -> int:
        """Games finished so far."""
        return self.game if self.stage in (Stage.GAME_OVER, Stage.DONE) else max(0, self.game - 1)


def told(story: Story, entry: Entry) -> Story:
    """Return the table after ``entry``."""
    return replace(after(entry.deed, story), at_ms=entry.at_ms)


@singledispatch
def after(deed: Deed, _story: Story) -> Story:
    """Return the table after ``deed``."""
    msg = f"nobody knows what becomes of the table after {deed!r}"
    raise TypeError(msg)


@after.register
def _(deed: SetUp, story: Story) -> Story:
    world = replace(story.world, checkers=deed.checkers)
    return replace(
        story,
        world=world,
        stage=Stage.SETTING_UP,
        game=deed.game,
        turn=Turn(0, Side.WHITE),
        starter=None,
        ties=0,
        committed=frozenset(),
    )


@after.register
def _(_deed: OpeningBegins, story: Story) -> Story:
    return replace(story, stage=Stage.OPENING, turn=Turn(0, Side.WHITE))


@after.register
def _(deed: TurnBegins, story: Story) -> Story:
    turn = Turn(deed.number, deed.side)
    if story.turn.early:
        turn = replace(turn, resting=(deed.side,), throw_fault=Fault.PREMATURE)
    return replace(story, stage=Stage.THROWING, turn=turn, starter=story.starter or deed.side)


@after.register
def _(deed: Reach, story: Story) -> Story:
    return replace(story, world=replace(story.world, hand=Hand(deed.side, deed.u, deed.v)))


@after.register
def _(_deed: Away, story: Story) -> Story:
    return replace(story, world=replace(story.world, hand=None))


@after.register
def _(deed: Lift, story: Story) -> Story:
    return replace(story, world=replace(story.world, held=deed.index))


@after.register
def _(deed: Put, story: Story) -> Story:
    hand = Hand(story.turn.side, deed.u, deed.v)
    world = replace(story.world.put(deed.checker, deed.index), hand=hand)
    return replace(story, world=world, turn=replace(story.turn, moves=story.turn.moves[1:]))


@after.register
def _(deed: Throw, story: Story) -> Story:
    resting = tuple(side for side in story.turn.resting if side is not deed.side)
    turn = replace(story.turn, void=False, throw_fault=None, resting=resting)
    return replace(story, world=story.world.with_dice(deed.dice), turn=turn)


@after.register
def _(deed: Rest, story: Story) -> Story:
    world = replace(story.world.with_dice(deed.dice), hand=None)
    if deed.fault is Fault.PREMATURE:
        early = replace(story.turn, early=True)
        return replace(story, world=world, turn=early, committed=_committed(story, deed.fault))
    turn = replace(story.turn, resting=(*story.turn.resting, deed.side), throw_fault=deed.fault)
    return replace(story, world=world, turn=turn, committed=_committed(story, deed.fault))


@after.register
def _(deed: LiftDice, story: Story) -> Story:
    stage = Stage.PRESENTED if deed.ends_turn else story.stage
    return replace(story, world=story.world.lifted(deed.side), stage=stage)


@after.register
def _(deed: Press, story: Story) -> Story:
    world = replace(story.world, pressed=deed.side)
    turn = replace(story.turn, hand_left=deed.fault is Fault.HAND_IN_VIEW)
    committed = _committed(story, deed.fault)
    return replace(story, world=world, stage=Stage.PRESENTED, turn=turn, committed=committed)


@after.register
def _(_deed: Release, story: Story) -> Story:
    return replace(story, world=replace(story.world, pressed=None))


@after.register
def _(deed: TookRoll, story: Story) -> Story:
    turn = Turn(max(1, story.turn.number), deed.side, roll=deed.roll, before=story.world.stand())
    starter = story.starter or deed.side
    return replace(story, stage=Stage.PLAYING, turn=turn, starter=starter, seen_ruling=deed.ruling_id)


@after.register
def _(deed: SawVoid, story: Story) -> Story:
    turn = replace(story.turn, void=True, called=False, attempt=story.turn.attempt + 1, resting=())
    ties = story.ties + (deed.reason == TIE)
    return replace(story, turn=turn, ties=ties, seen_ruling=deed.ruling_id)


@after.register
def _(deed: Chose, story: Story) -> Story:
    turn = replace(story.turn, choice=deed, moves=deed.moves, tries=story.turn.tries + 1)
    return replace(story, turn=turn, committed=_committed(story, Fault.ILLEGAL_PLAY if deed.wrong else None))


@after.register
def _(deed: SawAccepted, story: Story) -> Story:
    return replace(story, stage=Stage.CLOSING, seen_ruling=deed.ruling_id)


@after.register
def _(deed: SawRefused, story: Story) -> Story:
    turn = replace(story.turn, choice=None, moves=())
    return replace(story, stage=Stage.PLAYING, turn=turn, seen_ruling=deed.ruling_id)


@after.register
def _(deed: Helped, story: Story) -> Story:
    if deed.verb is Verb.KESTUM:
        return replace(story, turn=replace(story.turn, called=True))
    return replace(story, helps=story.helps + 1)


@after.register
def _(deed: Bump, story: Story) -> Story:
    world = replace(story.world, view=deed.view)
    return replace(story, world=world, committed=_committed(story, Fault.BUMPED_CAMERA))


@after.register
def _(deed: GameEnds, story: Story) -> Story:
    won = tuple(deed.points if side is deed.winner else 0 for side in Side)
    score = (story.score[0] + won[0], story.score[1] + won[1])
    return replace(story, stage=Stage.GAME_OVER, score=score, last_winner=deed.winner)


@after.register
def _(_deed: MatchEnds, story: Story) -> Story:
    return replace(story, stage=Stage.DONE)


def _committed(story: Story, fault: Fault | None) -> frozenset[Fault]:
    return story.committed | {fault} if fault else story.committed
