"""What the referee does without its eyes: reeds tell of plays while the camera is lost, the arbiter enters throws."""

from dataclasses import replace

from controller.clock import Millis
from controller.fusion.evidence import Evidence
from controller.referee.events import Device, DeviceChanged, Scene
from controller.referee.playing import rule_on_play
from controller.referee.rulings import Ruling
from controller.referee.state import Phase, State
from controller.referee.throw import DiceWatch

REST_MS = 1_000
"""So long after the press and the last checker the reeds are taken to be at rest: nobody sees the hand."""


def with_device(state: State, event: DeviceChanged) -> State:
    """Keep in mind that a device was lost or came back."""
    others = tuple(entry for entry in state.devices if entry[0] is not event.device)
    was_lost = state.lost(event.device)
    state = replace(state, devices=(*others, (event.device, event.up, event.why)))
    if event.device is Device.REEDS and event.up and was_lost:
        # Somebody has been at the plug: his board is believed until it lies again.
        return replace(state, doubted=())
    if event.device is not Device.CAMERA or event.up is not was_lost:
        return state
    if event.up:
        return replace(state, sight=replace(state.sight, strange=True))
    sight = state.sight
    touched = Evidence().with_reeds(sight.reeds)
    sight = replace(sight, scene=Scene.UNREADABLE, evidence=touched, settled=Evidence(), dice=DiceWatch())
    return replace(state, sight=sight, looks_since_press=0, lifted_looks=0)


def rule_by_touch(state: State) -> tuple[State, tuple[Ruling, ...]]:
    """Rule on a pressed turn from the reeds alone once they are at rest; without the camera only."""
    waits = state.phase is Phase.TO_PLAY and state.pressed_at is not None and state.paused is None
    if not waits or not state.sight.reeds or not state.lost(Device.CAMERA):
        return state, ()
    since = max(state.pressed_at or Millis(0), state.sight.reeds_at)
    if state.at - since < REST_MS:
        return state, ()
    return rule_on_play(state, Evidence().with_reeds(state.sight.reeds), patient=False)
