"""Does the reed see its own checker and no other? The field of disc magnets along a reed switch, computed.

    python hardware/magnetics.py [RIG]

A disc magnetised along its axis is a sheet of current around its rim; each ring of it has a closed-form field with
elliptic integrals (J. Simpson et al., "Simple Analytic Expressions for the Magnetic Field of a Circular Current Loop",
NASA/TM-2013-217919). A reed is rated in ampere-turns of its test coil; over the length of that coil this is a field
along its axis, here averaged over the glass. The rating coil is taken as long as the glass; makers' coils differ by a
few tens of per cent, which is why the margins below are asked for.
"""

import logging
import math
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from firmware_bridge.rig import Board, Magnet, Reed, Rig, RigError

logger = logging.getLogger("magnetics")

MU_0 = 4e-7 * math.pi
RINGS = 8
REED_SAMPLES = 9
MISPLACED_MM = 5.0
"""How far a checker may lie from the middle of its slot, in any direction, and still be seen."""
MARGIN = 1.25
"""The field has to exceed the least sensitive reed's rating by this, and stay as far below the release of the most
sensitive one."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Millimetres from the middle of the reed: along the reed, across it, and up."""

    along_mm: float
    across_mm: float
    up_mm: float


def parts(rig: Rig) -> tuple[Board, Magnet, Reed]:
    """Return what is computed with.

    Raises RigError when the rig does not describe it.
    """
    if rig.board is None or rig.magnet is None or rig.reed is None:
        msg = f"rig {rig.name} has no [board], [magnet] and [reed] to compute with"
        raise RigError(msg)
    return rig.board, rig.magnet, rig.reed


def elliptic(m: float) -> tuple[float, float]:
    """Return the complete elliptic integrals K(m) and E(m) by the arithmetic-geometric mean."""
    a, b, c, total, power = 1.0, math.sqrt(1 - m), math.sqrt(m), 0.0, 0.5
    total = power * c * c
    while c > 1e-12:
        a, b, c = (a + b) / 2, math.sqrt(a * b), (a - b) / 2
        power *= 2
        total += power * c * c
    k = math.pi / (2 * a)
    return k, k * (1 - total)


def ring_field(radius_m: float, current_a: float, rho_m: float, z_m: float) -> tuple[float, float]:
    """Return the radial and axial field in tesla of a ring of current, ``rho_m`` from its axis, ``z_m`` above it."""
    outer = (radius_m + rho_m) ** 2 + z_m**2
    inner = (radius_m - rho_m) ** 2 + z_m**2
    k, e = elliptic(4 * radius_m * rho_m / outer)
    scale = MU_0 * current_a / (2 * math.pi * math.sqrt(outer))
    axial = scale * (k + (radius_m**2 - rho_m**2 - z_m**2) / inner * e)
    radial = scale * z_m / rho_m * (-k + (radius_m**2 + rho_m**2 + z_m**2) / inner * e) if rho_m > 1e-9 else 0.0
    return radial, axial


def magnet_field(magnet: Magnet, rho_mm: float, below_mm: float) -> tuple[float, float]:
    """Return the radial and axial field in tesla, ``below_mm`` under the lower face of the magnet."""
    radial = axial = 0.0
    current = magnet.remanence_t / MU_0 * magnet.height_mm / 1000 / RINGS
    for ring in range(RINGS):
        z_mm = -(below_mm + magnet.height_mm * (ring + 0.5) / RINGS)
        r, a = ring_field(magnet.diameter_mm / 2000, current, rho_mm / 1000, z_mm / 1000)
        radial, axial = radial + r, axial + a
    return radial, axial


def along_reed(rig: Rig, checker: Spot) -> float:
    """Return the field along a flat reed in tesla, averaged over its glass; ``checker`` is the underside's middle."""
    _, magnet, reed = parts(rig)
    total = 0.0
    for sample in range(REED_SAMPLES):
        y_mm = ((sample + 0.5) / REED_SAMPLES - 0.5) * reed.glass_length_mm
        along, across = y_mm - checker.along_mm, -checker.across_mm
        rho = max(math.hypot(along, across), 1e-6)
        radial, _ = magnet_field(magnet, rho, checker.up_mm + magnet.depth_mm)
        total += radial * along / rho
    return total / REED_SAMPLES


