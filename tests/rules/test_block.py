"""Six points in a row, against the rule's own words walked along the opponent's road."""

from hypothesis import example, given
from hypothesis import strategies as st

from controller.rules.block import BlockRule, points_break

ROAD = (*range(12, 0, -1), *range(24, 12, -1))
"""The opponent's road from his head to his last point, in the mover's numbering."""
RULES: tuple[BlockRule, ...] = ("ahead", "home", "never", "free")


def breaks_by_its_words(points: tuple[int, ...], off: int, rule: BlockRule) -> bool:
    road = [points[point - 1] for point in ROAD]
    for begin in range(19):
        if any(count <= 0 for count in road[begin : begin + 6]):
            continue
        past, at_home = any(count < 0 for count in road[begin + 6 :]), any(count < 0 for count in road[18:])
        excused = {"ahead": past or off > 0, "home": at_home or off > 0, "never": False, "free": True}[rule]
        if not excused:
            return True
    return False


@st.composite
def boards_with_a_run(draw: st.DrawFn) -> tuple[int, ...]:
    points = draw(st.lists(st.sampled_from((0, 0, 1, -1, 2, -2)), min_size=24, max_size=24))
    for begin, length in draw(st.lists(st.tuples(st.integers(0, 19), st.integers(5, 7)), min_size=1, max_size=2)):
        for point in ROAD[begin : begin + length]:
            points[point - 1] = 1
    return tuple(points)


def on_road(*runs: int, opponent: int) -> tuple[int, ...]:
    """A board on which the mover holds six points from each step of ``runs`` of the road, with one opponent."""
    points = [0] * 24
    for step in (step for run in runs for step in range(run, run + 6)):
        points[ROAD[step] - 1] = 1
    points[ROAD[opponent] - 1] = -1
    return tuple(points)


@given(boards_with_a_run(), st.sampled_from((0, 0, 1)), st.sampled_from(RULES))
@example(on_road(8, opponent=14), 0, "ahead")
@example(on_road(8, opponent=7), 0, "ahead")
@example(on_road(8, opponent=18), 0, "home")
@example(on_road(8, opponent=17), 0, "home")
@example(on_road(8, opponent=0), 1, "ahead")
@example(on_road(9, opponent=15), 0, "ahead")
@example(on_road(2, 14, opponent=10), 0, "ahead")
def test_a_block_is_what_the_rule_says(points: tuple[int, ...], off: int, rule: BlockRule) -> None:
    assert points_break(points, off, rule) is breaks_by_its_words(points, off, rule)
