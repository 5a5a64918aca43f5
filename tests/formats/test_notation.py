"""What people and other programs write, and what is not a notation at all."""

import contextlib
import string
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.evaluate.matches import ReplayError, replay
from controller.formats.identifiers import (
    Situation,
    match_id,
    position_from_id,
    position_id,
    situation_from_ids,
    situation_from_xgid,
    xgid,
)
from controller.formats.mat import read_mat
from controller.formats.notation import (
    Numbering,
    point_name,
    point_of,
    position_from_text,
    position_text,
    read,
    standard,
    written,
)
from controller.rules import (
    Cube,
    Game,
    NotationError,
    Play,
    Position,
    PositionError,
    Roll,
    RollError,
    RulesError,
    Ruleset,
    Side,
    Step,
    arranged,
    house_rules,
    legal_plays,
    ruleset,
    start,
)
from tests.rules.strategies import positions, rolls, turns

games = st.sampled_from(Game)
short_games = st.sampled_from([Game.SHORT, Game.NACKGAMMON, Game.HYPER])


@pytest.mark.parametrize(
    ("text", "play", "printed"),
    [
        ("24/18 13/9*", Play((Step(24, 18), Step(13, 9, hit=True))), "24/18 13/9*"),
        ("bar/20", Play((Step(25, 20),)), "bar/20"),
        ("25/20 4/0", Play((Step(25, 20), Step(4, 0))), "bar/20 4/off"),
        ("6/off(2)", Play((Step(6, 0), Step(6, 0))), "6/off(2)"),
        ("24/18*/13", Play((Step(24, 18, hit=True), Step(18, 13))), "24/18* 18/13"),
        ("BAR/21 6/OFF", Play((Step(25, 21), Step(6, 0))), "bar/21 6/off"),
        ("pass", Play(()), "pass"),
    ],
)
def test_plays_are_read_and_printed(text: str, play: Play, printed: str) -> None:
    assert Play.parse(text) == play
    assert str(play) == printed
    assert Play.parse(printed) == play


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(turns(), rolls, st.sampled_from(Side), st.sampled_from(Numbering))
def test_plays_round_trip_in_every_numbering(
    turn: tuple[Ruleset, Position], roll: Roll, side: Side, numbering: Numbering
) -> None:
    rules, position = turn
    game = rules.game
    if game.opposed and numbering in {Numbering.ABSOLUTE, Numbering.QUARTERS}:
        with pytest.raises(NotationError, match="belongs to the long games"):
            point_name(24, side, game, numbering)
        return
    for play in list(legal_plays(position, roll, rules).values())[:3]:
        assert read(written(play, side, game, numbering), side, game, numbering) == play


@pytest.mark.parametrize(
    ("numbering", "white_head", "white_home", "black_head", "black_home"),
    [
        (Numbering.OWN, "24", "6", "24", "6"),
        (Numbering.ABSOLUTE, "13", "7", "1", "19"),
        (Numbering.QUARTERS, "A1", "D1", "C1", "B1"),
        (Numbering.WHITE, "24", "6", "12", "18"),
        (Numbering.BLACK, "12", "18", "24", "6"),
    ],
)
def test_long_nardy_points_have_the_names_of_the_texts(
    numbering: Numbering, white_head: str, white_home: str, black_head: str, black_home: str
) -> None:
    names = [point_name(point, side, Game.LONG, numbering) for side in Side for point in (24, 6)]
    assert names == [white_head, white_home, black_head, black_home]


@settings(deadline=None)
@given(games, st.sampled_from(Side), st.sampled_from(Numbering), st.integers(0, 25))
def test_point_names_round_trip(game: Game, side: Side, numbering: Numbering, point: int) -> None:
    if game.opposed and numbering in {Numbering.ABSOLUTE, Numbering.QUARTERS}:
        return
    assert point_of(point_name(point, side, game, numbering), side, game, numbering) == point


def test_standard_notation_joins_the_way_of_one_checker_and_keeps_hits() -> None:
    assert standard(Play((Step(24, 18), Step(18, 13)))) == "24/13"
    assert standard(Play((Step(24, 20, hit=True), Step(20, 16)))) == "24/20*/16"
    assert standard(Play((Step(8, 7), Step(8, 7), Step(6, 5), Step(6, 5)))) == "8/7(2) 6/5(2)"
    assert standard(Play(())) == "pass"


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(games.flatmap(lambda game: st.tuples(st.just(game), positions(game))))
def test_the_position_text_of_every_game_round_trips(given_position: tuple[Game, Position]) -> None:
    game, position = given_position
    assert position_from_text(position_text(position, game)) == (game, position)


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    game = draw(short_games)
    length = draw(st.integers(0, 25))
    exponent = draw(st.integers(0, 6))
    mover = draw(st.sampled_from(Side))
    offered = draw(st.booleans())
    die = st.integers(1, 6)
    return Situation(
        draw(positions(game)),
        mover,
        game,
        None if offered else draw(st.none() | st.tuples(die, die)),
        Cube(
            1 << exponent,
            draw(st.none() | st.sampled_from(Side)),
            doubles=exponent,
            offered_by=mover if offered else None,
        ),
        (draw(st.integers(0, 20)), draw(st.integers(0, 20))),
        length,
        crawford=bool(length) and draw(st.booleans()),
        jacoby=not length and draw(st.booleans()),
        most_cube_exponent=draw(st.integers(exponent, 12)),
    )


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(situations())
def test_situations_round_trip_as_xgid_and_as_gnu_ids(situation: Situation) -> None:
    assert situation_from_xgid(xgid(situation), situation.game) == situation
    ids = position_id(situation.position, situation.game), match_id(situation)
    # GNU's ids name no largest cube.
    usual = Situation(situation.position, situation.mover).most_cube_exponent
    assert situation_from_ids(*ids, situation.game) == replace(situation, most_cube_exponent=usual)


