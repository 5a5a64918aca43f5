"""A match comes out of its journal as it was played: cube, corrected score, fallen flag and all."""

import csv
import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.adapters.journal import Journal
from controller.cli.group import build
from controller.clock import Millis
from controller.formats.identifiers import position_id
from controller.formats.mat import positions, read_mat
from controller.formats.notation import position_text
from controller.locale import Lang
from controller.ports.entries import ENTRIES
from controller.referee.events import Event, Ordered
from controller.referee.orders import Double, Pass, SetClock, SetScore, Take, Undo
from controller.referee.state import Phase
from controller.rules import Kind, Position, Roll, Score, Side, house_rules, legal_plays, ruleset, start
from tests.referee.tabletop import Table

OPENING = "24/18 13/11"


def one_turn(table: Table) -> None:
    """White opens with 6-2 and plays it; Black is to throw."""
    open_game(table)
    legal = legal_plays(table.white, Roll.of(6, 2), table.rules, first_turn=True)
    table.place(next(after for after, play in legal.items() if str(play) == OPENING), Side.WHITE)
    table.press(Side.WHITE)
    assert table.state.turn is Side.BLACK


def open_game(table: Table) -> None:
    table.white, table.dice = start(table.rules.game), ()
    table.open_with(6, 2)


@pytest.fixture
def doubled(tmp_path: Path) -> Path:
    """Game 1: Black doubles, White takes and resigns; game 2, at a corrected score: White's double is passed."""
    table = Table()
    one_turn(table)
    table.order(Double(Side.BLACK))
    table.order(Take())
    table.resign(Side.WHITE, Kind.OIN)
    table.order(SetScore(Score(3, 2)))
    one_turn(table)
    table.order(Double(Side.BLACK))
    table.order(Pass())
    return written(tmp_path / "match.sqlite", table.events)


def written(path: Path, events: list[Event]) -> Path:
    with Journal(path, ENTRIES) as journal:
        journal.append(events)
    return path


def export(*arguments: object, lang: Lang = Lang.EN) -> Result:
    return CliRunner().invoke(build(lang), ["export", *map(str, arguments)])


def test_a_match_is_a_score_sheet_with_its_cube_and_the_corrected_score(doubled: Path) -> None:
    done = export(doubled, "--place", "Club, table 3")
    assert done.exit_code == 0, done.output
    sheet = done.output
    assert re.search(r"Club, table 3, \d{4}-\d\d-\d\d, short-wbgf", sheet)
    assert sheet.index("doubles to 2") < sheet.index("takes") < sheet.index("Game 2 at 3 - 2") < sheet.index("passes")
    assert "Score White 3 - 3 Black" in sheet
    assert "Протокол матча" in export(doubled, lang=Lang.RU).output


def test_mat_is_what_other_programs_read(doubled: Path, tmp_path: Path) -> None:
    out = tmp_path / "match.mat"
    assert export(doubled, "-o", out).exit_code == 0
    lines = [re.split(r"  +", line.strip()) for line in out.read_text("utf-8").splitlines() if line.strip()]
    assert ["1) 62: 24/18 13/11", "Doubles => 2"] in lines
    assert ["2)", "Takes", "Wins 2 points"] in lines
    assert ["White : 3", "Black : 2"] in lines
    assert ["2)", "Drops", "Wins 1 point"] in lines


def test_a_name_that_asks_for_no_format_is_refused_with_those_that_there_are(doubled: Path, tmp_path: Path) -> None:
    out = tmp_path / "match.xyz"
    done = export(doubled, "-o", out)
    assert done.exit_code != 0
    assert not out.exists()
    assert ".mat" in str(done.exception)
    assert export(doubled, "-o", tmp_path / "match.TXT").exit_code == 0
    assert "Score sheet" in (tmp_path / "match.TXT").read_text("utf-8")
    assert export(doubled, "-o", out, "--format", "csv").exit_code == 0


def test_gnubg_imports_it(doubled: Path, tmp_path: Path) -> None:
    program = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
    if program is None:
        pytest.skip("gnubg is not installed: apt-get install gnubg")
    out, again = tmp_path / "match.mat", tmp_path / "again.mat"
    export(doubled, "-o", out)
    commands = f"import mat {out}\nexport match mat {again}\n"
    subprocess.run([program, "-t", "-q"], input=commands, text=True, capture_output=True, check=False, timeout=60)
    written = again.read_text()
    assert written.count("Doubles => 2") == 2
    assert "Takes" in written
    assert "White : 3" in written


