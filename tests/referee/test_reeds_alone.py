"""The referee without its eyes: reeds tell of plays, nothing illegal slips through, the unseen is not believed."""

import pytest

from controller.referee.events import (
    BoardChecked,
    BoardPlace,
    Device,
    DeviceChanged,
    ReedsChanged,
    Scene,
    SceneChanged,
    SlotDoubted,
    SlotFault,
    TurnEnd,
)
from controller.referee.orders import SetRoll
from controller.referee.rulings import PlayRuling, PlayVerdict, ThrowRuling
from controller.referee.state import Phase
from controller.rules import Position, Side, legal_plays, ruleset
from tests.referee.tabletop import Table, die

SLOTS, BAR_SLOTS = 6, 2


def feel(table: Table, white: Position) -> None:
    """The reeds as ``white`` (in White's numbering) closes them."""
    rows = [(row, min(abs(count), SLOTS), SLOTS) for row, count in enumerate(white.points)]
    rows += [(24 + side, min(white.bar[side], BAR_SLOTS), BAR_SLOTS) for side in (0, 1)]
    table.happens(ReedsChanged(table.later(), tuple(rows)))


def camera(table: Table, *, up: bool) -> None:
    table.happens(DeviceChanged(table.later(), Device.CAMERA, up=up, why="" if up else "no_frame"))


def blind(name: str = "short-wbgf") -> Table:
    """White has opened with 3-1, and before he plays it the lens is covered."""
    table = Table(ruleset(name))
    table.open_with(3, 1)
    feel(table, table.white)
    table.look()
    table.press(Side.BLACK)
    assert table.state.clock.running is Side.WHITE
    camera(table, up=False)
    return table


def ends(table: Table) -> dict[Position, object]:
    state = table.state
    assert state.position is not None
    assert state.roll is not None
    return dict(legal_plays(state.position, state.roll, state.rules, first_turn=state.first_turn))


def test_every_legal_opening_play_is_told_by_the_reeds_alone() -> None:
    for end in sorted(ends(blind())):
        table = blind()
        feel(table, end)
        table.finger(Side.WHITE)
        table.tick(1_500)
        assert isinstance(table.last, PlayRuling)
        assert (table.last.verdict, table.last.after) == (PlayVerdict.ACCEPTED, end)
        assert table.state.turn is Side.BLACK


def test_a_hit_is_felt_on_the_bar() -> None:
    table = blind()
    feel(table, min(ends(table)))
    table.finger(Side.WHITE)
    table.tick(1_500)
    table.order(SetRoll((6, 4)))
    assert table.state.phase is Phase.TO_PLAY
    hit = min(end for end in ends(table) if end.bar[1])
    feel(table, hit.turned(table.rules.game))
    table.finger(Side.BLACK)
    table.tick(1_500)
    assert isinstance(table.last, PlayRuling)
    assert (table.last.verdict, table.last.after) == (PlayVerdict.ACCEPTED, hit)


def test_an_illegal_play_is_not_accepted_by_touch() -> None:
    table = blind()
    points = list(table.white.points)
    points[12] -= 1
    points[5] += 1
    points[7] -= 1
    points[3] += 1
    feel(table, Position(tuple(points), table.white.bar, table.white.off))
    table.finger(Side.WHITE)
    table.tick(1_500)
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is not PlayVerdict.ACCEPTED


def test_nothing_is_ruled_while_checkers_still_move() -> None:
    table = blind()
    table.finger(Side.WHITE)
    end = min(ends(table))
    for _ in range(3):
        table.later(700)
        feel(table, end)
        table.tick(100)
        assert not isinstance(table.last, PlayRuling)
    table.tick(1_000)
    assert isinstance(table.last, PlayRuling)


def test_without_reeds_a_person_is_asked() -> None:
    table = blind()
    table.happens(ReedsChanged(table.later(), ()))
    table.finger(Side.WHITE)
    for _ in range(6):
        table.tick()
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is PlayVerdict.PLEASE_LOOK


def test_dice_that_lay_there_when_the_camera_came_back_are_no_throw() -> None:
    table = blind()
    feel(table, min(ends(table)))
    table.finger(Side.WHITE)
    table.tick(1_500)
    table.white = table.state.white_position()
    rulings = len(table.rulings)
    # White's own dice lie there still, and Black has not thrown.
    table.dice = (die(3, 0.7, 0.3), die(1, 0.8, 0.6))
    camera(table, up=True)
    table.look(6)
    assert len(table.rulings) == rulings
    table.throw_valid(Side.BLACK, 6, 4)
    assert isinstance(table.last, ThrowRuling)
    assert table.last.values == (6, 4)


def checked(table: Table, place: BoardPlace) -> None:
    """The camera finds the board there, or nowhere; while it is nowhere nothing is looked at."""
    table.happens(BoardChecked(table.later(), place))
    scene = Scene.QUIET if place is BoardPlace.IN_PLACE else Scene.UNREADABLE
    table.happens(SceneChanged(table.later(), scene))


