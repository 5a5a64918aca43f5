"""Where thrown dice come to lie: well inside the half they belong in, or where they should not."""

import math
from dataclasses import dataclass, replace
from random import Random

from controller.rules import Side
from controller.simulator.actions import PlannedFault
from controller.simulator.layout import BAR, OFF, SLOTS, Layout, Spot
from controller.simulator.world import Checker, Die, TableDieState, World

CLEAR_M = 0.004
"""Air between a flat die and its neighbours, so that nobody can call it cocked."""
TRIES = 400
COCKED_DEG = (39.0, 43.0)
"""Tilt of a die whose lower face lies on a checker's rim: steep enough to reach it, and its upper face stays up."""


@dataclass(frozen=True, slots=True)
class Cup:
    """What a throw needs to know: the table, its measures, chance."""

    world: World
    layout: Layout
    rng: Random

    def throw(self, side: Side, numbers: tuple[int, ...], fault: PlannedFault | None = None) -> tuple[Die, ...] | None:
        """Return the dice ``numbers`` of ``side`` at rest, thrown into the right half of that side.

        With a ``fault`` the last die (with split halves: one of them) lies accordingly.
        None when the table has no room for that, such as no checker to lean on.
        """
        right = side is Side.WHITE
        if fault is PlannedFault.WRONG_HALF:
            right = not right
        dice: list[Die] = []
        last = numbers[-1]
        for number in numbers:
            die = Die(side, number, TableDieState.FLAT, self.rng.randint(1, 6), yaw_deg=self.rng.uniform(0.0, 360.0))
            laid = self._faulty(die, dice, fault, right=right) if number == last else self._flat(die, dice, right=right)
            if laid is None:
                return None
            dice.append(laid)
        return tuple(dice)

    def rolling(self, dice: tuple[Die, ...]) -> tuple[Die, ...]:
        """Return ``dice`` a moment before they lie still."""
        return tuple(
            replace(
                die,
                state=TableDieState.ROLLING,
                face=self.rng.randint(1, 6),
                u=die.u + self.rng.uniform(-0.06, 0.06),
                v=die.v + self.rng.uniform(-0.06, 0.06),
                yaw_deg=self.rng.uniform(0.0, 360.0),
                tilt_deg=self.rng.uniform(15.0, 75.0),
                lean_deg=self.rng.uniform(0.0, 360.0),
                height_m=self.rng.uniform(0.004, 0.02),
            )
            for die in dice
        )

    def _faulty(self, die: Die, others: list[Die], fault: PlannedFault | None, *, right: bool) -> Die | None:
        match fault:
            case PlannedFault.COCKED:
                return self._leaning(die, others, right=right)
            case PlannedFault.ON_CHECKER:
                return self._on_a_checker(die, right=right)
            case PlannedFault.ON_BAR:
                return self._on_the_bar(die)
            case PlannedFault.OFF_BOARD:
                return self._beside_the_board(die)
            case PlannedFault.SPLIT_HALVES:
                return self._flat(die, others, right=not right)
            case _:
                return self._flat(die, others, right=right)

    def _flat(self, die: Die, others: list[Die], *, right: bool) -> Die | None:
        """Return the die flat on the surface, clear of everything; crowded tables are searched over their depth."""
        low, high = self.layout.half_u(right=right)
        margin = self.layout.die_m / self.layout.width_m
        for attempt in range(TRIES):
            depth = 0.10 + 0.34 * attempt / TRIES
            u = self.rng.uniform(low + margin, high - margin)
            v = self.rng.uniform(0.5 - depth, 0.5 + depth)
            if self._is_clear(u, v, others):
                return replace(die, u=u, v=v)
        return None

    def _is_clear(self, u: float, v: float, others: list[Die]) -> bool:
        radius = self.layout.die_m * math.sqrt(0.5)
        beside_checker = self.layout.checker_m / 2.0 + radius + CLEAR_M
        beside_die = 2.0 * radius + CLEAR_M
        return all(
            self.layout.apart_m((u, v), (spot.u, spot.v)) > beside_checker for _, spot in self._checkers()
        ) and all(self.layout.apart_m((u, v), (other.u, other.v)) > beside_die for other in others)

    def _checkers(self) -> list[tuple[Checker, Spot]]:
        return [(checker, placed(self.layout, checker)) for checker in self.world.lying() if checker.place != OFF]

    def _of_half(self, *, right: bool) -> list[tuple[Checker, Spot]]:
        """Return the checkers on points of one half that carry no other one."""
        low, high = self.layout.half_u(right=right)
        heights = self.world.heights()
        return [
            (checker, spot)
            for checker, spot in self._checkers()
            if checker.place != BAR
            and low < spot.u < high
            and checker.order + SLOTS >= heights[checker.side, checker.place]
        ]

    def _leaning(self, die: Die, others: list[Die], *, right: bool) -> Die | None:
        """Return the die with one edge on the wood and its lower face on the rim of a checker nearest the middle."""
        heights = self.world.heights()
        ends = [
            (checker, spot)
            for checker, spot in self._of_half(right=right)
            if spot.layer == 0 and checker.order == min(SLOTS, heights[checker.side, checker.place]) - 1
        ]
        self.rng.shuffle(ends)
        half, thick = self.layout.die_m / 2.0, self.layout.thickness_m
        for checker, spot in ends:
            tilt = math.radians(self.rng.uniform(*COCKED_DEG))
            away = self.layout.checker_m / 2.0 + thick / math.tan(tilt) - half * (math.cos(tilt) - math.sin(tilt))
            inward = 1.0 if checker.place <= 12 else -1.0
            aside = math.radians(self.rng.uniform(-25.0, 25.0))
            u = spot.u + away * math.sin(aside) / self.layout.width_m
            v = spot.v + inward * away * math.cos(aside) / self.layout.height_m
            rest = [other for other in self._checkers() if other[0] is not checker]
            reach = self.layout.checker_m / 2.0 + self.layout.die_m * 0.75
            if any(self.layout.apart_m((u, v), (near.u, near.v)) < reach for _, near in rest):
                continue
            if any(self.layout.apart_m((u, v), (other.u, other.v)) < 2.0 * self.layout.die_m for other in others):
                continue
            lean = math.degrees(math.atan2((v - spot.v) * self.layout.height_m, (u - spot.u) * self.layout.width_m))
            return replace(
                die, state=TableDieState.COCKED, u=u, v=v, yaw_deg=lean, tilt_deg=math.degrees(tilt), lean_deg=lean
            )
        return None

    def _on_a_checker(self, die: Die, *, right: bool) -> Die | None:
        """Return the die flat on top of a checker that carries nothing else."""
        tops = self._of_half(right=right)
        if not tops:
            return None
        _, spot = self.rng.choice(tops)
        return replace(
            die, state=TableDieState.ON_CHECKER, u=spot.u, v=spot.v, height_m=(spot.layer + 1) * self.layout.thickness_m
        )

    def _on_the_bar(self, die: Die) -> Die | None:
        """Return the die flat on the bar, clear of the checkers there."""
        u = sum(self.layout.bar) / 2.0
        for _ in range(TRIES):
            v = self.rng.uniform(0.2, 0.8)
            if self._is_clear(u, v, []):
                return replace(die, state=TableDieState.ON_BAR, u=u, v=v)
        return None

    def _beside_the_board(self, die: Die) -> Die:
        """Return the die flat on the table, at the thrower's right hand beyond the opponent's points."""
        u, v = 1.0 + self.rng.uniform(0.10, 0.16), self.rng.uniform(0.60, 0.90)
        white = die.side is Side.WHITE
        return replace(die, state=TableDieState.OFF_BOARD, u=u if white else 1.0 - u, v=v if white else 1.0 - v)


def placed(layout: Layout, checker: Checker) -> Spot:
    """Return where a checker lies, its jitter included."""
    spot = layout.spot(checker.place, checker.order, of_white=checker.side is Side.WHITE)
    return Spot(
        spot.u + checker.dx * layout.checker_m / layout.width_m,
        spot.v + checker.dy * layout.checker_m / layout.height_m,
        spot.layer,
    )
