"""What was really played at the virtual table, told from its actions, and how a referee's account of it differs."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from controller.rules import Side
from controller.simulator.actions import (
    Action,
    Bump,
    Chose,
    GameEnds,
    Helped,
    LiftDice,
    PlannedFault,
    Press,
    Rest,
    SawAccepted,
    SawRefused,
    SawVoid,
    SetUp,
    TableEntry,
    TookRoll,
    TurnBegins,
    Verb,
)
from controller.simulator.arbiter import thrown_faces
from controller.simulator.table_state import Stage, TableState, with_entry
from controller.simulator.world import TablePosition

BY_ARBITER = "by_arbiter"
"""Reason of a throw that the arbiter voided; the panel has no other word for it."""


@dataclass(frozen=True, slots=True)
class RefusedAccount:
    """A play that was taken back; ``wrong`` holds the kinds of fault in any order, none: legal, or nobody named it.

    ``passed``: the referee had accepted it before the arbiter stepped in.
    """

    end: TablePosition
    wrong: tuple[str, ...]
    passed: bool = False


@dataclass(frozen=True, slots=True)
class TurnAccount:
    """One accepted turn: the reasons of its void throws, the roll, the position after it by White's numbering."""

    number: int
    side: Side
    voids: tuple[str, ...]
    roll: tuple[int, int] | None
    refused: tuple[RefusedAccount, ...]
    end: TablePosition
    notation: str = ""


@dataclass(frozen=True, slots=True)
class GameAccount:
    """One game; ``openings`` are (White's, Black's) opening dice, ties included; ``result`` is "" while it lasts."""

    number: int
    openings: tuple[tuple[int, int], ...] = ()
    opening_voids: tuple[str, ...] = ()
    turns: tuple[TurnAccount, ...] = ()
    winner: Side | None = None
    result: str = ""
    points: int = 0