def test_csv_and_json_are_for_programs(doubled: Path, tmp_path: Path) -> None:
    out = tmp_path / "match.csv"
    export(doubled, "-o", out)
    raw = out.read_bytes()
    assert raw.count(b"\r\n") == raw.count(b"\n")
    rows = list(csv.DictReader(io.StringIO(raw.decode())))
    assert [(row["game"], row["play"]) for row in rows if row["play"]] == [
        ("1", OPENING),
        ("1", "double 2"),
        ("1", "take 2"),
        ("2", OPENING),
        ("2", "double 2"),
        ("2", "pass 2"),
    ]
    record = json.loads(export(doubled, "--format", "json").output)
    assert [game["score"] for game in record["games"]] == [[0, 0], [3, 2]]
    assert [game["end"]["points"] for game in record["games"]] == [2, 1]


def test_a_double_that_is_taken_off_the_table_was_never_made(tmp_path: Path) -> None:
    table = Table()
    one_turn(table)
    table.order(Double(Side.BLACK))
    table.order(Undo())
    table.resign(Side.WHITE, Kind.OIN)
    assert "doubles" not in export(written(tmp_path / "match.sqlite", table.events)).output


def test_a_passed_double_that_is_taken_back_was_not_passed(tmp_path: Path) -> None:
    table = Table()
    one_turn(table)
    table.order(Double(Side.BLACK))
    table.order(Pass())
    table.order(Undo())
    table.order(Take())
    sheet = export(written(tmp_path / "match.sqlite", table.events)).output
    assert "takes" in sheet
    assert "passes" not in sheet


def test_the_crawford_game_is_named_and_only_it(tmp_path: Path) -> None:
    table = Table(house_rules('inherits = "short-wbgf"\nlength = 3', "to three"))
    # White comes within a point, Black wins the Crawford game, and one more is played.
    for loser, kind in ((Side.BLACK, "mars"), (Side.WHITE, "oin"), (Side.WHITE, "oin")):
        open_game(table)
        table.resign(loser, Kind(kind))
    sheet = export(written(tmp_path / "match.sqlite", table.events)).output
    assert [line for line in sheet.splitlines() if line.startswith("Game")] == [
        "Game 1 at 0 - 0",
        "Game 2 at 2 - 0, Crawford game",
        "Game 3 at 2 - 1",
    ]


def test_a_match_lost_on_time_keeps_its_last_game_and_names_the_winner(tmp_path: Path) -> None:
    table = Table()
    one_turn(table)
    table.tick(60 * 60_000)
    assert table.state.phase is Phase.MATCH_OVER
    sheet = export(written(tmp_path / "match.sqlite", table.events)).output
    assert OPENING in sheet
    assert "White has won the match." in sheet


def test_a_long_game_has_no_mat_and_what_to_take_is_said(tmp_path: Path) -> None:
    table = Table(ruleset("long-fnr"))
    done = export(written(tmp_path / "match.sqlite", table.events[:1]), "--format", "mat")
    assert isinstance(done.exception, ValueError)
    assert "take text, csv or json" in str(done.exception)


def test_a_journal_without_a_match_is_told_so(tmp_path: Path) -> None:
    done = export(written(tmp_path / "match.sqlite", []))
    assert "holds no match yet" in str(done.exception)


def test_a_folder_stands_for_its_only_journal(doubled: Path) -> None:
    assert export(doubled.parent).output == export(doubled).output
    shutil.copy(doubled, doubled.with_name("other.sqlite"))
    assert "name one of them: match.sqlite, other.sqlite" in str(export(doubled.parent).exception)


def moved(position: Position, *steps: tuple[int, int]) -> Position:
    points = list(position.points)
    for source, target in steps:
        points[source - 1] -= 1
        points[target - 1] += 1
    return position._replace(points=tuple(points))


