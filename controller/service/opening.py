"""Begin a match, or go on with the one that the journal holds."""

from dataclasses import dataclass

from controller.clock import Millis
from controller.ports import Journal, KeepsJournal, ReadsJournal
from controller.ports.entries import Heard, Ruled
from controller.referee.events import MatchOpened, Restarted
from controller.referee.fold import fold, open_match
from controller.referee.orders import OrderRefusedError
from controller.referee.state import Phase, State


@dataclass(frozen=True, slots=True)
class Opened:
    """A match to referee; ``resumed`` when the journal already held it, ``last_ruled`` the last ruling it holds."""

    state: State
    resumed: bool
    last_ruled: Ruled | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a journal holds: the match as it was opened, the state after everything, the last ruling."""

    match: MatchOpened
    state: State
    last_ruled: Ruled | None

    @property
    def over(self) -> bool:
        """Whether the match has been won."""
        return self.state.phase is Phase.MATCH_OVER

    def is_another(self, wanted: MatchOpened) -> bool:
        """Whether other people are wanted to play, or by other rules."""
        mine = self.match
        return (mine.rules, mine.white, mine.black) != (wanted.rules, wanted.white, wanted.black)


def open_or_resume(journal: KeepsJournal, match: MatchOpened) -> Opened:
    """Go on with what the journal holds and note the restart, or begin ``match`` in an empty journal.

    Raises OSError when the journal cannot be read or written.
    """
    found = found_in(journal)
    return begin(journal, match) if found is None else resume(journal, found, match.at)


def begin(journal: Journal, match: MatchOpened) -> Opened:
    """Begin ``match`` in an empty journal; raises JournalError when it cannot be written."""
    journal.append([match])
    return Opened(open_match(match), resumed=False)


def resume(journal: Journal, found: Found, at: Millis) -> Opened:
    """Note the restart at ``at``; raises JournalError when it cannot be written."""
    restart = Restarted(at)
    journal.append([restart])
    return Opened(fold(found.state, restart)[0], resumed=True, last_ruled=found.last_ruled)


def found_in(journal: ReadsJournal) -> Found | None:
    """Fold everything the journal holds; None when it is empty.

    Raises ValueError when the journal does not begin with a match.
    """
    match: MatchOpened | None = None
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
                msg = f"the journal begins with {event.kind}, not with match_opened: it is none of this program"
                raise ValueError(msg)
            match, state = event, open_match(event)
            continue
        try:
            state, _ = fold(state, event)
        except OrderRefusedError:
            # Refused then, refused now: the order changed nothing.
            continue
    return None if match is None or state is None else Found(match, state, last_ruled)
