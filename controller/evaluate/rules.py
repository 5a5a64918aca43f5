"""Score the rules on recorded legal sets and whole games of other engines.

Formats: ``*.jsonl`` and ``*.jsonl.gz``, one object a line. A row with ``legal`` is a position and dice with all legal
ends; a row with ``turns`` is a game with the number of legal ends and the end of every turn, and its result. A
``*.mat`` is one row: a match whose plays, doubles and scores must follow the rules.
"""

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from controller.evaluate.matches import ReplayError, replay
from controller.evaluate.scores import Totals
from controller.formats.mat import read_mat
from controller.rules import (
    Position,
    Roll,
    RulesError,
    Ruleset,
    finished,
    legal_plays,
    result,
    ruleset,
    start,
    varied,
)

PRESETS: Final[Mapping[str, str]] = {
    "backgammon": "short-wbgf",
    "nackgammon": "nackgammon",
    "hyper": "hyper",
    "long_narde": "long-fnr",
    "khachapuri": "khachapuri",
}
HEAD_FIRST: Final[Mapping[str, str]] = {
    "first_turn_346": "three_doubles",
    "any_double_if_needed": "seed003",
    "none": "none",
    "unlimited": "none",
}
BLOCK: Final[Mapping[str, str]] = {"ahead": "ahead", "home": "home", "none": "free"}
BLOCK_CHECK: Final[Mapping[str, str]] = {"each_step": "each_step", "final": "end_of_turn"}
KINDS: Final[Mapping[str, str]] = {"single": "oin", "gammon": "mars", "backgammon": "koks"}
MATCH: Final = ".mat"
SHOWN_MOST: Final = 10
"""Differing rows that are printed."""


@dataclass(frozen=True, slots=True)
class Differing:
    """A row on which the rules and the recording disagree, and what each says."""

    row: str
    why: str


@dataclass(frozen=True, slots=True)
class RulesScores:
    """Rows compared, by file, and those that differ."""

    compared: tuple[tuple[str, int, int], ...]
    """(file, rows, equal rows)."""
    differing: tuple[Differing, ...]

    @property
    def rows(self) -> int:
        """Rows compared."""
        return sum(rows for _, rows, _ in self.compared)

    @property
    def equal(self) -> int:
        """Rows on which both say the same."""
        return sum(equal for _, _, equal in self.compared)

    def lines(self) -> Iterator[str]:
        """Table for people, one line a file, then the first differing rows, the totals last."""
        yield f"{'file':<34} {'rows':>6} {'equal':>6}"
        for name, rows, equal in self.compared:
            yield f"{name:<34} {rows:>6} {equal:>6}"
        for one in self.differing[:SHOWN_MOST]:
            yield f"differs: {one.row}: {one.why}"
        yield f"{'all':<34} {self.rows:>6} {self.equal:>6}"

    def totals(self) -> Totals:
        """Return the figures, by their published names."""
        return {"rows": self.rows, "equal": self.equal}


def evaluate_rules(path: Path) -> RulesScores:
    """Compare every row of the file ``path``, or of all files below it; other rows than those above are passed over.

    Raises RulesError that names the file for a line that is no JSON object or lacks a field, or when there is no row.
    """
    files = sorted(file for file in path.rglob("*") if _is_recording(file)) if path.is_dir() else [path]
    compared: list[tuple[str, int, int]] = []
    differing: list[Differing] = []
    for file in files:
        rows, wrong = _compared_match(file) if file.suffix == MATCH else _compared_rows(file)
        if rows:
            compared.append((file.name, rows, rows - len(wrong)))
            differing.extend(wrong)
    if not compared:
        msg = f"no legal plays and no recorded games at {path} or below it: give *.jsonl, *.jsonl.gz or *.mat files"
        raise RulesError(msg)
    return RulesScores(tuple(compared), tuple(differing))


def _is_recording(file: Path) -> bool:
    return file.name.endswith((".jsonl", ".jsonl.gz", MATCH))


def _compared_match(file: Path) -> tuple[int, list[Differing]]:
    """Return 1 row, and why the match in ``file`` breaks the rules if it does."""
    try:
        replay(read_mat(file.read_text("utf-8-sig")))
    except ReplayError as error:
        return 1, [Differing(file.name, str(error))]
    except (RulesError, UnicodeDecodeError) as error:
        msg = f"{file}: {error}"
        raise RulesError(msg) from error
    return 1, []