@pytest.fixture
def faulty(tmp_path: Path) -> tuple[Path, Position]:
    """White's 24/16 with 6-2 and another checker a pip on is closed by Black's throw; a clock and the score are set."""
    table = Table()
    open_game(table)
    wrong = moved(table.white, (24, 16), (6, 5))
    table.place(wrong, Side.WHITE)
    table.press(Side.WHITE)
    table.throw_valid(Side.BLACK, 4, 3)
    assert table.state.game.turns[0].after == wrong
    table.happens(Ordered(table.later(), "arbiter", SetClock(Millis(600_000), Millis(540_000)), "the clock was wrong"))
    table.order(SetScore(Score(1, 2)))
    legal = legal_plays(wrong.turned(table.rules.game), Roll.of(4, 3), table.rules)
    table.place(min(legal), Side.BLACK)
    table.press(Side.BLACK)
    table.resign(Side.BLACK, Kind.OIN)
    assert table.state.score == (2, 2)
    return written(tmp_path / "match.sqlite", table.events), wrong


def test_an_illegal_play_that_stands_is_in_every_format(faulty: tuple[Path, Position]) -> None:
    journal, wrong = faulty
    rows = list(csv.DictReader(io.StringIO(export(journal, "--format", "csv").output)))
    assert next(row["position"] for row in rows if row["turn"] == "1") == wrong.compact()
    record = json.loads(export(journal, "--format", "json").output)
    assert record["games"][0]["turns"][0]["after"] == wrong.compact()
    assert "24:1 16:1" in next(line for line in export(journal).output.splitlines() if line.startswith("   1 White"))
    match = read_mat(export(journal, "--format", "mat").output)
    shown = list(positions(match.games[0], match.rules))
    assert (shown[0].position, shown[0].legal, shown[1].legal) == (wrong, False, True)
    assert shown[1].position.turned(match.rules.game).compact() == rows[3]["position"]


def test_orders_and_their_reasons_are_in_the_record(faulty: tuple[Path, Position]) -> None:
    journal, _ = faulty
    sheet = export(journal).output
    assert "Game 1 at 0 - 0" in sheet
    assert "Order (arbiter): clock set, White 10:00, Black 9:00 (reason: the clock was wrong)" in sheet
    assert "Order (arbiter): score set, score 1-2" in sheet
    assert "Score White 2 - 2 Black" in sheet
    rows = list(csv.DictReader(io.StringIO(export(journal, "--format", "csv").output)))
    assert [(row["turn"], row["order"]) for row in rows[:4]] == [
        ("1", ""),
        ("", "set_clock white_ms=600000 black_ms=540000"),
        ("", "set_score score=1-2"),
        ("2", ""),
    ]
    assert rows[1]["note"] == "the clock was wrong"
    assert "the clock was wrong" in export(journal, "--format", "json").output
    assert [game.score for game in read_mat(export(journal, "--format", "mat").output).games] == [(1, 2)]


def test_gnubg_sees_the_position_of_an_illegal_play_and_the_score(
    faulty: tuple[Path, Position], tmp_path: Path
) -> None:
    program = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
    if program is None:
        pytest.skip("gnubg is not installed: apt-get install gnubg")
    out, seen = tmp_path / "match.mat", tmp_path / "seen.txt"
    export(faulty[0], "-o", out)
    script = tmp_path / "seen.py"
    script.write_text(
        f"import gnubg\ngnubg.command('import mat {out}')\ngames = gnubg.match()['games']\n"
        f"open('{seen}', 'w').write(repr([(a['action'], a.get('board')) for a in games[0]['game']]))\n"
    )
    subprocess.run(
        [program, "-t", "-q", "-p", str(script)], input="", text=True, capture_output=True, check=False, timeout=60
    )
    game = ruleset("short-wbgf").game
    assert f"('move', '{position_id(faulty[1], game)}')" in seen.read_text()


def test_replay_shows_the_positions_and_scores_of_a_mat_file(faulty: tuple[Path, Position], tmp_path: Path) -> None:
    out = tmp_path / "match.mat"
    export(faulty[0], "-o", out)
    done = CliRunner().invoke(build(Lang.EN), ["replay", str(out)])
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert lines[:2] == ["Game 1 at 1 - 2", "  White 6-2 (illegal, stands)"]
    assert lines[2].strip() == position_text(faulty[1], ruleset("short-wbgf").game)
    assert lines[-1] == "White wins, points: 1"
