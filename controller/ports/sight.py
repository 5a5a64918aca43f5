"""What the camera loop and the owner thread send each other, and what turns a picture into events."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from controller.clock import Millis
from controller.referee.events import DeviceChanged, Event
from controller.referee.rulings import DieAtRest

PictureT_contra = TypeVar("PictureT_contra", contravariant=True)


PICTURES_KEPT = 4
"""So many of the pictures that it has read a sight keeps: when a ruling is made, it may have gone a look further."""


@dataclass(frozen=True, slots=True)
class KnownPosition:
    """A position that was surely on the board in one look: whoever took that look can learn from it.

    ``number`` tells one occasion from the next: each is learnt once. ``seen_at`` is the time of the look. ``points``
    has 24 counts by White's numbering, p1 first, above zero for the lighter checkers; ``bar`` those of the lighter and
    of the darker set on it. ``ruled`` is true where a play was accepted, or a game begun, with just these checkers;
    else nothing was played since.
    """

    number: int
    seen_at: Millis
    points: tuple[int, ...]
    bar: tuple[int, int] = (0, 0)
    ruled: bool = True


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the owner thread wants of the camera, until it sends the next one.

    ``looks``: a ruling waits for a look although nothing moves. ``rolling_dice``: dice are followed while they roll.
    ``cube``: a doubling cube is played with. ``handled`` is the time of the last event of the camera that was handled.
    ``known`` is the last position to learn from; ``corrections`` counts how often the arbiter has put right what was
    known: a higher number than before makes everything that was learnt of the places doubtful.
    """

    looks: bool = True
    rolling_dice: bool = False
    cube: bool = False
    handled: Millis | None = None
    known: KnownPosition | None = None
    corrections: int = 0


@dataclass(frozen=True, slots=True)
class Taken:
    """Pictures of one look, JPEG: the whole frame, and the close-ups in the order in which the dice were asked for."""

    whole: bytes
    close_ups: tuple[bytes, ...]


class Sight(Protocol[PictureT_contra]):
    """Turns pictures into events, in the loop's thread, and keeps the last ``PICTURES_KEPT`` that it has read."""

    def see(self, picture: PictureT_contra, at: Millis, wanted: Wanted, /) -> Sequence[Event]:
        """Return what a picture taken at ``at`` shows that is new, or that was wanted."""
        ...

    def learn(self, known: KnownPosition, /) -> None:
        """Learn what the board looks like from the look that showed a known position."""
        ...

    def forget(self) -> None:
        """Forget what each place looked like: something that was learnt was not true."""
        ...

    def taken(self, at: Millis, dice: Sequence[DieAtRest], /) -> Taken | None:
        """Return the look that was the last at ``at``, with a close-up of each of ``dice``; None before any look.

        May be called from another thread.
        """
        ...


class Camera(Protocol):
    """The camera as the owner thread knows it. Nothing here waits for a picture."""

    def want(self, wanted: Wanted, /) -> None:
        """Send what is wanted from now on."""
        ...

    def silence(self, now: Millis, /) -> DeviceChanged | None:
        """Return the event that the camera is lost, once, when no picture has come for too long."""
        ...

    def taken(self, at: Millis, dice: Sequence[DieAtRest], /) -> Taken | None:
        """Return the look that was the last at ``at``, with a close-up of each of ``dice``; None before any look."""
        ...
