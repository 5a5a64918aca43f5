"""The referee's whole knowledge at one moment. Frozen: an event makes a new one."""

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Literal

from controller.clock import Clock, FlagFall, Millis
from controller.fusion.evidence import Evidence
from controller.fusion.hypotheses import View
from controller.referee.dice import DieTrack, TrackedDice, VoidReason
from controller.referee.events import LATE_MS, BoardChecked, BoardPlace, CubeSeen, Device, Scene, SlotDoubted, TurnEnd
from controller.referee.false_dice import DiceColours, FalseDice
from controller.referee.orders import Claim, Order, Resign
from controller.referee.rulings import PlayVerdict, Ruling
from controller.rules import Cube, GameResult, Play, Position, Roll, Ruleset, Score, Side, crawford_game, start


class Phase(Enum):
    """What the referee waits for."""

    SETUP = "setup"
    OPENING = "opening"
    TO_THROW = "to_throw"
    TO_PLAY = "to_play"
    DECIDING = "deciding"
    """The referee asked: a person, or a clearer look, decides."""
    MATCH_OVER = "match_over"


class PauseReason(Enum):
    """Why both clocks stand."""

    ORDERED = "ordered"
    RESTART = "restart"
    PLEASE_LOOK = "please_look"
    RETHROWN = "rethrown"
    EARLY_THROW = "early_throw"
    """The opponent says whether a throw before the end of their turn stands."""
    FALLEN_DIE = "fallen_die"
    """One die of a throw is in view, the other is on the floor: the rules let the clocks stand meanwhile."""
    BREAK = "break"
    """A player takes a break."""
    CLAIM = "claim"
    """A player has claimed something; the arbiter answers."""
    ADJOURNED = "adjourned"
    """The match is put aside: what happens on the board meanwhile does not belong to it."""


@dataclass(frozen=True, slots=True)
class CubeDoubt:
    """What the camera sees of the cube that differs from the match; what agrees is None or ``BETWEEN``."""

    seen: CubeSeen
    since: Millis
    looks: int = 1
    lasting: bool = False
    """Whether it has lasted long enough to be published."""


class MisplacedKind(Enum):
    """What is wrong with where the checkers stand."""

    MOVED = "moved"
    CLEARED = "cleared"
    SET_UP_ANEW = "set_up_anew"
    CORRECTED = "corrected"
    """The arbiter has entered another position than the camera sees."""


@dataclass(frozen=True, slots=True)
class PlaceOff:
    """A place with other checkers than it should have; counts are + White's, - Black's.

    ``row`` is 0 to 23 for p1 to p24, 24 for White's half of the bar and 25 for Black's.
    """

    row: int
    seen: int
    expected: int


@dataclass(frozen=True, slots=True)
class Misplaced:
    """Checkers that no play of the turn under way can have brought where they stand."""

    kind: MisplacedKind
    places: tuple[PlaceOff, ...]
    turn: Side
    """Whose turn it was when they were first seen so."""
    before_throw: bool
    """Whether that was before this side's throw: the other turn had ended, theirs was not played yet."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What the sensors show now: looks since the scene last moved, and the last whole look before it."""

    scene: Scene = Scene.MOVING
    evidence: Evidence = field(default_factory=Evidence)
    settled: Evidence = field(default_factory=Evidence)
    """The last evidence with nothing hidden, from before the scene moved."""
    first_look_at: Millis | None = None
    """When the first of the looks in ``evidence`` was taken."""
    dice: TrackedDice = field(default_factory=TrackedDice)
    known_dice: tuple[DieTrack, ...] = ()
    """Dice that lay there before the coming throw, or belong to one that has been ruled on."""
    false_dice: FalseDice = ()
    """What looks like a die and is none of a throw's; ``dice`` leaves out those of it that are certain."""
    thrown: tuple[DieTrack, ...] = ()
    """The dice of the last throw that was ruled on, and those of earlier ones that lie there still."""
    dice_colours: DiceColours = field(default_factory=DiceColours)
    """Whose dice have which colour."""
    early_dice: tuple[DieTrack, ...] = ()
    """Other dice that lay on the board before the mover had ended the turn."""
    beside: tuple[DieTrack, ...] | None = None
    """Dice that lay beside the board before the scene last moved; None while it has not."""
    rolling: TrackedDice = field(default_factory=TrackedDice)
    """Dice in the moving frames since the scene was last quiet."""
    kestum_at: Millis | None = None
    """When a roll was voided by a call; its dice may still have to come to rest."""
    reeds: tuple[tuple[int, int, int], ...] = ()
    reeds_at: Millis = field(default=Millis(0))
    """When they last changed."""
    strange: bool = False
    """The camera has come back and has not looked yet: what lies there it has not seen come."""
    cube_doubt: CubeDoubt | None = None
    """What the camera sees of the doubling cube that differs from the match."""
    misplaced: Misplaced | None = None
    """Checkers that no play of the turn under way can have brought where they stand."""
    asked: bool = False
    """The referee has asked about what it sees; it asks again only after the scene has moved."""

    def forgotten(self) -> "Sight":
        """What is still known of the table after a time in which nobody has watched it."""
        return Sight(
            known_dice=self.known_dice,
            false_dice=self.false_dice,
            thrown=self.thrown,
            dice_colours=self.dice_colours,
            misplaced=self.misplaced,
        )


