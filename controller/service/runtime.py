"""The running referee: devices post events, one thread owns the state, events are on the disk before their effects."""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, Queue
from threading import Event

from controller.formats.notation import play_text
from controller.ports import Journal, Pictures, PictureStore, Publisher, Time
from controller.ports.entries import CloseUp, Entry, Heard, Ruled
from controller.ports.updates import Answer, BoardNoticed, Command, CubeNoticed, Notice, OrderRefused, Update
from controller.referee import events
from controller.referee.events import Ordered, Ticked
from controller.referee.fold import fold
from controller.referee.orders import OrderRefusedError
from controller.referee.rulings import Ruling, ThrowRuling
from controller.referee.sight import looks_wanted
from controller.referee.state import Phase, State
from controller.referee.throws import die_at_rest

logger = logging.getLogger(__name__)

TICK_MS = 1000
ANSWER_S = 5.0


@dataclass(frozen=True, slots=True)
class Asked:
    """An order that waits for its answer."""

    command: Command
    answer: "Future[Answer]" = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class Halt:
    """The owner thread is asked to end."""


class Service:
    """Owns the state of one board.

    ``post`` and ``ask`` may be called from any thread; ``handle`` and ``run`` only from the one that owns the state.
    """

    def __init__(
        self,
        state: State,
        *,
        time: Time,
        journal: Journal,
        publishers: Sequence[Publisher],
        evidence: PictureStore,
        pictures: Pictures,
        last_ruled: Ruled | None = None,
    ) -> None:
        self.state = state
        self._last_ruled = last_ruled
        self._time = time
        self._journal = journal
        self._publishers = publishers
        self._evidence = evidence
        self._pictures = pictures
        self._inbox: Queue[events.Event | Heard | Asked | Halt] = Queue()
        self._unsaved: list[Entry] = []
        self._notices: list[Notice] = []
        self._published: State | None = None
        self._disk_fails = False
        self._silent: set[int] = set()
        self._stopped = Event()
        self._ticked_at = time.now_ms()

    @property
    def wants_looks(self) -> bool:
        """Whether a ruling waits for the table to be seen: the camera should look again although nothing moves."""
        return looks_wanted(self.state)

    def post(self, event: events.Event | Heard) -> None:
        """Hand over something that happened, or was said on a line and is only to be kept."""
        self._inbox.put(event)

    def ask(self, command: Command) -> Answer:
        """Carry out an order and wait for the answer; called from the pages' threads.

        Raises TimeoutError when the service does not answer in time, at once when it has been stopped.
        """
        if self._stopped.is_set():
            msg = "the referee has been stopped"
            raise TimeoutError(msg)
        asked = Asked(command)
        self._inbox.put(asked)
        return asked.answer.result(ANSWER_S)

    def order(self, command: Command) -> None:
        """Carry out an order without waiting for the answer."""
        self._inbox.put(Asked(command))

    def stop(self) -> None:
        """End ``run`` after what has been posted before."""
        self._inbox.put(Halt())

    def run(self, each_turn: Callable[[], None]) -> None:
        """Handle events until ``stop``; ``each_turn`` is called a few times a second, however little happens."""
        self.announce()
        while self.handle(wait_s=TICK_MS / 1000 / 4):
            each_turn()

    def handle(self, wait_s: float = 0.0) -> bool:
        """Handle everything that has been posted, waiting up to ``wait_s`` for the first; False after ``stop``."""
        goes_on = True
        answers: list[tuple[Asked, Answer]] = []
        rulings: list[Ruled] = []
        changed = False
        try:
            item = self._inbox.get(timeout=wait_s) if wait_s else self._inbox.get_nowait()
            while True:
                if isinstance(item, Halt):
                    goes_on = False
                    self._stopped.set()
                elif isinstance(item, Asked):
                    answers.append((item, self._carry_out(item.command, rulings)))
                elif isinstance(item, Heard):
                    self._keep(item)
                else:
                    self._fold(item, rulings)
                changed = changed or not isinstance(item, Heard)
                item = self._inbox.get_nowait()
        except Empty:
            pass
        changed = self._tick(rulings) or changed
        if changed or self._unsaved:
            self._save()
        if changed:
            self._publish(rulings)
        for asked, answer in answers:
            asked.answer.set_result(answer)
        return goes_on

    def announce(self) -> None:
        """Publish everything as it stands, with the last ruling of a resumed match."""
        self._publish([self._last_ruled] if self._last_ruled else [])

    def _keep(self, heard: Heard) -> None:
        if self.state.phase is not Phase.MATCH_OVER:
            self._unsaved.append(heard)

    def _fold(self, event: events.Event, rulings: list[Ruled]) -> None:
        before = self.state
        self.state, ruled = fold(before, event)
        # After the match the camera goes on looking; nothing comes of it, and nothing is kept.
        if self.state is not before:
            self._unsaved.append(event)
        if isinstance(event, events.BoardChecked):
            self._notices.append(BoardNoticed(event, before.board_checked))
        if noticed := CubeNoticed.between(before, self.state):
            self._notices.append(noticed)
        for ruling in ruled:
            entry = self._with_pictures(ruling, before)
            logger.info("ruling %d: %s", ruling.number, _summary(ruling))
            self._unsaved.append(entry)
            rulings.append(entry)

    def _carry_out(self, command: Command, rulings: list[Ruled]) -> Answer:
        now = self._time.now_ms()
        try:
            self._fold(Ordered(now, command.by, command.order, command.note), rulings)
        except OrderRefusedError as refused:
            reason = str(refused.args[0])
            self._notices.append(OrderRefused(now, command.by, reason))
            return Answer(refused=reason)
        return Answer()

    def _tick(self, rulings: list[Ruled]) -> bool:
        """Let a second pass while a clock runs or a pressed turn waits to be seen."""
        now = self._time.now_ms()
        timed = self.state.clock.running is not None or self.state.pressed_at is not None
        if not timed or now - self._ticked_at < TICK_MS:
            return False
        self._ticked_at = now
        self._fold(Ticked(now), rulings)
        return True

    def _with_pictures(self, ruling: Ruling, before: State) -> Ruled:
        """Keep what the ruling rests on: the whole picture, and a close-up of each die of the throw."""
        dice = (
            ruling.dice if isinstance(ruling, ThrowRuling) else tuple(die_at_rest(die) for die in before.in_play.dice)
        )
        taken = self._pictures.pictures(ruling.at, dice)
        if taken is None:
            return Ruled(ruling.at, ruling)
        try:
            whole = self._evidence.keep(taken.whole)
            close_ups = tuple(
                CloseUp(self._evidence.keep(picture), die) for picture, die in zip(taken.close_ups, dice, strict=True)
            )
        except OSError as error:
            logger.warning("the pictures of ruling %d could not be kept: %s", ruling.number, error)
            return Ruled(ruling.at, ruling)
        return Ruled(ruling.at, ruling, (whole,), close_ups)

    def _save(self) -> None:
        """Write what has happened; a disk that fails does not stop the match, what it lacks waits for the next try."""
        if not self._unsaved:
            return
        try:
            self._journal.append(self._unsaved)
        except OSError:
            if not self._disk_fails:
                logger.exception("the journal cannot be written; the match goes on, its entries wait for the disk")
            self._disk_fails = True
            return
        if self._disk_fails:
            logger.warning("the journal is written again, with the %d entries that waited", len(self._unsaved))
        self._disk_fails = False
        self._unsaved = []

    def _publish(self, rulings: Sequence[Ruled]) -> None:
        update = Update(self._published, self.state, tuple(rulings), tuple(self._notices))
        self._published, self._notices = self.state, []
        for number, publisher in enumerate(self._publishers):
            try:
                publisher.publish(update)
            except Exception:
                # A lamp or a network that fails in whatever way is no reason to stop refereeing.
                if number not in self._silent:
                    logger.exception("%s cannot publish; the match goes on", type(publisher).__name__)
                self._silent.add(number)
            else:
                self._silent.discard(number)


def _summary(ruling: Ruling) -> str:
    side = ruling.side.value if ruling.side else "opening"
    if ruling.kind == "throw":
        return (
            f"{side} throw {ruling.outcome.value} {ruling.values or ''} {ruling.reason.value if ruling.reason else ''}"
        )
    return f"{side} play {ruling.verdict.value} {play_text(ruling.play)}"
