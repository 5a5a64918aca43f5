"""Recorded matches of other programs, replayed under the rules."""

from dataclasses import dataclass

from controller.formats.mat import Answered, Beavered, Doubled, MatGame, MatMatch, Placed
from controller.rules import (
    Cube,
    GameResult,
    Illegal,
    Kind,
    RulesError,
    Ruleset,
    Score,
    Side,
    beaver,
    crawford_game,
    finished,
    judge_steps,
    offer,
    passed,
    raised,
    result,
    start,
    take,
)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A game as the rules see it."""

    winner: Side | None
    result: GameResult | None
    turns: int
    resigned: bool = False


class ReplayError(RulesError):
    """A recorded match breaks the rules; the message names where and how."""


def replay(match: MatMatch) -> tuple[tuple[Replayed, ...], Score]:
    """Replay ``match`` and return its games and the final score.

    Raises ReplayError for an illegal play, a double that may not be, or a score that does not follow.
    """
    rules = match.rules
    scores = [Score()]
    replayed = []
    for number, game in enumerate(match.games, start=1):
        if game.score != scores[-1]:
            msg = f"game {number} begins at {game.score}, the games before it give {tuple(scores[-1])}"
            raise ReplayError(msg)
        one = _replay_game(game, number, rules, crawford=crawford_game(rules, scores))
        replayed.append(one)
        if one.result is not None:
            scores.append(scores[-1].plus(one.winner, one.result.points))
    return tuple(replayed), scores[-1]


def _replay_game(game: MatGame, number: int, rules: Ruleset, *, crawford: bool) -> Replayed:
    position, view, cube = start(rules.game), Side.WHITE, Cube()
    played = {Side.WHITE: 0, Side.BLACK: 0}
    first: Side | None = None
    for action in game.actions:
        if isinstance(action, Doubled):
            cube = _doubled(cube, action, number, rules, crawford=crawford)
        elif isinstance(action, Beavered):
            cube = _beavered(cube, number, rules)
        elif isinstance(action, Answered):
            if action.took:
                cube = take(cube, rules)
                continue
            winner, value = passed(cube, rules)
            return _checked(game, number, Replayed(winner, GameResult(Kind.DROP, value), sum(played.values())))
        elif isinstance(action, Placed):
            msg = f"game {number}, {action.side.value} {action.roll}: an illegal play stands"
            raise ReplayError(msg)
        else:
            if action.side is not view:
                position, view = position.turned(rules.game), action.side
            first = first or view
            verdict = judge_steps(
                position,
                action.roll,
                action.play,
                rules,
                first_turn=not played[view],
                second_player=view is not first,
            )
            if isinstance(verdict, Illegal):
                faults = ", ".join(fault.key for fault in verdict.faults)
                msg = f"game {number}, {view.value} {action.roll}: {action.play} is illegal: {faults}"
                raise ReplayError(msg)
            position = verdict.end
            played[view] += 1
            if finished(position, rules):
                return _checked(game, number, Replayed(view, result(position, rules, cube), sum(played.values())))
    if game.winner is None:
        return Replayed(None, None, sum(played.values()))
    return _resigned(game, number, cube, rules, sum(played.values()))


def _doubled(cube: Cube, action: Doubled, number: int, rules: Ruleset, *, crawford: bool) -> Cube:
    try:
        offered = offer(cube, action.side, rules, turn=action.side, thrown=False, crawford_game=crawford)
    except RulesError as error:
        msg = f"game {number}: {error}"
        raise ReplayError(msg) from None
    if raised(cube.value, rules) != action.value:
        msg = f"game {number}: a double from {cube.value} goes to {raised(cube.value, rules)}, not to {action.value}"
        raise ReplayError(msg)
    return offered


def _beavered(cube: Cube, number: int, rules: Ruleset) -> Cube:
    try:
        return beaver(cube, rules)
    except RulesError as error:
        msg = f"game {number}: {error}"
        raise ReplayError(msg) from None


def _checked(game: MatGame, number: int, replayed: Replayed) -> Replayed:
    points = replayed.result.points if replayed.result else 0
    if (replayed.winner, points) != (game.winner, game.points):
        msg = f"game {number}: {replayed.winner} wins {points}, recorded are {game.winner} and {game.points}"
        raise ReplayError(msg)
    return replayed


def _resigned(game: MatGame, number: int, cube: Cube, rules: Ruleset, turns: int) -> Replayed:
    worth = {rules.oin: Kind.OIN, rules.mars: Kind.MARS, rules.koks: Kind.KOKS}
    times, rest = divmod(game.points, cube.value)
    if rest or times not in worth or not times:
        msg = f"game {number}: {game.points} points cannot be resigned with the cube at {cube.value}"
        raise ReplayError(msg)
    return Replayed(game.winner, GameResult(worth[times], game.points), turns, resigned=True)
