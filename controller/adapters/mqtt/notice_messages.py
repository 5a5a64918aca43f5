"""From what was noticed once to the feed's events: the board's place, the cube, a refused order."""

from collections.abc import Iterator

from controller.adapters.mqtt import messages as feed
from controller.adapters.mqtt.texts import both, player_name
from controller.locale import Lang, text
from controller.ports.updates import BoardNoticed, CubeNoticed, Notice, OrderRefused
from controller.referee.events import BoardChecked, BoardPlace, CubeSide
from controller.referee.state import CubeDoubt, State
from controller.rules import Side
from vision.board.geometry import corners_named

KEEPERS = {CubeSide.NEAR: Side.WHITE, CubeSide.FAR: Side.BLACK}


def notice_messages(notice: Notice, state: State) -> Iterator[feed.EventMessage]:
    """What is published once: where the board lies, how the cube lies, that an order was refused."""
    match notice:
        case BoardNoticed(checked=checked, before=before):
            yield _board(checked, before)
        case CubeNoticed():
            yield from _cube(notice, state)
        case OrderRefused(at=at, reason=reason):
            yield feed.EventMessage(kind="refused_command", at_mono_ms=at, texts=both(f"order.{reason}"))


def _board(checked: BoardChecked, before: BoardChecked | None) -> feed.EventMessage:
    """What was noticed about the board's place in the picture, published once; ``before`` is what was noticed last."""
    places = {BoardPlace.TOO_DARK, BoardPlace.OVEREXPOSED, BoardPlace.FROZEN}
    again = checked.place is BoardPlace.IN_PLACE and before is not None and before.place in places
    texts = both("board.readable") if again else board_texts(checked)
    return feed.EventMessage(kind="device", at_mono_ms=checked.at, texts=texts)


def board_texts(checked: BoardChecked) -> feed.Texts:
    """What was noticed about the board's place in the picture, in words."""
    return feed.Texts(en=board_words(Lang.EN, checked), ru=board_words(Lang.RU, checked))


def board_words(lang: Lang, checked: BoardChecked) -> str:
    """Return the same in one language."""
    if checked.size is not None:
        width, height = checked.size
        return text(lang, "board.other_size", width=width, height=height)
    if checked.place is BoardPlace.OUT_OF_VIEW and checked.missing:
        corners = corners_named(checked.missing, text(lang, "board.and"))
        return text(lang, "board.corners_missing", corners=corners)
    return text(lang, f"board.{checked.place.value}")


def _cube(noticed: CubeNoticed, state: State) -> tuple[feed.EventMessage, ...]:
    """Report a difference of the cube, once, when it has lasted."""
    return tuple(
        feed.EventMessage(kind="cube", at_mono_ms=noticed.at, texts=texts)
        for texts in _cube_texts(noticed.doubt, state)
    )


def _cube_texts(doubt: CubeDoubt, state: State) -> tuple[feed.Texts, ...]:
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
