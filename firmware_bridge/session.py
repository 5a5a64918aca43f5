"""The host's end of the line to one board: bytes and times in, values and bytes out. Pure; link.py does the I/O."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from firmware_bridge import messages as m
from firmware_bridge.clocks import BoardTime, Micros
from firmware_bridge.frames import SEQS, Frame, Reject, Splitter, encode
from firmware_bridge.handshake import Expected, foreign_major, objection, warnings
from firmware_bridge.values import (
    ButtonName,
    ButtonPress,
    CommandDone,
    Gap,
    Health,
    LinkBack,
    LinkLost,
    LinkValue,
    ReedFrame,
    SensorsBack,
    SensorsLost,
    Trouble,
)

ASK_HELLO_US = 500_000
ASK_KEYFRAME_US = 200_000
"""A keyframe that was asked for and did not come is asked for again after this long."""
QUIET_US = 3 * m.KEYFRAME_US
BURST_PINGS, BURST_US = 4, 60_000
"""After Hello a few quick pings, so that the first press is already dated well."""
MAX_GAP_FRAMES = 256
"""More than a board can send in the three seconds after which its silence ends the link."""
STRAY_BYTES = 4
"""Plugging in makes a few; more than that is somebody talking."""
BUTTONS: dict[int, ButtonName] = {m.Button.WHITE: "white", m.Button.BLACK: "black", m.Button.PAUSE: "pause"}


@dataclass(slots=True)
class _UnderWay:
    command: m.Command
    seq: int
    tries: int
    sent_us: Micros


class Session:
    """Everything the host remembers about the board. Outlives reconnections: that is how presses stay single."""

    def __init__(self, expected: Expected) -> None:
        self.expected = expected
        self.rejects = 0
        self.lost = 0
        self._seq = 0
        self._outgoing = bytearray()
        self._last_press: tuple[bytes, int, int] | None = None
        self._acks: list[m.PressAck] = []
        self._commands: deque[m.Command] = deque()
        self.begin(Micros(0))

    # -- the line ---------------------------------------------------------------------------------------------------

    def begin(self, now_us: Micros) -> None:
        """Start afresh on a port that was just opened."""
        self._splitter = Splitter()
        self._hello: m.Hello | None = None
        self._time: BoardTime | None = None
        self._began_us = self._last_good_us = self._keyframe_us = now_us
        self._received_bytes = 0
        self._next_seq: int | None = None
        self._recent: deque[int] = deque(maxlen=32)
        self._slots: frozenset[int] = frozenset()
        self._reported: frozenset[int] | None = None
        self._trusted = False
        self._gap_frames, self._gap_us = 0, now_us
        self._sensors_lost = False
        self._pings: dict[int, Micros] = {}
        self._burst = 0
        self._asked_us: dict[type[m.Message], Micros] = {}
        self._under_way: _UnderWay | None = None
        self._outgoing.clear()
        self._acks.clear()
        # A zero first: whatever half frame the board has in its buffer ends here.
        self._outgoing += b"\0"
        self.failure: LinkLost | None = None

    def outgoing(self) -> bytes:
        """Return the bytes to be sent now, and forget them."""
        data = bytes(self._outgoing)
        self._outgoing.clear()
        return data

    def send(self, command: m.Command) -> None:
        """Queue a command; a CommandDone reports what became of it."""
        self._commands.append(command)

    def confirm_presses(self) -> None:
        """Acknowledge the presses handed out so far: the caller has them in safe hands."""
        for ack in self._acks:
            self._queue(ack)
        self._acks.clear()

    def drop_commands(self, now_us: Micros) -> list[LinkValue]:
        """Give up the commands that are waiting, since the link was lost."""
        waiting = [*([self._under_way.command] if self._under_way else []), *self._commands]
        self._under_way = None
        self._commands.clear()
        return [CommandDone(now_us, command, answered=False) for command in waiting]

    def receive(self, data: bytes, now_us: Micros) -> Iterator[LinkValue]:
        """Yield the values in the bytes."""
        self._received_bytes += len(data)
        for got in self._splitter.feed(data):
            if self.failure:
                return
            match got:
                case Reject():
                    self.rejects += 1
                    if complaint := foreign_major(got):
                        self._fail(now_us, Trouble.OLD_FIRMWARE, complaint)
                    elif got.seq is not None and self._hello is not None:
                        # A message of a newer firmware is nothing lost.
                        self._in_order(got.seq, now_us)
                case Frame():
                    self._last_good_us = now_us
                    yield from self._frame(got, now_us)
                case _ as never:
                    assert_never(never)

    def tick(self, now_us: Micros) -> Iterator[LinkValue]:
        """Do what is due at ``now_us``: ask, ping, repeat, give up."""
        if self.failure:
            return
        if self._hello is None:
            self._await_hello(now_us)
            return
        if now_us - self._last_good_us > QUIET_US:
            self._fail(now_us, Trouble.STOPPED, "the board has sent nothing for 3 s: check its cable and power")
            return
        if not self._sensors_lost and now_us - self._keyframe_us > QUIET_US:
            self._sensors_lost, self._trusted = True, False
            yield SensorsLost(now_us)
        if not self._trusted:
            self._ask(m.AskKeyframe(), ASK_KEYFRAME_US, now_us)
        self._ping(now_us)
        yield from self._command(now_us)

    # -- frames -----------------------------------------------------------------------------------------------------

    def _frame(self, frame: Frame, now_us: Micros) -> Iterator[LinkValue]:
        message = frame.message
        if isinstance(message, m.Hello):
            yield from self._greet(message, frame, now_us)
            return
        if self._hello is None or self._time is None or not self._in_order(frame.seq, now_us):
            return
        match message:
            case m.Keyframe(slots=packed):
                yield from self._keyframe(packed, self._at_us(frame, now_us), now_us)
            case m.Edge(changes=changes) if self._trusted:
                for change in changes:
                    slot = {change & 0x7FFF}
                    self._slots = self._slots | slot if change & 0x8000 else self._slots - slot
                yield from self._report_slots(self._at_us(frame, now_us))
            case m.Press():
                yield from self._press(message, self._at_us(frame, now_us), now_us)
            case m.Stat():
                yield Health(now_us, message, self.rejects, self.lost, self._time.round_trip_us())
            case m.Pong(ping_seq=seq) if seq in self._pings:
                self._time.pong(self._pings.pop(seq), frame.t_us, now_us)
            case m.Ack(command_seq=seq) | m.Nak(command_seq=seq) if self._under_way and self._under_way.seq == seq:
                refusal = _refusal(message.refusal) if isinstance(message, m.Nak) else None
                yield CommandDone(now_us, self._under_way.command, refusal)
                self._under_way = None
            case _:
                # An answer that came twice or late, an edge before its keyframe, or an echo of our own frames.
                return

    def _greet(self, hello: m.Hello, frame: Frame, now_us: Micros) -> Iterator[LinkValue]:
        if trouble := objection(hello, self.expected):
            self._fail(now_us, *trouble)
            return
        if self._hello is not None and self._hello.boots == hello.boots:
            self._in_order(frame.seq, now_us)
            return
        if self._hello is not None:
            detail = f"the board started again ({_cause(hello.reset_cause)})"
            yield LinkLost(now_us, Trouble.RESTARTED, detail)
        self._hello = hello
        self._time = BoardTime(frame.t_us, now_us)
        self._next_seq = (frame.seq + 1) % SEQS
        self._recent.clear()
        self._pings.clear()
        self._burst = BURST_PINGS
        self._keyframe_us = now_us
        self._reported = None
        self._distrust(now_us)
        yield LinkBack(now_us, hello, warnings(hello, self.expected))

    def _in_order(self, seq: int, now_us: Micros) -> bool:
        """Return whether the frame is new, and note what is missing before it."""
        ahead = 0 if self._next_seq is None else (seq - self._next_seq) % SEQS
        if ahead:
            if seq in self._recent:
                return False
            # A jump is a board that started again while nobody listened; a short one is frames that were lost.
            if ahead <= MAX_GAP_FRAMES:
                self.lost += ahead
                self._gap_frames += ahead
            self._distrust(now_us)
        self._next_seq = (seq + 1) % SEQS
        self._recent.append(seq)
        return True

    def _keyframe(self, packed: tuple[int, ...], at_us: Micros, now_us: Micros) -> Iterator[LinkValue]:
        self._slots = frozenset(
            8 * index + bit for index, byte in enumerate(packed) for bit in range(8) if byte >> bit & 1
        )
        self._keyframe_us = now_us
        if self._sensors_lost:
            self._sensors_lost = False
            yield SensorsBack(now_us)
        if not self._trusted:
            self._trusted = True
            if self._gap_frames:
                yield Gap(now_us, self._gap_frames, now_us - self._gap_us)
                self._gap_frames = 0
            self._reported = None
        yield from self._report_slots(at_us)

    def _report_slots(self, at_us: Micros) -> Iterator[LinkValue]:
        if self._slots != self._reported:
            self._reported = self._slots
            yield ReedFrame(at_us, tuple(sorted(self._slots)))

    def _press(self, press: m.Press, at_us: Micros, now_us: Micros) -> Iterator[LinkValue]:
        if self._hello is None or press.session != self._hello.session or press.button not in BUTTONS:
            # The board restarted and its Hello is missing: its times mean nothing yet. It will send the press again.
            self._ask(m.AskHello(), ASK_HELLO_US, now_us)
            return
        name = (self._hello.board_id, press.session, press.count)
        self._acks.append(m.PressAck(press.session, press.count))
        last = self._last_press
        if last is not None and last[:2] == name[:2] and (press.count - last[2] - 1) % SEQS >= SEQS // 2:
            return
        self._last_press = name
        yield ButtonPress(at_us, BUTTONS[press.button], press.count, press.session)

    def _at_us(self, frame: Frame, now_us: Micros) -> Micros:
        if self._time is None:
            return now_us
        return min(now_us, self._time.host_us(frame.t_us))

    # -- what is due ------------------------------------------------------------------------------------------------

    def _await_hello(self, now_us: Micros) -> None:
        if now_us - self._began_us <= m.HELLO_TIMEOUT_US:
            self._ask(m.AskHello(), ASK_HELLO_US, now_us)
        elif self._received_bytes > STRAY_BYTES:
            detail = (
                f"something is talking on this port, but not the board's firmware at {m.BAUD} baud: "
                "choose another port or flash the board"
            )
            self._fail(now_us, Trouble.FOREIGN, detail)
        else:
            detail = (
                f"no answer within {m.HELLO_TIMEOUT_US / 1_000_000:g} s: is this the board's port, and is it powered?"
            )
            self._fail(now_us, Trouble.SILENT, detail)

    def _ping(self, now_us: Micros) -> None:
        every = BURST_US if self._burst else m.PING_US
        if self._ask(m.Ping(), every, now_us):
            self._burst = max(0, self._burst - 1)
            # Pings that never came back are forgotten.
            self._pings = {seq: sent for seq, sent in self._pings.items() if now_us - sent < QUIET_US}
            self._pings[(self._seq - 1) % SEQS] = now_us

    def _command(self, now_us: Micros) -> Iterator[LinkValue]:
        doing = self._under_way
        if doing is not None and now_us - doing.sent_us >= m.COMMAND_RETRY_US:
            if doing.tries < m.COMMAND_TRIES:
                doing.tries += 1
                doing.sent_us = now_us
                self._outgoing += encode(Frame(doing.command, doing.seq, 0))
            else:
                self._under_way = None
                yield CommandDone(now_us, doing.command, answered=False)
        if self._under_way is None and self._commands:
            command = self._commands.popleft()
            self._under_way = _UnderWay(command, self._seq, 1, now_us)
            self._queue(command)

    def _distrust(self, now_us: Micros) -> None:
        if self._trusted:
            self._gap_us = now_us
        self._trusted = False
        # A Hello may be among the lost frames, so it is asked for too.
        self._asked_us.pop(m.AskKeyframe, None)
        self._ask(m.AskHello(), ASK_HELLO_US, now_us)

    def _ask(self, question: m.Message, every_us: int, now_us: Micros) -> bool:
        asked = self._asked_us.get(type(question))
        if asked is not None and now_us - asked < every_us:
            return False
        self._asked_us[type(question)] = now_us
        self._queue(question)
        return True

    def _queue(self, message: m.Message) -> None:
        self._outgoing += encode(Frame(message, self._seq, 0))
        self._seq = (self._seq + 1) % SEQS

    def _fail(self, now_us: Micros, why: Trouble, detail: str) -> None:
        self.failure = LinkLost(now_us, why, detail)


def _cause(bits: int) -> str:
    named = [cause.name.lower().replace("_", " ") for cause in m.ResetCause if cause and bits & cause]
    return " and ".join(named) or "cause unknown"


def _refusal(number: int) -> m.Refusal:
    """Read a refusal; a number from a newer firmware counts as a value that was refused."""
    return m.Refusal(number) if number in set(m.Refusal) else m.Refusal.BAD_VALUE
