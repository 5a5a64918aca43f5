"""The tournament clock of two sides as a frozen value; every method that depends on time is given the time."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from controller.clock.control import BRONSTEINS, DELAYED, ClockError, Control, Millis, TimeMethod

SideT = TypeVar("SideT", bound=Hashable)
NO_TIME = Millis(0)


@dataclass(frozen=True, slots=True)
class FlagFall(Generic[SideT]):
    """One side ran out of time, at this moment."""

    side: SideT
    at_ms: Millis


@dataclass(frozen=True, slots=True)
class Clock(Generic[SideT]):
    """A clock between two sides, changed only by making another one.

    Moments are monotonic milliseconds of one boot; a moment before the last change counts as that
    change, since presses and frames reach the referee a little out of order.
    """

    control: Control
    sides: tuple[SideT, SideT]
    stored_ms: tuple[Millis, Millis]
    """Reserves as the current turn found them, in the order of ``sides``."""
    turn: SideT | None = None
    """The side whose turn is timed, running or paused."""
    used_ms: Millis = NO_TIME
    """Time the turn had used when it was last paused."""
    since: Millis | None = None
    """When the turn began or was resumed; None while the clock stands."""
    falls: tuple[FlagFall[SideT], ...] = ()
    """Flags known to be down, the first to fall first."""

    def __post_init__(self) -> None:
        if self.sides[0] == self.sides[1]:
            msg = f"a clock needs two different sides, got {self.sides[0]!r} twice"
            raise ClockError(msg)
        if min(self.stored_ms) < 0:
            msg = f"a reserve needs 0 ms or more, got {min(self.stored_ms)} ms"
            raise ClockError(msg)

    @classmethod
    def fresh(cls, control: Control, sides: tuple[SideT, SideT], reserve_ms: Millis) -> "Clock[SideT]":
        """Return a standing clock with ``reserve_ms`` for each side (plus the delay where it is credited)."""
        credit = control.delay_ms if control.method is TimeMethod.BRONSTEIN_CREDIT else 0
        return cls(control, sides, (Millis(reserve_ms + credit), Millis(reserve_ms + credit)))

    @property
    def running(self) -> SideT | None:
        """The side whose time runs; None before the start, in a pause and after a game."""
        return None if self.since is None else self.turn

    @property
    def paused(self) -> bool:
        """Whether a turn is being timed but time stands."""
        return self.turn is not None and self.since is None

    def start(self, side: SideT, now: Millis) -> "Clock[SideT]":
        """Begin a turn of ``side``.

        Raises ClockError while a turn is timed: a press ends it, ``stopped`` abandons it.
        """
        self._place(side)
        if self.turn is not None:
            msg = f"cannot start {side!r}: the turn of {self.turn!r} is still timed"
            raise ClockError(msg)
        return replace(self, turn=side, used_ms=NO_TIME, since=now)

    def press(self, now: Millis) -> "Clock[SideT]":
        """End the running side's turn and begin the opponent's.

        Raises ClockError when nobody's time runs.
        """
        side = self.running
        if side is None:
            msg = "cannot press: nobody's time runs"
            raise ClockError(msg)
        bonus = self.control.delay_ms if self.control.method is TimeMethod.FISCHER else 0
        return replace(self._settled(now, bonus), turn=self.sides[1 - self._place(side)])

    def pause(self, now: Millis) -> "Clock[SideT]":
        """Let time stand within the turn; a standing clock stays as it is."""
        if self.since is None:
            return self
        return replace(self, used_ms=self._used(now), since=None, falls=self.flags(now))

    def resume(self, now: Millis) -> "Clock[SideT]":
        """Let the paused turn go on; a running clock stays as it is.

        Raises ClockError when no turn is timed.
        """
        if self.turn is None:
            msg = "cannot resume: no turn is timed, start one"
            raise ClockError(msg)
        return self if self.since is not None else replace(self, since=now)

    def unpaused(self, paused_at: Millis) -> "Clock[SideT]":
        """The clock as if the pause that began at ``paused_at`` had not been, for what was heard late and came before.

        A clock that is not paused stays as it is.
        """
        if not self.paused:
            return self
        return replace(self, used_ms=NO_TIME, since=Millis(paused_at - self.used_ms))

    def used(self, now: Millis) -> Millis:
        """Return the time this turn has used, pauses left out, in milliseconds; 0 while no turn is timed."""
        return NO_TIME if self.turn is None else self._used(now)

    def stopped(self, now: Millis) -> "Clock[SideT]":
        """End the turn without beginning another: a game is over, both reserves stay for the next one."""
        return replace(self._settled(now), turn=None, since=None)

    def restart_delay(self, now: Millis) -> "Clock[SideT]":
        """Give the side on turn its full delay again, as WBGF 2.1 does after a cocked throw.

        Reserve used so far stays used; a paused clock stays paused. Changes nothing where no delay is.
        """
        return self._settled(now)

    def forfeit_delay(self, now: Millis) -> "Clock[SideT]":
        """Take what is left of this turn's delay, as WBGF does from a side that threw before its turn (R12)."""
        used = Millis(self._used(now) + self.delay_left(now))
        return replace(self, used_ms=used, since=self._mark(now), falls=self.flags(now))

    def with_reserve(self, side: SideT, reserve_ms: Millis, now: Millis) -> "Clock[SideT]":
        """Set what ``side`` has at ``now``, in milliseconds, as an arbiter does; its flag goes up again.

        The delay that the turn has used stays used. Where the delay is credited at the start, what is
        set is what the clock shows, credit included.
        """
        # Settling would give a delay back; without one it only moves the turn's count into the reserves.
        base = self if self.control.method in DELAYED else self._settled(now)
        charged = self._charge(now) if base is self and side == self.turn else 0
        both = list(base.stored_ms)
        both[self._place(side)] = Millis(reserve_ms + charged)
        falls = tuple(fall for fall in self.flags(now) if fall.side != side)
        return replace(base, stored_ms=(both[0], both[1]), falls=falls)

    def rebased(self, old_now: Millis, new_now: Millis) -> "Clock[SideT]":
        """Carry the clock over to another monotonic time base, paused.

        ``old_now`` is the last moment known on the old base, ``new_now`` the same on the new one. Time
        between them is charged to nobody.
        """
        standing = self.pause(old_now)
        shift = new_now - old_now
        falls = tuple(FlagFall(fall.side, Millis(fall.at_ms + shift)) for fall in standing.falls)
        return replace(standing, falls=falls)

    def reserve(self, side: SideT, now: Millis) -> Millis:
        """Return what ``side`` has left at ``now``, in milliseconds, never below zero."""
        stored = self._stored(side)
        if self.turn is None:
            return stored
        if side == self.turn:
            return Millis(max(0, stored - self._charge(now)))
        return Millis(stored + self._given(now))

    def delay_left(self, now: Millis) -> Millis:
        """Return how much of this turn's delay is left, in milliseconds; 0 where there is none."""
        if self.turn is None or self.control.method not in DELAYED:
            return Millis(0)
        return Millis(max(0, self.control.delay_ms - self._used(now)))

    def falls_at(self) -> Millis | None:
        """Return when the running side's flag falls unless it presses, or fell; None when it cannot fall."""
        if self.since is None or self.turn is None or self.control.method is TimeMethod.NONE:
            return None
        for fall in self.falls:
            if fall.side == self.turn:
                return fall.at_ms
        free = self.control.delay_ms if self.control.method is TimeMethod.SIMPLE_DELAY else 0
        return Millis(self.since + max(0, self._stored(self.turn) + free - self.used_ms))

    def flags(self, now: Millis) -> tuple[FlagFall[SideT], ...]:
        """Return every flag that is down at ``now``, the first to fall first."""
        at_ms = self.falls_at()
        if at_ms is None or self.turn is None or at_ms > now or self._is_down(self.turn):
            return self.falls
        return (*self.falls, FlagFall(self.turn, at_ms))

    def flag(self, now: Millis) -> SideT | None:
        """Return the side whose flag fell first, or None while both are up."""
        flags = self.flags(now)
        return flags[0].side if flags else None

    def _place(self, side: SideT) -> int:
        try:
            return self.sides.index(side)
        except ValueError:
            msg = f"no side {side!r} on this clock; it has {self.sides[0]!r} and {self.sides[1]!r}"
            raise ClockError(msg) from None

    def _stored(self, side: SideT) -> Millis:
        return self.stored_ms[self._place(side)]

    def _is_down(self, side: SideT) -> bool:
        return any(fall.side == side for fall in self.falls)

    def _mark(self, now: Millis) -> Millis | None:
        """Return where a running turn counts on from; a standing one has no such moment."""
        return None if self.since is None else max(now, self.since)

    def _used(self, now: Millis) -> Millis:
        """Return the time this turn has used, pauses left out."""
        return self.used_ms if self.since is None else Millis(self.used_ms + max(0, now - self.since))

    def _charge(self, now: Millis) -> int:
        """Return what the turn has taken from the reserve so far, before any give-back."""
        match self.control.method:
            case TimeMethod.NONE:
                return 0
            case TimeMethod.SIMPLE_DELAY:
                return max(0, self._used(now) - self.control.delay_ms)
            case _:
                return self._used(now)

    def _given(self, now: Millis) -> int:
        """Return what the side on turn has passed to the other one: an hourglass loses no sand."""
        if self.turn is None or self.control.method is not TimeMethod.HOURGLASS:
            return 0
        return min(self._used(now), self._stored(self.turn))

    def _settled(self, now: Millis, bonus_ms: int = 0) -> "Clock[SideT]":
        """Book the turn so far and ``bonus_ms`` into the reserves and count from zero, the same side on turn."""
        if self.turn is None:
            return self
        falls = self.flags(now)
        left = max(0, self._stored(self.turn) - self._charge(now))
        if all(fall.side != self.turn for fall in falls):
            left += bonus_ms + (min(self._used(now), self.control.delay_ms) if self.control.method in BRONSTEINS else 0)
        place = self._place(self.turn)
        rest = Millis(self.stored_ms[1 - place] + self._given(now))
        both = (Millis(left), rest) if place == 0 else (rest, Millis(left))
        return replace(self, stored_ms=both, used_ms=NO_TIME, since=self._mark(now), falls=falls)
