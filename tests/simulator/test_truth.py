"""The comparison of what was played with what a referee recorded."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from scripted import play_on, sit_down

from controller.rules import Side
from controller.simulator.truth import Account, GameAccount, RefusedAccount, TurnAccount, compare, truth_of


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> Account:
    """Return a short game with every kind of fault."""
    table, referee = sit_down(tmp_path_factory.mktemp("truth") / "table", "hyper", seed=9, faults=True)
    play_on(table, referee)
    return truth_of(table.entries).account


def with_game(account: Account, change: Callable[[GameAccount], GameAccount]) -> Account:
    return replace(account, games=(change(account.games[0]), *account.games[1:]))


def with_turn(account: Account, number: int, change: Callable[[TurnAccount], TurnAccount]) -> Account:
    def changed(game: GameAccount) -> GameAccount:
        turns = tuple(change(turn) if turn.number == number else turn for turn in game.turns)
        return replace(game, turns=turns)

    return with_game(account, changed)


def number_of_turn(account: Account, has: Callable[[TurnAccount], bool]) -> int:
    return next(turn.number for turn in account.games[0].turns if has(turn))


def test_a_perfect_record_has_no_differences(truth: Account) -> None:
    assert compare(truth, truth) == []


def test_one_misread_roll_is_named_with_its_turn(truth: Account) -> None:
    record = with_turn(truth, 4, lambda turn: replace(turn, roll=(6, 6) if turn.roll != (6, 6) else (5, 5)))
    (difference,) = compare(truth, record)
    assert (difference.game, difference.turn, difference.what) == (1, 4, "roll")
    assert difference.played != difference.recorded


def test_another_end_position_is_a_difference_even_if_the_notation_is_equal(truth: Account) -> None:
    other = truth.games[0].turns[0].end
    (difference,) = compare(truth, with_turn(truth, 5, lambda turn: replace(turn, end=other)))
    assert (difference.turn, difference.what) == (5, "end")


def test_another_way_to_write_the_same_play_is_none(truth: Account) -> None:
    assert compare(truth, with_turn(truth, 5, lambda turn: replace(turn, notation="written otherwise"))) == []


def test_a_void_throw_under_a_wrong_name_is_a_difference(truth: Account) -> None:
    number = number_of_turn(truth, lambda turn: turn.voids == ("cocked",))
    record = with_turn(truth, number, lambda turn: replace(turn, voids=("off_board",)))
    (difference,) = compare(truth, record)
    assert (difference.turn, difference.what) == (number, "voids")


def test_a_void_throw_that_the_arbiter_had_to_call_is_not(truth: Account) -> None:
    number = number_of_turn(truth, lambda turn: turn.voids == ("cocked",))
    assert compare(truth, with_turn(truth, number, lambda turn: replace(turn, voids=("by_arbiter",)))) == []


@pytest.mark.parametrize("voids", [(), ("cocked", "cocked")])
def test_a_missed_and_an_invented_void_throw_are_differences(truth: Account, voids: tuple[str, ...]) -> None:
    number = number_of_turn(truth, lambda turn: turn.voids == ("cocked",))
    assert compare(truth, with_turn(truth, number, lambda turn: replace(turn, voids=voids)))


def test_an_illegal_play_that_passed_silently_is_a_difference(truth: Account) -> None:
    number = number_of_turn(truth, lambda turn: bool(turn.refused))
    (difference,) = compare(truth, with_turn(truth, number, lambda turn: replace(turn, refused=())))
    assert (difference.turn, difference.what) == (number, "refused")


def test_a_legal_play_that_was_refused_is_a_difference(truth: Account) -> None:
    number = number_of_turn(truth, lambda turn: not turn.refused)
    wrongly = with_turn(truth, number, lambda turn: replace(turn, refused=(RefusedAccount(turn.end, ("moves_left",)),)))
    (difference,) = compare(truth, wrongly)
    assert (difference.turn, difference.what) == (number, "refused")


def test_a_refusal_needs_one_right_name(truth: Account) -> None:
    number = number_of_turn(truth, lambda turn: bool(turn.refused))

    def renamed(*names: str) -> Account:
        return with_turn(truth, number, lambda turn: replace(turn, refused=(replace(turn.refused[0], wrong=names),)))

    right = truth.games[0].turns[number - 1].refused[0].wrong[0]
    assert compare(truth, renamed("something_else", right)) == []
    assert compare(truth, renamed("something_else"))


def test_a_wrong_play_that_the_arbiter_had_to_refuse_counts_unless_the_referee_had_accepted_it(truth: Account) -> None:
    number = number_of_turn(truth, lambda turn: bool(turn.refused))
    end = truth.games[0].turns[0].end

    def refusal(**change: object) -> Callable[[TurnAccount], TurnAccount]:
        return lambda turn: replace(turn, refused=(replace(turn.refused[0], **change),))

    by_arbiter = with_turn(truth, number, refusal(wrong=(), end=end))
    assert compare(truth, by_arbiter) == []
    (difference,) = compare(with_turn(truth, number, refusal(passed=True)), by_arbiter)
    assert (difference.turn, difference.what) == (number, "refused")


def test_a_lost_last_turn_and_another_score_are_both_told(truth: Account) -> None:
    short = with_game(truth, lambda game: replace(game, turns=game.turns[:-1]))
    record = replace(short, score=(9, 9))
    assert [found.what for found in compare(truth, record)] == ["turn", "score"]


def test_a_game_that_was_never_recorded_is_told(truth: Account) -> None:
    (difference,) = compare(truth, replace(truth, games=()))
    assert (difference.what, difference.played, difference.recorded) == ("game", "True", "False")


@pytest.mark.parametrize(("what", "value"), [("winner", None), ("result", "koks"), ("points", 77), ("openings", ())])
def test_what_belongs_to_the_game_is_compared(truth: Account, what: str, value: object) -> None:
    record = with_game(truth, lambda game: replace(game, **{what: value}))
    assert [found.what for found in compare(truth, record)] == [what]


def test_winners_read_as_people_call_them(truth: Account) -> None:
    winner = truth.games[0].winner
    assert winner is not None
    (difference,) = compare(truth, with_game(truth, lambda game: replace(game, winner=winner.other)))
    assert {difference.played, difference.recorded} == {Side.WHITE.value, Side.BLACK.value}
