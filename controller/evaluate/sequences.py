"""Score the referee on recorded games: throws, plays and void throws called by their right names, or not.

The format is that of ``events.json``: for each frame what it shows or completes. Key frames are held for a while, as a
slow video would show them; the board's corners are those of the first frame's label.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from controller.adapters.eyes import open_eyes
from controller.adapters.recordings import shots
from controller.evaluate.scores import Totals
from controller.referee.rulings import PlayRuling, PlayVerdict, Ruling, ThrowOutcome
from controller.referee.throw import VoidReason
from controller.rules import Game, Ruleset, house_rules
from controller.service.replaying import referee_frames
from vision.geometry import BoardPose, BoardShape

VOIDS = {
    "cocked": VoidReason.COCKED,
    "split": VoidReason.SPLIT_HALVES,
    "on_checker": VoidReason.ON_CHECKER,
    "off_board": VoidReason.OFF_BOARD,
    "on_bar": VoidReason.ON_BAR,
}


@dataclass(frozen=True, slots=True)
class Expected:
    """Something that the referee has to say about ``frame`` or a later one."""

    frame: int
    kind: str
    """throws, plays or voids."""
    roll: tuple[int, ...] = ()
    reason: VoidReason | None = None
    points: tuple[int, ...] = ()
    """White's signed counts after the play."""
    legal: bool = True


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that was to be said, what was said, and how that counts: right, asked or wrong."""

    sequence: str
    expected: Expected
    answer: str
    outcome: str


@dataclass(frozen=True, slots=True)
class SequenceScores:
    """What was called, thing by thing."""

    said: tuple[Said, ...] = field(default=())

    def lines(self) -> Iterator[str]:
        """One line for everything that was to be said, then the totals."""
        for item in self.said:
            want = item.expected
            told = "-".join(map(str, want.roll)) or (want.reason.value if want.reason else "play")
            yield f"{item.outcome:6} {item.sequence} frame {want.frame:3} {want.kind:6} {told:14} {item.answer}"
        for kind, counts in self.totals().items():
            yield f"{kind}: {counts}"

    def totals(self) -> Totals:
        """Counts of right, asked and wrong for throws, plays and voids."""
        return {
            kind: {
                outcome: sum(item.expected.kind == kind and item.outcome == outcome for item in self.said)
                for outcome in ("right", "asked", "wrong")
            }
            for kind in ("throws", "plays", "voids")
        }


def evaluate_sequences(path: Path) -> SequenceScores:
    """Referee every sequence at ``path`` or below.

    Raises ValueError when there is none.
    """
    files = [path] if path.is_file() else sorted(path.rglob("events.json"))
    if not files:
        msg = f"no events.json at {path} or below it: give the folder of a recorded sequence"
        raise ValueError(msg)
    return SequenceScores(tuple(said for file in files for said in _one(file)))


def _one(file: Path) -> Iterator[Said]:
    events: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))["frames"]
    folder = file.parent
    rules = _rules(json.loads(file.read_text("utf-8"))["family"], events)
    label = json.loads(_label(folder, 0).read_text("utf-8"))
    pose = BoardPose(np.array(label["corners"], np.float32), BoardShape(bar=tuple(label["bar"])), tuple(label["size"]))
    happened = referee_frames(shots(folder), open_eyes(pose), rules.name, rules)
    rulings = [(made.shot.number, ruling) for made in happened for ruling in made.rulings]
    yield from _judged(folder.name, list(_expected(folder, events)), rulings, rules.game)


def _label(folder: Path, number: int) -> Path:
    return folder / f"{number:03d}.json"


def _rules(family: str, events: Iterable[dict[str, Any]]) -> Ruleset:
    """The rules that the table agreed on: dice in either half, and whether the opening winner throws again."""
    again = any(event.get("reason") == "winner rolls again" for event in events)
    base = {"long": "long-fnr", "short": "short-ru", "nackgammon": "nackgammon", "hyper": "hyper"}.get(family, family)
    text = f'inherits = "{base}"\ndice_area = "one_half"\nopening_dice = "{"reroll" if again else "use"}"\n'
    return house_rules(text, f"recorded-{family}")


def _expected(folder: Path, events: list[dict[str, Any]]) -> Iterator[Expected]:
    """What has to be said, in order: each throw at rest, and each turn's end position at its last move."""
    last_move: int | None = None
    legal = True
    for event in events:
        number, kind = event["frame"], event["type"]
        if kind == "opening_roll":
            yield Expected(number, "throws", (event["values"]["A"], event["values"]["B"]))
        elif kind == "roll" and event["valid"]:
            yield Expected(number, "throws", tuple(sorted(event["values"], reverse=True)))
        elif kind == "roll":
            yield Expected(number, "voids", tuple(event["values"]), VOIDS.get(event["roll_kind"]))
        elif kind == "move":
            last_move, legal = number, event["legal"]
        elif kind == "correction":
            legal = True
        elif kind == "dice_pickup_start" and last_move is not None:
            label = json.loads(_label(folder, last_move).read_text("utf-8"))
            yield Expected(last_move, "plays", points=tuple(a - b for a, b in label["points"]), legal=legal)
            last_move = None


def _judged(name: str, expected: list[Expected], rulings: list[tuple[int, Ruling]], game: Game) -> Iterator[Said]:
    """Match each thing with the last ruling of its kind made before the next thing of that kind happened."""
    for place, want in enumerate(expected):
        is_play = want.kind == "plays"
        later = [other.frame for other in expected[place + 1 :] if (other.kind == "plays") == is_play]
        until = later[0] if later else 1 << 30
        said = [r for n, r in rulings if want.frame <= n < until and isinstance(r, PlayRuling) == is_play]
        if not said:
            yield Said(name, want, "nothing was said", "wrong")
            continue
        yield Said(name, want, *_verdict(want, said[-1], game))


def _verdict(want: Expected, ruling: Ruling, game: Game) -> tuple[str, str]:
    if isinstance(ruling, PlayRuling):
        answer = f"{ruling.verdict.value} {ruling.notation} {' '.join(f.fault for f in ruling.faults)}".strip()
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
    told = tuple(values) if ruling.side is None else tuple(sorted(values, reverse=True))
    return f"valid {'-'.join(map(str, told))}", "right" if want.kind == "throws" and told == want.roll else "wrong"
