"""Score the referee on recorded games: throws, plays and void throws called by their right names, boards read, or not.

The format is that of ``events.json``: for each frame what it shows or completes. Key frames are held for a while, as a
slow video would show them; the board's corners are those of the first frame's label. What the referee asks or gets
wrong is put right by an arbiter who knows what happened, so that each thing is scored by itself.

``python -m controller.evaluate.sequences PATH`` prints the totals twice, with and without what the camera learns of the
board in the course of a game.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from controller.adapters.camera import CameraAdapter, open_camera
from controller.adapters.recordings import shots
from controller.clock import Millis
from controller.evaluate.scores import Totals
from controller.formats.notation import play_text
from controller.ports.sight import KnownPosition, Taken, Wanted
from controller.referee.dice import VoidReason
from controller.referee.events import Event, Looked
from controller.referee.orders import Correct, Face, SetRoll, Start, VoidThrow
from controller.referee.rulings import DieAtRest, PlayRuling, PlayVerdict, Ruling, ThrowOutcome
from controller.referee.state import Phase
from controller.rules import Game, Position, Ruleset, Side, house_rules
from controller.service.replaying import Replay, filmed_match, replayed
from vision.board.geometry import BoardPose, BoardShape, Frame

SECOND_TURN = 2
"""From this turn on boards are counted: by then what is known has been learnt."""
SURE = 0.99
"""A place stated with so much certainty must not be wrong."""

SIDES = {"A": Side.WHITE, "B": Side.BLACK}

VOIDS = {
    "cocked": VoidReason.COCKED,
    "split": VoidReason.SPLIT_HALVES,
    "on_checker": VoidReason.ON_CHECKER,
    "off_board": VoidReason.OFF_BOARD,
    "on_bar": VoidReason.ON_BAR,
}


@dataclass(frozen=True, slots=True)
class Expected:
    """Something that the referee has to call on ``frame``, at the latest on frame ``until``."""

    frame: int
    until: int
    kind: str
    """throws, plays or voids."""
    side: Side | None = None
    roll: tuple[int, ...] = ()
    reason: VoidReason | None = None
    points: tuple[int, ...] = ()
    """White's signed counts after the play, and both sides' checkers on the bar."""
    bar: tuple[int, int] = (0, 0)
    legal: bool = True

    @property
    def word(self) -> str:
        """What is expected, in a word."""
        return self.reason.value if self.reason else "-".join(map(str, self.roll)) or "play"


@dataclass(frozen=True, slots=True)
class Called:
    """One thing that was to be called, what was called, and how that counts: right, asked or wrong."""

    sequence: str
    expected: Expected
    answer: str
    outcome: str


@dataclass(frozen=True, slots=True)
class BoardSeen:
    """How a board at rest was read in its last look: points and both bars in all, those right, wrong though sure."""

    turn: int
    looked: bool
    """Whether it was looked at: what moves, or is taken for a hand, is not read."""
    places: int
    right: int
    wrong_and_sure: int


@dataclass(frozen=True, slots=True)
class SequenceScores:
    """What was called, thing by thing, and how each board at rest was read."""

    called: tuple[Called, ...] = field(default=())
    boards: tuple[BoardSeen, ...] = field(default=())

    def lines(self) -> Iterator[str]:
        """One line for everything that was to be called, then the totals."""
        for item in self.called:
            want = item.expected
            yield f"{item.outcome:6} {item.sequence} frame {want.frame:3} {want.kind:6} {want.word:14} {item.answer}"
        for kind, counts in self.totals().items():
            yield f"{kind}: {counts}"

    def totals(self) -> Totals:
        """Counts of right, asked and wrong for throws, plays and voids; shares of boards from the second turn on."""
        called = {
            kind: {
                outcome: sum(item.expected.kind == kind and item.outcome == outcome for item in self.called)
                for outcome in ("right", "asked", "wrong")
            }
            for kind in ("throws", "plays", "voids")
        }
        later = [board for board in self.boards if board.turn >= SECOND_TURN]
        boards = [board for board in later if board.looked]
        places = max(1, sum(board.places for board in boards))
        shares = {
            "boards": len(later),
            "looked_at": len(boards) / max(1, len(later)),
            "places_exact": sum(board.right for board in boards) / places,
            "boards_exact": sum(board.right == board.places for board in boards) / max(1, len(boards)),
            "wrong_and_sure": sum(board.wrong_and_sure for board in boards) / places,
        }
        return {**called, "boards": shares}


class WatchedSight:
    """A camera adapter whose last look is kept; one that does not ``learn`` shows what the board's memory is worth."""

    def __init__(self, sight: CameraAdapter, *, learns: bool) -> None:
        self._sight = sight
        self._learns = learns
        self.last: Looked | None = None

    def see(self, frame: Frame, at: Millis, wanted: Wanted, /) -> Sequence[Event]:
        """See a frame and keep its look."""
        events = self._sight.see(frame, at, wanted)
        self.last = next((event for event in reversed(events) if isinstance(event, Looked)), self.last)
        return events

    def learn(self, known: KnownPosition, /) -> None:
        """Learn, if it does."""
        if self._learns:
            self._sight.learn(known)

    def forget(self) -> None:
        """Forget what was learnt."""
        self._sight.forget()

    def taken(self, at: Millis, dice: Sequence[DieAtRest], /) -> Taken | None:
        """Return the pictures of a look."""
        return self._sight.taken(at, dice)


