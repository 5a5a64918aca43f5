"""Laws of what looks add up to."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.fusion.evidence import BoardLook, Evidence, Odds
from controller.fusion.hypotheses import HypothesisKind, View, hypotheses
from controller.rules import Game, Position, Roll, Side, legal_plays, ruleset, start
from tests.referee.tabletop import sure

counts = st.integers(-15, 15)


@st.composite
def odds(draw: st.DrawFn) -> Odds:
    chance = draw(st.floats(0.5, 0.999))
    first = draw(counts)
    return ((first, chance), (draw(counts.filter(lambda n: n != first)), 1 - chance))


@st.composite
def looks(draw: st.DrawFn) -> BoardLook:
    points = tuple(draw(odds()) for _ in range(24))
    return BoardLook(points, sure(0), sure(0), tuple(draw(st.sets(st.integers(0, 25), max_size=3))))


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(looks(), min_size=2, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_looks_changes_nothing(seen: list[BoardLook], rng: random.Random) -> None:
    shuffled = list(seen)
    rng.shuffle(shuffled)
    first, second = Evidence(), Evidence()
    for one, other in zip(seen, shuffled, strict=True):
        first, second = first.with_look(one), second.with_look(other)
    for here, there in zip(first.scores, second.scores, strict=True):
        assert here.keys() == there.keys()
        assert all(abs(here[count] - there[count]) < 1e-9 for count in here)


def look_at(position: Position, chance: float = 0.99) -> BoardLook:
    """A look at a position in White's numbering; White has the lighter set."""
    return BoardLook(
        tuple(sure(count, chance) for count in position.points),
        sure(position.bar[0], chance),
        sure(-position.bar[1], chance),
    )


GAMES = {Game.SHORT: "short-wbgf", Game.LONG: "long-fnr", Game.HYPER: "hyper"}


@settings(deadline=None)
@given(st.sampled_from(list(GAMES)), st.integers(1, 6), st.integers(1, 6), st.sampled_from(list(Side)), st.data())
def test_a_legal_end_seen_clearly_is_the_likeliest_story(
    game: Game, one: int, other: int, mover: Side, data: st.DataObject
) -> None:
    before = start(game)
    legal = legal_plays(before, Roll.of(one, other), ruleset(GAMES[game]), first_turn=True)
    end = data.draw(st.sampled_from(sorted(legal)))
    view = View(game, Side.WHITE, mover, game.checkers)
    white = end if mover is Side.WHITE else end.turned(game)
    evidence = Evidence().with_look(look_at(white)).with_look(look_at(white))
    best = hypotheses(evidence, before, legal, view)[0]
    assert best.after == end
    assert best.kind is HypothesisKind.LEGAL
    assert best.probability > 0.98


@settings(deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_an_illegal_end_seen_clearly_is_never_taken_for_a_legal_one(one: int, other: int, data: st.DataObject) -> None:
    before = start(Game.SHORT)
    legal = legal_plays(before, Roll.of(one, other), ruleset("short-wbgf"))
    points = list(before.points)
    source = data.draw(st.sampled_from([i for i, n in enumerate(points) if n > 0]))
    target = data.draw(st.sampled_from([i for i, n in enumerate(points) if n >= 0 and i != source]))
    points[source] -= 1
    points[target] += 1
    end = Position(tuple(points), before.bar, before.off)
    if end in legal:
        return
    view = View(Game.SHORT, Side.WHITE, Side.WHITE, 15)
    evidence = Evidence().with_look(look_at(end)).with_look(look_at(end))
    best = hypotheses(evidence, before, legal, view)[0]
    assert best.after == end
    assert best.kind is HypothesisKind.ILLEGAL
    assert best.probability > 0.98


def test_an_unseen_board_tells_every_legal_play_alike() -> None:
    before = start(Game.SHORT)
    legal = legal_plays(before, Roll.of(3, 1), ruleset("short-wbgf"))
    told = hypotheses(Evidence(), before, legal, View(Game.SHORT, Side.WHITE, Side.WHITE, 15), keep=100)
    chances = [story.probability for story in told if story.kind is HypothesisKind.LEGAL]
    assert max(chances) - min(chances) < 1e-9


def test_reeds_settle_a_count_that_the_camera_cannot() -> None:
    before = start(Game.SHORT)
    torn = [sure(count) for count in before.points]
    torn[5] = ((5, 0.5), (4, 0.5))
    look = BoardLook(tuple(torn), sure(0), sure(0))
    evidence = Evidence().with_look(look).with_reeds([(5, 4, 6)])
    assert evidence.scores[5][4] > evidence.scores[5][5]
