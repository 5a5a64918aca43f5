"""The .mat writer against gnubg's own files, its own program, and a reader written apart."""

import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.formats import mat as mat_format
from controller.formats.mat import mat
from controller.formats.record import CubeAction, CubeRecord, ExportError, GameEnd, GameRecord, MatchRecord, TurnRecord
from controller.rules import Game, Play, Score, Side, Step

SIDES = (Side.WHITE, Side.BLACK)
ACT = re.compile(r"\d\d:(?: \d+/\d+\*?)*|(?:Doubles|Beavers) => \d+|Takes|Drops|Wins \d+ points?")
LEFT_CELLS_START_BEFORE = 10


@dataclass
class ReadGame:
    number: int
    names: tuple[str, str]
    score: tuple[int, int]
    acts: list[tuple[int, str]] = field(default_factory=list)
    """(0 left or 1 right, the cell's words)"""


@dataclass
class ReadMatch:
    length: int
    tags: dict[str, str]
    games: list[ReadGame]


def read_mat(text: str) -> ReadMatch:
    """Read lines, columns and words as the format has them, sharing nothing with the writer."""
    tags: dict[str, str] = {}
    games: list[ReadGame] = []
    length = -1
    lines = iter(text.splitlines())
    for line in lines:
        if tag := re.fullmatch(r'; \[(.+?) "(.*)"\]', line):
            tags[tag[1]] = tag[2]
        elif match := re.fullmatch(r" (\d+) point match", line):
            length = int(match[1])
        elif opened := re.fullmatch(r" Game (\d+)", line):
            head = re.fullmatch(r" (.+?) : (\d+) {2,}(.+?) : (\d+)", next(lines))
            assert head is not None
            games.append(ReadGame(int(opened[1]), (head[1], head[3]), (int(head[2]), int(head[4]))))
        elif line.strip():
            assert re.match(r" *\d+\) | {6}", line), f"neither a numbered line nor a result: {line!r}"
            games[-1].acts += [
                (0 if act.start() < LEFT_CELLS_START_BEFORE else 1, act.group().strip()) for act in ACT.finditer(line)
            ]
    return ReadMatch(length, tags, games)


def turns_of(game: ReadGame) -> tuple[TurnRecord | CubeRecord, ...]:
    turns: list[TurnRecord | CubeRecord] = []
    cube = 1
    for column, act in game.acts:
        side = SIDES[column]
        if turned := re.fullmatch(r"(Double|Beaver)s => (\d+)", act):
            cube = int(turned[2])
            turns.append(CubeRecord(side, CubeAction(turned[1].lower()), cube))
        elif act == "Takes":
            turns.append(CubeRecord(side, CubeAction.TAKE, cube))
        elif act == "Drops":
            turns.append(CubeRecord(side, CubeAction.PASS, cube))
        elif ":" in act:
            notation = act[3:].strip().replace("25/", "bar/")
            notation = re.sub(r"/0\b", "/off", notation)
            turns.append(TurnRecord(side, (int(act[0]), int(act[1])), notation or "pass"))
    return tuple(turns)


def record_of(text: str) -> MatchRecord:
    read = read_mat(text)
    games = []
    for game in read.games:
        column, won = game.acts[-1]
        points = int(won.split()[1])
        games.append(
            GameRecord(game.number, Score(*game.score), turns=turns_of(game), end=GameEnd(SIDES[column], "oin", points))
        )
    left, right = read.games[0].names
    return MatchRecord(Game.SHORT, "short-wbgf", read.length, left, right, tuple(games))


