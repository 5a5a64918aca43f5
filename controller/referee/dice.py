"""Dice over several looks, and the verdict on a throw: valid, re-roll with its reason, or please look."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from math import exp, hypot, log

from controller.fusion.evidence import effective_looks
from controller.referee.events import Colour, DieSeen, DieState, Half
from controller.referee.false_dice import SAME_PLACE, FalseDice, Placed
from controller.rules import Ruleset, Side

SURE = 0.98
"""Probability at which the referee speaks; below it, it looks again and then asks.

What it costs is measured: ``evaluate dice`` counts the dice that would stand at it, flat ones (``flat_stands``), cocked
ones (``cocked_stands``) and wrong faces (``wrong_stands``); docs/dice.md has the table.
"""


PUSHED = 0.12
"""How far a sleeve pushes a die, as a fraction of the surface's width. A convention: about four dice.

A new throw shows the same two numbers once in 18 times and has both dice so near the old places in their half once in
70 (0.045 of 0.37 of the surface, twice): it is taken for a push once in 1,200 throws.
"""


MOST_DOUBT = 0.7
"""Share of the reader's own doubt from which a find is not taken for a die that lies in any way.

Set on the labelled pictures of docs/dice.md, with the nets of the first table there: 1 real die in 1,271 was doubted so
much, and 6 of 71 finds that were none; at 0.6 it would have been 21 and 15.
"""


SURE_VOID = 0.95
"""Probability at which a die is called cocked, on a checker or off the board: the dice are only thrown again.

Lower than ``SURE``, since the mistake costs a throw and no game. ``evaluate dice`` has its error, for a single look,
under ``flat_called_cocked``.
"""


LEAST_SIZE = 0.6
"""The farther of two equal dice is not smaller than this share of the nearer one, for any camera over a board.

The worst view of docs/dice.md is 60 degrees off the vertical. From a metre away the near edge of a half-metre board is
then at 1 - 0.25 sin 60 = 0.78 m and the far one at 1.22 m: 0.64.
"""


DICE = 2
"""Dice of a throw."""


LOOKS_TO_RULE = 2
"""Quiet looks before a verdict: the fewest that can agree."""


LOOKS_TO_ASK = 6
"""Quiet looks before the referee stops waiting for a clearer one and asks.

A convention: looks at a table that stands still repeat each other (``effective_looks``), and a seventh would add 3 %.
"""


LOOKS_SPARE = 2
"""Looks beyond those after which the referee asks: a reader that misses one die in 16 (docs/dice.md, "missed") would
miss it in three independent looks in a row once in 4,000 times."""

RIM = 0.06
"""How far beside the playing surface a die still counts as lying on the board's rim, as a fraction of the surface.

