"""The rules against engines nobody here wrote; ``tests/conftest.py`` says where their rows are looked for."""

import gzip
import json
import re
from pathlib import Path

import pytest

from controller.evaluate.matches import replay
from controller.evaluate.rules import evaluate_rules
from controller.formats.identifiers import position_from_id, position_id
from controller.formats.mat import read_mat
from controller.rules import Game, Legal, Play, Roll, RulesError, Step, judge_steps, ruleset, start

pytestmark = pytest.mark.slow  # thousands of recorded rows

FILES = {
    "backgammon.jsonl.gz": 1500,
    "hyper.jsonl.gz": 300,
    "khachapuri.jsonl.gz": 149,
    "long_narde_rulesets.jsonl.gz": 822,
    "nackgammon.jsonl.gz": 150,
    "long_narde.jsonl.gz": 1500,
    "last_roll.jsonl": 60,
    "games_backgammon.jsonl": 20,
    "games_long_narde.jsonl": 20,
}


@pytest.mark.parametrize(("name", "rows"), FILES.items())
def test_every_recorded_row_is_equal(shared: Path, name: str, rows: int) -> None:
    scores = evaluate_rules(shared / "oracle" / "dev" / name)
    assert scores.differing == ()
    assert scores.totals() == {"rows": rows, "equal": rows}


def test_a_folder_is_searched_and_its_rows_added_up(tmp_path: Path) -> None:
    row = {
        "id": "row",
        "variant": "long_narde",
        "ruleset": {},
        "position": list(start(Game.LONG).points),
        "bar": [0, 0],
        "off": [0, 0],
        "dice": [6, 5],
        "first_turn": True,
        "legal": ["...........oA..........N...."],
    }
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "right.jsonl").write_text(json.dumps(row) + "\n")
    wrong = {**row, "id": "wrong", "legal": ["...........o....A......N...."]}
    with gzip.open(tmp_path / "wrong.jsonl.gz", "wt") as file:
        file.write(json.dumps(wrong) + "\n" + json.dumps({"about": "no row"}) + "\n")
    scores = evaluate_rules(tmp_path)
    assert scores.totals() == {"rows": 2, "equal": 1}
    assert [one.row for one in scores.differing] == ["wrong"]
    assert any("differs: wrong: only here ['...........oA..........N....']" in line for line in scores.lines())


@pytest.mark.parametrize("line", ["{", '{"id": "a", "legal": []}', '{"id": "a", "legal": [], "variant": "chess"}'])
def test_a_broken_row_names_its_file(tmp_path: Path, line: str) -> None:
    (tmp_path / "rows.jsonl").write_text(line + "\n")
    with pytest.raises(RulesError, match=r"rows\.jsonl"):
        evaluate_rules(tmp_path)


def test_a_match_that_breaks_the_rules_is_a_differing_row(shared: Path, tmp_path: Path) -> None:
    match = (shared / "oracle" / "dev" / "gnubg_matches" / "gnubg_dev_01.mat").read_text()
    (tmp_path / "right.mat").write_text(match)
    first = next(line for line in match.splitlines() if "1)" in line)
    (tmp_path / "wrong.mat").write_text(match.replace(first, re.sub(r"(\d)/(\d+)", r"\1/1", first, count=1)))
    scores = evaluate_rules(tmp_path)
    assert scores.totals() == {"rows": 2, "equal": 1}
    assert [one.row for one in scores.differing] == ["wrong.mat"]


MATCHES = ["gnubg_dev_01", "gnubg_dev_02", "gnubg_dev_03", "gnubg_dev_04", "gnubg_dev_05"]


@pytest.mark.parametrize("name", MATCHES)
def test_a_match_of_gnu_backgammon_replays_without_an_illegal_verdict(shared: Path, name: str) -> None:
    folder = shared / "oracle" / "dev" / "gnubg_matches"
    recorded = json.loads((folder / f"{name}.json").read_text())
    match = read_mat((folder / f"{name}.mat").read_text())
    games, score = replay(match)
    assert len(games) == len(recorded["games"])
    for game, theirs in zip(games, recorded["games"], strict=True):
        info = theirs["info"]
        assert game.winner is not None
        assert game.result is not None
        assert {"white": "X", "black": "O"}[game.winner.value] == info["winner"]
        assert (game.result.points, game.resigned) == (info["points-won"], info["resigned"])
        assert game.turns == sum(action["action"] == "move" for action in theirs["game"])
    assert max(score) >= match.length


@pytest.mark.parametrize("name", MATCHES)
def test_position_ids_are_those_of_gnu_backgammon(shared: Path, name: str) -> None:
    rules = ruleset("short-wbgf")
    path = shared / "oracle" / "dev" / "gnubg_matches" / f"{name}.json"
    for game in json.loads(path.read_text())["games"]:
        position, view = start(Game.SHORT), "X"
        for action in game["game"]:
            if "board" not in action:
                continue
            if action["player"] != view:
                position, view = position.turned(Game.SHORT), action["player"]
            assert position_id(position) == action["board"]
            assert position_from_id(action["board"]) == position
            if action["action"] != "move":
                continue
            steps = tuple(Step(source, max(target, 0)) for source, target in action.get("move") or [])
            verdict = judge_steps(position, Roll.of(*action["dice"]), Play(steps), rules)
            assert isinstance(verdict, Legal)
            position = verdict.end


def test_every_adjudication_case_is_a_test(shared: Path) -> None:
    tests = Path(__file__).parents[1]
    folders = ("rules", "referee", "clock")
    files = [path for folder in folders for path in (tests / folder).glob("test_*.py") if path != Path(__file__)]
    sources = "".join(path.read_text() for path in files)
    cases = [case["id"] for case in json.loads((shared / "rules" / "rules-cases.json").read_text())]
    assert len(cases) == 174
    assert [case for case in cases if case not in sources and case.lower() not in sources] == []
