"""Do the reeds show what lies there? Known from a board that is empty or set up, the two that can be known. Pure."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from controller.doctor.findings import Finding, ReedsNamed, fault, note, ok
from controller.rules import Game, start
from firmware_bridge.rig import POINTS, Rig
from firmware_bridge.values import ReedFrame

MOST_NAMED = 6
"""More reeds than these that differ mean another position, not reeds that lie."""
MOST_CHANGES = 3
"""Of a reed over which nothing moves, in the few seconds of listening."""


def judge_reeds(rig: Rig, game: Game, frames: Sequence[ReedFrame]) -> list[Finding]:
    """Judge what the reeds showed while nobody touched the board; the last frame is how they are now."""
    closed = frozenset(frames[-1].occupied)
    return [*_chatter(rig, frames), _position(rig, game, closed)]


def set_up(rig: Rig, game: Game) -> frozenset[int]:
    """Return the slots that are closed in the start position of ``game``: the first ones from the rail."""
    heights = dict(zip(POINTS, map(abs, start(game).points), strict=True))
    return frozenset(slot for place, height in heights.items() for slot in rig.slots[place][:height])


def _position(rig: Rig, game: Game, closed: frozenset[int]) -> Finding:
    meant = {"empty": frozenset[int](), "start": set_up(rig, game)}
    name = min(meant, key=lambda name: len(closed ^ meant[name]))
    wrong = closed ^ meant[name]
    if not wrong:
        return ok("reeds", f"reeds.{name}")
    if len(wrong) > MOST_NAMED:
        return note("reeds", "reeds.other", closed=len(closed))
    stuck, dead = closed - meant[name], meant[name] - closed
    if not dead:
        return fault("reeds", f"reeds.{name}_stuck", stuck=_named(rig, stuck))
    if not stuck:
        return fault("reeds", "reeds.start_dead", dead=_named(rig, dead))
    return fault("reeds", "reeds.start_both", stuck=_named(rig, stuck), dead=_named(rig, dead))


def _chatter(rig: Rig, frames: Sequence[ReedFrame]) -> list[Finding]:
    changes = Counter(
        slot for before, after in pairwise(frames) for slot in frozenset(before.occupied) ^ frozenset(after.occupied)
    )
    restless = frozenset(slot for slot, count in changes.items() if count > MOST_CHANGES)
    return [fault("reeds", "reeds.chatter", reeds=_named(rig, restless))] if restless else []


def _named(rig: Rig, slots: frozenset[int]) -> ReedsNamed:
    """Name ``slots``; bits of the chain at which the rig has no reed are left out."""
    at = {slot: (place, index) for place, own in rig.slots.items() for index, slot in enumerate(own, 1)}
    return ReedsNamed(tuple(at[slot] for slot in sorted(slots) if slot in at))
