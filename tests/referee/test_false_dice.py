"""What the reader takes for a die in look after look, and nobody threw: a rosette, a screw, the other player's pair."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from math import hypot

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from controller.clock import Millis
from controller.referee.dice import VoidReason
from controller.referee.events import DieSeen, DieState, Event, Looked, Restarted, RollingDice, TurnEnd
from controller.referee.false_dice import LOOKS_FORGOTTEN
from controller.referee.orders import CallKestum, Correct, Resume, SetRoll, Undo, VoidThrow
from controller.referee.rulings import PlayRuling, PlayVerdict, ThrowOutcome, ThrowRuling
from controller.referee.sight import looks_wanted
from controller.referee.state import Phase
from controller.rules import Kind, Position, Roll, Ruleset, Side, house_rules, ruleset, start
from tests.referee.tabletop import RIGHT, Table, die
from tests.referee.test_turns import after, play_random_turn

EMPTY = Position((0,) * 24, (0, 0), (15, 15))
SETTING_UP = 12
"""Looks at a table that is being set up; there are many more in life."""
CLEAR = 0.07
"""Two dice's width: nothing else can lie on the place of a die."""


@dataclass
class Carved(Table):
    """A table on which the reader sees one die too many: ``faces`` in turn, None where it misses it."""

    spot: DieSeen | None = None
    faces: tuple[int | None, ...] = (1,)
    seen: int = 0
    places: list[DieSeen] = field(default_factory=list)
    """Where real dice were seen."""

    def happens(self, event: Event) -> None:
        match event:
            case Looked() | RollingDice():
                self.places += event.dice
                face = self.faces[self.seen % len(self.faces)]
                self.seen += 1
                if self.spot is not None and face is not None:
                    event = replace(event, dice=(*event.dice, shown(self.spot, face)))
            case _:
                pass
        super().happens(event)

    def set_up(self) -> None:
        """Put the checkers on the board."""
        self.white = EMPTY
        self.look(SETTING_UP)
        self.white = start(self.rules.game)
        self.rest()


def shown(spot: DieSeen, face: int) -> DieSeen:
    """The find with another face up."""
    best = max(spot.faces)
    rest = (1 - best) / 5
    faces = tuple(best if each == face else rest for each in range(1, 7))
    return replace(spot, faces=faces)  # type: ignore[arg-type] # six faces stay six


def opened(table: Table, white: int = 3, black: int = 1) -> None:
    table.throw(die(white, 0.75, 0.3), die(black, 0.25, 0.3))


def every_void_kind(table: Table) -> None:
    """Dice that lie in all the ways in which they do not count, and each time a throw that does."""
    opened(table, 4, 4)
    table.throw(die(5, 0.75, 0.35), die(6, 0.8, 0.45))
    opened(table, 5, 2)
    table.order(Correct(table.white, Side.WHITE))
    others = (
        die(3, 0.8, state=DieState.COCKED),
        die(3, 0.85, state=DieState.ON_CHECKER),
        die(3, 0.5, state=DieState.ON_BAR),
        die(3, 0.2),
        die(3, 1.2),
    )
    for number, other in enumerate(others):
        table.throw(die(5, 0.7, 0.2 + 0.1 * number), other)
    table.throw(die(5, 0.2), die(3, 0.3))
    table.throw()
    table.throw(die(5, 0.7, chance=0.6), die(3, 0.8))
    table.look(6)
    table.throw_valid(Side.WHITE, 6, 2)


