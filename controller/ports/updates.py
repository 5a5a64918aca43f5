"""What publishers are given: the state before and after, what was ruled, and what somebody has to know once."""

from dataclasses import dataclass, field
from uuid import uuid4

from controller.clock import Millis
from controller.ports.entries import Ruled
from controller.referee.events import BoardChecked
from controller.referee.orders import Order
from controller.referee.state import Conceding, CubeDoubt, Misplaced, State


@dataclass(frozen=True, slots=True)
class BoardNoticed:
    """The board's place in the picture was checked and is another than ``before``."""

    checked: BoardChecked
    before: BoardChecked | None


@dataclass(frozen=True, slots=True)
class CubeNoticed:
    """The cube has been lying for some looks otherwise than in the match."""

    at: Millis
    doubt: CubeDoubt

    @classmethod
    def between(cls, before: State, now: State) -> "CubeNoticed | None":
        """A difference that has lasted by ``now`` and was not noticed in ``before``; each one once."""
        known, doubt = before.sight.cube_doubt, now.sight.cube_doubt
        if doubt is None or not doubt.lasting or (known is not None and known.lasting and known.seen == doubt.seen):
            return None
        return cls(now.at, doubt)


@dataclass(frozen=True, slots=True)
class CheckersNoticed:
    """Checkers stand where no play of the turn under way can have brought them."""

    at: Millis
    misplaced: Misplaced

    @classmethod
    def between(cls, before: State, now: State) -> "CheckersNoticed | None":
        """What is misplaced ``now`` and was not noticed in ``before``; the same places once."""
        known, misplaced = before.sight.misplaced, now.sight.misplaced
        if misplaced is None or (known is not None and known.places == misplaced.places):
            return None
        return cls(now.at, misplaced)


@dataclass(frozen=True, slots=True)
class ResignationNoticed:
    """A resignation has to be confirmed, or gave more than was needed."""

    at: Millis
    conceding: Conceding

    @classmethod
    def between(cls, before: State, now: State) -> "ResignationNoticed | None":
        """What there is to say ``now`` about a resignation, once."""
        if now.conceding is None or now.conceding == before.conceding:
            return None
        return cls(now.at, now.conceding)


@dataclass(frozen=True, slots=True)
class OrderRefused:
    """An order was not carried out; ``reason`` is a key of the text catalogue under ``order``."""

    at: Millis
    by: str
    reason: str


Notice = BoardNoticed | CubeNoticed | CheckersNoticed | ResignationNoticed | OrderRefused


@dataclass(frozen=True, slots=True)
class Update:
    """What a batch of events has led to; all of it is in the journal, unless the state has the journal as lost.

    ``before`` is the state of the last update, None in the first one: then everything is to be shown as it stands.
    Each ruling carries the names of the pictures it rests on. ``rulings`` of a first update is the last ruling of a
    match that goes on.
    """

    before: State | None
    state: State
    rulings: tuple[Ruled, ...] = ()
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """An order on its way to the referee: who gave it and why, for the record; the same ``id`` is obeyed once."""

    order: Order
    by: str = "arbiter"
    note: str = ""
    id: str = field(default_factory=lambda: uuid4().hex)


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether an order was carried out; ``refused`` is the reason's key under ``order``, None when it was.

    ``written`` is False for one that was carried out although the journal could not take it.
    """

    refused: str | None = None
    written: bool = True
