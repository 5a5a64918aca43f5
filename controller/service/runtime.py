"""The running referee: devices post events, one thread owns the state, events are on the disk before their effects."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from controller.formats.notation import play_text
from controller.ports import Journal, PictureStore, Publisher, Time
from controller.ports.entries import CloseUp, Entry, Heard, Ruled
from controller.ports.sight import Camera
from controller.ports.updates import (
    Answer,
    BoardNoticed,
    CheckersNoticed,
    Command,
    CubeNoticed,
    Notice,
    OrderRefused,
    ResignationNoticed,
    Update,
)
from controller.referee.events import BoardChecked, Device, DeviceChanged, Event, Ordered, Ticked
from controller.referee.fold import fold
from controller.referee.orders import OrderRefusedError
from controller.referee.rulings import Ruling, ThrowRuling
from controller.referee.state import Phase, State
from controller.referee.throws import die_at_rest
from controller.service.camera_loop import CameraWishes
from controller.service.inbox import Asked, Halt, Inbox, Posted, Settle

logger = logging.getLogger(__name__)

TICK_MS = 1000
TURN_S = 0.25
"""How long the owner thread waits for something to happen before it looks at the time."""


class Service:
    """Owns the state of one board, in the thread that calls ``run`` or ``handle``. Others write to ``inbox``."""

    def __init__(
        self,
        state: State,
        *,
        inbox: Inbox,
        time: Time,
        journal: Journal,
        camera: Camera,
        publishers: Sequence[Publisher],
        evidence: PictureStore,
        last_ruled: Ruled | None = None,
    ) -> None:
        self.state = state
        self._last_ruled = last_ruled
        self._inbox = inbox
        self._time = time
        self._journal = journal
        self._camera = camera
        self._wishes = CameraWishes()
        self._publishers = publishers
        self._evidence = evidence
        self._unsaved: list[Entry] = []
        self._notices: list[Notice] = []
        self._published: State | None = None
        self._silent: set[int] = set()
        self._ticked_at = time.now_ms()

    def run(self, each_turn: Callable[[], None], *, turn_s: float | None = TURN_S) -> None:
        """Handle what comes in until it is stopped; ``each_turn`` is called each time, at least every ``turn_s``.

        ``turn_s`` None waits as long as it takes: for a time that goes on only with what comes in.
        """
        self.announce()
        try:
            while self.handle(turn_s):
                each_turn()
        finally:
            self._inbox.close()

    def handle(self, wait_s: float | None = 0.0) -> bool:
        """Handle everything that has been posted, waiting up to ``wait_s`` for the first; False after a stop."""
        goes_on = True
        answers: list[tuple[Asked, Answer]] = []
        waiting: list[Settle] = []
        rulings: list[Ruled] = []
        changed = False
        for item in self._inbox.take(wait_s):
            match item:
                case Halt():
                    goes_on = False
                    self._inbox.close()
                case Settle():
                    waiting.append(item)
                case Asked(command=command):
                    answers.append((item, self._carry_out(command, rulings)))
                    changed = True
                case Posted(things=things):
                    for thing in things:
                        changed = self._take_in(thing, rulings) or changed
        changed = self._tick(rulings) or changed
        if changed:
            self._camera.want(self._wishes.wanted(self.state))
        if self._unsaved:
            changed = self._save() or changed
        if changed:
            self._publish(rulings)
        for asked, answer in answers:
            done_unwritten = answer.refused is None and bool(self._unsaved)
            asked.answer.set_result(replace(answer, written=False) if done_unwritten else answer)
        for settle in waiting:
            settle.done.set()
        return goes_on

    def announce(self) -> None:
        """Publish everything as it stands, with the last ruling of a resumed match."""
        self._camera.want(self._wishes.wanted(self.state))
        self._publish([self._last_ruled] if self._last_ruled else [])

    def _take_in(self, thing: Event | Heard | Command, rulings: list[Ruled]) -> bool:
        """Fold an event or an order; bytes of a line are only kept, which changes nothing."""
        if isinstance(thing, Command):
            self._carry_out(thing, rulings)
            return True
        if not isinstance(thing, Heard):
            self._fold(thing, rulings)
            return True
        if self.state.phase is not Phase.MATCH_OVER:
            self._unsaved.append(thing)
        return False

    def _fold(self, event: Event, rulings: list[Ruled]) -> bool:
        """Fold an event; False where it cannot be folded and is left out.

        Raises OrderRefusedError where an order means nothing now.
        """
        before = self.state
        try:
            self.state, ruled = fold(before, event)
        except OrderRefusedError:
            raise
        except Exception:
            # A fault of the program, or of a device that reports nonsense: the match goes on as if nothing had come.
            logger.exception("what came in cannot be folded and is left out: %.200r", event)
            self._wishes.handled(event, before, before)
            return False
        self._wishes.handled(event, before, self.state)
        # After the match the camera goes on looking; nothing comes of it, and nothing is kept.
        if self.state is not before:
            self._unsaved.append(event)
        if isinstance(event, BoardChecked):
            self._notices.append(BoardNoticed(event, before.board_checked))
        if noticed := CubeNoticed.between(before, self.state):
            self._notices.append(noticed)
        if misplaced := CheckersNoticed.between(before, self.state):
            self._notices.append(misplaced)
        if conceding := ResignationNoticed.between(before, self.state):
            self._notices.append(conceding)
        for ruling in ruled:
            entry = self._with_pictures(ruling, before)
            logger.info("ruling %d: %s", ruling.number, _summary(ruling))
            self._unsaved.append(entry)
            rulings.append(entry)
        return True

    def _carry_out(self, command: Command, rulings: list[Ruled]) -> Answer:
        now = self._time.now_ms()
        try:
            if self._fold(Ordered(now, command.by, command.order, command.note), rulings):
                return Answer()
            reason = "failed"
        except OrderRefusedError as refused:
            reason = str(refused.args[0])
        self._notices.append(OrderRefused(now, command.by, reason))
        return Answer(refused=reason)

    def _tick(self, rulings: list[Ruled]) -> bool:
        """Let a second pass while a clock runs or a pressed turn waits to be seen; miss a camera that is silent."""
        now = self._time.now_ms()
        if silence := self._camera.silence(now):
            self._fold(silence, rulings)
        if not self.state.timed or now - self._ticked_at < TICK_MS:
            return silence is not None
        self._ticked_at = now
        self._fold(Ticked(now), rulings)
        return True

    def _with_pictures(self, ruling: Ruling, before: State) -> Ruled:
        """Keep what the ruling rests on: the whole picture, and a close-up of each die of the throw."""
        dice = (
            ruling.dice if isinstance(ruling, ThrowRuling) else tuple(die_at_rest(die) for die in before.in_play.dice)
        )
        try:
            taken = self._camera.taken(ruling.at, dice)
        except Exception:
            logger.exception("the pictures of ruling %d cannot be taken; it counts without them", ruling.number)
            taken = None
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

    def _save(self) -> bool:
        """Write what has happened; True when the journal was lost by that, or is back.

        A disk that fails does not stop the match. What it lacks waits for the next try, and the journal is a lost
        device until then: the record stands on paper, and everything that is published says so.
        """
        lost = self.state.lost(Device.JOURNAL)
        back = [DeviceChanged(self._time.now_ms(), Device.JOURNAL, up=True)] if lost else []
        try:
            self._journal.append([*self._unsaved, *back])
        except OSError as error:
            if lost:
                return False
            logger.error("the journal cannot be written; the match goes on, the record stands on paper: %s", error)  # noqa: TRY400 - the cause is in its words
            self._fold(DeviceChanged(self._time.now_ms(), Device.JOURNAL, up=False, why="disk"), [])
            return True
        if lost:
            logger.warning("the journal is written again, with the %d entries that waited", len(self._unsaved))
        self._unsaved = []
        for event in back:
            self.state, _ = fold(self.state, event)
        return lost

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
