"""Which reeds are broken? Positions that are known to be right show what each slot should report. Pure.

A point with n checkers usually closes its first n slots, but players stack, leave gaps and push checkers about, so a
single odd slot means nothing. What counts is a slot that is wrong again and again while checkers come and go.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from firmware_bridge.clocks import Micros
from firmware_bridge.rig import Rig

CHATTER_CHANGES, CHATTER_US = 10, 3_000_000
"""Nobody puts a checker down and takes it away five times in three seconds."""
STUCK_POSITIONS = 3
"""Closed on an empty point through this many known positions."""
DEAD_ARRIVALS = 4
"""This many checkers came to its point, should have closed it and closed nothing."""
SAME_POSITIONS = 16
"""A slot that is stuck or dead has not changed for this many known positions; an exchanged one has."""
MEMORY_POSITIONS = 40
SWAP_EACH_WAY = 3
"""Two slots count as swapped when each followed what the other should see, this often in either direction."""
SWAP_AGREEMENT = 0.9


class SlotFault(Enum):
    """What is wrong with a slot."""

    STUCK = "stuck"
    """Always closed: a reed that sticks, a lost magnet, a short."""
    DEAD = "dead"
    """Never closes: a broken reed or wire, a weak magnet."""
    CHATTERING = "chattering"
    """Opens and closes all the time: a loose wire, a magnet at the edge of its reach."""
    SWAPPED = "swapped"
    """Answers for another slot: two wires exchanged."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A slot that is probably broken."""

    slot: int
    place: str
    index: int
    fault: SlotFault
    other: int | None = None
    """The slot it is exchanged with."""


@dataclass(slots=True)
class _Memory:
    closed: int = 0
    expected: int = 0
    """One bit a known position, the newest lowest."""
    stuck: int = 0
    dead: int = 0


class SensorWatch:
    """Watches the slots of one board. Each suspect is reported once, until ``forgive`` is called."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._slots = {slot: _Memory() for slots in rig.slots.values() for slot in slots}
        self._occupied: frozenset[int] = frozenset()
        self._changes: dict[int, deque[int]] = {slot: deque(maxlen=CHATTER_CHANGES) for slot in self._slots}
        self._reported: set[tuple[int, SlotFault]] = set()
        self._positions = 0
        self._seen: dict[str, tuple[int, int]] = {}
        """Height and closed slots of each place in the position before."""

    def frame(self, at_us: Micros, occupied: tuple[int, ...]) -> tuple[Suspect, ...]:
        """Take a ReedFrame; return slots that chatter."""
        now = frozenset(occupied)
        found: list[Suspect] = []
        for slot in now ^ self._occupied:
            changes = self._changes.get(slot)
            if changes is None:
                continue
            changes.append(at_us)
            if len(changes) == CHATTER_CHANGES and at_us - changes[0] <= CHATTER_US:
                found += self._report(slot, SlotFault.CHATTERING)
        self._occupied = now
        return tuple(found)

    def position(self, heights: Mapping[str, int]) -> tuple[Suspect, ...]:
        """Take a position that is known to be right and at rest, as checkers by place; return new suspects.

        Places that ``heights`` leaves out are not judged.
        """
        self._positions += 1
        odd, missing = set(), set()
        for place, slots in self._rig.slots.items():
            if (height := heights.get(place)) is None:
                continue
            closed_here = len(self._occupied.intersection(slots))
            height_before, closed_before = self._seen.get(place, (height, closed_here))
            unseen = height - height_before > closed_here - closed_before
            self._seen[place] = (height, closed_here)
            for index, slot in enumerate(slots):
                closed, expected = slot in self._occupied, height > index
                self._remember(slot, closed=closed, expected=expected, bare=not height, unseen=unseen)
                if closed and not height:
                    odd.add(slot)
                if expected and not closed:
                    missing.add(slot)
        found = list(self._swapped(odd | missing))
        swapped = {slot for slot, fault in self._reported if fault is SlotFault.SWAPPED}
        same = (1 << min(self._positions, SAME_POSITIONS)) - 1
        # While some slots are too many and others too few they may be exchanged; that takes longer to see.
        patient = bool(odd and missing) and self._positions < MEMORY_POSITIONS
        for slot in () if patient else sorted((odd | missing) - swapped):
            memory = self._slots[slot]
            if memory.dead >= DEAD_ARRIVALS and not memory.closed & same:
                found += self._report(slot, SlotFault.DEAD)
            if memory.stuck >= STUCK_POSITIONS and memory.closed & same == same:
                found += self._report(slot, SlotFault.STUCK)
        return tuple(found)

    def forgive(self) -> None:
        """Forget everything: somebody has been at the board with a soldering iron."""
        occupied = self._occupied
        SensorWatch.__init__(self, self._rig)
        self._occupied = occupied

    def _remember(self, slot: int, *, closed: bool, expected: bool, bare: bool, unseen: bool) -> None:
        memory = self._slots[slot]
        # A gap or a stack stays for many turns and is one observation: only a checker that came and was seen nowhere
        # on its point counts.
        came = unseen and expected and not memory.expected & 1
        mask = (1 << MEMORY_POSITIONS) - 1
        memory.closed = (memory.closed << 1 | closed) & mask
        memory.expected = (memory.expected << 1 | expected) & mask
        memory.stuck = memory.stuck + 1 if closed and bare else 0
        memory.dead = 0 if closed else memory.dead + came

    def _swapped(self, wrong: set[int]) -> Iterator[Suspect]:
        # Only slots that are wrong now are compared, so this costs nothing on a healthy board.
        slots = sorted(wrong)
        for number, one in enumerate(slots):
            for other in slots[number + 1 :]:
                if self._rig.place_of(one)[0] != self._rig.place_of(other)[0] and self._follow(one, other):
                    yield from self._report(one, SlotFault.SWAPPED, other)
                    yield from self._report(other, SlotFault.SWAPPED, one)

    def _follow(self, one: int, other: int) -> bool:
        first, second = self._slots[one], self._slots[other]
        only_first = first.expected & ~second.expected
        only_second = second.expected & ~first.expected
        if min(only_first.bit_count(), only_second.bit_count()) < SWAP_EACH_WAY:
            return False
        differing = only_first | only_second
        agree = min(
            (differing & ~(first.closed ^ second.expected)).bit_count(),
            (differing & ~(second.closed ^ first.expected)).bit_count(),
        )
        return agree >= SWAP_AGREEMENT * differing.bit_count()

    def _report(self, slot: int, fault: SlotFault, other: int | None = None) -> Iterator[Suspect]:
        if (slot, fault) not in self._reported:
            self._reported.add((slot, fault))
            yield Suspect(slot, *self._rig.place_of(slot), fault, other)
