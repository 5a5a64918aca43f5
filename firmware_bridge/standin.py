"""A board in pure Python: uses the firmware's protocol over a real pty, in whatever time it is given.

For the demo and for tests on machines without the AVR tools. What it leaves out of the real board: contacts do not
bounce, scanning takes no time, and bytes travel as fast as the pty carries them.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import assert_never

from firmware_bridge import messages as m
from firmware_bridge.clocks import Micros
from firmware_bridge.frames import SEQS, Flaw, Frame, Reject, Splitter, encode
from firmware_bridge.values import ButtonName
from firmware_bridge.virtual_board import VirtualBoard, Wire, clean

DEBOUNCE_US = 5_000
NUMBERS: dict[ButtonName, m.Button] = {"white": m.Button.WHITE, "black": m.Button.BLACK, "pause": m.Button.PAUSE}
REFUSALS = {Flaw.CODE: m.Refusal.UNKNOWN_COMMAND, Flaw.FIELDS: m.Refusal.BAD_LENGTH}
LAMPS = 5
BOARD_ID = bytes(range(16))
FIRMWARE = (0, 1, 0)


@dataclass(slots=True)
class _Change:
    at_us: Micros
    slots: frozenset[int]


@dataclass(slots=True)
class _Presses:
    """What a watchdog reset leaves alone."""

    session: int
    born_us: Micros
    count: int = 0
    waiting: deque[tuple[m.Press, int]] = field(default_factory=deque)
    lost: int = 0


@dataclass(slots=True)
class _Run:
    """What every reset clears."""

    cause: m.ResetCause
    reported: frozenset[int]
    started_us: Micros
    seq: int = 0
    splitter: Splitter = field(default_factory=Splitter)
    change: _Change | None = None
    last_command: tuple[int, m.Message] | None = None
    rx_bad: int = 0
    tx_wait: int = 0
    keyframe_us: Micros = field(init=False)
    stat_us: Micros = field(init=False)
    press_sent_us: Micros = field(init=False)

    def __post_init__(self) -> None:
        self.keyframe_us = self.stat_us = self.press_sent_us = self.started_us


class StandIn(VirtualBoard):
    """A VirtualBoard (cable.py) without a microcontroller."""

    def __init__(
        self,
        slots: int = 160,
        *,
        rig: int = 0,
        now_us: Micros = Micros(0),
        wire: Wire = clean,
        back: Wire = clean,
        folder: Path | None = None,
    ) -> None:
        """Power the board on at ``now_us``. ``wire`` may spoil what the board sends, ``back`` what the host sends."""
        super().__init__(slots, now_us=now_us, wire=wire, back=back, folder=folder)
        self.rig = rig
        self.lamps: dict[int, m.LampMode] = {}
        self.brightness = 255
        self.buzzes: list[m.Buzz] = []
        self._boots = 0
        self._press = _Presses(1, now_us)
        self._run = _Run(m.ResetCause.POWER_ON, self._occupied, now_us)
        self.plug_in()

    # -- what hands do ----------------------------------------------------------------------------------------------

    def set_slots(self, occupied: Iterable[int]) -> None:
        """Lay checkers on exactly these slots, now.

        Raises ValueError for a slot the board does not have.
        """
        super().set_slots(occupied)
        slots = self._occupied
        if slots == self._run.reported:
            self._run.change = None
        elif self._run.change is None:
            self._run.change = _Change(self._now_us, slots)
        else:
            self._run.change.slots = slots

    def press(self, button: ButtonName) -> None:
        """Press and let go, now."""
        press = self._press
        if len(press.waiting) >= m.PENDING_PRESSES:
            press.lost += 1
            return
        press.count = (press.count + 1) % SEQS
        press.waiting.append((m.Press(NUMBERS[button], press.session, press.count), self._t_us()))
        if len(press.waiting) == 1:
            self._send_press()

    def unplug(self) -> None:
        """Pull the cable: power goes, the port vanishes."""
        self._pty.unplug()
        self._plugged = False

    def plug_in(self) -> None:
        """Put the cable in: the port is there again and the board starts."""
        self._pty.plug_in()
        self._plugged = True
        self._press = _Presses(self._boots + 1, self._now_us)
        self._start(m.ResetCause.POWER_ON)

    def watchdog(self) -> None:
        """Start again as after a hang: presses not yet acknowledged are kept, and so is the clock."""
        self._start(m.ResetCause.WATCHDOG)
        if self._press.waiting:
            self._send_press()

    def close(self) -> None:
        """Take the board away for good."""
        self._plugged = False
        self._pty.close()

    # -- what time does ---------------------------------------------------------------------------------------------

    def advance(self, now_us: Micros) -> None:
        """Let time pass until ``now_us``: read the host, send what is due."""
        self._now_us = now_us
        if not self._plugged:
            return
        self._read_host()
        change = self._run.change
        if change is not None and now_us - change.at_us >= DEBOUNCE_US and not self._chain_broken:
            self._report(change)
        if self._press.waiting and now_us - self._run.press_sent_us >= m.BUTTON_RETRY_US:
            self._send_press()
        if now_us - self._run.keyframe_us >= m.KEYFRAME_US:
            self._send_keyframe()
        if now_us - self._run.stat_us >= m.STAT_US:
            self._send_stat()

    # -- the board itself -------------------------------------------------------------------------------------------

    def _start(self, cause: m.ResetCause) -> None:
        self._boots += 1
        # Starts somewhere else each time: a host that missed the Hello sees a jump, not frames it knows already.
        self._run = _Run(cause, self._occupied, self._now_us, seq=self._boots * 40503 % SEQS)
        self.lamps.clear()
        # Whatever was on the line before ends here, and the Hello arrives whole.
        self._pty.write(self._wire(b"\0"))
        self._transmit(self._hello())

    def _hello(self) -> m.Hello:
        return m.Hello(
            m.PROTOCOL_MAJOR,
            m.PROTOCOL_MINOR,
            m.PROTOCOL_TABLES,
            *FIRMWARE,
            self.rig,
            self.slots,
            self._run.cause,
            self._boots,
            self._press.session,
            BOARD_ID,
        )

    def _read_host(self) -> None:
        for got in self._run.splitter.feed(self._take()):
            match got:
                case Reject(flaw=flaw, seq=seq):
                    self._run.rx_bad += 1
                    if seq is not None:
                        self._transmit(m.Nak(seq, REFUSALS[flaw]))
                case Frame():
                    self._answer(got)
                case _ as never:
                    assert_never(never)

    def _answer(self, frame: Frame) -> None:
        match frame.message:
            case m.AskHello():
                self._transmit(self._hello())
            case m.AskKeyframe():
                self._send_keyframe()
            case m.AskStat():
                self._send_stat()
            case m.Ping():
                self._transmit(m.Pong(frame.seq))
            case m.PressAck(session=session, count=count):
                if self._press.waiting and (self._press.waiting[0][0].session, self._press.waiting[0][0].count) == (
                    session,
                    count,
                ):
                    self._press.waiting.popleft()
                    if self._press.waiting:
                        self._send_press()
            case m.Lamp() | m.Buzz() | m.Brightness() | m.SelfTest() as command:
                self._obey(command, frame.seq)
            case _:
                self._transmit(m.Nak(frame.seq, m.Refusal.UNKNOWN_COMMAND))

    def _obey(self, command: m.Command, seq: int) -> None:
        if self._run.last_command != (seq, command):
            if not _sensible(command):
                self._transmit(m.Nak(seq, m.Refusal.BAD_VALUE))
                return
            self._run.last_command = (seq, command)
            match command:
                case m.Lamp(lamp=lamp, mode=mode):
                    self.lamps[lamp] = m.LampMode(mode)
                case m.Buzz():
                    self.buzzes.append(command)
                case m.Brightness(level=level):
                    self.brightness = level
                case m.SelfTest():
                    self._send_stat()
                    self._send_keyframe()
                case _ as never:
                    assert_never(never)
        self._transmit(m.Ack(seq))

    def _report(self, change: _Change) -> None:
        came, went = change.slots - self._run.reported, self._run.reported - change.slots
        self._run.reported, self._run.change = change.slots, None
        if len(came) + len(went) > m.EDGES_PER_FRAME:
            self._send_keyframe()
            return
        changes = sorted([slot | 0x8000 for slot in came] + list(went), key=lambda change: change & 0x7FFF)
        self._transmit(m.Edge(tuple(changes)), self._t_us(change.at_us))

    def _send_keyframe(self) -> None:
        # The last picture of a chain that cannot be read is no news.
        if self._chain_broken:
            return
        self._run.keyframe_us = self._now_us
        packed = [0] * -(-self.slots // 8)
        for slot in self._run.reported:
            packed[slot // 8] |= 1 << slot % 8
        self._transmit(m.Keyframe(0, tuple(packed)))

    def _send_stat(self) -> None:
        self._run.stat_us = self._now_us
        self._transmit(m.Stat(self._run.rx_bad, self._run.tx_wait, 0, 0, 0, 0, 0, self._press.lost))

    def _send_press(self) -> None:
        self._run.press_sent_us = self._now_us
        self._transmit(*self._press.waiting[0])

    def _t_us(self, at_us: Micros | None = None) -> int:
        return (self._now_us if at_us is None else at_us) - self._press.born_us

    def _transmit(self, message: m.Message, t_us: int | None = None) -> None:
        if not self._plugged:
            return
        data = self._wire(encode(Frame(message, self._run.seq, self._t_us() if t_us is None else t_us)))
        self._run.seq = (self._run.seq + 1) % SEQS
        if self._pty.write(data) < len(data):
            # Nobody reads the port and the pty is full: the frame is lost as on a real line.
            self._run.tx_wait += 1


def _sensible(command: m.Command) -> bool:
    match command:
        case m.Lamp(lamp=lamp, mode=mode):
            return lamp < LAMPS and mode in set(m.LampMode)
        case m.Buzz(pitch_hz=pitch_hz, length_ms=length_ms):
            return length_ms == 0 or (100 <= pitch_hz <= 8000 and length_ms <= 5000)
        case m.Brightness() | m.SelfTest():
            return True
        case _ as never:
            assert_never(never)
