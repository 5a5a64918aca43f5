import random
from collections.abc import Callable

import pytest

from firmware_bridge.clocks import Micros
from firmware_bridge.rig import POINTS, Rig
from firmware_bridge.sensors import SensorWatch, SlotFault, Suspect

RIG = Rig.load("full")
Reeds = Callable[[set[int]], set[int]]
TURNS = 60


class Play:
    """Thirty checkers moved about by people who are not always tidy."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lies: dict[str, list[int]] = {place: [] for place in RIG.slots}
        for _ in range(30):
            self.put(self.rng.choice(POINTS))

    def put(self, place: str) -> None:
        slots, taken = RIG.slots[place], self.lies[place]
        free = [slot for slot in slots if slot not in taken]
        if not free or self.rng.random() < 0.05:
            # On top of another one, or where none can be seen.
            taken.append(self.rng.choice(taken) if taken else slots[0])
        else:
            taken.append(self.rng.choice(free) if self.rng.random() < 0.05 else free[0])

    def turn(self) -> None:
        for _ in range(self.rng.choice((2, 2, 2, 4))):
            place = self.rng.choice([place for place in POINTS if self.lies[place]])
            self.lies[place].pop()
            self.put(self.rng.choice(POINTS))

    def heights(self) -> dict[str, int]:
        return {place: len(checkers) for place, checkers in self.lies.items()}

    def closed(self) -> set[int]:
        return {slot for checkers in self.lies.values() for slot in checkers}


def suspects(seed: int, reeds: Reeds, turns: int = TURNS) -> list[Suspect]:
    play, watch, found = Play(seed), SensorWatch(RIG), []
    for turn in range(turns):
        play.turn()
        found += watch.frame(Micros(20_000_000 * turn), tuple(sorted(reeds(play.closed()))))
        found += watch.position(play.heights())
    return found


@pytest.mark.parametrize("seed", range(8))
def test_untidy_players_on_a_healthy_board_raise_no_suspicion(seed: int) -> None:
    assert suspects(seed, lambda closed: closed, turns=150) == []


@pytest.mark.parametrize("slot", [0, 30, 66, 120])
def test_a_stuck_reed_is_named_and_nothing_else(slot: int) -> None:
    found = suspects(slot, lambda closed: closed | {slot}, turns=150)
    assert found == [Suspect(slot, *RIG.place_of(slot), SlotFault.STUCK)]


@pytest.mark.parametrize("slot", [0, 30, 66, 120])
def test_a_dead_reed_is_named_and_nothing_else(slot: int) -> None:
    found = suspects(slot, lambda closed: closed - {slot}, turns=150)
    assert found == [Suspect(slot, *RIG.place_of(slot), SlotFault.DEAD)]


def swap(one: int, other: int) -> Reeds:
    exchanged = {one: other, other: one}
    return lambda closed: {exchanged.get(slot, slot) for slot in closed}


@pytest.mark.parametrize(("one", "other"), [(0, 60), (6, 132), (36, 102)])
def test_two_exchanged_wires_are_named_as_a_pair(one: int, other: int) -> None:
    found = suspects(one, swap(one, other), turns=150)
    # Before it is clear that they are exchanged one of them may have looked stuck.
    assert {suspect.slot for suspect in found} == {one, other}
    pairs = {(suspect.slot, suspect.other) for suspect in found if suspect.fault is SlotFault.SWAPPED}
    assert pairs == {(one, other), (other, one)}


def test_a_chattering_reed_is_named_once() -> None:
    watch = SensorWatch(RIG)
    found = [suspect for beat in range(40) for suspect in watch.frame(Micros(100_000 * beat), (7,) if beat % 2 else ())]
    assert found == [Suspect(7, "p2", 1, SlotFault.CHATTERING)]


def test_a_checker_shoved_about_does_not_chatter() -> None:
    watch = SensorWatch(RIG)
    assert [
        suspect for beat in range(40) for suspect in watch.frame(Micros(700_000 * beat), (7,) if beat % 2 else ())
    ] == []


def test_a_repaired_board_starts_with_a_clean_slate() -> None:
    watch = SensorWatch(RIG)
    empty = dict.fromkeys(RIG.slots, 0)
    watch.frame(Micros(0), (7,))
    assert [len(watch.position(empty)) for _ in range(5)] == [0, 0, 1, 0, 0]
    watch.forgive()
    assert [len(watch.position(empty)) for _ in range(5)] == [0, 0, 1, 0, 0]
