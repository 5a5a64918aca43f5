"""Which faults are committed when: decided by the seed alone, so that a resumed run commits the same ones."""

from dataclasses import dataclass, field
from random import Random

from controller.rules import Ruleset
from controller.simulator.actions import PlannedFault
from controller.simulator.layout import Layout


@dataclass(frozen=True, slots=True)
class Tempo:
    """How long things take the players, in milliseconds."""

    reach: int = 350
    lift: int = 250
    carry: int = 500
    away: int = 350
    roll: int = 700
    throw: int = 600
    think: int = 700
    look: int = 400
    press: int = 700
    button: int = 150
    call: int = 600
    """Dice roll for so long before somebody calls kestum."""
    forget_hand: int = 2500
    """A hand left in view over the board stays that long after the press."""
    patience: int = 6000
    """Without a sign from the referee for that long, people press again or call the arbiter."""
    arbiter: int = 1500
    """From "please look" to the arbiter's answer."""


QUICK = Tempo(
    reach=100,
    lift=50,
    carry=200,
    away=150,
    roll=200,
    throw=150,
    think=100,
    look=100,
    press=900,
    button=100,
    forget_hand=1500,
    patience=5000,
    arbiter=500,
)
"""For headless runs: as little time as a referee needs to see everything once."""


@dataclass(frozen=True, slots=True)
class Habits:
    """What the players agreed on before they sat down."""

    ruleset: Ruleset
    seed: int
    games: int
    faults: bool = False
    tempo: Tempo = field(default_factory=Tempo)
    layout: Layout = field(default_factory=Layout)

    def rng(self, *occasion: object) -> Random:
        """Return the chance of one occasion, the same each time it is asked for."""
        return Random("/".join(str(part) for part in (self.seed, *occasion)))

    def possible_faults(self) -> tuple[PlannedFault, ...]:
        """Return what can go wrong under the ruleset and a referee would have to call."""
        rules = self.ruleset
        area = rules.dice_area
        possible = {
            PlannedFault.COCKED: True,
            PlannedFault.OFF_BOARD: True,
            PlannedFault.ON_CHECKER: rules.on_checker == "void",
            PlannedFault.ON_BAR: True,
            PlannedFault.KESTUM: rules.kestum != "off",
            PlannedFault.PREMATURE: rules.premature == "void",
            PlannedFault.SPLIT_HALVES: area != "any",
            PlannedFault.WRONG_HALF: area == "right_half",
            PlannedFault.ILLEGAL_PLAY: rules.illegal == "legal_moves",
            PlannedFault.HAND_IN_VIEW: rules.ends_by_press,
            PlannedFault.BUMPED_CAMERA: True,
        }
        return tuple(fault for fault, may in possible.items() if may)

    def due_fault(
        self, game: int, turn: int, committed: frozenset[PlannedFault], among: frozenset[PlannedFault]
    ) -> PlannedFault | None:
        """Return the fault to commit now, if any of ``among`` is due in this turn of this game and still to come."""
        if not self.faults:
            return None
        faults = list(self.possible_faults())
        rng = self.rng(game, "faults")
        rng.shuffle(faults)
        turns = sorted(rng.sample(range(1, 1 + 2 * len(faults)), len(faults)))
        due = (fault for fault, first in zip(faults, turns, strict=True) if first <= turn)
        return next((fault for fault in due if fault in among and fault not in committed), None)
