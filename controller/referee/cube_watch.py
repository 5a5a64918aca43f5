"""Whether the doubling cube on the table is as it is in the match. The camera only tells; it never turns it. Pure."""

from dataclasses import dataclass, replace

from controller.clock import Millis
from controller.referee.events import CubeSeen, CubeSide
from controller.rules import Cube, Ruleset, Side

LOOKS_TO_NOTE = 4
"""Quiet looks in a row that must show the same difference. A convention: as many as are taken at once."""
NOTE_AFTER_MS = 10_000
"""So long the difference must last. A convention: who takes a double may think of his play before he turns the cube."""

OF_SIDE = {Side.WHITE: CubeSide.NEAR, Side.BLACK: CubeSide.FAR, None: CubeSide.MIDDLE}
"""Where an owner keeps the cube: White sits at p1..p12."""
UNTURNED = 64
"""What a cube shows before the first double: it has no 1."""


@dataclass(frozen=True, slots=True)
class CubeDoubt:
    """What the camera sees of the cube that differs from the match; what agrees is None or ``BETWEEN``."""

    seen: CubeSeen
    since: Millis
    looks: int = 1
    told: bool = False
    """Whether it has lasted long enough to be said."""


def after_look(
    doubt: CubeDoubt | None, seen: CubeSeen | None, cube: Cube, rules: Ruleset, at: Millis
) -> CubeDoubt | None:
    """What is doubtful about the cube after one more quiet look; a look that does not show it changes nothing."""
    if seen is None:
        return doubt
    odd = _difference(seen, cube, rules)
    if odd is None:
        return None if _tells(seen, doubt) else doubt
    if doubt is None:
        return CubeDoubt(odd, at)
    if doubt.seen != odd:
        return doubt if _leaves_open(seen, odd, doubt.seen) else CubeDoubt(odd, at)
    looks = doubt.looks + 1
    told = doubt.told or (looks >= LOOKS_TO_NOTE and at - doubt.since >= NOTE_AFTER_MS)
    return replace(doubt, looks=looks, told=told)


def shown(cube: Cube, rules: Ruleset) -> int | None:
    """The number that should be on top; None where the cube has no such face, or none but the players know which."""
    if rules.cube_progression != "geometric" or cube.value > UNTURNED:
        return None
    return UNTURNED if cube.value == 1 else cube.value


def _difference(seen: CubeSeen, cube: Cube, rules: Ruleset) -> CubeSeen | None:
    expected = shown(cube, rules)
    value = seen.value if expected is not None and seen.value != expected else None
    side = seen.side if seen.side not in {CubeSide.BETWEEN, OF_SIDE[cube.owner]} else CubeSide.BETWEEN
    return None if value is None and side is CubeSide.BETWEEN else CubeSeen(value, side)


def _leaves_open(seen: CubeSeen, odd: CubeSeen, doubted: CubeSeen) -> bool:
    """Whether a look shows less of what is doubtful, and nothing else."""
    return (odd.value == doubted.value or seen.value is None) and (
        odd.side is doubted.side or seen.side is CubeSide.BETWEEN
    )


def _tells(seen: CubeSeen, doubt: CubeDoubt | None) -> bool:
    """Whether a look without a difference shows what was doubtful to be right, and does not just leave it open."""
    if doubt is None:
        return True
    return (doubt.seen.value is None or seen.value is not None) and (
        doubt.seen.side is CubeSide.BETWEEN or seen.side is not CubeSide.BETWEEN
    )
