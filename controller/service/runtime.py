"""The running referee: devices post events, one thread owns the state, events are on the disk before their effects."""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, Queue
from threading import Event

from controller.adapters.close_ups import Taken
from controller.adapters.evidence import Evidence, EvidenceError
from controller.adapters.journal import JournalError
from controller.adapters.mqtt.commands import Answer, Command
from controller.adapters.mqtt.messages import Content
from controller.adapters.mqtt.messages import Event as Happened
from controller.clock import Millis
from controller.ports import Record, Time, Voice
from controller.referee import events
from controller.referee.events import Device, Ordered, Ticked
from controller.referee.fold import fold
from controller.referee.orders import OrderRefusedError
from controller.referee.rulings import DieLies, Ruling, ThrowRuling
from controller.referee.sight import looks_wanted
from controller.referee.state import Phase, State
from controller.referee.throws import lies
from controller.service import telling
from controller.service.commanding import order_of
from controller.service.cube_note import cube_news
from controller.service.entries import CloseUp, Entry, Heard, Ruled
from controller.service.health import board_message, health_message

logger = logging.getLogger(__name__)

TICK_MS = 1000
ANSWER_S = 5.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A command that waits for its answer."""

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
        match_id: str,
        time: Time,
        record: Record,
        voices: Sequence[Voice],
        evidence: Evidence,
        pictures: Callable[[Millis, Sequence[DieLies]], Taken | None],
        fitted: frozenset[Device],
        last_ruled: Ruled | None = None,
    ) -> None:
        self.state = state
        self._last_ruled = last_ruled
        self._match_id = match_id
        self._time = time
        self._record = record
        self._voices = voices
        self._evidence = evidence
        self._pictures = pictures
        self._fitted = fitted
        self._inbox: Queue[events.Event | Heard | Asked | Halt] = Queue()
        self._unsaved: list[Entry] = []
        self._news: list[Happened] = []
        self._disk_fails = False
        self._silent: set[int] = set()
        self._stopped = Event()
        self._said: dict[str, Content] = {}
        self._ticked_at = time.now_ms()

    @property
    def wants_looks(self) -> bool:
        """Whether a ruling waits for the table to be seen: the camera should look again although nothing moves."""
        return looks_wanted(self.state)

    def post(self, event: events.Event | Heard) -> None:
        """Hand over something that happened, or was said on a line and is only to be kept."""
        self._inbox.put(event)

    def ask(self, command: Command) -> Answer:
        """Carry out a command and wait for the answer; called from the pages' threads.

        Raises TimeoutError when the service does not answer in time, at once when it has been stopped.
        """
        if self._stopped.is_set():
            msg = "the referee has been stopped"
            raise TimeoutError(msg)
        asked = Asked(command)
        self._inbox.put(asked)
        return asked.answer.result(ANSWER_S)

    def tell(self, command: Command) -> None:
        """Carry out a command without waiting for the answer."""
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
            self._tell(rulings)
        for asked, answer in answers:
            asked.answer.set_result(answer)
        return goes_on

    def announce(self) -> None:
        """Say everything as it stands, the last ruling of a resumed match too; after that only changes are said."""
        self._tell([self._last_ruled] if self._last_ruled else [])

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
            self._news.append(board_message(event, before.board_checked))
        self._news += cube_news(before, self.state)
        for ruling in ruled:
            entry = self._with_pictures(ruling, before)
            logger.info("ruling %d: %s", ruling.number, _summary(ruling))
            self._unsaved.append(entry)
            rulings.append(entry)

    def _carry_out(self, command: Command, rulings: list[Ruled]) -> Answer:
        try:
            order = order_of(command, self.state)
            self._fold(Ordered(self._time.now_ms(), command.by, order), rulings)
        except OrderRefusedError as refused:
            texts = telling.both(f"order.{refused.args[0]}")
            self._news.append(Happened(kind="refused_command", at_mono_ms=self._time.now_ms(), texts=texts))
            return Answer(done=False, texts=texts)
        return Answer(done=True, texts=telling.both("order.done"))

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
        dice = ruling.dice if isinstance(ruling, ThrowRuling) else tuple(lies(die) for die in before.roll_dice)
        taken = self._pictures(ruling.at, dice)
        if taken is None:
            return Ruled(ruling.at, ruling)
        try:
            whole = self._evidence.keep(taken.whole)
            close_ups = tuple(
                CloseUp(self._evidence.keep(picture), die) for picture, die in zip(taken.close_ups, dice, strict=True)
            )
        except EvidenceError as error:
            logger.warning("the pictures of ruling %d could not be kept: %s", ruling.number, error)
            return Ruled(ruling.at, ruling)
        return Ruled(ruling.at, ruling, (whole,), close_ups)

    def _save(self) -> None:
        """Write what has happened; a disk that fails does not stop the match, what it lacks waits for the next try."""
        if not self._unsaved:
            return
        try:
            self._record.append(self._unsaved)
        except JournalError:
            if not self._disk_fails:
                logger.exception("the journal cannot be written; the match goes on, its entries wait for the disk")
            self._disk_fails = True
            return
        if self._disk_fails:
            logger.warning("the journal is written again, with the %d entries that waited", len(self._unsaved))
        self._disk_fails = False
        self._unsaved = []

    def _tell(self, rulings: Sequence[Ruled]) -> None:
        state = self.state
        news, self._news = self._news, []
        for happened in news:
            self._say(happened)
        for ruled in rulings:
            self._say(telling.ruling_message(state, ruled))
        self._say(telling.match_message(state, self._match_id))
        self._say(telling.state_message(state))
        self._say_clock()
        if state.finished:
            result = telling.result_message(state, state.finished[-1], self._match_id)
            if result:
                self._say(result)
        self._say(health_message(state, self._fitted))

    def _say_clock(self) -> None:
        """Say the clock when it was started, stopped or set; while it only runs, readers count on by themselves."""
        message = telling.clock_message(self.state)
        said = self._said.get(message.topic)
        same = isinstance(said, type(message)) and telling.same_clock(said, message)
        if not same:
            self._say(message)

    def _say(self, message: Content) -> None:
        if self._said.get(message.topic) == message:
            return
        self._said[message.topic] = message
        for number, voice in enumerate(self._voices):
            try:
                voice.publish(message)
            except Exception:
                # A lamp or a network that fails in whatever way is no reason to stop refereeing.
                if number not in self._silent:
                    logger.exception("%s cannot say %s; the match goes on", type(voice).__name__, message.topic)
                self._silent.add(number)
            else:
                self._silent.discard(number)


def _summary(ruling: Ruling) -> str:
    side = ruling.side.value if ruling.side else "opening"
    if ruling.kind == "throw":
        return (
            f"{side} throw {ruling.outcome.value} {ruling.values or ''} {ruling.reason.value if ruling.reason else ''}"
        )
    return f"{side} play {ruling.verdict.value} {ruling.notation}"
