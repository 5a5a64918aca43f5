"""What the camera sees of the doubling cube that differs from the match, in words for the arbiter."""

from controller.adapters.mqtt import messages as feed
from controller.adapters.mqtt.texts import both, player_name
from controller.ports.updates import CubeNoticed
from controller.referee.events import CubeSide
from controller.referee.state import CubeDoubt, State
from controller.rules import Side

KEEPERS = {CubeSide.NEAR: Side.WHITE, CubeSide.FAR: Side.BLACK}


def cube_messages(noticed: CubeNoticed, state: State) -> tuple[feed.Event, ...]:
    """Report a difference of the cube, once, when it has lasted."""
    return tuple(feed.Event(kind="cube", at_mono_ms=noticed.at, texts=texts) for texts in _texts(noticed.doubt, state))


def _texts(doubt: CubeDoubt, state: State) -> tuple[feed.Texts, ...]:
    cube, seen = state.cube, doubt.seen
    texts = []
    if seen.value is not None:
        key = "unturned" if cube.value == 1 else "turned"
        texts.append(both(f"cube.{key}", seen=seen.value, value=cube.value))
    keeper = KEEPERS.get(seen.side)
    owner = player_name(state, cube.owner) if cube.owner else None
    if keeper is not None:
        key = "should_be_others" if owner else "should_be_nobodys"
        texts.append(both(f"cube.{key}", player=player_name(state, keeper), owner=owner or ""))
    elif seen.side is CubeSide.MIDDLE and owner:
        texts.append(both("cube.should_be_owned", player=owner))
    return tuple(texts)
