from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.debounce import CLOSE_MS, OPEN_MS, Contact


def told(edges: list[tuple[float, bool]], until_ms: float = 10_000.0) -> list[float]:
    """Return the presses made of ``edges``, asking at the moments at which something becomes certain."""
    contact, presses = Contact(), []
    for at_ms, closed in edges:
        contact, press = contact.edge(at_ms, closed=closed)
        presses += [] if press is None else [press]
    contact, press = contact.settle(until_ms)
    return presses + ([] if press is None else [press])


def test_a_clean_press_is_dated_to_its_edge() -> None:
    assert told([(100.0, True), (180.0, False)]) == [100.0]


def test_a_spark_is_no_press() -> None:
    assert told([(100.0, True), (100.4, False)]) == []


def test_a_press_after_a_spark_has_its_own_time() -> None:
    assert told([(100.0, True), (100.2, False), (110.0, True), (190.0, False)]) == [110.0]


def test_a_wobble_while_held_is_no_second_press() -> None:
    assert told([(100.0, True), (150.0, False), (155.0, True), (300.0, False)]) == [100.0]


def test_two_quick_presses_are_two() -> None:
    assert told([(100.0, True), (140.0, False), (170.0, True), (210.0, False)]) == [100.0, 170.0]


def test_nothing_is_certain_before_the_contact_rests() -> None:
    contact, _ = Contact().edge(100.0, closed=True)
    assert contact.settle(100.0 + CLOSE_MS - 0.1) == (contact, None)
    assert contact.certain_at_ms() == 100.0 + CLOSE_MS
    assert contact.settle(100.0 + CLOSE_MS)[1] == 100.0


bounces = st.lists(st.floats(0.05, CLOSE_MS - 0.1), max_size=8).map(lambda gaps: gaps[: len(gaps) // 2 * 2])
presses = st.lists(st.tuples(bounces, st.floats(CLOSE_MS, 200.0), bounces, st.floats(OPEN_MS, 500.0)), max_size=5)


@given(presses)
def test_each_press_counts_once_whatever_its_bounces(plan: list[tuple[list[float], float, list[float], float]]) -> None:
    at_ms, edges, first_edges = 50.0, [], []
    for closing, held_ms, opening, pause_ms in plan:
        first_edges.append(at_ms)
        for closed, gaps, rest_ms in ((True, closing, held_ms), (False, opening, pause_ms)):
            edges.append((at_ms, closed))
            level = closed
            for gap in gaps:
                at_ms += gap
                level = not level
                edges.append((at_ms, level))
            at_ms += rest_ms
    assert told(edges, at_ms) == first_edges
