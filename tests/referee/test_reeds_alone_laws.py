"""Whatever lies on the board and whatever one reed tells of it: by touch the play that was made is scored, or none."""

import random
from dataclasses import dataclass

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from controller.referee.events import Device, DeviceChanged, ReedsChanged, Scene, SceneChanged, SlotDoubted, SlotFault
from controller.referee.orders import Correct, SetRoll
from controller.referee.rulings import PlayRuling, PlayVerdict
from controller.rules import Position, Roll, Side, arranged, legal_plays, ruleset, start
from tests.referee.tabletop import Table

pytestmark = pytest.mark.slow  # many examples

SLOTS, BAR_SLOTS = 6, 2
RULES = ruleset("short-wbgf")

seeds = st.integers(0, 2**32)


@dataclass(frozen=True, slots=True)
class Turn:
    """White's turn somewhere in a game; ``ends`` are all legal ones."""

    before: Position
    roll: Roll
    ends: tuple[Position, ...]


def thrown(rng: random.Random) -> Roll:
    low, high = sorted((rng.randint(1, 6), rng.randint(1, 6)))
    return Roll(high, low)


def somewhere(rng: random.Random, plies: int) -> Turn:
    """A turn after so many random plies, with no stack higher than its reeds: those above them cannot be felt."""
    position = start(RULES.game)
    for _ in range(plies):
        position = rng.choice(sorted(legal_plays(position, thrown(rng), RULES))).turned(RULES.game)
        assume(RULES.game.checkers not in position.off)
    roll = thrown(rng)
    turn = Turn(position, roll, tuple(sorted(legal_plays(position, roll, RULES))))
    assume(position not in turn.ends)
    assume(all(max(map(abs, end.points)) <= SLOTS and max(end.bar) <= BAR_SLOTS for end in (position, *turn.ends)))
    return turn


def felt(position: Position) -> dict[int, int]:
    """Closed reeds of each row."""
    return {row: abs(count) for row, count in enumerate(position.points)} | {24: position.bar[0], 25: position.bar[1]}


def feel(table: Table, closed: dict[int, int]) -> None:
    rows = tuple((row, shut, SLOTS if row < 24 else BAR_SLOTS) for row, shut in closed.items())
    table.happens(ReedsChanged(table.later(), rows))


def to_play(turn: Turn) -> Table:
    """White has thrown, the camera sees nothing wrong, and his clock runs."""
    table = Table(RULES)
    table.open_with(3, 1)
    table.press(Side.BLACK)
    table.order(Correct(turn.before, Side.WHITE))
    table.order(SetRoll((turn.roll.high, turn.roll.low)))
    table.white = turn.before
    feel(table, felt(turn.before))
    return table


def lose_camera(table: Table) -> None:
    table.happens(DeviceChanged(table.later(), Device.CAMERA, up=False, why="no_frame"))


def misplayed(rng: random.Random, turn: Turn) -> Position:
    """A legal end of which one checker went elsewhere, or one was borne off that should not have been."""
    end = rng.choice(turn.ends)
    points = list(end.points)
    own = [point for point, count in enumerate(points) if count > 0]
    assume(own)
    free = [point for point, count in enumerate(points) if 0 <= count < SLOTS]
    points[rng.choice(own)] -= 1
    home = not end.bar[0] and max(own) < 6
    off = home and rng.random() < 0.5
    if not off:
        points[rng.choice(free)] += 1
    wrong = Position(tuple(points), end.bar, (end.off[0] + off, end.off[1]))
    assume(wrong != turn.before)
    # Reeds see no colours: a checker that was hit can stand for the one that hit another, and nobody can feel that.
    # Else a checker that went elsewhere is missed in one row and felt in another; one too many borne off in one.
    assume(all(_rows_apart(wrong, each) >= (1 if off else 2) for each in turn.ends))
    return wrong


def _telling_row(rng: random.Random, wrong: Position, turn: Turn) -> int:
    """A row that tells ``wrong`` from the legal end nearest to it."""
    nearest = felt(min(turn.ends, key=lambda end: _rows_apart(wrong, end)))
    return rng.choice([row for row, shut in felt(wrong).items() if row < 24 and shut != nearest[row]])


def _rows_apart(one: Position, other: Position) -> int:
    return sum(here != there for here, there in zip(felt(one).values(), felt(other).values(), strict=True))


def verdicts(table: Table, since: int) -> list[PlayRuling]:
    return [ruling for ruling in table.rulings[since:] if isinstance(ruling, PlayRuling)]


