"""GNU Backgammon imports what we write and shows the same positions, move by move."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from controller.formats.identifiers import position_id
from controller.formats.mat import mat
from controller.formats.record import GameRecord, MatchRecord, TurnRecord
from controller.rules import Game, Position, Side
from tests.formats.test_any_match_comes_back import refereed

COLUMNS = {Side.WHITE: "X", Side.BLACK: "O"}
GNUBG = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
SHOW = """
import gnubg, json
gnubg.command('import mat "{file}"')
games = gnubg.match(analysis=0, boards=1)["games"]
open("{out}", "w").write(json.dumps(games, default=str))
"""

LONGEST = 64

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(GNUBG is None, reason="gnubg is not installed: apt-get install gnubg"),
]


def imported(folder: Path, record: MatchRecord) -> list[dict[str, Any]]:
    """The games as GNU Backgammon has them after importing ``record``, with a board before each action."""
    file, script, out = folder / "ours.mat", folder / "show.py", folder / "games.json"
    file.write_text(mat(record), "utf-8")
    script.write_text(SHOW.format(file=file, out=out), "utf-8")
    assert GNUBG is not None
    subprocess.run(
        [GNUBG, "-t", "-q", "-p", str(script)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
        env={"HOME": str(folder)},
    )
    assert out.exists(), "GNU Backgammon refused the file"
    games: list[dict[str, Any]] = json.loads(out.read_text())
    return games


def views(position: Position, game: Game) -> frozenset[str]:
    """A position from both sides: GNU Backgammon shows it to whose turn it would be."""
    return frozenset({position_id(position, game), position_id(position.turned(game), game)})


def differences(actions: list[dict[str, Any]], game: GameRecord, kind: Game) -> list[str]:
    """Throws with another player or other dice in GNU Backgammon, before another position, or leaving another one.

    What was no legal play it has as dice that are set, followed by the board that is set.
    """
    turns = [turn for turn in game.turns if isinstance(turn, TurnRecord) and turn.roll is not None]
    numbered = [(number, action) for number, action in enumerate(actions) if "dice" in action]
    if len(turns) != len(numbered):
        return [f"{len(turns)} throws, in GNU Backgammon {len(numbered)}"]
    wrong: list[str] = []
    for place, (turn, (number, action)) in enumerate(zip(turns, numbered, strict=True)):
        assert turn.roll is not None
        if (action["player"], sorted(action["dice"])) != (COLUMNS[turn.side], sorted(turn.roll)):
            wrong.append(f"throw {place + 1}: {turn.side} {turn.roll}, got {action}")
        if "board" in action:
            if action["board"] not in views(Position.parse(turn.before), kind):
                wrong.append(f"throw {place + 1}: before {turn.before}, got {action['board']}")
            continue
        following = turns[place + 1].before if turns[place + 1 :] else turn.after
        if actions[number + 1]["board"] not in views(Position.parse(following), kind):
            wrong.append(f"throw {place + 1}: left {following}, got {actions[number + 1]['board']}")
    return wrong


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", ["short-wbgf", "short-ru", "nackgammon"])
def test_gnubg_shows_the_positions_of_whatever_happened_at_a_table(tmp_path: Path, name: str, seed: int) -> None:
    _, record = refereed(name, seed)
    if record.length > LONGEST:
        pytest.skip(f"the arbiter made it a match to {record.length}: GNU Backgammon knows none above {LONGEST}")
    games = imported(tmp_path, record)
    assert len(games) == len(record.games)
    wrong = [differences(shown["game"], game, record.game) for shown, game in zip(games, record.games, strict=True)]
    assert wrong == [[] for _ in games]