@pytest.mark.parametrize(("jacoby", "written"), [(True, "QQkAAAAAAAAE"), (False, "QQkAAAAAAAAA")])
def test_a_match_id_tells_jacobys_rule_as_gnubg_1_07_writes_it(jacoby: bool, written: str) -> None:
    money = Situation(start(Game.SHORT), Side.BLACK, cube=Cube(2, Side.WHITE, doubles=1), jacoby=jacoby)
    assert match_id(money) == written
    assert situation_from_ids("4HPwATDgc/ABMA", written) == money


@pytest.mark.parametrize(
    "text", ["-b----E-C---eE---c-e----B-:1:0:1:13:2:1:0:7:6", "-b----E-C---eE---c-e----B-:0:0:-1:31:0:0:3:0:10"]
)
def test_an_xgid_comes_back_with_its_largest_cube_and_its_dice_in_order(text: str) -> None:
    assert xgid(situation_from_xgid(text)) == f"XGID={text}"


def test_the_worked_example_of_the_gnu_backgammon_manual() -> None:
    situation = situation_from_ids("4HPwATDgc/ABMA", "QYkqASAAIAAA")
    assert situation.cube == Cube(2, Side.WHITE, doubles=1)
    assert (situation.mover, situation.roll, situation.score, situation.length) == (Side.BLACK, Roll(5, 2), (2, 4), 9)
    assert match_id(situation) == "QYkqASAAIAAA"


def test_the_start_as_xgid() -> None:
    opening = Situation(start(Game.SHORT), Side.WHITE)
    assert xgid(opening) == "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"


def test_long_nardy_has_no_xgid() -> None:
    with pytest.raises(NotationError, match="hold the short games, not long"):
        xgid(Situation(start(Game.LONG), Side.WHITE, Game.LONG))


MAT = """; [Player 1 "a"]
; [Variation "Backgammon"]

 3 point match

 Game 1
 a : 0                          b : 0
  1) 31: 8/5 6/5                 52: 13/8 24/22
  2)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 a : 1                          b : 0
  1)                             61: 13/7 8/7
"""


def test_a_match_is_read_and_replayed() -> None:
    match = read_mat(MAT)
    assert (match.white, match.black, match.length) == ("a", "b", 3)
    games, score = replay(match)
    assert [(game.winner, game.turns) for game in games] == [(Side.WHITE, 2), (None, 1)]
    assert score == (1, 0)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("52: 13/8 24/22", "52: Cannot Move"),
        ("Wins 1 point", "Wins 1 point and the match"),
        ("2)  Doubles => 2                Drops", "2)  Doubles => 2                Beavers\n  3)  Drops"),
        ("52: 13/8 24/22", "52: ????"),
        ("; [Player", "\ufeff; [Player"),
        ("31: 8/5 6/5", "11: 6/5(2)* 8/7(2)"),
        ("\n", "\r\n"),
        ("a : 0 ", "a: team b : 0 "),
    ],
)
def test_what_other_programs_write_is_read(old: str, new: str) -> None:
    match = read_mat(MAT.replace(old, new))
    assert [(game.winner, game.points) for game in match.games] == [(Side.WHITE, 1), (None, 0)]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("31: 8/5 6/5", "31: 8/5 6/4", "game 1, white 3-1: 8/5 6/4 is illegal: wrong_distance"),
        ("Doubles => 2", "Doubles => 4", "a double from 1 goes to 2, not to 4"),
        ("Wins 1 point", "Wins 2 points", "game 1: Side.WHITE wins 1, recorded are Side.WHITE and 2"),
        ("a : 1 ", "a : 2 ", "game 2 begins at"),
    ],
)
def test_a_match_that_breaks_the_rules_says_where(old: str, new: str, says: str) -> None:
    with pytest.raises(ReplayError) as error:
        replay(read_mat(MAT.replace(old, new)))
    assert says in str(error.value)


