"""A table for tests: says in events what happens on it, with the truth known and the reading as good as asked."""

from dataclasses import dataclass, field

from controller.clock import Millis
from controller.fusion.evidence import BoardLook, Odds
from controller.referee.events import (
    Button,
    CubeSeen,
    DieSeen,
    DieState,
    Event,
    Half,
    Looked,
    MatchOpened,
    Ordered,
    Pressed,
    RollingDice,
    Scene,
    SceneChanged,
    Ticked,
    TurnEnd,
    turn_end_of,
)
from controller.referee.fold import fold, open_match
from controller.referee.orders import Order, Resign
from controller.referee.rulings import Ruling
from controller.referee.state import State
from controller.rules import Kind, Position, Ruleset, Side, ruleset, start

RIGHT = {Side.WHITE: 0.75, Side.BLACK: 0.25}
"""u of a throw in each side's own right half, as the camera sees it."""

LOOKS = 3
FRAME_MS = 200


def sure(count: int, chance: float = 0.995) -> Odds:
    """Odds that are nearly certain of ``count``."""
    neighbour = count - 1 if count > 0 else count + 1
    return ((count, chance), (neighbour, 1 - chance))


def die(face: int, u: float, v: float = 0.5, state: DieState = DieState.FLAT, chance: float = 0.998) -> DieSeen:
    """A die that reads as ``face``."""
    rest = (1 - chance) / 5
    faces = tuple(chance if each == face else rest for each in range(1, 7))
    half = Half.NONE if not 0 <= u <= 1 or 0.46 < u < 0.54 else Half.RIGHT if u > 0.5 else Half.LEFT
    return DieSeen(u, v, faces, ((state, 0.998), (DieState.UNSURE, 0.002)), half)  # type: ignore[arg-type] # six faces


@dataclass
class Table:
    """One board whose state is a fold of what happens here; White plays the lighter checkers."""

    rules: Ruleset = field(default_factory=lambda: ruleset("short-wbgf"))
    turn_end: TurnEnd | None = None
    """How turns end; None: as the ruleset says."""
    events: list[Event] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)
    white: Position = field(init=False)
    """What lies on the board, in White's own numbering."""
    dice: tuple[DieSeen, ...] = ()
    cube: CubeSeen | None = None
    now: int = 1_000
    state: State = field(init=False)

    def __post_init__(self) -> None:
        self.white = start(self.rules.game)
        end = self.turn_end or turn_end_of(self.rules)
        opened = MatchOpened(Millis(self.now), self.rules.name, self.rules, "White", "Black", end)
        self.events.append(opened)
        self.state = open_match(opened)

    def happens(self, event: Event) -> None:
        """Fold one event."""
        self.events.append(event)
        self.state, made = fold(self.state, event)
        self.rulings.extend(made)

    def later(self, ms: int = FRAME_MS) -> Millis:
        """Let time pass and return the moment."""
        self.now += ms
        return Millis(self.now)

    def look(self, times: int = LOOKS, hidden: tuple[int, ...] = (), odds: dict[int, Odds] | None = None) -> None:
        """Look at the quiet table; ``odds`` replaces what rows read as, ``hidden`` rows cannot be seen."""
        for _ in range(times):
            rows = [sure(count) for count in self.white.points] + [sure(self.white.bar[0]), sure(-self.white.bar[1])]
            for row, instead in (odds or {}).items():
                rows[row] = instead
            board = BoardLook(tuple(rows[:24]), rows[24], rows[25], hidden)
            self.happens(Looked(self.later(), board, self.dice, self.cube))

    def stir(self) -> None:
        """Something moves; the looks before it are old."""
        self.happens(SceneChanged(self.later(), Scene.MOVING))

    def rest(self, times: int = LOOKS) -> None:
        """Movement ends and the table is looked at."""
        self.stir()
        self.happens(SceneChanged(self.later(), Scene.QUIET))
        self.look(times)

    def roll(self, *frames: tuple[DieSeen, ...]) -> None:
        """Dice roll: what each moving frame shows of them."""
        self.stir()
        for dice in frames:
            self.happens(RollingDice(self.later(), dice))

    def throw(self, *dice: DieSeen) -> None:
        """Dice come to rest."""
        self.dice = dice
        self.rest()

    def throw_valid(self, side: Side, first: int, second: int, shift: float = 0.0) -> None:
        """Throw two flat dice into the side's own right half."""
        u = RIGHT[side]
        self.throw(die(first, u - 0.08, 0.4 + shift), die(second, u + 0.08, 0.55 + shift))

    def open_with(self, white: int, black: int) -> None:
        """Set up and make the opening throw."""
        self.rest()
        self.throw(die(white, 0.75, 0.3), die(black, 0.25, 0.3))

    def place(self, after: Position, mover: Side) -> None:
        """Put the checkers as ``after`` says (in the mover's numbering) and let the table come to rest."""
        self.white = after if mover is Side.WHITE else after.turned(self.rules.game)
        self.rest()

    def finger(self, side: Side) -> None:
        """Press a clock button."""
        self.happens(Pressed(self.later(), Button(side.value)))

    def press(self, side: Side) -> None:
        """Press a clock button and look at the table."""
        self.finger(side)
        self.look()

    def order(self, order: Order, why: str = "") -> None:
        """Give an arbiter's order, perhaps with its reason."""
        self.happens(Ordered(self.later(), "arbiter", order, why))

    def resign(self, side: Side, kind: Kind = Kind.OIN) -> None:
        """Concede the game, and mean it where the referee asks."""
        self.order(Resign(side, kind))
        if self.state.conceding is not None and self.state.conceding.asked:
            self.order(Resign(side, kind))

    def tick(self, ms: int = 1_000) -> None:
        """Let a second pass."""
        self.happens(Ticked(self.later(ms)))

    @property
    def last(self) -> Ruling:
        """The last ruling."""
        return self.rulings[-1]
