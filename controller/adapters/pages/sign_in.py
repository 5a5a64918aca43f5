"""Who may give orders: a PIN opens a session. Wrong PINs lock out the address they come from, and nobody else."""

import hmac
import secrets
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import IPv6Address, ip_address, ip_network

from controller.adapters.pages.sign_in_file import Kept, SignInFile

TRIES = 5
LOCKED_MS = 60_000
ADDRESSES = 1000
"""So many addresses are remembered. Whoever has more is guessing at 5000 PINs a minute at most, of a million."""
SESSIONS = 50
"""So many sessions are kept; the oldest closes first."""
SESSION_BYTES = 24
PIN_DIGITS = 6
NETWORK_BITS = 64
"""One host may choose among all addresses of its IPv6 network of this many bits."""


def new_pin() -> str:
    """Six random digits, to be printed where only the arbiter looks."""
    return f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}d}"


def sender_of(host: str) -> str:
    """What tries are counted by: an IPv4 address, or the network that an IPv6 address is one of."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or ip_network((address, NETWORK_BITS), strict=False))


@dataclass(slots=True)
class _Tries:
    """Wrong PINs of one sender."""

    wrong: int = 0
    locked_until_ms: int = 0


class SignIn:
    """Sessions opened with one PIN; time is an argument, in milliseconds of a monotonic clock.

    Without a ``pin`` one is made up. With a ``file`` a PIN that was made up and the open sessions outlive the process;
    another PIN in the settings closes them all. ``new`` tells whether the PIN was made up just now: it has to be shown.
    """

    def __init__(self, pin: str | None = None, file: SignInFile | None = None) -> None:
        kept = (file.read() if file else None) or Kept()
        made_before = kept.pin if kept.made_up else ""
        self.new = pin is None and not made_before
        self.pin = pin or made_before or new_pin()
        self._made_up = pin is None
        self._file = file
        self._sessions = list(kept.sessions) if kept.pin == self.pin else []
        self._tries: OrderedDict[str, _Tries] = OrderedDict()
        if kept.pin != self.pin:
            self._keep()

    def locked_ms(self, sender: str, now_ms: int) -> int:
        """How long ``sender`` may not try, in milliseconds; 0 when a PIN may be entered."""
        tries = self._tries.get(sender)
        return max(0, tries.locked_until_ms - now_ms) if tries else 0

    def open_session(self, pin: str, sender: str, now_ms: int) -> str | None:
        """Return a new session's token for the right PIN, None for a wrong one or while ``sender`` is locked out."""
        if self.locked_ms(sender, now_ms):
            return None
        if not hmac.compare_digest(pin.encode(errors="replace"), self.pin.encode()):
            self._count_wrong(sender, now_ms)
            return None
        self._tries.pop(sender, None)
        token = secrets.token_urlsafe(SESSION_BYTES)
        self._sessions = [*self._sessions, _hash(token)][-SESSIONS:]
        self._keep()
        return token

    def knows(self, token: str | None) -> bool:
        """Is this the token of an open session."""
        return token is not None and _hash(token) in self._sessions

    def close(self, token: str) -> None:
        """End the session with this token; harmless where there is none."""
        if self.knows(token):
            self._sessions.remove(_hash(token))
            self._keep()

    def _count_wrong(self, sender: str, now_ms: int) -> None:
        tries = self._tries.setdefault(sender, _Tries())
        self._tries.move_to_end(sender)
        tries.wrong += 1
        if tries.wrong >= TRIES:
            self._tries[sender] = _Tries(locked_until_ms=now_ms + LOCKED_MS)
        while len(self._tries) > ADDRESSES:
            self._tries.popitem(last=False)

    def _keep(self) -> None:
        if self._file is not None:
            self._file.write(Kept(pin=self.pin, made_up=self._made_up, sessions=tuple(self._sessions)))


def _hash(token: str) -> str:
    """What is kept of a token: whoever reads the file cannot sign in with it."""
    return sha256(token.encode(errors="replace")).hexdigest()
