"""When is a bouncing contact really closed? Pure: edges come with their times, and so does the question.

gpiozero's own software debounce drops edges and its mock factory ignores it; the microcontroller's debounce is in C.
"""

from dataclasses import dataclass, replace

CLOSE_MS = 3
"""A contact has to stay closed this long to count, so that a spark on a long cable is no press."""
OPEN_MS = 20
"""A contact has to stay open this long before the next press can count; bounces on letting go are shorter."""


@dataclass(frozen=True, slots=True)
class Contact:
    """One contact, its steady state and the change that is still being watched. Times in milliseconds."""

    closed: bool = False
    """The steady state."""
    wavering_since_ms: float | None = None
    """First edge away from the steady state; None while nothing is going on."""
    level: bool = False
    """Closed as of the last edge."""
    level_since_ms: float = 0.0

    def edge(self, at_ms: float, *, closed: bool) -> tuple["Contact", float | None]:
        """Return the contact after an edge at ``at_ms``, and the time of a press that this made certain."""
        settled, pressed = self.settle(at_ms)
        if closed == settled.level:
            return settled, pressed
        since = settled.wavering_since_ms
        if since is None:
            since = at_ms
        return replace(settled, level=closed, level_since_ms=at_ms, wavering_since_ms=since), pressed

    def settle(self, now_ms: float) -> tuple["Contact", float | None]:
        """Return the contact as it is known at ``now_ms``, and the time of the press if one became certain.

        The press is dated to the first edge of its bouncing, not to the moment of certainty.
        """
        if self.wavering_since_ms is None or now_ms - self.level_since_ms < self._patience_ms():
            return self, None
        quiet = replace(self, closed=self.level, wavering_since_ms=None)
        pressed = self.wavering_since_ms if self.level and not self.closed else None
        return quiet, pressed

    def certain_at_ms(self) -> float | None:
        """Return when ``settle`` will know more if no further edge comes; None when nothing is going on."""
        return None if self.wavering_since_ms is None else self.level_since_ms + self._patience_ms()

    def _patience_ms(self) -> int:
        return OPEN_MS if self.closed and not self.level else CLOSE_MS
