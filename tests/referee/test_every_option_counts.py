"""Every value of every option of a ruleset changes what the referee does: the same events end differently.

For each option there are scenes: a base ruleset, values of the option, and what happens at the table. The state and the
rulings afterwards have to differ for every two values.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import get_args, get_type_hints

import pytest

from controller.clock import Clock, Millis, control_of
from controller.referee.events import Button, DieState, Pressed, TurnEnd
from controller.referee.orders import (
    Beaver,
    CallKestum,
    Correct,
    Double,
    Face,
    Order,
    OrderRefusedError,
    Pass,
    Resign,
    SetClock,
    SetRoll,
    SetScore,
    Take,
)
from controller.rules import Game, Kind, Ruleset, Score, Side, allowed, arranged, ruleset, varied
from controller.rules.ruleset import OPTIONS
from tests.referee.tabletop import Table, die

pytestmark = pytest.mark.slow  # plays a game under every value of every option

WHITE, BLACK = Side.WHITE, Side.BLACK
Counts = dict[int, int]
HEADS: Counts = {24: 15}


@dataclass
class Play:
    """What happens at a table, and why orders were refused."""

    table: Table
    refused: list[str]

    def order(self, order: Order) -> None:
        """Give an order, which the rules may refuse."""
        try:
            self.table.order(order)
        except OrderRefusedError as why:
            self.refused.append(str(why))

    def roll(self, first: int, second: int) -> None:
        """The arbiter enters a throw."""
        self.order(SetRoll((Face(first), Face(second))))

    def set_up(self, white: Counts, black: Counts, turn: Side = WHITE) -> None:
        """The board is as given, the side on turn throws."""
        self.table.white = arranged(self.table.rules.game, white, black)
        self.order(Correct(self.table.white, turn))

    def leave(self, mover: Side, mine: Counts, theirs: Counts) -> None:
        """The mover leaves the board like that and ends the turn."""
        self.table.place(arranged(self.table.rules.game, mine, theirs), mover)
        self.table.press(mover)
        self.table.throw()


Scene = Callable[[Play], None]
NO_RULES = ruleset("long-fnr")
NO_CLOCK = Clock.fresh(control_of("none"), (WHITE, BLACK), Millis(0))


def begun(play: Play) -> None:
    """The board is set up and White is to throw."""
    play.table.rest()
    play.order(Correct(play.table.white, WHITE))


def outcome(rules: Ruleset, scene: Scene) -> str:
    """Everything that the referee knows and has said after ``scene``, but for the ruleset itself."""
    play = Play(Table(rules), [])
    scene(play)
    return repr((known(play.table), play.table.rulings, play.refused))


def known(table: Table) -> object:
    """What the referee knows; of the clock and of the ruleset not what they were set to, but what they show and do."""
    state, at = table.state, table.state.at
    clock, press = state.clock, state.in_play.press
    shown = (clock.running, [clock.reserve(side, at) for side in Side], clock.flag(at), clock.delay_left(at))
    in_play = replace(state.in_play, press=replace(press, clock_before=NO_CLOCK) if press else None)
    return shown, replace(state, rules=NO_RULES, clock=NO_CLOCK, turn_end=TurnEnd.PRESS, in_play=in_play, ended=None)


def single_play(mine: Counts, theirs: Counts, roll: tuple[int, int], after: Counts, *, second: bool = False) -> Scene:
    """The arbiter sets a position up, enters a roll, and one play is made of it; ``second``: by the second player."""
    mover = BLACK if second else WHITE

    def scene(play: Play) -> None:
        play.table.rest()
        play.roll(6, 1)
        play.table.white = arranged(play.table.rules.game, *((theirs, mine) if second else (mine, theirs)))
        play.order(Correct(play.table.white, mover))
        play.table.throw_valid(mover, *roll)
        play.leave(mover, after, theirs)

    return scene


def all_of(*scenes: Scene) -> Scene:
    """One scene after the other, each on a table of its own."""

    def scene(play: Play) -> None:
        for part in scenes:
            other = Play(Table(play.table.rules), play.refused)
            part(other)
            play.table.rulings.extend(other.table.rulings)
            play.refused.append(repr(known(other.table)))

    return scene


def next_game(winner: Side, pause_ms: int) -> Scene:
    """White starts, ``winner`` wins, and the board is set up for the next game."""

    def scene(play: Play) -> None:
        play.table.rest()
        play.roll(6, 1)
        play.order(Resign(winner.other, Kind.OIN))
        play.table.later(pause_ms)
        play.table.rest()

    return scene


def won_at(score: Score) -> Scene:
    """White wins a game at ``score``."""

    def scene(play: Play) -> None:
        begun(play)
        play.order(SetScore(score))
        play.order(Resign(BLACK, Kind.OIN))

    return scene


def opening(white: int, black: int) -> Scene:
    """The opening throw."""

    def scene(play: Play) -> None:
        play.table.rest()
        play.roll(white, black)

    return scene


def lost_by(kind: Counts) -> Scene:
    """White bears off the last checker while Black still has ``kind``."""
    return single_play({1: 1}, kind, (6, 5), {})


def thrown(*dice: tuple[int, float, DieState]) -> Scene:
    def scene(play: Play) -> None:
        begun(play)
        play.table.throw(*(die(face, u, state=state) for face, u, state in dice))

    return scene


def timed(*seconds: int) -> Scene:
    """White's clock runs; the turn ends after each of ``seconds``, and then it runs out."""

    def scene(play: Play) -> None:
        begun(play)
        play.table.finger(BLACK)
        for index, spent in enumerate(seconds):
            side = BLACK if index % 2 else WHITE
            play.roll(6, 1)
            play.table.later(spent * 1_000)
            play.table.finger(side)
            play.table.tick(0)
            play.refused.append(str([play.table.state.clock.reserve(side, play.table.state.at) for side in Side]))
            play.order(Correct(play.table.white, side.other))

    return scene


