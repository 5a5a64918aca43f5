"""Who may give orders: a PIN opens a session, and too many wrong ones lock signing in for a while."""

import hmac
import secrets
from dataclasses import dataclass, field

TRIES = 5
LOCKED_MS = 60_000
SESSION_BYTES = 24


def new_pin() -> str:
    """Six random digits, to be printed where only the arbiter looks."""
    return f"{secrets.randbelow(1_000_000):06d}"


@dataclass(slots=True)
class SignIn:
    """Sessions opened with one PIN; time is an argument, in milliseconds of a monotonic clock."""

    pin: str
    _sessions: set[str] = field(default_factory=set)
    _wrong: int = 0
    _locked_until_ms: int = 0

    def locked_ms(self, now_ms: int) -> int:
        """How long nobody may try, in milliseconds; 0 when a PIN may be entered."""
        return max(0, self._locked_until_ms - now_ms)

    def open_session(self, pin: str, now_ms: int) -> str | None:
        """Return a new session's token for the right PIN, None for a wrong one or while signing in is locked."""
        if self.locked_ms(now_ms):
            return None
        if not hmac.compare_digest(pin.encode(errors="replace"), self.pin.encode()):
            self._wrong += 1
            if self._wrong >= TRIES:
                self._wrong, self._locked_until_ms = 0, now_ms + LOCKED_MS
            return None
        self._wrong = 0
        token = secrets.token_urlsafe(SESSION_BYTES)
        self._sessions.add(token)
        return token

    def knows(self, token: str | None) -> bool:
        """Is this the token of an open session."""
        return token is not None and token in self._sessions
