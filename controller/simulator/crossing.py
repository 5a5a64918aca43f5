"""From a mover's own numbers to places on the table and back, and what hands do for a play."""

from collections import Counter

from controller.rules import Game, Play, Point, Position, Side
from controller.simulator.actions import Move
from controller.simulator.layout import BAR, OFF, Place
from controller.simulator.world import POINTS, TablePosition


def place_of(point: Point, side: Side, game: Game) -> Place:
    """Return the place of ``side``'s own ``point`` (25 the bar, 0 off)."""
    if side is Side.WHITE or Place(point) in (BAR, OFF):
        return Place(point)
    return Place(game.mirrored(point))


def position_of(position: TablePosition, side: Side, game: Game) -> Position:
    """Return ``position`` as ``side`` sees it."""
    if side is Side.WHITE:
        return Position(position.points, position.bar, position.off)
    points = tuple(-position.points[game.mirrored(Point(place)) - 1] for place in POINTS)
    return Position(points, (position.bar[1], position.bar[0]), (position.off[1], position.off[0]))


def table_position(position: Position, side: Side, game: Game) -> TablePosition:
    """Return the table on which ``side`` sees ``position``."""
    if side is Side.WHITE:
        return TablePosition(position.points, position.bar, position.off)
    points = tuple(-position.points[game.mirrored(Point(place)) - 1] for place in POINTS)
    return TablePosition(points, (position.bar[1], position.bar[0]), (position.off[1], position.off[0]))


def moves_of(play: Play, side: Side, game: Game) -> tuple[Move, ...]:
    """Return what a hand does for ``play``: a hit checker goes to the bar first, one checker's way is one move."""
    moves: list[Move] = []
    for step in play.steps:
        source, target = place_of(step.source, side, game), place_of(step.target, side, game)
        if step.hit:
            moves.append(Move(side.other, target, BAR))
            moves.append(Move(side, source, target))
        elif moves and moves[-1].side is side and moves[-1].target == source and source != BAR:
            moves[-1] = Move(side, moves[-1].source, target)
        else:
            moves.append(Move(side, source, target))
    return tuple(moves)


def after(position: TablePosition, moves: tuple[Move, ...]) -> TablePosition:
    """Return the table after ``moves``."""
    points, bar, off = list(position.points), list(position.bar), list(position.off)
    for move in moves:
        white = move.side is Side.WHITE
        for place, change in ((move.source, -1), (move.target, 1)):
            if place == BAR:
                bar[0 if white else 1] += change
            elif place == OFF:
                off[0 if white else 1] += change
            else:
                points[place - 1] += change if white else -change
    return TablePosition(tuple(points), (bar[0], bar[1]), (off[0], off[1]))


def difference(now: TablePosition, wanted: TablePosition) -> tuple[Move, ...]:
    """Return moves that make the table ``now`` stand as ``wanted``, one carried checker each.

    Checkers that have to make room go first.
    """
    moves: list[Move] = []
    for side in Side:
        places = (*POINTS, BAR, OFF)
        surplus = Counter({place: now.count(side, place) - wanted.count(side, place) for place in places})
        sources = [place for place in places for _ in range(max(0, surplus[place]))]
        targets = [place for place in places for _ in range(max(0, -surplus[place]))]
        moves.extend(Move(side, source, target) for source, target in zip(sources, targets, strict=True))
    moves.sort(key=lambda move: now.count(move.side.other, move.target) if move.target in POINTS else 0)
    return tuple(moves)
