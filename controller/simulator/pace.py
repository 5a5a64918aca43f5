"""How fast the virtual table's time runs: as the wall clock, some times faster, or as fast as the machine can."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """``frame_ms`` is the table time from one camera frame to the next; ``speed`` None waits for nothing.

    Raises ValueError for a speed or frame time that is not above zero.
    """

    frame_ms: int = 100
    speed: float | None = None

    def __post_init__(self) -> None:
        if self.frame_ms <= 0 or (self.speed is not None and self.speed <= 0):
            msg = f"time has to go on: frame_ms={self.frame_ms}, speed={self.speed}"
            raise ValueError(msg)

    def frames(
        self,
        start_ms: int,
        *,
        wall_s: Callable[[], float] = time.monotonic,
        sleep_s: Callable[[float], None] = time.sleep,
    ) -> Iterator[int]:
        """Yield the table time of one camera frame after the other, each when it is due.

        A machine too slow for the speed gets the frames late, never fewer of them: virtual time waits for it.
        """
        now_ms, begun_s = start_ms, wall_s()
        while True:
            now_ms += self.frame_ms
            if self.speed is not None:
                due_s = begun_s + (now_ms - start_ms) / 1000.0 / self.speed
                late_s = wall_s() - due_s
                if late_s < 0.0:
                    sleep_s(-late_s)
                else:
                    begun_s += late_s
            yield now_ms