BAD: list[tuple[Callable[[], object], str]] = [
    (lambda: Roll(7, 1), "a roll needs 6 >= high >= low >= 1, got high=7, low=1"),
    (lambda: Roll.of(0, 3), "got high=3, low=0"),
    (lambda: Roll.parse("6-"), "a roll is written like 6-5, got '6-'"),
    (lambda: Roll.parse("7-1"), "got high=7, low=1"),
    (lambda: arranged(Game.SHORT, {6: 16}, {6: 15}), "a side has 15 checkers in short"),
    (lambda: arranged(Game.LONG, {24: 15}, {12: 15}), "both colours on the mover's point 24"),
    (lambda: arranged(Game.LONG, {25: 1, 24: 14}, {24: 15}), "nothing stands on the bar in long"),
    (lambda: arranged(Game.HYPER, {24: 4}, {24: 3}), "a side has 3 checkers in hyper"),
    (lambda: Position((0,) * 23), "a position has 24 whole numbers"),
    (lambda: Position((0,) * 24, (-1, 0)), "bar is two counts of 0 or more"),
    (lambda: Position.parse("A"), "a compact position has 28 characters, got 1: 'A'"),
    (lambda: Position.parse("?" * 28), "got '?' in"),
    (lambda: Position.parse("." * 24 + "a..."), "the last four characters are bar A, bar a, off A, off a"),
    (
        lambda: legal_plays(Position((16, *(0,) * 22, -15)), Roll(6, 5), ruleset("short-wbgf")),
        "the mover has 16 checkers, short has 15 a side: (16,",
    ),
    (lambda: Play.parse("24-18"), "a move is written like 24/18"),
    (lambda: Play.parse("18/24"), "checkers move from high to low numbers, got '18/24'"),
    (lambda: Play.parse("26/20"), "a place is bar, 24..1 or off, got '26' in '26/20'"),
    (lambda: Play.parse("8/7(99)"), "a play has at most 24 steps, got 99"),
    (lambda: position_from_text("short mover 24:16 opponent 2:15"), "a side has 15 checkers in short, got {24: 16}"),
    (lambda: position_from_text("short mover 24:15 opponent 1:15"), "both colours on the mover's point 24"),
    (lambda: position_from_text("chess mover 24:15 opponent 2:15"), "the game is one of long, short"),
    (lambda: position_from_text("short mover x opponent 2:15"), "checkers read like 24:15, got 'x'"),
    (lambda: position_from_id("4HPwATDgc/ABM"), "a Position ID has 14 characters of base 64, got '4HPwATDgc/ABM'"),
    (lambda: position_from_id("/////////////w"), "a Position ID has 25 places for each side"),
    (lambda: situation_from_xgid("XGID=nothing"), "an XGID reads"),
    (lambda: read_mat("no match"), "line 1 of the .mat file, 'no match': not a line of a match"),
    (lambda: read_mat(" 3 point match\n Game 1\n a : 0   b : 0\n 1) 99: 8/5"), "unknown entry '99: 8/5'"),
    (lambda: ruleset("long-none"), "no ruleset 'long-none'; the presets are alerator-long"),
    (lambda: house_rules('inherits = "long-fnr"\nheads = 2'), "unknown option 'heads'"),
]


@pytest.mark.parametrize(("call", "says"), BAD, ids=[says[:40] for _, says in BAD])
def test_bad_input_is_quoted_in_an_error_of_the_rules(call: Callable[[], object], says: str) -> None:
    with pytest.raises(RulesError) as error:
        call()
    assert says in str(error.value)


def test_errors_of_the_rules_are_value_errors() -> None:
    assert issubclass(PositionError, RulesError)
    assert issubclass(RollError, RulesError)
    assert issubclass(RulesError, ValueError)


noise = st.text(alphabet=string.printable + "абв☃", max_size=60)
near = st.text(alphabet="0123456789/*()barof :;.-=\n", max_size=60)
compact = st.text(alphabet=".ABOabo?", min_size=27, max_size=29)
readers: st.SearchStrategy[Callable[[str], object]] = st.sampled_from(
    [
        Play.parse,
        Roll.parse,
        Position.parse,
        position_from_text,
        position_from_id,
        situation_from_xgid,
        read_mat,
        house_rules,
        lambda text: situation_from_ids("4HPwATDgc/ABMA", text),
        lambda text: situation_from_xgid(f"XGID=-b----E-C---eE---c-e----B-:{text}"),
        lambda text: read_mat(f" 3 point match\n\n Game 1\n a : 0    b : 0\n  1) {text}"),
        lambda text: house_rules(f'inherits = "long-fnr"\n{text}'),
        lambda text: position_from_text(f"short mover {text} opponent 24:15"),
        lambda text: read(text, Side.WHITE, Game.LONG, Numbering.QUARTERS),
    ]
)


@pytest.mark.slow
@settings(max_examples=1000, deadline=None)
@given(readers, noise | near | compact)
def test_no_text_makes_a_reader_raise_anything_but_an_error_of_the_rules(
    reader: Callable[[str], object], text: str
) -> None:
    with contextlib.suppress(RulesError):
        reader(text)


@settings(max_examples=200, deadline=None)
@given(compact)
def test_whatever_a_compact_position_reads_it_prints_again(text: str) -> None:
    try:
        position = Position.parse(text)
    except PositionError:
        return
    assert position.compact() == text
