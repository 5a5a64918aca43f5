"""What happens at a table in the scenes that tell the values of options apart."""

from collections.abc import Callable
from dataclasses import dataclass, replace

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
    Resume,
    SetClock,
    SetRoll,
    SetScore,
    Take,
    TakeBreak,
)
from controller.rules import Game, Kind, Ruleset, Score, Side, arranged, ruleset
from tests.referee.tabletop import Table, die

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


def two_breaks(play: Play) -> None:
    """White goes out twice."""
    for _ in range(2):
        play.order(TakeBreak(WHITE))
        play.order(Resume())
