"""Who may give orders: a PIN opens a session, and too many wrong ones close the door for a while."""

import hmac
import secrets
from dataclasses import dataclass, field

TRIES = 5
CLOSED_MS = 60_000
SESSION_BYTES = 24


def new_pin() -> str:
    """Six random digits, to be printed where only the arbiter looks."""
    return f"{secrets.randbelow(1_000_000):06d}"


@dataclass(slots=True)
class Door:
    """Sessions opened with one PIN; time is an argument, in milliseconds of a monotonic clock."""

    pin: str
    _sessions: set[str] = field(default_factory=set)
    _wrong: int = 0
    _closed_until_ms: int = 0

    def closed_ms(self, now_ms: int) -> int:
        """How long nobody may try, in milliseconds; 0 when the door can be knocked at."""
        return max(0, self._closed_until_ms - now_ms)

    def knock(self, pin: str, now_ms: int) -> str | None:
        """Return a new session's token for the right PIN, None for a wrong one or while the door is closed."""
        if self.closed_ms(now_ms):
            return None
        if not hmac.compare_digest(pin.encode(), self.pin.encode()):
            self._wrong += 1
            if self._wrong >= TRIES:
                self._wrong, self._closed_until_ms = 0, now_ms + CLOSED_MS
            return None
        self._wrong = 0
        token = secrets.token_urlsafe(SESSION_BYTES)
        self._sessions.add(token)
        return token

    def knows(self, token: str | None) -> bool:
        """Is this the token of an open session."""
        return token is not None and token in self._sessions
