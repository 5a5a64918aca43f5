"""What the referee does without its eyes: reeds tell of plays while no board is seen, the arbiter enters throws."""

from dataclasses import replace

from controller.clock import Millis
from controller.fusion.evidence import Evidence
from controller.referee.events import BoardPlace, Device, DeviceChanged, Scene, TurnEnd
from controller.referee.playing import Ruled, rule_on_play
from controller.referee.rulings import PlayRuling, PlayVerdict
from controller.referee.state import Phase, State
from controller.referee.throw import LOOKS_TO_RULE, DiceWatch

UNSEEN_PRESS_MS = 4_000
"""How long after a press the referee waits for a clear look before it goes on without."""

RESTLESS_PRESS_MS = 8_000
"""And how long for reeds that do not come to rest, before it asks a person."""

DICE = 2
"""Dice of a throw."""

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


def not_in_view(state: State) -> bool:
    """Whether the camera works but shows no board that could be read, and nobody knows for how long."""
    checked = state.board_checked
    passing = {BoardPlace.IN_PLACE, BoardPlace.MOVED}
    return checked is not None and checked.place not in passing and not state.lost(Device.CAMERA)


def nothing_tells(state: State) -> bool:
    """Whether a pressed turn has waited too long for eyes and reeds: a person has to be asked."""
    patience_ms = RESTLESS_PRESS_MS if state.sight.reeds else UNSEEN_PRESS_MS
    return _unseen_since_press(state) and state.at - (state.pressed_at or state.at) >= patience_ms


def rule_by_touch(state: State) -> Ruled:
    """Rule on a pressed turn from the reeds alone once they are at rest, where the camera does not see the board.

    A hand over a board that is in view may be trying the next play already: then the reeds accept a play or
    say nothing.
    """
    waits = state.phase is Phase.TO_PLAY and state.pressed_at is not None and state.paused is None
    if not waits or not state.sight.reeds or not (state.lost(Device.CAMERA) or _unseen_since_press(state)):
        return state, ()
    since = max(state.pressed_at or Millis(0), state.sight.reeds_at)
    if state.at - since < REST_MS:
        return state, ()
    dice_seen = len(state.roll_dice) == DICE
    blind = state.lost(Device.CAMERA) or not_in_view(state)
    state, rulings = _by_touch(state, patient=False) if blind else _accepted_by_touch(state)
    # Dice that nobody has seen fall may lie there still when the board comes into view again: they are no new throw.
    strange = state.sight.strange or (bool(rulings) and not dice_seen)
    return replace(state, sight=replace(state.sight, strange=strange)), rulings


def ends_with_next_throw(state: State) -> bool:
    """Whether only the next throw, entered by the arbiter, can tell that a turn has ended: no eyes and no buttons."""
    blind = state.lost(Device.CAMERA) or not_in_view(state)
    return blind and state.turn_end is TurnEnd.LIFT and bool(state.sight.reeds)


def ended_by_next_throw(state: State) -> Ruled:
    """Accept the play that the reeds surely show, since the arbiter enters a throw: it is the opponent's.

    Only without eyes and buttons. Where the reeds show no finished play the arbiter corrects the throw, and nothing is
    ruled.
    """
    if state.phase is not Phase.TO_PLAY or not ends_with_next_throw(state):
        return state, ()
    return _accepted_by_touch(state)


def _by_touch(state: State, *, patient: bool) -> Ruled:
    return rule_on_play(state, Evidence().with_reeds(state.sight.reeds), patient=patient)


def _accepted_by_touch(state: State) -> Ruled:
    """Accept the play that the reeds surely show, if they show one."""
    after, rulings = _by_touch(state, patient=True)
    accepted = any(isinstance(ruling, PlayRuling) and ruling.verdict is PlayVerdict.ACCEPTED for ruling in rulings)
    return (after, rulings) if accepted else (state, ())


def _unseen_since_press(state: State) -> bool:
    return (
        state.phase is Phase.TO_PLAY
        and state.pressed_at is not None
        and state.at - state.pressed_at >= UNSEEN_PRESS_MS
        and min(state.looks_since_press, state.sight.evidence.looks) < LOOKS_TO_RULE
    )