def in_the_delay(play: Play) -> None:
    """White, with a second left, thinks for two."""
    begun(play)
    play.table.finger(BLACK)
    play.order(SetClock(Millis(1_000), Millis(1_000)))
    play.table.tick(2_000)


def flag_falls(play: Play) -> None:
    begun(play)
    play.table.finger(BLACK)
    play.table.tick(3_600_000)


def kestum(side: Side, calls: int) -> Scene:
    rolling = (die(2, 0.62, 0.2, DieState.MOVING), die(4, 0.66, 0.3, DieState.MOVING))

    def scene(play: Play) -> None:
        begun(play)
        for number in range(calls):
            play.table.roll(rolling)
            play.order(CallKestum(side))
            play.table.throw(die(5, 0.70, 0.1 + number / 5), die(3, 0.80, 0.2 + number / 5))
            play.table.later(5_000)
            play.table.throw()

    return scene


def thrown_early(play: Play) -> None:
    """Black throws while White has not ended the turn."""
    begun(play)
    play.table.finger(BLACK)
    play.table.throw_valid(WHITE, 3, 1)
    mine = play.table.dice
    start = play.table.white
    game = play.table.rules.game
    theirs = {point: -start.at(25 - point) for point in range(1, 25) if start.at(25 - point) < 0}
    after = {24: 2, 13: 5, 8: 2, 6: 4, 5: 2}
    play.table.place(arranged(game, after, theirs), WHITE)
    play.table.dice = (*mine, die(6, 0.2, 0.7), die(4, 0.3, 0.7))
    play.table.rest()
    play.table.press(WHITE)
    play.table.tick(5_000)


def one_on_the_floor(play: Play) -> None:
    begun(play)
    play.table.finger(BLACK)
    play.table.throw(die(5, 0.7))
    play.table.look(6)
    play.table.tick(60_000)


def moved_to_the_bar(play: Play) -> None:
    """White's opening die is moved to the bar, then Black throws."""
    play.table.rest()
    play.table.throw(die(5, 0.5, 0.3, DieState.ON_BAR), die(3, 0.25, 0.3))


def lifted_early(play: Play) -> None:
    """White's dice are lifted, the clocks are stopped over that; then White plays and presses."""
    begun(play)
    play.table.finger(BLACK)
    play.table.throw_valid(WHITE, 6, 5)
    play.table.throw()
    play.table.happens(Pressed(play.table.later(), Button.PAUSE))
    play.table.look()
    play.table.happens(Pressed(play.table.later(), Button.PAUSE))
    play.leave(WHITE, {24: 1, 13: 6, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5})
    play.table.tick(5_000)


