"""What a journal holds of its dice: every throw that counted, set by set, for the fairness log."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from controller.ports.entries import Entry, Ruled
from controller.referee.events import MatchOpened, Ordered
from controller.referee.orders import Correct, Undo
from controller.referee.rulings import Judge, PlayRuling, PlayVerdict, ThrowOutcome, ThrowRuling
from controller.rules import Side


@dataclass(frozen=True, slots=True)
class CountedThrow:
    """What one set of dice showed in a throw that counted: two faces, or one in the opening throw."""

    side: Side
    player: str
    faces: tuple[int, ...]


def counted_throws(entries: Iterable[Entry]) -> tuple[CountedThrow, ...]:
    """The throws of a journal in their order, as they finally counted.

    The opening throw, a tie too, is a throw of each set with one die. Void throws are left out. A roll that the arbiter
    set otherwise counts as it was set; one that had to be thrown again does not count.
    """
    log = _Log()
    for entry in entries:
        match entry:
            case MatchOpened():
                log.names = {Side.WHITE: entry.white, Side.BLACK: entry.black}
                log.anew = entry.rules.opening_dice == "reroll"
            case Ordered(order=Correct()):
                log.close()
            case Ordered(order=Undo()):
                log.reopen()
            case Ruled(ruling=PlayRuling(verdict=PlayVerdict.ACCEPTED)):
                log.close()
            case Ruled(ruling=ThrowRuling(rethrown=None) as ruling):
                log.take(ruling)
            case _:
                pass
    return (*log.closed, *log.open)


class _Log:
    """The throws that are settled, and the last one, which may still be read or ruled on otherwise."""

    def __init__(self) -> None:
        self.names = {Side.WHITE: "", Side.BLACK: ""}
        self.anew = False
        """Whether the starter throws anew instead of playing the opening dice."""
        self.closed: list[CountedThrow] = []
        self.open: tuple[CountedThrow, ...] = ()

    def close(self) -> None:
        """Nothing changes the last throw any more."""
        self.closed += self.open
        self.open = ()

    def reopen(self) -> None:
        """The turn of the last throw is given back, so its roll may still be set otherwise."""
        if not self.open and self.closed:
            count = len(Side) if len(self.closed[-1].faces) == 1 else 1
            self.open = tuple(self.closed[-count:])
            del self.closed[-count:]

    def take(self, ruling: ThrowRuling) -> None:
        """Add a throw, or change or forget the last one."""
        set_otherwise = ruling.judge is Judge.ARBITER
        match ruling:
            case ThrowRuling(outcome=ThrowOutcome.VALID, side=None, values=(white, black)):
                # A tie stays thrown, whatever comes after it.
                if not (set_otherwise and self._opening) or self._tie:
                    self.close()
                self.open = (self._of(Side.WHITE, (white,)), self._of(Side.BLACK, (black,)))
            case ThrowRuling(outcome=ThrowOutcome.VALID, side=Side() as side, values=(first, second)):
                if set_otherwise and self._opening and not self.anew:
                    self.open = self._opening_as(side, first, second)
                    return
                if not set_otherwise or self._opening or not self.open or self.open[0].side is not side:
                    self.close()
                self.open = (self._of(side, (first, second)),)
            case ThrowRuling(outcome=ThrowOutcome.RE_ROLL, side=side) if set_otherwise and self.open:
                if self._tie or self._opening is not (side is None):
                    self.close()
                self.open = ()
            case _:
                pass

    @property
    def _opening(self) -> bool:
        return len(self.open) == len(Side)

    @property
    def _tie(self) -> bool:
        return self._opening and self.open[0].faces == self.open[1].faces

    def _of(self, side: Side, faces: tuple[int, ...]) -> CountedThrow:
        return CountedThrow(side, self.names[side], faces)

    def _opening_as(self, starter: Side, first: int, second: int) -> tuple[CountedThrow, ...]:
        """The opening throw as the arbiter sets the roll that came of it: the starter's die is the higher one."""
        faces = {starter: max(first, second), starter.other: min(first, second)}
        return tuple(replace(throw, faces=(faces[throw.side],)) for throw in self.open)


def by_set(
    throws: Iterable[CountedThrow], names: Mapping[Side, str] | None = None
) -> dict[str, Sequence[tuple[int, ...]]]:
    """Throws of each set of dice: of the set on each side of the board, called by ``names``, else of each player."""
    sets: dict[str, list[tuple[int, ...]]] = {}
    for throw in throws:
        sets.setdefault(names[throw.side] if names else throw.player, []).append(throw.faces)
    return dict(sets)