def body(text: str) -> list[str]:
    """Everything from the length on, without blanks at line ends."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    return lines[next(i for i, line in enumerate(lines) if line.endswith("point match")) :]


@pytest.mark.parametrize("number", range(1, 6))
def test_gnubgs_own_matches_come_out_as_gnubg_wrote_them(shared: Path, number: int) -> None:
    original = (shared / f"oracle/dev/gnubg_matches/gnubg_dev_{number:02}.mat").read_text()
    written, expected = body(mat(record_of(original))), body(original)
    assert [line for line in written if line] == [line for line in expected if line]


def test_gnubg_reads_what_we_write(shared: Path, tmp_path: Path) -> None:
    program = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
    if program is None:
        pytest.skip("gnubg is not installed: apt-get install gnubg")
    original = shared / "oracle/dev/gnubg_matches/gnubg_dev_03.mat"
    ours, again = tmp_path / "ours.mat", tmp_path / "again.mat"
    ours.write_text(mat(record_of(original.read_text())))
    script = f"import mat {ours}\nexport match mat {again}\nquit\ny\n"
    subprocess.run([program, "-t", "-q"], input=script, text=True, capture_output=True, timeout=120, check=False)
    assert again.exists(), "gnubg refused the file"
    assert in_any_order(again.read_text()) == in_any_order(original.read_text())


def in_any_order(text: str) -> list[list[str]]:
    """Words of each line sorted: reading a play, gnubg orders its steps, and with them the hit, its own way."""
    return [sorted(line.replace("*", "").split()) for line in body(text) if line]


steps = st.builds(Step, st.integers(13, 25), st.integers(0, 12), st.booleans())
plays = st.lists(steps, max_size=4).map(lambda made: Play(tuple(made)))
turns = st.builds(
    lambda side, high, low, play: TurnRecord(side, (max(high, low), min(high, low)), str(play)),
    st.sampled_from(Side),
    st.integers(1, 6),
    st.integers(1, 6),
    plays,
)
cubes = st.builds(CubeRecord, st.sampled_from(Side), st.sampled_from(CubeAction), st.sampled_from([2, 4, 8, 16]))
ends = st.builds(GameEnd, st.sampled_from(Side), st.just("mars"), st.integers(1, 12))
names = st.text("abcXYZ Ж:-0123456789", min_size=1, max_size=40).filter(lambda name: name.replace(":", "").strip())


@settings(max_examples=60)
@given(names, names, st.lists(st.tuples(st.lists(turns | cubes, max_size=12), ends), max_size=3))
def test_every_turn_cube_action_and_result_can_be_read_back(
    white: str, black: str, played: list[tuple[list[TurnRecord | CubeRecord], GameEnd]]
) -> None:
    games: list[GameRecord] = []
    score = (0, 0)
    for number, (acts, end) in enumerate(played, 1):
        games.append(GameRecord(number, Score(*score), turns=tuple(acts), end=end))
        score = games[-1].score_after
    read = read_mat(mat(MatchRecord(Game.SHORT, "short-wbgf", 7, white, black, tuple(games))))
    assert read.length == 7
    assert [game.score for game in read.games] == [game.score for game in games]
    for game, original in zip(read.games, games, strict=True):
        assert game.names == tuple(" ".join(name.replace(":", " ").split()) for name in (white, black))
        assert original.end is not None
        assert original.end.winner is not None
        column, words = game.acts[-1]
        assert SIDES[column] is original.end.winner
        assert words.split()[1] == str(original.end.points)
        again = turns_of(game)
        assert [turn.side for turn in again] == [turn.side for turn in original.turns]
        for left, right in zip(again, original.turns, strict=True):
            assert type(left) is type(right)
            if isinstance(left, TurnRecord) and isinstance(right, TurnRecord):
                assert left.roll == right.roll
                assert Play.parse(left.notation) == Play.parse(right.notation)
            elif isinstance(left, CubeRecord) and isinstance(right, CubeRecord):
                assert left.action is right.action


def test_the_tags_name_players_date_and_variation() -> None:
    record = MatchRecord(
        Game.NACKGAMMON,
        "nackgammon",
        7,
        'Anna "A"',
        "Boris",
        date="2026-11-30",
        place="club, table 1",
        crawford_rule=True,
    )
    assert read_mat(mat(record)).tags == {
        "Site": "club, table 1",
        "Player 1": "Anna 'A'",
        "Player 2": "Boris",
        "EventDate": "2026.11.30",
        "Variation": "NackGammon",
        "Crawford": "On",
    }


@pytest.mark.parametrize("game", [Game.LONG, Game.KHACHAPURI])
def test_long_games_have_no_mat(game: Game) -> None:
    with pytest.raises(ExportError, match=rf"this match is {game.value}"):
        mat(MatchRecord(game, "long-fnr", 5, "Anna", "Boris"))


def test_a_turn_that_stands_but_is_no_play_is_named() -> None:
    odd = GameRecord(2, Score(), turns=(TurnRecord(Side.WHITE, (6, 5), "checkers swapped"),))
    with pytest.raises(ExportError, match=r"^game 2: the turn 6-5 'checkers swapped' is no play"):
        mat(MatchRecord(Game.SHORT, "short-wbgf", 5, "Anna", "Boris", (odd,)))


def test_a_beaver_is_written_and_read_back() -> None:
    turns = (
        CubeRecord(Side.WHITE, CubeAction.DOUBLE, 2),
        CubeRecord(Side.BLACK, CubeAction.BEAVER, 4),
        CubeRecord(Side.WHITE, CubeAction.PASS, 4),
    )
    game = GameRecord(1, Score(), turns=turns, end=GameEnd(Side.BLACK, "drop", 2))
    read = mat_format.read_mat(mat(MatchRecord(Game.SHORT, "short-money", 0, "Ann", "Bob", (game,))))
    assert read.games[0].actions == (
        mat_format.Doubled(Side.WHITE, 2),
        mat_format.Beavered(Side.BLACK, 4),
        mat_format.Answered(Side.WHITE, took=False),
    )
    assert (read.games[0].winner, read.games[0].points) == (Side.BLACK, 2)
