"""A table at which anything happens: proper play mixed with presses, orders, hands, dice and restarts at any moment."""

import random
from collections.abc import Callable
from dataclasses import fields
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from controller.clock import Millis
from controller.fusion.evidence import BoardLook
from controller.referee.events import (
    BoardChecked,
    BoardPlace,
    Button,
    Device,
    DeviceChanged,
    DieState,
    Looked,
    Pressed,
    ReedsChanged,
    Restarted,
    RollingDice,
    Scene,
    SceneChanged,
    SlotDoubted,
    SlotFault,
)
from controller.referee.orders import (
    Beaver,
    CallKestum,
    Correct,
    Double,
    Face,
    HypothesisNumber,
    Order,
    OrderRefusedError,
    Pass,
    Resume,
    RulingNumber,
    Take,
)
from controller.referee.state import Phase, State
from controller.rules import (
    Play,
    Position,
    Roll,
    Score,
    Side,
    TooManyEndsError,
    arranged,
    legal_plays,
    legal_rest,
    start,
)
from tests.referee.tabletop import RIGHT, Table, die, sure


def legal_ends(state: State, position: Position, roll: Roll) -> dict[Position, Play]:
    """Every legal end of the play under way."""
    if state.in_play.rest:
        return legal_rest(position, state.in_play.rest, state.rules)
    turn = {"first_turn": state.first_turn, "second_player": state.second_player}
    return legal_plays(position, roll, state.rules, **turn, throw=state.throws + 1)