@dataclass(frozen=True, slots=True)
class RefusedPlay:
    """A play that was refused and taken back, in the mover's own numbering, with the names of its faults."""

    after: Position
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Press:
    """The press that ended the turn which is still to be ruled on."""

    at: Millis
    clock_before: Clock[Side]
    early: bool = False
    """The roll was not known yet."""
    looks: int = 0
    """Quiet looks since."""


@dataclass(frozen=True, slots=True)
class TurnInPlay:
    """What belongs to the turn under way, beside whose it is and from where. Each turn begins with a fresh one."""

    roll: Roll | None = None
    known_at: Millis = field(default=Millis(0))
    """When the roll became known."""
    dice: tuple[DieTrack, ...] = ()
    """The dice of the roll as they were ruled on."""
    own_dice: tuple[DieTrack, ...] = ()
    """Those of them that the mover takes off the board: of the opening throw only one is theirs."""
    press: Press | None = None
    early_press: Millis | None = None
    """When the mover pressed although their throw had not been read."""
    lifted_looks: int = 0
    """Quiet looks in a row in which the dice of the roll were gone."""
    refused: tuple[RefusedPlay, ...] = ()
    taken_back: Position | None = None
    """A legal end that the arbiter has taken back: nobody else lets the same board stand again."""
    voids: tuple[VoidReason, ...] = ()
    rest: tuple[int, ...] = ()
    """Dice of the opponent's doubles cascade that are handed over: they are played before the own throw (004:L42)."""
    contested: bool = False
    """Somebody at the table has stopped both clocks while the dice were gone, or hidden; until they run again."""
    delay_claimed: bool = False
    """And the dice were lifted then: who throws next has lost the delay, where the rules say so."""
    pressed_unplayed: bool = False
    """A press that came before the play was taken back."""
    beside: tuple[DieTrack, ...] = ()
    """Dice beside the board that lay there when the roll became known: none of it was laid there."""

    def unseen(self) -> "TurnInPlay":
        """The turn before any look: something has moved since."""
        return replace(self, press=replace(self.press, looks=0) if self.press else None, lifted_looks=0)


@dataclass(frozen=True, slots=True)
class Turn:
    """A finished turn as the record keeps it; positions in the mover's own numbering."""

    number: int
    side: Side
    roll: Roll | None
    """None where the mover was closed out and pressed without throwing."""
    play: Play | None
    """None where nobody can say by what steps the checkers came ``after``."""
    verdict: PlayVerdict
    before: Position
    after: Position
    voids: tuple[VoidReason, ...]
    refused: tuple[RefusedPlay, ...]
    white_ms: Millis
    black_ms: Millis
    rest: tuple[int, ...] = ()
    """The dice that were played, where they were the rest of the opponent's doubles cascade."""
    cube: Cube = field(default_factory=Cube)
    """The cube at which it was played."""


@dataclass(frozen=True, slots=True)
class CubeTurned:
    """A double, a beaver, or that it was taken; one that was passed is the game's result.

    ``turns``: how many turns of the game were finished then; ``value``: what the cube shows once it is taken.
    """

    turns: int
    side: Side
    action: Literal["double", "beaver", "take"]
    value: int


@dataclass(frozen=True, slots=True)
class GameLog:
    """One game of the match: the opening throws, its turns and, when it is over, its result."""

    number: int
    openings: tuple[tuple[int, int], ...] = ()
    """Opening throws as (White's, Black's); all but the last were ties."""
    opening_voids: tuple[VoidReason, ...] = ()
    starter: Side | None = None
    turns: tuple[Turn, ...] = ()
    winner: Side | None = None
    result: GameResult | None = None
    score: Score = field(default_factory=Score)
    """The points that it is played at, as the arbiter last set them."""
    cube: tuple[CubeTurned, ...] = ()
    penalty: Score = field(default_factory=Score)
    """Points that were awarded while it was played: for a fallen flag, lateness, or as a penalty."""
    after: Score | None = None
    """The score once it was over."""


@dataclass(frozen=True, slots=True)
class Conceding:
    """A resignation about which there was something to say."""

    order: Resign
    rulings: int
    """How many rulings there were then: after another one the question has lapsed."""
    contact: bool
    """Whether the sides can still hinder each other, where the rules then allow no resignation."""
    too_dear: bool
    """Whether a smaller loss than the one conceded was still possible."""
    too_cheap: bool
    """Whether a dearer loss was still possible: the opponent gives something away by agreeing."""
    asked: bool
    """Whether the order has to be given once more; else it is done, and undo takes it back."""


@dataclass(frozen=True, slots=True)
class DoneOrder:
    """An order that was carried out since the last turn or game ended: it can be taken back."""

    order: Order
    at: Millis
    before: "State"
    rulings: int
    """How many rulings there were once it was carried out."""