def evaluate_sequences(path: Path, *, learns: bool = True) -> SequenceScores:
    """Referee every sequence at ``path`` or below, with a camera that ``learns`` the board in the course of it or not.

    Raises ValueError when there is none.
    """
    files = [path] if path.is_file() else sorted(path.rglob("events.json"))
    if not files:
        msg = f"no events.json at {path} or below it: give the folder of a recorded sequence"
        raise ValueError(msg)
    scored = [each for file in files for each in _one(file, learns=learns)]
    return SequenceScores(
        tuple(each for each in scored if isinstance(each, Called)),
        tuple(each for each in scored if isinstance(each, BoardSeen)),
    )


def _one(file: Path, *, learns: bool) -> Iterator[Called | BoardSeen]:
    recorded = json.loads(file.read_text("utf-8"))
    events: list[dict[str, Any]] = recorded["frames"]
    folder = file.parent
    rules = _rules(recorded["family"], events)
    label = json.loads(_label(folder, 0).read_text("utf-8"))
    pose = BoardPose(np.array(label["corners"], np.float32), BoardShape(bar=tuple(label["bar"])), tuple(label["size"]))
    sight = WatchedSight(open_camera(pose, rules.game), learns=learns)
    with replayed(sight, filmed_match(rules.name, rules, Millis(0))) as replay:
        yield from _scored(folder, events, replay, sight)


def _scored(
    folder: Path, events: list[dict[str, Any]], replay: Replay[Frame], sight: WatchedSight
) -> Iterator[Called | BoardSeen]:
    waiting = list(_expected(folder, events))
    called: list[Ruling] = []
    turns = 0
    for number, held in groupby(shots(folder), key=lambda shot: shot.number):
        sight.last = None
        for shot in held:
            called.extend(replay.see(shot.frame, shot.at))
        turns += events[number]["type"] in {"roll", "opening_roll"}
        if events[number]["phase"] == "rest":
            yield _board_seen(json.loads(_label(folder, number).read_text("utf-8")), sight.last, turns)
        while waiting and waiting[0].until <= number:
            want = waiting.pop(0)
            answer, outcome = _answer(want, called, replay.state.rules.game)
            yield Called(folder.name, want, answer, outcome)
            if outcome != "right":
                _put_right(replay, want)
            called = [ruling for ruling in called if isinstance(ruling, PlayRuling) != (want.kind == "plays")]


def _board_seen(label: dict[str, Any], look: Looked | None, turn: int) -> BoardSeen:
    """Compare a look with the label; colours up to a swap."""
    true = [first - second for first, second in label["points"]]
    first, second = label["bar_counts"]
    asked = [place for place in range(24) if place + 1 not in label["unsure"]]
    best = BoardSeen(turn, looked=look is not None, places=len(asked) + 2, right=0, wrong_and_sure=0)
    if look is None:
        return best
    for sign in (1, -1):
        bar = (first, -second) if sign > 0 else (second, -first)
        wanted = [*((sign * true[place], look.board.points[place]) for place in asked)]
        wanted += [(bar[0], look.board.bar_light), (bar[1], look.board.bar_dark)]
        wrong = [odds[0][1] for count, odds in wanted if odds[0][0] != count]
        sure = sum(certainty >= SURE for certainty in wrong)
        right = len(wanted) - len(wrong)
        if right > best.right:
            best = replace(best, right=right, wrong_and_sure=sure)
    return best


def _put_right(replay: Replay[Frame], want: Expected) -> None:
    """Do what an arbiter would, so that one mistake is counted once."""
    if replay.state.phase is Phase.SETUP:
        replay.order(Start())
    if want.kind == "throws":
        replay.order(SetRoll((Face(want.roll[0]), Face(want.roll[1]))))
    elif want.kind == "voids":
        replay.order(VoidThrow())
    elif want.side is not None:
        checkers = replay.state.rules.game.checkers
        off = (
            checkers - want.bar[0] - sum(n for n in want.points if n > 0),
            checkers - want.bar[1] + sum(n for n in want.points if n < 0),
        )
        replay.order(Correct(Position(want.points, want.bar, off), want.side.other))


