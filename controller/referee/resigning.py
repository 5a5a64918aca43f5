"""A game is conceded: at once, or after the question whether that is meant, as the ruleset says (WBGF 4.5)."""

from dataclasses import replace

from controller.referee.games import finish_game
from controller.referee.orders import Order, OrderRefusedError, Resign
from controller.referee.state import Conceding, Phase, State
from controller.rules import Resignation, resignation

IN_A_GAME = {Phase.TO_THROW, Phase.TO_PLAY, Phase.DECIDING, Phase.OPENING}


def resign(state: State, order: Resign) -> State:
    """Score a resignation as the kind of loss that is conceded; where the rules want it, ask first.

    The same order once more, with nothing ruled in between, is the answer. Raises OrderRefusedError where nothing can
    be conceded.
    """
    if state.phase not in IN_A_GAME:
        why = "no_game_to_resign"
        raise OrderRefusedError(why)
    loss = conceded(state, order)
    if loss.contact and state.rules.resign_contact == "refused":
        why = "resign_with_contact"
        raise OrderRefusedError(why)
    asks = state.rules.resign_contact != "allowed"
    contact = loss.contact and asks
    asked = Conceding(
        order,
        state.rulings,
        contact=contact,
        too_dear=loss.could_cost_less,
        too_cheap=loss.could_cost_more,
        asked=asks,
    )
    odd = loss.could_cost_less or loss.could_cost_more
    if asks and (contact or odd) and state.conceding != asked:
        return replace(state, conceding=asked)
    done = finish_game(state, order.side.other, loss.result)
    return replace(done, conceding=asked if odd and not asks else None)


def unless_repeated(state: State, order: Order) -> State:
    """The state with no question about a resignation, unless ``order`` may answer it."""
    return state if isinstance(order, Resign) or state.conceding is None else replace(state, conceding=None)


def conceded(state: State, order: Resign) -> Resignation:
    """What ``order`` gives up; raises OrderRefusedError for a kind of loss that the ruleset does not know."""
    own = state.white_position().seen_by(order.side, state.rules.game)
    try:
        return resignation(own, order.kind, state.rules, state.cube)
    except ValueError:
        # No kind at all, or none of this ruleset's.
        why = "no_such_result"
        raise OrderRefusedError(why) from None