def a_game_with_presses(table: Table) -> None:
    """Whole turns, a sleeve that pushes the dice, an early throw, dice thrown again, a play taken back."""
    opened(table)
    table.dice = (die(3, 0.79, 0.33), die(1, 0.29, 0.33))
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    table.dice = (*table.dice, die(6, 0.2, 0.7), die(4, 0.3, 0.7))
    table.rest()
    table.press(Side.WHITE)
    table.throw(die(6, 0.2, 0.7), die(4, 0.3, 0.7))
    table.throw_valid(Side.BLACK, 6, 4, shift=0.1)
    table.place(after(table, "24/18 18/14"), Side.BLACK)
    table.press(Side.BLACK)
    table.order(Undo())
    table.order(SetRoll((6, 4)))
    table.press(Side.BLACK)
    table.throw()
    table.throw_valid(Side.WHITE, 2, 1)
    table.order(VoidThrow())
    table.throw_valid(Side.WHITE, 2, 2, shift=0.1)
    table.resign(Side.WHITE, Kind.OIN)
    table.throw()
    table.white = start(table.rules.game)
    table.rest()
    opened(table, 2, 6)


def dice_ends_turns(table: Table) -> None:
    """Without a clock: the dice are taken up when a turn is over, also where the arbiter has said what they show."""
    opened(table)
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    table.throw()
    table.stir()
    table.order(SetRoll((6, 4)))
    table.throw_valid(Side.BLACK, 6, 4)
    table.place(after(table, "24/18 18/14"), Side.BLACK)
    table.throw()
    for number in range(4):
        play_random_turn(table, random.Random(number))


def kestum_and_restart(table: Table) -> None:
    """A call while both dice roll, the service starting again, a throw."""
    opened(table, 5, 2)
    rolling = (die(2, 0.62, 0.2, DieState.MOVING), die(4, 0.66, 0.3)), (die(6, 0.72, 0.4), die(1, 0.78, 0.55))
    table.throw()
    table.roll(*rolling)
    table.order(CallKestum(Side.BLACK))
    table.throw(die(5, 0.70, 0.40), die(3, 0.80, 0.50))
    table.throw()
    table.happens(Restarted(Millis(table.now)))
    table.order(Resume())
    table.throw_valid(Side.WHITE, 6, 2, shift=0.2)


SCRIPTS: dict[str, tuple[Ruleset, TurnEnd, Callable[[Table], None]]] = {
    "voids": (ruleset("short-wbgf"), TurnEnd.PRESS, every_void_kind),
    "presses": (ruleset("short-ru"), TurnEnd.PRESS, a_game_with_presses),
    "presses, early throws stand": (ruleset("short-wbgf"), TurnEnd.PRESS, a_game_with_presses),
    "no clock": (ruleset("short-us"), TurnEnd.LIFT, dice_ends_turns),
    "kestum": (house_rules('inherits = "long-classic"\nclock = "simple_delay"\ndelay_s = 8\nreserve_s = 60', "k"),
               TurnEnd.PRESS, kestum_and_restart),
}  # fmt: skip


def played(script: str, spot: DieSeen | None = None, faces: tuple[int | None, ...] = (1,)) -> Carved:
    rules, end, doings = SCRIPTS[script]
    table = Carved(rules, end, spot=spot, faces=faces)
    table.set_up()
    doings(table)
    return table


@cache
def truth(script: str) -> Carved:
    return played(script)


@pytest.mark.parametrize(
    ("script", "kinds"),
    [
        ("voids", {"split_halves", "wrong_half", "off_board", "on_checker", "on_bar", "cocked", "asked"}),
        ("presses", {"premature", "by_arbiter"}),
        ("kestum", {"kestum"}),
    ],
)
def test_the_scripts_hold_what_they_promise(script: str, kinds: set[str]) -> None:
    throws = [ruling for ruling in truth(script).rulings if isinstance(ruling, ThrowRuling)]
    asked = {"asked" for ruling in throws if ruling.outcome is ThrowOutcome.PLEASE_LOOK}
    assert {ruling.reason.value for ruling in throws if ruling.reason} | asked == kinds


