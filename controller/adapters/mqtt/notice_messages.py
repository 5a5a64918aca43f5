"""From what was noticed once to the feed's events: the board's place, cube and checkers, a refused order."""

from collections.abc import Iterator

from controller.adapters.mqtt import messages as feed
from controller.adapters.mqtt.texts import both, player_name
from controller.fusion.evidence import POINTS
from controller.locale import Lang, text
from controller.ports.updates import (
    BoardNoticed,
    CheckersNoticed,
    CubeNoticed,
    Notice,
    OrderRefused,
    ResignationNoticed,
)
from controller.referee.events import BoardChecked, BoardPlace, CubeSide
from controller.referee.state import Conceding, CubeDoubt, Misplaced, MisplacedKind, PlaceOff, State
from controller.rules import Side
from vision.board.geometry import corners_named

BARS = ("bar_white", "bar_black", "tray_white", "tray_black")
"""What the rows after the 24 points are called."""
KEEPERS = {CubeSide.NEAR: Side.WHITE, CubeSide.FAR: Side.BLACK}


def notice_messages(notice: Notice, state: State) -> Iterator[feed.EventMessage]:
    """What is published once: how board, cube and checkers lie, what a resignation needs, that an order was refused."""
    match notice:
        case BoardNoticed(checked=checked, before=before):
            yield _board(checked, before)
        case CubeNoticed():
            yield from _cube(notice, state)
        case CheckersNoticed(at=at, misplaced=misplaced):
            yield feed.EventMessage(kind="checkers", at_mono_ms=at, texts=_misplaced(misplaced, state))
        case ResignationNoticed(at=at, conceding=conceding):
            yield feed.EventMessage(kind="resignation", at_mono_ms=at, texts=_conceding(conceding, state))
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


def place_name(lang: Lang, row: int) -> str:
    """What people call a row of the rig: a point, or a side's bar or tray."""
    if row < POINTS:
        return text(lang, "device.place.point", number=row + 1)
    return text(lang, f"device.place.{BARS[row - POINTS]}")


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


MOST_PLACES = 6
"""So many places are named; where more differ the board itself shows it."""


def _misplaced(misplaced: Misplaced, state: State) -> feed.Texts:
    """What is misplaced, and in whose turn it was first seen."""
    player, other = player_name(state, misplaced.turn), player_name(state, misplaced.turn.other)
    named = [_place_off(place) for place in misplaced.places[:MOST_PLACES]]
    places = feed.Texts(en="; ".join(each.en for each in named), ru="; ".join(each.ru for each in named))
    key = misplaced.kind.value
    if misplaced.kind is MisplacedKind.MOVED:
        key = "before_throw" if misplaced.before_throw else "in_turn"
    return both(f"misplaced.{key}", player=player, other=other, places=places)


def _place_off(off: PlaceOff) -> feed.Texts:
    names = feed.Texts(en=place_name(Lang.EN, off.row), ru=place_name(Lang.RU, off.row))
    return both("misplaced.place", place=names, seen=_checkers(off.seen), expected=_checkers(off.expected))


def _checkers(count: int) -> feed.Texts:
    colour = "none" if not count else "white" if count > 0 else "black"
    return both(f"misplaced.{colour}", count=abs(count))


def _conceding(conceding: Conceding, state: State) -> feed.Texts:
    price = "too_dear" if conceding.too_dear else "too_cheap"
    key = f"done_{price}" if not conceding.asked else "contact" if conceding.contact else price
    family = "backgammon." if state.rules.game.opposed else ""
    kind = both(f"sheet.kind.{family}{conceding.order.kind.value}")
    return both(f"resignation.{key}", player=player_name(state, conceding.order.side), kind=kind)
