"""Rule a recorded match again: the journal's events are folded by today's program, and its rulings compared."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from controller.formats.notation import play_text
from controller.ports.entries import Entry, Heard, Ruled
from controller.referee.events import MatchOpened
from controller.referee.fold import fold, open_match
from controller.referee.orders import OrderRefusedError
from controller.referee.rulings import PlayRuling, Ruling
from controller.referee.state import State


@dataclass(frozen=True, slots=True)
class RuledAgain:
    """A ruling of the journal and that of today's program on the same events.

    ``row`` is the journal's row of the ruling, or of the event on which only today's program rules. ``recorded`` None:
    the journal has no such ruling; ``today`` None: today's program makes none there.
    """

    row: int
    recorded: Ruling | None
    today: Ruling | None

    @property
    def same(self) -> bool:
        """Whether today's program rules the same: what was ruled, on whom, by whom and why."""
        if self.recorded is None or self.today is None:
            return False
        return _substance(self.recorded) == _substance(self.today)


def ruled_again(rows: Iterable[tuple[int, Entry]]) -> Iterator[RuledAgain]:
    """Fold the rows of a journal again and compare each ruling.

    A ruling that differs changes the state that the rest is ruled in: what follows it may differ for that reason.
    Raises ValueError when the rows do not begin with a match.
    """
    state: State | None = None
    made: list[Ruling] = []
    made_on = 0
    for row, entry in rows:
        match entry:
            case Heard():
                continue
            case Ruled(ruling=recorded):
                yield RuledAgain(row, recorded, made.pop(0) if made else None)
                continue
            case MatchOpened() if state is None:
                state = open_match(entry)
                continue
            case _ if state is None:
                msg = f"the journal begins with {entry.kind}, not with match_opened: it is none of this program"
                raise ValueError(msg)
        yield from (RuledAgain(made_on, None, today) for today in made)
        made, made_on = [], row
        try:
            state, rulings = fold(state, entry)
        except OrderRefusedError:
            # An order that was carried out then and is refused now: the rulings that followed it are missed below.
            continue
        made = list(rulings)
    yield from (RuledAgain(made_on, None, today) for today in made)


def _substance(ruling: Ruling) -> tuple[object, ...]:
    """What a ruling says, without its number, its pictures and how sure it was."""
    if isinstance(ruling, PlayRuling):
        faults = tuple(found.key for found in ruling.faults)
        play = play_text(ruling.play)
        return ("play", ruling.side, ruling.roll, ruling.verdict, ruling.judge, ruling.after, play, faults)
    return ("throw", ruling.side, ruling.outcome, ruling.judge, ruling.values, ruling.reason, ruling.rethrown)
