from hypothesis import example, given
from hypothesis import strategies as st

from firmware_bridge.clocks import Micros
from firmware_bridge.pins import CLOSE_US, OPEN_US, Contact


def presses_of(edges: list[tuple[int, bool]], until_us: int = 10_000_000) -> list[int]:
    """Return the presses made of ``edges``, asking at the moments at which something becomes certain."""
    contact, presses = Contact(), []
    for at_us, closed in edges:
        contact, press = contact.edge(Micros(at_us), closed=closed)
        presses += [] if press is None else [press]
    contact, press = contact.settle(Micros(until_us))
    return presses + ([] if press is None else [press])


def test_a_clean_press_is_dated_to_its_edge() -> None:
    assert presses_of([(100_000, True), (180_000, False)]) == [100_000]


def test_a_spark_is_no_press() -> None:
    assert presses_of([(100_000, True), (100_400, False)]) == []


def test_a_press_after_a_spark_has_its_own_time() -> None:
    assert presses_of([(100_000, True), (100_200, False), (110_000, True), (190_000, False)]) == [110_000]


def test_a_wobble_while_held_is_no_second_press() -> None:
    assert presses_of([(100_000, True), (150_000, False), (155_000, True), (300_000, False)]) == [100_000]


def test_two_quick_presses_are_two() -> None:
    assert presses_of([(100_000, True), (140_000, False), (170_000, True), (210_000, False)]) == [100_000, 170_000]


def test_nothing_is_certain_before_the_contact_rests() -> None:
    contact, _ = Contact().edge(Micros(100_000), closed=True)
    assert contact.settle(Micros(100_000 + CLOSE_US - 1)) == (contact, None)
    assert contact.certain_at_us() == 100_000 + CLOSE_US
    assert contact.settle(Micros(100_000 + CLOSE_US))[1] == 100_000


Plan = list[tuple[list[int], int, list[int], int]]
bounces = st.lists(st.integers(50, CLOSE_US - 1), max_size=8).map(lambda gaps: gaps[: len(gaps) // 2 * 2])
plans = st.lists(st.tuples(bounces, st.integers(CLOSE_US, 200_000), bounces, st.integers(OPEN_US, 500_000)), max_size=5)


@given(plans)
@example([([1_000, 1_395], CLOSE_US, [], OPEN_US)] * 3)
def test_each_press_counts_once_whatever_its_bounces(plan: Plan) -> None:
    at_us, edges, first_edges = 50_000, [], []
    for closing, held_us, opening, pause_us in plan:
        first_edges.append(at_us)
        for closed, gaps, rest_us in ((True, closing, held_us), (False, opening, pause_us)):
            edges.append((at_us, closed))
            level = closed
            for gap_us in gaps:
                at_us += gap_us
                level = not level
                edges.append((at_us, level))
            at_us += rest_us
    assert presses_of(edges, at_us) == first_edges