def pressed_early(play: Play) -> None:
    """White presses without having played."""
    begun(play)
    play.table.finger(BLACK)
    play.table.throw_valid(WHITE, 6, 5)
    play.table.press(WHITE)


def thrown_again(play: Play) -> None:
    begun(play)
    play.table.finger(BLACK)
    play.table.throw_valid(WHITE, 5, 3)
    play.table.throw_valid(WHITE, 6, 6, shift=0.25)
    play.table.look(6)


def cocked(play: Play) -> None:
    begun(play)
    play.table.finger(BLACK)
    play.table.later(10_000)
    play.table.throw(die(5, 0.7), die(3, 0.8, state=DieState.COCKED))
    play.table.tick(10_000)


def illegal(play: Play) -> None:
    """White plays one die only."""
    begun(play)
    play.table.throw_valid(WHITE, 6, 5)
    play.leave(WHITE, {24: 1, 18: 1, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5})


def turn_ended(play: Play) -> None:
    """White plays, lays the dice down on their own side beside the board, and presses."""
    begun(play)
    play.table.finger(BLACK)
    play.table.throw_valid(WHITE, 6, 5)
    play.table.place(arranged(Game.SHORT, {24: 1, 13: 6, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}), WHITE)
    off = DieState.OFF_BOARD
    play.table.throw(die(6, 1.1, 0.2, off), die(5, 1.15, 0.3, off))
    play.table.later(20_000)
    play.refused.append(play.table.state.phase.value)
    play.table.press(WHITE)


def doubles(*answers: Order) -> Scene:
    """White and Black double and answer in turn."""

    def scene(play: Play) -> None:
        begun(play)
        side = WHITE
        for answer in answers:
            play.order(Correct(play.table.white, side))
            play.order(Double(side))
            play.order(answer)
            side = side.other

    return scene


def doubles_and_turns(play: Play) -> None:
    """White doubles, Black turns the cube once more, White tries to do so too, and Black takes."""
    begun(play)
    for answer in (Double(WHITE), Beaver(), Beaver(), Take()):
        play.order(answer)


def cube_in_game(score: Score) -> Scene:
    def scene(play: Play) -> None:
        begun(play)
        play.order(SetScore(score))
        play.order(Double(WHITE))
        play.order(Pass())

    return scene


def undoubled_mars(play: Play) -> None:
    lost_by({10: 15})(play)


def last_turn(play: Play) -> None:
    play.table.rest()
    play.roll(6, 1)
    play.set_up({1: 1}, {1: 2}, WHITE)
    play.table.throw_valid(WHITE, 6, 5)
    play.leave(WHITE, {}, {1: 2})


LONG = {"turn_end": "clock", "clock": "simple_delay", "delay_s": 12, "reserve_s_per_point": 120}
"""Turns of the long games are ended by a press here, so that scenes need no dice to be lifted."""
D_BOARD: Counts = {24: 6, 15: 3, 11: 2, 10: 1, 9: 1, 8: 1, 7: 1}
D_CLOSED: Counts = {24: 5, 23: 1, 15: 3, 11: 1, 10: 1, 9: 1, 8: 1, 7: 1, 6: 1}
D_THROUGH: Counts = {24: 9, 13: 1, 11: 1, 10: 1, 9: 1, 8: 1, 6: 1}
TWO_LEAVE = {6: {24: 13, 18: 2}, 5: {24: 13, 14: 2}, 4: {24: 13, 16: 2}, 3: {24: 13, 18: 2}}
"""By double, the board after two checkers have left the head."""


@dataclass(frozen=True)
class Trial:
    """Values of one option over a base preset, and a scene that tells them apart."""

    base: str
    scene: Scene
    values: tuple[object, ...] = ()
    """Those that the base can have; none: all that are allowed."""
    options: Mapping[str, object] | None = None
    """Other answers that the scene needs."""
    with_value: Callable[[object], Mapping[str, object]] = lambda _: {}
    """And those that a value needs."""


