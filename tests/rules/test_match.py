"""When a match is over, and who begins the next game."""

import pytest

from controller.rules import Score, Side, ruleset, varied
from controller.rules.match import Played, first_to_move, match_over, match_winner

SEVEN = varied(ruleset("long-classic"), {"play": "match", "length": 7})


@pytest.mark.parametrize(
    ("score", "winner"),
    [(Score(6, 6), None), (Score(7, 6), Side.WHITE), (Score(6, 7), Side.BLACK), (Score(0, 9), Side.BLACK)],
)
def test_a_match_is_won_by_its_length_in_points(score: Score, winner: Side | None) -> None:
    assert match_winner(SEVEN, score) is winner
    assert match_over(SEVEN, score) is (winner is not None)


@pytest.mark.parametrize("next_start", ["winner", "loser"])
def test_after_a_draw_dice_decide_who_begins(next_start: str) -> None:
    rules = varied(SEVEN, {"next_start": next_start})
    assert first_to_move(rules, Played(starter=Side.WHITE, winner=None)) == "throw"


@pytest.mark.parametrize(("next_start", "begins"), [("winner", Side.BLACK), ("loser", Side.WHITE)])
def test_who_begins_after_a_game_that_black_has_won(next_start: str, begins: Side) -> None:
    rules = varied(SEVEN, {"next_start": next_start})
    assert first_to_move(rules, Played(starter=Side.WHITE, winner=Side.BLACK)) is begins