places = st.floats(-0.3, 1.3)
patterns = st.lists(st.none() | st.integers(1, 6), min_size=1, max_size=6).filter(any).map(tuple)
"""Faces in turn, None where the reader misses it: a constant die, one seen in a share of looks, a carving."""


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(SCRIPTS)),
    places,
    places,
    st.sampled_from(list(DieState)),
    st.sampled_from([0.3, 0.6, 0.998]),
    patterns,
)
@pytest.mark.slow
def test_a_false_die_that_was_there_from_the_start_changes_no_ruling(
    script: str, u: float, v: float, state: DieState, chance: float, faces: tuple[int | None, ...]
) -> None:
    spot, right = die(1, u, v, state, chance), truth(script)
    assume(all(hypot(u - real.u, v - real.v) > CLEAR for real in right.places))
    table = played(script, spot, faces)
    assert table.rulings == right.rulings
    assert (table.state.phase, table.state.turn, table.state.roll, table.state.score, table.state.clock) == (
        right.state.phase,
        right.state.turn,
        right.state.roll,
        right.state.score,
        right.state.clock,
    )


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(list(DieState)), st.integers(1, 6), st.floats(0.05, 0.95))
def test_two_false_dice_in_a_half_do_not_stop_a_random_game(seed: int, state: DieState, face: int, v: float) -> None:
    """Two screws of a hinge that read as a pair: the game goes on as it would without them."""
    rng = random.Random(seed)
    table = Carved(ruleset("short-wbgf"), spot=die(face, 0.75, 0.95 if v > 0.5 else 0.05, state), faces=(face, None))
    table.set_up()
    opened(table, 5, 2)
    for _ in range(6):
        play_random_turn(table, rng)
        table.throw()
    assert [r.verdict for r in table.rulings if isinstance(r, PlayRuling)] == [PlayVerdict.ACCEPTED] * 6
    throws = [r for r in table.rulings if isinstance(r, ThrowRuling)]
    assert {r.outcome for r in throws} == {ThrowOutcome.VALID}
    assert len(throws) == 6


def to_throw(name: str = "short-wbgf") -> Carved:
    """White is to throw, nothing lies on the board."""
    table = Carved(ruleset(name))
    table.set_up()
    opened(table, 5, 2)
    table.order(Correct(table.white, Side.WHITE))
    table.throw()
    return table


def last(table: Table) -> ThrowRuling:
    assert isinstance(table.last, ThrowRuling)
    return table.last


GLARE = die(4, 0.9, 0.6)
"""A glint on a hinge that reads as a die from some moment on."""


def test_what_lies_alone_while_a_throw_is_awaited_is_none_of_the_dice_that_then_fall() -> None:
    table = to_throw()
    table.dice = (GLARE,)
    table.rest(times=8)
    table.throw(GLARE, die(6, 0.7), die(2, 0.8))
    assert last(table).values in {(6, 2), (2, 6)}
    table.throw(GLARE, die(5, 0.7), die(3, 1.2))
    assert table.state.roll == Roll(6, 2)


def test_what_appears_beside_the_roll_is_none_of_the_next_throw() -> None:
    table = to_throw()
    table.throw_valid(Side.WHITE, 3, 1)
    table.dice = (*table.dice, GLARE)
    table.place(after(table, "8/5 6/5"), Side.WHITE)
    table.look(6)
    table.press(Side.WHITE)
    table.throw(GLARE)
    table.throw(GLARE, die(6, 0.2), die(2, 0.3))
    assert table.state.turn is Side.BLACK
    assert table.state.roll == Roll(6, 2)


def test_one_die_of_a_throw_and_a_glint_are_asked_about_not_read_as_a_throw() -> None:
    table = to_throw()
    table.dice = (GLARE,)
    table.rest(times=8)
    table.throw(GLARE, die(6, 0.7))
    table.look(6)
    assert last(table).outcome is ThrowOutcome.PLEASE_LOOK
    assert table.state.phase is Phase.TO_THROW