Rims are 2 to 3 cm wide on surfaces of 45 to 55 cm.
"""


CHANCE_FLOOR = 0.002
"""No look denies a face or a state more firmly: roughly one in 500 that was sure was wrong (docs/dice.md, "wrong and
sure": 0 to 1.4 % of dice)."""


class VoidReason(Enum):
    """Why both dice are thrown again (000:L6, L120; 003:L19; WBGF 4.1)."""

    SPLIT_HALVES = "split_halves"
    WRONG_HALF = "wrong_half"
    OFF_BOARD = "off_board"
    ON_CHECKER = "on_checker"
    ON_BAR = "on_bar"
    COCKED = "cocked"
    KESTUM = "kestum"
    PREMATURE = "premature"
    OUT_OF_TURN = "out_of_turn"
    OPPONENT_CHOOSES = "opponent_chooses"
    """Thrown too early, where the opponent says whether it stands: why a throw is asked about, not why it is void."""
    BY_ARBITER = "by_arbiter"


@dataclass(frozen=True, slots=True)
class DieTrack:
    """One die at rest over several quiet looks."""

    u: float
    v: float
    half: Half
    size_px: float
    looks: int
    face_sums: tuple[float, ...]
    state_sums: tuple[tuple[DieState, float], ...]
    colour: Colour | None = None
    """As the first look shows it."""

    @staticmethod
    def of(die: DieSeen) -> "DieTrack":
        """Begin a track with its first look."""
        states = dict(die.states)
        return DieTrack(
            die.u,
            die.v,
            die.half,
            die.size_px,
            1,
            tuple(log(max(CHANCE_FLOOR, chance)) for chance in die.faces),
            tuple((state, log(max(CHANCE_FLOOR, states.get(state, 0.0)))) for state in DieState),
            die.colour,
        )

    def joined(self, other: "DieTrack") -> "DieTrack":
        """This die and another look at it."""
        return replace(
            self,
            looks=self.looks + other.looks,
            face_sums=tuple(a + b for a, b in zip(self.face_sums, other.face_sums, strict=True)),
            state_sums=tuple(
                (state, a + b) for (state, a), (_, b) in zip(self.state_sums, other.state_sums, strict=True)
            ),
        )

    def near(self, other: "DieTrack") -> bool:
        """Whether two sightings are of one die at rest."""
        return hypot(self.u - other.u, self.v - other.v) < SAME_PLACE

    def pushed_from(self, other: "DieTrack") -> bool:
        """Whether this is probably ``other`` a little farther on, the same face up."""
        same = self.face[0] == other.face[0] and self.face[1] >= SURE
        return same and hypot(self.u - other.u, self.v - other.v) < PUSHED

    @property
    def faces(self) -> tuple[float, ...]:
        """Chances of the faces 1..6 after all looks."""
        return tuple(_chances(self.face_sums, self.looks))

    @property
    def face(self) -> tuple[int, float]:
        """The likeliest face and its chance."""
        faces = self.faces
        best = max(range(6), key=faces.__getitem__)
        return best + 1, faces[best]

    @property
    def state(self) -> tuple[DieState, float]:
        """The likeliest state and its chance among the states that a die can be in.

        ``UNSURE`` is the reader's doubt, not a state: it is the answer only where little else is said.
        """
        chances = dict(zip(DieState, _chances((value for _, value in self.state_sums), self.looks), strict=True))
        doubt = chances.pop(DieState.UNSURE)
        if doubt >= MOST_DOUBT:
            return DieState.UNSURE, doubt
        state = max(chances, key=chances.__getitem__)
        return state, chances[state] / (1 - doubt)

    @property
    def on_board(self) -> bool:
        """Whether the die lies on the board, its rim included."""
        return self.state[0] is not DieState.OFF_BOARD and -RIM <= self.u <= 1 + RIM and -RIM <= self.v <= 1 + RIM


def _chances(sums: Iterable[float], looks: int) -> list[float]:
    """Turn summed logarithms of correlated looks into chances that add up to 1."""
    weight = effective_looks(looks) / looks
    scaled = [value * weight for value in sums]
    best = max(scaled)
    chances = [exp(value - best) for value in scaled]
    total = sum(chances)
    return [chance / total for chance in chances]


@dataclass(frozen=True, slots=True)
class TrackedDice:
    """The dice seen since the scene last moved."""

    looks: int = 0
    tracks: tuple[DieTrack, ...] = ()
    missed: tuple[DieTrack, ...] = ()
    """Dice that the last look did not show although the one before did: a reader may miss a die now and then."""

    def with_look(self, dice: Iterable[DieSeen]) -> "TrackedDice":
        """These looks and one more; a die that appears while the scene is quiet, or comes back later, begins anew."""
        fresh = [DieTrack.of(die) for die in dice]
        known = (*self.tracks, *self.missed)
        joined: list[DieTrack] = []
        for new in fresh:
            old = next((track for track in known if track.near(new)), None)
            joined.append(old.joined(new) if old else new)
        missed = tuple(track for track in self.tracks if not any(track.near(new) for new in fresh))
        return TrackedDice(self.looks + 1, tuple(joined), missed)

    def without(self, known: Iterable[DieTrack]) -> tuple[DieTrack, ...]:
        """The dice that do not lie where ``known`` ones lay with the same face: an unchanged die is no new throw."""
        old = list(known)
        return tuple(
            track
            for track in self.tracks
            if not any(track.near(past) and track.face[0] == past.face[0] for past in old)
        )


@dataclass(frozen=True, slots=True)
class Valid:
    """Both dice stand: ``first`` is White's in the opening throw, else the order means nothing."""

    first: int
    second: int
    dice: tuple[DieTrack, ...]


@dataclass(frozen=True, slots=True)
class Void:
    """Both dice are thrown again."""

    reason: VoidReason
    dice: tuple[DieTrack, ...]


@dataclass(frozen=True, slots=True)
class Doubtful:
    """The referee cannot tell and asks; ``first``, ``second`` are its best guess, None where it has none."""

    first: int | None
    second: int | None
    dice: tuple[DieTrack, ...]


ThrowVerdict = Valid | Void | Doubtful


def right_half(side: Side) -> Half:
    """The thrower's own right half as the camera sees it: White sits on the near side."""
    return Half.RIGHT if side is Side.WHITE else Half.LEFT


def judge_throw(
    watch: TrackedDice, known: Iterable[DieTrack], thrower: Side | None, rules: Ruleset, false_dice: FalseDice = ()
) -> ThrowVerdict | None:
    """Rule on the dice at rest, or return None while there is nothing to rule on yet.

    ``known`` are dice that lay there before the throw; where ``false_dice`` lie, what looks like a die may be none.
    ``thrower`` None is the opening throw: one die a side, each in its own right half (Минспорт 26.3).
    """
    fresh = watch.without(known)
    if len(fresh) > DICE:
        fresh = tuple(track for track in fresh if not _may_be_false(track, false_dice))
    board = [track for track in fresh if track.on_board]
    outside = [track for track in fresh if not track.on_board]
    looks = min((track.looks for track in fresh), default=0)
    if thrower is not None and len(fresh) == len(board) == 1:
        return _one_is_missing(board[0], watch, false_dice)
    if looks < LOOKS_TO_RULE or len(fresh) < DICE or not board:
        return None
    if len(board) == 1:
        return _one_fell_off(board[0], outside, thrower, false_dice, patient=looks < LOOKS_TO_ASK)
    if len(board) > DICE:
        board = _dice_among(board)
    if len(board) != DICE:
        return Doubtful(None, None, tuple(board)) if looks >= LOOKS_TO_ASK else None
    dice = tuple(board)
    verdict = _judge_pair(dice, thrower, rules, patient=looks < LOOKS_TO_ASK)
    if verdict is None or not any(_may_be_false(die, false_dice) for die in dice):
        return verdict
    # A die on the very place of a carving, or the carving and a die that the reader misses.
    return Doubtful(dice[0].face[0], dice[1].face[0], dice) if looks >= LOOKS_TO_ASK else None


def _may_be_false(find: Placed, false_dice: FalseDice) -> bool:
    return any(false_die.doubtful and false_die.at(find) for false_die in false_dice)


def _one_is_missing(die: DieTrack, watch: TrackedDice, false_dice: FalseDice) -> Doubtful | None:
    """Ask when only one die is in view for long: the other one has left the picture, or is on the floor."""
    waited = watch.looks >= LOOKS_TO_ASK + LOOKS_SPARE and die.looks >= LOOKS_TO_ASK
    return Doubtful(None, None, (die,)) if waited and not _may_be_false(die, false_dice) else None


def _one_fell_off(
    die: DieTrack, outside: list[DieTrack], thrower: Side | None, false_dice: FalseDice, *, patient: bool
) -> ThrowVerdict | None:
    """Rule on a single die on the board with something beside it; in the opening the spare dice lie there."""
    if thrower is None:
        return None
    finds = (die, *outside)
    unsure = any(find.state[0] is DieState.UNSURE for find in finds)
    if not unsure and not any(_may_be_false(find, false_dice) for find in finds):
        return Void(VoidReason.OFF_BOARD, finds)
    return None if patient else Doubtful(None, None, finds)


def _dice_among(found: list[DieTrack]) -> list[DieTrack]:
    """Leave out what is no die beside two real ones.

    That is what the reader doubts, what is much smaller, and what comes and goes while the others lie there.
    """
    largest = max(track.size_px for track in found)
    steadiest = max(track.looks for track in found)
    return [
        track
        for track in found
        if track.state[0] not in {DieState.UNSURE, DieState.MOVING}
        and track.size_px >= LEAST_SIZE * largest
        and 2 * track.looks > steadiest
    ]


def _judge_pair(
    dice: tuple[DieTrack, ...], thrower: Side | None, rules: Ruleset, *, patient: bool
) -> ThrowVerdict | None:
    """Rule on exactly two dice on the board; ``patient`` waits for clearer looks instead of asking."""
    moved_aside = thrower is None and rules.opening_die == "may_be_moved"
    for die in dice:
        state, chance = die.state
        reason = _lies_badly(state, rules, moved_aside=moved_aside)
        if reason and chance >= SURE_VOID:
            return Void(reason, dice)
    sound = all(
        _lies_badly(die.state[0], rules, moved_aside=moved_aside) is None and die.state[1] >= SURE for die in dice
    )
    halves = [die.half for die in dice]
    if moved_aside and halves[0] is halves[1]:
        # The first die was moved to the other half, or the second one thrown there: whose is whose nobody can say.
        return None if patient else Doubtful(None, None, dice)
    reason = _wrong_halves(halves, thrower, rules) if Half.NONE not in halves else None
    # Dice in two halves are thrown again however they lie; only the opening's could be one die seen twice.
    if reason and (sound or (reason is VoidReason.SPLIT_HALVES and not patient)):
        return Void(reason, dice)
    if thrower is None:
        dice = tuple(sorted(dice, key=lambda die: opening_order(die.half)))
    (first, first_chance), (second, second_chance) = dice[0].face, dice[1].face
    if sound and first_chance * second_chance >= SURE:
        return Valid(first, second, dice)
    return None if patient else Doubtful(first, second, dice)


def opening_order(half: Half) -> int:
    """The place of a die of the opening throw, White's first; one on the bar is whose half has none."""
    return (right_half(Side.WHITE), Half.NONE, right_half(Side.BLACK)).index(half)


def _lies_badly(state: DieState, rules: Ruleset, *, moved_aside: bool) -> VoidReason | None:
    """Name the reason for which a die that lies so does not count, or None when it may.

    ``moved_aside``: it may have been moved to the bar, out of the other player's way (MS24 26.4).
    """
    match state:
        case DieState.COCKED:
            return VoidReason.COCKED
        case DieState.ON_BAR:
            return None if moved_aside else VoidReason.ON_BAR
        case DieState.OFF_BOARD:
            return VoidReason.OFF_BOARD
        case DieState.ON_CHECKER:
            return VoidReason.ON_CHECKER if rules.on_checker == "void" else None
        case _:
            return None


def _wrong_halves(halves: list[Half], thrower: Side | None, rules: Ruleset) -> VoidReason | None:
    """Say whether the dice lie in halves that the ruleset does not allow."""
    if thrower is None:
        return VoidReason.WRONG_HALF if halves[0] is halves[1] else None
    if rules.dice_area == "any":
        return None
    if halves[0] is not halves[1]:
        return VoidReason.SPLIT_HALVES
    if rules.dice_area == "right_half" and halves[0] is not right_half(thrower):
        return VoidReason.WRONG_HALF
    return None
