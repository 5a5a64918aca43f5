"""All legal ends of a turn under a ruleset."""

from controller.rules.cascade import cascade_ends, sequence
from controller.rules.play import Play, Roll
from controller.rules.position import Position, check_position
from controller.rules.ruleset import Ruleset
from controller.rules.search import all_ends
from controller.rules.steps import UNLIMITED, Ends, Laws

_THREE_DOUBLES = frozenset({3, 4, 6})
_SECOND_HEAD: dict[str, frozenset[int]] = {
    "three_doubles": _THREE_DOUBLES,
    "six_only": frozenset({6}),
    "azeri": frozenset({4, 6}),
    "any_double": frozenset(range(1, 7)),
    "seed003": _THREE_DOUBLES,
    "none": frozenset(),
}
"""First-turn doubles with which a second checker may leave the head, by ``head_first``."""


def legal_plays(
    position: Position,
    roll: Roll,
    ruleset: Ruleset,
    *,
    first_turn: bool = False,
    second_player: bool = False,
    throw: int | None = None,
) -> dict[Position, Play]:
    """Return every legal end of the mover's turn, in the mover's numbering, each with one canonical play.

    A turn in which nothing can be played has one end: ``position`` itself, with the empty play.
    ``first_turn``: it is this player's first of the game; ``second_player``: the opponent began; ``throw``: its number
    in the game, only for ``cascade_free_turns``. In crazy nardy a double gives the ends of the mover's own part.
    Raises PositionError if ``position`` cannot stand in the ruleset's game, TooManyEndsError for a boundless cascade.

    >>> from controller.rules import Game, Roll, ruleset, start
    >>> plays = legal_plays(start(Game.LONG), Roll(6, 5), ruleset("long-fnr"), first_turn=True)
    >>> [str(play) for play in plays.values()]
    ['24/18 18/13']
    """
    check_position(position, ruleset.game)
    limit = head_limit(position, roll, ruleset, first_turn=first_turn, second_player=second_player)
    dice = sequence(roll, ruleset, throw)
    ends = _ends(position, dice, laws_of(ruleset, limit))
    if limit == 2 and ruleset.head_exception == "optional":
        # The permission is a right: who does not use it need only play what one head checker allows.
        ends = {**_ends(position, dice, laws_of(ruleset, 1)), **ends}
    return ends or {position: Play(())}


def legal_rest(position: Position, dice: tuple[int, ...], ruleset: Ruleset) -> dict[Position, Play]:
    """Return the ends of a cascade's rest ``dice`` that is handed over to the mover of ``position``.

    One checker may leave the head in it, and the mover's own next throw counts anew (matrix 9.6).
    """
    check_position(position, ruleset.game)
    return _ends(position, dice, laws_of(ruleset, UNLIMITED if ruleset.head == "unlimited" else 1)) or {
        position: Play(())
    }


def _ends(position: Position, dice: tuple[int, ...], laws: Laws) -> Ends:
    if dice[0] == dice[-1] or dice[0] > dice[-1]:
        return all_ends(position, dice, laws)
    return cascade_ends(position, dice, laws)


def laws_of(ruleset: Ruleset, limit: int) -> Laws:
    """Return what the search must respect under ``ruleset`` with ``limit`` checkers from the head."""
    return Laws(
        open_above=-2 if ruleset.game.opposed else -1,
        head_limit=limit,
        exact=ruleset.bear_off == "exact",
        block=ruleset.block,
        block_each_step=ruleset.block_check == "each_step",
    )


def head_limit(
    position: Position, roll: Roll, ruleset: Ruleset, *, first_turn: bool = False, second_player: bool = False
) -> int:
    """Return how many checkers may leave the head in this turn.

    One (text 003 line 11), two on the first-turn doubles of ``head_first`` (000 line 125), any number where there
    is no head rule. Under ``seed003`` the second player may also take two on any double that one head checker cannot
    play out (003 line 50).
    """
    if ruleset.head == "unlimited":
        return UNLIMITED
    if not (first_turn and roll.double):
        return 1
    if roll.high in _SECOND_HEAD[ruleset.head_first]:
        return 2
    if ruleset.head_first == "seed003" and second_player:
        played = all_ends(position, roll.dice, laws_of(ruleset, 1))
        if max((len(play.steps) for play in played.values()), default=0) < len(roll.dice):
            return 2
    return 1
