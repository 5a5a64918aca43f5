"""The virtual arbiter: they saw everything, and answer the referee as people answer on the panel."""

from controller.adapters.shown import ShownPhase as Phase
from controller.ports.updates import Command
from controller.referee import orders
from controller.referee.orders import Face, HypothesisNumber, RulingNumber
from controller.rules import Position, Side, start
from controller.simulator.actions import Answers, Helped, Verb
from controller.simulator.crossing import table_position
from controller.simulator.plan import Habits
from controller.simulator.table_state import TableState
from controller.simulator.visible import SeenRuling, Subject, Verdict, VisibleState
from controller.simulator.world import TableDieState, TablePosition

NAME = "virtual arbiter"
OPPONENT = "opponent"
PATIENT_TRIES = 2
"""How often a player shows a legal play before calling for the arbiter."""


def setup_help(state: TableState, seen: VisibleState, habits: Habits) -> Helped:
    """Return the answer when the referee does not see the start position or waits for a word to begin."""
    ruling = seen.ruling
    if ruling is None or ruling.id == state.seen_ruling or ruling.subject is not Subject.SETUP:
        return Helped(Verb.START)
    wanted = table_position(start(habits.ruleset.game), Side.WHITE, habits.ruleset.game)
    number = _hypothesis_of(ruling, wanted)
    if number is None:
        return Helped(Verb.CORRECT, position=wanted)
    return Helped(Verb.CONFIRM, ruling.id, number)


def throw_help(state: TableState) -> Helped:
    """Return what the throw on the table is: its numbers, or that it is void."""
    faces = thrown_faces(state)
    if state.turn.throw_fault is not None or faces is None:
        return Helped(Verb.VOID_THROW)
    return Helped(Verb.SET_ROLL, roll=faces)


def play_help(state: TableState, seen: VisibleState) -> Helped | None:
    """Return the answer about the play on the table; None without a ruling to answer."""
    ruling, choice = seen.ruling, state.turn.choice
    if ruling is None or ruling.id == state.seen_ruling or choice is None:
        return None
    if choice.wrong:
        return Helped(Verb.REFUSE, ruling.id)
    number = _hypothesis_of(ruling, choice.end)
    if number is None:
        return Helped(Verb.CORRECT, position=choice.end, turn=state.turn.side.other)
    return Helped(Verb.CONFIRM, ruling.id, number)


def overrule(state: TableState, seen: VisibleState, ruling: SeenRuling) -> Helped | None:
    """Return what puts a wrong ruling on a play right, None when there is nothing to put right.

    An accepted play that is illegal, or that the display shows otherwise than it lies, is taken back. A legal one that
    was refused the player simply shows once more; the arbiter steps in when that does not help.
    """
    choice = state.turn.choice
    if choice is None or seen.phase in (Phase.GAME_OVER, Phase.MATCH_OVER):
        return None
    if ruling.verdict is Verdict.ACCEPTED:
        right = not choice.wrong and seen.position in (None, choice.end)
        return None if right else Helped(Verb.REFUSE, ruling.id, overrules=True)
    return play_help(state, seen) if not choice.wrong and state.turn.tries > PATIENT_TRIES else None


def command_of(help_: Helped) -> Command:
    """Return what the arbiter orders on the panel; a call of kestum is the opponent's."""
    return Command(_order_of(help_), OPPONENT if help_.verb is Verb.KESTUM else NAME)


def answer_of(answer: Answers) -> Command:
    """Return what is entered on the panel for a player who answers a double."""
    return Command(orders.Take() if answer.takes else orders.Pass(), OPPONENT)


def _order_of(help_: Helped) -> orders.Order:
    match help_.verb:
        case Verb.START:
            return orders.Start()
        case Verb.CONFIRM:
            return orders.Confirm(RulingNumber(int(help_.ruling)), HypothesisNumber(help_.hypothesis))
        case Verb.REFUSE:
            return orders.Refuse(RulingNumber(int(help_.ruling)))
        case Verb.CORRECT if help_.position is not None:
            return orders.Correct(Position(help_.position.points, help_.position.bar, help_.position.off), help_.turn)
        case Verb.SET_ROLL if help_.roll is not None:
            first, second = help_.roll
            return orders.SetRoll((Face(first), Face(second)))
        case Verb.VOID_THROW:
            return orders.VoidThrow()
        case Verb.RESUME:
            return orders.Resume()
        case Verb.KESTUM:
            return orders.CallKestum()
        case _:
            msg = f"the arbiter has nothing to order in {help_}"
            raise ValueError(msg)


def thrown_faces(state: TableState) -> tuple[int, int] | None:
    """Return the two numbers on the table, White's or the left one first; None unless exactly two dice lie still."""
    dice = [die for die in state.world.dice if die.state not in (TableDieState.IN_CUP, TableDieState.ROLLING)]
    return (dice[0].face, dice[1].face) if len(dice) == 2 else None


def _hypothesis_of(ruling: SeenRuling, position: TablePosition) -> int | None:
    """Return the number of the panel's hypothesis that ends where the checkers really are."""
    return next((number for number, guess in enumerate(ruling.hypotheses) if guess.position == position), None)