def pressed_blind(table: Table) -> list[PlayRuling]:
    """What is ruled once White has pressed and nothing moves any more."""
    since = len(table.rulings)
    table.finger(Side.WHITE)
    for _ in range(10):
        table.tick()
    return verdicts(table, since)


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(0, 70))
def test_a_legal_play_is_scored_as_it_was_made_or_asked_about(seed: int, plies: int) -> None:
    rng = random.Random(seed)
    turn = somewhere(rng, plies)
    end = rng.choice(turn.ends)
    table = to_play(turn)
    lose_camera(table)
    feel(table, felt(end))
    (ruling,) = pressed_blind(table)
    # Reeds see no colours: where hits leave two stories a person is asked.
    assert ruling.verdict is PlayVerdict.PLEASE_LOOK or (ruling.verdict, ruling.after) == (PlayVerdict.ACCEPTED, end)


@settings(max_examples=100, deadline=None)
@given(seeds, st.integers(0, 90))
def test_an_illegal_play_is_never_scored_as_a_legal_one(seed: int, plies: int) -> None:
    rng = random.Random(seed)
    turn = somewhere(rng, plies)
    wrong = misplayed(rng, turn)
    table = to_play(turn)
    lose_camera(table)
    feel(table, felt(wrong))
    assert PlayVerdict.ACCEPTED not in {ruling.verdict for ruling in pressed_blind(table)}


@settings(max_examples=100, deadline=None)
@given(seeds, st.integers(0, 60), st.sampled_from(["stuck", "dead", "doubted"]))
def test_nor_when_one_reed_lies(seed: int, plies: int, fault: str) -> None:
    rng = random.Random(seed)
    turn = somewhere(rng, plies)
    wrong = misplayed(rng, turn)
    assume(wrong.off == turn.before.off)
    table = to_play(turn)
    lose_camera(table)
    closed, row = felt(wrong), _telling_row(rng, wrong, turn)
    if fault == "doubted":
        table.happens(SlotDoubted(table.later(), row, 1, SlotFault.DEAD))
    closed[row] = min(SLOTS, closed[row] + 1) if fault == "stuck" else max(0, closed[row] - 1)
    feel(table, closed)
    assert PlayVerdict.ACCEPTED not in {ruling.verdict for ruling in pressed_blind(table)}


@settings(max_examples=100, deadline=None)
@given(seeds, st.integers(0, 60))
def test_a_hand_over_the_board_that_tries_the_next_play_spoils_no_ruling(seed: int, plies: int) -> None:
    rng = random.Random(seed)
    turn = somewhere(rng, plies)
    end = rng.choice(turn.ends)
    reply = end.turned(RULES.game)
    tried = rng.choice(sorted(legal_plays(reply, thrown(rng), RULES))).turned(RULES.game)
    assume(RULES.game.checkers not in tried.off)
    table = to_play(turn)
    since = len(table.rulings)
    feel(table, felt(end))
    table.finger(Side.WHITE)
    table.happens(SceneChanged(table.later(), Scene.HAND))
    table.tick(500)
    feel(table, felt(tried))
    for _ in range(12):
        table.tick()
    told = verdicts(table, since)
    assert PlayVerdict.REFUSED not in {ruling.verdict for ruling in told}
    assert {ruling.after for ruling in told if ruling.verdict is PlayVerdict.ACCEPTED} <= {end}
    assert told, "nobody was asked"


def test_three_checkers_borne_off_are_not_scored_as_two() -> None:
    before = arranged(RULES.game, {3: 1, 2: 1, 1: 3}, {6: 1, 1: 4})
    turn = Turn(before, Roll(6, 5), tuple(legal_plays(before, Roll(6, 5), RULES)))
    table = to_play(turn)
    lose_camera(table)
    feel(table, felt(arranged(RULES.game, {1: 2}, {6: 1, 1: 4})))
    assert PlayVerdict.ACCEPTED not in {ruling.verdict for ruling in pressed_blind(table)}


def test_a_forced_play_that_nobody_saw_is_asked_about() -> None:
    before = arranged(RULES.game, {24: 1}, {19: 1})
    turn = Turn(before, Roll(6, 5), tuple(legal_plays(before, Roll(6, 5), RULES)))
    table = to_play(turn)
    table.happens(ReedsChanged(table.later(), ()))
    lose_camera(table)
    (ruling,) = pressed_blind(table)
    assert ruling.verdict is PlayVerdict.PLEASE_LOOK


def test_a_reed_that_chatters_blinds_nobody() -> None:
    table = to_play(Turn(start(RULES.game), Roll(3, 1), tuple(legal_plays(start(RULES.game), Roll(3, 1), RULES))))
    table.happens(SlotDoubted(table.later(), 3, 1, SlotFault.CHATTERING))
    end = min(legal_plays(start(RULES.game), Roll(3, 1), RULES))
    feel(table, felt(end))
    table.finger(Side.WHITE)
    table.white = end
    for number in range(6):
        feel(table, felt(end) | {3: number % 2})
        table.look(1)
    assert isinstance(table.last, PlayRuling)
    assert (table.last.verdict, table.last.after) == (PlayVerdict.ACCEPTED, end)
