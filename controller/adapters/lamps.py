"""Lamps and buzzer on the clock case: whose time runs, what was ruled, and a sound for what nobody may miss.

While the journal cannot be written the lamp for questions blinks whatever is ruled: the panel has the words.
"""

from collections.abc import Callable
from threading import Lock

from controller.ports.updates import Update
from controller.referee.events import Device
from controller.referee.rulings import PlayRuling, PlayVerdict, ThrowOutcome
from controller.rules import Side
from firmware_bridge.messages import Buzz, Command, Lamp, LampMode
from firmware_bridge.rig import LampName, Rig

THROW_AGAIN = Buzz(880, 300)
PLAY_REFUSED = Buzz(440, 500)
FLAG_FALLEN = Buzz(660, 1500)
"""Pitch in Hz and length in milliseconds."""

TURN: dict[Side, LampName] = {Side.WHITE: "white_turn", Side.BLACK: "black_turn"}
RULED: dict[PlayVerdict | ThrowOutcome, tuple[LampName, LampMode]] = {
    PlayVerdict.ACCEPTED: ("accepted", LampMode.ON),
    PlayVerdict.REFUSED: ("refused", LampMode.ON),
    PlayVerdict.PLEASE_LOOK: ("please_look", LampMode.BLINK),
    ThrowOutcome.RE_ROLL: ("refused", LampMode.ON),
    ThrowOutcome.PLEASE_LOOK: ("please_look", LampMode.BLINK),
}
SPARE: dict[LampName, LampName] = {"refused": "please_look"}
"""The lamp that is lit where a rig has only one for rulings."""


class Lamps:
    """Shows turn, ruling and a fallen flag; ``send`` carries commands to the board or pins that the rig is built of."""

    def __init__(self, rig: Rig, send: Callable[[Command], None]) -> None:
        self._rig = rig
        self._send = send
        self._lock = Lock()
        self._lit: dict[LampName, LampMode] = {}
        self._flag: Side | None = None
        self._please_look = LampMode.OFF
        self._unwritten = False

    def publish(self, update: Update) -> None:
        """Light what ``update`` brings."""
        for ruled in update.rulings:
            ruling = ruled.ruling
            self._light_ruling(ruling.verdict if isinstance(ruling, PlayRuling) else ruling.outcome)
        state = update.state
        unwritten = state.lost(Device.JOURNAL)
        self._light("please_look", LampMode.BLINK if unwritten else self._please_look)
        if unwritten and not self._unwritten:
            self._buzz(PLAY_REFUSED)
        self._unwritten = unwritten
        self._light_turn(state.clock.running or state.turn)
        flag = state.clock.flag(state.at)
        if flag and flag is not self._flag:
            self._buzz(FLAG_FALLEN)
        self._flag = flag

    def again(self) -> None:
        """Light everything again: a board that has just started has its lamps dark. May be called from any thread."""
        with self._lock:
            for lamp, mode in self._lit.items():
                self._send(Lamp(self._rig.lamp_number(lamp), mode))

    def _light_turn(self, to_act: Side | None) -> None:
        for side, lamp in TURN.items():
            self._light(lamp, LampMode.ON if side is to_act else LampMode.OFF)

    def _light_ruling(self, verdict: PlayVerdict | ThrowOutcome) -> None:
        lamp, mode = RULED.get(verdict, (None, LampMode.OFF))
        if lamp is not None and lamp not in self._rig.lamps:
            lamp = SPARE.get(lamp)
        for one in ("accepted", "refused"):
            self._light(one, mode if one == lamp else LampMode.OFF)
        self._please_look = mode if lamp == "please_look" else LampMode.OFF
        if verdict is ThrowOutcome.RE_ROLL:
            self._buzz(THROW_AGAIN)
        elif verdict is PlayVerdict.REFUSED:
            self._buzz(PLAY_REFUSED)

    def _light(self, lamp: LampName, mode: LampMode) -> None:
        with self._lock:
            if lamp in self._rig.lamps and self._lit.get(lamp, LampMode.OFF) is not mode:
                self._lit[lamp] = mode
                self._send(Lamp(self._rig.lamp_number(lamp), mode))

    def _buzz(self, sound: Buzz) -> None:
        if self._rig.buzzer:
            self._send(sound)
