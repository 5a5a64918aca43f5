"""Words of the feed: the same sentence in both languages, and the names of sides."""

from controller.adapters.mqtt.messages import SideName, Texts
from controller.locale import Lang, text
from controller.referee.state import State
from controller.rules import Side


def both(key: str, **values: object) -> Texts:
    """Return the text ``key`` in both languages; a value that is a text itself is filled in in the same one."""
    en = {name: value.en if isinstance(value, Texts) else value for name, value in values.items()}
    ru = {name: value.ru if isinstance(value, Texts) else value for name, value in values.items()}
    return Texts(en=text(Lang.EN, key, **en), ru=text(Lang.RU, key, **ru))


def player_name(state: State, side: Side) -> Texts:
    """A player's name; one who has given none is called by the colour."""
    name = state.white if side is Side.WHITE else state.black
    return Texts(en=name, ru=name) if name else both(f"page.{side.value}")


def name_of(side: Side | None) -> SideName | None:
    """A side's name in the feed."""
    return None if side is None else side.value
