"""From what the panel or the feed commands to the order that the referee understands, and its answer back."""

from typing import assert_never

from controller.adapters.mqtt import commands
from controller.adapters.mqtt.texts import both
from controller.clock import Millis
from controller.ports.updates import Answer, Request
from controller.referee import orders
from controller.referee.orders import OrderRefusedError
from controller.referee.state import State
from controller.rules import Position, Side


def request_of(command: commands.Command) -> Request:
    """The order that a command means in the state that it meets."""
    return Request(command.by, lambda state: order_of(command, state))


def answer_message(answer: Answer) -> commands.Answer:
    """The reply to a command in words."""
    if answer.refused is None:
        return commands.Answer(done=True, texts=both("order.done"))
    return commands.Answer(done=False, texts=both(f"order.{answer.refused}"))


def order_of(command: commands.Command, state: State) -> orders.Order:
    """Translate a command.

    Raises OrderRefusedError with the key of the reason when it cannot mean anything to the match in ``state``.
    """
    match command:
        case commands.Start():
            return orders.Begin()
        case commands.Confirm(ruling=ruling, story=story):
            return orders.Confirm(_number(ruling), story)
        case commands.Refuse(ruling=ruling):
            return orders.Refuse(_number(ruling))
        case commands.Correct(position=position, turn=turn):
            side = Side(turn) if turn else state.turn
            if side is None:
                raise OrderRefusedError("say_whose_turn")
            return orders.Correct(Position(position.points, position.bar, position.off), side)
        case commands.SetRoll(roll=(first, second)):
            return orders.SetRoll(first, second)
        case commands.VoidThrow():
            return orders.VoidThrow()
        case commands.Kestum(side=called):
            return orders.CallKestum(_caller(called, state))
        case commands.Pause():
            return orders.Pause()
        case commands.Resume():
            return orders.Resume()
        case commands.SetClock(white_ms=white, black_ms=black):
            return orders.SetClock(Millis(white), Millis(black))
        case commands.SetScore(score=score):
            return orders.SetScore(score.white, score.black)
        case commands.Resign(side=side, kind=kind):
            return orders.Resign(Side(side), kind)
        case commands.Double(side=side):
            return orders.Double(Side(side))
        case commands.Take():
            return orders.Take(_taker(state))
        case commands.Pass():
            return orders.Drop(_taker(state))
        case commands.Undo():
            return orders.Undo()
        case _ as never:
            assert_never(never)


def _number(ruling: str) -> int:
    try:
        return int(ruling)
    except ValueError:
        raise OrderRefusedError("ruling_is_past") from None


def _caller(called: str | None, state: State) -> Side:
    """Who says kestum: the thrower's opponent unless the command names somebody."""
    if called is not None:
        return Side(called)
    if state.turn is None:
        raise OrderRefusedError("no_throw_awaited")
    return state.turn.other


def _taker(state: State) -> Side:
    if state.cube.offered_by is None:
        raise OrderRefusedError("no_double_offered")
    return state.cube.offered_by.other
