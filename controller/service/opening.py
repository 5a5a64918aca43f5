"""Begin a match, or go on with the one that the journal holds."""

from dataclasses import dataclass

from controller.adapters.journal import Journal, JournalReader
from controller.referee.events import MatchOpened, Restarted
from controller.referee.fold import fold, open_match
from controller.referee.orders import OrderRefusedError
from controller.referee.state import State
from controller.service.entries import Entry, Heard, Ruled


@dataclass(frozen=True, slots=True)
class Opened:
    """A match to referee; ``resumed`` when the journal already held it, ``last_ruled`` the last ruling it holds."""

    state: State
    resumed: bool
    last_ruled: Ruled | None = None


def open_or_resume(journal: Journal[Entry], match: MatchOpened) -> Opened:
    """Fold what the journal holds and note the restart, or begin ``match`` in an empty journal.

    Raises JournalError when the journal cannot be read or written.
    """
    state, last_ruled = rebuilt(journal)
    if state is None:
        journal.append([match])
        return Opened(open_match(match), resumed=False)
    restart = Restarted(match.at)
    journal.append([restart])
    return Opened(fold(state, restart)[0], resumed=True, last_ruled=last_ruled)


def rebuilt(journal: JournalReader[Entry]) -> tuple[State | None, Ruled | None]:
    """The state after everything the journal holds, None when it is empty, and the last ruling in it.

    Raises ValueError when the journal does not begin with a match.
    """
    state: State | None = None
    last_ruled: Ruled | None = None
    for entry in journal.entries():
        event = entry.event
        if isinstance(event, Ruled):
            last_ruled = event
            continue
        if isinstance(event, Heard):
            continue
        if state is None:
            if not isinstance(event, MatchOpened):
                msg = f"the journal {journal.path} begins with {event.kind}, not with match_opened"
                raise ValueError(msg)
            state = open_match(event)
            continue
        try:
            state, _ = fold(state, event)
        except OrderRefusedError:
            # Refused then, refused now: the order changed nothing.
            continue
    return state, last_ruled