@pytest.mark.parametrize("place", [BoardPlace.OUT_OF_VIEW, BoardPlace.TOO_DARK, BoardPlace.FROZEN])
def test_reeds_carry_the_game_while_the_camera_does_not_see_the_board(place: BoardPlace) -> None:
    table = Table()
    table.open_with(3, 1)
    feel(table, table.white)
    table.press(Side.BLACK)
    checked(table, place)
    white = min(ends(table))
    feel(table, white)
    table.finger(Side.WHITE)
    for _ in range(5):
        table.tick()
    assert isinstance(table.last, PlayRuling)
    assert (table.last.verdict, table.last.after) == (PlayVerdict.ACCEPTED, white)
    # Black's throw is entered, his play felt; then somebody turns the camera back, with Black's dice on the board.
    table.order(SetRoll((6, 4)))
    black = min(ends(table))
    feel(table, black.turned(table.rules.game))
    table.finger(Side.BLACK)
    for _ in range(5):
        table.tick()
    assert isinstance(table.last, PlayRuling)
    assert (table.last.verdict, table.last.after) == (PlayVerdict.ACCEPTED, black)
    rulings = len(table.rulings)
    table.white, table.dice = table.state.white_position(), (die(6, 0.2, 0.3), die(4, 0.3, 0.6))
    checked(table, BoardPlace.IN_PLACE)
    table.look(6)
    assert len(table.rulings) == rulings, "dice that nobody saw fall were taken for a throw"
    table.throw_valid(Side.WHITE, 5, 2)
    assert isinstance(table.last, ThrowRuling)
    assert table.last.values == (5, 2)


def test_dice_seen_before_the_view_was_lost_are_known_when_it_comes_back() -> None:
    table = Table()
    table.open_with(3, 1)
    feel(table, table.white)
    table.press(Side.BLACK)
    checked(table, BoardPlace.OUT_OF_VIEW)
    feel(table, min(ends(table)))
    table.finger(Side.WHITE)
    for _ in range(5):
        table.tick()
    table.white = table.state.white_position()
    # Black throws while the camera looks elsewhere; his dice are the only ones there when it looks again.
    table.dice = (die(6, 0.2, 0.3), die(4, 0.3, 0.6))
    checked(table, BoardPlace.IN_PLACE)
    table.look(4)
    assert isinstance(table.last, ThrowRuling)
    assert table.last.values == (6, 4)


def test_a_bump_that_is_over_at_once_leaves_the_ruling_to_the_camera() -> None:
    table = Table()
    table.open_with(3, 1)
    feel(table, table.white)
    table.press(Side.BLACK)
    checked(table, BoardPlace.MOVED)
    end = min(ends(table))
    feel(table, end)
    table.finger(Side.WHITE)
    table.tick()
    table.tick()
    assert not isinstance(table.last, PlayRuling)
    checked(table, BoardPlace.IN_PLACE)
    table.white = end
    table.look(3)
    assert isinstance(table.last, PlayRuling)
    assert (table.last.verdict, table.last.after) == (PlayVerdict.ACCEPTED, end)


def test_reeds_that_never_rest_end_in_a_question() -> None:
    table = blind()
    end = min(ends(table))
    table.finger(Side.WHITE)
    for number in range(20):
        feel(table, end if number % 2 else table.white)
        table.tick(500)
    assert isinstance(table.last, PlayRuling)
    assert table.last.verdict is PlayVerdict.PLEASE_LOOK


def blind_without_buttons() -> Table:
    """White has opened with 3-1; nobody presses here, and the lens is covered before he plays."""
    table = Table(ruleset("short-wbgf"), TurnEnd.LIFT)
    table.open_with(3, 1)
    feel(table, table.white)
    table.look()
    camera(table, up=False)
    return table


def test_without_eyes_and_buttons_the_next_throw_ends_the_turn() -> None:
    table = blind_without_buttons()
    white = min(ends(table))
    feel(table, white)
    for _ in range(10):
        table.tick()
    assert not isinstance(table.last, PlayRuling), "he may still take it back"
    table.order(SetRoll((6, 4)))
    play, throw = table.rulings[-2:]
    assert isinstance(play, PlayRuling)
    assert (play.verdict, play.after) == (PlayVerdict.ACCEPTED, white)
    assert isinstance(throw, ThrowRuling)
    assert (throw.side, throw.values) == (Side.BLACK, (6, 4))


def test_a_throw_entered_before_the_play_corrects_the_one_before() -> None:
    table = blind_without_buttons()
    table.order(SetRoll((6, 4)))
    assert table.state.game.turns == ()
    assert table.state.phase is not Phase.TO_THROW
    assert not any(isinstance(ruling, PlayRuling) for ruling in table.rulings)


def test_while_the_camera_sees_a_throw_that_is_entered_corrects_the_one_before() -> None:
    table = Table(ruleset("short-wbgf"), TurnEnd.LIFT)
    table.open_with(3, 1)
    feel(table, table.white)
    feel(table, min(ends(table)))
    table.order(SetRoll((6, 4)))
    assert table.state.game.turns == ()


def test_half_a_play_is_not_ended_by_a_throw() -> None:
    table = blind_without_buttons()
    points = list(table.white.points)
    points[7] -= 1
    points[4] += 1
    feel(table, Position(tuple(points), table.white.bar, table.white.off))
    table.order(SetRoll((6, 4)))
    assert table.state.game.turns == ()


@pytest.mark.parametrize("row", [12, 24, 25])
def test_a_reed_that_lies_silences_its_place_and_no_other(row: int) -> None:
    table = Table()
    table.rest()
    feel(table, table.white)
    table.happens(SlotDoubted(table.later(), row, 1, SlotFault.STUCK))
    feel(table, table.white)
    assert {reed[0] for reed in table.state.sight.reeds} == set(range(26)) - {row}
    # Whoever mended it has pulled the plug.
    for up in (False, True):
        table.happens(DeviceChanged(table.later(), Device.REEDS, up=up, why="" if up else "unplugged"))
    feel(table, table.white)
    assert len(table.state.sight.reeds) == 26
    assert table.state.doubted == ()
