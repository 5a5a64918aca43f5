"""The close look at stacks: which points get one, what it sees more, and that it leaves all others alone."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.table import SHORT_START, Table, make_table
from vision.checkers.close_look import MOST, CloseLook, possible_stacks
from vision.checkers.reader import CheckerReader
from vision.checkers.strip_net import StripNet, StripScores
from vision.checkers.strips import CLOSE, cut_strips
from vision.synthetic.style import club_style
from vision.training.pictures.stacks import cut_stacks, drawn_odds, drawn_shots

STACKS = (-8, 0, 0, 0, 0, 7, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -2, 0, 0, 0, 0, 0, 0, 0)


@pytest.fixture(scope="module")
def close() -> CloseLook:
    return CloseLook()


@pytest.fixture(scope="module")
def net() -> StripNet:
    return StripNet()


def doubting(scores: StripScores, doubts: dict[int, float], hidden: tuple[int, ...] = ()) -> StripScores:
    """A glimpse that is sure of empty points but for doubts between five and six on some strips."""
    counts = np.zeros((26, 16), np.float32)
    counts[:, 0] = 1
    for strip, doubt in doubts.items():
        counts[strip] = 0
        counts[strip, 5:7] = (1 - doubt, doubt)
    covered = np.zeros(26, np.float32)
    covered[list(hidden)] = 0.9
    return replace(scores, counts=counts, hidden=covered)


def test_the_most_doubtful_stacks_are_looked_at_again_and_only_they(net: StripNet, table: Table) -> None:
    scores = net.look(table.picture(), table.pose)

    def asked(doubts: dict[int, float], hidden: tuple[int, ...] = ()) -> list[int]:
        doubtful = doubting(scores, doubts, hidden)
        return possible_stacks(doubtful, doubtful.counts[:24].max(1))

    assert asked({}) == []
    assert asked({3: 0.001, 7: 0.3, 9: 0.45}) == [9, 7]
    assert asked({7: 0.3, 9: 0.45}, hidden=(9,)) == [7]
    assert asked({strip: 0.1 + strip / 100 for strip in range(10)}) == list(range(9, 9 - MOST, -1))


def test_what_was_not_asked_stays_as_it_was(net: StripNet, close: CloseLook, table: Table) -> None:
    frame = table.picture(STACKS)
    scores = doubting(net.look(frame, table.pose), {5: 0.4})
    sharper = close.sharpen(scores, frame, table.pose, [5])
    others = [strip for strip in range(26) if strip != 5]
    assert np.array_equal(sharper.counts[others], scores.counts[others])
    assert sharper.counts[5].sum() == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("tilt_deg", [12.0, 30.0])
def test_a_club_boards_second_layers_are_counted(tilt_deg: float, net: StripNet, close: CloseLook) -> None:
    table = make_table(club_style(), (1920, 1080), tilt_deg)
    reading = CheckerReader(net, close).read(table.picture(STACKS), table.pose)
    assert tuple(place.count for place in reading.points) == STACKS


def test_close_strips_show_the_same_place_at_twice_the_detail(table: Table) -> None:
    frame = table.picture(SHORT_START)
    plain = cut_strips(frame, table.pose, (5, 18))
    close = cut_strips(frame, table.pose, (5, 18), CLOSE)
    for one, two in zip(plain, close, strict=True):
        assert two.shape == (one.shape[0] * CLOSE, one.shape[1] * CLOSE, 3)
        shrunk = cv2.resize(two, (one.shape[1], one.shape[0]), interpolation=cv2.INTER_AREA)
        assert np.abs(shrunk.astype(int) - one).mean() < 6


def test_samples_tell_every_layer_that_is_seen() -> None:
    shot = drawn_shots(900_001, 1)[0]
    sample = cut_stacks(shot, np.random.default_rng(1))
    assert sample is not None
    tops = {place: [c for c in shot.checkers if c.point == place + 1] for place in range(24)}
    highest = max(c.layer for stack in tops.values() for c in stack) + 1
    assert sample.levels.max() == highest
    assert drawn_odds().sum() == pytest.approx(1, abs=1e-5)