TRIALS: dict[str, tuple[Trial, ...]] = {
    "game": (
        Trial(
            "short-ru",
            opening(5, 3),
            options={"koks_when": "never"},
        ),
    ),
    "first_mover": (Trial("long-classic", lambda play: play.table.rest()),),
    "opening_dice": (Trial("long-fnr", opening(5, 3)),),
    "next_start": (Trial("long-classic", all_of(next_game(WHITE, 200), next_game(BLACK, 200), next_game(WHITE, 201))),),
    "colour_by_throw": (Trial("long-fnr", opening(2, 5)),),
    "head": (
        Trial("long-fnr", single_play(HEADS, HEADS, (6, 5), {24: 13, 18: 1, 19: 1}), options={"head_first": "none"}),
    ),
    "head_first": (
        Trial(
            "long-fnr",
            all_of(
                *(single_play(HEADS, {24: 14, 21: 1}, (face, face), after) for face, after in TWO_LEAVE.items()),
                single_play(HEADS, {24: 14, 21: 1}, (5, 5), TWO_LEAVE[5], second=True),
            ),
        ),
    ),
    "head_exception": (Trial("long-fnr", single_play(HEADS, HEADS, (6, 6), {24: 14, 18: 1})),),
    "block": (
        Trial(
            "long-fnr",
            all_of(
                single_play(D_BOARD, HEADS, (5, 1), D_CLOSED),
                single_play(D_BOARD, {24: 14, 17: 1}, (5, 1), D_CLOSED),
                single_play(D_BOARD, {24: 14, 5: 1}, (5, 1), D_CLOSED),
            ),
        ),
    ),
    "block_check": (Trial("long-fnr", single_play(D_THROUGH, HEADS, (6, 1), {24: 9, 11: 1, 10: 1, 9: 1, 8: 1, 6: 2})),),
    "bear_off": (Trial("long-fnr", single_play({6: 2, 3: 1}, {10: 15}, (4, 3), {6: 1, 3: 1, 2: 1})),),
    "cascade": (Trial("long-fnr", single_play({24: 1, 2: 14}, {10: 15}, (4, 4), {8: 1, 2: 14})),),
    "cascade_free_turns": (
        Trial("crazy", single_play(HEADS, HEADS, (2, 2), {24: 14, 4: 1}), values=(0, 3), options=LONG | {"length": 5}),
    ),
    "handover": (Trial("crazy", single_play(HEADS, HEADS, (2, 2), {24: 14, 4: 1}), options=LONG | {"length": 5}),),
    "score": (Trial("long-fnr", lost_by({10: 15})),),
    "oin": (Trial("long-fnr", lost_by({10: 14}), values=(1, 2)),),
    "mars": (Trial("long-fnr", lost_by({10: 15}), values=(0, 2, 3)),),
    "koks": (Trial("long-classic", lost_by({24: 1, 10: 14}), values=(2, 3), options=LONG),),
    "koks_when": (
        Trial(
            "long-classic",
            all_of(lost_by({24: 1, 10: 14}), lost_by({20: 1, 10: 14})),
            values=("first_quarter", "head", "never"),
            options=LONG,
            with_value=lambda value: {"koks": 0 if value == "never" else 3},
        ),
        Trial(
            "short-wbgf",
            lost_by({20: 1, 10: 14}),
            values=("bar_or_home", "never"),
            with_value=lambda value: {"koks": 0 if value == "never" else 3},
        ),
    ),
    "home_mars": (Trial("long-classic", lost_by({3: 15}), values=(0, 3), options=LONG),),
    "last_move": (Trial("long-fnr", last_turn),),
    "play": (
        Trial(
            "short-wbgf",
            all_of(next_game(WHITE, 200), won_at(Score(6, 0))),
            options={"crawford": False, "resign_contact": "allowed"},
        ),
    ),
    "length": (Trial("short-wbgf", won_at(Score(2, 0)), values=(3, 5), options={"resign_contact": "allowed"}),),
    "cube": (Trial("short-wbgf", doubles(Take()), options={"crawford": False}),),
    "cube_progression": (Trial("short-wbgf", doubles(Take(), Take()), options={"cube_limit": 0}),),
    "cube_limit": (Trial("short-wbgf", doubles(Take(), Take(), Take()), values=(0, 2, 4)),),
    "crawford": (Trial("short-wbgf", cube_in_game(Score(6, 0))),),
    "jacoby": (Trial("short-money", undoubled_mars, options=LONG),),
    "beaver": (Trial("short-money", doubles(Beaver())),),
    "raccoon": (Trial("short-money", doubles_and_turns),),
    "auto_double": (Trial("short-money", all_of(opening(3, 3), opening(2, 2)), values=(0, 1)),),
    "dice_area": (
        Trial(
            "short-wbgf",
            all_of(
                thrown((5, 0.2, DieState.FLAT), (3, 0.3, DieState.FLAT)),
                thrown((5, 0.2, DieState.FLAT), (3, 0.8, DieState.FLAT)),
            ),
        ),
    ),
    "on_checker": (Trial("short-wbgf", thrown((5, 0.7, DieState.FLAT), (3, 0.8, DieState.ON_CHECKER))),),
    "kestum": (Trial("long-classic", all_of(kestum(WHITE, 1), kestum(BLACK, 1))),),
    "kestum_per_turn": (Trial("long-classic", kestum(BLACK, 3), values=(1, 2)),),
    "premature": (Trial("short-us", thrown_early),),
    "premature_delay": (Trial("short-wbgf", thrown_early),),
    "fallen_dice": (Trial("short-wbgf", one_on_the_floor),),
    "opening_die": (Trial("long-fnr", moved_to_the_bar),),
    "early_lift": (Trial("short-wbgf", lifted_early),),
    "early_press": (Trial("short-wbgf", pressed_early),),
    "resign_contact": (Trial("short-wbgf", next_game(WHITE, 200)),),
    "call_reroll": (Trial("short-wbgf", thrown_again),),
    "illegal": (Trial("short-wbgf", illegal),),
    "turn_end": (Trial("short-wbgf", turn_ended),),
    "turn_end_without_clock": (Trial("short-ru", turn_ended),),
    "clock": (
        Trial(
            "short-wbgf",
            all_of(timed(20, 4), in_the_delay),
            with_value=lambda value: {
                "none": {"delay_s": 0, "reserve_s_per_point": 0},
                "sudden_death": {"delay_s": 0},
                "hourglass": {"delay_s": 0},
            }.get(str(value), {}),
        ),
    ),
    "delay_s": (Trial("short-wbgf", timed(20), values=(8, 12)),),
    "reserve_s_per_point": (Trial("short-wbgf", timed(20), values=(60, 120)),),
    "reserve_s": (Trial("short-wbgf", timed(20), values=(0, 60, 120)),),
    "flag": (Trial("short-wbgf", flag_falls),),
    "cocked_clock": (Trial("short-wbgf", cocked),),
}


