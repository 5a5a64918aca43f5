"""How the devices are, in words: what is lost, why, and what the match goes on with meanwhile."""

from collections.abc import Callable, Iterator

from controller.adapters.board_view import small_dice
from controller.adapters.mqtt import messages as feed
from controller.adapters.mqtt.notice_messages import board_words, place_name
from controller.locale import Lang, TextError, text
from controller.referee.events import BoardChecked, BoardPlace, Device, SlotDoubted, TurnEnd
from controller.referee.plays import not_in_view
from controller.referee.state import State
from vision.dice.views import LEAST_DIE_PX


def health_message(state: State, fitted: frozenset[Device]) -> feed.HealthMessage:
    """How the devices are; ``fitted`` are those that the board was set up with."""

    def health(device: Device) -> feed.DeviceHealth:
        return feed.DeviceHealth(state="off") if device not in fitted else _device(state, device, fitted)

    return feed.HealthMessage(devices={device.value: health(device) for device in Device})


def goes_on_by(state: State, lost: Device, fitted: frozenset[Device]) -> str:
    """Key of what the match goes on with while ``lost`` is lost."""
    feels = Device.REEDS in fitted and not state.lost(Device.REEDS)
    sees = Device.CAMERA in fitted and not state.lost(Device.CAMERA)
    match lost:
        case Device.CAMERA if feels:
            return "reeds" if state.turn_end is TurnEnd.PRESS else "reeds_and_throws"
        case Device.REEDS if sees:
            return "camera"
        case Device.CAMERA | Device.REEDS:
            return "arbiter"
        case Device.BUTTONS:
            return "panel"
        case Device.FEED:
            return "table"
        case Device.JOURNAL:
            return "paper"


def _device(state: State, device: Device, fitted: frozenset[Device]) -> feed.DeviceHealth:
    if state.lost(device):
        why = next(why for known, _, why in state.devices if known is device)
        return feed.DeviceHealth(state="lost", texts=_both(lambda lang: _lost(lang, state, device, why, fitted)))
    if device is Device.REEDS and state.doubted:
        return feed.DeviceHealth(state="weak", texts=_both(lambda lang: " ".join(_doubts(lang, state))))
    if device is Device.CAMERA and state.board_checked and state.board_checked.place is not BoardPlace.IN_PLACE:
        checked = state.board_checked
        return feed.DeviceHealth(state="weak", texts=_both(lambda lang: _unseen_board(lang, state, checked, fitted)))
    if device is Device.CAMERA and 0 < state.die_px < LEAST_DIE_PX:
        return feed.DeviceHealth(state="weak", texts=_both(lambda lang: small_dice(lang, state.die_px)))
    return feed.DeviceHealth(state="ok")


def _unseen_board(lang: Lang, state: State, checked: BoardChecked, fitted: frozenset[Device]) -> str:
    """Where the board is, and, when it stays out of sight, what the match goes on with if not with the camera."""
    board = board_words(lang, checked)
    instead = goes_on_by(state, Device.CAMERA, fitted)
    if instead == "arbiter" or not not_in_view(state):
        return board
    return f"{board}. {text(lang, f'device.goes_on_by.{instead}')}"


def _lost(lang: Lang, state: State, device: Device, why: str, fitted: frozenset[Device]) -> str:
    try:
        reason = text(lang, f"device.why.{why}")
    except TextError:
        # A journal of another version may know other reasons.
        reason = why
    lost = text(lang, f"device.lost.{device.value}", why=reason)
    return f"{lost} {text(lang, f'device.goes_on_by.{goes_on_by(state, device, fitted)}')}"


def _doubts(lang: Lang, state: State) -> Iterator[str]:
    for doubt in state.doubted:
        yield _doubt(lang, doubt)
    yield text(lang, "device.goes_on_by.others")


def _doubt(lang: Lang, doubt: SlotDoubted) -> str:
    where = place_name(lang, doubt.row)
    if doubt.other is None:
        return text(lang, f"device.doubt.{doubt.fault.value}", place=where, slot=doubt.slot)
    row, slot = doubt.other
    return text(
        lang, f"device.doubt.{doubt.fault.value}", place=where, slot=doubt.slot, other=place_name(lang, row), there=slot
    )


def _both(words: Callable[[Lang], str]) -> feed.Texts:
    return feed.Texts(en=words(Lang.EN), ru=words(Lang.RU))
