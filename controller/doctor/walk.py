"""The walk over a new board: lay a checker on each slot in turn and see that its reed answers, and no other. Pure."""

from collections.abc import Iterator

from controller.doctor.findings import ButtonsNamed, Finding, ReedsNamed, fault, note, ok
from firmware_bridge.rig import Rig
from firmware_bridge.values import ButtonPress, LinkBack, LinkLost, LinkValue, ReedFrame, SensorsLost, Trouble

MOST_NAMED = 12
"""Reeds that are named at the end; the count covers the rest."""


class Walk:
    """Follows what the board reports, and knows what has not answered yet."""

    def __init__(self, rig: Rig) -> None:
        self._at = {slot: (place, index) for place, slots in rig.slots.items() for index, slot in enumerate(slots, 1)}
        self._silent = set(self._at)
        self._buttons = set(rig.buttons)
        self._closed: frozenset[int] | None = None
        self.heard = False
        """Whether the board has reported anything of itself."""

    @property
    def done(self) -> bool:
        """Whether everything has answered."""
        return not self._silent and not self._buttons

    def hear(self, value: LinkValue) -> Iterator[Finding]:
        """Report what ``value`` means to whoever walks."""
        match value:
            case ReedFrame(occupied=occupied):
                self.heard = True
                yield from self._felt(frozenset(occupied) & self._at.keys())
            case ButtonPress(button=button):
                self.heard = True
                self._buttons.discard(button)
                yield ok("buttons", "walk.pressed", button=ButtonsNamed((button,)))
            case SensorsLost():
                yield fault("reeds", "reeds.silent")
            case LinkLost(why=why) if why is not Trouble.RESTARTED:
                # What lay there meanwhile has not answered: the next frame is a new beginning.
                self._closed = None
            case LinkBack():
                self.heard = True
                self._closed = None
            case _:
                return

    def end(self) -> Iterator[Finding]:
        """Report what has never answered."""
        if self._silent:
            first = ReedsNamed(tuple(self._at[slot] for slot in sorted(self._silent)[:MOST_NAMED]))
            yield fault("reeds", "walk.silent", count=len(self._silent), reeds=first)
        elif self._at:
            yield ok("reeds", "walk.all", count=len(self._at))
        if self._buttons:
            yield note("buttons", "walk.not_pressed", buttons=ButtonsNamed(tuple(sorted(self._buttons))))

    def _felt(self, closed: frozenset[int]) -> Iterator[Finding]:
        before, self._closed = self._closed, closed
        if before is None:
            return
        self._silent -= closed ^ before
        for slots, key in ((closed - before, "walk.closed"), (before - closed, "walk.opened")):
            if slots:
                yield ok("reeds", key, reeds=ReedsNamed(tuple(self._at[slot] for slot in sorted(slots))))
