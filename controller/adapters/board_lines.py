"""The lines to reeds, buttons and lamps as the settings name them, and the record of what came over them."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Self

from controller.adapters.bridge import BridgeAdapter, WireRecord
from controller.adapters.lamps import Lamps
from controller.locale import Lang, text
from controller.ports import Publisher
from controller.ports.entries import Heard
from controller.referee.events import Device, Event
from controller.settings import ButtonSettings, Settings, SettingsError
from firmware_bridge.link import BoardLink, Pump, Source
from firmware_bridge.messages import Command
from firmware_bridge.pi_chain import PiChain
from firmware_bridge.pins import PinPanel
from firmware_bridge.rig import Rig
from firmware_bridge.values import LinkBack, LinkValue


@dataclass(frozen=True, slots=True)
class Rigs:
    """What is wired to what: the board's rig with its serial port if it has one, and buttons on this computer."""

    board: Rig | None
    port: str | None
    buttons: Rig | None

    @property
    def fitted(self) -> frozenset[Device]:
        """Reeds and buttons, as far as there are some."""
        reeds = {Device.REEDS} if self.board and self.board.chain else set()
        return frozenset(reeds | ({Device.BUTTONS} if self.board or self.buttons else set()))


def rigs_of(settings: Settings, lang: Lang = Lang.EN) -> Rigs:
    """Read the rig file, and take the pins of ``[buttons]`` for a rig of their own.

    Raises RigError, and SettingsError when rig and settings contradict each other.
    """
    bridge, buttons = settings.bridge, settings.buttons
    board = Rig.load(bridge.rig) if bridge.rig else None
    if board and board.controller != "pi" and bridge.port is None:
        raise SettingsError((text(lang, "settings.together.rig_without_port", rig=board.name),))
    if board and board.controller == "pi" and bridge.port is not None:
        problem = text(lang, "settings.together.rig_with_port", port=bridge.port, rig=board.name)
        raise SettingsError((problem,))
    if board and board.controller == "pi" and buttons.white is not None:
        raise SettingsError((text(lang, "settings.together.rig_with_buttons", rig=board.name),))
    return Rigs(board, bridge.port, _pin_rig(buttons))


class BoardLines:
    """The lines to everything that is fitted; a context manager in which they are listened to.

    ``post`` is given what they report, from their own threads; the last bytes heard are handed over at the end. Edges
    are dated by the machine's monotonic clock, of which the service's clock is the whole milliseconds.
    Raises PinError when pins cannot be had.
    """

    def __init__(self, rigs: Rigs, post: Callable[[Event | Heard], None]) -> None:
        self._post = post
        self._stack = ExitStack()
        self._pumped: list[tuple[Source, BridgeAdapter, Lamps]] = []
        self.publishers: tuple[Publisher, ...] = ()
        """What the lamps show, and what the reeds are watched by."""
        if rigs.board and rigs.port:
            record = WireRecord(post)
            self._stack.callback(record.flush)
            link = BoardLink(rigs.port, expected=rigs.board.expected(), record=record)
            self._fit(rigs.board, [link], link.send)
        elif rigs.board:
            panel = PinPanel(rigs.board)
            self._stack.callback(panel.close)
            chain = [PiChain(rigs.board)] if rigs.board.chain else []
            self._fit(rigs.board, [panel, *chain], panel.send)
        if rigs.buttons:
            panel = PinPanel(rigs.buttons)
            self._fit(rigs.buttons, [panel], panel.send)

    def __enter__(self) -> Self:
        """Listen, in a thread for each line."""
        for source, adapter, lamps in self._pumped:
            self._stack.callback(Pump(source, partial(self._hand_over, adapter, lamps)).close)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _fit(self, rig: Rig, sources: Sequence[Source], send: Callable[[Command], None]) -> None:
        adapter, lamps = BridgeAdapter(rig), Lamps(rig, send)
        self.publishers += (adapter, lamps)
        self._pumped += [(source, adapter, lamps) for source in sources]

    def _hand_over(self, adapter: BridgeAdapter, lamps: Lamps, value: LinkValue) -> None:
        if isinstance(value, LinkBack):
            lamps.again()
        for event in adapter.events(value):
            self._post(event)


def _pin_rig(buttons: ButtonSettings) -> Rig | None:
    """The rig of what is wired to this computer's pins; None without buttons."""
    if buttons.white is None or buttons.black is None:
        return None
    keys = {"white": buttons.white, "black": buttons.black, "pause": buttons.pause}
    lamps = {"white_turn": buttons.lamp_white, "black_turn": buttons.lamp_black, "please_look": buttons.lamp_ruling}
    return Rig.model_validate(
        {
            "name": "settings",
            "controller": "pi",
            "buttons": {name: f"GPIO{pin}" for name, pin in keys.items() if pin is not None},
            "lamps": {name: f"GPIO{pin}" for name, pin in lamps.items() if pin is not None},
            "buzzer": {"pin": f"GPIO{buttons.buzzer}"} if buttons.buzzer is not None else None,
        }
    )