def rating_t(rig: Rig, ampere_turns: float) -> float:
    """Return the field in tesla that a rating in ampere-turns stands for."""
    _, _, reed = parts(rig)
    return MU_0 * ampere_turns / (reed.glass_length_mm / 1000)


def weakest_t(rig: Rig) -> float:
    """Return the field of the slot's own checker where it is weakest, lying up to 5 mm off in any direction."""
    board, _, reed = parts(rig)
    middle = -reed.off_middle_mm
    spots = [(0.0, 0.0)] + [
        (radius * math.cos(turn * math.pi / 8), radius * math.sin(turn * math.pi / 8))
        for radius in (MISPLACED_MM / 2, MISPLACED_MM)
        for turn in range(16)
    ]
    floor = board.tray_floor_mm
    return min(abs(along_reed(rig, Spot(middle + along, across, floor))) for along, across in spots)


def strongest_t(rig: Rig) -> float:
    """Return the most that checkers of other slots can put on an empty slot's reed.

    On its own point nobody stacks while a slot is free; the nearest checkers lie 5 mm towards the reed. On one point
    beside it all fifteen of a player may lie on six slots, three high, on the other one layer. Whichever of them add up
    are there, and those that would weaken the field are not.
    """
    board, _, reed = parts(rig)
    middle = -reed.off_middle_mm
    pushes, pulls = 0.0, 0.0
    for point in (-1, 0, 1):
        for slot in (-1, 0, 1):
            if point == slot == 0:
                continue
            towards = -slot * MISPLACED_MM if point == 0 else 0.0
            for layer in range(3 if point == 1 else 1):
                field = along_reed(
                    rig,
                    Spot(
                        middle + slot * board.slot_pitch_mm + towards,
                        point * board.point_pitch_mm,
                        board.tray_floor_mm + layer * board.checker_height_mm,
                    ),
                )
                pushes, pulls = pushes + max(field, 0.0), pulls + min(field, 0.0)
    return max(pushes, -pulls)


def stack_force_n(rig: Rig) -> float:
    """Return the pull in newtons between two checkers on top of each other (their magnets as point dipoles)."""
    board, magnet, _ = parts(rig)
    volume = math.pi * (magnet.diameter_mm / 2000) ** 2 * magnet.height_mm / 1000
    moment = magnet.remanence_t / MU_0 * volume
    return 6e-7 * moment**2 / (board.checker_height_mm / 1000) ** 4


def report(rig: Rig) -> list[str]:
    """Return what somebody who builds the board wants to know."""
    _, _, reed = parts(rig)
    closes, opens = rating_t(rig, reed.operate_at), rating_t(rig, reed.release_at)
    own, others = weakest_t(rig), strongest_t(rig)
    seen = f"the least sensitive reed closes at {closes * 1e3:.2f} mT (margin {own / closes:.2f})"
    unseen = f"the most sensitive reed opens at {opens * 1e3:.2f} mT (margin {opens / others:.2f})"
    return [
        f"own checker, up to {MISPLACED_MM:g} mm off the middle: at least {own * 1e3:.2f} mT; {seen}",
        f"all checkers around an empty slot: at most {others * 1e3:.2f} mT; {unseen}",
        f"pull between stacked checkers: {stack_force_n(rig):.2f} N",
    ]


def main(arguments: list[str]) -> int:
    """Print the figures; return 1 when a margin is too small."""
    logging.basicConfig(format="%(message)s", level=logging.INFO)
    rig = Rig.load(arguments[0] if arguments else "full")
    for line in report(rig):
        logger.info("%s", line)
    _, _, reed = parts(rig)
    fits = weakest_t(rig) > MARGIN * rating_t(rig, reed.operate_at)
    return 0 if fits and MARGIN * strongest_t(rig) < rating_t(rig, reed.release_at) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
