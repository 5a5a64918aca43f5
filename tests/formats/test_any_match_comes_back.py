"""Whatever happens at a table: every format gives back the positions, scores and orders of the record."""

import csv
import io
import random
from itertools import pairwise
from pathlib import Path

import pytest

from controller.cli.export import RECORD
from controller.formats.mat import Moved, Placed, mat, positions, read_mat
from controller.formats.record import MatchRecord, OrderRecord, TurnRecord
from controller.formats.sheet import csv_sheet, text_sheet
from controller.locale import Lang
from controller.rules import Legal, Play, Position, Roll, judge_steps, ruleset
from controller.service.recording import history_of, match_record
from tests.referee.random_events import RandomEvents
from tests.referee.tabletop import Table

STEPS = 250


def refereed(name: str, seed: int) -> tuple[Table, MatchRecord]:
    table = Table(ruleset(name))
    happening = RandomEvents(table, random.Random(seed))
    for _ in range(STEPS):
        happening.step()
    found = history_of(table.events)
    assert found is not None
    state, history = found
    assert state == table.state
    return table, match_record(state, history=history)


def test_the_documents_example_of_long_nardy_is_read() -> None:
    example = Path("docs/record.md").read_text("utf-8").split("```json")[1].split("```")[0]
    record = RECORD.validate_json(example)
    turn, order = record.games[0].turns
    assert isinstance(turn, TurnRecord)
    assert isinstance(order, OrderRecord)
    played = judge_steps(
        Position.parse(turn.before), Roll(5, 2), Play.parse(turn.notation), ruleset(record.ruleset), first_turn=True
    )
    assert isinstance(played, Legal)
    assert played.end.compact() == turn.after


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", ["short-wbgf", "hyper", "nackgammon", "long-fnr"])
def test_json_and_csv_give_back_positions_scores_and_orders(name: str, seed: int) -> None:
    table, record = refereed(name, seed)
    assert record.score == table.state.score
    for game, following in pairwise(record.games):
        orders = {entry.verb for entry in following.turns if isinstance(entry, OrderRecord)}
        assert game.score_after == following.score or orders & {"set_score", "late"}
    assert RECORD.validate_json(RECORD.dump_json(record)) == record
    rows = list(csv.DictReader(io.StringIO(csv_sheet(record), newline="")))
    entries = [(game.number, entry) for game in record.games for entry in game.turns]
    turns = [(str(number), entry.after) for number, entry in entries if isinstance(entry, TurnRecord)]
    assert [(row["game"], row["position"]) for row in rows if row["turn"]] == turns
    orders = [entry.verb for _, entry in entries if isinstance(entry, OrderRecord)]
    assert [row["order"].split()[0] for row in rows if row["order"]] == orders
    sheet = text_sheet(record, Lang.EN)
    assert sheet.count("Order (arbiter)") == len(orders)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", ["short-wbgf", "hyper", "nackgammon"])
def test_mat_gives_back_positions_and_scores(name: str, seed: int) -> None:
    table, record = refereed(name, seed)
    match = read_mat(mat(record))
    assert len(match.games) == len(record.games)
    for game, original in zip(match.games, record.games, strict=True):
        shown = [one.position for one in positions(game, match.rules) if isinstance(one.action, Moved | Placed)]
        thrown = [turn for turn in original.turns if isinstance(turn, TurnRecord) and turn.roll]
        assert len(shown) == len(thrown)
        if thrown and original.turns[-1] is thrown[-1]:
            last = Position.parse(thrown[-1].after).seen_by(thrown[-1].side, record.game)
            assert shown[-1] == last
        white, black = game.score
        if game.winner is not None:
            after = type(original.score)(white, black).plus(game.winner, game.points)
            assert after == original.score_after
    assert table.state.score == record.score
