"""What a journal tells about its dice: every throw that counted, set by set, for the fairness log."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from controller.referee.events import MatchOpened, Ordered
from controller.referee.orders import Correct
from controller.referee.rulings import PlayRuling, ThrowOutcome, ThrowRuling
from controller.rules import Side
from controller.service.entries import Entry, Ruled


@dataclass(frozen=True, slots=True)
class CountedThrow:
    """A throw of two dice that was played: who threw it, and what it showed."""

    side: Side
    player: str
    faces: tuple[int, int]


def counted_throws(entries: Iterable[Entry]) -> tuple[CountedThrow, ...]:
    """The throws of a journal in their order, as they finally counted.

    Void throws are left out, and opening throws too: there each set shows one die only. A roll that the arbiter set
    otherwise counts as he set it; one that he had thrown again does not count.
    """
    names = {Side.WHITE: "", Side.BLACK: ""}
    throws: list[CountedThrow] = []
    open_throw = False
    for entry in entries:
        if isinstance(entry, MatchOpened):
            names = {Side.WHITE: entry.white, Side.BLACK: entry.black}
        if isinstance(entry, Ordered) and isinstance(entry.order, Correct):
            open_throw = False
        if not isinstance(entry, Ruled):
            continue
        match entry.ruling:
            case ThrowRuling(outcome=ThrowOutcome.VALID, side=Side() as side, values=(first, second)):
                if open_throw and throws[-1].side is side:
                    # The same dice, read or ruled on once more.
                    throws[-1] = replace(throws[-1], faces=(first, second))
                else:
                    throws.append(CountedThrow(side, names[side], (first, second)))
                open_throw = True
            case ThrowRuling(outcome=ThrowOutcome.RE_ROLL):
                if open_throw:
                    throws.pop()
                open_throw = False
            case ThrowRuling(side=None) | PlayRuling():
                open_throw = False
            case _:
                pass
    return tuple(throws)


def by_set(
    throws: Iterable[CountedThrow], names: Mapping[Side, str] | None = None
) -> dict[str, Sequence[tuple[int, int]]]:
    """Throws of each set of dice: of the set on each side of the board, called by ``names``, else of each player."""
    sets: dict[str, list[tuple[int, int]]] = {}
    for throw in throws:
        sets.setdefault(names[throw.side] if names else throw.player, []).append(throw.faces)
    return dict(sets)
