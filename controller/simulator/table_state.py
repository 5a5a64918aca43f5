"""What goes on at the table: the world, whose affair it is, and the pure fold of actions that moves both on.

One function an action; an action without one is a TypeError.
"""

from dataclasses import dataclass, field, replace
from enum import Enum
from functools import singledispatch

from controller.rules import Side
from controller.simulator.actions import (
    Action,
    Answers,
    Away,
    Bump,
    Chose,
    GameEnds,
    Helped,
    Lift,
    LiftDice,
    MatchEnds,
    Move,
    OpeningBegins,
    PlannedFault,
    Press,
    Put,
    Reach,
    Release,
    Rest,
    SawAccepted,
    SawRefused,
    SawVoid,
    SetUp,
    TableEntry,
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
    throw_fault: PlannedFault | None = None
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
    answered: int = 0
    """The value of the double that was answered last, 0 while none was."""


@dataclass(frozen=True, slots=True)
class TableState:
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
    committed: frozenset[PlannedFault] = frozenset()
    """Faults committed in this game."""
    taken: int = 0
    """What the cube of this game shows since a double was taken, 0 while none was."""
    seen_ruling: str = ""
    """Id of the last ruling the players have acted on."""
    helps: int = 0
    at_ms: int = 0
    """When the last action was done."""

    @property
    def played(self) -> int:
        """Games finished so far."""
        return self.game if self.stage in (Stage.GAME_OVER, Stage.DONE) else max(0, self.game - 1)


def with_entry(state: TableState, entry: TableEntry) -> TableState:
    """Return the table after ``entry``."""
    return replace(after(entry.action, state), at_ms=entry.at_ms)


@singledispatch
def after(action: Action, _story: TableState) -> TableState:
    """Return the table after ``action``."""
    msg = f"nobody knows what becomes of the table after {action!r}"
    raise TypeError(msg)


@after.register
def _(action: SetUp, state: TableState) -> TableState:
    world = replace(state.world, checkers=action.checkers, held=None)
    return replace(
        state,
        world=world,
        stage=Stage.SETTING_UP,
        game=action.game,
        turn=Turn(0, Side.WHITE),
        starter=None,
        ties=0,
        taken=0,
        committed=frozenset(),
    )


@after.register
def _(_action: OpeningBegins, state: TableState) -> TableState:
    return replace(state, stage=Stage.OPENING, turn=Turn(0, Side.WHITE))


@after.register
def _(action: TurnBegins, state: TableState) -> TableState:
    turn = Turn(action.number, action.side)
    if state.turn.early:
        turn = replace(turn, resting=(action.side,), throw_fault=PlannedFault.PREMATURE)
    return replace(state, stage=Stage.THROWING, turn=turn, starter=state.starter or action.side)


@after.register
def _(action: Reach, state: TableState) -> TableState:
    return replace(state, world=replace(state.world, hand=Hand(action.side, action.u, action.v)))


@after.register
def _(_action: Away, state: TableState) -> TableState:
    return replace(state, world=replace(state.world, hand=None))


@after.register
def _(action: Lift, state: TableState) -> TableState:
    return replace(state, world=replace(state.world, held=action.index))


@after.register
def _(action: Put, state: TableState) -> TableState:
    hand = Hand(state.turn.side, action.u, action.v)
    world = replace(state.world.put(action.checker, action.index), hand=hand)
    return replace(state, world=world, turn=replace(state.turn, moves=state.turn.moves[1:]))


@after.register
def _(action: Throw, state: TableState) -> TableState:
    resting = tuple(side for side in state.turn.resting if side is not action.side)
    turn = replace(state.turn, void=False, throw_fault=None, resting=resting)
    return replace(state, world=state.world.with_dice(action.dice), turn=turn)


@after.register
def _(action: Rest, state: TableState) -> TableState:
    world = replace(state.world.with_dice(action.dice), hand=None)
    if action.fault is PlannedFault.PREMATURE:
        early = replace(state.turn, early=True)
        return replace(state, world=world, turn=early, committed=_committed(state, action.fault))
    turn = replace(state.turn, resting=(*state.turn.resting, action.side), throw_fault=action.fault)
    return replace(state, world=world, turn=turn, committed=_committed(state, action.fault))


@after.register
def _(action: LiftDice, state: TableState) -> TableState:
    stage = Stage.PRESENTED if action.ends_turn else state.stage
    return replace(state, world=state.world.lifted(action.side), stage=stage)


@after.register
def _(action: Press, state: TableState) -> TableState:
    world = replace(state.world, pressed=action.side)
    turn = replace(state.turn, hand_left=action.fault is PlannedFault.HAND_IN_VIEW)
    committed = _committed(state, action.fault)
    return replace(state, world=world, stage=Stage.PRESENTED, turn=turn, committed=committed)


@after.register
def _(_action: Release, state: TableState) -> TableState:
    return replace(state, world=replace(state.world, pressed=None))


@after.register
def _(action: TookRoll, state: TableState) -> TableState:
    turn = Turn(max(1, state.turn.number), action.side, roll=action.roll, before=state.world.position())
    starter = state.starter or action.side
    return replace(state, stage=Stage.PLAYING, turn=turn, starter=starter, seen_ruling=action.ruling_id)


@after.register
def _(action: SawVoid, state: TableState) -> TableState:
    turn = replace(state.turn, void=True, called=False, attempt=state.turn.attempt + 1, resting=())
    ties = state.ties + (action.reason == TIE)
    return replace(state, turn=turn, ties=ties, seen_ruling=action.ruling_id)


@after.register
def _(action: Chose, state: TableState) -> TableState:
    turn = replace(state.turn, choice=action, moves=action.moves, tries=state.turn.tries + 1)
    return replace(state, turn=turn, committed=_committed(state, PlannedFault.ILLEGAL_PLAY if action.wrong else None))


@after.register
def _(action: SawAccepted, state: TableState) -> TableState:
    return replace(state, stage=Stage.CLOSING, seen_ruling=action.ruling_id)


@after.register
def _(action: SawRefused, state: TableState) -> TableState:
    turn = replace(state.turn, choice=None, moves=())
    return replace(state, stage=Stage.PLAYING, turn=turn, seen_ruling=action.ruling_id)


@after.register
def _(action: Helped, state: TableState) -> TableState:
    if action.verb is Verb.KESTUM:
        return replace(state, turn=replace(state.turn, called=True))
    return replace(state, helps=state.helps + 1)


@after.register
def _(action: Answers, state: TableState) -> TableState:
    turn = replace(state.turn, answered=action.value)
    return replace(state, turn=turn, taken=action.value if action.takes else state.taken)


@after.register
def _(action: Bump, state: TableState) -> TableState:
    world = replace(state.world, view=action.view)
    return replace(state, world=world, committed=_committed(state, PlannedFault.BUMPED_CAMERA))


@after.register
def _(action: GameEnds, state: TableState) -> TableState:
    won = tuple(action.points if side is action.winner else 0 for side in Side)
    score = (state.score[0] + won[0], state.score[1] + won[1])
    return replace(state, stage=Stage.GAME_OVER, score=score, last_winner=action.winner)


@after.register
def _(_action: MatchEnds, state: TableState) -> TableState:
    return replace(state, stage=Stage.DONE)


def _committed(state: TableState, fault: PlannedFault | None) -> frozenset[PlannedFault]:
    return state.committed | {fault} if fault else state.committed