def test_a_carving_and_one_die_of_a_throw_are_no_throw() -> None:
    table = Carved(ruleset("short-wbgf"), spot=die(4, 0.9, 0.6), faces=(4,))
    table.set_up()
    opened(table, 5, 2)
    table.order(Correct(table.white, Side.WHITE))
    table.throw()
    before = list(table.rulings)
    table.throw(die(6, 0.7))
    table.look(3)
    assert table.rulings == before
    # The reader finds the other die, too.
    table.dice = (die(6, 0.7), die(1, 0.8))
    table.look(3)
    assert table.state.roll == Roll(6, 1)


def test_a_find_that_comes_and_goes_does_not_keep_the_dice_beside_it_from_being_read() -> None:
    table = to_throw()
    both = die(6, 0.7), die(2, 0.8)
    table.dice = both
    table.stir()
    for number in range(12):
        if looks_wanted(table.state) or number < 4:
            table.dice = (*both, GLARE) if number % 3 == 0 else both
            table.look(1)
    assert table.state.roll == Roll(6, 2)


def test_a_die_may_fall_where_one_lay_during_the_setting_up() -> None:
    table = Carved(ruleset("short-wbgf"))
    table.dice = (die(5, 0.75, 0.3), die(2, 0.25, 0.3))
    table.set_up()
    table.throw()
    opened(table, 6, 2)
    assert table.state.phase is Phase.OPENING
    # The same face in the same place cannot be told from what lay there; after a while it can.
    table.throw()
    table.look(LOOKS_FORGOTTEN)
    opened(table, 6, 2)
    assert table.state.roll == Roll(6, 2)


@pytest.mark.parametrize("carved", [True, False])
def test_one_die_off_the_board_is_void_with_the_opponents_pair_lying_there(*, carved: bool) -> None:
    pair = die(1, 1.25, 0.2), die(1, 1.32, 0.2)
    table = Carved(ruleset("short-wbgf"), spot=die(3, 0.93, 0.93) if carved else None, faces=(3, None))
    table.set_up()
    opened(table, 5, 2)
    table.order(Correct(table.white, Side.WHITE))
    table.throw(*pair)
    table.throw(*pair, die(6, 0.7), die(4, -0.1))
    assert last(table).reason is VoidReason.OFF_BOARD
    assert sorted(lies.face for lies in last(table).dice) == [4, 6]
    table.throw(*pair, die(6, 0.7, 0.3), die(4, 0.8))
    assert table.state.roll == Roll(6, 4)


def test_something_doubtful_beside_the_board_voids_no_throw_of_which_one_die_is_not_seen_yet() -> None:
    table = to_throw()
    table.throw(die(6, 0.7), replace(die(4, 1.2), states=((DieState.UNSURE, 0.9), (DieState.OFF_BOARD, 0.1))))
    assert not [r for r in table.rulings if isinstance(r, ThrowRuling) and r.reason is VoidReason.OFF_BOARD]
    table.look(6)
    assert last(table).outcome is ThrowOutcome.PLEASE_LOOK


@pytest.mark.parametrize("side", list(Side))
def test_a_false_die_that_was_ruled_on_once_is_known_after_two_throws(side: Side) -> None:
    """The referee took the glint for half of a throw; the arbiter put it right; then it never matters again."""
    table = to_throw()
    table.order(Correct(table.white, side))
    glint = replace(GLARE, u=RIGHT[side])
    table.throw(glint, die(6, RIGHT[side] + 0.1, 0.3))
    for number in range(2):
        table.order(VoidThrow())
        table.throw(glint, die(2 + number, RIGHT[side] - 0.1, 0.4), die(3 + number, RIGHT[side] + 0.1, 0.4))
    for number in range(3):
        table.order(VoidThrow())
        table.throw()
        table.throw(glint, die(1 + number, RIGHT[side] - 0.1, 0.2), die(2 + number, RIGHT[side] + 0.1, 0.2))
        assert table.state.roll == Roll(2 + number, 1 + number)