class RandomEvents:
    """Random doings at a table, the same for the same ``rng``."""

    def __init__(self, table: Table, rng: random.Random, odd: float = 0.5) -> None:
        self.table = table
        self.rng = rng
        self.odd = odd
        """How often something happens that is no proper play."""
        self.refusals: list[str] = []
        self._proper: tuple[Callable[[], None], ...] = (self._go_on,)
        self._odd: tuple[Callable[[], None], ...] = (
            self._press,
            self._press,
            self._late_press,
            self._order,
            self._order,
            self._order,
            self._order,
            self._order,
            self._order,
            self._dice,
            self._void,
            self._void,
            self._roll,
            self._board,
            self._scene,
            self._hidden,
            self._nonsense,
            self._reeds,
            self._restart,
            self._device,
            self._board_check,
            self._hand,
            self._cube,
            lambda: self.table.tick(rng.choice([1, 1_000, 5_000, 60_000])),
            lambda: self.table.look(rng.randint(1, 8)),
        )

    def step(self) -> None:
        """Do one thing: what proper players do next, or something odd."""
        self.rng.choice(self._odd if self.rng.random() < self.odd else self._proper)()

    def _go_on(self) -> None:
        """What comes next in proper play, after some thought."""
        table, state = self.table, self.table.state
        if state.paused and state.phase is not Phase.DECIDING:
            self._obeyed(Resume())
        if state.turn is not None and state.clock.turn is None:
            table.finger(state.turn.other)
        if self.rng.random() < 0.3:
            table.tick(self.rng.choice([1_000, 5_000, 14_000]))
        state = table.state
        match state.phase:
            case Phase.SETUP:
                begin = start(table.rules.game)
                exchanged = begin._replace(points=tuple(-count for count in begin.points))
                table.white = exchanged if state.game.starter and state.light is Side.BLACK else begin
                table.throw()
            case Phase.OPENING:
                table.throw(die(self._face(), 0.75, self.rng.random()), die(self._face(), 0.25, self.rng.random()))
            case Phase.TO_THROW if state.turn is not None:
                table.throw_valid(state.turn, self._face(), self._face(), shift=self.rng.random() * 0.4)
            case Phase.TO_PLAY | Phase.DECIDING if state.turn and state.roll and state.position:
                try:
                    legal = legal_ends(state, state.position, state.roll)
                except TooManyEndsError:
                    # A cascade that nobody looks through: the arbiter lets the opponent go on.
                    self._obeyed(Correct(state.white_position(), state.turn.other))
                    return
                table.place(self.rng.choice(sorted(legal)), state.turn)
                table.finger(state.turn)
                table.throw()
            case _:
                table.rest()

    def _face(self) -> int:
        return self.rng.randint(1, 6)

    def _press(self) -> None:
        for _ in range(self.rng.randint(1, 3)):
            at = self.table.later(self.rng.choice([0, 0, 1, 300]))
            self.table.happens(Pressed(at, self.rng.choice(list(Button))))

    def _late_press(self) -> None:
        """A press that is heard only now."""
        at = Millis(self.table.now - self.rng.choice([1, 10, 500, 3_900, 5_000]))
        self.table.happens(Pressed(at, self.rng.choice(list(Button))))

    def _dice(self) -> None:
        rng = self.rng
        dice = [
            die(
                self._face(),
                rng.uniform(-0.2, 1.2),
                rng.uniform(-0.1, 1.1),
                rng.choice(list(DieState)) if rng.random() < 0.3 else DieState.FLAT,
                rng.choice([0.998, 0.998, 0.5]),
            )
            for _ in range(rng.randint(0, 5))
        ]
        if rng.random() < 0.3:
            u = RIGHT[rng.choice(list(Side))]
            dice = [*self.table.dice, die(self._face(), u - 0.05), die(self._face(), u + 0.05)]
        self.table.dice = tuple(dice)
        if rng.random() < 0.7:
            self.table.rest(rng.randint(1, 8))
        else:
            for _ in range(6):
                self.table.look(1)
                self.table.dice = () if self.table.dice else tuple(dice)

    def _void(self) -> None:
        """A throw of the side on turn that does not count, for one of many reasons."""
        u, odd = RIGHT[self.table.state.turn or Side.WHITE], self.rng.choice(list(DieState))
        where = self.rng.choice([u, 1 - u, 0.5, 1.2])
        self.table.throw(die(self._face(), u - 0.05, self.rng.random()), die(self._face(), where, 0.9, odd))

    def _roll(self) -> None:
        """Dice in moving frames, some of them at rest, and often somebody says kestum."""
        still = die(self._face(), self.rng.random(), self.rng.random())
        frames = [(still, die(self._face(), self.rng.random(), self.rng.random(), DieState.MOVING)) for _ in range(3)]
        self.table.roll(*frames[: self.rng.randint(1, 3)])
        if self.rng.random() < 0.5:
            self._obeyed(CallKestum(self.rng.choice(list(Side))))
        if self.rng.random() < 0.3:
            self.table.happens(RollingDice(self.table.later(), ()))

    def _board(self) -> None:
        """Move, take away or add checkers against every rule."""
        points, bar = list(self.table.white.points), list(self.table.white.bar)
        for _ in range(self.rng.randint(1, 3)):
            place = self.rng.randrange(24)
            points[place] += self.rng.choice([-1, 1])
            if self.rng.random() < 0.6:
                points[self.rng.randrange(24)] += self.rng.choice([-1, 1])
            if self.rng.random() < 0.15:
                bar[self.rng.randrange(2)] += 1
        capped = tuple(max(-15, min(15, count)) for count in points)
        self.table.white = Position(capped, (min(15, bar[0]), min(15, bar[1])), self.table.white.off)
        self.table.rest()

    def _scene(self) -> None:
        self.table.happens(SceneChanged(self.table.later(), self.rng.choice(list(Scene))))

    def _hidden(self) -> None:
        self.table.look(self.rng.randint(1, 9), hidden=tuple(self.rng.sample(range(26), self.rng.randint(1, 26))))

    def _nonsense(self) -> None:
        """Looks at something that is no board at all."""
        for _ in range(3):
            rows = tuple(sure(self.rng.randint(-15, 15), self.rng.choice([0.4, 0.995])) for _ in range(26))
            board = BoardLook(rows[:24], rows[24], rows[25])
            self.table.happens(Looked(self.table.later(), board, self.table.dice))

    def _reeds(self) -> None:
        rows = self.rng.sample(range(28), self.rng.choice([0, 5, 28]))
        self.table.happens(ReedsChanged(self.table.later(), tuple((row, self.rng.randint(0, 6), 6) for row in rows)))

        if self.rng.random() < 0.2:
            fault, other = self.rng.choice(list(SlotFault)), (self.rng.randrange(28), 1)
            row = self.rng.randrange(28)
            self.table.happens(
                SlotDoubted(self.table.later(), row, 2, fault, other if fault is SlotFault.SWAPPED else None)
            )

    def _restart(self) -> None:
        self.table.now = self.rng.choice([self.table.now + 5, 5])
        self.table.happens(Restarted(Millis(self.table.now)))

    def _device(self) -> None:
        device = self.rng.choice(list(Device))
        self.table.happens(DeviceChanged(self.table.later(), device, up=self.rng.random() < 0.5, why="?"))

    def _board_check(self) -> None:
        place = self.rng.choice([BoardPlace.IN_PLACE, *BoardPlace])
        self.table.happens(BoardChecked(self.table.later(), place))

    def _hand(self) -> None:
        """Somebody covers the board for a while, and may press meanwhile."""
        self.table.happens(SceneChanged(self.table.later(), Scene.HAND))
        for _ in range(self.rng.randint(0, 4)):
            self.table.tick(self.rng.choice([1_000, 10_000]))
            if self.rng.random() < 0.3:
                self._press()
        self.table.rest()

    def _cube(self) -> None:
        """A double by the side on turn, and most often an answer."""
        side = self.table.state.turn
        self._obeyed(Double(side or Side.WHITE))
        self.table.tick(self.rng.choice([200, 5_000, 40_000]))
        if self.table.state.cube.offered_by is not None and self.rng.random() < 0.8:
            self._obeyed(self.rng.choice([Take(), Take(), Take(), Beaver(), Pass()]))

    def _order(self) -> None:
        self._obeyed(self._any_order())

    def _obeyed(self, order: Order) -> None:
        before = self.table.state
        events = len(self.table.events)
        try:
            self.table.order(order)
        except OrderRefusedError as refused:
            self.refusals.append(str(refused))
            del self.table.events[events:]
            assert self.table.state is before

    def _any_order(self) -> Order:
        """Any order of the one list, with sensible and senseless contents."""
        kind = self.rng.choice(get_args(Order))
        hints = get_type_hints(kind)
        contents = {part.name: self._any(hints[part.name]) for part in fields(kind) if part.name != "verb"}
        order: Order = kind(**contents)
        return order

    def _any(self, hint: Any) -> Any:
        """A value of the type of an order's field."""
        rng = self.rng
        if hint in (known := self._values()):
            return known[hint]()
        if get_origin(hint) in {Union, UnionType}:
            return self._any(rng.choice(get_args(hint)))
        if get_origin(hint) is tuple:
            return tuple(self._any(part) for part in get_args(hint) if part is not ...)
        if get_origin(hint) is Literal:
            return rng.choice(get_args(hint))
        if isinstance(hint, type) and issubclass(hint, Enum):
            return rng.choice(list(hint))
        msg = f"say in random_events what {hint} may be in an order"
        raise TypeError(msg)

    def _values(self) -> dict[Any, Callable[[], object]]:
        rng, state = self.rng, self.table.state
        return {
            NoneType: lambda: None,
            bool: lambda: rng.random() < 0.5,
            str: lambda: rng.choice(["", "why"]),
            int: lambda: rng.choice([-1, 0, 1, 1, 2, 5, 99]),
            Millis: lambda: Millis(rng.choice([-1, 0, 0, 2_000, 300_000, 600_000])),
            Face: lambda: Face(rng.choice([0, 7, *range(1, 7), *range(1, 7), *range(1, 7)])),
            RulingNumber: lambda: RulingNumber(state.rulings - rng.choice([0, 0, 0, 0, 1, 5])),
            HypothesisNumber: lambda: HypothesisNumber(rng.choice([0, 0, 1, 2, 3, -1])),
            Score: lambda: Score(rng.randint(-1, 9), rng.randint(0, 9)),
            Position: self._some_position,
        }

    def _some_position(self) -> Position:
        rng, game = self.rng, self.table.rules.game
        near = arranged(game, {1: 2}, {2: 1})
        bar = near._replace(points=(1, *near.points[1:]), bar=(1, 0))
        finished = arranged(game, {}, {2: 1})
        odd = near._replace(off=(15, 15))
        empty = Position((0,) * 24, (0, 0), (game.checkers, game.checkers))
        position = rng.choice([start(game), near, near.turned(game), bar, finished, finished.turned(game), odd, empty])
        if rng.random() < 0.8:
            self.table.white = position
        return position