def values_of(option: str, trial: Trial) -> tuple[object, ...]:
    return trial.values or allowed(option)


def pairs() -> Iterator[tuple[str, int, object, object]]:
    for option, trials in TRIALS.items():
        for number, trial in enumerate(trials):
            for one, other in combinations(values_of(option, trial), 2):
                yield option, number, one, other


def rules_with(option: str, trial: Trial, value: object) -> Ruleset:
    return varied(ruleset(trial.base), {**(trial.options or {}), **trial.with_value(value), option: value})


@pytest.mark.parametrize(("option", "number", "one", "other"), list(pairs()))
def test_two_values_of_an_option_are_told_apart(option: str, number: int, one: object, other: object) -> None:
    trial = TRIALS[option][number]
    outcomes = {outcome(rules_with(option, trial, value), trial.scene) for value in (one, other)}
    assert len(outcomes) == 2, f"{option}={one!r} and {other!r} end in the same state with the same rulings"


def test_every_option_and_every_value_has_a_trial() -> None:
    assert set(TRIALS) == set(OPTIONS)
    for option, trials in TRIALS.items():
        kind = get_type_hints(Ruleset)[option]
        if kind is int:
            continue
        tried = {value for trial in trials for value in values_of(option, trial)}
        expected = set(get_args(kind)) or {True, False}
        assert tried == (expected if kind is not Game else set(allowed(option))), option
