"""The referee without its eyes: reeds tell of plays, nothing illegal slips through, the unseen is not believed."""

import pytest

from controller.referee.events import Device, DeviceChanged, ReedsChanged, SlotDoubted, SlotFault
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
    table.order(SetRoll(6, 4))
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