@dataclass(frozen=True, slots=True)
class State:
    """The match as the referee knows it. ``position`` is in the numbering of ``turn``."""

    at: Millis
    ruleset: str
    rules: Ruleset
    white: str
    black: str
    clock: Clock[Side]
    turn_end: TurnEnd = TurnEnd.PRESS
    phase: Phase = Phase.SETUP
    light: Side | None = None
    """The side that plays the lighter checkers; known once a start position has been seen."""
    turn: Side | None = None
    position: Position | None = None
    in_play: TurnInPlay = field(default_factory=TurnInPlay)
    score: Score = field(default_factory=Score)
    fallen_flags: tuple[Side, ...] = ()
    """Whose flags have cost points so far in the match, in order."""
    cube: Cube = field(default_factory=Cube)
    first_home: Side | None = None
    """The side that has borne off everything while the other has its last turn (002:L62)."""
    paused: PauseReason | None = None
    paused_at: Millis | None = None
    """When somebody stopped both clocks."""
    sight: Sight = field(default_factory=Sight)
    ruling: Ruling | None = None
    rulings: int = 0
    sets_kept: bool = False
    """The board is set up for the next game with the sets that should have changed hands."""
    die_px: float = 0.0
    """Pixels across the smaller die of the last throw that was ruled on; 0 while none was, or nobody measured it."""
    setup_faults: tuple[tuple[int, int, int], ...] = ()
    """(row, seen, expected) signed counts, + White's, of places that are not set up as they should be."""
    game: GameLog = field(default_factory=lambda: GameLog(1))
    finished: tuple[GameLog, ...] = ()
    devices: tuple[tuple[Device, bool, str], ...] = ()
    doubted: tuple[SlotDoubted, ...] = ()
    """Reeds that were found to lie; their places are left to the camera."""
    ended: "State | None" = None
    """The game that has just ended, as it was before it was scored: it can be taken back until the next one begins."""
    board_checked: BoardChecked | None = None
    """What was last noticed about the board's place in the picture; None while it has never moved."""
    conceding: Conceding | None = None
    """The resignation that was ordered last, if there was something to say about it."""
    warnings: tuple[Side, ...] = ()
    """Who was warned in the match, in order."""
    breaks: tuple[Side, ...] = ()
    """Who has taken a break in the match, in order."""
    claim: Claim | None = None
    """The claim that waits for the arbiter's answer."""
    done: DoneOrder | None = None
    """The last order since a turn or game ended; its ``before`` has the one before it."""
    winner: Side | None = None
    flag: FlagFall[Side] | None = None
    """The flag whose fall ended the match."""
    seed: int | None = None
    """Decides what the rules leave to chance; see ``MatchOpened``."""

    @property
    def may_be_reopened(self) -> bool:
        """Whether a press from before the flag fell may still be on its way."""
        return self.flag is not None and self.at <= self.flag.at_ms + LATE_MS

    @property
    def timed(self) -> bool:
        """Whether something happens by time alone: a clock runs, a pressed turn waits, or a flag is not final yet."""
        return self.clock.running is not None or self.pressed_at is not None or self.may_be_reopened

    @property
    def roll(self) -> Roll | None:
        """The roll that has to be played."""
        return self.in_play.roll

    @property
    def pressed_at(self) -> Millis | None:
        """When the mover ended the turn that is still to be ruled on."""
        return self.in_play.press.at if self.in_play.press else None

    @property
    def first_turn(self) -> bool:
        """Whether the side on turn has not finished a turn of its own of this game yet."""
        return not any(turn.side is self.turn and not turn.rest for turn in self.game.turns)

    @property
    def throws(self) -> int:
        """Throws that have counted in this game before the turn under way."""
        return sum(not turn.rest for turn in self.game.turns)

    @property
    def second_player(self) -> bool:
        """Whether the side on turn did not start the game."""
        return self.turn is not self.game.starter

    @property
    def games(self) -> tuple[GameLog, ...]:
        """Every game of the match, the one under way last."""
        ended = bool(self.finished) and self.finished[-1].number == self.game.number
        return self.finished if ended else (*self.finished, self.game)

    @property
    def crawford_game(self) -> bool:
        """Whether this is the one game of the match in which nobody may double."""
        return crawford_game(self.rules, [game.score for game in self.games])

    @property
    def blind(self) -> bool:
        """Whether the camera sees no board, for whatever reason that is no player's."""
        passing = {BoardPlace.IN_PLACE, BoardPlace.MOVED}
        away = self.board_checked is not None and self.board_checked.place not in passing
        return away or self.lost(Device.CAMERA)

    def lost(self, device: Device) -> bool:
        """Whether ``device`` was lost and has not come back."""
        return any(known is device and not up for known, up, _ in self.devices)

    def view(self, mover: Side, light: Side) -> View:
        """How the reader's colours and places turn into ``mover``'s numbering."""
        return View(self.rules.game, light, mover, self.rules.game.checkers)

    def white_position(self) -> Position:
        """The position before the play that is under way, in White's own numbering."""
        if self.position is None or self.turn is None:
            return start(self.rules.game)
        return self.position.seen_by(self.turn, self.rules.game)


Ruled = tuple[State, tuple[Ruling, ...]]
"""What an event leaves behind: the new state, and the rulings that were made."""