def _compared_rows(file: Path) -> tuple[int, list[Differing]]:
    """Return the number of rows in ``file``, and those that differ."""
    rows = 0
    wrong: list[Differing] = []
    for row in _rows(file):
        if "legal" not in row and "turns" not in row:
            continue
        rows += 1
        try:
            why = _game(row) if "turns" in row else _legal_set(row)
        except (KeyError, TypeError, RulesError) as error:
            msg = f"{file}: row {row.get('id', rows)}: {error!r}"
            raise RulesError(msg) from error
        if why:
            wrong.append(Differing(str(row["id"]), why))
    return rows, wrong


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    reader = gzip.open if file.suffix == ".gz" else open
    with reader(file, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                msg = f"{file}, line {number} is no JSON object: {error}"
                raise RulesError(msg) from None
            if isinstance(row, dict):
                yield row


def recorded_ruleset(variant: str, options: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset that a recording of ``variant`` with ``options`` was made under."""
    rules = ruleset(PRESETS[variant])
    if not options:
        return rules
    return varied(
        rules,
        {
            "head_first": HEAD_FIRST[options["head_exception"]],
            "block": BLOCK[options["block_rule"]],
            "block_check": BLOCK_CHECK[options["block_check"]],
        },
    )


def _legal_set(row: Mapping[str, Any]) -> str:
    """Return what differs in one legal set, empty if nothing does."""
    position = Position(tuple(row["position"]), tuple(row["bar"]), tuple(row["off"]))
    options = row["ruleset"]
    ends = legal_plays(
        position,
        Roll.of(*row["dice"]),
        recorded_ruleset(row["variant"], options),
        first_turn=row["first_turn"],
        # The recording lets either player's first turn widen the exception; the ruleset only the second's.
        second_player=options.get("head_exception") == "any_double_if_needed",
    )
    why = _differing_sets({end.compact() for end in ends}, set(row["legal"]))
    if not why and "draw" in row and row["draw"] != any(end.off[0] == 15 for end in ends):
        return f"recorded draw={row['draw']}"
    return why


def _differing_sets(ours: set[str], recorded: set[str]) -> str:
    if ours == recorded:
        return ""
    return f"only here {sorted(ours - recorded)}, only recorded {sorted(recorded - ours)}"


def _game(row: Mapping[str, Any]) -> str:
    """Return what differs first in a recorded game, empty if nothing does."""
    rules = recorded_ruleset(row["variant"], row.get("ruleset", {}))
    position = start(rules.game)
    turns: Counter[int] = Counter()
    mover = row["first_player"]
    for number, turn in enumerate(row["turns"], start=1):
        if turn["player"] != mover:
            return f"turn {number}: player {turn['player']} moves, not {mover}"
        ends = legal_plays(
            position,
            Roll.of(*turn["dice"]),
            rules,
            first_turn=not turns[mover],
            second_player=mover != row["first_player"],
        )
        end = Position.parse(turn["final"])
        if len(ends) != turn["n_legal"] or end not in ends:
            return f"turn {number}: {len(ends)} ends here, {turn['n_legal']} recorded, {turn['final']} played"
        turns[mover] += 1
        if finished(end, rules):
            if number != len(row["turns"]):
                return f"turn {number}: the game is over before its last recorded turn"
            return _result(row, rules, end, mover)
        position = end.turned(rules.game)
        mover = 1 - mover
    return "the game does not end"


def _result(row: Mapping[str, Any], rules: Ruleset, end: Position, winner: int) -> str:
    recorded = row["result"]
    ours = result(end, rules)
    kind = KINDS.get(recorded["kind"], recorded["kind"])
    if (winner, ours.kind.value, ours.points) != (recorded["winner"], kind, recorded["points"]):
        return f"player {winner} wins {ours.kind.value}, {ours.points}; recorded {recorded}"
    if "kind4" in recorded:
        classic = result(end, ruleset("long-classic"))
        if classic.kind.value != recorded["kind4"]:
            return f"classic kind {classic.kind.value}; recorded {recorded['kind4']}"
    last = row.get("last_roll")
    if last:
        ends = legal_plays(end.turned(rules.game), Roll.of(*last["dice"]), rules)
        draw = any(finished(last_end, rules) for last_end in ends)
        if (len(ends), draw) != (last["n_legal"], last["draw"]):
            return f"last roll: {len(ends)} ends, draw {draw}; recorded {last}"
    return ""
