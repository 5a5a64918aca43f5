"""The senses of the board, put together from the settings: reeds, buttons, lamps, and the record of its line."""

from contextlib import ExitStack
from dataclasses import dataclass

from controller.adapters.bridge import BridgeAdapter
from controller.adapters.lamps import Lamps
from controller.adapters.wire_record import WireRecord
from controller.locale import Lang, text
from controller.ports import Publisher
from controller.referee.events import Device
from controller.service.runtime import Service
from controller.settings import ButtonSettings, Settings, SettingsError
from firmware_bridge.link import BoardLink, Pump, Source
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


def connect(rigs: Rigs, service: Service, publishers: list[Publisher], stack: ExitStack) -> None:
    """Start everything that is fitted; ``stack`` ends it, and the last bytes heard are written then.

    Edges are dated by the machine's monotonic clock, of which the service's clock is the whole milliseconds.

    Raises PinError when pins cannot be had.
    """
    # Undone in reverse: the devices stop, the record is handed over, the service writes it.
    stack.callback(service.handle)
    if rigs.board and rigs.port:
        record = WireRecord(service.post)
        stack.callback(record.flush)
        link = BoardLink(rigs.port, expected=rigs.board.expected(), record=record)
        _listen([link], BridgeAdapter(rigs.board), Lamps(rigs.board, link.send), service, publishers, stack)
    elif rigs.board:
        panel = PinPanel(rigs.board)
        stack.callback(panel.close)
        sources: list[Source] = [panel]
        if rigs.board.chain:
            sources.append(PiChain(rigs.board))
        _listen(sources, BridgeAdapter(rigs.board), Lamps(rigs.board, panel.send), service, publishers, stack)
    if rigs.buttons:
        panel = PinPanel(rigs.buttons)
        _listen([panel], BridgeAdapter(rigs.buttons), Lamps(rigs.buttons, panel.send), service, publishers, stack)


def _listen(
    sources: list[Source],
    adapter: BridgeAdapter,
    lamps: Lamps,
    service: Service,
    publishers: list[Publisher],
    stack: ExitStack,
) -> None:
    """Let a thread a source carry its values to the service, and the service its updates to reeds and lamps."""
    publishers += [adapter, lamps]

    def post(value: LinkValue) -> None:
        if isinstance(value, LinkBack):
            lamps.again()
        for event in adapter.events(value):
            service.post(event)

    for source in sources:
        stack.callback(Pump(source, post).close)


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