def _label(folder: Path, number: int) -> Path:
    return folder / f"{number:03d}.json"


def _rules(family: str, events: Iterable[dict[str, Any]]) -> Ruleset:
    """The rules that the table agreed on: dice in either half, and whether the opening winner throws again."""
    again = any(event.get("reason") == "winner rolls again" for event in events)
    base = {"long": "long-fnr", "short": "short-ru", "nackgammon": "nackgammon", "hyper": "hyper"}.get(family, family)
    text = f'inherits = "{base}"\ndice_area = "one_half"\nopening_dice = "{"reroll" if again else "use"}"\n'
    return house_rules(text, f"recorded-{family}")


def _expected(folder: Path, events: list[dict[str, Any]]) -> Iterator[Expected]:
    """What has to be called, in order: each throw at rest, and each turn's end position before the next throw rests."""
    last_move: dict[str, Any] | None = None
    legal = True
    ended: dict[str, Any] | None = None
    for event in events:
        number, kind = event["frame"], event["type"]
        if kind in {"roll", "opening_roll"}:
            if ended is not None:
                yield _play(folder, ended, number, legal=legal)
            ended, last_move = None, None
            yield _throw(event)
        elif kind == "move":
            last_move, legal = event, event["legal"]
        elif kind == "correction":
            legal = True
        elif kind == "dice_pickup_start" and last_move is not None:
            ended = last_move
    if ended is not None:
        yield _play(folder, ended, events[-1]["frame"], legal=legal)


def _throw(event: dict[str, Any]) -> Expected:
    number = event["frame"]
    if event["type"] == "opening_roll":
        return Expected(number, number, "throws", roll=(event["values"]["A"], event["values"]["B"]))
    side = SIDES.get(event.get("player", ""))
    if not event["valid"]:
        return Expected(number, number, "voids", side, tuple(event["values"]), VOIDS.get(event["roll_kind"]))
    return Expected(number, number, "throws", side, tuple(sorted(event["values"], reverse=True)))


def _play(folder: Path, move: dict[str, Any], until: int, *, legal: bool) -> Expected:
    label = json.loads(_label(folder, move["frame"]).read_text("utf-8"))
    points = tuple(white - black for white, black in label["points"])
    white_bar, black_bar = label["bar_counts"]
    side = SIDES.get(move.get("player", ""))
    return Expected(move["frame"], until, "plays", side, points=points, bar=(white_bar, black_bar), legal=legal)


def _answer(want: Expected, called: list[Ruling], game: Game) -> tuple[str, str]:
    """Return what the last ruling of the wanted kind was, and how it counts."""
    rulings = [ruling for ruling in called if isinstance(ruling, PlayRuling) == (want.kind == "plays")]
    return _verdict(want, rulings[-1], game) if rulings else ("nothing was called", "wrong")


def _verdict(want: Expected, ruling: Ruling, game: Game) -> tuple[str, str]:
    if isinstance(ruling, PlayRuling):
        answer = (
            f"{ruling.verdict.value} {play_text(ruling.play)} {' '.join(each.key for each in ruling.faults)}".strip()
        )
        if ruling.verdict is PlayVerdict.PLEASE_LOOK:
            return answer, "asked"
        accepted = ruling.verdict is PlayVerdict.ACCEPTED
        same = ruling.white_after(game).points == want.points
        return answer, "right" if same and accepted == want.legal else "wrong"
    if ruling.outcome is ThrowOutcome.PLEASE_LOOK:
        return f"please look {ruling.values}", "asked"
    if ruling.outcome is ThrowOutcome.RE_ROLL:
        reason = ruling.reason.value if ruling.reason else ""
        return f"re-roll {reason}", "right" if want.kind == "voids" and ruling.reason is want.reason else "wrong"
    values = ruling.values or ()
    roll = tuple(values) if ruling.side is None else tuple(sorted(values, reverse=True))
    return f"valid {'-'.join(map(str, roll))}", "right" if want.kind == "throws" and roll == want.roll else "wrong"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="python -m controller.evaluate.sequences", description=__doc__)
    parser.add_argument("path", type=Path)
    asked = parser.parse_args()
    for name, learns in (("learns the board", True), ("learns nothing", False)):
        totals = evaluate_sequences(asked.path, learns=learns).totals()
        sys.stdout.write(f"{name}: {json.dumps(totals)}\n")


if __name__ == "__main__":
    main()
