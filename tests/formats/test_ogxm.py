"""OGXM: its own codec takes what we write, and what it replays are the record's positions and scores."""

from collections.abc import Iterator

import pytest

from controller.formats.mat import Answered, Doubled, Moved, positions
from controller.formats.ogxm import ogxm_file, read_ogxm
from controller.formats.record import CubeAction, CubeRecord, ExportError, GameRecord, OrderRecord, TurnRecord
from controller.rules import Game, NotationError, Play, Position, Roll, Side, judge_steps, ruleset
from tests.formats.test_any_match_comes_back import refereed

ogxm = pytest.importorskip("ogxm", reason="the package ogxm is not installed: pip install 'nardy-referee[ogxm]'")

ORDERS_BEYOND = {"set_length", "set_score", "set_cube", "correct", "undo", "award_game", "swap"}
"""After these a match may break the format's rules: a double at the last point, a play after the last checker."""


def plies_before(game: GameRecord, kind: Game) -> Iterator[tuple[Side, tuple[int, int], Position]]:
    """Each legal play's side, dice and position before it, White's view."""
    rules = ruleset("nackgammon" if kind is Game.NACKGAMMON else "short-wbgf")
    for turn in game.turns:
        if not isinstance(turn, TurnRecord) or turn.roll is None or not turn.notation:
            continue
        before = Position.parse(turn.before)
        verdict = judge_steps(before, Roll.of(*turn.roll), Play.parse(turn.notation), rules)
        if getattr(verdict, "end", None) == Position.parse(turn.after):
            yield turn.side, turn.roll, before.seen_by(turn.side, kind)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", ["short-wbgf", "short-ru", "nackgammon"])
def test_whatever_happened_at_a_table_comes_back(name: str, seed: int) -> None:
    _, record = refereed(name, seed)
    try:
        match = read_ogxm(ogxm_file(record))
    except ExportError as refused:
        assert refused.key in {"no_ogxm_match", "no_ogxm_beaver"}  # noqa: PT017 - most matches are not refused
        entries = [entry for game in record.games for entry in game.turns]
        orders = {entry.verb for entry in entries if isinstance(entry, OrderRecord)}
        beavers = [entry for entry in entries if isinstance(entry, CubeRecord) and entry.action is CubeAction.BEAVER]
        assert beavers or orders & ORDERS_BEYOND, "what players do by themselves has to fit"
        return
    assert (match.white, match.black, match.length) == (record.white, record.black, record.length)
    assert len(match.games) == len(record.games)
    for game, original in zip(match.games, record.games, strict=True):
        assert (game.winner, game.points) == (
            (original.end.winner, original.end.points) if original.end and original.end.winner else (None, 0)
        )
        shown = list(positions(game, match.rules))
        before = [None, *(one.position for one in shown)]
        got = [
            (one.action.side, tuple(sorted((one.action.roll.high, one.action.roll.low))), position)
            for one, position in zip(shown, before, strict=False)
            if isinstance(one.action, Moved)
        ]
        want = [(side, tuple(sorted(dice)), position) for side, dice, position in plies_before(original, record.game)]
        assert [item[:2] for item in got] == [item[:2] for item in want]
        assert [item[2] for item in got[1:]] == [item[2] for item in want[1:]]
        cubes = [entry for entry in original.turns if isinstance(entry, CubeRecord)]
        assert [one.action.side for one in shown if isinstance(one.action, Doubled | Answered)] == [
            entry.side for entry in cubes
        ]


@pytest.mark.parametrize("content", [b"", b"OGXM", b"OGXM" + bytes(100), b"{}"])
def test_a_file_that_is_none_is_refused(content: bytes) -> None:
    with pytest.raises(NotationError, match="no OGXM match"):
        read_ogxm(content)


def test_a_long_game_is_refused_with_what_to_take_instead() -> None:
    _, record = refereed("long-fnr", 0)
    with pytest.raises(ExportError, match="take text, csv or json"):
        ogxm_file(record)
