"""The virtual table: a physical world with two players, moved on by virtual time."""

import logging
from collections.abc import Callable
from pathlib import Path

from controller.adapters.shown import ShownPhase as Phase
from controller.rules import Ruleset
from controller.simulator.actions import Action, Helped, TableEntry, Verb
from controller.simulator.layout import Layout
from controller.simulator.plan import Habits, Tempo
from controller.simulator.players import Intent, intent
from controller.simulator.table_state import Stage, TableState, with_entry
from controller.simulator.tablefile import CannotPlayError, Header, TableFile
from controller.simulator.visible import VisibleState
from controller.simulator.world import World

logger = logging.getLogger(__name__)

Listener = Callable[[TableEntry, World], None]
"""Is told each action and the table after it, once the table file has it."""


class VirtualTable:
    """A table that remembers everything in ``path`` and goes on from there.

    ``games``: how many games at most (a match ends earlier when its length is reached).
    Raises CannotPlayError for a ruleset the players do not know, TableFileError for another table's file.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        path: Path,
        *,
        seed: int = 1,
        games: int = 1,
        faults: bool = False,
        tempo: Tempo | None = None,
        layout: Layout | None = None,
    ) -> None:
        if ruleset.cascade:
            msg = f"the virtual players cannot play a cascade of doubles: ruleset {ruleset.name!r} needs people"
            raise CannotPlayError(msg)
        self.habits = Habits(ruleset, seed, games, faults, tempo or Tempo(), layout or Layout())
        self._file = TableFile(path, Header(ruleset=ruleset.name, seed=seed, games=games, faults=faults))
        self.state = TableState()
        for entry in self._file.entries:
            self.state = with_entry(self.state, entry)
        self._now_ms = self.state.at_ms
        self._listeners: list[Listener] = []
        self._wanted: tuple[Intent, int] | None = None
        self._seen: VisibleState | None = None
        self._came_on_paused = False
        self._looked: tuple[TableState, VisibleState | None, Intent | None] | None = None

    @property
    def now_ms(self) -> int:
        """Table time: a resumed run starts from its last action; within a listener's call, when the action was done."""
        return self._now_ms

    @property
    def world(self) -> World:
        """The table as it lies."""
        return self.state.world

    @property
    def done(self) -> bool:
        """Tell whether the players have got up."""
        return self.state.stage is Stage.DONE

    @property
    def entries(self) -> tuple[TableEntry, ...]:
        """Everything that was done at this table, in order."""
        return tuple(self._file.entries)

    def listen(self, listener: Listener) -> None:
        """Call ``listener`` after each action from now on."""
        self._listeners.append(listener)

    def show(self, seen: VisibleState | None) -> None:
        """Let the players see the referee's display; None: it is dark.

        A display that comes on paused belongs to a referee who was started again: the virtual arbiter lets the match
        go on. A pause that begins while people look was somebody's wish, and lasts until they end it.
        """
        paused = seen is not None and seen.phase is Phase.PAUSED
        self._came_on_paused = paused and (self._seen is None or self._came_on_paused)
        self._seen = seen

    def advance(self, now_ms: int) -> None:
        """Let everything happen that is due by ``now_ms``, in milliseconds of table time."""
        just_done = False
        while True:
            wish = self._wish()
            if wish is None:
                self._wanted = None
                break
            if self._wanted is None or self._wanted[0] != wish:
                # A wish that follows from an action starts with it; one that follows from the display starts now.
                self._wanted = (wish, self.state.at_ms if just_done else max(now_ms, self.state.at_ms))
            due_ms = self._wanted[1] + wish.delay_ms
            if due_ms > now_ms:
                break
            self._do(wish.action, due_ms)
            self._wanted = None
            just_done = True
        self._now_ms = max(now_ms, self._now_ms)

    def close(self) -> None:
        """Close the table file."""
        self._file.close()

    def _wish(self) -> Intent | None:
        if self._came_on_paused:
            return Intent(Helped(Verb.RESUME), self.habits.tempo.arbiter)
        if self._looked is None or self._looked[0] is not self.state or self._looked[1] != self._seen:
            self._looked = (self.state, self._seen, intent(self.state, self._seen, self.habits))
        return self._looked[2]

    def _do(self, action: Action, at_ms: int) -> None:
        self._now_ms = at_ms
        entry = TableEntry(at_ms, action)
        self._file.append(entry)
        self.state = with_entry(self.state, entry)
        logger.debug("%d ms: %s", at_ms, action)
        for listener in self._listeners:
            listener(entry, self.state.world)
