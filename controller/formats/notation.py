"""The numberings and position texts that people use for the same 24 points."""

from collections.abc import Callable
from enum import Enum

from controller.rules import (
    POINTS,
    Game,
    NotationError,
    Play,
    Point,
    Position,
    PositionError,
    Side,
    Step,
    arranged,
)
from controller.rules.play import BAR, OFF, PASSES, place_name

_QUARTERS = "ABCD"


class Numbering(Enum):
    """How points are named; storage is always ``OWN``."""

    OWN = "own"
    """Each player counts from their own 24 (head) down to 1 (text 003 line 38; Минспорт 19.3)."""
    WHITE = "white"
    """Both use white's own numbers."""
    BLACK = "black"
    """Both use black's own numbers, «как её видят черные» (text 003 line 11)."""
    ABSOLUTE = "absolute"
    """Text 000 line 118: up from black's head 1 and white's head 13, so that white's home is 7-12, black's 19-24."""
    QUARTERS = "quarters"
    """Text 000 line 76: A1 is white's head, C1 black's, D and B the homes; each quarter counts along the road."""


def point_name(point: Point, side: Side, game: Game, numbering: Numbering) -> str:
    """Return the name of ``side``'s own ``point`` (1..24, 25 the bar, 0 off).

    ``ABSOLUTE`` and ``QUARTERS`` belong to the long games; raises NotationError in others.

    >>> point_name(24, Side.WHITE, Game.LONG, Numbering.ABSOLUTE)
    '13'
    >>> point_name(24, Side.BLACK, Game.LONG, Numbering.QUARTERS)
    'C1'
    """
    if point in {BAR, OFF}:
        return place_name(point)
    if numbering is Numbering.OWN:
        return str(point)
    if numbering in {Numbering.WHITE, Numbering.BLACK}:
        same = (numbering is Numbering.WHITE) == (side is Side.WHITE)
        return str(point if same else game.mirrored(point))
    _long_only(game, numbering)
    # Along the road from black's head, 0-based.
    step = 24 - (point if side is Side.BLACK else game.mirrored(point))
    if numbering is Numbering.ABSOLUTE:
        return str(step + 1)
    # Quarter A begins at white's head, which is half the road on.
    quarter, place = divmod((step + 12) % 24, 6)
    return f"{_QUARTERS[quarter]}{place + 1}"


def play_text(play: Play | None) -> str:
    """Return how ``play`` is written in its mover's own numbering; empty where no legal play is known."""
    return "" if play is None else str(play)


def point_of(name: str, side: Side, game: Game, numbering: Numbering) -> Point:
    """Return ``side``'s own number of the point called ``name``; the inverse of ``point_name``.

    Raises NotationError that quotes ``name``.
    """
    for point in (OFF, *POINTS, BAR):
        if point_name(point, side, game, numbering).lower() == name.strip().lower():
            return point
    msg = f"no point {name!r} in the {numbering.value} numbering of {game.value}"
    raise NotationError(msg)


def written(play: Play, side: Side, game: Game, numbering: Numbering) -> str:
    """Return ``play`` in ``numbering``; with ``OWN`` this is ``str(play)``.

    >>> written(Play((Step(24, 18), Step(18, 13))), Side.WHITE, Game.LONG, Numbering.QUARTERS)
    'A1/B1 B1/B6'
    """

    def name(point: Point) -> str:
        return point_name(point, side, game, numbering)

    return _joined(play, name)


def read(text: str, side: Side, game: Game, numbering: Numbering) -> Play:
    """Read what ``written`` writes; raises NotationError that quotes ``text``."""
    if text.strip().lower() in PASSES:
        return Play(())
    own = []
    for word in text.split():
        path, times, count = word.partition("(")
        stops = path.split("/")
        names = [point_of(stop.removesuffix("*"), side, game, numbering) for stop in stops]
        marks = ["*" if stop.endswith("*") else "" for stop in stops]
        own.append("/".join(f"{place_name(p)}{mark}" for p, mark in zip(names, marks, strict=True)) + times + count)
    return Play.parse(" ".join(own))


def _joined(play: Play, name: Callable[[Point], str]) -> str:
    words: list[tuple[str, int]] = []
    for step in play.steps:
        word = f"{name(step.source)}/{name(step.target)}{'*' if step.hit else ''}"
        if words and words[-1][0] == word:
            words[-1] = (word, words[-1][1] + 1)
        else:
            words.append((word, 1))
    return " ".join(f"{word}({times})" if times > 1 else word for word, times in words) or "pass"


