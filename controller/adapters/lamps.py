"""Lamps and buzzer on the clock case: whose time runs, what was ruled, and a sound for what nobody may miss."""

from collections.abc import Callable
from threading import Lock

from controller.adapters.mqtt.messages import Clock, Content, Ruling, State
from firmware_bridge.messages import Buzz, Command, Lamp, LampMode
from firmware_bridge.rig import LampName, Rig

THROW_AGAIN = Buzz(880, 300)
PLAY_REFUSED = Buzz(440, 500)
FLAG_FALLEN = Buzz(660, 1500)
"""Pitch in Hz and length in milliseconds."""

TURN: dict[str, LampName] = {"white": "white_turn", "black": "black_turn"}
RULED: dict[str, tuple[LampName, LampMode]] = {
    "accepted": ("accepted", LampMode.ON),
    "refused": ("refused", LampMode.ON),
    "re_roll": ("refused", LampMode.ON),
    "please_look": ("please_look", LampMode.BLINK),
}
SPARE: dict[LampName, LampName] = {"refused": "please_look"}
"""The lamp that is lit where a rig has only one for rulings."""


class Lamps:
    """A voice that speaks in lamps; ``send`` carries commands to whatever board or pins the rig is built of."""

    def __init__(self, rig: Rig, send: Callable[[Command], None]) -> None:
        self._rig = rig
        self._send = send
        self._lock = Lock()
        self._lit: dict[LampName, LampMode] = {}
        self._side: str | None = None
        self._running: str | None = None
        self._flag: str | None = None

    def publish(self, content: Content) -> None:
        """Light what ``content`` says."""
        match content:
            case State(side=side):
                self._side = side
                self._light_turn()
            case Clock(running=running, flag=flag):
                self._running = running
                self._light_turn()
                if flag and flag != self._flag:
                    self._buzz(FLAG_FALLEN)
                self._flag = flag
            case Ruling(verdict=verdict):
                self._light_ruling(verdict)
            case _:
                pass

    def again(self) -> None:
        """Say it all again: a board that has just started has its lamps dark. May be called from any thread."""
        with self._lock:
            for lamp, mode in self._lit.items():
                self._send(Lamp(self._rig.lamp_number(lamp), mode))

    def _light_turn(self) -> None:
        to_act = self._running or self._side
        for side, lamp in TURN.items():
            self._light(lamp, LampMode.ON if side == to_act else LampMode.OFF)

    def _light_ruling(self, verdict: str) -> None:
        lamp, mode = RULED.get(verdict, (None, LampMode.OFF))
        if lamp is not None and lamp not in self._rig.lamps:
            lamp = SPARE.get(lamp)
        for one in ("accepted", "refused", "please_look"):
            self._light(one, mode if one == lamp else LampMode.OFF)
        if verdict == "re_roll":
            self._buzz(THROW_AGAIN)
        elif verdict == "refused":
            self._buzz(PLAY_REFUSED)

    def _light(self, lamp: LampName, mode: LampMode) -> None:
        with self._lock:
            if lamp in self._rig.lamps and self._lit.get(lamp, LampMode.OFF) is not mode:
                self._lit[lamp] = mode
                self._send(Lamp(self._rig.lamp_number(lamp), mode))

    def _buzz(self, sound: Buzz) -> None:
        if self._rig.buzzer:
            self._send(sound)