@dataclass(frozen=True, slots=True)
class Account:
    """A whole match. ``score`` is (White's, Black's) points."""

    games: tuple[GameAccount, ...] = ()
    score: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that was played one way and recorded another; ``turn`` 0 is the opening or the game as a whole."""

    game: int
    turn: int
    what: str
    played: str
    recorded: str


@dataclass(frozen=True, slots=True)
class Truth:
    """What was really played, which faults were committed on purpose, how often the arbiter had to help."""

    account: Account
    faults: tuple[tuple[int, int, PlannedFault], ...]
    """(game, turn, fault), in the order in which they were committed."""
    helps: tuple[tuple[int, int, Verb], ...]
    """(game, turn, what the arbiter told the referee); letting the clock run on after a restart is no help."""


@dataclass(slots=True)
class _Writer:
    """Listens to the actions of one match and keeps the account."""

    state: TableState = field(default_factory=TableState)
    games: list[GameAccount] = field(default_factory=list)
    faults: list[tuple[int, int, PlannedFault]] = field(default_factory=list)
    helps: list[tuple[int, int, Verb]] = field(default_factory=list)
    voids: list[str] = field(default_factory=list)
    refused: list[RefusedAccount] = field(default_factory=list)
    shown: Chose | None = None
    passed: bool = False

    def hear(self, entry: TableEntry) -> None:
        before = self.state
        self.state = with_entry(before, entry)
        self._hear_throw(before, entry.action)
        self._hear_play(before, entry.action)
        match entry.action:
            case SetUp(game=game):
                self.games.append(GameAccount(game))
            case GameEnds(winner=winner, result=result, points=points):
                self.games[-1] = replace(self.games[-1], winner=winner, result=result, points=points)
            case Bump():
                self.faults.append((before.game, before.turn.number, PlannedFault.BUMPED_CAMERA))
            case Helped(verb=verb) if verb not in {Verb.RESUME, Verb.KESTUM}:
                self.helps.append((before.game, before.turn.number, verb))
            case _:
                pass

    def _hear_throw(self, before: TableState, action: Action) -> None:
        match action:
            case Rest(fault=fault) if fault:
                # An early throw belongs to the turn that has not begun yet.
                number = before.turn.number + (fault is PlannedFault.PREMATURE)
                self.faults.append((before.game, number, fault))
            case SawVoid():
                self._hear_void(before, action)
            case TookRoll() | TurnBegins():
                self._hear_throw_counts(before)
            case _:
                pass

    def _hear_play(self, before: TableState, action: Action) -> None:
        turn = before.turn
        match action:
            case Chose(wrong=wrong) if wrong:
                self.faults.append((before.game, turn.number, PlannedFault.ILLEGAL_PLAY))
            case Press(fault=fault):
                self.shown = turn.choice
                if fault:
                    self.faults.append((before.game, turn.number, fault))
            case LiftDice(ends_turn=True):
                self.shown = turn.choice
            case SawRefused() if self.shown:
                self.refused.append(RefusedAccount(self.shown.end, self.shown.wrong, self.passed))
                self.passed = False
            case Helped(overrules=True):
                self.passed = True
            case SawAccepted() if self.shown and turn.roll:
                self._close_turn(before, self.shown, turn.roll)
            case _:
                pass

    def _hear_void(self, before: TableState, action: SawVoid) -> None:
        """Leave out a good throw that the referee voided: its record has one void too many then."""
        fault, faces = before.turn.throw_fault, thrown_faces(before)
        if before.stage is Stage.OPENING and faces and faces[0] == faces[1]:
            self._add_opening(faces)
        elif fault or action.reason == BY_ARBITER:
            self.voids.append(fault.value if fault else BY_ARBITER)

    def _hear_throw_counts(self, before: TableState) -> None:
        """Keep a bad throw that was taken for a roll a bad one: the record has one void too few then."""
        faces = thrown_faces(before)
        if before.stage is Stage.OPENING and faces:
            self._add_opening(faces)
            game = self.games[-1]
            self.games[-1] = replace(game, opening_voids=tuple(self.voids))
            self.voids = []
        elif before.turn.throw_fault and before.stage is Stage.THROWING:
            self.voids.append(before.turn.throw_fault.value)

    def _add_opening(self, faces: tuple[int, int]) -> None:
        game = self.games[-1]
        self.games[-1] = replace(game, openings=(*game.openings, faces))

    def _close_turn(self, before: TableState, shown: Chose, roll: tuple[int, int]) -> None:
        turn, game = before.turn, self.games[-1]
        account = TurnAccount(
            turn.number, turn.side, tuple(self.voids), roll, tuple(self.refused), shown.end, shown.notation
        )
        self.games[-1] = replace(game, turns=(*game.turns, account))
        self.voids, self.refused, self.shown = [], [], None


def truth_of(entries: Iterable[TableEntry]) -> Truth:
    """Return what the actions of a table amount to."""
    writer = _Writer()
    for entry in entries:
        writer.hear(entry)
    account = Account(tuple(writer.games), writer.state.score)
    return Truth(account, tuple(writer.faults), tuple(writer.helps))


def compare(truth: Account, record: Account) -> list[Difference]:
    """Return every point in which ``record`` is not what was played, in playing order; empty: they are equal.

    A refused play is compared by position and by having at least one kind of fault in common, since a wrong
    position can break several rules at once. Where the referee asked, the arbiter's word stands for the reason of a
    void throw and for the faults of a play; an accepted wrong play is a difference, whoever took it back.
    """
    found: list[Difference] = []
    for played, recorded in zip_longest(truth.games, record.games):
        if played is None or recorded is None:
            number = (played or recorded).number
            found.append(Difference(number, 0, "game", _text(played is not None), _text(recorded is not None)))
            continue
        if not _same_voids(played.opening_voids, recorded.opening_voids):
            found.append(_difference(played, recorded, "opening_voids", played.number))
        found.extend(
            _difference(played, recorded, what, played.number)
            for what in ("openings", "winner", "result", "points")
            if getattr(played, what) != getattr(recorded, what)
        )
        found.extend(_turn_differences(played, recorded))
    if truth.score != record.score:
        found.append(_difference(truth, record, "score", len(truth.games)))
    return found


def _turn_differences(played: GameAccount, recorded: GameAccount) -> list[Difference]:
    found: list[Difference] = []
    for one, other in zip_longest(played.turns, recorded.turns):
        if one is None or other is None:
            found.append(Difference(played.number, (one or other).number, "turn", _text(one), _text(other)))
            continue
        found.extend(
            _difference(one, other, what, played.number, one.number)
            for what in ("number", "side", "roll", "end")
            if getattr(one, what) != getattr(other, what)
        )
        if not _same_voids(one.voids, other.voids):
            found.append(_difference(one, other, "voids", played.number, one.number))
        found.extend(
            Difference(played.number, one.number, "refused", _text(refused), _text(called))
            for refused, called in zip_longest(one.refused, other.refused)
            if not _same_refusal(refused, called)
        )
    return found


def _same_voids(played: tuple[str, ...], recorded: tuple[str, ...]) -> bool:
    return len(played) == len(recorded) and all(
        called in (reason, BY_ARBITER) for reason, called in zip(played, recorded, strict=True)
    )


def _same_refusal(played: RefusedAccount | None, recorded: RefusedAccount | None) -> bool:
    if played is None or recorded is None:
        return False
    if played.passed or not played.wrong:
        return False
    return not recorded.wrong or (played.end == recorded.end and bool(set(played.wrong) & set(recorded.wrong)))


def _difference(played: object, recorded: object, what: str, game: int, turn: int = 0) -> Difference:
    return Difference(game, turn, what, _text(getattr(played, what)), _text(getattr(recorded, what)))


def _text(thing: object) -> str:
    return thing.value if isinstance(thing, Side) else str(thing)
