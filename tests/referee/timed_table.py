"""Tables whose clocks run: what the tests about justice share."""

from controller.clock import Millis
from controller.referee.events import (
    Button,
    Pressed,
    Ticked,
)
from controller.referee.orders import (
    Correct,
    SetClock,
)
from controller.referee.state import Phase
from controller.rules import (
    Game,
    Position,
    Side,
    arranged,
    ruleset,
    varied,
)
from tests.referee.tabletop import Table

WHITE, BLACK = Side.WHITE, Side.BLACK
LAST_CHECKER = arranged(Game.SHORT, {1: 1}, {20: 1, 23: 14})
GONE = arranged(Game.SHORT, {}, {20: 1, 23: 14})
RESERVE_MS = 5_000


def timed(position: Position = LAST_CHECKER, roll: tuple[int, int] = (2, 1), **options: object) -> Table:
    """White is to play ``roll`` with ``RESERVE_MS`` left on a running clock without delay, Black has an hour."""
    table = Table(varied(ruleset("short-wbgf"), {"clock": "sudden_death", "delay_s": 0, **options}))
    table.open_with(5, 3)
    table.white = position
    table.order(Correct(position, WHITE))
    table.dice = ()
    table.rest()
    table.finger(BLACK)
    table.order(SetClock(Millis(RESERVE_MS + 3 * 200 + 2 * 200), Millis(3_600_000)))
    table.throw_valid(WHITE, *roll)
    assert table.state.phase is Phase.TO_PLAY
    assert table.state.clock.running is WHITE
    return table


def reserve(table: Table, side: Side) -> int:
    return table.state.clock.reserve(side, table.state.at)


def flag_at(table: Table) -> int:
    """When White's flag falls."""
    falls_at = table.state.clock.falls_at()
    assert falls_at is not None
    return falls_at


def tick_at(table: Table, at: int) -> None:
    """A second has passed, and it is ``at``."""
    table.now = at
    table.happens(Ticked(Millis(at)))


def finger_at(table: Table, at: int, button: Button = Button.WHITE) -> None:
    """A press of which the host hears only now."""
    table.happens(Pressed(Millis(at), button))


def doubling(**options: object) -> Table:
    """White is to throw, on a running clock, and may double."""
    table = Table(varied(ruleset("short-wbgf"), {"clock": "sudden_death", "delay_s": 0, **options}))
    table.open_with(5, 3)
    table.order(Correct(table.white, WHITE))
    table.finger(BLACK)
    assert table.state.clock.running is WHITE
    return table