def standard(play: Play) -> str:
    """Return ``play`` in standard backgammon notation: one checker's steps joined, hits on the way kept.

    >>> standard(Play((Step(24, 18), Step(18, 13), Step(8, 7), Step(8, 7))))
    '24/13 8/7(2)'
    >>> standard(Play((Step(24, 20, hit=True), Step(20, 15))))
    '24/20*/15'
    """
    paths: list[list[Step]] = []
    for step in play.steps:
        path = next((path for path in paths if path[-1].target == step.source), None)
        if path:
            path.append(step)
        else:
            paths.append([step])
    words: list[str] = []
    for path in paths:
        stops = [place_name(path[0].source)]
        stops += [f"{place_name(step.target)}*" for step in path[:-1] if step.hit]
        stops.append(f"{place_name(path[-1].target)}{'*' if path[-1].hit else ''}")
        words.append("/".join(stops))
    times = {word: words.count(word) for word in words}
    return " ".join(f"{word}({count})" if count > 1 else word for word, count in times.items()) or "pass"


def _long_only(game: Game, numbering: Numbering) -> None:
    if game.opposed:
        msg = f"the {numbering.value} numbering belongs to the long games, not to {game.value}"
        raise NotationError(msg)


def position_text(position: Position, game: Game) -> str:
    """Return a position of any game as text: the game, then both sides by their own points, the mover first.

    ``25`` is the bar, ``0`` off; documented in ``docs/rules.md``.

    >>> from controller.rules import start
    >>> position_text(start(Game.KHACHAPURI), Game.KHACHAPURI)
    'khachapuri mover 24:4 6:11 opponent 24:4 6:11'
    """
    sides = []
    for name, view in (("mover", position), ("opponent", position.turned(game))):
        counts = [(BAR, view.bar[0]), *((p, view.at(p)) for p in reversed(POINTS)), (OFF, view.off[0])]
        sides.append(" ".join([name, *(f"{place}:{count}" for place, count in counts if count > 0)]))
    return f"{game.value} {sides[0]} {sides[1]}"


def position_from_text(text: str) -> tuple[Game, Position]:
    """Read what ``position_text`` writes; checkers that are named nowhere are borne off.

    Raises PositionError that quotes ``text``.
    """
    words = text.split()
    if not words or "mover" not in words or "opponent" not in words or words[1:2] != ["mover"]:
        msg = f"a position reads 'GAME mover 24:15 opponent 24:15', got {text!r}"
        raise PositionError(msg)
    try:
        game = Game(words[0])
    except ValueError:
        msg = f"the game is one of {', '.join(g.value for g in Game)}, got {words[0]!r} in {text!r}"
        raise PositionError(msg) from None
    cut = words.index("opponent")
    mine, theirs = _counts(words[2:cut], text), _counts(words[cut + 1 :], text)
    return game, _placed(game, mine, theirs, text)


def _counts(words: list[str], text: str) -> dict[Point, int]:
    counts: dict[Point, int] = {}
    for word in words:
        place, colon, count = word.partition(":")
        if not (colon and place.isascii() and place.isdigit() and count.isascii() and count.isdigit()):
            msg = f"checkers read like 24:15, got {word!r} in {text!r}"
            raise PositionError(msg)
        if int(place) > BAR or int(place) in counts:
            msg = f"each place 25 (bar)..0 (off) stands once, got {word!r} in {text!r}"
            raise PositionError(msg)
        counts[Point(int(place))] = int(count)
    return counts


def _placed(game: Game, mine: dict[Point, int], theirs: dict[Point, int], text: str) -> Position:
    sides = ({place: count for place, count in counts.items() if place != OFF} for counts in (mine, theirs))
    try:
        position = arranged(game, *sides)
    except PositionError as error:
        msg = f"{error}, in {text!r}"
        raise PositionError(msg) from None
    for borne_off, counts in zip(position.off, (mine, theirs), strict=True):
        if counts.get(OFF, borne_off) != borne_off:
            msg = f"{game.value} has {game.checkers} checkers a side, got {sum(counts.values())} in {text!r}"
            raise PositionError(msg)
    return position
