"""The clock against one that is built the other way: counters that a tick moves by one millisecond."""

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.clock import Clock, Control, Millis, TimeMethod

LEFT, RIGHT = "left", "right"


@dataclass
class TickingClock:
    """Hands, springs and flags; nothing is computed from moments."""

    method: TimeMethod
    delay: int
    hands: dict[str, int]
    turn: str | None = None
    running: bool = False
    delay_left: int = 0
    used: int = 0
    now: int = 0
    fallen: list[tuple[str, int]] = field(default_factory=list)

    def begin(self, side: str) -> None:
        self.turn, self.running, self.used = side, True, 0
        self.delay_left = self.delay
        self.look()

    def look(self) -> None:
        """Drop the flag of the side whose hand is at zero with nothing to hold it."""
        if not self.running or self.turn is None or self.method is TimeMethod.NONE:
            return
        held = self.method is TimeMethod.SIMPLE_DELAY and self.delay_left > 0
        if self.hands[self.turn] == 0 and not held and all(side != self.turn for side, _ in self.fallen):
            self.fallen.append((self.turn, self.now))

    def tick(self) -> None:
        self.now += 1
        if not self.running or self.turn is None:
            return
        self.used += 1
        waits = self.method is TimeMethod.SIMPLE_DELAY and self.delay_left > 0
        self.delay_left = max(0, self.delay_left - 1)
        if not waits and self.method is not TimeMethod.NONE and self.hands[self.turn] > 0:
            self.hands[self.turn] -= 1
            if self.method is TimeMethod.HOURGLASS:
                self.hands[self.other()] += 1
        self.look()

    def other(self) -> str:
        return RIGHT if self.turn == LEFT else LEFT

    def finish(self) -> None:
        """Give back what the method gives back at the end of a stretch of a turn."""
        if self.turn is None or any(side == self.turn for side, _ in self.fallen):
            return
        if self.method in {TimeMethod.BRONSTEIN, TimeMethod.BRONSTEIN_CREDIT}:
            self.hands[self.turn] += min(self.used, self.delay)

    def press(self) -> None:
        assert self.turn is not None
        self.finish()
        if self.method is TimeMethod.FISCHER and all(side != self.turn for side, _ in self.fallen):
            self.hands[self.turn] += self.delay
        self.begin(self.other())

    def restart_delay(self) -> None:
        running = self.running
        self.finish()
        self.used, self.delay_left = 0, self.delay
        self.running = running
        self.look()

    def stop(self) -> None:
        self.finish()
        self.turn, self.running = None, False


actions = st.one_of(
    st.tuples(st.just("wait"), st.integers(0, 12)),
    st.tuples(
        st.sampled_from(["press", "pause", "resume", "restart_delay", "stop", "set left", "set right"]),
        st.integers(0, 15),
    ),
)


@settings(max_examples=300)
@given(st.sampled_from(TimeMethod), st.integers(0, 6), st.integers(0, 25), st.lists(actions, min_size=1, max_size=25))
def test_both_clocks_always_show_the_same(
    method: TimeMethod, delay: int, reserve: int, script: list[tuple[str, int]]
) -> None:
    clock = Clock.fresh(Control(method, Millis(delay)), (LEFT, RIGHT), Millis(reserve)).start(LEFT, Millis(0))
    credit = delay if method is TimeMethod.BRONSTEIN_CREDIT else 0
    ticking = TickingClock(method, delay, {LEFT: reserve + credit, RIGHT: reserve + credit})
    ticking.begin(LEFT)
    delayed = method in {TimeMethod.SIMPLE_DELAY, TimeMethod.BRONSTEIN, TimeMethod.BRONSTEIN_CREDIT}
    for action, amount in script:
        now = Millis(ticking.now)
        match action:
            case "wait":
                for _ in range(amount):
                    ticking.tick()
            case "press" if clock.running is not None:
                clock = clock.press(now)
                ticking.press()
            case "pause":
                clock = clock.pause(now)
                ticking.running = False
            case "resume" if clock.turn is not None:
                clock = clock.resume(now)
                ticking.running = True
            case "restart_delay":
                clock = clock.restart_delay(now)
                ticking.restart_delay()
            case "stop":
                clock = clock.stopped(now).start(RIGHT, now)
                ticking.stop()
                ticking.begin(RIGHT)
            case "set left" | "set right":
                side = action.removeprefix("set ")
                clock = clock.with_reserve(side, Millis(amount + 1), now)
                ticking.hands[side] = amount + 1
                ticking.fallen = [fall for fall in ticking.fallen if fall[0] != side]
        now = Millis(ticking.now)
        assert {side: clock.reserve(side, now) for side in (LEFT, RIGHT)} == ticking.hands
        assert [(fall.side, fall.at_ms) for fall in clock.flags(now)] == ticking.fallen
        if clock.turn is not None and delayed:
            assert clock.delay_left(now) == ticking.delay_left
        assert clock.turn == ticking.turn
        assert (clock.running is not None) == ticking.running
